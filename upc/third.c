/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "upc/third.h"

#include <stdlib.h>

/* ROOM: bytes of a buffer. ACTIVE: so many transfers have one, the others wait for their turn. */
enum { ROOM = 256 << 10, REGIONS = 1024, ACTIVE = 64 };

/* A place in a side. */
struct cursor {
  struct pst_upc_side side;
  size_t region, within; /* bytes of the region that are passed */
  size_t *index;         /* [dims] of elements */
};

struct pst_upc_third {
  struct cursor dst, src;
  size_t left;       /* bytes that no get has begun for */
  size_t piece, put; /* bytes in the buffer, and how many of them puts have begun for */
  enum { WAITING, GETTING, PUTTING, DONE } phase;
  gasnet_handle_t handle;
  char *room;
  struct pst_upc_third *next, **self; /* among those that are active, or that wait */
};

/* A step of one transfer takes all active ones further, so turns do not depend on the order of
 * synchronisation. */
static struct pst_upc_third *active, *waiting, **waiting_end = &waiting;
static unsigned actives;
static gasnetx_memvec_t regions[REGIONS]; /* for one call, which has read them when it returns */

struct pst_upc_side pst_upc_side_block(upc_const_pts_t p, size_t n)
{
  return (struct pst_upc_side){.base = p, .len = n};
}

/* ---- cursors ---- */

static int cursor_open(struct cursor *c, const struct pst_upc_side *side)
{
  *c = (struct cursor){.side = *side};
  if (side->dims == 0) return 0;
  if (!side->count) {
    c->side.count = &c->side.own_count;
    c->side.strides = &c->side.own_stride;
  }
  c->index = calloc(side->dims, sizeof *c->index);
  return c->index ? 0 : -1;
}

static upc_smemvec_t cursor_region(const struct cursor *c)
{
  const struct pst_upc_side *s = &c->side;
  upc_pts_t p = s->base;
  if (s->vector) return s->vector[c->region];
  if (s->list) return (upc_smemvec_t){s->list[c->region], s->len};
  for (size_t i = 0; i < s->dims; i++) p.address += c->index[i] * (uint64_t)s->strides[i];
  return (upc_smemvec_t){p, s->len};
}

static void cursor_next(struct cursor *c)
{
  c->within = 0;
  c->region++;
  for (size_t i = 0; i < c->side.dims; i++) {
    if (++c->index[i] < c->side.count[i]) return;
    c->index[i] = 0;
  }
}

/* Moves at most `most` bytes, in at most REGIONS pieces, into `regions`. Returns the bytes. */
static size_t cursor_cut(struct cursor *c, size_t most, size_t *pieces)
{
  size_t bytes = 0, n = 0;
  while (bytes < most && n < REGIONS) {
    const upc_smemvec_t r = cursor_region(c);
    size_t part = r.len - c->within;
    if (part > most - bytes) part = most - bytes;
    if (part)
      regions[n++] = (gasnetx_memvec_t){r.addr.thread, (char *)pst_upc_address(r.addr) + c->within, part};
    bytes += part;
    c->within += part;
    if (c->within == r.len) cursor_next(c);
  }
  *pieces = n;
  return bytes;
}

/* ---- steps ---- */

static void third_get(struct pst_upc_third *t)
{
  gasnet_memvec_t room = {t->room, 0};
  size_t n;
  t->piece = cursor_cut(&t->src, t->left < ROOM ? t->left : ROOM, &n);
  t->left -= t->piece;
  t->put = 0;
  room.len = t->piece;
  t->phase = GETTING;
  t->handle = gasnetx_getv_multi_nb_bulk(1, &room, n, regions);
}

/* Where the destination has more regions than fit, the piece goes in several puts, one after the other. */
static void third_put(struct pst_upc_third *t)
{
  gasnet_memvec_t room = {t->room + t->put, 0};
  size_t n;
  room.len = cursor_cut(&t->dst, t->piece - t->put, &n);
  t->put += room.len;
  t->phase = PUTTING;
  t->handle = gasnetx_putv_multi_nb_bulk(n, regions, 1, &room);
}

static void third_unlink(struct pst_upc_third *t)
{
  *t->self = t->next;
  if (t->next) t->next->self = t->self;
  else if (waiting_end == &t->next) waiting_end = t->self;
}

static void third_finish(struct pst_upc_third *t)
{
  third_unlink(t);
  actives--;
  free(t->room);
  t->room = NULL;
  t->phase = DONE;
}

/* After the last step is complete. */
static void third_step(struct pst_upc_third *t)
{
  t->handle = GASNET_INVALID_HANDLE;
  if (t->put < t->piece) third_put(t);
  else if (t->left) third_get(t);
  else third_finish(t);
}

static void third_start(struct pst_upc_third *t)
{
  third_unlink(t);
  actives++;
  t->next = active;
  t->self = &active;
  if (active) active->self = &t->next;
  active = t;
  third_get(t);
}

/* Starts those whose turn has come. Without memory for a buffer it waits until others release theirs. */
static void waiting_start(void)
{
  while (waiting && actives < ACTIVE) {
    const size_t size = waiting->left < ROOM ? waiting->left : ROOM;
    waiting->room = malloc(size);
    if (!waiting->room && actives) return;
    if (!waiting->room)
      pst_upc_fatal("a transfer between other threads", "out of memory for a buffer of %zu bytes", size);
    third_start(waiting);
  }
}

static void active_advance(void)
{
  for (struct pst_upc_third *t = active, *next; t; t = next) {
    next = t->next;
    while (t->phase != DONE && gasnet_try_syncnb(t->handle) == GASNET_OK) third_step(t);
  }
  waiting_start();
}

/* ---- begin and end ---- */

static void third_close(struct pst_upc_third *t)
{
  free(t->dst.index);
  free(t->src.index);
  free(t);
}

struct pst_upc_third *pst_upc_third_begin(
    const char *call, const struct pst_upc_side *dst, const struct pst_upc_side *src, size_t nbytes)
{
  struct pst_upc_third *t;
  if (nbytes == 0) return NULL;
  t = calloc(1, sizeof *t);
  if (!t || cursor_open(&t->dst, dst) != 0 || cursor_open(&t->src, src) != 0)
    pst_upc_fatal(call, "out of memory for a transfer between other threads");
  t->left = nbytes;
  t->self = waiting_end;
  *waiting_end = t;
  waiting_end = &t->next;
  waiting_start();
  return t;
}

int pst_upc_third_advance(struct pst_upc_third *t)
{
  if (t->phase != DONE) active_advance();
  if (t->phase != DONE) return 0;
  third_close(t);
  return 1;
}

/* While the transfer waits for its turn, this waits for an active one. */
void pst_upc_third_wait(struct pst_upc_third *t)
{
  while (t->phase != DONE) {
    struct pst_upc_third *turn = t->phase == WAITING ? active : t;
    gasnet_wait_syncnb(turn->handle);
    third_step(turn);
    waiting_start();
  }
  third_close(t);
}
