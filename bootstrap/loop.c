/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "bootstrap/loop.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "support/error.h"

#define SLICE 0.05 /* seconds of serving before signals are looked at again */

double pst_loop_now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int pst_loop_milliseconds(double until)
{
  const double rest = until - pst_loop_now();
  return rest <= 0 ? 0 : rest < 1000 ? (int)(rest * 1000) + 1 : 1000000;
}

static int loop_grow(struct pst_loop *l, unsigned room)
{
  struct pst_loop_fd **watch = realloc(l->watch, room * sizeof *watch);
  if (!watch) return PST_ERR_NOMEM;
  l->watch = watch;
  struct pollfd *polled = realloc(l->poll, (1 + room) * sizeof *polled);
  if (!polled) return PST_ERR_NOMEM;
  l->poll = polled;
  l->room = room;
  return PST_OK;
}

int pst_loop_open(struct pst_loop *l, int signals)
{
  *l = (struct pst_loop){0};
  if (loop_grow(l, 16) != PST_OK) {
    pst_loop_close(l);
    close(signals);
    return PST_ERR_NOMEM;
  }
  l->poll[0] = (struct pollfd){.fd = signals, .events = POLLIN};
  return PST_OK;
}

int pst_loop_signals(const struct pst_loop *l) { return l->poll[0].fd; }

int pst_loop_watch(struct pst_loop *l, struct pst_loop_fd *w)
{
  if (l->watches == l->room && loop_grow(l, 2 * l->room) != PST_OK) return PST_ERR_NOMEM;
  l->poll[1 + l->watches].revents = 0;
  l->watch[l->watches++] = w;
  return PST_OK;
}

void pst_loop_forget(struct pst_loop *l, const struct pst_loop_fd *w)
{
  for (unsigned i = 0; i < l->watches; i++)
    if (l->watch[i] == w) l->watch[i] = NULL;
}

/* Callbacks take descriptors off the list while it is served; this closes the gaps. */
static void loop_fill_holes(struct pst_loop *l)
{
  unsigned n = 0;
  for (unsigned i = 0; i < l->watches; i++) {
    struct pst_loop_fd *w = l->watch[i];
    if (!w) continue;
    l->watch[n++] = w;
    l->poll[n] = (struct pollfd){.fd = w->events ? w->fd : -1,
        .events = w->events}; /* else an unwanted POLLHUP would end every sleep */
  }
  l->watches = n;
}

void pst_loop_wait(struct pst_loop *l, double seconds)
{
  struct timespec t = {0, 0};
  if (seconds > 0 && seconds < HUGE_VAL) {
    t.tv_sec = (time_t)seconds;
    t.tv_nsec = (long)((seconds - (double)t.tv_sec) * 1e9);
  }
  loop_fill_holes(l);
  int n = ppoll(l->poll, 1 + l->watches, seconds < HUGE_VAL ? &t : NULL, NULL);
  if (n <= 0)
    for (unsigned i = 0; i <= l->watches; i++) l->poll[i].revents = 0;
  l->signalled = l->poll[0].revents != 0;
}

void pst_loop_serve(struct pst_loop *l)
{
  const unsigned n = l->watches; /* a descriptor that a callback adds has not been polled */
  const double until = pst_loop_now() + SLICE;
  for (unsigned k = 0; k < n; k++) {
    const unsigned i = (l->next + k) % n;
    struct pst_loop_fd *w = l->watch[i];
    if (!w || !l->poll[1 + i].revents) continue;
    l->poll[1 + i].revents = 0;
    if (!w->ready(w->fd, w->arg)) l->watch[i] = NULL;
    if (pst_loop_now() < until) continue;
    l->next = i + 1;
    return;
  }
}

int pst_loop_ready(const struct pst_loop *l)
{
  for (unsigned i = 0; i < l->watches; i++)
    if (l->watch[i] && l->poll[1 + i].revents) return 1;
  return 0;
}

void pst_loop_close(struct pst_loop *l)
{
  if (l->poll) close(l->poll[0].fd);
  free(l->watch);
  free(l->poll);
  *l = (struct pst_loop){0};
}
