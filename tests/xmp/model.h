/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Random global arrays, with a model of each: every node keeps the whole array, and tables of which
 * coordinate has which index. The tables are made by counting, as the language describes distributions. All
 * nodes draw the same numbers. */
#ifndef TESTS_XMP_MODEL_H
#define TESTS_XMP_MODEL_H

#include <limits.h>

#include "common.h"

enum { MODEL_DIMS = 3, MODEL_LENGTH = 24, MODEL_ELEMENTS = 4096, MODEL_OTHER = 20 };

struct model_world {
  void *nodes, *template_;
  int node_dims, dims; /* of the nodes, of the template */
  pst_xmp_index_t size[MODEL_DIMS];
  int coordinate[MODEL_DIMS]; /* this node's */
  pst_xmp_index_t lower[MODEL_DIMS], length[MODEL_DIMS];
  enum pst_xmp_distribution kind[MODEL_DIMS];
  int node_dim[MODEL_DIMS];
  int owner[MODEL_DIMS][2 * MODEL_LENGTH]; /* by index less the lower bound */
};

struct model_array {
  pst_xmp_array_t *desc;
  const struct model_world *world;
  enum pst_xmp_type type;
  unsigned long size;
  int dims;
  pst_xmp_index_t extent[MODEL_DIMS];
  struct pst_xmp_align align[MODEL_DIMS];
  struct pst_xmp_shadow shadow[MODEL_DIMS];
  int node_dim[MODEL_DIMS]; /* -1: not distributed */
  int owner[MODEL_DIMS][MODEL_LENGTH];
  int local[MODEL_DIMS][MODEL_LENGTH]; /* the local subscript at the owner */
  double all[MODEL_ELEMENTS];
};

static struct rng model_dice;
UNUSED static int model_below(int n) { return (int)rng_below(&model_dice, (uint64_t)n); }
UNUSED static int model_range(int low, int high) { return low + model_below(high - low + 1); }

/* ---- elements ---- */

UNUSED static unsigned long model_size(enum pst_xmp_type type)
{
  switch (type) {
  case PST_XMP_CHAR: return 1;
  case PST_XMP_SHORT: return 2;
  case PST_XMP_INT:
  case PST_XMP_FLOAT: return 4;
  case PST_XMP_LONG:
  case PST_XMP_DOUBLE: return 8;
  case PST_XMP_CDOUBLE: return 16;
  default: return MODEL_OTHER;
  }
}

UNUSED static void model_store(enum pst_xmp_type type, void *at, double value)
{
  switch (type) {
  case PST_XMP_CHAR: *(char *)at = (char)value; break;
  case PST_XMP_SHORT: *(short *)at = (short)value; break;
  case PST_XMP_INT: *(int *)at = (int)value; break;
  case PST_XMP_FLOAT: *(float *)at = (float)value; break;
  case PST_XMP_LONG: *(long *)at = (long)value; break;
  case PST_XMP_DOUBLE: *(double *)at = value; break;
  case PST_XMP_CDOUBLE: *(double _Complex *)at = value; break;
  default: memset(at, 0x5a, MODEL_OTHER); memcpy(at, &value, sizeof value);
  }
}

UNUSED static double model_load(enum pst_xmp_type type, const void *at)
{
  double value;
  switch (type) {
  case PST_XMP_CHAR: return *(const char *)at;
  case PST_XMP_SHORT: return *(const short *)at;
  case PST_XMP_INT: return *(const int *)at;
  case PST_XMP_FLOAT: return *(const float *)at;
  case PST_XMP_LONG: return (double)*(const long *)at;
  case PST_XMP_DOUBLE: return *(const double *)at;
  case PST_XMP_CDOUBLE: return __real__ * (const double _Complex *)at;
  default: memcpy(&value, at, sizeof value); return value;
  }
}

/* ---- nodes and templates ---- */

/* The job's nodes as an array of 1 to 3 dimensions. */
UNUSED static void model_nodes(struct model_world *w)
{
  int left = test.nodes, rank = test.me;
  w->node_dims = model_range(1, MODEL_DIMS);
  for (int k = w->node_dims - 1; k >= 0; k--) {
    int size = left;
    if (k > 0) do
        size = model_range(1, left);
      while (left % size);
    w->size[k] = size;
    left /= size;
  }
  for (int k = w->node_dims - 1; k >= 0; k--) {
    w->coordinate[k] = rank % (int)w->size[k];
    rank /= (int)w->size[k];
  }
  w->nodes = pst_xmp_nodes(AT, "p", w->node_dims, w->size, PST_XMP_NO_PARENT, NULL);
}

UNUSED static struct pst_xmp_format model_format(struct model_world *w, int k, int *map)
{
  const int nodes = (int)w->size[w->node_dim[k]], length = (int)w->length[k];
  struct pst_xmp_format f = {.kind = (enum pst_xmp_distribution)model_range(PST_XMP_BLOCK, PST_XMP_GBLOCK)};
  int left = length, width = (length + nodes - 1) / nodes;
  if (f.kind == PST_XMP_BLOCK && model_below(2)) width = (int)(f.width = model_range(width, length));
  if (f.kind == PST_XMP_CYCLIC) width = (int)(f.width = model_range(1, 4));
  for (int c = 0; c < nodes && f.kind == PST_XMP_GBLOCK; c++) {
    map[c] = c == nodes - 1 ? left : model_below(3) ? model_below(left + 1) : 0;
    left -= map[c];
  }
  for (int i = 0, c = 0, end = map[0]; i < length; i++)
    if (f.kind != PST_XMP_GBLOCK) w->owner[k][i] = i / width % nodes;
    else {
      while (i >= end) end += map[++c];
      w->owner[k][i] = c;
    }
  if (f.kind == PST_XMP_GBLOCK) f.map = map;
  w->kind[k] = f.kind;
  return f;
}

/* smallest: a length of a dimension. */
UNUSED static void model_world_make(struct model_world *w, int smallest)
{
  struct pst_xmp_format format[MODEL_DIMS] = {{0}};
  pst_xmp_index_t upper[MODEL_DIMS];
  int map[MODEL_DIMS][64] = {{0}}, next = 0;
  memset(w, 0, sizeof *w);
  model_nodes(w);
  w->dims = model_range(w->node_dims, MODEL_DIMS);
  for (int k = 0; k < w->dims; k++) {
    w->lower[k] = model_range(-5, 5);
    w->length[k] = model_range(smallest, MODEL_LENGTH);
    upper[k] = w->lower[k] + w->length[k] - 1;
    w->node_dim[k] = -1;
    w->kind[k] = PST_XMP_NOT_DISTRIBUTED;
    if (next == w->node_dims || (w->dims - k > w->node_dims - next && model_below(2))) continue;
    w->node_dim[k] = next++;
    format[k] = model_format(w, k, map[k]);
  }
  w->template_ = pst_xmp_template(AT, "t", w->dims, w->lower, upper, model_below(2));
  pst_xmp_distribute(AT, w->template_, w->nodes, w->dims, format);
}

UNUSED static void model_world_free(struct model_world *w)
{
  pst_xmp_template_free(&w->template_);
  pst_xmp_nodes_free(&w->nodes);
}

/* ---- arrays ---- */

static void model_tables(struct model_array *a, int k)
{
  const struct model_world *w = a->world;
  const int axis = a->align[k].axis;
  int count[64] = {0};
  a->node_dim[k] = axis == PST_XMP_COLLAPSED ? -1 : w->node_dim[axis];
  for (int i = 0; i < a->extent[k]; i++) {
    const int c = a->node_dim[k] < 0 ? 0 : w->owner[axis][i + a->align[k].offset - w->lower[axis]];
    a->owner[k][i] = c;
    a->local[k][i] = a->shadow[k].lower == PST_XMP_FULL_SHADOW && a->node_dim[k] >= 0
        ? i
        : count[c]++ + (int)(a->shadow[k].lower > 0 ? a->shadow[k].lower : 0);
  }
}

static void model_align(struct model_array *a, int k, int *used)
{
  const struct model_world *w = a->world;
  const int axis = model_below(w->dims);
  a->align[k] = (struct pst_xmp_align){PST_XMP_COLLAPSED, 0};
  a->extent[k] = model_range(1, 9);
  if (*used & 1 << axis || model_below(5) == 0) return;
  *used |= 1 << axis;
  a->extent[k] = model_range(w->length[axis] > 4 ? (int)w->length[axis] - 4 : 1, (int)w->length[axis]);
  a->align[k] = (struct pst_xmp_align){
      axis, w->lower[axis] + model_below((int)(w->length[axis] - a->extent[k]) + 1)};
}

static void model_shadow(struct model_array *a, int k)
{
  const struct model_world *w = a->world;
  const int axis = a->align[k].axis;
  if (axis == PST_XMP_COLLAPSED || w->node_dim[axis] < 0 || w->kind[axis] == PST_XMP_CYCLIC) return;
  if (model_below(3) == 0) return;
  a->shadow[k] = (struct pst_xmp_shadow){model_below(4), model_below(4)};
  if (model_below(6) == 0) a->shadow[k] = (struct pst_xmp_shadow){PST_XMP_FULL_SHADOW, 0};
}

UNUSED static pst_xmp_index_t model_count(const struct model_array *a)
{
  pst_xmp_index_t n = 1;
  for (int k = 0; k < a->dims; k++) n *= a->extent[k];
  return n;
}

UNUSED static void model_array_make(
    struct model_array *a, const struct model_world *w, enum pst_xmp_type type, const char *name)
{
  struct pst_xmp_shape s = {.name = name, .type = type, .size = model_size(type)};
  do {
    int used = 0;
    memset(a, 0, offsetof(struct model_array, all));
    a->world = w, a->type = type, a->size = s.size;
    a->dims = model_range(1, MODEL_DIMS);
    for (int k = 0; k < a->dims; k++) model_align(a, k, &used), model_shadow(a, k), model_tables(a, k);
  } while (model_count(a) > MODEL_ELEMENTS);
  s.dims = a->dims, s.extent = a->extent, s.align = a->align, s.shadow = a->shadow;
  a->desc = pst_xmp_array(AT, w->template_, &s);
}

/* The index of an element by its number in C's order. */
UNUSED static void model_index(const struct model_array *a, pst_xmp_index_t number, int index[])
{
  for (int k = a->dims - 1; k >= 0; k--) {
    index[k] = (int)(number % a->extent[k]);
    number /= a->extent[k];
  }
}
UNUSED static pst_xmp_index_t model_number(const struct model_array *a, const int index[])
{
  pst_xmp_index_t n = 0;
  for (int k = 0; k < a->dims; k++) n = n * a->extent[k] + index[k];
  return n;
}

UNUSED static int model_is_mine(const struct model_array *a, const int index[])
{
  for (int k = 0; k < a->dims; k++)
    if (a->node_dim[k] >= 0 && a->owner[k][index[k]] != a->world->coordinate[a->node_dim[k]]) return 0;
  return 1;
}

/* The address of local subscripts in this node's part. */
UNUSED static char *model_at_local(const struct model_array *a, const int local[])
{
  pst_xmp_index_t n = 0;
  for (int k = 0; k < a->dims; k++) n = n * a->desc->ld[k] + local[k];
  return a->desc->base + n * (pst_xmp_index_t)a->size;
}
UNUSED static char *model_at(const struct model_array *a, const int index[])
{
  int local[MODEL_DIMS];
  for (int k = 0; k < a->dims; k++) local[k] = a->local[k][index[k]];
  return model_at_local(a, local);
}

/* A small whole number, which each type has; char has a sign on some processors only. */
UNUSED static int model_value(void) { return model_range(CHAR_MIN < 0 ? -120 : 0, 120); }

UNUSED static void model_fill(struct model_array *a)
{
  int index[MODEL_DIMS];
  for (pst_xmp_index_t n = 0; n < model_count(a); n++) {
    a->all[n] = model_value();
    model_index(a, n, index);
    if (model_is_mine(a, index)) model_store(a->type, model_at(a, index), a->all[n]);
  }
}

UNUSED static void model_check(const struct model_array *a, const char *what, const char *name)
{
  int index[MODEL_DIMS] = {0};
  for (pst_xmp_index_t n = 0; n < model_count(a); n++) {
    model_index(a, n, index);
    if (!model_is_mine(a, index)) continue;
    const double value = model_load(a->type, model_at(a, index));
    CHECK(value == a->all[n], "%s: %s[%d][%d][%d] (of %d dimensions) is %g, not %g", what, name, index[0],
        index[1], index[2], a->dims, value, a->all[n]);
    if (value != a->all[n]) return;
  }
}

#endif
