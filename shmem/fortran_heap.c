/* The symmetric heap, sections 7.13 to 7.15. addr is a Cray pointer; lengths are in words of 32 bits. */
#include "shmem/fortran.h"
#include "shmem/heap.h"

static const char *text_of(int code)
{
  switch (code) {
  case PST_SHMEM_HEAP_LENGTH: return "length is not greater than 0";
  case PST_SHMEM_HEAP_FULL: return "the symmetric heap has no room; SHMEM_SYMMETRIC_SIZE sets its size";
  case PST_SHMEM_HEAP_OUTSIDE: return "addr is not in the symmetric heap";
  case PST_SHMEM_HEAP_FREE: return "the block is free already";
  default: return "addr is not the beginning of a block";
  }
}

/* All PEs have the same code here, and one tells it. */
static f_integer result(const char *call, int code, const f_integer *abort)
{
  if (code >= 0 || !*abort) return code;
  if (pst_shmem_job.me == 0) pst_shmem_fatal(call, "error %d: %s", code, text_of(code));
  GASNET_BLOCKUNTIL(0); /* until the job ends */
  return code;
}

static size_t bytes(const f_integer *length) { return *length > 0 ? (size_t)*length * 4 : 0; }

void shpalloc_(void **addr, const f_integer *length, f_integer *errcode, const f_integer *abort)
{
  *errcode = result("SHPALLOC", pst_shmem_heap_take("SHPALLOC", bytes(length), 1, addr), abort);
}
PST_F_ALL_NAMES(shpalloc, SHPALLOC)

void shpdeallc_(void **addr, f_integer *errcode, const f_integer *abort)
{
  *errcode = result("SHPDEALLC", pst_shmem_heap_give_back("SHPDEALLC", *addr), abort);
}
PST_F_ALL_NAMES(shpdeallc, SHPDEALLC)

void shpclmove_(void **addr, const f_integer *length, f_integer *status, const f_integer *abort)
{
  *status = result("SHPCLMOVE", pst_shmem_heap_resize("SHPCLMOVE", bytes(length), addr), abort);
}
PST_F_ALL_NAMES(shpclmove, SHPCLMOVE)
