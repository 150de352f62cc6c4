/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* put, get, p, g, iput and iget of every type, to and from symmetric memory of each kind, with random places,
 * counts and strides, against a model: what the memory must hold then, also between and around the elements.
 * Each PE has a part of every place at every PE to itself; in the end the memory's owner looks, too. */
#include "places.h"
#include "rma.h"

enum { CASES = 12, MAX_PES = 256, SCRATCH = 3 << 20 };

/* n elements with their strides, in some PE's memory. `model` has what each byte must be, from GUARD before
 * the first on. */
struct transfer {
  const struct rma_type *type;
  const struct place *place;
  int pe;
  size_t n;
  ptrdiff_t there_step, here_step; /* 1 for what is contiguous; may be negative */
  char *there;                     /* the element at the lowest address */
  size_t there_bytes, here_bytes;  /* from the lowest to the highest */
};

struct claim { /* what a PE says that my memory must hold */
  size_t place, offset, bytes;
  uint64_t hash;
};
static struct claim claims[MAX_PES];

static char *model, *seen, *private_scratch, *heap_scratch;
static char static_scratch[1 << 16] PLACE_ALIGNED;

static uint64_t hash(const char *p, size_t n)
{
  uint64_t h = n;
  for (size_t i = 0; i < n; i++) h = test_mix(h ^ (unsigned char)p[i]);
  return h;
}

/* ---- what to transfer ---- */

static size_t part_size(const struct place *place) { return place->size / (size_t)test.pes & ~(size_t)63; }

static size_t span(const struct rma_type *type, size_t n, ptrdiff_t step)
{
  return n ? ((n - 1) * (size_t)(step < 0 ? -step : step) + 1) * type->size : 0;
}

/* Element i, where the lowest one is at `low`. */
static char *element(const struct transfer *t, const char *low, ptrdiff_t step, size_t i)
{
  const ptrdiff_t first = step < 0 && t->n ? (1 - (ptrdiff_t)t->n) * step : 0;
  return (char *)low + (first + (ptrdiff_t)i * step) * (ptrdiff_t)t->type->size;
}

static ptrdiff_t random_step(struct rng *r)
{
  const ptrdiff_t step = (ptrdiff_t)rng_range(r, 1, 5);
  return rng_below(r, 5) ? step : -step;
}

static size_t random_count(struct rng *r, size_t most)
{
  static const size_t known[] = {1, 2, 3, 4, 8, 16, 100};
  size_t n = rng_below(r, 2) ? known[rng_below(r, 7)] : rng_size(r, most);
  return n < most ? n : most;
}

static struct transfer random_transfer(struct rng *r, int strided)
{
  struct transfer t = {.there_step = 1, .here_step = 1};
  do t.type = &rma_types[rng_below(r, RMA_TYPES)];
  while (strided && t.type->contiguous);
  t.place = random_place(r);
  t.pe = (int)rng_below(r, (uint64_t)test.pes);
  if (strided) t.there_step = random_step(r), t.here_step = random_step(r);
  const size_t room = part_size(t.place) - 2 * TEST_GUARD - 256,
               step = (size_t)(t.there_step < 0 ? -t.there_step : t.there_step);
  t.n = random_count(r, room / step / t.type->size < 20000 ? room / step / t.type->size : 20000);
  t.there_bytes = span(t.type, t.n, t.there_step);
  t.here_bytes = span(t.type, t.n, t.here_step);
  const size_t shift = rng_below(r, (room - t.there_bytes) / t.type->size + 1) * t.type->size;
  t.there = t.place->at + part_size(t.place) * (size_t)test.me + TEST_GUARD + shift;
  return t;
}

/* Local memory is private, of the heap, or static. */
static char *random_local(struct rng *r, const struct transfer *t)
{
  const size_t shift = TEST_GUARD + rng_below(r, 8) * t->type->size;
  const int small = t->here_bytes + shift + TEST_GUARD <= sizeof static_scratch;
  char *kinds[] = {private_scratch, heap_scratch, small ? static_scratch : private_scratch};
  return kinds[rng_below(r, 3)] + shift;
}

/* The elements of both sides get the same values; other bytes stay. */
static void make_elements(const struct transfer *t, char *here, uint64_t key)
{
  memset(here - TEST_GUARD, TEST_UNTOUCHED, t->here_bytes + 2 * TEST_GUARD);
  memset(model, TEST_UNTOUCHED, t->there_bytes + 2 * TEST_GUARD);
  for (size_t i = 0; i < t->n; i++) {
    t->type->make(element(t, here, t->here_step, i), key + i);
    memcpy(
        element(t, model + TEST_GUARD, t->there_step, i), element(t, here, t->here_step, i), t->type->size);
  }
}

/* The bytes of an element without a value may be anything. */
static void forgive_padding(const struct transfer *t, char *want, const char *got, ptrdiff_t step)
{
  const size_t bits = t->type->bits;
  for (size_t i = 0; i < t->n; i++)
    memcpy(element(t, want, step, i) + bits, element(t, got, step, i) + bits, t->type->size - bits);
}

static void compare(
    const struct transfer *t, const char *op, char *want, const char *got, size_t bytes, ptrdiff_t step)
{
  forgive_padding(t, want + TEST_GUARD, got + TEST_GUARD, step);
  if (!memcmp(want, got, bytes + 2 * TEST_GUARD)) return;
  size_t i = 0;
  while (want[i] == got[i]) i++;
  CHECK(0, "%s of %s, %s of PE %d: %zu elements, steps %td there and %td here: byte %td of %zu is %d, not %d",
      op, t->type->name, t->place->name, t->pe, t->n, t->there_step, t->here_step, (ptrdiff_t)i - TEST_GUARD,
      bytes, got[i], want[i]);
}

/* ---- the three ways of each direction ---- */

static void put_singles(const struct transfer *t, char *here)
{
  for (size_t i = 0; i < t->n; i++)
    t->type->p(element(t, t->there, t->there_step, i), element(t, here, t->here_step, i), t->pe);
}

static void get_singles(const struct transfer *t, char *here)
{
  for (size_t i = 0; i < t->n; i++)
    t->type->g(element(t, here, t->here_step, i), element(t, t->there, t->there_step, i), t->pe);
}

static const char *put_somehow(struct rng *r, const struct transfer *t, char *here, int strided)
{
  if (t->type->p && t->n <= 200 && rng_below(r, 3) == 0) return put_singles(t, here), "p";
  char *to = element(t, t->there, t->there_step, 0);
  if (strided)
    return t->type->iput(to, element(t, here, t->here_step, 0), t->there_step, t->here_step, t->n, t->pe),
           "iput";
  if (t->type->put_known(t->there, here, t->n, t->pe)) return "put with a constant";
  return t->type->put(t->there, here, t->n, t->pe), "put";
}

static const char *get_somehow(struct rng *r, const struct transfer *t, char *here, int strided)
{
  if (t->type->g && t->n <= 200 && rng_below(r, 3) == 0) return get_singles(t, here), "g";
  char *from = element(t, t->there, t->there_step, 0);
  if (strided)
    return t->type->iget(element(t, here, t->here_step, 0), from, t->here_step, t->there_step, t->n, t->pe),
           "iget";
  if (t->type->get_known(here, t->there, t->n, t->pe)) return "get with a constant";
  return t->type->get(here, t->there, t->n, t->pe), "get";
}

static void put_case(struct rng *r, struct transfer *t)
{
  const int strided = rng_below(r, 2) == 0;
  *t = random_transfer(r, strided);
  char *here = random_local(r, t);
  make_elements(t, here, rng_next(r));
  memset(seen, TEST_UNTOUCHED, t->there_bytes + 2 * TEST_GUARD);
  shmem_putmem(t->there - TEST_GUARD, seen, t->there_bytes + 2 * TEST_GUARD, t->pe);
  if (rng_below(r, 2)) shmem_fence();
  else shmem_quiet();
  const char *op = put_somehow(r, t, here, strided);
  memset(here, 0, t->here_bytes); /* a put that has returned has read it */
  shmem_quiet();
  shmem_getmem(seen, t->there - TEST_GUARD, t->there_bytes + 2 * TEST_GUARD, t->pe);
  compare(t, op, model, seen, t->there_bytes, t->there_step);
}

static void get_case(struct rng *r, struct transfer *t)
{
  const int strided = rng_below(r, 2) == 0;
  *t = random_transfer(r, strided);
  char *here = random_local(r, t);
  make_elements(t, here, rng_next(r));
  memcpy(seen, here - TEST_GUARD, t->here_bytes + 2 * TEST_GUARD); /* what must be here in the end */
  shmem_putmem(t->there - TEST_GUARD, model, t->there_bytes + 2 * TEST_GUARD, t->pe);
  shmem_quiet();
  memset(here - TEST_GUARD, TEST_UNTOUCHED, t->here_bytes + 2 * TEST_GUARD);
  const char *op = get_somehow(r, t, here, strided);
  compare(t, op, seen, here - TEST_GUARD, t->here_bytes, t->here_step);
}

/* ---- what the owner sees ---- */

/* After a put, the memory must equal the model. */
static void make_claim(const struct transfer *t)
{
  struct claim c = {(size_t)(t->place - places()), (size_t)(t->there - TEST_GUARD - t->place->at),
      t->there_bytes + 2 * TEST_GUARD, 0};
  c.hash = hash(model, c.bytes);
  shmem_putmem(&claims[test.me], &c, sizeof c, t->pe);
}

static void check_claims(void)
{
  for (int pe = 0; pe < test.pes; pe++) {
    const struct claim *c = &claims[pe];
    if (!c->bytes) continue;
    CHECK(hash(places()[c->place].at + c->offset, c->bytes) == c->hash,
        "%s: what PE %d has put here differs from what it sees", places()[c->place].name, pe);
  }
  memset(claims, 0, sizeof claims);
}

static void round_of_cases(struct rng *r)
{
  struct transfer t;
  for (int i = 0; i < CASES; i++)
    if (rng_below(r, 2)) put_case(r, &t);
    else get_case(r, &t);
  put_case(r, &t);
  make_claim(&t);
  shmem_barrier_all();
  check_claims();
  shmem_barrier_all();
}

int main(int argc, char **argv)
{
  test_start("types", &argc, &argv);
  struct rng r = own_numbers(1);
  const size_t largest = 20000 * 16 * 5 + 4096;
  model = malloc(SCRATCH);
  seen = malloc(SCRATCH);
  private_scratch = malloc(SCRATCH);
  heap_scratch = test_shmalloc(SCRATCH);
  REQUIRE(model && seen && private_scratch && largest <= SCRATCH && test.pes <= MAX_PES, "no memory");
  places();
  const size_t rounds = test_scaled(400.0 / test.pes);
  for (size_t i = 0; i < rounds; i++) round_of_cases(&r);
  return test_finish();
}
