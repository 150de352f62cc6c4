/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Large copies and fills. A plain copy of more than the last-level cache reads every destination line before
 * it overwrites it, and pushes everything else out; streaming stores do neither. Which of them or `rep movsb`
 * is faster depends on the CPU and the size, so the first few large copies of each size class try both and
 * the class keeps the winner. */
#include "support/copy.h"
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SMALLEST_LARGE ((size_t)1 << 20) /* smaller copies are always libc's */
#define ASSUMED_CACHE  ((size_t)32 << 20)

typedef void (*copy_fn)(char *restrict, const char *restrict, size_t);

static size_t parse_size(const char *text)
{
  unsigned long n;
  char unit = 0;
  if (sscanf(text, "%lu%c", &n, &unit) < 1) return 0;
  return n << (unit == 'K' ? 10 : unit == 'M' ? 20 : 0);
}

/* sysfs comes first: on AMD, sysconf may count the whole package's caches, and a core reaches a part. */
static size_t last_level_cache(void)
{
  char text[32] = "";
  FILE *f = fopen("/sys/devices/system/cpu/cpu0/cache/index3/size", "re");
  if (f) {
    if (!fgets(text, sizeof text, f)) text[0] = 0;
    fclose(f);
  }
  size_t size = parse_size(text);
#ifdef _SC_LEVEL3_CACHE_SIZE
  if (!size) {
    long n = sysconf(_SC_LEVEL3_CACHE_SIZE);
    size = n > 0 ? (size_t)n : 0;
  }
#endif
  return size ? size : ASSUMED_CACHE;
}

/* Source and destination share the cache: from three eighths of it on, a copy leaves hardly anything behind
 * that a reader would still find there. Racing first callers compute the same value. */
static size_t copy_threshold(void)
{
  static _Atomic size_t known;
  size_t n = atomic_load_explicit(&known, memory_order_relaxed);
  if (n) return n;
  n = last_level_cache() / 8 * 3;
  if (n < SMALLEST_LARGE) n = SMALLEST_LARGE;
  atomic_store_explicit(&known, n, memory_order_relaxed);
  return n;
}

size_t pst_copy_large(void) { return copy_threshold(); }

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

/* Each takes a destination aligned to 64 and a multiple of 128 bytes. Streaming stores are weakly ordered:
 * they may become visible after stores that follow them in the program, such as the flag or message that
 * tells a reader about the data. The sfence puts them before everything that comes after the return. */
#define STREAM(name, isa, vec_t, load, store) \
  __attribute__((target(isa))) static void name(char *restrict d, const char *restrict s, size_t n) \
  { \
    enum { STEP = 4 * sizeof(vec_t) }; \
    for (; n; n -= STEP, s += STEP, d += STEP) { \
      const vec_t *from = (const vec_t *)s; \
      vec_t *to = (vec_t *)d; \
      const vec_t v0 = load(from), v1 = load(from + 1), v2 = load(from + 2), v3 = load(from + 3); \
      store(to, v0), store(to + 1, v1), store(to + 2, v2), store(to + 3, v3); \
    } \
    _mm_sfence(); \
  }
STREAM(stream_sse2, "sse2", __m128i, _mm_loadu_si128, _mm_stream_si128)
STREAM(stream_avx2, "avx2", __m256i, _mm256_loadu_si256, _mm256_stream_si256)

/* The stores of one string instruction may pass each other, but not a store that follows the instruction
 * (Intel SDM volume 3, fast-string operation and out-of-order stores): no fence. */
static void copy_movsb(char *restrict d, const char *restrict s, size_t n)
{
  __asm__ volatile("rep movsb" : "+D"(d), "+S"(s), "+c"(n) : : "memory");
}

static void stream_fill_sse2(char *d, int byte, size_t n)
{
  const __m128i v = _mm_set1_epi8((char)byte);
  for (; n; n -= 64, d += 64) {
    _mm_stream_si128((__m128i *)d, v);
    _mm_stream_si128((__m128i *)d + 1, v);
    _mm_stream_si128((__m128i *)d + 2, v);
    _mm_stream_si128((__m128i *)d + 3, v);
  }
  _mm_sfence();
}

static int has_fast_movsb(void)
{
  unsigned a, b, c, d;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & (1u << 9)); /* ERMS */
}

static copy_fn best_stream(void) { return __builtin_cpu_supports("avx2") ? stream_avx2 : stream_sse2; }

/* The kernels want whole aligned blocks; the ragged ends go through memcpy, before the kernel's fence. The
 * first fence is for stores before the copy, which streaming ones may pass as well. */
static void copy_with(copy_fn stream, char *restrict d, const char *restrict s, size_t n)
{
  _mm_sfence();
  size_t head = -(uintptr_t)d & 63, body = (n - head) & ~(size_t)127;
  memcpy(d, s, head);
  memcpy(d + head + body, s + head + body, n - head - body);
  stream(d + head, s + head, body);
}

static void copy_streaming(char *restrict d, const char *restrict s, size_t n)
{
  static _Atomic(copy_fn) known;
  copy_fn stream = atomic_load_explicit(&known, memory_order_relaxed);
  if (!stream) {
    stream = best_stream();
    atomic_store_explicit(&known, stream, memory_order_relaxed);
  }
  copy_with(stream, d, s, n);
}

static void fill_large(char *d, int byte, size_t n)
{
  size_t head = -(uintptr_t)d & 63, body = (n - head) & ~(size_t)127;
  memset(d, byte, head);
  memset(d + head + body, byte, n - head - body);
  stream_fill_sse2(d + head, byte, body);
}

/* One per power of two. cost[i] is the least picoseconds a byte that way i took so far, 0 for not tried. Only
 * a hint: all relaxed, and two threads that update it at once lose nothing but a sample. */
enum { WAYS = 2, TRIES_EACH = 3, TRIES = WAYS * TRIES_EACH };
struct trial {
  _Atomic uint32_t cost[WAYS];
  _Atomic uint32_t tries;
};
static struct trial trials[64];
static const copy_fn ways[WAYS] = {copy_streaming, copy_movsb};

static uint64_t now_ns(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* A copy through the cache leaves dirty lines that the next copy pays to write back, so each way is tried
 * several times in a row and its first try, which pays for the other way or for the page faults, does not
 * count. */
static void copy_and_learn(struct trial *t, unsigned try, char *restrict d, const char *restrict s, size_t n)
{
  unsigned way = try / TRIES_EACH;
  uint64_t start = now_ns();
  ways[way](d, s, n);
  if (try % TRIES_EACH == 0) return;
  uint64_t cost = (uint64_t)((double)(now_ns() - start) * 1000.0 / (double)n) + 1;
  uint32_t old = atomic_load_explicit(&t->cost[way], memory_order_relaxed);
  if (cost > UINT32_MAX) cost = UINT32_MAX;
  if (!old || cost < old) atomic_store_explicit(&t->cost[way], (uint32_t)cost, memory_order_relaxed);
}

/* Streaming leaves the cache to others, so the other way must be clearly better. */
static unsigned trial_cheaper_way(const struct trial *t)
{
  uint32_t a = atomic_load_explicit(&t->cost[0], memory_order_relaxed);
  uint32_t b = atomic_load_explicit(&t->cost[1], memory_order_relaxed);
  return b && b < a - a / 8;
}

static void copy_large(char *restrict d, const char *restrict s, size_t n)
{
  struct trial *t = &trials[63 - __builtin_clzll(n)];
  if (atomic_load_explicit(&t->tries, memory_order_relaxed) < TRIES && has_fast_movsb()) {
    uint32_t try = atomic_fetch_add_explicit(&t->tries, 1, memory_order_relaxed);
    if (try < TRIES) {
      copy_and_learn(t, try, d, s, n);
      return;
    }
  }
  ways[trial_cheaper_way(t)](d, s, n);
}

#else /* elsewhere libc knows best */
static void copy_large(char *restrict d, const char *restrict s, size_t n) { memcpy(d, s, n); }
static void fill_large(char *d, int byte, size_t n) { memset(d, byte, n); }
#endif

void pst_copy(void *restrict dst, const void *restrict src, size_t n)
{
  if (__builtin_expect(n < SMALLEST_LARGE, 1) || n < copy_threshold()) memcpy(dst, src, n);
  else copy_large(dst, src, n);
}

/* A fill has the cache to itself, so it may be twice as long. */
void pst_fill(void *dst, int byte, size_t n)
{
  if (__builtin_expect(n < SMALLEST_LARGE, 1) || n / 2 < copy_threshold()) memset(dst, byte, n);
  else fill_large(dst, byte, n);
}
