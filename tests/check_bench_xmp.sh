#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# gasnetbench's tests of XcalableMP: each point is measured beside what is written by hand, on 2, 3 and 4
# nodes, over shared memory, by messages and over networks. Each test checks its own data, and what is written
# by hand likewise, and ends the job if they are wrong.
# time-limit: 200
# lists: full
set -u
. "$(dirname "$0")/script.sh"
cd "$tmp" || exit 1

. "$src/tests/bench/measured.sh"

collective="xmp_reflect xmp_gmove xmp_collectives"
pairs="xmp_words xmp_blocks xmp_faces"
# shellcheck disable=SC2086
{
  measured "2 nodes" 20 -n 2 xmp
  measured "3 nodes" 12 -n 3 xmp_loop $collective
  measured "4 nodes" 4 -n 4 xmp_laplace xmp_himeno
  GASNET_AM_ONLY=1 measured "by messages" 15 -n 3 $collective $pairs
  for conduit in $(networks); do
    measured "$conduit" 15 -n 2 -c "$conduit" $collective $pairs
    measured "$conduit, 3 nodes" 15 -n 3 -c "$conduit" $collective $pairs
  done
}
echo "$count runs"
exit $bad
