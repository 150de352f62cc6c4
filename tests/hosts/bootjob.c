/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A job without a conduit, to test how jobs start and end: bootjob WHAT [ARGUMENT...]
 *   info                     prints a line for each node: its place, directory, and PENSTOCK_TEST
 *   exchange SEED ROUNDS     exchanges blobs of all sizes, checked by value, with fences in between
 *   lines COUNT              prints numbered lines, each tenth also to stderr; the last has no newline
 *   copy                     node 0 copies its input to its output
 *   exit NODE CODE           that node exits with that code, the others wait for ever
 *   die NODE                 that node kills itself, the others wait for ever
 *   signals                  prints "got N" for SIGUSR1, SIGTERM and SIGINT; the last two end it with 0
 *   wait                     waits for ever
 * Further arguments are marks by which tests find the processes. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bootstrap/boot.h"
#include "core/scratch.h"
#include "support/error.h"

static struct pst_start me;

static void leave(int code, void *unused)
{
  (void)unused;
  atomic_store(&me.hm.state->node[me.node - me.first].leaving, PST_LEAVING | (unsigned)(code & 255));
}

static void join_job(void)
{
  pst_scratch_reserve();
  pst_start(&me);
  pst_error_identity((int)me.node, (int)me.nodes);
  pst_boot_open(&me);
  atomic_store(&me.hm.state->node[me.node - me.first].pid, getpid());
  on_exit(leave, NULL);
  setvbuf(stdout, NULL, _IOFBF, 1 << 16);
}

static void wait_for_ever(void)
{
  for (;;) pause();
}

static void info(void)
{
  char here[4096];
  const char *variable = getenv("PENSTOCK_TEST");
  if (!getcwd(here, sizeof here)) pst_fatal("getcwd: %m");
  printf("node %u of %u, host %u of %u with %u from %u, in %s, PENSTOCK_TEST=%s\n", me.node, me.nodes,
      me.host, me.hosts, me.local, me.first, here, variable ? variable : "unset");
}

/* ---- exchange ---- */

static unsigned char expected(unsigned seed, unsigned round, unsigned node, size_t at)
{
  uint32_t x = seed * 2654435761u + round * 40503u + node * 69069u + (uint32_t)at * 1103515245u;
  x ^= x >> 15;
  return (unsigned char)(x * 2246822519u >> 24);
}

static size_t size_of(unsigned seed, unsigned round)
{
  static const size_t edges[] = {1, 8, 63, 64, 65, 4095, 4096};
  const unsigned count = sizeof edges / sizeof *edges;
  return round < count ? edges[round] : 1 + (seed * 7919u + round * 104729u) % PST_BOOT_MAX;
}

static void exchange_once(unsigned seed, unsigned round)
{
  enum { GUARD = 16 };
  const size_t size = size_of(seed, round), total = me.nodes * size;
  unsigned char mine[PST_BOOT_MAX], *all = malloc(total + 2 * GUARD);
  if (!all) pst_fatal("out of memory");
  memset(all, 0xa5, total + 2 * GUARD);
  for (size_t i = 0; i < size; i++) mine[i] = expected(seed, round, me.node, i);
  pst_boot_all(mine, size, all + GUARD);
  for (unsigned n = 0; n < me.nodes; n++)
    for (size_t i = 0; i < size; i++)
      if (all[GUARD + n * size + i] != expected(seed, round, n, i))
        pst_fatal("round %u, size %zu: byte %zu of node %u is wrong", round, size, i, n);
  for (unsigned i = 0; i < GUARD; i++)
    if (all[i] != 0xa5 || all[GUARD + total + i] != 0xa5)
      pst_fatal("round %u: a guard byte has changed", round);
  free(all);
}

static void exchange(unsigned seed, unsigned rounds)
{
  for (unsigned r = 0; r < rounds; r++) {
    exchange_once(seed, r);
    if (r % 3 == 0) pst_boot_fence();
  }
  printf("node %u: %u rounds ok\n", me.node, rounds);
}

/* ---- output, input, ends ---- */

static void lines(unsigned count)
{
  for (unsigned i = 0; i < count; i++) {
    printf("node %u line %u of some length, so that pipes fill up\n", me.node, i);
    if (i % 10 == 0) fprintf(stderr, "node %u error %u\n", me.node, i);
  }
  printf("node %u is done", me.node);
}

static void copy(void)
{
  static char buffer[10000];
  size_t n;
  if (me.node > 0) return;
  while ((n = fread(buffer, 1, sizeof buffer, stdin)) > 0)
    if (fwrite(buffer, 1, n, stdout) != n) pst_fatal("cannot write: %m");
}

static void got(int sig)
{
  char text[32];
  const int n = snprintf(text, sizeof text, "got %d\n", sig);
  if (write(STDOUT_FILENO, text, (size_t)n) != n) _exit(98);
  if (sig != SIGUSR1) exit(0);
}

static void signals(void)
{
  signal(SIGUSR1, got);
  signal(SIGTERM, got);
  signal(SIGINT, got);
  pst_boot_fence();
  if (me.node == 0) fprintf(stderr, "ready\n");
  wait_for_ever();
}

static unsigned number(int argc, char **argv, int i)
{
  if (i >= argc) pst_fatal("too few arguments");
  return (unsigned)strtoul(argv[i], NULL, 10);
}

int main(int argc, char **argv)
{
  const char *what = argc > 1 ? argv[1] : "";
  join_job();
  if (strcmp(what, "info") == 0) info();
  else if (strcmp(what, "exchange") == 0) exchange(number(argc, argv, 2), number(argc, argv, 3));
  else if (strcmp(what, "lines") == 0) lines(number(argc, argv, 2));
  else if (strcmp(what, "copy") == 0) copy();
  else if (strcmp(what, "signals") == 0) signals();
  else {
    pst_boot_fence();
    if (me.node == 0) fprintf(stderr, "ready\n");
    if (strcmp(what, "exit") == 0 && me.node == number(argc, argv, 2)) exit((int)number(argc, argv, 3));
    if (strcmp(what, "die") == 0 && me.node == number(argc, argv, 2)) raise(SIGKILL);
    wait_for_ever();
  }
  pst_boot_fence();
  return 0;
}
