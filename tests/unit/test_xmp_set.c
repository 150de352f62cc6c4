/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Parts of parts of sets of nodes against lists: any shapes, strides and lists of coordinates; equal sets
 * have equal descriptions, however they are made. */
#include "xmp/set.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/suite.h"

enum { NODES = 48, ROUNDS = 30000 };

struct pst_xmp_job pst_xmp_job = {.nodes = NODES};

void *pst_xmp_own_take(const char *where, size_t nbytes)
{
  void *p = malloc(nbytes);
  (void)where;
  if (!p) abort();
  return p;
}

static unsigned dice = 12345;
static int below(int n)
{
  dice = dice * 1664525 + 1013904223;
  return (int)((dice >> 8) % (unsigned)n);
}

struct model {
  int size, node[NODES];
};

static void check(const struct pst_xmp_set *s, const struct model *m)
{
  int members = 0;
  CU_ASSERT_FATAL(s->size == m->size);
  for (int rank = 0; rank < m->size; rank++) {
    CU_ASSERT_EQUAL(pst_xmp_set_node(s, rank), m->node[rank]);
    CU_ASSERT_EQUAL(pst_xmp_set_rank(s, m->node[rank]), rank);
  }
  for (int node = -3; node < NODES + 3; node++) members += pst_xmp_set_rank(s, node) >= 0;
  CU_ASSERT_EQUAL(members, m->size);
}

/* A part of m, and of the set, by a random shape and random coordinates. */
static struct pst_xmp_set part(const struct pst_xmp_set *of, const struct model *m, struct model *p)
{
  int shape[3], dims = 1 + below(3), rest = m->size;
  struct pst_xmp_pick pick[3];
  struct pst_xmp_set s;
  p->size = 1;
  for (int k = 0; k < dims; k++) {
    do shape[k] = k == dims - 1 ? rest : 1 + below(rest);
    while (rest % shape[k]);
    rest /= shape[k];
    pick[k] = (struct pst_xmp_pick){below(shape[k]), 1, below(4) ? 1 : 1 + below(3), NULL};
    if (below(3) == 0) pick[k].step = -pick[k].step;
    if (below(2)) pick[k].first = pick[k].step > 0 ? 0 : shape[k] - 1;
    const int room = pick[k].step > 0 ? (shape[k] - 1 - pick[k].first) / pick[k].step
                                      : pick[k].first / -pick[k].step;
    pick[k].count = below(3) ? room + 1 : 1 + below(room + 1);
    if (below(5) == 0) {
      pick[k].list = malloc((size_t)shape[k] * sizeof(int));
      pick[k].count = 0;
      for (int c = 0; c < shape[k]; c++)
        if (below(2) || c == shape[k] - 1) pick[k].list[pick[k].count++] = c;
    }
    p->size *= pick[k].count;
  }
  for (int i = 0; i < p->size; i++) {
    int left = i, weight = 1, rank = 0;
    for (int k = dims - 1; k >= 0; weight *= shape[k--]) {
      const int c = left % pick[k].count;
      rank += weight * (pick[k].list ? pick[k].list[c] : pick[k].first + c * pick[k].step);
      left /= pick[k].count;
    }
    p->node[i] = m->node[rank];
  }
  s = pst_xmp_set_pick("test", of, dims, shape, pick);
  for (int k = 0; k < dims; k++) free(pick[k].list);
  return s;
}

static void test_parts(void)
{
  for (int i = 0; i < ROUNDS; i++) {
    struct model m = {.size = NODES}, p;
    struct pst_xmp_set s = pst_xmp_set_all(), next;
    for (int node = 0; node < NODES; node++) m.node[node] = node;
    for (int deep = below(5); deep >= 0; deep--) {
      next = part(&s, &m, &p);
      check(&next, &p);
      CU_ASSERT(pst_xmp_set_within(&next, &s));
      CU_ASSERT_EQUAL(pst_xmp_set_within(&s, &next), s.size == next.size);
      pst_xmp_set_free(&s);
      s = next;
      m = p;
    }
    pst_xmp_set_free(&s);
  }
}

/* The same list as a part of all nodes by its coordinates. */
static void test_descriptions(void)
{
  int boxes = 0;
  for (int i = 0; i < ROUNDS; i++) {
    struct model all = {.size = NODES}, m, p;
    struct pst_xmp_set whole = pst_xmp_set_all(), s, t, u;
    const int shape[] = {NODES};
    for (int node = 0; node < NODES; node++) all.node[node] = node;
    s = part(&whole, &all, &m);
    t = part(&s, &m, &p);
    const struct pst_xmp_pick list = {p.node[0], p.size, 1, p.node};
    u = pst_xmp_set_pick("test", &whole, 1, shape, &list);
    check(&u, &p);
    CU_ASSERT(pst_xmp_set_equal(&t, &u));
    CU_ASSERT_EQUAL(pst_xmp_set_hash(&t), pst_xmp_set_hash(&u));
    boxes += !u.table;
    pst_xmp_set_free(&s);
    pst_xmp_set_free(&t);
    pst_xmp_set_free(&u);
  }
  CU_ASSERT(boxes > ROUNDS / 2 && boxes < ROUNDS);
}

int main(void)
{
  static const struct unit_test tests[] = {
      {"parts", test_parts},
      {"descriptions", test_descriptions},
  };
  return RUN_SUITE("xmp_set", tests);
}
