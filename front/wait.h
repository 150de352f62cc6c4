/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Waiting for a word of this node that others change: a few looks, then as the library waits, which serves
 * messages and, where cores are short, gives its core away and sleeps. Where losses are reported, a condition
 * that one node makes true ends with "|| gasnetx_node_is_lost(node)": a thread that waits learns of losses.
 *
 * Order: the condition reads the word with acquire. Puts that come as messages store words with release
 * (support/copy.h), also in the progress thread. Where a network's library stores the word itself, data put
 * before it may have been stored by a handler in that thread. The node that put both ordered them, which a
 * race detector has to be told. */
#ifndef FRONT_WAIT_H
#define FRONT_WAIT_H

#include <gasnetx.h>
#include <gasnet_tools.h>

#include "support/tsan.h"

enum { PST_FRONT_LOOKS = 64 };

#define PST_FRONT_UNTIL(condition) \
  do { \
    struct pst_wait pst_steps = {0, 0}; \
    for (int i = 0; i < PST_FRONT_LOOKS && !(condition); i++) pst_spin_pause(); \
    while (!(condition)) pst_wait_step(&pst_steps); \
    pst_tsan_acquire(&pst_mynode); \
  } while (0)

#endif
