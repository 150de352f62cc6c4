#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# A client's handler for SIGQUIT, and stdio's buffers, when a job does not end by itself.
# time-limit: 240
set -u
. "$(dirname "$0")/script.sh"
program=$build/tests/multi/quit-seq
cd "$tmp" || exit 1
ulimit -c 0
how=()

lines() { grep -cE "$1" err; }
ends_with() { holds "code $1 was expected" [ $code -eq "$1" ]; }
handlers() { # nodes whose handlers run, and no others
  local i n=0
  for i in "$@"; do
    holds "node $i's handler has not run once" [ "$(lines "^handler of $i\$")" -eq 1 ]; n=$((n + 1))
  done
  holds "$n handlers were expected" [ "$(lines '^handler of')" -eq $n ]
}
job() { # WAY WHEN [SECONDS]
  way="${how[*]##*/} $*"
  timeout -k 2 $((30 * scale)) "${how[@]}" "$program" "$@" >out 2>err </dev/null
  code=$?
}
# When all nodes are ready, the process that was started gets this signal.
job_with_signal() { # SIGNAL WAY WHEN [SECONDS]
  local sig=$1 i; shift
  way="${how[*]##*/} $*, SIG$sig"
  : >err
  timeout -k $((20 * scale)) $((30 * scale)) "${how[@]}" "$program" "$@" >out 2>err </dev/null \
    & # passes signals on
  for ((i = 0; i < 1000; i++)); do [ "$(lines '^ready')" -lt 3 ] || break; sleep 0.02; done
  holds 'the job has not started' [ "$(lines '^ready')" -eq 3 ]
  kill -"$sig" $!
  wait $!; code=$?
}

# ---- the ends, for each way to start a job ----

try_ways() {
  job exit after;  handlers 0 1;   ends_with 3
  job abort after; handlers 0 1;   ends_with 134
  job term before; handlers 0 1 2; ends_with 4
  job_with_signal TERM wait after; handlers 0 1 2; ends_with 4
}
# Once is enough for these.
try_more() {
  job return before; handlers 0 1; ends_with 3
  job int after; handlers 0 1 2; ends_with 4
  GASNET_EXITTIMEOUT=0.5 job zero before; handlers 0 1; ends_with 0
  job_with_signal INT wait before; handlers 0 1 2; ends_with 4
  job returns after; handlers 0 1; ends_with 3
  job abort never;   handlers; ends_with 134
  job term never;    handlers; ends_with 143
  # A handler has its time, but no more.
  GASNET_EXITTIMEOUT=6 job late after 2; handlers 0 1; ends_with 3
  holds 'a handler is cut short' [ "$(lines '^cleaned by [01]$')" -eq 2 ]
  GASNET_EXITTIMEOUT=6 job_with_signal TERM wait after 2; handlers 0 1 2; ends_with 4
  holds 'a handler is cut short' [ "$(lines '^cleaned by [012]$')" -eq 3 ]
  GASNET_EXITTIMEOUT=1 job stuck after; handlers 0 1 2; ends_with 143
}
try_output() { # SIGNAL CODE
  job_with_signal "$1" output never; ends_with "$2"
  holds "$(grep -c '^kept by [012]$' out) nodes of 3 kept their output" [ "$(grep -c '^kept by [012]$' out)" \
    -eq 3 ]
}

how=("$run" -n 3); try_ways; try_more
try_output TERM 143; try_output INT 130
job_with_signal TERM locked never; ends_with 143
how=(env GASNET_PSHM_NODES=3); try_ways; try_output TERM 143
for conduit in $(networks); do
  how=(env GASNET_CONDUIT="$conduit" GASNET_SUPERNODE_MAXSIZE=1 "$run" -n 3)
  try_ways
done
how=("$run" --rsh "$tmp/rsh" -n 3 -H host1:2,host2:1)
printf '#!/bin/sh\nshift\nexec sh -c "$*"\n' >rsh && chmod +x rsh
if "${how[@]}" true >out 2>err; then try_ways; else echo "not on several hosts: $(tail -n 1 err)"; fi
echo "$checks checks, $bad failures"
exit $((bad != 0))
