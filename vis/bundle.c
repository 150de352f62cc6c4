/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "vis/bundle.h"

#include "extended/rma.h"

void pst_bundle_begin(struct pst_bundle *b, const struct pst_packed *t)
{
  b->t = t;
  b->chunk = t->cost->constant.chunk < PST_BUNDLE_MOST ? t->cost->constant.chunk : PST_BUNDLE_MOST;
  b->pieces = b->bytes = 0;
  pst_wire_list_begin(&b->far, b->far_list, t->origin);
  if (t->get) pst_wire_list_begin(&b->near, b->u.near_list, 0);
}

static inline void piece_send_natively(const struct pst_packed *t, const struct pst_piece *p)
{
  pst_rma_start((t->get ? PST_OP_GET : 0) | PST_OP_BULK, t->node, p->far, p->near, p->n, t->completion);
}

static inline void piece_send_alone(const struct pst_packed *t, const struct pst_piece *p)
{
  if (t->notify) pst_packed_put_row(t, p->far, p->near, p->n);
  else piece_send_natively(t, p);
}

/* Writes the description behind a put's data: its length. More data may overwrite the description later. */
static size_t bundle_describe_put(struct pst_bundle *b)
{
  const size_t far = pst_wire_list_end(&b->far);
  pst_copy(b->u.data + b->bytes, b->far_list, far);
  return far;
}

static void bundle_send_packed(struct pst_bundle *b)
{
  if (b->t->get) {
    const size_t far = pst_wire_list_end(&b->far);
    const struct pst_packed_places p = {
        b->far_list, b->u.near_list, far, pst_wire_list_end(&b->near), b->bytes};
    pst_packed_get(b->t, &p);
  } else {
    const size_t far = bundle_describe_put(b);
    pst_packed_put(b->t, b->u.data, b->bytes, far);
  }
}

int pst_bundle_try_put(struct pst_bundle *b)
{
  const int rc = pst_packed_try_put(b->t, b->u.data, b->bytes, bundle_describe_put(b));
  if (rc == PST_OK) pst_bundle_begin(b, b->t);
  return rc;
}

static int bundle_may_go_singly(const struct pst_bundle *b)
{
  return b->pieces <= PST_BUNDLE_FEW && !b->stale && !b->t->notify &&
      !pst_cost_packs(b->t->cost, b->pieces, b->bytes);
}

void pst_bundle_send(struct pst_bundle *b)
{
  if (bundle_may_go_singly(b))
    for (size_t i = 0; i < b->pieces; i++) piece_send_natively(b->t, &b->first[i]);
  else bundle_send_packed(b);
  pst_bundle_begin(b, b->t);
}

/* ---- cursors: the steps within lists are inlined ---- */

/* Elements of a list lie anywhere in memory, so that the processor does not foresee which one is next. */
static inline void cursor_prefetch(const struct pst_cursor *c)
{
  enum { AHEAD = 8 };
  const struct pst_side *s = c->side;
  if (c->index + AHEAD >= s->n) return;
  __builtin_prefetch(
      s->kind == PST_SIDE_VECTOR ? s->vector[c->index + AHEAD].addr : s->indexed[c->index + AHEAD]);
}

static inline size_t cursor_piece(struct pst_cursor *c, char **addr)
{
  const struct pst_side *s = c->side;
  if (s->kind == PST_SIDE_STRIDED || c->left == 0) return pst_cursor_piece(c, addr);
  *addr = (s->kind == PST_SIDE_VECTOR ? (char *)s->vector[c->index].addr : (char *)s->indexed[c->index]) +
      c->within + s->delta;
  return (s->kind == PST_SIDE_VECTOR ? s->vector[c->index].len : s->piece) - c->within;
}

/* The bytes that both sides have in one piece from here; 0 at the end. */
static inline size_t next_piece(struct pst_cursor *far, struct pst_cursor *near, struct pst_piece *p)
{
  const size_t a = cursor_piece(far, &p->far), b = a ? cursor_piece(near, &p->near) : 0;
  return p->n = a < b ? a : b;
}

static inline void cursor_skip(struct pst_cursor *c, size_t n)
{
  const struct pst_side *s = c->side;
  if (s->kind == PST_SIDE_INDEXED && n == s->piece && c->within == 0) {
    c->left -= n;
    c->index++;
  } else {
    pst_cursor_skip(c, n);
  }
}

void pst_bundle_transfer(
    const struct pst_packed *t, const struct pst_side *remote, const struct pst_side *local)
{
  const size_t alone = pst_packed_alone(t);
  struct pst_bundle b;
  struct pst_cursor far, near;
  struct pst_piece p;
  b.stale = 0;
  pst_bundle_begin(&b, t);
  pst_cursor_begin(&far, remote, 0);
  pst_cursor_begin(&near, local, 0);
  for (size_t n; next_piece(&far, &near, &p); cursor_skip(&far, n), cursor_skip(&near, n)) {
    if (near.side->kind != PST_SIDE_STRIDED && !t->get) cursor_prefetch(&near);
    if ((n = p.n) >= alone) piece_send_alone(t, &p);
    else
      while ((n = pst_bundle_add(&b, &p)) == 0) pst_bundle_send(&b);
  }
  if (b.pieces) pst_bundle_send(&b);
}

void pst_bundle_nothing(const struct pst_packed *t)
{
  struct pst_wire_list l;
  unsigned char description[PST_WIRE_ENTRY_MOST];
  if (!t->notify) return;
  pst_wire_list_begin(&l, description, t->origin);
  pst_packed_put(t, description, 0, pst_wire_list_end(&l));
}

/* ---- rows ---- */

/* To the next position of the levels above the innermost, like an odometer. 0: all have been visited. */
static int rows_advance(
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

void pst_bundle_rows(const struct pst_packed *t, const struct pst_side *remote, const struct pst_side *local)
{
  size_t position[PST_SHAPE_LEVELS] = {0};
  struct pst_piece first = {remote->base + remote->delta, local->base + local->delta, remote->piece};
  const size_t count = remote->n ? remote->count[0] : 1;
  const ptrdiff_t far = remote->n ? remote->stride[0] : 0, near = remote->n ? local->stride[0] : 0;
  do {
    struct pst_piece p = first;
    for (size_t i = 0; i < count; i++, p.far += far, p.near += near) piece_send_alone(t, &p);
  } while (rows_advance(remote, local, position, &first));
}
