#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# Sudden ends of jobs on several hosts at work: a process, a daemon or the launcher is killed, or a host's
# link goes down. Each ends the job on all hosts within ten seconds, says which host it was, and leaves
# nothing. The hosts are network namespaces where these are permitted, else all this machine, and then no link
# goes down. PST_ROUNDS / 2 rounds of each fault, on pairs of hosts at the same time; PST_SEED chooses victims
# and moments.
# time-limit: 240
# lists: full soak
set -u
LC_ALL=C; export LC_ALL
unset GASNET_HOSTS GASNET_RSH
PST_NETWORK=optional PST_NETWORK_HOSTS=10
. "${PST_SRCDIR:?}/tests/hosts/network.sh"
[ $network = yes ] || names=(h1 h2 h3 h4 h5 h6 h7 h8 h9 h10)
. "$PST_SRCDIR/tests/hosts/common.sh"
mkdir said
cat >rsh <<END
#!/bin/sh
# HOST COMMAND...: keeps the daemon's messages here, as some come after the launcher's end. As with ssh, the
# daemon is another process, which may live longer than this one.
host=\$1; shift
$([ $network = yes ] && echo 'ip netns exec $host' || echo 'env -i PATH="$PATH"') "\$@" 2>>$tmp/said/\$host
exit \$?
END
chmod +x rsh
remote=(--rsh "$tmp/rsh")
rounds=$((PST_ROUNDS / 2)); [ "$PST_LIST" != soak ] || rounds=$((PST_ROUNDS / 4))
[ $rounds -gt 0 ] || rounds=1
seed=${PST_SEED:-$((EPOCHSECONDS % 32768))}
pairs=$((${#names[@]} / 2))
limit=10

mapfile -t conduits < <(networks)
echo "seed $seed, $rounds rounds, hosts are namespaces: $network, conduits between them: ${conduits[*]:-none}"

# The job: a solver that moves data without end or, without a conduit between hosts, processes that wait.
begin() {
  local work=(wait)
  if [ ${#conduits[@]} -gt 0 ]; then
    export GASNET_CONDUIT=${conduits[(r / pairs) % ${#conduits[@]}]} # each pair of hosts has several rounds
    job=$build/examples/jacobi3d work=(--grid 48 --steps 100000000 --verify off --picture)
  fi
  mark=mark-fault-$$-$pair-$r.
  : >out; : >err; rm -f "$tmp/said/$a" "$tmp/said/$b"
  "$run" "${remote[@]}" -n 4 -H "$a:2,$b:2" "$job" "${work[@]}" "$mark" >out 2>err </dev/null & pid=$!
  until_true 20 four_run || {
    wrong "the job does not start"; kill -9 "$pid"; wait "$pid" 2>/dev/null; return 1
  }
  mapfile -t daemon < <(for shell in $(children "$pid"); do children "$shell"; done)
  holds "two daemons: ${daemon[*]}" [ ${#daemon[@]} -eq 2 ]
  sleep "0.$((RANDOM % 10))" # any moment: its processes may still be meeting
}
four_run() { mapfile -t node < <(victims "$mark"); [ ${#node[@]} -eq 4 ]; }
children() { grep -lsxE "PPid:[[:space:]]$1" /proc/[0-9]*/status | cut -d/ -f3; } # PID
one_of() { local all=("$@"); echo "${all[$1 % ($# - 1) + 1]}"; } # NUMBER WORD...

# Cheap, as it is called often.
all_gone() {
  local p state
  for p in "${node[@]}" "${daemon[@]}"; do
    { read -r _ _ state _ </proc/"$p"/stat; } 2>/dev/null && [ "$state" != Z ] && return 1
  done
  return 0
}

# ended WHAT CODE TEXT: checks that the job has ended in time, in that way, everywhere.
ended() {
  local from=$EPOCHREALTIME us
  wait "$pid" 2>/dev/null; code=$?
  us=$((${EPOCHREALTIME/./} - ${from/./}))
  holds "round $r, $1: code $code" [ $code -eq "$2" ]
  holds "round $r, $1: the launcher ended after $us us" [ $us -le $((limit * 1000000 * scale)) ]
  until_true $limit all_gone || wrong "round $r, $1 leaves of ${node[*]} and daemons ${daemon[*]}: $(ps -ef)"
  us=$((${EPOCHREALTIME/./} - ${from/./}))
  holds "round $r, $1: all has ended after $us us" [ $us -le $((limit * 1000000 * scale)) ]
  holds "round $r, $1 leaves $(marked "$mark")" [ -z "$(marked "$mark")" ]
  [ -z "$3" ] || said "$3" "round $r, $1"
  echo "$us $1" >>took
  [ $network = no ] || no_open_doors "round $r, $1"
}

nobody_listens() { [ -z "$(ip netns exec "$1" awk '$4 == "0A"' /proc/net/tcp /proc/net/tcp6)" ]; } # HOST
no_open_doors() { # WHAT
  local i
  for i in "$a" "$b"; do holds "$1 leaves an open door on $i" until_true 5 nobody_listens "$i"; done
}

has_said() { # HOST
  if grep -qE '^gasnetrun: host [0-9]+ \(.*\) has no connection to where the job was started: .*; (ending '\
'its processes|nothing of the job runs) here$' "$tmp/said/$1"; then ok
  else wrong "round $r: the daemon on $1 says: $(cat "$tmp/said/$1")"; fi
}

one_round() {
  begin || return
  kill -9 "$(one_of $RANDOM "${node[@]}")"
  ended 'a killed process' 137 "^penstock: node [0-3] of 4 \(pid [0-9]+ on ($a|$b)\) was killed by signal "\
"9 \(Killed\); ending the job$"

  begin || return
  kill -9 "$(one_of $RANDOM "${daemon[@]}")"
  ended 'a killed daemon' 1 "^penstock: lost host ($a|$b) with nodes [02] to [13] of 4: .*; ending the job$"

  begin || return
  kill -9 "$pid"
  ended 'a killed launcher' 137 ''

  [ $network = yes ] || return
  begin || return
  local far=$((2 * pair + 1 + RANDOM % 2))
  ip link set veth$far down
  ended 'a link that goes down' 1 "^penstock: lost host pst$far with nodes [02] to [13] of 4: .*; ending "\
"the job$"
  has_said pst$far
  ip link set veth$far up
}

# Runs the pair's rounds, in a process of its own.
run_pair() { # PAIR
  pair=$1 a=${names[2 * $1]} b=${names[2 * $1 + 1]}
  RANDOM=$((seed + pair))
  mkdir "pair$pair" && cd "pair$pair" || exit 1
  for ((r = pair; r < rounds; r += pairs)); do one_round; done
  echo "$checks $bad" >counts
}

for ((i = 0; i < pairs; i++)); do (trap - EXIT; run_pair $i) >"log$i" 2>&1 & pair_pid[i]=$!; done
for ((i = 0; i < pairs; i++)); do
  wait "${pair_pid[i]}"; cat "log$i"
  if read -r n m <"pair$i/counts"; then checks=$((checks + n)) bad=$((bad + m)); else wrong "pair $i has "\
"not come to its end"; fi
done
if [ $network = yes ]; then holds "files in /dev/shm: $(ls -A /dev/shm)" [ -z "$(ls -A /dev/shm)" ]
else echo "not checked: a link that goes down ($why)"; fi

sort -n pair*/took | awk '{ us = $1; $1 = ""; most[$0] = us } END { for (w in most)
  printf "%s: all over after at most %d ms\n", substr(w, 2), most[w] / 1000 }'
finish
