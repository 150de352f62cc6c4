/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* GASNETT_LITE_MODE: timers and fences alone. */
#define GASNETT_LITE_MODE 1
#include <gasnet_tools.h>

int main(void)
{
  gasnett_tick_t t = gasnett_ticks_now();
  gasnett_local_wmb();
  gasnett_local_rmb();
  gasnett_local_mb();
  gasnett_compiler_fence();
  return (int)(gasnett_ticks_to_ns(gasnett_ticks_now() - t) & 0);
}
