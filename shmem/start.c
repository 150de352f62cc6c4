/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Start and end of a program. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "shmem/heap.h"
#include "shmem/internal.h"

struct pst_shmem_job pst_shmem_job;
static pid_t process;

static void must(int rc, const char *what)
{
  if (rc != GASNET_OK) pst_shmem_fatal("start_pes", "%s: %s", what, gasnet_ErrorDesc(rc));
}

static void join(void)
{
  const char *variable;
#if defined(GASNET_DEBUG)
  must(
      pst_client_init(NULL, NULL, PST_CLIENT_ABI | PST_CLIENT_PAR | PST_CLIENT_DEBUG), "cannot join the job");
  pst_shmem_job.checks = 1;
#else
  must(pst_client_init(NULL, NULL, PST_CLIENT_ABI | PST_CLIENT_PAR), "cannot join the job");
#endif
  process = getpid();
  pst_shmem_job.me = (int)gasnet_mynode();
  pst_shmem_job.pes = (int)gasnet_nodes();
  if (pst_shmem_env("DEBUG", &variable)) pst_shmem_job.checks = 1;
}

/* ---- the end ---- */

/* Tools work and wait in the last event, and serve no messages: what others need of the barrier must have
 * left. */
static void meet_for_the_last_time(void)
{
  pst_shmem_meet("the end of the program", 0, 0);
  for (int i = 0; pst_gasp_on && i < 100; i++) gasnet_AMPoll();
}

static void leave(void)
{
  PST_SHMEM_TOLD(meet_for_the_last_time(), GASP_SHMEM_COLLECTIVE_EXIT, 0, "shmem_finalize");
  pst_shmem_job.state = PST_SHMEM_LEFT;
  pst_shmem = (struct pst_shmem_view){.pending = 1};
}

/* Return from main, or exit(0), is the end of a program that did well: others may still need this PE's
 * memory. What has failed ends the job at once. Runs before gasnet's own: that was registered earlier. */
static void on_process_exit(int code, void *unused)
{
  (void)unused;
  if (code == 0 && pst_shmem_job.state == PST_SHMEM_OPEN && getpid() == process) leave();
}

void shmem_finalize(void)
{
  pst_shmem_need_open("shmem_finalize");
  leave();
}

void shmem_global_exit(int status)
{
  pst_shmem_need_open("shmem_global_exit");
  GASP_ATOMICALLY(SHMEM, GASP_SHMEM_NONCOLLECTIVE_EXIT, status, "shmem_global_exit");
  gasnet_exit(status);
}

/* ---- */

/* Inline functions that see no memory, and always something pending, call the library, which tells. */
static void open_tools(const char *call)
{
  pst_gasp_set_place((unsigned)pst_shmem_job.me, (unsigned)pst_shmem_job.pes);
  pst_gasp_open(GASP_MODEL_SHMEM, NULL, NULL);
  if (!pst_gasp_on) return;
  pst_shmem.heap = pst_shmem.data = (struct pst_shmem_area){.base = 0};
  pst_shmem.pending = pst_shmem_job.tools = 1;
  GASP_ATOMICALLY(SHMEM, GASP_SHMEM_INIT, pst_shmem_job.pes, call);
}

/* A process that the client forks is no PE, whatever of the heap it has mapped. */
static void in_child(void)
{
  if (pst_shmem_job.state == PST_SHMEM_OPEN) pst_shmem_job.state = PST_SHMEM_FORKED;
  pst_shmem = (struct pst_shmem_view){.pending = 1};
}

static void start(const char *call)
{
  if (pst_shmem_job.state == PST_SHMEM_OPEN) {
    pst_gasp_drop_site();
    return;
  }
  if (pst_shmem_job.state != PST_SHMEM_CLOSED) pst_shmem_not_open(call);
  pst_shmem_objects_find();
  gasnetx_handlers_in_background(); /* PEs that compute do not keep others waiting */
  join();
  must(gasnet_attach(NULL, 0, pst_shmem_env_heap(gasnet_getMaxGlobalSegmentSize()), 0),
      "cannot get memory for the symmetric heap");
  pst_shmem_zones_open();
  pst_shmem_heap_open();
  pst_shmem_job.state = PST_SHMEM_OPEN;
  pst_shmem.pending = 0;
  pst_shmem_env_tell();
  shmem_barrier_all();
  open_tools(call);
  if (pthread_atfork(NULL, NULL, in_child) != 0) pst_shmem_fatal(call, "out of memory for a fork's handlers");
  on_exit(
      on_process_exit, NULL); /* after what a tool may have registered: it is to hear of the end as such */
}

void start_pes(int npes)
{
  (void)npes;
  start("start_pes");
}

void shmem_init(void) { start("shmem_init"); }
