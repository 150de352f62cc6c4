/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Odd nodes compute and make no call of the library until each even node has changed a word of their memory;
 * the even nodes read and write that memory meanwhile. The job does not end if nothing serves them. Then all
 * nodes compute, and threads that serve them must be idle. */
#include "common.h"

#include <stdatomic.h>
#include <time.h>

enum { BYTES = 100000, GETS = 40, NODES = 64 };

struct shared {
  _Atomic uint32_t released[NODES];  /* by node */
  unsigned char here[BYTES];         /* read by the others */
  unsigned char there[NODES][BYTES]; /* written by node */
};

static struct shared *of(gasnet_node_t node) { return (struct shared *)test.seg[node].addr; }

static void compute(const struct shared *mine)
{
  volatile uint64_t x = 1;
  for (gasnet_node_t node = 0; node < test.nodes; node += 2)
    while (!atomic_load_explicit(&mine->released[node], memory_order_acquire))
      for (int i = 0; i < 1000; i++) x = test_mix(x);
}

static void transfer(struct rng *r, gasnet_node_t node, unsigned char *buffer)
{
  const size_t at = rng_below(r, BYTES), n = rng_size(r, BYTES - at);
  memset(buffer, 0, n);
  gasnet_get_bulk(buffer, node, of(node)->here + at, n);
  for (size_t i = 0; i < n; i++)
    if (buffer[i] != pattern_byte(test_key(1, node, 0), at + i)) {
      CHECK(0, "byte %zu of a get from a node that computes", i);
      break;
    }
}

static void write_to(gasnet_node_t node, unsigned char *buffer)
{
  pattern_fill(buffer, BYTES, test_key(2, test.me, node));
  gasnet_put_bulk(node, of(node)->there[test.me], buffer, BYTES);
}

/* The word is put after all else is complete. The number of gets does not grow with the nodes: on few
 * cores each takes time slices of the nodes that compute. */
static void communicate(void)
{
  unsigned char *buffer = (unsigned char *)malloc(BYTES);
  const uint32_t one = 1;
  struct rng r;
  rng_init(&r, test_key(3, test.me, 0));
  for (size_t i = 0; i < test_scaled(GETS) / (test.nodes / 2) + 1; i++)
    for (gasnet_node_t node = 1; node < test.nodes; node += 2) transfer(&r, node, buffer);
  for (gasnet_node_t node = 1; node < test.nodes; node += 2) {
    write_to(node, buffer);
    gasnet_put(node, (void *)&of(node)->released[test.me], (void *)&one, sizeof one);
  }
  free(buffer);
}

static void check_written(void)
{
  for (gasnet_node_t node = 0; node < test.nodes; node += 2) {
    const size_t bad = pattern_bad(of(test.me)->there[node], BYTES, test_key(2, node, test.me));
    CHECK(bad == BYTES, "byte %zu that node %u wrote meanwhile", bad, (unsigned)node);
  }
}

static double seconds(clockid_t clock)
{
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* The time that the process's other threads took while this one computed. */
static void check_idle_threads(void)
{
  const double mine = seconds(CLOCK_THREAD_CPUTIME_ID), all = seconds(CLOCK_PROCESS_CPUTIME_ID), enough = 0.3;
  volatile uint64_t x = 1;
  double computed, others;
  while ((computed = seconds(CLOCK_THREAD_CPUTIME_ID) - mine) < enough)
    for (int i = 0; i < 1000; i++) x = test_mix(x);
  others = seconds(CLOCK_PROCESS_CPUTIME_ID) - all - computed;
  CHECK(others < computed / 4, "threads with nothing to do took %.3f s beside %.3f s of this one", others,
      computed);
}

int main(int argc, char **argv)
{
  test_start("compute", &argc, &argv, NULL, 0, sizeof(struct shared));
  test_no_more_options(argc, argv);
  if (test.nodes < 2 || test.nodes > NODES) test_skip("it takes 2 to 64 nodes");
  pattern_fill(of(test.me)->here, BYTES, test_key(1, test.me, 0));
  test_barrier();
  if (test.me % 2) compute(of(test.me));
  else communicate();
  if (test.me % 2) check_written();
  test_barrier();
  check_idle_threads();
  test_barrier();
  test_finish();
}
