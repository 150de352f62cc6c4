#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# All programs of the list of tests on several hosts, which are network namespaces: over each conduit between
# hosts, and shared memory within each. make check-hosts runs it in a build directory. Arguments: those of
# tests/run. NETWORK=ofi or ucx: that conduit alone. LAYOUTS: some of '2x2 4x1 4x2', hosts x processes.
set -u
PST_SRCDIR=$(cd "$(dirname "$0")/../.." && pwd -P)
. "$PST_SRCDIR/tests/hosts/network.sh"
networks=${NETWORK:-$(bin/gasnet_info | sed -n '/^conduits/,/^limits/s/^  \([a-z]*\)$/\1/p' |
  grep -v '^smp$')}
[ -n "$networks" ] || skip 'this build has no conduit between hosts'
status=0 sums=()

run_layout() { # CONDUIT HOSTSxPROCESSES [tests/run's arguments...]
  local conduit=$1 layout=$2 hosts; shift 2
  hosts=$(seq -s, -f pst%g "${layout%x*}")
  echo "== $conduit, hosts x processes: $layout"
  "$PST_SRCDIR/tests/run" --network "$conduit/$((${layout%x*} * ${layout#*x}))" --hosts "$hosts" "$@" ||
    status=1
  sums+=("$conduit, $layout: $(cat tests/log/summary)")
}

for conduit in $networks; do
  for layout in ${LAYOUTS:-2x2 4x1 4x2}; do run_layout "$conduit" "$layout" "$@"; done
done
printf '%s\n' "${sums[@]}"
exit $status
