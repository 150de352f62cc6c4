/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include <gasnet_tools.h>
#include <stdio.h>
int main(void)
{
  printf("%d\n", gasnett_ticks_to_ns(gasnett_ticks_now()) > 0);
  return 0;
}
