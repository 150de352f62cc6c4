/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A packed message that is being made of pieces. */
#ifndef VIS_GATHER_MESSAGE_H
#define VIS_GATHER_MESSAGE_H
#include <stdalign.h>
#include <string.h>

#include "support/copy.h"
#include "vis/packed.h"

/* Where fewer pieces than this have come together they may still be sent one by one. */
enum { PST_GATHER_FEW = 16 };
/* It lies on the stack of whoever calls. */
enum { PST_GATHER_MOST = 32 << 10 };

struct pst_piece {
  char *far, *near;
  size_t n;
};

struct pst_gather {
  const struct pst_packed *t;
  size_t chunk;         /* bytes that a message holds */
  int stale;            /* sources may have changed since their pieces were taken; its owner sets it */
  size_t pieces, bytes; /* in the message that is being made */
  struct pst_piece first[PST_GATHER_FEW];
  struct pst_wire_list far, near; /* near: gets */
  unsigned char far_list[PST_GATHER_MOST];
  union {
    alignas(64) char data[PST_GATHER_MOST]; /* puts: behind it goes the description */
    unsigned char near_list[PST_GATHER_MOST];
  } u;
};

void pst_gather_begin(struct pst_gather *g, const struct pst_packed *t);
/* Sends what has come together, at least one piece, and begins anew. */
void pst_gather_send(struct pst_gather *g);
/* Of a put: sends that at once, PST_OK, or leaves all as it is, PST_ERR_AGAIN. */
int pst_gather_try_put(struct pst_gather *g);

/* Bytes of the next piece for which there is room, with their description. */
static inline size_t pst_gather_room(const struct pst_gather *g)
{
  const size_t far = pst_wire_list_most(&g->far);
  if (!g->t->get) return g->bytes + far < g->chunk ? g->chunk - g->bytes - far : 0;
  return far + PST_PACKED_ASK_MORE <= g->chunk && pst_wire_list_most(&g->near) <= g->chunk
      ? g->chunk - g->bytes
      : 0;
}

/* Short ones without a call. */
static inline void pst_gather_copy(char *restrict to, const char *restrict from, size_t n)
{
  if (n == 8) memcpy(to, from, 8);
  else if (n == 4) memcpy(to, from, 4);
  else pst_copy(to, from, n);
}

/* Takes the piece or its beginning: how much. 0: the message is full. */
static inline size_t pst_gather_add(struct pst_gather *g, const struct pst_piece *p)
{
  const size_t most = pst_gather_room(g), n = p->n < most ? p->n : most;
  if (n == 0) return 0;
  pst_wire_list_add(&g->far, p->far, n);
  if (g->t->get) pst_wire_list_add(&g->near, p->near, n);
  else pst_gather_copy(g->u.data + g->bytes, p->near, n);
  if (g->pieces < PST_GATHER_FEW) g->first[g->pieces] = (struct pst_piece){p->far, p->near, n};
  g->pieces++;
  g->bytes += n;
  return n;
}

#endif
