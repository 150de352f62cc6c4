# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# Hosts that are network namespaces pst1 to pst4, or as many as PST_NETWORK_HOSTS says, joined by veth pairs
# and a bridge; gasnetrun is beside the bridge. A script sources this file first, with its arguments, and then
# runs again inside. All of it, processes too, lies in name spaces of that script alone: it goes with the
# script, however that ends. Skips where this is not permitted, unless PST_NETWORK=optional: then network is
# "no" and why has the reason.
network=yes
names=($(seq -f pst%g "${PST_NETWORK_HOSTS:-4}"))
skip() { echo "skip: $*" >&2; exit 77; }
no_network() { [ "${PST_NETWORK-}" = optional ] || skip "$*"; network=no why=$*; }

enter_network() { # the script's arguments
  local unshare=(unshare -m -n -p -f --kill-child --mount-proc --propagation private)
  if [ "$(id -u)" -ne 0 ]; then no_network "network namespaces need root"
  elif ! command -v ip >/dev/null; then no_network "there is no ip (Debian: apt-get install iproute2)"
  elif ! "${unshare[@]}" ip link add bridge type bridge 2>/dev/null; then no_network \
    "network namespaces with a bridge are not permitted here"
  else exec "${unshare[@]}" env PST_INSIDE_NETWORK=yes "$0" "$@"
  fi
}

# No other program's files come and go in the directories that these tests look at.
build_network() {
  mkdir -p /run/netns && mount -t tmpfs none /run/netns && mount -t tmpfs none /dev/shm &&
    ip link set lo up &&
    ip link add bridge type bridge && ip address add 10.93.0.254/24 dev bridge && ip link set bridge up ||
    return 1
  local i
  for i in $(seq ${#names[@]}); do
    ip netns add pst$i && ip link add veth$i type veth peer name eth0 netns pst$i &&
      ip link set veth$i master bridge && ip link set veth$i up &&
      ip -n pst$i address add 10.93.0.$i/24 dev eth0 &&
      ip -n pst$i link set eth0 up && ip -n pst$i link set lo up || return 1
  done
  links_are_up && ip netns exec pst1 true
}
# The kernel may report a link a second late, and libfabric takes no device without one.
links_are_up() {
  local h i
  for h in "${names[@]}"; do
    for ((i = 0; i < 100; i++)); do
      ip -n $h link show eth0 | grep -q 'state UP' && continue 2; sleep 0.1
    done
    echo "the link of $h does not come up"
    return 1
  done
}

if [ "${PST_INSIDE_NETWORK-}" != yes ]; then enter_network "$@"
else
  unset PST_INSIDE_NETWORK; inside=yes
  trap 'exit 1' TERM INT # process 1 of a name space ignores them otherwise
  why=$(build_network 2>&1) || skip "network namespaces cannot be made here: $(echo "$why" | head -1)"
fi
