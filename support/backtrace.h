/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The stack of the calling thread, in text. */
#ifndef SUPPORT_BACKTRACE_H
#define SUPPORT_BACKTRACE_H
/* Tries gasnett_backtrace_user, then gdb, then glibc's backtrace(). 0 when something was printed. */
int pst_backtrace(int fd);
#endif
