/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "conduits/template/wire.h"

#include <string.h>

enum { MAGIC = 0x50535431 };

void pst_template_greet(const struct pst_template_secret *s, enum pst_template_side side, gasnet_node_t src,
    gasnet_node_t dest, struct pst_template_greeting *g)
{
  const uint32_t about[] = {MAGIC, side, src, dest};
  const struct pst_sha256_part part = {about, sizeof about};
  g->magic = MAGIC;
  g->src = src;
  pst_sha256_keyed(s->bytes, sizeof s->bytes, &part, 1, g->proof);
}

/* Takes the same time wherever the two proofs differ: else its time would tell how much of one is right. */
int pst_template_is_proved(const struct pst_template_secret *s, enum pst_template_side side,
    gasnet_node_t dest, const struct pst_template_greeting *g)
{
  struct pst_template_greeting right;
  unsigned difference = 0;
  pst_template_greet(s, side, g->src, dest, &right);
  for (size_t i = 0; i < sizeof right.proof; i++) difference |= right.proof[i] ^ g->proof[i];
  return g->magic == right.magic && difference == 0;
}

/* Checks the length and the kind; the contents are checked elsewhere. */
long pst_template_frame(const char *bytes, size_t n)
{
  struct pst_template_frame f;
  if (n < sizeof f) return 0;
  memcpy(&f, bytes, sizeof f);
  if (f.kind >= PST_TEMPLATE_KINDS || f.nbytes < sizeof(struct pst_net_head) ||
      f.nbytes > PST_TEMPLATE_MESSAGE || f.nbytes % 8)
    return -1;
  return n < sizeof f + f.nbytes ? 0 : (long)(sizeof f + f.nbytes);
}

int pst_template_read_piece(const struct pst_net_receiver *r, unsigned kind, const char *body, size_t nbytes,
    struct pst_template_piece *p)
{
  size_t data;
  if (nbytes < sizeof *p) return PST_ERR_INVALID;
  memcpy(p, body, sizeof *p);
  data = nbytes - sizeof *p;
  switch (kind) {
  case PST_TEMPLATE_PUT:
  case PST_TEMPLATE_DATA:
    if (p->nbytes > data || data != pst_net_round_up(p->nbytes)) return PST_ERR_INVALID;
    return kind == PST_TEMPLATE_DATA || pst_net_reachable(r, p->addr, p->nbytes) ? PST_OK : PST_ERR_INVALID;
  case PST_TEMPLATE_GET:
    return data == 0 && p->nbytes && pst_net_reachable(r, p->addr, p->nbytes) ? PST_OK : PST_ERR_INVALID;
  case PST_TEMPLATE_DONE: return data == 0 && p->nbytes == 0 ? PST_OK : PST_ERR_INVALID;
  default: return PST_ERR_INVALID;
  }
}
