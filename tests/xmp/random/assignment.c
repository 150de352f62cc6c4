/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Array assignments, of local arrays and with the array directive. */
#include <string.h>

#include "section.h"

static void normalise(const struct array *a)
{
  static const char *const subscripts[] = {"[x]", "[x][y]", "[x][y][z]"};
  loops_write(a->dims, a->extent);
  line("%s%s = mod((long)%s%s);", a->name, subscripts[a->dims - 1], a->name, subscripts[a->dims - 1]);
}

static int is_plain(int type) { return !*types[type].member; }

/* A function of each element; all results are exact. */
static struct section term(const struct array *b, struct section s)
{
  static const char *const functions[] = {"fabs(%s)", "floor(%s / 4.0)", "ceil(%s / 2.0)", "fmod(%s, 7)",
      "pow(%s, 2)", "sqrt(fabs(%s) * fabs(%s))", "ldexp(%s, 1)", "fabsf(%s)", "one((int)%s)", "(%s) * 2",
      "(int)%s %% 5", "(%s > 9 ? 4 : 2)"};
  s.global = text("%s%s", b->name, s.global);
  s.serial = text("%s%s", b->name, s.serial);
  if (chance(60)) return s;
  const char *const format = functions[draw(sizeof functions / sizeof *functions)];
  return (struct section){text(format, s.global, s.global), text(format, s.serial, s.serial)};
}

/* Local arrays that live in the block. */
void assignment_draw(void)
{
  const struct array *list[3];
  int extent[DIMS], chosen[DIMS], length[DIMS], type;
  const int arrays = scope.arrays, dims = draw_from(1, DIMS), count = draw_from(1, 3);
  line("{");
  indent(1);
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < dims; k++) extent[k] = draw_from(3, 7);
    do type = type_draw();
    while (!is_plain(type));
    list[i] = local_declare(type, dims, extent);
  }
  const int rank = draw_from(1, dims);
  for (int k = 0; k < rank; k++) length[k] = draw_from(1, 3);
  dims_choose(dims, rank, chosen);
  const struct section l = section_of(list[0], chosen, length);
  const char *global = value_plain(), *serial = global;
  for (int i = draw_from(1, 3); i > 0; i--) {
    const struct array *const b = list[draw(count)];
    dims_choose(dims, rank, chosen);
    const struct section r = term(b, section_of(b, chosen, length));
    const int sign = draw(3);
    static const char *const signs[] = {"+", "-", "+ 2 *"};
    global = text("%s %s %s", global, signs[sign], r.global);
    serial = text("%s %s %s", serial, signs[sign], r.serial);
  }
  global = text("(long)(%s)", global), serial = text("(long)(%s)", serial);
  line("#ifdef _XCALABLEMP");
  line("%s%s = %s;", list[0]->name, l.global, global);
  line("#else");
  serial_write(types[list[0]->type].name, rank, length, text("%s%s", list[0]->name, l.serial), serial);
  line("#endif");
  normalise(list[0]);
  array_check(list[0]);
  scope.arrays = arrays;
  indent(-1);
  line("}");
}

/* ---- the array directive ---- */

/* Its dimensions are the template's, in their order. */
static int is_straight(const struct array *a, const struct template_ *t)
{
  if (a->template_ != t || a->dims != t->dims || !is_plain(a->type)) return 0;
  for (int k = 0; k < a->dims; k++)
    if (a->axis[k] != k) return 0;
  return 1;
}

static struct section straight_section(const struct array *a, const struct triplet *place, const int *is_one)
{
  struct section s = {"", ""};
  int at = 0;
  for (int k = 0; k < a->dims; k++) {
    struct triplet t = place[k];
    t.base -= a->offset[k];
    if (is_one[k]) {
      s.global = text("%s[%s]", s.global, number(t.base));
      s.serial = text("%s[%d]", s.serial, t.base);
    } else {
      s.global = text("%s[%s]", s.global, triplet_text(t, a->extent[k]));
      s.serial = text("%s%s", s.serial, serial_text(t, at++));
    }
  }
  return s;
}

/* What all of the arrays have of the template's dimension. */
static int common_draw(const struct array *const *list, int count, int k, struct triplet *t)
{
  int low = -1000, high = 1000;
  for (int i = 0; i < count; i++) {
    const int first = list[i]->offset[k], last = first + list[i]->extent[k] - 1;
    if (first > low) low = first;
    if (last < high) high = last;
  }
  if (low > high) return 0;
  const int extent = high - low + 1;
  *t = triplet_draw(extent, chance(60) ? extent : draw_from(1, extent));
  t->base += low;
  return 1;
}

static const char *place_text(const struct template_ *t, const struct triplet *place, const int *is_one)
{
  const char *list[DIMS];
  const int square = chance(60);
  for (int k = 0; k < t->dims; k++) {
    const struct triplet p = place[k];
    const int last = p.base + (p.length - 1) * p.step, whole = t->upper[k] - t->lower[k] + 1;
    const char *const step = p.step == 1 && chance(70) ? "" : text(":%s", number(p.step));
    if (is_one[k]) list[k] = number(p.base);
    else if (p.base == t->lower[k] && p.length == whole && p.step == 1 && chance(70)) list[k] = ":";
    else if (square) list[k] = text("%s:%s%s", number(p.base), number(p.length), step);
    else list[k] = text("%s:%s%s", number(p.base), number(last), step);
  }
  return axes_text(square, t->dims, list);
}

int array_directive_draw(void)
{
  const struct array *list[3] = {array_draw()};
  struct triplet place[DIMS];
  int is_one[DIMS], length[DIMS], count = 1, rank = 0;
  if (!list[0] || !is_straight(list[0], list[0]->template_)) return 0;
  const struct template_ *const t = list[0]->template_;
  for (int i = 0; i < 40 && count < 3; i++) {
    const struct array *const b = scope.array[draw(scope.arrays)];
    if (is_straight(b, t)) list[count++] = b;
  }
  for (int k = 0; k < t->dims; k++) {
    if (!common_draw(list, count, k, &place[k])) return 0;
    is_one[k] = t->dims > 1 && chance(15);
    if (is_one[k]) place[k].length = 1, place[k].step = 1;
    else length[rank++] = place[k].length;
  }
  if (rank == 0) return 0;
  const struct section l = straight_section(list[0], place, is_one);
  const char *global = value_plain(), *serial = global;
  for (int i = 1; i < count; i++) {
    const struct section r = term(list[i], straight_section(list[i], place, is_one));
    const int sign = draw(2);
    global = text("%s %s %s", global, sign ? "+" : "-", r.global);
    serial = text("%s %s %s", serial, sign ? "+" : "-", r.serial);
  }
  global = text("(long)(%s)", global), serial = text("(long)(%s)", serial);
  line("#ifdef _XCALABLEMP");
  line("#pragma xmp array on %s%s", t->name, place_text(t, place, is_one));
  line("%s%s = %s;", list[0]->name, l.global, global);
  line("#else");
  serial_write(types[list[0]->type].name, rank, length, text("%s%s", list[0]->name, l.serial), serial);
  line("#endif");
  loop_normalise((struct array *)list[0]);
  return 1;
}
