#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# The libfabric conduit: all nodes use one provider that all have, one line says which lacks it, the shm
# provider's files go with their processes, and the statistics show the conduit's memory.
# time-limit: 300
set -u
. "$(dirname "$0")/script.sh"
has_conduit ofi || skip "no conduit ofi in this build"

# ONE, unless empty, is what libfabric offers to node 1 alone.
cat >"$tmp/node" <<'END'
#!/bin/sh
case $ONE:$PENSTOCK_LAUNCH in ?*:1:1:*) FI_PROVIDER=$ONE; export FI_PROVIDER ;; esac
exec "$@"
END
chmod +x "$tmp/node"

# run ONE VARIABLE=VALUE...: three processes
run() {
  local one=$1; shift
  env ONE="$one" GASNET_CONDUIT=ofi GASNET_SUPERNODE_MAXSIZE=1 GASNET_SPAWN_VERBOSE=1 "$@" timeout 30 \
    "$build/bin/gasnetrun" -n 3 "$tmp/node" "$build/tests/multi/am-seq" --scale 0.02 >"$tmp/out" 2>&1
}
all_take() { # PATTERN, what
  [ "$(grep -c 'conduit ofi: provider' "$tmp/out")" -eq 1 ] &&
    grep -q "conduit ofi: provider $1," "$tmp/out" || bad "$2"
}
told_once() { # PATTERN, what
  [ "$(grep -c 'libfabric' "$tmp/out")" -eq 1 ] && grep -q "$1" "$tmp/out" || bad "$2"
}

run net || bad 'node 1 has net alone: it ended'
all_take net 'node 1 has net alone'
run '^tcp,udp' || bad 'node 1 lacks tcp and udp: it ended'
! grep -q 'provider [a-z]*;ofi_rx' "$tmp/out" || bad 'node 1 lacks tcp and udp'
run shm GASNET_OFI_PROVIDER="$PST_OFI_TCP" && bad 'node 1 lacks what was asked for: no error'
told_once "node 1 of 3.*GASNET_OFI_PROVIDER=$PST_OFI_TCP here" 'node 1 lacks what was asked for'
run '' GASNET_OFI_PROVIDER=nonesuch && bad 'a provider that there is not: no error'
told_once 'node 0 of 3.*GASNET_OFI_PROVIDER=nonesuch' 'a provider that there is not'
run '' GASNET_OFI_DEVICE=nonesuch && bad 'a device that there is not: no error'
told_once 'GASNET_OFI_DEVICE=nonesuch' 'a device that there is not'
[ "$PST_FAULTS" = no ] || run '' GASNET_OFI_WITHOUT=queue:128 GASNET_OFI_PROVIDER="${PST_OFI_TCP:?}" ||
  bad 'a small queue: it ended'

# Memory of the shm provider, however node 1 ends: files whose names begin with the process's number. Other
# jobs may have some at the same time.
left() {
  find /dev/shm -maxdepth 1 -user "$(id -u)" -name '[0-9]*:[0-9]*:[0-9]*' -printf '%f\n' 2>/dev/null | sort |
    while IFS=: read -r p rest; do [ -d "/proc/$p" -o ! -e "/dev/shm/$p:$rest" ] || echo "$p:$rest"; done
}
before=$(left)
seed=${PST_SEED:-$RANDOM}
echo "seed $seed"
for kind in kill abort exit gasnet_exit; do
  for place in client handler; do
    env GASNET_CONDUIT=ofi GASNET_SUPERNODE_MAXSIZE=1 GASNET_OFI_PROVIDER=shm timeout 30 \
      "$build/bin/gasnetrun" -n 3 "$build/tests/multi/death-seq" $kind $place $seed >"$tmp/out" 2>&1
    grep -q '^victim' "$tmp/out" || bad "shm, $kind in $place: nobody died"
    [ -z "$(comm -13 <(echo "$before") <(left))" ] || {
      left >>"$tmp/out"; bad "shm, $kind in $place: files in /dev/shm"
    }
  done
done

# All three nodes report each kind; the windows, buffers and operations for two peers fit into a few MiB
# together.
run '' GASNET_STATSFILE="$tmp/stats" || bad 'with statistics: it ended'
cp "$tmp/stats" "$tmp/out"
for name in PEER WINDOW QUEUE OPERATION RECEIVE_BUFFER; do
  [ "$(grep -c " C OFI_$name: count [1-9]" "$tmp/stats")" -eq 3 ] || bad "the statistics of OFI_$name"
done
awk '/^node 0 C OFI_/ { for (i = 1; i < NF; i++) if ($i == "total") sum += $(i + 1) }
  END { exit !(sum > 1048576 && sum < 8388608) }' \
  "$tmp/stats" || bad 'the memory of the conduit'

# Sixteen peers need more descriptors: the limit is raised, or a node says that there are none.
crowd() { # ulimit's option, seconds
  (ulimit "$1" 22
  GASNET_CONDUIT=ofi GASNET_SUPERNODE_MAXSIZE=1 timeout -s INT "$2" "$build/bin/gasnetrun" -n 16 \
    "$build/tests/multi/am-seq" --scale 0.02) \
    >"$tmp/out" 2>&1
}
scale=${PST_TIME_SCALE:-1}
crowd -Sn $((60 * scale)) || bad 'a limit of descriptors that can be raised'
says_none() { grep -qE 'no file descriptor is left \(ulimit -n is 22\)|Too many open files' "$tmp/out"; }
for seconds in 5 10 40; do
  ! crowd -n $((seconds * scale)) || bad 'too few descriptors, and it runs'
  ! says_none || break
done
says_none || bad 'nobody says that there are no descriptors'

# The message names a limit that is reached, not libfabric's error.
(ulimit -n 10
GASNET_CONDUIT=ofi GASNET_SUPERNODE_MAXSIZE=1 timeout 30 "$build/bin/gasnetrun" -n 2 \
  "$build/tests/multi/attach-seq" --size 4096) >"$tmp/out" 2>&1 &&
  bad 'ten descriptors, and it runs'
grep -q 'ulimit -n' "$tmp/out" && ! grep -q 'Input/output error' "$tmp/out" || bad 'ten descriptors: not said'

# It names an address outside the target's segment, too.
for case in put_outside get_outside; do
  env GASNET_CONDUIT=ofi GASNET_SUPERNODE_MAXSIZE=1 timeout 30 "$build/bin/gasnetrun" -n 2 \
    "$build/tests/multi/misuse-seq" --case $case >"$tmp/out" 2>&1 && bad "$case: it goes on"
  grep -q 'outside the segment of node 1' "$tmp/out" || bad "$case: not said"
done

# Strangers make the provider sockets hang: it is used only when named, and with a warning.
run '' GASNET_OFI_PROVIDER=sockets || bad 'the provider sockets by name: it ended'
[ "$(grep -c 'provider sockets hangs' "$tmp/out")" -eq 1 ] || bad 'the provider sockets by name: no warning'
run '' FI_PROVIDER=sockets && bad 'the provider sockets was chosen'
told_once 'no provider of reliable datagrams' 'nothing but the provider sockets'

exit $failed
