/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Contiguous copies and fills at the speed of the memory: below the cache size what libc does, above it
 * streaming stores or `rep movsb`, chosen at run time by CPU and measured size. */
#ifndef SUPPORT_COPY_H
#define SUPPORT_COPY_H
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

void pst_copy(void *restrict dst, const void *restrict src, size_t n);
/* From how many bytes on a copy goes past the caches. */
size_t pst_copy_large(void);
void pst_fill(void *dst, int byte, size_t n);

/* Copies for puts that another thread may be watching: it reads a word of the destination with acquire, and
 * then what was put before. An aligned word, and each of up to eight words of 8 bytes in a row, is stored
 * whole and with release. Data of other sizes only comes after what was put before. */
static inline void pst_store_release_8(void *dst, const void *src)
{
  uint64_t word;
  memcpy(&word, src, sizeof word);
  atomic_store_explicit((_Atomic uint64_t *)dst, word, memory_order_release);
}
static inline void pst_store_release_4(void *dst, const void *src)
{
  uint32_t word;
  memcpy(&word, src, sizeof word);
  atomic_store_explicit((_Atomic uint32_t *)dst, word, memory_order_release);
}
static inline void pst_store_release_2(void *dst, const void *src)
{
  uint16_t word;
  memcpy(&word, src, sizeof word);
  atomic_store_explicit((_Atomic uint16_t *)dst, word, memory_order_release);
}
static inline void pst_store_release_all(char *dst, const char *src, size_t n)
{
  for (; n; dst += 8, src += 8, n -= 8) pst_store_release_8(dst, src);
}
static inline void pst_copy_release(void *restrict dst, const void *restrict src, size_t n)
{
  enum { ROW = 64 };
  const uintptr_t at = (uintptr_t)dst;
  if (n == 8 && at % 8 == 0) {
    pst_store_release_8(dst, src);
  } else if (n == 4 && at % 4 == 0) {
    pst_store_release_4(dst, src);
  } else if (n == 2 && at % 2 == 0) {
    pst_store_release_2(dst, src);
  } else if (n <= ROW && n % 8 == 0 && at % 8 == 0) {
    pst_store_release_all(dst, src, n);
  } else {
    atomic_thread_fence(memory_order_release);
    pst_copy(dst, src, n);
  }
}
#endif
