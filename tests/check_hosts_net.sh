#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# Jobs on several hosts that are network namespaces, joined by veth pairs and a bridge, with gasnetrun beside
# the bridge: the checks for one host, programs by the network's conduit, links that go down, a slow network.
# PST_ROUNDS rounds of sudden deaths.
# time-limit: 240
# lists: full soak
set -u
LC_ALL=C; export LC_ALL
unset GASNET_HOSTS GASNET_RSH
PST_NETWORK_HOSTS=14
. "${PST_SRCDIR:?}/tests/hosts/network.sh"
. "$PST_SRCDIR/tests/hosts/common.sh"
remote=(--rsh 'ip netns exec')
rounds=1
[ "${PST_LIST:-full}" != soak ] || rounds=$((${PST_ROUNDS:-200} / 5))

# ---- programs, by the network's conduit ----

# run_programs WHAT LAYOUT MODE PROGRAM...
run_programs() {
  local what=$1 layout=$2 mode=$3 p share=0.02; shift 3
  [ "$PST_LIST" != soak ] || share=1
  for p in "$@"; do try 0 --timeout 60 -H "$layout" "$build/tests/multi/$p-$mode" --scale $share; done
  try 0 --timeout 60 -H "$layout" "$build/examples/jacobi3d" --grid 32 --steps 20 --verify full
  holds "jacobi3d, $what" grep -q 'cells equal bit for bit: right' out
}

# Programs that xmpcc translates: their job begins before main. The death of a node ends them on all hosts.
check_xmp() { # CONDUIT
  local layout place programs=$src/tests/xmp/programs san=()
  [ "${PST_SANITIZE:-no}" = no ] || san=("-fsanitize=$PST_SANITIZE")
  for one in started death; do
    [ -x $one ] || "$build/bin/xmpcc" "${san[@]}" "$programs/$one.c" -o $one >out 2>err ||
      { wrong "$programs/$one.c does not compile"; return; }
  done
  for layout in pst1:2,pst2:2 pst1,pst2,pst3,pst4; do
    try 0 -H "$layout" ./started
    printed '4 nodes: 106200 6960 1770 5 7\n' "an XcalableMP program on $layout over $1"
  done
  for place in reflect gmove lock; do
    try 137 -H pst1,pst2:2,pst3 ./death kill $place "$RANDOM" mark-xmp.
    said '^penstock: node . of 4 \(pid [0-9]+ on pst[1-3]\) was killed by signal 9 .*; ending the job$' \
      "a death while all do $place over $1"
    gone_in_time mark-xmp. "a death while all do $place"
  done
}

# Fortran programs with coarrays, where this build has them: sections are put, and atomic operations and
# events go between hosts.
check_caf() { # CONDUIT
  local layout programs=$build/examples/caf
  [ -x "$programs/halo" ] || { echo "not with coarrays: this build has no gfortran"; return; }
  for layout in pst1:2,pst2:2 pst1,pst2,pst3,pst4; do
    try 0 -H "$layout" "$programs/halo"
    holds "coarrays on $layout over $1" grep -q '^96 x 72 cells on 2 x 2 images, .* steps: right; ' out
    try 0 -H "$layout" "$programs/queue"
    holds "events on $layout over $1" grep -q '^300 tasks on 4 images: each done once, right; ' out
  done
}

# A few programs; make check-hosts runs the whole list on each layout.
check_programs() { # CONDUIT
  local two=pst1:2,pst2:2 layout
  export GASNET_CONDUIT=$1
  try 0 -H pst1,pst2 -v "$build/examples/hello"
  check_xmp "$1"
  check_caf "$1"
  if [ "$PST_LIST" = soak ]; then
    for layout in $two pst1,pst2,pst3,pst4 pst1:2,pst2:2,pst3:2,pst4:2; do
      run_programs "$layout" "$layout" seq am rma barrier strided soak implicit value vis_remote notify coll \
        collectives coll_many
    done
    run_programs 'with threads' $two par am rma
    GASNET_SUPERNODE_MAXSIZE=1 run_programs 'shared memory off' $two seq am strided
  else
    run_programs '2 x 2' $two seq am rma strided
    run_programs '4 x 1' pst1,pst2,pst3,pst4 par am
    run_programs '4 x 2' pst1:2,pst2:2,pst3:2,pst4:2 seq barrier collectives
    run_programs '4 x 4' pst1:4,pst2:4,pst3:4,pst4:4 par coll_many
  fi
}

# If no conduit is named, one is chosen; the launcher says which, and why.
check_choice() {
  unset GASNET_CONDUIT
  GASNET_SPAWN_VERBOSE=1 try 0 -H pst1:2,pst2:2 "$build/tests/multi/am-seq" --scale 0.02
  if [ "$(wc -w <<<"$networks")" -eq 1 ]; then said "conduit $networks is taken: no other finds a network" \
    'one conduit'
  else said 'conduit (ofi|ucx) is taken: ucx: ([0-9.]+ us|no answer), ofi: ([0-9.]+ us|no answer) a round '\
'trip$' 'a choice of two'; said ': [0-9.]+ us' 'no time at all'
  fi
  [ "$(grep -c 'is taken' err)" -eq 1 ] || wrong 'the choice is told more than once'
}

# ---- addresses ----

check_addresses() {
  local i
  remote=(--rsh 'ip netns exec' --interface bridge)
  try 0 -n 2 -H pst1,pst2 "$job" exchange 1 5
  remote=(--rsh 'ip netns exec' --interface 10.93.0.254)
  try 0 -n 2 -H pst1,pst2 "$job" exchange 1 5
  remote=(--rsh 'ip netns exec' --interface lo --timeout 3)
  try 1 -n 1 -H pst3 "$job" info; said "host 'pst3'" 'an address that leads nowhere'
  # The first address leads nowhere, without an answer: the next is tried.
  ip address add 10.94.0.1/24 dev bridge
  for i in 1 2; do ip -n pst$i route add 10.94.0.0/24 via 10.93.0.77; done
  remote=(--rsh 'ip netns exec' --interface 10.94.0.1,10.93.0.254)
  try 0 -n 2 -H pst1,pst2 "$job" info
  remote=(--rsh 'ip netns exec')
  ip address del 10.94.0.1/24 dev bridge
}

# ---- a slow network ----

check_slow() {
  if why=$(tc qdisc add dev veth2 root netem delay 30ms 2>&1); then
    try 0 -n 4 -H pst1:2,pst2:2 "$job" exchange 9 10
    holds 'a slow network' [ "$(grep -c 'rounds ok' out)" -eq 4 ]
    try 0 -n 4 -H pst1:2,pst2:2 "$job" lines 2000
    holds 'output over a slow network' [ "$(grep -c 'some length' out)" -eq 8000 ]
    tc qdisc del dev veth2 root
  else
    echo "not checked: a slow network (tc netem: $why)"
  fi
}

# ---- checks that mostly wait, each on its own hosts ----

# A host without a link cannot be reached from the start.
wait_unreachable() { # hosts FIRST and FIRST + 1
  local since=$EPOCHREALTIME
  ip link set veth$(($1 + 1)) down
  try 1 --timeout 4 -n 2 -H "$a,$b" "$job" info
  said "host '$b' has not connected within 4 s" 'a link that is down'
  holds 'the time limit' [ $((${EPOCHREALTIME/./} - ${since/./})) -lt $((8000000 * scale)) ]
  gone_in_time no-mark 'a link that is down'
  ip link set veth$(($1 + 1)) up
}

# The link of a working host goes down: the job ends on all hosts within ten seconds.
wait_link() {
  for ((r = 0; r < rounds; r++)); do
    start_job mark-link-$r.
    ip link set veth$(($1 + 1)) down
    ended_in_time 10; holds "a link that goes down: code $code" [ $code -eq 1 ]
    said "^penstock: lost host $b with nodes 2 to 3 of 4: .*; ending the job$" 'a link that goes down'
    gone_in_time mark-link-$r. 'a link that goes down'
    ip link set veth$(($1 + 1)) up
  done
}

# The daemon on the far side ends its processes by itself; the launcher has stopped, its kernel has not.
wait_far() {
  start_job mark-far.
  ip link set veth$(($1 + 1)) down
  kill -STOP "$pid"
  far_is_gone() { [ -z "$(ip netns pids "$b")" ]; }
  holds 'processes behind a link that is down' until_true 10 far_is_gone
  kill -CONT "$pid"; ended_in_time 10; gone_in_time mark-far. 'a link that is down'
}

# A stopped launcher is not dead: its job goes on.
wait_stopped() {
  start_job mark-stop.
  kill -STOP "$pid"; sleep 8; holds 'a stopped launcher' [ "$(victims mark-stop. | wc -l)" -eq 4 ]
  kill -CONT "$pid"
  kill -TERM "$pid"; ended_in_time 5; holds "a stopped launcher: code $code" [ $code -eq 143 ]
  gone_in_time mark-stop. 'a stopped launcher'
}

# A stopped daemon does not keep the job from ending.
wait_hung() {
  start_job mark-hung.
  stopped=$(daemons | tail -n 1); kill -STOP "$stopped"; kill -TERM "$pid"; ended_in_time 12
  holds "a stopped daemon: code $code" [ $code -ne 0 ]
  kill -CONT "$stopped" 2>/dev/null; gone_in_time mark-hung. 'a stopped daemon'
}

# ---- the whole ----

# Only those on the hosts in `names`.
daemons() {
  local h p
  for h in "${names[@]}"; do
    ip netns pids "$h"
  done | while read -r p; do [ "$(readlink "/proc/$p/exe")" != "$(readlink -f "$run")" ] || echo "$p"; done
}

# on_hosts FIRST FUNCTION: with that host and the next; it knows no others.
on_hosts() { a=pst$1 b=pst$(($1 + 1)) names=(pst$1 pst$(($1 + 1))); $2 "$1"; }

names=(pst1 pst2 pst3 pst4)
first=5
for f in wait_unreachable wait_link wait_far wait_stopped wait_hung; do
  start $f on_hosts $first $f
  first=$((first + 2))
done

check_places
check_output
check_input
check_codes
check_signals
check_deaths $rounds
try 1 -n 2 -H pst1,nowhere "$job" info; said "host 'nowhere': the command ended with code" 'a wrong name'
said 'gasnetrun: nowhere: .*nowhere' 'what ip said'
networks=$(networks)
for one in $networks; do check_programs "$one"; done
[ -z "$networks" ] && echo "not checked: programs (no conduit between hosts in this build)" || check_choice
check_addresses
check_slow

finish
