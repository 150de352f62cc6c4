/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Static shared data of compiled UPC: GNU UPC and Clang UPC put it into the section upc_shared and address it
 * by its distance from
 * __upc_shared_start. So it begins each thread's shared memory. What stands first in the section,
 * upc/start/begin.c here, keeps the distance 0 free: on thread 0 that is NULL. */
#include <string.h>

#include "upc/upc.h"

#define WEAK __attribute__((weak))

/* The first two by what is linked first and last, the other two by the linker, where the program has such a
 * section. */
extern const char __upc_shared_start[] WEAK, __upc_shared_end[] WEAK, __start_upc_shared[] WEAK,
    __stop_upc_shared[] WEAK;

static const char *start(void) { return __upc_shared_start ? __upc_shared_start : __start_upc_shared; }
static const char *end(void) { return __upc_shared_end ? __upc_shared_end : __stop_upc_shared; }

size_t pst_upc_section_size(void)
{
  if (!start() || !end()) return 0;
  if (__start_upc_shared && start() != __start_upc_shared)
    pst_upc_fatal("upc_init",
        "shared data lies before __upc_shared_start; link with upccc, or penstock-upc-begin.o first");
  return (size_t)(end() - start());
}

void pst_upc_section_copy(void *to)
{
  const size_t size = pst_upc_section_size();
  if (size) memcpy(to, start(), size);
}
