#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# Performance tools and gdb for programs with coarrays: each statement has its event, with the line, the count
# and the bytes that tests/caf/programs/told.f90 says; on one host and over networks; in libraries; without
# debug information, and without libdw.
# time-limit: 240
# lists: full short
set -u
. "$(dirname "$0")/script.sh"
need_caf
cd "$tmp" || exit 1
cp "$src/tests/caf/programs/told.f90" . || exit 1
grep -q PST_LIBDW "$build/Makefile" && lines=yes || { lines=no; echo "note: built without libdw"; }

# LINE EVENT COUNT BYTES, as the program says.
sed -n '/! told CAF_/{=;s/.*! told //p}' told.f90 | paste -d' ' - - | sort >wanted
[ "$(wc -l <wanted)" -gt 60 ] || fail "told.f90 says little of what is told"
same() { # TITLE [FILE]: what is wanted, and what was found
  count=$((count + 1))
  cmp -s "${2:-wanted}" found ||
    { fail "$1${way:+, $way}: < is wanted, > was found"; diff "${2:-wanted}" found | head -20; }
}
# Rows of the same line and event become one.
sums() {
  awk '{ k = $1 " " $2; n[k] += $3; b[k] += $4 } END { for (k in n) print k, n[k], b[k] }' | sort
}
job() { # TITLE PROGRAM OPTION...
  local title=$1 program=$2; shift 2
  must "$title${way:+, $way}" env $way timeout $((60 * scale)) "$run" -n 3 "$@" "$program"
}

# ---- profile ----

# Its first table is that of all images.
rows() { sed -n '/^all threads/,/^thread 0/p' "$1"; }
profile() { # TITLE PROGRAM
  GASNET_GASP_OUTPUT=$tmp/profile.txt job "$1" "$2" --profile || return
  silent "$1" penstock
  rows profile.txt | awk '$1 ~ /^CAF_/ && sub(/.*told\.f90:/, "", $2) { print $2, $1, $3, $4 }' | sort >found
  same "$1"
  [ "$(rows profile.txt | grep -cE '^  CAF_(INIT|COLLECTIVE_EXIT) +- +3 +0 ')" -eq 2 ] ||
    fail "$1: the start or the end is not told"
}

# ---- timeline ----

timeline() {
  job "timeline" ./told --timeline t.json || return
  grep '"ph":"X".*"file":"told.f90"' t.json |
    sed 's/.*"name":"\([^"]*\)".*"bytes":\([0-9]*\).*"line":\([0-9]*\).*/\3 \1 1 \2/' | sums >found
  same "timeline"
  must "timeline: arrows" grep -q '"ph":"s"' t.json
  ! command -v python3 >/dev/null || must "timeline: JSON" python3 -m json.tool t.json
}

# ---- otf2 ----

otf2() {
  [ -e "$build/libpenstock-gasp-otf2.so" ] || { echo "note: built without OTF2"; return; }
  command -v otf2-print >/dev/null || { echo "note: no otf2-print (Debian: otf2-tools)"; return; }
  job "otf2" ./told --otf2 o || return
  otf2-print -G o/traces.otf2 >definitions && otf2-print o/traces.otf2 >events || fail "otf2-print"
  { grep 'File: "told.f90"' definitions |
    sed 's/^REGION *\([0-9]*\) .*Name: "\(CAF_[A-Z_]*\)".*Begin: \([0-9]*\),.*/r \1 \3 \2/'
  sed -n 's/^ENTER .*Region: "CAF_[A-Z_]*" <\([0-9]*\)>.*/e \1/p' events; } |
    awk '$1 == "r" { k[$2] = $3 " " $4 } $1 == "e" && $2 in k { n[k[$2]]++ }
      END { for (i in n) print i, n[i] }' | sort >found
  sed 's/ [0-9]*$//' wanted >without_bytes; same "otf2" without_bytes
  for what in 'ATOMIC .*Type: ACCUMULATE, Sent: 4, Received: 0' 'ATOMIC .*Type: COMPARE_AND_SWAP' \
    'ATOMIC .*Type: FETCH_AND_ADD, Sent: 4, Received: 4' 'PUT .*Remote: 1 .*Bytes: 20,' \
    'GET .*Remote: 0 .*Bytes: 40,' 'WAIT_CHANGE '; do
    grep -q "^RMA_$what" events || fail "otf2: no record RMA_$what"
  done
  [ "$(grep -cE '^RMA_(PUT|GET|ATOMIC) ' events)" -eq "$(grep -c '^RMA_OP_COMPLETE' events)" ] ||
    fail "otf2: transfers that are not completed"
}

# ---- without lines ----

# The places of a program, translated by addr2line, are the wanted lines.
by_addr2line() { # TITLE PROGRAM
  rows profile.txt | awk -v p="$2" 'index($2, p "+0x") == 1 { print substr($2, length(p) + 2), $1, $3, $4 }' |
    while read -r at rest; do
      place=$(addr2line -e "$2" "$at") place=${place%% *}
      echo "${place##*:} $rest"
    done | sums >found
  same "$1"
}
without_libdw() {
  GASNET_GASP_OUTPUT=$tmp/profile.txt job "without libdw" ./told --profile || return
  says "without libdw" '^penstock: the tool gets addresses instead of lines, for lack of libdw .*: .'
  [ "$(grep -c ^penstock "$tmp/log")" -eq 1 ] || fail "without libdw: more than one message"
  by_addr2line "without libdw" told
}

if [ $lines = no ]; then
  must "caf" "$build/bin/caf" -g -O2 told.f90 -o told && without_libdw
else
  for options in -O0 '-O2 -static-libcaf' -O3; do
    must "caf $options" "$build/bin/caf" -g $options told.f90 -o told && profile "profile, $options" ./told
  done
  timeline; otf2
  for c in ofi $(networks | grep -v ofi); do
    has_conduit "$c" || continue
    way="GASNET_CONDUIT=$c GASNET_SUPERNODE_MAXSIZE=1"; profile "profile" ./told
    [ "${PST_LIST:-full}" = full ] || break
  done
  way=
  mkdir none && echo none >none/libdw.so.1
  LD_LIBRARY_PATH=$tmp/none${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} without_libdw
fi
conform=$build/tests/gasp/conform.so
GASNET_GASP_TOOL=$conform job "a tool that judges" ./told
[ "$(grep -cE '^conform: thread [012]: 1[0-9][0-9] events$' "$tmp/log")" -eq 3 ] ||
  { fail "a tool that judges: other events"; cat "$tmp/log"; }

# ---- libraries, and how programs end ----

cat >part.f90 <<'END'
subroutine part(x)
  integer :: x[*]
  x[1] = 0
  sync all
end subroutine
END
cat >ends.f90 <<'END'
program ends
  integer :: x[*]
  character(9) :: how
  interface
    subroutine part(x)
      integer :: x[*]
    end subroutine
  end interface
  call part(x)
  call get_command_argument(1, how)
  if (how == 'stop') stop 3
  if (how == 'error') then
    if (this_image() == 2) error stop 5
    sync all
  end if
end program
END
has() { grep -qE -- "$2" profile.txt || { fail "$1: no row $2"; cat profile.txt; }; }
ends() { # CODE HOW
  title="a program that ends by $2"
  GASNET_GASP_OUTPUT=$tmp/profile.txt expect "$1" "$title" timeout $((60 * scale)) "$run" -n 3 --profile \
    ./ends "$2"
  [ "$2" = error ] || has "$title" "^  CAF_SYNC_ALL +part.f90:4 +3 "
}
if [ $lines = yes ]; then
  must "a library" "$build/bin/caf" -g -O2 -fPIC -shared part.f90 -o libpart.so
  must "caf" "$build/bin/caf" -g -O2 ends.f90 -L. -lpart -Wl,-rpath,"$tmp" -o ends || exit 1
  ends 0 end; has "end" '^  CAF_COLLECTIVE_EXIT +- +3 '; has "end" '^  CAF_PUT +part.f90:3 +3 +12 '
  ends 3 stop; has "stop" '^  CAF_COLLECTIVE_EXIT +ends.f90:11 +3 '
  ends 5 error; has "error stop" '^  CAF_NONCOLLECTIVE_EXIT +ends.f90:13 +1 '
  says "error stop" 'penstock profile: 2 of 3 threads had not ended'
  must "without -g" "$build/bin/caf" -O2 ends.f90 part.f90 -o plain
  GASNET_GASP_OUTPUT=$tmp/profile.txt job "without -g" ./plain --profile
  says "without -g" '^penstock: the tool gets .*, for lack of debug information in plain; compile with -g$'
  has "without -g" '^  CAF_PUT +plain\+0x[0-9a-f]+ +3 +12 '
  if "$build/bin/caf" -static -g ends.f90 part.f90 -o still 2>link.err; then
    GASNET_GASP_OUTPUT=$tmp/profile.txt job "-static" ./still --profile
    says "-static" '^penstock: the tool gets .*, for lack of libdw .*: a program that is linked by -static'
    has "-static" '^  CAF_PUT +still\+0x[0-9a-f]+ +3 +12 '
  else echo "note: no static programs here: $(tail -1 link.err)"
  fi
fi

# ---- gdb ----

line() { grep -n "$1" told.f90 | head -1 | cut -d: -f1; }
debugged() {
  command -v gdb >/dev/null || { echo "note: no gdb (Debian: apt-get install gdb)"; return; }
  gdb -nx -q -batch -ex 'break main' -ex run -ex 'info registers' "$build/examples/hello" 2>&1 |
    grep -q '^[rx]' || { echo "note: gdb may not trace programs here"; return; }
  local sync n row
  sync=$(line 'sync all') row=$(line 'row(i)\[right\]')
  must "caf" "$build/bin/caf" -g -O0 told.f90 -o debugged || return
  must "gdb" timeout $((60 * scale)) "$run" -n 3 --tag-output gdb -nx -q -batch -ex 'set width 0' \
    -ex "break told.f90:$sync" -ex run -ex backtrace -ex next -ex "tbreak told.f90:$row if i == 3" \
    -ex continue -ex 'print i' -ex 'print right' -ex next ./debugged
  for n in 0 1 2; do
    says "gdb: the line" "^\[$n\] Breakpoint 1, told_parts::ends_with_sync \(\) at told.f90:$sync\$"
    says "gdb: the stack" "^\[$n\] #1 .* in told \(\) at told.f90:[0-9]+\$"
    says "gdb: over a statement" "^\[$n\] $((sync + 1))"$'\t'
    says "gdb: a loop" "^\[$n\] .*told_parts::transfers \(right=$((1 + (n + 1) % 3))\) at told.f90:$row\$"
    says "gdb: a variable" "^\[$n\] .1 = 3\$"
    says "gdb: over an assignment" "^\[$n\] $((row - 1))"$'\t'
  done
}
debugged
[ $bad -eq 0 ] && echo "ok: $count commands"
exit $bad
