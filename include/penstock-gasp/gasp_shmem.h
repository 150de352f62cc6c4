/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Events of OpenSHMEM, GASP_MODEL_SHMEM. GASP 1.5 names the model and leaves its events to implementations:
 * these are Penstock's. A PE is a thread of GASP's and has the thread's number. */
#ifndef _GASP_SHMEM_H
#define _GASP_SHMEM_H

/* Counts the changes of this file. */
#define GASP_SHMEM_VERSION 1

/* What arguments mean wherever they have these names:
 *   void *target, const void *source  where the call puts data, and where it takes data from; of a symmetric
 *                                     object the address on this PE
 *   size_t nelems, size_t size        how many elements, and bytes of an element
 *   int pe                            the other PE
 *   SET                               int PE_start, int logPE_stride, int PE_size: the active set
 * The last argument of each Start and Atomic, which End has at the same place, is not listed: const char
 * *routine, the routine that causes the event, such as "shmem_double_put". It tells types and a reduction's
 * operation. Routines of Fortran are written in capitals where C has no such routine, or one that works in
 * another way. Arguments are the caller's and may be wrong: a call that cannot be carried out ends the job
 * after its Start. */

/* Start and end.
 * INIT                Atomic: int pes. The first event: start_pes has made this process a PE of so many.
 * COLLECTIVE_EXIT     Start, End: int status. shmem_finalize, or the end of a program without it.
 * NONCOLLECTIVE_EXIT  Atomic: int status. shmem_global_exit. */
#define GASP_SHMEM_INIT               0x0401u
#define GASP_SHMEM_COLLECTIVE_EXIT    0x0402u
#define GASP_SHMEM_NONCOLLECTIVE_EXIT 0x0403u

/* Put and get. Start, End:
 * PUT GET    target, source, nelems, size, int pe
 * IPUT IGET  target, source, ptrdiff_t tst, ptrdiff_t sst, nelems, size, int pe
 * P          target, size, int pe
 * G          source, size, int pe */
#define GASP_SHMEM_PUT  0x0411u
#define GASP_SHMEM_GET  0x0412u
#define GASP_SHMEM_IPUT 0x0413u
#define GASP_SHMEM_IGET 0x0414u
#define GASP_SHMEM_P    0x0415u
#define GASP_SHMEM_G    0x0416u

/* Atomic operations: those that return the value before (swap, cswap, fadd, finc), and the others (add, inc).
 * Start, End: int op, target, size, int pe */
#define GASP_SHMEM_ATOMIC_FETCH  0x0421u
#define GASP_SHMEM_ATOMIC_UPDATE 0x0422u
typedef enum { GASP_SHMEM_OP_SWAP, GASP_SHMEM_OP_CSWAP, GASP_SHMEM_OP_ADD } gasp_shmem_op_t;

/* Waiting and order. Start, End:
 * WAIT                     const volatile void *var, size
 * WAIT_UNTIL               const volatile void *var, size, int cmp (SHMEM_CMP_EQ ...)
 * FENCE QUIET BARRIER_ALL  nothing
 * BARRIER                  SET */
#define GASP_SHMEM_WAIT        0x0431u
#define GASP_SHMEM_WAIT_UNTIL  0x0432u
#define GASP_SHMEM_FENCE       0x0433u
#define GASP_SHMEM_QUIET       0x0434u
#define GASP_SHMEM_BARRIER_ALL 0x0435u
#define GASP_SHMEM_BARRIER     0x0436u

/* Collectives. nelems: what this PE contributes. Start, End:
 * REDUCE COLLECT FCOLLECT  target, source, nelems, size, SET
 * BROADCAST                target, source, nelems, size, int PE_root, SET */
#define GASP_SHMEM_REDUCE    0x0441u
#define GASP_SHMEM_COLLECT   0x0442u
#define GASP_SHMEM_FCOLLECT  0x0443u
#define GASP_SHMEM_BROADCAST 0x0444u

/* Locks. Start, End: const volatile void *lock; TEST_LOCK End: also int result (0: this PE has it now) */
#define GASP_SHMEM_SET_LOCK   0x0451u
#define GASP_SHMEM_CLEAR_LOCK 0x0452u
#define GASP_SHMEM_TEST_LOCK  0x0453u

/* The symmetric heap. End also has, last, void *ptr, the result; FREE has none.
 * MALLOC   size_t nbytes
 * ALIGN    size_t alignment, size_t nbytes
 * REALLOC  void *old, size_t nbytes
 * FREE     void *old */
#define GASP_SHMEM_MALLOC  0x0461u
#define GASP_SHMEM_ALIGN   0x0462u
#define GASP_SHMEM_REALLOC 0x0463u
#define GASP_SHMEM_FREE    0x0464u

/* Queries (shmem_my_pe, shmem_ptr, shmem_addr_accessible ...) and the cache's routines, which do nothing,
 * cause no events. */

#endif
