/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Joining a job, its size, its segments, leaving it. GASNet specification 1.8, "Core API: job control". */
#ifndef PENSTOCK_JOB_H
#define PENSTOCK_JOB_H
#ifdef __cplusplus
extern "C" {
#endif

/* How a client was compiled; pst_client_init compares it with the library. */
#define PST_CLIENT_SEQ     1u
#define PST_CLIENT_PARSYNC 2u
#define PST_CLIENT_PAR     3u
#define PST_CLIENT_DEBUG   4u
#define PST_CLIENT_NO_QUIT 8u /* a handler for SIGQUIT is its language's, and is not for the end of a job */
#define PST_CLIENT_ABI     (2u << 8)

/* Each object file has a symbol for its thread mode: the library refuses a program that mixes two. */
#if defined(GASNET_SEQ)
#define PST_CLIENT_MODE PST_CLIENT_SEQ
extern int pst_client_mode_seq;
__attribute__((weak)) int pst_client_mode_seq = 1;
#elif defined(GASNET_PARSYNC)
#define PST_CLIENT_MODE PST_CLIENT_PARSYNC
extern int pst_client_mode_parsync;
__attribute__((weak)) int pst_client_mode_parsync = 1;
#elif defined(GASNET_PAR)
#define PST_CLIENT_MODE PST_CLIENT_PAR
extern int pst_client_mode_par;
__attribute__((weak)) int pst_client_mode_par = 1;
#endif

int pst_client_init(int *argc, char ***argv, unsigned client);
extern gasnet_node_t pst_mynode, pst_nodes;

/* Joins the job that started this process, or starts one: GASNET_PSHM_NODES=N makes this process the parent
 * of N nodes, else it is a job of one. argc and argv may be NULL. Of GASNet's functions only gasnet_ErrorName
 * and gasnet_ErrorDesc may be called before. GASNET_OK, or GASNET_ERR_NOT_INIT when called twice. */
#if defined(PST_CLIENT_MODE)
PST_INLINE int gasnet_init(int *argc, char ***argv)
{
#if defined(GASNET_DEBUG)
  return pst_client_init(argc, argv, PST_CLIENT_ABI | PST_CLIENT_DEBUG | PST_CLIENT_MODE);
#else
  return pst_client_init(argc, argv, PST_CLIENT_ABI | PST_CLIENT_MODE);
#endif
}
#endif

/* Collective; called once, after gasnet_init. Registers the handlers: an index is 128..255, or 0 for one that
 * the library chooses and writes into the table. Gives this node a segment of segsize bytes: a multiple of
 * GASNET_PAGESIZE, 0 to gasnet_getMaxLocalSegmentSize(); nodes may differ. Returns when all nodes are ready.
 * minheapoffset has no effect. After GASNET_ERR_BAD_ARG or _RESOURCE the node is as it was, and the caller
 * may try again. */
int gasnet_attach(gasnet_handlerentry_t *table, int numentries, uintptr_t segsize, uintptr_t minheapoffset);

/* Ends the whole job with the low 8 bits of exitcode and flushes stdio. Any thread may call it, in client
 * code, a handler or a signal handler. The other nodes have GASNET_EXITTIMEOUT to leave by themselves after a
 * code of 0, 0.3 s after others; then the client's handler for SIGQUIT runs on them. Does not return. */
void gasnet_exit(int exitcode) __attribute__((noreturn));

PST_INLINE gasnet_node_t gasnet_mynode(void) { return pst_mynode; }
PST_INLINE gasnet_node_t gasnet_nodes(void) { return pst_nodes; }

/* Bytes that this node could attach now; the least of that over all nodes. GASNET_MAX_SEGSIZE limits both. */
uintptr_t gasnet_getMaxLocalSegmentSize(void);
uintptr_t gasnet_getMaxGlobalSegmentSize(void);

/* Fill the caller's table for the first numentries nodes; the first after gasnet_attach, the second after
 * gasnet_init. GASNET_OK, GASNET_ERR_NOT_INIT too early, GASNET_ERR_BAD_ARG for a negative count or no
 * table. */
int gasnet_getSegmentInfo(gasnet_seginfo_t *table, int numentries);
int gasnet_getNodeInfo(gasnet_nodeinfo_t *table, int numentries);

/* The variable's value in the shell that launched the job, the same on every node, or NULL. The library owns
 * it. */
char *gasnet_getenv(const char *name);

/* The name of an error code, and a sentence on it: static text for any value. */
const char *gasnet_ErrorName(int errval);
const char *gasnet_ErrorDesc(int errval);

/* A client may define this to set the default of GASNET_MAX_SEGSIZE in bytes. The library's definition is
 * weak and 0. */
extern uint64_t gasnet_max_segsize;
/* Called in gasnet_attach with the address and size of this node's segment, before any node may use it. */
extern void (*gasnet_client_attach_hook)(void *addr, uintptr_t size);
/* Non-zero while the process waits for a debugger (GASNET_FREEZE); set it to 0 in the debugger to go on. */
extern volatile int gasnet_frozen;

/* Clients pass thread information by these. Penstock needs none, so they have no effect. */
#define GASNET_BEGIN_FUNCTION() extern int pst_begin_function __attribute__((unused))
#define GASNET_GET_THREADINFO() ((gasnet_threadinfo_t)0)
#define GASNET_POST_THREADINFO(info) \
  gasnet_threadinfo_t pst_posted_threadinfo __attribute__((unused)) = (info)

#ifdef __cplusplus
}
#endif
#endif
