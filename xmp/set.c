/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmp/set.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "front/threads.h"

struct pst_xmp_set pst_xmp_set_one(int node) { return (struct pst_xmp_set){.size = 1, .first = node}; }

struct pst_xmp_set pst_xmp_set_all(void)
{
  struct pst_xmp_set s = {.size = pst_xmp_job.nodes};
  if (s.size > 1) s.dims = 1, s.count[0] = s.size, s.stride[0] = 1;
  return s;
}

/* ---- tables ---- */

static int place_compare(const void *a, const void *b)
{
  const struct pst_xmp_set_place *const x = a, *const y = b;
  return (x->node > y->node) - (x->node < y->node);
}

static struct pst_xmp_set table_set(const char *where, const int node[], int size)
{
  struct pst_xmp_set_table *t = pst_xmp_own_take(where, sizeof *t + (size_t)size * sizeof t->node[0]);
  t->refs = 1;
  t->place = pst_xmp_own_take(where, (size_t)size * sizeof *t->place);
  memcpy(t->node, node, (size_t)size * sizeof t->node[0]);
  for (int i = 0; i < size; i++) t->place[i] = (struct pst_xmp_set_place){node[i], i};
  qsort(t->place, (size_t)size, sizeof *t->place, place_compare);
  return (struct pst_xmp_set){.size = size, .first = node[0], .table = t};
}

struct pst_xmp_set pst_xmp_set_copy(const struct pst_xmp_set *s)
{
  if (!s->table) return *s;
  pst_front_shared_enter();
  s->table->refs++;
  pst_front_shared_leave();
  return *s;
}

static void table_close(struct pst_xmp_set_table *t)
{
  if (--t->refs > 0) return;
  free(t->place);
  free(t);
}

void pst_xmp_set_free(struct pst_xmp_set *s)
{
  if (s->table) {
    pst_front_shared_enter();
    table_close(s->table);
    pst_front_shared_leave();
  }
  s->table = NULL;
}

/* ---- boxes ---- */

/* A new slowest digit. Two digits that are one become one. */
static void digit_add(struct pst_xmp_set *s, int count, int stride)
{
  if (count == 1) return;
  s->size *= count;
  if (s->dims && stride == s->stride[0] * s->count[0]) {
    s->count[0] *= count;
    return;
  }
  memmove(s->count + 1, s->count, (size_t)s->dims * sizeof s->count[0]);
  memmove(s->stride + 1, s->stride, (size_t)s->dims * sizeof s->stride[0]);
  s->dims++;
  s->count[0] = count;
  s->stride[0] = stride;
}

/* Whether each stride is more than all faster digits reach, so that a node tells its digits. */
static int box_is_nested(const struct pst_xmp_set *s)
{
  long reach = 0;
  for (int i = s->dims - 1; i >= 0; i--) {
    if (labs(s->stride[i]) <= reach) return 0;
    reach += (s->count[i] - 1) * labs(s->stride[i]);
  }
  return 1;
}

/* The list as a box, if it is one: the longest run at its beginning is the fastest digit, and the beginnings
 * of all such runs are a box themselves. */
static int list_is_box(const int node[], int size, struct pst_xmp_set *s)
{
  int step = 1; /* of the list's places that are the beginnings */
  *s = pst_xmp_set_one(node[0]);
  while (step < size) {
    const int stride = node[step] - node[0];
    int run = 2;
    while (run * step < size && node[run * step] - node[0] == run * stride) run++;
    if (size % (run * step) != 0 || s->dims == PST_XMP_DIMENSIONS) return 0;
    for (int i = 0; i < size; i += step)
      if (node[i] - node[i - i % (run * step)] != i % (run * step) / step * stride) return 0;
    digit_add(s, run, stride);
    step *= run;
  }
  return box_is_nested(s);
}

/* ---- parts ---- */

/* What a step of one in dimension k of the shape adds to the node, where the dimension lies within one digit
 * of the box, so that no digit is carried. */
static int digit_of(const struct pst_xmp_set *of, long weight, int extent, int *stride)
{
  long digit = 1;
  for (int i = of->dims - 1; i >= 0; i--, digit *= of->count[i + 1]) {
    if (weight * extent > digit * of->count[i]) continue;
    if (weight % digit != 0 || digit * of->count[i] % (weight * extent) != 0) return 0;
    *stride = (int)(of->stride[i] * (weight / digit));
    return 1;
  }
  return 0;
}

static int pick_at(const struct pst_xmp_pick *p, int i)
{
  return p->list ? p->list[i] : p->first + i * p->step;
}

/* By formula; 0 where that is not possible. */
static int pick_box(const struct pst_xmp_set *of, int dims, const int shape[],
    const struct pst_xmp_pick pick[], struct pst_xmp_set *s)
{
  long weight = 1, rank = 0;
  *s = pst_xmp_set_one(0);
  if (of->table) return 0;
  for (int k = dims - 1; k >= 0; weight *= shape[k--]) {
    int stride = 0;
    rank += pick_at(&pick[k], 0) * weight;
    if (pick[k].count == 1) continue;
    if (pick[k].list || !digit_of(of, weight, shape[k], &stride)) return 0;
    digit_add(s, pick[k].count, stride * pick[k].step);
  }
  s->first = pst_xmp_set_node(of, (int)rank);
  return 1;
}

static struct pst_xmp_set pick_list(const char *where, const struct pst_xmp_set *of, int dims,
    const int shape[], const struct pst_xmp_pick pick[])
{
  struct pst_xmp_set s;
  int size = 1, *node;
  for (int k = 0; k < dims; k++) size *= pick[k].count;
  node = pst_xmp_own_take(where, (size_t)size * sizeof *node);
  for (int i = 0; i < size; i++) {
    long weight = 1, rank = 0;
    for (int k = dims - 1, rest = i; k >= 0; weight *= shape[k--]) {
      rank += pick_at(&pick[k], rest % pick[k].count) * weight;
      rest /= pick[k].count;
    }
    node[i] = pst_xmp_set_node(of, (int)rank);
  }
  if (!list_is_box(node, size, &s)) s = table_set(where, node, size);
  free(node);
  return s;
}

struct pst_xmp_set pst_xmp_set_pick(const char *where, const struct pst_xmp_set *of, int dims,
    const int shape[], const struct pst_xmp_pick pick[])
{
  struct pst_xmp_set s;
  return pick_box(of, dims, shape, pick, &s) ? s : pick_list(where, of, dims, shape, pick);
}

/* ---- ranks and nodes ---- */

int pst_xmp_set_node(const struct pst_xmp_set *s, int rank)
{
  int node = s->first;
  if (s->table) return s->table->node[rank];
  for (int i = s->dims - 1; i >= 0; i--) {
    node += rank % s->count[i] * s->stride[i];
    rank /= s->count[i];
  }
  return node;
}

static int table_rank(const struct pst_xmp_set *s, int node)
{
  const struct pst_xmp_set_place key = {.node = node};
  const struct pst_xmp_set_place *p = bsearch(
      &key, s->table->place, (size_t)s->size, sizeof key, place_compare);
  return p ? p->rank : -1;
}

int pst_xmp_set_rank(const struct pst_xmp_set *s, int node)
{
  int rest = node - s->first, rank = 0;
  if (s->table) return table_rank(s, node);
  for (int i = 0; i < s->dims; i++) /* from the node where all digits add least */
    if (s->stride[i] < 0) rest -= (s->count[i] - 1) * s->stride[i];
  if (rest < 0) return -1;
  for (int i = 0; i < s->dims; i++) {
    const int stride = abs(s->stride[i]), digit = rest / stride;
    if (digit >= s->count[i]) return -1;
    rest -= digit * stride;
    rank = rank * s->count[i] + (s->stride[i] > 0 ? digit : s->count[i] - 1 - digit);
  }
  return rest == 0 ? rank : -1;
}

/* ---- comparisons ---- */

int pst_xmp_set_equal(const struct pst_xmp_set *a, const struct pst_xmp_set *b)
{
  if (a->size != b->size || a->first != b->first || a->dims != b->dims || !a->table != !b->table) return 0;
  if (a->table)
    return a->table == b->table ||
        memcmp(a->table->node, b->table->node, (size_t)a->size * sizeof a->table->node[0]) == 0;
  for (int i = 0; i < a->dims; i++)
    if (a->count[i] != b->count[i] || a->stride[i] != b->stride[i]) return 0;
  return 1;
}

int pst_xmp_set_within(const struct pst_xmp_set *a, const struct pst_xmp_set *b)
{
  if (b->size == pst_xmp_job.nodes || pst_xmp_set_equal(a, b)) return 1;
  if (a->size > b->size) return 0;
  for (int rank = 0; rank < a->size; rank++)
    if (pst_xmp_set_rank(b, pst_xmp_set_node(a, rank)) < 0) return 0;
  return 1;
}

static uint64_t mix(uint64_t hash, int value)
{
  return (hash ^ (uint32_t)value) * UINT64_C(0x9e3779b97f4a7c15) >> 7 ^ hash << 11;
}

uint64_t pst_xmp_set_hash(const struct pst_xmp_set *s)
{
  uint64_t hash = mix((uint64_t)s->size, s->first);
  for (int i = 0; i < s->dims; i++) hash = mix(mix(hash, s->count[i]), s->stride[i]);
  for (int i = 0; s->table && i < s->size; i++) hash = mix(hash, s->table->node[i]);
  return hash;
}
