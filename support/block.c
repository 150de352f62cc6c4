/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Blocks of memory and the integers in them. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "gasnet_tools.h"
#include "support/error.h"

void *gasnett_mmap(uintptr_t size)
{
  void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) pst_fatal("cannot map %llu bytes: %m", (unsigned long long)size);
  return p;
}

void *gasnett_malloc_aligned(size_t alignment, size_t size)
{
  void *p;
  if (alignment < sizeof(void *)) alignment = sizeof(void *);
  int err = posix_memalign(&p, alignment, size ? size : 1);
  if (err) pst_fatal("cannot allocate %zu bytes aligned to %zu: %s", size, alignment, strerror(err));
  return p;
}

void gasnett_free_aligned(void *p) { free(p); }

/* Where the nbytes low bytes of a register value lie in memory. */
static size_t low_bytes(size_t nbytes) { return gasnett_isLittleEndian() ? 0 : sizeof(uintptr_t) - nbytes; }

void pst_value_store(void *dst, uintptr_t value, size_t nbytes)
{
  memcpy(dst, (const char *)&value + low_bytes(nbytes), nbytes);
}

uintptr_t pst_value_load(const void *src, size_t nbytes)
{
  uintptr_t value = 0;
  memcpy((char *)&value + low_bytes(nbytes), src, nbytes);
  return value;
}
