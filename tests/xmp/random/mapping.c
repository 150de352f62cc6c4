/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "random.h"

#include <stdlib.h>
#include <string.h>

struct scope scope;
int executing, in_block;

const struct type types[] = {{"int", "", 1, 0}, {"long", "", 1, 0}, {"unsigned", "", 1, 1},
    {"double", "", 0, 0}, {"short", "", 1, 0}, {"unsigned char", "", 1, 1}, {"float", "", 0, 0},
    {"long long", "", 1, 0}, {"struct pair", ".v", 0, 0}, {"signed char", "", 1, 0},
    {"unsigned long", "", 1, 1}, {"pair_type", ".v", 0, 0}, {"value_type", "", 1, 0}};
enum { TYPES = sizeof types / sizeof *types };
int type_draw(void) { return chance(60) ? draw(4) : draw(TYPES); }

/* A list in brackets, given in C's order. */
const char *axes_text(int square, int n, const char *const list[])
{
  const char *made = "";
  for (int k = 0; k < n; k++)
    made = square ? text("%s[%s]", made, list[k]) : text("%s%s%s", list[k], *made ? ", " : "", made);
  return square ? made : text("(%s)", made);
}

/* ---- nodes ---- */

static void sizes_draw(struct nodes *p, int total)
{
  int list[DIMS] = {1, 1, 1};
  p->dims = draw_from(1, DIMS);
  for (int k = 0; k < p->dims - 1; k++) {
    int divisor = 1;
    for (int d = 2; d <= total; d++)
      if (total % d == 0 && chance(40)) divisor = d;
    list[k] = divisor;
    total /= divisor;
  }
  list[p->dims - 1] = total;
  shuffle(list, p->dims);
  memcpy(p->size, list, sizeof list);
}

static struct nodes *nodes_take(void)
{
  struct nodes *p = calloc(1, sizeof *p);
  p->name = text("p%d", number_next());
  scope.nodes[scope.nodes_count++] = p;
  return p;
}

static void nodes_declare(void)
{
  struct nodes *p = nodes_take();
  const char *size[DIMS];
  p->all = 1;
  sizes_draw(p, executing);
  for (int k = 0; k < p->dims; k++) size[k] = k == 0 && chance(40) ? "*" : number(p->size[k]);
  line("#pragma xmp nodes %s%s%s", p->name, axes_text(chance(60), p->dims, size), chance(20) ? "=*" : "");
}

/* Some of the nodes of another array. */
static void nodes_part_declare(void)
{
  const struct nodes *const of = scope.nodes[draw(scope.nodes_count)];
  const char *size[DIMS], *part[DIMS];
  const int square = chance(60);
  int total = 1;
  if (!of->all || of->is_set) return;
  struct nodes *p = nodes_take();
  for (int k = 0; k < of->dims; k++) {
    const int first = draw(of->size[k]), count = draw_from(1, of->size[k] - first);
    const int step = count > 2 && chance(20) ? 2 : 1, taken = (count + step - 1) / step;
    total *= taken;
    part[k] = square ? text("%s:%s", number(first), number(taken))
                     : text("%s:%s", number(first + 1), number(first + 1 + (taken - 1) * step));
    if (step == 2) part[k] = text("%s:2", part[k]);
    if (taken == 1 && chance(50)) part[k] = number(first + !square);
    if (taken == of->size[k] && chance(50)) part[k] = ":";
  }
  sizes_draw(p, total);
  for (int k = 0; k < p->dims; k++) size[k] = number(p->size[k]);
  line("#pragma xmp nodes %s%s=%s%s", p->name, axes_text(chance(60), p->dims, size), of->name,
      axes_text(square, of->dims, part));
}

/* Each node has the set in which it differs from others only in dimensions that are no stars. */
static void nodes_sets_declare(void)
{
  const struct nodes *const of = scope.nodes[draw(scope.nodes_count)];
  const char *size[DIMS], *part[DIMS];
  const int star = draw(of->dims);
  int total = 1;
  if (!of->all || of->is_set || of->dims < 2) return;
  struct nodes *p = nodes_take();
  p->all = p->is_set = 1;
  for (int k = 0; k < of->dims; k++) {
    const int is_star = k == star || chance(30);
    part[k] = is_star ? "*" : ":";
    if (!is_star) total *= of->size[k];
  }
  sizes_draw(p, total);
  for (int k = 0; k < p->dims; k++) size[k] = k == 0 && chance(40) ? "*" : number(p->size[k]);
  line("#pragma xmp nodes %s%s=%s%s", p->name, axes_text(1, p->dims, size), of->name,
      axes_text(chance(60), of->dims, part));
}

/* ---- templates ---- */

static const char *format_draw(struct template_ *t, int k, int nodes, const char **map)
{
  const int extent = t->upper[k] - t->lower[k] + 1, block = (extent + nodes - 1) / nodes;
  t->width[k] = block;
  switch (draw(6)) {
  case 0:
  case 1: t->format[k] = BLOCK; return "block";
  case 2:
    t->format[k] = BLOCK;
    t->width[k] = block + draw(3);
    return text("block(%s)", number(t->width[k]));
  case 3: t->format[k] = CYCLIC; return "cyclic";
  case 4: t->format[k] = CYCLIC; return text("cyclic(%s)", number(draw_from(1, 4)));
  default: break;
  }
  const char *list = "";
  int left = extent;
  t->format[k] = GBLOCK;
  for (int i = 0; i < nodes; i++) {
    const int size = i == nodes - 1 ? left : draw(left + 1) % (2 * block + 1);
    left -= size;
    t->map[k][i] = size;
    list = text("%s%s%d", list, i ? ", " : "", size);
  }
  *map = text("map%d", number_next());
  line("%sint %s[] = {%s};", in_block ? "" : "static ", *map, list);
  return text("gblock(%s)", *map);
}

static const char *bounds_draw(const struct template_ *t, int k, int square)
{
  const int lower = t->lower[k], upper = t->upper[k];
  if (square)
    return lower == 0 && chance(80) ? number(upper + 1)
                                    : text("%s:%s", number(lower), number(upper - lower + 1));
  return lower == 1 && chance(80) ? number(upper) : text("%s:%s", number(lower), number(upper));
}

static void template_declare(void)
{
  struct template_ *const t = calloc(1, sizeof *t);
  const struct nodes *const p = scope.nodes[draw(scope.nodes_count)];
  const char *bounds[DIMS], *format[DIMS], *deferred[DIMS], *colon[DIMS] = {":", ":", ":"};
  int place[DIMS] = {0, 1, 2}, is_distributed_[DIMS] = {0}, node = 0, gblock_late = 0;
  t->name = text("t%d", number_next());
  t->nodes = p;
  t->of_file = !in_block;
  t->dims = draw_from(p->dims, DIMS);
  t->late = chance(25);
  shuffle(place, t->dims);
  for (int k = 0; k < p->dims; k++) is_distributed_[place[k]] = 1;
  const int square = chance(60), most = t->dims == 1 ? 26 : t->dims == 2 ? 12 : 7;
  for (int k = 0; k < t->dims; k++) {
    t->lower[k] = chance(50) ? !square : draw_from(-3, 5);
    t->upper[k] = t->lower[k] + draw(most);
    const char *map = NULL;
    format[k] = is_distributed_[k] ? format_draw(t, k, p->size[node++], &map) : "*";
    if (!is_distributed_[k]) t->format[k] = WHOLE;
    deferred[k] = format[k];
    if (map && t->late && chance(60)) deferred[k] = "gblock(*)", gblock_late = 1;
  }
  for (int k = 0; k < t->dims; k++) bounds[k] = bounds_draw(t, k, square);
  const char *const fixed_bounds = axes_text(square, t->dims, bounds);
  const int has_bounds = !t->late || (gblock_late && chance(30));
  line("#pragma xmp template %s%s", t->name, has_bounds ? fixed_bounds : axes_text(square, t->dims, colon));
  const char *const onto = text("onto %s", p->name);
  line("#pragma xmp distribute %s%s %s", t->name, axes_text(chance(60), t->dims, deferred), onto);
  if (t->late)
    t->fix = text("template_fix%s %s%s",
        gblock_late || chance(30) ? axes_text(chance(60), t->dims, format) : "", t->name,
        has_bounds ? "" : fixed_bounds);
  scope.template_[scope.templates++] = t;
}

void mapping_declare(int templates)
{
  nodes_declare();
  if (chance(30)) nodes_declare();
  if (chance(40)) nodes_part_declare();
  if (chance(20)) nodes_sets_declare();
  for (int i = 0; i < templates; i++) template_declare();
  const int first = scope.templates - templates;
  for (int i = 0; i < templates; i++) {
    const int n = draw_from(1, 3);
    for (int k = 0; k < n; k++) {
      array_declare(scope.template_[first + i]);
      struct array *const last = scope.array[scope.arrays - 1];
      if (chance(60)) array_repeat(last);
      if (chance(30)) array_rows(last);
    }
  }
}

void templates_fix(int from)
{
  for (int i = from; i < scope.templates; i++)
    if (scope.template_[i]->late) line("#pragma xmp %s", scope.template_[i]->fix);
}

/* Only now may the arrays be touched. */
void mapping_fix(int from, int arrays_from)
{
  templates_fix(from);
  for (int i = arrays_from; i < scope.arrays; i++)
    if (scope.array[i]->pointer) pointer_allocate(scope.array[i]);
  for (int i = arrays_from; i < scope.arrays; i++)
    if (scope.array[i]->template_ && !scope.array[i]->is_static) loop_fill(scope.array[i]);
}
