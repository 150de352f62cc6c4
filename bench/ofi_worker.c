/* A node of a job that measures rows: node 0 works, node 1 is its peer. */
#include "ofi.h"
#include "raw_ofi.h"

#include <gasnet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct ofi_node ofi;

extern void ofi_on_ping(), ofi_on_pong(), ofi_on_ping_medium(), ofi_on_pong_medium(), ofi_on_end();
static void on_card(gasnet_token_t token, void *data, size_t nbytes);

static gasnet_handlerentry_t handlers[] = {
  {OFI_H_CARD, on_card},
  {OFI_H_PING, ofi_on_ping},
  {OFI_H_PONG, ofi_on_pong},
  {OFI_H_PING_MEDIUM, ofi_on_ping_medium},
  {OFI_H_PONG_MEDIUM, ofi_on_pong_medium},
  {OFI_H_END, ofi_on_end},
};

static void need(int rc, const char *call)
{
  if (rc == GASNET_OK) return;
  fprintf(stderr, "ofi: %s: %s\n", call, gasnet_ErrorDesc(rc));
  gasnet_exit(1);
}

void ofi_sync(void)
{
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  need(gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS), "gasnet_barrier_wait");
}

/* ---- opening ---- */

/* Both programs read and write the same memory. */
static void find_memory(void)
{
  gasnet_seginfo_t seg[2];
  need(gasnet_getSegmentInfo(seg, 2), "gasnet_getSegmentInfo");
  ofi.there = seg[1].addr;
  ofi.segment = seg[ofi.me].addr;
  ofi.local = mmap(NULL, OFI_MEMORY, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (ofi.local == MAP_FAILED) {
    fprintf(stderr, "ofi: no memory for an array of %d MiB\n", OFI_MEMORY >> 20);
    gasnet_exit(1);
  }
  memset(ofi.local, 1, OFI_MEMORY);
  memset(ofi.segment, 2, OFI_MEMORY);
}

static struct raw_ofi_card peer;
static volatile int card_is_here;

static void on_card(gasnet_token_t token, void *data, size_t nbytes)
{
  (void)token;
  memcpy(&peer, data, nbytes < sizeof peer ? nbytes : sizeof peer);
  card_is_here = 1;
}

static void open_bare(void)
{
  const struct raw_ofi_memory m = {ofi.segment, ofi.local, OFI_MEMORY};
  const char *provider = getenv("GASNET_OFI_PROVIDER");
  struct raw_ofi_card mine = {0};
  raw_ofi_open(provider ? provider : "", &m, &mine);
  gasnet_AMRequestMedium0(1 - ofi.me, OFI_H_CARD, &mine, sizeof mine);
  GASNET_BLOCKUNTIL(card_is_here);
  raw_ofi_join(&peer);
}

/* ---- contests ---- */

enum { WAYS = 4 };

int ofi_selected(const char *key) { return bench_selected(key, ofi.rows); }

void ofi_emit(const char *key, double bare, double ours, double ratio)
{
  if (ofi.me != 0) return;
  printf("row %s %.6g %.6g %.6g\n", key, bare, ours, ratio);
  fflush(stdout);
}

static double timed(ofi_series_fn series, long n)
{
  const double start = bench_now_ns();
  series(n);
  return (bench_now_ns() - start) / (double)n;
}

/* Only the endpoint that is measured makes progress: node 1 is in the bare program's loop, or in the barrier. */
static double measure_bare(ofi_series_fn series, long n)
{
  double time = 0;
  ofi_sync();
  if (ofi.me == 0) {
    time = timed(series, n);
    raw_ofi_stop();
  } else {
    raw_ofi_serve();
  }
  return time;
}

static double measure_ours(ofi_series_fn series, long n)
{
  ofi_sync();
  return ofi.me == 0 ? timed(series, n) : 0;
}

static double measure(const struct ofi_contest *c, unsigned way, long n)
{
  return way < WAYS - 1 && c->bare[way] ? measure_bare(c->bare[way], n) : measure_ours(c->ours, n);
}

static unsigned best_of(double (*times)[BENCH_ROUNDS_MAX], unsigned ways)
{
  unsigned best = 0;
  for (unsigned w = 1; w < ways; w++)
    if (bench_median(times[w], ofi.rounds) < bench_median(times[best], ofi.rounds)) best = w;
  return best;
}

/* Every other round backwards, so that none always has the same predecessor; one round before the first is not counted. */
void ofi_contest(const struct ofi_contest *c)
{
  static double times[WAYS][BENCH_ROUNDS_MAX];
  double ratio[BENCH_ROUNDS_MAX];
  unsigned ours = 0;
  if (!ofi_selected(c->key)) return;
  while (ours < WAYS - 1 && c->bare[ours]) ours++;
  for (unsigned w = 0; w <= ours; w++) measure(c, w, c->n);
  for (unsigned r = 0; r < ofi.rounds; r++)
    for (unsigned w = 0; w <= ours; w++) {
      const unsigned k = r % 2 ? ours - w : w;
      times[k][r] = measure(c, k, c->n);
    }
  const unsigned best = best_of(times, ours);
  for (unsigned r = 0; r < ofi.rounds; r++) ratio[r] = times[ours][r] / times[best][r];
  ofi_emit(c->key, bench_median(times[best], ofi.rounds), bench_median(times[ours], ofi.rounds), bench_median(ratio, ofi.rounds));
  ofi_sync();
}

/* ---- */

static void measure_main(void)
{
  ofi_measure_words();
  ofi_measure_messages();
  ofi_measure_bulk();
  ofi_measure_many();
  ofi_measure_pieces();
}

static void measure_group(const char *group)
{
  if (!strcmp(group, ofi_group_name[OFI_SINGLY])) {
    ofi_measure_singly();
  } else if (!strcmp(group, ofi_group_name[OFI_THREAD])) {
    ofi_measure_words();
    ofi_measure_progress();
  } else {
    measure_main();
  }
}

static void check_job(unsigned cores)
{
  if (gasnet_nodes() == 2 && cores == 2) return;
  fprintf(stderr, "ofi: needs two processes on two cores\n");
  gasnet_exit(1);
}

/* The threads that providers start run where they like: only then each node is bound to its core. */
int ofi_worker(int argc, char **argv, const struct bench_options *o)
{
  const unsigned cores = bench_cores(ofi.core, 2);
  if (cores) bench_pin(ofi.core, cores); /* before init: the library counts the cores there */
  need(gasnet_init(&argc, &argv), "gasnet_init");
  ofi.me = gasnet_mynode();
  ofi.rounds = o->rounds;
  ofi.rows = o->rows;
  need(gasnet_attach(handlers, sizeof handlers / sizeof *handlers, OFI_MEMORY, 0), "gasnet_attach");
  if (strcmp(o->worker, ofi_group_name[OFI_START]) != 0) {
    check_job(cores);
    find_memory();
    open_bare();
    bench_pin(&ofi.core[ofi.me], 1);
    measure_group(o->worker);
    ofi_sync();
    raw_ofi_close();
  }
  ofi_sync();
  gasnet_exit(0);
}
