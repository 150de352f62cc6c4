/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Start and end of a program. The first constructor of a translated file starts the job, before main. */
#include <stdlib.h>
#include <unistd.h>

#include "front/arguments.h"
#include "xmp/group.h"
#include "xmp/post.h"
#include "xmp/sync.h"
#include "xmp/tool.h"

struct pst_xmp_job pst_xmp_job;
static const struct pst_front_language language = {.member = "node", .start = "the start"};

/* ---- messages ---- */

void pst_xmp_fatal(const char *where, const char *fmt, ...)
{
  va_list args;
  va_start(args, fmt);
  pst_front_fatal(&language, where, fmt, args);
}

void pst_xmp_warn(const char *where, const char *fmt, ...)
{
  va_list args;
  va_start(args, fmt);
  pst_front_warn(&language, where, fmt, args);
  va_end(args);
}

void pst_xmp_not_open(const char *where)
{
  static const char *const why[] = {[PST_XMP_CLOSED] = "the program has no directive or coarray that starts "
                                                       "the runtime, or is not linked by xmpcc",
      [PST_XMP_LEFT] = "called after the end of the program, or after xmp_finalize",
      [PST_XMP_FORKED] = "called in a process that the program has forked, which is no node"};
  pst_xmp_fatal(where, "%s", why[pst_xmp_job.state]);
}

static void *own_need(const char *where, void *p, size_t nbytes)
{
  if (!p) pst_xmp_fatal(where, "out of memory: %zu bytes are wanted", nbytes);
  return p;
}

void *pst_xmp_own_take(const char *where, size_t nbytes)
{
  return own_need(where, malloc(nbytes ? nbytes : 1), nbytes);
}

void *pst_xmp_own_take_clear(const char *where, size_t count, size_t size)
{
  return own_need(where, calloc(count ? count : 1, size ? size : 1), count * size);
}

/* ---- the end ---- */

enum { LEAVERS = 8 };
static void (*leavers[LEAVERS])(void);
static int leaver_count;

void pst_xmp_at_leave(void (*leave)(void))
{
  for (int i = 0; i < leaver_count; i++)
    if (leavers[i] == leave) return;
  if (leaver_count == LEAVERS)
    pst_xmp_fatal(language.start, "too many parts of the runtime end by themselves");
  leavers[leaver_count++] = leave;
}

/* Other nodes may still need this node's memory. */
void pst_xmp_leave(void)
{
  if (pst_xmp_job.state != PST_XMP_OPEN) return;
  for (int i = 0; i < leaver_count; i++) leavers[i]();
  gasnet_wait_syncnbi_all();
  pst_xmp_told_exit(1, 0, 0);
  pst_xmp_sync_leave();
  pst_front_tools_leave();
  pst_xmp_told_exit(0, 0, 0);
  pst_xmp_tools = 0;
  pst_xmp_job.state = PST_XMP_LEFT;
}

static void job_forked(void)
{
  if (pst_xmp_job.state == PST_XMP_OPEN) pst_xmp_job.state = PST_XMP_FORKED;
}

static void end_register(void) { pst_front_at_end(&language, pst_xmp_leave, job_forked); }

/* A constructor of a library may have started the job. What it has registered comes after the destructors of
 * all libraries, among which are the network's. So the program itself registers the end once more, and what
 * comes first counts. */
void pst_xmp_end_here(void)
{
  pst_xmp_need_open(language.start);
  end_register();
}

void xmp_exit(int status)
{
  pst_xmp_need_open("xmp_exit");
  if (status == 0) exit(0);
  pst_xmp_told_exit(1, status, 1);
  gasnet_exit(status);
}

/* ---- the start ---- */

/* The indices of PST_XMP_HANDLER_*, in their order. */
static gasnet_handlerentry_t handlers[] = {{PST_XMP_HANDLER_POST, (void (*)(void))pst_xmp_post_handle}};
enum { HANDLERS = PST_XMP_HANDLERS_END - PST_XMP_FIRST_HANDLER };

static size_t segment_size(void)
{
  pst_xmp_job.me = (int)gasnet_mynode();
  pst_xmp_job.nodes = (int)gasnet_nodes();
  return pst_xmp_heap_size();
}

/* Nodes that compute do not keep others waiting: their handlers run in the background. */
static void job_join(int argc, char **argv)
{
  const struct pst_front_beginning beginning = {.mode = PST_CLIENT_PAR,
      .background = 1,
      .add = pst_xmp_statics_find,
      .size = segment_size,
      .handlers = handlers,
      .num_handlers = HANDLERS,
      .no_memory = "cannot get memory for global arrays; lower XMP_HEAP_SIZE"};
  pst_front_arguments(&argc, &argv);
  pst_front_begin(&language, &beginning, &argc, &argv);
}

void pst_xmp_begin(int argc, char **argv)
{
  if (pst_xmp_job.state == PST_XMP_OPEN) return;
  if (pst_xmp_job.state != PST_XMP_CLOSED) pst_xmp_not_open(language.start);
  job_join(argc, argv);
  pst_xmp_memory_open();
  pst_xmp_sync_open();
  pst_xmp_groups_open();
  pst_xmp_job.state = PST_XMP_OPEN;
  pst_xmp_group_barrier(pst_xmp_group_all);
  pst_xmp_tools_open();
  end_register();
}
