/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Collectives on active sets: random starts, strides and sizes, every operation and type, any length, in
 * place and not, on the heap and on static variables, back to back. Every PE knows each PE's source, and
 * computes by itself what it must get. */
#include "places.h"

#include <complex.h>

enum { SLOTS = 6, MAX_PES = 128, LARGE_ARENA = 1 << 20, SYNCS = SLOTS, SYNC_ROOM = 8 };

/* What the collectives of a batch read and write, on the heap or not. Each has its slot, so that none waits
 * for another. */
struct memory {
  char *sources, *targets, *works; /* ARENA bytes each: SLOTS of them */
  long (*syncs)[SYNCS][_SHMEM_REDUCE_SYNC_SIZE + _SHMEM_COLLECT_SYNC_SIZE + _SHMEM_BCAST_SYNC_SIZE +
      _SHMEM_BARRIER_SYNC_SIZE + SYNC_ROOM];
};
static char static_sources[LARGE_ARENA] PLACE_ALIGNED, static_targets[LARGE_ARENA] PLACE_ALIGNED,
    static_works[LARGE_ARENA] PLACE_ALIGNED;
static struct memory memories[2];
enum { SLOT = LARGE_ARENA / SLOTS / 64 * 64, ROOM = SLOT - 2 * TEST_GUARD };

struct set {
  int start, log, size;
};

static int member(const struct set *s, int i) { return s->start + (i << s->log); }
/* This PE's place among them; -1: it is not one. */
static int place_of(const struct set *s, int pe)
{
  for (int i = 0; i < s->size; i++)
    if (member(s, i) == pe) return i;
  return -1;
}

static struct set random_set(struct rng *r)
{
  struct set s = {(int)rng_below(r, (uint64_t)test.pes), (int)rng_below(r, 4), 0};
  if (rng_below(r, 3) == 0) s.start = s.log = 0;
  s.size = 1 + (int)rng_below(r, (uint64_t)((test.pes - 1 - s.start) >> s.log) + 1);
  if (rng_below(r, 2)) s.size = 1 + ((test.pes - 1 - s.start) >> s.log);
  return s;
}

/* ---- reductions: elements for which every order of the operands gives the same, exactly ---- */

struct reduction {
  const char *name;
  size_t size, bits; /* bytes of an element, and of its value */
  size_t part;       /* of a complex one */
  void (*make)(void *element, uint64_t key);
  void (*combine)(void *into, const void *element);
  void (*call)(void *, void *, int, const struct set *, void *, long *);
};

#define REDUCE(N, OP, T, assign) \
  static void combine_##N##_##OP(void *into, const void *e) \
  { \
    T a, b; \
    memcpy(&a, into, sizeof a); \
    memcpy(&b, e, sizeof b); \
    assign; \
    memcpy(into, &a, sizeof a); \
  } \
  static void call_##N##_##OP(void *t, void *s, int n, const struct set *g, void *w, long *ps) \
  { \
    shmem_##N##_##OP##_to_all((T *)t, (T *)s, n, g->start, g->log, g->size, (T *)w, ps); \
  }

#define MAKE(name, T, value) \
  static void make_##name(void *e, uint64_t k) \
  { \
    const T v = (T)(value); \
    memcpy(e, &v, sizeof v); \
  }

/* Sums and products of integers wrap round, so their elements are small. */
#define REDUCE_INTEGER(N, T) \
  MAKE(N, T, test_mix(k)) \
  MAKE(dense_##N, T, test_mix(k) | test_mix(k + 1)) \
  MAKE(small_##N, T, (long)(test_mix(k) % 15) - 7) \
  MAKE(one_##N, T, test_mix(k) % 5 == 0 ? 2 : test_mix(k) % 5 == 1 ? -1 : 1) \
  REDUCE(N, and, T, a &= b) \
  REDUCE(N, or, T, a |= b) \
  REDUCE(N, xor, T, a ^= b) \
  REDUCE(N, max, T, a = a > b ? a : b) \
  REDUCE(N, min, T, a = a < b ? a : b) \
  REDUCE(N, sum, T, a = (T)(a + b)) \
  REDUCE(N, prod, T, a = (T)((unsigned long long)a * (unsigned long long)b))
/* Floating numbers whose sums and products are exact: small integers, and powers of two. */
#define REDUCE_MAKES_REAL(N, T, BITS) \
  static void make_##N(void *e, uint64_t k) \
  { \
    const T v = (T)((double)(test_mix(k) % 2000) - 1000) / 8; \
    memset(e, 0, sizeof v); \
    memcpy(e, &v, BITS); \
  } \
  static void make_one_##N(void *e, uint64_t k) \
  { \
    static const T of[] = {1, 2, -1, (T)0.5, 1, 1, -2}; \
    memset(e, 0, sizeof *of); \
    memcpy(e, &of[test_mix(k) % 7], BITS); \
  }
#define REDUCE_REAL(N, T, BITS) \
  REDUCE_MAKES_REAL(N, T, BITS) REDUCE(N, max, T, a = a > b ? a : b) \
  REDUCE(N, min, T, a = a < b ? a : b) \
  REDUCE(N, sum, T, a += b) \
  REDUCE(N, prod, T, a *= b)
#define REDUCE_COMPLEX(N, T) \
  MAKE(N, T, (T)(double)(test_mix(k) % 200) - (T)I * (double)(test_mix(k + 1) % 200)) \
  static void make_one_##N(void *e, uint64_t k) \
  { \
    const T of[] = {1, I, -1, -I, 2}; \
    memcpy(e, &of[test_mix(k) % 5], sizeof *of); \
  } \
  REDUCE(N, sum, T, a += b) \
  REDUCE(N, prod, T, a *= b)

#define REDUCE_TYPES(INTEGER, REAL, COMPLEX) \
  INTEGER(short, short) \
  INTEGER(int, int) \
  INTEGER(long, long) \
  INTEGER(longlong, long long) \
  REAL(float, float, sizeof(float)) \
  REAL(double, double, sizeof(double)) \
  REAL(longdouble, long double, 10) \
  COMPLEX(complexf, float complex) \
  COMPLEX(complexd, double complex)
REDUCE_TYPES(REDUCE_INTEGER, REDUCE_REAL, REDUCE_COMPLEX)

/* clang-format off */
#define ROW(N, OP, T, BITS, PART, MAKE) \
  {#N "_" #OP, sizeof(T), BITS, PART, MAKE##N, combine_##N##_##OP, call_##N##_##OP},
#define ROW_INTEGER(N, OP, T, MAKE) ROW(N, OP, T, sizeof(T), 0, MAKE)
#define ROWS_INTEGER(N, T)              \
  ROW_INTEGER(N, and, T, make_dense_)   \
  ROW_INTEGER(N, or, T, make_)          \
  ROW_INTEGER(N, xor, T, make_)         \
  ROW_INTEGER(N, max, T, make_)         \
  ROW_INTEGER(N, min, T, make_)         \
  ROW_INTEGER(N, sum, T, make_small_)   \
  ROW_INTEGER(N, prod, T, make_one_)
#define ROWS_REAL(N, T, BITS)           \
  ROW(N, max, T, BITS, 0, make_)        \
  ROW(N, min, T, BITS, 0, make_)        \
  ROW(N, sum, T, BITS, 0, make_)        \
  ROW(N, prod, T, BITS, 0, make_one_)
#define ROWS_COMPLEX(N, T)                           \
  ROW(N, sum, T, sizeof(T), sizeof(T) / 2, make_)    \
  ROW(N, prod, T, sizeof(T), sizeof(T) / 2, make_one_)
static const struct reduction reductions[] = {
  REDUCE_TYPES(ROWS_INTEGER, ROWS_REAL, ROWS_COMPLEX)
};
/* clang-format on */
enum { REDUCTIONS = sizeof reductions / sizeof *reductions };

/* ---- a case: one collective of a batch ---- */

enum kind { REDUCTION, BROADCAST, COLLECT, FCOLLECT, BARRIER, KINDS };

struct work {
  enum kind kind;
  const struct reduction *reduction;
  struct set set;
  int root, given;    /* broadcast: a PE, and how the call names it */
  size_t size, count; /* of an element; elements that each PE gives, if all give the same */
  int in_place;
  uint64_t key;
  int sync; /* which pSync */
  struct memory *memory;
  char *source, *target, *pwrk;
};

/* How many elements a PE gives to a collect. */
static size_t count_of(const struct work *w, int pe)
{
  if (w->kind != COLLECT) return w->count;
  struct rng r;
  rng_init(&r, w->key ^ (uint64_t)pe);
  return rng_below(&r, 3) ? rng_size(&r, w->count) : 0;
}

/* A reduction's source consists of elements, other sources of bytes. */
static void make_source(const struct work *w, int pe, char *to)
{
  const uint64_t key = w->key + 1000003u * (uint64_t)pe;
  const size_t n = count_of(w, pe);
  if (w->kind != REDUCTION) {
    pattern_fill(to, n * w->size, key);
    return;
  }
  for (size_t i = 0; i < n; i++) w->reduction->make(to + i * w->size, key + 7 * i);
}

static struct work random_work(struct rng *r, int slot)
{
  struct work w = {.kind = (enum kind)rng_below(r, KINDS),
      .set = random_set(r),
      .key = rng_next(r),
      .sync = slot,
      .memory = &memories[rng_below(r, 2)]};
  if (rng_below(r, 3) == 0) w.kind = REDUCTION;
  w.reduction = &reductions[rng_below(r, REDUCTIONS)];
  w.given = (int)rng_below(r, (uint64_t)w.set.size);
  w.root = member(&w.set, w.given);
  if (w.root >= w.set.size && rng_below(r, 4) == 0)
    w.given = w.root; /* not a place in the set: taken as a PE's number */
  w.size = w.kind == REDUCTION ? w.reduction->size : rng_below(r, 2) ? 8 : 4;
  size_t most = (size_t)ROOM / 2 / w.size;
  if (w.kind == COLLECT || w.kind == FCOLLECT) most = ROOM / w.size / (size_t)w.set.size;
  if (w.kind != BARRIER) w.count = rng_size(r, rng_below(r, 8) ? most / 16 : most);
  w.in_place = rng_below(r, 4) == 0;
  const size_t offset = (size_t)slot * SLOT + TEST_GUARD;
  w.target = w.memory->targets + offset;
  w.source = w.in_place ? w.target : w.memory->sources + offset;
  w.pwrk = w.memory->works + offset;
  return w;
}

static size_t work_elements(const struct work *w)
{
  return w->count / 2 + 1 > _SHMEM_REDUCE_MIN_WRKDATA_SIZE ? w->count / 2 + 1
                                                           : _SHMEM_REDUCE_MIN_WRKDATA_SIZE;
}

static void prepare(const struct work *w)
{
  memset(w->target - TEST_GUARD, TEST_UNTOUCHED, SLOT);
  if (!w->in_place) memset(w->source - TEST_GUARD, TEST_UNTOUCHED, SLOT);
  memset(w->pwrk - TEST_GUARD, TEST_UNTOUCHED, SLOT);
  make_source(w, test.me, w->source);
}

static void call(const struct work *w)
{
  const struct set *s = &w->set;
  const size_t n = count_of(w, test.me);
  long *sync = (*w->memory->syncs)[w->sync];
  switch (w->kind) {
  case REDUCTION: w->reduction->call(w->target, w->source, (int)n, s, w->pwrk, sync); break;
  case BROADCAST:
    (w->size == 8 ? shmem_broadcast64 : shmem_broadcast32)(
        w->target, w->source, n, w->given, s->start, s->log, s->size, sync);
    break;
  case COLLECT:
    (w->size == 8 ? shmem_collect64 : shmem_collect32)(
        w->target, w->source, n, s->start, s->log, s->size, sync);
    break;
  case FCOLLECT:
    (w->size == 8 ? shmem_fcollect64 : shmem_fcollect32)(
        w->target, w->source, n, s->start, s->log, s->size, sync);
    break;
  default: shmem_barrier(s->start, s->log, s->size, sync);
  }
}

/* ---- what must be there ---- */

static char wanted[SLOT], operand[SLOT];

static size_t want_reduction(const struct work *w)
{
  make_source(w, member(&w->set, 0), wanted);
  for (int i = 1; i < w->set.size; i++) {
    make_source(w, member(&w->set, i), operand);
    for (size_t k = 0; k < w->count; k++) w->reduction->combine(wanted + k * w->size, operand + k * w->size);
  }
  return w->count * w->size;
}

static size_t want_collected(const struct work *w)
{
  size_t at = 0;
  for (int i = 0; i < w->set.size; i++) {
    make_source(w, member(&w->set, i), wanted + at);
    at += count_of(w, member(&w->set, i)) * w->size;
  }
  return at;
}

/* Fills `wanted`, returns its size. Bytes behind must not have changed; neither has the root's target. */
static size_t want(const struct work *w)
{
  switch (w->kind) {
  case REDUCTION: return want_reduction(w);
  case COLLECT:
  case FCOLLECT: return want_collected(w);
  case BROADCAST:
    if (w->root == test.me && !w->in_place) return 0;
    make_source(w, w->root, wanted);
    return w->count * w->size;
  default: return 0;
  }
}

static const char *kind_name(const struct work *w)
{
  static const char *const names[] = {"", "broadcast", "collect", "fcollect", "barrier"};
  return w->kind == REDUCTION ? w->reduction->name : names[w->kind];
}

/* Bytes without a value may be any; the order of the operands decides which zero a complex product has. */
static int same_result(const struct work *w, size_t n)
{
  const struct reduction *r = w->reduction;
  size_t value = n;
  if (w->kind == REDUCTION) value = r->part ? r->part : r->bits;
  const size_t step = w->kind != REDUCTION ? n : r->part ? r->part : r->size;
  for (size_t at = 0; at < n; at += step) {
    if (!memcmp(w->target + at, wanted + at, value)) continue;
    float f[2] = {0, 0};
    double d[2] = {0, 0};
    if (value == sizeof *f) memcpy(&f[0], w->target + at, value), memcpy(&f[1], wanted + at, value);
    else if (value == sizeof *d) memcpy(&d[0], w->target + at, value), memcpy(&d[1], wanted + at, value);
    if (w->kind != REDUCTION || !r->part || f[0] != f[1] || d[0] != d[1]) return 0;
  }
  return 1;
}

static void check_target(const struct work *w)
{
  const size_t n = want(w), own = w->in_place ? count_of(w, test.me) * w->size : 0;
  const size_t behind = n > own ? n : own; /* in place, the source may be longer than the result */
  CHECK(same_result(w, n), "%s of %zu elements of %zu bytes, set %d %d %d, root %d, %s, %s: wrong",
      kind_name(w), w->count, w->size, w->set.start, w->set.log, w->set.size, w->root,
      w->in_place ? "in place" : "not in place", w->memory == memories ? "static" : "heap");
  CHECK(bytes_bad(w->target - TEST_GUARD, TEST_GUARD, TEST_UNTOUCHED) == TEST_GUARD,
      "%s wrote before its target", kind_name(w));
  CHECK(bytes_bad(w->target + behind, ROOM - behind, TEST_UNTOUCHED) == ROOM - behind,
      "%s of %zu bytes, set %d %d %d, wrote past its target", kind_name(w), n, w->set.start, w->set.log,
      w->set.size);
}

static void check_rest(const struct work *w)
{
  const size_t n = count_of(w, test.me) * w->size,
               used = w->kind == REDUCTION ? work_elements(w) * w->size : 0;
  if (!w->in_place) {
    make_source(w, test.me, operand);
    CHECK(!memcmp(w->source, operand, n) && bytes_bad(w->source + n, ROOM - n, TEST_UNTOUCHED) == ROOM - n,
        "%s changed its source", kind_name(w));
  }
  CHECK(bytes_bad(w->pwrk - TEST_GUARD, TEST_GUARD, TEST_UNTOUCHED) == TEST_GUARD, "%s wrote before its pWrk",
      kind_name(w));
  CHECK(bytes_bad(w->pwrk + used, ROOM - used, TEST_UNTOUCHED) == ROOM - used, "%s wrote past its pWrk",
      kind_name(w));
}

static void check_untouched(const struct work *w)
{
  const char *behind = w->target + (w->in_place ? count_of(w, test.me) * w->size : 0);
  CHECK(bytes_bad(behind, TEST_GUARD, TEST_UNTOUCHED) == TEST_GUARD, "%s of others wrote here", kind_name(w));
}

/* ---- batches: several collectives without anything between ---- */

static void check_syncs(void)
{
  for (int m = 0; m < 2; m++)
    for (int k = 0; k < SYNCS; k++)
      for (size_t i = 0; i < sizeof(*memories[m].syncs)[k] / sizeof(long); i++)
        CHECK((*memories[m].syncs)[k][i] == _SHMEM_SYNC_VALUE, "pSync %d: element %zu is %ld", k, i,
            (*memories[m].syncs)[k][i]);
}

static void batch(struct rng *r)
{
  struct work works[SLOTS];
  const int together = 1 + (int)rng_below(r, SLOTS);
  for (int i = 0; i < together; i++) {
    works[i] = random_work(r, i);
    prepare(&works[i]);
  }
  shmem_barrier_all();
  for (int i = 0; i < together; i++) {
    if (place_of(&works[i].set, test.me) < 0) continue;
    call(&works[i]);
    if ((works[i].key & 1) == 0) check_target(&works[i]);
  }
  for (int i = 0; i < together; i++)
    if (place_of(&works[i].set, test.me) >= 0) check_target(&works[i]);
  shmem_barrier_all();
  for (int i = 0; i < together; i++)
    if (place_of(&works[i].set, test.me) >= 0) check_rest(&works[i]);
    else check_untouched(&works[i]);
  check_syncs();
  shmem_barrier_all();
}

/* All of them on all PEs, with few and many elements. */
static void every_reduction(struct rng *r)
{
  static const size_t counts[] = {1, 0, 2, 7, 300};
  for (int i = 0; i < REDUCTIONS; i++) {
    struct work works[SLOTS];
    for (int k = 0; k < 5; k++) {
      struct work *w = &works[k];
      do *w = random_work(r, k);
      while (w->kind != REDUCTION);
      w->set = (struct set){0, 0, test.pes};
      w->reduction = &reductions[i];
      w->size = w->reduction->size;
      w->count = counts[k];
      prepare(w);
    }
    shmem_barrier_all();
    for (int k = 0; k < 5; k++) call(&works[k]);
    for (int k = 0; k < 5; k++) check_target(&works[k]);
    shmem_barrier_all();
  }
}

/* ---- no PE leaves a set's barrier before all have come ---- */

static long arrivals[8];

static void barriers(struct rng *r)
{
  const struct set s = random_set(r);
  memset(arrivals, 0, sizeof arrivals);
  shmem_barrier_all();
  if (place_of(&s, test.me) >= 0)
    for (int i = 0; i < 8; i++) {
      shmem_long_inc(&arrivals[i], s.start);
      shmem_barrier(s.start, s.log, s.size, (*memories[i % 2].syncs)[i % SYNCS]);
      CHECK(shmem_long_g(&arrivals[i], s.start) == s.size, "barrier of set %d %d %d: %ld have arrived",
          s.start, s.log, s.size, shmem_long_g(&arrivals[i], s.start));
    }
  shmem_barrier_all();
}

/* The same collective again and again, with two pSync in turn. */
static void same_again(struct rng *r)
{
  static long source, target;
  const struct set s = random_set(r);
  shmem_barrier_all();
  if (place_of(&s, test.me) >= 0)
    for (int i = 0; i < 100; i++) {
      source = i + test.me;
      shmem_long_sum_to_all(&target, &source, 1, s.start, s.log, s.size, (long *)memories[0].works,
          (*memories[i % 2].syncs)[i % 2]);
      long want = 0;
      for (int k = 0; k < s.size; k++) want += i + member(&s, k);
      CHECK(target == want, "sum %d of set %d %d %d: %ld, not %ld", i, s.start, s.log, s.size, target, want);
      shmem_barrier(s.start, s.log, s.size, (*memories[1].syncs)[2 + i % 2]);
    }
  shmem_barrier_all();
}

static long static_syncs[sizeof **memories[0].syncs / sizeof(long) * SYNCS];

static void prepare_memories(void)
{
  const size_t sync = sizeof *memories[0].syncs / sizeof(long);
  memories[0] = (struct memory){static_sources, static_targets, static_works, (void *)static_syncs};
  memories[1] = (struct memory){test_shmalloc(LARGE_ARENA), test_shmalloc(LARGE_ARENA),
      test_shmalloc(LARGE_ARENA), test_shmalloc(sizeof *memories[0].syncs)};
  for (int m = 0; m < 2; m++)
    for (size_t i = 0; i < sync; i++) ((long *)memories[m].syncs)[i] = _SHMEM_SYNC_VALUE;
  shmem_barrier_all();
}

int main(int argc, char **argv)
{
  test_start("coll", &argc, &argv);
  struct rng common = common_numbers(1);
  REQUIRE(test.pes <= MAX_PES, "at most %d PEs", MAX_PES);
  prepare_memories();
  every_reduction(&common);
  const size_t n = test_scaled((test_mapped() ? 2000.0 : 400.0) / (test.pes + 2));
  for (size_t i = 0; i < n; i++) {
    batch(&common);
    if (i % 8 == 0) barriers(&common);
    if (i % 16 == 0) same_again(&common);
  }
  return test_finish();
}
