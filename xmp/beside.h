/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What xmp/mpi, which is a library of its own, asks of the runtime. libpenstock-xmp.so exports these
 * functions, and those of xmp/set.h that act on a set which is there. */
#ifndef XMP_BESIDE_H
#define XMP_BESIDE_H

#include "xmp/set.h"

/* All nodes call it. The runtime begins, unless a translated file has begun it. */
void pst_xmp_beside_begin(void);
/* All nodes call it. The runtime ends, before the program does. */
void pst_xmp_beside_end(const char *call);

/* The executing nodes in their order. The set is valid until the construct ends. */
const struct pst_xmp_set *pst_xmp_beside_executing(const char *call);
/* The nodes of a node array, in its order, valid as long as the array. NULL: the descriptor is of another
 * kind, or this node is no member. */
const struct pst_xmp_set *pst_xmp_beside_nodes(const char *call, xmp_desc_t d);

#endif
