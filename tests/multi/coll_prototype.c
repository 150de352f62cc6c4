/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The collectives of GASNet's prototype: every call in its four forms (blocking and not, with an address and
 * with a list of addresses), on all nodes and on teams, with each synchronisation; handles; barriers of
 * teams; reductions by the client's functions, in the order of ranks. */
#include "common.h"

enum { WORDS_MOST = 1000, FORMS = 4, NON_BLOCKING = 1, LISTED = 2 };

static gasnet_team_handle_t team;
static gasnet_node_t me, size;
static uint64_t key;
static uint64_t *src, *dst; /* [size * WORDS_MOST] with guards around dst */

static uint64_t word(gasnet_node_t from, gasnet_node_t to, size_t i)
{
  return test_mix(key + 0x10000u * from + 0x100u * to + i);
}

static const int in_flags[] = {GASNET_COLL_IN_NOSYNC, GASNET_COLL_IN_MYSYNC, GASNET_COLL_IN_ALLSYNC};
static const int out_flags[] = {GASNET_COLL_OUT_NOSYNC, GASNET_COLL_OUT_MYSYNC, GASNET_COLL_OUT_ALLSYNC};

/* A list of which only this node's entry may be looked at. */
static void **list_of(void *address, int flags)
{
  static void *list[2][64];
  static unsigned turn;
  void **l = list[turn++ % 2];
  for (unsigned i = 0; i < 64; i++) l[i] = NULL;
  l[flags & GASNET_COLL_SINGLE ? me : 0] = address;
  return l;
}

static void handle_wait(gasnet_coll_handle_t h)
{
  switch (key % 3) {
  case 0: gasnet_coll_wait_sync(h); break;
  case 1: gasnet_coll_wait_sync_all(&h, 1); break;
  default:
    while (gasnet_coll_try_sync(h) != GASNET_OK) {}
  }
}

#define RUN(form, name, plain, listed) \
  switch (form) { \
  case 0: gasnet_coll_##name plain; break; \
  case NON_BLOCKING: handle_wait(gasnet_coll_##name##_nb plain); break; \
  case LISTED: gasnet_coll_##name##M listed; break; \
  default: handle_wait(gasnet_coll_##name##M_nb listed); \
  }

/* ---- data ---- */

static void data_open(size_t n)
{
  guard_open(dst, n * sizeof *dst);
  for (gasnet_node_t to = 0; to < size; to++)
    for (size_t i = 0; i < WORDS_MOST; i++) src[to * WORDS_MOST + i] = 0;
}

static void words_check(const char *what, const uint64_t *at, gasnet_node_t from, gasnet_node_t to, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (at[i] != word(from, to, i)) {
      CHECK(0, "%s: word %zu of %zu from %u is wrong", what, i, n, (unsigned)from);
      return;
    }
}

static void words_fill(uint64_t *at, gasnet_node_t to, size_t n)
{
  for (size_t i = 0; i < n; i++) at[i] = word(me, to, i);
}

static void run_broadcast(int form, gasnet_node_t root, size_t n, int flags)
{
  data_open(n);
  if (me == root) words_fill(src, 0, n);
  RUN(form, broadcast, (team, dst, root, src, n * 8, flags),
      (team, list_of(dst, flags), root, src, n * 8, flags))
  words_check("broadcast", dst, root, 0, n);
  CHECK_GUARDS(dst, (n) * sizeof *dst, "broadcast");
}

static void run_scatter(int form, gasnet_node_t root, size_t n, int flags)
{
  data_open(n);
  for (gasnet_node_t to = 0; me == root && to < size; to++) words_fill(src + to * n, to, n);
  RUN(form, scatter, (team, dst, root, src, n * 8, flags),
      (team, list_of(dst, flags), root, src, n * 8, flags))
  words_check("scatter", dst, root, me, n);
  CHECK_GUARDS(dst, (n) * sizeof *dst, "scatter");
}

static void run_gather(int form, gasnet_node_t root, size_t n, int flags)
{
  data_open(size * n);
  words_fill(src, 0, n);
  RUN(form, gather, (team, root, dst, src, n * 8, flags),
      (team, root, dst, list_of(src, flags), n * 8, flags))
  for (gasnet_node_t from = 0; me == root && from < size; from++)
    words_check("gather", dst + from * n, from, 0, n);
  CHECK_GUARDS(dst, (size * n) * sizeof *dst, "gather");
}

static void run_gather_all(int form, size_t n, int flags)
{
  data_open(size * n);
  words_fill(src, 0, n);
  RUN(form, gather_all, (team, dst, src, n * 8, flags),
      (team, list_of(dst, flags), list_of(src, flags), n * 8, flags))
  for (gasnet_node_t from = 0; from < size; from++) words_check("gather_all", dst + from * n, from, 0, n);
  CHECK_GUARDS(dst, (size * n) * sizeof *dst, "gather_all");
}

static void run_exchange(int form, size_t n, int flags)
{
  data_open(size * n);
  for (gasnet_node_t to = 0; to < size; to++) words_fill(src + to * n, to, n);
  RUN(form, exchange, (team, dst, src, n * 8, flags),
      (team, list_of(dst, flags), list_of(src, flags), n * 8, flags))
  for (gasnet_node_t from = 0; from < size; from++) words_check("exchange", dst + from * n, from, me, n);
  CHECK_GUARDS(dst, (size * n) * sizeof *dst, "exchange");
}

/* ---- reductions: a sum, and x -> a x + b modulo 2^32 one after the other, which does not commute ---- */

enum { SUM, COMPOSE, ARGUMENT = 77 };

static void sum(void *results, size_t result_count, const void *left, size_t left_count, const void *right,
    size_t elem_size, int flags, int arg)
{
  CHECK(elem_size == 8 && flags == 0 && arg == ARGUMENT && left_count == result_count, "sum: its arguments");
  for (size_t i = 0; i < result_count; i++)
    ((uint64_t *)results)[i] = ((const uint64_t *)left)[i] + ((const uint64_t *)right)[i];
}

static uint64_t composed(uint64_t f, uint64_t g)
{
  const uint32_t fa = (uint32_t)(f >> 32), fb = (uint32_t)f, ga = (uint32_t)(g >> 32), gb = (uint32_t)g;
  return (uint64_t)(fa * ga) << 32 | (uint32_t)(ga * fb + gb);
}

static void compose(void *results, size_t result_count, const void *left, size_t left_count,
    const void *right, size_t elem_size, int flags, int arg)
{
  CHECK(elem_size == 8 && flags == (int)GASNET_COLL_NONCOMM && arg == ARGUMENT && left_count == result_count,
      "compose: its arguments");
  for (size_t i = 0; i < result_count; i++)
    ((uint64_t *)results)[i] = composed(((const uint64_t *)left)[i], ((const uint64_t *)right)[i]);
}

static uint64_t reduced(int function, size_t i)
{
  uint64_t all = word(0, 0, i);
  for (gasnet_node_t r = 1; r < size; r++)
    all = function == SUM ? all + word(r, 0, i) : composed(all, word(r, 0, i));
  return all;
}

static void run_reduce(int form, gasnet_node_t root, size_t n, int flags)
{
  const int function = (int)(key & 1);
  data_open(n);
  words_fill(src, 0, n);
  RUN(form, reduce, (team, root, dst, src, n * 8, 0, 8, n, function, ARGUMENT, flags),
      (team, root, dst, list_of(src, flags), 0, 0, 8, n, function, ARGUMENT, flags))
  for (size_t i = 0; me == root && i < n; i++)
    if (dst[i] != reduced(function, i)) {
      CHECK(0, "reduce by function %d: element %zu of %zu is wrong", function, i, n);
      break;
    }
  CHECK_GUARDS(dst, (n) * sizeof *dst, "reduce");
}

/* ---- */

static void run_one(struct rng *r)
{
  const int form = (int)rng_below(r, FORMS),
            flags = in_flags[rng_below(r, 3)] | out_flags[rng_below(r, 3)] |
      (rng_below(r, 2) ? GASNET_COLL_LOCAL : GASNET_COLL_SINGLE);
  const gasnet_node_t root = (gasnet_node_t)rng_below(r, size);
  const size_t n = rng_size(r, WORDS_MOST);
  key = rng_next(r);
  switch (rng_below(r, 6)) {
  case 0: run_broadcast(form, root, n, flags); break;
  case 1: run_scatter(form, root, n, flags); break;
  case 2: run_gather(form, root, n, flags); break;
  case 3: run_gather_all(form, n, flags); break;
  case 4: run_exchange(form, n, flags); break;
  default: run_reduce(form, root, n, flags);
  }
}

/* Several in flight; some, and all, are waited for by lists of handles. */
static void run_many(void)
{
  enum { MANY = 20 };
  uint64_t from[MANY], to[MANY];
  gasnet_coll_handle_t h[MANY];
  for (unsigned i = 0; i < MANY; i++) {
    from[i] = word(me, 0, i);
    to[i] = 0;
    h[i] = gasnet_coll_broadcast_nb(team, &to[i], i % size, &from[i], 8, GASNET_COLL_LOCAL);
  }
  gasnet_coll_wait_sync_some(h, MANY / 2);
  while (gasnet_coll_try_sync_some(h, MANY / 2) != GASNET_OK) {}
  gasnet_coll_wait_sync_all(h, MANY / 2);
  while (gasnet_coll_try_sync_all(h + MANY / 2, MANY / 2) != GASNET_OK) {}
  for (unsigned i = 0; i < MANY; i++) {
    CHECK(h[i] == GASNET_COLL_INVALID_HANDLE, "handle %u is left", i);
    CHECK(to[i] == word(i % size, 0, i), "broadcast %u of many is wrong", i);
  }
}

static void run_barriers(unsigned serial)
{
  const int id = (int)serial;
  gasnet_coll_barrier_notify(team, id, 0);
  int rc;
  while ((rc = gasnet_coll_barrier_try(team, id, 0)) == GASNET_ERR_NOT_READY) {}
  CHECK(rc == GASNET_OK, "a barrier with one name: %d", rc);
  gasnet_coll_barrier_notify(team, 0, me % 2 ? GASNET_BARRIERFLAG_ANONYMOUS : 0);
  CHECK(gasnet_coll_barrier_wait(team, 0, 0) == GASNET_OK, "a barrier, of some without a name");
  const int other = size > 1 ? GASNET_ERR_BARRIER_MISMATCH : GASNET_OK;
  CHECK(gasnet_coll_barrier(team, (int)me, 0) == other, "a barrier with different names");
  CHECK(gasnet_coll_barrier(team, 0, GASNET_BARRIERFLAG_MISMATCH) == GASNET_ERR_BARRIER_MISMATCH,
      "a barrier that says that it does not match");
}

static void run_team(struct rng *r, unsigned calls)
{
  size = gasnet_coll_team_size(team);
  me = gasnet_coll_team_node2rank(team, test.me);
  CHECK(gasnet_coll_team_rank2node(team, (int)me) == test.me, "rank %u is another node", (unsigned)me);
  for (unsigned i = 0; i < calls; i++) run_one(r);
  run_many();
  run_barriers(calls);
}

int main(int argc, char **argv)
{
  gasnet_coll_fn_entry_t functions[] = {{sum, 0}, {compose, GASNET_COLL_NONCOMM}};
  struct rng r, shared;
  test_start("coll_prototype", &argc, &argv, NULL, 0, GASNET_PAGESIZE);
  REQUIRE(test.nodes <= 64, "at most 64 nodes");
  gasnet_coll_init(NULL, test.me, functions, 2, 0);
  const size_t room = (size_t)test.nodes * WORDS_MOST * sizeof *src;
  src = (uint64_t *)malloc(room);
  char *const guarded = (char *)malloc(room + 2 * TEST_GUARD);
  REQUIRE(src && guarded, "no memory");
  dst = (uint64_t *)(void *)(guarded + TEST_GUARD);
  rng_init(&shared, test_key(3, 0, 0));
  for (unsigned i = 0; i < test_scaled(4); i++) {
    team = GASNET_TEAM_ALL;
    rng_init(&r, rng_next(&shared));
    run_team(&r, 60);
    /* The nodes of a colour have the same calls, the colours different ones, in the reverse order of nodes.
     */
    const gasnet_node_t colours = (gasnet_node_t)rng_range(&shared, 1, 3);
    team = gasnet_coll_team_split(GASNET_TEAM_ALL, test.me % colours, test.nodes - test.me, NULL);
    rng_init(&r, rng_next(&shared) + test.me % colours);
    run_team(&r, 60);
    gasnet_coll_team_free(team);
  }
  test_finish();
}
