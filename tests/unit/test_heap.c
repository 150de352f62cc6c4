/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The checking heap: allocation, counts, and the errors that it finds. */
#define GASNET_DEBUGMALLOC 1
#include "gasnet_tools.h"

#include <pthread.h>

#include "tests/unit/in_child.h"
#include "tests/unit/suite.h"

static void test_blocks(void)
{
  for (size_t size = 0; size < 300; size++) {
    char *p = gasnett_debug_malloc(size);
    CU_ASSERT_EQUAL((uintptr_t)p % 16, 0);
    memset(p, 1, size);
    char *z = gasnett_debug_calloc(size, 3);
    CU_ASSERT_EQUAL(gasnett_count0s(z, 3 * size), 3 * size);
    p = gasnett_debug_realloc(p, size + 100);
    for (size_t i = 0; i < size; i++) CU_ASSERT_EQUAL(p[i], 1);
    p = gasnett_debug_realloc(p, size / 2);
    for (size_t i = 0; i < size / 2; i++) CU_ASSERT_EQUAL(p[i], 1);
    gasnett_debug_memcheck(p);
    gasnett_debug_memcheck_one();
    gasnett_debug_free(p);
    gasnett_debug_free(z);
  }
  gasnett_debug_free(NULL);
  gasnett_debug_memcheck_all();
}

static void test_strings(void)
{
  char *a = gasnett_debug_strdup("four"), *b = gasnett_debug_strndup("four", 2),
       *c = gasnett_debug_strndup("four", 9);
  char *d = gasnett_debug_realloc(NULL, 5);
  CU_ASSERT_STRING_EQUAL(a, "four");
  CU_ASSERT_STRING_EQUAL(b, "fo");
  CU_ASSERT_STRING_EQUAL(c, "four");
  CU_ASSERT_PTR_NOT_NULL(d);
  gasnett_debug_free(a);
  gasnett_debug_free(b);
  gasnett_debug_free(c);
  gasnett_debug_free(d);
}

static void test_counts(void)
{
  gasnett_heapstats_t before, during, after;
  gasnett_getheapstats(&before);
  void *a = gasnett_debug_malloc(1000), *b = gasnett_debug_calloc(10, 50);
  gasnett_getheapstats(&during);
  CU_ASSERT_EQUAL(during.live_bytes - before.live_bytes, 1500);
  CU_ASSERT_EQUAL(during.live_objects - before.live_objects, 2);
  CU_ASSERT(during.overhead_bytes > before.overhead_bytes);
  CU_ASSERT(during.live_bytes_max >= during.live_bytes);
  gasnett_debug_free(a);
  gasnett_debug_free(b);
  gasnett_getheapstats(&after);
  CU_ASSERT_EQUAL(after.live_bytes, before.live_bytes);
  CU_ASSERT_EQUAL(after.live_objects, before.live_objects);
  CU_ASSERT_EQUAL(after.overhead_bytes, before.overhead_bytes);
  CU_ASSERT_EQUAL(after.freed_bytes - before.freed_bytes, 1500);
  CU_ASSERT_EQUAL(after.allocated_objects - before.allocated_objects, 2);
}

static void *many(void *arg)
{
  void *p[16] = {NULL};
  for (unsigned i = 0; i < 5000; i++) {
    gasnett_debug_free(p[i % 16]);
    p[i % 16] = gasnett_debug_malloc(i % 200);
    if (i % 50 == 0) gasnett_debug_memcheck_one();
  }
  for (int i = 0; i < 16; i++) gasnett_debug_free(p[i]);
  return arg;
}

static void test_threads(void)
{
  gasnett_heapstats_t before, after;
  pthread_t t[4];
  gasnett_getheapstats(&before);
  for (int i = 0; i < 4; i++) CU_ASSERT_EQUAL_FATAL(pthread_create(&t[i], NULL, many, NULL), 0);
  for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
  gasnett_getheapstats(&after);
  CU_ASSERT_EQUAL(after.live_objects, before.live_objects);
  CU_ASSERT_EQUAL(after.allocated_objects - before.allocated_objects, 20000);
  gasnett_debug_memcheck_all();
}

static void beyond(void *arg)
{
  char *p = gasnett_debug_malloc(10);
  p[10] = (char)(intptr_t)arg;
  gasnett_debug_free(p);
}

static void before_start(void *arg)
{
  char *p = gasnett_debug_malloc(10);
  p[-1] = (char)(intptr_t)arg;
  gasnett_debug_memcheck_all();
}

static void twice(void *arg)
{
  char *p = gasnett_debug_malloc(10);
  (void)arg;
  gasnett_debug_free(p);
  gasnett_debug_free(p);
}

static void foreign(void *arg)
{
  static char area[1000];
  (void)arg;
  gasnett_debug_free(area + 512);
}

static void use_after_free(void *arg)
{
  char *p = gasnett_debug_malloc(10);
  gasnett_debug_free(p);
  p[3] = (char)(intptr_t)arg;
  gasnett_debug_memcheck_all();
}

static void one_at_a_time(void *arg)
{
  char *p[5];
  for (int i = 0; i < 5; i++) p[i] = gasnett_debug_malloc(10);
  p[2][10] = (char)(intptr_t)arg;
  for (int i = 0; i < 20; i++) gasnett_debug_memcheck_one();
}

static void too_much(void *arg)
{
  (void)arg;
  gasnett_debug_calloc(SIZE_MAX / 2, 3);
}

static void test_findings(void)
{
  static const struct {
    void (*body)(void *);
    const char *text;
  } wrong[] = {
      {beyond, "beyond its end; allocated at"},
      {before_start, "before its start; allocated at"},
      {twice, "was freed before, at"},
      {foreign, "is not one of this heap"},
      {use_after_free, "after it was freed"},
      {one_at_a_time, "beyond its end"},
      {too_much, "cannot allocate"},
  };
  for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    CU_ASSERT(ended_with(in_child(wrong[i].body, (void *)7), 1));
    CU_ASSERT_PTR_NOT_NULL(strstr(child_said, wrong[i].text));
    CU_ASSERT_PTR_NOT_NULL(strstr(child_said, "test_heap.c:"));
  }
}

static void test_aligned(void)
{
  for (size_t alignment = 1; alignment <= 1 << 16; alignment *= 2) {
    unsigned char *p = gasnett_malloc_aligned(alignment, 100);
    CU_ASSERT_EQUAL((uintptr_t)p % alignment, 0);
    memset(p, 1, 100);
    gasnett_free_aligned(p);
  }
  gasnett_free_aligned(NULL);
  unsigned char *page = gasnett_mmap(3 * GASNETT_PAGESIZE);
  CU_ASSERT_EQUAL((uintptr_t)page % GASNETT_PAGESIZE, 0);
  CU_ASSERT_EQUAL(gasnett_count0s(page, 3 * GASNETT_PAGESIZE), 3 * GASNETT_PAGESIZE);
  CU_ASSERT_EQUAL(munmap(page, 3 * GASNETT_PAGESIZE), 0);
}

int main(void)
{
  static const struct unit_test tests[] = {
      {"blocks", test_blocks},
      {"strings", test_strings},
      {"counts", test_counts},
      {"threads", test_threads},
      {"findings", test_findings},
      {"aligned", test_aligned},
  };
  return RUN_SUITE("heap", tests);
}
