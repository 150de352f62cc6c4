/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Tasks, broadcasts and reductions of what differs between nodes: serial programs compute the same for each
 * node in turn. */
#include <string.h>

#include "random.h"

/* One of the nodes, as a reference; *rank: its number. NULL: the array has not all nodes. */
static const char *node_draw(int *rank)
{
  const struct nodes *const p = scope.nodes[draw(scope.nodes_count)];
  const int square = chance(60);
  const char *list[DIMS];
  *rank = 0;
  if (!p->all || p->is_set) return NULL;
  for (int k = 0; k < p->dims; k++) {
    const int at = draw(p->size[k]);
    *rank = *rank * p->size[k] + at;
    list[k] = number(at + !square);
  }
  return text("%s%s", p->name, axes_text(square, p->dims, list));
}

static void bcast_write(void)
{
  int rank;
  const char *from = node_draw(&rank);
  if (!from || chance(20)) from = NULL, rank = 0;
  line("{");
  indent(1);
  line("struct pair one = {%d + NODE(%d)};", draw(90), rank);
  line("short two[3] = {NODE(%d), 5 * NODE(%d), 6 + NODE(%d)};", rank, rank, rank);
  const int async = chance(20) ? draw_from(20, 29) : 0;
  line("#pragma xmp bcast (one, two)%s%s", from ? text(" from %s", from) : "",
      async ? text(" async(%d)", async) : "");
  if (async) line("#pragma xmp wait_async (%d)", async);
  line("say(\"bcast\", (unsigned long)(one.v + two[0] + 100 * two[1] + 10000 * two[2]));");
  indent(-1);
  line("}");
}

static const char *combined(const char *op, const char *x, const char *value)
{
  if (strcmp(op, "max") == 0) return text("MAX(%s, %s)", x, value);
  if (strcmp(op, "min") == 0) return text("MIN(%s, %s)", x, value);
  return text("%s %s %s", x, strcmp(op, "-") == 0 ? "+" : op, value);
}

static void reduction_construct_write(void)
{
  static const char *const operations[] = {"+", "max", "min", "*", "-", "&", "|", "^", "&&", "||"};
  const char *const op = operations[draw(10)];
  int type;
  do type = type_draw();
  while (*types[type].member || (!types[type].is_integer && strlen(op) < 2 && strchr("&|^", *op)));
  const char *const value = text("(%d * (r + 1) %% 7 %% 4)", draw_from(1, 6));
  line("{");
  indent(1);
  line("%s x[2];", types[type].name);
  line("int r = NODE(0);");
  line("x[0] = %s, x[1] = %s + 1;", value, value);
  line("#ifdef _XCALABLEMP");
  line("#pragma xmp reduction (%s:x)", op);
  line("#else");
  line("for (r = 1; r < %d; r++)", executing);
  line("  x[0] = %s, x[1] = %s;", combined(op, "x[0]", value), combined(op, "x[1]", text("(%s + 1)", value)));
  line("#endif");
  line("say(\"reduction\", (unsigned long)(long)x[0] + 1000 * (unsigned long)(long)x[1]);");
  indent(-1);
  line("}");
}

/* One node computes, and tells the others. */
static void task_scalar_write(void)
{
  int rank;
  const char *const node = node_draw(&rank);
  if (!node || !scope.scalars) return;
  const struct scalar *const s = scope.scalar[draw(scope.scalars)];
  const int in_tasks = chance(40);
  if (in_tasks) {
    line("#pragma xmp tasks");
    line("{");
  }
  line("#pragma xmp task on %s%s", node, in_tasks && chance(30) ? " nocomm" : "");
  line(chance(50) ? "%s = mod(3L * (long)%s + %d);" : "{ %s = mod(3L * (long)%s + %d); }", s->name, s->name,
      draw(97));
  if (in_tasks) line("}");
  line("#pragma xmp bcast (%s) from %s", s->name, node);
  line("say(\"%s\", (unsigned long)(long)%s);", s->name, s->name);
}

/* Owners of an element set it. */
void task_element_draw(void)
{
  const struct array *const a = array_draw();
  const char *on[DIMS], *element;
  if (!a) return;
  const int square = chance(60);
  element = a->name;
  for (int k = 0; k < a->template_->dims; k++) on[k] = ":";
  for (int k = 0; k < a->dims; k++) {
    const int index = draw(a->extent[k]);
    element = text("%s[%s]", element, number(index));
    if (a->axis[k] >= 0) on[a->axis[k]] = number(index + a->offset[k]);
  }
  line("#pragma xmp task on %s%s", a->template_->name, axes_text(square, a->template_->dims, on));
  line("{ %s%s = mod(%d + %s); }", element, types[a->type].member, draw(97), value_plain());
}

void construct_draw(void)
{
  switch (draw(4)) {
  case 0: bcast_write(); break;
  case 1: reduction_construct_write(); break;
  case 2: task_scalar_write(); break;
  default: task_element_draw();
  }
}
