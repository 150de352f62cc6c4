/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "launch/secret.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

static int random_bytes(void *to, size_t n)
{
  char *p = to;
  for (ssize_t got; n; p += got, n -= (size_t)got) {
    got = getrandom(p, n, 0);
    if (got < 0 && errno != EINTR) return -1;
    if (got < 0) got = 0;
  }
  return 0;
}

int secret_make(struct secret *s) { return random_bytes(s->bytes, sizeof s->bytes); }
int secret_nonce(unsigned char nonce[NONCE_BYTES]) { return random_bytes(nonce, NONCE_BYTES); }

void secret_write(const struct secret *s, char text[SECRET_TEXT])
{
  for (unsigned i = 0; i < SECRET_BYTES; i++) snprintf(text + 2 * i, 3, "%02x", s->bytes[i]);
}

static int digit(char c)
{
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

int secret_read(const char *text, struct secret *s)
{
  if (strlen(text) != 2 * SECRET_BYTES) return -1;
  for (unsigned i = 0; i < SECRET_BYTES; i++) {
    const int high = digit(text[2 * i]), low = digit(text[2 * i + 1]);
    if (high < 0 || low < 0) return -1;
    s->bytes[i] = (unsigned char)(high << 4 | low);
  }
  return 0;
}

void secret_prove(const struct secret *s, enum secret_side side, uint32_t host,
    const unsigned char launcher[NONCE_BYTES], const unsigned char daemon[NONCE_BYTES],
    unsigned char proof[PROOF_BYTES])
{
  const unsigned char about[5] = {side == SECRET_LAUNCHER ? 'L' : 'D', (unsigned char)(host >> 24),
      (unsigned char)(host >> 16), (unsigned char)(host >> 8), (unsigned char)host};
  const struct pst_sha256_part part[] = {
      {about, sizeof about}, {launcher, NONCE_BYTES}, {daemon, NONCE_BYTES}};
  pst_sha256_keyed(s->bytes, sizeof s->bytes, part, 3, proof);
}

int secret_same(const unsigned char a[PROOF_BYTES], const unsigned char b[PROOF_BYTES])
{
  unsigned difference = 0;
  for (unsigned i = 0; i < PROOF_BYTES; i++) difference |= a[i] ^ b[i];
  return difference == 0;
}
