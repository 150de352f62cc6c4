/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Small implicit operations of every kind, for tests of what completes them. Each has a slot of its own:
 * memory here, and a place at the target that only this thread writes. It moves rows of a pattern, mostly
 * one, with guards around each. */
#ifndef TESTS_MULTI_TRANSFER_H
#define TESTS_MULTI_TRANSFER_H

#include "common.h"
#include <gasnet_vis.h>
#include <gasnetx.h>

enum { SLOT = 1024, SLOTS = 192, OWN_SLOTS = 64, MOST_THREADS = 128, ROWS = 4, MOST_IN_ROW = 160 };

enum transfer_kind {
  PUT_VALUE,
  PUT,
  PUT_BULK,
  SET,
  ADD,
  PUT_STRIDED,
  PUT_INDEXED,
  PUT_VECTOR,
  GET,
  GET_BULK,
  GET_STRIDED,
  GET_INDEXED,
  GET_VECTOR
};
static const char *const transfer_name[] = {"put of a value", "put", "bulk put", "set", "atomic addition",
    "strided put", "indexed put", "vector put", "get", "bulk get", "strided get", "indexed get",
    "vector get"};

struct transfer {
  enum transfer_kind kind;
  gasnet_node_t node;
  size_t n, rows, step; /* bytes of a row; how many; from row to row, a multiple of 8 */
  uint64_t key;         /* of a pattern without gaps, of which the rows are parts */
  char *here, *there;
};

/* A segment begins with OWN_SLOTS for the test itself. SLOTS that all read follow, then for each thread of
 * each node SLOTS that it writes. */
static char *place(gasnet_node_t node, int thread, size_t slot)
{
  const size_t area = 1 + (size_t)test.me * (size_t)test.threads + (size_t)thread;
  return seg_at(node, SLOT * (OWN_SLOTS + area * SLOTS + slot) + TEST_GUARD);
}
static char *fixed(gasnet_node_t node, size_t slot) { return seg_at(node, SLOT * (OWN_SLOTS + slot)); }
static uint64_t fixed_key(gasnet_node_t node, size_t slot) { return test_key(node, 1 << 30, slot); }

/* Starts the job, and prepares the segment. */
static void transfers_start(const char *name, int *argc, char ***argv)
{
  test_start(name, argc, argv, NULL, 0, (size_t)SLOT * (OWN_SLOTS + SLOTS * (1 + MOST_THREADS)));
  REQUIRE((size_t)test.nodes * (size_t)test.threads <= MOST_THREADS, "at most 128 threads in all");
  memset(seg_at(test.me, 0), 0, (size_t)SLOT * OWN_SLOTS);
  for (size_t slot = 0; slot < SLOTS; slot++)
    pattern_fill(fixed(test.me, slot), SLOT, fixed_key(test.me, slot));
  test_barrier();
}

/* Cleans the thread's places, whose slots are used once until the next time. */
static void transfers_open(int thread)
{
  char clean[SLOT];
  memset(clean, TEST_UNTOUCHED, sizeof clean);
  for (gasnet_node_t k = 0; k < test.nodes; k++)
    for (size_t slot = 0; slot < SLOTS; slot++)
      gasnet_put_nbi_bulk(k, place(k, thread, slot) - TEST_GUARD, clean, SLOT);
  gasnet_wait_syncnbi_puts();
}

static int transfer_is_get(const struct transfer *x) { return x->kind >= GET; }

/* Around the largest size that travels together with others, and among larger ones. */
static size_t transfer_size(struct rng *r)
{
  static const size_t known[] = {0, 1, 8, 8, 8, 8, 16, 24, 100, 511, 512, 513, SLOT - 2 * TEST_GUARD};
  const size_t k = rng_below(r, 2 * sizeof known / sizeof *known);
  return k < sizeof known / sizeof *known ? known[k] : rng_below(r, 64);
}

/* A random operation for a slot; `memory` is SLOT bytes for its end here. Those of few bytes that may travel
 * together are most. */
static void transfer_choose(
    struct transfer *x, struct rng *r, int thread, size_t slot, uint64_t round, char *memory)
{
  static const enum transfer_kind often[] = {PUT_VALUE, PUT, PUT, PUT_BULK, PUT_BULK, GET, GET_BULK};
  const uint64_t k = rng_below(r, 64);
  x->kind = k <= GET_VECTOR ? (enum transfer_kind)k : often[k % 7];
  x->node = (gasnet_node_t)rng_below(r, test.nodes);
  x->n = transfer_size(r);
  x->rows = 1;
  switch (x->kind) {
  case PUT_VALUE: x->n = 1 + rng_below(r, sizeof(gasnet_register_value_t)); break;
  case SET: x->n = 1; break; /* of a pattern */
  case ADD: x->n = 8; break;
  case PUT_STRIDED:
  case PUT_INDEXED:
  case PUT_VECTOR:
  case GET_STRIDED:
  case GET_INDEXED:
  case GET_VECTOR:
    x->n = 1 + rng_below(r, MOST_IN_ROW);
    x->rows = 1 + rng_below(r, ROWS);
    break;
  default: break;
  }
  x->step = (x->n + 7) / 8 * 8 + TEST_GUARD;
  x->key = transfer_is_get(x) ? fixed_key(x->node, slot)
                              : test_key(test.me, (uint64_t)thread, (uint64_t)slot << 20 | round);
  x->here = memory + TEST_GUARD;
  x->there = transfer_is_get(x) ? fixed(x->node, slot) : place(x->node, thread, slot);
}

/* On lists: of row i here and there. */
static void transfer_start_list(const struct transfer *x)
{
  void *here[ROWS], *there[ROWS];
  gasnet_memvec_t v_here[ROWS], v_there[ROWS];
  for (size_t i = 0; i < x->rows; i++) {
    here[i] = v_here[i].addr = x->here + i * x->step;
    there[i] = v_there[i].addr = x->there + i * x->step;
    v_here[i].len = v_there[i].len = x->n;
  }
  const size_t n = x->rows;
  switch (x->kind) {
  case PUT_INDEXED: gasnet_puti_nbi_bulk(x->node, n, there, x->n, n, here, x->n); break;
  case PUT_VECTOR: gasnet_putv_nbi_bulk(x->node, n, v_there, n, v_here); break;
  case GET_INDEXED: gasnet_geti_nbi_bulk(n, here, x->n, x->node, n, there, x->n); break;
  default: gasnet_getv_nbi_bulk(n, v_here, x->node, n, v_there);
  }
}

static void transfer_start(const struct transfer *x)
{
  const size_t count[] = {x->n, x->rows};
  uint64_t word = 0, clean;
  memset(x->here - TEST_GUARD, TEST_UNTOUCHED, SLOT);
  memcpy(&clean, x->here, sizeof clean);
  if (!transfer_is_get(x)) pattern_fill(x->here, (x->rows - 1) * x->step + x->n, x->key);
  if (x->n <= sizeof word) memcpy(&word, x->here, x->n);
  switch (x->kind) {
  case PUT_VALUE: gasnet_put_nbi_val(x->node, x->there, word, x->n); break;
  case PUT:
    gasnet_put_nbi(x->node, x->there, x->here, x->n);
    memset(x->here, 0x11, x->n);
    break;
  case PUT_BULK: gasnet_put_nbi_bulk(x->node, x->there, x->here, x->n); break;
  case SET: gasnet_memset_nbi(x->node, x->there, (int)word, x->n); break;
  case ADD: gasnetx_atomic64_nbi(GASNETX_ADD, x->node, (uint64_t *)(void *)x->there, word - clean); break;
  case PUT_STRIDED: gasnet_puts_nbi_bulk(x->node, x->there, &x->step, x->here, &x->step, count, 1); break;
  case GET: gasnet_get_nbi(x->here, x->node, x->there, x->n); break;
  case GET_BULK: gasnet_get_nbi_bulk(x->here, x->node, x->there, x->n); break;
  case GET_STRIDED: gasnet_gets_nbi_bulk(x->here, &x->step, x->node, x->there, &x->step, count, 1); break;
  default: transfer_start_list(x);
  }
}

static void transfer_check_rows(const struct transfer *x, const char *data, const char *where)
{
  char what[64];
  snprintf(what, sizeof what, "%s, %s", transfer_name[x->kind], where);
  for (size_t i = 0; i < x->rows; i++) CHECK_BLOCK(data + i * x->step, x->n, x->key + i * x->step / 8, what);
}

/* It is complete: a get is here; a put is at its target, by load where its memory is mapped, and by a get. */
static void transfer_check(const struct transfer *x)
{
  char back[SLOT];
  if (transfer_is_get(x)) {
    transfer_check_rows(x, x->here, "here");
    return;
  }
  const char *there = direct_at(x->node, x->there);
  if (there) transfer_check_rows(x, there, "at its target");
  gasnet_get_bulk(back, x->node, x->there - TEST_GUARD, SLOT);
  transfer_check_rows(x, back + TEST_GUARD, "read back");
}

#endif
