/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Rows that lie apart, moved by hand: what a program would do with the library's messages. One side packs a
 * slice of rows by a plain loop and sends it, the other receives it into memory that it has posted, and
 * unpacks it by a plain loop while the next is under way. */
#include "inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In front of the packed rows. */
struct slice_header {
  char what;
  uint64_t first, rows; /* which */
  uint64_t row, pitch;
  uint64_t of; /* rows in the face */
};
_Static_assert(sizeof(struct slice_header) <= RAW_SLICE_HEAD, "there is room for it");

int raw_face_here;
char *raw_face_memory;

static _Noreturn void die(const struct raw_shape *s, const char *what)
{
  fprintf(
      stderr, "gasnetbench: bare program: a face of %zu bytes in rows of %zu %s\n", s->bytes, s->row, what);
  exit(1);
}

/* ---- loops ---- */

static void pack(char *restrict to, const char *restrict from, size_t rows, size_t row, size_t pitch)
{
  if (row == sizeof(double))
    for (size_t i = 0; i < rows; i++) memcpy(to + i * sizeof(double), from + i * pitch, sizeof(double));
  else
    for (size_t i = 0; i < rows; i++) memcpy(to + i * row, from + i * pitch, row);
}

static void unpack(char *restrict to, const char *restrict from, size_t rows, size_t row, size_t pitch)
{
  if (row == sizeof(double))
    for (size_t i = 0; i < rows; i++) memcpy(to + i * pitch, from + i * sizeof(double), sizeof(double));
  else
    for (size_t i = 0; i < rows; i++) memcpy(to + i * pitch, from + i * row, row);
}

/* ---- slices ---- */

void raw_face_send(const char *from, const struct raw_shape *s, unsigned slices, int eager)
{
  if (s->bytes > RAW_FACE_MOST || slices > RAW_SLICES_MOST)
    die(s, "is larger than the memory that it is packed in");
  struct slice_header h = {.what = RAW_SLICE, .row = s->row, .pitch = s->pitch, .of = s->bytes / s->row};
  char *to = raw_packed();
  for (unsigned i = 0; i < slices; i++) {
    h.rows = h.of * (i + 1) / slices - h.first;
    memcpy(to, &h, sizeof h);
    pack(to + RAW_SLICE_HEAD, from + h.first * s->pitch, h.rows, s->row, s->pitch);
    raw_send_slice(to, RAW_SLICE_HEAD + h.rows * s->row, eager);
    to += RAW_SLICE_HEAD + h.rows * s->row;
    h.first += h.rows;
  }
}

void raw_face_take(const char *slice)
{
  static uint64_t taken;
  struct slice_header h;
  memcpy(&h, slice, sizeof h);
  unpack(raw_face_memory + h.first * h.pitch, slice + RAW_SLICE_HEAD, h.rows, h.row, h.pitch);
  taken += h.rows;
  if (taken < h.of) return;
  taken = 0;
  raw_face_here = 1;
}

void raw_face_answer(void)
{
  static const char answer[8];
  raw_face_here = 0;
  raw_send(answer, sizeof answer, 1);
}

/* ---- one face ---- */

static void put(const struct raw_shape *s, unsigned slices, int eager)
{
  char answer[RAW_MESSAGE_MOST];
  raw_face_send(raw_local, s, slices, eager);
  raw_receive(answer);
  raw_drain();
}

static void get(const struct raw_shape *s, unsigned slices, int eager)
{
  raw_face_request(s, slices, eager);
  while (!raw_face_here) raw_progress();
  raw_face_here = 0;
  raw_drain();
}

/* A write or read for each row. */
static void move_rows(const struct raw_shape *s, __attribute__((unused)) unsigned slices, int get)
{
  const size_t end = s->bytes / s->row * s->pitch;
  for (size_t at = 0; at < end; at += s->pitch) raw_move(get, at, s->row);
  raw_drain();
}

typedef void (*face_fn)(const struct raw_shape *s, unsigned slices, int eager);

/* ---- are the data right? At the destination, every byte between the first and the last is checked.
 * Contiguous writes and reads bring the peer's memory here ---- */

enum { MINE = 1, PEERS = 2 };

static char byte_at(size_t at, unsigned whose)
{
  return (char)(at * 131 + (at >> 8) * 31 + (at >> 16) * 7 + whose);
}

static size_t extent(const struct raw_shape *s) { return (s->bytes / s->row - 1) * s->pitch + s->row; }

static void fill(const struct raw_shape *s, unsigned whose)
{
  const size_t end = extent(s);
  for (size_t at = 0; at < end; at++) raw_local[at] = byte_at(at, whose);
}

static int is_right(size_t at, size_t end, unsigned whose)
{
  while (at < end && raw_local[at] == byte_at(at, whose)) at++;
  return at == end;
}

static void verify(const struct raw_shape *s, unsigned rows, unsigned gaps, const char *what)
{
  const size_t end = extent(s);
  int right = 1;
  for (size_t at = 0; at < end; at += s->pitch)
    right &= is_right(at, at + s->row, rows) &&
        (at + s->row == end || is_right(at + s->row, at + s->pitch, gaps));
  if (!right) die(s, what);
}

/* Fills the peer's memory with PEERS, then this side's with MINE. */
static void prepare(const struct raw_shape *s)
{
  fill(s, PEERS);
  raw_write(0, raw_local, extent(s));
  raw_drain();
  fill(s, MINE);
}

static void check_put(face_fn face, const struct raw_shape *s, unsigned slices, int eager)
{
  prepare(s);
  face(s, slices, eager);
  memset(raw_local, 0, extent(s));
  raw_read(0, raw_local, extent(s));
  raw_drain();
  verify(s, MINE, PEERS, "was put, and what arrived is not what was sent");
}

static void check_get(face_fn face, const struct raw_shape *s, unsigned slices, int eager)
{
  prepare(s);
  face(s, slices, eager);
  verify(s, PEERS, MINE, "was got, and what arrived is not what was sent");
}

/* ---- series ---- */

/* The shape for which a series was checked last. */
struct checked {
  size_t bytes, row, pitch;
};

static int is_new(struct checked *c, const struct raw_shape *s)
{
  if (c->bytes == s->bytes && c->row == s->row && c->pitch == s->pitch) return 0;
  *c = (struct checked){s->bytes, s->row, s->pitch};
  return 1;
}

#define SERIES(name, direction, face, slices, eager) \
  void raw_##name(long n, const struct raw_shape *s) \
  { \
    static struct checked checked; \
    if (is_new(&checked, s)) check_##direction(face, s, slices, eager); \
    for (long i = raw_count(n, s); i > 0; i--) face(s, slices, eager); \
  }
#define FACE(name, slices, eager) \
  SERIES(put_face_##name, put, put, slices, eager) \
  SERIES(get_face_##name, get, get, slices, eager)

FACE(2, 2, 0)
FACE(3, 3, 0)
FACE(4, 4, 0)
FACE(8, 8, 0)
FACE(eager_3, 3, 1)
FACE(eager_4, 4, 1)
FACE(eager_8, 8, 1)
SERIES(put_rows, put, move_rows, 0, 0)
SERIES(get_rows, get, move_rows, 0, 1)
