/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Collectives on lists of nodes against a model. Every node draws the same calls on the same random lists,
 * but chooses itself when it comes, and from what memory it takes its data. */
#include "common.h"
#include "../sanitized.h"

#include <gasnetx.h>
#include <limits.h>
#include <unistd.h>

#define MOST  ((size_t)200 << 10) /* bytes that one rank gives */
#define TOTAL ((size_t)800 << 10) /* bytes that a destination has */
#define STEP  (2 * TEST_GUARD)
enum { SEGMENT, STATIC, HEAP, STACK, PLACES, STACK_MOST = 3008 };

#define SRC_SIZE (MOST + STEP + 2 * TEST_GUARD)
#define DST_SIZE (TOTAL + STEP + 2 * TEST_GUARD)
#define PAGES(n) (((n) + GASNET_PAGESIZE - 1) / GASNET_PAGESIZE * GASNET_PAGESIZE)
static char fixed[PAGES(SRC_SIZE + DST_SIZE)] __attribute__((aligned(GASNET_PAGESIZE)));
static struct {
  char *src, *dst;
} area[PLACES];
static uint64_t *stamps;       /* in the segment: [nodes], by the writer */
static struct rng common, own; /* equal on all nodes; not equal */

struct call {
  gasnetx_nodes_t n;
  unsigned me, serial;
  int am_on;
  uint64_t key;
};

static gasnet_node_t node_of(const struct call *c, unsigned rank) { return c->n.first + rank * c->n.stride; }
static uint64_t key_of(const struct call *c, unsigned rank) { return test_mix(c->key + 77u * rank); }

static gasnetx_nodes_t random_list(struct rng *r)
{
  gasnetx_nodes_t n;
  if (rng_below(r, 4) == 0) return (gasnetx_nodes_t){0, 1, test.nodes};
  n.first = (gasnet_node_t)rng_below(r, test.nodes);
  n.stride = (gasnet_node_t)rng_range(r, 1, test.nodes);
  n.count = (gasnet_node_t)rng_range(r, 1, (test.nodes - 1 - n.first) / n.stride + 1);
  if (n.count == 1 && rng_below(r, 2)) n.stride = 0;
  return n;
}

static struct call random_call(unsigned serial)
{
  struct call c = {.n = random_list(&common), .serial = serial, .key = rng_next(&common)};
  for (unsigned r = 0; r < c.n.count; r++)
    if (node_of(&c, r) == test.me) {
      c.me = r;
      c.am_on = 1;
    }
  return c;
}

/* Memory for a call, at some distance from the start of its area. */
static char *place(char *base, size_t align)
{
  return base + TEST_GUARD + rng_below(&own, STEP / align) * align;
}

static int random_place(size_t n)
{
  const int i = (int)rng_below(&own, PLACES);
  return i == STACK && n > STACK_MOST ? HEAP : i;
}

static void come_late(void)
{
  if (rng_below(&own, 300) == 0) usleep((useconds_t)rng_below(&own, 3000));
  else if (rng_below(&own, 20) == 0) sched_yield();
}

static size_t random_length(size_t most)
{
  return rng_below(&common, 8) ? rng_size(&common, most) : rng_below(&common, 40);
}

/* ---- barrier: what the others put before theirs is there ---- */

static void do_barrier(const struct call *c)
{
  for (unsigned r = 0; r < c->n.count; r++)
    gasnet_put_val(
        node_of(c, r), (uint64_t *)(void *)seg_at(node_of(c, r), 0) + test.me, c->serial, sizeof *stamps);
  gasnetx_team_barrier(&c->n);
  for (unsigned r = 0; r < c->n.count; r++) {
    const uint64_t seen = __atomic_load_n(&stamps[node_of(c, r)], __ATOMIC_RELAXED);
    CHECK(seen >= c->serial, "barrier %u: rank %u had not come, its last was %llu", c->serial, r,
        (unsigned long long)seen);
  }
}

/* ---- broadcast ---- */

static void do_broadcast(const struct call *c)
{
  const unsigned root = (unsigned)rng_below(&common, c->n.count);
  const size_t n = random_length(MOST);
  const int at_root = (int)rng_below(&common, 2), from = random_place(n), to = random_place(n);
  char *src = place(area[from].src, 1), *dst = place(area[to].dst, 1);
  if (!c->am_on) return;
  guard_open(dst, n);
  memset(src, 0x77, n);
  if (c->me == root) pattern_fill(src, n, c->key);
  gasnetx_team_broadcast(&c->n, root, dst, src, n, at_root);
  if (c->me == root) {
    CHECK_PATTERN(src, n, c->key, "the root's source");
    memset(src, 0x55, n); /* no other node may see this change */
  } else {
    CHECK(bytes_bad(src, n, 0x77) == n, "broadcast wrote the source of another than the root");
  }
  if (c->me != root || at_root) CHECK_BLOCK(dst, n, c->key, "broadcast");
  else
    CHECK(bytes_bad(dst - TEST_GUARD, n + 2 * TEST_GUARD, TEST_UNTOUCHED) == n + 2 * TEST_GUARD,
        "broadcast wrote the root's destination");
}

/* ---- collect ---- */

static void check_parts(const struct call *c, const char *dst, const size_t *length, const char *what)
{
  size_t total = 0;
  for (unsigned r = 0; r < c->n.count; total += length[r++])
    CHECK_PATTERN(dst + total, length[r], key_of(c, r), what);
  CHECK_GUARDS(dst, total, what);
}

static void do_collect(const struct call *c, int same)
{
  const size_t most = TOTAL / c->n.count < MOST ? TOTAL / c->n.count : MOST, n = random_length(most);
  size_t *length = (size_t *)malloc(c->n.count * sizeof *length), total = 0;
  REQUIRE(length, "no memory");
  for (unsigned r = 0; r < c->n.count; r++)
    total += length[r] = same ? n : rng_below(&common, 3) ? random_length(n) : 0;
  if (c->am_on) {
    const int from = random_place(n), to = random_place(total);
    char *src = place(area[from].src, 1), *dst = place(area[to].dst, 1);
    guard_open(dst, total);
    pattern_fill(src, length[c->me], key_of(c, c->me));
    if (same) gasnetx_team_fcollect(&c->n, dst, src, n);
    else gasnetx_team_collect(&c->n, dst, src, length[c->me]);
    CHECK_PATTERN(src, length[c->me], key_of(c, c->me), "the source of a collect");
    memset(src, 0x55, length[c->me]);
    check_parts(c, dst, length, same ? "fcollect" : "collect");
  }
  free(length);
}

/* ---- reduce ---- */

/* Elements of every size; operations that are associative but not commutative show the order. */
static void add_longs(void *a, const void *b, size_t n)
{
  for (size_t i = 0; i < n; i++) ((uint64_t *)a)[i] += ((const uint64_t *)b)[i];
}
static void xor_bytes(void *a, const void *b, size_t n)
{
  for (size_t i = 0; i < n; i++) ((unsigned char *)a)[i] ^= ((const unsigned char *)b)[i];
}
static void max_shorts(void *a, const void *b, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (((const uint16_t *)b)[i] > ((uint16_t *)a)[i]) ((uint16_t *)a)[i] = ((const uint16_t *)b)[i];
}
/* Affine maps x -> factor * x + term, modulo 2^32, one after the other. */
struct map {
  uint32_t factor, term;
};
static void chain_maps(void *a, const void *b, size_t n)
{
  struct map *x = (struct map *)a;
  const struct map *y = (const struct map *)b;
  for (size_t i = 0; i < n; i++)
    x[i] = (struct map){x[i].factor * y[i].factor, x[i].factor * y[i].term + x[i].term};
}
/* The ranks of the first and the last operand. */
struct ends {
  uint32_t first, last, count;
};
static void join_ends(void *a, const void *b, size_t n)
{
  struct ends *x = (struct ends *)a;
  const struct ends *y = (const struct ends *)b;
  for (size_t i = 0; i < n; i++) x[i] = (struct ends){x[i].first, y[i].last, x[i].count + y[i].count};
}
/* Sums round: the same bits everywhere show the same order everywhere. 32 bytes, aligned to 16. */
struct wide {
  long double sum, scaled;
};
static void add_wide(void *a, const void *b, size_t n)
{
  struct wide *x = (struct wide *)a;
  const struct wide *y = (const struct wide *)b;
  CHECK(
      (uintptr_t)a % 16 == 0 && (uintptr_t)b % 16 == 0, "reduce: operands at %p and %p", a, (const void *)b);
  for (size_t i = 0; i < n; i++) x[i] = (struct wide){x[i].sum + y[i].sum, x[i].scaled + y[i].scaled};
}
/* Larger than any slot. */
struct large {
  uint64_t word[640];
};
static void add_large(void *a, const void *b, size_t n) { add_longs(a, b, 640 * n); }

enum { ADD, XOR, MAX, MAPS, ENDS, WIDE, LARGE, OPS };
static const struct {
  size_t size;
  gasnetx_combine_fn combine;
  const char *name;
} op[OPS] = {{8, add_longs, "sum"}, {1, xor_bytes, "xor"}, {2, max_shorts, "max"},
    {sizeof(struct map), chain_maps, "chained maps"}, {sizeof(struct ends), join_ends, "ends"},
    {sizeof(struct wide), add_wide, "long double"}, {sizeof(struct large), add_large, "large"}};

/* The operands of a rank. */
static void fill_operands(int o, char *to, size_t count, uint64_t key, unsigned rank)
{
  if (o == ENDS) {
    for (size_t i = 0; i < count; i++) ((struct ends *)(void *)to)[i] = (struct ends){rank, rank, 1};
  } else if (o == WIDE) {
    for (size_t i = 0; i < count; i++) {
      const long double x = (long double)(test_mix(key + i) % 1000003) / 7.0L + (rank % 2 ? 1e9L : 0);
      memset(&((struct wide *)(void *)to)[i], 0, sizeof(struct wide));
      ((struct wide *)(void *)to)[i].sum = x;
      ((struct wide *)(void *)to)[i].scaled = -x * 3;
    }
  } else {
    pattern_fill(to, count * op[o].size, key);
  }
}

/* Rounding depends on how long doubles are grouped: they are compared among the ranks, and roughly with the
 * model. */
static void check_wide(const struct call *c, const char *dst, const char *model, size_t count)
{
  const struct wide *x = (const struct wide *)(const void *)dst,
                    *m = (const struct wide *)(const void *)model;
  uint64_t hash = count, first;
  for (size_t i = 0; i < count; i++) {
    const long double off = x[i].sum - m[i].sum, off_scaled = x[i].scaled - m[i].scaled;
    uint64_t bits[2] = {0, 0};
    memcpy(bits, &x[i].sum, 10);
    hash = test_mix(hash ^ bits[0]) + bits[1];
    CHECK(off < 1e-3L && off > -1e-3L && off_scaled < 1e-3L && off_scaled > -1e-3L,
        "reduce: sum %zu is off by %Lg", i, off);
  }
  first = hash;
  gasnetx_team_broadcast(&c->n, 0, &first, &first, sizeof first, 0);
  CHECK(first == hash, "reduce: rank %u has other bits than rank 0 in %zu sums", c->me, count);
}

static void check_reduce(const struct call *c, int o, const char *dst, size_t count)
{
  const size_t bytes = count * op[o].size;
  char *model = (char *)aligned_alloc(64, bytes / 64 * 64 + 64),
       *next = (char *)aligned_alloc(64, bytes / 64 * 64 + 64);
  REQUIRE(model && next, "no memory");
  fill_operands(o, model, count, key_of(c, 0), 0);
  for (unsigned r = 1; r < c->n.count; r++) {
    fill_operands(o, next, count, key_of(c, r), r);
    op[o].combine(model, next, count);
  }
  if (o == WIDE) check_wide(c, dst, model, count);
  else
    CHECK(memcmp(dst, model, bytes) == 0,
        "reduce: %zu elements, %s, of %u nodes from %u, stride %u, are wrong", count, op[o].name, c->n.count,
        c->n.first, c->n.stride);
  CHECK_GUARDS(dst, bytes, "reduce");
  free(model);
  free(next);
}

static void do_reduce(const struct call *c)
{
  const int o = (int)rng_below(&common, OPS);
  const size_t count = random_length(MOST / op[o].size), bytes = count * op[o].size;
  const int from = random_place(bytes), to = random_place(bytes), in_place = rng_below(&own, 3) == 0;
  char *dst = place(area[to].dst, 16), *src = in_place ? dst : place(area[from].src, 16);
  if (!c->am_on) return;
  guard_open(dst, bytes);
  fill_operands(o, src, count, key_of(c, c->me), c->me);
  gasnetx_team_reduce(&c->n, dst, src, count, op[o].size, op[o].combine);
  if (!in_place) memset(src, 0x55, bytes);
  check_reduce(c, o, dst, count);
}

/* ---- */

static void do_one(unsigned serial)
{
  const unsigned what = (unsigned)rng_below(&common, 6);
  const struct call c = random_call(serial);
  if (c.am_on) come_late();
  switch (what) {
  case 0:
    if (c.am_on) do_barrier(&c);
    break;
  case 1: do_broadcast(&c); break;
  case 2:
  case 3: do_collect(&c, what == 2); break;
  default: do_reduce(&c);
  }
}

/* The root of one call after the other runs ahead; all nodes see all calls, in order. */
static void many_in_a_row(void)
{
  const gasnetx_nodes_t all = {0, 1, test.nodes};
  for (unsigned i = 0; i < test_scaled(test.nodes <= 8 ? 2000 : 100); i++) {
    uint64_t got[20], mine[20];
    for (unsigned k = 0; k < 20; k++) mine[k] = i * 100u + k;
    gasnetx_team_broadcast(&all, 0, got, mine, sizeof mine, 1);
    CHECK(
        memcmp(got, mine, sizeof got) == 0, "broadcast %u in a row gave %llu", i, (unsigned long long)got[0]);
  }
}

static void sums_in_a_row(void)
{
  const gasnetx_nodes_t all = {0, 1, test.nodes};
  const uint64_t n = test.nodes;
  for (unsigned i = 0; i < test_scaled(test.nodes <= 8 ? 2000 : 100); i++) {
    const gasnetx_reduction_t add = {.type = GASNETX_TYPE_UINT64, .op = GASNETX_OP_SUM};
    uint64_t x = test.me + i, y;
    gasnetx_team_allreduce(&all, &y, &x, 1, &add);
    gasnetx_team_reduce(&all, &x, &x, 1, sizeof x, add_longs);
    CHECK(x == n * (n - 1) / 2 + n * i, "sum %u in a row is %llu", i, (unsigned long long)x);
    CHECK(y == x, "sum %u by type in a row is %llu", i, (unsigned long long)y);
  }
}

static void lay_out(int i, char *memory)
{
  area[i].src = memory;
  area[i].dst = memory + SRC_SIZE;
}

static long resident(void)
{
  long size = 0, pages = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  if (f && fscanf(f, "%ld %ld", &size, &pages) != 2) pages = 0;
  if (f) fclose(f);
  return pages;
}

#if defined(TEST_SANITIZED)
#define MOST_PAGES LONG_MAX
#else
#define MOST_PAGES ((8L << 20) / GASNET_PAGESIZE)
#endif

/* A node that serves messages but does not call takes in a bounded amount: the root waits for it at some
 * point. */
static void root_is_ahead(void)
{
  enum { PIECES = 3000, PIECE = 4000, SERVE = 2000 };
  const gasnetx_nodes_t all = {0, 1, test.nodes};
  const long before = resident();
  for (int i = 0; test.me && i < SERVE; i++) {
    gasnet_AMPoll();
    usleep(20);
  }
  CHECK(resident() - before < MOST_PAGES, "messages that came early took %ld pages", resident() - before);
  for (int i = 0; i < PIECES; i++) {
    memset(area[HEAP].src, i, PIECE);
    gasnetx_team_broadcast(&all, 0, area[HEAP].dst, area[HEAP].src, PIECE, 1);
    CHECK(bytes_bad(area[HEAP].dst, PIECE, (unsigned char)i) == PIECE, "broadcast %d of many is wrong", i);
  }
}

int main(int argc, char **argv)
{
  char on_stack[2][STACK_MOST + STEP + 2 * TEST_GUARD] __attribute__((aligned(64)));
  const size_t head = 65536;
  test_init("team", &argc, &argv);
  test_no_more_options(argc, argv);
  REQUIRE(gasnetx_region_add(fixed, sizeof fixed) == 1, "no region: %m");
  test_attach(NULL, 0, head + SRC_SIZE + DST_SIZE);
  char *heap = (char *)aligned_alloc(64, (SRC_SIZE + DST_SIZE + 63) / 64 * 64);
  REQUIRE(heap && test.nodes <= head / sizeof *stamps, "no memory");
  stamps = (uint64_t *)(void *)seg_at(test.me, 0);
  lay_out(SEGMENT, seg_at(test.me, head));
  lay_out(STATIC, fixed);
  lay_out(HEAP, heap);
  area[STACK].src = on_stack[0];
  area[STACK].dst = on_stack[1];
  rng_init(&common, test_key(5, 0, 0));
  rng_init(&own, test_key(6, test.me, 0));
  many_in_a_row();
  sums_in_a_row();
  for (unsigned i = 1; i <= test_scaled(test.nodes <= 16 ? 1500 : 200); i++) do_one(i);
  many_in_a_row();
  if (test.nodes <= 8) root_is_ahead();
  test_finish();
}
