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

/* The fixed-count calls, gasnet_AMRequestShort0 to gasnet_AMReplyLong16. PST_EACHn(F) is F(0) to F(n - 1). */
#define PST_PARAMETER(I) , gasnet_handlerarg_t a##I
#define PST_ELEMENT(I)   a##I,

#define PST_EACH0(F)
#define PST_EACH1(F)  PST_EACH0(F) F(0)
#define PST_EACH2(F)  PST_EACH1(F) F(1)
#define PST_EACH3(F)  PST_EACH2(F) F(2)
#define PST_EACH4(F)  PST_EACH3(F) F(3)
#define PST_EACH5(F)  PST_EACH4(F) F(4)
#define PST_EACH6(F)  PST_EACH5(F) F(5)
#define PST_EACH7(F)  PST_EACH6(F) F(6)
#define PST_EACH8(F)  PST_EACH7(F) F(7)
#define PST_EACH9(F)  PST_EACH8(F) F(8)
#define PST_EACH10(F) PST_EACH9(F) F(9)
#define PST_EACH11(F) PST_EACH10(F) F(10)
#define PST_EACH12(F) PST_EACH11(F) F(11)
#define PST_EACH13(F) PST_EACH12(F) F(12)
#define PST_EACH14(F) PST_EACH13(F) F(13)
#define PST_EACH15(F) PST_EACH14(F) F(14)
#define PST_EACH16(F) PST_EACH15(F) F(15)

#define PST_ARGS(EACH)    const gasnet_handlerarg_t pst_args[] = {EACH(PST_ELEMENT)};
#define PST_NO_ARGS(EACH) const gasnet_handlerarg_t *const pst_args = 0;

/* SIDE is Request or Reply, and TO_T the type of what leads to the target. */
#define PST_AM_SIDE(SIDE, side, TO_T, M, EACH, ARRAY) \
  PST_INLINE int gasnet_AM##SIDE##Short##M(TO_T to, gasnet_handler_t h EACH(PST_PARAMETER)) \
  { \
    ARRAY(EACH) return pst_am_##side##_short(to, h, M, pst_args); \
  } \
  PST_INLINE int gasnet_AM##SIDE##Medium##M( \
      TO_T to, gasnet_handler_t h, const void *src, size_t nbytes EACH(PST_PARAMETER)) \
  { \
    ARRAY(EACH) return pst_am_##side##_medium(to, h, src, nbytes, M, pst_args); \
  } \
  PST_INLINE int gasnet_AM##SIDE##Long##M( \
      TO_T to, gasnet_handler_t h, const void *src, size_t nbytes, void *dest_addr EACH(PST_PARAMETER)) \
  { \
    ARRAY(EACH) return pst_am_##side##_long(to, h, src, nbytes, dest_addr, M, pst_args); \
  }

#define PST_AM_CALLS(M, EACH, ARRAY) \
  PST_AM_SIDE(Request, request, gasnet_node_t, M, EACH, ARRAY) \
  PST_AM_SIDE(Reply, reply, gasnet_token_t, M, EACH, ARRAY) \
  PST_INLINE int gasnet_AMRequestLongAsync##M(gasnet_node_t dest, gasnet_handler_t h, const void *src, \
      size_t nbytes, void *dest_addr EACH(PST_PARAMETER)) \
  { \
    ARRAY(EACH) return pst_am_request_longasync(dest, h, src, nbytes, dest_addr, M, pst_args); \
  }

PST_AM_CALLS(0, PST_EACH0, PST_NO_ARGS)
PST_AM_CALLS(1, PST_EACH1, PST_ARGS)
PST_AM_CALLS(2, PST_EACH2, PST_ARGS)
PST_AM_CALLS(3, PST_EACH3, PST_ARGS)
PST_AM_CALLS(4, PST_EACH4, PST_ARGS)
PST_AM_CALLS(5, PST_EACH5, PST_ARGS)
PST_AM_CALLS(6, PST_EACH6, PST_ARGS)
PST_AM_CALLS(7, PST_EACH7, PST_ARGS)
PST_AM_CALLS(8, PST_EACH8, PST_ARGS)
PST_AM_CALLS(9, PST_EACH9, PST_ARGS)
PST_AM_CALLS(10, PST_EACH10, PST_ARGS)
PST_AM_CALLS(11, PST_EACH11, PST_ARGS)
PST_AM_CALLS(12, PST_EACH12, PST_ARGS)
PST_AM_CALLS(13, PST_EACH13, PST_ARGS)
PST_AM_CALLS(14, PST_EACH14, PST_ARGS)
PST_AM_CALLS(15, PST_EACH15, PST_ARGS)
PST_AM_CALLS(16, PST_EACH16, PST_ARGS)

#undef PST_EACH0
#undef PST_EACH1
#undef PST_EACH2
#undef PST_EACH3
#undef PST_EACH4
#undef PST_EACH5
#undef PST_EACH6
#undef PST_EACH7
#undef PST_EACH8
#undef PST_EACH9
#undef PST_EACH10
#undef PST_EACH11
#undef PST_EACH12
#undef PST_EACH13
#undef PST_EACH14
#undef PST_EACH15
#undef PST_EACH16
#undef PST_PARAMETER
#undef PST_ELEMENT
#undef PST_ARGS
#undef PST_NO_ARGS
#undef PST_AM_SIDE
#undef PST_AM_CALLS

#ifdef __cplusplus
}
#endif
#endif
