/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A pipeline: blocks of numbers pass through all nodes, each of which adds 1 to every number. Puts tell the
 * next node what has come, and an empty put tells the previous node that its place is free again: no barrier,
 * no handler, and no polling. */
#define GASNET_SEQ 1
#include "job.h"

enum { LENGTH = 4096, SLOTS = 4 };

static long blocks = 500;

/* At the beginning of every segment. */
struct stage {
  uint64_t arrived, freed; /* blocks that came here; places that came free at the next node */
  double slot[SLOTS][LENGTH];
};
static struct stage *stage(gasnet_node_t node) { return segment[node].addr; }

/* The next block, from the previous node; the first node makes it. */
static void take(uint64_t number, double *block)
{
  if (me == 0) {
    for (int i = 0; i < LENGTH; i++) block[i] = (double)(number * LENGTH) + i;
    return;
  }
  const gasnetx_notify_t is_free = {.kind = GASNETX_NOTIFY_ADD, .word = &stage(me - 1)->freed, .value = 1};
  gasnetx_wait_until(&stage(me)->arrived, GASNETX_GT, number); /* and its data with it */
  memcpy(block, stage(me)->slot[number % SLOTS], LENGTH * sizeof *block);
  gasnetx_put_notify_nbi_bulk(me - 1, NULL, NULL, 0, &is_free);
}

/* Passes the block to the next node, when its place there is free. */
static void pass(uint64_t number, double *block)
{
  struct stage *next = stage(me + 1);
  const gasnetx_notify_t has_come = {.kind = GASNETX_NOTIFY_ADD, .word = &next->arrived, .value = 1};
  if (number >= SLOTS) gasnetx_wait_until(&stage(me)->freed, GASNETX_GT, number - SLOTS);
  gasnetx_put_notify_bulk(me + 1, next->slot[number % SLOTS], block, LENGTH * sizeof *block, &has_come);
}

static void check(uint64_t number, const double *block)
{
  for (int i = 0; i < LENGTH; i++)
    if (block[i] != (double)(number * LENGTH) + i + (double)nodes) fail("a number is wrong");
}

int main(int argc, char **argv)
{
  static double block[LENGTH];
  static const struct option options[] = {
      {"blocks", &blocks, 1, 1000000, "blocks of 4096 numbers"}, {NULL, NULL, 0, 0, NULL}};
  join(argc, argv, "Sends blocks of numbers through all nodes, and checks what comes out.", options);
  attach(NULL, 0, sizeof(struct stage));
  stage(me)->arrived = stage(me)->freed = 0;
  gasnet_set_waitmode(GASNET_WAIT_BLOCK); /* a node that waits sleeps until its word changes */
  barrier();                              /* no put may come before the words are 0 */

  double start = now();
  for (uint64_t number = 0; number < (uint64_t)blocks; number++) {
    take(number, block);
    for (int i = 0; i < LENGTH; i++) block[i] += 1;
    if (me < nodes - 1) pass(number, block);
    else check(number, block);
  }
  gasnet_wait_syncnbi_puts();
  barrier(); /* no node has failed */
  double seconds = now() - start;
  if (me == 0) printf("%ld blocks through %d nodes: right\n", blocks, (int)nodes);
  if (me == 0) printf("%.3f us a block\n", seconds / (double)blocks * 1e6);
  gasnet_exit(0);
}
