#!/bin/bash
# Odd ways out of a job: each ends in time, with its code, and with all its output.
# time-limit: 120
set -u
program=${PST_BUILDDIR:-$(pwd)}/tests/multi/leaving-seq
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
bad=0
fail() { bad=$((bad + 1)); echo "FAIL $1"; sed 's/^/    /' "$log" | tail -5; }
try() { # WAY CODE NODES
  GASNET_PSHM_NODES=$3 timeout -k 2 20 "$program" "$1" >"$log" 2>&1 </dev/null
  rc=$?
  [ $rc -eq "$2" ] || fail "$1 with $3 nodes: exit code $rc, not $2"
}
for nodes in 1 3; do
  try atexit 5 $nodes
  try fork 0 $nodes
  try signal 9 $nodes
done
try hung 3 3
# The reader begins only when the supervisor has long asked the node to end.
GASNET_PSHM_NODES=2 timeout -k 2 20 "$program" output 2>/dev/null | { sleep 0.8; cat >"$log"; }
lines=$(grep -c '^line' "$log")
[ "$lines" -eq 10000 ] || fail "output: $lines of 10000 lines came"
[ $bad -eq 0 ] && echo ok
exit $((bad != 0))
