/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Random non-contiguous transfers against a model. Each client thread owns a stripe in every node's segment,
 * and local memory. No other writes there, so it knows both byte by byte. A batch of transfers is started and
 * synced; then all that memory is compared with the model: every byte around a destination is a guard. Every
 * case has its own random numbers: --only K runs case K. */
#ifndef TESTS_MULTI_VIS_MODEL_H
#define TESTS_MULTI_VIS_MODEL_H

#include "vis_call.h"
#include <gasnet_vis.h>

#define VIS_FLIGHT  128  /* cases under way at once */
#define VIS_ENTRIES 4096 /* of a list */
#define VIS_LEVELS  64
#define VIS_NOWHERE ((size_t)-1)
enum { VIS_H_COMPARE = 190, VIS_H_ANSWER };

static const char *const vis_how_name[] = {"bulk", "nb_bulk", "nbi_bulk"};

/* Memory that the cases of a batch share out among them. */
struct vis_zone {
  gasnet_node_t node;
  unsigned char *at, *model; /* where it is; what it must hold */
  size_t size, used;
};

/* One side of a transfer: its bytes in the model, in the order of the description. */
struct vis_bytes {
  unsigned char **p;
  size_t n, room;
};

/* Regions: v[i], or for the indexed forms at[i] with len bytes each. */
struct vis_list {
  size_t n, len;
  gasnet_memvec_t v[VIS_ENTRIES];
  void *at[VIS_ENTRIES];
};

struct vis_block {
  size_t levels, count[VIS_LEVELS + 1], dst[VIS_LEVELS], src[VIS_LEVELS];
};

struct vis_window { /* where a case writes */
  const struct vis_zone *zone;
  size_t from, to;
  uint64_t number;
  const char *what;
};

struct vis {
  int thread;
  uint64_t number;    /* of the case */
  const char *what;   /* its form */
  struct rng r, sync; /* of the case; of the batch */
  struct vis_zone source, sink,
      *far[2]; /* far: [nodes] each; puts go to one half, gets come from the other */
  int half;
  struct vis_bytes dst, src;
  struct vis_list dst_list, src_list;
  struct vis_window window[VIS_FLIGHT * 4];
  size_t windows, cases; /* of the batch */
  gasnet_handle_t handle[VIS_FLIGHT];
  size_t handles;
  unsigned region;                               /* implicit ones that the open access region still gets */
  unsigned asked, answers;                       /* by handlers */
  size_t order[VIS_ENTRIES], shift[VIS_ENTRIES]; /* of the pieces of a list */
  size_t *base;                                  /* [nodes] */
};

static struct vis *vis_of[TEST_MAX_THREADS]; /* handlers find the thread by its number */
static struct {
  size_t zone;
  uint64_t cases, only;
  int show;
} vis_option;

/* ---- the model ---- */

static void vis_push(struct vis_bytes *b, const struct vis_zone *z, const void *addr, size_t n)
{
  unsigned char *p = z->model + ((const unsigned char *)addr - z->at);
  REQUIRE(b->n + n <= b->room, "a case is too large for the test");
  for (size_t i = 0; i < n; i++) b->p[b->n++] = p + i;
}

UNUSED static void vis_push_list(struct vis_bytes *b, const struct vis_zone *z, const struct vis_list *l)
{
  for (size_t i = 0; i < l->n; i++)
    if (l->v[i].len) vis_push(b, z, l->v[i].addr, l->v[i].len);
}

/* Element after element, the innermost level fastest. */
UNUSED static void vis_push_block(struct vis_bytes *b, const struct vis_zone *z, unsigned char *addr,
    const struct vis_block *s, const size_t *strides)
{
  size_t at[VIS_LEVELS] = {0};
  for (;;) {
    size_t offset = 0, i;
    for (i = 0; i < s->levels; i++) offset += at[i] * strides[i];
    vis_push(b, z, addr + offset, s->count[0]);
    for (i = 0; i < s->levels && ++at[i] == s->count[i + 1]; i++) at[i] = 0;
    if (i == s->levels) return;
  }
}

/* What a transfer means: the n-th byte of one side goes to the n-th byte of the other. */
static void vis_apply(struct vis *m)
{
  REQUIRE(m->dst.n == m->src.n, "the test made a transfer of %zu bytes to %zu", m->src.n, m->dst.n);
  for (size_t i = 0; i < m->dst.n; i++) *m->dst.p[i] = *m->src.p[i];
  m->dst.n = m->src.n = 0;
}

/* ---- places ---- */

/* Half of all begin at a multiple of 8. A place is a multiple of 64 plus this, which the case's own numbers
 * say. */
static size_t vis_alignment(struct rng *r)
{
  return rng_below(r, 2) ? rng_below(r, 8) * 8 : rng_below(r, 64);
}

/* Room for a destination, for this case alone; VIS_NOWHERE when the batch has used the zone up. */
static size_t vis_take(struct vis *m, struct vis_zone *z, size_t n)
{
  size_t from = (z->used + 63) / 64 * 64 + vis_alignment(&m->r);
  if (from + n > z->size || m->windows == VIS_FLIGHT * 4) return VIS_NOWHERE;
  z->used = from + n;
  m->window[m->windows++] = (struct vis_window){z, from, from + n, m->number, m->what};
  return from;
}

/* A place to read from: sources may overlap. */
static size_t vis_look(struct vis *m, const struct vis_zone *z, size_t n)
{
  size_t from = rng_below(&m->r, z->size - n + 1);
  return rng_below(&m->r, 2) ? from / 8 * 8 : from;
}

static gasnet_node_t vis_node(struct vis *m) { return (gasnet_node_t)rng_below(&m->r, test.nodes); }
static struct vis_zone *vis_written(struct vis *m, gasnet_node_t node) { return &m->far[m->half][node]; }
static struct vis_zone *vis_read(struct vis *m, gasnet_node_t node) { return &m->far[!m->half][node]; }

static void *vis_nowhere(struct rng *r)
{
  static void *volatile places[] = {
      NULL, (void *)(uintptr_t)16, (void *)~(uintptr_t)0}; /* volatile: the compiler would warn */
  return places[rng_below(r, 3)];
}

/* ---- lists of regions ---- */

/* Cuts n bytes into pieces of very different lengths, some empty. */
UNUSED static void vis_cut(struct rng *r, struct vis_list *l, size_t n)
{
  size_t most = 2 * n < VIS_ENTRIES - 1 ? 2 * n : VIS_ENTRIES - 1, left = n;
  size_t mean = n / (1 + rng_size(r, most)) + 1;
  int even = rng_below(r, 3) == 0;
  l->n = 0;
  while (left > 0) {
    size_t len = even ? mean : rng_below(r, 2 * mean + 1);
    if (len > left || l->n == VIS_ENTRIES - 1) len = left;
    l->v[l->n++].len = len;
    left -= len;
  }
  if (rng_below(r, 4) == 0 && l->n < VIS_ENTRIES) l->v[l->n++].len = 0;
}

UNUSED static void vis_even(struct vis_list *l, size_t n, size_t len)
{
  l->n = n;
  l->len = len;
  for (size_t i = 0; i < n; i++) l->v[i].len = len;
}

/* The order in memory: as listed, backwards, or any. */
static void vis_order(struct vis *m, size_t n)
{
  unsigned kind = (unsigned)rng_below(&m->r, 4);
  for (size_t i = 0; i < n; i++) m->order[i] = kind == 1 ? n - 1 - i : i;
  if (kind != 2) return;
  for (size_t i = n; i > 1; i--) {
    size_t k = rng_below(&m->r, i), t = m->order[k];
    m->order[k] = m->order[i - 1];
    m->order[i - 1] = t;
  }
}

/* Lays the pieces out from 0 without overlap; returns what they take. */
static size_t vis_lay_out(struct vis *m, const struct vis_list *l, size_t size)
{
  size_t most = size / 8 / (l->n + 1), at = 0;
  size_t gap = rng_below(&m->r, 3) ? 0 : rng_below(&m->r, most < 64 ? most + 1 : 64);
  int same = (int)rng_below(&m->r, 2);
  vis_order(m, l->n);
  for (size_t i = 0; i < l->n; i++) {
    m->shift[m->order[i]] = at;
    at += l->v[m->order[i]].len + (same ? gap : rng_below(&m->r, gap + 1));
  }
  return at;
}

static void vis_settle(struct vis *m, struct vis_list *l, unsigned char *base)
{
  int garbage = rng_below(&m->r, 4) == 0;
  for (size_t i = 0; i < l->n; i++) {
    l->v[i].addr = garbage && l->v[i].len == 0 ? vis_nowhere(&m->r) : base + m->shift[i];
    l->at[i] = l->v[i].addr;
  }
}

/* Places pieces of known lengths. Returns 0 when the batch has no room. */
UNUSED static int vis_place_dst(struct vis *m, struct vis_zone *z, struct vis_list *l)
{
  size_t at = vis_take(m, z, vis_lay_out(m, l, z->size));
  if (at == VIS_NOWHERE) return 0;
  vis_settle(m, l, z->at + at);
  vis_push_list(&m->dst, z, l);
  return 1;
}

/* Places pieces anywhere in the zone, overlapping, or laid out like a destination. */
UNUSED static void vis_place_src(struct vis *m, struct vis_zone *z, struct vis_list *l)
{
  if (rng_below(&m->r, 2)) {
    for (size_t i = 0; i < l->n; i++) m->shift[i] = vis_look(m, z, l->v[i].len);
    vis_settle(m, l, z->at);
  } else {
    size_t n = vis_lay_out(m, l, z->size);
    vis_settle(m, l, z->at + vis_look(m, z, n));
  }
  vis_push_list(&m->src, z, l);
}

/* ---- strided descriptions ---- */

UNUSED static size_t vis_extent(const struct vis_block *s, const size_t *strides)
{
  size_t e = s->count[0];
  for (size_t i = 0; i < s->levels; i++) e += (s->count[i + 1] - 1) * strides[i];
  return e;
}

/* Rounds up to a multiple of 8 or, where lines collide in a cache's sets, of 1, 2 or 4 KB. */
static size_t vis_round(struct rng *r, size_t stride)
{
  size_t to = rng_below(r, 4) ? 8 : (size_t)1024 << rng_below(r, 3);
  return (stride + to - 1) / to * to;
}

/* The least legal strides, some with a gap. A stride may be far larger than the memory if neither it nor any
 * stride above it is used. */
static void vis_strides(const struct vis_block *s, size_t *strides, struct rng *r, unsigned gaps)
{
  size_t last = 0;
  for (size_t i = 0; i < s->levels; i++)
    if (s->count[i + 1] > 1) last = i + 1;
  for (size_t i = 0; i < s->levels; i++) {
    size_t least = i ? s->count[i] * strides[i - 1] : s->count[0], gap = 0;
    if (rng_below(r, 100) < gaps) gap = rng_below(r, i < 2 ? 40 : 9);
    if (i >= last && rng_below(r, 20) == 0) gap = (size_t)1 << 36;
    strides[i] = least + gap;
    if (rng_below(r, 4) == 0) strides[i] = vis_round(r, strides[i]);
  }
}

/* The least y > 1 whose n-th power is above x. */
static size_t vis_root(size_t x, size_t n)
{
  size_t y = 1, power = 1;
  do {
    y++;
    power = 1;
    for (size_t i = 0; i < n && power <= x; i++) power *= y;
  } while (power <= x);
  return y;
}

/* Counts whose product is at most `bytes`, of one order of magnitude, or one much larger than the others. Of
 * many levels few repeat. */
static void vis_counts(struct vis_block *s, struct rng *r, size_t bytes)
{
  static const size_t powers[] = {1, 2, 4, 8, 16, 32, 64, 128};
  s->count[0] = rng_below(r, 3) ? powers[rng_below(r, 8)]
      : rng_below(r, 2)         ? rng_range(r, 1, 90)
                                : 1 + rng_size(r, bytes);
  if (s->count[0] > bytes) s->count[0] = bytes;
  size_t left = bytes / s->count[0];
  for (size_t i = 1; i <= s->levels; i++) {
    size_t after = s->levels - i, most = rng_below(r, 8) ? vis_root(left, (after < 8 ? after : 3) + 1) : left;
    int repeats = s->levels <= 8 ? rng_below(r, 12) != 0 : rng_below(r, s->levels) < 6;
    s->count[i] = repeats && left > 1 ? rng_range(r, 1, most < left ? most : left) : 1;
    left /= s->count[i];
  }
}

static size_t vis_levels(struct rng *r)
{
  static const size_t levels[] = {0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 6, 7, 8, 20, VIS_LEVELS};
  return levels[rng_below(r, sizeof levels / sizeof *levels)];
}

/* A description of at most `bytes` whose extents are at most `extent` on both sides. */
UNUSED static void vis_random_block(
    struct vis_block *s, struct rng *r, size_t levels, size_t bytes, size_t extent)
{
  s->levels = levels;
  do {
    vis_counts(s, r, bytes);
    unsigned gaps = (unsigned)rng_below(r, 101);
    vis_strides(s, s->dst, r, rng_below(r, 3) ? gaps : 0);
    vis_strides(s, s->src, r, rng_below(r, 3) ? gaps : 0);
    bytes = bytes / 2 + 1; /* in case it does not fit */
  } while (vis_extent(s, s->dst) > extent || vis_extent(s, s->src) > extent);
}

/* ---- starting ---- */

/* 1 B to an eighth of the zone; the larger of two lengths whose orders of magnitude are equally likely. */
UNUSED static size_t vis_length(struct vis *m)
{
  size_t a = rng_size(&m->r, vis_option.zone / 8 - 1), b = rng_size(&m->r, vis_option.zone / 8 - 1);
  return 1 + (a > b ? a : b);
}

UNUSED static void vis_show(const struct vis *m, int put, int how, gasnet_node_t node)
{
  if (!vis_option.show) return;
  printf("node %u thread %d case %llu: %s%s %s, node %u, %zu bytes\n", (unsigned)test.me, m->thread,
      (unsigned long long)m->number, put ? "put" : "get", m->what, vis_how_name[how], (unsigned)node,
      m->dst.n);
  fflush(stdout);
}

/* Places both ends of a block: 0 when there is no room. */
UNUSED static int vis_place_block(struct vis *m, const struct vis_block *b, int put, gasnet_node_t node,
    unsigned char **dst, unsigned char **src)
{
  struct vis_zone *to = put ? vis_written(m, node) : &m->sink, *from = put ? &m->source : vis_read(m, node);
  size_t at = vis_take(m, to, vis_extent(b, b->dst));
  if (at == VIS_NOWHERE) return 0;
  *dst = to->at + at;
  *src = from->at + vis_look(m, from, vis_extent(b, b->src));
  vis_push_block(&m->dst, to, *dst, b, b->dst);
  vis_push_block(&m->src, from, *src, b, b->src);
  return 1;
}

/* Before a case that moves nothing. */
UNUSED static void vis_show_nothing(struct vis *m, int put, int how, gasnet_node_t node)
{
  m->what = "of nothing";
  m->dst_list.n = m->src_list.n = 0;
  vis_show(m, put, how, node);
}

/* Both sides have a * b * c * k bytes: c * k regions of a * b on one, b * k of a * c on the other. */
UNUSED static void vis_random_indexed(struct vis *m)
{
  size_t n = vis_length(m), a = 1 + rng_size(&m->r, n - 1), b = 1, c = 1, k;
  if (rng_below(&m->r, 2)) b = 1 + rng_below(&m->r, n / a < 12 ? n / a : 12);
  if (rng_below(&m->r, 2)) c = 1 + rng_below(&m->r, n / (a * b) < 12 ? n / (a * b) : 12);
  k = n / (a * b * c);
  if (k > VIS_ENTRIES / 12) k = VIS_ENTRIES / 12;
  vis_even(&m->dst_list, c * k, a * b);
  vis_even(&m->src_list, b * k, a * c);
}

/* The next call's form; in an access region only the implicit one. */
UNUSED static int vis_how(struct vis *m)
{
  int how = (int)rng_below(&m->r, 3);
  return m->region ? NBI : how;
}

static void vis_keep(struct vis *m, gasnet_handle_t h)
{
  if (h == GASNET_INVALID_HANDLE) return;
  REQUIRE(m->handles < VIS_FLIGHT, "too many handles");
  m->handle[m->handles++] = h;
}

static void vis_end_region(struct vis *m)
{
  m->region = 0;
  vis_keep(m, gasnet_end_nbi_accessregion());
}

/* A case has been started: the model changes. What described the case is spoilt: the library must not look at
 * it any more. */
UNUSED static void vis_started(struct vis *m, gasnet_handle_t h)
{
  vis_keep(m, h);
  vis_apply(m);
  spoil(m->dst_list.v, m->dst_list.n * sizeof *m->dst_list.v);
  spoil(m->dst_list.at, m->dst_list.n * sizeof *m->dst_list.at);
  spoil(m->src_list.v, m->src_list.n * sizeof *m->src_list.v);
  spoil(m->src_list.at, m->src_list.n * sizeof *m->src_list.at);
}

/* ---- comparing ---- */

static size_t vis_stripe(gasnet_node_t owner, int thread)
{
  return ((size_t)owner * (size_t)test.threads + (size_t)thread) * 2 * vis_option.zone;
}

/* All stripes, then the local memory of each thread, which odd nodes keep in their segment. */
static size_t vis_segment(void)
{
  return vis_stripe(test.nodes, 0) + (size_t)test.threads * 2 * vis_option.zone;
}

static void __attribute__((cold))
vis_differs(struct vis *m, const char *where, gasnet_node_t node, const struct vis_zone *z, size_t at)
{
  uint64_t number = 0;
  const char *what = "no case's";
  for (size_t i = 0; i < m->windows; i++) {
    const struct vis_window *w = &m->window[i];
    if (w->zone == z && (number == 0 || at >= w->from)) {
      number = w->number;
      what = w->what;
    }
  }
  CHECK(0, "%s of thread %d at node %u differs at byte %zu: near case %llu (%s); try --only %llu --show 1",
      where, m->thread, (unsigned)node, at, (unsigned long long)number, what, (unsigned long long)number);
}

static void vis_compare(struct vis *m, const char *where, const struct vis_zone *z, const unsigned char *here)
{
  if (!memcmp(here, z->model, z->size)) return;
  size_t i = 0;
  while (here[i] == z->model[i]) i++;
  vis_differs(m, where, z->node, z, i);
}

/* Compares a part of the owner's model with its stripe here. */
static void vis_on_compare(
    gasnet_token_t t, void *buf, size_t n, gasnet_handlerarg_t thread, gasnet_handlerarg_t at)
{
  gasnet_node_t owner = 0;
  REQUIRE_OK(gasnet_AMGetMsgSource(t, &owner));
  const char *here = seg_at(test.me, vis_stripe(owner, thread) + (size_t)at), *want = (const char *)buf;
  size_t i = memcmp(here, want, n) ? 0 : n;
  while (i < n && here[i] == want[i]) i++;
  REQUIRE_OK(gasnet_AMReplyShort2(t, VIS_H_ANSWER, thread, i < n ? at + (gasnet_handlerarg_t)i : -1));
}

static void vis_on_answer(gasnet_token_t t, gasnet_handlerarg_t thread, gasnet_handlerarg_t bad)
{
  gasnet_node_t node = 0;
  struct vis *m = vis_of[thread];
  REQUIRE_OK(gasnet_AMGetMsgSource(t, &node));
  if (bad >= 0) {
    size_t half = (size_t)bad / vis_option.zone;
    vis_differs(m, "the stripe", node, &m->far[half][node], (size_t)bad % vis_option.zone);
  }
  __atomic_fetch_add(&m->answers, 1, __ATOMIC_RELEASE);
}

static int vis_answered(struct vis *m) { return __atomic_load_n(&m->answers, __ATOMIC_ACQUIRE) == m->asked; }

/* The node where the stripe lies compares it. */
static void vis_ask(struct vis *m, gasnet_node_t node)
{
  size_t most = gasnet_AMMaxMedium() < 32768 ? gasnet_AMMaxMedium() : 32768, n;
  for (size_t at = 0; at < 2 * vis_option.zone; at += n) {
    n = 2 * vis_option.zone - at < most ? 2 * vis_option.zone - at : most;
    REQUIRE_OK(gasnet_AMRequestMedium2(
        node, VIS_H_COMPARE, m->far[0][node].model + at, n, m->thread, (gasnet_handlerarg_t)at));
    m->asked++;
  }
}

/* Compares directly where the stripe is shared memory: a message would wait behind data that should have
 * arrived before the sync. */
static void vis_compare_all(struct vis *m, int ask)
{
  vis_compare(m, "the source memory", &m->source, m->source.at);
  vis_compare(m, "the memory of gets", &m->sink, m->sink.at);
  for (gasnet_node_t i = 0; i < test.nodes; i++) {
    const unsigned char *here = (unsigned char *)direct_at(i, m->far[0][i].at);
    if (here)
      for (int h = 0; h < 2; h++)
        vis_compare(m, "the stripe", &m->far[h][i], here + (size_t)h * vis_option.zone);
    if (!here || ask) vis_ask(m, i);
  }
  GASNET_BLOCKUNTIL(vis_answered(m));
}

/* ---- batches ---- */

static void vis_sync(struct vis *m)
{
  if (m->region) vis_end_region(m);
  switch (rng_below(&m->sync, 3)) {
  case 0: gasnet_wait_syncnb_all(m->handle, m->handles); break;
  case 1:
    while (gasnet_try_syncnb_all(m->handle, m->handles) != GASNET_OK) test_yield();
    break;
  default:
    for (size_t i = m->handles; i-- > 0;) gasnet_wait_syncnb(m->handle[i]);
  }
  m->handles = 0;
  if (rng_below(&m->sync, 2)) {
    gasnet_wait_syncnbi_puts();
    gasnet_wait_syncnbi_gets();
  } else gasnet_wait_syncnbi_all();
}

static void vis_batch_begin(struct vis *m)
{
  m->half = !m->half;
  m->windows = m->cases = 0;
  m->source.used = m->sink.used = 0;
  for (gasnet_node_t i = 0; i < test.nodes; i++) m->far[0][i].used = m->far[1][i].used = 0;
  pattern_fill(m->source.at, m->source.size, rng_next(&m->sync));
  memcpy(m->source.model, m->source.at, m->source.size);
}

static void vis_batch_end(struct vis *m)
{
  vis_sync(m);
  vis_compare_all(m, rng_below(&m->sync, 16) == 0);
}

/* Starts a case. Returns 0, with nothing started, when the batch has no room for it. */
typedef int (*vis_case_fn)(struct vis *m);

static int vis_try(struct vis *m, vis_case_fn one)
{
  if (m->cases == VIS_FLIGHT - 1) return 0;
  rng_init(&m->r, test_key(60 + (uint64_t)m->thread, test.me, m->number));
  if (!m->region && rng_below(&m->sync, 24) == 0) {
    gasnet_begin_nbi_accessregion();
    m->region = 1 + (unsigned)rng_below(&m->sync, 12);
  }
  if (!one(m)) {
    m->dst.n = m->src.n = 0;
    return 0;
  }
  m->cases++;
  if (m->region == 1) vis_end_region(m);
  else if (m->region) m->region--;
  return 1;
}

static void vis_run_case(struct vis *m, vis_case_fn one)
{
  while (!vis_try(m, one)) {
    REQUIRE(m->cases > 0, "case %llu (%s) is too large for the test", (unsigned long long)m->number, m->what);
    vis_batch_end(m);
    vis_batch_begin(m);
  }
}

/* A wrong stripe would be found again and again. */
static int vis_failed(void) { return __atomic_load_n(&test.failures, __ATOMIC_RELAXED) != 0; }

/* The next case of a client thread's share. */
UNUSED static int vis_next(struct vis *m)
{
  const uint64_t clients = (uint64_t)test.nodes * (uint64_t)test.threads,
                 share = (vis_option.cases + clients - 1) / clients;
  do m->number++;
  while (vis_option.only && vis_option.only != m->number && m->number <= share);
  return m->number <= share && !vis_failed();
}

/* Runs the share of a client thread. */
UNUSED static void vis_run(struct vis *m, vis_case_fn one)
{
  vis_batch_begin(m);
  while (vis_next(m)) vis_run_case(m, one);
  if (vis_failed()) return;
  vis_sync(m);
  vis_compare_all(m, 1);
}

/* ---- start ---- */

static unsigned char *vis_memory(size_t n)
{
  unsigned char *p = (unsigned char *)malloc(n);
  REQUIRE(p, "no memory for %zu bytes", n);
  return p;
}

static void vis_zone_open(struct vis_zone *z, gasnet_node_t node, void *at, unsigned char *model)
{
  *z = (struct vis_zone){node, (unsigned char *)at, model, vis_option.zone, 0};
}

static void vis_open_far(struct vis *m, gasnet_node_t node)
{
  unsigned char *model = vis_memory(2 * vis_option.zone);
  pattern_fill(model, 2 * vis_option.zone, test_key(50 + test.me, node, (uint64_t)m->thread));
  for (size_t h = 0; h < 2; h++)
    vis_zone_open(&m->far[h][node], node, seg_at(node, vis_stripe(test.me, m->thread) + h * vis_option.zone),
        model + h * vis_option.zone);
}

static struct vis *vis_new(int thread)
{
  size_t zone = vis_option.zone;
  struct vis *m = (struct vis *)calloc(1, sizeof *m);
  REQUIRE(m, "no memory");
  m->thread = thread;
  m->what = "none";
  rng_init(&m->sync, test_key(59, test.me, (uint64_t)thread));
  unsigned char *near = test.me % 2
      ? (unsigned char *)seg_at(test.me, vis_stripe(test.nodes, 0) + (size_t)thread * 2 * zone)
      : vis_memory(2 * zone);
  unsigned char *model = vis_memory(2 * zone);
  pattern_fill(near, 2 * zone, test_key(58, test.me, (uint64_t)thread));
  memcpy(model, near, 2 * zone);
  vis_zone_open(&m->source, test.me, near, model);
  vis_zone_open(&m->sink, test.me, near + zone, model + zone);
  for (int h = 0; h < 2; h++) m->far[h] = (struct vis_zone *)calloc(test.nodes, sizeof **m->far);
  REQUIRE(m->far[0] && m->far[1], "no memory");
  for (gasnet_node_t i = 0; i < test.nodes; i++) vis_open_far(m, i);
  m->base = (size_t *)vis_memory(test.nodes * sizeof *m->base);
  m->dst.room = m->src.room = zone;
  m->dst.p = (unsigned char **)vis_memory(zone * sizeof *m->dst.p);
  m->src.p = (unsigned char **)vis_memory(zone * sizeof *m->src.p);
  return m;
}

/* --cases N (of all clients, times the scale), --only K, --zone BYTES, --show 1. */
static void vis_options(int *argc, char **argv, uint64_t cases, size_t zone)
{
  const char *n = test_option(argc, argv, "--cases"), *only = test_option(argc, argv, "--only");
  const char *size = test_option(argc, argv, "--zone"), *show = test_option(argc, argv, "--show");
  vis_option.cases = (uint64_t)test_scaled(n ? strtod(n, NULL) : (double)cases);
  vis_option.only = only ? strtoull(only, NULL, 0) : 0;
  vis_option.zone = size ? strtoull(size, NULL, 0) : zone;
  vis_option.show = show && atoi(show);
}

/* Starts the job, with `more` bytes behind the stripes for each node of the job, fills all stripes here, and
 * makes the models. */
UNUSED static void vis_start(
    const char *name, int *argc, char ***argv, uint64_t cases, size_t zone, size_t more)
{
  gasnet_handlerentry_t table[] = {
      {VIS_H_COMPARE, (void (*)())vis_on_compare}, {VIS_H_ANSWER, (void (*)())vis_on_answer}};
  test_init(name, argc, argv);
  vis_options(argc, *argv, cases, zone);
  test_no_more_options(*argc, *argv);
  test_attach(table, 2, vis_segment() + test.nodes * more);
  for (gasnet_node_t i = 0; i < test.nodes; i++)
    for (int t = 0; t < test.threads; t++)
      pattern_fill(
          seg_at(test.me, vis_stripe(i, t)), 2 * vis_option.zone, test_key(50 + i, test.me, (uint64_t)t));
  for (int t = 0; t < test.threads; t++) vis_of[t] = vis_new(t);
  direct_at(test.me, NULL); /* makes its table before there are threads */
  test_barrier();
}

#endif
