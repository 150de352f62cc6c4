/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "launch/wire.h"

#include <limits.h>

#include "launch/secret.h"

static const struct kind {
  enum wire_way way;
  unsigned words;
  size_t least, most; /* bytes of data */
} kinds[WIRE_TYPES] = {
    [WIRE_HELLO] = {WIRE_TO_LAUNCHER, 2, NONCE_BYTES, NONCE_BYTES},
    [WIRE_PROOF] = {WIRE_TO_LAUNCHER, 0, PROOF_BYTES, PROOF_BYTES},
    [WIRE_STARTED] = {WIRE_TO_LAUNCHER, 2, 0, 0},
    [WIRE_FAILED] = {WIRE_TO_LAUNCHER, 1, 1, 1024},
    [WIRE_OUTPUT] = {WIRE_TO_LAUNCHER, 2, 1, WIRE_PIECE},
    [WIRE_INPUT_TAKEN] = {WIRE_TO_LAUNCHER, 1, 0, 0},
    [WIRE_INPUT_CLOSED] = {WIRE_TO_LAUNCHER, 0, 0, 0},
    [WIRE_STATE] = {WIRE_TO_LAUNCHER, 4, 0, 0},
    [WIRE_LEAVES] = {WIRE_TO_LAUNCHER, 2, 0, 0},
    [WIRE_ENDED] = {WIRE_TO_LAUNCHER, 4, 0, 0},
    [WIRE_GATHER] = {WIRE_TO_LAUNCHER, 3, 0, WIRE_PIECE},
    [WIRE_SIGNALLED] = {WIRE_TO_LAUNCHER, 1, 0, 0},
    [WIRE_BYE] = {WIRE_TO_LAUNCHER, 0, 0, 0},
    [WIRE_CHALLENGE] = {WIRE_TO_DAEMON, 0, NONCE_BYTES + PROOF_BYTES, NONCE_BYTES + PROOF_BYTES},
    [WIRE_JOB] = {WIRE_TO_DAEMON, 5, 0, 0},
    [WIRE_DIRECTORY] = {WIRE_TO_DAEMON, 0, 1, PATH_MAX},
    [WIRE_ARGUMENT] = {WIRE_TO_DAEMON, 0, 0, WIRE_STRING},
    [WIRE_VARIABLE] = {WIRE_TO_DAEMON, 0, 2, WIRE_STRING},
    [WIRE_START] = {WIRE_TO_DAEMON, 0, 0, 0},
    [WIRE_INPUT] = {WIRE_TO_DAEMON, 0, 0, WIRE_PIECE},
    [WIRE_OUTPUT_TAKEN] = {WIRE_TO_DAEMON, 1, 0, 0},
    [WIRE_SIGNAL] = {WIRE_TO_DAEMON, 1, 0, 0},
    [WIRE_ENDING] = {WIRE_TO_DAEMON, 0, 0, 0},
    [WIRE_ASK] = {WIRE_TO_DAEMON, 0, 0, 0},
    [WIRE_SCATTER] = {WIRE_TO_DAEMON, 3, 0, WIRE_PIECE},
    [WIRE_ADMITTED] = {WIRE_TO_DAEMON, 0, 0, 0},
    [WIRE_LOST] = {WIRE_TO_DAEMON, 1, 0, 0},
};

static uint32_t word_get(const char *at)
{
  const unsigned char *p = (const unsigned char *)at;
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void word_put(char *at, uint32_t v)
{
  for (unsigned i = 0; i < 4; i++) at[i] = (char)(v >> (24 - 8 * i));
}

static long refuse_frame(const char **why, const char *text)
{
  *why = text;
  return -1;
}

size_t wire_size(enum wire_type type, size_t size)
{
  return WIRE_HEADER + 4 * (size_t)kinds[type].words + size;
}

/* The header alone decides whether to wait for the rest: a peer cannot make this process keep what it will
 * refuse. */
long wire_decode(
    const char *bytes, size_t n, enum wire_way way, size_t most, struct wire_frame *f, const char **why)
{
  if (n < WIRE_HEADER) return 0;
  const size_t body = word_get(bytes);
  const unsigned type = (unsigned char)bytes[4];
  const struct kind *k = &kinds[type < WIRE_TYPES ? type : 0];
  if (k->way != way) return refuse_frame(why, "a frame of an unknown type");
  if (bytes[5] || bytes[6] || bytes[7]) return refuse_frame(why, "a frame with a malformed header");
  if (body < 4 * k->words + k->least || body > 4 * k->words + k->most || body > most)
    return refuse_frame(why, "a frame of an impossible length");
  if (n - WIRE_HEADER < body) return 0;
  f->type = type;
  for (unsigned i = 0; i < WIRE_WORDS; i++)
    f->word[i] = i < k->words ? word_get(bytes + WIRE_HEADER + 4 * i) : 0;
  f->data = bytes + WIRE_HEADER + 4 * k->words;
  f->size = body - 4 * k->words;
  return (long)(WIRE_HEADER + body);
}

size_t wire_encode(enum wire_type type, const uint32_t *word, size_t size, char *to)
{
  const unsigned words = kinds[type].words;
  word_put(to, (uint32_t)(4 * words + size));
  to[4] = (char)type;
  to[5] = to[6] = to[7] = 0;
  for (unsigned i = 0; i < words; i++) word_put(to + WIRE_HEADER + 4 * i, word[i]);
  return wire_size(type, 0);
}
