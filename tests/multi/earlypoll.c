/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A service thread polls as soon as attach returns, and no other thread polls. The main thread puts and gets,
 * waits on a condition variable for what handlers bring, and leaves while the service thread still polls. */
#include "common.h"
#include <gasnet_tools.h>

#ifdef GASNET_PAR
enum { H_ASK = 128, H_TOLD };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static unsigned told;
static int started;

static void on_ask(gasnet_token_t t, void *buf, size_t n, gasnet_handlerarg_t key)
{
  CHECK_PATTERN(buf, n, (uint32_t)key, "request served by the service thread");
  REQUIRE_OK(gasnet_AMReplyMedium1(t, H_TOLD, buf, n, key));
}

static void on_told(gasnet_token_t t, void *buf, size_t n, gasnet_handlerarg_t key)
{
  (void)t;
  CHECK_PATTERN(buf, n, (uint32_t)key, "reply served by the service thread");
  pthread_mutex_lock(&mutex);
  told++;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
}

static void *service(void *unused)
{
  (void)unused;
  __atomic_store_n(&started, 1, __ATOMIC_RELEASE);
  for (;;) {
    gasnet_AMPoll();
    gasnett_sched_yield();
  }
  return NULL;
}

static void wait_until_told(unsigned n)
{
  pthread_mutex_lock(&mutex);
  while (told < n) pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
}

static void talk(size_t rounds)
{
  unsigned char data[512];
  struct rng r;
  rng_init(&r, test_key(8, test.me, 0));
  for (unsigned k = 1; k <= rounds; k++) {
    gasnet_node_t to = (gasnet_node_t)rng_below(&r, test.nodes);
    gasnet_handlerarg_t key = (gasnet_handlerarg_t)(rng_next(&r) >> 33);
    size_t n = rng_below(&r, sizeof data + 1);
    pattern_fill(data, n, (uint32_t)key);
    REQUIRE_OK(gasnet_AMRequestMedium1(to, H_ASK, data, n, key));
    char *far = seg_at(to, test.me * 128);
    uint64_t word = rng_next(&r), back = 0;
    gasnet_put(to, far, &word, 8);
    gasnet_get(&back, to, far, 8);
    CHECK(back == word, "put and get beside the service thread");
    wait_until_told(k);
    if (k % 64 == 0) test_barrier();
  }
}

int main(int argc, char **argv)
{
  gasnet_handlerentry_t table[] = {{H_ASK, (void (*)())on_ask}, {H_TOLD, (void (*)())on_told}};
  test_init("earlypoll", &argc, &argv);
  test_no_more_options(argc, argv);
  REQUIRE_OK(gasnet_attach(table, 2, test_pages(test.nodes * 128), 0));
  pthread_t thread;
  REQUIRE(pthread_create(&thread, NULL, service, NULL) == 0, "pthread_create");
  while (!__atomic_load_n(&started, __ATOMIC_ACQUIRE)) gasnett_sched_yield();
  test.seg = (gasnet_seginfo_t *)calloc(test.nodes, sizeof *test.seg);
  REQUIRE_OK(gasnet_getSegmentInfo(test.seg, (int)test.nodes));
  test_agree_on_seed();
  if (test.me == 0)
    printf("earlypoll: seed %llu nodes %u\n", (unsigned long long)test.seed, (unsigned)test.nodes);
  test_barrier();
  talk(test_scaled(test.nodes <= 8 ? 1000 : 128) / 64 * 64);
  test_finish();
}
#else
int main(int argc, char **argv)
{
  test_start("earlypoll", &argc, &argv, NULL, 0, GASNET_PAGESIZE);
  test_skip("a service thread needs GASNET_PAR");
}
#endif
