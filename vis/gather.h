/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Collects the pieces of a transfer that are too small to be sent by themselves, and sends full messages of
 * them. */
#ifndef VIS_GATHER_H
#define VIS_GATHER_H
#include "vis/packed.h"

/* All of a transfer: pieces that are large enough natively, the others together. */
void pst_gather(const struct pst_packed *t, const struct pst_side *remote, const struct pst_side *local);

/* A transfer of 0 bytes, of which the target may have to be told. */
void pst_gather_nothing(const struct pst_packed *t);
/* As pst_gather where both sides are strided with the same counts, and each row goes by itself. */
void pst_gather_rows(const struct pst_packed *t, const struct pst_side *remote, const struct pst_side *local);

#endif
