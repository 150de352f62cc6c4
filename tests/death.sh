# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# Sourced by scripts of sudden deaths, in place of tests/script.sh. They set `nodes`, call death for each one,
# and deaths_end at last. The programs say who dies by tests/victim.h. PST_SEED=N repeats a run; a failure
# prints the arguments that repeat the one death.
LC_ALL=C; export LC_ALL
seed=${PST_SEED:-$(($(date +%s%N) % 1000000007))}
limit=$((5 * ${PST_TIME_SCALE:-1}))

# A /dev/shm of our own, if that is allowed, so that other programs' files do not count.
if [ -z "${PST_DEATH_APART:-}" ]; then
  export PST_DEATH_APART=tried
  apart="unshare -m"; [ "$(id -u)" -eq 0 ] || apart="unshare -rm"
  if $apart mount -t tmpfs none /dev/shm 2>/dev/null; then
    exec $apart bash -c 'mount -t tmpfs none /dev/shm && exec "$0" "$@"' "$0" "$@"
  fi
fi

. "${PST_SRCDIR:?}/tests/script.sh"
echo "seed $seed"
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
  case $1 in kill) echo 137 ;; abort) echo 134 ;; exit) echo 3 ;; *_exit) echo 7 ;; esac
}

# one NUMBER KIND PLACE COMMAND...: prints nothing and succeeds when all is right.
one() {
  local kind=$2 place=$3 s=$((seed + $1 * 7919)) mark=$token-$1. err=$tmp/err.$1 code end left why=
  shift 3
  timeout -k 1 $((limit + 30)) "$@" "$kind" "$place" "$s" "$mark" >"$err" 2>&1 </dev/null
  code=$?
  end=$EPOCHREALTIME
  left=$(marked "$mark")
  [ "$code" -eq "$(expected_code "$kind")" ] || why="exit code $code instead of $(expected_code "$kind")"
  [ -z "$left" ] || { why="$why; left processes: $left"; kill -9 $left 2>/dev/null; }
  why=$why$(look "$err" "$kind" "$end")
  [ -n "$why" ] || return 0
  echo "FAIL: $why"
  echo "  repeat: $* $kind $place $s"
  sed 's/^/  | /' "$err" | head -20
  return 1
}

# UCX itself speaks of connections to a process that has just died.
of_ucx='^\[[0-9.]+\] \[[^]]*\] .* UCX +(ERROR|WARN|DIAG) '

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
  [ "$(grep -cvE "$of_ucx" "$1")" -eq $((1 + (${#pattern} > 0))) ] || printf '; more output than that'
}

# death NUMBER KIND PLACE COMMAND...: four at a time.
died=() running=0
death() {
  one "$@" >"$tmp/result.$1" 2>&1 || touch "$tmp/bad.$1" &
  died+=("$1") running=$((running + 1))
  [ $running -lt 4 ] || { wait -n; running=$((running - 1)); }
}

deaths_end() {
  local i left bad=0
  wait
  for i in "${died[@]}"; do
    [ ! -e "$tmp/bad.$i" ] || { bad=$((bad + 1)); cat "$tmp/result.$i"; }
  done
  left=$(new_names names_in_shm "$tmp/shm.before")
  [ -z "$left" ] || { echo "FAIL: left in /dev/shm: $left"; bad=$((bad + 1)); }
  left=$(new_names names_in_tmp "$tmp/names.before")
  [ -z "$left" ] || { echo "FAIL: left in /tmp: $left"; bad=$((bad + 1)); }
  [ -z "$(marked "$token-")" ] || { echo "FAIL: left processes"; bad=$((bad + 1)); }
  echo "${#died[@]} deaths, $bad failures"
  [ $bad -eq 0 ]
}

names_in_shm >"$tmp/shm.before"
names_in_tmp >"$tmp/names.before"
ulimit -c 0
