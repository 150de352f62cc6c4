/* A PE of a job that measures rows. */
#include "shmem.h"

#include <mpp/shmem.h>
#include <stdio.h>
#include <string.h>

struct osh_pe osh;
long osh_static[OSH_VECTOR];

/* ---- contests ---- */

int osh_selected(const char *key) { return bench_selected(key, osh.rows); }

static void emit(const char *key, double bare, double ours, double ratio)
{
  if (osh.me != 0) return;
  printf("row %s %.6g %.6g %.6g\n", key, bare, ours, ratio);
  fflush(stdout);
}

static double measure(osh_measure_fn fn, long n)
{
  if (!fn) return 0;
  shmem_barrier_all();
  return fn(n);
}

static double times[2][BENCH_ROUNDS_MAX]; /* bare and ours */

/* Every other round backwards, so that none always has the same predecessor. One round before the first warms up. */
static void run(const struct osh_contest *c)
{
  const osh_measure_fn way[2] = {c->bare, c->ours};
  for (unsigned w = 0; w < 2; w++) measure(way[w], c->n / 4 + 1);
  for (unsigned r = 0; r < osh.rounds; r++)
    for (unsigned w = 0; w < 2; w++) {
      const unsigned k = r % 2 ? 1 - w : w;
      times[k][r] = measure(way[k], c->n);
    }
  shmem_barrier_all();
}

void osh_contest(const struct osh_contest *c)
{
  double ratio[BENCH_ROUNDS_MAX];
  if (!osh_selected(c->key)) return;
  run(c);
  for (unsigned r = 0; r < osh.rounds; r++) ratio[r] = times[0][r] > 0 ? times[1][r] / times[0][r] : 0;
  emit(c->key, bench_median(times[0], osh.rounds), bench_median(times[1], osh.rounds), bench_median(ratio, osh.rounds));
}

void osh_contest_above(const struct osh_contest *c)
{
  double above[BENCH_ROUNDS_MAX];
  if (!osh_selected(c->key)) return;
  run(c);
  for (unsigned r = 0; r < osh.rounds; r++) above[r] = times[1][r] - times[0][r];
  emit(c->key, bench_median(times[0], osh.rounds), bench_median(above, osh.rounds), 0);
}

/* ---- */

static void measure_two(void)
{
  osh_measure_words();
  osh_measure_strided();
  osh_measure_updates();
  osh_measure_collectives();
  osh_measure_locks();
  osh_measure_barrier();
  osh_measure_progress();
}

static int find_memory(void)
{
  osh.heap = shmalign(4096, OSH_TABLE * sizeof *osh.heap);
  if (!osh.heap || osh.pes > 8) {
    fprintf(stderr, "shmem: PE %d: no room for a table, or too many PEs\n", osh.me);
    return -1;
  }
  memset(osh.heap, 0, OSH_TABLE * sizeof *osh.heap);
  for (int pe = 0; pe < osh.pes; pe++) osh.heap_of[pe] = shmem_ptr(osh.heap, pe);
  shmem_barrier_all();
  return 0;
}

int osh_worker(const struct bench_options *o)
{
  int core[2];
  const unsigned cores = bench_cores(core, 2);
  if (cores) bench_pin(core, cores); /* before the start: the library counts the cores there */
  start_pes(0);
  osh.me = _my_pe();
  osh.pes = _num_pes();
  osh.rounds = o->rounds;
  osh.rows = o->rows;
  if (cores < 2) {
    fprintf(stderr, "shmem: needs two cores\n");
    return 1;
  }
  bench_pin(&core[osh.me % 2], 1);
  if (find_memory()) return 1;
  if (!strcmp(o->worker, "two")) measure_two();
  else if (!strcmp(o->worker, "barrier")) osh_measure_barrier();
  else osh_measure_network(o->worker);
  shmem_barrier_all();
  return 0;
}
