#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# Odd ways to leave a job: each ends in time, with its code, and with all its output.
# time-limit: 120
# lists: full short
set -u
program=${PST_BUILDDIR:-$(pwd)}/tests/multi/leaving-seq
log=$(mktemp) || exit 1
trap 'rm -f "$log" "$log.err"' EXIT
limit=$((20 * ${PST_TIME_SCALE:-1}))
bad=0
fail() { bad=$((bad + 1)); echo "FAIL $1"; sed 's/^/    /' "$log" | tail -5; }
try() { # WAY CODE NODES
  GASNET_PSHM_NODES=$3 timeout -k 2 "$limit" "$program" "$1" >"$log" 2>&1 </dev/null
  rc=$?
  [ $rc -eq "$2" ] || fail "$1 with $3 nodes: exit code $rc, not $2"
}
for nodes in 1 3; do
  try atexit 5 $nodes
  try fork 0 $nodes
  try signal 9 $nodes
done
try hung 3 3
# The reader begins when the supervisor has asked the node to end, which then has a second. Where cores are
# few, the case is tried again.
asked() { grep -q 'SIGTERM to ' "$log.err"; }
for ((i = 0; i < 3; i++)); do
  : >"$log.err"
  GASNET_SPAWN_VERBOSE=1 GASNET_PSHM_NODES=2 timeout -k 2 "$limit" "$program" output 2>"$log.err" |
    { for ((k = 0; k < 500; k++)); do ! asked || break; sleep 0.02; done; cat >"$log"; }
  asked || fail 'output: nobody was asked to end'
  lines=$(grep -c '^line' "$log")
  [ "$lines" -ne 10000 ] || break
done
[ "$lines" -eq 10000 ] || fail "output: $lines of 10000 lines came"
[ $bad -eq 0 ] && echo ok
exit $((bad != 0))
