/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Node 0 puts eight bytes of which the last four are outside of the last node's segment. Over a network that
 * ends the job, in every build, with a message that names the address. */
#include "common.h"

int main(int argc, char **argv)
{
  static const char bytes[8] = "outside";
  const size_t size = GASNET_PAGESIZE;
  test_start("outside", &argc, &argv, NULL, 0, size);
  if (test.me == 0) gasnet_put(test.nodes - 1, seg_at(test.nodes - 1, size - 4), (void *)bytes, sizeof bytes);
  test_barrier();
  REQUIRE(0, "the job goes on");
}
