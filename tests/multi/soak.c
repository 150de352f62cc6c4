/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A random mix of puts, gets, fills, strided transfers, messages and barriers by one client thread a node,
 * everything checked against a model. --scale makes it as long as wanted. */
#include "model.h"

int main(int argc, char **argv)
{
  gasnet_handlerentry_t table[] = {MODEL_HANDLERS};
  test_init("soak", &argc, &argv);
  test_no_more_options(argc, argv);
  model_threads = 1;
  test_attach(table, sizeof table / sizeof *table, model_segment());
  model_prepare();
  test_barrier();
  struct model *m = model_of[0];
  struct rng together; /* the same on all nodes: barriers are collective */
  rng_init(&together, test_key(41, 0, 0));
  size_t steps = test_scaled(test.nodes <= 8 ? 20000 : 160000.0 / test.nodes);
  for (size_t i = 0; i < steps; i++) {
    model_step(m);
    if (rng_below(&together, 200) == 0) {
      int id = (int)rng_below(&together, 1000);
      gasnet_barrier_notify(id, 0);
      for (unsigned k = (unsigned)rng_below(&m->r, 4); k > 0; k--) model_step(m);
      REQUIRE_OK(gasnet_barrier_wait(id, 0));
    }
    if (rng_below(&together, 5000) == 0) {
      model_compare(m);
      test_barrier();
    }
  }
  model_compare(m);
  if (test.me == 0) printf("soak: %llu operations at node 0\n", (unsigned long long)m->operations);
  test_finish();
}
