/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Finds the tool of XMPT, and what it may call. */
#include "xmp/tool.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "xmp/coarray.h"

#define VARIABLE "XMP_TOOL_LIBRARIES"

unsigned pst_xmp_tools;
typedef void (*callback_fn)(void);
static callback_fn callbacks[XMPT_EVENT_ALL];
static int registers, any_set;

callback_fn pst_xmp_tool_callback(xmpt_event_t event) { return callbacks[event]; }

/* ---- what a tool may call ---- */

static int event_is_one(xmpt_event_t event) { return event > xmpt_event_dummy && event < XMPT_EVENT_ALL; }

int xmpt_set_callback(xmpt_event_t event, xmpt_callback_t callback)
{
  enum { WRONG = 0, NEVER = 2, ALWAYS = 4 };
  if (!registers || !event_is_one(event) || !callback) return WRONG;
  if (event == xmpt_event_coarray_local_write || event == xmpt_event_coarray_local_read) return NEVER;
  memcpy(&callbacks[event], &callback, sizeof callback); /* C converts no object pointer to a function's */
  any_set = 1;
  return ALWAYS;
}

static xmpt_tool_data_t *data_of(xmp_desc_t desc)
{
  if (!desc) return NULL;
  if (pst_xmp_desc_kind("xmpt_desc_set_data", desc) == XMP_DESC_ARRAY)
    return &((struct pst_xmp_array_full *)desc)->tool_data;
  return &((struct pst_xmp_object *)desc)->tool_data;
}

int xmpt_desc_set_data(xmp_desc_t desc, xmpt_tool_data_t data)
{
  xmpt_tool_data_t *const at = data_of(desc);
  if (!at) return -1;
  *at = data;
  return 0;
}

int xmpt_desc_get_data(xmp_desc_t desc, xmpt_tool_data_t *data)
{
  const xmpt_tool_data_t *const at = data_of(desc);
  if (!at) return -1;
  *data = *at;
  return 0;
}

int xmpt_coarray_get_gid(xmpt_coarray_id_t c)
{
  return ((const struct pst_xmp_coarray_full *)(uintptr_t)c)->gid;
}

/* ---- finding it ---- */

typedef int (*initialize_fn)(void);

/* That of the program, or of a library that it is linked with. */
extern int xmpt_initialize(void) __attribute__((weak));

static initialize_fn function_of(void *object)
{
  initialize_fn function;
  memcpy(&function, &object, sizeof function);
  return function;
}

/* A tool whose function has no result is active if it has set a callback. */
static int tool_starts(initialize_fn initialize)
{
  registers = 1;
  const int active = initialize();
  registers = 0;
  return active != 0 || any_set;
}

static int library_starts(const char *path)
{
  void *const library = dlopen(path, RTLD_LAZY | RTLD_LOCAL), *function;
  if (!library) {
    pst_xmp_warn(VARIABLE, "cannot load the tool %s: %s", path, dlerror());
    return 0;
  }
  if (!(function = dlsym(library, "xmpt_initialize"))) {
    pst_xmp_warn(VARIABLE, "%s is no tool: it has no function xmpt_initialize", path);
    return 0;
  }
  return tool_starts(function_of(function));
}

/* The first that is active is the tool. */
static int libraries_start(const char *list)
{
  char *const copy = strdup(list), *next = copy, *path;
  int active = 0;
  if (!copy) pst_xmp_fatal(VARIABLE, "out of memory");
  if (!dlsym(RTLD_DEFAULT, "xmpt_set_callback")) {
    pst_xmp_warn(VARIABLE,
        "the program is linked with libpenstock-xmp.a and shows tools no functions: link "
        "it with -rdynamic, or with the shared library");
    next = NULL;
  }
  while (!active && (path = strsep(&next, ":")))
    if (*path) active = library_starts(path);
  free(copy);
  return active;
}

int pst_xmp_tools_find_xmpt(void)
{
  const char *const list = getenv(VARIABLE);
  void *function;
  if (xmpt_initialize) return tool_starts(xmpt_initialize);
  if ((function = dlsym(RTLD_DEFAULT, "xmpt_initialize"))) return tool_starts(function_of(function));
  return list && libraries_start(list);
}
