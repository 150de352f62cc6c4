#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# Lost nodes that are reported in jobs on several hosts, over each conduit between hosts: the job's code, what
# the launcher prints, and what the nodes that are left can do. The hosts are network namespaces where these
# are permitted, else all this machine. PST_ROUNDS / 5 random programs on each layout.
# time-limit: 240
# lists: full soak
set -u
LC_ALL=C; export LC_ALL
unset GASNET_HOSTS GASNET_RSH
PST_NETWORK=optional
. "${PST_SRCDIR:?}/tests/hosts/network.sh"
[ $network = yes ] || names=(h1 h2 h3 h4)
. "$PST_SRCDIR/tests/hosts/common.sh"
cat >rsh <<END
#!/bin/sh
# HOST COMMAND...
host=\$1; shift
exec $([ $network = yes ] && echo 'ip netns exec $host' || echo 'env -i PATH="$PATH"') "\$@"
END
chmod +x rsh
remote=(--rsh "$tmp/rsh")
a=${names[0]} b=${names[1]} c=${names[2]} d=${names[3]}
end=$build/tests/multi/loss_end
killed='was killed by signal 9 \(Killed\)' on='the job goes on without it'
rounds=$((PST_ROUNDS / 5)); [ $rounds -gt 0 ] || rounds=1
mapfile -t conduits < <(networks | grep -v template)
echo "$rounds rounds, hosts are namespaces: $network, conduits between them: ${conduits[*]:-none}"
[ ${#conduits[@]} -gt 0 ] || skip 'this build has no conduit between hosts that can go on without a node'

lines() { # COUNT PATTERN WHAT
  holds "$3: not $1 lines like $2" [ "$(grep -Ec -- "$2" err)" -eq "$1" ]
}

# Node 0 is the first of the first host; -n 4 leaves three that go on, on both hosts.
check_ends() { # LAYOUT MODE
  local first="^penstock: node 0 of 4 \\(pid [0-9]+ on $a\\)" p=$end-$2
  try 0 -n 4 -H "$1" "$p" killed; lines 1 "$first $killed; $on\$" killed; lines 3 'goes on$' killed
  try 0 -n 4 -H "$1" "$p" ended; lines 1 "$first ended with code 3 without gasnet_exit; $on\$" ended
  lines 3 'goes on$' ended
  try 0 -n 4 -H "$1" "$p" failed; lines 0 penstock: failed; lines 3 'goes on$' failed
  try 5 -n 4 -H "$1" "$p" code; lines 1 "$first $killed; $on\$" code
  try 137 -n 4 -H "$1" "$p" all; lines 4 "$killed; $on\$" all
  try 1 -n 4 -H "$1" "$p" allfail; lines 0 penstock: allfail
  try 1 -n 4 -H "$1" "$p" fatal; said 'gasnetx_team_create: a list of 0 nodes' fatal
  try 1 -n 4 -H "$1" "$p" differ; said 'gasnetx_report_losses was called on this node, but not on' differ
  try 137 -n 4 -H "$1" "$p" early; lines 1 "$first $killed; ending the job\$" early
}

check_work() { # LAYOUT NODES
  local r
  for ((r = 0; r < rounds; r++)); do
    try 0 -n "$2" -H "$1" "$build/tests/multi/loss-seq"
    try 0 -n "$2" -H "$1" "$build/tests/multi/loss-par"
  done
}

# The end of a host ends the job also where losses are reported.
check_daemon() {
  local mark=mark-loss-$$. daemon
  : >out; : >err
  "$run" "${remote[@]}" -n 4 -H "$a:2,$b:2" "$end-seq" waits "$mark" >out 2>err </dev/null & pid=$!
  until_true 20 all_wait || wrong 'the job does not start'
  daemon=$(daemons | tail -n 1)
  kill -9 "$daemon"; ended_in_time 10; holds "a killed daemon: code $code" [ $code -eq 1 ]
  said "^penstock: lost host ($a|$b) with nodes [02] to [13] of 4: .*; ending the job$" 'a killed daemon'
  gone_in_time "$mark" 'a killed daemon'
}
all_wait() { [ "$(grep -c 'waits$' err)" -eq 4 ]; }

for conduit in "${conduits[@]}"; do
  export GASNET_CONDUIT=$conduit
  check_ends "$a:2,$b:2" seq
  check_ends "$a,$b,$c,$d" par
  check_work "$a:2,$b:2,$c:2" 6
  check_work "$a:2,$b,$c,$d:2" 6
  GASNET_SUPERNODE_MAXSIZE=1 GASNET_AM_ONLY=1 check_work "$a:3,$b:3" 6
  check_daemon
done
finish
