/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Put and get, contiguous and strided, sections 7.20 to 7.29. Routines differ in the size of an element
 * only; that of SHMEM_PUT and SHMEM_GET is 8 bytes, as on the machines that they come from. */
#include <string.h>

#include "shmem/fortran.h"

static inline size_t element_count(const f_integer *nelems) { return (size_t)(ptrdiff_t)*nelems; }

/* One element of a mapped PE is a load and a store. */
#define PUT(name, NAME, W) \
  void shmem_##name##_(void *target, const void *source, const f_integer *nelems, const f_integer *pe) \
  { \
    void *const here = *nelems == 1 ? pst_shmem_here(target, *pe) : NULL; \
    if (here) memmove(here, source, W); \
    else pst_shmem_put(target, source, element_count(nelems), W, *pe, "SHMEM_" #NAME); \
  }
#define GET(name, NAME, W) \
  void shmem_##name##_(void *target, const void *source, const f_integer *nelems, const f_integer *pe) \
  { \
    const void *const here = *nelems == 1 ? pst_shmem_here(source, *pe) : NULL; \
    if (here) { \
      memmove(target, here, W); \
      PST_SHMEM_FENCE(__ATOMIC_ACQUIRE); \
    } else { \
      pst_shmem_get(target, source, element_count(nelems), W, *pe, "SHMEM_" #NAME); \
    } \
  }
#define STRIDED(name, NAME, W, fn) \
  void shmem_##name##_(void *target, const void *source, const f_integer *tst, const f_integer *sst, \
      const f_integer *nelems, const f_integer *pe) \
  { \
    fn(target, source, *tst, *sst, element_count(nelems), W, *pe, "SHMEM_" #NAME); \
  }
#define IPUT(name, NAME, W) STRIDED(name, NAME, W, pst_shmem_iput)
#define IGET(name, NAME, W) STRIDED(name, NAME, W, pst_shmem_iget)

#define OWN(KIND, name, NAME, W)  KIND(name, NAME, W) PST_F_ALL_NAMES(shmem_##name, SHMEM_##NAME)
#define AS_C(KIND, name, NAME, W) KIND(name, NAME, W) PST_F_NAMES(shmem_##name, SHMEM_##NAME)

/* dir, DIR: put PUT and so on */
#define TYPED(dir, DIR) \
  OWN(DIR, complex_##dir, COMPLEX_##DIR, 8) \
  OWN(DIR, integer_##dir, INTEGER_##DIR, 4) \
  OWN(DIR, logical_##dir, LOGICAL_##DIR, 4) \
  OWN(DIR, real_##dir, REAL_##DIR, 4) \
  OWN(DIR, dir##4, DIR##4, 4) \
  OWN(DIR, dir##8, DIR##8, 8) \
  AS_C(DIR, double_##dir, DOUBLE_##DIR, 8) \
  AS_C(DIR, dir##32, DIR##32, 4) \
  AS_C(DIR, dir##64, DIR##64, 8) \
  AS_C(DIR, dir##128, DIR##128, 16)
#define CONTIGUOUS(dir, DIR) \
  OWN(DIR, character_##dir, CHARACTER_##DIR, 1) \
  OWN(DIR, dir, DIR, 8) \
  AS_C(DIR, dir##mem, DIR##MEM, 1)

TYPED(put, PUT)
TYPED(get, GET)
TYPED(iput, IPUT)
TYPED(iget, IGET)
CONTIGUOUS(put, PUT)
CONTIGUOUS(get, GET)
