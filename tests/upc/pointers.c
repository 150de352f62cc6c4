/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Pointers-to-shared: arithmetic against a naive model, their parts, sizes of a thread's part, casts; and the
 * shared heap: sizes, no two objects in one place, any thread frees, memory comes back. pointers [--seed S]
 * [--scale X], with a small UPC_SHARED_HEAP_SIZE so that memory must come back */
#include "common.h"

static struct rng r; /* this thread's own */

/* ---- arithmetic ---- */

static upc_pts_t naive(size_t index, size_t B, size_t E)
{
  const size_t threads = (size_t)THREADS, block = B ? index / B : 0;
  upc_pts_t p = {4096 + index * E, 0, 0};
  if (B == 0) return p;
  p.address = 4096 + (block / threads * B + index % B) * E;
  p.thread = (uint32_t)(block % threads);
  p.phase = (uint32_t)(index % B);
  return p;
}

static int same(upc_pts_t p, upc_pts_t q)
{
  return p.address == q.address && p.thread == q.thread && p.phase == q.phase;
}

static void one_step(size_t i, size_t k, size_t B, size_t E)
{
  const upc_pts_t p = naive(i, B, E), q = naive(k, B, E),
                  got = upc_pts_add(p, (ptrdiff_t)k - (ptrdiff_t)i, B, E);
  CHECK(same(got, q),
      "element %zu + %td, blocks of %zu of %zu bytes: thread %u phase %u address %llu, not %u %u %llu", i,
      (ptrdiff_t)k - (ptrdiff_t)i, B, E, got.thread, got.phase, (unsigned long long)got.address, q.thread,
      q.phase, (unsigned long long)q.address);
  ptrdiff_t n = upc_pts_diff(q, p, B, E);
  CHECK(n == (ptrdiff_t)k - (ptrdiff_t)i, "element %zu - element %zu, blocks of %zu of %zu bytes: %td", k, i,
      B, E, n);
  CHECK(upc_pts_equal(got, q) && upc_pts_equal(p, q) == (i == k), "upc_pts_equal of elements %zu and %zu", i,
      k);
  CHECK(upc_threadof(q) == q.thread && upc_phaseof(q) == q.phase && upc_addrfield(q) == q.address,
      "parts of element %zu", k);
}

static void arithmetic(void)
{
  static const size_t sizes[] = {1, 2, 3, 8, 24, 1000};
  for (size_t n = test_scaled(200000); n > 0; n--) {
    size_t B = rng_below(&r, 8) ? rng_size(&r, 3000) : 0,
           E = sizes[rng_below(&r, sizeof sizes / sizeof *sizes)];
    size_t most = rng_below(&r, 4) ? 5 * (B + 1) * (size_t)THREADS : (size_t)1 << 33;
    one_step(rng_below(&r, most), rng_below(&r, most), B, E);
  }
}

static void steps_of_one(void)
{
  for (size_t B = 0; B < 6; B++) {
    upc_pts_t p = naive(0, B, 3);
    for (size_t i = 0; i < 7 * (size_t)THREADS * (B + 1); i++, p = upc_pts_add(p, 1, B, 3))
      CHECK(same(p, naive(i, B, 3)), "%zu times + 1 in blocks of %zu", i, B);
    for (size_t i = 7 * (size_t)THREADS * (B + 1); i > 0; i--) p = upc_pts_add(p, -1, B, 3);
    CHECK(same(p, naive(0, B, 3)), "as often - 1 in blocks of %zu", B);
  }
}

static void parts(void)
{
  upc_pts_t p = naive(11, 4, 8), q = upc_resetphase(p);
  CHECK(upc_phaseof(p) == 3 && upc_phaseof(q) == 0, "upc_resetphase: %zu to %zu", upc_phaseof(p),
      upc_phaseof(q));
  CHECK(upc_pts_equal(p, q), "without its phase a pointer is another one");
  CHECK(upc_pts_isnull(UPC_PTS_NULL) && !upc_pts_isnull(p), "upc_pts_isnull");
  CHECK(upc_cast(UPC_PTS_NULL) == NULL, "upc_cast of NULL");
}

/* ---- a thread's part ---- */

static void one_affinity(size_t total, size_t nbytes)
{
  size_t sum = 0;
  for (size_t t = 0; t < (size_t)THREADS; t++) {
    size_t want = 0, got = upc_affinitysize(total, nbytes, t),
           blocks = nbytes ? (total + nbytes - 1) / nbytes : 0;
    for (size_t b = t; b < blocks; b += (size_t)THREADS) want += b + 1 < blocks ? nbytes : total - b * nbytes;
    if (nbytes == 0 && t == 0) want = total;
    CHECK(got == want, "upc_affinitysize(%zu, %zu, %zu) is %zu, not %zu", total, nbytes, t, got, want);
    sum += got;
  }
  CHECK(sum == total, "upc_affinitysize(%zu, %zu) over all threads is %zu", total, nbytes, sum);
}

static void affinity(void)
{
  for (size_t total = 0; total < 40; total++)
    for (size_t nbytes = 0; nbytes < 10; nbytes++) one_affinity(total, nbytes);
  for (int i = 0; i < 100; i++) one_affinity(rng_size(&r, 100000), 1 + rng_size(&r, 5000));
  CHECK(upc_blocks(0, 4) == 0 && upc_blocks(1, 4) == 1 && upc_blocks(4, 4) == 1 && upc_blocks(5, 4) == 2,
      "upc_blocks in blocks of 4");
  CHECK(upc_blocks(0, 0) == 0 && upc_blocks(9, 0) == 1, "upc_blocks in blocks without end");
  CHECK(upc_localsizeof_array(10 * (size_t)THREADS, 10, 8) == 80, "upc_localsizeof_array of a block each");
}

/* ---- casts ---- */

static void casts(void)
{
  enum { BYTES = 1000 };
  upc_pts_t all = upc_all_alloc((size_t)THREADS, BYTES);
  char got[BYTES];
  pattern_fill(own(upc_pts_add(all, MYTHREAD, 1, BYTES)), BYTES, test_key(1, (uint64_t)MYTHREAD, 0));
  upc_barrier();
  for (int t = 0; t < THREADS; t++) {
    upc_pts_t p = upc_pts_add(all, t, 1, BYTES);
    const char *at = (const char *)upc_cast(p);
    upc_memget(got, p, BYTES);
    CHECK_PATTERN(got, BYTES, test_key(1, (uint64_t)t, 0), "what another thread wrote to its own memory");
    CHECK((at != NULL) == (upc_castable(p) != 0), "thread %d: upc_cast is %p, upc_castable %d", t,
        (const void *)at, upc_castable(p));
    CHECK(at == (const char *)bupc_cast(p) && !upc_castable(p) == !bupc_castable(p),
        "thread %d: upc_cast is not bupc_cast", t);
    if (at)
      CHECK_PATTERN(at, BYTES, test_key(1, (uint64_t)t, 0), "another thread's memory, by its address here");
    CHECK(!at || upc_cast(pts_bytes(p, 17)) == at + 17, "thread %d: byte 17 is elsewhere", t);
  }
  CHECK(upc_castable(upc_pts_add(all, MYTHREAD, 1, BYTES)), "own memory is not castable");
  upc_barrier();
  upc_pts_t next = upc_pts_add(all, (MYTHREAD + 1) % THREADS, 1, BYTES);
  if (upc_cast(next)) pattern_fill(upc_cast(next), BYTES, test_key(2, (uint64_t)MYTHREAD, 0));
  int told = upc_cast(next) != NULL;
  upc_barrier();
  upc_memget(got, next, BYTES);
  if (told)
    CHECK_PATTERN(got, BYTES, test_key(2, (uint64_t)MYTHREAD, 0), "what was written by its address here");
  upc_all_free(all);
}

/* ---- the heap ---- */

static void nothing(void)
{
  CHECK(
      upc_pts_isnull(upc_all_alloc(0, 8)) && upc_pts_isnull(upc_all_alloc(8, 0)), "upc_all_alloc of nothing");
  CHECK(upc_pts_isnull(upc_global_alloc(0, 8)) && upc_pts_isnull(upc_global_alloc(8, 0)),
      "upc_global_alloc of nothing");
  CHECK(upc_pts_isnull(upc_alloc(0)), "upc_alloc of nothing");
  upc_free(UPC_PTS_NULL);
  bupc_free(UPC_PTS_NULL);
  upc_all_free(UPC_PTS_NULL);
}

static void check_first(upc_pts_t p, const char *who, int thread)
{
  CHECK(!upc_pts_isnull(p) && upc_threadof(p) == (size_t)thread && upc_phaseof(p) == 0,
      "%s: thread %zu, phase %zu", who, upc_threadof(p), upc_phaseof(p));
  if (thread == MYTHREAD)
    CHECK((uintptr_t)own(p) % 16 == 0, "%s: not aligned for all types: %p", who, (void *)own(p));
}

static void all_the_same(void)
{
  for (size_t i = 0; i < 30; i++) {
    upc_pts_t p = i % 2 ? upc_all_alloc(1 + i * i, 1 + i) : bupc_all_alloc(1 + i, 1 + i * i), first;
    upc_pts_t said = upc_all_alloc(1, sizeof p);
    check_first(p, "upc_all_alloc", 0);
    if (MYTHREAD == 0) upc_memput(said, &p, sizeof p);
    upc_barrier();
    upc_memget(&first, said, sizeof first);
    CHECK(same(p, first), "upc_all_alloc gives thread 0 and another one different blocks");
    upc_all_free(said);
    if (i % 2) upc_all_free(p);
    else if (MYTHREAD == THREADS - 1) bupc_free(p); /* any thread may free */
  }
}

/* ---- many objects, of all threads, handed over and freed by others ---- */

struct object {
  upc_pts_t p;
  size_t blocks, nbytes;
  uint64_t key;
};
#define LIVE       16
#define MAILS      4
#define MOST_BYTES 20000

static struct object live[LIVE + MAILS * 2];
static size_t lives;
static uint64_t made;

/* One block lies in one thread's memory, so a piece of it is contiguous. */
static upc_pts_t block_of(const struct object *o, size_t b)
{
  return o->blocks == 1 ? o->p : upc_pts_add(o->p, (ptrdiff_t)(b * o->nbytes), o->nbytes, 1);
}

static void make_object(void)
{
  struct object *o = &live[lives++];
  static char data[MOST_BYTES];
  o->key = test_key(3, (uint64_t)MYTHREAD, made++);
  o->nbytes = 1 + rng_size(&r, MOST_BYTES - 1);
  o->blocks = rng_below(&r, 2) ? 1 : 1 + rng_size(&r, o->nbytes > MOST_BYTES / 8 ? 20 : 60);
  int global = o->blocks > 1 || rng_below(&r, 2);
  o->p = global          ? upc_global_alloc(o->blocks, o->nbytes)
      : rng_below(&r, 2) ? upc_alloc(o->nbytes)
                         : bupc_alloc(o->nbytes);
  check_first(o->p, global ? "upc_global_alloc" : "upc_alloc", global ? 0 : MYTHREAD);
  for (size_t b = 0; b < o->blocks; b++) {
    pattern_fill(data, o->nbytes, test_mix(o->key + b));
    upc_memput(block_of(o, b), data, o->nbytes);
  }
}

static void end_object(size_t i)
{
  static char data[MOST_BYTES];
  struct object o = live[i];
  for (size_t b = 0; b < o.blocks; b++) {
    upc_memget(data, block_of(&o, b), o.nbytes);
    size_t bad = pattern_bad(data, o.nbytes, test_mix(o.key + b));
    CHECK(bad == o.nbytes, "byte %zu of block %zu of %zu of %zu bytes was overwritten", bad, b, o.blocks,
        o.nbytes);
    memset(data, 0xEE, o.nbytes);
    upc_memput(block_of(&o, b), data, o.nbytes);
  }
  if (rng_below(&r, 2)) upc_free(o.p);
  else bupc_free(o.p);
  live[i] = live[--lives];
}

/* Some go to another thread, which owns them from then on. */
static void hand_over(upc_pts_t box, int round)
{
  struct object mail[MAILS];
  size_t n = lives < MAILS ? lives : MAILS;
  memset(mail, 0, sizeof mail);
  for (size_t i = 0; i < n; i++) mail[i] = live[--lives];
  upc_memput(upc_pts_add(box, (MYTHREAD + 1 + round) % THREADS, 1, sizeof mail), mail, sizeof mail);
  upc_barrier();
  upc_memget(mail, upc_pts_add(box, MYTHREAD, 1, sizeof mail), sizeof mail);
  for (size_t i = 0; i < MAILS; i++)
    if (mail[i].blocks) live[lives++] = mail[i];
  upc_barrier();
}

static void many_objects(void)
{
  upc_pts_t box = upc_all_alloc((size_t)THREADS, MAILS * sizeof(struct object));
  for (size_t rounds = test_scaled(20), i = 0; i < rounds; i++) {
    for (int k = 0; k < 30; k++) {
      if (lives < LIVE && (lives == 0 || rng_below(&r, 2))) make_object();
      else end_object(rng_below(&r, lives));
    }
    hand_over(box, (int)(i % (size_t)THREADS));
  }
  while (lives) end_object(0);
  upc_all_free(box);
}

/* Takes in turn more than the heap holds, of each kind: all memory comes back, in one piece. */
static void large_again(void)
{
  const char *heap = getenv("UPC_SHARED_HEAP_SIZE");
  size_t size = (heap ? strtoull(heap, NULL, 0) : (size_t)16 << 20) / 4 * 3,
         each = size / (size_t)THREADS / 2;
  for (size_t i = 0; i < 20; i++) {
    upc_pts_t p = upc_all_alloc((size_t)THREADS, size), q;
    upc_all_free(p);
    upc_barrier(); /* now all have freed it */
    q = upc_alloc(size);
    upc_memset(pts_bytes(q, size - 1), 1, 1);
    upc_free(q);
    q = upc_global_alloc((size_t)THREADS, each);
    upc_memset(pts_bytes(upc_pts_add(q, THREADS - 1, 1, each), each - 1), 1, 1);
    upc_free(q);
    upc_barrier();
  }
}

int main(int argc, char **argv)
{
  test_start("pointers", &argc, &argv);
  rng_init(&r, test_key(0, (uint64_t)MYTHREAD, 0));
  arithmetic();
  steps_of_one();
  parts();
  affinity();
  casts();
  nothing();
  all_the_same();
  many_objects();
  upc_barrier();
  large_again();
  return test_finish();
}
