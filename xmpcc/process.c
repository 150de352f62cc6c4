/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmpcc/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "xmpcc/memory.h"

/* ---- temporary files ---- */

/* A handler of signals reads these: an entry is whole before the count says that it is there. */
enum { TEMPORARIES_MOST = 4096 };
static char *temporary[TEMPORARIES_MOST];
static volatile sig_atomic_t temporaries;
static volatile sig_atomic_t process_child;

/* Directories come before what is in them. */
static void temporary_remove(void)
{
  while (temporaries > 0) {
    const char *path = temporary[--temporaries];
    if (unlink(path) != 0) rmdir(path);
  }
}

static void temporary_add(char *path)
{
  if (temporaries == TEMPORARIES_MOST) xmpcc_fatal("more than %d temporary files", TEMPORARIES_MOST);
  temporary[temporaries] = path;
  temporaries = temporaries + 1;
}

static char *temporary_directory(void)
{
  const char *base = getenv("TMPDIR");
  char *path;
  sigset_t all, before;
  if (!base || !*base) base = "/tmp";
  if (asprintf(&path, "%s/xmpcc.XXXXXX", base) < 0) exit(1);
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &before);
  const int made = mkdtemp(path) != NULL, error = errno;
  if (made) temporary_add(path);
  sigprocmask(SIG_SETMASK, &before, NULL);
  errno = error;
  if (!made) xmpcc_fatal("cannot make a directory in %s: %m", base);
  return path;
}

const char *temporary_path(const char *name)
{
  char *path;
  if (asprintf(&path, "%s/%s", temporary_directory(), name) < 0) exit(1);
  temporary_add(path);
  return path;
}

/* ---- signals ---- */

/* The compiler ends first, for it may be writing. */
static void process_stop(int number)
{
  const pid_t child = (pid_t)process_child;
  if (child > 0 && kill(child, number) == 0) waitpid(child, NULL, 0);
  temporary_remove();
  signal(number, SIG_DFL);
  raise(number);
}

void process_open(void)
{
  const int numbers[] = {SIGHUP, SIGINT, SIGTERM, SIGPIPE, SIGXCPU, SIGXFSZ};
  struct sigaction act = {.sa_handler = process_stop}, before;
  sigfillset(&act.sa_mask);
  atexit(temporary_remove);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
      sigaction(numbers[i], &act, NULL);
}

/* ---- commands ---- */

static int is_plain(const char *s)
{
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./=+,:@%-";
  return *s && s[strspn(s, plain)] == 0;
}

static void process_print(const struct words *w)
{
  for (size_t i = 0; i < w->count; i++) {
    if (i) putchar(' ');
    if (is_plain(w->word[i])) {
      fputs(w->word[i], stdout);
      continue;
    }
    putchar('\'');
    for (const char *p = w->word[i]; *p; p++)
      if (*p == '\'') fputs("'\\''", stdout);
      else putchar(*p);
    putchar('\'');
  }
  putchar('\n');
}

static void process_exec(const struct words *w, int out)
{
  if (out >= 0) dup2(out, STDOUT_FILENO), close(out);
  execvp(w->word[0], (char *const *)w->word);
  fprintf(stderr, "xmpcc: cannot run %s: %s; --cc=COMMAND or XMPCC_CC names another compiler\n", w->word[0],
      strerror(errno));
  _exit(127);
}

/* Signals wait until it is known which child there is. */
static void process_start(const struct words *w, int out)
{
  sigset_t all, before;
  fflush(NULL);
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &before);
  const pid_t child = fork();
  if (child == 0) {
    const int numbers[] = {SIGHUP, SIGINT, SIGTERM, SIGPIPE, SIGXCPU, SIGXFSZ};
    struct sigaction act;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
      if (sigaction(numbers[i], NULL, &act) == 0 && act.sa_handler == process_stop)
        signal(numbers[i], SIG_DFL);
    sigprocmask(SIG_SETMASK, &before, NULL);
    process_exec(w, out);
  }
  process_child = child;
  sigprocmask(SIG_SETMASK, &before, NULL);
  if (child < 0) xmpcc_fatal("cannot start %s: %m", w->word[0]);
}

static int process_wait(void)
{
  int status;
  while (waitpid((pid_t)process_child, &status, 0) < 0)
    if (errno != EINTR) xmpcc_fatal("cannot wait for the compiler: %m");
  process_child = 0;
  if (!WIFSIGNALED(status)) return WEXITSTATUS(status);
  fprintf(stderr, "xmpcc: the compiler was ended by signal %d (%s)\n", WTERMSIG(status),
      strsignal(WTERMSIG(status)));
  return 128 + WTERMSIG(status);
}

int process_run(const struct words *w, int show)
{
  if (show) return process_print(w), 0;
  process_start(w, -1);
  return process_wait();
}

char *process_read(const struct words *w, size_t *size, int *code)
{
  enum { STEP = 1 << 16 };
  int ends[2];
  char *text = NULL;
  size_t n = 0, capacity = 0;
  ssize_t got;
  if (pipe2(ends, O_CLOEXEC) != 0) xmpcc_fatal("no pipe to the compiler: %m");
  process_start(w, ends[1]);
  close(ends[1]);
  for (;;) {
    while (n + STEP + 1 > capacity) text = memory_grow(text, capacity, &capacity, 1);
    got = read(ends[0], text + n, STEP);
    if (got > 0) n += (size_t)got;
    else if (got == 0 || errno != EINTR) break;
  }
  close(ends[0]);
  *code = process_wait();
  text[n] = 0;
  *size = n;
  return text;
}
