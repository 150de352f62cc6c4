/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Macros for handlers that take pointers and sizes in 32-bit arguments, named as in GASNet-1's header. One
 * text serves machines of 32 and of 64 bits: a pointer takes one argument or two, the high word first.
 * gasnet.h does not include this header, because its short names may clash.
 *
 *   static void store(gasnet_token_t token, gasnet_handlerarg_t value, void *where) { ... }
 *   SHORT_HANDLER(store, 2, 3, (token, a0, UNPACK(a1)), (token, a0, UNPACK2(a1, a2)))
 *   ... SHORT_REQ(2, 3, (node, 200, value, PACK(where)));
 *   ... gasnet_handlerentry_t table[] = { { 200, (void (*)())GASNETI_HANDLER_OF(store) } }; */
#ifndef _GASNET_HANDLER_H
#define _GASNET_HANDLER_H

#include "gasnet.h"

/* PACK makes arguments of a request or reply from a pointer; the handler undoes it by UNPACK or UNPACK2. */
#if defined(PLATFORM_ARCH_64)
#define PACK(pointer) \
  ((gasnet_handlerarg_t)GASNETI_HIWORD(pointer)), ((gasnet_handlerarg_t)GASNETI_LOWORD(pointer))
#define PST_OF_BITS(of32, of64)  of64
#define GASNETI_HANDLER_OF(name) name##_64
#else
#define PACK(pointer)            ((gasnet_handlerarg_t)(uintptr_t)(pointer))
#define PST_OF_BITS(of32, of64)  of32
#define GASNETI_HANDLER_OF(name) name##_32
#endif
#define UNPACK(word)       ((void *)(uintptr_t)(uint32_t)(word))
#define UNPACK2(high, low) ((void *)(uintptr_t)GASNETI_MAKEWORD(high, low))

/* Defines the function that goes into the handler table, GASNETI_HANDLER_OF(name). It takes count32 or
 * count64 arguments, a0, a1 and so on, and calls `name` with list32 or list64. */
#define SHORT_HANDLER(name, count32, count64, list32, list64) \
  static void GASNETI_HANDLER_OF(name)( \
      gasnet_token_t token PST_CONCAT(PST_ARGS, PST_OF_BITS(count32, count64))) \
  { \
    name PST_OF_BITS(list32, list64); \
  }
#define MEDIUM_HANDLER(name, count32, count64, list32, list64) \
  static void GASNETI_HANDLER_OF(name)( \
      gasnet_token_t token, void *addr, size_t nbytes PST_CONCAT(PST_ARGS, PST_OF_BITS(count32, count64))) \
  { \
    name PST_OF_BITS(list32, list64); \
  }
#define LONG_HANDLER MEDIUM_HANDLER

/* The calls. `arguments` is the list of arguments in parentheses. */
#define PST_AM(call, count32, count64, arguments) \
  PST_CONCAT(gasnet_AM##call, PST_OF_BITS(count32, count64)) arguments
#define SHORT_REQ(count32, count64, arguments)     PST_AM(RequestShort, count32, count64, arguments)
#define MEDIUM_REQ(count32, count64, arguments)    PST_AM(RequestMedium, count32, count64, arguments)
#define LONG_REQ(count32, count64, arguments)      PST_AM(RequestLong, count32, count64, arguments)
#define LONGASYNC_REQ(count32, count64, arguments) PST_AM(RequestLongAsync, count32, count64, arguments)
#define SHORT_REP(count32, count64, arguments)     PST_AM(ReplyShort, count32, count64, arguments)
#define MEDIUM_REP(count32, count64, arguments)    PST_AM(ReplyMedium, count32, count64, arguments)
#define LONG_REP(count32, count64, arguments)      PST_AM(ReplyLong, count32, count64, arguments)

#define PST_ARGS0
#define PST_ARGS1  , gasnet_handlerarg_t a0
#define PST_ARGS2  PST_ARGS1, gasnet_handlerarg_t a1
#define PST_ARGS3  PST_ARGS2, gasnet_handlerarg_t a2
#define PST_ARGS4  PST_ARGS3, gasnet_handlerarg_t a3
#define PST_ARGS5  PST_ARGS4, gasnet_handlerarg_t a4
#define PST_ARGS6  PST_ARGS5, gasnet_handlerarg_t a5
#define PST_ARGS7  PST_ARGS6, gasnet_handlerarg_t a6
#define PST_ARGS8  PST_ARGS7, gasnet_handlerarg_t a7
#define PST_ARGS9  PST_ARGS8, gasnet_handlerarg_t a8
#define PST_ARGS10 PST_ARGS9, gasnet_handlerarg_t a9
#define PST_ARGS11 PST_ARGS10, gasnet_handlerarg_t a10
#define PST_ARGS12 PST_ARGS11, gasnet_handlerarg_t a11
#define PST_ARGS13 PST_ARGS12, gasnet_handlerarg_t a12
#define PST_ARGS14 PST_ARGS13, gasnet_handlerarg_t a13
#define PST_ARGS15 PST_ARGS14, gasnet_handlerarg_t a14
#define PST_ARGS16 PST_ARGS15, gasnet_handlerarg_t a15

#endif
