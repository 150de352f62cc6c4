/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Events of the client's own, and its control of measurement. */
#define PENSTOCK_PUPC_FUNCTIONS
#include "pupc.h"

#include "gasp/runtime.h"

#define NUMBERS (GASP_UPC_USEREVT_END - GASP_UPC_USEREVT_START + 1)

int pupc_control(int on)
{
  static _Thread_local int last = 1;
  int answer = last;
  pst_gasp_ask_control(on, &answer);
  last = on;
  return answer;
}

/* The numbers are the tool's, their range is the specification's. */
unsigned int pupc_create_event(const char *name, const char *desc)
{
  static _Thread_local unsigned made;
  unsigned number = GASP_UPC_USEREVT_START;
  if (made == NUMBERS)
    pst_gasp_fatal("pupc_create_event: all %u numbers for events of this thread are in use", NUMBERS);
  if (!pst_gasp_ask_event(name, desc, &number)) return number;
  if (number < GASP_UPC_USEREVT_START || number > GASP_UPC_USEREVT_END)
    pst_gasp_fatal("pupc_create_event: the tool's number %#x for \"%s\" is not from %#x to %#x", number,
        name ? name : "", GASP_UPC_USEREVT_START, GASP_UPC_USEREVT_END);
  made++;
  return number;
}

/* A number that pupc_create_event cannot have returned would be another event to the tool. */
static void event_check(unsigned tag)
{
  if (tag < GASP_UPC_USEREVT_START || tag > GASP_UPC_USEREVT_END)
    pst_gasp_fatal("%#x is no event of the program's: it is not from pupc_create_event", tag);
}

static void event_tell(unsigned tag, gasp_evttype_t type, va_list args)
{
  if (!pst_gasp_on) return;
  event_check(tag);
  pst_gasp_tell_va(tag, type, 1, args);
}

void pupc_event_start(unsigned int evttag, ...)
{
  va_list args;
  va_start(args, evttag);
  event_tell(evttag, GASP_START, args);
  va_end(args);
}

void pupc_event_end(unsigned int evttag, ...)
{
  va_list args;
  va_start(args, evttag);
  event_tell(evttag, GASP_END, args);
  va_end(args);
}

void pupc_event_atomic(unsigned int evttag, ...)
{
  va_list args;
  va_start(args, evttag);
  event_tell(evttag, GASP_ATOMIC, args);
  va_end(args);
}
