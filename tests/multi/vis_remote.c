/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Transfers as they go to nodes whose memory is not shared: lists whose pieces range from single bytes to
 * what a message cannot hold, in one call; descriptions larger than their data; strided blocks whose rows and
 * planes do not end where messages do; 100,000 gets in flight; active messages in between. Each thread of a
 * node has a zone in every segment, which it reads back as a whole and compares with a model that was changed
 * byte by byte. */
#include "vis_call.h"
#include <gasnet_vis.h>

#define ZONE        ((size_t)128 * 1024)
#define MOST_PIECES 24000
#define FLIGHT      100000
enum { H_ASK = 160, H_ANSWER };
enum { CALLS = NBI + 1 };

/* What a thread works with. */
struct bench {
  int id;
  struct rng r;
  unsigned char *local; /* ZONE bytes, of which transfers take or change some */
  unsigned char *model; /* of the zone that changes */
  unsigned char *copy;  /* of the remote zone */
  gasnet_memvec_t *far, *near;
};
static struct bench bench[TEST_MAX_THREADS];
static unsigned asked, answered;

static unsigned char *zone(gasnet_node_t node, int id)
{
  return (unsigned char *)seg_at(node, ((size_t)test.me * (size_t)test.threads + (size_t)id) * ZONE);
}

/* ---- other traffic ---- */

static void ask(gasnet_token_t token, void *buf, size_t nbytes, gasnet_handlerarg_t key)
{
  CHECK(pattern_bad(buf, nbytes, (uint64_t)key) == nbytes,
      "a medium of %zu bytes between transfers is damaged", nbytes);
  REQUIRE_OK(gasnet_AMReplyShort1(token, H_ANSWER, key));
}
static void answer(gasnet_token_t token, gasnet_handlerarg_t key)
{
  (void)token;
  (void)key;
  __atomic_fetch_add(&answered, 1, __ATOMIC_RELEASE);
}

static void send_something(struct bench *b, gasnet_node_t node)
{
  char data[3000];
  const size_t n = rng_size(&b->r, sizeof data);
  const gasnet_handlerarg_t key = (gasnet_handlerarg_t)(rng_next(&b->r) & 0xffff);
  pattern_fill(data, n, (uint64_t)key);
  __atomic_fetch_add(&asked, 1, __ATOMIC_RELAXED);
  REQUIRE_OK(gasnet_AMRequestMedium1(node, H_ASK, data, n, key));
}

/* ---- lists ---- */

/* Lengths of a kind of list: up to `most` bytes, as many pieces as add up to `total`. */
struct mixture {
  size_t most, total, gap;
};
static const struct mixture mixtures[] = {
    {1, 20000, 3},
    {8, 60000, 60},
    {64, 60000, 20},
    {3000, 60000, 100},
    {40000, 100000, 500},
    {300, 60000, 0},
};
enum { MIXTURES = sizeof mixtures / sizeof *mixtures };

/* Makes disjoint pieces in a zone that add up to n bytes, and returns how many. They are in order and of one
 * length, or in any order and of any lengths or of one length, whose last may be shorter. */
static size_t make_pieces(
    struct bench *b, gasnet_memvec_t *list, unsigned char *base, size_t n, const struct mixture *m)
{
  const size_t kind = rng_below(&b->r, 3);
  size_t at = 0, count = 0, left = n, spare = ZONE - n;
  for (; left && count < MOST_PIECES - 1; count++) {
    size_t gap = rng_below(&b->r, m->gap + 1), len = 1 + rng_size(&b->r, m->most - 1);
    if (kind != 1) len = m->most;
    if (len > left) len = left;
    if (gap > spare) gap = spare;
    list[count].addr = base + at + gap;
    list[count].len = len;
    at += gap + len;
    spare -= gap;
    left -= len;
  }
  if (left) {
    list[count].addr = base + at;
    list[count++].len = left;
  }
  for (size_t i = count; kind && i > 1; i--) {
    const size_t k = rng_below(&b->r, i);
    const gasnet_memvec_t swap = list[i - 1];
    list[i - 1] = list[k];
    list[k] = swap;
  }
  return count;
}

/* Byte after byte, from one list to the other, at other base addresses. */
static void plain_copy(unsigned char *to_base, const unsigned char *to_origin, const gasnet_memvec_t *to,
    const unsigned char *from_base, const unsigned char *from_origin, const gasnet_memvec_t *from, size_t n)
{
  for (size_t t = 0, f = 0, i = 0, k = 0; n--; i++, k++) {
    while (i == to[t].len) t++, i = 0;
    while (k == from[f].len) f++, k = 0;
    to_base[(unsigned char *)to[t].addr - to_origin + i] = from_base[(unsigned char *)from[f].addr -
        from_origin + k];
  }
}

static void finish(gasnet_handle_t h, int call, int put)
{
  if (call == NB) gasnet_wait_syncnb(h);
  if (call != NBI) return;
  if (put) gasnet_wait_syncnbi_puts();
  else gasnet_wait_syncnbi_gets();
}

/* The zone and the local memory get fresh contents; `model` becomes a copy of the one that will change. */
static void prepare(struct bench *b, int put, unsigned char *there, gasnet_node_t node)
{
  const uint64_t key = rng_next(&b->r);
  pattern_fill(b->local, ZONE, key);
  pattern_fill(b->copy, ZONE, key + ZONE);
  memcpy(b->model, put ? b->copy : b->local, ZONE);
  gasnet_put_bulk(node, there, b->copy, ZONE);
}

static void compare(
    struct bench *b, int put, unsigned char *there, gasnet_node_t node, const char *what, size_t detail)
{
  const unsigned char *changed = b->local;
  size_t i = 0;
  if (put) {
    gasnet_get_bulk(b->copy, node, there, ZONE);
    changed = b->copy;
  }
  if (memcmp(changed, b->model, ZONE) == 0) return;
  while (changed[i] == b->model[i]) i++;
  CHECK(0, "%s %s, %zu: byte %zu of the zone is wrong", put ? "put" : "get", what, detail, i);
}

static void test_lists(struct bench *b, int put, int call, gasnet_node_t node)
{
  const struct mixture *far = &mixtures[rng_below(&b->r, MIXTURES)],
                       *near = &mixtures[rng_below(&b->r, MIXTURES)];
  const size_t n = rng_range(&b->r, 1, far->total < near->total ? far->total : near->total);
  unsigned char *there = zone(node, b->id);
  const size_t far_count = make_pieces(b, b->far, there, n, far),
               near_count = make_pieces(b, b->near, b->local, n, near);
  gasnet_handle_t h;
  prepare(b, put, there, node);
  if (put) plain_copy(b->model, there, b->far, b->local, b->local, b->near, n);
  else plain_copy(b->model, b->local, b->near, b->copy, there, b->far, n);
  h = put ? VIS_CALL(call, gasnet_putv, node, far_count, b->far, near_count, b->near)
          : VIS_CALL(call, gasnet_getv, near_count, b->near, node, far_count, b->far);
  spoil(b->far, far_count * sizeof *b->far);
  spoil(b->near, near_count * sizeof *b->near);
  send_something(b, node);
  finish(h, call, put);
  compare(b, put, there, node, "of lists, bytes", n);
}

/* ---- strided ---- */

struct block {
  size_t levels, count[4], far[3], near[3];
};

static size_t extent(const struct block *s, const size_t *strides)
{
  size_t e = s->count[0];
  for (size_t i = 0; i < s->levels; i++) e += (s->count[i + 1] - 1) * strides[i];
  return e;
}

static void random_strides(struct bench *b, const struct block *s, size_t *strides)
{
  const int dense = rng_below(&b->r, 4) == 0;
  for (size_t i = 0; i < s->levels; i++)
    strides[i] = (i ? s->count[i] * strides[i - 1] : s->count[0]) +
        (dense ? 0 : rng_below(&b->r, i ? 9 : 70));
}

static void random_block(struct bench *b, struct block *s)
{
  static const size_t rows[] = {1, 3, 8, 8, 24, 64, 100, 513, 2500, 4096, 17000};
  do {
    s->levels = rng_below(&b->r, 4);
    s->count[0] = rows[rng_below(&b->r, sizeof rows / sizeof *rows)];
    for (size_t i = 1; i <= s->levels; i++)
      s->count[i] = 1 + rng_size(&b->r, ZONE / s->count[0] / (i * i * i));
    random_strides(b, s, s->far);
    random_strides(b, s, s->near);
  } while (extent(s, s->far) > ZONE || extent(s, s->near) > ZONE);
}

static void plain_block(const struct block *s, unsigned char *to, const size_t *to_strides,
    const unsigned char *from, const size_t *from_strides)
{
  size_t at[3] = {0};
  for (;;) {
    size_t t = 0, f = 0, i;
    for (i = 0; i < s->levels; i++) t += at[i] * to_strides[i], f += at[i] * from_strides[i];
    memcpy(to + t, from + f, s->count[0]);
    for (i = 0; i < s->levels && ++at[i] == s->count[i + 1]; i++) at[i] = 0;
    if (i == s->levels) return;
  }
}

static void test_strided(struct bench *b, int put, int call, gasnet_node_t node)
{
  unsigned char *there = zone(node, b->id);
  struct block s;
  gasnet_handle_t h;
  random_block(b, &s);
  const size_t far = rng_below(&b->r, ZONE - extent(&s, s.far) + 1),
               near = rng_below(&b->r, ZONE - extent(&s, s.near) + 1);
  const size_t row = s.count[0];
  prepare(b, put, there, node);
  if (put) plain_block(&s, b->model + far, s.far, b->local + near, s.near);
  else plain_block(&s, b->model + near, s.near, b->copy + far, s.far);
  unsigned char *to = there + far, *by = b->local + near;
  h = put ? VIS_CALL(call, gasnet_puts, node, to, s.far, by, s.near, s.count, s.levels)
          : VIS_CALL(call, gasnet_gets, by, s.near, node, to, s.far, s.count, s.levels);
  spoil(&s, sizeof s);
  send_something(b, node);
  finish(h, call, put);
  compare(b, put, there, node, "of a block, row", row);
}

/* ---- many in flight ---- */

/* Get i fetches three elements of the zone, which depend on their places in it, to slot i. */
enum { ELEMENTS = 3 };
static size_t element(size_t i, size_t k) { return (i * 7919 + k * 104729) % (ZONE / 8); }

static void test_flight(int id)
{
  struct bench *b = &bench[id];
  const size_t count = FLIGHT / (size_t)test.threads;
  const gasnet_node_t node = peer_to(1);
  uint64_t *far = (uint64_t *)(void *)zone(node, id), *slot = (uint64_t *)calloc(count * ELEMENTS, 8);
  gasnet_handle_t *h = (gasnet_handle_t *)calloc(count, sizeof *h);
  size_t wrong = 0;
  REQUIRE(slot && h, "no memory for %zu gets", count);
  for (size_t i = 0; i < ZONE / 8; i++) ((uint64_t *)(void *)b->copy)[i] = test_mix(i + b->id);
  gasnet_put_bulk(node, far, b->copy, ZONE);
  for (size_t i = 0; i < count; i++) {
    void *from[ELEMENTS], *to[ELEMENTS];
    for (size_t k = 0; k < ELEMENTS; k++)
      from[k] = far + element(i, k), to[k] = slot + i * ELEMENTS + (k * 2) % ELEMENTS;
    if (i % 2) gasnet_geti_nbi_bulk(ELEMENTS, to, 8, node, ELEMENTS, from, 8);
    else h[i] = gasnet_geti_nb_bulk(ELEMENTS, to, 8, node, ELEMENTS, from, 8);
    if (i % 1000 == 0) send_something(b, node);
  }
  gasnet_wait_syncnbi_gets();
  gasnet_wait_syncnb_all(h, count);
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < ELEMENTS; k++)
      wrong += slot[i * ELEMENTS + (k * 2) % ELEMENTS] != test_mix(element(i, k) + (size_t)id);
  CHECK(wrong == 0, "%zu of %zu elements that were got in flight are wrong", wrong, count * ELEMENTS);
  free(slot);
  free(h);
}

/* ---- */

static void work(int id)
{
  struct bench *b = &bench[id];
  const size_t steps = test_scaled(240) / (size_t)test.threads + 1;
  rng_init(&b->r, test_key(80, test.me, (uint64_t)id));
  for (size_t step = 0; step < steps; step++) {
    const gasnet_node_t node = peer_to((gasnet_node_t)(step % 7 == 0 ? 0 : step % test.nodes));
    const int put = (int)(step % 2), call = (int)(step / 2 % CALLS);
    if (step / 6 % 2) test_lists(b, put, call, node);
    else test_strided(b, put, call, node);
  }
}

static void make_bench(int id)
{
  struct bench *b = &bench[id];
  b->id = id;
  b->local = (unsigned char *)malloc(ZONE);
  b->model = (unsigned char *)malloc(ZONE);
  b->copy = (unsigned char *)malloc(ZONE);
  b->far = (gasnet_memvec_t *)calloc(MOST_PIECES, sizeof *b->far);
  b->near = (gasnet_memvec_t *)calloc(MOST_PIECES, sizeof *b->near);
  REQUIRE(b->local && b->model && b->copy && b->far && b->near, "no memory");
}

int main(int argc, char **argv)
{
  gasnet_handlerentry_t table[] = {{H_ASK, (void (*)())ask}, {H_ANSWER, (void (*)())answer}};
  test_init("vis_remote", &argc, &argv);
  test_no_more_options(argc, argv);
  test_attach(table, 2, (size_t)test.nodes * (size_t)test.threads * ZONE);
  for (int id = 0; id < test.threads; id++) make_bench(id);
  test_barrier();
  test_threads(test.threads, work);
  test_barrier();
  test_threads(test.threads, test_flight);
  GASNET_BLOCKUNTIL(__atomic_load_n(&answered, __ATOMIC_ACQUIRE) == asked);
  test_finish();
}
