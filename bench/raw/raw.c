/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The series of a bare program with any library, and the peer's side of them. */
#include "inside.h"

#include <string.h>

char *raw_local, *raw_target;

void raw_begin(const char *transport, const struct raw_memory *m, struct raw_address *mine)
{
  raw_local = m->local;
  raw_target = m->target;
  raw_face_memory = m->local;
  raw_open(transport, m, mine);
}

/* ---- transfers ---- */

/* So many at a time, each with its own memory. */
static inline void move(long n, const struct raw_shape *s, long several, int get)
{
  const size_t end = (size_t)several * s->bytes;
  for (long left = raw_count(n, s); left > 0; left -= several) {
    for (size_t at = 0; at < end; at += s->bytes) raw_move(get, at, s->bytes);
    raw_drain();
  }
}

void raw_write_each(long n, const struct raw_shape *s) { move(n, s, 1, 0); }
void raw_read_each(long n, const struct raw_shape *s) { move(n, s, 1, 1); }
void raw_write_several(long n, const struct raw_shape *s) { move(n, s, s->several, 0); }
void raw_read_several(long n, const struct raw_shape *s) { move(n, s, s->several, 1); }

/* ---- messages there and back: the first byte says in which way, or what else is wanted ---- */

enum { END = 3, WRITE_TOO, READ_TOO, LONG_BACK, FACE_BACK };

struct command {
  char what;
  long n;
  struct raw_shape shape;
  unsigned slices; /* of a face */
  int eager;
};

static void pass(long n, size_t nbytes, char way)
{
  static char mine[RAW_MESSAGE_MOST]; /* answers are received into it: the first byte is the next one's way */
  mine[0] = way;
  for (long i = 0; i < n; i++) {
    raw_send(mine, nbytes, way);
    raw_receive(mine);
  }
  raw_drain();
}

void raw_pass(long n, const struct raw_shape *s) { pass(n, s->bytes, 0); }
void raw_pass_2(long n, const struct raw_shape *s) { pass(n, s->bytes, 1); }
void raw_pass_3(long n, const struct raw_shape *s) { pass(n, s->bytes, 2); }

static void await_answer(void)
{
  char answer[RAW_MESSAGE_MOST];
  raw_receive(answer);
}

/* ---- what the peer does, too ---- */

static void both(long n, const struct raw_shape *s, char what, raw_series_fn series)
{
  static struct command c;
  c = (struct command){.what = what, .n = n, .shape = *s};
  raw_send((const char *)&c, sizeof c, 0);
  series(n, s);
  await_answer();
  raw_drain();
}
void raw_write_both(long n, const struct raw_shape *s) { both(n, s, WRITE_TOO, raw_write_several); }
void raw_read_both(long n, const struct raw_shape *s) { both(n, s, READ_TOO, raw_read_several); }

void raw_long(long n, const struct raw_shape *s)
{
  static struct command c;
  c = (struct command){.what = LONG_BACK, .n = 1, .shape = *s};
  for (long i = raw_count(n, s); i > 0; i--) {
    raw_write_each(1, s);
    raw_send((const char *)&c, sizeof c, 0);
    await_answer();
  }
  raw_drain();
}

void raw_face_request(const struct raw_shape *s, unsigned slices, int eager)
{
  static struct command c;
  c = (struct command){.what = FACE_BACK, .n = 1, .shape = *s, .slices = slices, .eager = eager};
  raw_send((const char *)&c, sizeof c, 1);
}

/* ---- the passive side ---- */

static void send_face(const char *message)
{
  struct command c;
  memcpy(&c, message, sizeof c);
  raw_drain(); /* the last face may still be in the memory for packing */
  raw_face_send(raw_target, &c.shape, c.slices, c.eager);
}

static void run_command(const char *message, raw_series_fn series)
{
  static const char answer[8];
  struct command c;
  memcpy(&c, message, sizeof c);
  series(c.n, &c.shape);
  raw_send(answer, sizeof answer, 0);
}

static void end_serving(const char *message, size_t nbytes)
{
  if (raw_end_is_answered) raw_send(message, nbytes, 0);
  raw_drain();
  raw_serving(0);
  raw_face_memory = raw_local;
}

void raw_serve(void)
{
  char message[RAW_MESSAGE_MOST];
  raw_serving(1);
  raw_face_memory = raw_target;
  for (;;) {
    const size_t nbytes = raw_receive(message);
    switch (message[0]) {
    case END: end_serving(message, nbytes); return;
    case WRITE_TOO: run_command(message, raw_write_several); break;
    case READ_TOO: run_command(message, raw_read_several); break;
    case LONG_BACK: run_command(message, raw_write_each); break;
    case FACE_BACK: send_face(message); break;
    default: raw_send(message, nbytes, message[0]);
    }
  }
}

void raw_stop(void)
{
  static const char end[8] = {END};
  raw_drain();
  raw_send(end, sizeof end, 0);
  if (raw_end_is_answered) await_answer();
  raw_drain();
}
