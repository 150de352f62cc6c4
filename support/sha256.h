/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* SHA-256 (FIPS 180-4) and the keyed digest HMAC made of it (RFC 2104), for a few hundred bytes at the start
 * of a job. */
#ifndef SUPPORT_SHA256_H
#define SUPPORT_SHA256_H
#include <stddef.h>
#include <stdint.h>

enum { PST_SHA256_BYTES = 32, PST_SHA256_BLOCK = 64 };

struct pst_sha256 {
  uint32_t state[8];
  uint64_t bytes;                        /* taken so far */
  unsigned char block[PST_SHA256_BLOCK]; /* the last, incomplete one */
};

void pst_sha256_begin(struct pst_sha256 *s);
void pst_sha256_take(struct pst_sha256 *s, const void *data, size_t n);
void pst_sha256_end(struct pst_sha256 *s, unsigned char digest[PST_SHA256_BYTES]);

struct pst_sha256_part {
  const void *data;
  size_t n;
};
/* The digest of the parts, one behind the other, under a key of at most PST_SHA256_BLOCK bytes. */
void pst_sha256_keyed(const void *key, size_t key_bytes, const struct pst_sha256_part *part, unsigned parts,
    unsigned char digest[PST_SHA256_BYTES]);

#endif
