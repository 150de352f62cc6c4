/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Start and end of a program of a language whose members, by whatever name, are the nodes of a job. */
#ifndef FRONT_START_H
#define FRONT_START_H

#include <gasnetx.h>
#include <stdarg.h>

#include "gasp/events.h"

struct pst_front_language {
  const char *member; /* what it calls a node, as "PE" */
  unsigned first;     /* the number of node 0 */
  const char *start;  /* its first call */
};

/* Prints "penstock: PE 1 of 4: CALL: ...", without the numbers where there is no job yet. */
void pst_front_warn(const struct pst_front_language *l, const char *call, const char *fmt, va_list args)
    __attribute__((cold));
/* The same, and ends the job, or the process where there is none. */
void pst_front_fatal(const struct pst_front_language *l, const char *call, const char *fmt, va_list args)
    __attribute__((noreturn, cold));
/* Ends the job with what could not be done unless rc is GASNET_OK. */
void pst_front_must(const struct pst_front_language *l, int rc, const char *what);

/* What a language's job begins with. */
struct pst_front_beginning {
  unsigned mode;        /* PST_CLIENT_SEQ, _PARSYNC or _PAR, and PST_CLIENT_NO_QUIT */
  int background;       /* gasnetx_handlers_in_background */
  int same_addresses;   /* gasnetx_segments_at_same_addresses: the job has no static data as regions */
  int losses;           /* gasnetx_report_losses: front/claim.h has locks for such jobs */
  void (*add)(void);    /* NULL, or adds regions, before the process is a node */
  size_t (*size)(void); /* bytes of the segment; the process is a node then */
  gasnet_handlerentry_t *handlers;
  int num_handlers;
  const char *no_memory; /* what to say where there is not so much memory */
};

/* Makes this process a node with a segment. main may call it, and a constructor, which runs before main: then
 * static objects of C++ that are made later may use the job until they are destroyed. Where the program
 * starts its nodes itself, only these return. */
void pst_front_begin(
    const struct pst_front_language *l, const struct pst_front_beginning *b, int *argc, char ***argv);

/* Finds the performance tool, when all else of the start is done. All nodes call it. argc, argv: or NULL. */
void pst_front_tools_open(gasp_model_t model, int *argc, char ***argv);

/* After the last barrier, within its event. A tool works and waits in that event's end and serves no
 * messages, so polls first send what other nodes need of the barrier. */
void pst_front_tools_leave(void);

/* leave is called where the program ends by a return from main or exit(0), before the handlers of tools that
 * are open by now and before gasnet's own; a failure ends the job at once. forked is called in a process that
 * the program forks, which is no node; leave is not. A constructor of the program itself may call this, or
 * main. The handlers that a constructor of a library registers run only after the destructors of all
 * libraries, among which are the network's. */
void pst_front_at_end(const struct pst_front_language *l, void (*leave)(void), void (*forked)(void));

#endif
