/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "support/backtrace.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#if defined(__has_include)
#if __has_include(<execinfo.h>)
#include <execinfo.h>
#define HAVE_EXECINFO 1
#endif
#endif

#include "gasnet_tools.h"
#include "support/env.h"
#include "support/error.h"
#include "support/variables.h"

#define MOST_FRAMES 128
#define GDB_SECONDS 20 /* symbols of a large program from a slow file system take a while */

/* Overridden by a client that defines it. */
__attribute__((weak)) gasnett_backtrace_type_t gasnett_backtrace_user = {NULL, NULL, 0};

static char program[4096];

/* argv[0] may be garbage: what the kernel says comes first. */
void gasnett_backtrace_init(const char *exename)
{
  ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
  if (n > 0) program[n] = '\0';
  else if (exename) snprintf(program, sizeof program, "%s", exename);
#ifdef HAVE_EXECINFO
  void *frame[1];
  backtrace(frame, 1); /* loads libgcc now: it cannot be loaded from a signal handler */
#endif
}

static int backtrace_by_libc(int fd)
{
#ifdef HAVE_EXECINFO
  void *frame[MOST_FRAMES];
  int n = backtrace(frame, MOST_FRAMES);
  if (n <= 0) return -1;
  backtrace_symbols_fd(frame, n, fd);
  return 0;
#else
  (void)fd;
  return -1;
#endif
}

static int gdb_find(char *path, size_t size)
{
  static const char *const places[] = {"/usr/bin/gdb", "/usr/local/bin/gdb", "/bin/gdb"};
  for (unsigned i = 0; i < sizeof places / sizeof *places; i++) {
    if (access(places[i], X_OK) != 0) continue;
    snprintf(path, size, "%s", places[i]);
    return 0;
  }
  return -1;
}

extern char **environ;

/* The environment without LD_PRELOAD: what is preloaded here is none of gdb's business. */
static void copy_environment(const char **copy, int most)
{
  int n = 0;
  for (char **e = environ; e && *e && n < most - 1; e++)
    if (strncmp(*e, "LD_PRELOAD=", 11) != 0) copy[n++] = *e;
  copy[n] = NULL;
}

/* Nothing in here takes a lock: the process may have stopped inside malloc. */
static void gdb_exec(const char *gdb, int fd, const int gate[2])
{
  const char *env[512];
  char pid[16], byte;
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  int null = open("/dev/null", O_RDWR);
  close(gate[1]);
  if (read(gate[0], &byte, 1) != 1) _exit(127); /* until the parent has allowed us to trace it, or is dead */
  snprintf(pid, sizeof pid, "%d", (int)getppid());
  dup2(fd, STDOUT_FILENO);
  dup2(null, STDIN_FILENO);
  dup2(null, STDERR_FILENO);
  copy_environment(env, 512);
  const char *args[] = {gdb, "-nx", "-batch", "-p", pid, "-ex", "thread apply all backtrace", NULL};
  execve(gdb, (char *const *)args, (char *const *)env);
  _exit(127);
}

static double seconds_now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int wait_for_gdb(pid_t child)
{
  struct timespec tick = {0, 5 * 1000 * 1000};
  double limit = seconds_now() + GDB_SECONDS;
  int status;
  for (;;) {
    pid_t got = waitpid(child, &status, WNOHANG);
    if (got == child) return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -1;
    if (got < 0 && errno != EINTR) return -1;
    if (seconds_now() > limit) break;
    nanosleep(&tick, NULL);
  }
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
  return -1;
}

/* gdb knows names and lines that backtrace() does not; where tracing is forbidden it fails and prints nothing
 * useful, so libc's stack is printed before it in any case. */
static int backtrace_by_gdb(int fd)
{
  char gdb[64];
  int gate[2];
  if (gdb_find(gdb, sizeof gdb) != 0 || pipe2(gate, O_CLOEXEC) != 0) return -1;
  /* fork() would wait for malloc's locks; some processors order the further arguments differently, and all
   * are 0 */
  pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, NULL, NULL, 0);
  if (child == 0) gdb_exec(gdb, fd, gate);
  int ok = -1;
  if (child > 0) {
#ifdef PR_SET_PTRACER
    prctl(PR_SET_PTRACER, (unsigned long)child, 0, 0, 0);
#endif
    if (write(gate[1], "", 1) == 1) ok = 0;
  }
  close(gate[0]);
  close(gate[1]);
  if (child > 0 && wait_for_gdb(child) != 0) ok = -1;
  return ok;
}

static int backtrace_by_client(int fd)
{
  return gasnett_backtrace_user.fnp ? gasnett_backtrace_user.fnp(fd) : -1;
}

int pst_backtrace(int fd)
{
  if (backtrace_by_client(fd) == 0) return 0;
  int plain = backtrace_by_libc(fd);
  int full = backtrace_by_gdb(fd);
  return plain == 0 || full == 0 ? 0 : -1;
}

int gasnett_print_backtrace(int fd) { return pst_backtrace(fd); }

int gasnett_print_backtrace_ifenabled(int fd)
{
  return pst_env_is_true(&pst_support_env.backtrace) ? pst_backtrace(fd) : -1;
}
