/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What the series of a bare program are made of: each library's file defines it. */
#ifndef BENCH_RAW_INSIDE_H
#define BENCH_RAW_INSIDE_H
#include "raw.h"

extern char *raw_local;  /* own memory for the data of transfers */
extern char *raw_target; /* own memory that the peer writes and reads */

int raw_offers(const char *transport);
void raw_open(const char *transport, const struct raw_memory *m, struct raw_address *mine);
void raw_join(const struct raw_address *peer);
void raw_close(void);

/* Starts a transfer from or to `local`, `at` bytes behind the peer's target memory. A write is complete when
 * it is visible there. */
void raw_write(size_t at, const void *local, size_t nbytes);
void raw_read(size_t at, void *local, size_t nbytes);
/* The same to or from so far behind the local memory. */
static inline void raw_move(int get, size_t at, size_t nbytes)
{
  if (get) raw_read(at, raw_local + at, nbytes);
  else raw_write(at, raw_local + at, nbytes);
}
/* Waits for all that were started. */
void raw_drain(void);

/* Sends a message in one of the library's ways, 0 to 2. The data must not change until the peer has answered,
 * or all is drained. */
void raw_send(const char *data, size_t nbytes, int way);
/* Waits for a message and copies it out; returns its length. */
size_t raw_receive(void *data);
/* Does the peer answer the message that ends its serving? What was sent last may need progress here until it
 * does. */
extern const int raw_end_is_answered;
/* Sets where arriving streams go, as this side begins or ends serving. Does nothing if there are none. */
void raw_serving(int begins);

/* ---- large messages: faces.c packs and unpacks them ---- */

enum {
  RAW_FACE_MOST = 128 << 10,
  RAW_SLICES_MOST = 8,
  RAW_SLICE_HEAD = 64,
  RAW_PACKED_MOST = RAW_FACE_MOST + RAW_SLICES_MOST * RAW_SLICE_HEAD,
  RAW_SLICE = 64 /* the first byte of each; no other message begins with it */
};

/* Memory to pack them in, of RAW_PACKED_MOST bytes. What is sent from it must not change until all is
 * drained. */
char *raw_packed(void);
/* `eager`: never by rendezvous, where the library can choose. */
void raw_send_slice(const char *slice, size_t nbytes, int eager);
/* Makes progress, and gives slices that have arrived to raw_face_take, in any order. raw_receive does so
 * while it waits, too, and calls raw_face_answer once raw_face_here is set. */
void raw_progress(void);

/* ---- faces.c ---- */

extern int raw_face_here;     /* all of a face has been unpacked */
extern char *raw_face_memory; /* where it is unpacked */
void raw_face_take(const char *slice);
void raw_face_answer(void);
/* Sends the rows that lie in `from`. */
void raw_face_send(const char *from, const struct raw_shape *s, unsigned slices, int eager);
void raw_put_rows(long n, const struct raw_shape *s);
void raw_get_rows(long n, const struct raw_shape *s);
#define RAW_FACE(slices) \
  void raw_put_face_##slices(long n, const struct raw_shape *s), \
      raw_get_face_##slices(long n, const struct raw_shape *s)
RAW_FACE(2);
RAW_FACE(3);
RAW_FACE(4);
RAW_FACE(8);
RAW_FACE(eager_3);
RAW_FACE(eager_4);
RAW_FACE(eager_8);
#undef RAW_FACE

/* ---- raw.c ---- */

void raw_begin(const char *transport, const struct raw_memory *m, struct raw_address *mine);
void raw_serve(void);
void raw_stop(void);
void raw_write_each(long n, const struct raw_shape *s);
void raw_read_each(long n, const struct raw_shape *s);
void raw_write_several(long n, const struct raw_shape *s);
void raw_read_several(long n, const struct raw_shape *s);
void raw_write_both(long n, const struct raw_shape *s);
void raw_read_both(long n, const struct raw_shape *s);
void raw_pass(long n, const struct raw_shape *s);
void raw_pass_2(long n, const struct raw_shape *s);
void raw_pass_3(long n, const struct raw_shape *s);
void raw_long(long n, const struct raw_shape *s);
/* Has the peer send a face. */
void raw_face_request(const struct raw_shape *s, unsigned slices, int eager);
/* How often a series repeats its work. */
static inline long raw_count(long n, const struct raw_shape *s) { return s->per > 1 ? n / s->per : n; }

/* The functions and series of every library. */
#define RAW_COMMON_FUNCTIONS \
  .offers = raw_offers, .open = raw_begin, .join = raw_join, .close = raw_close, .serve = raw_serve, \
  .stop = raw_stop
#define RAW_COMMON_SERIES \
  [RAW_WRITE_EACH] = raw_write_each, [RAW_READ_EACH] = raw_read_each, \
  [RAW_WRITE_SEVERAL] = raw_write_several, [RAW_READ_SEVERAL] = raw_read_several, \
  [RAW_WRITE_BOTH] = raw_write_both, [RAW_READ_BOTH] = raw_read_both, [RAW_PASS] = raw_pass, \
  [RAW_PASS_2] = raw_pass_2, [RAW_LONG] = raw_long, [RAW_PUT_FACE_2] = raw_put_face_2, \
  [RAW_PUT_FACE_3] = raw_put_face_3, [RAW_PUT_FACE_4] = raw_put_face_4, [RAW_PUT_FACE_8] = raw_put_face_8, \
  [RAW_GET_FACE_2] = raw_get_face_2, [RAW_GET_FACE_3] = raw_get_face_3, [RAW_GET_FACE_4] = raw_get_face_4, \
  [RAW_GET_FACE_8] = raw_get_face_8, [RAW_PUT_ROWS] = raw_put_rows, [RAW_GET_ROWS] = raw_get_rows
/* The series of libraries that can be told to send without a rendezvous. */
#define RAW_EAGER_SERIES \
  [RAW_PUT_FACE_EAGER_3] = raw_put_face_eager_3, [RAW_PUT_FACE_EAGER_4] = raw_put_face_eager_4, \
  [RAW_PUT_FACE_EAGER_8] = raw_put_face_eager_8, [RAW_GET_FACE_EAGER_3] = raw_get_face_eager_3, \
  [RAW_GET_FACE_EAGER_4] = raw_get_face_eager_4, [RAW_GET_FACE_EAGER_8] = raw_get_face_eager_8

#endif
