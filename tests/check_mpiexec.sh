#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# Jobs started by MPICH's mpiexec, by PMI's wire protocol: tests/multi/launched and others. Where root may
# make network namespaces, also on two hosts, among which mpiexec deals out its ranks in turn.
# time-limit: 400
set -u
PST_NETWORK=optional
. "${PST_SRCDIR:?}/tests/hosts/network.sh"
. "$PST_SRCDIR/tests/launchers/common.sh"
mpiexec=$(command -v mpiexec.hydra || command -v mpiexec) ||
  skip "there is no mpiexec (Debian: apt-get install mpich)"
"$mpiexec" --version 2>&1 | grep -q HYDRA || skip "$mpiexec is not MPICH's"
launch=("$mpiexec") way=PMI-1
probe 30 mpiexec

check_hosts() {
  printf '#!/bin/sh\ncase $PMI_RANK in *[02468]) exec ip netns exec pst1 "$@" ;; esac\nexec ip netns exec '\
'pst2 "$@"\n' >on_host
  chmod +x on_host
  start 30 4 env GASNET_CONDUIT=smp ./on_host "$tests/launched-seq" places
  holds "two hosts without a network: code $code" [ $code -eq 1 ]
  holds 'it is said once' [ "$(grep -c 'cannot serve' err)" -eq 1 ]
  said 'GASNET_CONDUIT=smp cannot serve a job on several hosts' 'two hosts without a network'
  start 60 5 env GASNET_SPAWN_VERBOSE=1 ./on_host "$tests/launched-seq" places
  holds "two hosts: code $code" [ $code -eq 0 ]
  local place
  for place in '0 0' '1 2' '2 4' '3 1' '4 3'; do
    said "^node ${place% *} of 5 is rank ${place#* }\$" 'two hosts'
  done
  said 'node 4 of 5 is process [0-9]+ on host 1 of 2' 'two hosts'
  start 60 6 ./on_host "$tests/coll-seq" --scale 0.2
  holds "collectives on two hosts: code $code" [ $code -eq 0 ]
  [ ! -x started ] || start 30 4 ./on_host ./started
  holds "an XcalableMP program on two hosts: code $code" [ $code -eq 0 ]
  said '^4 nodes: 106200 6960 1770 5 7$' 'an XcalableMP program on two hosts'
  if [ -x "$build/examples/caf/queue" ]; then
    start 30 4 ./on_host "$build/examples/caf/queue"
    holds "a coarray program on two hosts: code $code" [ $code -eq 0 ]
    said '^300 tasks on 4 images: each done once, right;' 'a coarray program on two hosts'
  fi
  start 30 4 ./on_host "$tests/launched-seq" zero
  holds "one of two hosts leaves: code $code" [ $code -eq 0 ]
  start 30 4 ./on_host "$tests/death-seq" gasnet_exit client 3
  holds "a node of two hosts leaves: code $code" [ $code -eq 7 ]
  start 30 4 ./on_host "$tests/death-seq" kill client 3
  holds "a death on two hosts: code $code" ended_badly
  holds 'a death on two hosts leaves processes' gone 5
}

check_all 'am rma coll'
if ! has_conduit ofi; then :
elif [ $network = yes ]; then check_hosts
else echo "not on two hosts: $why"
fi
finish
