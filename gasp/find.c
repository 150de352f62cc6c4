/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Which tool: the library that GASNET_GASP_TOOL names, or what is linked into the program. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gasp/place.h"
#include "gasp/runtime.h"

#define VARIABLE "GASNET_GASP_TOOL"

/* By this name alone they do not come out of the archive: they would hide the functions of a tool that is a
 * shared library. NULL: they have not come. */
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

static void *function(void *library, const char *path, const char *name)
{
  void *found = dlsym(library, name);
  if (!found) pst_gasp_fatal("%s=%s: this is no tool for GASP, it has no function %s", VARIABLE, path, name);
  return found;
}

/* Tools that want to know the place before gasp_init have this function. */
extern void pst_gasp_tool_place(unsigned thread, unsigned threads) __attribute__((weak));

/* Where a program is linked statically with this library, a tool that was loaded cannot see it: its libraries
 * bring another copy, which learns the place like this one. */
static void tell_place(void *library, const char *name)
{
  void (*set)(unsigned, unsigned);
  void *found = dlsym(library, name);
  if (!found) return;
  memcpy(&set, &found, sizeof set);
  if (set != pst_gasp_set_place) set(pst_gasp_place.thread, pst_gasp_place.threads);
}

static void load(const char *path, struct pst_gasp_tool *tool)
{
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) pst_gasp_fatal("%s=%s: cannot load the tool: %s", VARIABLE, path, dlerror());
  void *init = function(library, path, "gasp_init"), *notify = function(library, path, "gasp_event_notifyVA");
  void *control = function(library, path, "gasp_control"),
       *create = function(library, path, "gasp_create_event");
  /* by copy: C has no conversion from what dlsym returns to a function */
  memcpy(&tool->init, &init, sizeof init);
  memcpy(&tool->notify, &notify, sizeof notify);
  memcpy(&tool->control, &control, sizeof control);
  memcpy(&tool->create_event, &create, sizeof create);
  tell_place(library, "pst_gasp_set_place");
  tell_place(library, "pst_gasp_tool_place");
}

/* What is linked has all functions or none: with some of the dummies a tool would be silent without anybody
 * knowing why. */
static void check_linked(const struct pst_gasp_tool *tool)
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
    load(path, tool);
    return 1;
  }
  *tool = (struct pst_gasp_tool){gasp_init, gasp_event_notifyVA, gasp_control, gasp_create_event};
  if (tool->init == pst_gasp_dummy_init) return 0;
  check_linked(tool);
  if (pst_gasp_tool_place) pst_gasp_tool_place(pst_gasp_place.thread, pst_gasp_place.threads);
  return 1;
}
