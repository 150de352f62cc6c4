/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Start and end of a program. A file with coarrays has a constructor that registers them, which starts the
 * job, before main. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "caf/ask.h"
#include "caf/tool.h"
#include "front/arguments.h"
#include "front/meet.h"

struct pst_caf_job pst_caf_job;
static const struct pst_front_language language = {.member = "image", .first = 1, .start = "the start"};

/* ---- messages ---- */

/* libgfortran's FLUSH of all units. */
extern void _gfortran_flush_i4(int *unit) __attribute__((weak));

static void *streams_flush(void *unused)
{
  (void)unused;
  if (_gfortran_flush_i4) _gfortran_flush_i4(NULL);
  fflush(NULL);
  return NULL;
}

/* An input or output statement keeps its unit locked while the items of its list are computed. Where one of
 * them ends the job, libgfortran's FLUSH waits for that unit for ever. So another thread flushes, and this
 * one waits for some seconds at most. What is in that unit's buffer is lost, or written when the process
 * exits. */
void pst_caf_flush(void)
{
  enum { SECONDS = 5 };
  struct timespec end;
  pthread_t thread;
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec += SECONDS;
  if (pthread_create(&thread, NULL, streams_flush, NULL) != 0) return;
  if (pthread_timedjoin_np(thread, NULL, &end) != 0) pthread_detach(thread);
}

void pst_caf_fatal(const char *call, const char *fmt, ...)
{
  va_list args;
  va_start(args, fmt);
  pst_caf_flush();
  pst_front_fatal(&language, call, fmt, args);
}

void pst_caf_not_allocated(void) { pst_caf_fatal("image selector", "the coarray is not allocated"); }

void *pst_caf_own_take(size_t nbytes)
{
  void *const p = malloc(nbytes ? nbytes : 1);
  if (!p) pst_caf_fatal("memory", "out of memory: %zu bytes are wanted", nbytes);
  return p;
}

static void errmsg_set(const struct pst_caf_status *s, const char *text)
{
  const size_t n = strlen(text);
  if (!s->errmsg) return;
  memset(s->errmsg, ' ', s->length);
  memcpy(s->errmsg, text, n < s->length ? n : s->length);
}

void pst_caf_status_set(const struct pst_caf_status *s, int code, const char *text)
{
  if (code && !s->stat) pst_caf_fatal(s->call, "%s", text);
  if (code) errmsg_set(s, text);
  if (s->stat) *s->stat = code;
}

void pst_caf_status_end(const struct pst_caf_status *s, int is_lost)
{
  pst_caf_status_set(s, is_lost ? PST_CAF_STAT_FAILED_IMAGE : 0, "an image has failed");
}

void pst_caf_status_stopped(const struct pst_caf_status *s)
{
  pst_caf_status_set(s, PST_CAF_STAT_STOPPED_IMAGE, "an image that it waits for has stopped");
}

int pst_caf_status_take(const struct pst_caf_status *s)
{
  const int status = gasnetx_status_take();
  if (__builtin_expect(status == GASNET_OK, 1)) pst_caf_status_ok(s->stat);
  else if (status == GASNETX_ERR_NODE_LEFT) pst_caf_status_stopped(s);
  else pst_caf_status_end(s, 1);
  return status;
}

/* ---- the end ---- */

/* As soon as all images are here, one that stops with a code ends the job: so what others have written is
 * flushed before. */
void pst_caf_leave(void)
{
  if (pst_caf_job.state == PST_CAF_BEGUN) pst_caf_open(NULL, NULL);
  if (pst_caf_job.state != PST_CAF_OPEN) return;
  pst_caf_flush();
  pst_front_put_complete();
  gasnet_wait_syncnbi_all();
  pst_caf_told_leave(1);
  pst_front_meet_leave(NULL);
  pst_front_tools_leave();
  pst_caf_told_leave(0);
  pst_caf_job.state = PST_CAF_LEFT;
}

static void job_forked(void)
{
  if (pst_caf_job.state == PST_CAF_OPEN || pst_caf_job.state == PST_CAF_BEGUN)
    pst_caf_job.state = PST_CAF_FORKED;
}

/* The handler of exit does it: a program may also end by stop or by the intrinsic exit. */
void _gfortran_caf_finalize(void) {}

/* ---- the start ---- */

static size_t segment_size(void)
{
  pst_caf_job.me = gasnet_mynode();
  pst_caf_job.nodes = (int)gasnet_nodes();
  return pst_caf_memory_size();
}

/* Images that compute do not keep others waiting: their handlers run in the background. libgfortran handles
 * SIGQUIT with a backtrace, which is not for the end of a job. */
static void job_join(int *argc, char ***argv)
{
  const char *const losses = getenv("CAF_FAILED_IMAGES");
  const struct pst_front_beginning beginning = {.mode = PST_CLIENT_PAR | PST_CLIENT_NO_QUIT,
      .background = 1,
      .same_addresses = 1,
      .losses = losses && strcmp(losses, "1") == 0,
      .size = segment_size,
      .handlers = pst_caf_ask_handlers,
      .num_handlers = pst_caf_ask_num_handlers,
      .no_memory = "cannot get memory for coarrays; lower CAF_HEAP_SIZE"};
  pst_caf_job.losses = beginning.losses;
  pst_front_begin(&language, &beginning, argc, argv);
}

static void segments_find(void)
{
  gasnet_seginfo_t *const info = pst_caf_own_take((size_t)pst_caf_job.nodes * sizeof *info);
  ptrdiff_t *const shift = pst_caf_own_take((size_t)pst_caf_job.nodes * sizeof *shift);
  pst_front_must(&language, gasnet_getSegmentInfo(info, pst_caf_job.nodes), "segments");
  pst_caf_job.segment = info[pst_caf_job.me].addr;
  pst_caf_job.size = info[pst_caf_job.me].size;
  for (int i = 0; i < pst_caf_job.nodes; i++)
    shift[i] = (ptrdiff_t)((uintptr_t)info[i].addr - (uintptr_t)pst_caf_job.segment);
  pst_caf_job.shift = shift;
  free(info);
}

/* The first block of the heap, so at the same place on all nodes. */
static void meet_open(void)
{
  void *const area = pst_caf_symmetric_take(pst_front_meet_bytes());
  if (!area || pst_front_meet_open(area, pst_caf_job.shift, pst_caf_job.losses) != 0)
    pst_caf_fatal(language.start, "out of memory; raise CAF_HEAP_SIZE");
}

static void job_begin(int *argc, char ***argv)
{
  job_join(argc, argv);
  segments_find();
  pst_caf_memory_open();
  meet_open();
  pst_caf_job.state = PST_CAF_BEGUN;
  pst_front_at_end(&language, pst_caf_leave, job_forked);
}

static void not_open(void) __attribute__((noreturn, cold));
static void not_open(void)
{
  pst_caf_fatal("coarrays",
      pst_caf_job.state == PST_CAF_LEFT ? "used after the end of the program"
                                        : "used in a process that the program has forked, which is no image");
}

void pst_caf_begin(int *argc, char ***argv)
{
  if (pst_caf_job.state == PST_CAF_BEGUN || pst_caf_job.state == PST_CAF_OPEN) return;
  if (pst_caf_job.state != PST_CAF_CLOSED) not_open();
  job_begin(argc, argv);
}

/* Behind the barrier the coarrays of all images have their initial values. A constructor of a library may
 * have begun the job. What it has registered for the end comes after the destructors of all libraries, among
 * which are the network's. So it is registered once more, and what comes first counts: after a tool's own
 * handler has been registered, which ends what that measures. */
void pst_caf_open(int *argc, char ***argv)
{
  pst_caf_begin(argc, argv);
  if (pst_caf_job.state == PST_CAF_OPEN) return;
  pst_caf_job.state = PST_CAF_OPEN;
  gasnetx_coll_barrier(GASNET_TEAM_ALL);
  pst_caf_team_open();
  pst_caf_tool_open(argc, argv);
  pst_front_at_end(&language, pst_caf_leave, job_forked);
}

void _gfortran_caf_init(int *argc, char ***argv) { pst_caf_open(argc, argv); }
