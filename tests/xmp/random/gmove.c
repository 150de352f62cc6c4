/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Statements with sections of arrays, and the loops that they mean. These keep the right side in memory of
 * their own before they store anything. */
#include <stdlib.h>
#include <string.h>

#include "random.h"

static const char *const counters[] = {"x", "y", "z"};

struct section {
  const char *global, *serial; /* the subscripts */
};
struct triplet {
  int base, length, step;
};

/* ---- sections ---- */

static struct triplet triplet_draw(int extent, int length)
{
  struct triplet t = {0, length, 1};
  int most = length > 1 ? (extent - 1) / (length - 1) : 3;
  if (most > 3) most = 3;
  if (chance(50)) t.step = draw_from(1, most);
  const int reach = (length - 1) * t.step;
  t.base = draw(extent - reach);
  if (chance(25)) {
    t.base += reach;
    t.step = -t.step;
  }
  return t;
}

static int rest_of(int extent, struct triplet t)
{
  return t.step > 0 ? (extent - t.base + t.step - 1) / t.step : t.base / -t.step + 1;
}

/* extent 0: it is not known, so that the length is written. */
static const char *triplet_text(struct triplet t, int extent)
{
  const char *const base = t.base == 0 && chance(60) ? "" : number(t.base);
  const int is_rest = extent && rest_of(extent, t) == t.length;
  const char *const length = is_rest && chance(60) ? "" : number(t.length);
  return t.step == 1 && chance(80) ? text("%s:%s", base, length)
                                   : text("%s:%s:%s", base, length, number(t.step));
}

static const char *serial_text(struct triplet t, int at)
{
  return text("[%d + %d * %s]", t.base, t.step, counters[at]);
}

/* rank of the dimensions, in their order, have triplets of these lengths. */
static void dims_choose(int dims, int rank, int *chosen)
{
  int list[DIMS] = {0, 1, 2};
  shuffle(list, dims);
  for (int k = 0; k < dims; k++) chosen[k] = 0;
  for (int k = 0; k < rank; k++) chosen[list[k]] = 1;
}

static struct section section_of(const struct array *a, const int *chosen, const int *length)
{
  struct section s = {"", ""};
  int at = 0;
  for (int k = 0; k < a->dims; k++) {
    if (!chosen[k]) {
      const int one = draw(a->extent[k]);
      s.global = text("%s[%s]", s.global, number(one));
      s.serial = text("%s[%d]", s.serial, one);
      continue;
    }
    const struct triplet t = triplet_draw(a->extent[k], length[at]);
    s.global = text("%s[%s]", s.global, triplet_text(t, a->extent[k]));
    s.serial = text("%s%s", s.serial, serial_text(t, at++));
  }
  return s;
}

static void loops_write(int rank, const int *length)
{
  for (int k = 0; k < rank; k++)
    line("for (int %s = 0; %s < %d; %s++)", counters[k], counters[k], length[k], counters[k]);
}

/* left = right, with the right side as a whole first. */
static void serial_write(const char *type, int rank, const int *length, const char *left, const char *right)
{
  int total = 1;
  for (int k = 0; k < rank; k++) total *= length[k];
  line("{ %s kept[%d]; int at = 0;", type, total);
  loops_write(rank, length);
  line("kept[at++] = %s;", right);
  line("at = 0;");
  loops_write(rank, length);
  line("%s = kept[at++]; }", left);
}

/* The lengths of a section that fits in both. */
static void lengths_draw(
    int rank, const struct array *a, const int *in_a, const struct array *b, const int *in_b, int *length)
{
  int at_a = 0, at_b = 0;
  for (int k = 0; k < rank; k++) {
    while (!in_a[at_a]) at_a++;
    while (!in_b[at_b]) at_b++;
    const int x = a->extent[at_a++], y = b->extent[at_b++], most = x < y ? x : y;
    length[k] = chance(40) ? most : draw_from(1, most);
  }
}

/* ---- gmove ---- */

static const struct array *array_of_type(int type)
{
  for (int i = 0; i < 60; i++) {
    const struct array *const a = scope.array[draw(scope.arrays)];
    if (a->type == type) return a;
  }
  return NULL;
}

static const struct scalar *scalar_of_type(int type)
{
  for (int i = 0; i < scope.scalars; i++)
    if (scope.scalar[i]->type == type) return scope.scalar[i];
  return NULL;
}

static void gmove_write(const char *type, int rank, const int *length, const char *left, const char *right,
    const char *left_serial, const char *right_serial, int in, int out)
{
  const int async = chance(20) ? draw_from(10, 19) : 0;
  const char *const mode = in && chance(15) ? " in" : out && chance(15) ? " out" : "";
  line("#ifdef _XCALABLEMP");
  if (*mode) line("#pragma xmp barrier");
  line("#pragma xmp gmove%s%s", mode, async ? text(" async(%s)", number(async)) : "");
  line("%s = %s;", left, right);
  if (async) line("#pragma xmp wait_async (%d)", async);
  if (*mode) line("#pragma xmp barrier");
  line("#else");
  serial_write(type, rank, length, left_serial, right_serial);
  line("#endif");
}

static void gmove_sections(const struct array *a, const struct array *b, int rank)
{
  int in_a[DIMS], in_b[DIMS], length[DIMS];
  dims_choose(a->dims, rank, in_a);
  dims_choose(b->dims, rank, in_b);
  lengths_draw(rank, a, in_a, b, in_b, length);
  const struct section l = section_of(a, in_a, length), r = section_of(b, in_b, length);
  gmove_write(types[a->type].name, rank, length, text("%s%s", a->name, l.global),
      text("%s%s", b->name, r.global), text("%s%s", a->name, l.serial), text("%s%s", b->name, r.serial),
      b->template_ && 1, a->template_ && 1);
}

/* An element, a variable or a number is stored in all of the section. */
static void gmove_scalar(const struct array *a, const struct array *b)
{
  int in_a[DIMS], none[DIMS] = {0}, length[DIMS];
  const struct scalar *const s = scalar_of_type(a->type);
  const int rank = draw(a->dims + 1);
  dims_choose(a->dims, rank, in_a);
  lengths_draw(rank, a, in_a, a, in_a, length);
  const struct section l = section_of(a, in_a, length), r = section_of(b, none, length);
  const char *value = text("%s%s", b->name, r.global), *serial = text("%s%s", b->name, r.serial);
  int in = b->template_ && 1;
  if (s && chance(40)) value = serial = s->name, in = 0;
  else if (types[a->type].is_integer && strcmp(types[a->type].name, "int") == 0 && chance(30))
    value = serial = text("%d", draw(97)), in = 0;
  gmove_write(types[a->type].name, rank, length, text("%s%s", a->name, l.global), value,
      text("%s%s", a->name, l.serial), serial, in, a->template_ && 1);
}

static void gmove_to_scalar(const struct scalar *s, const struct array *b)
{
  int none[DIMS] = {0};
  const struct section r = section_of(b, none, NULL);
  gmove_write(types[s->type].name, 0, NULL, s->name, text("%s%s", b->name, r.global), s->name,
      text("%s%s", b->name, r.serial), 1, 0);
  line("say(\"%s\", (unsigned long)(long)%s);", s->name, s->name);
}

void gmove_draw(void)
{
  const struct array *a = array_draw(), *b;
  if (!a) return;
  line("{");
  indent(1);
  const int arrays = scope.arrays;
  if (chance(35)) {
    int extent[DIMS];
    const int dims = draw_from(1, DIMS);
    for (int k = 0; k < dims; k++) extent[k] = draw_from(1, 9);
    b = local_declare(a->type, dims, extent);
  } else b = array_of_type(a->type);
  if (!b) b = a;
  const int most = a->dims < b->dims ? a->dims : b->dims, kind = draw(10);
  const struct scalar *const s = scalar_of_type(a->type);
  if (kind < 7) {
    if (chance(50)) gmove_sections(a, b, draw_from(most > 1, most));
    else gmove_sections(b, a, draw_from(most > 1, most));
  } else if (kind == 7 && s) gmove_to_scalar(s, a);
  else gmove_scalar(chance(70) ? a : b, b);
  for (int i = arrays; i < scope.arrays; i++) array_check(scope.array[i]);
  scope.arrays = arrays;
  indent(-1);
  line("}");
}

/* One side belongs to nodes that run the task, and the other one may not. */
int gmove_task_draw(void)
{
  const struct array *const inside = array_draw(), *outside = NULL;
  if (!inside || inside->template_->nodes->all) return 0;
  for (int i = 0; i < 60 && !outside; i++) {
    const struct array *const b = array_draw();
    if (b->type == inside->type && b->template_->nodes != inside->template_->nodes) outside = b;
  }
  if (!outside) return 0;
  const int most = inside->dims < outside->dims ? inside->dims : outside->dims, rank = draw_from(1, most);
  const int out = chance(50);
  const struct array *const a = out ? outside : inside, *const b = out ? inside : outside;
  int in_a[DIMS], in_b[DIMS], length[DIMS];
  dims_choose(a->dims, rank, in_a);
  dims_choose(b->dims, rank, in_b);
  lengths_draw(rank, a, in_a, b, in_b, length);
  const struct section l = section_of(a, in_a, length), r = section_of(b, in_b, length);
  line("#ifdef _XCALABLEMP");
  line("#pragma xmp barrier");
  line("#pragma xmp task on %s", inside->template_->nodes->name);
  line("#pragma xmp gmove %s", out ? "out" : "in");
  line("%s%s = %s%s;", a->name, l.global, b->name, r.global);
  line("#pragma xmp barrier");
  line("#else");
  serial_write(
      types[a->type].name, rank, length, text("%s%s", a->name, l.serial), text("%s%s", b->name, r.serial));
  line("#endif");
  return 1;
}

/* ---- array assignments ---- */

static void normalise(const struct array *a)
{
  static const char *const subscripts[] = {"[x]", "[x][y]", "[x][y][z]"};
  loops_write(a->dims, a->extent);
  line("%s%s = mod((long)%s%s);", a->name, subscripts[a->dims - 1], a->name, subscripts[a->dims - 1]);
}

static int is_plain(int type) { return !*types[type].member; }

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
    const struct section r = section_of(b, chosen, length);
    const int sign = draw(3);
    static const char *const signs[] = {"+", "-", "+ 2 *"};
    global = text("%s %s %s%s", global, signs[sign], b->name, r.global);
    serial = text("%s %s %s%s", serial, signs[sign], b->name, r.serial);
  }
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
    const struct section r = straight_section(list[i], place, is_one);
    const int sign = draw(2);
    global = text("%s %s %s%s", global, sign ? "+" : "-", list[i]->name, r.global);
    serial = text("%s %s %s%s", serial, sign ? "+" : "-", list[i]->name, r.serial);
  }
  line("#ifdef _XCALABLEMP");
  line("#pragma xmp array on %s%s", t->name, place_text(t, place, is_one));
  line("%s%s = %s;", list[0]->name, l.global, global);
  line("#else");
  serial_write(types[list[0]->type].name, rank, length, text("%s%s", list[0]->name, l.serial), serial);
  line("#endif");
  loop_normalise((struct array *)list[0]);
  return 1;
}
