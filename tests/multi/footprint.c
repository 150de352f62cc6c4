/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Memory of a process, as docs/scaling.md counts it: the heap that gasnet_init and gasnet_attach take, and
 * what talking to all other nodes adds; what it shares with its host beside segments; its open files; and the
 * time of a barrier. Node 0 prints these in a line that tools/scaling.sh reads. What grows with the nodes is
 * bounded here. */
#include "common.h"

#include <dirent.h>
#include <malloc.h>
#include <time.h>

enum { H_CALL = 200, H_ANSWER };
static volatile unsigned answers;

static void answer(gasnet_token_t token) { REQUIRE_OK(gasnet_AMReplyShort0(token, H_ANSWER)); }
static void answered(gasnet_token_t token)
{
  (void)token;
  answers++;
}

/* Bytes in use, those of large blocks among them. */
static size_t heap(void)
{
  const struct mallinfo2 m = mallinfo2();
  return m.uordblks + m.hblkhd;
}

static int holds_segment(uintptr_t from, uintptr_t to)
{
  gasnet_nodeinfo_t *info = (gasnet_nodeinfo_t *)calloc(test.nodes, sizeof *info);
  int holds = 0;
  REQUIRE_OK(gasnet_getNodeInfo(info, (int)test.nodes));
  for (gasnet_node_t i = 0; i < test.nodes && !holds; i++) {
    const uintptr_t a = (uintptr_t)test.seg[i].addr +
        (info[i].supernode == info[test.me].supernode ? info[i].offset : 0);
    holds = a >= from && a < to;
  }
  free(info);
  return holds;
}

/* From smaps: private memory that this process has touched, and the whole of the files that it shares and may
 * write. */
static void look(size_t *own, size_t *shared)
{
  char line[512], perms[8];
  unsigned long from, to, kb;
  FILE *f = fopen("/proc/self/smaps", "r");
  *own = *shared = 0;
  REQUIRE(f, "cannot read /proc/self/smaps");
  while (fgets(line, sizeof line, f)) {
    if (sscanf(line, "Anonymous: %lu kB", &kb) == 1) *own += kb << 10;
    else if (sscanf(line, "%lx-%lx %7s", &from, &to, perms) == 3 && strchr(perms, 's') &&
        strchr(perms, 'w') && !holds_segment(from, to))
      *shared += to - from;
  }
  fclose(f);
}

static unsigned files(void)
{
  DIR *d = opendir("/proc/self/fd");
  unsigned n = 0;
  REQUIRE(d, "cannot read /proc/self/fd");
  while (readdir(d)) n++;
  closedir(d);
  return n - 3; /* . and .. and the directory itself */
}

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void talk_to_all(void)
{
  for (gasnet_node_t i = 1; i < test.nodes; i++)
    REQUIRE_OK(gasnet_AMRequestShort0((test.me + i) % test.nodes, H_CALL));
  GASNET_BLOCKUNTIL(answers == test.nodes - 1);
  test_barrier();
}

/* The median of several series, because others use the machine too. */
static double barrier_time(void)
{
  enum { SERIES = 9 };
  const size_t many = test_scaled(200);
  double t[SERIES];
  for (int i = 0; i < SERIES; i++) {
    const double begin = now();
    for (size_t k = 0; k < many; k++) test_barrier();
    t[i] = (now() - begin) / (double)many * 1e6;
    for (int k = i; k > 0 && t[k] < t[k - 1]; k--) {
      const double swap = t[k];
      t[k] = t[k - 1];
      t[k - 1] = swap;
    }
  }
  return t[SERIES / 2];
}

/* A network's library takes its own: libfabric's tcp;ofi_rxm some 90 MiB. */
static void check(size_t attached, size_t met)
{
  enum {
    FIXED = 160 << 20,
    A_NODE = 160 << 10,
    A_PEER = 512 << 10,
    FIXED_NEAR = 1 << 20,
    A_NODE_NEAR = 1 << 10
  };
  gasnet_nodeinfo_t *info = (gasnet_nodeinfo_t *)calloc(test.nodes, sizeof *info);
  int near = 1;
  REQUIRE_OK(gasnet_getNodeInfo(info, (int)test.nodes));
  for (gasnet_node_t i = 0; i < test.nodes; i++) near &= info[i].supernode == info[test.me].supernode;
  free(info);
  CHECK(attached <=
          (near ? FIXED_NEAR + test.nodes * (size_t)A_NODE_NEAR : FIXED + test.nodes * (size_t)A_NODE),
      "gasnet_init and gasnet_attach took %zu bytes of the heap", attached);
  CHECK(met <= (near ? FIXED_NEAR : FIXED + test.nodes * (size_t)A_PEER),
      "talking to all nodes took %zu bytes of the heap", met);
}

int main(int argc, char **argv)
{
  gasnet_handlerentry_t table[] = {{H_CALL, (void (*)())answer}, {H_ANSWER, (void (*)())answered}};
  const size_t before = heap();
  size_t attached, quiet, met, own, shared;
  double us;
  test_init("footprint", &argc, &argv);
  test_no_more_options(argc, argv);
  REQUIRE_OK(gasnet_attach(table, 2, GASNET_PAGESIZE, 0));
  attached = heap() - before;
  test.seg = (gasnet_seginfo_t *)calloc(test.nodes, sizeof *test.seg);
  REQUIRE_OK(gasnet_getSegmentInfo(test.seg, (int)test.nodes));
  quiet = heap();
  talk_to_all();
  met = heap() > quiet ? heap() - quiet : 0;
  look(&own, &shared);
  us = barrier_time();
  if (test.me == 0)
    printf("footprint nodes %u attached %zu met %zu own %zu shared %zu files %u barrier_us %.2f\n",
        (unsigned)test.nodes, attached, met, own, shared, files(), us);
  fflush(stdout);
  check(attached, met);
  test_finish();
}
