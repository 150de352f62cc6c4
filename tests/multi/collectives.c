/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Every kind of collective on teams of every shape, one at a time, against a model: lengths, types,
 * operations, places in memory, strides. Members choose themselves when they come, by what call, whether they
 * block, and from what memory they take their data. */
#include "coll_call.h"

#include <unistd.h>

#define PAGES(n)   (((n) + GASNET_PAGESIZE - 1) / GASNET_PAGESIZE * GASNET_PAGESIZE)
#define MOST       ((size_t)4 << 20) /* bytes of data at one end */
#define AROUND     ((size_t)256 << 10)
#define STACK_MOST 4096
enum { SEGMENT, STATIC, HEAP, STACK, PLACES };

static char fixed[2][PAGES(MOST + AROUND)] __attribute__((aligned(GASNET_PAGESIZE)));
static struct {
  char *src, *dst;
} area[PLACES];
static uint64_t *stamps; /* in the segment, by writer */
static size_t most;      /* MOST, or less where there are many processes */
static struct rng own;   /* not equal on all nodes */

static void come_late(void)
{
  const uint64_t how = rng_below(&own, 400);
  if (how == 0) usleep((useconds_t)rng_below(&own, 3000));
  else if (how < 20) sched_yield();
  else if (how < 30) gasnet_AMPoll();
}

static void complete(gasnet_handle_t h)
{
  switch (rng_below(&own, 4)) {
  case 0: gasnet_wait_syncnb(h); break;
  case 1: gasnet_wait_syncnb_all(&h, 1); break;
  case 2: gasnet_wait_syncnb_some(&h, 1); break;
  default:
    while (gasnet_try_syncnb(h) == GASNET_ERR_NOT_READY) test_yield();
  }
}

/* What the others put before a barrier is there after it. */
static void stamp(const struct team *t, uint64_t serial)
{
  for (gasnet_node_t r = 0; r < t->size; r++)
    gasnet_put_val(t->node[r], (uint64_t *)(void *)seg_at(t->node[r], 0) + test.me, serial, sizeof *stamps);
}
static void check_stamps(const struct team *t, uint64_t serial)
{
  for (gasnet_node_t r = 0; r < t->size; r++) {
    const uint64_t seen = __atomic_load_n(&stamps[t->node[r]], __ATOMIC_RELAXED);
    CHECK(seen >= serial, "barrier %llu of %u: rank %u had not come, its last was %llu",
        (unsigned long long)serial, t->size, r, (unsigned long long)seen);
  }
}

/* Sums round: the same bits everywhere show the same order everywhere. */
static void same_bits(const struct call *c)
{
  const uint64_t mine = call_hash(c);
  uint64_t *all = (uint64_t *)malloc(c->team->size * sizeof *all);
  REQUIRE(all, "no memory");
  gasnetx_coll_allgather(c->team->handle, all, &mine, sizeof mine);
  for (gasnet_node_t r = 0; r < c->team->size; r++)
    CHECK(all[r] == mine, "allreduce of %zu %s: rank %u has other bits than rank %u", c->count, c->op.name, r,
        c->team->rank);
  free(all);
}

static char *place(const struct side *s, int is_dst)
{
  int i = (int)rng_below(&own, PLACES);
  if (i == STACK && s->room > STACK_MOST) i = HEAP;
  REQUIRE(s->room <= MOST + AROUND, "a call needs %zu bytes", s->room);
  return is_dst ? area[i].dst : area[i].src;
}

static void one_call(struct team *t, uint64_t serial)
{
  struct call c;
  call_draw(&c, t, rng_next(&t->next), most, &own);
  call_place(&c, place(&c.src, 0), place(&c.dst, 1));
  if (c.kind == GASNETX_BARRIER) stamp(t, serial);
  come_late();
  call_begin(&c, rng_below(&own, 2) == 0);
  if (c.handle != GASNET_INVALID_HANDLE) complete(c.handle);
  if (c.kind == GASNETX_BARRIER) check_stamps(t, serial);
  if (c.kind == GASNETX_ALLREDUCE) same_bits(&c);
  call_check(&c);
  call_drop(&c);
}

/* Calls on a team, on one made of it, and on it again. */
static void some_calls(struct team *t, unsigned depth, uint64_t *serial)
{
  const uint64_t first = *serial, calls = rng_range(&t->next, 1, 12);
  struct team *child = depth && rng_below(&t->next, 2) ? team_make_any(t) : NULL;
  for (uint64_t i = 0; i < calls; i++) one_call(t, first + i);
  *serial = first + calls;
  if (child) some_calls(child, depth - 1, serial);
  *serial = first + 100 * (depth + 1);
  one_call(t, *serial);
  if (child) team_free(child);
}

/* The root of one call after the other runs ahead; all members see all calls, in order. */
static void many_in_a_row(const struct team *all)
{
  for (unsigned i = 0; i < test_scaled(test.nodes <= 8 ? 2000 : 100); i++) {
    uint64_t got[20], mine[20];
    for (unsigned k = 0; k < 20; k++) mine[k] = i * 100u + k;
    gasnetx_coll_broadcast(all->handle, got, 0, mine, sizeof mine);
    for (unsigned k = 0; k < 20; k++)
      CHECK(got[k] == i * 100u + k, "broadcast %u in a row gave %llu", i, (unsigned long long)got[k]);
  }
}

/* Broadcasts of few bytes, barriers among them, all begun before one is waited for: more than a root gets
 * ahead of the others. One node is the root of half of them. */
enum { AT_ONCE = 600, FEW_BYTES = 1000 };
static struct few {
  gasnet_handle_t handle;
  unsigned root;
  size_t length;
  char src[FEW_BYTES], dst[FEW_BYTES + 1];
} few[AT_ONCE];

static void few_begin(struct team *t, struct few *f, uint64_t key)
{
  f->root = (unsigned)(rng_below(&t->next, 2) ? 0 : rng_below(&t->next, t->size));
  f->length = rng_range(&t->next, 1, rng_below(&t->next, 4) ? 40 : FEW_BYTES);
  memset(f->src, (char)(key + t->rank), f->length);
  memset(f->dst, 1, sizeof f->dst);
  f->dst[f->length] = (char)key;
  f->handle = gasnetx_coll_broadcast_nb(t->handle, f->dst, f->root, f->src, f->length);
  if (rng_below(&t->next, 50) == 0) gasnetx_coll_barrier(t->handle);
  if (rng_below(&own, 4) == 0) gasnet_AMPoll();
}

static void few_check(const struct few *f, uint64_t key)
{
  size_t wrong = 0;
  for (size_t i = 0; i < f->length; i++) wrong += f->dst[i] != (char)(key + f->root);
  CHECK(wrong == 0 && f->dst[f->length] == (char)key,
      "%zu of %zu bytes of broadcast %llu, from %u, are wrong", wrong, f->length, (unsigned long long)key,
      f->root);
}

static void many_at_once(struct team *t)
{
  static gasnet_handle_t handle[AT_ONCE];
  for (unsigned i = 0; i < AT_ONCE; i++) few_begin(t, &few[i], i);
  for (unsigned i = 0; i < AT_ONCE; i++) { /* waited for in an order of the caller's own */
    const unsigned to = (unsigned)rng_below(&own, i + 1);
    handle[i] = handle[to];
    handle[to] = few[i].handle;
  }
  for (unsigned i = 0; i < AT_ONCE; i++) complete(handle[i]);
  for (unsigned i = 0; i < AT_ONCE; i++) few_check(&few[i], i);
}

static void sums_in_a_row(const struct team *all)
{
  const gasnetx_reduction_t sum = {.type = GASNETX_TYPE_UINT64, .op = GASNETX_OP_SUM};
  const uint64_t n = test.nodes;
  for (unsigned i = 0; i < test_scaled(test.nodes <= 8 ? 2000 : 100); i++) {
    uint64_t x = test.me + i;
    gasnetx_coll_allreduce(all->handle, &x, &x, 1, &sum);
    CHECK(x == n * (n - 1) / 2 + n * i, "sum %u in a row is %llu", i, (unsigned long long)x);
  }
}

/* Much data in any memory, in place or not: members on a host may lead in parts of it. */
static void large_sum(const struct team *all, uint64_t key)
{
  const gasnetx_reduction_t sum = {.type = GASNETX_TYPE_UINT64, .op = GASNETX_OP_SUM};
  const size_t count = most / 2 / sizeof(uint64_t) + test_mix(key) % (most / 2 / sizeof(uint64_t));
  const uint64_t n = test.nodes, where = rng_below(&own, PLACES - 1);
  uint64_t *dst = (uint64_t *)(void *)area[where].dst, wrong = 0;
  uint64_t *src = rng_below(&own, 2) ? dst : (uint64_t *)(void *)area[rng_below(&own, PLACES - 1)].src;
  for (size_t i = 0; i < count; i++) src[i] = test_mix(key + i) * (test.me + 1);
  dst[count] = key;
  gasnetx_coll_allreduce(all->handle, dst, src, count, &sum);
  for (size_t i = 0; i < count; i++) wrong += dst[i] != test_mix(key + i) * (n * (n + 1) / 2);
  CHECK(wrong == 0, "%llu of %zu elements of a sum are wrong", (unsigned long long)wrong, count);
  CHECK(dst[count] == key, "a sum of %zu elements has written behind them", count);
}

/* Elements so large that halves of few of them are exchanged, of which some are empty. */
enum { WIDE = 3000 };
static void wide_add(void *inout, const void *in, size_t count, void *context)
{
  (void)context;
  for (size_t i = 0; i < count * WIDE; i++) ((uint64_t *)inout)[i] += ((const uint64_t *)in)[i];
}

static void few_wide_sums(const struct team *all, uint64_t key)
{
  enum { FEW = 9 };
  static uint64_t sums[FEW * WIDE + 1];
  const gasnetx_reduction_t sum = {.combine = wide_add, .size = WIDE * sizeof(uint64_t), .commutes = 1};
  const uint64_t n = test.nodes;
  for (size_t count = 0; count <= FEW; count++) {
    uint64_t wrong = 0;
    for (size_t i = 0; i < count * WIDE; i++) sums[i] = test_mix(key + i) * (test.me + 1);
    sums[count * WIDE] = key;
    gasnetx_coll_allreduce(all->handle, sums, sums, count, &sum);
    for (size_t i = 0; i < count * WIDE; i++) wrong += sums[i] != test_mix(key + i) * (n * (n + 1) / 2);
    CHECK(wrong == 0 && sums[count * WIDE] == key, "a sum of %zu wide elements is wrong", count);
  }
}

static void lay_out(int i, char *src, char *dst)
{
  area[i].src = src;
  area[i].dst = dst;
}

int main(int argc, char **argv)
{
  char on_stack[2][STACK_MOST] __attribute__((aligned(CALL_ALIGN)));
  const size_t head = 65536;
  test_init("collectives", &argc, &argv);
  test_no_more_options(argc, argv);
  REQUIRE(gasnetx_region_add(fixed, sizeof fixed) == 1, "no region: %m");
  test_attach(NULL, 0, head + 2 * (MOST + AROUND));
  char *heap = (char *)aligned_alloc(CALL_ALIGN, 2 * (MOST + AROUND));
  REQUIRE(heap && test.nodes <= head / sizeof *stamps, "no memory");
  most = test.nodes <= 4 ? MOST : test.nodes <= 16 ? MOST / 4 : MOST / 32;
  stamps = (uint64_t *)(void *)seg_at(test.me, 0);
  lay_out(SEGMENT, seg_at(test.me, head), seg_at(test.me, head + MOST + AROUND));
  lay_out(STATIC, fixed[0], fixed[1]);
  lay_out(HEAP, heap, heap + MOST + AROUND);
  lay_out(STACK, on_stack[0], on_stack[1]);
  struct team *all = team_all(test_key(5, 0, 0));
  rng_init(&own, test_key(6, test.me, 0));
  many_in_a_row(all);
  many_at_once(all);
  sums_in_a_row(all);
  for (uint64_t i = 0; i < 8; i++) large_sum(all, test_key(7, 0, i));
  few_wide_sums(all, test_key(8, 0, 0));
  uint64_t serial = 1;
  for (size_t i = 0; i < test_scaled(test.nodes <= 16 ? 150 : 30); i++) {
    some_calls(all, 0, &serial);
    struct team *t = team_make_any(all);
    if (t) {
      uint64_t here = serial;
      some_calls(t, 2, &here);
    }
    team_free(t);
    serial += 1000;
  }
  many_in_a_row(all);
  team_forget(all);
  free(heap);
  test_finish();
}
