/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The payload of a packed message is written into data lines that the receiver has read last, so that the
 * sender's stores take them from the receiver's cache. That is fast where both share a cache. Where they do
 * not, streaming stores, which take no line from any cache, are twice as fast, though the receiver then reads
 * from memory. Where the processes run changes, so both ways are timed. */
#include "conduits/smp/fill.h"

#include <stdalign.h>

#include "conduits/smp/queue.h"
#include "support/faster.h"

static void fill_in_place(const struct pst_message *m, char *to)
{
  for (size_t at = 0; at < m->nbytes; at += PST_SMP_LINE) pst_smp_fetch_for_write(to + at);
  m->fill(m->context, to);
}

#if defined(__x86_64__)
#include <emmintrin.h>

/* Writes whole lines: the message has claimed whole ones. */
static void fill_streaming(const struct pst_message *m, char *to)
{
  alignas(PST_SMP_LINE) char payload[PST_SMP_MAX_MEDIUM];
  m->fill(m->context, payload);
  for (size_t at = 0; at < m->nbytes; at += PST_SMP_LINE)
    for (int i = 0; i < PST_SMP_LINE; i += 16)
      _mm_stream_si128((__m128i *)(void *)(to + at + i),
          _mm_load_si128((const __m128i *)(const void *)(payload + at + i)));
  _mm_sfence();
}

enum { IN_PLACE, STREAMING, WAYS };
enum { LEAST = 4096 };

static struct pst_faster faster;

void pst_smp_fill(const struct pst_message *m, char *to)
{
  if (m->nbytes < LEAST) {
    fill_in_place(m, to);
    return;
  }
  const unsigned way = pst_faster_way(&faster, WAYS);
  const gasnett_tick_t begin = gasnett_ticks_now();
  if (way == STREAMING) fill_streaming(m, to);
  else fill_in_place(m, to);
  pst_faster_learn(&faster, way, begin, m->nbytes / PST_SMP_LINE);
}

#else
void pst_smp_fill(const struct pst_message *m, char *to) { fill_in_place(m, to); }
#endif
