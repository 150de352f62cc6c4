/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The job as this process sees it. */
#ifndef CORE_JOB_H
#define CORE_JOB_H
#include "bootstrap/start.h"
#include "core/conduit.h"
#include "gasnet.h"

#if defined(GASNET_DEBUG)
#define PST_DEBUG 1
#else
#define PST_DEBUG 0
#endif

enum pst_phase { PST_PHASE_NONE, PST_PHASE_INIT, PST_PHASE_ATTACHED, PST_PHASE_FORKED };

typedef int (*pst_advance_fn)(void);

struct pst_job {
  enum pst_phase phase;
  int par;            /* the client was compiled for GASNET_PAR */
  int no_quit;        /* a handler for SIGQUIT is not the client's */
  int background;     /* the client lets handlers run in the library's threads */
  int am_only;        /* GASNET_AM_ONLY: reference implementations everywhere */
  unsigned supernode; /* neighbours that may share memory openly: consecutive groups of so many nodes */
  unsigned cores;     /* that the processes of this host may run on */
  const struct pst_conduit *conduit; /* shared memory: nodes of this host and supernode */
  const struct pst_conduit *network; /* the others; NULL in a job that has none */
  /* NULL, or what each poll calls beside the conduits: it advances collectives, and returns how many have
   * moved. Relaxed: whoever sets it has advanced them before. */
  _Atomic(pst_advance_fn) advance;
  const uint8_t *far;                /* [nodes] reached by the network; NULL without one */
  const struct pst_host_slots *host; /* conduit->host, one load nearer */
  struct pst_conduit_limits limits;
  struct pst_start place;
  struct pst_jobnode *self; /* this process's entry in the job's state; NULL before it has joined */
};
extern struct pst_job pst_job;

/* The conduit that reaches a node. */
static inline const struct pst_conduit *pst_conduit_to(gasnet_node_t node)
{
  return __builtin_expect(pst_job.far != NULL, 0) && pst_job.far[node] ? pst_job.network : pst_job.conduit;
}

static inline int pst_poll(void)
{
  const pst_advance_fn advance = atomic_load_explicit(&pst_job.advance, memory_order_relaxed);
  int served = pst_job.conduit->poll();
  if (__builtin_expect(pst_job.network != NULL, 0)) served += pst_job.network->poll();
  return __builtin_expect(advance != NULL, 0) ? served + advance() : served;
}

static inline int pst_poll_replies(void)
{
  const int served = pst_job.conduit->poll_replies();
  return __builtin_expect(pst_job.network != NULL, 0) ? served + pst_job.network->poll_replies() : served;
}

/* What the layers above the core do in a job. The core does not know them: the uppermost defines
 * gasnet_attach, which hands them over. */
struct pst_layers {
  void (*open)(void);   /* they register their handlers, before any node may send */
  void (*forked)(void); /* in a process that was forked from a node: they use no conduit any more */
};
int pst_job_attach(
    gasnet_handlerentry_t *table, int numentries, uintptr_t segsize, const struct pst_layers *layers);

/* Before the conduits are attached: the job's become those that go on without lost nodes. */
void pst_job_report_losses(void);

/* Collectives over the job for the layers above, as in bootstrap/boot.h. They need no conduit. */
void pst_job_exchange(const void *mine, size_t size, void *all);
void pst_job_fence(void);

/* Zeroed memory for n nodes, `size` bytes each; ends the job where there is none. */
void *pst_job_alloc(size_t n, size_t size);

/* Where the phase is not PST_PHASE_ATTACHED: says why the call is refused. */
_Noreturn void pst_job_not_attached(const char *call);
/* Debug builds: checks that the call is allowed now and the node exists. */
void pst_job_check(const char *call, gasnet_node_t node);
#define PST_CHECK_NODE(call, node) \
  do { \
    if (PST_DEBUG) pst_job_check((call), (node)); \
  } while (0)

#endif
