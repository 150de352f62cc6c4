/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What all randomised test programs share: random numbers, data patterns that can be checked without a copy,
 * guard bytes, options. The file that includes this one defines CHECK(condition, format, ...). It also
 * compiles as C++. */
#ifndef TESTS_DATA_H
#define TESTS_DATA_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define UNUSED         __attribute__((unused))
#define TEST_GUARD     64 /* bytes before and after every destination */
#define TEST_UNTOUCHED 0xC3

/* ---- random numbers (xorshift64*) and hashes ---- */

struct rng {
  uint64_t s;
};

UNUSED static uint64_t test_mix(uint64_t x)
{
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

UNUSED static void rng_init(struct rng *r, uint64_t key) { r->s = test_mix(key) | 1; }

UNUSED static uint64_t rng_next(struct rng *r)
{
  r->s ^= r->s >> 12;
  r->s ^= r->s << 25;
  r->s ^= r->s >> 27;
  return r->s * 0x2545f4914f6cdd1du;
}

UNUSED static uint64_t rng_below(struct rng *r, uint64_t n) { return n ? (rng_next(r) >> 11) % n : 0; }
UNUSED static uint64_t rng_range(struct rng *r, uint64_t lo, uint64_t hi)
{
  return lo + rng_below(r, hi - lo + 1);
}

/* 0..max, each order of magnitude about as likely as the next. */
UNUSED static size_t rng_size(struct rng *r, size_t max)
{
  unsigned bits = 0;
  while (bits < 63 && (max >> bits)) bits++;
  size_t n = (size_t)(rng_next(r) >> 1) & (((size_t)1 << rng_below(r, bits + 1)) - 1);
  return n > max ? max : n;
}

/* ---- data patterns: byte i is a function of key and i ---- */

UNUSED static unsigned char pattern_byte(uint64_t key, size_t i)
{
  return (unsigned char)(test_mix(key + (i >> 3)) >> (8 * (i & 7)));
}

UNUSED static void pattern_fill(void *dst, size_t n, uint64_t key)
{
  unsigned char *p = (unsigned char *)dst;
  size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    uint64_t w = test_mix(key + (i >> 3));
    memcpy(p + i, &w, 8);
  }
  for (; i < n; i++) p[i] = pattern_byte(key, i);
}

/* Race detectors look at each load: one of eight bytes costs them as much as one of one. */
UNUSED static uint64_t pattern_load(const unsigned char *p)
{
  uint64_t w;
  memcpy(&w, p, sizeof w);
  return w;
}

/* Offset of the first byte that differs, or n. */
UNUSED static size_t pattern_bad(const void *src, size_t n, uint64_t key)
{
  const unsigned char *p = (const unsigned char *)src;
  size_t i = 0;
  for (; i + 8 <= n && pattern_load(p + i) == test_mix(key + (i >> 3)); i += 8) continue;
  for (; i < n; i++)
    if (p[i] != pattern_byte(key, i)) return i;
  return n;
}

/* Offset of the first byte that is not `byte`, or n. */
UNUSED static size_t bytes_bad(const void *src, size_t n, int byte)
{
  const unsigned char *p = (const unsigned char *)src;
  const uint64_t word = UINT64_C(0x0101010101010101) * (unsigned char)byte;
  size_t i = 0;
  for (; i + 8 <= n && pattern_load(p + i) == word; i += 8) continue;
  for (; i < n; i++)
    if (p[i] != (unsigned char)byte) return i;
  return n;
}

/* Offset of the first byte in which they differ, or n. */
UNUSED static size_t bytes_differ(const void *left, const void *right, size_t n)
{
  const unsigned char *a = (const unsigned char *)left, *b = (const unsigned char *)right;
  size_t i = 0;
  for (; i + 8 <= n && pattern_load(a + i) == pattern_load(b + i); i += 8) continue;
  while (i < n && a[i] == b[i]) i++;
  return i;
}

/* ---- guarded destinations: TEST_GUARD bytes on both sides belong to them ---- */

UNUSED static void guard_open(void *dst, size_t n)
{
  memset((char *)dst - TEST_GUARD, TEST_UNTOUCHED, n + 2 * TEST_GUARD);
}

#define CHECK_GUARDS(dst, n, what) \
  do { \
    const char *gd_ = (const char *)(dst); \
    size_t gn_ = (n); \
    CHECK(bytes_bad(gd_ - TEST_GUARD, TEST_GUARD, TEST_UNTOUCHED) == TEST_GUARD, \
        "%s: wrote before its destination of %zu bytes", what, gn_); \
    size_t ga_ = bytes_bad(gd_ + gn_, TEST_GUARD, TEST_UNTOUCHED); \
    CHECK(ga_ == TEST_GUARD, "%s: wrote %zu bytes past its destination of %zu bytes", what, ga_ + 1, gn_); \
  } while (0)

#define CHECK_PATTERN(dst, n, key, what) \
  do { \
    size_t pn_ = (n), pb_ = pattern_bad(dst, pn_, key); \
    CHECK(pb_ == pn_, "%s: byte %zu of %zu is wrong", what, pb_, pn_); \
  } while (0)

#define CHECK_BLOCK(dst, n, key, what) \
  do { \
    CHECK_PATTERN(dst, n, key, what); \
    CHECK_GUARDS(dst, n, what); \
  } while (0)

/* ---- options ---- */

/* Takes "name value" out of argv; NULL when absent. */
UNUSED static const char *test_option(int *argc, char **argv, const char *name)
{
  for (int i = 1; i + 1 < *argc; i++) {
    if (strcmp(argv[i], name)) continue;
    const char *value = argv[i + 1];
    for (int k = i; k + 2 <= *argc; k++) argv[k] = argv[k + 2];
    *argc -= 2;
    return value;
  }
  return NULL;
}

UNUSED static uint64_t test_fresh_seed(void)
{
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (uint64_t)now.tv_sec * 1000003u + (uint64_t)now.tv_nsec / 1000u;
}

#endif
