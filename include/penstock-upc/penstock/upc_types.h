/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Pointers-to-shared, handles and locks as the UPC library passes them. */
#ifndef PENSTOCK_UPC_TYPES_H
#define PENSTOCK_UPC_TYPES_H
#ifdef __cplusplus
extern "C" {
#endif

#ifdef __UPC__
#include <upc.h>
typedef shared void *upc_pts_t;
typedef shared const void *upc_const_pts_t;
#define UPC_PTS_NULL ((shared void *)0)
#else
/* A pointer to an element of a shared array: the thread that has it, its place in its block, and its address,
 * which counts from the beginning of the thread's shared memory, and is the same for elements of that place
 * on all threads. All zero: NULL. */
typedef struct {
  uint64_t address; /* bytes */
  uint32_t thread;
  uint32_t phase; /* elements; 0 where blocks have no end */
} upc_pts_t;
typedef upc_pts_t upc_const_pts_t;
#ifdef __cplusplus
#define UPC_PTS_NULL (upc_pts_t{0, 0, 0})
#else
#define UPC_PTS_NULL ((upc_pts_t){0, 0, 0})
#endif

/* This thread's number and the number of threads, from upc_init on. */
extern int MYTHREAD, THREADS;

/* A lock of the whole job. The pointers are no addresses, and are the same on all threads. */
typedef struct upc_lock upc_lock_t;
#endif

/* A transfer under way, which belongs to the thread that began it. All bits zero: complete. Proposal,
 * section 2.1. */
typedef struct upc_transfer *upc_handle_t;
#define UPC_COMPLETE_HANDLE ((upc_handle_t)0)
/* A thread may have at least so many under way. Proposal, appendix, item 7. */
#define UPC_MAX_ASYNC_INFLIGHT 1048575

/* Regions of private memory, and of one thread's shared memory from addr on. Proposal, section 5.2. */
typedef struct {
  void *addr;
  size_t len;
} upc_pmemvec_t;
typedef struct {
  upc_pts_t addr;
  size_t len;
} upc_smemvec_t;
typedef upc_pmemvec_t bupc_pmemvec_t;
typedef upc_smemvec_t bupc_smemvec_t;
typedef upc_handle_t bupc_handle_t;
#define BUPC_COMPLETE_HANDLE UPC_COMPLETE_HANDLE

/* Functions of these headers cause no events of functions. */
#define PST_UPC_INLINE static inline __attribute__((no_instrument_function))

/* A function under both of its names. */
#define PST_UPC(result, name, parameters) \
  result upc_##name parameters; \
  result bupc_##name parameters

#ifdef __cplusplus
}
#endif
#endif
