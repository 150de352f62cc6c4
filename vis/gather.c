#include "vis/gather.h"

#include <stdalign.h>
#include <string.h>

#include "extended/rma.h"
#include "support/copy.h"

/* Where fewer pieces than this have come together they may still be sent one by one. */
enum { FEW = 16 };

struct piece { char *far, *near; size_t n; };

struct gather {
  const struct pst_packed *t;
  size_t chunk;                /* bytes that a message holds */
  size_t pieces, bytes;        /* in the message that is being made */
  struct piece first[FEW];
  struct pst_wire_list far, near; /* near: gets */
  unsigned char far_list[PST_VISCOST_CHUNK_MOST];
  union {
    alignas(64) char data[PST_VISCOST_CHUNK_MOST]; /* puts: behind it goes the description */
    unsigned char near_list[PST_VISCOST_CHUNK_MOST];
  } u;
};

static void begin(struct gather *g)
{
  g->pieces = g->bytes = 0;
  pst_wire_list_begin(&g->far, g->far_list, g->t->origin);
  if (g->t->get) pst_wire_list_begin(&g->near, g->u.near_list, 0);
}

static inline void send_natively(const struct pst_packed *t, const struct piece *p)
{
  pst_rma_start((t->get ? PST_OP_GET : 0) | PST_OP_BULK, t->node, p->far, p->near, p->n, t->pending);
}

static inline void send_alone(const struct pst_packed *t, const struct piece *p)
{
  if (t->notify) pst_packed_put_row(t, p->far, p->near, p->n);
  else send_natively(t, p);
}

static void send_packed(struct gather *g)
{
  const size_t far = pst_wire_list_end(&g->far);
  if (g->t->get) {
    const size_t near = pst_wire_list_end(&g->near);
    pst_packed_get(g->t, g->far_list, far, g->u.near_list, near, g->bytes);
  } else {
    pst_copy(g->u.data + g->bytes, g->far_list, far);
    pst_packed_put(g->t, g->u.data, g->bytes, far);
  }
}

static void flush(struct gather *g)
{
  const int few = g->pieces <= FEW && !g->t->notify && !pst_cost_packs(g->t->cost, g->pieces, g->bytes);
  if (few)
    for (size_t i = 0; i < g->pieces; i++) send_natively(g->t, &g->first[i]);
  else
    send_packed(g);
  begin(g);
}

/* Bytes of the next piece for which there is room, with their description. */
static inline size_t room(const struct gather *g)
{
  const size_t far = pst_wire_list_most(&g->far);
  if (!g->t->get) return g->bytes + far < g->chunk ? g->chunk - g->bytes - far : 0;
  return far <= g->chunk && pst_wire_list_most(&g->near) <= g->chunk ? g->chunk - g->bytes : 0;
}

/* Short ones without a call. */
static inline void copy_piece(char *restrict to, const char *restrict from, size_t n)
{
  if (n == 8) memcpy(to, from, 8);
  else if (n == 4) memcpy(to, from, 4);
  else pst_copy(to, from, n);
}

/* Takes the piece or its beginning: how much. 0: the message is full. */
static inline size_t add(struct gather *g, const struct piece *p)
{
  const size_t most = room(g), n = p->n < most ? p->n : most;
  if (n == 0) return 0;
  pst_wire_list_add(&g->far, p->far, n);
  if (g->t->get) pst_wire_list_add(&g->near, p->near, n);
  else copy_piece(g->u.data + g->bytes, p->near, n);
  if (g->pieces < FEW) g->first[g->pieces] = (struct piece){ p->far, p->near, n };
  g->pieces++;
  g->bytes += n;
  return n;
}

/* ---- cursors, the steps within lists inlined ---- */

/* Elements of a list are anywhere: what will be copied soon is fetched meanwhile. */
static inline void fetch_ahead(const struct pst_cursor *c)
{
  enum { AHEAD = 8 };
  const struct pst_side *s = c->side;
  if (c->index + AHEAD >= s->n) return;
  __builtin_prefetch(s->kind == PST_SIDE_VECTOR ? s->vector[c->index + AHEAD].addr : s->indexed[c->index + AHEAD]);
}

static inline size_t piece_of(struct pst_cursor *c, char **addr)
{
  const struct pst_side *s = c->side;
  if (s->kind == PST_SIDE_STRIDED || c->left == 0) return pst_cursor_piece(c, addr);
  *addr = (s->kind == PST_SIDE_VECTOR ? (char *)s->vector[c->index].addr : (char *)s->indexed[c->index]) + c->within + s->delta;
  return (s->kind == PST_SIDE_VECTOR ? s->vector[c->index].len : s->piece) - c->within;
}

/* The bytes that both sides have in one piece from here; 0 at the end. */
static inline size_t next(struct pst_cursor *far, struct pst_cursor *near, struct piece *p)
{
  const size_t a = piece_of(far, &p->far), b = a ? piece_of(near, &p->near) : 0;
  return p->n = a < b ? a : b;
}

static inline void skip(struct pst_cursor *c, size_t n)
{
  const struct pst_side *s = c->side;
  if (s->kind == PST_SIDE_INDEXED && n == s->piece && c->within == 0) {
    c->left -= n;
    c->index++;
  } else {
    pst_cursor_skip(c, n);
  }
}

void pst_gather(const struct pst_packed *t, const struct pst_side *remote, const struct pst_side *local)
{
  const size_t alone = pst_packed_alone(t);
  struct gather g;
  struct pst_cursor far, near;
  struct piece p;
  g.t = t;
  g.chunk = t->cost->constant.chunk;
  begin(&g);
  pst_cursor_begin(&far, remote, 0);
  pst_cursor_begin(&near, local, 0);
  for (size_t n; next(&far, &near, &p); skip(&far, n), skip(&near, n)) {
    if (near.side->kind != PST_SIDE_STRIDED && !t->get) fetch_ahead(&near);
    if ((n = p.n) >= alone) send_alone(t, &p);
    else
      while ((n = add(&g, &p)) == 0) flush(&g);
  }
  if (g.pieces) flush(&g);
}

/* A list without entries tells the target, too. */
void pst_gather_nothing(const struct pst_packed *t)
{
  struct pst_wire_list l;
  unsigned char description[PST_WIRE_ENTRY_MOST];
  if (!t->notify) return;
  pst_wire_list_begin(&l, description, t->origin);
  pst_packed_put(t, description, 0, pst_wire_list_end(&l));
}

/* ---- rows ---- */

/* An odometer over the levels above the innermost: 0 when all positions were visited. */
static int advance(const struct pst_side *remote, const struct pst_side *local, size_t position[], struct piece *p)
{
  for (size_t l = 1; l < remote->n; l++) {
    p->far += remote->stride[l];
    p->near += local->stride[l];
    if (++position[l] < remote->count[l]) return 1;
    p->far -= remote->stride[l] * (ptrdiff_t)remote->count[l];
    p->near -= local->stride[l] * (ptrdiff_t)remote->count[l];
    position[l] = 0;
  }
  return 0;
}

void pst_gather_rows(const struct pst_packed *t, const struct pst_side *remote, const struct pst_side *local)
{
  size_t position[PST_SHAPE_LEVELS] = { 0 };
  struct piece first = { remote->base + remote->delta, local->base + local->delta, remote->piece };
  const size_t count = remote->n ? remote->count[0] : 1;
  const ptrdiff_t far = remote->n ? remote->stride[0] : 0, near = remote->n ? local->stride[0] : 0;
  do {
    struct piece p = first;
    for (size_t i = 0; i < count; i++, p.far += far, p.near += near) send_alone(t, &p);
  } while (advance(remote, local, position, &first));
}
