/* The payload of a packed message is written into lines which the receiver has read last, and must take from its cache. Where
 * both share a cache that is fast. Where they do not, streaming stores, which need no line from anywhere, are twice as fast though the
 * receiver then reads from memory. Which it is depends on where the processes run at the moment, so both are timed. */
#include "conduits/smp/fill.h"

#include <stdalign.h>

#include "conduits/smp/queue.h"
#include "gasnet_tools.h"

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
      _mm_stream_si128((__m128i *)(void *)(to + at + i), _mm_load_si128((const __m128i *)(const void *)(payload + at + i)));
  _mm_sfence();
}

enum { IN_PLACE, STREAMING, WAYS };
enum { LEAST = 4096, TRY_EVERY = 32 };

/* Ticks for 64 bytes, in 256ths, of each way lately; threads may overwrite each other's. */
static _Atomic uint32_t cost[WAYS], times;

static uint32_t look(unsigned way) { return atomic_load_explicit(&cost[way], memory_order_relaxed); }

/* Less is believed at once; more may be an interruption and counts little. */
static void learn(unsigned way, uint64_t ticks, size_t nbytes)
{
  const uint64_t now = ticks * PST_SMP_LINE * 256 / nbytes, before = look(way);
  const uint64_t most = before * 2 + 256;
  const uint64_t new = before == 0 || now < before ? now : before + ((now < most ? now : most) - before) / 8;
  atomic_store_explicit(&cost[way], (uint32_t)new, memory_order_relaxed);
}

/* The one that was better, and the other now and then. */
static unsigned choose(void)
{
  const unsigned better = look(STREAMING) < look(IN_PLACE) ? STREAMING : IN_PLACE;
  return atomic_fetch_add_explicit(&times, 1, memory_order_relaxed) % TRY_EVERY ? better : !better;
}

void pst_smp_fill(const struct pst_message *m, char *to)
{
  const unsigned way = m->nbytes < LEAST ? IN_PLACE : choose();
  const gasnett_tick_t begin = gasnett_ticks_now();
  if (way == IN_PLACE) fill_in_place(m, to);
  else fill_streaming(m, to);
  if (m->nbytes >= LEAST) learn(way, gasnett_ticks_now() - begin, m->nbytes);
}

#else
void pst_smp_fill(const struct pst_message *m, char *to) { fill_in_place(m, to); }
#endif
