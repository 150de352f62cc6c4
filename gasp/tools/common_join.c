/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Joins the sites that are the same on several nodes. */
#include <stdlib.h>
#include <string.h>

#include "gasp/tools/common.h"

struct ref {
  const struct pst_site *site;
  uint32_t thread;
};

static int compare(const void *left, const void *right)
{
  const struct pst_site *a = ((const struct ref *)left)->site, *b = ((const struct ref *)right)->site;
  int order = strcmp(a->file, b->file);
  if (order == 0 && a->line != b->line) order = a->line < b->line ? -1 : 1;
  if (order == 0 && a->column != b->column) order = a->column < b->column ? -1 : 1;
  /* each thread numbers the client's own events by itself */
  const uint32_t s = a->tag < GASP_UPC_USEREVT_START ? a->tag : GASP_UPC_USEREVT_START;
  const uint32_t t = b->tag < GASP_UPC_USEREVT_START ? b->tag : GASP_UPC_USEREVT_START;
  if (order == 0 && s != t) order = s < t ? -1 : 1;
  return order ? order : strcmp(a->name, b->name);
}

static struct ref *collect(
    struct pst_join *join, const struct pst_part *parts, unsigned threads, size_t *count)
{
  struct ref *all;
  size_t n = 0;
  for (unsigned t = 0; t < threads; t++) n += parts[t].count;
  all = pst_tool_grow(NULL, n + 1, sizeof *all);
  *count = n;
  n = 0;
  for (unsigned t = 0; t < threads; t++) {
    join->of[t] = pst_tool_grow(NULL, parts[t].count + 1, sizeof **join->of);
    for (uint32_t i = 0; i < parts[t].count; i++) all[n++] = (struct ref){&parts[t].sites[i], t};
  }
  return all;
}

void pst_join_make(struct pst_join *join, struct pst_part *parts, unsigned threads)
{
  union pst_part_body body;
  size_t count;
  for (unsigned t = 0; t < threads; t++) {
    while (pst_part_next(&parts[t], &body)) continue;
    pst_part_rewind(&parts[t]);
  }
  *join = (struct pst_join){.of = pst_tool_grow(NULL, threads, sizeof *join->of)};
  struct ref *all = collect(join, parts, threads, &count);
  qsort(all, count, sizeof *all, compare);
  join->sites = pst_tool_grow(NULL, count + 1, sizeof *join->sites);
  for (size_t i = 0; i < count; i++) {
    if (i == 0 || compare(&all[i - 1], &all[i]) != 0) {
      join->sites[join->count] = *all[i].site;
      join->sites[join->count].id = join->count;
      join->count++;
    }
    join->of[all[i].thread][all[i].site->id] = join->count - 1;
  }
  free(all);
}

void pst_join_free(struct pst_join *join, unsigned threads)
{
  for (unsigned t = 0; t < threads; t++) free(join->of[t]);
  free(join->of);
  free(join->sites);
}

void pst_parts_span(const struct pst_part *parts, unsigned threads, uint64_t *first, uint64_t *last)
{
  *first = UINT64_MAX;
  *last = 0;
  for (unsigned t = 0; t < threads; t++) {
    if (parts[t].missing) continue;
    if (parts[t].head.begin < *first) *first = parts[t].head.begin;
    if (parts[t].end > *last) *last = parts[t].end;
  }
  if (*first > *last) *first = *last;
}
