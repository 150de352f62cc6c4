/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Transfers that the public inlines leave to the library. */
#ifndef EXTENDED_RMA_H
#define EXTENDED_RMA_H
#include "core/conduit.h"
#include "extended/op.h"

const char *pst_rma_name(unsigned op); /* "gasnet_put_nb_bulk" */

/* Debug builds: checks the arguments, and that the call is allowed now. */
void pst_rma_check(unsigned op, gasnet_node_t node, const void *remote, size_t nbytes);

/* Starts one contiguous transfer, counted on *completion while it is in flight. */
void pst_rma_start(unsigned op, gasnet_node_t node, void *remote, void *local, size_t nbytes,
    struct pst_completion *completion);

/* The op that counts an operation of this kind: a new one, or the thread's for an implicit operation. */
struct pst_op *pst_rma_begin(unsigned op, struct pst_thread *t);
/* Ends a call: waits when it blocks, hands out the handle when it is explicit. */
gasnet_handle_t pst_rma_end(unsigned op, struct pst_thread *t, struct pst_op *o);

/* NULL, or set by the layer above to send small implicit transfers together: 1 when it has taken this one.
 * All that it has taken are on their way when pst_wait_offer returns. */
extern int (*pst_rma_coalesce)(
    unsigned op, gasnet_node_t node, void *remote, void *local, size_t nbytes, struct pst_op *o);

/* Sends what any thread has kept back that counts on c, or on anything where c is NULL. A thread that is in a
 * call at this moment may keep its part: the caller comes again while something is outstanding. */
extern void (*pst_rma_send_kept)(struct pst_completion *c);

/* The reference implementations over active messages. */
void pst_reference_open(void);
void pst_reference_put(
    gasnet_node_t node, void *dst, const void *src, size_t nbytes, struct pst_completion *completion);
void pst_reference_get(
    gasnet_node_t node, void *dst, const void *src, size_t nbytes, struct pst_completion *completion);
void pst_reference_memset(
    gasnet_node_t node, void *dst, int byte, size_t nbytes, struct pst_completion *completion);

#endif
