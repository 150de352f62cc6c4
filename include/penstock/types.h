/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Types and constants of the GASNet-1 core and extended interface. */
#ifndef PENSTOCK_TYPES_H
#define PENSTOCK_TYPES_H

#if defined(GASNET_SEQ) + defined(GASNET_PARSYNC) + defined(GASNET_PAR) != 1
#ifndef PST_INTERNAL
#error "define exactly one of GASNET_SEQ, GASNET_PARSYNC and GASNET_PAR before including gasnet.h"
#endif
#elif defined(GASNET_SEQ)
#undef GASNET_SEQ
#define GASNET_SEQ 1
#elif defined(GASNET_PARSYNC)
#undef GASNET_PARSYNC
#define GASNET_PARSYNC 1
#else
#undef GASNET_PAR
#define GASNET_PAR 1
#endif

#define GASNET_SEGMENT_FAST            1
#define GASNET_ALIGNED_SEGMENTS        0
#define GASNET_PSHM                    1
#define GASNET_NULL_ARGV_OK            1
#define GASNET_PAGESIZE                PST_PAGESIZE
#define SIZEOF_GASNET_REGISTER_VALUE_T 8

#ifdef __cplusplus
extern "C" {
#endif

typedef uint32_t gasnet_node_t;
typedef uint8_t gasnet_handler_t;
typedef int32_t gasnet_handlerarg_t;
typedef void *gasnet_token_t;
typedef uintptr_t gasnet_register_value_t;
typedef void *gasnet_threadinfo_t;

typedef struct pst_op *gasnet_handle_t;
typedef struct pst_op *gasnet_valget_handle_t;
#define GASNET_INVALID_HANDLE ((gasnet_handle_t)0)

/* Handlers take a token, for mediums and longs an address and a length, and up to 16
 * arguments; the table therefore holds them without a prototype. */
typedef struct {
  gasnet_handler_t index;
#if defined(GASNET_USE_STRICT_PROTOTYPES)
  void *fnptr;
#else
  void (*fnptr)();
#endif
} gasnet_handlerentry_t;

typedef struct {
  void *addr;
  uintptr_t size;
} gasnet_seginfo_t;

/* `offset`: what to add to an address in that node's segment for a direct load or store here;
 * meaningful when `supernode` equals this node's. */
typedef struct {
  gasnet_node_t host;
  gasnet_node_t supernode;
  uintptr_t offset;
} gasnet_nodeinfo_t;

typedef struct {
  void *addr;
  size_t len;
} gasnet_memvec_t;

#define GASNET_OK                   0
#define GASNET_ERR_NOT_INIT         10001
#define GASNET_ERR_RESOURCE         10002
#define GASNET_ERR_BAD_ARG          10003
#define GASNET_ERR_NOT_READY        10004
#define GASNET_ERR_BARRIER_MISMATCH 10005

#define GASNET_BARRIERFLAG_ANONYMOUS 1
#define GASNET_BARRIERFLAG_MISMATCH  2
#define GASNET_BARRIERFLAG_IMAGES    4
#define GASNET_BARRIERFLAG_UNNAMED   (GASNET_BARRIERFLAG_ANONYMOUS | 8)

#define GASNET_WAIT_SPIN      0
#define GASNET_WAIT_BLOCK     1
#define GASNET_WAIT_SPINBLOCK 2

#ifdef __cplusplus
}
#endif
#endif
