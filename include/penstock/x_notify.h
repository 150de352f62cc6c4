/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Puts that notify their target, and waits for a notification. Extension proposal, appendix, item 4. */
#ifndef PENSTOCK_X_NOTIFY_H
#define PENSTOCK_X_NOTIFY_H
#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  GASNETX_NOTIFY_ADD,    /* atomically adds value to *word */
  GASNETX_NOTIFY_SET,    /* stores value in *word */
  GASNETX_NOTIFY_HANDLER /* runs a handler of a short request with arguments arg[0] and arg[1]; it may not
                            reply */
} gasnetx_notify_kind_t;

/* word: an aligned uint64_t in the target's segment, as the target sees it. Members that the kind does not
 * need are ignored. */
typedef struct {
  gasnetx_notify_kind_t kind;
  uint64_t *word;
  uint64_t value;
  gasnet_handler_t handler;
  gasnet_handlerarg_t arg[2];
} gasnetx_notify_t;

/* Puts as gasnet_put_bulk, gasnet_puts_bulk, gasnet_putv_bulk and gasnet_puti_bulk. When all data of a put is
 * visible at the target, *notify is carried out there, once; also for an empty put. A put is complete only
 * when it has changed the word; a handler runs when the target serves messages. Several puts notify in any
 * order, unless each starts after the one before is complete. The caller may reuse *notify on return. */
void gasnetx_put_notify_bulk(
    gasnet_node_t node, void *dst, void *src, size_t nbytes, const gasnetx_notify_t *notify);
gasnet_handle_t gasnetx_put_notify_nb_bulk(
    gasnet_node_t node, void *dst, void *src, size_t nbytes, const gasnetx_notify_t *notify);
void gasnetx_put_notify_nbi_bulk(
    gasnet_node_t node, void *dst, void *src, size_t nbytes, const gasnetx_notify_t *notify);

void gasnetx_puts_notify_bulk(gasnet_node_t dstnode, void *dstaddr, const size_t dststrides[], void *srcaddr,
    const size_t srcstrides[], const size_t count[], size_t stridelevels, const gasnetx_notify_t *notify);
gasnet_handle_t gasnetx_puts_notify_nb_bulk(gasnet_node_t dstnode, void *dstaddr, const size_t dststrides[],
    void *srcaddr, const size_t srcstrides[], const size_t count[], size_t stridelevels,
    const gasnetx_notify_t *notify);
void gasnetx_puts_notify_nbi_bulk(gasnet_node_t dstnode, void *dstaddr, const size_t dststrides[],
    void *srcaddr, const size_t srcstrides[], const size_t count[], size_t stridelevels,
    const gasnetx_notify_t *notify);

void gasnetx_putv_notify_bulk(gasnet_node_t dstnode, size_t dstcount, gasnet_memvec_t const dstlist[],
    size_t srccount, gasnet_memvec_t const srclist[], const gasnetx_notify_t *notify);
gasnet_handle_t gasnetx_putv_notify_nb_bulk(gasnet_node_t dstnode, size_t dstcount,
    gasnet_memvec_t const dstlist[], size_t srccount, gasnet_memvec_t const srclist[],
    const gasnetx_notify_t *notify);
void gasnetx_putv_notify_nbi_bulk(gasnet_node_t dstnode, size_t dstcount, gasnet_memvec_t const dstlist[],
    size_t srccount, gasnet_memvec_t const srclist[], const gasnetx_notify_t *notify);

void gasnetx_puti_notify_bulk(gasnet_node_t dstnode, size_t dstcount, void *const dstlist[], size_t dstlen,
    size_t srccount, void *const srclist[], size_t srclen, const gasnetx_notify_t *notify);
gasnet_handle_t gasnetx_puti_notify_nb_bulk(gasnet_node_t dstnode, size_t dstcount, void *const dstlist[],
    size_t dstlen, size_t srccount, void *const srclist[], size_t srclen, const gasnetx_notify_t *notify);
void gasnetx_puti_notify_nbi_bulk(gasnet_node_t dstnode, size_t dstcount, void *const dstlist[],
    size_t dstlen, size_t srccount, void *const srclist[], size_t srclen, const gasnetx_notify_t *notify);

/* Comparisons of unsigned 64-bit numbers: *word on the left. */
typedef enum { GASNETX_EQ, GASNETX_NE, GASNETX_GT, GASNETX_GE, GASNETX_LT, GASNETX_LE } gasnetx_compare_t;

/* Serves messages until the comparison holds; returns the word's value. The data of a put that notified is
 * visible then. Waits as gasnet_set_waitmode says; a notification ends its sleep. A change by other means (a
 * plain put or store) is noticed within 16 milliseconds. */
uint64_t gasnetx_wait_until(const uint64_t *word, gasnetx_compare_t cmp, uint64_t value);

/* Serves messages once. Non-zero when the comparison holds: *seen is the word's value, unless seen is
 * NULL. */
int gasnetx_test_until(const uint64_t *word, gasnetx_compare_t cmp, uint64_t value, uint64_t *seen);

/* Wakes a node that sleeps in gasnetx_wait_until, which otherwise may see the word late. For a process that
 * has changed the word by a store or atomic operation in shared memory: notifications and messages wake by
 * themselves. */
void gasnetx_wake(gasnet_node_t node);

#ifdef __cplusplus
}
#endif
#endif
