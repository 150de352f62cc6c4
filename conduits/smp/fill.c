/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The payload of a packed message is written into lines which the receiver has read last, and must take from
 * its cache. Where both share a cache that is fast. Where they do not, streaming stores, which need no line
 * from anywhere, are twice as fast though the receiver then reads from memory. Which it is depends on where
 * the processes run at the moment, so both are timed. */
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

/* Whole lines, which the message has. */
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
