/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The host, the process and its end: facts, signals, streams, errors, backtraces (README-tools, "Misc"). */
#ifndef PENSTOCK_TOOLS_HOST_H
#define PENSTOCK_TOOLS_HOST_H
#include "penstock/platform.h"
PST_BEGIN_C

int gasnett_cpu_count(void);                         /* processors on line; at least 1 */
uint64_t gasnett_getPhysMemSz(int failure_is_fatal); /* bytes of memory; 0 when unknown */
const char *gasnett_gethostname(void);               /* the library owns it */
const char *gasnett_exe_name(void); /* the path of the running program; the library owns it */

/* The release whose interface the library offers: MAJOR * 1000000 + MINOR * 1000 + PATCH, and
 * "MAJOR.MINOR.PATCH". */
unsigned gasnett_release_version(void);
const char *gasnett_release_version_str(void);

/* Sleeps at least that long, even if signals arrive. 0, or an errno value. */
int gasnett_nsleep(uint64_t nanoseconds);

/* Binds the process to one of the processors that it may use: the rank-th, modulo their number. */
void gasnett_set_affinity(int rank);
void gasnett_sched_yield(void);
int gasnett_isLittleEndian(void);

/* Raise the soft limits of memory, stack, core size and open files as far as allowed; or one (RLIMIT_x). */
void gasnett_maximize_rlimits(void);
void gasnett_maximize_rlimit(int resource, const char *name);

void gasnett_flush_streams(void); /* stdout and stderr, down to the file system */
void gasnett_close_streams(void); /* flushes and closes stdin, stdout and stderr */

/* Prints a message as printf does, then the diagnosis that the environment asks for, then calls abort(). */
void gasnett_fatalerror(const char *format, ...) __attribute__((noreturn, cold)) PST_PRINTF(1, 2);
#define gasnett_fatalerror_nopos gasnett_fatalerror
/* Ends this process at once, without exit handlers or flushing. */
void gasnett_killmyprocess(int exitcode) __attribute__((noreturn));

/* "function file:line", in a buffer of this thread that is used again after a few calls. */
const char *pst_current_loc(const char *function, const char *file, int line);
#define gasnett_current_loc pst_current_loc(__func__, __FILE__, __LINE__)

typedef void (*gasnett_sighandlerfn_t)(int);
/* Returns the previous handler. Fatal for a signal that cannot be caught. */
gasnett_sighandlerfn_t gasnett_reghandler(int sig, gasnett_sighandlerfn_t handler);

/* A hash of the bytes that shows accidental changes; the same on all machines. */
uint64_t gasnett_checksum(const void *data, size_t nbytes);

/* How many bytes are zero: of a value, of memory, of memory while it is copied. */
int gasnett_count0s_uint32_t(uint32_t v);
int gasnett_count0s_uint64_t(uint64_t v);
int gasnett_count0s_uintptr_t(uintptr_t v);
size_t gasnett_count0s(const void *src, size_t nbytes);
size_t gasnett_count0s_copy(void *dst, const void *src, size_t nbytes);

/* Print the calling thread's stack to fd; 0 when something was printed. _ifenabled: only with
 * GASNET_BACKTRACE. init takes the program's path (argv[0]); then the others may be called in signal
 * handlers. */
void gasnett_backtrace_init(const char *exename);
int gasnett_print_backtrace(int fd);
int gasnett_print_backtrace_ifenabled(int fd);

/* A client may define this, with an initialiser: fnp is called first, and returns 0 when it printed a
 * stack. */
typedef struct {
  const char *name;
  int (*fnp)(int fd);
  int threadsupport;
} gasnett_backtrace_type_t;
extern gasnett_backtrace_type_t gasnett_backtrace_user;

/* Sets *flag, says so, and waits until a debugger clears it. Err: only with GASNET_FREEZE_ON_ERROR. */
void gasnett_freezeForDebuggerNow(volatile int *flag, const char *flagname);
void gasnett_freezeForDebuggerErr(void);

/* Why this program is not as fast as it could be, or "". */
PST_INLINE const char *gasnett_performance_warning_str(void)
{
#if defined(GASNET_DEBUG)
  return "        debugging checks\n";
#elif !defined(__OPTIMIZE__)
  return "        compiled without optimisation\n";
#else
  return "";
#endif
}

PST_END_C
#endif
