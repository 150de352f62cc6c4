/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Tasks that take very different times. Each node has as many, and a counter that says which of them is the
 * next. A node takes a task by adding 1 to the counter: the old value says which task it got. A node without
 * tasks of its own takes those of others in the same way. With --steal 0 it does not, for comparison.
 *
 * A task counts the primes among 100 numbers by division, which takes longer the larger they are; the last
 * node has the largest. */
#define GASNET_SEQ 1
#include "job.h"

enum { WIDTH = 100 };

/* At the beginning of each segment. */
struct queue {
  uint64_t next;
  uint64_t result[]; /* [tasks] */
};

static long tasks = 2000, steal = 1; /* tasks of each node */

static struct queue *queue(gasnet_node_t node) { return segment[node].addr; }
static long first_number(gasnet_node_t owner, uint64_t task)
{
  return ((long)owner * tasks + (long)task) * WIDTH;
}

static int is_prime(long x)
{
  for (long d = 2; d * d <= x; d++)
    if (x % d == 0) return 0;
  return x > 1;
}

/* Others may be asking this node for tasks by messages, where they share no memory with it: it serves them in
 * between. */
static uint64_t work(long first)
{
  uint64_t primes = 0;
  for (long i = 0; i < WIDTH; i++) {
    primes += (uint64_t)is_prime(first + i);
    if (i % 10 == 0) gasnet_AMPoll();
  }
  return primes;
}

/* The result is added, not put: a task that was done twice would show. */
static long take_tasks(gasnet_node_t owner)
{
  struct queue *q = queue(owner);
  long taken = 0;
  for (;;) {
    uint64_t task = gasnetx_atomic64(GASNETX_ADD, owner, &q->next, 1, 0);
    if (task >= (uint64_t)tasks) return taken;
    gasnetx_atomic64_nbi(GASNETX_ADD, owner, &q->result[task], work(first_number(owner, task)));
    taken++;
  }
}

/* How many of other nodes' tasks this one has done. */
static long take_all(void)
{
  long stolen = 0;
  take_tasks(me);
  for (gasnet_node_t i = 1; i < nodes && steal; i++) stolen += take_tasks((me + i) % nodes);
  gasnet_wait_syncnbi_puts(); /* my results have arrived */
  return stolen;
}

/* Finds primes in another way: numbers that are no multiples. */
static void check(void)
{
  const size_t end = (size_t)first_number(me + 1, 0);
  char *multiple = room(end, 1);
  multiple[0] = multiple[1] = 1;
  for (size_t d = 2; d * d < end; d++)
    for (size_t m = d * d; m < end; m += d) multiple[m] = 1;
  for (long task = 0; task < tasks; task++) {
    uint64_t primes = 0;
    for (long i = 0; i < WIDTH; i++) primes += !multiple[first_number(me, (uint64_t)task) + i];
    if (queue(me)->result[task] != primes)
      fail("task %ld has %ld primes instead of %ld", task, (long)queue(me)->result[task], (long)primes);
  }
  free(multiple);
}

int main(int argc, char **argv)
{
  static const struct option options[] = {{"tasks", &tasks, 1, 10000, "tasks of each node"},
      {"steal", &steal, 0, 1, "0: each node does its own tasks alone"}, {NULL, NULL, 0, 0, NULL}};
  join(argc, argv,
      "Does uneven tasks that all nodes take from each other, and checks that each was done once.", options);
  const size_t bytes = sizeof(struct queue) + (size_t)tasks * sizeof(uint64_t);
  attach(NULL, 0, bytes);
  memset(queue(me), 0, bytes);
  barrier(); /* no node may take a task before */

  double start = now();
  long stolen = take_all();
  double busy = now() - start;
  barrier(); /* all tasks are done */
  double seconds = now() - start;
  check();
  stolen = total(stolen);
  double work_share = (double)total((long)(busy * 1e9)) * 1e-9 / nodes / seconds;
  barrier(); /* no node has failed */
  if (me == 0) printf("%ld tasks on %d nodes: each done once, right\n", tasks * (long)nodes, (int)nodes);
  if (me == 0)
    printf("%.3f ms; nodes had work for %.0f %% of the time; %ld tasks were taken by others\n", seconds * 1e3,
        100 * work_share, stolen);
  gasnet_exit(0);
}
