/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Debug builds check active messages by these; in other builds they do nothing. */
#ifndef CORE_AMCHECK_H
#define CORE_AMCHECK_H
#include "core/conduit.h"
#include "core/job.h"
#include "core/token.h"

void pst_amcheck_request_(const char *call, const struct pst_message *m);
void pst_amcheck_reply_(const char *call, struct pst_token *t, const struct pst_message *m);
void pst_amcheck_enter_(struct pst_token *t);
void pst_amcheck_leave_(struct pst_token *t);

static inline void pst_amcheck_request(const char *call, const struct pst_message *m)
{
  if (PST_DEBUG) pst_amcheck_request_(call, m);
}
static inline void pst_amcheck_reply(const char *call, struct pst_token *t, const struct pst_message *m)
{
  if (PST_DEBUG) pst_amcheck_reply_(call, t, m);
}
static inline void pst_amcheck_enter(struct pst_token *t)
{
  if (PST_DEBUG) pst_amcheck_enter_(t);
}
static inline void pst_amcheck_leave(struct pst_token *t)
{
  if (PST_DEBUG) pst_amcheck_leave_(t);
}

/* Whether this thread runs a handler; always 0 in release builds. */
int pst_amcheck_in_handler(void);

/* For calls that poll. A handler must not make them, nor a thread that holds a handler-safe lock or is in a
 * no-interrupt section. */
void pst_amcheck_client_(const char *call);
static inline void pst_amcheck_client(const char *call)
{
  if (PST_DEBUG) pst_amcheck_client_(call);
}

#endif
