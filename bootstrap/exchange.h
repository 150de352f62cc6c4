/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* All-to-all exchange of small blobs between the processes of one host before the conduit runs. */
#ifndef BOOTSTRAP_EXCHANGE_H
#define BOOTSTRAP_EXCHANGE_H
#include <stddef.h>
#include <stdint.h>

struct pst_exchange;
#define PST_EXCHANGE_MAX 64 /* bytes of a blob */

size_t pst_exchange_size(unsigned nodes);

/* Collective: every node's blob of `size` bytes (at most PST_EXCHANGE_MAX) into all[nodes * size].
 * Cannot fail: a node that dies ends the job. */
void pst_exchange_all(
    struct pst_exchange *x, unsigned node, unsigned nodes, const void *mine, size_t size, void *all);
/* Collective: returns when every node has called. */
void pst_exchange_fence(struct pst_exchange *x, unsigned nodes);

#endif
