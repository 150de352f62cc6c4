/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Random operations of one client thread on all segments, checked against a model of what the memory must
 * hold. Each thread of each node owns a slice of each segment. No other writes it, so its owner knows it byte
 * by byte. At the end the node where the slice lies compares it with the owner's model. */
#ifndef TESTS_MULTI_MODEL_H
#define TESTS_MULTI_MODEL_H

#include "common.h"
#include <gasnet_vis.h>

#define MODEL_SLICE     ((size_t)16384) /* bytes of one thread in one segment, guards included */
#define MODEL_IN_FLIGHT 8
enum { MODEL_H_SHORT = 180, MODEL_H_MEDIUM, MODEL_H_LONG, MODEL_H_ANSWER, MODEL_H_PART };

struct model_flight { /* one operation under way */
  gasnet_handle_t handle;
  int implicit;
  unsigned char *check; /* a get's destination */
  size_t n, from;       /* its bytes and where in the slice they lie */
  gasnet_node_t node;
  unsigned char *buffer; /* local side: free when synced */
};

struct model {
  int thread;
  size_t slice_at;      /* in every segment */
  unsigned char **copy; /* by node: what the slice there must hold */
  struct rng r;
  struct model_flight flight[MODEL_IN_FLIGHT];
  unsigned char *buffers; /* MODEL_IN_FLIGHT of MODEL_SLICE + guards */
  unsigned asked;
  unsigned answers; /* counted by handlers */
  uint64_t operations;
};
static struct model *model_of[TEST_MAX_THREADS]; /* handlers find the thread by its number */
static int model_threads;

static size_t model_slice(gasnet_node_t node, int thread)
{
  return ((size_t)node * (size_t)model_threads + (size_t)thread) * MODEL_SLICE;
}
static size_t model_segment(void) { return (size_t)test.nodes * (size_t)model_threads * MODEL_SLICE; }
static size_t model_usable(void) { return MODEL_SLICE - 2 * TEST_GUARD; }

/* ---- handlers: answer with what came, so that the asker can compare ---- */

static void model_short(
    gasnet_token_t t, gasnet_handlerarg_t thread, gasnet_handlerarg_t x, gasnet_handlerarg_t y)
{
  REQUIRE_OK(gasnet_AMReplyShort3(t, MODEL_H_ANSWER, thread, x + 1, y));
}

static void model_medium(
    gasnet_token_t t, void *buf, size_t n, gasnet_handlerarg_t thread, gasnet_handlerarg_t key)
{
  CHECK_PATTERN(buf, n, (uint32_t)key, "medium in a mix of operations");
  REQUIRE_OK(gasnet_AMReplyShort3(t, MODEL_H_ANSWER, thread, key + 1, key));
}

static void model_long(
    gasnet_token_t t, void *buf, size_t n, gasnet_handlerarg_t thread, gasnet_handlerarg_t key)
{
  CHECK_PATTERN(buf, n, (uint32_t)key, "long in a mix of operations");
  REQUIRE_OK(gasnet_AMReplyShort3(t, MODEL_H_ANSWER, thread, key + 1, key));
}

static void model_answer(
    gasnet_token_t t, gasnet_handlerarg_t thread, gasnet_handlerarg_t x, gasnet_handlerarg_t y)
{
  (void)t;
  CHECK((uint32_t)x == (uint32_t)y + 1u, "answer %d to %d", (int)x, (int)y);
  struct model *m = thread >= 0 && thread < TEST_MAX_THREADS ? model_of[thread] : NULL;
  REQUIRE(m, "answer to thread %d", (int)thread);
  __atomic_fetch_add(&m->answers, 1, __ATOMIC_RELEASE);
}

/* Compares a part of an owner's model with its slice here. */
static void model_part(
    gasnet_token_t t, void *buf, size_t n, gasnet_handlerarg_t thread, gasnet_handlerarg_t at)
{
  gasnet_node_t owner = 0;
  gasnet_AMGetMsgSource(t, &owner);
  char *here = seg_at(test.me, model_slice(owner, thread) + (size_t)at);
  if (memcmp(here, buf, n)) {
    size_t i = 0;
    while (here[i] == ((char *)buf)[i]) i++;
    CHECK(0, "memory of node %u's thread %d differs at byte %zu from what it wrote", (unsigned)owner,
        (int)thread, (size_t)at + i);
  }
  REQUIRE_OK(gasnet_AMReplyShort3(t, MODEL_H_ANSWER, thread, 1, 0));
}

/* clang-format off */
#define MODEL_HANDLERS                                                                 \
  {MODEL_H_SHORT, (void (*)())model_short}, {MODEL_H_MEDIUM, (void (*)())model_medium}, \
  {MODEL_H_LONG, (void (*)())model_long}, {MODEL_H_ANSWER, (void (*)())model_answer},   \
  {MODEL_H_PART, (void (*)())model_part}
/* clang-format on */

/* ---- one operation ---- */

/* Whether an operation under way uses bytes of a slice: these must be left alone until its sync. */
static int model_busy(const struct model *m, gasnet_node_t node, size_t from, size_t n)
{
  for (int i = 0; i < MODEL_IN_FLIGHT; i++) {
    const struct model_flight *f = &m->flight[i];
    if (f->n && f->node == node && from < f->from + f->n && f->from < from + n) return 1;
  }
  return 0;
}

static void model_landed(struct model *m, struct model_flight *f)
{
  if (f->check) {
    size_t bad = 0;
    const unsigned char *want = m->copy[f->node] + f->from;
    while (bad < f->n && f->check[bad] == want[bad]) bad++;
    CHECK(bad == f->n, "get of %zu bytes at %zu of the slice at node %u: byte %zu is wrong", f->n, f->from,
        (unsigned)f->node, bad);
    CHECK_GUARDS(f->check, f->n, "get in a mix of operations");
  }
  f->n = 0;
}

static void model_sync(struct model *m)
{
  gasnet_handle_t h[MODEL_IN_FLIGHT];
  for (int i = 0; i < MODEL_IN_FLIGHT; i++)
    h[i] = m->flight[i].n && !m->flight[i].implicit ? m->flight[i].handle : GASNET_INVALID_HANDLE;
  if (rng_below(&m->r, 2)) gasnet_wait_syncnb_all(h, MODEL_IN_FLIGHT);
  else
    for (int i = MODEL_IN_FLIGHT; i-- > 0;)
      while (gasnet_try_syncnb(h[i]) == GASNET_ERR_NOT_READY) test_yield();
  if (rng_below(&m->r, 2)) gasnet_wait_syncnbi_all();
  else {
    gasnet_wait_syncnbi_puts();
    gasnet_wait_syncnbi_gets();
  }
  for (int i = 0; i < MODEL_IN_FLIGHT; i++)
    if (m->flight[i].n) model_landed(m, &m->flight[i]);
}

/* The place and the buffer of a new operation, or NULL when all are in use. */
static struct model_flight *model_place(struct model *m, size_t n)
{
  gasnet_node_t node = (gasnet_node_t)rng_below(&m->r, test.nodes);
  size_t from = TEST_GUARD + rng_below(&m->r, model_usable() - n + 1);
  if (model_busy(m, node, from, n)) return NULL;
  for (int i = 0; i < MODEL_IN_FLIGHT; i++) {
    struct model_flight *f = &m->flight[i];
    if (f->n) continue;
    *f = (struct model_flight){.buffer = m->buffers + (size_t)i * (MODEL_SLICE + 2 * TEST_GUARD) + TEST_GUARD,
        .node = node,
        .from = from,
        .handle = GASNET_INVALID_HANDLE,
        .n = n};
    return f;
  }
  return NULL;
}

static unsigned char *model_far(const struct model *m, const struct model_flight *f)
{
  return (unsigned char *)seg_at(f->node, m->slice_at + f->from);
}

static void model_put(struct model *m, struct model_flight *f)
{
  unsigned char *dst = model_far(m, f);
  unsigned form = (unsigned)rng_below(&m->r, 6);
  pattern_fill(f->buffer, f->n, rng_next(&m->r));
  memcpy(m->copy[f->node] + f->from, f->buffer, f->n);
  int aligned = f->n <= 8 && (f->n & (f->n - 1)) == 0 &&
      f->from % f->n == 0; /* what the non-bulk forms ask for */
  if (aligned && form >= 3) {
    gasnet_register_value_t v = 0;
    memcpy(&v, f->buffer, f->n);
    if (form == 3) gasnet_put_val(f->node, dst, v, f->n);
    else if (form == 4) f->handle = gasnet_put_nb_val(f->node, dst, v, f->n);
    else {
      gasnet_put_nbi_val(f->node, dst, v, f->n);
      f->implicit = 1;
    }
    if (form == 3) f->n = 0;
  } else if (form % 3 == 0) {
    gasnet_put_bulk(f->node, dst, f->buffer, f->n);
    f->n = 0;
  } else if (form % 3 == 1) {
    f->handle = aligned ? gasnet_put_nb(f->node, dst, f->buffer, f->n)
                        : gasnet_put_nb_bulk(f->node, dst, f->buffer, f->n);
  } else {
    if (aligned) gasnet_put_nbi(f->node, dst, f->buffer, f->n);
    else gasnet_put_nbi_bulk(f->node, dst, f->buffer, f->n);
    f->implicit = 1;
  }
}

static void model_get(struct model *m, struct model_flight *f)
{
  unsigned char *src = model_far(m, f);
  guard_open(f->buffer, f->n);
  f->check = f->buffer;
  switch (rng_below(&m->r, 3)) {
  case 0:
    gasnet_get_bulk(f->buffer, f->node, src, f->n);
    model_landed(m, f);
    break;
  case 1: f->handle = gasnet_get_nb_bulk(f->buffer, f->node, src, f->n); break;
  default: gasnet_get_nbi_bulk(f->buffer, f->node, src, f->n); f->implicit = 1;
  }
}

static void model_memset(struct model *m, struct model_flight *f)
{
  int byte = (int)rng_below(&m->r, 256);
  memset(m->copy[f->node] + f->from, byte, f->n);
  switch (rng_below(&m->r, 3)) {
  case 0:
    gasnet_memset(f->node, model_far(m, f), byte, f->n);
    f->n = 0;
    break;
  case 1: f->handle = gasnet_memset_nb(f->node, model_far(m, f), byte, f->n); break;
  default: gasnet_memset_nbi(f->node, model_far(m, f), byte, f->n); f->implicit = 1;
  }
}

/* Rows of a rectangle; the local side is as wide as the place. */
static void model_strided(struct model *m, struct model_flight *f, int put)
{
  size_t row = 1 + rng_below(&m->r, 24), pitch = row + rng_below(&m->r, 17), rows = f->n / pitch;
  if (rows == 0) {
    f->n = 0;
    return;
  }
  size_t count[2] = {row, rows}, stride[1] = {pitch};
  unsigned char *far = model_far(m, f), *want = m->copy[f->node] + f->from;
  if (put) {
    pattern_fill(f->buffer, f->n, rng_next(&m->r));
    for (size_t i = 0; i < rows; i++) memcpy(want + i * pitch, f->buffer + i * pitch, row);
    if (rng_below(&m->r, 2))
      f->handle = gasnet_puts_nb_bulk(f->node, far, stride, f->buffer, stride, count, 1);
    else {
      gasnet_puts_nbi_bulk(f->node, far, stride, f->buffer, stride, count, 1);
      f->implicit = 1;
    }
    return;
  }
  guard_open(f->buffer, f->n);
  gasnet_gets_bulk(f->buffer, stride, f->node, far, stride, count, 1);
  for (size_t i = 0; i < rows; i++) {
    CHECK(!memcmp(f->buffer + i * pitch, want + i * pitch, row), "strided get: row %zu of %zu is wrong", i,
        rows);
    if (i + 1 < rows)
      CHECK(bytes_bad(f->buffer + i * pitch + row, pitch - row, TEST_UNTOUCHED) == pitch - row,
          "strided get wrote between its rows");
  }
  f->n = 0;
}

static void model_message(struct model *m)
{
  gasnet_node_t to = (gasnet_node_t)rng_below(&m->r, test.nodes);
  gasnet_handlerarg_t key = (gasnet_handlerarg_t)(rng_next(&m->r) >> 33);
  unsigned char data[2048];
  size_t n = rng_size(&m->r, gasnet_AMMaxMedium() < sizeof data ? gasnet_AMMaxMedium() : sizeof data);
  switch (rng_below(&m->r, 3)) {
  case 0: REQUIRE_OK(gasnet_AMRequestShort3(to, MODEL_H_SHORT, m->thread, key, key)); break;
  case 1:
    pattern_fill(data, n, (uint32_t)key);
    REQUIRE_OK(gasnet_AMRequestMedium2(to, MODEL_H_MEDIUM, data, n, m->thread, key));
    break;
  default: {
    struct model_flight *f = model_place(m, 1 + n / 2);
    if (!f) return;
    pattern_fill(m->copy[f->node] + f->from, f->n, (uint32_t)key);
    REQUIRE_OK(gasnet_AMRequestLong2(
        f->node, MODEL_H_LONG, m->copy[f->node] + f->from, f->n, model_far(m, f), m->thread, key));
    m->asked++; /* the place may be used again only when the message has been handled */
    GASNET_BLOCKUNTIL(__atomic_load_n(&m->answers, __ATOMIC_ACQUIRE) == m->asked);
    f->n = 0;
    return;
  }
  }
  m->asked++;
  if (m->asked - __atomic_load_n(&m->answers, __ATOMIC_ACQUIRE) > 64)
    GASNET_BLOCKUNTIL(m->asked - __atomic_load_n(&m->answers, __ATOMIC_ACQUIRE) < 16);
}

static void model_region(struct model *m)
{
  struct model_flight *f[3];
  size_t k = 0;
  for (; k < 3; k++)
    if (!(f[k] = model_place(m, 1 + rng_size(&m->r, 2000)))) break;
  if (!k) return;
  gasnet_begin_nbi_accessregion();
  for (size_t i = 0; i < k; i++) {
    pattern_fill(f[i]->buffer, f[i]->n, rng_next(&m->r));
    memcpy(m->copy[f[i]->node] + f[i]->from, f[i]->buffer, f[i]->n);
    gasnet_put_nbi_bulk(f[i]->node, model_far(m, f[i]), f[i]->buffer, f[i]->n);
  }
  gasnet_wait_syncnb(gasnet_end_nbi_accessregion());
  for (size_t i = 0; i < k; i++) f[i]->n = 0;
}

static void model_step(struct model *m)
{
  unsigned what = (unsigned)rng_below(&m->r, 100);
  size_t n = 1 + rng_size(&m->r, model_usable() / 2 - 1);
  struct model_flight *f = NULL;
  m->operations++;
  if (what < 25) {
    model_message(m);
    return;
  }
  if (what < 30) {
    model_region(m);
    return;
  }
  if (what < 40 || !(f = model_place(m, n))) {
    model_sync(m);
    return;
  }
  if (what < 62) model_put(m, f);
  else if (what < 80) model_get(m, f);
  else if (what < 86) model_memset(m, f);
  else model_strided(m, f, (int)(what & 1));
}

/* ---- start and end, by the thread itself ---- */

static struct model *model_new(int thread)
{
  struct model *m = (struct model *)calloc(1, sizeof *m);
  REQUIRE(m, "no memory");
  m->thread = thread;
  m->slice_at = model_slice(test.me, thread);
  rng_init(&m->r, test_key(40, test.me, (uint64_t)thread));
  m->copy = (unsigned char **)calloc(test.nodes, sizeof *m->copy);
  m->buffers = (unsigned char *)malloc(MODEL_IN_FLIGHT * (MODEL_SLICE + 2 * TEST_GUARD));
  REQUIRE(m->copy && m->buffers, "no memory");
  for (gasnet_node_t i = 0; i < test.nodes; i++) {
    m->copy[i] = (unsigned char *)malloc(MODEL_SLICE);
    REQUIRE(m->copy[i], "no memory");
    memset(m->copy[i], TEST_UNTOUCHED, MODEL_SLICE);
  }
  return m;
}

/* Fills all slices here, before the others may start. */
static void model_prepare(void)
{
  memset(test.seg[test.me].addr, TEST_UNTOUCHED, model_segment());
  for (int i = 0; i < model_threads; i++) model_of[i] = model_new(i);
}

/* Tells each node what its memory must hold. */
static void model_compare(struct model *m)
{
  size_t part = gasnet_AMMaxMedium() < 4096 ? gasnet_AMMaxMedium() : 4096;
  model_sync(m);
  GASNET_BLOCKUNTIL(__atomic_load_n(&m->answers, __ATOMIC_ACQUIRE) == m->asked);
  for (gasnet_node_t i = 0; i < test.nodes; i++)
    for (size_t at = 0; at < MODEL_SLICE; at += part) {
      size_t n = MODEL_SLICE - at < part ? MODEL_SLICE - at : part;
      REQUIRE_OK(
          gasnet_AMRequestMedium2(i, MODEL_H_PART, m->copy[i] + at, n, m->thread, (gasnet_handlerarg_t)at));
      m->asked++;
    }
  GASNET_BLOCKUNTIL(__atomic_load_n(&m->answers, __ATOMIC_ACQUIRE) == m->asked);
}

#endif
