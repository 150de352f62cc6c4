#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# Lost nodes that are reported, seen from outside: the job's code, what the launcher prints, and where reports
# are refused.
# time-limit: 180
# lists: full short
. "$(dirname "$0")/script.sh"
program=$build/tests/multi/loss_end-seq
killed='was killed by signal 9 \(Killed\)' on='the job goes on without it'
goes_on="^penstock: node 0 of 3 \(pid [0-9]+ on .*\) $killed; $on\$"

# job CODE WAY [VARIABLE=VALUE...]
job() {
  local code=$1 way=$2 how; shift 2
  for how in "$run -n 3" "env GASNET_PSHM_NODES=3"; do
    expect "$code" "$way" env "$@" timeout -k 1 $((20 * scale)) $how "$program" "$way"
    "look_$way" "$way by $how"
  done
}
lines() { # TITLE COUNT PATTERN
  [ "$(grep -Ec -- "$3" "$tmp/log")" -eq "$2" ] && return
  fail "$1: not $2 lines like $3 in:"
  head -15 "$tmp/log"
}
look_killed() { lines "$1" 1 "$goes_on"; lines "$1" 2 'goes on$'; silent "$1" 'ending the job'; }
look_code() { lines "$1" 1 "$goes_on"; silent "$1" 'ending the job'; }
look_ended() {
  lines "$1" 1 "node 0 of 3 .* ended with code 3 without gasnet_exit; $on"
  lines "$1" 2 'goes on$'
}
look_failed() { silent "$1" penstock:; lines "$1" 1 '^node 0 ends$'; lines "$1" 2 'goes on$'; }
look_all() { lines "$1" 3 "$on"; lines "$1" 3 'ends$'; }
look_allfail() { silent "$1" penstock:; lines "$1" 3 'ends$'; }
look_fatal() { says "$1" 'gasnetx_team_create: a list of 0 nodes'; }
look_differ() { says "$1" 'gasnetx_report_losses was called on this node, but not on node 1'; }
look_early() { says "$1" "node 0 of 3 .* $killed; ending the job"; }
look_off() { silent "$1" 'goes on'; }

job 0 killed
job 0 ended
job 0 failed
job 5 code
job 137 all
job 1 allfail
job 1 fatal
job 1 differ
job 137 early
job 1 off

# By a network, too; but not by all of them.
over() { # NETWORK CODE WAY
  job "$2" "$3" GASNET_CONDUIT="$1" GASNET_SUPERNODE_MAXSIZE=1
}
refused() { # TEXT VARIABLE=VALUE...
  local text=$1; shift
  expect 1 "with $*" env GASNET_SUPERNODE_MAXSIZE=1 "$@" timeout $((60 * scale)) "$run" -n 2 "$program" killed
  says "with $*" "gasnetx_report_losses: $text"
}
for network in $(networks | grep -v template); do
  for way in killed failed; do over "$network" 0 $way; done
  over "$network" 5 code
  over "$network" 137 all
  over "$network" 1 fatal
  over "$network" 137 early
done
! has_conduit template || refused 'the conduit template cannot go on without a node' GASNET_CONDUIT=template
! has_conduit ucx || refused 'UCX has no transport to node . that reports the end of a peer' \
  GASNET_CONDUIT=ucx GASNET_UCX_TLS=posix,self
! "$build/bin/gasnet_info" | grep -q 'provider  *udp;ofi_rxd:' ||
  refused "libfabric's provider udp;ofi_rxd does not end what is under way" GASNET_CONDUIT=ofi \
    'GASNET_OFI_PROVIDER=udp;ofi_rxd'
echo "$count jobs"
exit $bad
