/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Atomic integers in six families, alike but for width and name: gasnett_{atomic,strongatomic}{,32,64}_*. All
 * work between threads, and between processes through shared memory. No operation orders other accesses
 * unless a flag asks for it (README-tools, "Atomics"). */
#ifndef PENSTOCK_TOOLS_ATOMIC_H
#define PENSTOCK_TOOLS_ATOMIC_H
#include "penstock/platform.h"
PST_BEGIN_C

#define GASNETT_ATOMIC_NONE 0
/* Fences before the operation: earlier stores / loads / everything come first. */
#define GASNETT_ATOMIC_WMB_PRE 0x01
#define GASNETT_ATOMIC_RMB_PRE 0x02
#define GASNETT_ATOMIC_MB_PRE  0x04
/* What came before is visible to a thread that sees the operation's effect. */
#define GASNETT_ATOMIC_REL 0x08
/* Fences after the operation. Those with IF depend on the result of compare_and_swap and
 * decrement_and_test. */
#define GASNETT_ATOMIC_WMB_POST          0x10
#define GASNETT_ATOMIC_RMB_POST_IF_TRUE  0x20
#define GASNETT_ATOMIC_RMB_POST_IF_FALSE 0x40
#define GASNETT_ATOMIC_RMB_POST          (GASNETT_ATOMIC_RMB_POST_IF_TRUE | GASNETT_ATOMIC_RMB_POST_IF_FALSE)
#define GASNETT_ATOMIC_MB_POST           0x80
/* What comes after is not done before the operation. */
#define GASNETT_ATOMIC_ACQ_IF_TRUE  0x100
#define GASNETT_ATOMIC_ACQ_IF_FALSE 0x200
#define GASNETT_ATOMIC_ACQ          (GASNETT_ATOMIC_ACQ_IF_TRUE | GASNETT_ATOMIC_ACQ_IF_FALSE)

#define GASNETT_HAVE_ATOMIC_CAS           1
#define GASNETT_HAVE_ATOMIC_ADD_SUB       1
#define GASNETT_HAVE_STRONGATOMIC_CAS     1
#define GASNETT_HAVE_STRONGATOMIC_ADD_SUB 1

/* REL and ACQ become the memory order of the operation. C11 has no release for a load and no acquire for a
 * store: a full fence replaces them. Flags are nearly always constants, so the compiler removes the tests. */
PST_ALWAYS_INLINE void pst_atomic_pre(int flags)
{
  if (flags & GASNETT_ATOMIC_MB_PRE) __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (flags & GASNETT_ATOMIC_WMB_PRE) __atomic_thread_fence(__ATOMIC_RELEASE);
  if (flags & GASNETT_ATOMIC_RMB_PRE) __atomic_thread_fence(__ATOMIC_ACQUIRE);
}

PST_ALWAYS_INLINE void pst_atomic_post(int flags, int truth)
{
  int rmb = truth ? GASNETT_ATOMIC_RMB_POST_IF_TRUE : GASNETT_ATOMIC_RMB_POST_IF_FALSE;
  if (flags & GASNETT_ATOMIC_WMB_POST) __atomic_thread_fence(__ATOMIC_RELEASE);
  if (flags & rmb) __atomic_thread_fence(__ATOMIC_ACQUIRE);
  if (flags & GASNETT_ATOMIC_MB_POST) __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/* An operation with all its fences. The builtins need constant orders, even without optimisation: hence a
 * branch for each. */
#define PST_ATOMIC_RMW(flags, result, operation, truth) \
  do { \
    pst_atomic_pre(flags); \
    if (((flags)&GASNETT_ATOMIC_REL) && ((flags)&GASNETT_ATOMIC_ACQ)) result = operation(__ATOMIC_ACQ_REL); \
    else if ((flags)&GASNETT_ATOMIC_REL) result = operation(__ATOMIC_RELEASE); \
    else if ((flags)&GASNETT_ATOMIC_ACQ) result = operation(__ATOMIC_ACQUIRE); \
    else result = operation(__ATOMIC_RELAXED); \
    pst_atomic_post(flags, truth); \
  } while (0)

/* Used only inside the functions below, where p, v and expected are the arguments. */
#define PST_ATOMIC_ADD(order)      __atomic_fetch_add(&p->pst_value, v, order)
#define PST_ATOMIC_SWAP(order)     __atomic_exchange_n(&p->pst_value, v, order)
#define PST_ATOMIC_ACQUIRES(order) ((order) == __ATOMIC_ACQUIRE || (order) == __ATOMIC_ACQ_REL)
#define PST_ATOMIC_CAS(order) \
  __atomic_compare_exchange_n(&p->pst_value, &expected, v, 0, order, \
      PST_ATOMIC_ACQUIRES(order) ? __ATOMIC_ACQUIRE : __ATOMIC_RELAXED)

#define PST_ATOMIC_FAMILY(name, value_t, signed_t, bytes) \
  typedef value_t name##_val_t; \
  typedef signed_t name##_sval_t; \
  typedef struct { \
    volatile value_t pst_value; \
  } __attribute__((aligned(bytes))) name##_t; \
\
  PST_ALWAYS_INLINE value_t name##_read(const name##_t *p, int flags) \
  { \
    value_t v; \
    pst_atomic_pre(flags); \
    if (flags & GASNETT_ATOMIC_REL) __atomic_thread_fence(__ATOMIC_SEQ_CST); \
    if (flags & GASNETT_ATOMIC_ACQ) v = __atomic_load_n(&p->pst_value, __ATOMIC_ACQUIRE); \
    else v = __atomic_load_n(&p->pst_value, __ATOMIC_RELAXED); \
    pst_atomic_post(flags, 1); \
    return v; \
  } \
\
  PST_ALWAYS_INLINE void name##_set(name##_t *p, value_t v, int flags) \
  { \
    pst_atomic_pre(flags); \
    if (flags & GASNETT_ATOMIC_REL) __atomic_store_n(&p->pst_value, v, __ATOMIC_RELEASE); \
    else __atomic_store_n(&p->pst_value, v, __ATOMIC_RELAXED); \
    if (flags & (GASNETT_ATOMIC_ACQ | GASNETT_ATOMIC_RMB_POST)) __atomic_thread_fence(__ATOMIC_SEQ_CST); \
    pst_atomic_post(flags, 1); \
  } \
\
  PST_ALWAYS_INLINE value_t name##_add(name##_t *p, value_t v, int flags) \
  { \
    value_t before; \
    PST_ATOMIC_RMW(flags, before, PST_ATOMIC_ADD, 1); \
    return before + v; \
  } \
\
  PST_ALWAYS_INLINE value_t name##_subtract(name##_t *p, value_t v, int flags) \
  { \
    return name##_add(p, (value_t)0 - v, flags); \
  } \
\
  PST_ALWAYS_INLINE void name##_increment(name##_t *p, int flags) { (void)name##_add(p, 1, flags); } \
  PST_ALWAYS_INLINE void name##_decrement(name##_t *p, int flags) { (void)name##_subtract(p, 1, flags); } \
\
  PST_ALWAYS_INLINE int name##_decrement_and_test(name##_t *p, int flags) \
  { \
    const value_t v = (value_t)0 - 1; \
    value_t before; \
    PST_ATOMIC_RMW(flags, before, PST_ATOMIC_ADD, before == 1); \
    return before == 1; \
  } \
\
  PST_ALWAYS_INLINE value_t name##_swap(name##_t *p, value_t v, int flags) \
  { \
    value_t before; \
    PST_ATOMIC_RMW(flags, before, PST_ATOMIC_SWAP, 1); \
    return before; \
  } \
\
  PST_ALWAYS_INLINE int name##_compare_and_swap(name##_t *p, value_t expected, value_t v, int flags) \
  { \
    int done; \
    PST_ATOMIC_RMW(flags, done, PST_ATOMIC_CAS, done); \
    return done; \
  } \
\
  PST_ALWAYS_INLINE signed_t name##_signed(value_t v) { return (signed_t)v; }

/* _add and _subtract return the new value, _swap the old one, compare_and_swap non-zero when it swapped,
 * decrement_and_test non-zero when the new value is 0. Overflow wraps. */
PST_ATOMIC_FAMILY(gasnett_atomic, uint32_t, int32_t, 4)
PST_ATOMIC_FAMILY(gasnett_atomic32, uint32_t, int32_t, 4)
PST_ATOMIC_FAMILY(gasnett_atomic64, uint64_t, int64_t, 8)
PST_ATOMIC_FAMILY(gasnett_strongatomic, uint32_t, int32_t, 4)
PST_ATOMIC_FAMILY(gasnett_strongatomic32, uint32_t, int32_t, 4)
PST_ATOMIC_FAMILY(gasnett_strongatomic64, uint64_t, int64_t, 8)

/* Static initialisers. */
#define gasnett_atomic_init(v) \
  { \
    (uint32_t)(v) \
  }
#define gasnett_atomic32_init(v) \
  { \
    (uint32_t)(v) \
  }
#define gasnett_atomic64_init(v) \
  { \
    (uint64_t)(v) \
  }
#define gasnett_strongatomic_init(v) \
  { \
    (uint32_t)(v) \
  }
#define gasnett_strongatomic32_init(v) \
  { \
    (uint32_t)(v) \
  }
#define gasnett_strongatomic64_init(v) \
  { \
    (uint64_t)(v) \
  }

#define GASNETT_ATOMIC_MAX              ((gasnett_atomic_val_t)0xffffffffu)
#define GASNETT_ATOMIC_SIGNED_MIN       ((gasnett_atomic_sval_t)(-2147483647 - 1))
#define GASNETT_ATOMIC_SIGNED_MAX       ((gasnett_atomic_sval_t)2147483647)
#define GASNETT_STRONGATOMIC_MAX        GASNETT_ATOMIC_MAX
#define GASNETT_STRONGATOMIC_SIGNED_MIN GASNETT_ATOMIC_SIGNED_MIN
#define GASNETT_STRONGATOMIC_SIGNED_MAX GASNETT_ATOMIC_SIGNED_MAX

PST_END_C
#endif
