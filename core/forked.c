/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* All that leads to the job is replaced in the child, once, when it is forked, so that no call has to ask:
 * for the inlined calls nothing is mapped any more, and all other calls find a conduit that refuses. */
#include "core/forked.h"

#include <pthread.h>
#include <unistd.h>

#include "core/exit.h"
#include "core/job.h"
#include "core/segment.h"

void pst_forked_refuse(void)
{
  pst_fatal("process %ld, which this node has forked, has made a call of GASNet: it is no part of the job, "
            "and may only exit or "
            "start a program",
      (long)getpid());
}

void pst_forked_check(void)
{
  if (pst_job.self && !pst_exit_is_node()) pst_forked_refuse();
}

static int no_message(struct pst_message *m)
{
  (void)m;
  pst_forked_refuse();
}

static int no_poll(void) { pst_forked_refuse(); }
static unsigned no_served(void) { pst_forked_refuse(); }
static void no_ring(gasnet_node_t node) { (void)node, pst_forked_refuse(); }
static void nothing_to_close(void) {}

static int no_linger(unsigned times, int barrier)
{
  (void)times, (void)barrier;
  pst_forked_refuse();
}

static int no_block(
    unsigned microseconds, int barrier, unsigned served, const struct pst_watch *watch, int descriptor)
{
  (void)microseconds, (void)barrier, (void)served, (void)watch, (void)descriptor;
  pst_forked_refuse();
}

static void no_notify(uint64_t value) { (void)value, pst_forked_refuse(); }
static int no_try(uint64_t *result) { (void)result, pst_forked_refuse(); }

static const struct pst_host_slots no_host = {
    .linger = no_linger,
    .block = no_block,
    .ring = no_ring,
    .barrier_notify = no_notify,
    .barrier_try = no_try,
};

/* Without the optional slots: what they do becomes messages. */
static const struct pst_conduit none = {
    .name = "none",
    .host = &no_host,
    .am = no_message,
    .poll = no_poll,
    .poll_replies = no_poll,
    .served = no_served,
    .close = nothing_to_close,
};

static void (*layers_forked)(void);

/* Runs in the child alone, before its fork returns; the memory that it writes is the child's own. */
static void in_child(void)
{
  pst_segment_hide();
  pst_job.network = NULL;
  pst_job.far = NULL;
  pst_job.conduit = &none;
  pst_job.host = &no_host;
  pst_job.am_only = 0;
  pst_job.phase = PST_PHASE_FORKED;
  layers_forked();
}

/* core/region.c has registered before how a child gets its own copy of shared static data, which may be the
 * library's: this runs after that. */
void pst_forked_watch(void (*layers)(void))
{
  layers_forked = layers;
  if (pthread_atfork(NULL, NULL, in_child) != 0) pst_fatal("out of memory for a fork's handlers");
}
