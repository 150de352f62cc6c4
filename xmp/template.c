/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmp/template.h"

#include <stdlib.h>

#include "xmp/alone.h"
#include "xmp/tool.h"

typedef pst_xmp_index_t index_t;

struct pst_xmp_template *pst_xmp_template_of(const char *where, void *desc)
{
  if (pst_xmp_desc_kind(where, desc) != XMP_DESC_TEMPLATE) pst_xmp_fatal(where, "this must be a template");
  return desc;
}

static void not_fixed(const char *where, const struct pst_xmp_template *t) __attribute__((noreturn, cold));
static void not_fixed(const char *where, const struct pst_xmp_template *t)
{
  if (!t->nodes) pst_xmp_fatal(where, "template %s is not distributed", t->head.name);
  pst_xmp_fatal(where, "template %s is not fixed yet: template_fix has to come first", t->head.name);
}

struct pst_xmp_template *pst_xmp_template_need_fixed(const char *where, void *desc)
{
  struct pst_xmp_template *t = pst_xmp_template_of(where, desc);
  if (!t->fixed) not_fixed(where, t);
  return t;
}

struct pst_xmp_template *pst_xmp_template_again(struct pst_xmp_template *t)
{
  pst_front_shared_enter();
  t->head.refs++;
  pst_front_shared_leave();
  return t;
}

static void template_end(struct pst_xmp_template *t)
{
  if (t->nodes) pst_xmp_nodes_drop(t->nodes);
  for (int k = 0; k < t->dims; k++) free(t->map[k]);
  free(t);
}

void pst_xmp_template_drop(struct pst_xmp_template *t)
{
  pst_front_shared_enter();
  if (--t->head.refs == 0) template_end(t);
  pst_front_shared_leave();
}

void pst_xmp_template_free(void **template_)
{
  struct pst_xmp_template *const t = *template_;
  if (t && PST_XMP_TOOLS)
    pst_xmp_told_desc(xmpt_event_template_desc_end, t, &t->head.tool_data, PST_XMP_CODEPTR);
  if (t) pst_xmp_template_drop(t);
  *template_ = NULL;
}

pst_xmp_index_t pst_xmp_template_lower(const char *where, void *template_, int k)
{
  return pst_xmp_template_need_fixed(where, template_)->axis[k].lower;
}

/* ---- declaration ---- */

static void bounds_set(
    const char *where, struct pst_xmp_template *t, const index_t lower[], const index_t upper[])
{
  for (int k = 0; k < t->dims; k++) {
    if (upper[k] < lower[k] - 1)
      pst_xmp_fatal(
          where, "template %s: dimension %d goes from %lld to %lld", t->head.name, k + 1, lower[k], upper[k]);
    t->axis[k] = pst_xmp_axis_whole(lower[k], upper[k] - lower[k] + 1);
  }
  t->has_bounds = 1;
}

void *pst_xmp_template(
    const char *where, const char *name, int dims, const index_t lower[], const index_t upper[], int base)
{
  struct pst_xmp_template *t;
  pst_xmp_need_open(where);
  if (dims < 1 || dims > PST_XMP_DIMENSIONS)
    pst_xmp_fatal(where, "%s: a template has 1 to %d dimensions, not %d", name, PST_XMP_DIMENSIONS, dims);
  t = pst_xmp_own_take_clear(where, 1, sizeof *t);
  t->head = (struct pst_xmp_object){.kind = XMP_DESC_TEMPLATE, .name = name, .where = where, .refs = 1};
  t->dims = dims;
  t->base = base;
  for (int k = 0; k < dims; k++) t->node_dim[k] = -1;
  if (lower) bounds_set(where, t, lower, upper);
  if (PST_XMP_TOOLS)
    pst_xmp_told_desc(xmpt_event_template_desc_begin, t, &t->head.tool_data, PST_XMP_CODEPTR);
  return t;
}

/* ---- distribution ---- */

/* The map's first indices, with the end behind the last one. It is copied when it is seen. */
static void map_copy(
    const char *where, struct pst_xmp_template *t, int k, const struct pst_xmp_format *format)
{
  const int nodes = t->nodes->size[t->node_dim[k]], *const map = format->map;
  if (format->entries && format->entries < (unsigned)nodes)
    pst_xmp_fatal(where, "template %s: the map of dimension %d has %lu of the %d entries that nodes %s need",
        t->head.name, k + 1, format->entries, nodes, t->nodes->head.name);
  index_t *start = pst_xmp_own_take(where, ((size_t)nodes + 1) * sizeof *start);
  start[0] = 0;
  for (int i = 0; i < nodes; i++) {
    if (map[i] < 0)
      pst_xmp_fatal(
          where, "template %s: entry %d of the map of dimension %d is %d", t->head.name, i, k + 1, map[i]);
    start[i + 1] = start[i] + map[i];
  }
  free(t->map[k]);
  t->map[k] = start;
}

static void formats_store(const char *where, struct pst_xmp_template *t, const struct pst_xmp_format format[])
{
  int dims = 0;
  for (int k = 0; k < t->dims; k++) {
    t->format[k] = format[k];
    t->format[k].map = NULL;
    if (format[k].kind == PST_XMP_NOT_DISTRIBUTED) continue;
    if (format[k].width < 0)
      pst_xmp_fatal(
          where, "template %s: the width in dimension %d is %lld", t->head.name, k + 1, format[k].width);
    if (dims < t->nodes->dims) t->template_dim[dims] = k;
    t->node_dim[k] = dims++;
  }
  if (dims != t->nodes->dims)
    pst_xmp_fatal(where, "template %s is distributed in %d dimensions, but nodes %s have %d", t->head.name,
        dims, t->nodes->head.name, t->nodes->dims);
  for (int k = 0; k < t->dims; k++)
    if (format[k].kind == PST_XMP_GBLOCK && format[k].map) map_copy(where, t, k, &format[k]);
}

static int maps_are_known(const struct pst_xmp_template *t)
{
  for (int k = 0; k < t->dims; k++)
    if (t->format[k].kind == PST_XMP_GBLOCK && !t->map[k]) return 0;
  return 1;
}

static void block_fix(const char *where, const struct pst_xmp_template *t, int k, struct pst_xmp_axis *a)
{
  const index_t length = a->upper - a->lower + 1, least = pst_xmp_axis_default_width(length, a->nodes),
                asked = t->format[k].width;
  if (asked && asked < least)
    pst_xmp_fatal(where,
        "template %s: %lld blocks of %lld do not hold the %lld indices of dimension %d; %lld would",
        t->head.name, a->nodes, asked, length, k + 1, least);
  a->width = asked ? asked : least;
}

static void gblock_fix(const char *where, const struct pst_xmp_template *t, int k, struct pst_xmp_axis *a)
{
  const index_t length = a->upper - a->lower + 1, sum = t->map[k][a->nodes];
  if (sum != length)
    pst_xmp_fatal(where, "template %s: the map of dimension %d has %lld indices, and the dimension %lld",
        t->head.name, k + 1, sum, length);
  a->start = t->map[k];
}

/* Once bounds and maps are known. */
static void template_complete(const char *where, struct pst_xmp_template *t)
{
  for (int k = 0; k < t->dims; k++) {
    struct pst_xmp_axis *a = &t->axis[k];
    a->kind = t->format[k].kind;
    if (a->kind == PST_XMP_NOT_DISTRIBUTED) continue;
    a->nodes = t->nodes->size[t->node_dim[k]];
    if (a->kind == PST_XMP_BLOCK) block_fix(where, t, k, a);
    else if (a->kind == PST_XMP_GBLOCK) gblock_fix(where, t, k, a);
    else a->width = t->format[k].width ? t->format[k].width : 1;
  }
  t->fixed = 1;
}

void pst_xmp_distribute(
    const char *where, void *template_, void *nodes, int formats, const struct pst_xmp_format format[])
{
  struct pst_xmp_template *t = pst_xmp_template_of(where, template_);
  struct pst_xmp_nodes *n = pst_xmp_nodes_of(where, nodes);
  if (t->nodes) pst_xmp_fatal(where, "template %s is distributed already", t->head.name);
  if (formats != t->dims)
    pst_xmp_fatal(
        where, "template %s has %d dimensions, and %d formats are given", t->head.name, t->dims, formats);
  t->nodes = pst_xmp_nodes_again(n);
  formats_store(where, t, format);
  if (t->has_bounds && maps_are_known(t)) template_complete(where, t);
}

/* ---- template_fix ---- */

static void fix_formats(
    const char *where, struct pst_xmp_template *t, int formats, const struct pst_xmp_format format[])
{
  if (formats && formats != t->dims)
    pst_xmp_fatal(
        where, "template %s has %d dimensions, and %d formats are given", t->head.name, t->dims, formats);
  for (int k = 0; k < formats; k++) {
    const struct pst_xmp_format *f = &format[k];
    const index_t width = f->kind == PST_XMP_CYCLIC && f->width == 0 ? 1 : f->width,
                  declared = f->kind == PST_XMP_CYCLIC && t->format[k].width == 0 ? 1 : t->format[k].width;
    if (f->kind == PST_XMP_AS_DECLARED) continue;
    if (f->kind != t->format[k].kind || width != declared)
      pst_xmp_fatal(
          where, "template %s: the format of dimension %d is not the declared one", t->head.name, k + 1);
    if (f->kind == PST_XMP_GBLOCK && f->map) map_copy(where, t, k, f);
  }
}

static void fix_bounds(
    const char *where, struct pst_xmp_template *t, int dims, const index_t lower[], const index_t upper[])
{
  if (!lower) return;
  if (dims != t->dims)
    pst_xmp_fatal(
        where, "template %s has %d dimensions, and bounds of %d are given", t->head.name, t->dims, dims);
  for (int k = 0; t->has_bounds && k < dims; k++)
    if (t->axis[k].lower != lower[k] || t->axis[k].upper != upper[k])
      pst_xmp_fatal(where, "template %s was declared with %lld to %lld in dimension %d, not %lld to %lld",
          t->head.name, t->axis[k].lower, t->axis[k].upper, k + 1, lower[k], upper[k]);
  if (!t->has_bounds) bounds_set(where, t, lower, upper);
}

void pst_xmp_template_fix(const char *where, void *template_, int formats,
    const struct pst_xmp_format format[], int dims, const index_t lower[], const index_t upper[])
{
  PST_XMP_ALONE(where);
  struct pst_xmp_template *t = pst_xmp_template_of(where, template_);
  if (!t->nodes) not_fixed(where, t);
  if (t->fixed) pst_xmp_fatal(where, "template %s is fixed already", t->head.name);
  fix_formats(where, t, formats, format);
  fix_bounds(where, t, dims, lower, upper);
  if (!t->has_bounds) pst_xmp_fatal(where, "template %s has no bounds, and none are given", t->head.name);
  if (!maps_are_known(t)) pst_xmp_fatal(where, "template %s: the map of a gblock is missing", t->head.name);
  template_complete(where, t);
  pst_xmp_arrays_allocate(where, t);
  if (PST_XMP_TOOLS) pst_xmp_told_desc(xmpt_event_template_fix, t, NULL, PST_XMP_CODEPTR);
}
