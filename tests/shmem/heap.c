/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The symmetric heap against a model: random sequences of every allocation routine; the same offsets on all
 * PEs; blocks that do not overlap and keep their contents; a full heap; what is accessible. */
#include "places.h"

enum { BLOCKS = 120, MAX_PES = 256 };

struct block {
  char *at;
  size_t size;
  uint64_t key; /* of its contents; differs by PE */
};
static struct block blocks[BLOCKS];
static uint64_t history; /* of all returned offsets: equal on all PEs */
static char *base;

static uint64_t contents(const struct block *b) { return b->key + (uint64_t)test.me; }

static void remember(const void *p)
{
  history = test_mix(history ^ (p ? (uint64_t)((const char *)p - base) : 1));
}

static void fill(struct block *b, uint64_t key)
{
  b->key = key;
  pattern_fill(b->at, b->size, contents(b));
}

static void check(const struct block *b, size_t n)
{
  CHECK_PATTERN(b->at, n, contents(b), "a block of the heap");
}

static void check_apart(const struct block *b)
{
  for (const struct block *o = blocks; o < blocks + BLOCKS; o++)
    CHECK(o == b || !o->at || o->at + o->size <= b->at || b->at + b->size <= o->at,
        "two blocks overlap: %p, %zu and %p, %zu", (void *)b->at, b->size, (void *)o->at, o->size);
}

/* ---- random sequences ---- */

static size_t random_size(struct rng *r) { return 1 + rng_size(r, rng_below(r, 20) ? 5000 : 200000); }

static void check_zero(const char *at, size_t n)
{
  CHECK(bytes_bad(at, n, 0) == n, "shmem_calloc: byte %zu of %zu is not 0", bytes_bad(at, n, 0), n);
}

static void allocate(struct block *b, struct rng *r)
{
  const size_t alignment = (size_t)8 << rng_below(r, 10);
  const int how = (int)rng_below(r, 9);
  b->size = random_size(r);
  switch (how) {
  case 0: b->at = shmalloc(b->size); break;
  case 1: b->at = shmalign(alignment, b->size); break;
  case 2: b->at = shmemalign(alignment, b->size); break;
  case 3: b->at = shrealloc(NULL, b->size); break;
  case 4: b->at = shmem_malloc(b->size); break;
  case 5: b->at = shmem_align(alignment, b->size); break;
  case 6: b->at = shmem_realloc(NULL, b->size); break;
  default: b->at = shmem_calloc(how - 6, (b->size + how - 7) / (size_t)(how - 6));
  }
  remember(b->at);
  REQUIRE(b->at, "no memory for %zu bytes", b->size);
  const size_t aligned = how == 1 || how == 2 || how == 5 ? alignment : 8;
  CHECK((uintptr_t)b->at % aligned == 0, "%p is not aligned to %zu", (void *)b->at, aligned);
  if (how >= 7) check_zero(b->at, b->size);
  check_apart(b);
  fill(b, rng_next(r));
}

static void release(struct block *b, struct rng *r)
{
  check(b, b->size);
  switch (rng_below(r, 3)) {
  case 0: shfree(b->at); break;
  case 1: shmem_free(b->at); break;
  default: CHECK(shrealloc(b->at, 0) == NULL, "shrealloc to 0 bytes returned a block");
  }
  b->at = NULL;
}

static void resize(struct block *b, struct rng *r)
{
  const size_t size = random_size(r), kept = size < b->size ? size : b->size;
  char *at = rng_below(r, 2) ? shrealloc(b->at, size) : shmem_realloc(b->at, size);
  remember(at);
  REQUIRE(at, "no memory to make %zu bytes of %zu", size, b->size);
  b->at = at;
  check(b, kept);
  b->size = size;
  check_apart(b);
  fill(b, rng_next(r));
}

/* A neighbour's block has its contents at the same address of mine. */
static void look_at_neighbour(const struct block *b, struct rng *own)
{
  const int pe = (int)rng_below(own, (uint64_t)test.pes);
  static char seen[220000];
  shmem_getmem(seen, b->at, b->size, pe);
  CHECK_PATTERN(seen, b->size, b->key + (uint64_t)pe, "a block of another PE's heap");
}

static void random_sequence(struct rng *r, struct rng *own)
{
  for (size_t i = 0; i < test_scaled(600); i++) {
    struct block *b = &blocks[rng_below(r, BLOCKS)];
    if (!b->at) allocate(b, r);
    else if (rng_below(r, 2)) release(b, r);
    else resize(b, r);
    if (rng_below(r, 8)) continue;
    shmem_barrier_all();
    b = &blocks[rng_below(r, BLOCKS)];
    if (b->at) look_at_neighbour(b, own);
    shmem_barrier_all();
  }
}

static void same_history(void)
{
  static long long mine;
  mine = (long long)history;
  shmem_barrier_all();
  const int pe = (test.me + 1) % test.pes;
  CHECK(shmem_longlong_g(&mine, pe) == mine, "the blocks of PE %d lie at other offsets than those of PE %d",
      pe, test.me);
  shmem_barrier_all();
}

static void release_all(struct rng *r)
{
  for (struct block *b = blocks; b < blocks + BLOCKS; b++)
    if (b->at) release(b, r);
}

/* ---- limits ---- */

static size_t largest(void)
{
  size_t yes = 0, no = (size_t)1 << 46;
  while (no - yes > 4096) {
    const size_t middle = yes + (no - yes) / 2;
    void *p = shmalloc(middle);
    shfree(p);
    if (p) yes = middle;
    else no = middle;
  }
  return yes;
}

/* A full heap returns NULL, keeps its blocks, and is whole again when they are free. */
static void full(struct rng *r)
{
  static char *many[4000];
  const size_t most = largest(), size = most / 1000 + 1;
  size_t n = 0;
  CHECK(
      shmalloc((size_t)1 << 60) == NULL && shmalloc(SIZE_MAX) == NULL, "shmalloc of more than there can be");
  CHECK(shmalign(64, SIZE_MAX - 8) == NULL && shmem_calloc(SIZE_MAX / 2, 4) == NULL,
      "shmalign, shmem_calloc of more than there can be");
  while (n < 4000 && (many[n] = shmalloc(size)) != NULL) {
    pattern_fill(many[n], 16, n + (uint64_t)test.me);
    n++;
  }
  CHECK(n >= 900 && n < 4000, "a heap where %zu bytes fit has room for %zu blocks of %zu", most, n, size);
  CHECK(shrealloc(many[0], most) == NULL, "shrealloc in a full heap");
  for (size_t i = 0; i < n; i++) CHECK_PATTERN(many[i], 16, i + (uint64_t)test.me, "a block of a full heap");
  for (size_t i = n; i > 1; i--) {
    const size_t k = rng_below(r, i);
    char *p = many[k];
    many[k] = many[i - 1];
    shfree(p);
  }
  shfree(many[0]);
  CHECK(largest() == most, "after all blocks are free, %zu bytes fit, not %zu", largest(), most);
}

/* ---- the document's rules for wrong pointers; --wrong-pointers 1, as debug builds complain ---- */

static void wrong_pointers(void)
{
  static int variable;
  char *p = test_shmalloc(1000);
  pattern_fill(p, 1000, 5);
  shfree(NULL);
  shmem_free(NULL);
  CHECK(shrealloc(p + 8, 2000) == NULL, "shrealloc of the middle of a block");
  CHECK(shrealloc(&variable, 2000) == NULL, "shrealloc of a variable");
  shfree(p + 8);
  shfree(&variable);
  CHECK_PATTERN(p, 1000, 5, "the block");
  shfree(p);
  shfree(p);
  CHECK(shrealloc(p, 100) == NULL, "shrealloc of a free block");
}

/* ---- what is accessible, and from where ---- */

static int global = 3, global_bss;
static const int constant = 4;

static void accessible(void)
{
  int local;
  void *private = malloc(100);
  char *heap = test_shmalloc(100);
  for (int pe = 0; pe < test.pes; pe++) {
    CHECK(shmem_pe_accessible(pe) == 1, "PE %d is not accessible", pe);
    CHECK(shmem_addr_accessible(heap, pe) == 1 && shmem_addr_accessible(heap + 99, pe) == 1,
        "the heap of PE %d is not accessible", pe);
    CHECK(shmem_addr_accessible(&global, pe) == 1 && shmem_addr_accessible(&global_bss, pe) == 1,
        "variables of PE %d are not accessible", pe);
    CHECK(shmem_addr_accessible(&local, pe) == 0, "a variable on the stack is accessible");
    CHECK(shmem_addr_accessible(private, pe) == 0, "memory from malloc is accessible");
    CHECK(shmem_addr_accessible((void *)&constant, pe) == 0, "a constant is accessible");
    CHECK(shmem_addr_accessible(NULL, pe) == 0, "NULL is accessible");
  }
  CHECK(shmem_pe_accessible(-1) == 0 && shmem_pe_accessible(test.pes) == 0,
      "there are more PEs than there are");
  CHECK(shmem_addr_accessible(heap, -1) == 0 && shmem_addr_accessible(heap, test.pes) == 0,
      "the heap of no PE is accessible");
  shfree(heap);
  free(private);
}

/* A pointer, where there is one, leads to the same bytes. */
static void pointers(void)
{
  static long words[MAX_PES];
  long *heap = test_shmalloc(MAX_PES * sizeof *heap);
  memset(heap, 0, MAX_PES * sizeof *heap);
  CHECK(shmem_ptr(heap, test.me) == heap && shmem_ptr(words, test.me) == words, "shmem_ptr to oneself");
  shmem_barrier_all();
  for (int pe = 0; pe < test.pes; pe++) {
    long *h = shmem_ptr(&heap[test.me], pe), *w = shmem_ptr(&words[test.me], pe);
    CHECK(!h == !w, "shmem_ptr to PE %d: %p for the heap, %p for a variable", pe, (void *)h, (void *)w);
    if (h) *h = pe + 7;
    else shmem_long_p(&heap[test.me], pe + 7, pe);
    if (w) *w = pe + 9;
    else shmem_long_p(&words[test.me], pe + 9, pe);
  }
  shmem_barrier_all();
  for (int pe = 0; pe < test.pes; pe++)
    CHECK(heap[pe] == test.me + 7 && words[pe] == test.me + 9, "through PE %d's pointers came %ld and %ld",
        pe, heap[pe], words[pe]);
  shfree(heap);
}

int main(int argc, char **argv)
{
  const char *wrong = test_option(&argc, argv, "--wrong-pointers");
  test_start("heap", &argc, &argv);
  struct rng common = common_numbers(1), own = own_numbers(1);
  REQUIRE(test.pes <= MAX_PES, "at most %d PEs", MAX_PES);
  base = test_shmalloc(64);
  for (int i = 0; i < 3; i++) {
    random_sequence(&common, &own);
    same_history();
    release_all(&common);
  }
  full(&common);
  if (wrong) wrong_pointers();
  accessible();
  pointers();
  same_history();
  return test_finish();
}
