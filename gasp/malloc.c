/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Memory allocation of programs that are linked with --wrap=malloc,--wrap=realloc,--wrap=free. */
#include <stdint.h>
#include <stdlib.h>

#include "gasp/runtime.h"

/* Such a link defines them. */
extern void *__real_malloc(size_t size) __attribute__((weak));
extern void *__real_realloc(void *ptr, size_t size) __attribute__((weak));
extern void __real_free(void *ptr) __attribute__((weak));
void *__wrap_malloc(size_t size);
void *__wrap_realloc(void *ptr, size_t size);
void __wrap_free(void *ptr);

/* In the shared library, which is linked by itself, the C library's functions have their own names. */
static void *plain_malloc(size_t size) { return __real_malloc ? __real_malloc(size) : malloc(size); }

static void *plain_realloc(void *ptr, size_t size)
{
  return __real_realloc ? __real_realloc(ptr, size) : realloc(ptr, size);
}

static void plain_free(void *ptr)
{
  if (__real_free) __real_free(ptr);
  else free(ptr);
}

/* These events do not take the place that was given last: the arguments of its call may cause them. */
void *__wrap_malloc(size_t size)
{
  if (!pst_gasp_on) return plain_malloc(size);
  pst_gasp_tell(GASP_C_MALLOC, GASP_START, 0, size);
  void *ptr = plain_malloc(size);
  pst_gasp_tell(GASP_C_MALLOC, GASP_END, 0, size, ptr);
  return ptr;
}

/* The tool knows the old memory by its address, which is invalid after the call. */
void *__wrap_realloc(void *ptr, size_t size)
{
  const uintptr_t old = (uintptr_t)ptr;
  if (!pst_gasp_on) return plain_realloc(ptr, size);
  pst_gasp_tell(GASP_C_REALLOC, GASP_START, 0, (void *)old, size);
  ptr = plain_realloc(ptr, size);
  pst_gasp_tell(GASP_C_REALLOC, GASP_END, 0, (void *)old, size, ptr);
  return ptr;
}

void __wrap_free(void *ptr)
{
  const uintptr_t old = (uintptr_t)ptr;
  if (!pst_gasp_on) {
    plain_free(ptr);
    return;
  }
  pst_gasp_tell(GASP_C_FREE, GASP_START, 0, (void *)old);
  plain_free(ptr);
  pst_gasp_tell(GASP_C_FREE, GASP_END, 0, (void *)old);
}
