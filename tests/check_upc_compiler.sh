#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# What UPC compilers call: tests/upc/compiler.c and tests/upc/compiler_events.c on 1 to 4 threads, of
# which all, some or none reach each other's memory by load and store.
# time-limit: 240
set -u
build=${PST_BUILDDIR:?}
bad=0 count=0
for program in compiler compiler_events; do
  for threads in 1 2 4; do
    for setting in GASNET_AM_ONLY=0 GASNET_AM_ONLY=1 GASNET_SUPERNODE_MAXSIZE=1 GASNET_SUPERNODE_MAXSIZE=2; do
      count=$((count + 1))
      env $setting "$build/bin/gasnetrun" -n $threads "$build/tests/upc/$program" ||
        { bad=1; echo "FAIL: $program, $threads threads, $setting"; }
    done
  done
done
[ $bad -eq 0 ] && echo "ok: $count jobs"
exit $bad
