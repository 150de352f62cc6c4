/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Functions for programs without a tool, in a file of their own: it is taken from an archive only where no
 * tool comes first. */
#include "gasp/runtime.h"

gasp_context_t pst_gasp_dummy_init(gasp_model_t model, int *argc, char ***argv)
{
  (void)model, (void)argc, (void)argv;
  return NULL;
}

void pst_gasp_dummy_notify(gasp_context_t context, unsigned tag, gasp_evttype_t type, const char *file,
    int line, int column, va_list args)
{
  (void)context, (void)tag, (void)type, (void)file, (void)line, (void)column, (void)args;
}

static void dummy_event_notify(
    gasp_context_t context, unsigned tag, gasp_evttype_t type, const char *file, int line, int column, ...)
{
  (void)context, (void)tag, (void)type, (void)file, (void)line, (void)column;
}

int pst_gasp_dummy_control(gasp_context_t context, int on)
{
  (void)context, (void)on;
  return 1;
}

unsigned pst_gasp_dummy_create_event(gasp_context_t context, const char *name, const char *desc)
{
  (void)context, (void)name, (void)desc;
  return GASP_UPC_USEREVT_START;
}

#define WEAK(dummy) __attribute__((weak, alias(#dummy)))
gasp_context_t gasp_init(gasp_model_t model, int *argc, char ***argv) WEAK(pst_gasp_dummy_init);
void gasp_event_notify(gasp_context_t context, unsigned tag, gasp_evttype_t type, const char *file, int line,
    int column, ...) WEAK(dummy_event_notify);
void gasp_event_notifyVA(gasp_context_t context, unsigned tag, gasp_evttype_t type, const char *file,
    int line, int column, va_list args) WEAK(pst_gasp_dummy_notify);
int gasp_control(gasp_context_t context, int on) WEAK(pst_gasp_dummy_control);
unsigned gasp_create_event(gasp_context_t context, const char *name, const char *desc)
    WEAK(pst_gasp_dummy_create_event);
