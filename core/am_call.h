/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Calling a handler with the number of arguments that its message brought.
 *
 * Arguments are 32 bits, but are passed as zero-extended 64-bit integers: on the ABIs served here an int
 * parameter reads the low half of the same register or stack slot, and a handler that declares a wider first
 * parameter finds zeros above. This is the one place that relies on the ABI instead of on C. */
#ifndef CORE_AM_CALL_H
#define CORE_AM_CALL_H
#include "core/conduit.h"
#include "core/handler.h"

typedef uint64_t pst_am_arg_t;
#define A(i) ((pst_am_arg_t)(uint32_t)args[i])

#define PST_T1  pst_am_arg_t
#define PST_T2  PST_T1, pst_am_arg_t
#define PST_T3  PST_T2, pst_am_arg_t
#define PST_T4  PST_T3, pst_am_arg_t
#define PST_T5  PST_T4, pst_am_arg_t
#define PST_T6  PST_T5, pst_am_arg_t
#define PST_T7  PST_T6, pst_am_arg_t
#define PST_T8  PST_T7, pst_am_arg_t
#define PST_T9  PST_T8, pst_am_arg_t
#define PST_T10 PST_T9, pst_am_arg_t
#define PST_T11 PST_T10, pst_am_arg_t
#define PST_T12 PST_T11, pst_am_arg_t
#define PST_T13 PST_T12, pst_am_arg_t
#define PST_T14 PST_T13, pst_am_arg_t
#define PST_T15 PST_T14, pst_am_arg_t
#define PST_T16 PST_T15, pst_am_arg_t
#define PST_A1  A(0)
#define PST_A2  PST_A1, A(1)
#define PST_A3  PST_A2, A(2)
#define PST_A4  PST_A3, A(3)
#define PST_A5  PST_A4, A(4)
#define PST_A6  PST_A5, A(5)
#define PST_A7  PST_A6, A(6)
#define PST_A8  PST_A7, A(7)
#define PST_A9  PST_A8, A(8)
#define PST_A10 PST_A9, A(9)
#define PST_A11 PST_A10, A(10)
#define PST_A12 PST_A11, A(11)
#define PST_A13 PST_A12, A(12)
#define PST_A14 PST_A13, A(13)
#define PST_A15 PST_A14, A(14)
#define PST_A16 PST_A15, A(15)

static inline void pst_am_call_short(
    pst_handler_fn fn, gasnet_token_t token, unsigned nargs, const gasnet_handlerarg_t *args)
{
  switch (nargs) {
  case 0: ((void (*)(gasnet_token_t))fn)(token); break;
  case 1: ((void (*)(gasnet_token_t, PST_T1))fn)(token, PST_A1); break;
  case 2: ((void (*)(gasnet_token_t, PST_T2))fn)(token, PST_A2); break;
  case 3: ((void (*)(gasnet_token_t, PST_T3))fn)(token, PST_A3); break;
  case 4: ((void (*)(gasnet_token_t, PST_T4))fn)(token, PST_A4); break;
  case 5: ((void (*)(gasnet_token_t, PST_T5))fn)(token, PST_A5); break;
  case 6: ((void (*)(gasnet_token_t, PST_T6))fn)(token, PST_A6); break;
  case 7: ((void (*)(gasnet_token_t, PST_T7))fn)(token, PST_A7); break;
  case 8: ((void (*)(gasnet_token_t, PST_T8))fn)(token, PST_A8); break;
  case 9: ((void (*)(gasnet_token_t, PST_T9))fn)(token, PST_A9); break;
  case 10: ((void (*)(gasnet_token_t, PST_T10))fn)(token, PST_A10); break;
  case 11: ((void (*)(gasnet_token_t, PST_T11))fn)(token, PST_A11); break;
  case 12: ((void (*)(gasnet_token_t, PST_T12))fn)(token, PST_A12); break;
  case 13: ((void (*)(gasnet_token_t, PST_T13))fn)(token, PST_A13); break;
  case 14: ((void (*)(gasnet_token_t, PST_T14))fn)(token, PST_A14); break;
  case 15: ((void (*)(gasnet_token_t, PST_T15))fn)(token, PST_A15); break;
  case 16: ((void (*)(gasnet_token_t, PST_T16))fn)(token, PST_A16); break;
  }
}

static inline void pst_am_call_payload(pst_handler_fn fn, gasnet_token_t token, const struct pst_arrival *a)
{
  void *const p = a->payload;
  const size_t n = a->nbytes;
  const gasnet_handlerarg_t *const args = a->args;
  switch (a->nargs) {
  case 0: ((void (*)(gasnet_token_t, void *, size_t))fn)(token, p, n); break;
  case 1: ((void (*)(gasnet_token_t, void *, size_t, PST_T1))fn)(token, p, n, PST_A1); break;
  case 2: ((void (*)(gasnet_token_t, void *, size_t, PST_T2))fn)(token, p, n, PST_A2); break;
  case 3: ((void (*)(gasnet_token_t, void *, size_t, PST_T3))fn)(token, p, n, PST_A3); break;
  case 4: ((void (*)(gasnet_token_t, void *, size_t, PST_T4))fn)(token, p, n, PST_A4); break;
  case 5: ((void (*)(gasnet_token_t, void *, size_t, PST_T5))fn)(token, p, n, PST_A5); break;
  case 6: ((void (*)(gasnet_token_t, void *, size_t, PST_T6))fn)(token, p, n, PST_A6); break;
  case 7: ((void (*)(gasnet_token_t, void *, size_t, PST_T7))fn)(token, p, n, PST_A7); break;
  case 8: ((void (*)(gasnet_token_t, void *, size_t, PST_T8))fn)(token, p, n, PST_A8); break;
  case 9: ((void (*)(gasnet_token_t, void *, size_t, PST_T9))fn)(token, p, n, PST_A9); break;
  case 10: ((void (*)(gasnet_token_t, void *, size_t, PST_T10))fn)(token, p, n, PST_A10); break;
  case 11: ((void (*)(gasnet_token_t, void *, size_t, PST_T11))fn)(token, p, n, PST_A11); break;
  case 12: ((void (*)(gasnet_token_t, void *, size_t, PST_T12))fn)(token, p, n, PST_A12); break;
  case 13: ((void (*)(gasnet_token_t, void *, size_t, PST_T13))fn)(token, p, n, PST_A13); break;
  case 14: ((void (*)(gasnet_token_t, void *, size_t, PST_T14))fn)(token, p, n, PST_A14); break;
  case 15: ((void (*)(gasnet_token_t, void *, size_t, PST_T15))fn)(token, p, n, PST_A15); break;
  case 16: ((void (*)(gasnet_token_t, void *, size_t, PST_T16))fn)(token, p, n, PST_A16); break;
  }
}

#undef PST_T1
#undef PST_A1
#undef PST_T2
#undef PST_A2
#undef PST_T3
#undef PST_A3
#undef PST_T4
#undef PST_A4
#undef PST_T5
#undef PST_A5
#undef PST_T6
#undef PST_A6
#undef PST_T7
#undef PST_A7
#undef PST_T8
#undef PST_A8
#undef PST_T9
#undef PST_A9
#undef PST_T10
#undef PST_A10
#undef PST_T11
#undef PST_A11
#undef PST_T12
#undef PST_A12
#undef PST_T13
#undef PST_A13
#undef PST_T14
#undef PST_A14
#undef PST_T15
#undef PST_A15
#undef PST_T16
#undef PST_A16
#undef A

#endif
