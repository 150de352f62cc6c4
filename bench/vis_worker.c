/* A node of a job that measures rows. Node 0 works; node 1 waits in a barrier, and serves messages there. */
#include "vis.h"

#include <gasnet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct vis_node vis;

static void need(int rc, const char *call)
{
  if (rc == GASNET_OK) return;
  fprintf(stderr, "vis: %s: %s\n", call, gasnet_ErrorDesc(rc));
  gasnet_exit(1);
}

static void meet(void)
{
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  need(gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS), "gasnet_barrier_wait");
}

static char *memory(int kind)
{
  void *p = mmap(NULL, VIS_MEMORY, PROT_READ | PROT_WRITE, kind | MAP_ANONYMOUS, -1, 0);
  if (p != MAP_FAILED) return p;
  fprintf(stderr, "vis: no memory for an array of %d MiB\n", VIS_MEMORY >> 20);
  gasnet_exit(1);
}

/* Where messages alone reach the neighbour, loops work on other memory of the same kind. */
static void find_memory(void)
{
  gasnet_seginfo_t seg[2];
  gasnet_nodeinfo_t info[2];
  need(gasnet_getSegmentInfo(seg, 2), "gasnet_getSegmentInfo");
  need(gasnet_getNodeInfo(info, 2), "gasnet_getNodeInfo");
  vis.remote = seg[1].addr;
  vis.mapped = info[0].supernode == info[1].supernode ? vis.remote + info[1].offset : memory(MAP_SHARED);
  vis.local = memory(MAP_PRIVATE);
  memset(vis.local, 1, VIS_MEMORY);
  memset(vis.mapped, 2, VIS_MEMORY);
}

/* ---- contests ---- */

int vis_selected(const char *key) { return bench_selected(key, vis.rows); }

void vis_emit(const char *key, double bare, double ours, double ratio)
{
  printf("row %s %.6g %.6g %.6g\n", key, bare, ours, ratio);
  fflush(stdout);
}

enum { WAYS = 5 };
static double times[WAYS][BENCH_ROUNDS_MAX]; /* nanoseconds an operation; the last way is ours */

/* The first is not counted: it pays for what the way before it left in the caches. */
static double measure(vis_op_fn op, long n)
{
  op();
  bench_compiler_barrier();
  const double start = bench_now_ns();
  for (long i = 0; i < n; i++) {
    op();
    bench_compiler_barrier();
  }
  return (bench_now_ns() - start) / (double)n;
}

/* How many make about 200 us. */
static long calibrate(vis_op_fn op)
{
  const double one = measure(op, 10), most = 1e6;
  const double n = 2e5 / (one > 1 ? one : 1);
  return n < 1 ? 1 : n > most ? (long)most : (long)n;
}

/* Every other round backwards, so that none always has the same predecessor. Returns how many bare ways there are. */
static unsigned run(const struct vis_contest *c)
{
  vis_op_fn way[WAYS];
  unsigned ways = 0;
  for (; ways < WAYS - 1 && c->bare[ways]; ways++) way[ways] = c->bare[ways];
  way[ways] = c->ours;
  const long n = calibrate(way[0]);
  for (unsigned w = 0; w <= ways; w++) measure(way[w], n);
  for (unsigned r = 0; r < vis.rounds; r++)
    for (unsigned w = 0; w <= ways; w++) {
      const unsigned k = r % 2 ? ways - w : w;
      times[k][r] = measure(way[k], n);
    }
  return ways;
}

static unsigned best_of(unsigned ways)
{
  unsigned best = 0;
  for (unsigned w = 1; w < ways; w++)
    if (bench_median(times[w], vis.rounds) < bench_median(times[best], vis.rounds)) best = w;
  return best;
}

double vis_contest(const struct vis_contest *c)
{
  double ratio[BENCH_ROUNDS_MAX];
  if (!vis_selected(c->key)) return 0;
  const unsigned ours = run(c), best = best_of(ours);
  for (unsigned r = 0; r < vis.rounds; r++) ratio[r] = times[ours][r] / times[best][r];
  const double median = bench_median(ratio, vis.rounds);
  vis_emit(c->key, bench_median(times[best], vis.rounds), bench_median(times[ours], vis.rounds), median);
  return 1 / median;
}

void vis_contest_above(const struct vis_contest *c)
{
  double above[BENCH_ROUNDS_MAX];
  if (!vis_selected(c->key)) return;
  const unsigned ours = run(c), best = best_of(ours);
  for (unsigned r = 0; r < vis.rounds; r++) above[r] = times[ours][r] - times[best][r];
  vis_emit(c->key, bench_median(times[best], vis.rounds), bench_median(above, vis.rounds), 0);
}

/* ---- */

static void measure_group(const char *group)
{
  if (!strcmp(group, "packed")) {
    vis_measure_packed();
    return;
  }
  vis_measure_patterns();
  vis_measure_big();
  vis_measure_small();
  vis_measure_lists();
  vis_measure_transpose();
  vis_measure_adverse();
}

int vis_worker(int argc, char **argv, const struct bench_options *o)
{
  int core[2];
  const unsigned cores = bench_cores(core, 2);
  if (cores) bench_pin(core, cores); /* before init: the library counts the cores there */
  need(gasnet_init(&argc, &argv), "gasnet_init");
  vis.me = gasnet_mynode();
  vis.rounds = o->rounds;
  vis.rows = o->rows;
  need(gasnet_attach(NULL, 0, VIS_MEMORY, 0), "gasnet_attach");
  if (gasnet_nodes() != 2 || cores < 2) {
    fprintf(stderr, "vis: needs two processes on two cores\n");
    gasnet_exit(1);
  }
  bench_pin(&core[vis.me], 1);
  if (vis.me == 0) {
    find_memory();
    measure_group(o->worker);
  }
  meet();
  gasnet_exit(0);
}
