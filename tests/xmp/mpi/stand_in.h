/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* In the place of mpi.h, where headers and examples are compiled and no program is made. */
#ifndef TESTS_XMP_MPI_STAND_IN_H
#define TESTS_XMP_MPI_STAND_IN_H
#ifdef __cplusplus
extern "C" {
#endif

#define MPI_VERSION 3
typedef struct pst_stand_in_comm *MPI_Comm;
typedef struct pst_stand_in_type *MPI_Datatype;
typedef struct pst_stand_in_op *MPI_Op;
extern MPI_Comm MPI_COMM_WORLD;
extern MPI_Datatype MPI_INT;
extern MPI_Op MPI_SUM;

int MPI_Init(int *argc, char ***argv);
int MPI_Finalize(void);
int MPI_Barrier(MPI_Comm comm);
int MPI_Allreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);

#ifdef __cplusplus
}
#endif
#endif
