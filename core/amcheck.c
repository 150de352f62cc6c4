/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "core/amcheck.h"

#include "core/handler.h"
#include "core/hsl.h"
#include "core/segment.h"

/* `running` is the innermost handler that this thread runs. While a request's handler waits to send its
 * reply, a reply's handler may run inside it: then `outer` is the request's. */
static _Thread_local struct {
  struct pst_token *running, *outer;
} self;

int pst_amcheck_in_handler(void) { return self.running != NULL; }

void pst_amcheck_enter_(struct pst_token *t)
{
  self.outer = self.running;
  self.running = t;
}

void pst_amcheck_leave_(struct pst_token *t)
{
  if (pst_hsl_held())
    pst_fatal("the handler %u of a message from node %u returned while it held a handler-safe lock",
        t->handler, t->src);
  self.running = self.outer;
  self.outer = NULL;
}

void pst_amcheck_client_(const char *call)
{
  if (pst_job.phase != PST_PHASE_ATTACHED) pst_job_not_attached(call);
  if (self.running)
    pst_fatal("%s was called inside a handler (index %u, message from node %u); handlers may only reply",
        call, self.running->handler, self.running->src);
  if (pst_hsl_held()) pst_fatal("%s was called while this thread holds a handler-safe lock", call);
  if (pst_hsl_interrupts_held())
    pst_fatal("%s was called between gasnet_hold_interrupts and gasnet_resume_interrupts; it polls", call);
}

static void check_message(const char *call, const struct pst_message *m)
{
  const size_t most = m->kind == PST_AM_MEDIUM ? pst_job.limits.max_medium
      : m->reply                               ? pst_job.limits.max_long_reply
                                               : pst_job.limits.max_long_request;
  if (m->handler < PST_HANDLER_CLIENT && !pst_handler[m->handler])
    pst_fatal("%s: handler index %u is not a client's (128..255)", call, m->handler);
  if (m->kind == PST_AM_SHORT || m->fill) return;
  if (m->nbytes > most) pst_fatal("%s: %zu bytes; the most are %zu", call, m->nbytes, most);
  if (m->kind == PST_AM_LONG) pst_segment_check(call, "dest_addr", m->dest, m->dest_addr, m->nbytes);
}

void pst_amcheck_request_(const char *call, const struct pst_message *m)
{
  pst_job_check(call, m->dest);
  pst_amcheck_client(call);
  check_message(call, m);
}

void pst_amcheck_reply_(const char *call, struct pst_token *t, const struct pst_message *m)
{
  struct pst_message to = *m;
  if (!t || t != self.running) pst_fatal("%s: the token is not that of the handler that runs", call);
  if (t->is_reply) pst_fatal("%s: a reply's handler may not reply", call);
  if (t->replied) pst_fatal("%s: the handler %u has replied already; one reply a request", call, t->handler);
  if (pst_hsl_held()) pst_fatal("%s was called while this thread holds a handler-safe lock", call);
  t->replied = 1;
  to.dest = t->src;
  check_message(call, &to);
}
