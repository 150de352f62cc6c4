/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Names under which Fortran compilers look for the routines.
 *
 * A routine is defined as name_, as gfortran, ifort and flang call it whatever the letters in the source are.
 * Other spellings, which compilers have or can be asked for, are weak, so that a program may use them itself.
 * All arguments are addresses. Lengths of CHARACTER arguments follow them, by value. A routine that does not
 * need them does not name them, which the calling conventions of x86-64 and aarch64 allow. */
#ifndef SHMEM_FORTRAN_H
#define SHMEM_FORTRAN_H

#include "shmem/collective.h"

typedef int32_t f_integer; /* of default kind; LOGICAL has its size */
enum { F_FALSE = 0, F_TRUE = 1 };

/* The routines are called from programs only. */
#define PST_F_ALIAS(of, name) extern __typeof__(of) name __attribute__((weak, alias(#of)));

/* Where the name without an underscore is C's, or a program's. */
#define PST_F_NAMES(lower, UPPER) \
  PST_F_ALIAS(lower##_, lower##__) \
  PST_F_ALIAS(lower##_, UPPER) \
  PST_F_ALIAS(lower##_, UPPER##_)

/* All others. */
#define PST_F_ALL_NAMES(lower, UPPER) \
  PST_F_NAMES(lower, UPPER) \
  PST_F_ALIAS(lower##_, lower)

/* What the generic interfaces of mpp/shmem.fh call. */
#define PST_F_FUNCTION_NAMES(lower, UPPER) \
  PST_F_ALIAS(lower##_, pst_f_##lower##_) \
  PST_F_ALIAS(lower##_, pst_f_##lower##__) \
  PST_F_ALIAS(lower##_, pst_f_##lower) \
  PST_F_ALIAS(lower##_, PST_F_##UPPER) \
  PST_F_ALIAS(lower##_, PST_F_##UPPER##_)

#endif
