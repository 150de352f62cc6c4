/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Events of UPC. GASP 1.5, section 5; the numbers below are the tables'. Events that this library never
 * causes are marked "not here": their names let tools for other implementations compile. */
#ifndef _GASP_UPC_H
#define _GASP_UPC_H

/* Counts the changes of this file. */
#define GASP_UPC_VERSION 1

/* A pointer-to-shared (upc_pts_t) and a lock (upc_lock_t *) behind a pointer, which only the calls gaspu_* of
 * pupc.h understand. */
typedef void gasp_upc_PTS_t;
typedef void gasp_upc_lock_t;
/* Non-blocking transfers: one or several of them. */
typedef void *gasp_upc_nb_handle_t;
/* The transfer was complete when the call returned: no DATA or SYNC follows. */
#define GASP_NB_TRIVIAL ((gasp_upc_nb_handle_t)0)

/* Events of the client's own: the numbers that pupc_create_event returns. */
#define GASP_UPC_USEREVT_START 0x40000000u
#define GASP_UPC_USEREVT_END   0x4000ffffu

/* 3: exit. COLLECTIVE Start, End, NONCOLLECTIVE Atomic: int status */
#define GASP_UPC_COLLECTIVE_EXIT    0x0201u
#define GASP_UPC_NONCOLLECTIVE_EXIT 0x0202u

/* 4: synchronisation. Start, End: int named, int expr; FENCE nothing */
#define GASP_UPC_NOTIFY  0x0211u
#define GASP_UPC_WAIT    0x0212u
#define GASP_UPC_BARRIER 0x0213u
#define GASP_UPC_FENCE   0x0214u

/* 5: work sharing, not here. Start, End: nothing */
#define GASP_UPC_FORALL 0x0218u

/* 6: the library.
 * GLOBAL_ALLOC, ALL_ALLOC  Start: size_t nblocks, size_t nbytes; End: also gasp_upc_PTS_t *newshrd_ptr
 * ALLOC                    Start: size_t nbytes; End: also gasp_upc_PTS_t *newshrd_ptr
 * FREE                     gasp_upc_PTS_t *shrd_ptr
 * *_LOCK_ALLOC             Start: nothing; End: gasp_upc_lock_t *lck
 * LOCK_FREE LOCK UNLOCK    gasp_upc_lock_t *lck; LOCK_ATTEMPT End: also int result
 * MEMCPY                   gasp_upc_PTS_t *dst, gasp_upc_PTS_t *src, size_t n
 * MEMGET                   void *dst, gasp_upc_PTS_t *src, size_t n
 * MEMPUT                   gasp_upc_PTS_t *dst, void *src, size_t n
 * MEMSET                   gasp_upc_PTS_t *dst, int c, size_t n */
#define GASP_UPC_GLOBAL_ALLOC      0x0221u
#define GASP_UPC_ALL_ALLOC         0x0222u
#define GASP_UPC_ALLOC             0x0223u
#define GASP_UPC_FREE              0x0224u
#define GASP_UPC_GLOBAL_LOCK_ALLOC 0x0225u
#define GASP_UPC_ALL_LOCK_ALLOC    0x0226u
#define GASP_UPC_LOCK_FREE         0x0227u
#define GASP_UPC_LOCK              0x0228u
#define GASP_UPC_LOCK_ATTEMPT      0x0229u
#define GASP_UPC_UNLOCK            0x022au
#define GASP_UPC_MEMCPY            0x022bu
#define GASP_UPC_MEMGET            0x022cu
#define GASP_UPC_MEMPUT            0x022du
#define GASP_UPC_MEMSET            0x022eu

/* 7: variables that compiled code reads and writes. Start, End:
 * GET  int is_relaxed, void *dst, gasp_upc_PTS_t *src, size_t n
 * PUT  int is_relaxed, gasp_upc_PTS_t *dst, void *src, size_t n */
#define GASP_UPC_GET 0x0231u
#define GASP_UPC_PUT 0x0232u

/* 8: non-blocking transfers. *_INIT Start: as GET and PUT; End: also gasp_upc_nb_handle_t handle. SYNC Start,
 * End: gasp_upc_nb_handle_t handle. DATA, not here: the library is not told when data begin to arrive. */
#define GASP_UPC_NB_GET_INIT 0x0241u
#define GASP_UPC_NB_PUT_INIT 0x0242u
#define GASP_UPC_NB_SYNC     0x0243u
#define GASP_UPC_NB_GET_DATA 0x0244u
#define GASP_UPC_NB_PUT_DATA 0x0245u

/* 9: a cache, not here. Atomic: MISS size_t n, size_t n_lines; HIT size_t n; INVALIDATE size_t n_dirty */
#define GASP_UPC_CACHE_MISS       0x0251u
#define GASP_UPC_CACHE_HIT        0x0252u
#define GASP_UPC_CACHE_INVALIDATE 0x0253u

/* 10: collectives, not here. Start, End: gasp_upc_PTS_t *dst, gasp_upc_PTS_t *src, then
 * BROADCAST SCATTER GATHER GATHER_ALL EXCHANGE  size_t nbytes, int upc_flags
 * PERMUTE                                       gasp_upc_PTS_t *perm, size_t nbytes, int upc_flags
 * REDUCE PREFIX_REDUCE                          int upc_op, size_t nelems, size_t blk_size, void *func, int
 * upc_flags, gasp_upc_reduction_t type */
#define GASP_UPC_ALL_BROADCAST     0x0261u
#define GASP_UPC_ALL_SCATTER       0x0262u
#define GASP_UPC_ALL_GATHER        0x0263u
#define GASP_UPC_ALL_GATHER_ALL    0x0264u
#define GASP_UPC_ALL_EXCHANGE      0x0265u
#define GASP_UPC_ALL_PERMUTE       0x0266u
#define GASP_UPC_ALL_REDUCE        0x0267u
#define GASP_UPC_ALL_PREFIX_REDUCE 0x0268u

typedef enum {
  GASP_UPC_REDUCTION_C,
  GASP_UPC_REDUCTION_UC,
  GASP_UPC_REDUCTION_S,
  GASP_UPC_REDUCTION_US,
  GASP_UPC_REDUCTION_I,
  GASP_UPC_REDUCTION_UI,
  GASP_UPC_REDUCTION_L,
  GASP_UPC_REDUCTION_UL,
  GASP_UPC_REDUCTION_F,
  GASP_UPC_REDUCTION_D,
  GASP_UPC_REDUCTION_LD
} gasp_upc_reduction_t;

/* The library's own. Events with NB in their names come from non-blocking calls, and their End also has
 * gasp_upc_nb_handle_t handle.
 *
 * NB_MEMCPY, NB_MEMSET  as MEMCPY and MEMSET
 * VIS_*, NB_VIS_*       vectors, indexed lists, strides: int form (GASP_PENSTOCK_VLIST ...),
 *                       size_t dstregions, size_t srcregions, size_t n (bytes in all), int thread (of the
 *                       first region that is not private, for COPY the destination's; -1: there is none)
 * COPY                  one shared variable assigned to another: int is_relaxed, gasp_upc_PTS_t *dst,
 *                       gasp_upc_PTS_t *src, size_t n */
#define GASP_PENSTOCK_NB_MEMCPY   0x0301u
#define GASP_PENSTOCK_NB_MEMSET   0x0302u
#define GASP_PENSTOCK_VIS_COPY    0x0303u
#define GASP_PENSTOCK_VIS_GET     0x0304u
#define GASP_PENSTOCK_VIS_PUT     0x0305u
#define GASP_PENSTOCK_NB_VIS_COPY 0x0306u
#define GASP_PENSTOCK_NB_VIS_GET  0x0307u
#define GASP_PENSTOCK_NB_VIS_PUT  0x0308u
#define GASP_PENSTOCK_COPY        0x0309u
enum {
  GASP_PENSTOCK_VLIST,
  GASP_PENSTOCK_ILIST,
  GASP_PENSTOCK_FSTRIDED,
  GASP_PENSTOCK_STRIDED,
  GASP_PENSTOCK_ANY,
  GASP_PENSTOCK_REBLOCK
};
/* The handle of all transfers with implicit handles (upc_*_asynci) that upc_waitsynci completes; an access
 * region has its own. */
#define GASP_PENSTOCK_NB_IMPLICIT ((gasp_upc_nb_handle_t)2)

/* Names of draft 1.3-pre2. */
typedef gasp_upc_PTS_t gasp_upc_pts_t;
#define GASP_COLLECTIVE_EXIT    GASP_UPC_COLLECTIVE_EXIT
#define GASP_NONCOLLECTIVE_EXIT GASP_UPC_NONCOLLECTIVE_EXIT
#define GASP_USEREVT_START      GASP_UPC_USEREVT_START
#define GASP_USEREVT_END        GASP_UPC_USEREVT_END
typedef gasp_upc_reduction_t gasp_upc_reduc_t;
#define GASP_UPC_REDUCE_C  GASP_UPC_REDUCTION_C
#define GASP_UPC_REDUCE_UC GASP_UPC_REDUCTION_UC
#define GASP_UPC_REDUCE_S  GASP_UPC_REDUCTION_S
#define GASP_UPC_REDUCE_US GASP_UPC_REDUCTION_US
#define GASP_UPC_REDUCE_I  GASP_UPC_REDUCTION_I
#define GASP_UPC_REDUCE_UI GASP_UPC_REDUCTION_UI
#define GASP_UPC_REDUCE_L  GASP_UPC_REDUCTION_L
#define GASP_UPC_REDUCE_UL GASP_UPC_REDUCTION_UL
#define GASP_UPC_REDUCE_F  GASP_UPC_REDUCTION_F
#define GASP_UPC_REDUCE_D  GASP_UPC_REDUCTION_D
#define GASP_UPC_REDUCE_LD GASP_UPC_REDUCTION_LD

#endif
