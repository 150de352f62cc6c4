/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A bundle: pieces of a transfer that are too small to be sent by themselves travel in one packed message. */
#ifndef VIS_BUNDLE_H
#define VIS_BUNDLE_H
#include <stdalign.h>

#include "vis/kernel_move.h"
#include "vis/packed.h"

enum {
  PST_BUNDLE_FEW = 16,       /* pieces: so few may still be sent one by one */
  PST_BUNDLE_MOST = 32 << 10 /* bytes: a bundle lies on the caller's stack */
};

struct pst_piece {
  char *far, *near;
  size_t n;
};

struct pst_bundle {
  const struct pst_packed *t;
  size_t chunk;         /* bytes that a message holds */
  int stale;            /* sources may have changed since their pieces were taken; its owner sets it */
  size_t pieces, bytes; /* so far */
  struct pst_piece first[PST_BUNDLE_FEW];
  struct pst_wire_list far, near; /* near: of gets */
  unsigned char far_list[PST_BUNDLE_MOST];
  union {
    alignas(64) char data[PST_BUNDLE_MOST]; /* of puts; the description goes behind them */
    unsigned char near_list[PST_BUNDLE_MOST];
  } u;
};

void pst_bundle_begin(struct pst_bundle *b, const struct pst_packed *t);
/* Sends at least one piece, and begins anew. */
void pst_bundle_send(struct pst_bundle *b);
/* Puts: sends the pieces if that can be done at once (PST_OK), or changes nothing (PST_ERR_AGAIN). */
int pst_bundle_try_put(struct pst_bundle *b);

/* How many bytes of a next piece fit into the message, together with their description. */
static inline size_t pst_bundle_room(const struct pst_bundle *b)
{
  const size_t far = pst_wire_list_most(&b->far);
  if (!b->t->get) return b->bytes + far < b->chunk ? b->chunk - b->bytes - far : 0;
  return far + PST_PACKED_ASK_MORE <= b->chunk && pst_wire_list_most(&b->near) <= b->chunk
      ? b->chunk - b->bytes
      : 0;
}

/* Adds the piece or its beginning: how many bytes. 0: the message is full. */
static inline size_t pst_bundle_add(struct pst_bundle *b, const struct pst_piece *p)
{
  const size_t most = pst_bundle_room(b), n = p->n < most ? p->n : most;
  if (n == 0) return 0;
  pst_wire_list_add(&b->far, p->far, n);
  if (b->t->get) pst_wire_list_add(&b->near, p->near, n);
  else pst_move_words(b->u.data + b->bytes, p->near, n);
  if (b->pieces < PST_BUNDLE_FEW) b->first[b->pieces] = (struct pst_piece){p->far, p->near, n};
  b->pieces++;
  b->bytes += n;
  return n;
}

/* A transfer piece by piece: large pieces natively, the others in bundles. */
void pst_bundle_transfer(
    const struct pst_packed *t, const struct pst_side *remote, const struct pst_side *local);
/* A transfer of 0 bytes, of which the target may have to be told. */
void pst_bundle_nothing(const struct pst_packed *t);
/* A transfer each of whose rows goes by itself. Both sides are strided and have the same counts. */
void pst_bundle_rows(const struct pst_packed *t, const struct pst_side *remote, const struct pst_side *local);

#endif
