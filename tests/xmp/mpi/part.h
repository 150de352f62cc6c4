/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#ifndef TESTS_XMP_MPI_PART_H
#define TESTS_XMP_MPI_PART_H

long part_sum(int n);         /* of 0 to n - 1, on all nodes */
long part_pass(long value);   /* what the node before passes to this one */
int part_rank_of_half(void);  /* in the communicator of the first half of the nodes; -1: elsewhere */

#endif
