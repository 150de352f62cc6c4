/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What xmp/mpi, which is a library of its own, asks of the runtime. libpenstock-xmp.so exports these
 * functions. Nothing of GASNet's headers is here: Open MPI's define some of the same names. */
#ifndef XMP_BESIDE_H
#define XMP_BESIDE_H
#include <stddef.h>
#include <stdint.h>
#include <xmp.h>

/* All nodes call it. The runtime begins, unless a translated file has begun it. */
void pst_xmp_beside_begin(void);
/* All nodes call it. The runtime ends, before the program does. */
void pst_xmp_beside_end(const char *call);
/* Ends the job with code 1. */
void pst_xmp_beside_fatal(const char *call, const char *fmt, ...)
    __attribute__((format(printf, 2, 3), noreturn, cold));

/* The executing nodes in their order. The set is valid until the construct ends. */
const struct pst_xmp_set *pst_xmp_beside_executing(const char *call);
/* The nodes of a node array, in its order, valid as long as the array. NULL: the descriptor is of another
 * kind, or this node is no member. */
const struct pst_xmp_set *pst_xmp_beside_nodes(const char *call, xmp_desc_t d);

/* Of xmp/set.h. */
int pst_xmp_beside_size(const struct pst_xmp_set *s);
int pst_xmp_beside_node(const struct pst_xmp_set *s, int rank);
int pst_xmp_beside_equal(const struct pst_xmp_set *a, const struct pst_xmp_set *b);
uint64_t pst_xmp_beside_hash(const struct pst_xmp_set *s);
struct pst_xmp_set *pst_xmp_beside_copy(const char *call, const struct pst_xmp_set *s);
void pst_xmp_beside_free(struct pst_xmp_set *s); /* a copy */

#endif
