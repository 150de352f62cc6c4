/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "support/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/backtrace.h"
#include "support/env.h"
#include "support/freeze.h"
#include "support/variables.h"

/* One write of at most PIPE_BUF bytes cannot be torn apart by the other nodes' messages. */
#define MESSAGE_SIZE 4096

static const struct pst_error_row errors[] = {
    {PST_OK, "PST_OK", "no error"},
    {PST_ERR_AGAIN, "PST_ERR_AGAIN", "no room at the moment"},
    {PST_ERR_NOMEM, "PST_ERR_NOMEM", "out of memory, address space or file descriptors"},
    {PST_ERR_INVALID, "PST_ERR_INVALID", "malformed argument"},
    {PST_ERR_RANGE, "PST_ERR_RANGE", "value outside what is allowed"},
    {PST_ERR_SYSTEM, "PST_ERR_SYSTEM", "a call of the system or of a library failed"},
    {PST_ERR_UNSUPPORTED, "PST_ERR_UNSUPPORTED", "this machine or build cannot do it"},
    {0, "PST_ERR_(unknown)", "unknown error"},
};

void (*pst_error_hook)(int exitcode);

/* "node 3 of 8 (host): ", ready made because gethostname may not be called in a signal handler. */
static char identity[320];
static int identity_node = -1;

static atomic_int owner; /* thread id of the first thread in pst_fatal, 0 before */
static atomic_flag hook_called = ATOMIC_FLAG_INIT;

const char *pst_err_name(int err) { return PST_ERROR_FIND(errors, err)->name; }
const char *pst_err_text(int err) { return PST_ERROR_FIND(errors, err)->text; }

void pst_error_identity(int node, int nodes)
{
  char host[256];
  if (gethostname(host, sizeof host) != 0) strcpy(host, "unknown host");
  host[sizeof host - 1] = '\0';
  identity_node = node;
  snprintf(identity, sizeof identity, "node %d of %d (%s): ", node, nodes, host);
}

int pst_error_node(void) { return identity_node; }

static void write_all(const char *text, size_t n)
{
  while (n) {
    ssize_t done = write(STDERR_FILENO, text, n);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return; /* stderr is gone: nobody to tell */
    text += done;
    n -= (size_t)done;
  }
}

/* errno must still be the caller's: fmt may contain %m. */
static void message_write(const char *kind, const char *fmt, va_list args)
{
  char line[MESSAGE_SIZE];
  int cause = errno;
  int head = snprintf(line, sizeof line, "penstock: %s%s", identity, kind);
  errno = cause;
  size_t room = sizeof line - (size_t)head - 1; /* keep one for the newline */
  int body = vsnprintf(line + head, room, fmt, args);
  if (body < 0) body = 0;
  size_t n = (size_t)head + ((size_t)body < room ? (size_t)body : room - 1);
  line[n++] = '\n';
  write_all(line, n);
  errno = cause;
}

/* True for the one thread that is to report; the others wait for the process to end. A thread that
 * fails again while it reports (in the backtrace, in the hook) comes back with false at once. */
static int fatal_take_charge(void)
{
  int self = (int)gettid(), nobody = 0;
  if (atomic_compare_exchange_strong(&owner, &nobody, self)) return 1;
  while (nobody != self) pause();
  return 0;
}

static void fatal_report(const char *fmt, va_list args)
{
  int cause = errno;
  int first = fatal_take_charge();
  errno = cause;
  message_write("", fmt, args);
  if (!first) return;
  if (pst_env_is_true(&pst_support_env.backtrace)) pst_backtrace(STDERR_FILENO);
  if (pst_env_is_true(&pst_support_env.freeze_on_error)) pst_freeze("after a fatal error");
}

void pst_fatal(const char *fmt, ...)
{
  va_list args;
  va_start(args, fmt);
  fatal_report(fmt, args);
  va_end(args);
  if (pst_error_hook && !atomic_flag_test_and_set(&hook_called)) pst_error_hook(1);
  _exit(1);
}

void pst_warn(const char *fmt, ...)
{
  va_list args;
  va_start(args, fmt);
  message_write("warning: ", fmt, args);
  va_end(args);
}

void pst_say(const char *fmt, ...)
{
  va_list args;
  va_start(args, fmt);
  message_write("", fmt, args);
  va_end(args);
}

const char *pst_why(const char *fmt, ...)
{
  static char text[512];
  const int cause = errno;
  va_list args;
  va_start(args, fmt);
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  errno = cause;
  return text;
}

void gasnett_fatalerror(const char *fmt, ...)
{
  va_list args;
  va_start(args, fmt);
  fatal_report(fmt, args);
  va_end(args);
  abort();
}
