/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Contiguous ranges to or from several nodes, collected and then moved by one transfer a node. */
#ifndef VIS_BATCH_H
#define VIS_BATCH_H
#include "vis/transfer.h"

/* Ranges of a full batch: its temporary memory stays below 2 MiB. */
enum { PST_BATCH_MOST = 16384 };

struct pst_range {
  char *remote, *local;
  size_t nbytes;
  gasnet_node_t node;
  uint32_t next; /* of the same node; PST_BATCH_MOST: none */
};

/* At first all but op and call is 0. */
struct pst_batch {
  unsigned op;      /* as in pst_transfer */
  const char *call; /* the client's, for messages */
  unsigned n, room;
  struct pst_range *range;
};

static inline int pst_batch_full(const struct pst_batch *b) { return b->n == PST_BATCH_MOST; }
/* The batch is not full. */
void pst_batch_add(struct pst_batch *b, gasnet_node_t node, char *remote, char *local, size_t nbytes);
/* Starts the transfers, as parts of *o (see pst_transfer_part), and empties the batch. */
void pst_batch_start(struct pst_batch *b, struct pst_op **o);
void pst_batch_free(struct pst_batch *b);

#endif
