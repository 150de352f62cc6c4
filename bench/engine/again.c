/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "engine.h"

const char *bench_move_again(const bench_series_fn way[2], void (*fill)(void), const char *(*check)(void))
{
  const char *wrong = NULL;
  for (int i = 0; i < 2; i++) {
    fill();
    bench_sync();
    if (bench_node.me == 0) way[i](bench_multiple);
    bench_sync();
    if (!wrong) wrong = check();
    bench_sync();
  }
  return wrong;
}
