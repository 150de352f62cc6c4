/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A bare program between two processes: what a conduit's speed is compared with. One endpoint with the
 * settings that the conduit asks for, and nothing around it. Nothing here calls the library that is measured.
 * Each network library has one, as a shared object that a worker loads: it has raw.c, and either ofi.c or
 * ucx*.c. Another, mpi.c, is between all nodes. */
#ifndef BENCH_RAW_RAW_H
#define BENCH_RAW_RAW_H
#include <stddef.h>
#include <stdint.h>

/* What a series moves. */
struct raw_shape {
  size_t bytes;      /* a transfer or message; 0: there is no bare series for this */
  long several;      /* in flight, each with its own memory: the i-th at i * bytes */
  long per;          /* operations of ours that one bare operation stands for; 0 is 1 */
  size_t row, pitch; /* a face: rows of `row` bytes, `pitch` bytes apart at both ends */
};

/* The series, each of n / per operations, complete when it returns. A write is complete when it is visible. A
 * program that has no such series leaves it out. */
enum raw_way {
  RAW_NONE,
  RAW_WRITE_EACH, /* one at a time */
  RAW_READ_EACH,
  RAW_WRITE_SEVERAL, /* `several` at a time */
  RAW_READ_SEVERAL,
  RAW_WRITE_BOTH, /* the same on both sides at once; n counts those of one side */
  RAW_READ_BOTH,
  RAW_SEND_SEVERAL, /* to the same effect as writes and reads, by messages */
  RAW_FETCH_SEVERAL,
  RAW_PASS, /* messages there and back, each by another of the library's ways to send */
  RAW_PASS_2,
  RAW_PASS_3,
  RAW_LONG,  /* a write and a message, and the same back */
  RAW_FLOOD, /* messages of 8 bytes one way, until the peer says that all are there */
  RAW_FLOOD_2,
  /* Faces: packed into so many messages, which the other side unpacks as they come; by rendezvous or not, as
     the library chooses, */
  RAW_PUT_FACE_2,
  RAW_PUT_FACE_3,
  RAW_PUT_FACE_4,
  RAW_PUT_FACE_8,
  RAW_GET_FACE_2,
  RAW_GET_FACE_3,
  RAW_GET_FACE_4,
  RAW_GET_FACE_8,
  RAW_PUT_FACE_EAGER_3,
  RAW_PUT_FACE_EAGER_4,
  RAW_PUT_FACE_EAGER_8, /* or never by rendezvous */
  RAW_GET_FACE_EAGER_3,
  RAW_GET_FACE_EAGER_4,
  RAW_GET_FACE_EAGER_8,
  RAW_PUT_ROWS, /* or a write or read a row, all in flight */
  RAW_GET_ROWS,
  RAW_BARRIER, /* collectives of all nodes; `bytes` is what a node gives, or gives each */
  RAW_BROADCAST,
  RAW_SUM,
  RAW_ALL_TO_ALL,
  RAW_WAYS
};
typedef void (*raw_series_fn)(long n, const struct raw_shape *s);

enum { RAW_MESSAGE_MOST = 4096 }; /* of those that are passed */

/* What the peer must know, in the form of that library. */
struct raw_address {
  char bytes[4096];
};

struct raw_memory {
  char *target; /* the peer writes and reads it; a library that has faster memory of its own for this
                   allocates that instead */
  char *local;  /* data of transfers lie in it */
  size_t size;  /* of each */
};

/* Anything that fails ends the process with a message. */
struct raw_program {
  int everybody; /* all nodes open it and run its series together; there is no join, serve and stop */
  int (*offers)(const char *transport); /* is the transport here, with all that is asked for? */
  void (*open)(const char *transport, const struct raw_memory *m, struct raw_address *mine);
  void (*join)(const struct raw_address *peer); /* both at once */
  void (*close)(void);                          /* some leave shared memory behind otherwise */
  void (*serve)(void); /* the peer: makes progress and answers, until the other says stop */
  void (*stop)(void);
  const char *variable; /* that selects the transport: for the conduit and for this */
  raw_series_fn series[RAW_WAYS];
};
#define RAW_SYMBOL "raw_program"
extern const struct raw_program raw_program; /* of the shared object */

#endif
