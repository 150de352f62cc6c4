#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# Errors in the environment and in the host's limits: each ends the job soon with one clear error, none with a
# crash or a hang.
# time-limit: 120
# lists: full short
set -u
# What the caller has left open would count to the limit of open files below; 255 is bash's own.
for open in /proc/$$/fd/*; do
  case ${open##*/} in [012] | 255) ;; *) eval "exec ${open##*/}>&-" ;; esac
done
build=${PST_BUILDDIR:-$(pwd)} run=${PST_GASNETRUN:-$(pwd)/bin/gasnetrun}
program=$build/tests/multi/attach-seq
[ -x "$program" ] || { echo "FAIL: $program was not built"; exit 1; }
for v in ${!GASNET_@} ${!PENSTOCK_@}; do unset "$v"; done
tmp=$(mktemp -d) || exit 1
place=${tmp//[^A-Za-z0-9_\/]/.} # in an expression: paths may have + and the like
trap 'chmod -R u+rwx "$tmp"; rm -rf "$tmp"' EXIT
bad=0 count=0

complain() { bad=$((bad + 1)); echo "FAIL $1: $2"; sed 's/^/    /' "$tmp/out" | head -8; }

# attempt TITLE COMMAND...: sets rc; crashes and hangs always are failures.
attempt() {
  title=$1; shift
  count=$((count + 1))
  timeout -k 2 20 "$@" 2>&1 </dev/null |
    cat >"$tmp/out" # a pipe: limits of file sizes are for the program, not for this
  rc=${PIPESTATUS[0]}
  if [ $rc -eq 124 ] || [ $rc -eq 137 ]; then complain "$title" "did not end"; return 1; fi
  if [ $rc -ge 128 ] || grep -q 'was killed by signal\|[Ss]egmentation fault\|Bus error' "$tmp/out"; then
    complain "$title" "died of a signal (exit code $rc)"
    return 1
  fi
}
says() { grep -qE "$1" "$tmp/out" || complain "$title" "no message like: $1"; }
says_once() { [ "$(grep -cE "$1" "$tmp/out")" -eq 1 ] || complain "$title" "not exactly one line like: $1"; }

# An error: exit code not 0, and one line of ours with the given pattern.
refused() { # TITLE PATTERN COMMAND...
  local pattern=$2; title=$1; shift 2
  attempt "$title" "$@" || return
  [ $rc -ne 0 ] || { complain "$title" "succeeded"; return; }
  says "^(penstock|gasnetrun)(:.*)?: .*$pattern"
}
goes_on() { # TITLE COMMAND...
  title=$1; shift
  attempt "$title" "$@" || return 1
  [ $rc -eq 0 ] || { complain "$title" "exit code $rc"; return 1; }
}
# A bad value of a variable, with both ways to start.
bad_value() { # NAME VALUE
  refused "$1=$2" "$1=\"?$2\"?.*(must|valid|legal)" env GASNET_PSHM_NODES=3 "$1=$2" "$program" --size 4096
  refused "$1=$2 with gasnetrun" "$1=\"?$2\"?.*(must|valid|legal)" env "$1=$2" "$run" -n 3 "$program" --size \
    4096
  says_once "$1=\"?$2"
}

# ---- values ----
for v in abc 12Q -1 0.5/X 64M/ 1e400 64MM; do bad_value GASNET_MAX_SEGSIZE "$v"; done
for v in 0 -3 abc 3x 1025 100000 999999999999999999999; do
  refused "GASNET_PSHM_NODES=$v" "GASNET_PSHM_NODES=\"?$v\"?.*1 to 1024" env "GASNET_PSHM_NODES=$v" \
    "$program" --size 4096
done
bad_value GASNET_BARRIER bogus
bad_value GASNET_CONDUIT ibv
bad_value GASNET_AM_ONLY perhaps
bad_value GASNET_SUPERNODE_MAXSIZE -1
bad_value GASNET_MAX_THREADS 0
bad_value GASNET_EXITTIMEOUT soon
bad_value GASNET_USE_HUGEPAGES maybe
for v in 250 transfer transfer= transfer=x piece=-1 speed=3 piece=8,, chunk=1 message=1000001; do
  bad_value GASNET_VIS_COST "$v"
done
for v in 1 kb kb= near=x latency=-1 kb=8,, message=100000001; do
  bad_value GASNET_COLLECTIVE_COST "$v"
done
refused "variables that differ" 'node 1 has another value than node 0.*GASNET_COLLECTIVE_COST' "$run" -n 3 \
  sh -c 'GASNET_COLLECTIVE_COST=kb=$$ exec "$0" --size 4096' "$program"
says_once 'node 1 has another value'
bad_value GASNET_FREEZE_SIGNAL SIGNOTHING
bad_value GASNET_TRACEMASK '!'
# Empty counts as unset.
goes_on "empty values" env GASNET_PSHM_NODES= GASNET_MAX_SEGSIZE= GASNET_BARRIER= GASNET_TMPDIR= "$program" \
  --size 4096

# ---- more threads than allowed; tests/list has the program with a limit that suffices ----
for limit in '' 299; do
  refused "threads, GASNET_MAX_THREADS=$limit" "more than ${limit:-256} threads.*raise GASNET_MAX_THREADS" \
    env GASNET_MAX_THREADS=$limit "$run" -n 1 "$build/tests/multi/max_threads-par"
done

# ---- unknown names: one warning for a likely misspelling, none for names that others may read ----
goes_on "GASNET_MAX_SEGSIZ" env GASNET_MAX_SEGSIZ=1M GASNET_PSHM_NODES=4 "$program" --size 4096 &&
  says_once 'GASNET_MAX_SEGSIZ\b.*GASNET_MAX_SEGSIZE'
goes_on "GASNET_BARIER" env GASNET_BARIER=AUTO "$run" -n 4 "$program" --size 4096 &&
  says_once 'GASNET_BARIER\b.*GASNET_BARRIER'
foreign=(GASNET_ZZZZ_QQ=1 GASNET_SPAWNER=ssh GASNET_IB_SPAWNER=mpi GASNET_PHYSMEM_MAX=1G \
  GASNET_TEST_POLITE_SYNC=1)
goes_on "names of others" env "${foreign[@]}" GASNET_PSHM_NODES=2 "$program" --size 4096 &&
  { ! grep -q 'penstock' "$tmp/out" || complain "$title" "warns"; }
goes_on "names of others, verbose" env "${foreign[@]}" GASNET_VERBOSEENV=1 "$run" -n 2 "$program" --size \
  4096 &&
  for v in "${foreign[@]}"; do says_once "penstock.*: ${v%%=*} is no variable of this library's"; done

# ---- false values of the launcher's variables ----
for v in '' x '1:0:2:3:4' '1:0:2:3:4:5:6' '1:5:2:3:4:-1' '2:0:2:3:4:-1' '1:0:2:0:1:-1' '1:-1:2:3:4:-1' \
  '1:0:99999999999999999999:3:4:-1' '1:0:2:63:64:-1'; do
  refused "PENSTOCK_LAUNCH=$v" 'join|PENSTOCK_LAUNCH' env "PENSTOCK_LAUNCH=$v" "$program" --size 4096
done
refused "PENSTOCK_LAUNCH naming other files" 'join|PENSTOCK_LAUNCH' env PENSTOCK_LAUNCH=1:0:2:7:8:-1 \
  bash -c 'exec 7<>"$1" 8<>"$1"; exec "$2" --size 4096' - "$tmp/file" "$program"

# ---- files that cannot be created ----
refused "GASNET_TRACEFILE in no directory" "$place/none/t" env GASNET_PSHM_NODES=2 \
  GASNET_TRACEFILE="$tmp/none/t" "$program" --size 4096
refused "GASNET_STATSFILE is a directory" "$place'" env GASNET_PSHM_NODES=2 GASNET_STATSFILE="$tmp" \
  "$program" --size 4096
refused "GASNET_TMPDIR missing" "$place/none" env GASNET_PSHM_NODES=2 GASNET_TMPDIR="$tmp/none" "$program" \
  --size 4096
: >"$tmp/plain"
refused "GASNET_TMPDIR is a file" "$place/plain" env GASNET_PSHM_NODES=2 GASNET_TMPDIR="$tmp/plain" \
  "$program" --size 4096
refused "GASNET_TMPDIR missing, gasnetrun" "$place/none" env GASNET_TMPDIR="$tmp/none" "$run" -n 2 \
  "$program" --size 4096
goes_on "GASNET_TMPDIR good" env GASNET_PSHM_NODES=2 GASNET_TMPDIR="$tmp" "$program" --size 4096
[ -z "$(find "$tmp" -mindepth 1 ! -name out ! -name plain ! -name file)" ] ||
  complain "GASNET_TMPDIR good" "left files in it"

# ---- limits of the host ----
limited() { # TITLE ulimit-OPTION VALUE PATTERN SIZE
  refused "$1" "$4" bash -c 'ulimit -S "$1" "$2" && GASNET_PSHM_NODES=3 exec "$3" --size "$4"' - "$2" "$3" \
    "$program" "$5"
}
if [ "${PST_SANITIZE:-no}" = no ]; then # sanitizers need all of the address space
  limited "address space for nothing" -v 3500 'cannot|memory' 4096
  limited "address space below the segments" -v 300000 'ulimit -v|address space|RLIMIT_AS|memory' $((1 << 30))
fi
limited "three open files" -n 4 'open files|ulimit -n' 4096
limited "files of no size" -f 0 'file size|ulimit -f' 4096
limited "files of 16 MB" -f 16384 'file size|ulimit -f|GASNET_MAX_SEGSIZE|BAD_ARG|attach' $((1 << 30))

# ---- sizes ----
# attach returns an error for more than the maximum; the program reports it.
for size in 4097 $((1 << 60)) $((1 << 62)); do
  attempt "attach of $size bytes" env GASNET_PSHM_NODES=3 "$program" --size "$size" &&
    { [ $rc -eq 3 ] || complain "$title" "exit code $rc"; says 'GASNET_ERR_BAD_ARG'; }
done
goes_on "GASNET_MAX_SEGSIZE=1M" env GASNET_PSHM_NODES=3 GASNET_MAX_SEGSIZE=1M "$program" --size max &&
  says 'attach: 1048576 bytes'
goes_on "GASNET_MAX_SEGSIZE=64K/P" env GASNET_PSHM_NODES=3 GASNET_MAX_SEGSIZE=64K/P "$program" --size max &&
  says 'attach: 65536 bytes'
goes_on "GASNET_MAX_SEGSIZE=12M/H" env GASNET_PSHM_NODES=3 GASNET_MAX_SEGSIZE=12M/H "$program" --size max &&
  says 'attach: 4194304 bytes'
goes_on "GASNET_MAX_SEGSIZE=100T" env GASNET_PSHM_NODES=3 GASNET_MAX_SEGSIZE=100T "$program" --size 65536
# All memory that the library offers can be had, whatever was asked for.
attempt "all of the maximum under GASNET_MAX_SEGSIZE=100T" env GASNET_PSHM_NODES=3 GASNET_MAX_SEGSIZE=100T \
  "$program" --size max &&
  { [ $rc -eq 0 ] || says '^penstock.*(GASNET_MAX_SEGSIZE|memory)'; }

[ $bad -eq 0 ] && echo "ok: $count mistakes, each with its message" && exit 0
echo "$bad of $count are wrong"
exit 1
