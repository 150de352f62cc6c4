/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What non-contiguous transfers cost on a conduit, as numbers: vis/cost.h chooses by them. */
#ifndef CORE_VISCOST_H
#define CORE_VISCOST_H
#include <stdint.h>

/* Nanoseconds, those with _kb for each 1024 bytes. */
struct pst_viscost {
  uint32_t transfer;    /* a native put or get, beside its bytes */
  uint32_t message;     /* a medium request and its reply, beside their bytes; also a long one */
  uint32_t piece;       /* to pack a piece, describe it and unpack it, beside its bytes */
  uint32_t transfer_kb; /* bytes that go natively */
  uint32_t packed_kb;   /* bytes that are packed, sent and unpacked */
  uint32_t chunk;       /* bytes: packed messages carry at most so many */
};

/* Where nothing else was measured. A message with its head and description stays below the 64 KiB that the
 * kernel sends at a time over TCP: a slightly longer one costs both sides another segment. */
enum { PST_VISCOST_CHUNK = 60 << 10 };

#endif
