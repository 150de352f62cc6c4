/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Waiting for what others put: every comparison and type; data before its flag after fence and quiet; what a
 * third PE sees after quiet; barriers complete puts. All PEs wait at once, also when they outnumber the
 * cores. */
#include "places.h"

enum { WORDS = 3000, MAX_PES = 256 };

static int next_pe(void) { return (test.me + 1) % test.pes; }
static int previous_pe(void) { return (test.me + test.pes - 1) % test.pes; }

/* ---- each comparison ---- */

static const int comparisons[] = {
    SHMEM_CMP_EQ, SHMEM_CMP_NE, SHMEM_CMP_GT, SHMEM_CMP_LE, SHMEM_CMP_LT, SHMEM_CMP_GE};
static const char *const comparison_names[] = {"EQ", "NE", "GT", "LE", "LT", "GE"};

static int holds(long long a, int cmp, long long b)
{
  switch (cmp) {
  case SHMEM_CMP_EQ: return a == b;
  case SHMEM_CMP_NE: return a != b;
  case SHMEM_CMP_GT: return a > b;
  case SHMEM_CMP_LE: return a <= b;
  case SHMEM_CMP_LT: return a < b;
  default: return a >= b;
  }
}

struct wait_type {
  const char *name;
  size_t size;
  void (*wait)(void *, long long), (*wait_until)(void *, int, long long), (*p)(void *, long long, int);
  long long (*load)(void *);
};

/* load_: what the owner's memory holds. */
#define WAIT_TYPE(N, T) \
  static void wait_##N(void *a, long long v) { shmem_##N##_wait((T *)a, (T)v); } \
  static void wait_until_##N(void *a, int cmp, long long v) { shmem_##N##_wait_until((T *)a, cmp, (T)v); } \
  static void p_##N(void *a, long long v, int pe) { shmem_##N##_p((T *)a, (T)v, pe); } \
  static long long load_##N(void *a) { return *(volatile T *)a; }
WAIT_TYPE(short, short)
WAIT_TYPE(int, int)
WAIT_TYPE(long, long)
WAIT_TYPE(longlong, long long)
static void wait_plain(void *a, long long v) { shmem_wait((long *)a, (long)v); }
static void wait_until_plain(void *a, int cmp, long long v) { shmem_wait_until((long *)a, cmp, (long)v); }

/* clang-format off */
#define WAIT_ROW(N, T) {#N, sizeof(T), wait_##N, wait_until_##N, p_##N, load_##N}
/* clang-format on */
static const struct wait_type types[] = {
    WAIT_ROW(short, short),
    WAIT_ROW(int, int),
    WAIT_ROW(long, long),
    WAIT_ROW(longlong, long long),
    {"plain", sizeof(long), wait_plain, wait_until_plain, p_long, load_long},
};
enum { TYPES = sizeof types / sizeof *types };

/* A value for which the comparison holds, near the limits of short so that all types have it, and one for
 * which it fails. */
static long long value_for(struct rng *r, int cmp, long long with, int yes)
{
  for (;;) {
    const long long v = rng_below(r, 3) ? with + (long long)rng_below(r, 5) - 2
                                        : (long long)rng_below(r, 60001) - 30000;
    if (holds(v, cmp, with) == yes) return v;
  }
}

static long long acknowledged; /* by the next PE; counts rounds */

/* My neighbour waits on a word of its memory; I put what fails the comparison, then what satisfies it. */
static void one_comparison(const struct wait_type *t, char *word, int which, struct rng *r, long long round)
{
  const int cmp = comparisons[which];
  const long long with = (long long)rng_below(r, 2001) - 1000, first = value_for(r, cmp, with, 0),
                  not_yet = value_for(r, cmp, with, 0), last = value_for(r, cmp, with, 1);
  t->p(word, first, test.me);
  shmem_barrier_all();
  t->p(word, not_yet, next_pe());
  shmem_fence();
  t->p(word, last, next_pe());
  t->wait_until(word, cmp, with);
  CHECK(t->load(word) == last, "%s wait_until %s %lld: returned at %lld; it was %lld, %lld, and %lld",
      t->name, comparison_names[which], with, t->load(word), first, not_yet, last);
  t->wait_until(word, cmp, with); /* it holds already */
  shmem_longlong_p(&acknowledged, round, previous_pe());
  shmem_longlong_wait_until(&acknowledged, SHMEM_CMP_GE, round);
}

static void change(const struct wait_type *t, char *word, struct rng *r)
{
  const long long from = (long long)rng_below(r, 60001) - 30000;
  t->p(word, from, test.me);
  shmem_barrier_all();
  t->p(word, from + 1, next_pe());
  t->wait(word, from);
  CHECK(t->load(word) == from + 1, "%s wait: %lld, not %lld", t->name, t->load(word), from + 1);
  t->wait(word, from);
  shmem_barrier_all();
}

static void comparisons_of_all_types(struct rng *r)
{
  long long round = 0;
  acknowledged = 0;
  for (size_t i = 0; i < test_scaled(12); i++)
    for (int k = 0; k < TYPES; k++) {
      const struct place *place = random_place(r);
      char *word = place->at + rng_below(r, place->size / 8) * 8;
      for (int which = 0; which < 6; which++) one_comparison(&types[k], word, which, r, ++round);
      change(&types[k], word, r);
    }
}

/* ---- atomics wake, too ---- */

static long turn;

/* A token goes round: a PE's turn has come when its word is the round's number. */
static void woken_by_atomics(void)
{
  turn = test.me == 0;
  shmem_barrier_all();
  for (long round = 1; round <= 20; round++) {
    shmem_long_wait_until(&turn, SHMEM_CMP_EQ, round);
    switch ((round + test.me) % 4) {
    case 0: shmem_long_inc(&turn, next_pe()); break;
    case 1: shmem_long_add(&turn, 1, next_pe()); break;
    case 2: shmem_long_swap(&turn, round + (next_pe() == 0), next_pe()); break;
    default: shmem_long_cswap(&turn, round - (next_pe() != 0), round + (next_pe() == 0), next_pe());
    }
  }
  shmem_barrier_all();
}

/* ---- data before flag ---- */

static long flags[2], back, company;

/* Each round: data and flag to the next PE, which checks the data as soon as it sees the flag. A put may
 * travel in the message of the put before it. */
static void data_before_flag(struct rng *common)
{
  flags[0] = back = 0;
  long *source = malloc(WORDS * sizeof *source);
  shmem_barrier_all();
  for (long round = 1; round <= (long)test_scaled(150); round++) {
    const struct place *place = random_place(common);
    const size_t most = place->size / sizeof(long) < WORDS ? place->size / sizeof(long) : WORDS,
                 n = rng_size(common, most), at = rng_below(common, place->size / sizeof(long) - n + 1);
    const int way = (int)rng_below(common, 6);
    const long both[2] = {round, round};
    long *data = (long *)place->at + at;
    for (size_t i = 0; i < n; i++) source[i] = (long)test_key((uint64_t)round, i, (uint64_t)test.me);
    if (way == 0)
      for (size_t i = 0; i < n; i++) shmem_long_p(&data[i], source[i], next_pe());
    else shmem_long_put(data, source, n, next_pe());
    if (way == 1) shmem_quiet();
    else shmem_fence();
    if (way == 4) shmem_long_p(&company, round, next_pe());
    if (way == 3) shmem_long_add(&flags[0], 1, next_pe());
    else if (way == 5) shmem_long_put(flags, both, 2, next_pe());
    else shmem_long_p(&flags[0], round, next_pe());
    shmem_wait_until(&flags[0], SHMEM_CMP_EQ, round);
    for (size_t i = 0; i < n; i++) {
      const long want = (long)test_key((uint64_t)round, i, (uint64_t)previous_pe());
      CHECK(data[i] == want, "round %ld, way %d: the flag is here, word %zu of %zu in %s is not", round, way,
          i, n, place->name);
      if (data[i] != want) break;
    }
    shmem_long_p(&back, round, previous_pe());
    shmem_wait_until(&back, SHMEM_CMP_GE, round);
  }
  shmem_barrier_all();
  free(source);
}

/* ---- after quiet all PEs see a put ---- */

static long told[MAX_PES];

/* I put to one PE, call quiet, and tell another PE, which gets the data from the first. */
static void third_parties(struct rng *common)
{
  memset(told, 0, sizeof told);
  shmem_barrier_all();
  for (long round = 1; round <= (long)test_scaled(100); round++) {
    const struct place *place = random_place(common);
    const int to = (int)rng_below(common, (uint64_t)test.pes),
              reader = (int)rng_below(common, (uint64_t)test.pes);
    long *words = (long *)place->at +
        rng_below(common, place->size / sizeof(long) / (size_t)test.pes) * (size_t)test.pes;
    shmem_long_p(&words[test.me], round * 1000 + test.me, (test.me + to) % test.pes);
    shmem_quiet();
    shmem_long_p(&told[test.me], round, (test.me + reader) % test.pes);
    const int teller = (test.me + test.pes - reader) % test.pes;
    shmem_wait_until(&told[teller], SHMEM_CMP_GE, round);
    const long got = shmem_long_g(&words[teller], (teller + to) % test.pes);
    CHECK(got == round * 1000 + teller, "told by PE %d: %ld at PE %d, not %ld", teller, got,
        (teller + to) % test.pes, round * 1000 + teller);
    shmem_barrier_all();
  }
}

/* ---- barriers complete ---- */

static long barrier_sync[2][_SHMEM_BARRIER_SYNC_SIZE];

static void barriers_complete(struct rng *common)
{
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < _SHMEM_BARRIER_SYNC_SIZE; i++) barrier_sync[k][i] = _SHMEM_SYNC_VALUE;
  shmem_barrier_all();
  for (long round = 1; round <= (long)test_scaled(150); round++) {
    const struct place *place = random_place(common);
    long *words = (long *)place->at +
        rng_below(common, place->size / sizeof(long) / (size_t)test.pes) * (size_t)test.pes;
    for (int pe = 0; pe < test.pes; pe++)
      if ((pe + test.me) % 3) shmem_long_p(&words[test.me], round, pe);
      else shmem_long_put(&words[test.me], &round, 1, pe);
    if (round % 2) shmem_barrier_all();
    else shmem_barrier(0, 0, test.pes, barrier_sync[round / 2 % 2]);
    for (int pe = 0; pe < test.pes; pe++)
      CHECK(words[pe] == round, "after the barrier PE %d's word is %ld, not %ld", pe, words[pe], round);
    shmem_barrier_all();
  }
}

int main(int argc, char **argv)
{
  test_start("sync", &argc, &argv);
  struct rng common = common_numbers(1);
  REQUIRE(test.pes <= MAX_PES, "at most %d PEs", MAX_PES);
  places();
  comparisons_of_all_types(&common);
  woken_by_atomics();
  data_before_flag(&common);
  third_parties(&common);
  barriers_complete(&common);
  return test_finish();
}
