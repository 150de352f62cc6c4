/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Finds the tool: the library that GASNET_GASP_TOOL names, or one that is linked into the program. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gasp/place.h"
#include "gasp/runtime.h"

#define VARIABLE "GASNET_GASP_TOOL"

/* Weak references do not take dummy.c out of the archive: it would hide the functions of a tool that is a
 * shared library. NULL: it was not linked. */
extern __typeof__(pst_gasp_dummy_init) pst_gasp_dummy_init __attribute__((weak));
extern __typeof__(pst_gasp_dummy_notify) pst_gasp_dummy_notify __attribute__((weak));
extern __typeof__(pst_gasp_dummy_control) pst_gasp_dummy_control __attribute__((weak));
extern __typeof__(pst_gasp_dummy_create_event) pst_gasp_dummy_create_event __attribute__((weak));

void pst_gasp_fatal(const char *format, ...)
{
  char text[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  fflush(stdout);
  dprintf(STDERR_FILENO, "penstock: %s\n", text);
  _exit(1);
}

static void *tool_function(void *library, const char *path, const char *name)
{
  void *found = dlsym(library, name);
  if (!found) pst_gasp_fatal("%s=%s: this is no tool for GASP, it has no function %s", VARIABLE, path, name);
  return found;
}

/* A tool may have this function, to know the place before gasp_init. */
extern void pst_gasp_tool_place(unsigned thread, unsigned threads) __attribute__((weak));

/* A tool that was loaded cannot see this library where a program is linked statically with it: the tool's
 * libraries bring another copy, which has to be told the place. */
static void place_tell(void *library, const char *name)
{
  void (*set)(unsigned, unsigned);
  void *found = dlsym(library, name);
  if (!found) return;
  memcpy(&set, &found, sizeof set);
  if (set != pst_gasp_set_place) set(pst_gasp_place.thread, pst_gasp_place.threads);
}

static void tool_load(const char *path, struct pst_gasp_tool *tool)
{
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) pst_gasp_fatal("%s=%s: cannot load the tool: %s", VARIABLE, path, dlerror());
  void *init = tool_function(library, path, "gasp_init"),
       *notify = tool_function(library, path, "gasp_event_notifyVA");
  void *control = tool_function(library, path, "gasp_control"),
       *create = tool_function(library, path, "gasp_create_event");
  /* by copy, since C does not convert an object pointer to a function pointer */
  memcpy(&tool->init, &init, sizeof init);
  memcpy(&tool->notify, &notify, sizeof notify);
  memcpy(&tool->control, &control, sizeof control);
  memcpy(&tool->create_event, &create, sizeof create);
  place_tell(library, "pst_gasp_set_place");
  place_tell(library, "pst_gasp_tool_place");
}

/* A linked tool has to have all functions: with a dummy in place of one it would be silent for no visible
 * reason. */
static void tool_check_linked(const struct pst_gasp_tool *tool)
{
  const char *lacks = NULL;
  if (tool->notify == pst_gasp_dummy_notify) lacks = "gasp_event_notifyVA";
  if (tool->control == pst_gasp_dummy_control) lacks = "gasp_control";
  if (tool->create_event == pst_gasp_dummy_create_event) lacks = "gasp_create_event";
  if (lacks)
    pst_gasp_fatal(
        "the performance tool that is linked into this program has gasp_init, but no function %s", lacks);
}

int pst_gasp_find_tool(struct pst_gasp_tool *tool)
{
  const char *path = getenv(VARIABLE);
  if (path && *path) {
    tool_load(path, tool);
    return 1;
  }
  *tool = (struct pst_gasp_tool){gasp_init, gasp_event_notifyVA, gasp_control, gasp_create_event};
  if (tool->init == pst_gasp_dummy_init) return 0;
  tool_check_linked(tool);
  if (pst_gasp_tool_place) pst_gasp_tool_place(pst_gasp_place.thread, pst_gasp_place.threads);
  return 1;
}
