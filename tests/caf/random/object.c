/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Objects of derived types: their components are variables, and objects are assigned as a whole, as elements,
 * and as sections of arrays. */
#include "random.h"

enum { PARTS = 4, MOST = 5 };
struct object {
  const char *name;
  int count, is_coarray;
  struct variable *part[MOST][PARTS];
};
static struct object object[4];
static int objects, has_holder, parts;
static struct type part_type[PARTS];
static int part_rank[PARTS], part_extent[PARTS];

/* Components of one type in all objects. */
void types_declare(void)
{
  parts = draw_from(1, PARTS);
  line("type :: thing");
  for (int k = 0; k < parts; k++) {
    part_type[k] = type_draw();
    part_rank[k] = draw(2);
    part_extent[k] = part_rank[k] ? draw_from(2, 4) : 1;
    line("  %s :: c%d%s", type_text(part_type[k]), k, part_rank[k] ? text("(%d)", part_extent[k]) : "");
  }
  line("end type");
  line("type :: holder");
  line("  integer :: k");
  line("  %s, allocatable :: p(:)", type_text(part_type[0]));
  line("  real(8), allocatable :: q(:, :)");
  line("end type");
}

static struct variable *part_new(
    const char *base, const char *member, struct type t, int rank, const int *extent)
{
  struct variable *const v = variable_new(base, member, t, rank);
  for (int k = 0; k < rank; k++) {
    v->lower[k] = 1;
    v->extent[k] = extent[k];
    v->size *= extent[k];
  }
  v->exists = PRESENT;
  return v;
}

static void object_declare(const char *name, int coarray)
{
  struct object *const o = &object[objects++];
  *o = (struct object){name, draw_from(1, MOST), coarray, {{NULL}}};
  line("type(thing) :: %s%s%s", name, o->count > 1 ? text("(%d)", o->count) : "", coarray ? "[*]" : "");
  for (int i = 0; i < o->count; i++)
    for (int k = 0; k < parts; k++) {
      o->part[i][k] = part_new(o->count > 1 ? text("%s(%d)", name, i + 1) : name, text("%%c%d", k),
          part_type[k], part_rank[k], &part_extent[k]);
      o->part[i][k]->is_coarray = coarray;
    }
}

void objects_declare(void)
{
  if (chance(40)) return;
  object_declare("o1", 1);
  object_declare("o2", 0);
  if (chance(50)) object_declare("o3", 1);
  has_holder = chance(60);
  if (has_holder) line("type(holder) :: h[*]");
}

/* Allocatable components of each image. */
void objects_begin(void)
{
  const int p = draw_from(3, 9), q[2] = {draw_from(2, 4), draw_from(2, 5)};
  if (!has_holder) return;
  line("allocate (h%%p(%d), h%%q(%d, %d))", p, q[0], q[1]);
  struct variable *const list[] = {part_new("h", "%k", (struct type){INTEGER, 4, 0}, 0, NULL),
      part_new("h", "%p", part_type[0], 1, &p), part_new("h", "%q", (struct type){REAL, 8, 0}, 2, q)};
  for (int i = 0; i < 3; i++) {
    list[i]->is_coarray = 1;
    list[i]->is_component = 1;
  }
}

/* ---- assignment ---- */

struct range {
  const struct object *o;
  int first, step, count, is_remote;
  struct target target;
};

static const char *range_text(const struct range *r)
{
  const char *const image = r->is_remote ? text("[%s]", target_text(r->target)) : "";
  const int last = r->first + r->step * (r->count - 1);
  if (r->o->count == 1) return text("%s%s", r->o->name, image);
  if (r->step == 0) return text("%s(%d)%s", r->o->name, r->first + 1, image);
  return text("%s(%d:%d:%d)%s", r->o->name, r->first + 1, last + 1, r->step, image);
}

static int range_draw(struct range *r, int count, int remote)
{
  const struct object *const o = &object[draw(objects)];
  if (remote && !o->is_coarray) return 0;
  if (count > o->count) return 0;
  *r = (struct range){o, draw(o->count - count + 1), count == 1 ? 0 : 1, count, remote, target_draw()};
  if (count > 1 && chance(30)) {
    r->first += count - 1;
    r->step = -1;
  }
  return 1;
}

static int image_of(const struct range *r, int image)
{
  return r->is_remote ? image_at(image, target_index(r->target, image)) : image;
}

/* `move` 0: only looks whether it may be. */
static int range_assign(const struct range *to, const struct range *from, int image, int move)
{
  const int there = image_of(to, image), here = image_of(from, image);
  struct value value[MOST][PARTS][4];
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < to->count; i++)
      for (int k = 0; k < parts; k++)
        for (int j = 0; j < part_extent[k]; j++) {
          const struct range *const r = pass ? to : from;
          struct cell *const c = &r->o->part[r->first + i * r->step][k]->cell[pass ? there : here][j];
          if (!move && !cell_may(c, image, pass)) return 0;
          if (move) cell_note(c, image, pass);
          if (move && pass) c->value = value[i][k][j];
          else value[i][k][j] = c->value;
        }
  return 1;
}

/* An image may do it beside the others where what it writes is its own in all of them. */
static int ranges_meet(const struct range *to, const struct range *from, struct guard g)
{
  for (int i = 0; i < context.images; i++)
    for (int j = 0; guard_has(g, i) && j < context.images; j++) {
      if (i == j || !guard_has(g, j)) continue;
      if (image_of(to, i) == image_of(to, j)) return 1;
      if (to->o == from->o && image_of(to, i) == image_of(from, j)) return 1;
    }
  return 0;
}

int object_draw(void)
{
  for (int tries = 0; objects && tries < 30; tries++) {
    const struct guard g = guard_draw();
    const int kind = draw(4), count = draw_from(1, MOST);
    struct range to, from;
    int may = 1;
    if (!range_draw(&to, count, kind % 2) || !range_draw(&from, count, kind >= 2)) continue;
    if (ranges_meet(&to, &from, g)) continue;
    for (int i = 0; may && i < context.images; i++) may = !guard_has(g, i) || range_assign(&to, &from, i, 0);
    if (!may) continue;
    for (int i = 0; i < context.images; i++)
      if (guard_has(g, i)) range_assign(&to, &from, i, 1);
    line("%s%s = %s", guard_text(g), range_text(&to), range_text(&from));
    return 1;
  }
  return 0;
}
