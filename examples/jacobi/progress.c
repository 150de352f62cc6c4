/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* How far the run is: a bar on a terminal, elsewhere a line each tenth of the way if asked for. Nothing is
 * printed in the first second, so short runs stay quiet. */
#include "jacobi3d.h"
#include <unistd.h>

enum { WIDTH = 40 };
static const double quiet = 1.0, interval = 0.1; /* seconds: before the first, between two */

void progress_begin(struct progress *p, const char *what, long first, long total, bool asked)
{
  bool tty = isatty(STDERR_FILENO);
  *p = (struct progress){.what = what, .begin = now(), .first = first, .total = total, .tty = tty};
  p->on = gasnet_mynode() == 0 && (tty || asked);
}

static void draw(struct progress *p, long done, double left)
{
  char bar[WIDTH + 1];
  int full = (int)((double)done / (double)p->total * WIDTH);
  memset(bar, '.', WIDTH);
  memset(bar, '#', (size_t)full);
  bar[WIDTH] = 0;
  fprintf(stderr, "\r%s [%s] %3.0f %%, %.0f s left \033[K", p->what, bar,
      100.0 * (double)done / (double)p->total, left);
  p->drawn = true;
}

static void line(struct progress *p, long done, double left)
{
  long tenth = done * 10 / p->total;
  if (tenth == p->tenth) return;
  p->tenth = tenth;
  fprintf(stderr, "%s: %ld %%, %.0f s left\n", p->what, tenth * 10, left);
}

void progress_show(struct progress *p, long done)
{
  if (!p->on) return;
  double t = now();
  if (t - p->begin < quiet || t - p->shown < interval || done <= p->first) return;
  double left = (t - p->begin) / (double)(done - p->first) * (double)(p->total - done);
  p->shown = t;
  if (p->tty) draw(p, done, left);
  else line(p, done, left);
}

void progress_end(struct progress *p)
{
  if (p->drawn) fputs("\r\033[K", stderr);
}
