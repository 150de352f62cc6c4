/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Static shared data of compiled UPC. GNU UPC and Clang UPC put it into the section upc_shared and address it
 * by its distance from __upc_shared_start, so each thread's shared memory begins with it. The section begins
 * with upc/start/begin.c, so that no object has the distance 0: on thread 0 that is NULL. */
#include <string.h>

#include "upc/upc.h"

#define WEAK __attribute__((weak))

/* The objects that are linked first and last define the first two; the linker defines the other two, where
 * the program has such a section. */
extern const char __upc_shared_start[] WEAK, __upc_shared_end[] WEAK, __start_upc_shared[] WEAK,
    __stop_upc_shared[] WEAK;

static const char *section_start(void)
{
  return __upc_shared_start ? __upc_shared_start : __start_upc_shared;
}
static const char *section_end(void) { return __upc_shared_end ? __upc_shared_end : __stop_upc_shared; }

size_t pst_upc_section_size(void)
{
  if (!section_start() || !section_end()) return 0;
  if (__start_upc_shared && section_start() != __start_upc_shared)
    pst_upc_fatal("upc_init",
        "shared data lies before __upc_shared_start; link with upccc, or penstock-upc-begin.o first");
  return (size_t)(section_end() - section_start());
}

void pst_upc_section_copy(void *to)
{
  const size_t size = pst_upc_section_size();
  if (size) memcpy(to, section_start(), size);
}
