/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What the inline functions of shmem.h read, and what they call where a load or store does not suffice. */
#ifndef PENSTOCK_SHMEM_BASE_H
#define PENSTOCK_SHMEM_BASE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Symmetric memory of this PE. here[pe] is added to an address of this PE's to load and store the same object
 * of pe, or is PST_SHMEM_UNMAPPED; atomic[pe] is the same for atomic operations. */
struct pst_shmem_area {
  uintptr_t base;
  size_t size;
  const ptrdiff_t *here, *atomic;
};
#define PST_SHMEM_UNMAPPED ((ptrdiff_t)1)

/* Without PEs and memory, and with `pending` set, all inline functions call the library: before start_pes,
 * where SHMEM_DEBUG has all calls checked, and where a performance tool is told of all calls. */
struct pst_shmem_view {
  unsigned pes;
  int me;
  int pending;                      /* puts may be under way that shmem_quiet has to wait for */
  struct pst_shmem_area heap, data; /* data: static and global variables of the program */
};
extern struct pst_shmem_view pst_shmem;

/* `call`: the routine's name, for messages and tools. Widths are in bytes, strides in elements. */
void pst_shmem_put(void *target, const void *source, size_t nelems, size_t width, int pe, const char *call);
void pst_shmem_get(void *target, const void *source, size_t nelems, size_t width, int pe, const char *call);
void pst_shmem_iput(void *target, const void *source, ptrdiff_t tst, ptrdiff_t sst, size_t nelems,
    size_t width, int pe, const char *call);
void pst_shmem_iget(void *target, const void *source, ptrdiff_t tst, ptrdiff_t sst, size_t nelems,
    size_t width, int pe, const char *call);
void pst_shmem_put_value(void *target, uint64_t value, size_t width, int pe, const char *call);
uint64_t pst_shmem_get_value(const void *source, size_t width, int pe, const char *call);
void pst_shmem_put_object(void *target, const void *value, size_t width, int pe, const char *call);
void pst_shmem_get_object(void *value, const void *source, size_t width, int pe, const char *call);
uint64_t pst_shmem_fetch(
    unsigned op, void *target, uint64_t operand, uint64_t expected, size_t width, int pe, const char *call);
void pst_shmem_update(unsigned op, void *target, uint64_t operand, size_t width, int pe, const char *call);
void pst_shmem_quiet(void);
void pst_shmem_fence(void);

/* As gasnetx_atomic_op_t has them. */
#define PST_SHMEM_ADD   2u
#define PST_SHMEM_SWAP  6u
#define PST_SHMEM_CSWAP 7u

#ifdef __cplusplus
}
#endif

/* The functions that these headers define are in the library, too, for calls by address and unoptimised
 * programs: these definitions are only inlined. With PST_SHMEM_CALLS defined nothing is inlined, as wrappers
 * want it. */
#ifndef PST_SHMEM_INLINE
#define PST_SHMEM_INLINE extern __inline__ __attribute__((__gnu_inline__))
#endif
#define PST_SHMEM_ALWAYS extern __inline__ __attribute__((__gnu_inline__, __always_inline__))

/* ThreadSanitizer knows no fences. */
#if defined(__SANITIZE_THREAD__)
#define PST_SHMEM_FENCE(order) __atomic_signal_fence(order)
#else
#define PST_SHMEM_FENCE(order) __atomic_thread_fence(order)
#endif

#define PST_SHMEM_HERE_(table) \
  { \
    const uintptr_t a = (uintptr_t)p; \
    ptrdiff_t delta; \
    if (__builtin_expect((unsigned)pe >= pst_shmem.pes, 0)) return (void *)0; \
    if (a - pst_shmem.heap.base < pst_shmem.heap.size) delta = pst_shmem.heap.table[pe]; \
    else if (a - pst_shmem.data.base < pst_shmem.data.size) delta = pst_shmem.data.table[pe]; \
    else return (void *)0; \
    return __builtin_expect(delta != PST_SHMEM_UNMAPPED, 1) ? (void *)(a + (uintptr_t)delta) : (void *)0; \
  }

/* Where to load and store pe's object that p is on this PE; null: the library has to be called. */
PST_SHMEM_ALWAYS void *pst_shmem_here(const void *p, int pe) PST_SHMEM_HERE_(here) PST_SHMEM_ALWAYS
    void *pst_shmem_here_atomic(const void *p, int pe) PST_SHMEM_HERE_(atomic)

#endif
