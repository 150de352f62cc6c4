/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A process that the client has forked from a node. It has a copy of the node's memory and maps the job's,
 * but is no node: the job does not wait for it and does not notice its end, and a call of GASNet in it ends
 * it with a message before the call reaches the job. */
#ifndef CORE_FORKED_H
#define CORE_FORKED_H

/* Called in gasnet_attach, when the conduits are open and no more regions can come. */
void pst_forked_watch(void (*layers)(void));
/* Ends this process, which is a forked one. */
_Noreturn void pst_forked_refuse(void);
/* The same if this process is a forked one; for calls that use no conduit. */
void pst_forked_check(void);

#endif
