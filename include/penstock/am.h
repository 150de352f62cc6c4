/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Active messages. GASNet specification 1.8, "Core API: active messages".
 *
 * A request goes to a node. A reply goes to the sender of the request whose token the handler holds; a
 * handler sends at most one. Short: arguments only. Medium: the handler gets a copy of the nbytes bytes (up
 * to gasnet_AMMaxMedium()), in a buffer aligned to 8 that lives as long as the handler. Long: nbytes bytes
 * are put at dest_addr in the target's segment before the handler runs. The caller may reuse the source on
 * return, but that of LongAsync only when the reply's handler runs. Calls serve messages while they wait for
 * room. They return GASNET_OK; in debug builds misuse ends the job with a message. */
#ifndef PENSTOCK_AM_H
#define PENSTOCK_AM_H
#ifdef __cplusplus
extern "C" {
#endif

size_t gasnet_AMMaxArgs(void);        /* 16 */
size_t gasnet_AMMaxMedium(void);      /* bytes */
size_t gasnet_AMMaxLongRequest(void); /* bytes */
size_t gasnet_AMMaxLongReply(void);   /* bytes */

/* Sets *srcindex to the sender of the message that the running handler serves. GASNET_OK. */
int gasnet_AMGetMsgSource(gasnet_token_t token, gasnet_node_t *srcindex);

int pst_am_request_short(
    gasnet_node_t dest, gasnet_handler_t h, unsigned nargs, const gasnet_handlerarg_t *args);
int pst_am_request_medium(gasnet_node_t dest, gasnet_handler_t h, const void *src, size_t nbytes,
    unsigned nargs, const gasnet_handlerarg_t *args);
int pst_am_request_long(gasnet_node_t dest, gasnet_handler_t h, const void *src, size_t nbytes,
    void *dest_addr, unsigned nargs, const gasnet_handlerarg_t *args);
int pst_am_request_longasync(gasnet_node_t dest, gasnet_handler_t h, const void *src, size_t nbytes,
    void *dest_addr, unsigned nargs, const gasnet_handlerarg_t *args);
int pst_am_reply_short(
    gasnet_token_t token, gasnet_handler_t h, unsigned nargs, const gasnet_handlerarg_t *args);
int pst_am_reply_medium(gasnet_token_t token, gasnet_handler_t h, const void *src, size_t nbytes,
    unsigned nargs, const gasnet_handlerarg_t *args);
int pst_am_reply_long(gasnet_token_t token, gasnet_handler_t h, const void *src, size_t nbytes,
    void *dest_addr, unsigned nargs, const gasnet_handlerarg_t *args);

/* numargs: how many arguments follow, each a gasnet_handlerarg_t (an int). */
int gasnet_AMRequestShort(gasnet_node_t dest, gasnet_handler_t h, int numargs, ...);
int gasnet_AMRequestMedium(
    gasnet_node_t dest, gasnet_handler_t h, const void *src, size_t nbytes, int numargs, ...);
int gasnet_AMRequestLong(gasnet_node_t dest, gasnet_handler_t h, const void *src, size_t nbytes,
    void *dest_addr, int numargs, ...);
int gasnet_AMRequestLongAsync(gasnet_node_t dest, gasnet_handler_t h, const void *src, size_t nbytes,
    void *dest_addr, int numargs, ...);
int gasnet_AMReplyShort(gasnet_token_t token, gasnet_handler_t h, int numargs, ...);
int gasnet_AMReplyMedium(
    gasnet_token_t token, gasnet_handler_t h, const void *src, size_t nbytes, int numargs, ...);
int gasnet_AMReplyLong(gasnet_token_t token, gasnet_handler_t h, const void *src, size_t nbytes,
    void *dest_addr, int numargs, ...);

/* The fixed-count calls, gasnet_AMRequestShort0 to gasnet_AMReplyLong16. PARAMS begins with a comma where it
 * is not empty. */
#define PST_AM_CALLS(M, PARAMS, ARRAY) \
  PST_INLINE int gasnet_AMRequestShort##M(gasnet_node_t dest, gasnet_handler_t h PARAMS) \
  { \
    ARRAY return pst_am_request_short(dest, h, M, pst_args); \
  } \
  PST_INLINE int gasnet_AMRequestMedium##M( \
      gasnet_node_t dest, gasnet_handler_t h, const void *src, size_t nbytes PARAMS) \
  { \
    ARRAY return pst_am_request_medium(dest, h, src, nbytes, M, pst_args); \
  } \
  PST_INLINE int gasnet_AMRequestLong##M( \
      gasnet_node_t dest, gasnet_handler_t h, const void *src, size_t nbytes, void *dest_addr PARAMS) \
  { \
    ARRAY return pst_am_request_long(dest, h, src, nbytes, dest_addr, M, pst_args); \
  } \
  PST_INLINE int gasnet_AMRequestLongAsync##M( \
      gasnet_node_t dest, gasnet_handler_t h, const void *src, size_t nbytes, void *dest_addr PARAMS) \
  { \
    ARRAY return pst_am_request_longasync(dest, h, src, nbytes, dest_addr, M, pst_args); \
  } \
  PST_INLINE int gasnet_AMReplyShort##M(gasnet_token_t token, gasnet_handler_t h PARAMS) \
  { \
    ARRAY return pst_am_reply_short(token, h, M, pst_args); \
  } \
  PST_INLINE int gasnet_AMReplyMedium##M( \
      gasnet_token_t token, gasnet_handler_t h, const void *src, size_t nbytes PARAMS) \
  { \
    ARRAY return pst_am_reply_medium(token, h, src, nbytes, M, pst_args); \
  } \
  PST_INLINE int gasnet_AMReplyLong##M( \
      gasnet_token_t token, gasnet_handler_t h, const void *src, size_t nbytes, void *dest_addr PARAMS) \
  { \
    ARRAY return pst_am_reply_long(token, h, src, nbytes, dest_addr, M, pst_args); \
  }

#define PST_NO_ARGS   const gasnet_handlerarg_t *const pst_args = 0;
#define PST_ARGS(...) const gasnet_handlerarg_t pst_args[] = {__VA_ARGS__};

#define PST_P1  , gasnet_handlerarg_t a0
#define PST_P2  PST_P1, gasnet_handlerarg_t a1
#define PST_P3  PST_P2, gasnet_handlerarg_t a2
#define PST_P4  PST_P3, gasnet_handlerarg_t a3
#define PST_P5  PST_P4, gasnet_handlerarg_t a4
#define PST_P6  PST_P5, gasnet_handlerarg_t a5
#define PST_P7  PST_P6, gasnet_handlerarg_t a6
#define PST_P8  PST_P7, gasnet_handlerarg_t a7
#define PST_P9  PST_P8, gasnet_handlerarg_t a8
#define PST_P10 PST_P9, gasnet_handlerarg_t a9
#define PST_P11 PST_P10, gasnet_handlerarg_t a10
#define PST_P12 PST_P11, gasnet_handlerarg_t a11
#define PST_P13 PST_P12, gasnet_handlerarg_t a12
#define PST_P14 PST_P13, gasnet_handlerarg_t a13
#define PST_P15 PST_P14, gasnet_handlerarg_t a14
#define PST_P16 PST_P15, gasnet_handlerarg_t a15

PST_AM_CALLS(0, , PST_NO_ARGS)
PST_AM_CALLS(1, PST_P1, PST_ARGS(a0))
PST_AM_CALLS(2, PST_P2, PST_ARGS(a0, a1))
PST_AM_CALLS(3, PST_P3, PST_ARGS(a0, a1, a2))
PST_AM_CALLS(4, PST_P4, PST_ARGS(a0, a1, a2, a3))
PST_AM_CALLS(5, PST_P5, PST_ARGS(a0, a1, a2, a3, a4))
PST_AM_CALLS(6, PST_P6, PST_ARGS(a0, a1, a2, a3, a4, a5))
PST_AM_CALLS(7, PST_P7, PST_ARGS(a0, a1, a2, a3, a4, a5, a6))
PST_AM_CALLS(8, PST_P8, PST_ARGS(a0, a1, a2, a3, a4, a5, a6, a7))
PST_AM_CALLS(9, PST_P9, PST_ARGS(a0, a1, a2, a3, a4, a5, a6, a7, a8))
PST_AM_CALLS(10, PST_P10, PST_ARGS(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9))
PST_AM_CALLS(11, PST_P11, PST_ARGS(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10))
PST_AM_CALLS(12, PST_P12, PST_ARGS(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11))
PST_AM_CALLS(13, PST_P13, PST_ARGS(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12))
PST_AM_CALLS(14, PST_P14, PST_ARGS(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13))
PST_AM_CALLS(15, PST_P15, PST_ARGS(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14))
PST_AM_CALLS(16, PST_P16, PST_ARGS(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15))

#undef PST_P1
#undef PST_P2
#undef PST_P3
#undef PST_P4
#undef PST_P5
#undef PST_P6
#undef PST_P7
#undef PST_P8
#undef PST_P9
#undef PST_P10
#undef PST_P11
#undef PST_P12
#undef PST_P13
#undef PST_P14
#undef PST_P15
#undef PST_P16
#undef PST_AM_CALLS
#undef PST_NO_ARGS
#undef PST_ARGS

#ifdef __cplusplus
}
#endif
#endif
