/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Checksums, and counting zero bytes eight at a time. */
#include <string.h>

#include "gasnet_tools.h"

#define LOW7 UINT64_C(0x7f7f7f7f7f7f7f7f)

/* FNV-1a: byte by byte, hence the same for either byte order. */
uint64_t gasnett_checksum(const void *data, size_t nbytes)
{
  const unsigned char *p = data;
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < nbytes; i++) hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
  return hash;
}

/* The top bit of each byte of `full` is set where the byte is not 0: adding 7f to the low seven bits carries
 * into it, and never further. */
int gasnett_count0s_uint64_t(uint64_t v)
{
  uint64_t full = ((v & LOW7) + LOW7) | v;
  return 8 - __builtin_popcountll(full & ~LOW7);
}

int gasnett_count0s_uint32_t(uint32_t v) { return gasnett_count0s_uint64_t(v) - 4; }

int gasnett_count0s_uintptr_t(uintptr_t v) { return gasnett_count0s_uint64_t(v) - (8 - (int)sizeof v); }

size_t gasnett_count0s(const void *src, size_t nbytes)
{
  const unsigned char *p = src;
  size_t zeros = 0;
  uint64_t word;
  for (; nbytes >= sizeof word; nbytes -= sizeof word, p += sizeof word) {
    memcpy(&word, p, sizeof word);
    zeros += (size_t)gasnett_count0s_uint64_t(word);
  }
  for (; nbytes; nbytes--) zeros += *p++ == 0;
  return zeros;
}

size_t gasnett_count0s_copy(void *dst, const void *src, size_t nbytes)
{
  const unsigned char *p = src;
  unsigned char *to = dst;
  size_t zeros = 0;
  uint64_t word;
  for (; nbytes >= sizeof word; nbytes -= sizeof word, p += sizeof word, to += sizeof word) {
    memcpy(&word, p, sizeof word);
    memcpy(to, &word, sizeof word);
    zeros += (size_t)gasnett_count0s_uint64_t(word);
  }
  for (; nbytes; nbytes--) zeros += (*to++ = *p++) == 0;
  return zeros;
}
