/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Fortran's routines but for put and get, atomic operations and collectives, also under their later names.
 * Each group names the sections of the document. */
#include "shmem/fortran.h"

#include <string.h>

/* ---- start, queries, pointers and caches: 7.1 to 7.7, 7.16, 7.62 to 7.68 ---- */

void start_pes_(const f_integer *npes) { start_pes(npes ? *npes : 0); }
PST_F_NAMES(start_pes, START_PES)

void shmem_init_(void) { shmem_init(); }
PST_F_NAMES(shmem_init, SHMEM_INIT)

void shmem_finalize_(void) { shmem_finalize(); }
PST_F_NAMES(shmem_finalize, SHMEM_FINALIZE)

void shmem_global_exit_(const f_integer *status) { shmem_global_exit(*status); }
PST_F_NAMES(shmem_global_exit, SHMEM_GLOBAL_EXIT)

#define PLACE(name, NAME, c) \
  f_integer name##_(void) { return c(); } \
  PST_F_NAMES(name, NAME)

PLACE(my_pe, MY_PE, _my_pe)
PLACE(num_pes, NUM_PES, _num_pes)
PLACE(shmem_my_pe, SHMEM_MY_PE, _my_pe)
PST_F_FUNCTION_NAMES(shmem_my_pe, SHMEM_MY_PE)
PLACE(shmem_n_pes, SHMEM_N_PES, _num_pes)
PST_F_FUNCTION_NAMES(shmem_n_pes, SHMEM_N_PES)

f_integer shmem_pe_accessible_(const f_integer *pe) { return shmem_pe_accessible(*pe) ? F_TRUE : F_FALSE; }
PST_F_NAMES(shmem_pe_accessible, SHMEM_PE_ACCESSIBLE)
PST_F_FUNCTION_NAMES(shmem_pe_accessible, SHMEM_PE_ACCESSIBLE)

f_integer shmem_addr_accessible_(void *addr, const f_integer *pe)
{
  return shmem_addr_accessible(addr, *pe) ? F_TRUE : F_FALSE;
}
PST_F_NAMES(shmem_addr_accessible, SHMEM_ADDR_ACCESSIBLE)
PST_F_FUNCTION_NAMES(shmem_addr_accessible, SHMEM_ADDR_ACCESSIBLE)

/* For a Cray pointer: an INTEGER of 8 bytes. */
void *shmem_ptr_(void *target, const f_integer *pe) { return shmem_ptr(target, *pe); }
PST_F_NAMES(shmem_ptr, SHMEM_PTR)
PST_F_FUNCTION_NAMES(shmem_ptr, SHMEM_PTR)

void shmem_info_get_version_(f_integer *major, f_integer *minor) { shmem_info_get_version(major, minor); }
PST_F_NAMES(shmem_info_get_version, SHMEM_INFO_GET_VERSION)

/* As CHARACTER variables are: filled up with blanks, without a zero. */
void shmem_info_get_name_(char *name, size_t length)
{
  char text[SHMEM_MAX_NAME_LEN];
  shmem_info_get_name(text);
  size_t n = strlen(text);
  if (n > length) n = length;
  memcpy(name, text, n);
  memset(name + n, ' ', length - n);
}
PST_F_NAMES(shmem_info_get_name, SHMEM_INFO_GET_NAME)

#define CACHE(name, NAME) \
  void shmem_##name##_(void) { shmem_##name(); } \
  PST_F_NAMES(shmem_##name, SHMEM_##NAME)
#define CACHE_LINE(name, NAME) \
  void shmem_##name##_(void *target) { shmem_##name(target); } \
  PST_F_NAMES(shmem_##name, SHMEM_##NAME)

CACHE(set_cache_inv, SET_CACHE_INV)
CACHE(clear_cache_inv, CLEAR_CACHE_INV)
CACHE(udcflush, UDCFLUSH)
CACHE_LINE(set_cache_line_inv, SET_CACHE_LINE_INV)
CACHE_LINE(clear_cache_line_inv, CLEAR_CACHE_LINE_INV)
CACHE_LINE(udcflush_line, UDCFLUSH_LINE)

/* ---- the symmetric heap, 7.13 to 7.15: addr is a Cray pointer; lengths are in words of 32 bits ---- */

static const char *heap_code_text(int code)
{
  switch (code) {
  case PST_SHMEM_HEAP_LENGTH: return "length is not greater than 0";
  case PST_SHMEM_HEAP_FULL: return "the symmetric heap has no room; SHMEM_SYMMETRIC_SIZE sets its size";
  case PST_SHMEM_HEAP_OUTSIDE: return "addr is not in the symmetric heap";
  case PST_SHMEM_HEAP_FREE: return "the block is free already";
  default: return "addr is not the beginning of a block";
  }
}

/* All PEs have the same code; PE 0 says it. */
static f_integer heap_result(const char *call, int code, const f_integer *abort)
{
  if (code >= 0 || !*abort) return code;
  if (pst_shmem_job.me == 0) pst_shmem_fatal(call, "error %d: %s", code, heap_code_text(code));
  GASNET_BLOCKUNTIL(0); /* until the job ends */
  return code;
}

static size_t heap_bytes(const f_integer *length) { return *length > 0 ? (size_t)*length * 4 : 0; }

void shpalloc_(void **addr, const f_integer *length, f_integer *errcode, const f_integer *abort)
{
  *errcode = heap_result("SHPALLOC", pst_shmem_heap_take("SHPALLOC", heap_bytes(length), 1, addr), abort);
}
PST_F_ALL_NAMES(shpalloc, SHPALLOC)

void shpdeallc_(void **addr, f_integer *errcode, const f_integer *abort)
{
  *errcode = heap_result("SHPDEALLC", pst_shmem_heap_give_back("SHPDEALLC", *addr), abort);
}
PST_F_ALL_NAMES(shpdeallc, SHPDEALLC)

void shpclmove_(void **addr, const f_integer *length, f_integer *status, const f_integer *abort)
{
  *status = heap_result("SHPCLMOVE", pst_shmem_heap_resize("SHPCLMOVE", heap_bytes(length), addr), abort);
}
PST_F_ALL_NAMES(shpclmove, SHPCLMOVE)

/* ---- waiting, the barrier of all, order, locks, 7.38 to 7.45, 7.58 to 7.61: SHMEM_WAIT is for INTEGERs of
 * default kind ---- */

#define WAIT(name, type, c) \
  void shmem_##name##wait_(type *var, const type *value) { shmem_##c##_wait(var, *value); } \
  void shmem_##name##wait_until_(type *var, const f_integer *cmp, const type *value) \
  { \
    shmem_##c##_wait_until(var, *cmp, *value); \
  }

WAIT(, f_integer, int)
WAIT(int4_, int32_t, int)
WAIT(int8_, int64_t, long)
PST_F_NAMES(shmem_wait, SHMEM_WAIT)
PST_F_NAMES(shmem_wait_until, SHMEM_WAIT_UNTIL)
PST_F_ALL_NAMES(shmem_int4_wait, SHMEM_INT4_WAIT)
PST_F_ALL_NAMES(shmem_int4_wait_until, SHMEM_INT4_WAIT_UNTIL)
PST_F_ALL_NAMES(shmem_int8_wait, SHMEM_INT8_WAIT)
PST_F_ALL_NAMES(shmem_int8_wait_until, SHMEM_INT8_WAIT_UNTIL)

void shmem_barrier_all_(void) { shmem_barrier_all(); }
PST_F_NAMES(shmem_barrier_all, SHMEM_BARRIER_ALL)

void shmem_fence_(void) { shmem_fence(); }
PST_F_NAMES(shmem_fence, SHMEM_FENCE)

void shmem_quiet_(void) { shmem_quiet(); }
PST_F_NAMES(shmem_quiet, SHMEM_QUIET)

/* Locks are INTEGERs of default kind, section 7.58: half as wide as C's. */
void shmem_set_lock_(volatile f_integer *lock) { pst_shmem_lock_set("SHMEM_SET_LOCK", lock, sizeof *lock); }
PST_F_NAMES(shmem_set_lock, SHMEM_SET_LOCK)

void shmem_clear_lock_(volatile f_integer *lock)
{
  pst_shmem_lock_clear("SHMEM_CLEAR_LOCK", lock, sizeof *lock);
}
PST_F_NAMES(shmem_clear_lock, SHMEM_CLEAR_LOCK)

f_integer shmem_test_lock_(volatile f_integer *lock)
{
  return pst_shmem_lock_test("SHMEM_TEST_LOCK", lock, sizeof *lock);
}
PST_F_NAMES(shmem_test_lock, SHMEM_TEST_LOCK)
PST_F_FUNCTION_NAMES(shmem_test_lock, SHMEM_TEST_LOCK)
