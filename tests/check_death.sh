#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# The death of one node of eight in every kind and place: the job's code, the message, the time, and nothing
# left behind. PST_ROUNDS rounds for each kind of death (default 20), spread over the places and the ways to
# start a job. PST_SEED=N repeats a run; a failure prints the arguments that repeat the one round.
# time-limit: 300
# lists: full short soak
set -u
nodes=8
. "${PST_SRCDIR:?}/tests/death.sh"
rounds=${PST_ROUNDS:-20}
[ -z "${SOAK:-}" ] || rounds=200

places=(client handler barrier)
inside=(barrier broadcast scatter gather allgather collect alltoall reduce allreduce scan exscan make)
n=0
for ((r = 0; r < rounds; r++)); do
  for kind in kill abort exit gasnet_exit; do
    place=${places[r % 4]-team:${inside[(n + r / 4) % 12]}}
    program=$build/tests/multi/death-seq; [ $((n % 2)) -eq 0 ] || program=$build/tests/multi/death-par
    how=("$run" -n $nodes); [ $((n / 2 % 2)) -eq 0 ] || how=(env GASNET_PSHM_NODES=$nodes)
    death $n "$kind" "$place" "${how[@]}" "$program"
    n=$((n + 1))
  done
done
deaths_end
