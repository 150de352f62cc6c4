/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What the files of the runtime share. */
#ifndef GASP_RUNTIME_H
#define GASP_RUNTIME_H

#include <stdarg.h>

#include "gasp/events.h"

/* A tool's functions. */
struct pst_gasp_tool {
  gasp_context_t (*init)(gasp_model_t, int *, char ***);
  void (*notify)(gasp_context_t, unsigned, gasp_evttype_t, const char *, int, int, va_list);
  int (*control)(gasp_context_t, int);
  unsigned (*create_event)(gasp_context_t, const char *, const char *);
};

/* Finds the tool that GASNET_GASP_TOOL names, else one that is linked into the program. 0: there is none. A
 * tool that cannot be used ends the process with a message. */
int pst_gasp_find_tool(struct pst_gasp_tool *tool);

/* The library's own gasp_init and so on, which do nothing: their addresses show that there is no tool. */
gasp_context_t pst_gasp_dummy_init(gasp_model_t model, int *argc, char ***argv);
void pst_gasp_dummy_notify(gasp_context_t context, unsigned tag, gasp_evttype_t type, const char *file,
    int line, int column, va_list args);
int pst_gasp_dummy_control(gasp_context_t context, int on);
unsigned pst_gasp_dummy_create_event(gasp_context_t context, const char *name, const char *desc);

/* Tells an event of a function or of the client's own, which other events may lie within; not within a call
 * or the tool. `site`: with the place of pst_gasp_set_site, which is then forgotten; else without a place.
 * Returns whether the tool was told. */
int pst_gasp_tell(unsigned tag, gasp_evttype_t type, int site, ...);
int pst_gasp_tell_va(unsigned tag, gasp_evttype_t type, int site, va_list args);

/* The tool's answers for this thread. 0 where there is no tool, or the thread is in it: then nothing was
 * asked. */
int pst_gasp_ask_control(int on, int *answer);
int pst_gasp_ask_event(const char *name, const char *desc, unsigned *number);

/* "penstock: ..." on standard error; the process ends with code 1. */
_Noreturn void pst_gasp_fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
