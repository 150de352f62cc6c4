/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* More threads at once than GASNETT_MAX_THREADS, as the variable GASNET_MAX_THREADS may allow. Without the
 * variable the library names it and ends the program before the last check. */
#include "common.h"
#include <gasnet_tools.h>

#ifdef GASNET_PAR
enum { MORE = GASNETT_MAX_THREADS + 44 };
static pthread_barrier_t all_inside;

static void *join(void *word)
{
  uint64_t value = (uint64_t)(uintptr_t)word;
  gasnet_begin_nbi_accessregion(); /* from here on the library knows the thread */
  pthread_barrier_wait(&all_inside);
  gasnet_put_nbi(test.me, word, &value, sizeof value);
  gasnet_wait_syncnb(gasnet_end_nbi_accessregion());
  return NULL;
}
#endif

int main(int argc, char **argv)
{
  test_init("max_threads", &argc, &argv);
  test_no_more_options(argc, argv);
  test_attach(NULL, 0, GASNET_PAGESIZE);
#ifdef GASNET_PAR
  static pthread_t thread[MORE];
  uint64_t *word = (uint64_t *)seg_at(test.me, 0);
  CHECK(GASNETT_MAX_THREADS == 256, "GASNETT_MAX_THREADS is %d", GASNETT_MAX_THREADS);
  REQUIRE(pthread_barrier_init(&all_inside, NULL, MORE) == 0, "pthread_barrier_init");
  for (int i = 0; i < MORE; i++) {
    int rc = pthread_create(&thread[i], NULL, join, word + i);
    REQUIRE(rc == 0, "pthread_create: %s", strerror(rc));
  }
  for (int i = 0; i < MORE; i++) pthread_join(thread[i], NULL);
  for (int i = 0; i < MORE; i++)
    CHECK(word[i] == (uint64_t)(uintptr_t)(word + i), "what thread %d has put is %llx", i,
        (unsigned long long)word[i]);
  test_finish();
#else
  test_skip("client threads need GASNET_PAR");
#endif
}
