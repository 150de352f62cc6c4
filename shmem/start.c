/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Start and end of a program, and what it may ask at any time. */
#include <string.h>

#include "shmem/internal.h"

struct pst_shmem_job pst_shmem_job;
const struct pst_front_language pst_shmem_language = {.member = "PE", .start = "start_pes"};

/* PE and PEs are known before the symmetric heap has a size: messages about that name them. */
static size_t heap_size(void)
{
  const char *variable;
#if defined(GASNET_DEBUG)
  pst_shmem_job.checks = 1;
#endif
  pst_shmem_job.me = (int)gasnet_mynode();
  pst_shmem_job.pes = (int)gasnet_nodes();
  if (pst_shmem_env("DEBUG", &variable)) pst_shmem_job.checks = 1;
  return pst_shmem_env_heap(gasnet_getMaxGlobalSegmentSize());
}

/* PEs that compute do not keep others waiting: their handlers run in the background. */
static const struct pst_front_beginning beginning = {.mode = PST_CLIENT_PAR,
    .background = 1,
    .add = pst_shmem_statics_find,
    .size = heap_size,
    .no_memory = "cannot get memory for the symmetric heap"};

/* ---- the end ---- */

static void job_meet_at_end(void)
{
  pst_shmem_meet("the end of the program", 0, 0);
  pst_front_tools_leave();
}

static void job_leave(void)
{
  PST_SHMEM_TOLD(job_meet_at_end(), GASP_SHMEM_COLLECTIVE_EXIT, 0, "shmem_finalize");
  pst_shmem_job.state = PST_SHMEM_LEFT;
  pst_shmem = (struct pst_shmem_view){.pending = 1};
}

/* Other PEs may still need this PE's memory. */
static void job_leave_at_exit(void)
{
  if (pst_shmem_job.state == PST_SHMEM_OPEN) job_leave();
}

void shmem_finalize(void)
{
  pst_shmem_need_open("shmem_finalize");
  job_leave();
}

void shmem_global_exit(int status)
{
  pst_shmem_need_open("shmem_global_exit");
  GASP_ATOMICALLY(SHMEM, GASP_SHMEM_NONCOLLECTIVE_EXIT, status, "shmem_global_exit");
  gasnet_exit(status);
}

/* ---- the start ---- */

/* With no memory to find, and `pending` set, inline functions call the library, which tells the tool. */
static void tools_open(const char *call)
{
  pst_front_tools_open(GASP_MODEL_SHMEM, NULL, NULL);
  if (!pst_gasp_on) return;
  pst_shmem.heap = pst_shmem.data = (struct pst_shmem_area){.base = 0};
  pst_shmem.pending = pst_shmem_job.tools = 1;
  GASP_ATOMICALLY(SHMEM, GASP_SHMEM_INIT, pst_shmem_job.pes, call);
}

/* A process that the client forks is no PE, though it has the heap mapped. */
static void fork_in_child(void)
{
  if (pst_shmem_job.state == PST_SHMEM_OPEN) pst_shmem_job.state = PST_SHMEM_FORKED;
  pst_shmem = (struct pst_shmem_view){.pending = 1};
}

static void job_start(const char *call)
{
  if (pst_shmem_job.state == PST_SHMEM_OPEN) {
    pst_gasp_drop_site();
    return;
  }
  if (pst_shmem_job.state != PST_SHMEM_CLOSED) pst_shmem_not_open(call);
  pst_front_begin(&pst_shmem_language, &beginning, NULL, NULL);
  pst_shmem_zones_open();
  pst_shmem_heap_open();
  pst_shmem_job.state = PST_SHMEM_OPEN;
  pst_shmem.pending = 0;
  pst_shmem_env_tell();
  shmem_barrier_all();
  tools_open(call);
  pst_front_at_end(&pst_shmem_language, job_leave_at_exit, fork_in_child);
}

void start_pes(int npes)
{
  (void)npes;
  job_start("start_pes");
}

void shmem_init(void) { job_start("shmem_init"); }

/* ---- versions ---- */

void shmem_info_get_version(int *major, int *minor)
{
  *major = SHMEM_MAJOR_VERSION;
  *minor = SHMEM_MINOR_VERSION;
}

void shmem_info_get_name(char *name) { strcpy(name, SHMEM_VENDOR_STRING); }

/* ---- the number of PEs, also after shmem_finalize ---- */

static inline void need_job(const char *call)
{
  if (!pst_shmem_job.pes) pst_shmem_not_open(call);
}

int _num_pes(void) { return need_job("_num_pes"), pst_shmem_job.pes; }
int _n_pes(void) { return need_job("_n_pes"), pst_shmem_job.pes; }
int shmem_n_pes(void) { return need_job("shmem_n_pes"), pst_shmem_job.pes; }
int _my_pe(void) { return need_job("_my_pe"), pst_shmem_job.me; }
int shmem_my_pe(void) { return need_job("shmem_my_pe"), pst_shmem_job.me; }

/* ---- caches are coherent ---- */

void shmem_set_cache_inv(void) {}
void shmem_set_cache_line_inv(void *target) { (void)target; }
void shmem_clear_cache_inv(void) {}
void shmem_clear_cache_line_inv(void *target) { (void)target; }
void shmem_udcflush(void) {}
void shmem_udcflush_line(void *target) { (void)target; }
