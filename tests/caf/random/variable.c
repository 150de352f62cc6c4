/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include <stdlib.h>

#include "random.h"

struct variable variable[VARIABLES];
int variables;

struct variable *variable_new(const char *base, const char *member, struct type t, int rank)
{
  struct variable *const v = &variable[variables++];
  *v = (struct variable){.base = base, .member = member, .type = t, .rank = rank, .size = 1, .colower = 1};
  if (variables > VARIABLES) abort();
  for (int i = 0; i < context.images; i++) v->cell[i] = calloc(ELEMENTS, sizeof *v->cell[i]);
  return v;
}

/* ---- bounds ---- */

static void bounds_draw(struct variable *v)
{
  static const int most[] = {0, 14, 7, 5, 4};
  v->size = 1;
  for (int k = 0; k < v->rank; k++) {
    v->lower[k] = chance(50) ? 1 : draw_from(-3, 4);
    v->extent[k] = draw_from(k == 0 ? 3 : 1, most[v->rank]);
    v->size *= v->extent[k];
  }
}

static const char *bounds_text(const struct variable *v)
{
  const char *s = "";
  for (int k = 0; k < v->rank; k++)
    s = text("%s%s%d:%d", s, k ? ", " : "", v->lower[k], v->lower[k] + v->extent[k] - 1);
  return v->rank ? text("(%s)", s) : "";
}

static const char *cobounds_text(const struct variable *v)
{
  return !v->is_coarray ? "" : v->coextent ? text("[%d, *]", v->coextent) : text("[%d:*]", v->colower);
}

/* ---- declarations ---- */

static void variable_declare(struct type t, int coarray, int allocatable)
{
  static const char *const colons[] = {"", "(:)", "(:, :)", "(:, :, :)", "(:, :, :, :)"};
  const char *const name = text("%c%d", allocatable ? 'a' : coarray ? 'x' : 'y', variables);
  const int broken = t.class == COMPLEX && coarray && !allocatable; /* such scalars */
  struct variable *const v = variable_new(name, "", t, !broken && chance(20) ? 0 : draw_from(1, RANKS));
  v->is_coarray = coarray;
  v->is_allocatable = allocatable;
  if (coarray && chance(30)) v->colower = draw_from(-1, 3);
  else if (coarray && chance(30)) v->coextent = 2;
  if (allocatable)
    v->declaration = text(
        "%s, allocatable :: %s%s[:%s]", type_text(t), name, colons[v->rank], v->coextent ? ", :" : "");
  else {
    bounds_draw(v);
    v->exists = PRESENT;
    v->declaration = text("%s :: %s%s%s", type_text(t), name, bounds_text(v), cobounds_text(v));
  }
}

/* Most variables can be assigned to each other. */
void variables_declare(void)
{
  struct type t = type_draw();
  for (int i = draw_from(5, 9); i > 0; i--) {
    if (chance(25)) t = type_draw();
    else t = type_draw_like(t);
    variable_declare(t, chance(65), 0);
    if (chance(40)) variable_declare(t, 1, 1);
  }
}

/* ---- values ---- */

void variable_allocate(struct variable *v)
{
  bounds_draw(v);
  v->exists = PRESENT;
  line("allocate (%s%s%s)", v->base, bounds_text(v), cobounds_text(v));
}

/* An array is filled as a section, which is not allocated again: of an allocatable one whose characters are
 * shorter than those of the constructor, gfortran 12 writes beyond the end. */
void variable_fill(struct variable *v)
{
  static const char *const all[RANKS + 1] = {"", "(:)", "(:, :)", "(:, :, :)", "(:, :, :, :)"};
  const int seed = draw(23);
  const char *const name = text("%s%s", v->base, v->member);
  if (v->rank == 0) line("%s = %s", name, fill_text(v->type, seed, "0"));
  else
    line("%s%s = reshape([%s(%s, k = 0, %d)], shape(%s))", name, all[v->rank],
        v->type.class == CHARACTER ? "character(2) :: " : "", fill_text(v->type, seed, "k"), v->size - 1,
        name);
  for (int i = 0; i < context.images; i++)
    for (int k = 0; k < v->size; k++) {
      struct cell *const c = &v->cell[i][k];
      c->value = value_fill(v->type, seed, i + 1, k);
      value_convert(v->type, v->type, &c->value);
      cell_note(c, i, 1);
    }
}

static const char *flat(const struct variable *v, const char *fmt)
{
  const char *const name = text("%s%s", v->base, v->member);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  const char *const s = text(fmt, name);
#pragma GCC diagnostic pop
  return v->rank ? text("reshape(%s, [size(%s)])", s, name) : text("[%s]", s);
}

void variable_print(const struct variable *v)
{
  const char *const name = text("%s%s", v->base, v->member);
  switch (v->type.class) {
  case INTEGER: line("call tell('%s', %s)", name, flat(v, "2 * int(%s, 8)")); break;
  case REAL: line("call tell('%s', %s)", name, flat(v, "int(2 * %s, 8)")); break;
  case COMPLEX:
    line("call tell('%s', %s, %s)", name, flat(v, "int(2 * real(%s), 8)"), flat(v, "int(2 * aimag(%s), 8)"));
    break;
  case LOGICAL: line("call tell('%s', %s)", name, flat(v, "merge(1_8, 0_8, %s)")); break;
  default: line("call tell_text('%s', %s)", name, flat(v, "%s"));
  }
  for (int i = 0; i < context.images; i++) {
    unsigned long h = 7;
    for (int k = 0; k < v->size; k++) h = value_hash(h, v->type, &v->cell[i][k].value);
    print_line("%s %d %lu", name, i + 1, h);
  }
}

struct variable *variable_draw(int coarray)
{
  for (int tries = 0; tries < 30; tries++) {
    struct variable *const v = &variable[draw(variables)];
    if (v->exists && (v->is_coarray || !coarray)) return v;
  }
  return NULL;
}

/* ---- who touches what ---- */

void phase_end(void)
{
  for (int i = 0; i < variables; i++)
    for (int image = 0; image < context.images; image++)
      for (int k = 0; k < ELEMENTS; k++)
        variable[i].cell[image][k].writer = variable[i].cell[image][k].reader = NOBODY;
}

int cell_may(struct cell *c, int image, int write)
{
  if (c->writer != NOBODY && c->writer != image) return 0;
  return !write || c->reader == NOBODY || c->reader == image;
}

void cell_note(struct cell *c, int image, int write)
{
  if (write) c->writer = image;
  else c->reader = c->reader == NOBODY || c->reader == image ? image : MANY;
}
