/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A client's handler for SIGQUIT: quit WAY WHEN [SECONDS]. tests/check_quit.sh runs it and knows each result.
 *   exit, return   the last node leaves with 3   zero      it leaves with 0
 *   abort          it crashes                    term, int it gets that signal
 *   late           it leaves with 3 while the others poll, and the handler of each takes SECONDS
 *   stuck          it gets SIGTERM, and the handler never ends
 *   returns        it leaves with 3, and the handlers return
 *   wait           no node does anything
 *   output         text in stdio's buffer, and SIGTERM or SIGINT from outside
 *   locked         likewise, and a thread that holds stdio's lock for ever
 * WHEN: before or after (installed before gasnet_init or after gasnet_attach), never (no handler). Each
 * handler says "handler of N". */
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "common.h"

static double seconds;
static int returns, stuck;
static volatile sig_atomic_t me = -1;

static void sleep_for(double s)
{
  struct timespec t = {(time_t)s, (long)((s - (double)(time_t)s) * 1e9)};
  while (nanosleep(&t, &t) != 0) {}
}

static void on_quit(int sig)
{
  char text[] = "handler of ?\n", end[] = "cleaned by ?\n";
  (void)sig;
  text[11] = end[11] = (char)('0' + me);
  if (write(STDERR_FILENO, text, sizeof text - 1) < 0) return;
  while (stuck) pause();
  if (returns) return;
  sleep_for(seconds);
  if (write(STDERR_FILENO, end, sizeof end - 1) < 0) return;
  gasnet_exit(4);
}

static void leave_so(const char *way)
{
  if (strcmp(way, "exit") == 0 || strcmp(way, "late") == 0 || strcmp(way, "returns") == 0) gasnet_exit(3);
  if (strcmp(way, "return") == 0) exit(3);
  if (strcmp(way, "zero") == 0) gasnet_exit(0);
  if (strcmp(way, "abort") == 0) abort();
  if (strcmp(way, "term") == 0 || strcmp(way, "stuck") == 0) kill(getpid(), SIGTERM);
  if (strcmp(way, "int") == 0) kill(getpid(), SIGINT);
}

static void *hold_stdio(void *unused)
{
  (void)unused;
  flockfile(stdout);
  if (write(STDERR_FILENO, "ready\n", 6) < 0) return NULL;
  for (;;) pause();
}

static void keep_text(const char *way)
{
  pthread_t t;
  printf("kept by %u\n", (unsigned)test.me);
  test_barrier();
  if (strcmp(way, "locked") == 0 && pthread_create(&t, NULL, hold_stdio, NULL) != 0) gasnet_exit(1);
}

int main(int argc, char **argv)
{
  const char *way = argc > 1 ? argv[1] : "", *when = argc > 2 ? argv[2] : "";
  int one = 1;
  seconds = argc > 3 ? atof(argv[3]) : 0;
  returns = strcmp(way, "returns") == 0;
  stuck = strcmp(way, "stuck") == 0;
  if (strcmp(when, "before") == 0) signal(SIGQUIT, on_quit);
  test_start("quit", &one, &argv, NULL, 0, GASNET_PAGESIZE);
  me = (int)test.me;
  if (strcmp(when, "after") == 0) signal(SIGQUIT, on_quit);
  if (strcmp(way, "output") == 0 || strcmp(way, "locked") == 0) keep_text(way);
  test_barrier();
  if (strcmp(way, "locked") != 0) fprintf(stderr, "ready\n");
  test_barrier();
  if (test.me == test.nodes - 1) leave_so(way);
  for (;;) gasnet_AMPoll();
}
