#!/bin/bash
# The list of tests on several hosts, which are network namespaces: all its programs, through each conduit between hosts and shared memory
# within each. What make check-hosts runs, in a build directory. Arguments: those of tests/run. NETWORK=ofi or ucx: that conduit alone.
set -u
PST_SRCDIR=$(cd "$(dirname "$0")/../.." && pwd -P)
. "$PST_SRCDIR/tests/hosts/network.sh"
networks=${NETWORK:-$(bin/gasnet_info | sed -n '/^conduits/,/^limits/s/^  \([a-z]*\)$/\1/p' | grep -v '^smp$')}
[ -n "$networks" ] || skip 'this build has no conduit between hosts'
status=0 sums=()

run_layout() { # CONDUIT WHAT HOSTS PROCESSES [tests/run's arguments...]
  local conduit=$1 what=$2 hosts=$3 processes=$4; shift 4
  echo "== $conduit, hosts x processes: $what"
  "$PST_SRCDIR/tests/run" --network "$conduit/$processes" --hosts "$hosts" "$@" || status=1
  sums+=("$conduit, $what: $(cat tests/log/summary)")
}

for conduit in $networks; do
  run_layout "$conduit" '2 x 2' pst1,pst2 4 "$@"
  run_layout "$conduit" '4 x 1' pst1,pst2,pst3,pst4 4 "$@"
  run_layout "$conduit" '4 x 2' pst1,pst2,pst3,pst4 8 "$@"
done
printf '%s\n' "${sums[@]}"
exit $status
