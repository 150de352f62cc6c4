/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "vis/gather.h"

#include <string.h>

#include "extended/rma.h"
#include "vis/gather_message.h"

void pst_gather_begin(struct pst_gather *g, const struct pst_packed *t)
{
  g->t = t;
  g->chunk = t->cost->constant.chunk < PST_GATHER_MOST ? t->cost->constant.chunk : PST_GATHER_MOST;
  g->pieces = g->bytes = 0;
  pst_wire_list_begin(&g->far, g->far_list, t->origin);
  if (t->get) pst_wire_list_begin(&g->near, g->u.near_list, 0);
}

static inline void send_natively(const struct pst_packed *t, const struct pst_piece *p)
{
  pst_rma_start((t->get ? PST_OP_GET : 0) | PST_OP_BULK, t->node, p->far, p->near, p->n, t->pending);
}

static inline void send_alone(const struct pst_packed *t, const struct pst_piece *p)
{
  if (t->notify) pst_packed_put_row(t, p->far, p->near, p->n);
  else send_natively(t, p);
}

/* Puts the description behind a put's data: its length. More data may come after that, in its place. */
static size_t describe_put(struct pst_gather *g)
{
  const size_t far = pst_wire_list_end(&g->far);
  pst_copy(g->u.data + g->bytes, g->far_list, far);
  return far;
}

static void send_packed(struct pst_gather *g)
{
  if (g->t->get) {
    const size_t far = pst_wire_list_end(&g->far);
    const struct pst_packed_places p = {
        g->far_list, g->u.near_list, far, pst_wire_list_end(&g->near), g->bytes};
    pst_packed_get(g->t, &p);
  } else {
    const size_t far = describe_put(g);
    pst_packed_put(g->t, g->u.data, g->bytes, far);
  }
}

int pst_gather_try_put(struct pst_gather *g)
{
  const int rc = pst_packed_try_put(g->t, g->u.data, g->bytes, describe_put(g));
  if (rc == PST_OK) pst_gather_begin(g, g->t);
  return rc;
}

static int may_go_singly(const struct pst_gather *g)
{
  return g->pieces <= PST_GATHER_FEW && !g->stale && !g->t->notify &&
      !pst_cost_packs(g->t->cost, g->pieces, g->bytes);
}

void pst_gather_send(struct pst_gather *g)
{
  if (may_go_singly(g))
    for (size_t i = 0; i < g->pieces; i++) send_natively(g->t, &g->first[i]);
  else send_packed(g);
  pst_gather_begin(g, g->t);
}

/* ---- cursors, the steps within lists inlined ---- */

/* Elements of a list are anywhere: what will be copied soon is fetched meanwhile. */
static inline void fetch_ahead(const struct pst_cursor *c)
{
  enum { AHEAD = 8 };
  const struct pst_side *s = c->side;
  if (c->index + AHEAD >= s->n) return;
  __builtin_prefetch(
      s->kind == PST_SIDE_VECTOR ? s->vector[c->index + AHEAD].addr : s->indexed[c->index + AHEAD]);
}

static inline size_t piece_of(struct pst_cursor *c, char **addr)
{
  const struct pst_side *s = c->side;
  if (s->kind == PST_SIDE_STRIDED || c->left == 0) return pst_cursor_piece(c, addr);
  *addr = (s->kind == PST_SIDE_VECTOR ? (char *)s->vector[c->index].addr : (char *)s->indexed[c->index]) +
      c->within + s->delta;
  return (s->kind == PST_SIDE_VECTOR ? s->vector[c->index].len : s->piece) - c->within;
}

/* The bytes that both sides have in one piece from here; 0 at the end. */
static inline size_t next(struct pst_cursor *far, struct pst_cursor *near, struct pst_piece *p)
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
  struct pst_gather g;
  struct pst_cursor far, near;
  struct pst_piece p;
  g.stale = 0;
  pst_gather_begin(&g, t);
  pst_cursor_begin(&far, remote, 0);
  pst_cursor_begin(&near, local, 0);
  for (size_t n; next(&far, &near, &p); skip(&far, n), skip(&near, n)) {
    if (near.side->kind != PST_SIDE_STRIDED && !t->get) fetch_ahead(&near);
    if ((n = p.n) >= alone) send_alone(t, &p);
    else
      while ((n = pst_gather_add(&g, &p)) == 0) pst_gather_send(&g);
  }
  if (g.pieces) pst_gather_send(&g);
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
static int advance(
    const struct pst_side *remote, const struct pst_side *local, size_t position[], struct pst_piece *p)
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
  size_t position[PST_SHAPE_LEVELS] = {0};
  struct pst_piece first = {remote->base + remote->delta, local->base + local->delta, remote->piece};
  const size_t count = remote->n ? remote->count[0] : 1;
  const ptrdiff_t far = remote->n ? remote->stride[0] : 0, near = remote->n ? local->stride[0] : 0;
  do {
    struct pst_piece p = first;
    for (size_t i = 0; i < count; i++, p.far += far, p.near += near) send_alone(t, &p);
  } while (advance(remote, local, position, &first));
}
