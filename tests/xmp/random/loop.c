/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Loops over a template or over nodes. A loop sets one array, whose elements lie where the iterations run. It
 * reads what the same nodes own, or have in shadows that are reflected just before. */
#include <string.h>

#include "random.h"

enum { VARIABLES = 2 * DIMS };
struct variable {
  const char *name, *type; /* type NULL: it is declared before */
  int axis, on;            /* of the template; its index is the variable plus this. axis -1: a plain loop */
  int low, high;           /* what the arrays allow */
};

/* What one dimension of an array may be read beyond its own elements. */
struct reach {
  int lower, upper, is_full, is_periodic;
};

struct nest {
  const struct template_ *t;
  struct variable v[VARIABLES];
  int variables, of_axis[DIMS], of_dim[DIMS]; /* of the dimensions of the array that is set */
  int order[VARIABLES], full;
  const char *clause, *body; /* further clauses; the innermost statement */
  int split;                 /* an inner directive stands before this loop; 0: none */
  int openmp;                /* iterations may run at the same time */
};

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

static void nest_begin(struct nest *n, const struct array *a)
{
  memset(n, 0, sizeof *n);
  n->t = a->template_;
  n->clause = n->body = "";
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

/* Any index of a dimension. */
static const char *subscript_any(const struct nest *n, int extent)
{
  if (chance(50) || n->variables == 0) return number(draw(extent));
  return text("IN(%s, %d)", sum(n->v[draw(n->variables)].name, draw(5)), extent);
}

static const struct reach *const no_reach = (const struct reach[DIMS]){{0, 0, 0, 0}};

/* An element of b that the executing node has, at some distance: NULL: it may have none. Narrows the loops.
 * faces: at most one dimension is beyond the own elements. */
static const char *reference(struct nest *n, const struct array *b, const struct reach *reach, int faces)
{
  const struct nest before = *n;
  const char *made = b->name;
  int away = 0;
  if (b->template_ && b->template_ != n->t) return NULL;
  for (int k = 0; k < b->dims; k++) {
    const int at = is_distributed(b, k) ? n->of_axis[b->axis[k]] : -1;
    if (!is_distributed(b, k) || reach[k].is_full) {
      made = text("%s[%s]", made, subscript_any(n, b->extent[k]));
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
  return text("%s%s", made, types[b->type].member);
}

/* The element of the array that is set. */
static const char *target(const struct nest *n, const struct array *a)
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

static const char *value(struct nest *n, const struct array *not_read)
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

static const char *header(const struct nest *n, int at)
{
  const struct variable *const v = &n->v[n->order[at]];
  const int is_unsigned = v->type && strcmp(v->type, "unsigned") == 0;
  int low = v->low, high = v->high;
  if (!n->full && chance(30)) low += draw(3);
  if (!n->full && chance(30)) high -= draw(3);
  if (is_unsigned && low > v->high) low = v->high;
  if (is_unsigned && high < low) high = low;
  if (is_unsigned) at = 0; /* no bounds below 0 */
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
static void directive(const struct nest *n, int from, int to, const char *clause)
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

/* OpenMP's pragma stands before the directive or behind it. */
static void nest_begin_write(struct nest *n, int split)
{
  const char *private_ = "", *pragma = NULL;
  const int openmp = n->openmp && !n->split && n->v[n->order[0]].type && chance(70);
  for (int i = 1; i < n->variables; i++)
    if (!n->v[n->order[i]].type)
      private_ = text("%s%s%s", private_, *private_ ? ", " : "", n->v[n->order[i]].name);
  if (openmp)
    pragma = text("#pragma omp parallel for%s%s%s", strstr(n->clause, "reduction") ? n->clause : "",
        *private_ ? text(" private(%s)", private_) : "", chance(30) ? " schedule(static, 2)" : "");
  const int before = chance(50);
  if (pragma && before) line("%s", pragma);
  directive(n, 0, split, n->clause);
  if (pragma && !before) line("%s", pragma);
}

static void nest_write(struct nest *n)
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
    const int braced = chance(40) || i + 1 == split || i + 1 == n->variables;
    if (i == split) directive(n, split, n->variables, "");
    line("%s%s", header(n, i), braced ? " {" : "");
    indent(1);
    if (braced && chance(50)) line("const long u%d = %s; (void)u%d;", i, v->name, i);
    closing += braced;
  }
  if (!n->full && !*n->clause && chance(15))
    line("if (%s %% 5 == 2) continue;", n->v[n->order[n->variables - 1]].name);
  line("{ %s }", n->body);
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

/* ---- shadows ---- */

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

static const struct array *shadowed_draw(const struct template_ *t, const struct array *other)
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

static int stencil_write(struct array *a, const struct array *b, int periodic)
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

/* ---- reductions ---- */

struct reduced {
  const char *clause, *body, *after;
};

static const char *update(const char *op, const char *x, const char *value)
{
  if (strcmp(op, "max") == 0) return text("if (%s > %s) %s = %s;", value, x, x, value);
  if (strcmp(op, "min") == 0) return text("if (%s > %s) %s = %s;", x, value, x, value);
  if (strcmp(op, "&&") == 0) return text("%s = %s && %s != 3;", x, x, value);
  if (strcmp(op, "||") == 0) return text("%s = %s || %s == 3;", x, x, value);
  if (strcmp(op, "*") == 0) return text("%s *= 2 * (%s %% 4) + 1;", x, value);
  return chance(60) ? text("%s %s= %s;", x, op, value) : text("%s = %s %s %s;", x, x, op, value);
}

static const char *operation_draw(const struct type *t)
{
  static const char *const all[] = {"+", "-", "max", "min", "+", "*", "&", "|", "^", "&&", "||"};
  const int n = t->is_unsigned && !strstr(t->name, "char") ? 11 : 5;
  if (t->is_integer && n == 5 && chance(40)) return all[draw_from(6, 10)];
  return all[draw(n)];
}

static struct reduced reduction_plain(struct nest *n, const struct scalar *s)
{
  const char *const op = operation_draw(&types[s->type]);
  const char *const v = text("mod(%s)", value(n, NULL));
  if (strlen(op) == 2) line("%s = %s != 0;", s->name, s->name); /* the result is 0 or 1 */
  struct reduced r = {text(" reduction(%s:%s)", op, s->name), update(op, s->name, v), ""};
  if (*r.body == 'i') r.body = text("{ const long _v = %s; %s }", v, update(op, s->name, "_v"));
  return r;
}

static struct reduced reduction_array(struct nest *n, const char *name)
{
  const char *const v = value(n, NULL);
  line("int %s[3][2] = {{1, 2}, {3}};", name);
  return (struct reduced){text(" reduction(+:%s)", name),
      text("%s[IN(%s, 3)][IN(%s, 2)] += 1 + mod(%s);", name, v, n->v[0].name, v),
      text("say(\"%s\", (unsigned long)(%s[0][0] + 3 * %s[0][1] + 5 * %s[1][0] + 7 * %s[1][1] + 11 * "
           "%s[2][0] + 13 * %s[2][1]));",
          name, name, name, name, name, name, name)};
}

/* firstmax and its like, with the loops' variables as locations. */
static struct reduced reduction_located(struct nest *n)
{
  static const char *const words[] = {"firstmax", "firstmin", "lastmax", "lastmin"};
  const int which = draw(4), locations = draw_from(0, n->variables), id = number_next();
  const char *list = "", *keep = "", *show = "";
  const char *const v = value(n, NULL), *const x = text("x%d", id);
  line("%s %s = %d;", types[draw(4)].name, x, which % 2 ? draw_from(40, 200) : draw(60));
  for (int i = 0; i < locations; i++) {
    line("%s x%d_%d = -9;", chance(50) ? "int" : "long", id, i);
    list = text("%s%sx%d_%d", list, i ? ", " : "", id, i);
    keep = text("%s x%d_%d = %s;", keep, id, i, n->v[i].name);
    show = text("%s say(\"x%d_%d\", (unsigned long)x%d_%d);", show, id, i, id, i);
  }
  const char *const compare = which == 0 ? ">" : which == 1 ? "<" : which == 2 ? ">=" : "<=";
  return (struct reduced){text(" reduction(%s:%s%s)", words[which], x, *list ? text("/%s/", list) : ""),
      text("{ const long _v = mod(%s) %% 23 * 4; if (_v %s (long)%s) { %s = _v;%s } }", v, compare, x, x,
          keep),
      text("say(\"%s\", (unsigned long)(long)%s);%s", x, x, show)};
}

static void bcast_from_first(const struct nodes *p, const char *name)
{
  const int square = chance(60);
  const char *first[DIMS];
  for (int k = 0; k < p->dims; k++) first[k] = number(!square);
  line("#pragma xmp bcast (%s) from %s%s", name, p->name, axes_text(square, p->dims, first));
}

static const struct scalar *scalar_take(void)
{
  if (!scope.scalars) return NULL;
  const int at = draw(scope.scalars--);
  struct scalar *const s = scope.scalar[at];
  scope.scalar[at] = scope.scalar[scope.scalars];
  return scope.scalar[scope.scalars] = s;
}

static void scalar_return(const struct nodes *p, const struct scalar *s)
{
  scope.scalars++;
  if (!p->all) bcast_from_first(p, s->name);
  line("say(\"%s\", (unsigned long)(long)%s);", s->name, s->name);
  line("%s = mod((long)%s);", s->name, s->name);
}

/* Variables that are reduced are not read otherwise. */
static void reduction_write(struct array *a)
{
  struct nest n;
  struct reduced r[2] = {{"", "", ""}, {"", "", ""}};
  const struct scalar *s[2] = {scalar_take(), chance(40) ? scalar_take() : NULL};
  nest_begin(&n, a);
  line("{");
  indent(1);
  for (int i = 0; i < 2; i++) {
    const int kind = n.t->nodes->all ? draw(5) : 0;
    if (s[i]) r[i] = reduction_plain(&n, s[i]);
    else if (kind == 1) r[i] = reduction_array(&n, text("h%d", number_next()));
    else if (kind > 1) r[i] = reduction_located(&n);
  }
  n.clause = text("%s%s", r[0].clause, r[1].clause);
  n.body = text("%s %s", r[0].body, r[1].body);
  n.openmp = !strstr(n.clause, "first") && !strstr(n.clause, "last");
  if (!*n.clause) n.body = text("%s = mod(%s);", target(&n, a), value(&n, a));
  nest_write(&n);
  for (int i = 1; i >= 0; i--) {
    if (*r[i].after) line("%s", r[i].after);
    if (s[i]) scalar_return(n.t->nodes, s[i]);
  }
  indent(-1);
  line("}");
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

/* ---- what else ---- */

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
