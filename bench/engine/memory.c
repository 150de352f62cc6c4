/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "run.h"

#include <string.h>
#include <sys/mman.h>

static size_t needs(const struct bench_point *p)
{
  const size_t n = p->test->needs ? p->test->needs(p->name, p->bytes) : p->bytes;
  return n > BENCH_SHARE_LEAST ? n : BENCH_SHARE_LEAST;
}

/* A thread's share, in whole pages of any usual size. */
size_t bench_share(const struct bench_settings *s)
{
  const size_t page = 64 << 10;
  size_t most = BENCH_SHARE_LEAST;
  for (unsigned i = 0; i < s->points; i++) {
    const size_t n = needs(&s->point[i]);
    if (n > most) most = n;
  }
  return (most + page - 1) / page * page;
}

/* Every page is written once: reading one that was not would read the kernel's page of zeros. */
void bench_allocate(const struct bench_settings *s)
{
  const size_t size = bench_share(s) * s->threads;
  bench_layer.attach(size);
  for (unsigned i = 0; bench_suites[i]; i++)
    if (bench_suites[i]->attached) bench_suites[i]->attached();
  bench_node.share = bench_share(s);
  bench_node.local = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (bench_node.local == MAP_FAILED) bench_die("no memory for an array of %zu bytes", size);
  memset(bench_node.local, 1, size);
  memset(bench_node.segment, 2, size);
}

/* ---- data that are checked ---- */

/* A prime, so that data that are shifted by a power of two differ. */
enum { PERIOD = 251 };
static unsigned char byte_of(unsigned i, unsigned seed) { return (unsigned char)(i + seed * 7); }

void bench_fill(void *memory, size_t n, unsigned seed)
{
  unsigned char *p = memory;
  for (size_t i = 0, k = 0; i < n; i++, k = k + 1 < PERIOD ? k + 1 : 0) p[i] = byte_of((unsigned)k, seed);
}

size_t bench_filled(const void *memory, size_t n, unsigned seed)
{
  const unsigned char *p = memory;
  size_t i = 0;
  for (size_t k = 0; i < n && p[i] == byte_of((unsigned)k, seed); i++) k = k + 1 < PERIOD ? k + 1 : 0;
  return i;
}
