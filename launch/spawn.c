/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "launch/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bootstrap/children.h"
#include "launch/options.h"
#include "launch/pipes.h"

enum verdict { FOUND, NOT_THERE, NOT_A_PROGRAM };

static enum verdict path_try(const char *path)
{
  struct stat st;
  if (stat(path, &st) != 0) return errno == EACCES ? NOT_A_PROGRAM : NOT_THERE;
  return S_ISREG(st.st_mode) && access(path, X_OK) == 0 ? FOUND : NOT_A_PROGRAM;
}

static char *path_join(const char *dir, size_t n, const char *program)
{
  char *path = NULL;
  if (asprintf(&path, "%.*s%s%s", (int)n, dir, n ? "/" : "./", program) < 0) fail(1, "out of memory");
  return path;
}

/* As in the shell, a candidate without permission does not end the search, but the message tells of it. */
static char *path_search(const char *program, enum verdict *worst)
{
  const char *dir = getenv("PATH");
  if (!dir) dir = "/usr/local/bin:/usr/bin:/bin";
  for (;; dir++) {
    size_t n = strcspn(dir, ":");
    char *path = path_join(dir, n, program);
    enum verdict v = path_try(path);
    if (v == FOUND) return path;
    if (v == NOT_A_PROGRAM) *worst = v;
    free(path);
    dir += n;
    if (!*dir) return NULL;
  }
}

char *spawn_find(const char *program)
{
  enum verdict v = NOT_THERE;
  char *path = NULL;
  if (strchr(program, '/')) {
    v = path_try(program);
    path = v == FOUND ? strdup(program) : NULL;
  } else if (*program) {
    path = path_search(program, &v);
  }
  if (path) return path;
  if (v == NOT_A_PROGRAM) fail(EXIT_NOT_EXECUTABLE, "'%s' is not an executable file", program);
  if (strchr(program, '/')) fail(EXIT_NOT_FOUND, "there is no program '%s'", program);
  fail(EXIT_NOT_FOUND, "there is no program '%s' in PATH; for one in this directory say ./%s", program,
      program);
}

/* Node 0 reads gasnetrun's input; with several readers it would be chance which of them gets a line. */
static void process_set_input(const struct spawn *s, unsigned rank)
{
  const int own = s->host->state->part.first + rank == 0;
  int fd = own ? s->input : open("/dev/null", O_RDONLY);
  if (fd == STDIN_FILENO) return;
  if (fd < 0 || dup2(fd, STDIN_FILENO) < 0) _exit(1);
  close(fd);
}

/* Only the first failure is reported: the others mostly fail alike. */
static _Noreturn void exec_failed(const struct spawn *s, _Atomic int *said)
{
  int code = errno == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE;
  if (!atomic_exchange(said, 1))
    dprintf(STDERR_FILENO, "gasnetrun: cannot execute '%s': %s\n", s->path, strerror(errno));
  _exit(code);
}

static _Noreturn void become_process(const struct spawn *s, unsigned rank, pid_t parent, _Atomic int *said)
{
  char launch[96];
  pst_children_begin(parent, &s->mask);
  pst_hostmem_describe(s->host, rank, launch);
  if (setenv(PST_LAUNCH_VARIABLE, launch, 1) != 0) _exit(1);
  process_set_input(s, rank);
  if (s->pipes) pipes_child(s->pipes, rank);
  execvp(s->path, s->program);
  exec_failed(s, said);
}

static _Noreturn void fail_to_spawn(const struct spawn *s, unsigned started)
{
  int cause = errno;
  pst_children_kill(s->pid, started);
  fail(1, "cannot start process %u of %u: %s; see ulimit -u", started, s->host->state->part.local,
      strerror(cause));
}

static void tell_started(const struct spawn *s, unsigned rank)
{
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  dprintf(STDERR_FILENO, "penstock: node %u of %u is process %ld on %s: %s\n", rank,
      s->host->state->part.nodes, (long)s->pid[rank], host, s->path);
}

void spawn_all(struct spawn *s)
{
  pid_t parent = getpid();
  _Atomic int *said = mmap(NULL, sizeof *said, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (said == MAP_FAILED) fail(1, "out of memory");
  for (unsigned i = 0; i < s->host->state->part.local; i++) {
    s->pid[i] = fork();
    if (s->pid[i] < 0) fail_to_spawn(s, i);
    if (s->pid[i] == 0) become_process(s, i, parent, said);
    if (s->verbose) tell_started(s, i);
  }
}
