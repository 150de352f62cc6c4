/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The stack of the calling thread, in text. */
#ifndef SUPPORT_BACKTRACE_H
#define SUPPORT_BACKTRACE_H
/* Prints it by gasnett_backtrace_user, else by glibc's backtrace() and then by gdb. 0: one did. */
int pst_backtrace(int fd);
#endif
