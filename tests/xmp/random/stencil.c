/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Loops that read shadows: behind a reflect, with parts that wait for it, and with what they compute in the
 * shadow themselves. */
#include "nest.h"

/* Reflects b; gives what may be read then. */
static int reflect_write(const struct array *b, struct reach *reach, int *faces, int async, int periodic)
{
  const char *width = "";
  int full = 0, widths = 0;
  for (int k = 0; k < b->dims; k++) full |= b->lower[k] == FULL;
  const int has_width = periodic || (!full && chance(40));
  if (periodic && full) return 0;
  for (int k = 0; k < b->dims; k++) {
    int lower = b->lower[k], upper = b->upper[k];
    reach[k] = (struct reach){.is_full = lower == FULL};
    if (lower == FULL) continue;
    if (has_width && chance(50)) lower = draw(lower + 1), upper = draw(upper + 1);
    if (periodic && lower > b->extent[k]) lower = b->extent[k];
    if (periodic && upper > b->extent[k]) upper = b->extent[k];
    reach[k].lower = lower;
    reach[k].upper = upper;
    reach[k].is_periodic = periodic && is_distributed(b, k) && (lower || upper);
    widths |= lower | upper;
    width = text("%s%s%s%s", width, k ? ", " : "", reach[k].is_periodic ? "/periodic/" : "",
        lower == upper && chance(60) ? number(lower) : text("%s:%s", number(lower), number(upper)));
  }
  if (!full && !widths) return 0;
  *faces = !full && chance(20);
  line("#pragma xmp reflect (%s)%s%s%s", b->name, has_width ? text(" width(%s)", width) : "",
      *faces ? " orthogonal" : "", async ? text(" async(%d)", async) : "");
  return 1;
}

const struct array *shadowed_draw(const struct template_ *t, const struct array *other)
{
  for (int i = 0; i < 30; i++) {
    const struct array *const b = scope.array[draw(scope.arrays)];
    if (b->template_ == t && b != other && b->shadow) return b;
  }
  return NULL;
}

static int any_cyclic(const struct nest *n)
{
  for (int k = 0; k < n->t->dims; k++)
    if (n->of_axis[k] >= 0 && n->t->format[k] == CYCLIC) return 1;
  return 0;
}

/* The widths of the on clause's dimensions, in the order in which directive() may write them: they are equal,
 * so that the order does not matter. */
static const char *widths_of(const struct nest *n, int lower, int upper)
{
  const char *made = "";
  for (int k = 0; k < n->t->dims; k++)
    made = text(
        "%s%s%s", made, k ? ", " : "", lower == upper ? text("%d", lower) : text("%d:%d", lower, upper));
  return made;
}

int stencil_write(struct array *a, const struct array *b, int periodic)
{
  struct nest n;
  struct reach reach[DIMS];
  int faces = 0, lower = 0, upper = 0;
  nest_begin(&n, a);
  const int async = chance(30) ? draw_from(1, 9) : 0;
  for (int k = 0; k < b->dims; k++) reach[k] = (struct reach){.is_full = b->lower[k] == FULL};
  const char *made = reference(&n, b, reach, 0); /* is it there at all? */
  if (!made || !reflect_write(b, reach, &faces, async, periodic)) return 0;
  for (int i = draw_from(1, 4); i > 0; i--) {
    const char *const r = reference(&n, b, reach, faces);
    if (r) made = text("%s + %dL * (long)%s", made, draw_from(1, 9), r);
  }
  n.body = text("%s = mod(%s + %s);", target(&n, a), made, value(&n, a));
  for (int k = 0; k < b->dims; k++) {
    if (reach[k].is_full) lower = upper = 100;
    if (reach[k].lower > lower) lower = reach[k].lower;
    if (reach[k].upper > upper) upper = reach[k].upper;
  }
  if (async && !any_cyclic(&n) && chance(60))
    n.clause = text(" peel_and_wait(%d, %s)", async, widths_of(&n, -lower, -upper));
  else if (async) line("#pragma xmp wait_async (%d)", async);
  nest_write(&n);
  return 1;
}
int loop_periodic_draw(void)
{
  struct array *const a = array_draw();
  const struct array *const b = a ? shadowed_draw(a->template_, a) : NULL;
  return b && stencil_write(a, b, 1);
}
/* The owners get what other nodes have in their shadows, where it is the same after a reflect. */
int reduce_shadow_draw(void)
{
  static const char *const loops[] = {"x", "y", "z"};
  struct array *const a = array_draw();
  if (!a || !a->shadow || *types[a->type].member) return 0;
  const int faces = chance(30);
  int distributed = 0;
  const char *element = a->name, *product = "1", *sum_ = "1";
  line("{");
  indent(1);
  for (int k = 0; k < a->dims; k++) {
    const char *list = "";
    element = text("%s[%s]", element, loops[k]);
    if (!is_distributed(a, k)) continue;
    distributed++;
    if (!a->lower[k] && !a->upper[k]) continue;
    for (int i = 0; i < a->extent[k]; i++) list = text("%s%s%d", list, i ? ", " : "", holders(a, k, i));
    line("static const int held%d[] = {%s};", k, list);
    product = text("%s * held%d[%s]", product, k, loops[k]);
    sum_ = text("%s + held%d[%s] - 1", sum_, k, loops[k]);
  }
  line("#ifdef _XCALABLEMP");
  line("#pragma xmp reflect (%s)", a->name);
  line("#pragma xmp reduce_shadow (%s)%s", a->name, faces ? " orthogonal" : "");
  line("#else");
  for (int k = 0; k < a->dims; k++)
    line("for (int %s = 0; %s < %d; %s++)", loops[k], loops[k], a->extent[k], loops[k]);
  line("%s *= %s;", element, faces && distributed > 1 ? sum_ : product);
  line("#endif");
  loop_normalise(a);
  indent(-1);
  line("}");
  return 1;
}
/* Every node computes also what is in its shadow, which is then read without a reflect. */
int loop_expand_draw(void)
{
  struct array *const a = array_draw(), *b;
  struct nest n;
  int lower = 9, upper = 9;
  if (!a || !a->shadow) return 0;
  nest_begin(&n, a);
  for (int k = 0; k < a->dims; k++) {
    if (n.v[n.of_dim[k]].axis < 0) continue;
    if (a->lower[k] == FULL) return 0;
    if (a->lower[k] < lower) lower = a->lower[k];
    if (a->upper[k] < upper) upper = a->upper[k];
  }
  if (any_cyclic(&n) || lower + upper == 0 || lower == 9) return 0;
  n.full = 1;
  n.clause = text(" expand(%s)", widths_of(&n, lower, upper));
  const char *made = text("%d", draw(97));
  for (int i = 0; i < n.variables; i++)
    made = text("%s + %dL * (long)%s", made, draw_from(1, 20), n.v[i].name);
  n.body = text("%s = mod(%s + %s);", target(&n, a), made, value_plain());
  nest_write(&n);
  b = array_draw();
  if (b == a || b->template_ != a->template_) return 1;
  nest_begin(&n, b);
  struct reach reach[DIMS] = {{0, 0, 0, 0}};
  for (int k = 0; k < a->dims; k++)
    if (is_distributed(a, k)) reach[k] = (struct reach){.lower = lower, .upper = upper};
  const char *const r = reference(&n, a, reach, 0), *const r2 = r ? reference(&n, a, reach, 0) : NULL;
  if (!r) return 1;
  n.body = text("%s = mod(2L * (long)%s + 3L * (long)%s);", target(&n, b), r, r2 ? r2 : r);
  nest_write(&n);
  return 1;
}
