/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Barriers: the split-phase interface and its implementation over active messages. */
#ifndef EXTENDED_BARRIER_H
#define EXTENDED_BARRIER_H
#include <stdint.h>

void pst_barrier_open(void);

/* Dissemination over active messages; values as in core/conduit.h. */
void pst_dissemination_open(void);
void pst_dissemination_notify(uint64_t value);
int pst_dissemination_try(uint64_t *result);

#endif
