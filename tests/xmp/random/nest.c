/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include <string.h>

#include "nest.h"

/* ---- variables and references ---- */

static void variable_name(struct variable *v, int k)
{
  static const char *const loose[] = {"i", "j", "k", "m", "n", "o"};
  if (chance(50)) {
    v->name = text("%s%d", loose[k], draw(2));
    v->type = NULL;
  } else {
    v->name = text("w%d", number_next());
    v->type = chance(70) ? "int" : v->low >= 0 && v->low + v->on >= 0 && chance(50) ? "unsigned" : "long";
  }
}

static void variable_add(struct nest *n, int axis, int on, int low, int high)
{
  struct variable *const v = &n->v[n->variables++];
  *v = (struct variable){.axis = axis, .on = on, .low = low, .high = high};
  variable_name(v, n->variables - 1);
}

void nest_begin(struct nest *n, const struct array *a)
{
  memset(n, 0, sizeof *n);
  n->t = a->template_;
  n->clause = n->body = n->before = "";
  for (int k = 0; k < DIMS; k++) n->of_axis[k] = -1;
  int named = 0, last_aligned = -1;
  for (int k = 0; k < a->dims; k++) {
    if (a->axis[k] >= 0) last_aligned = k;
  }
  for (int k = 0; k < a->dims; k++) {
    n->of_dim[k] = n->variables;
    /* At least one loop is the directive's, so that nodes that have nothing of the array run nothing. */
    if (a->axis[k] >= 0 && (is_distributed(a, k) || chance(60) || (named == 0 && k == last_aligned))) {
      named++;
      const int on = chance(30) ? draw_from(-2, 2) : 0, low = a->offset[k] - on;
      n->of_axis[a->axis[k]] = n->variables;
      variable_add(n, a->axis[k], on, low, low + a->extent[k] - 1);
    } else variable_add(n, -1, 0, 0, a->extent[k] - 1);
  }
  for (int k = 0; k < n->variables; k++) n->order[k] = k;
  shuffle(n->order, n->variables);
}

/* A subscript: the variable plus c. */
static const char *subscript(const char *v, int c)
{
  switch (draw(10)) {
  case 0: return text("one(%s)", sum(v, c));
  case 1: return text("(%s)", sum(v, c));
  case 2: return c ? text("%d + %s", c, v) : text("same[%s]", v);
  default: return sum(v, c);
  }
}

/* The same value, written in another way. */
static const char *form(const char *element)
{
  switch (draw(20)) {
  case 0: return text("(%s)", element);
  case 1: return text("*&%s", element);
  case 2: return text("__extension__({ %s; })", element);
  case 3: return text("(one(1) ? %s : 0)", element);
  case 4: return text("((void)0, %s)", element);
  case 5: return text("(sizeof(%s) ? %s : 1)", element, element);
  default: return element;
  }
}

/* Any index of a dimension. */
const char *subscript_any(const struct nest *n, int extent)
{
  if (chance(50) || n->variables == 0) return number(draw(extent));
  return text("IN(%s, %d)", sum(n->v[draw(n->variables)].name, draw(5)), extent);
}

const struct reach *const no_reach = (const struct reach[DIMS]){{0, 0, 0, 0}};

/* An element of b that the executing node has, at some distance: NULL: it may have none. Narrows the loops.
 * faces: at most one dimension is beyond the own elements. */
const char *reference(struct nest *n, const struct array *b, const struct reach *reach, int faces)
{
  const struct nest before = *n;
  const char *made = b->name;
  int away = 0;
  if (b->template_ && b->template_ != n->t) return NULL;
  for (int k = 0; k < b->dims; k++) {
    const int at = is_distributed(b, k) ? n->of_axis[b->axis[k]] : -1;
    if (!is_distributed(b, k) || reach[k].is_full) {
      const int is_row = b->template_ && k > 0 && k == b->dims - 1 && b->axis[k] < 0;
      made = text(is_row && chance(20) ? "(*(%s + %s))" : "%s[%s]", made, subscript_any(n, b->extent[k]));
      continue;
    }
    if (at < 0) {
      *n = before;
      return NULL;
    }
    struct variable *const v = &n->v[at];
    const int delta = faces && away ? 0 : draw_from(-reach[k].lower, reach[k].upper);
    const int c = v->on - b->offset[k] + delta, inner = reach[k].is_periodic ? c - delta : c;
    away |= delta != 0;
    if (v->low < -inner) v->low = -inner;
    if (v->high > b->extent[k] - 1 - inner) v->high = b->extent[k] - 1 - inner;
    made = reach[k].is_periodic
        ? text("%s[WRAP(%s, %d)]", made, sum(text("(long)%s", v->name), c), b->extent[k])
        : text("%s[%s]", made, subscript(v->name, c));
  }
  for (int i = 0; i < n->variables; i++)
    if (n->v[i].low > n->v[i].high) {
      *n = before;
      return NULL;
    }
  return form(text("%s%s", made, types[b->type].member));
}

/* The element of the array that is set. */
const char *target(const struct nest *n, const struct array *a)
{
  const char *made = a->name;
  for (int k = 0; k < a->dims; k++) {
    const struct variable *const v = &n->v[n->of_dim[k]];
    made = text("%s[%s]", made, subscript(v->name, v->axis >= 0 ? v->on - a->offset[k] : 0));
  }
  return text("%s%s", made, types[a->type].member);
}

const char *value_plain(void)
{
  if (scope.scalars && chance(60)) return text("(long)%s", scope.scalar[draw(scope.scalars)]->name);
  return text("%d", draw(97));
}

/* A variable that a block of the body has computed, in which names of the program mean something else. */
static const char *hidden_value(struct nest *n)
{
  const char *const v = n->variables ? n->v[draw(n->variables)].name : "1", *name = "own";
  const int id = number_next();
  if (scope.scalars && chance(50)) name = scope.scalar[draw(scope.scalars)]->name;
  else if (scope.arrays) name = scope.array[draw(scope.arrays)]->as;
  if (strchr(name, '.')) name = "own";
  const char *const inner = chance(50)
      ? text("long %s = 2 * (long)%s; %s++; q%d += %s %% 7;", name, v, name, id, name)
      : text("long %s[2] = {3 * (long)%s, 1}; q%d += %s[0] %% 5 + %s[1];", name, v, id, name, name);
  n->before = text("%slong q%d = 0; { %s } ", n->before, id, inner);
  return text("q%d", id);
}

const char *value(struct nest *n, const struct array *not_read)
{
  const char *made = text("%d", draw(97));
  for (int i = 0; i < n->variables; i++)
    if (chance(80)) made = text("%s + %dL * (long)%s", made, draw_from(1, 9), n->v[i].name);
  for (int i = 0; i < 3; i++) {
    if (!scope.arrays || chance(40)) continue;
    const struct array *const b = scope.array[draw(scope.arrays)];
    const char *const r = b == not_read ? NULL : reference(n, b, no_reach, 0);
    if (r) made = text("%s + %dL * (long)%s", made, draw_from(1, 9), r);
  }
  if (chance(15)) made = text("%s + %s", made, hidden_value(n));
  return chance(40) ? text("%s + %s", made, value_plain()) : made;
}

/* ---- the text of a nest ---- */

static const char *bound(int k, const struct nest *n, int from, const char *limit)
{
  if (from > 0 && chance(15)) {
    const struct variable *const u = &n->v[n->order[draw(from)]];
    return text("%s(%d, (int)%s)", limit, k, sum(u->name, draw_from(-2, 2)));
  }
  return number(k);
}

const char *header(const struct nest *n, int at)
{
  const struct variable *const v = &n->v[n->order[at]];
  const int is_unsigned = v->type && strcmp(v->type, "unsigned") == 0;
  int low = v->low, high = v->high;
  if (!n->full && chance(30)) low += draw(3);
  if (!n->full && chance(30)) high -= draw(3);
  if (is_unsigned && low > v->high) low = v->high;
  if (is_unsigned && high < low) high = low;
  if (is_unsigned || at < n->collapse) at = 0; /* no bounds below 0, nor any that change */
  const int step = n->full || chance(75) ? 1 : draw_from(2, 3);
  const int down = chance(30) && !is_unsigned;
  const char *const first = n->full ? number(down ? high : low)
      : down                        ? bound(high, n, at, "MIN")
                                    : bound(low, n, at, "MAX");
  const char *const begin = v->type ? text("%s %s = %s", v->type, v->name, first)
                                    : text("%s = %s", v->name, first);
  const int open = chance(60);
  const char *const end = n->full ? number(down ? low - open : high + open)
      : down                      ? bound(low - open, n, at, "MAX")
                                  : bound(high + open, n, at, "MIN");
  const char *const condition = text("%s %s%s %s", v->name, down ? ">" : "<", open ? "" : "=", end);
  const char *const sign = down ? "-" : "+";
  const char *increment = text("%s %s= %d", v->name, sign, step);
  if (step == 1 && chance(70))
    increment = chance(60) ? text("%s%s%s", v->name, sign, sign) : text("%s%s%s", sign, sign, v->name);
  else if (chance(40)) increment = text("%s = %s %s %s", v->name, v->name, sign, number(step));
  return text("for (%s; %s; %s)", begin, condition, increment);
}

/* The directive for the loops from one place to another. Where another one stands within, all nodes of
 * dimensions that have no loop yet execute. */
void directive(const struct nest *n, int from, int to, const char *clause)
{
  const char *on[DIMS], *list = "";
  const int square = chance(60), square_list = chance(30);
  int named = 0;
  for (int k = 0; k < n->t->dims; k++) {
    const struct variable *const v = n->of_axis[k] < 0 ? NULL : &n->v[n->of_axis[k]];
    on[k] = n->split || chance(60) ? ":" : "*";
    for (int i = 0; v && i < to; i++)
      if (&n->v[n->order[i]] == v) on[k] = sum(v->name, v->on);
  }
  for (int i = from; i < to; i++) {
    const struct variable *const v = &n->v[n->order[i]];
    if (v->axis < 0) continue;
    list = square_list ? text("%s[%s]", list, v->name) : text("%s%s%s", v->name, named ? ", " : "", list);
    named++;
  }
  if (from == 0 && chance(40)) list = "";
  else list = square_list ? text("%s ", list) : text("(%s) ", list);
  line("#pragma xmp loop %son %s%s%s", list, n->t->name, axes_text(square, n->t->dims, on), clause);
}

static int named_from(const struct nest *n, int from)
{
  int count = 0;
  for (int i = from; i < n->variables; i++) count += n->v[n->order[i]].axis >= 0;
  return count;
}

/* Neither of the first two loops is over blocks. */
static int can_collapse(const struct nest *n)
{
  for (int i = 0; i < 2 && i < n->variables; i++) {
    const struct variable *const v = &n->v[n->order[i]];
    if (!v->type || (v->axis >= 0 && n->t->format[v->axis] == CYCLIC)) return 0;
  }
  return n->variables > 1;
}

/* OpenMP's pragma stands before the directive or behind it. */
static void nest_begin_write(struct nest *n, int split)
{
  const char *private_ = "", *pragma = NULL;
  const int openmp = n->openmp && !n->split && n->v[n->order[0]].type && chance(70);
  for (int i = 1; i < n->variables; i++)
    if (!n->v[n->order[i]].type)
      private_ = text("%s%s%s", private_, *private_ ? ", " : "", n->v[n->order[i]].name);
  if (openmp && can_collapse(n) && chance(30)) n->collapse = 2;
  if (openmp)
    pragma = text("#pragma omp parallel for%s%s%s%s", n->collapse ? " collapse(2)" : "",
        strstr(n->clause, "reduction") ? n->clause : "", *private_ ? text(" private(%s)", private_) : "",
        chance(30) ? " schedule(static, 2)" : "");
  const int before = chance(50);
  if (pragma && before) line("%s", pragma);
  directive(n, 0, split, n->clause);
  if (pragma && !before) line("%s", pragma);
}

void nest_write(struct nest *n)
{
  const int split = n->split && named_from(n, n->split) && named_from(n, n->split) < named_from(n, 0)
      ? n->split
      : n->variables;
  int closing = 0;
  n->split = split < n->variables ? split : 0;
  line("{");
  indent(1);
  nest_begin_write(n, split);
  for (int i = 0; i < n->variables; i++) {
    const struct variable *const v = &n->v[n->order[i]];
    const int braced = i + 1 < n->collapse ? 0 : chance(40) || i + 1 == split || i + 1 == n->variables;
    if (i == split) directive(n, split, n->variables, "");
    line("%s%s", header(n, i), braced ? " {" : "");
    indent(1);
    if (braced && chance(50)) line("const long u%d = %s; (void)u%d;", i, v->name, i);
    closing += braced;
  }
  if (!n->full && !*n->clause && chance(15))
    line("if (%s %% 5 == 2) continue;", n->v[n->order[n->variables - 1]].name);
  line("{ %s%s }", n->before, n->body);
  for (int i = 0; i < n->variables; i++) indent(-1);
  if (closing) {
    const char *text_ = "";
    while (closing--) text_ = text("%s}", text_);
    line("%s", text_);
  }
  const struct variable *const outer = &n->v[n->order[0]];
  if (!outer->type) line("say(\"%s\", (unsigned long)%s);", outer->name, outer->name);
  indent(-1);
  line("}");
}

void loop_fill(struct array *a)
{
  struct nest n;
  nest_begin(&n, a);
  n.full = 1;
  const char *made = text("%d", draw(97));
  for (int i = 0; i < n.variables; i++)
    made = text("%s + %dL * (long)%s", made, draw_from(1, 20), n.v[i].name);
  n.body = text("%s = mod(%s);", target(&n, a), made);
  nest_write(&n);
}
void loop_sum(const struct array *a)
{
  struct nest n;
  nest_begin(&n, a);
  n.full = 1;
  line("{");
  indent(1);
  line("unsigned long sum = 0;");
  const char *weight = "1";
  for (int i = 0; i < n.variables; i++) weight = text("%s + %d * (long)%s", weight, 7 + 6 * i, n.v[i].name);
  n.clause = " reduction(+:sum)";
  n.body = text("sum += (unsigned long)((long)%s * (%s));", target(&n, a), weight);
  nest_write(&n);
  if (!n.t->nodes->all) bcast_from_first(n.t->nodes, "sum");
  line("say(\"%s\", sum);", a->name);
  indent(-1);
  line("}");
}
/* After a statement whose values may have grown. */
void loop_normalise(struct array *a)
{
  struct nest n;
  nest_begin(&n, a);
  n.full = 1;
  const char *const element = target(&n, a);
  n.body = text("%s = mod((long)%s);", element, element);
  nest_write(&n);
}
