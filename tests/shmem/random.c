/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A random mixture of everything, with a model of all PEs' memory. In each round every part of every PE's
 * memory belongs to one PE, which alone reads and writes it; all PEs compute what each does, so that all
 * results and all memory are known. Between rounds there are collectives, and the heap's part moves. */
#include "rma.h"

enum { CHUNK = 2048, AREAS = 3, MAX_PES = 64, STEPS = 24, COUNTERS = 8, MOST_DIRTY = 64, SUMMED = 100 };
enum { HEAP_SIZE = 32 * CHUNK, BSS_SIZE = 32 * CHUNK, DATA_SIZE = 8 * CHUNK };

static char bss[BSS_SIZE] __attribute__((aligned(64)));
static char data[DATA_SIZE] __attribute__((aligned(64))) = {1};
static struct {
  char *at;
  size_t size;
} areas[AREAS] = {{NULL, HEAP_SIZE}, {bss, BSS_SIZE}, {data, DATA_SIZE}};

static char *models[AREAS]; /* all PEs' areas, one behind the other */
static uint64_t round_key;

/* Memory that belongs to `who` in this round. */
struct spot {
  int pe, area;
  size_t offset, room; /* to the end of the chunk */
};

static char *model_of(const struct spot *s)
{
  return models[s->area] + (size_t)s->pe * areas[s->area].size + s->offset;
}
static char *real_of(const struct spot *s) { return areas[s->area].at + s->offset; }

static int owner(int pe, int area, size_t chunk)
{
  return (int)(test_mix(round_key + (uint64_t)pe * 1000003u + (uint64_t)area * 1009u + chunk) %
      (uint64_t)test.pes);
}

static struct spot spot_of(struct rng *r, int who, int pe, size_t alignment)
{
  for (size_t tries = 0;; tries++) {
    struct spot s = {pe, (int)rng_below(r, AREAS), 0, 0};
    if (pe < 0 || tries > 2000) s.pe = (int)rng_below(r, (uint64_t)test.pes);
    const size_t chunk = rng_below(r, areas[s.area].size / CHUNK),
                 at = rng_below(r, CHUNK / alignment - 1) * alignment;
    if (owner(s.pe, s.area, chunk) != who) continue;
    s.offset = chunk * CHUNK + at;
    s.room = CHUNK - at;
    return s;
  }
}

/* ---- puts that may not have arrived: they are waited for before their target is used again ---- */

static struct {
  int pe, area;
  size_t from, to;
} dirty[MOST_DIRTY];
static int dirties;

static void note_put(const struct spot *s, size_t n)
{
  if (dirties == MOST_DIRTY) shmem_quiet(), dirties = 0;
  dirty[dirties].pe = s->pe, dirty[dirties].area = s->area;
  dirty[dirties].from = s->offset, dirty[dirties++].to = s->offset + n;
}

/* A fence is enough between two puts to one PE. */
static void before_touching(const struct spot *s, size_t n, int putting)
{
  for (int i = 0; i < dirties; i++) {
    if (dirty[i].pe != s->pe || dirty[i].area != s->area || dirty[i].from >= s->offset + n ||
        s->offset >= dirty[i].to)
      continue;
    if (putting) {
      shmem_fence();
      return;
    }
    shmem_quiet();
    dirties = 0;
    return;
  }
}

/* ---- operations: all PEs change the model, `who` the memory ---- */

static size_t reach(size_t n, size_t step, size_t size) { return n ? ((n - 1) * step + 1) * size : 0; }

static const struct rma_type *random_type(struct rng *r, int with_single)
{
  for (;;) {
    const struct rma_type *t = &rma_types[rng_below(r, RMA_TYPES)];
    if (t->size == t->bits && (!with_single || t->p)) return t;
  }
}

static void copy_elements(char *to, size_t to_step, const char *from, size_t from_step, size_t n, size_t size)
{
  for (size_t i = 0; i < n; i++) memmove(to + i * to_step * size, from + i * from_step * size, size);
}

/* From this PE's symmetric or private memory to any PE's. */
static void put(struct rng *r, int who)
{
  static char private[CHUNK];
  const struct rma_type *t = random_type(r, 0);
  const size_t to_step = t->contiguous ? 1 : rng_range(r, 1, 3),
               from_step = t->contiguous ? 1 : rng_range(r, 1, 3);
  const struct spot to = spot_of(r, who, -1, t->size), from = spot_of(r, who, who, t->size);
  const int symmetric = from.pe == who && rng_below(r, 2);
  const size_t most = (to.room / to_step < from.room / from_step ? to.room / to_step
                                                                 : from.room / from_step) /
      t->size;
  const size_t n = rng_size(r, most);
  char source[CHUNK];
  pattern_fill(source, CHUNK, rng_next(r));
  if (symmetric) memcpy(source, model_of(&from), from.room);
  if (symmetric && from.pe == to.pe && from.area == to.area) return; /* they may overlap */
  copy_elements(model_of(&to), to_step, source, from_step, n, t->size);
  if (who != test.me) return;
  memcpy(private, source, CHUNK);
  const size_t bytes = reach(n, to_step, t->size);
  if (symmetric) before_touching(&from, reach(n, from_step, t->size), 0);
  before_touching(&to, bytes, 1);
  const char *here = symmetric ? real_of(&from) : private;
  if (to_step == 1 && from_step == 1) t->put(real_of(&to), here, n, to.pe);
  else t->iput(real_of(&to), here, (ptrdiff_t)to_step, (ptrdiff_t)from_step, n, to.pe);
  memset(private, 0, CHUNK);
  note_put(&to, bytes);
}

/* Into symmetric memory of this PE. */
static void get(struct rng *r, int who)
{
  const struct rma_type *t = random_type(r, 0);
  const size_t to_step = t->contiguous ? 1 : rng_range(r, 1, 3),
               from_step = t->contiguous ? 1 : rng_range(r, 1, 3);
  const struct spot from = spot_of(r, who, -1, t->size), to = spot_of(r, who, who, t->size);
  const size_t most = (to.room / to_step < from.room / from_step ? to.room / to_step
                                                                 : from.room / from_step) /
      t->size;
  const size_t n = rng_size(r, most);
  if (to.pe != who || (from.pe == to.pe && from.area == to.area)) return;
  copy_elements(model_of(&to), to_step, model_of(&from), from_step, n, t->size);
  if (who != test.me) return;
  before_touching(&from, reach(n, from_step, t->size), 0);
  before_touching(&to, reach(n, to_step, t->size), 0);
  if (to_step == 1 && from_step == 1) t->get(real_of(&to), real_of(&from), n, from.pe);
  else t->iget(real_of(&to), real_of(&from), (ptrdiff_t)to_step, (ptrdiff_t)from_step, n, from.pe);
  CHECK(!memcmp(real_of(&to), model_of(&to), reach(n, to_step, t->size)),
      "get of %zu %s with steps %zu to %zu from PE %d", n, t->name, from_step, to_step, from.pe);
}

static void single(struct rng *r, int who)
{
  const struct rma_type *t = random_type(r, 1);
  const struct spot s = spot_of(r, who, -1, t->size);
  char value[16], seen[16];
  const int putting = rng_below(r, 2) != 0;
  t->make(value, rng_next(r));
  if (putting) memcpy(model_of(&s), value, t->size);
  if (who != test.me) return;
  before_touching(&s, t->size, putting);
  if (putting) {
    t->p(real_of(&s), value, s.pe);
    note_put(&s, t->size);
    return;
  }
  /* Random bits that are no floating value do not survive registers. */
  if (t->make == rma_make_float || t->make == rma_make_double) return;
  t->g(seen, real_of(&s), s.pe);
  CHECK(!memcmp(seen, model_of(&s), t->size), "%s g from PE %d", t->name, s.pe);
}

/* The model knows what was there. */
#define ATOMIC(N, T) \
  static void atomic_##N(struct rng *r, int who) \
  { \
    const struct spot s = spot_of(r, who, -1, sizeof(T)); \
    const int op = (int)rng_below(r, 6); \
    const T operand = (T)rng_next(r), miss = (T)rng_below(r, 2); \
    T old, after, returned, expected; \
    memcpy(&old, model_of(&s), sizeof old); \
    expected = (T)((unsigned long long)old + (unsigned long long)miss); \
    const T sum = (T)((unsigned long long)old + (op < 2 ? 1ull : (unsigned long long)operand)); \
    after = op == 4 ? operand : op == 5 ? (miss ? old : operand) : sum; \
    memcpy(model_of(&s), &after, sizeof after); \
    if (who != test.me) return; \
    before_touching(&s, sizeof(T), 0); \
    T *word = (T *)real_of(&s); \
    returned = old; \
    switch (op) { \
    case 0: \
      shmem_##N##_inc(word, s.pe); \
      note_put(&s, sizeof(T)); \
      break; \
    case 1: returned = shmem_##N##_finc(word, s.pe); break; \
    case 2: \
      shmem_##N##_add(word, operand, s.pe); \
      note_put(&s, sizeof(T)); \
      break; \
    case 3: returned = shmem_##N##_fadd(word, operand, s.pe); break; \
    case 4: returned = shmem_##N##_swap(word, operand, s.pe); break; \
    default: returned = shmem_##N##_cswap(word, expected, operand, s.pe); \
    } \
    CHECK(returned == old, #N " atomic %d at PE %d: %lld, not %lld", op, s.pe, (long long)returned, \
        (long long)old); \
  }
ATOMIC(int, int)
ATOMIC(long, long)
ATOMIC(longlong, long long)

static void store(struct rng *r, int who)
{
  const struct spot s = spot_of(r, who, who, 1);
  const size_t n = rng_size(r, s.room);
  const uint64_t key = rng_next(r);
  if (s.pe != who) return;
  pattern_fill(model_of(&s), n, key);
  if (who != test.me) return;
  before_touching(&s, n, 0);
  pattern_fill(real_of(&s), n, key);
}

/* ---- words that all PEs change: their sums are known at the end of a round ---- */

static long counters[COUNTERS], locked[COUNTERS], locks[COUNTERS];
static long counters_model[MAX_PES][COUNTERS], locked_model[COUNTERS];

static void count(struct rng *r, int who)
{
  const int pe = (int)rng_below(r, (uint64_t)test.pes), which = (int)rng_below(r, COUNTERS);
  const long by = (long)rng_below(r, 1000) - 300;
  counters_model[pe][which] += by;
  if (who != test.me) return;
  if (by & 1) shmem_long_add(&counters[which], by, pe);
  else shmem_long_fadd(&counters[which], by, pe);
}

static void count_locked(struct rng *r, int who)
{
  const int which = (int)rng_below(r, COUNTERS), pe = which % test.pes;
  locked_model[which]++;
  if (who != test.me) return;
  shmem_set_lock(&locks[which]);
  shmem_long_p(&locked[which], shmem_long_g(&locked[which], pe) + 1, pe);
  shmem_clear_lock(&locks[which]);
}

static void step(struct rng *r, int who)
{
  switch (rng_below(r, 12)) {
  case 0:
  case 1:
  case 2: put(r, who); break;
  case 3:
  case 4: get(r, who); break;
  case 5: single(r, who); break;
  case 6: atomic_int(r, who); break;
  case 7: atomic_long(r, who); break;
  case 8: atomic_longlong(r, who); break;
  case 9: store(r, who); break;
  case 10: count(r, who); break;
  default: count_locked(r, who);
  }
}

/* ---- between rounds ---- */

static void compare_all(size_t round)
{
  for (int a = 0; a < AREAS; a++) {
    const char *want = models[a] + (size_t)test.me * areas[a].size;
    size_t i = 0;
    if (!memcmp(areas[a].at, want, areas[a].size)) continue;
    while (areas[a].at[i] == want[i]) i++;
    CHECK(0, "round %zu: area %d differs from byte %zu on", round, a, i);
  }
  for (int k = 0; k < COUNTERS; k++) {
    CHECK(counters[k] == counters_model[test.me][k], "round %zu: counter %d is %ld, not %ld", round, k,
        counters[k], counters_model[test.me][k]);
    if (k % test.pes == test.me)
      CHECK(locked[k] == locked_model[k], "round %zu: locked counter %d is %ld, not %ld", round, k, locked[k],
          locked_model[k]);
  }
}

static long syncs[2][_SHMEM_REDUCE_SYNC_SIZE + _SHMEM_COLLECT_SYNC_SIZE + _SHMEM_BCAST_SYNC_SIZE];
static long work[SUMMED / 2 + 1 + _SHMEM_REDUCE_MIN_WRKDATA_SIZE];

/* From one area to another, on all PEs. */
static void collective(struct rng *r, size_t round)
{
  const int from = (int)rng_below(r, AREAS), to = (from + 1 + (int)rng_below(r, AREAS - 1)) % AREAS;
  const int root = (int)rng_below(r, (uint64_t)test.pes);
  const size_t n = rng_size(r, SUMMED), s = rng_below(r, areas[from].size / 8 - n) * 8,
               t = rng_below(r, areas[to].size / 8 - n) * 8;
  long *source = (long *)(areas[from].at + s), *target = (long *)(areas[to].at + t);
  if (rng_below(r, 2)) {
    shmem_broadcast64(target, source, n, root, 0, 0, test.pes, syncs[round % 2]);
    for (int pe = 0; pe < test.pes; pe++)
      if (pe != root)
        memcpy(models[to] + (size_t)pe * areas[to].size + t,
            models[from] + (size_t)root * areas[from].size + s, 8 * n);
    return;
  }
  shmem_long_xor_to_all(target, source, (int)n, 0, 0, test.pes, work, syncs[round % 2]);
  uint64_t sums[SUMMED] = {0}, one[SUMMED];
  for (int pe = 0; pe < test.pes; pe++) {
    memcpy(one, models[from] + (size_t)pe * areas[from].size + s, 8 * n);
    for (size_t i = 0; i < n; i++) sums[i] ^= one[i];
  }
  for (int pe = 0; pe < test.pes; pe++) memcpy(models[to] + (size_t)pe * areas[to].size + t, sums, 8 * n);
}

/* The heap's area grows and shrinks again, so that it may move; its first part keeps its contents. */
static void move_heap(struct rng *r)
{
  static void *other;
  shfree(other);
  other = shmalloc(1 + rng_below(r, 100000));
  areas[0].at = shrealloc(areas[0].at, HEAP_SIZE + rng_below(r, 100000));
  REQUIRE(areas[0].at, "no memory");
}

static void one_round(struct rng *r, size_t round)
{
  round_key = rng_next(r);
  for (int who = 0; who < test.pes; who++) {
    struct rng own;
    rng_init(&own, round_key + (uint64_t)who);
    for (int i = 0; i < STEPS; i++) step(&own, who);
  }
  shmem_barrier_all();
  dirties = 0;
  compare_all(round);
  shmem_barrier_all();
  if (rng_below(r, 2)) collective(r, round);
  shmem_barrier_all();
  if (rng_below(r, 8) == 0) move_heap(r);
}

int main(int argc, char **argv)
{
  test_start("random", &argc, &argv);
  struct rng common = common_numbers(1);
  REQUIRE(test.pes <= MAX_PES, "at most %d PEs", MAX_PES);
  areas[0].at = test_shmalloc(HEAP_SIZE);
  for (int a = 0; a < AREAS; a++) {
    models[a] = malloc(areas[a].size * (size_t)test.pes);
    REQUIRE(models[a], "no memory");
    for (int pe = 0; pe < test.pes; pe++)
      pattern_fill(
          models[a] + (size_t)pe * areas[a].size, areas[a].size, test_key(7, (uint64_t)a, (uint64_t)pe));
    memcpy(areas[a].at, models[a] + (size_t)test.me * areas[a].size, areas[a].size);
  }
  for (int k = 0; k < 2; k++)
    for (size_t i = 0; i < sizeof syncs[0] / sizeof syncs[0][0]; i++) syncs[k][i] = _SHMEM_SYNC_VALUE;
  shmem_barrier_all();
  for (size_t i = 0; i < test_scaled(600.0 / test.pes); i++) one_round(&common, i);
  return test_finish();
}
