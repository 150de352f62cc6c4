#!/bin/bash
# The list of tests on several hosts, which are network namespaces: all its programs, through the network's conduit between hosts and
# shared memory within each. What make check-hosts runs, in a build directory. Arguments: those of tests/run.
set -u
PST_SRCDIR=$(cd "$(dirname "$0")/../.." && pwd -P)
. "$PST_SRCDIR/tests/hosts/network.sh"
bin/gasnet_info | grep -q '^  ofi$' || skip 'this build has no conduit between hosts'
status=0 sums=()

run_layout() { # WHAT HOSTS PROCESSES [tests/run's arguments...]
  local what=$1 hosts=$2 processes=$3; shift 3
  echo "== hosts x processes: $what"
  "$PST_SRCDIR/tests/run" --network "ofi/$processes" --hosts "$hosts" "$@" || status=1
  sums+=("$what: $(cat tests/log/summary)")
}

run_layout '2 x 2' pst1,pst2 4 "$@"
run_layout '4 x 1' pst1,pst2,pst3,pst4 4 "$@"
run_layout '4 x 2' pst1,pst2,pst3,pst4 8 "$@"
printf '%s\n' "${sums[@]}"
exit $status
