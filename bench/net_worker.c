/* A node of a job that measures rows: node 0 works, node 1 is its peer. */
#include "net.h"
#include "raw.h"

#include <gasnet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct net_node net;

extern void net_on_ping(), net_on_pong(), net_on_ping_medium(), net_on_pong_medium(), net_on_flood(), net_on_end();

static gasnet_handlerentry_t handlers[] = {
  {NET_H_PING, net_on_ping},
  {NET_H_PONG, net_on_pong},
  {NET_H_PING_MEDIUM, net_on_ping_medium},
  {NET_H_PONG_MEDIUM, net_on_pong_medium},
  {NET_H_FLOOD, net_on_flood},
  {NET_H_END, net_on_end},
};

static void need(int rc, const char *call)
{
  if (rc == GASNET_OK) return;
  fprintf(stderr, "%s: %s: %s\n", net_program.conduit, call, gasnet_ErrorDesc(rc));
  gasnet_exit(1);
}

void net_sync(void)
{
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  need(gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS), "gasnet_barrier_wait");
}

/* ---- opening ---- */

/* Both programs read and write the same memory, unless the bare one has its own target memory. */
static void find_memory(void)
{
  gasnet_seginfo_t seg[2];
  need(gasnet_getSegmentInfo(seg, 2), "gasnet_getSegmentInfo");
  net.there = seg[1].addr;
  net.segment = seg[net.me].addr;
  net.local = mmap(NULL, NET_MEMORY, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (net.local == MAP_FAILED) {
    fprintf(stderr, "%s: no memory for an array of %d MiB\n", net_program.conduit, NET_MEMORY >> 20);
    gasnet_exit(1);
  }
  memset(net.local, 1, NET_MEMORY);
  memset(net.segment, 2, NET_MEMORY);
}

/* Cards are exchanged through the segments, before anything is measured there. */
static void open_bare(void)
{
  const struct raw_memory m = {net.segment, net.local, NET_MEMORY};
  const char *transport = getenv(net_program.variable);
  struct raw_card mine = {0}, peer;
  gasnet_seginfo_t seg[2];
  raw_open(transport ? transport : "", &m, &mine);
  need(gasnet_getSegmentInfo(seg, 2), "gasnet_getSegmentInfo");
  memcpy(net.segment, &mine, sizeof mine);
  net_sync();
  gasnet_get(&peer, 1 - net.me, seg[1 - net.me].addr, sizeof peer);
  net_sync();
  raw_join(&peer);
}

/* ---- contests ---- */

enum { WAYS = 4 };

const struct net_row *net_selected(const char *key)
{
  const struct net_row *row = net_program.rows;
  for (unsigned i = 0; i < net_program.row_count; i++, row++)
    if (!strcmp(row->row.key, key)) return bench_selected(key, net.rows) ? row : NULL;
  return NULL;
}

void net_emit(const char *key, double bare, double ours, double ratio)
{
  if (net.me != 0) return;
  printf("row %s %.6g %.6g %.6g\n", key, bare, ours, ratio);
  fflush(stdout);
}

static double timed(net_series_fn series, long n)
{
  const double start = bench_now_ns();
  series(n);
  return (bench_now_ns() - start) / (double)n;
}

/* Only the endpoint that is measured makes progress: node 1 is in the bare program's loop, or in the barrier. */
static double measure_bare(net_series_fn series, long n)
{
  double time = 0;
  net_sync();
  if (net.me == 0) {
    time = timed(series, n);
    raw_stop();
  } else {
    raw_serve();
  }
  return time;
}

static double measure_ours(net_series_fn series, long n)
{
  net_sync();
  return net.me == 0 ? timed(series, n) : 0;
}

static double measure(const struct net_contest *c, net_series_fn bare)
{
  return bare ? measure_bare(bare, c->n) : measure_ours(c->ours, c->n);
}

static unsigned best_of(double (*times)[BENCH_ROUNDS_MAX], unsigned ways)
{
  unsigned best = 0;
  for (unsigned w = 1; w < ways; w++)
    if (bench_median(times[w], net.rounds) < bench_median(times[best], net.rounds)) best = w;
  return best;
}

/* Every other round backwards, so that none always has the same predecessor; one round before the first is not counted. */
void net_contest(const struct net_contest *c)
{
  static double times[WAYS][BENCH_ROUNDS_MAX];
  double ratio[BENCH_ROUNDS_MAX];
  net_series_fn way[WAYS] = {NULL};
  unsigned ours = 0;
  const struct net_row *row = net_selected(c->key);
  if (!row) return;
  for (; ours < WAYS - 1 && row->bare[ours]; ours++) way[ours] = row->bare[ours];
  for (unsigned w = 0; w <= ours; w++) measure(c, way[w]);
  for (unsigned r = 0; r < net.rounds; r++)
    for (unsigned w = 0; w <= ours; w++) {
      const unsigned k = r % 2 ? ours - w : w;
      times[k][r] = measure(c, way[k]);
    }
  const unsigned best = best_of(times, ours);
  for (unsigned r = 0; r < net.rounds; r++) ratio[r] = times[ours][r] / times[best][r];
  net_emit(c->key, bench_median(times[best], net.rounds), bench_median(times[ours], net.rounds), bench_median(ratio, net.rounds));
  net_sync();
}

/* ---- */

static void measure_main(void)
{
  net_measure_words();
  net_measure_messages();
  net_measure_bulk();
  net_measure_many();
  net_measure_pieces();
}

static void measure_group(const char *group)
{
  if (!strcmp(group, net_group_name[NET_SINGLY])) {
    net_measure_singly();
  } else if (!strcmp(group, net_group_name[NET_THREAD])) {
    net_measure_words();
    net_measure_progress();
  } else {
    measure_main();
  }
}

static void check_job(unsigned cores)
{
  if (gasnet_nodes() == 2 && cores == 2) return;
  fprintf(stderr, "%s: needs two processes on two cores\n", net_program.conduit);
  gasnet_exit(1);
}

/* The threads that providers start run where they like: only then each node is bound to its core. */
int net_worker(int argc, char **argv, const struct bench_options *o)
{
  const unsigned cores = bench_cores(net.core, 2);
  if (cores) bench_pin(net.core, cores); /* before init: the library counts the cores there */
  need(gasnet_init(&argc, &argv), "gasnet_init");
  net.me = gasnet_mynode();
  net.rounds = o->rounds;
  net.rows = o->rows;
  need(gasnet_attach(handlers, sizeof handlers / sizeof *handlers, NET_MEMORY, 0), "gasnet_attach");
  if (strcmp(o->worker, net_group_name[NET_START]) != 0) {
    check_job(cores);
    find_memory();
    open_bare();
    bench_pin(&net.core[net.me], 1);
    measure_group(o->worker);
    net_sync();
    raw_close();
  }
  net_sync();
  gasnet_exit(0);
}
