/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Loops with reduction clauses. */
#include <string.h>

#include "nest.h"

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
  int type;
  do type = type_draw();
  while (*types[type].member);
  line("%s %s = %d;", types[type].name, x, which % 2 ? draw_from(40, 120) : draw(60));
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

void bcast_from_first(const struct nodes *p, const char *name)
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
void reduction_write(struct array *a)
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
