/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Unusual ways to leave a job: leaving WAY. tests/check_leaving.sh runs it and knows each way's result. */
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"

static void exit_again(void) { gasnet_exit(5); }
static void hang(void)
{
  for (;;) pause();
}

/* An exit handler that was registered before gasnet_init runs after the library's own. */
static void before_init(const char *way)
{
  if (strcmp(way, "atexit") == 0) atexit(exit_again);
  if (strcmp(way, "hung") == 0) atexit(hang);
}

/* A client's helper process, which ends by exit() as after a failed exec. */
static void fork_helper(void)
{
  const pid_t child = fork();
  int status;
  REQUIRE(child >= 0, "fork failed");
  if (child == 0) exit(127);
  REQUIRE(
      waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 127, "the helper ended with %d", status);
}

/* More than a pipe holds, all of it in stdio's buffer when the node leaves. */
static void print_much(void)
{
  static char buffer[1 << 20];
  setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
  for (int i = 0; i < 10000; i++)
    printf("line %05d of a text that is long enough to fill a pipe several times over\n", i);
}

static void on_signal(int sig) { gasnet_exit(sig == SIGUSR1 ? 9 : 1); }

int main(int argc, char **argv)
{
  const char *way = argc > 1 ? argv[1] : "";
  int one = 1;
  before_init(way);
  test_start("leaving", &one, &argv, NULL, 0, GASNET_PAGESIZE);
  gasnet_barrier(0, GASNET_BARRIERFLAG_ANONYMOUS);
  if (strcmp(way, "atexit") == 0) return 5;
  if (strcmp(way, "hung") == 0) {
    if (test.me == 0) exit(3);
    hang();
  }
  if (strcmp(way, "fork") == 0) {
    if (test.me == test.nodes - 1) fork_helper();
    return 0;
  }
  if (strcmp(way, "output") == 0) {
    if (test.me == 0) { print_much(); }
    gasnet_exit(7);
  }
  if (strcmp(way, "signal") == 0) {
    signal(SIGUSR1, on_signal);
    gasnet_barrier(0, GASNET_BARRIERFLAG_ANONYMOUS);
    if (test.me == test.nodes - 1) raise(SIGUSR1);
    hang();
  }
  fprintf(stderr, "leaving: which way? atexit, hung, fork, output or signal\n");
  return 2;
}
