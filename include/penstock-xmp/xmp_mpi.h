/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* XcalableMP and MPI in one program (libpenstock-xmp-mpi). xmp.h includes this header in programs that are
 * compiled by `xmpcc --mpi`, and where mpi.h comes first. */
#ifndef PENSTOCK_XMP_MPI_H
#define PENSTOCK_XMP_MPI_H
#include <mpi.h>
#ifdef __cplusplus
extern "C" {
#endif

/* ---- in a program of XcalableMP ---- */

/* All nodes call it. MPI is initialised, for one thread that makes calls, unless the program has done it. */
void xmp_init_mpi(int *argc, char ***argv);
/* All nodes call it. The communicators of nodes are freed, and MPI is finalised if xmp_init_mpi has
 * initialised it. */
void xmp_finalize_mpi(void);
/* The communicator of the executing nodes, in their order, between those two. They all call it. It stays the
 * library's, and the same set of nodes has the same one each time. */
MPI_Comm xmp_get_mpi_comm(void);
/* *comm becomes the address of the communicator of a node array. Its members all call it; others get
 * XMP_FAILURE. */
int xmp_nodes_comm(void *nodes, void **comm);

/* ---- XcalableMP in a program of MPI ---- */

/* The processes of comm, which are those of MPI_COMM_WORLD, become the nodes, in the order of their ranks.
 * They all call it, after MPI_Init. */
void xmp_init(MPI_Comm comm);
/* All nodes call it, before or after MPI_Finalize. Nothing of XcalableMP may be called behind it. */
void xmp_finalize(void);

#ifdef __cplusplus
}
#endif
#endif
