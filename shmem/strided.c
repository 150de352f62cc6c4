/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Strided put and get. A target whose stride is 0 gets the last element. */
#include <stdint.h>

#include "shmem/internal.h"

/* Elements, of any alignment. */
typedef uint64_t word8 __attribute__((aligned(1), may_alias));
typedef uint32_t word4 __attribute__((aligned(1), may_alias));
typedef uint16_t word2 __attribute__((aligned(1), may_alias));
typedef struct {
  uint64_t half[2];
} __attribute__((packed, may_alias)) word16;

/* Four at a time, since the cost of a step counts. */
#define LOOP(W) \
  static void loop##W( \
      word##W *restrict t, const word##W *restrict s, ptrdiff_t tst, ptrdiff_t sst, size_t n) \
  { \
    for (; n >= 4; n -= 4, t += 4 * tst, s += 4 * sst) { \
      const word##W a = s[0], b = s[sst], c = s[2 * sst], d = s[3 * sst]; \
      t[0] = a; \
      t[tst] = b; \
      t[2 * tst] = c; \
      t[3 * tst] = d; \
    } \
    for (; n; n--, t += tst, s += sst) *t = *s; \
  }
LOOP(2)
LOOP(4)
LOOP(8)
LOOP(16)

static void strided_copy(
    void *target, const void *source, ptrdiff_t tst, ptrdiff_t sst, size_t n, size_t width)
{
  switch (width) {
  case 2: loop2(target, source, tst, sst, n); break;
  case 4: loop4(target, source, tst, sst, n); break;
  case 8: loop8(target, source, tst, sst, n); break;
  default: loop16(target, source, tst, sst, n);
  }
}

/* The bytes from the lowest of n elements to the end of the highest. */
static size_t strided_extent(
    const char *call, const void *first, ptrdiff_t stride, size_t n, size_t width, const void **lowest)
{
  ptrdiff_t last;
  if (n > PTRDIFF_MAX || __builtin_mul_overflow((ptrdiff_t)(n - 1), stride, &last) ||
      __builtin_mul_overflow(last, (ptrdiff_t)width, &last))
    pst_shmem_fatal(call, "%zu elements with a stride of %td are more than memory has", n, stride);
  *lowest = last < 0 ? (const char *)first + last : first;
  return (size_t)(last < 0 ? -last : last) + width;
}

/* The first element of the symmetric side, all of which is checked. */
static struct pst_shmem_reach strided_reach(
    const char *call, const char *what, const void *first, ptrdiff_t stride, size_t n, size_t width, int pe)
{
  const void *lowest;
  const size_t nbytes = strided_extent(call, first, stride, n, width, &lowest);
  const ptrdiff_t up = (const char *)first - (const char *)lowest;
  struct pst_shmem_reach r = pst_shmem_reach(call, what, lowest, nbytes, pe);
  if (r.here) r.here = (char *)r.here + up;
  r.there = (char *)r.there + up;
  return r;
}

/* The source is copied into a contiguous block, so that the put may go on in the background; a very large
 * source is not copied. */
static void strided_put(
    void *there, const void *source, ptrdiff_t tst, ptrdiff_t sst, size_t n, size_t width, gasnet_node_t node)
{
  const ptrdiff_t far = tst * (ptrdiff_t)width, near = sst * (ptrdiff_t)width, packed = (ptrdiff_t)width;
  void *const copied = pst_shmem_staging(n * width);
  if (!copied) {
    gasnetx_puts_any_bulk(node, there, &far, (void *)(uintptr_t)source, &near, width, &n, 1);
    return;
  }
  strided_copy(copied, source, 1, sst, n, width);
  gasnetx_puts_any_nbi_bulk(node, there, &far, copied, &packed, width, &n, 1);
  pst_shmem_pend();
}

static void iput(const char *call, void *target, const void *source, ptrdiff_t tst, ptrdiff_t sst,
    size_t nelems, size_t width, int pe)
{
  struct pst_shmem_reach to;
  pst_shmem_need_pe(call, pe);
  if (nelems == 0) return;
  if (tst == 1 && sst == 1 && nelems <= SIZE_MAX / width) {
    pst_shmem_put(target, source, nelems, width, pe, call);
    return;
  }
  to = strided_reach(call, "target", target, tst, nelems, width, pe);
  if (tst == 0) {
    source = (const char *)source + (ptrdiff_t)(nelems - 1) * sst * (ptrdiff_t)width;
    nelems = 1;
  }
  if (to.here) strided_copy(to.here, source, tst, sst, nelems, width);
  else strided_put(to.there, source, tst, sst, nelems, width, (gasnet_node_t)pe);
}

static void iget(const char *call, void *target, const void *source, ptrdiff_t tst, ptrdiff_t sst,
    size_t nelems, size_t width, int pe)
{
  const ptrdiff_t near = tst * (ptrdiff_t)width, far = sst * (ptrdiff_t)width;
  struct pst_shmem_reach from;
  pst_shmem_need_pe(call, pe);
  if (nelems == 0) return;
  if (tst == 1 && sst == 1 && nelems <= SIZE_MAX / width) {
    pst_shmem_get(target, source, nelems, width, pe, call);
    return;
  }
  from = strided_reach(call, "source", source, sst, nelems, width, pe);
  if (tst == 0) {
    const ptrdiff_t last = (ptrdiff_t)(nelems - 1) * far;
    if (from.here) from.here = (char *)from.here + last;
    from.there = (char *)from.there + last;
    nelems = 1;
  }
  if (from.here) strided_copy(target, from.here, tst, sst, nelems, width);
  else gasnetx_gets_any_bulk(target, &near, (gasnet_node_t)pe, from.there, &far, width, &nelems, 1);
  PST_SHMEM_FENCE(__ATOMIC_ACQUIRE);
}

void pst_shmem_iput(void *target, const void *source, ptrdiff_t tst, ptrdiff_t sst, size_t nelems,
    size_t width, int pe, const char *call)
{
  PST_SHMEM_TOLD(iput(call, target, source, tst, sst, nelems, width, pe), GASP_SHMEM_IPUT, target, source,
      tst, sst, nelems, width, pe, call);
}

void pst_shmem_iget(void *target, const void *source, ptrdiff_t tst, ptrdiff_t sst, size_t nelems,
    size_t width, int pe, const char *call)
{
  PST_SHMEM_TOLD(iget(call, target, source, tst, sst, nelems, width, pe), GASP_SHMEM_IGET, target, source,
      tst, sst, nelems, width, pe, call);
}
