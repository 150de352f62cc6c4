/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A hundred thousand vector, indexed and strided transfers of all forms under way at once, among contiguous
 * ones, active messages and barriers. Operation i of a node has slot i of the node's section in every segment
 * and of its local memory: both ends know from the seed what it does, and compare whole slots. */
#include "common.h"
#include <gasnet_vis.h>

#define SLOT  ((size_t)64)
#define CHUNK 1024
enum { H_ASK = 150, H_ANSWER };
enum { VECTOR, INDEXED, STRIDED, CONTIGUOUS, KINDS };
enum { NB, NBI, REGION };

static size_t operations;
static unsigned char *local;
static gasnet_handle_t *handle;
static size_t handles;
static unsigned asked, answers;
static size_t region_left;

struct operation {
  int put, kind, how;
  gasnet_node_t node;
};

static struct operation operation(gasnet_node_t owner, size_t i)
{
  uint64_t x = test_key(70, owner, i);
  struct operation o = {
      (int)(x & 1), (int)(x >> 8 & 0xff) % KINDS, NB, (gasnet_node_t)((x >> 16) % test.nodes)};
  unsigned how = (unsigned)(test_key(71, owner, i / 64) >> 20) % 8; /* 64 in a row, so that regions fill */
  if (how >= 5) o.how = how == 7 ? REGION : NBI;
  return o;
}

/* ---- what moves: far is the slot in the segment, near the local one ---- */

struct piece {
  size_t far, near, len;
};
static const struct piece moves[KINDS][5] = {
    [VECTOR] = {{3, 10, 7}, {30, 17, 20}, {51, 37, 1}},
    [INDEXED] = {{0, 1, 6}, {13, 7, 6}, {26, 20, 6}, {39, 26, 6}},
    [STRIDED] = {{5, 2, 9}, {22, 14, 9}, {39, 26, 9}},
    [CONTIGUOUS] = {{8, 16, 24}},
};

/* What a slot must hold after the operation, if it held `to` before. */
static void expect(unsigned char *slot, uint64_t from_key, uint64_t to_key, const struct operation *o)
{
  unsigned char from[SLOT];
  pattern_fill(from, SLOT, from_key);
  pattern_fill(slot, SLOT, to_key);
  for (const struct piece *p = moves[o->kind]; p->len; p++)
    if (o->put) memcpy(slot + p->far, from + p->near, p->len);
    else memcpy(slot + p->near, from + p->far, p->len);
}

static uint64_t far_key(gasnet_node_t owner, size_t i) { return test_key(72, owner, i); }
static uint64_t near_key(gasnet_node_t owner, size_t i) { return test_key(73, owner, i); }
static unsigned char *far_slot(gasnet_node_t owner, gasnet_node_t at, size_t i)
{
  return (unsigned char *)seg_at(at, ((size_t)owner * operations + i) * SLOT);
}
static unsigned char *near_slot(size_t i) { return local + i * SLOT; }

/* ---- starting ---- */

static gasnet_handle_t start_vector(const struct operation *o, unsigned char *f, unsigned char *l)
{
  gasnet_memvec_t far[3] = {{f + 3, 7}, {f + 30, 20}, {f + 51, 1}}, near[1] = {{l + 10, 28}};
  gasnet_handle_t h = GASNET_INVALID_HANDLE;
  if (o->how == NB)
    h = o->put ? gasnet_putv_nb_bulk(o->node, 3, far, 1, near)
               : gasnet_getv_nb_bulk(1, near, o->node, 3, far);
  else if (o->put) gasnet_putv_nbi_bulk(o->node, 3, far, 1, near);
  else gasnet_getv_nbi_bulk(1, near, o->node, 3, far);
  return h;
}

static gasnet_handle_t start_indexed(const struct operation *o, unsigned char *f, unsigned char *l)
{
  void *far[4] = {f, f + 13, f + 26, f + 39}, *near[2] = {l + 1, l + 20};
  gasnet_handle_t h = GASNET_INVALID_HANDLE;
  if (o->how == NB)
    h = o->put ? gasnet_puti_nb_bulk(o->node, 4, far, 6, 2, near, 12)
               : gasnet_geti_nb_bulk(2, near, 12, o->node, 4, far, 6);
  else if (o->put) gasnet_puti_nbi_bulk(o->node, 4, far, 6, 2, near, 12);
  else gasnet_geti_nbi_bulk(2, near, 12, o->node, 4, far, 6);
  return h;
}

static gasnet_handle_t start_strided(const struct operation *o, unsigned char *f, unsigned char *l)
{
  size_t far[1] = {17}, near[1] = {12}, count[2] = {9, 3};
  gasnet_handle_t h = GASNET_INVALID_HANDLE;
  if (o->how == NB)
    h = o->put ? gasnet_puts_nb_bulk(o->node, f + 5, far, l + 2, near, count, 1)
               : gasnet_gets_nb_bulk(l + 2, near, o->node, f + 5, far, count, 1);
  else if (o->put) gasnet_puts_nbi_bulk(o->node, f + 5, far, l + 2, near, count, 1);
  else gasnet_gets_nbi_bulk(l + 2, near, o->node, f + 5, far, count, 1);
  return h;
}

static gasnet_handle_t start_contiguous(const struct operation *o, unsigned char *f, unsigned char *l)
{
  gasnet_handle_t h = GASNET_INVALID_HANDLE;
  if (o->how == NB)
    h = o->put ? gasnet_put_nb_bulk(o->node, f + 8, l + 16, 24)
               : gasnet_get_nb_bulk(l + 16, o->node, f + 8, 24);
  else if (o->put) gasnet_put_nbi_bulk(o->node, f + 8, l + 16, 24);
  else gasnet_get_nbi_bulk(l + 16, o->node, f + 8, 24);
  return h;
}

static void keep(gasnet_handle_t h)
{
  if (h != GASNET_INVALID_HANDLE) handle[handles++] = h;
}

static void end_region(void)
{
  keep(gasnet_end_nbi_accessregion());
  region_left = 0;
}

static void start(size_t i)
{
  static gasnet_handle_t (*const starts[KINDS])(const struct operation *, unsigned char *,
      unsigned char *) = {start_vector, start_indexed, start_strided, start_contiguous};
  struct operation o = operation(test.me, i);
  if (region_left && o.how != REGION) end_region();
  if (!region_left && o.how == REGION) {
    gasnet_begin_nbi_accessregion();
    region_left = 40;
  }
  keep(starts[o.kind](&o, far_slot(test.me, o.node, i), near_slot(i)));
  if (region_left && --region_left == 0) end_region();
}

/* ---- what goes on meanwhile ---- */

static void on_ask(gasnet_token_t t, void *buf, size_t n, gasnet_handlerarg_t key)
{
  CHECK_PATTERN(buf, n, (uint64_t)key, "a message among transfers");
  REQUIRE_OK(gasnet_AMReplyShort0(t, H_ANSWER));
}
static void on_answer(gasnet_token_t t)
{
  (void)t;
  __atomic_fetch_add(&answers, 1, __ATOMIC_RELEASE);
}
static int answered(void) { return __atomic_load_n(&answers, __ATOMIC_ACQUIRE) == asked; }

static void ask(struct rng *r)
{
  unsigned char data[200];
  size_t n = rng_below(r, sizeof data + 1);
  gasnet_handlerarg_t key = (gasnet_handlerarg_t)(rng_next(r) >> 40);
  pattern_fill(data, n, (uint64_t)key);
  REQUIRE_OK(gasnet_AMRequestMedium1((gasnet_node_t)rng_below(r, test.nodes), H_ASK, data, n, key));
  asked++;
}

static void start_all(struct rng *r)
{
  size_t every = operations / 16 + 1;
  for (size_t i = 0; i < operations; i++) {
    start(i);
    if (rng_below(r, 50) == 0) ask(r);
    if (i % every == every / 4) gasnet_barrier_notify((int)i, 0);
    if (i % every == every / 2) REQUIRE_OK(gasnet_barrier_wait((int)(i - every / 2 + every / 4), 0));
  }
  if (region_left) end_region();
}

/* Syncs in chunks, the last started first: some by trying, some one by one, some at once. */
static void sync_all(struct rng *r)
{
  while (handles > 0) {
    size_t n = handles < CHUNK ? handles : CHUNK;
    gasnet_handle_t *h = handle + (handles -= n);
    switch (rng_below(r, 4)) {
    case 0: gasnet_wait_syncnb_all(h, n); break;
    case 1:
      while (gasnet_try_syncnb_all(h, n) != GASNET_OK) test_yield();
      break;
    case 2:
      for (size_t i = n; i-- > 0;) gasnet_wait_syncnb(h[i]);
      break;
    default:
      for (size_t i = 0; i < n; i++)
        while (gasnet_try_syncnb(h[i]) != GASNET_OK) test_yield();
    }
  }
  gasnet_wait_syncnbi_all();
}

/* ---- comparing ---- */

static void prepare(void)
{
  for (gasnet_node_t owner = 0; owner < test.nodes; owner++)
    for (size_t i = 0; i < operations; i++)
      pattern_fill(far_slot(owner, test.me, i), SLOT, far_key(owner, i));
  for (size_t i = 0; i < operations; i++) pattern_fill(near_slot(i), SLOT, near_key(test.me, i));
}

static void check_slot(const unsigned char *slot, gasnet_node_t owner, size_t i, int written)
{
  unsigned char want[SLOT];
  struct operation o = operation(owner, i);
  uint64_t to = o.put ? far_key(owner, i) : near_key(owner, i),
           from = o.put ? near_key(owner, i) : far_key(owner, i);
  if (written) expect(want, from, to, &o);
  else pattern_fill(want, SLOT, from);
  size_t k = 0;
  while (k < SLOT && slot[k] == want[k]) k++;
  CHECK(k == SLOT,
      "operation %zu of node %u (%s, kind %d, form %d, node %u): byte %zu of the %s slot is wrong", i,
      (unsigned)owner, o.put ? "put" : "get", o.kind, o.how, (unsigned)o.node, k,
      written ? "written" : "read");
}

static void check_here(void)
{
  unsigned char want[SLOT];
  for (gasnet_node_t owner = 0; owner < test.nodes; owner++)
    for (size_t i = 0; i < operations; i++) {
      struct operation o = operation(owner, i);
      unsigned char *slot = far_slot(owner, test.me, i);
      if (o.node == test.me) {
        check_slot(slot, owner, i, o.put);
        continue;
      }
      pattern_fill(want, SLOT, far_key(owner, i));
      CHECK(!memcmp(slot, want, SLOT), "slot %zu of node %u was not addressed and has changed", i,
          (unsigned)owner);
    }
}

int main(int argc, char **argv)
{
  gasnet_handlerentry_t table[] = {{H_ASK, (void (*)())on_ask}, {H_ANSWER, (void (*)())on_answer}};
  test_init("vis_flight", &argc, &argv);
  const char *many = test_option(&argc, argv, "--many");
  test_no_more_options(argc, argv);
  operations = test_scaled(many ? strtod(many, NULL) : 176000); /* five eighths have handles of their own */
  test_attach(table, 2, test.nodes * operations * SLOT);
  local = (unsigned char *)malloc(operations * SLOT);
  handle = (gasnet_handle_t *)malloc(operations * sizeof *handle);
  REQUIRE(local && handle, "no memory");
  prepare();
  struct rng r;
  rng_init(&r, test_key(74, test.me, 0));
  test_barrier();
  start_all(&r);
  size_t most = handles;
  sync_all(&r);
  for (size_t i = 0; i < operations; i++) check_slot(near_slot(i), test.me, i, !operation(test.me, i).put);
  GASNET_BLOCKUNTIL(answered());
  test_barrier();
  check_here();
  if (test.me == 0)
    printf("vis_flight: %zu operations a node, %zu handles at once at node 0\n", operations, most);
  test_finish();
}
