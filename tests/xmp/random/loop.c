/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Loops over a template or over nodes. */
#include <string.h>

#include "nest.h"

void loop_draw(void)
{
  struct array *const a = array_draw();
  struct nest n;
  if (!a) return;
  const struct array *const b = chance(50) ? shadowed_draw(a->template_, a) : NULL;
  if (b) stencil_write(a, b, 0);
  else if (chance(40)) reduction_write(a);
  else {
    nest_begin(&n, a);
    const int reads_itself = chance(50);
    n.body = text("%s = mod(%s);", target(&n, a), value(&n, reads_itself ? NULL : a));
    if (n.variables > 1 && chance(30)) n.split = draw_from(1, n.variables - 1);
    n.openmp = !reads_itself;
    nest_write(&n);
  }
}
/* Sums of rows: the inner loop's reduction is over the nodes that run the outer iteration. */
int loop_rows_draw(void)
{
  struct array *const a = array_draw(), *r = NULL;
  struct nest n, inner;
  for (int i = 0; a && i < 30 && !r; i++) {
    r = scope.array[draw(scope.arrays)];
    if (r->template_ != a->template_ || r == a) r = NULL;
  }
  if (!a || !r) return 0;
  nest_begin(&n, r);
  nest_begin(&inner, a);
  int dim = -1;
  for (int k = 0; k < a->dims; k++)
    if (is_distributed(a, k) && n.of_axis[a->axis[k]] < 0) dim = k;
  if (dim < 0) return 0;
  /* The other dimensions of a belong to the outer loops, or are free. */
  struct variable v = inner.v[inner.of_dim[dim]];
  v.name = "inside";
  v.type = NULL;
  const int at = n.variables, axis = a->axis[dim];
  n.v[at] = v;
  n.order[at] = at;
  n.variables++;
  n.of_axis[axis] = at;
  const char *const element = reference(&n, a, no_reach, 0), *const set = target(&n, r);
  n.variables--;
  if (!element) return 0;
  line("{");
  indent(1);
  line("long x, inside;");
  n.split = n.variables;
  directive(&n, 0, n.variables, "");
  for (int i = 0; i < n.variables; i++) line("%s%s", header(&n, i), i == n.variables - 1 ? " {" : "");
  line("x = 0;");
  n.variables++;
  directive(&n, at, at + 1, " reduction(+:x)");
  n.full = 1;
  line("%s x += (long)%s;", header(&n, at), element);
  line("%s = mod(x);", set);
  line("}");
  indent(-1);
  line("}");
  return 1;
}

void loop_nodes_draw(void)
{
  const struct nodes *const p = scope.nodes[draw(scope.nodes_count)];
  const int square = chance(60);
  const char *on[DIMS], *value_ = "3", *list = "";
  int order[DIMS] = {0, 1, 2};
  line("{");
  indent(1);
  line("long x = %d;", draw(97));
  for (int k = 0; k < p->dims; k++) {
    on[k] = text("w%d", k);
    list = text("%s%sw%d", list, k ? ", " : "", k);
    value_ = text("%s + %d * w%d", value_, draw_from(1, 9), k);
  }
  shuffle(order, p->dims);
  line("#pragma xmp loop (%s) on %s%s reduction(+:x)", list, p->name, axes_text(square, p->dims, on));
  for (int i = 0; i < p->dims; i++) {
    const int k = order[i], low = !square, high = p->size[k] - square;
    if (chance(70)) line("for (int w%d = %d; w%d <= %d; w%d++)", k, low, k, high, k);
    else line("for (int w%d = %d; w%d > %d; w%d -= 2)", k, high, k, low - 1, k);
  }
  line("  x += %s;", value_);
  if (!p->all) bcast_from_first(p, "x");
  line("say(\"on %s\", (unsigned long)x);", p->name);
  indent(-1);
  line("}");
}
