# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# What tests/check_mpirun.sh, check_mpiexec.sh and check_srun.sh share. They set `launch`, the command that
# starts processes without their number, and `way`, the protocol between launcher and processes, and call the
# functions below in turn.
. "${PST_SRCDIR:?}/tests/script.sh"
for v in ${!PMI@} ${!PENSTOCK_@}; do unset "$v"; done
tests=$build/tests/multi dir=$tmp
end_launcher() { :; } # called before the directory goes
trap 'end_launcher; rm -rf "$dir"' EXIT
export TMPDIR=$dir # launchers leave files when they are killed
cd "$dir" || exit 1

ended_badly() { [ $code -ne 0 ] && [ $code -ne 124 ]; } # and in time
said() { holds "$2: nobody says '$1'" grep -qE "$1" out err; }
finish() { echo "$checks checks, $bad failures"; exit $((bad != 0)); }

start() { # seconds processes command...
  local limit=$(($1 * scale)) n=$2; shift 2
  timeout -k 5 "$limit" "${launch[@]}" -n "$n" "$@" >out 2>err </dev/null
  code=$?
}
# Launchers may lose the output of processes that fail at once: MPICH's mpiexec 4.0 that of 'echo hello >&2;
# exit 1' twice in a hundred times on busy cores.
start_until_heard() { # as start
  local i
  for i in 1 2 3; do
    start "$@"
    [ $code -ne 0 ] && [ ! -s out ] && [ ! -s err ] || return
  done
}

# Skips the test, with the launcher's reason, where it starts nothing.
probe() { # seconds name
  start_until_heard "$1" 1 true
  [ $code -eq 0 ] || skip "$2 does not start programs here: code $code, $(cat err out | head -1)"
}

try() { # code processes program argument...
  local expected=$1 n=$2 program=$3; shift 3
  start 30 "$n" "$tests/$program" "$@"
  holds "$program $*: code $code, not $expected" [ $code -eq "$expected" ]
}

# The short list, on four processes each where a line leaves the number open: the launcher's faults show soon.
# Sanitizers, which are slow, run a few programs. Lines for networks alone are for a list with an environment
# that chooses a network.
few='am barrier coll tools_job'
check_list() { # environment, programs (all of the list where none are named)
  local program processes environment limit tags args
  while read -r program processes environment limit tags; do
    case $program,$tags, in '#'* | ,*) continue ;; *,short,*) ;; *) continue ;; esac
    case ,$tags,,$1 in *,par,*) continue ;; *,network,*,) continue ;; esac
    case ,$tags, in *,fixed,*) ;; *) processes=4 ;; esac
    IFS=, read -r -a args <<<"$program"
    [ -x "$tests/${args[0]}-seq" ] || continue
    [[ -z ${2-} || " $2 " == *" ${args[0]} "* ]] || continue
    [[ ${PST_LIST-} != short || " $few " == *" ${args[0]} "* ]] || continue
    [[ " ${args[*]} " == *' --scale '* ]] || args+=(--scale 0.1)
    start "$limit" "$processes" env $1 "$tests/${args[0]}-seq" "${args[@]:1}"
    holds "${args[*]} ${1:+with $1}: code $code" [ $code -eq 0 ]
  done <"$src/tests/list"
}

# A program that xmpcc translates: its job begins before main.
check_xmp() { # environment...
  local san=()
  [ "${PST_SANITIZE:-no}" = no ] || san=("-fsanitize=$PST_SANITIZE")
  [ -x started ] ||
    "$build/bin/xmpcc" "${san[@]}" "$src/tests/xmp/programs/started.c" -o started >out 2>err || {
    holds 'tests/xmp/programs/started.c does not compile' false; return
  }
  start 30 4 env "$@" ./started
  holds "an XcalableMP program ${*:+with $*}: code $code" [ $code -eq 0 ]
  said '^4 nodes: 106200 6960 1770 5 7$' "an XcalableMP program ${*:+with $*}"
  start_until_heard 30 4 env "$@" XMP_HEAP_SIZE=lots ./started
  holds "an XcalableMP program with a wrong variable: code $code" ended_badly
  said 'XMP_HEAP_SIZE is "lots"' 'an XcalableMP program with a wrong variable'
}

# A Fortran program with coarrays, where this build has it: its job begins before main, too.
check_caf() { # environment...
  local program=$build/examples/caf/queue
  [ -x "$program" ] || { echo 'not with coarrays (this build has no gfortran)'; return; }
  start 30 4 env "$@" "$program"
  holds "a coarray program ${*:+with $*}: code $code" [ $code -eq 0 ]
  said '^300 tasks on 4 images: each done once, right;' "a coarray program ${*:+with $*}"
  start_until_heard 30 4 env "$@" CAF_HEAP_SIZE=lots "$program"
  holds "a coarray program with a wrong variable: code $code" ended_badly
  said 'CAF_HEAP_SIZE is "lots"' 'a coarray program with a wrong variable'
}

# All of this in turn, and some PROGRAMS of the list over the network conduit, where this build has it.
check_all() { # programs
  check_places
  check_ends
  check_errors
  check_deaths
  check_killed_launcher
  check_list ''
  check_xmp
  check_caf
  if has_conduit ofi; then
    check_list 'GASNET_CONDUIT=ofi GASNET_SUPERNODE_MAXSIZE=1' "$1"
    check_xmp GASNET_CONDUIT=ofi GASNET_SUPERNODE_MAXSIZE=1
    check_caf GASNET_CONDUIT=ofi GASNET_SUPERNODE_MAXSIZE=1
  else echo 'not over a network (this build has none)'
  fi
}

check_places() {
  start 30 4 env GASNET_SPAWN_VERBOSE=1 "$tests/launched-seq" places
  holds "places: code $code" [ $code -eq 0 ]
  local i
  for i in 0 1 2 3; do
    said "^node $i of 4 is rank $i\$" places
    said "node $i of 4 is process [0-9]+, started by another launcher \($way, rank $i\)" 'who started it'
  done
  try 0 1 launched-seq places
  said '^node 0 of 1 is' 'one process'
  try 0 2 launched-seq child
  # A program that starts itself is no part of the launcher's job.
  start 30 2 env GASNET_PSHM_NODES=3 "$tests/launched-seq" places
  holds "each a job of its own: code $code" [ $code -eq 0 ]
  holds "each a job of its own: $(grep -c '^node . of 3' out) nodes" [ "$(grep -c '^node . of 3' out)" -eq 6 ]
}

# Codes and output as under gasnetrun.
check_ends() {
  try 5 3 leaving-seq atexit
  try 0 3 leaving-seq fork
  try 3 3 leaving-seq hung
  try 9 3 leaving-seq signal
  # The other nodes' handlers run, and the code that was announced first is the job's.
  try 3 3 quit-seq exit after
  said '^handler of 0' "a client's handler for SIGQUIT"
  said '^handler of 1' "a client's handler for SIGQUIT"
  try 4 3 quit-seq term after
  try 7 3 leaving-seq output
  holds "output: $(grep -c '^line' out) lines of 10000" [ "$(grep -c '^line' out)" -eq 10000 ]
  try 0 3 launched-seq zero
  said '^kept by 1' 'what one had not flushed'
  said '^kept by 2' 'what one had not flushed'
  try 0 3 ../front/early
  holds "early: $(grep -c '^node . left' out) of 3 left" [ "$(grep -c '^node . left' out)" -eq 3 ]
  try 5 3 ../front/early exit 5
  try 0 2 ../front/early helper
  try 3 3 death-seq exit client 3
  try 7 3 death-seq gasnet_exit handler 3
}

check_errors() {
  local i
  start_until_heard 30 2 env GASNET_BARRIER=wall "$tests/launched-seq" places
  holds "a wrong variable: code $code" [ $code -ne 0 ]
  said 'GASNET_BARRIER' 'a wrong variable'
  for i in 1 2 3; do # launchers may lose the last words
    start 30 2 sh -c '"$1" places; exec "$1" places' sh "$tests/launched-seq"
    [ $code -ne 0 ] && ! grep -q 'cannot join the job of the launcher' out err || break
  done
  # Open MPI serves the second program if all of it came in time; others refuse it.
  holds "a second program in one job: code $code" [ $code -ne 124 ]
  [ $code -eq 0 ] || said 'cannot join the job of the launcher' 'a second program in one job'
}

# Sudden ends, which the launcher or the library sees: all of the job is gone soon.
check_deaths() {
  local kind
  for kind in kill abort; do
    start 30 4 "$tests/death-seq" $kind client 3
    holds "a death by $kind: code $code" ended_badly
    said '^victim' "a death by $kind"
    holds "a death by $kind leaves processes" gone 5
  done
}
# Programs of this test: others may run beside it.
programs() {
  local p
  for p in $(find /proc -maxdepth 2 -name exe -lname "$tests/*" 2>/dev/null | cut -d/ -f3); do
    ! grep -qzxF "PST_TEST=${PST_TEST-}" "/proc/$p/environ" 2>/dev/null || echo "$p"
  done
}
gone() { # seconds
  local i
  for ((i = 0; i < $1 * 10 * scale; i++)); do
    [ -n "$(programs)" ] || return 0
    sleep 0.1
  done
  return 1
}
check_killed_launcher() {
  local i
  "${launch[@]}" -n 3 "$tests/launched-seq" wait >out 2>err </dev/null &
  for ((i = 0; i < 200; i++)); do [ "$(grep -c waiting err)" -eq 3 ] && break; sleep 0.1; done
  holds 'the job has not started' [ "$(grep -c waiting err)" -eq 3 ]
  { kill -9 $!; wait $!; } 2>/dev/null
  holds 'processes outlive their launcher' gone 10
}
