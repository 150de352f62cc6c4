#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# Jobs on several hosts whose TCP connections go through a relay that misbehaves (tests/hosts/relay.c): the
# launcher's, or those of launcher and conduit. Delays, fragments and stalls change no result; a cut between
# launcher and daemon ends the job within ten seconds on all hosts with a message that names the host; a cut
# between nodes ends it soon, unless nothing was lost. The hosts are all this machine. PST_ROUNDS / 2 cuts of
# the launcher's connections, a fifth of that of each provider's; PST_SEED chooses them.
# time-limit: 120
# lists: full soak
set -u
LC_ALL=C; export LC_ALL
unset GASNET_HOSTS GASNET_RSH
. "${PST_SRCDIR:?}/tests/hosts/common.sh"
[ "${PST_SANITIZE:-no}" = no ] || skip 'a sanitizer wants no library loaded before its own'
${CC:-cc} -O1 -fPIC -shared -o connect.so "$PST_SRCDIR/tests/hosts/preload/connect.c" -D_GNU_SOURCE -ldl || {
  echo "FAIL: connect.so cannot be built"; exit 1
}
cat >rsh <<'END'
#!/bin/sh
# HOST COMMAND...: PST_DAEMON holds the daemon's variables; what the daemon says stays here, too.
host=$1; shift
exec env -i PATH="$PATH" $PST_DAEMON "$@" 2>>"said.$host"
END
chmod +x rsh
remote=(--rsh "$tmp/rsh")
rounds=$((PST_ROUNDS / 2)) seed=${PST_SEED:-$((EPOCHSECONDS % 32768))}
limit=10 a=h1 b=h2
echo "seed $seed, $rounds cuts"

# ---- the relay ----

# Sets port to its port, and close_relay to its end.
open_relay() { # TROUBLES SEED
  mkfifo "hold.$2"
  "$build/tests/hosts/relay" "$1" "$2" <"hold.$2" >relay & relay=$!
  exec {hold}>"hold.$2"; rm "hold.$2"
  until_true 10 test -s relay || wrong 'the relay does not start'
  read -r port <relay
}
close_relay() { exec {hold}>&-; wait "$relay"; holds "the relay's end: $?" [ $? -eq 0 ]; rm relay; }
loaded() {
  PST_DAEMON="LD_PRELOAD=$tmp/connect.so PST_RELAY=$port"; export PST_DAEMON
} # the daemons' connections are led astray
loaded_nodes() { led=(-E "LD_PRELOAD=$tmp/connect.so" -E "PST_RELAY=$port"); }         # the nodes' are

# ---- troubles that TCP must bear ----

check_launcher() {
  open_relay delay,fragment,stall $((seed + 1)); loaded
  try 0 -n 4 -H h1:2,h2:2 "$job" exchange "$seed" 30
  holds 'exchange by the relay' [ "$(grep -c '30 rounds ok' out)" -eq 4 ]
  try 0 -n 4 -l -H h1:2,h2:2 "$job" lines 1000
  tagged_lines 1000 >expected
  holds 'lines by the relay differ' cmp -s expected <(sort -s -k1,1 out)
  head -c 300000 /dev/urandom >in
  timeout $((60 * scale)) "$run" "${remote[@]}" -n 2 -H h1,h2 "$job" copy <in >out 2>err
  holds 'input by the relay differs' cmp -s in out
  try 7 -n 4 -H h1:2,h2:2 "$job" exit 3 7
  close_relay
}

# through ofi PROVIDER or ucx TRANSPORTS.
through() {
  export GASNET_CONDUIT=$1
  case $1 in ofi) export GASNET_OFI_PROVIDER=$2 ;; ucx) export GASNET_UCX_TLS=$2 ;; esac
}

# libfabric (1.17, tcp and providers on it) never joins a connection request, or its answer, that comes in two
# parts: the connection is refused, or stands and is never made. On other networks so few bytes are one
# segment.
check_conduit() { # CONDUIT BY PROGRAM...
  local p steps=4 troubles=delay,fragment,stall
  [ "$1" != ofi ] || troubles=$troubles,whole
  [ "$PST_LIST" != soak ] || steps=50
  through "$1" "$2"
  open_relay $troubles $((seed + 2)); loaded; loaded_nodes
  for p in "${@:3}"; do try 0 "${led[@]}" -n 4 -H h1:2,h2:2 "$build/tests/multi/$p-seq" --scale 0.02; done
  try 0 "${led[@]}" -n 4 -H h1:2,h2:2 "$build/examples/jacobi3d" --grid 32 --steps $steps --verify full
  holds "jacobi3d by the relay, $2" grep -q 'cells equal bit for bit: right' out
  close_relay
}

# ---- cuts ----

children() { grep -lsxE "PPid:[[:space:]]$1" /proc/[0-9]*/status | cut -d/ -f3; } # PID
victims_run() { [ "$(victims "$mark" | wc -l)" -eq 4 ]; }
was_cut() { grep -q '^cut ' relay; }
all_gone() {
  local p state
  for p in "${daemon[@]}"; do
    { read -r _ _ state _ </proc/"$p"/stat; } 2>/dev/null && [ "$state" != Z ] && return 1
  done
  [ -z "$(marked "$mark")" ]
}

# The launcher's connection to a daemon. If it is cut before the launcher has read the daemon's proof, it is
# made again, and the job goes on.
over() { ! kill -0 "$pid" 2>/dev/null; }
runs_or_cut() { victims_run || was_cut || over; }
runs_again() { victims_run && grep -q 'refused a connection' err; }
over_or_again() { over || runs_again; }
cut_launcher() { # ROUND
  local from us code pid mark=mark-cut-$$-$1.
  open_relay cut=2 $((seed + 10 + $1)); loaded
  GASNET_SPAWN_VERBOSE=1 "$run" "${remote[@]}" -n 4 -H h1:2,h2:2 "$job" wait "$mark" >out 2>err </dev/null & \
    pid=$!
  until_true 20 runs_or_cut || wrong "round $1: the job does not start"
  mapfile -t daemon < <(children "$pid")
  until_true 20 was_cut || wrong "round $1: nothing was cut"
  from=$EPOCHREALTIME
  until_true 20 over_or_again || wrong "round $1: the job neither ends nor goes on"
  if ! over; then kill -TERM "$pid"; wait "$pid"; code=$?; holds "round $1: code $code" [ $code -eq 143 ]
  else
    wait "$pid"; code=$?; holds "round $1: code $code" [ $code -eq 1 ]
    said '^penstock: lost host h[12] with nodes [02] to [13] of 4: .*; ending the job$' \
      "round $1, $(tail -n 1 relay)"
  fi
  until_true $limit all_gone || wrong "round $1 leaves $(marked "$mark"), daemons ${daemon[*]}"
  us=$((${EPOCHREALTIME/./} - ${from/./}))
  holds "round $1: all is over after $us us" [ $us -le $((limit * 1000000 * scale)) ]
  close_relay
}

# Within a daemon's proof of 40 bytes, which follows 32 others.
check_proof() {
  local n
  for n in 32 40 71; do
    open_relay after=$n $((seed + n)); loaded
    GASNET_SPAWN_VERBOSE=1 try 0 -n 4 -H h1:2,h2:2 "$job" exchange "$seed" 3
    holds "a proof of which $((n - 32)) bytes come" [ "$(grep -c '3 rounds ok' out)" -eq 4 ]
    said 'refused a connection from .*: ' "a proof of which $((n - 32)) bytes come, $(tail -n 1 relay)"
    close_relay
  done
}

# A connection between two nodes. Some providers make it again: then all goes on if nothing was lost.
cut_conduit() { # CONDUIT BY ROUND
  local from us code what="$1 by $2, round $3"
  through "$1" "$2"
  open_relay cut=3 $((seed + 100 + $3)); loaded_nodes
  timeout $((60 * scale)) "$run" "${remote[@]}" "${led[@]}" -n 4 -H h1:2,h2:2 "$build/examples/jacobi3d" \
    --grid 32 --steps 300 --verify full \
    >out 2>err </dev/null & pid=$!
  until_true 60 eval "was_cut || ! kill -0 $pid 2>/dev/null" || wrong "$what: nothing was cut"
  from=$EPOCHREALTIME
  wait "$pid"; code=$?
  us=$((${EPOCHREALTIME/./} - ${from/./}))
  if [ $code -eq 0 ]; then holds "$what: the result" grep -q 'cells equal bit for bit: right' out
  else
    holds "$what: code $code after $us us" [ $code -eq 1 ]
    said '(libfabric \(.*\)|UCX [0-9.]+) (cannot reach|has lost [0-9]+ of [0-9]+ messages from) node [0-3] '\
'on ' "$what"
    holds "$what: ends after $us us" [ $us -le \
      $((3 * limit * 1000000 * scale)) ] # looks at a lost peer are counted: they wait for cores
  fi
  echo "$what, $(tail -n 1 relay): code $code after $((us / 1000)) ms"
  close_relay
}
cut_conduits() { for ((r = 0; r < (rounds + 3) / 5; r++)); do cut_conduit "$1" "$2" $r; done; }

# ---- the whole ----

cut_all() { for ((r = $1; r < rounds; r += 2)); do cut_launcher $r; done; }

programs=(am)
[ "$PST_LIST" != soak ] || programs=(am rma strided)
start launcher check_launcher
start proof check_proof
start cuts0 cut_all 0; start cuts1 cut_all 1
check_network() { # NAME CONDUIT BY
  has_conduit "$2" || {
    echo "not checked: the connections of the conduit $2, which this build has not"; return
  }
  start "$1" check_conduit "$2" "$3" "${programs[@]}"; start "$1cuts" cut_conduits "$2" "$3"
}
check_network net ofi net; check_network rxm ofi 'tcp;ofi_rxm'; check_network ucx ucx tcp
finish
