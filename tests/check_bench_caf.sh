#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# gasnetbench's tests of coarrays: each point is measured beside C by hand, on 2 and 3 images, over shared
# memory, by messages and over networks, and a step on 8 images. Each test checks its own data, and what is
# written by hand likewise, and ends the job if they are wrong. Where OpenCoarrays is there, the same over it.
# time-limit: 240
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
# OpenCoarrays' images wait without giving a core away, so the crowd is left out.
others=$build/libexec/gasnetbench-opencoarrays
if [ ! -x "$others" ]; then echo "note: OpenCoarrays was not found (Debian: libcoarrays-openmpi-dev)"
elif ! command -v mpirun.openmpi mpirun >out; then echo "note: there is no mpirun, which starts OpenCoarrays"
else
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  # shellcheck disable=SC2086
  measured_alone "OpenCoarrays" 21 ${tests//caf_/opencoarrays_}
  expect 1 "OpenCoarrays on hosts" "$build/bin/gasnetbench" -c smp -n 2 -H localhost:2 opencoarrays_sync
  says "OpenCoarrays on hosts" 'not measured: mpirun has other options'
fi
echo "$count runs"
exit $bad
