/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Memory: aligned blocks, anonymous mappings, copies and register values, and a heap that checks itself. */
#ifndef PENSTOCK_TOOLS_HEAP_H
#define PENSTOCK_TOOLS_HEAP_H
#include <string.h>

#include "penstock/platform.h"
#include "penstock/tools_host.h"
PST_BEGIN_C

/* Zeroed memory in pages of its own. Fatal when there is none. */
void *gasnett_mmap(uintptr_t size);

/* alignment: a power of two. Fatal when there is no memory; NULL may be freed. */
void *gasnett_malloc_aligned(size_t alignment, size_t size);
void gasnett_free_aligned(void *p);

#define GASNETT_FAST_ALIGNED_MEMCPY(dst, src, nbytes)   memcpy(dst, src, nbytes)
#define GASNETT_FAST_UNALIGNED_MEMCPY(dst, src, nbytes) memcpy(dst, src, nbytes)

/* The nbytes (1 to 8) low bytes of a register value, as an integer of that size in host byte order. */
void pst_value_store(void *dst, uintptr_t value, size_t nbytes);
uintptr_t pst_value_load(const void *src, size_t nbytes);
#define GASNETT_VALUE_ASSIGN(dst, value, nbytes) pst_value_store(dst, value, nbytes)
#define GASNETT_VALUE_RETURN(src, nbytes)        return pst_value_load(src, nbytes)

/* What the checking heap has seen so far. */
typedef struct {
  uint64_t allocated_bytes, freed_bytes, live_bytes, live_bytes_max, overhead_bytes;
  uint64_t allocated_objects, freed_objects, live_objects, live_objects_max;
} gasnett_heapstats_t;
void gasnett_getheapstats(gasnett_heapstats_t *stats);

/* The checking heap puts guards around each block, fills it when allocated and when freed, and finds double
 * and foreign frees. An error is fatal; the message tells where the block was allocated and checked. */
void *pst_heap_malloc(size_t size, const char *loc);
void *pst_heap_calloc(size_t count, size_t size, const char *loc);
void *pst_heap_realloc(void *p, size_t size, const char *loc);
void pst_heap_free(void *p, const char *loc);
char *pst_heap_strdup(const char *s, const char *loc);
char *pst_heap_strndup(const char *s, size_t n, const char *loc);
void pst_heap_check(void *p, const char *loc);
void pst_heap_check_one(const char *loc); /* the next block in turn: cheap enough to call often */
void pst_heap_check_all(const char *loc);

#define PST_HEAP_LOC __FILE__ ":" PST_STRINGIFY(__LINE__)
#if defined(GASNET_DEBUGMALLOC)
#define gasnett_debug_malloc(size)        pst_heap_malloc(size, PST_HEAP_LOC)
#define gasnett_debug_calloc(count, size) pst_heap_calloc(count, size, PST_HEAP_LOC)
#define gasnett_debug_realloc(p, size)    pst_heap_realloc(p, size, PST_HEAP_LOC)
#define gasnett_debug_free(p)             pst_heap_free(p, PST_HEAP_LOC)
#define gasnett_debug_strdup(s)           pst_heap_strdup(s, PST_HEAP_LOC)
#define gasnett_debug_strndup(s, n)       pst_heap_strndup(s, n, PST_HEAP_LOC)
#define gasnett_debug_memcheck(p)         pst_heap_check(p, PST_HEAP_LOC)
#define gasnett_debug_memcheck_one()      pst_heap_check_one(PST_HEAP_LOC)
#define gasnett_debug_memcheck_all()      pst_heap_check_all(PST_HEAP_LOC)
#endif

/* Tests atomics and locks (section A), ticks (T), the heap (H), or all (NULL), `iters` times with `threads`
 * threads. Returns the number of failures and names each on stderr. One caller at a time. */
int gasnett_run_diagnostics(int iters, int threads, const char *sections, const void *seginfo);
/* The handlers that the diagnostics need: none. *(gasnet_handlerentry_t **)table becomes NULL. */
void gasnett_diagnostic_gethandlers(void *table, int *count);

PST_END_C
#endif
