/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#ifndef CONDUITS_SMP_FILL_H
#define CONDUITS_SMP_FILL_H
#include "core/conduit.h"

/* Calls the message's `fill` to write the payload to `to`, in the data lines of a queue. */
void pst_smp_fill(const struct pst_message *m, char *to);

#endif
