/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The attribute and declaration helpers of the tools interface. The forms ending in P are for compilers that
 * want a pragma after the declaration: here they are empty. */
#ifndef PENSTOCK_ATTRIBUTE_H
#define PENSTOCK_ATTRIBUTE_H
#include "penstock/platform.h"

#define GASNETT_INLINE(function)                   static __inline__ __attribute__((unused))
#define GASNETT_PLEASE_INLINE(function)            static __inline__ __attribute__((unused))
#define GASNETT_ALWAYS_INLINE(function)            static __inline__ __attribute__((always_inline, unused))
#define GASNETT_NEVER_INLINE(function, declarator) __attribute__((noinline)) declarator

#define GASNETT_RESTRICT           __restrict__
#define GASNETT_USED               __attribute__((used))
#define GASNETT_UNUSED             __attribute__((unused))
#define GASNETT_NORETURN           __attribute__((noreturn))
#define GASNETT_MALLOC             __attribute__((malloc))
#define GASNETT_PURE               __attribute__((pure))
#define GASNETT_CONST              __attribute__((const))
#define GASNETT_HOT                __attribute__((hot))
#define GASNETT_COLD               __attribute__((cold))
#define GASNETT_DEPRECATED         __attribute__((deprecated))
#define GASNETT_WARN_UNUSED_RESULT __attribute__((warn_unused_result))
#define GASNETT_NORETURNP(function)
#define GASNETT_MALLOCP(function)
#define GASNETT_PUREP(function)
#define GASNETT_CONSTP(function)

/* A declarator of a function, or of a pointer to one, whose arguments are checked like printf's. */
#define GASNETT_FORMAT_PRINTF(function, format_at, args_at, declarator) \
  __attribute__((__format__(__printf__, format_at, args_at))) declarator
#define GASNETT_FORMAT_PRINTF_FUNCPTR(function, format_at, args_at, declarator) \
  __attribute__((__format__(__printf__, format_at, args_at))) declarator

/* Marks parameters that a function does not use. */
#define GASNETT_UNUSED_ARGS1(a)                      ((void)(a))
#define GASNETT_UNUSED_ARGS2(a, b)                   ((void)(a), (void)(b))
#define GASNETT_UNUSED_ARGS3(a, b, c)                (GASNETT_UNUSED_ARGS2(a, b), (void)(c))
#define GASNETT_UNUSED_ARGS4(a, b, c, d)             (GASNETT_UNUSED_ARGS3(a, b, c), (void)(d))
#define GASNETT_UNUSED_ARGS5(a, b, c, d, e)          (GASNETT_UNUSED_ARGS4(a, b, c, d), (void)(e))
#define GASNETT_UNUSED_ARGS6(a, b, c, d, e, f)       (GASNETT_UNUSED_ARGS5(a, b, c, d, e), (void)(f))
#define GASNETT_UNUSED_ARGS7(a, b, c, d, e, f, g)    (GASNETT_UNUSED_ARGS6(a, b, c, d, e, f), (void)(g))
#define GASNETT_UNUSED_ARGS8(a, b, c, d, e, f, g, h) (GASNETT_UNUSED_ARGS7(a, b, c, d, e, f, g), (void)(h))

#define GASNETT_PREDICT_TRUE(cond)     PST_LIKELY(cond)
#define GASNETT_PREDICT_FALSE(cond)    PST_UNLIKELY(cond)
#define GASNETT_CURRENT_FUNCTION       __func__
#define gasnett_constant_p(expression) __builtin_constant_p(expression)

#define GASNETT_BEGIN_EXTERNC PST_BEGIN_C
#define GASNETT_END_EXTERNC   PST_END_C
#if defined(__cplusplus)
#define GASNETT_EXTERNC          extern "C"
#define GASNETT_TENTATIVE_EXTERN extern
#else
#define GASNETT_EXTERNC extern
#define GASNETT_TENTATIVE_EXTERN
#endif

/* A text that `strings` and `ident` find in the object file. */
#define GASNETT_IDENT(name, text) \
  static char const name[] __attribute__((used)) = text; \
  struct PST_CONCAT(name, _needs_a_semicolon)

#endif
