/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "launch/tools.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "launch/options.h"
#include "launch/variables.h"
#include "support/env.h"

static const char *wanted, *wanted_output;

void tools_take(const char *name, const char *output)
{
  if (wanted && strcmp(wanted, name) != 0)
    fail(EXIT_MISUSE, "--%s and --%s: a job has one tool", wanted, name);
  if (output && !*output) fail(EXIT_MISUSE, "--%s: needs a name for the output", name);
  wanted = name;
  wanted_output = output;
}

static void variable_set(const char *variable, const char *value)
{
  if (setenv(variable, value, 1) != 0) fail(1, "out of memory");
}

static int path_readable(const char *format, const char *dir, const char *tool, char *path, size_t size)
{
  const int n = snprintf(path, size, format, dir, tool);
  return n > 0 && (size_t)n < size && access(path, R_OK) == 0;
}

/* Where this program lies: beside it the library was installed, or in a build directory built. */
static void tool_find(const char *tool, char *path, size_t size)
{
  static const char *const places[] = {"%s/../lib/libpenstock-gasp-%s.so",
      "%s/../lib64/libpenstock-gasp-%s.so", "%s/../libpenstock-gasp-%s.so"};
  const char *dir = program_directory();
  for (unsigned i = 0; *dir && i < sizeof places / sizeof *places; i++)
    if (path_readable(places[i], dir, tool, path, size)) return;
  if (path_readable("%s/libpenstock-gasp-%s.so", PST_LIBDIR, tool, path, size)) return;
  if (strcmp(tool, "otf2") != 0)
    fail(1, "--%s: libpenstock-gasp-%s.so is neither in %s/../lib nor in %s", tool, tool, dir, PST_LIBDIR);
  fail(1,
      "--otf2: this installation was built without OTF2, or libpenstock-gasp-otf2.so is neither in %s/../lib "
      "nor in %s; "
      "install libotf2 (Debian: apt-get install libopen-trace-format2-dev) and configure --with-otf2",
      dir, PST_LIBDIR);
}

/* The processes may have another working directory. */
static void set_output(const char *output)
{
  char here[PATH_MAX], path[2 * PATH_MAX];
  if (*output == '/') {
    variable_set("GASNET_GASP_OUTPUT", output);
    return;
  }
  if (!getcwd(here, sizeof here)) fail(1, "cannot tell the working directory: %s", strerror(errno));
  if ((size_t)snprintf(path, sizeof path, "%s/%s", here, output) >= sizeof path)
    fail(1, "%s: the name is too long", output);
  variable_set("GASNET_GASP_OUTPUT", path);
}

/* By this the parts of one job's processes find together, on all hosts. */
static void name_job(void)
{
  char host[65] = "", name[128];
  struct timespec now;
  gethostname(host, sizeof host - 1);
  clock_gettime(CLOCK_REALTIME, &now);
  snprintf(name, sizeof name, "%s.%ld.%llx.%lx", host, (long)getpid(), (unsigned long long)now.tv_sec,
      now.tv_nsec);
  variable_set("PENSTOCK_GASP_JOB", name);
}

void tools_prepare(void)
{
  char path[PATH_MAX];
  if (wanted) {
    tool_find(wanted, path, sizeof path);
    char *plain = realpath(path, NULL); /* without the dots */
    variable_set("GASNET_GASP_TOOL", plain ? plain : path);
    free(plain);
  }
  if (wanted_output) set_output(wanted_output);
  if (pst_env_is_set(&pst_launch_env.gasp_tool)) name_job();
}
