/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Internal error codes, and the one way to end the job with a message. */
#ifndef SUPPORT_ERROR_H
#define SUPPORT_ERROR_H

enum pst_err {
  PST_OK = 0,
  PST_ERR_AGAIN = -1,       /* no room now: make progress and repeat */
  PST_ERR_NOMEM = -2,       /* out of memory, address space or file descriptors */
  PST_ERR_INVALID = -3,     /* an argument or a text is malformed */
  PST_ERR_RANGE = -4,       /* well formed, but outside what is allowed */
  PST_ERR_SYSTEM = -5,      /* a system call failed; errno says how */
  PST_ERR_UNSUPPORTED = -6, /* this machine or build cannot */
};

/* Tables of codes. The last row is for codes that the others do not have. */
struct pst_error_row {
  int code;
  const char *name, *text;
};
static inline const struct pst_error_row *pst_error_find(
    const struct pst_error_row *table, int rows, int code)
{
  while (--rows && table->code != code) table++;
  return table;
}
#define PST_ERROR_FIND(table, code) pst_error_find(table, sizeof(table) / sizeof *(table), code)

const char *pst_err_name(int err); /* "PST_ERR_NOMEM"; never NULL */
const char *pst_err_text(int err); /* "out of memory ..."; never NULL */

/* Prints "penstock: node 3 of 8 (host): <text>" and a newline to stderr in one write, then
 * runs the diagnosis that the environment asks for (backtrace, freeze), then the hook, then
 * _exit(1). Before pst_error_identity() the node part is left out. Safe in signal handlers
 * as far as vsnprintf is. Only the first of several threads prints. */
_Noreturn void pst_fatal(const char *fmt, ...) __attribute__((format(printf, 1, 2), cold));
void pst_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2), cold));

/* Neither fatal nor a warning. */
void pst_say(const char *fmt, ...) __attribute__((format(printf, 1, 2), cold));

/* Says why something fails, to a caller that reports it. The text stays until the next call; errno stays. */
const char *pst_why(const char *fmt, ...) __attribute__((format(printf, 1, 2), cold));

void pst_error_identity(int node, int nodes);
int pst_error_node(void); /* as given to pst_error_identity; -1 before */
/* pst_fatal calls it once after the message: core's tells the supervisor of the exit. May not return. */
extern void (*pst_error_hook)(int exitcode);

/* gasnett_fatalerror: the same message and diagnosis, then abort() (public: gasnet_tools.h). */
_Noreturn void gasnett_fatalerror(const char *fmt, ...) __attribute__((format(printf, 1, 2), cold));

#endif
