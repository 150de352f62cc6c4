/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* gmove directives. */
#include <string.h>

#include "section.h"

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

/* Where each node has a left side of its own, a right side elsewhere has no way to it. */
static int may_be_out(const struct array *a, const struct array *b)
{
  return a->template_ &&
      (!a->template_->nodes->is_set || !b->template_ || a->template_->nodes == b->template_->nodes);
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
      b->template_ && 1, may_be_out(a, b));
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
      text("%s%s", a->name, l.serial), serial, in, may_be_out(a, b));
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
    if (b->type == inside->type && b->template_->nodes != inside->template_->nodes &&
        !b->template_->nodes->is_set)
      outside = b;
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
