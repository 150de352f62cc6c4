/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "front/start.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- messages ---- */

void pst_front_warn(const struct pst_front_language *l, const char *call, const char *fmt, va_list args)
{
  char text[700];
  vsnprintf(text, sizeof text, fmt, args);
  if (gasnet_nodes())
    fprintf(stderr, "penstock: %s %u of %u: %s: %s\n", l->member, gasnet_mynode() + l->first, gasnet_nodes(),
        call, text);
  else fprintf(stderr, "penstock: %s: %s\n", call, text);
}

void pst_front_fatal(const struct pst_front_language *l, const char *call, const char *fmt, va_list args)
{
  pst_front_warn(l, call, fmt, args);
  if (!gasnet_nodes()) exit(1);
  gasnet_exit(1);
}

static void start_fail(const struct pst_front_language *l, const char *fmt, ...)
    __attribute__((format(printf, 2, 3), noreturn, cold));
static void start_fail(const struct pst_front_language *l, const char *fmt, ...)
{
  va_list args;
  va_start(args, fmt);
  pst_front_fatal(l, l->start, fmt, args);
}

void pst_front_must(const struct pst_front_language *l, int rc, const char *what)
{
  if (rc != GASNET_OK) start_fail(l, "%s: %s", what, gasnet_ErrorDesc(rc));
}

/* ---- start ---- */

static void node_become(
    const struct pst_front_language *l, const struct pst_front_beginning *b, int *argc, char ***argv)
{
  unsigned mode = b->mode;
#if defined(GASNET_DEBUG)
  mode |= PST_CLIENT_DEBUG;
#endif
  if (b->add) b->add();
  if (b->background) gasnetx_handlers_in_background();
  if (b->same_addresses) gasnetx_segments_at_same_addresses();
  if (b->losses) gasnetx_report_losses();
  pst_front_must(l, pst_client_init(argc, argv, PST_CLIENT_ABI | mode), "cannot join the job");
}

void pst_front_begin(
    const struct pst_front_language *l, const struct pst_front_beginning *b, int *argc, char ***argv)
{
  node_become(l, b, argc, argv);
  pst_front_must(l, gasnet_attach(b->handlers, b->num_handlers, b->size(), 0), b->no_memory);
}

void pst_front_tools_open(gasp_model_t model, int *argc, char ***argv)
{
  pst_gasp_set_place(gasnet_mynode(), gasnet_nodes());
  pst_gasp_open(model, argc, argv);
}

/* ---- end ---- */

void pst_front_tools_leave(void)
{
  for (int i = 0; pst_gasp_on && i < 100; i++) gasnet_AMPoll();
}

static pid_t process;

static void on_process_exit(int code, void *leave)
{
  if (code == 0 && getpid() == process) ((void (*)(void))leave)();
}

void pst_front_at_end(const struct pst_front_language *l, void (*leave)(void), void (*forked)(void))
{
  process = getpid();
  if (pthread_atfork(NULL, NULL, forked) != 0 || on_exit(on_process_exit, (void *)leave) != 0)
    start_fail(l, "out of memory for what is done at the end and at forks");
}
