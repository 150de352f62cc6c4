/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "bench/control/progress.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "bench/control/job.h"
#include "bench/control/units.h"

enum { BAR = 24 };
static struct {
  int open;
  unsigned points, done;
  double seconds, start;
  char doing[160];
} now;

static unsigned terminal_columns(void)
{
  struct winsize w;
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 20 ? w.ws_col : 80;
}

/* Seconds left, by the time so far; in the first tenth of the run as planned. */
static double seconds_left(void)
{
  const double planned = now.seconds * (now.points - now.done), passed = seconds_now() - now.start;
  if (now.done * 10 < now.points) return planned;
  return passed / now.done * (now.points - now.done);
}

static void bar_draw(void)
{
  char line[512], bar[BAR + 1];
  const unsigned full = now.points ? now.done * BAR / now.points : 0, most = terminal_columns() - 1;
  if (!now.open) return;
  memset(bar, '.', BAR);
  memset(bar, '#', full);
  bar[BAR] = '\0';
  snprintf(line, sizeof line, "[%s] %3u %%  about %.0f s left  %s", bar,
      now.points ? now.done * 100 / now.points : 0, seconds_left(), now.doing);
  fprintf(stderr, "\r\033[K%.*s", (int)most, line);
  fflush(stderr);
}

void progress_open(unsigned points, double seconds)
{
  now.open = isatty(STDERR_FILENO);
  now.points = points;
  now.seconds = seconds;
  now.start = seconds_now();
  bar_draw();
}

void progress_doing(const struct result *r)
{
  char point[VALUE_MOST];
  const int lone = r->points == BENCH_ONE;
  snprintf(
      now.doing, sizeof now.doing, "%s %s%s", r->test, lone ? "" : point_text(r, point), lone ? "" : " ");
  if (r->points != BENCH_NODES)
    snprintf(now.doing + strlen(now.doing), sizeof now.doing - strlen(now.doing), "on %u nodes ", r->nodes);
  snprintf(now.doing + strlen(now.doing), sizeof now.doing - strlen(now.doing), "by %s", r->conduit);
  bar_draw();
}

void progress_at(unsigned done)
{
  now.done = done;
  bar_draw();
}

void progress_clear(void)
{
  if (now.open) fprintf(stderr, "\r\033[K");
}

void progress_close(void)
{
  progress_clear();
  now.open = 0;
}
