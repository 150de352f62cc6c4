#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# The death of one node of eight in every kind and place: the job's code, the message, the time, and nothing
# left behind. PST_ROUNDS rounds for each kind of death (default 20), spread over the places and the ways to
# start a job. PST_SEED=N repeats a run; a failure prints the arguments that repeat the one round.
# time-limit: 300
# lists: full short soak
set -u
LC_ALL=C; export LC_ALL
build=${PST_BUILDDIR:?} run=${PST_GASNETRUN:?}
rounds=${PST_ROUNDS:-20}
[ -z "${SOAK:-}" ] || rounds=200
seed=${PST_SEED:-$(($(date +%s%N) % 1000000007))}
limit=$((5 * ${PST_TIME_SCALE:-1}))
nodes=8

# A /dev/shm of our own, if that is allowed, so that other programs' files do not count.
if [ -z "${PST_DEATH_APART:-}" ]; then
  export PST_DEATH_APART=tried
  apart="unshare -m"; [ "$(id -u)" -eq 0 ] || apart="unshare -rm"
  if $apart mount -t tmpfs none /dev/shm 2>/dev/null; then
    exec $apart bash -c 'mount -t tmpfs none /dev/shm && exec "$0" "$@"' "$0" "$@"
  fi
fi

echo "seed $seed"
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
token=penstock-death-$$
names_in_tmp() { ls -A /tmp "${TMPDIR:-/tmp}" | grep -iE 'penstock|gasnet|^pst' | grep -v "$token" | sort; }
names_in_shm() { ls -A /dev/shm; }
# A shared directory has other programs' names for a moment.
new_names() { # FUNCTION FILE
  local i new
  for ((i = 0; i < 50; i++)); do new=$("$1" | comm -13 "$2" -); [ -n "$new" ] || return; sleep 0.1; done
  echo $new
}

# Processes with the mark in their arguments, except grep itself.
marked() { grep -lazFf <(printf '%s\n' "$1") /proc/[0-9]*/cmdline 2>/dev/null | cut -d/ -f3; }

expected_code() {
  case $1 in kill) echo 137 ;; abort) echo 134 ;; exit) echo 3 ;; gasnet_exit) echo 7 ;; esac
}

# one NUMBER KIND PLACE: prints nothing and succeeds when all is right.
one() {
  local number=$1 kind=$2 place=$3 s=$((seed + $1 * 7919)) mark=$token-$1. err=$tmp/err.$1 program code end \
    left why=
  program=$build/tests/multi/death-seq; [ $((number % 2)) -eq 0 ] || program=$build/tests/multi/death-par
  local how=("$run" -n $nodes "$program")
  [ $((number / 2 % 2)) -eq 0 ] || how=(env GASNET_PSHM_NODES=$nodes "$program")
  timeout -k 1 $((limit + 30)) "${how[@]}" "$kind" "$place" "$s" "$mark" >"$err" 2>&1 </dev/null
  code=$?
  end=$EPOCHREALTIME
  left=$(marked "$mark")
  [ "$code" -eq "$(expected_code "$kind")" ] || why="exit code $code instead of $(expected_code "$kind")"
  [ -z "$left" ] || { why="$why; left processes: $left"; kill -9 $left 2>/dev/null; }
  why=$why$(look "$err" "$kind" "$end")
  [ -n "$why" ] || return 0
  echo "FAIL: $why"
  echo "  repeat: ${how[*]} $kind $place $s"
  sed 's/^/  | /' "$err" | head -20
  return 1
}

# look FILE KIND END: prints what is wrong according to the file
look() {
  local who at us
  read -r _ who _ at < <(grep '^victim' "$1") || { printf '; nobody died'; return; }
  us=$((${3/./} - ${at/./}))
  [ $us -le $((limit * 1000000)) ] || printf '; took %d us after the death' $us
  case $2 in
    kill)
      pattern="penstock: node $who of $nodes \(pid [0-9]+ on .*\) was killed by signal 9 \(Killed\); "\
"ending the job" ;;
    abort)
      pattern="penstock: node $who of $nodes \(pid [0-9]+ on .*\) was killed by signal 6 \(Aborted\); "\
"ending the job" ;;
    *) pattern= ;;
  esac
  [ -z "$pattern" ] || [ "$(grep -cE "^$pattern\$" "$1")" -eq 1 ] ||
    printf '; not one line that names node and signal'
  [ "$(wc -l <"$1")" -eq $((1 + (${#pattern} > 0))) ] || printf '; more output than that'
}

names_in_shm >"$tmp/shm.before"
names_in_tmp >"$tmp/names.before"
places=(client handler barrier)
inside=(barrier broadcast scatter gather allgather collect alltoall reduce allreduce scan exscan make)
ulimit -c 0
n=0 bad=0 running=0
for ((r = 0; r < rounds; r++)); do
  for kind in kill abort exit gasnet_exit; do
    place=${places[r % 4]-team:${inside[(n + r / 4) % 12]}}
    one $n $kind "$place" >"$tmp/result.$n" 2>&1 || touch "$tmp/bad.$n" &
    n=$((n + 1)) running=$((running + 1))
    [ $running -lt 4 ] || { wait -n; running=$((running - 1)); }
  done
done
wait
for ((i = 0; i < n; i++)); do
  [ ! -e "$tmp/bad.$i" ] || { bad=$((bad + 1)); cat "$tmp/result.$i"; }
done

left=$(new_names names_in_shm "$tmp/shm.before")
[ -z "$left" ] || { echo "FAIL: left in /dev/shm: $left"; bad=$((bad + 1)); }
left=$(new_names names_in_tmp "$tmp/names.before")
[ -z "$left" ] || { echo "FAIL: left in /tmp: $left"; bad=$((bad + 1)); }
[ -z "$(marked "$token-")" ] || { echo "FAIL: left processes"; bad=$((bad + 1)); }
echo "$n deaths, $bad failures"
[ $bad -eq 0 ]
