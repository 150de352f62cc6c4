/* Which kernel copies a shape on this processor. */
#include "vis/kernel.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "support/copy.h"
#include "support/env.h"
#include "support/tsan.h"
#include "vis/kernel_set.h"
#include "vis/kernel_transpose.h"

enum {
  LONG_ROW = 1024,
  STREAM_ROW = 256,
  THROTTLE_ROW = 512,   /* longer ones spread over the sets */
  MANY = 128            /* rows over all sets of the least few, before they evict each other */
};

/* ---- the processor ---- */

static const struct pst_kernel_set *best_set(void)
{
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return &pst_kernel_avx512;
  if (__builtin_cpu_supports("avx2")) return &pst_kernel_avx2;
  return &pst_kernel_sse2;
#else
  return &pst_kernel_portable;
#endif
}

static const struct pst_kernel_set *set_by_name(const char *name)
{
#if defined(__x86_64__)
  if (!strcmp(name, "SSE2")) return &pst_kernel_sse2;
  if (!strcmp(name, "AVX2") && __builtin_cpu_supports("avx2")) return &pst_kernel_avx2;
  if (!strcmp(name, "AVX512") && __builtin_cpu_supports("avx512f")) return &pst_kernel_avx512;
#endif
  return !strcmp(name, "PORTABLE") ? &pst_kernel_portable : best_set();
}

static _Atomic(const struct pst_kernel_set *) known;

static __attribute__((noinline, cold)) const struct pst_kernel_set *find_set(void)
{
  const struct pst_kernel_set *set = set_by_name(pst_env_string(PST_ENV_VIS_CPU));
  atomic_store_explicit(&known, set, memory_order_relaxed);
  return set;
}

/* Racing first callers find the same. */
static inline const struct pst_kernel_set *kernels(void)
{
  const struct pst_kernel_set *set = atomic_load_explicit(&known, memory_order_relaxed);
  return __builtin_expect(set != NULL, 1) ? set : find_set();
}

/* ---- the choice ---- */

/* How few sets of a first cache lines at this distance have: its sets repeat every 4 KB. */
static inline unsigned fewness(ptrdiff_t stride)
{
  return stride % 1024 ? 0 : stride % 2048 ? 1 : stride % 4096 ? 2 : 3;
}

static inline int is_packed(const struct pst_shape *s) { return s->dst[0] == (ptrdiff_t)s->row || s->src[0] == (ptrdiff_t)s->row; }

/* NULL: not at all. A destination's lines are fetched and evicted as a source's are. Where one side is contiguous, the other has the
 * caches to itself, and only the fewest sets are too few. Of longer rows a call each keeps enough apart. */
static pst_kernel_fn choose_throttled(const struct pst_kernel_set *set, const struct pst_shape *s)
{
  const unsigned dst = fewness(s->dst[0]), src = fewness(s->src[0]), few = dst > src ? dst : src;
  const size_t rows = s->levels > 1 ? s->count[0] * s->count[1] : s->count[0];
  if (rows < (size_t)MANY >> few) return NULL;
  if (s->row > PST_KERNEL_SMALL) return dst == 3 ? set->throttled[1] : dst == 2 ? set->throttled[0] : NULL;
  if (is_packed(s)) return few == 3 ? set->throttled[0] : NULL;
  return dst ? set->throttled[dst - 1] : src > 1 ? set->throttled[0] : NULL;
}

static inline int may_throttle(const struct pst_shape *s)
{
  return (s->dst[0] % 1024 == 0 || s->src[0] % 1024 == 0) && s->row <= THROTTLE_ROW;
}

/* Packing reads the gaps between the rows of 16 bytes, and drops them: right whatever others write there, but not for a race detector. */
static inline int may_pack(const struct pst_kernel_set *set, const struct pst_shape *s)
{
#if defined(PST_TSAN)
  (void)set, (void)s;
  return 0;
#else
  return set->packed && s->row <= PST_KERNEL_PACKED && s->src[0] > (ptrdiff_t)s->row && s->src[0] <= 16 - (ptrdiff_t)s->row;
#endif
}

static inline pst_kernel_fn choose_small(const struct pst_kernel_set *set, const struct pst_shape *s)
{
  if (s->dst[0] == (ptrdiff_t)s->row) {
    if (may_pack(set, s)) return set->packed;
    if (s->row == 3 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) return set->packed_triples;
  }
  return set->small[s->row];
}

static inline pst_kernel_fn choose_rows(const struct pst_kernel_set *set, const struct pst_shape *s)
{
  if (s->row >= STREAM_ROW && pst_shape_bytes(s) >= pst_copy_large()) return set->stream;
  return s->row < LONG_ROW ? set->rows : set->long_rows;
}

static inline pst_kernel_fn choose(const struct pst_shape *s)
{
  const struct pst_kernel_set *set = kernels();
  if (s->levels == 0) return set->single;
  if (s->levels > 1 && s->row <= PST_KERNEL_SMALL && pst_transpose_suits(s)) return set->transpose;
  if (__builtin_expect(may_throttle(s), 0)) {
    const pst_kernel_fn fn = choose_throttled(set, s);
    if (fn) return fn;
  }
  return s->row <= PST_KERNEL_SMALL ? choose_small(set, s) : choose_rows(set, s);
}

pst_kernel_fn pst_kernel_choose(const struct pst_shape *s) { return choose(s); }
void pst_kernel_copy(const struct pst_shape *s, char *dst, const char *src) { choose(s)(s, dst, src); }
