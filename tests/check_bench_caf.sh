#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# gasnetbench's tests of coarrays: each point is measured beside C by hand, on 2 and 3 images, over shared
# memory, by messages and over networks, and a step on 8 images. Each test checks its own data, and what is
# written by hand likewise, and ends the job if they are wrong.
# time-limit: 200
# lists: full
set -u
. "$(dirname "$0")/script.sh"
[ -x "$build/libexec/gasnetbench-caf" ] || skip "no gfortran was found whose coarrays are served"
cd "$tmp" || exit 1
. "$src/tests/bench/measured.sh"

tests="caf_words caf_blocks caf_sections caf_sync caf_pair caf_atomics caf_sums caf_allocate caf_halo"
# shellcheck disable=SC2086
{
  measured "2 images" 23 -n 2 caf
  measured "3 images" 21 -n 3 $tests
  GASNET_AM_ONLY=1 measured "by messages" 21 -n 3 $tests
  for conduit in $(networks); do
    measured "$conduit" 21 -n 2 -c "$conduit" $tests
    measured "$conduit, 3 images" 21 -n 3 -c "$conduit" $tests
  done
}
echo "$count runs"
exit $bad
