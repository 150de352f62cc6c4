#!/bin/bash
# Jobs started by MPICH's mpiexec, by PMI's wire protocol: tests/multi/launched and others. Where root may make network namespaces, also on
# two hosts, among which mpiexec deals out its ranks in turn.
# time-limit: 400
set -u
if [ "${1-}" != inside ] && [ "$(id -u)" -eq 0 ] && command -v ip >/dev/null && unshare -m -n true 2>/dev/null; then
  exec unshare -m -n --propagation private "$0" inside
fi
. "${PST_SRCDIR:?}/tests/launchers/common.sh"
mpiexec=$(command -v mpiexec.hydra || command -v mpiexec) || skip "there is no mpiexec (Debian: apt-get install mpich)"
"$mpiexec" --version 2>&1 | grep -q HYDRA || skip "$mpiexec is not MPICH's"
launch=("$mpiexec") way=PMI-1
[ "${1-}" != inside ] || ip link set lo up
start 30 1 true
[ $code -eq 0 ] || skip "mpiexec does not start programs here: $(head -1 err)"

make_hosts() {
  mkdir -p /run/netns && mount -t tmpfs none /run/netns && ip netns add even && ip netns add odd &&
    ip link add eth0 netns even type veth peer name eth0 netns odd || return 1
  local h i=0
  for h in even odd; do
    i=$((i + 1))
    ip -n $h address add 10.93.1.$i/24 dev eth0 && ip -n $h link set eth0 up && ip -n $h link set lo up || return 1
  done
}
check_hosts() {
  printf '#!/bin/sh\ncase $PMI_RANK in *[02468]) exec ip netns exec even "$@" ;; esac\nexec ip netns exec odd "$@"\n' >on_host
  chmod +x on_host
  start 30 4 ./on_host "$tests/launched-seq" places
  holds "two hosts without a network: code $code" [ $code -eq 1 ]
  said 'the conduit smp cannot serve a job on 2 hosts' 'two hosts without a network'
  export GASNET_CONDUIT=ofi
  start 60 5 env GASNET_SPAWN_VERBOSE=1 ./on_host "$tests/launched-seq" places
  holds "two hosts: code $code" [ $code -eq 0 ]
  local place
  for place in '0 0' '1 2' '2 4' '3 1' '4 3'; do said "^node ${place% *} of 5 is rank ${place#* }\$" 'two hosts'; done
  said 'node 4 of 5 is process [0-9]+ on host 1 of 2' 'two hosts'
  start 60 6 ./on_host "$tests/coll-seq" --scale 0.2
  holds "collectives on two hosts: code $code" [ $code -eq 0 ]
  start 30 4 ./on_host "$tests/launched-seq" zero
  holds "one of two hosts leaves: code $code" [ $code -eq 0 ]
  start 30 4 ./on_host "$tests/death-seq" gasnet_exit client 3
  holds "a node of two hosts leaves: code $code" [ $code -eq 7 ]
  start 30 4 ./on_host "$tests/death-seq" kill client 3
  holds "a death on two hosts: code $code" ended_badly
  holds 'a death on two hosts leaves processes' gone 5
  unset GASNET_CONDUIT
}

check_places
check_ends
check_errors
check_deaths
check_killed_launcher
check_list '' ''
if [ "$("${PST_BUILDDIR:?}/bin/gasnet_info" 2>/dev/null | grep -c ofi)" -gt 0 ]; then
  check_list 'GASNET_CONDUIT=ofi GASNET_SUPERNODE_MAXSIZE=1' '--scale 0.1' 'am am_sizes rma handles implicit value strided barrier coll segment'
  if [ "${1-}" = inside ] && make_hosts 2>err; then check_hosts; else echo "not on two hosts: network namespaces cannot be made here"; fi
fi
finish
