/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Atomic operations that the public inlines leave to the library. */
#ifndef EXTENDED_ATOMIC_H
#define EXTENDED_ATOMIC_H

/* Collective. Registers the handlers and fills pst_atomic_map. */
void pst_atomic_open(void);

/* Collective, before anybody uses the segments: 1 where all nodes use the network's operations on words of 32
 * and 64 bits. */
int pst_atomic_choose_network(void);

#endif
