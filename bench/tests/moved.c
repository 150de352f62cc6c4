/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "moved.h"
#include "../engine/engine.h"

#include <string.h>

enum { GUARD = 0xa5, TAIL = 64 };

/* The stream's byte at `k`: neighbours differ, and so do those at distances of powers of two. */
static unsigned char byte_at(size_t k)
{
  return (unsigned char)(k * 131 + (k >> 8) * 31 + (k >> 16) * 7 + 5);
}

/* The memory of the side on the node that owns it, else NULL. */
static char *side(const struct bench_moved *m, enum bench_side s)
{
  const int partners = m->get == (s == BENCH_SRC);
  if (bench_node.me != (partners ? bench_node.half : 0)) return NULL;
  return partners ? bench_node.segment : bench_node.local;
}

struct walk {
  char *base;
  size_t k; /* bytes of the stream before this piece */
  int wrong;
};

static void write_piece(size_t at, size_t nbytes, void *arg)
{
  struct walk *w = arg;
  for (size_t i = 0; i < nbytes; i++) w->base[at + i] = (char)byte_at(w->k++);
}

/* Checked bytes get the value of the gaps. */
static void take_piece(size_t at, size_t nbytes, void *arg)
{
  struct walk *w = arg;
  for (size_t i = 0; i < nbytes; i++) w->wrong |= (unsigned char)w->base[at + i] != byte_at(w->k++);
  memset(w->base + at, GUARD, nbytes);
}

size_t bench_moved_needs(const struct bench_moved *m)
{
  return (m->extent[0] > m->extent[1] ? m->extent[0] : m->extent[1]) + TAIL;
}

void bench_moved_fill(const struct bench_moved *m)
{
  struct walk w = {.base = side(m, BENCH_SRC)};
  if (w.base) {
    memset(w.base, 1, m->extent[BENCH_SRC] + TAIL);
    m->each(BENCH_SRC, write_piece, &w);
  }
  char *to = side(m, BENCH_DST);
  if (to) memset(to, GUARD, m->extent[BENCH_DST] + TAIL);
}

const char *bench_moved_check(const struct bench_moved *m)
{
  const size_t n = m->extent[BENCH_DST] + TAIL;
  struct walk w = {.base = side(m, BENCH_DST)};
  if (!w.base) return NULL;
  m->each(BENCH_DST, take_piece, &w);
  if (w.wrong) return "what arrived is not what was sent";
  return (unsigned char)w.base[0] == GUARD && memcmp(w.base, w.base + 1, n - 1) == 0
      ? NULL
      : "bytes beside the destination have changed";
}
