/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What the tests of functions for UPC compilers share. As compiled UPC programs they include upc_compiler.h,
 * not upc_memory.h. */
#ifndef TESTS_UPC_COMPILER_H
#define TESTS_UPC_COMPILER_H

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <upc_compiler.h>

static int failures;
#define CHECK(cond) \
  do { \
    if (!(cond)) { \
      failures++; \
      printf("%d: %s:%d: %s\n", MYTHREAD, __FILE__, __LINE__, #cond); \
    } \
  } while (0)

#endif
