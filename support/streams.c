/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The ends of a process: its standard streams, and leaving at once. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "gasnet_tools.h"
#include "support/error.h"

/* A closed or broken stream is no news to a process that is about to end; a full disk is. */
static void flush(FILE *stream, const char *name)
{
  if (fflush(stream) != 0 && errno != EBADF && errno != EPIPE) pst_warn("cannot flush %s: %m", name);
}

void gasnett_flush_streams(void)
{
  flush(stdout, "stdout");
  flush(stderr, "stderr");
  /* fails harmlessly on pipes and terminals */
  fsync(STDOUT_FILENO);
  fsync(STDERR_FILENO);
}

void gasnett_close_streams(void)
{
  flush(stdout, "stdout");
  flush(stderr, "stderr");
  fclose(stdin);
  fclose(stdout);
  fclose(stderr);
}

void gasnett_killmyprocess(int exitcode) { _exit(exitcode); }
