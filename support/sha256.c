/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "support/sha256.h"

#include <string.h>

static const uint32_t constant[64] = {0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
    0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
    0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
    0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb,
    0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624,
    0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb,
    0xbef9a3f7, 0xc67178f2};

static uint32_t rotate(uint32_t x, unsigned n) { return x >> n | x << (32 - n); }

static uint32_t big_endian(const unsigned char *p)
{
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void block_schedule(const unsigned char *block, uint32_t w[64])
{
  for (unsigned i = 0; i < 16; i++) w[i] = big_endian(block + 4 * i);
  for (unsigned i = 16; i < 64; i++) {
    const uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + w[i - 7] +
        (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
  }
}

/* v[0..7] are the standard's a to h. */
static void block_compress(uint32_t state[8], const unsigned char *block)
{
  uint32_t w[64], v[8];
  block_schedule(block, w);
  memcpy(v, state, sizeof v);
  for (unsigned i = 0; i < 64; i++) {
    const uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]),
                   majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
    const uint32_t first = v[7] + (rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25)) + choice +
        constant[i] + w[i];
    const uint32_t second = (rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22)) + majority;
    memmove(v + 1, v, 7 * sizeof *v);
    v[4] += first;
    v[0] = first + second;
  }
  for (unsigned i = 0; i < 8; i++) state[i] += v[i];
}

void pst_sha256_begin(struct pst_sha256 *s)
{
  static const uint32_t start[8] = {
      0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  memcpy(s->state, start, sizeof start);
  s->bytes = 0;
}

void pst_sha256_take(struct pst_sha256 *s, const void *data, size_t n)
{
  const unsigned char *p = data;
  for (size_t part; n; n -= part, p += part) {
    const size_t at = s->bytes % PST_SHA256_BLOCK;
    part = n < PST_SHA256_BLOCK - at ? n : PST_SHA256_BLOCK - at;
    memcpy(s->block + at, p, part);
    s->bytes += part;
    if (at + part == PST_SHA256_BLOCK) block_compress(s->state, s->block);
  }
}

void pst_sha256_end(struct pst_sha256 *s, unsigned char digest[PST_SHA256_BYTES])
{
  static const unsigned char pad[PST_SHA256_BLOCK] = {0x80};
  const uint64_t bits = 8 * s->bytes;
  const size_t at = s->bytes % PST_SHA256_BLOCK;
  unsigned char length[8];
  for (unsigned i = 0; i < 8; i++) length[i] = (unsigned char)(bits >> (56 - 8 * i));
  pst_sha256_take(s, pad, (at < 56 ? 56 : 120) - at);
  pst_sha256_take(s, length, sizeof length);
  for (unsigned i = 0; i < PST_SHA256_BYTES; i++)
    digest[i] = (unsigned char)(s->state[i / 4] >> (24 - 8 * (i % 4)));
}

static void hmac_begin(struct pst_sha256 *s, const unsigned char *key, size_t key_bytes, unsigned char mask)
{
  unsigned char block[PST_SHA256_BLOCK];
  memset(block, mask, sizeof block);
  for (size_t i = 0; i < key_bytes; i++) block[i] ^= key[i];
  pst_sha256_begin(s);
  pst_sha256_take(s, block, sizeof block);
}

void pst_sha256_keyed(const void *key, size_t key_bytes, const struct pst_sha256_part *part, unsigned parts,
    unsigned char digest[PST_SHA256_BYTES])
{
  struct pst_sha256 s;
  unsigned char inner[PST_SHA256_BYTES];
  hmac_begin(&s, key, key_bytes, 0x36);
  for (unsigned i = 0; i < parts; i++) pst_sha256_take(&s, part[i].data, part[i].n);
  pst_sha256_end(&s, inner);
  hmac_begin(&s, key, key_bytes, 0x5c);
  pst_sha256_take(&s, inner, sizeof inner);
  pst_sha256_end(&s, digest);
}
