#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# The death of one node of four of an XcalableMP program in the middle of each kind of construct, within a
# host and over each network: the job's code, the message, the time, and nothing left behind. In the full list
# each construct meets each way to run, in the soak PST_ROUNDS times.
# time-limit: 240
# lists: full short soak
set -u
nodes=4
. "${PST_SRCDIR:?}/tests/death.sh"
san=(); [ "${PST_SANITIZE:-no}" = no ] || san=("-fsanitize=$PST_SANITIZE")
program=$tmp/death
must "the program" "$build/bin/xmpcc" "${san[@]}" "$src/tests/xmp/programs/death.c" -o "$program"
[ $bad -eq 0 ] || exit 1

# ThreadSanitizer warns of forks, and of the flush of a network by a signal's handler.
ways=("$run -n $nodes") others=$(networks | grep -v template)
if [ "${PST_SANITIZE:-no}" = thread ]; then
  others=''
  echo "not by GASNET_PSHM_NODES, nor over networks: ThreadSanitizer has warnings of its own there"
else ways+=("env GASNET_PSHM_NODES=$nodes")
fi
for one in $others; do
  ways+=("env GASNET_CONDUIT=$one GASNET_SUPERNODE_MAXSIZE=1 $run -n $nodes"
    "env GASNET_CONDUIT=$one GASNET_SUPERNODE_MAXSIZE=2 $run -n $nodes")
done
places=(reflect gmove reduction post lock put async barrier bcast task get sync)
kinds=(kill kill xmp_exit abort)
rounds=${#ways[@]}
case ${PST_LIST:-full} in
  short) rounds=1 places=("${places[@]::6}") ;;
  soak) rounds=$((rounds * PST_ROUNDS)) ;;
esac
n=0
for ((r = 0; r < rounds; r++)); do
  for ((i = 0; i < ${#places[@]}; i++)); do
    # shellcheck disable=SC2086
    death $n "${kinds[(r + i) % ${#kinds[@]}]}" "${places[i]}" ${ways[(r + i) % ${#ways[@]}]} "$program"
    n=$((n + 1))
  done
done
deaths_end
