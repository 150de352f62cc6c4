#include "upc/third.h"

#include <stdlib.h>

enum { ROOM = 256 << 10, REGIONS = 1024 };

/* A place in a side. */
struct cursor {
  struct pst_upc_side side;
  size_t region, within; /* bytes of the region that are passed */
  size_t *index;         /* [dims] of elements */
};

struct pst_upc_third {
  struct cursor dst, src;
  size_t left, piece;    /* bytes: not begun; under way */
  enum { GETTING, PUTTING } phase;
  gasnet_handle_t handle;
  gasnetx_memvec_t *regions;
  char *room;
};

struct pst_upc_side pst_upc_side_block(upc_const_pts_t p, size_t n) { return (struct pst_upc_side){ .base = p, .len = n }; }

/* ---- cursors ---- */

static int cursor_open(struct cursor *c, const struct pst_upc_side *side)
{
  *c = (struct cursor){ .side = *side };
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
  if (s->list) return (upc_smemvec_t){ s->list[c->region], s->len };
  for (size_t i = 0; i < s->dims; i++) p.address += c->index[i] * (uint64_t)s->strides[i];
  return (upc_smemvec_t){ p, s->len };
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

/* At most `most` bytes in at most REGIONS pieces to t->regions; how many bytes and pieces they are. */
static size_t cut(struct pst_upc_third *t, struct cursor *c, size_t most, size_t *pieces)
{
  size_t bytes = 0, n = 0;
  while (bytes < most && n < REGIONS) {
    const upc_smemvec_t r = region_at(c);
    size_t part = r.len - c->within;
    if (part > most - bytes) part = most - bytes;
    if (part) t->regions[n++] = (gasnetx_memvec_t){ r.addr.thread, (char *)pst_upc_address(r.addr) + c->within, part };
    bytes += part;
    c->within += part;
    if (c->within == r.len) next_region(c);
  }
  *pieces = n;
  return bytes;
}

/* ---- */

static void get_piece(struct pst_upc_third *t)
{
  gasnet_memvec_t room = { t->room, 0 };
  size_t n;
  t->piece = cut(t, &t->src, t->left < ROOM ? t->left : ROOM, &n);
  t->left -= t->piece;
  room.len = t->piece;
  t->phase = GETTING;
  t->handle = gasnetx_getv_multi_nb_bulk(1, &room, n, t->regions);
}

/* The destination may have more regions than fit: then the rest of the piece goes at once. */
static void put_piece(struct pst_upc_third *t)
{
  size_t n, done = 0;
  t->phase = PUTTING;
  while (done < t->piece) {
    gasnet_memvec_t room = { t->room + done, 0 };
    gasnet_wait_syncnb(t->handle);
    room.len = cut(t, &t->dst, t->piece - done, &n);
    done += room.len;
    t->handle = gasnetx_putv_multi_nb_bulk(n, t->regions, 1, &room);
  }
}

static void close_transfer(struct pst_upc_third *t)
{
  free(t->dst.index);
  free(t->src.index);
  free(t->regions);
  free(t->room);
  free(t);
}

struct pst_upc_third *pst_upc_third_begin(const char *call, const struct pst_upc_side *dst, const struct pst_upc_side *src, size_t nbytes)
{
  struct pst_upc_third *t;
  if (nbytes == 0) return NULL;
  t = calloc(1, sizeof *t);
  if (!t || cursor_open(&t->dst, dst) != 0 || cursor_open(&t->src, src) != 0 || !(t->regions = malloc(REGIONS * sizeof *t->regions)) ||
      !(t->room = malloc(nbytes < ROOM ? nbytes : ROOM)))
    pst_upc_fatal(call, "out of memory for a transfer between other threads");
  t->left = nbytes;
  get_piece(t);
  return t;
}

/* The next step of one whose last is complete; not 0: there was none. */
static int step(struct pst_upc_third *t)
{
  t->handle = GASNET_INVALID_HANDLE;
  if (t->phase == GETTING) {
    put_piece(t);
    return 0;
  }
  if (t->left) {
    get_piece(t);
    return 0;
  }
  close_transfer(t);
  return 1;
}

int pst_upc_third_advance(struct pst_upc_third *t)
{
  while (gasnet_try_syncnb(t->handle) == GASNET_OK)
    if (step(t)) return 1;
  return 0;
}

void pst_upc_third_wait(struct pst_upc_third *t)
{
  do gasnet_wait_syncnb(t->handle);
  while (!step(t));
}
