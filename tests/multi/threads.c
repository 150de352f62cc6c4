/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* GASNET_PAR: several client threads of each node do everything at once, each checked against its own model,
 * while one of them also does the node's barriers. */
#include "model.h"

#ifdef GASNET_PAR
static size_t steps;
static gasnet_hsl_t lock = GASNET_HSL_INITIALIZER;
static uint64_t under_lock;

static void work(int id)
{
  struct model *m = model_of[id];
  for (size_t i = 0; i < steps; i++) {
    model_step(m);
    if (id == 0 && i % 128 == 0) { /* one thread at a time may be in a barrier */
      gasnet_barrier_notify((int)i, 0);
      model_step(m);
      REQUIRE_OK(gasnet_barrier_wait((int)i, 0));
    }
    if (i % 16 == 0) {
      gasnet_hsl_lock(&lock);
      *(volatile uint64_t *)&under_lock = *(volatile uint64_t *)&under_lock + 1;
      gasnet_hsl_unlock(&lock);
    }
  }
  model_compare(m);
}
#endif

int main(int argc, char **argv)
{
  gasnet_handlerentry_t table[] = {MODEL_HANDLERS};
  test_init("threads", &argc, &argv);
  test_no_more_options(argc, argv);
  model_threads = test.threads;
  test_attach(table, sizeof table / sizeof *table, model_segment());
#ifdef GASNET_PAR
  model_prepare();
  test_barrier();
  steps = test_scaled(test.nodes <= 4 ? 6000 : 24000.0 / test.nodes);
  test_threads(test.threads, work);
  CHECK(under_lock == (uint64_t)test.threads * ((steps + 15) / 16), "%llu of %llu counts under the lock",
      (unsigned long long)under_lock, (unsigned long long)test.threads * ((steps + 15) / 16));
  test_finish();
#else
  (void)model_prepare;
  (void)model_step;
  (void)model_compare;
  test_skip("client threads need GASNET_PAR");
#endif
}
