/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The parts of a question or an answer (caf/ask.h), each at a multiple of 16 bytes. */
#ifndef CAF_PARTS_H
#define CAF_PARTS_H

#include <string.h>

#include "caf/internal.h"

/* What has not been read or written yet. */
struct pst_caf_parts {
  char *at;
  size_t left;
};

static inline size_t pst_caf_part_room(size_t nbytes) { return (nbytes + 15) & ~(size_t)15; }

/* Ends the job: what another node has sent cannot be. */
void pst_caf_parts_damaged(void) __attribute__((noreturn, cold));

/* The next part; NULL: it has no bytes. */
static inline void *pst_caf_part(struct pst_caf_parts *p, size_t nbytes)
{
  if (nbytes > p->left) pst_caf_parts_damaged();
  char *const part = nbytes ? p->at : NULL;
  const size_t room = pst_caf_part_room(nbytes), used = room < p->left ? room : p->left;
  p->at += used;
  p->left -= used;
  return part;
}
static inline void pst_caf_part_store(struct pst_caf_parts *p, const void *from, size_t nbytes)
{
  if (nbytes) memcpy(pst_caf_part(p, nbytes), from, nbytes);
}

#endif
