#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# GASNET_ATOMICS: the network's own operations pass the test of atomic operations where they are forced,
# whatever the provider asks for and lacks; where they cannot be used, one line says why; without a device for
# them they are not used unasked.
# time-limit: 240
set -u
. "$(dirname "$0")/script.sh"
is_used() { [ "$(grep -c 'atomic operations: by the network' "$tmp/out")" -eq 1 ]; }

run() { # PROGRAM PROCESSES ARGUMENTS VARIABLE=VALUE...
  local program=$1 n=$2 arguments=$3; shift 3
  env GASNET_SUPERNODE_MAXSIZE=1 GASNET_SPAWN_VERBOSE=1 "$@" timeout 60 \
    "$build/bin/gasnetrun" -n "$n" "$build/tests/multi/$program" --scale 0.1 $arguments >"$tmp/out" 2>&1
}
forced() { # VARIABLE=VALUE...
  run atomic-seq 3 '' GASNET_ATOMICS=network "$@" && is_used || bad "seq $*"
  run atomic-par 2 '--threads 3 --region 1' GASNET_ATOMICS=network "$@" && is_used || bad "par $*"
}
unasked() { # VARIABLE=VALUE...
  run atomic-seq 2 '' "$@" || bad "$*: it ended"
  ! is_used || bad "$*: the network's own"
}
refused() { # TEXT VARIABLE=VALUE...
  local text=$1; shift
  run atomic-seq 4 '' GASNET_ATOMICS=network "$@" && bad "$*: no error"
  [ "$(grep -c "GASNET_ATOMICS=network: .*$text" "$tmp/out")" -eq 1 ] || bad "$*: no '$text'"
}

refused 'this job has no network' GASNET_CONDUIT=smp
! has_conduit ofi || {
  rxm=('GASNET_CONDUIT=ofi' 'GASNET_OFI_PROVIDER=tcp;ofi_rxm')
  for provider in 'tcp;ofi_rxm' shm; do forced GASNET_CONDUIT=ofi "GASNET_OFI_PROVIDER=$provider"; done
  [ "$PST_FAULTS" = no ] ||
    forced "${rxm[@]}" GASNET_OFI_MR=local,allocated,prov_key,endpoint,raw GASNET_OFI_WITHOUT=room:3
  forced "${rxm[@]}" GASNET_PROGRESS_THREAD=1
  unasked "${rxm[@]}"
  unasked "${rxm[@]}" GASNET_ATOMICS=cpu
  refused 'GASNET_AM_ONLY' "${rxm[@]}" GASNET_AM_ONLY=1
  refused 'share memory' "${rxm[@]}" GASNET_SUPERNODE_MAXSIZE=2
  refused 'does not have all of them' GASNET_CONDUIT=ofi 'GASNET_OFI_PROVIDER=udp;ofi_rxd'
}
! has_conduit ucx || {
  forced GASNET_CONDUIT=ucx GASNET_UCX_TLS=tcp
  [ "$PST_FAULTS" = no ] || forced GASNET_CONDUIT=ucx GASNET_UCX_TLS=tcp GASNET_UCX_WITHOUT=room:3
  forced GASNET_CONDUIT=ucx GASNET_UCX_TLS=tcp GASNET_PROGRESS_THREAD=1
  unasked GASNET_CONDUIT=ucx GASNET_UCX_TLS=tcp
  unasked GASNET_CONDUIT=ucx GASNET_UCX_TLS=posix,self
}
exit $failed
