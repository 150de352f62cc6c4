/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The collectives that ordinary clients use. */
#ifndef PENSTOCK_COLL_H
#define PENSTOCK_COLL_H
#ifdef __cplusplus
extern "C" {
#endif

typedef uint32_t gasnet_image_t;
typedef struct pst_team *gasnet_team_handle_t;

/* A function of reductions: combines left_count operands on the left with each of result_count on the right,
 * elem_size bytes each, into results. The struct is its entry in gasnet_coll_init's table. */
typedef void (*gasnet_coll_reduce_fn_t)(void *results, size_t result_count, const void *left_operands,
    size_t left_count, const void *right_operands, size_t elem_size, int flags, int arg);
typedef struct {
  gasnet_coll_reduce_fn_t fnptr;
  unsigned int flags;
} gasnet_coll_fn_entry_t;
extern gasnet_team_handle_t pst_team_all;
#define GASNET_TEAM_ALL (pst_team_all)

#define GASNET_COLL_IN_NOSYNC      (1 << 0)
#define GASNET_COLL_IN_MYSYNC      (1 << 1)
#define GASNET_COLL_IN_ALLSYNC     (1 << 2)
#define GASNET_COLL_OUT_NOSYNC     (1 << 3)
#define GASNET_COLL_OUT_MYSYNC     (1 << 4)
#define GASNET_COLL_OUT_ALLSYNC    (1 << 5)
#define GASNET_COLL_SINGLE         (1 << 6)
#define GASNET_COLL_LOCAL          (1 << 7)
#define GASNET_COLL_DST_IN_SEGMENT (1 << 10)
#define GASNET_COLL_SRC_IN_SEGMENT (1 << 11)

/* Collective; called once, after gasnet_attach. A node has one image: images must be NULL or all ones. The
 * function table must be empty. Anything else is fatal, and the message says so. */
void gasnet_coll_init(const gasnet_image_t images[], gasnet_image_t my_image, gasnet_coll_fn_entry_t fn_tbl[],
    size_t fn_count, int init_flags);

/* Collective. Copies nbytes bytes at the root's src to dst on every node. dst and src are each node's own
 * addresses (GASNET_COLL_LOCAL) and may lie anywhere. All IN and OUT synchronisation modes are allowed. */
void gasnet_coll_broadcast(
    gasnet_team_handle_t team, void *dst, gasnet_image_t root, void *src, size_t nbytes, int flags);

#ifdef __cplusplus
}
#endif
#endif
