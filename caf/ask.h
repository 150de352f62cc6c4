/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A question to another node, which answers in a handler: bytes there, and bytes back, of any number. What
 * fits into a message is one, and its answer another. More is kept at the node that answers, and goes there
 * and back in pieces, all of which are under way at a time. */
#ifndef CAF_ASK_H
#define CAF_ASK_H

#include "caf/parts.h"

/* For the start of the job. */
extern gasnet_handlerentry_t pst_caf_ask_handlers[];
extern const int pst_caf_ask_num_handlers;

/* One thread asks. at NULL: the node is lost. Else the answer, at a multiple of 16, which the caller frees.
 */
struct pst_caf_parts pst_caf_ask(gasnet_node_t node, const void *question, size_t nbytes);

/* Is called in a handler, in any thread. The answer is all of a block of malloc, and is freed. */
struct pst_caf_parts pst_caf_answer(struct pst_caf_parts question);

#endif
