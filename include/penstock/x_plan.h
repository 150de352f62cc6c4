/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Plans: transfers that are described once and started again and again. */
#ifndef PENSTOCK_X_PLAN_H
#define PENSTOCK_X_PLAN_H
#ifdef __cplusplus
extern "C" {
#endif

typedef struct gasnetx_plan *gasnetx_plan_t;

/* An empty plan. Lack of memory is fatal, here and below. One thread at a time may use a plan. Members are
 * added after gasnet_attach. */
gasnetx_plan_t gasnetx_plan_create(void);
/* Allowed also while transfers of the plan are in flight. */
void gasnetx_plan_destroy(gasnetx_plan_t plan);

/* Each adds a member, with the arguments of gasnet_puts_bulk and so on, and returns its number: 0, 1, 2, ...
 * The arrays are copied; the data is not looked at before a start. */
size_t gasnetx_plan_puts(gasnetx_plan_t plan, gasnet_node_t dstnode, void *dstaddr, const size_t dststrides[],
    void *srcaddr, const size_t srcstrides[], const size_t count[], size_t stridelevels);
size_t gasnetx_plan_gets(gasnetx_plan_t plan, void *dstaddr, const size_t dststrides[], gasnet_node_t srcnode,
    void *srcaddr, const size_t srcstrides[], const size_t count[], size_t stridelevels);
size_t gasnetx_plan_puts_any(gasnetx_plan_t plan, gasnet_node_t dstnode, void *dstaddr,
    const ptrdiff_t dststrides[], void *srcaddr, const ptrdiff_t srcstrides[], size_t elemsz,
    const size_t count[], size_t dims);
size_t gasnetx_plan_gets_any(gasnetx_plan_t plan, void *dstaddr, const ptrdiff_t dststrides[],
    gasnet_node_t srcnode, void *srcaddr, const ptrdiff_t srcstrides[], size_t elemsz, const size_t count[],
    size_t dims);
size_t gasnetx_plan_putv(gasnetx_plan_t plan, gasnet_node_t dstnode, size_t dstcount,
    gasnet_memvec_t const dstlist[], size_t srccount, gasnet_memvec_t const srclist[]);
size_t gasnetx_plan_getv(gasnetx_plan_t plan, size_t dstcount, gasnet_memvec_t const dstlist[],
    gasnet_node_t srcnode, size_t srccount, gasnet_memvec_t const srclist[]);
size_t gasnetx_plan_puti(gasnetx_plan_t plan, gasnet_node_t dstnode, size_t dstcount, void *const dstlist[],
    size_t dstlen, size_t srccount, void *const srclist[], size_t srclen);
size_t gasnetx_plan_geti(gasnetx_plan_t plan, size_t dstcount, void *const dstlist[], size_t dstlen,
    gasnet_node_t srcnode, size_t srccount, void *const srclist[], size_t srclen);

/* Gives a strided member (puts, gets, puts_any, gets_any) other base addresses for the following starts. */
void gasnetx_plan_rebase(gasnetx_plan_t plan, size_t member, void *dstaddr, void *srcaddr);
/* The notification of a put, carried out when its data is visible at the target, for each start; NULL: none.
 * *notify is copied. */
void gasnetx_plan_notify(gasnetx_plan_t plan, size_t member, const gasnetx_notify_t *notify);

/* Starts all members, in any order. A plan may start any number of times, also before an earlier start was
 * synced. One handle, which may be GASNET_INVALID_HANDLE, stands for all; _nbi is implicit; _run returns when
 * all are complete. */
gasnet_handle_t gasnetx_plan_start(gasnetx_plan_t plan);
void gasnetx_plan_start_nbi(gasnetx_plan_t plan);
void gasnetx_plan_run(gasnetx_plan_t plan);

#ifdef __cplusplus
}
#endif
#endif
