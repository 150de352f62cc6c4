#include "vis/remote.h"

#include "vis/gather.h"
#include "vis/packed.h"

/* A list of one entry is a row. */
static void simplify(struct pst_side *s)
{
  char *const base = s->kind == PST_SIDE_STRIDED || s->n != 1 ? NULL
                     : s->kind == PST_SIDE_VECTOR              ? s->vector[0].addr
                                                               : s->indexed[0];
  if (base) pst_side_strided(s, base + s->delta, s->bytes, 0, NULL, NULL);
}

/* Bytes of the slice that begins at byte `at`, at most `most`: a fair share of as few as there must be, and whole rows where
 * one fits. */
static size_t slice(const struct pst_side *s, size_t at, size_t most)
{
  const size_t left = s->bytes - at, slices = (left + most - 1) / most, share = (left + slices - 1) / slices;
  const size_t up = s->piece - 1 - (at + share + s->piece - 1) % s->piece;
  if (slices == 1) return left;
  if (share + up <= most) return share + up;
  return s->piece <= most ? most - (at + most) % s->piece : most;
}

static void put_slices(const struct pst_packed *t, const struct pst_side *remote, const struct pst_side *local)
{
  unsigned char description[PST_WIRE_STRIDED_MOST];
  /* No offset takes more room than the last one. */
  const size_t most = t->cost->constant.chunk - pst_wire_strided(description, remote, remote->bytes, t->origin);
  struct pst_cursor near;
  pst_cursor_begin(&near, local, 0);
  for (size_t at = 0, n; at < remote->bytes; at += n) {
    n = slice(remote, at, most);
    pst_packed_put_next(t, &near, n, description, pst_wire_strided(description, remote, at, t->origin));
  }
}

static void get_slices(const struct pst_packed *t, const struct pst_side *remote, const struct pst_side *local)
{
  unsigned char far[PST_WIRE_STRIDED_MOST], near[PST_WIRE_STRIDED_MOST];
  for (size_t at = 0, n; at < remote->bytes; at += n) {
    n = slice(remote, at, t->cost->constant.chunk);
    const size_t length = pst_wire_strided(far, remote, at, t->origin);
    pst_packed_get(t, far, length, near, pst_wire_strided(near, local, at, 0), n);
  }
}

/* Bytes that one piece has at most, as far as that is known without a look at a list. */
static size_t largest_piece(const struct pst_side *remote, const struct pst_side *local)
{
  const size_t most = remote->kind == PST_SIDE_VECTOR ? remote->bytes : remote->piece;
  return local->kind != PST_SIDE_VECTOR && local->piece < most ? local->piece : most;
}

static int same_rows(const struct pst_side *remote, const struct pst_side *local)
{
  return remote->kind == PST_SIDE_STRIDED && local->kind == PST_SIDE_STRIDED && remote->piece == local->piece &&
         remote->n == local->n && (remote->n == 0 || remote->count == local->count);
}

/* Slices of a strided side are described as they are; all else piece by piece. */
static void start(const struct pst_packed *t, const struct pst_side *remote, const struct pst_side *local)
{
  const size_t piece = largest_piece(remote, local);
  const int together = piece < pst_packed_alone(t) &&
                       (t->notify || pst_cost_packs(t->cost, remote->bytes / piece, remote->bytes));
  const int strided = remote->kind == PST_SIDE_STRIDED;
  if (together && strided && !t->get) put_slices(t, remote, local);
  else if (together && strided && local->kind == PST_SIDE_STRIDED) get_slices(t, remote, local);
  else if (!together && same_rows(remote, local)) pst_gather_rows(t, remote, local);
  else pst_gather(t, remote, local);
}

void pst_remote_start(unsigned op, gasnet_node_t node, const struct pst_side *remote, const struct pst_side *local,
                      const gasnetx_notify_t *notify, pst_pending_t *pending)
{
  struct pst_packed t;
  struct pst_side far = *remote, near = *local;
  simplify(&far);
  simplify(&near);
  pst_packed_begin(&t, !!(op & PST_OP_GET), node, far.bytes, notify, pending);
  if (far.bytes == 0) pst_gather_nothing(&t);
  else start(&t, &far, &near);
}

void pst_remote_open(void)
{
  pst_cost_open();
  pst_packed_put_open();
  pst_packed_get_open();
}
