/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The secret of a job, and how launcher and daemon prove to each other that they know it without
 * sending it. */
#ifndef LAUNCH_SECRET_H
#define LAUNCH_SECRET_H
#include <stdint.h>
#include "support/sha256.h"

enum {
  SECRET_BYTES = 32,
  NONCE_BYTES = 16,
  PROOF_BYTES = PST_SHA256_BYTES,
  SECRET_TEXT = 2 * SECRET_BYTES + 1
};

struct secret {
  unsigned char bytes[SECRET_BYTES];
};

/* Random numbers of the kernel; 0, or -1 with errno. */
int secret_make(struct secret *s);
int secret_nonce(unsigned char nonce[NONCE_BYTES]);
/* In hexadecimal digits, and back; 0 or -1. */
void secret_write(const struct secret *s, char text[SECRET_TEXT]);
int secret_read(const char *text, struct secret *s);

enum secret_side { SECRET_LAUNCHER, SECRET_DAEMON };
/* What `side` answers for the numbers that both have chosen. The sides' proofs differ: none can be
 * sent back. */
void secret_prove(const struct secret *s, enum secret_side side, uint32_t host,
    const unsigned char launcher[NONCE_BYTES], const unsigned char daemon[NONCE_BYTES],
    unsigned char proof[PROOF_BYTES]);
/* Takes the same time wherever they differ. */
int secret_same(const unsigned char a[PROOF_BYTES], const unsigned char b[PROOF_BYTES]);

#endif
