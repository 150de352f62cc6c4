/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A process and its system: standard streams, signal handlers, limits, the end. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "gasnet_tools.h"
#include "support/error.h"

/* A closed or broken stream is no news to a process that is about to end; a full disk is. */
static void stream_flush(FILE *stream, const char *name)
{
  if (fflush(stream) != 0 && errno != EBADF && errno != EPIPE) pst_warn("cannot flush %s: %m", name);
}

void gasnett_flush_streams(void)
{
  stream_flush(stdout, "stdout");
  stream_flush(stderr, "stderr");
  /* fails harmlessly on pipes and terminals */
  fsync(STDOUT_FILENO);
  fsync(STDERR_FILENO);
}

void gasnett_close_streams(void)
{
  stream_flush(stdout, "stdout");
  stream_flush(stderr, "stderr");
  fclose(stdin);
  fclose(stdout);
  fclose(stderr);
}

void gasnett_killmyprocess(int exitcode) { _exit(exitcode); }

gasnett_sighandlerfn_t gasnett_reghandler(int sig, gasnett_sighandlerfn_t handler)
{
  struct sigaction mine, before;
  memset(&mine, 0, sizeof mine);
  mine.sa_handler = handler;
  mine.sa_flags = SA_RESTART;
  sigemptyset(&mine.sa_mask);
  if (sigaction(sig, &mine, &before) != 0) pst_fatal("cannot set a handler for signal %d: %m", sig);
  return before.sa_handler;
}

void gasnett_maximize_rlimit(int resource, const char *name)
{
  struct rlimit limit;
  if (getrlimit(resource, &limit) != 0) {
    pst_warn("cannot read the limit %s: %m", name);
    return;
  }
  if (limit.rlim_cur == limit.rlim_max) return;
  limit.rlim_cur = limit.rlim_max;
  if (setrlimit(resource, &limit) != 0) pst_warn("cannot raise the limit %s: %m", name);
}

void gasnett_maximize_rlimits(void)
{
  static const struct {
    int resource;
    const char *name;
  } all[] = {
      {RLIMIT_AS, "RLIMIT_AS"},
      {RLIMIT_DATA, "RLIMIT_DATA"},
      {RLIMIT_RSS, "RLIMIT_RSS"},
      {RLIMIT_STACK, "RLIMIT_STACK"},
      {RLIMIT_NOFILE, "RLIMIT_NOFILE"},
      {RLIMIT_MEMLOCK, "RLIMIT_MEMLOCK"},
  };
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
    gasnett_maximize_rlimit(all[i].resource, all[i].name);
}
