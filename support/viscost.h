/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What non-contiguous transfers cost on a conduit, as numbers: vis/cost.h decides by them. */
#ifndef SUPPORT_VISCOST_H
#define SUPPORT_VISCOST_H
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

enum {
  PST_VISCOST_FIELDS = 6,
  PST_VISCOST_MOST = 1000000,
  PST_VISCOST_CHUNK_LEAST = 2048,
  PST_VISCOST_CHUNK_MOST = 65536
};
/* Where nothing else was measured. A message with its head and description stays below the 64 KiB that the
 * kernel sends at a time over TCP: what is longer by a little costs both sides another segment. */
enum { PST_VISCOST_CHUNK = 60 << 10 };

#define PST_VISCOST_LEGAL                                                                         \
  "settings separated by commas, such as transfer=250,piece=8; names: transfer, message, piece, " \
  "transfer_kb and "                                                                              \
  "packed_kb (ns, 0 to 1000000), chunk (bytes, 2048 to 65536)"

const char *pst_viscost_name(unsigned field);
uint32_t *pst_viscost_field(struct pst_viscost *c, unsigned field);

/* "transfer=250,piece=8": changes those that are named. PST_OK, or an error with nothing changed. */
int pst_viscost_parse(const char *text, struct pst_viscost *c);

#endif
