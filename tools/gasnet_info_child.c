/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/gasnet_info.h"
#include "tools/gasnet_info_out.h"

enum { PATIENCE = 30 }; /* seconds: libraries that look for devices take one or two */

static char ended[160];

/* An alarm ends whoever hangs. What it says goes to its standard error, a file here. */
static _Noreturn void be_child(int to, int said, void (*tell)(const void *), const void *context)
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

static char *read_all(int from)
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

/* Less the lines that are among its facts: a reason may have been given both ways. */
static void read_said(int from, const char *facts, char *to, size_t size)
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

static const char *how(int status)
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

static void wait_for(pid_t child, int from, int said, struct info_child *c)
{
  char *text = read_all(from);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  c->ended = how(status);
  read_said(said, c->ended ? NULL : text, c->said, sizeof c->said);
  if (!c->ended && text) info_insert(text);
  free(text);
}

static const char *impossible(void)
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
    c->ended = impossible();
    return;
  }
  said = memfd_create("gasnet_info", MFD_CLOEXEC);
  fflush(NULL);
  child = fork();
  if (child == 0) {
    close(pipe_of[0]);
    be_child(pipe_of[1], said, tell, context);
  }
  close(pipe_of[1]);
  if (child > 0) wait_for(child, pipe_of[0], said, c);
  else c->ended = impossible();
  close(pipe_of[0]);
  if (said >= 0) close(said);
}
