/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The frame of the programs that break rules of gasnet.h, gasnet_vis.h and gasnetx.h, one case a run. Without
 * --case: legal edge cases, which must pass in every build. */
#ifndef TESTS_MULTI_MISUSE_H
#define TESTS_MULTI_MISUSE_H
#include "common.h"
#include <gasnetx.h>
#include <unistd.h>

#include "../misuse.h"

enum { H_RUN = 128, H_FURTHER };
#define SEGMENT GASNET_PAGESIZE

static gasnet_node_t other;
static char *far_begin, *far_end UNUSED; /* the other node's segment */
static char data[4 * SEGMENT] __attribute__((aligned(8)));

static volatile unsigned handled;
static void (*in_handler)(void);
static gasnet_token_t token; /* of the handler that runs */

static void on_run(gasnet_token_t t)
{
  token = t;
  if (in_handler) in_handler();
  handled++;
}

UNUSED static void run_in_handler(void (*what)(void))
{
  in_handler = what;
  gasnet_AMRequestShort0(test.me, H_RUN);
  GASNET_BLOCKUNTIL(handled);
}

static void __attribute__((noreturn)) misuse_run(const struct misuse *one)
{
#ifndef GASNET_DEBUG
  const char *conduit = getenv("GASNET_CONDUIT");
  const int checked = one->kind & OFI && conduit && strcmp(conduit, "ofi") == 0;
  if (one->kind & DEBUG && !checked) {
    if (test.me == 0) fprintf(stderr, "skip: %s: only builds with --enable-debug check it\n", one->name);
    gasnet_exit(77);
  }
#endif
  if (!(one->kind & EARLY)) gasnet_set_waitmode(GASNET_WAIT_BLOCK);
  if (test.me == 0 || one->kind & BOTH) one->run();
  if (test.me == 0) {
    fprintf(stderr, "FAIL %s %s: nothing said that it is forbidden\n", test.name, one->name);
    gasnet_exit(1);
  }
  while (one->kind & EARLY) pause();
  if (one->kind & JOINED) test_barrier();
  GASNET_BLOCKUNTIL(0); /* serves what node 0 asks, until the job ends */
  abort();
}

static void misuse_main(const char *name, int *argc, char ***argv, const struct misuse *one,
    void (*legal)(void), gasnet_handlerentry_t *table, int entries)
{
  test_init(name, argc, argv);
  test_no_more_options(*argc, *argv);
  if (one && one->kind & EARLY) misuse_run(one);
  test_attach(table, entries, SEGMENT);
  REQUIRE(test.nodes <= 2, "at most two nodes");
  other = peer_to(1);
  far_begin = seg_at(other, 0);
  far_end = seg_at(other, SEGMENT);
  test_barrier();
  if (one) misuse_run(one);
  legal();
  test_finish();
}

#endif
