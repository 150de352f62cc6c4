/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Waiting for a word of this PE that others change. */
#include "front/wait.h"
#include "shmem/internal.h"

static void bad_comparison(const char *call, int cmp) __attribute__((noreturn, cold));
static void bad_comparison(const char *call, int cmp)
{
  pst_shmem_fatal(call, "%d is none of the comparisons SHMEM_CMP_...", cmp);
}

/* What was written before the word is visible after it. */
#define NOW __atomic_load_n(var, __ATOMIC_ACQUIRE)

#define DEFINE(T, N, wait, wait_until) \
  static void N##_until_not(volatile T *var, T value) \
  { \
    pst_shmem_need_open(#wait); \
    pst_shmem_check_own(#wait, "address", var, sizeof *var); \
    PST_FRONT_UNTIL(NOW != value); \
  } \
  static void N##_until(volatile T *var, int cmp, T value) \
  { \
    pst_shmem_need_open(#wait_until); \
    pst_shmem_check_own(#wait_until, "address", var, sizeof *var); \
    switch (cmp) { \
    case SHMEM_CMP_EQ: PST_FRONT_UNTIL(NOW == value); break; \
    case SHMEM_CMP_NE: PST_FRONT_UNTIL(NOW != value); break; \
    case SHMEM_CMP_GT: PST_FRONT_UNTIL(NOW > value); break; \
    case SHMEM_CMP_LE: PST_FRONT_UNTIL(NOW <= value); break; \
    case SHMEM_CMP_LT: PST_FRONT_UNTIL(NOW < value); break; \
    case SHMEM_CMP_GE: PST_FRONT_UNTIL(NOW >= value); break; \
    default: bad_comparison(#wait_until, cmp); \
    } \
  } \
  void wait(volatile T *var, T value) \
  { \
    PST_SHMEM_TOLD(N##_until_not(var, value), GASP_SHMEM_WAIT, var, sizeof *var, #wait); \
  } \
  void wait_until(volatile T *var, int cmp, T value) \
  { \
    PST_SHMEM_TOLD(N##_until(var, cmp, value), GASP_SHMEM_WAIT_UNTIL, var, sizeof *var, cmp, #wait_until); \
  }
#define TYPED(T, N) DEFINE(T, N, shmem_##N##_wait, shmem_##N##_wait_until)
PST_SHMEM_WAIT_TYPES(TYPED)
DEFINE(long, plain, shmem_wait, shmem_wait_until)
