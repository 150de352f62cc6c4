/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* How gasnet_info finds out: it reads files, and runs what may print, hang or crash in a process of
 * its own. */
#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/gasnet_info.h"
#include "tools/gasnet_info_out.h"

static void line_trim(char *line)
{
  size_t n = strlen(line);
  while (n && isspace((unsigned char)line[n - 1])) line[--n] = '\0';
}

int info_read(const char *path, char *line, int size)
{
  FILE *f = fopen(path, "re");
  const char *got;
  if (!f) return 0;
  got = fgets(line, size, f);
  fclose(f);
  if (!got) return 0;
  line_trim(line);
  return line[0] != '\0';
}

int info_read_in(const char *dir, const char *name, char *line, int size)
{
  char path[512];
  if (snprintf(path, sizeof path, "%s/%s", dir, name) >= (int)sizeof path) return 0;
  return info_read(path, line, size);
}

uint64_t info_read_number(const char *path, uint64_t none)
{
  char line[64], *end;
  unsigned long long n;
  if (!info_read(path, line, sizeof line) || !isdigit((unsigned char)line[0])) return none;
  n = strtoull(line, &end, 10);
  return *end ? none : n;
}

int info_read_named(const char *path, const char *name, char *value, int size)
{
  char line[1024];
  const size_t n = strlen(name);
  int found = 0;
  FILE *f = fopen(path, "re");
  if (!f) return 0;
  while (!found && fgets(line, sizeof line, f)) {
    if (strncmp(line, name, n) != 0 || !strchr(" \t:=", line[n])) continue;
    line_trim(line);
    snprintf(value, (size_t)size, "%s", line + n + strspn(line + n, " \t:="));
    found = 1;
  }
  fclose(f);
  return found;
}

static int is_program(const char *path)
{
  struct stat st;
  return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

int info_which(const char *program, char *path, int size)
{
  const char *dir = getenv("PATH");
  while (dir && *dir) {
    const size_t n = strcspn(dir, ":");
    if (snprintf(path, (size_t)size, "%.*s/%s", n ? (int)n : 1, n ? dir : ".", program) < size &&
        is_program(path))
      return 1;
    dir += n + (dir[n] == ':');
  }
  return 0;
}

/* ---- a process of its own ---- */

enum { PATIENCE = 30 }; /* seconds: libraries that look for devices take one or two */

static char ended[160];

/* An alarm ends the child where a library hangs. Its standard error is a file here. */
static _Noreturn void child_run(int to, int said, void (*tell)(const void *), const void *context)
{
  FILE *f = fdopen(to, "w");
  signal(SIGALRM, SIG_DFL);
  alarm(PATIENCE);
  if (said >= 0 && (dup2(said, STDERR_FILENO) < 0 || dup2(said, STDOUT_FILENO) < 0)) _exit(1);
  if (!f) _exit(1);
  info_divert(f, 0);
  tell(context);
  info_item(NULL, NULL);
  _exit(fflush(f) != 0);
}

static char *pipe_read(int from)
{
  char *text = NULL, piece[4096];
  size_t size;
  ssize_t n;
  FILE *f = open_memstream(&text, &size);
  if (!f) return NULL;
  while ((n = read(from, piece, sizeof piece)) > 0 || (n < 0 && errno == EINTR))
    if (n > 0) fwrite(piece, 1, (size_t)n, f);
  fclose(f);
  return text;
}

/* What the child wrote, without the lines that are among its facts: it may give a reason both ways. */
static void child_said(int from, const char *facts, char *to, size_t size)
{
  char all[4096];
  const ssize_t n = from < 0 ? 0 : pread(from, all, sizeof all - 1, 0);
  size_t used = 0;
  all[n > 0 ? n : 0] = '\0';
  for (char *rest = NULL, *line = strtok_r(all, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
    if (strncmp(line, "penstock: ", 10) == 0) line += 10;
    if (strncmp(line, "warning: ", 9) == 0) line += 9;
    if (used + strlen(line) + 2 <= size && !(facts && strstr(facts, line)))
      used += (size_t)sprintf(to + used, "%s\n", line);
  }
}

static const char *child_end(int status)
{
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return NULL;
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
    snprintf(ended, sizeof ended, "what looks for it did not end within %d seconds", PATIENCE);
  else if (WIFSIGNALED(status))
    snprintf(ended, sizeof ended, "what looks for it died of signal %d (%s)", WTERMSIG(status),
        strsignal(WTERMSIG(status)));
  else snprintf(ended, sizeof ended, "what looks for it ended with code %d", WEXITSTATUS(status));
  return ended;
}

static void child_wait(pid_t child, int from, int said, struct info_child *c)
{
  char *text = pipe_read(from);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  c->ended = child_end(status);
  child_said(said, c->ended ? NULL : text, c->said, sizeof c->said);
  if (!c->ended && text) info_insert(text);
  free(text);
}

static const char *child_impossible(void)
{
  snprintf(ended, sizeof ended, "no process can be made that looks for it: %s", strerror(errno));
  return ended;
}

void info_in_child(void (*tell)(const void *context), const void *context, struct info_child *c)
{
  int pipe_of[2], said;
  pid_t child;
  c->said[0] = '\0';
  if (pipe(pipe_of) != 0) {
    c->ended = child_impossible();
    return;
  }
  said = memfd_create("gasnet_info", MFD_CLOEXEC);
  fflush(NULL);
  child = fork();
  if (child == 0) {
    close(pipe_of[0]);
    child_run(pipe_of[1], said, tell, context);
  }
  close(pipe_of[1]);
  if (child > 0) child_wait(child, pipe_of[0], said, c);
  else c->ended = child_impossible();
  close(pipe_of[0]);
  if (said >= 0) close(said);
}
