/* A node of a job that measures rows. */
#include "smp.h"

#include <gasnet.h>

struct smp_node smp = {.core = -1};
static const struct bench_options *options;

extern void smp_on_ping(), smp_on_pong(), smp_on_ping_medium(), smp_on_pong_medium(), smp_on_flood(), smp_on_token();

static gasnet_handlerentry_t handlers[] = {
  {SMP_H_PING, smp_on_ping},
  {SMP_H_PONG, smp_on_pong},
  {SMP_H_PING_MEDIUM, smp_on_ping_medium},
  {SMP_H_PONG_MEDIUM, smp_on_pong_medium},
  {SMP_H_FLOOD, smp_on_flood},
  {SMP_H_TOKEN, smp_on_token},
};

static void need(int rc, const char *call)
{
  if (rc == GASNET_OK) return;
  fprintf(stderr, "smp: %s: %s\n", call, gasnet_ErrorDesc(rc));
  gasnet_exit(1);
}

static void find_segments(void)
{
  gasnet_seginfo_t *seg = calloc(smp.nodes, sizeof *seg);
  gasnet_nodeinfo_t *info = calloc(smp.nodes, sizeof *info);
  smp.here = calloc(smp.nodes, sizeof *smp.here);
  smp.remote = calloc(smp.nodes, sizeof *smp.remote);
  if (!seg || !info || !smp.here || !smp.remote) gasnet_exit(1);
  need(gasnet_getSegmentInfo(seg, (int)smp.nodes), "gasnet_getSegmentInfo");
  need(gasnet_getNodeInfo(info, (int)smp.nodes), "gasnet_getNodeInfo");
  for (unsigned i = 0; i < smp.nodes; i++) {
    if (info[i].supernode != info[smp.me].supernode) {
      if (smp.me == 0) fprintf(stderr, "smp: node %u's segment cannot be reached by load and store\n", i);
      gasnet_exit(1);
    }
    smp.remote[i] = seg[i].addr;
    smp.here[i] = (char *)((uintptr_t)seg[i].addr + (uintptr_t)info[i].offset);
  }
  free(seg);
  free(info);
}

void smp_sync(void)
{
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  need(gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS), "gasnet_barrier_wait");
}

static void pin_round_robin(const struct bench_options *o)
{
  int core[2];
  const unsigned n = bench_cores(core, 2);
  if (n < 2 || (o->own && smp.nodes > 2)) return;
  smp.core = core[smp.me % 2];
  bench_pin(&smp.core, 1);
}

/* ---- contests ---- */

enum { WAYS = 7 };

/* In a job that the controller did not start, the result goes to the user at once. */
static void show(const char *key, double bare, double ours, double ratio)
{
  static int shown;
  for (unsigned i = 0; i < smp_row_count; i++) {
    const struct bench_row *row = &smp_rows[i].row;
    if (strcmp(row->key, key) != 0) continue;
    const struct bench_result r = {row, bare, ours, row->kind == BENCH_RATE_AT_LEAST ? 1 / ratio : ratio, NULL};
    if (options->json) bench_print_json(&r, shown == 0);
    else if (shown == 0) bench_print_head();
    if (!options->json) bench_print_row(&r);
    shown++;
  }
}

void smp_emit(const char *key, double bare, double ours, double ratio)
{
  if (smp.me != 0) return;
  if (options->worker) printf("row %s %.6g %.6g %.6g\n", key, bare, ours, ratio);
  else show(key, bare, ours, ratio);
  fflush(stdout);
}

static unsigned best_of(double (*times)[BENCH_ROUNDS_MAX], unsigned ways)
{
  unsigned best = 0;
  for (unsigned w = 1; w < ways; w++)
    if (bench_median(times[w], smp.rounds) < bench_median(times[best], smp.rounds)) best = w;
  return best;
}

static double measure(smp_measure_fn fn, long n)
{
  smp_sync();
  return fn(n);
}

/* Every other round backwards, so that none always has the same predecessor. One round before the first warms up: pages,
 * branch predictors, and the library's own choice of a way to copy. */
void smp_contest(const struct smp_contest *c)
{
  static double times[WAYS][BENCH_ROUNDS_MAX];
  double ratio[BENCH_ROUNDS_MAX];
  smp_measure_fn way[WAYS];
  unsigned ways = 0;
  if (!bench_selected(c->key, smp.rows)) return;
  while (c->bare[ways]) {
    way[ways] = c->bare[ways];
    ways++;
  }
  way[ways] = c->ours;
  for (unsigned w = 0; w <= ways; w++) measure(way[w], c->n / 4 + 1);
  for (unsigned r = 0; r < smp.rounds; r++)
    for (unsigned w = 0; w <= ways; w++) {
      const unsigned k = r % 2 ? ways - w : w;
      times[k][r] = measure(way[k], c->n);
    }
  const unsigned best = best_of(times, ways);
  for (unsigned r = 0; r < smp.rounds; r++) ratio[r] = times[ways][r] / times[best][r];
  smp_emit(c->key, bench_median(times[best], smp.rounds), bench_median(times[ways], smp.rounds),
           bench_median(ratio, smp.rounds));
  smp_sync();
}

/* ---- */

static void measure_two(void)
{
  smp_measure_words();
  smp_measure_bulk();
  smp_measure_messages();
  smp_measure_flood();
  smp_measure_pair_barrier();
  smp_measure_pair_team();
}

static void measure_barriers(void)
{
  smp_measure_barrier();
  if (smp.nodes <= 8) smp_measure_team_barrier();
}

/* What the controller asked for, or in a job that somebody else started, what this number of processes allows. */
static void measure_group(void)
{
  const char *worker = options->worker;
  if (worker ? !strcmp(worker, "two") : smp.nodes == 2) measure_two();
  if (worker ? !strcmp(worker, "barrier") : smp.nodes == 4 || smp.nodes == 8 || smp.nodes == 64) measure_barriers();
  if (worker ? !strcmp(worker, "ring") : smp.nodes == 8) smp_measure_ring();
  if (worker ? !strcmp(worker, "memory") : smp.nodes == 64) smp_measure_memory();
}

static void finish(void)
{
  if (options->json) printf("\n]\n");
  fprintf(stderr, "smp: these are the rows for %u processes; started by itself, this program measures all\n", smp.nodes);
}

static uintptr_t segment_size(const char *worker)
{
  if (worker && !strcmp(worker, "start")) return 16 << 20;
  return smp.nodes == 2 ? SMP_OFF_BULK + SMP_LARGEST : SMP_SEGMENT_SMALL;
}

int smp_worker(int argc, char **argv, const struct bench_options *o)
{
  int core[2];
  const unsigned cores = bench_cores(core, 2);
  options = o;
  if (cores) bench_pin(core, cores); /* before init: the library counts the cores there */
  need(gasnet_init(&argc, &argv), "gasnet_init");
  smp.me = gasnet_mynode();
  smp.nodes = gasnet_nodes();
  smp.rounds = o->rounds;
  smp.rows = o->rows;
  need(gasnet_attach(handlers, sizeof handlers / sizeof *handlers, segment_size(o->worker), 0), "gasnet_attach");
  if (o->worker && !strcmp(o->worker, "start")) gasnet_exit(0);
  if (smp.nodes == 2 && cores < 2) {
    fprintf(stderr, "smp: two processes need two cores\n");
    gasnet_exit(1);
  }
  find_segments();
  pin_round_robin(o);
  measure_group();
  if (smp.me == 0 && !o->worker) finish();
  smp_sync();
  gasnet_exit(0);
}
