/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "conduits/net/library.h"

#include <dlfcn.h>
#include <signal.h>
#include <string.h>

#include "support/error.h"

static const int deadly[] = {SIGABRT, SIGBUS, SIGFPE, SIGHUP, SIGILL, SIGINT, SIGQUIT, SIGSEGV, SIGTERM};
enum { COUNT = sizeof deadly / sizeof deadly[0] };

static struct sigaction kept[COUNT];

void pst_net_signals_keep(void)
{
  for (int i = 0; i < COUNT; i++) sigaction(deadly[i], NULL, &kept[i]);
}

void pst_net_signals_restore(void)
{
  for (int i = 0; i < COUNT; i++) sigaction(deadly[i], &kept[i], NULL);
}

/* The symbols' default versions belong together, and are those that a program linked with the library would
 * get. */
static int resolve_functions(void *library, const struct pst_net_function *f, char *table)
{
  for (; f->name; f++) {
    void *function = dlsym(library, f->name);
    if (!function) return PST_ERR_UNSUPPORTED;
    memcpy(table + f->at, &function, sizeof function);
  }
  return PST_OK;
}

const char *pst_net_library_open(
    const char *name, const char *file, const struct pst_net_function *functions, void *table)
{
  void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (library && resolve_functions(library, functions, table) == PST_OK) return NULL;
  return pst_why("%s cannot be used: %s", name, dlerror());
}

int pst_net_library_judge(const char *reason)
{
  if (!reason) return PST_OK;
  pst_warn("%s", reason);
  return PST_ERR_UNSUPPORTED;
}

const char *pst_net_library_file(const void *function)
{
  Dl_info found;
  return dladdr(function, &found) ? found.dli_fname : NULL;
}
