/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "vis/remote.h"

#include "support/integers.h"
#include "vis/bundle.h"
#include "vis/packed.h"

/* Makes a list of one entry a row. */
static void side_simplify(struct pst_side *s)
{
  char *const base = s->kind == PST_SIDE_STRIDED || s->n != 1 ? NULL
      : s->kind == PST_SIDE_VECTOR                            ? s->vector[0].addr
                                                              : s->indexed[0];
  if (base) pst_side_strided(s, base + s->delta, s->bytes, 0, NULL, NULL);
}

/* Bytes of the slice that begins at byte `at`, at most `most`: an equal share of as few slices as there must
 * be, and whole rows where a row fits. */
static size_t slice_bytes(const struct pst_side *s, size_t at, size_t most)
{
  const size_t left = s->bytes - at, slices = (left + most - 1) / most, share = (left + slices - 1) / slices;
  const size_t up = s->piece - 1 - (at + share + s->piece - 1) % s->piece;
  if (slices == 1) return left;
  if (share + up <= most) return share + up;
  return s->piece <= most ? most - (at + most) % s->piece : most;
}

/* A side each of whose slices has a description: strided, or a list of elements of one size. */
struct described {
  const struct pst_side *side;
  struct pst_wire_elements elements;
  uintptr_t origin;
};

enum { DESCRIPTION_MOST = 16 << 10 };
_Static_assert((int)DESCRIPTION_MOST > (int)PST_WIRE_STRIDED_MOST, "room for either");

static void described_begin(struct described *d, const struct pst_side *s, uintptr_t origin)
{
  d->side = s;
  d->origin = origin;
  if (s->kind != PST_SIDE_STRIDED) pst_wire_elements_begin(&d->elements, s, origin);
}

static size_t described_write(unsigned char *to, const struct described *d, size_t at, size_t n)
{
  if (d->side->kind == PST_SIDE_STRIDED) return pst_wire_strided(to, d->side, at, d->origin);
  return pst_wire_elements(to, &d->elements, at, n);
}

/* The most bytes of the side whose description takes no more than `room`. */
static size_t described_most(const struct described *d, size_t room)
{
  if (d->side->kind == PST_SIDE_STRIDED) return SIZE_MAX;
  if (room > DESCRIPTION_MOST) room = DESCRIPTION_MOST;
  return (room - PST_WIRE_ELEMENTS_HEAD) / d->elements.width * d->side->piece;
}

/* The most bytes of a slice that fits into a message with its description. */
static size_t put_slice_most(const struct described *d, const struct pst_cost *cost)
{
  unsigned char description[PST_WIRE_STRIDED_MOST];
  const size_t piece = d->side->piece, chunk = cost->constant.chunk;
  /* No offset takes more room than the last one. */
  if (d->side->kind == PST_SIDE_STRIDED)
    return pst_least(
        chunk, cost->message - pst_wire_strided(description, d->side, d->side->bytes, d->origin));
  return pst_least(
      (chunk - PST_WIRE_ELEMENTS_HEAD) / (piece + d->elements.width) * piece, described_most(d, chunk));
}

/* A client that only sends has to serve messages, too. But where a look at the network is several system
 * calls, to look after each slice would cost a seventh of the whole. */
static void put_slices(struct pst_packed *t, const struct pst_side *remote, const struct pst_side *local)
{
  enum { SERIES = 4 };
  const struct pst_conduit *c = pst_conduit_to(t->node);
  unsigned char description[DESCRIPTION_MOST];
  unsigned sent = 0;
  struct described far;
  struct pst_cursor near;
  described_begin(&far, remote, t->origin);
  const size_t most = put_slice_most(&far, t->cost);
  pst_cursor_begin(&near, local, 0);
  if (remote->bytes > most) pst_packed_count(t);
  for (size_t at = 0, n; at < remote->bytes; at += n) {
    n = slice_bytes(remote, at, most);
    pst_packed_put_next(t, &near, n, description, described_write(description, &far, at, n));
    if (++sent % SERIES == 0 || at + n == remote->bytes) pst_am_serve(c);
  }
}

static void get_slices(
    const struct pst_packed *t, const struct pst_side *remote, const struct pst_side *local)
{
  unsigned char there[DESCRIPTION_MOST], here[DESCRIPTION_MOST];
  const size_t chunk = t->cost->constant.chunk;
  struct pst_packed_asks asks;
  struct described far, near;
  described_begin(&far, remote, t->origin);
  described_begin(&near, local, 0);
  const size_t most = pst_least(
      chunk, pst_least(described_most(&far, chunk - PST_PACKED_ASK_MORE), described_most(&near, chunk)));
  pst_packed_get_begin(&asks);
  for (size_t at = 0, n; at < remote->bytes; at += n) {
    n = slice_bytes(remote, at, most);
    const struct pst_packed_places p = {
        there, here, described_write(there, &far, at, n), described_write(here, &near, at, n), n};
    pst_packed_get_next(t, &asks, &p);
  }
  pst_packed_get_end(t, &asks);
}

/* Can the side be cut into slices? A slice of a list is whole elements, so that a message must hold at least
 * two. */
static int side_has_slices(const struct pst_side *s)
{
  return s->kind == PST_SIDE_STRIDED || (pst_side_has_entries(s) && s->piece <= PST_VISCOST_CHUNK_LEAST / 2);
}

/* Do slices of `a` end where pieces of `b` may be cut? */
static int sides_cut_alike(const struct pst_side *a, const struct pst_side *b)
{
  const int elements = pst_side_has_entries(a) && pst_side_has_entries(b) && a->piece == b->piece;
  return b->kind == PST_SIDE_STRIDED || elements;
}

/* The most bytes that a piece may have, without another look at a list. */
static size_t piece_most(const struct pst_side *remote, const struct pst_side *local)
{
  const size_t most = remote->piece ? remote->piece : remote->bytes;
  return local->piece && local->piece < most ? local->piece : most;
}

static int sides_have_same_rows(const struct pst_side *remote, const struct pst_side *local)
{
  return remote->kind == PST_SIDE_STRIDED && local->kind == PST_SIDE_STRIDED &&
      remote->piece == local->piece && remote->n == local->n &&
      (remote->n == 0 || remote->count == local->count);
}

/* A strided side goes in slices that are described as such; a list of elements of one size in slices that are
 * described by their addresses. All else goes piece by piece. */
static void transfer_start(struct pst_packed *t, const struct pst_side *remote, const struct pst_side *local)
{
  const size_t piece = piece_most(remote, local);
  const int together = piece < pst_packed_alone(t) &&
      (t->notify || pst_cost_packs(t->cost, remote->bytes / piece, remote->bytes));
  if (together && !t->get && side_has_slices(remote)) put_slices(t, remote, local);
  else if (together && t->get && side_has_slices(remote) && sides_cut_alike(remote, local))
    get_slices(t, remote, local);
  else if (!together && sides_have_same_rows(remote, local)) pst_bundle_rows(t, remote, local);
  else pst_bundle_transfer(t, remote, local);
}

void pst_remote_start(unsigned op, gasnet_node_t node, const struct pst_side *remote,
    const struct pst_side *local, const gasnetx_notify_t *notify, struct pst_completion *completion)
{
  struct pst_packed t;
  struct pst_side far = *remote, near = *local;
  side_simplify(&far);
  side_simplify(&near);
  pst_packed_begin(&t, !!(op & PST_OP_GET), node, far.bytes, notify, completion);
  if (far.bytes == 0) pst_bundle_nothing(&t);
  else transfer_start(&t, &far, &near);
}

void pst_remote_open(void)
{
  pst_cost_open();
  pst_packed_put_open();
  pst_packed_get_open();
}
