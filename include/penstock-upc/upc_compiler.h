/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What compilers of UPC call for the language: GNU UPC and Clang UPC, where pointers-to-shared are structures
 * of a 64-bit address and 32 bits each of thread and phase, in this order, as upc_pts_t is. Names and
 * arguments are those of their runtime; programs do not use them. The number in a name counts the arguments.
 * Letters in it:
 *
 *   s               strict: ordered with all shared accesses of the thread, before and after it. The others
 *                   are relaxed: the thread sees its own in order. Both are complete on return.
 *   g               with file and line of the source, where the compiler was asked to instrument; after s
 *   qi hi si di ti  whole numbers of 1, 2, 4, 8, 16 bytes
 *   sf df tf xf     float, double, 128-bit floating point, the x87's long double
 *   blk             n bytes of any type
 *
 * Each is an event GASP_UPC_GET or GASP_UPC_PUT, copies are GASP_PENSTOCK_COPY. Accesses to the thread's own
 * memory are events only if something was compiled with upccc --inst-local. */
#ifndef _UPC_COMPILER_H
#define _UPC_COMPILER_H

#include <float.h>

#include "upc_memory.h"

#ifndef __UPC__
#ifdef __cplusplus
extern "C" {
#endif

#define PST_UPC_SCALARS_ALL(F) \
  F(qi, uint8_t) F(hi, uint16_t) F(si, uint32_t) F(di, uint64_t) F(sf, float) F(df, double)

#if defined(__SIZEOF_INT128__)
__extension__ typedef unsigned __int128 pst_upc_ti_t;
#define PST_UPC_SCALARS_TI(F) F(ti, pst_upc_ti_t)
#else
#define PST_UPC_SCALARS_TI(F)
#endif

/* tf is long double where that has 128 bits. */
#if LDBL_MANT_DIG == 113
#define PST_UPC_SCALARS_LONG(F) F(tf, long double)
#elif defined(__SIZEOF_FLOAT128__)
__extension__ typedef __float128 pst_upc_tf_t;
#define PST_UPC_SCALARS_LONG(F) F(tf, pst_upc_tf_t) F(xf, long double)
#else
#define PST_UPC_SCALARS_LONG(F) F(xf, long double)
#endif

#define PST_UPC_SCALARS(F) PST_UPC_SCALARS_ALL(F) PST_UPC_SCALARS_TI(F) PST_UPC_SCALARS_LONG(F)

#define PST_UPC_SCALAR(name, type) \
  type __get##name##2(upc_const_pts_t src); \
  type __gets##name##2(upc_const_pts_t src); \
  type __getg##name##3(upc_const_pts_t src, const char *file, int line); \
  type __getsg##name##3(upc_const_pts_t src, const char *file, int line); \
  void __put##name##2(upc_pts_t dst, type value); \
  void __puts##name##2(upc_pts_t dst, type value); \
  void __putg##name##4(upc_pts_t dst, type value, const char *file, int line); \
  void __putsg##name##4(upc_pts_t dst, type value, const char *file, int line);
PST_UPC_SCALARS(PST_UPC_SCALAR)
#undef PST_UPC_SCALAR

void __getblk3(void *dst, upc_const_pts_t src, size_t n);
void __getsblk3(void *dst, upc_const_pts_t src, size_t n);
void __getgblk5(void *dst, upc_const_pts_t src, size_t n, const char *file, int line);
void __getsgblk5(void *dst, upc_const_pts_t src, size_t n, const char *file, int line);
void __putblk3(upc_pts_t dst, const void *src, size_t n);
void __putsblk3(upc_pts_t dst, const void *src, size_t n);
void __putgblk5(upc_pts_t dst, const void *src, size_t n, const char *file, int line);
void __putsgblk5(upc_pts_t dst, const void *src, size_t n, const char *file, int line);
void __copyblk3(upc_pts_t dst, upc_const_pts_t src, size_t n);
void __copysblk3(upc_pts_t dst, upc_const_pts_t src, size_t n);
void __copygblk5(upc_pts_t dst, upc_const_pts_t src, size_t n, const char *file, int line);
void __copysgblk5(upc_pts_t dst, upc_const_pts_t src, size_t n, const char *file, int line);

/* Converts to a private pointer; NULL stays NULL. The job ends where the memory is not mapped here. */
void *__getaddr(upc_const_pts_t p);

/* upc_finalize, with what main returned: where a compiler has made upc_main of it, the library's own main
 * ends so. */
void pst_upc_leave(int status);

/* id INT_MIN: the statement has no expression. */
void __upc_notify(int id);
void __upc_wait(int id);
void __upc_barrier(int id);
void __upc_fence(void);
void __upc_notifyg(int id, const char *file, int line);
void __upc_waitg(int id, const char *file, int line);
void __upc_barrierg(int id, const char *file, int line);
void __upc_fenceg(const char *file, int line);

#ifdef __cplusplus
}
#endif
#endif
#endif
