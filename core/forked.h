/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A process that the client has forked from a node. It has a copy of the node's memory and maps the job's,
 * but is no node: the job does not wait for it, its end is its own, and its calls end it with a message
 * before they reach the job. */
#ifndef CORE_FORKED_H
#define CORE_FORKED_H

/* Within gasnet_attach, when the conduits are open and no more regions can come. */
void pst_forked_watch(void (*layers)(void));
/* Ends the process, which is such a one. */
_Noreturn void pst_forked_refuse(void);
/* The same, for calls that do not come to a conduit, where it is one. */
void pst_forked_check(void);

#endif
