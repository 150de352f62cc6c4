/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The functions that compiled UPC calls, made from the header's table of types. */
#include <limits.h>
#include <string.h>

#include "upc/upc.h"
#include "upc_compiler.h"

/* Lengths and the kind of access are constants at every use, so that a load or a store is left where memory
 * is mapped. */
#define INLINE static inline __attribute__((always_inline))

struct place {
  const char *file;
  int line;
};
#define NOWHERE ((struct place){NULL, 0})
#define PLACE   ((struct place){file, line})

enum { STRICT, RELAXED }; /* is_relaxed of the events */

/* Strict accesses are in program order with all others of this thread. Accesses are complete when they
 * return, so fences suffice. A thread that waits for a flag reads it strictly in a loop: the poll serves the
 * messages of threads that write here. */
INLINE void order_before(int relaxed)
{
  if (relaxed) return;
  gasnet_AMPoll();
  gasnett_local_mb();
}

INLINE void order_after(int relaxed)
{
  if (!relaxed) gasnett_local_mb();
}

/* Accesses to a thread's own memory are told only where asked for. */
INLINE int is_told(int is_local)
{
  return __builtin_expect(pst_gasp_on, 0) && (!is_local || pst_gasp_wants_local());
}

INLINE int is_mine(upc_const_pts_t p) { return (int)p.thread == MYTHREAD; }

/* The arguments of all these events are is_relaxed, two pointers and a length. */
static __attribute__((cold, noinline)) void event_begin(
    unsigned tag, struct place at, int relaxed, void *dst, void *src, size_t n)
{
  if (at.file) pst_gasp_begin_at(GASP_MODEL_UPC, at.file, at.line, tag, relaxed, dst, src, n);
  else pst_gasp_begin(GASP_MODEL_UPC, tag, relaxed, dst, src, n);
}

static __attribute__((cold, noinline)) void event_finish(
    unsigned tag, int relaxed, void *dst, void *src, size_t n)
{
  pst_gasp_finish(GASP_MODEL_UPC, tag, relaxed, dst, src, n);
}

INLINE void get(int relaxed, void *dst, upc_const_pts_t src, size_t n, struct place at)
{
  const int tell = is_told(is_mine(src));
  pst_upc_check("a shared read", src, n);
  if (tell) event_begin(GASP_UPC_GET, at, relaxed, dst, &src, n);
  order_before(relaxed);
  gasnet_get_bulk(dst, src.thread, pst_upc_address(src), n);
  order_after(relaxed);
  if (tell) event_finish(GASP_UPC_GET, relaxed, dst, &src, n);
}

INLINE void put(int relaxed, upc_pts_t dst, const void *src, size_t n, struct place at)
{
  const int tell = is_told(is_mine(dst));
  pst_upc_check("a shared write", dst, n);
  if (tell) event_begin(GASP_UPC_PUT, at, relaxed, &dst, (void *)(uintptr_t)src, n);
  order_before(relaxed);
  gasnet_put_bulk(dst.thread, pst_upc_address(dst), src, n);
  order_after(relaxed);
  if (tell) event_finish(GASP_UPC_PUT, relaxed, &dst, (void *)(uintptr_t)src, n);
}

/* An object may be assigned to itself. */
static void block_move(upc_pts_t dst, upc_const_pts_t src, size_t n)
{
  void *const to = pst_upc_here(dst), *const from = pst_upc_here(src);
  if (to && from) memmove(to, from, n);
  else if (from) gasnet_put_bulk(dst.thread, pst_upc_address(dst), from, n);
  else if (to) gasnet_get_bulk(to, src.thread, pst_upc_address(src), n);
  else if (!upc_pts_equal(dst, src))
    upc_memcpy(dst, src, n); /* within the event of a copy, so it causes none */
}

/* The assignment of a shared object to another is an event of its own: it is no call of upc_memcpy, and GET
 * and PUT have a private side. */
static void copy(int relaxed, upc_pts_t dst, upc_const_pts_t src, size_t n, struct place at)
{
  const int tell = is_told(is_mine(dst) && is_mine(src));
  pst_upc_check("a shared read", src, n);
  pst_upc_check("a shared write", dst, n);
  if (tell) event_begin(GASP_PENSTOCK_COPY, at, relaxed, &dst, &src, n);
  order_before(relaxed);
  block_move(dst, src, n);
  order_after(relaxed);
  if (tell) event_finish(GASP_PENSTOCK_COPY, relaxed, &dst, &src, n);
}

/* ---- variables ---- */

#define GET(name, type, relaxed, parameters, place) \
  type name parameters \
  { \
    type value; \
    get(relaxed, &value, src, sizeof value, place); \
    return value; \
  }
#define PUT(name, type, relaxed, parameters, place) \
  void name parameters { put(relaxed, dst, &value, sizeof value, place); }

#define SCALAR(name, type) \
  GET(__get##name##2, type, RELAXED, (upc_const_pts_t src), NOWHERE) \
  GET(__gets##name##2, type, STRICT, (upc_const_pts_t src), NOWHERE) \
  GET(__getg##name##3, type, RELAXED, (upc_const_pts_t src, const char *file, int line), PLACE) \
  GET(__getsg##name##3, type, STRICT, (upc_const_pts_t src, const char *file, int line), PLACE) \
  PUT(__put##name##2, type, RELAXED, (upc_pts_t dst, type value), NOWHERE) \
  PUT(__puts##name##2, type, STRICT, (upc_pts_t dst, type value), NOWHERE) \
  PUT(__putg##name##4, type, RELAXED, (upc_pts_t dst, type value, const char *file, int line), PLACE) \
  PUT(__putsg##name##4, type, STRICT, (upc_pts_t dst, type value, const char *file, int line), PLACE)
PST_UPC_SCALARS(SCALAR)

/* ---- structures and arrays ---- */

#define BLOCK(verb, to, from) \
  void __##verb##blk3(to dst, from src, size_t n) { verb(RELAXED, dst, src, n, NOWHERE); } \
  void __##verb##sblk3(to dst, from src, size_t n) { verb(STRICT, dst, src, n, NOWHERE); } \
  void __##verb##gblk5(to dst, from src, size_t n, const char *file, int line) \
  { \
    verb(RELAXED, dst, src, n, PLACE); \
  } \
  void __##verb##sgblk5(to dst, from src, size_t n, const char *file, int line) \
  { \
    verb(STRICT, dst, src, n, PLACE); \
  }
BLOCK(get, void *, upc_const_pts_t)
BLOCK(put, upc_pts_t, const void *)
BLOCK(copy, upc_pts_t, upc_const_pts_t)

void *__getaddr(upc_const_pts_t p)
{
  void *here = pst_upc_is_null(p) ? NULL : pst_upc_here(p);
  if (!here && !pst_upc_is_null(p))
    pst_upc_fatal("conversion to a private pointer",
        "the shared memory of thread %u is not mapped here; upc_castable tells", p.thread);
  return here;
}

/* ---- statements ---- */

#define BARRIER(verb) \
  void __upc_##verb(int id) { pst_upc_##verb(id != INT_MIN, id == INT_MIN ? 0 : id); } \
  void __upc_##verb##g(int id, const char *file, int line) \
  { \
    pst_gasp_here(file, line, 0); \
    __upc_##verb(id); \
  }
BARRIER(notify)
BARRIER(wait)
BARRIER(barrier)

void __upc_fence(void) { upc_fence(); }

void __upc_fenceg(const char *file, int line)
{
  pst_gasp_here(file, line, 0);
  upc_fence();
}
