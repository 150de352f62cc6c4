/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Which kernel copies a shape on this processor. */
#include "vis/kernel.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "support/copy.h"
#include "support/env.h"
#include "support/faster.h"
#include "support/tsan.h"
#include "vis/kernel_set.h"
#include "vis/variables.h"

enum {
  LONG_ROW = 1024,
  STREAM_ROW = 256,
  PAUSE_ROW = 512, /* longer ones spread over the sets */
  MANY = 128       /* so many rows evict each other at fewness 0; half as many at each next one */
};

/* ---- the processor ---- */

static const struct pst_kernel_set *best_set(void)
{
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return &pst_kernel_avx512;
  if (__builtin_cpu_supports("avx2")) return &pst_kernel_avx2;
#endif
  return &pst_kernel_portable;
}

static const struct pst_kernel_set *set_by_name(const char *name)
{
#if defined(__x86_64__)
  if (!strcmp(name, "AVX2") && __builtin_cpu_supports("avx2")) return &pst_kernel_avx2;
  if (!strcmp(name, "AVX512") && __builtin_cpu_supports("avx512f")) return &pst_kernel_avx512;
#endif
  return !strcmp(name, "PORTABLE") ? &pst_kernel_portable : best_set();
}

static _Atomic(const struct pst_kernel_set *) known;

static __attribute__((noinline, cold)) const struct pst_kernel_set *kernels_find(void)
{
  const struct pst_kernel_set *set = set_by_name(pst_env_string(&pst_vis_env.cpu));
  atomic_store_explicit(&known, set, memory_order_relaxed);
  return set;
}

/* Threads that race for the first call find the same set. */
static inline const struct pst_kernel_set *kernels(void)
{
  const struct pst_kernel_set *set = atomic_load_explicit(&known, memory_order_relaxed);
  return __builtin_expect(set != NULL, 1) ? set : kernels_find();
}

/* ---- the usual kernel ---- */

/* Packing loads 16 bytes, and drops the gaps between the rows. Whatever another thread writes into a gap, the
 * result is right; but a race detector would report it. */
static inline int may_pack(const struct pst_kernel_set *set, const struct pst_shape *s)
{
#if defined(PST_TSAN)
  (void)set, (void)s;
  return 0;
#else
  return set->packed && s->row <= PST_KERNEL_PACKED && s->src[0] > (ptrdiff_t)s->row &&
      s->src[0] <= 16 - (ptrdiff_t)s->row;
#endif
}

static inline pst_kernel_fn choose_small(const struct pst_kernel_set *set, const struct pst_shape *s)
{
  if (s->dst[0] == (ptrdiff_t)s->row && may_pack(set, s)) return set->packed;
  return set->small[s->row];
}

static inline pst_kernel_fn choose_usual(const struct pst_kernel_set *set, const struct pst_shape *s)
{
  if (s->row <= PST_KERNEL_SMALL) return choose_small(set, s);
  return s->row < LONG_ROW ? set->rows : set->long_rows;
}

/* ---- others that may be faster ---- */

enum { TIMED_ROWS = 512 /* with fewer, two looks at the clock cost too much */ };

/* How few sets of the first-level cache hold lines at this distance: the sets repeat every 4 KB. 0: many. */
enum { FEWEST = 3 };
static inline unsigned fewness(ptrdiff_t stride)
{
  return stride % 1024 ? 0 : stride % 2048 ? 1 : stride % 4096 ? 2 : FEWEST;
}

static size_t rows_of(const struct pst_shape *s)
{
  size_t n = 1;
  for (unsigned l = 0; l < s->levels; l++) n *= s->count[l];
  return n;
}

static inline int is_packed(const struct pst_shape *s)
{
  return s->dst[0] == (ptrdiff_t)s->row || s->src[0] == (ptrdiff_t)s->row;
}

/* A guess of the best pause; 0: none. A destination's lines are fetched and evicted as a source's are. Where
 * one side is contiguous, the other has the caches to itself, and only the fewest sets are too few. Copies of
 * longer rows take so long that shorter pauses do. */
static unsigned guess_pause(const struct pst_shape *s)
{
  const unsigned dst = fewness(s->dst[0]), src = fewness(s->src[0]), few = dst > src ? dst : src;
  const size_t rows = s->levels > 1 ? s->count[0] * s->count[1] : s->count[0];
  if (rows < (size_t)MANY >> few) return 0;
  if (s->row > PST_KERNEL_SMALL) return dst > 1 ? dst - 1 : 0;
  if (is_packed(s)) return few == FEWEST;
  return dst ? dst : src > 1;
}

static inline int may_pause(const struct pst_shape *s)
{
  return (s->dst[0] % 1024 == 0 || s->src[0] % 1024 == 0) && s->row <= PAUSE_ROW;
}

static inline int may_stream(const struct pst_shape *s)
{
  return s->row >= STREAM_ROW && pst_shape_bytes(s) >= pst_copy_large();
}

/* Whether a pause, or streaming, is faster depends on where the lines come from: a near cache, a far one,
 * which other cores use, too, or memory. So each kind of shape has its own measurements. */
enum { KINDS = FEWEST + 1, SIZES = 5, ROWS = 3 };
static struct pst_faster by_pause[ROWS][KINDS][KINDS][SIZES], by_streaming[2][2];

static struct pst_faster *pause_figures(const struct pst_shape *s, size_t rows)
{
  const unsigned size = rows < TIMED_ROWS ? 0
      : rows < 8 * TIMED_ROWS             ? 1
      : rows < 64 * TIMED_ROWS            ? 2
      : rows < 512 * TIMED_ROWS           ? 3
                                          : 4;
  const unsigned row = s->row <= 8 ? 0 : s->row <= PST_KERNEL_SMALL ? 1 : 2;
  return &by_pause[row][fewness(s->dst[0])][fewness(s->src[0])][size];
}

static void copy_timed(const struct pst_shape *s, char *dst, const char *src, const pst_kernel_fn way[],
    unsigned ways, size_t rows, struct pst_faster *f)
{
  const unsigned w = pst_faster_way(f, ways);
  const gasnett_tick_t begin = gasnett_ticks_now();
  way[w](s, dst, src);
  pst_faster_learn(f, w, begin, rows * (s->row / PST_KERNEL_SMALL + 1));
}

static void copy_pausing(const struct pst_shape *s, char *dst, const char *src)
{
  const size_t rows = rows_of(s);
  struct pst_faster *f = pause_figures(s, rows);
  const pst_kernel_fn *way = kernels()->paused;
  if (rows >= TIMED_ROWS || pst_faster_is_timed(f)) copy_timed(s, dst, src, way, PST_KERNEL_PAUSES, rows, f);
  else way[pst_faster_best(f, PST_KERNEL_PAUSES)](s, dst, src);
}

static void copy_streaming(const struct pst_shape *s, char *dst, const char *src)
{
  const struct pst_kernel_set *set = kernels();
  const unsigned pause = may_pause(s) ? guess_pause(s) : 0;
  const pst_kernel_fn way[] = {set->stream, choose_usual(set, s), set->paused[pause]};
  copy_timed(s, dst, src, way, pause ? 3 : 2, rows_of(s), &by_streaming[pause > 0][s->row >= LONG_ROW]);
}

/* ---- the choice ---- */

static inline pst_kernel_fn kernel_choose(const struct pst_shape *s)
{
  const struct pst_kernel_set *set = kernels();
  if (s->levels == 0) return set->single;
  if (s->levels > 1 && s->row <= PST_KERNEL_SMALL && pst_transpose_suits(s)) return set->transpose;
  if (__builtin_expect(may_stream(s), 0)) return copy_streaming;
  if (__builtin_expect(may_pause(s), 0)) {
    if (guess_pause(s)) return copy_pausing;
  }
  return choose_usual(set, s);
}

pst_kernel_fn pst_kernel_choose(const struct pst_shape *s) { return kernel_choose(s); }
void pst_kernel_copy(const struct pst_shape *s, char *dst, const char *src) { kernel_choose(s)(s, dst, src); }
