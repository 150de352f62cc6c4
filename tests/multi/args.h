/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Argument lists of 0..16 for the active-message calls, written out by the preprocessor: every call has its
 * own name. */
#ifndef TESTS_MULTI_ARGS_H
#define TESTS_MULTI_ARGS_H

#define ARGS_EACH(X) \
  X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16)

/* Parameters that follow others. */
#define ARG_(i) , gasnet_handlerarg_t a##i
#define FORMAL0
#define FORMAL1  ARG_(0)
#define FORMAL2  FORMAL1 ARG_(1)
#define FORMAL3  FORMAL2 ARG_(2)
#define FORMAL4  FORMAL3 ARG_(3)
#define FORMAL5  FORMAL4 ARG_(4)
#define FORMAL6  FORMAL5 ARG_(5)
#define FORMAL7  FORMAL6 ARG_(6)
#define FORMAL8  FORMAL7 ARG_(7)
#define FORMAL9  FORMAL8 ARG_(8)
#define FORMAL10 FORMAL9 ARG_(9)
#define FORMAL11 FORMAL10 ARG_(10)
#define FORMAL12 FORMAL11 ARG_(11)
#define FORMAL13 FORMAL12 ARG_(12)
#define FORMAL14 FORMAL13 ARG_(13)
#define FORMAL15 FORMAL14 ARG_(14)
#define FORMAL16 FORMAL15 ARG_(15)

/* The same as values: a0, a1, ... */
#define NAMED0
#define NAMED1  , a0
#define NAMED2  NAMED1, a1
#define NAMED3  NAMED2, a2
#define NAMED4  NAMED3, a3
#define NAMED5  NAMED4, a4
#define NAMED6  NAMED5, a5
#define NAMED7  NAMED6, a6
#define NAMED8  NAMED7, a7
#define NAMED9  NAMED8, a8
#define NAMED10 NAMED9, a9
#define NAMED11 NAMED10, a10
#define NAMED12 NAMED11, a11
#define NAMED13 NAMED12, a12
#define NAMED14 NAMED13, a13
#define NAMED15 NAMED14, a14
#define NAMED16 NAMED15, a15

/* The same from an array `v`. */
#define ACTUAL0
#define ACTUAL1  , v[0]
#define ACTUAL2  ACTUAL1, v[1]
#define ACTUAL3  ACTUAL2, v[2]
#define ACTUAL4  ACTUAL3, v[3]
#define ACTUAL5  ACTUAL4, v[4]
#define ACTUAL6  ACTUAL5, v[5]
#define ACTUAL7  ACTUAL6, v[6]
#define ACTUAL8  ACTUAL7, v[7]
#define ACTUAL9  ACTUAL8, v[8]
#define ACTUAL10 ACTUAL9, v[9]
#define ACTUAL11 ACTUAL10, v[10]
#define ACTUAL12 ACTUAL11, v[11]
#define ACTUAL13 ACTUAL12, v[12]
#define ACTUAL14 ACTUAL13, v[13]
#define ACTUAL15 ACTUAL14, v[14]
#define ACTUAL16 ACTUAL15, v[15]

/* Expands an argument list before f, which may be a macro. */
#define CALL(f, ...) f(__VA_ARGS__)

#endif
