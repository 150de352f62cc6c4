/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "upc/third.h"

#include <stdlib.h>

/* ROOM: bytes of a buffer. ACTIVE: so many transfers have one at a time, the others wait for their turn. */
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
  size_t piece, put; /* of the piece in the buffer: bytes, and those that puts have begun for */
  enum { WAITING, GETTING, PUTTING, DONE } phase;
  gasnet_handle_t handle;
  char *room;
  struct pst_upc_third *next, **self; /* among those that are active, or that wait */
};

/* Who goes on takes all active ones further: whose turn comes does not depend on the order of
 * synchronisation. */
static struct pst_upc_third *active, *waiting, **waiting_end = &waiting;
static unsigned actives;
static gasnetx_memvec_t regions[REGIONS]; /* of one call: it has read them when it returns */

struct pst_upc_side pst_upc_side_block(upc_const_pts_t p, size_t n)
{
  return (struct pst_upc_side){.base = p, .len = n};
}

/* ---- cursors ---- */

static int cursor_open(struct cursor *c, const struct pst_upc_side *side)
{
  *c = (struct cursor){.side = *side};
  if (side->count == &side->own_count) c->side.count = &c->side.own_count;
  if (side->strides == &side->own_stride) c->side.strides = &c->side.own_stride;
  if (side->dims == 0) return 0;
  c->index = calloc(side->dims, sizeof *c->index);
  return c->index ? 0 : -1;
}

static upc_smemvec_t region_at(const struct cursor *c)
{
  const struct pst_upc_side *s = &c->side;
  upc_pts_t p = s->base;
  if (s->vector) return s->vector[c->region];
  if (s->list) return (upc_smemvec_t){s->list[c->region], s->len};
  for (size_t i = 0; i < s->dims; i++) p.address += c->index[i] * (uint64_t)s->strides[i];
  return (upc_smemvec_t){p, s->len};
}

static void next_region(struct cursor *c)
{
  c->within = 0;
  c->region++;
  for (size_t i = 0; i < c->side.dims; i++) {
    if (++c->index[i] < c->side.count[i]) return;
    c->index[i] = 0;
  }
}

/* At most `most` bytes in at most REGIONS pieces to `regions`; how many bytes and pieces they are. */
static size_t cut(struct cursor *c, size_t most, size_t *pieces)
{
  size_t bytes = 0, n = 0;
  while (bytes < most && n < REGIONS) {
    const upc_smemvec_t r = region_at(c);
    size_t part = r.len - c->within;
    if (part > most - bytes) part = most - bytes;
    if (part)
      regions[n++] = (gasnetx_memvec_t){r.addr.thread, (char *)pst_upc_address(r.addr) + c->within, part};
    bytes += part;
    c->within += part;
    if (c->within == r.len) next_region(c);
  }
  *pieces = n;
  return bytes;
}

/* ---- steps ---- */

static void get_piece(struct pst_upc_third *t)
{
  gasnet_memvec_t room = {t->room, 0};
  size_t n;
  t->piece = cut(&t->src, t->left < ROOM ? t->left : ROOM, &n);
  t->left -= t->piece;
  t->put = 0;
  room.len = t->piece;
  t->phase = GETTING;
  t->handle = gasnetx_getv_multi_nb_bulk(1, &room, n, regions);
}

/* The destination may have more regions than fit: then the piece goes in several puts, one after the other.
 */
static void put_piece(struct pst_upc_third *t)
{
  gasnet_memvec_t room = {t->room + t->put, 0};
  size_t n;
  room.len = cut(&t->dst, t->piece - t->put, &n);
  t->put += room.len;
  t->phase = PUTTING;
  t->handle = gasnetx_putv_multi_nb_bulk(n, regions, 1, &room);
}

static void leave_list(struct pst_upc_third *t)
{
  *t->self = t->next;
  if (t->next) t->next->self = t->self;
  else if (waiting_end == &t->next) waiting_end = t->self;
}

static void finish(struct pst_upc_third *t)
{
  leave_list(t);
  actives--;
  free(t->room);
  t->room = NULL;
  t->phase = DONE;
}

/* After the last step is complete. */
static void step(struct pst_upc_third *t)
{
  t->handle = GASNET_INVALID_HANDLE;
  if (t->put < t->piece) put_piece(t);
  else if (t->left) get_piece(t);
  else finish(t);
}

static void start(struct pst_upc_third *t)
{
  leave_list(t);
  actives++;
  t->next = active;
  t->self = &active;
  if (active) active->self = &t->next;
  active = t;
  get_piece(t);
}

/* Those whose turn has come; without memory for a buffer when others have theirs, later. */
static void start_waiting(void)
{
  while (waiting && actives < ACTIVE) {
    const size_t size = waiting->left < ROOM ? waiting->left : ROOM;
    waiting->room = malloc(size);
    if (!waiting->room && actives) return;
    if (!waiting->room)
      pst_upc_fatal("a transfer between other threads", "out of memory for a buffer of %zu bytes", size);
    start(waiting);
  }
}

static void go_on(void)
{
  for (struct pst_upc_third *t = active, *next; t; t = next) {
    next = t->next;
    while (t->phase != DONE && gasnet_try_syncnb(t->handle) == GASNET_OK) step(t);
  }
  start_waiting();
}

/* ---- */

static void close_transfer(struct pst_upc_third *t)
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
  start_waiting();
  return t;
}

int pst_upc_third_advance(struct pst_upc_third *t)
{
  if (t->phase != DONE) go_on();
  if (t->phase != DONE) return 0;
  close_transfer(t);
  return 1;
}

/* While it waits for its turn, for one that has it. */
void pst_upc_third_wait(struct pst_upc_third *t)
{
  while (t->phase != DONE) {
    struct pst_upc_third *turn = t->phase == WAITING ? active : t;
    gasnet_wait_syncnb(turn->handle);
    step(turn);
    start_waiting();
  }
  close_transfer(t);
}
