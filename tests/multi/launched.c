/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What only foreign launchers can get wrong: launched WAY. tests/check_mpirun.sh and others run it, and know
 * each way's result.
 *   places   each node says where it is, and writes to its neighbour's segment
 *   zero     node 0 leaves with code 0 while the others would stay for ever, with text that they have not
 *            flushed
 *   child    each node starts a program that is a job of its own
 *   wait     no node ends */
#include <unistd.h>

#include "common.h"

static const char *rank(void)
{
  const char *pmi = getenv("PMI_RANK"), *pmix = getenv("PMIX_RANK");
  return pmi ? pmi : pmix ? pmix : "none";
}

static void say_place(void)
{
  const gasnet_node_t next = peer_to(1), before = peer_from(1);
  uint32_t word = 0x5eed0000u + test.me;
  printf("node %u of %u is rank %s\n", (unsigned)test.me, (unsigned)test.nodes, rank());
  gasnet_put(next, seg_at(next, 64), &word, sizeof word);
  test_barrier();
  memcpy(&word, seg_at(test.me, 64), sizeof word);
  CHECK(word == 0x5eed0000u + before, "the neighbour has written %x", word);
}

/* A program that this process starts must not take part in this job. */
static void start_child(const char *self)
{
  char command[512], line[128];
  int right = 0;
  snprintf(command, sizeof command, "exec %s places", self);
  FILE *f = popen(command, "r");
  REQUIRE(f, "cannot start a program");
  while (fgets(line, sizeof line, f)) right += strncmp(line, "node 0 of 1 ", 12) == 0;
  CHECK(pclose(f) == 0 && right == 1, "the program that was started is no job of its own");
}

int main(int argc, char **argv)
{
  const char *way = argc > 1 ? argv[1] : "";
  int one = 1;
  test_start("launched", &one, &argv, NULL, 0, GASNET_PAGESIZE);
  test_barrier();
  if (strcmp(way, "places") == 0) say_place();
  if (strcmp(way, "child") == 0) start_child(argv[0]);
  if (strcmp(way, "zero") == 0) {
    if (test.me == 0) gasnet_exit(0);
    printf("kept by %u\n", (unsigned)test.me);
    for (;;) pause();
  }
  if (strcmp(way, "wait") == 0) {
    fprintf(stderr, "waiting\n");
    for (;;) pause();
  }
  test_finish();
}
