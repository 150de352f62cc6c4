#!/bin/bash
# Sudden ends of jobs on several hosts while they work: a process, a daemon or the launcher is killed, a host's link goes down. Each ends the
# job on all hosts within ten seconds, says which host it was, and leaves nothing. The hosts are network namespaces where these
# are permitted, else all this machine, and then no link goes down. PST_ROUNDS / 2 rounds of each fault; PST_SEED chooses victims and moments.
# time-limit: 600
# lists: full soak
set -u
LC_ALL=C; export LC_ALL
unset GASNET_HOSTS GASNET_RSH
PST_NETWORK=optional
. "${PST_SRCDIR:?}/tests/hosts/network.sh"
[ $network = yes ] || names=(h1 h2 h3 h4)
. "$PST_SRCDIR/tests/hosts/common.sh"
mkdir said
cat >rsh <<END
#!/bin/sh
# HOST COMMAND...: what the daemon says stays here for who outlives the launcher.
host=\$1; shift
exec $([ $network = yes ] && echo 'ip netns exec $host' || echo 'env -i PATH="$PATH"') "\$@" 2>>$tmp/said/\$host
END
chmod +x rsh
remote=(--rsh "$tmp/rsh")
rounds=$((PST_ROUNDS / 2)); [ "$PST_LIST" != soak ] || rounds=$((PST_ROUNDS / 4))
[ $rounds -gt 0 ] || rounds=1
seed=${PST_SEED:-$((EPOCHSECONDS % 32768))}; RANDOM=$seed
a=${names[0]} b=${names[1]}
limit=10

conduit=none
"$build/bin/gasnet_info" | grep -q '^  ofi$' && conduit=ofi
[ $conduit = none ] || export GASNET_CONDUIT=$conduit
echo "seed $seed, $rounds rounds, hosts are namespaces: $network, conduit $conduit"

# What runs: a solver that moves data without end, or, without a conduit between hosts, processes that wait.
begin() { # MARK
  local work=(wait)
  if [ $conduit = ofi ]; then job=$build/examples/jacobi3d work=(--grid 48 --steps 100000000 --verify off --picture); fi
  : >out; : >err; rm -f said/*
  "$run" "${remote[@]}" -n 4 -H "$a:2,$b:2" "$job" "${work[@]}" "$1" >out 2>err </dev/null & pid=$!
  until_true 20 four_run "$1" || wrong "the job does not start"
  sleep "$((RANDOM % 2)).$((RANDOM % 10))" # any moment: its processes may still be meeting
}
four_run() { [ "$(victims "$1" | wc -l)" -eq 4 ]; }
one_of() { local all=("$@"); echo "${all[$1 % ($# - 1) + 1]}"; } # NUMBER WORD...

# ended WHAT MARK CODE TEXT: the job has, in time, in that way, everywhere.
ended() {
  local from=$EPOCHREALTIME us
  wait "$pid" 2>/dev/null; code=$?
  us=$((${EPOCHREALTIME/./} - ${from/./}))
  holds "round $r, $1: code $code" [ $code -eq "$3" ]
  holds "round $r, $1: the launcher ended after $us us" [ $us -le $((limit * 1000000 * scale)) ]
  until_true $limit nobody "$2" || wrong "round $r, $1 leaves $(marked "$2") and daemons $(daemons)"
  us=$((${EPOCHREALTIME/./} - ${from/./}))
  holds "round $r, $1: all has ended after $us us" [ $us -le $((limit * 1000000 * scale)) ]
  [ -z "$4" ] || said "$4" "round $r, $1"
  [ $us -le "${slowest[$1]-0}" ] || slowest[$1]=$us
  [ $network = no ] || nothing_remains "round $r, $1"
}

nothing_remains() { # WHAT
  local i files
  files=$(ls -A /dev/shm)
  holds "$1 leaves in /dev/shm: $files" [ -z "$files" ]
  for i in "${names[@]}"; do
    holds "$1 leaves an open door on $i" [ -z "$(ip netns exec "$i" awk '$4 == "0A"' /proc/net/tcp /proc/net/tcp6)" ]
  done
}

has_said() { # HOST
  if grep -qE '^gasnetrun: host [0-9]+ \(.*\) has no connection to where the job was started: .*; ending its processes here$' "said/$1"; then ok
  else wrong "round $r: the daemon on $1 says: $(cat "said/$1")"; fi
}

declare -A slowest=()
for ((r = 0; r < rounds; r++)); do
  mark=mark-fault-$$-$r.
  begin "$mark"
  kill -9 "$(one_of $RANDOM $(victims "$mark"))"
  ended 'a killed process' "$mark" 137 "^penstock: node [0-3] of 4 \(pid [0-9]+ on ($a|$b)\) was killed by signal 9 \(Killed\); ending the job$"

  begin "$mark"
  kill -9 "$(one_of $RANDOM $(daemons))"
  ended 'a killed daemon' "$mark" 1 "^penstock: lost host ($a|$b) with nodes [02] to [13] of 4: .*; ending the job$"

  begin "$mark"
  kill -9 "$pid"
  ended 'a killed launcher' "$mark" 137 ''

  [ $network = yes ] || continue
  begin "$mark"
  far=$((1 + RANDOM % 2))
  ip link set veth$far down
  ended 'a link that goes down' "$mark" 1 "^penstock: lost host pst$far with nodes [02] to [13] of 4: .*; ending the job$"
  has_said pst$far
  ip link set veth$far up
done
[ $network = yes ] || echo "not checked: a link that goes down ($why)"

for w in "${!slowest[@]}"; do echo "$w: all over after at most $((slowest[$w] / 1000)) ms"; done
echo "$checks checks, $bad failures"
[ $bad -eq 0 ]
