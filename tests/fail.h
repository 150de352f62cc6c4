/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* How parts of the launcher end a program that has no launcher's main. */
#ifndef TESTS_FAIL_H
#define TESTS_FAIL_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "launch/arguments.h"

void fail(int code, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  vfprintf(stderr, format, args);
  va_end(args);
  exit(code);
}

#endif
