#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# The UCX conduit: what no transport can do is said once and clearly, UCX's log is silent unless asked for,
# settings reach UCX, none of its shared memory outlives any process, a peer's death ends the job, and the
# statistics show the conduit's memory.
# time-limit: 240
set -u
. "$(dirname "$0")/script.sh"
has_conduit ucx || skip "no conduit ucx in this build"
has() { grep -qE -- "$1" "$tmp/out" || bad "$2: no '$1'"; }

# run VARIABLE=VALUE...: three processes
run() {
  env GASNET_CONDUIT=ucx GASNET_SUPERNODE_MAXSIZE=1 "$@" timeout 30 \
    "$build/bin/gasnetrun" -n 3 "$build/tests/multi/am-seq" --scale 0.02 >"$tmp/out" 2>&1
}
quiet() { # when, lines that UCX may write then
  ! grep 'UCX  ' "$tmp/out" | grep -qvE -- "${2:-^$}" || bad "$1: lines of UCX's log"
}

for transports in tcp posix,self sysv,self posix,sysv,self,cma all; do
  run UCX_TLS=$transports || bad "$transports: it ended"
  quiet "$transports"
done
run GASNET_UCX_TLS=tcp UCX_TLS=nonesuch || bad 'GASNET_UCX_TLS is not stronger than UCX_TLS'
run GASNET_UCX_TLS=tcp GASNET_UCX_DEVICES=lo || bad 'a device: it ended'
run GASNET_UCX_TLS=tcp GASNET_UCX_DEVICES=nonesuch && bad 'a device that there is not: no error'
has 'GASNET_UCX_DEVICES' 'a device that there is not'
run GASNET_UCX_TLS=nonesuch && bad 'a transport that there is not: no error'
has 'none of the transports .*GASNET_UCX_TLS' 'a transport that there is not'
run GASNET_UCX_TLS=self && bad 'a transport that leads nowhere: no error'
has 'cannot reach node [0-2] on .*: no transport leads there; GASNET_UCX_TLS' 'a transport that leads nowhere'
[ "$(grep -c 'UCX  ERROR' "$tmp/out")" -le 6 ] ||
  bad 'a transport that leads nowhere is tried again and again'
[ "$PST_FAULTS" = no ] || {
  run GASNET_UCX_WITHOUT=nonesuch && bad 'GASNET_UCX_WITHOUT: no error'
  has 'GASNET_UCX_WITHOUT="nonesuch" is not valid' 'GASNET_UCX_WITHOUT'
}
run UCX_TLS=tcp UCX_LOG_LEVEL=info || bad 'the log: it ended'
has 'UCX  INFO' "the log that was asked for"
run UCX_TLS=tcp GASNET_SPAWN_VERBOSE=1 || bad 'verbose: it ended'
has 'conduit ucx: UCX [0-9.]+, transports tcp$' 'what is used'

# Memory of UCX's transports, however node 1 ends.
# Other jobs may have some at the same time: only memory that no process uses any more, and that stays,
# counts.
left() {
  find /dev/shm -maxdepth 1 -user "$(id -u)" -name 'ucx*' 2>/dev/null | sort
  awk 'NR > 1 && $7 == 0 { print "sysv", $2 }' /proc/sysvipc/shm 2>/dev/null
}
is_as_before() {
  local i
  for ((i = 0; i < 50; i++)); do
    [ -z "$(comm -13 <(echo "$before" | sort) <(left | sort))" ] && return 0; sleep 0.1
  done
  return 1
}
# UCX itself would abort the process when it gets no descriptor.
(ulimit -n 10; run UCX_TLS=tcp) && bad 'ten descriptors: no error'
has 'UCX cannot be used: too few file descriptors are left; raise ulimit -n, which is 10' 'ten descriptors'
quiet 'ten descriptors'

# A put outside the segment names the address, not the network, also without checks.
for transports in tcp,self posix,self; do
  env GASNET_CONDUIT=ucx GASNET_SUPERNODE_MAXSIZE=1 GASNET_UCX_TLS=$transports timeout 30 \
    "$build/bin/gasnetrun" -n 2 "$build/tests/multi/outside-seq" >"$tmp/out" 2>&1 &&
    bad "$transports, outside: no error"
  has '0x[0-9a-f]+.* outside (of )?the segment of node 1' "$transports, outside"
done

# A hangup also ends a process: UCX has its own handler for it, which waits for a debugger.
env GASNET_CONDUIT=ucx GASNET_SUPERNODE_MAXSIZE=1 GASNET_UCX_TLS=tcp timeout 30 \
  "$build/bin/gasnetrun" -n 3 "$build/tests/multi/death-seq" hangup client 1 >"$tmp/out" 2>&1
code=$?
[ $code -eq 129 ] || bad "hangup: code $code"
before=$(left)
seed=${PST_SEED:-$RANDOM}
echo "seed $seed"
code_of() { case $1 in kill) echo 137 ;; abort) echo 134 ;; exit) echo 3 ;; gasnet_exit) echo 7 ;; esac; }
for transports in tcp posix,self sysv,self; do
  for kind in kill abort exit gasnet_exit; do
    for place in client handler; do
      env GASNET_CONDUIT=ucx GASNET_SUPERNODE_MAXSIZE=1 GASNET_UCX_TLS=$transports timeout 30 \
        "$build/bin/gasnetrun" -n 3 "$build/tests/multi/death-seq" $kind $place $seed >"$tmp/out" 2>&1
      code=$?
      [ $code -eq "$(code_of $kind)" ] || bad "$transports, $kind in $place: code $code"
      grep -q '^victim' "$tmp/out" || bad "$transports, $kind in $place: nobody died"
      # Its tcp logs this if the peer's connection ends between a look at it and the next write; UCX tells
      # us later.
      quiet "$transports, $kind in $place" ' UCX  ERROR tcp_ep 0x[0-9a-f]+: failed to prepare AM data$'
      is_as_before || {
        left >>"$tmp/out"; bad "$transports, $kind in $place: shared memory is left"; before=$(left)
      }
    done
  done
done

# All three nodes report each kind; windows and operations for two peers fit into a few MiB together.
run GASNET_STATSFILE="$tmp/stats" || bad 'with statistics: it ended'
cp "$tmp/stats" "$tmp/out"
for name in PEER WINDOW OPERATION; do
  [ "$(grep -c " C UCX_$name: count [1-9]" "$tmp/stats")" -eq 3 ] || bad "the statistics of UCX_$name"
done
awk '/^node 0 C UCX_/ { for (i = 1; i < NF; i++) if ($i == "total") sum += $(i + 1) }
  END { exit !(sum > 1048576 && sum < 8388608) }' \
  "$tmp/stats" || bad 'the memory of the conduit'
exit $failed
