/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Atomic operations of every type: all PEs, its owner too, work on one word at a time. Each update counts
 * exactly once, each swap returns what another has left, and the words beside it do not change. */
#include "places.h"

enum { ROUNDS = 6, MAX_PES = 256, MOST = 2000 };

/* One word of any type, between others that must not change. */
struct words {
  long long before;
  union {
    int i[2];
    long l;
    long long ll;
    float f;
    double d;
  } w;
  long long after;
};

static const long long guard = 0x5a5a1234c3c3789a;
static long long results[MOST]; /* what each PE's operations have returned */
static int results_used;

/* ---- the same signatures for all types: values travel as long long ---- */

struct atomic_type {
  const char *name;
  size_t size;
  long long (*fadd)(void *, long long, int), (*finc)(void *, int), (*swap)(void *, long long, int);
  long long (*cswap)(void *, long long, long long, int), (*g)(void *, int);
  void (*add)(void *, long long, int), (*inc)(void *, int), (*p)(void *, long long, int);
};

#define ATOMIC_INTEGER(N, T) \
  static long long fadd_##N(void *a, long long v, int pe) { return shmem_##N##_fadd((T *)a, (T)v, pe); } \
  static long long finc_##N(void *a, int pe) { return shmem_##N##_finc((T *)a, pe); } \
  static long long cswap_##N(void *a, long long c, long long v, int pe) \
  { \
    return shmem_##N##_cswap((T *)a, (T)c, (T)v, pe); \
  } \
  static void add_##N(void *a, long long v, int pe) { shmem_##N##_add((T *)a, (T)v, pe); } \
  static void inc_##N(void *a, int pe) { shmem_##N##_inc((T *)a, pe); }
#define ATOMIC_SWAP(N, T, routine) \
  static long long swap_##N(void *a, long long v, int pe) { return (long long)routine((T *)a, (T)v, pe); }
#define ATOMIC_VALUE(N, T) \
  static void p_##N(void *a, long long v, int pe) { shmem_##N##_p((T *)a, (T)v, pe); } \
  static long long g_##N(void *a, int pe) { return (long long)shmem_##N##_g((T *)a, pe); }

ATOMIC_INTEGER(int, int)
ATOMIC_SWAP(int, int, shmem_int_swap)
ATOMIC_VALUE(int, int)
ATOMIC_INTEGER(long, long)
ATOMIC_SWAP(long, long, shmem_long_swap)
ATOMIC_VALUE(long, long)
ATOMIC_INTEGER(longlong, long long)
ATOMIC_SWAP(longlong, long long, shmem_longlong_swap)
ATOMIC_VALUE(longlong, long long)
ATOMIC_SWAP(float, float, shmem_float_swap)
ATOMIC_VALUE(float, float)
ATOMIC_SWAP(double, double, shmem_double_swap)
ATOMIC_VALUE(double, double)
ATOMIC_SWAP(plain, long, shmem_swap)

/* clang-format off */
#define ATOMIC_FULL(N, T) \
  {#N, sizeof(T), fadd_##N, finc_##N, swap_##N, cswap_##N, g_##N, add_##N, inc_##N, p_##N}
/* clang-format on */
static const struct atomic_type types[] = {
    ATOMIC_FULL(int, int),
    ATOMIC_FULL(long, long),
    ATOMIC_FULL(longlong, long long),
    {.name = "float", .size = sizeof(float), .swap = swap_float, .g = g_float, .p = p_float},
    {.name = "double", .size = sizeof(double), .swap = swap_double, .g = g_double, .p = p_double},
    {.name = "long by shmem_swap", .size = sizeof(long), .swap = swap_plain, .g = g_long, .p = p_long},
};
enum { TYPES = sizeof types / sizeof *types, INTEGERS = 3 };

/* ---- one word for all PEs ---- */

struct arena {
  const struct atomic_type *type;
  const char *where;
  struct words *words; /* at every PE */
  char *word;
  int pe; /* the PE whose word is used */
};

/* A small word may be the second half of eight bytes. */
static struct arena choose(struct rng *r, const struct atomic_type *type)
{
  const struct place *place = random_place(r);
  const size_t at = rng_below(r, place->size / sizeof(struct words));
  struct arena a = {
      type, place->name, (struct words *)place->at + at, NULL, (int)rng_below(r, (uint64_t)test.pes)};
  a.word = (char *)&a.words->w + (type->size == 4 ? 4 * rng_below(r, 2) : 0);
  return a;
}

static void prepare(const struct arena *a, long long value)
{
  if (test.me == a->pe) {
    a->words->before = a->words->after = guard;
    memset(&a->words->w, 0x77, sizeof a->words->w);
    a->type->p(a->word, value, a->pe);
  }
  results_used = 0;
  shmem_barrier_all();
}

static void check_surroundings(const struct arena *a, const char *op)
{
  if (test.me != a->pe) return;
  CHECK(a->words->before == guard && a->words->after == guard, "%s %s: a word beside it has changed",
      a->type->name, op);
  if (a->type->size == 8) return;
  const char *other = a->word == (char *)&a->words->w ? a->word + 4 : a->word - 4;
  CHECK(
      bytes_bad(other, 4, 0x77) == 4, "%s %s: the other half of eight bytes has changed", a->type->name, op);
}

/* Enough for PEs to meet, also if each operation takes nanoseconds. */
static int mapped;
static size_t operations(size_t most)
{
  const size_t n = test_scaled(mapped ? 6000 : 60);
  return n < most ? n : most;
}

/* ---- sums ---- */

static unsigned long long contribute(const struct arena *a, struct rng *r)
{
  const long long v = (long long)(rng_next(r) >> (a->type->size == 4 ? 40 : 4)) - (1 << 22);
  switch (rng_below(r, 4)) {
  case 0: a->type->add(a->word, v, a->pe); return (unsigned long long)v;
  case 1: a->type->fadd(a->word, v, a->pe); return (unsigned long long)v;
  case 2: a->type->inc(a->word, a->pe); return 1;
  default: a->type->finc(a->word, a->pe); return 1;
  }
}

static long long of_width(unsigned long long v, size_t size)
{
  return size == 4 ? (int)(unsigned)v : (long long)v;
}

static void sums(const struct atomic_type *type, struct rng *common, struct rng *own)
{
  const struct arena a = choose(common, type);
  unsigned long long total = 5;
  prepare(&a, 5);
  results[0] = 0;
  for (size_t i = 0; i < operations(100000); i++)
    results[0] = (long long)((unsigned long long)results[0] + contribute(&a, own));
  shmem_barrier_all();
  for (int pe = 0; pe < test.pes; pe++) total += (unsigned long long)shmem_longlong_g(&results[0], pe);
  const long long want = of_width(total, type->size), got = type->g(a.word, a.pe);
  CHECK(got == want, "%s in %s of PE %d: the sum is %lld, not %lld", type->name, a.where, a.pe, got, want);
  check_surroundings(&a, "add");
  shmem_barrier_all();
}

/* ---- each value 0 .. count-1 is returned by exactly one operation ---- */

static void each_once(const struct arena *a, const char *op, long long count, long long last)
{
  shmem_barrier_all();
  if (test.me == 0) {
    unsigned char *times = calloc((size_t)count, 1);
    for (int pe = 0; pe < test.pes; pe++) {
      const int n = shmem_int_g(&results_used, pe);
      long long of_pe[MOST];
      shmem_longlong_get(of_pe, results, (size_t)n, pe);
      for (int i = 0; i < n; i++) {
        CHECK(of_pe[i] >= 0 && of_pe[i] < count, "%s %s in %s of PE %d: returned %lld", a->type->name, op,
            a->where, a->pe, of_pe[i]);
        if (of_pe[i] >= 0 && of_pe[i] < count) times[of_pe[i]]++;
      }
    }
    if (last >= 0 && last < count) times[last]++;
    for (long long v = 0; v < count; v++)
      CHECK(times[v] == 1, "%s %s in %s of PE %d: %lld returned %d times", a->type->name, op, a->where, a->pe,
          v, times[v]);
    free(times);
  }
  check_surroundings(a, op);
  shmem_barrier_all();
}

static void tickets(const struct atomic_type *type, struct rng *common, struct rng *own)
{
  const struct arena a = choose(common, type);
  const size_t n = operations(MOST);
  prepare(&a, 0);
  for (size_t i = 0; i < n; i++)
    results[results_used++] = rng_below(own, 2) ? type->finc(a.word, a.pe) : type->fadd(a.word, 1, a.pe);
  shmem_barrier_all();
  const long long last = type->g(a.word, a.pe), count = (long long)n * test.pes;
  CHECK(last == count, "%s in %s of PE %d: %lld increments counted as %lld", type->name, a.where, a.pe, count,
      last);
  each_once(&a, "finc and fadd", count, -1);
}

/* Each PE swaps in its own numbers; 0 was in the word before. No swap returns the last value in it. */
static void swaps(const struct atomic_type *type, struct rng *common)
{
  const struct arena a = choose(common, type);
  const long long n = (long long)operations(MOST);
  prepare(&a, 0);
  for (long long i = 0; i < n; i++) results[results_used++] = type->swap(a.word, 1 + test.me * n + i, a.pe);
  shmem_barrier_all();
  each_once(&a, "swap", n * test.pes + 1, type->g(a.word, a.pe));
}

/* A counter made of conditional swaps. */
static void conditional(const struct atomic_type *type, struct rng *common)
{
  const struct arena a = choose(common, type);
  const size_t n = operations(MOST) / 4 + 1;
  prepare(&a, 0);
  for (size_t i = 0; i < n; i++) {
    long long expected = type->g(a.word, a.pe), found;
    while ((found = type->cswap(a.word, expected, expected + 1, a.pe)) != expected) {
      expected = found;
      test_yield();
    }
    results[results_used++] = found;
  }
  CHECK(type->cswap(a.word, -1, 7, a.pe) != -1, "%s cswap: found what never was there", type->name);
  shmem_barrier_all();
  each_once(&a, "cswap", (long long)n * test.pes, -1);
}

/* Both halves of eight bytes, half of the PEs on each. */
static void halves(struct rng *common)
{
  struct arena a = choose(common, &types[0]);
  const size_t n = operations(100000);
  const int half = test.me & 1;
  prepare(&a, 0);
  if (test.me == a.pe) a.words->w.i[0] = a.words->w.i[1] = 0;
  shmem_barrier_all();
  for (size_t i = 0; i < n; i++) shmem_int_inc(&a.words->w.i[half], a.pe);
  shmem_barrier_all();
  const int odd = test.pes / 2, even = test.pes - odd;
  if (test.me == a.pe)
    CHECK(a.words->w.i[0] == even * (int)n && a.words->w.i[1] == odd * (int)n,
        "halves of eight bytes in %s: %d and %d, not %d and %d", a.where, a.words->w.i[0], a.words->w.i[1],
        even * (int)n, odd * (int)n);
  shmem_barrier_all();
}

/* Puts and atomics of one PE to one word, with quiet between them, happen in order. */
static void own_order(const struct atomic_type *type, struct rng *own)
{
  static long long words[MAX_PES];
  const int pe = (int)rng_below(own, (uint64_t)test.pes);
  void *word = &words[test.me];
  for (int i = 0; i < 20; i++) {
    type->p(word, i, pe);
    shmem_quiet();
    CHECK(type->fadd(word, 100, pe) == i, "%s fadd after p", type->name);
    type->add(word, 1000, pe);
    shmem_quiet();
    CHECK(type->g(word, pe) == i + 1100, "%s g after add: %lld, not %d", type->name, type->g(word, pe),
        i + 1100);
    CHECK(type->cswap(word, i + 1100, 3, pe) == i + 1100 && type->swap(word, 4, pe) == 3, "%s cswap, swap",
        type->name);
    type->inc(word, pe);
    shmem_quiet();
    CHECK(type->finc(word, pe) == 5 && type->g(word, pe) == 6, "%s inc, finc", type->name);
  }
  shmem_barrier_all();
}

int main(int argc, char **argv)
{
  test_start("atomics", &argc, &argv);
  struct rng common = common_numbers(1), own = own_numbers(1);
  REQUIRE(test.pes <= MAX_PES, "at most %d PEs", MAX_PES);
  mapped = test_mapped();
  for (size_t round = 0; round < ROUNDS; round++) {
    for (int i = 0; i < INTEGERS; i++) {
      sums(&types[i], &common, &own);
      tickets(&types[i], &common, &own);
      conditional(&types[i], &common);
      own_order(&types[i], &own);
    }
    for (int i = 0; i < TYPES; i++) swaps(&types[i], &common);
    halves(&common);
  }
  return test_finish();
}
