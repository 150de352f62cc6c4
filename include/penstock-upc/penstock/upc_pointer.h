/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Parts and arithmetic of pointers-to-shared. UPC language specification 1.2, sections 6.4.2 and 7.2.3. B:
 * elements of a block, 0 for an indefinite one (shared []); E: bytes of an element. */
#ifndef PENSTOCK_UPC_POINTER_H
#define PENSTOCK_UPC_POINTER_H
#ifdef __cplusplus
extern "C" {
#endif

/* The address here where the thread's memory is mapped here, as this thread's own always is; else NULL. */
PST_UPC(void *, cast, (upc_const_pts_t p));
/* Not 0 where upc_cast has an address for all of the thread's memory. */
PST_UPC(int, castable, (upc_const_pts_t p));

/* Bytes that `thread` has of totalsize bytes in blocks of nbytes, the first of which is thread 0's. */
PST_UPC_INLINE size_t upc_affinitysize(size_t totalsize, size_t nbytes, size_t thread)
{
  size_t blocks, mine, last;
  if (nbytes == 0) return thread == 0 ? totalsize : 0;
  blocks = totalsize / nbytes;
  last = totalsize % nbytes;
  mine = blocks / (size_t)THREADS * nbytes;
  if (thread < blocks % (size_t)THREADS) mine += nbytes;
  else if (thread == blocks % (size_t)THREADS) mine += last;
  return mine;
}

/* The most bytes that any thread has of n elements. */
PST_UPC_INLINE size_t upc_localsizeof_array(size_t n, size_t B, size_t E)
{
  return upc_affinitysize(n * E, B * E, 0);
}
/* The number of blocks of B elements that n elements fill. */
PST_UPC_INLINE size_t upc_blocks(size_t n, size_t B) { return B == 0 ? n != 0 : (n + B - 1) / B; }

#ifndef __UPC__
PST_UPC_INLINE size_t upc_threadof(upc_const_pts_t p) { return p.thread; }
PST_UPC_INLINE size_t upc_phaseof(upc_const_pts_t p) { return p.phase; }
PST_UPC_INLINE size_t upc_addrfield(upc_const_pts_t p) { return (size_t)p.address; }
PST_UPC_INLINE upc_pts_t upc_resetphase(upc_pts_t p)
{
  p.phase = 0;
  return p;
}
PST_UPC_INLINE int upc_pts_isnull(upc_const_pts_t p) { return p.address == 0 && p.thread == 0; }
PST_UPC_INLINE int upc_pts_equal(upc_const_pts_t p, upc_const_pts_t q)
{
  return p.address == q.address && p.thread == q.thread;
}

/* p + n */
PST_UPC_INLINE upc_pts_t upc_pts_add(upc_pts_t p, ptrdiff_t n, size_t B, size_t E)
{
  const int64_t block = (int64_t)B, threads = THREADS, size = (int64_t)E;
  int64_t place, thread, phase, row;
  if (B == 0) {
    p.address += (uint64_t)(n * size);
    return p;
  }
  place = (int64_t)p.phase + n;
  phase = place % block;
  if (phase < 0) phase += block;
  thread = (int64_t)p.thread + (place - phase) / block;
  row = thread / threads;
  if (thread % threads < 0) row--;
  p.address += (uint64_t)((row * block + phase - (int64_t)p.phase) * size);
  p.thread = (uint32_t)(thread - row * threads);
  p.phase = (uint32_t)phase;
  return p;
}

/* p - q, of elements of one array */
PST_UPC_INLINE ptrdiff_t upc_pts_diff(upc_const_pts_t p, upc_const_pts_t q, size_t B, size_t E)
{
  const int64_t elements = (int64_t)(p.address - q.address) / (int64_t)E,
                phases = (int64_t)p.phase - (int64_t)q.phase;
  if (B == 0) return (ptrdiff_t)elements;
  return (ptrdiff_t)(((elements - phases) * THREADS + ((int64_t)p.thread - (int64_t)q.thread) * (int64_t)B) +
      phases);
}
#endif

#ifdef __cplusplus
}
#endif
#endif
