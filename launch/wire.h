/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Frames between the launcher and its daemons: docs/formats.md draws them. Nothing here trusts what
 * it reads. */
#ifndef LAUNCH_WIRE_H
#define LAUNCH_WIRE_H
#include <stddef.h>
#include <stdint.h>

enum wire_type {
  /* from the daemon */
  WIRE_HELLO = 1,
  WIRE_PROOF,
  WIRE_STARTED,
  WIRE_FAILED,
  WIRE_OUTPUT,
  WIRE_INPUT_TAKEN,
  WIRE_INPUT_CLOSED,
  WIRE_STATE,
  WIRE_LEAVES,
  WIRE_ENDED,
  WIRE_GATHER,
  WIRE_SIGNALLED,
  WIRE_BYE,
  /* from the launcher */
  WIRE_CHALLENGE,
  WIRE_JOB,
  WIRE_DIRECTORY,
  WIRE_ARGUMENT,
  WIRE_VARIABLE,
  WIRE_START,
  WIRE_INPUT,
  WIRE_OUTPUT_TAKEN,
  WIRE_SIGNAL,
  WIRE_ENDING,
  WIRE_ASK,
  WIRE_SCATTER,
  WIRE_ADMITTED,
  WIRE_LOST,
  WIRE_TYPES
};

enum {
  WIRE_VERSION = 4,
  WIRE_HEADER = 8,
  WIRE_WORDS = 5,                /* the most that a frame has */
  WIRE_PIECE = 16 * 1024,        /* the most data of a stream in one frame */
  WIRE_STRING = 4 * 1024 * 1024, /* an argument or a variable */
  WIRE_STRANGER = 64,            /* the most bytes of a body before the other side has proved itself */
  WIRE_WINDOW = 64 * 1024        /* bytes of output of a host, or of input, that may be under way */
};

struct wire_frame {
  enum wire_type type;
  uint32_t word[WIRE_WORDS];
  const char *data; /* in the buffer that was decoded; not terminated */
  size_t size;
};

/* Where a frame goes to. */
enum wire_way { WIRE_TO_LAUNCHER = 1, WIRE_TO_DAEMON }; /* 0: of a type that does not exist */

/* The first frame of `n` bytes: how long it is, 0 where its end has not come, -1 where no such frame exists
 * (then *why says so). `most` bounds the body, beside what its type allows. */
long wire_decode(
    const char *bytes, size_t n, enum wire_way way, size_t most, struct wire_frame *f, const char **why);
/* Bytes that a frame takes. */
size_t wire_size(enum wire_type type, size_t size);
/* Writes header and words; the data follow. Returns how many bytes. */
size_t wire_encode(enum wire_type type, const uint32_t *word, size_t size, char *to);

#endif
