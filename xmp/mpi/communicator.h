/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Communicators of node sets. Each set has one, in which a node's rank is its place in the set; it is made
 * when the members first ask for it, and kept until the end. All members of a set ask at the same places of
 * the program, so each of them finds a communicator that is there, or none does. */
#ifndef XMP_MPI_COMMUNICATOR_H
#define XMP_MPI_COMMUNICATOR_H
#include <mpi.h>

#include "xmp/beside.h"

/* All nodes call it. `world` has the processes of the job: its members are compared with the nodes, and the
 * job ends with a message where they differ, or, with in_order, where a rank is another node's number. */
void pst_xmp_comms_open(const char *call, MPI_Comm world, int in_order);
int pst_xmp_comms_are_open(void);
/* All nodes call it, or MPI does in MPI_Finalize, in any case before MPI ends: all communicators are freed.
 */
void pst_xmp_comms_close(void);

/* The communicator of a set that this node belongs to; it stays at its place. All members of the set call
 * this where it is new. */
MPI_Comm *pst_xmp_comm_of(const char *call, const struct pst_xmp_set *s);

/* Ends the job with MPI's text unless rc is MPI_SUCCESS. */
void pst_xmp_mpi_must(const char *call, int rc);

#endif
