#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# The performance tools: what they write for a program that causes all events, for each way a job can end;
# gasnetrun's options.
# time-limit: 240
set -u
. "$(dirname "$0")/script.sh"
cd "$tmp" || exit 1
unset PENSTOCK_GASP_JOB
driver=$build/tests/gasp/driver
fail() { echo "FAIL: $1"; [ $# -lt 2 ] || sed 's/^/    /' "$2" | head -12; bad=1; }
run() { # tool, output, exit code, arguments of the driver...
  tool=$1 output=$2 code=$3; shift 3
  title="$tool $*"
  GASNET_GASP_TOOL=$build/libpenstock-gasp-$tool.so GASNET_GASP_OUTPUT=$output timeout 60 "$driver" \
    "$@" >out 2>err
  got=$?
  [ $got -eq "$code" ] || fail "$title: exit code $got" err
}
clean() { # the job has left nothing but its output
  for f in *.parts-*; do [ ! -e "$f" ] || fail "$title: left $f"; done
}
quiet() { [ ! -s err ] || fail "$title: says something" err; clean; }
has() { grep -q -E -e "$1" "$2" || fail "$title: $2 has no line like $1" "$2"; }
is_json() {
  command -v python3 >/dev/null || { echo "note: no python3; JSON was not checked"; return; }
  python3 -m json.tool "$1" >/dev/null 2>json.err || fail "$title: $1 is no JSON" json.err
}

# ---- profile ----
run profile p.txt 0 --rounds 5 3; quiet
has '^penstock profile: 3 threads, [0-9.]+ s$' p.txt
has '^all threads$' p.txt
has '^thread 2 on [^ ]+, ' p.txt
has '^  UPC_MEMPUT +[^ ]*driver.c:[0-9]+ +15 +195 ' p.txt   # 3 threads, 5 rounds, 13 bytes
has '^  UPC_MEMPUT +[^ ]*driver.c:[0-9]+ +5 +65 ' p.txt
has '^  UPC_BARRIER +[^ ]*driver.c:[0-9]+ +15 +0 ' p.txt
has '^  UPC_GLOBAL_ALLOC +[^ ]*driver.c:[0-9]+ +15 +6000 ' p.txt
has '^  transfer_later +- +15 +0 ' p.txt
has '^  C_MALLOC +- +15 +1500 ' p.txt
has '^  phase two +[^ ]*driver.c:[0-9]+ +15 +0 ' p.txt
! grep -q -E '1000000|muted|not_to_be_seen' p.txt || fail "$title: shows what was not to be measured" p.txt
run profile '' 0 2; clean
has '^penstock profile: 2 threads' err
run profile "$tmp" 0 2; quiet
has '^penstock profile: 2 threads' profile.txt
run profile q.txt 0 --exit process 3; quiet
has '^thread 2 on ' q.txt
run profile q.txt 3 --exit alone 3; clean
has 'penstock profile: 2 of 3 threads had not ended when one ended the job' err
has '^thread 2 on ' q.txt
run profile /nowhere/p.txt 1 2
has 'penstock profile: cannot make the directory /nowhere/p.txt.parts.*GASNET_GASP_OUTPUT' err
run profile q.txt 137 --exit crash \
  3 # the parts of a job that was killed stay, and are not taken for another's
rm -rf q.txt*
PENSTOCK_GASP_JOB=same; export PENSTOCK_GASP_JOB
mkdir -m 700 r.txt.parts-same; printf garbage >r.txt.parts-same/1
printf garbage >r.txt.parts-same/1.unfinished
run profile r.txt 0 3; quiet
has '^thread 1 on ' r.txt
mkdir -m 700 r.txt.parts-same
touch r.txt.parts-same/of_another r.txt.parts-same/failed # nor are others' files waited for
run profile r.txt 0 3
[ ! -s err ] || fail "$title: says something" err
[ "$(ls r.txt.parts-same)" = of_another ] || fail "$title: left more than was there"
mkdir r.txt.parts-same/merging # it cannot be made, nor removed
run profile r.txt 0 3
has 'penstock profile: cannot merge: cannot make .*/merging: File exists' err
has 'penstock profile: the parts stay in .*r.txt.parts-same' err
rm -r r.txt.parts-same
mkdir -p full/profile.txt # the output cannot be written
run profile full 0 3
has 'penstock profile: cannot write .*full/profile.txt: ' err
[ "$(ls full/profile.txt.parts-same | xargs)" = '0 1 2 failed' ] || fail "$title: other parts than all"
rmdir full/profile.txt
run profile full 0 3; quiet
[ ! -e full/profile.txt.parts-same ] || fail "$title: left its parts"
unset PENSTOCK_GASP_JOB
run profile p.txt 0 --pause 3; quiet
has '^  call_itself +- +3 +0 +[0-9]{3,}\.' p.txt # the outer call, with its pause
run profile p.txt 0 --fork --rounds 5 3; quiet
has '^  UPC_MEMPUT +[^ ]*driver.c:[0-9]+ +15 +195 ' p.txt

run profile p.txt 0 --shmem --rounds 5 3; quiet
has '^  shmem_int_put +[^ ]*driver.c:[0-9]+ +15 +180 ' p.txt # the routine's name, and 3 elements of 4 bytes
has '^  shmem_collect32 +[^ ]*driver.c:[0-9]+ +15 +60 ' p.txt # each as many as its number is
has '^  shmem_quiet +[^ ]*driver.c:[0-9]+ +15 +0 ' p.txt
has '^  shrealloc +[^ ]*driver.c:[0-9]+ +15 +3000 ' p.txt
run profile q.txt 3 --shmem --exit alone 3; clean
has 'penstock profile: 2 of 3 threads had not ended when one ended the job' err

# ---- timeline ----
run timeline t.json 0 --pause 3; quiet; is_json t.json
has '"ph":"X","pid":0,"tid":2,.*"name":"UPC_MEMPUT","cat":"put","args":\{"bytes":13,"thread":0,'\
'"file":".*driver.c","line":[0-9]+\}' t.json
has '"ph":"M","pid":0,"tid":1,"name":"thread_name","args":\{"name":"thread 1 ' t.json
[ "$(grep -c '"ph":"s"' t.json)" -gt 30 ] || fail "$title: lacks arrows"
[ "$(grep -c '"ph":"s"' t.json)" -eq "$(grep -c '"ph":"f"' t.json)" ] || fail "$title: arrows without an end"
has '"ph":"i".*"name":"UPC_CACHE_MISS"' t.json
! grep -q 1000000 t.json || fail "$title: shows what was not to be measured"
run timeline t.json 0 --exit process 2; quiet; is_json t.json
run timeline t.json 3 --exit alone 2; clean; is_json t.json
run timeline t.json 137 --exit each --rounds 200 3; clean; is_json t.json
run timeline t.json 0 --fork --rounds 5 2; quiet; is_json t.json
[ "$(grep -c '"name":"UPC_MEMPUT"' t.json)" -eq 10 ] || fail "$title: shows calls of what was forked"

run timeline t.json 0 --shmem 3; quiet; is_json t.json
has '"ph":"X","pid":0,"tid":2,.*"name":"shmem_int_put","cat":"put","args":\{"bytes":12,"thread":0,'\
'"file":".*driver.c","line":[0-9]+\}' t.json
has '"name":"shmem_int_cswap","cat":"atomic","args":\{"bytes":4,"thread":' t.json
has '"name":"shmem_wait","cat":"wait","args":\{"bytes":0,' t.json
has '"ph":"s",.*"name":"atomic"' t.json
! grep -q '"name":"shmem_putmem".*"thread"' t.json || fail "$title: an own put has another thread"

# ---- otf2 ----
if [ -e "$build/libpenstock-gasp-otf2.so" ]; then
  run otf2 o 0 --rounds 2 3; quiet
  run otf2 o 0 3; quiet # in the place of the older one
  if command -v otf2-print >/dev/null; then
    otf2-print o/traces.otf2 >o.events 2>err || fail "otf2-print cannot read the archive" err
    otf2-print -G o/traces.otf2 >o.definitions 2>err || fail "otf2-print cannot read the definitions" err
    title=otf2-print
    has '^RMA_PUT +2 .*Remote: 0 .*Bytes: 13, ' o.events
    has '^RMA_GET +0 .*Remote: 1 .*Bytes: 12, ' o.events
    has '^RMA_OP_COMPLETE_BLOCKING +1 ' o.events
    has '^RMA_OP_COMPLETE_NON_BLOCKING +1 ' o.events
    [ "$(grep -cE '^RMA_(PUT|GET) ' o.events)" -eq "$(grep -c '^RMA_OP_COMPLETE' o.events)" ] ||
      fail "transfers that are not completed"
    [ "$(grep -c '^ENTER' o.events)" -eq "$(grep -c '^LEAVE' o.events)" ] || fail "regions that are not left"
    has '^RMA_WIN .*"shared memory"' o.definitions
    has '^LOCATION +2 .*"thread 2".*# Events: [1-9]' o.definitions
    has '^REGION .*"UPC_BARRIER".*Role: BARRIER.*Paradigm: UPC' o.definitions
    run otf2 o 0 --shmem 3; quiet
    otf2-print o/traces.otf2 >o.events 2>err || fail "otf2-print cannot read the archive of --shmem" err
    otf2-print -G o/traces.otf2 >o.definitions 2>err ||
      fail "otf2-print cannot read the definitions of --shmem" err
    title="otf2-print, --shmem"
    has '^RMA_PUT +2 .*Remote: 0 .*Bytes: 12, ' o.events
    has '^RMA_GET +0 .*Remote: 1 .*Bytes: 24, ' o.events
    has '^RMA_ATOMIC +1 .*Remote: 2 .*Type: COMPARE_AND_SWAP, Sent: 4, Received: 4,' o.events
    has '^RMA_ATOMIC +1 .*Remote: 2 .*Type: ACCUMULATE, Sent: 8, Received: 0,' o.events
    has '^RMA_WAIT_CHANGE +0 ' o.events
    [ "$(grep -cE '^RMA_(PUT|GET|ATOMIC) ' o.events)" -eq "$(grep -c '^RMA_OP_COMPLETE' o.events)" ] ||
      fail "transfers that are not completed"
    has '^REGION .*"shmem_barrier_all".*Role: BARRIER.*Paradigm: SHMEM' o.definitions
    has '^REGION .*"C_MALLOC".*Paradigm: USER' o.definitions
    ! grep -q 'Paradigm: UPC' o.definitions || fail "an archive of OpenSHMEM that speaks of UPC"
  else echo "note: no otf2-print (Debian: otf2-tools); the archive was not read"
  fi
else echo "note: built without OTF2"
fi

# ---- gasnetrun ----
launch() { # exit code, options and program...
  code=$1; shift
  title="gasnetrun $*"
  timeout 60 "$build/bin/gasnetrun" "$@" >out 2>err
  got=$?
  [ $got -eq "$code" ] || fail "$title: exit code $got" err
}
launch 0 -n 1 --profile "$driver" 2; clean; has '^penstock profile: 2 threads' err
mkdir elsewhere
launch 0 -n 1 --timeline u.json -wd "$tmp/elsewhere" "$driver" 2; quiet; is_json u.json; has '"ph":"X"' u.json
[ -z "$(ls -A elsewhere)" ] || fail "$title: wrote in the program's directory"
launch 2 -n 1 --timeline u.json --profile "$driver" 2; has 'a job has one tool' err
launch 2 -n 1 --timeline; has 'needs a value' err
if [ -e "$build/libpenstock-gasp-otf2.so" ]; then
  launch 0 -n 1 --otf2 v "$driver" 2; quiet
  [ -s v/traces.otf2 ] || fail "$title: no archive"
else launch 1 -n 1 --otf2 v "$driver" 2; has 'built without OTF2.*libopen-trace-format2-dev' err
fi
events=$build/tests/shmem/events # of OpenSHMEM, not instrumented
launch 0 -n 3 --profile "$events"; clean
has '^penstock profile: 3 threads' err
has '^  shmem_long_fadd +- +3 +24 ' err
has '^  shmem_barrier_all +- +12 ' err
has '^  shmem_finalize +- +3 ' err
launch 0 -n 2 --timeline w.json "$events"; quiet; is_json w.json
has '"name":"shmem_putmem","cat":"put","args":\{"bytes":8,"thread":[01]\}' w.json
if [ -e "$build/libpenstock-gasp-otf2.so" ]; then
  launch 0 -n 2 --otf2 w "$events"; quiet
  [ -s w/traces.otf2 ] || fail "$title: no archive"
fi
mkdir bin; cp "$build/bin/gasnetrun" bin/
title="gasnetrun where there are no tools"
timeout 10 bin/gasnetrun -n 1 --otf2 v "$driver" 2 >out 2>err
case $? in
  1) has '^gasnetrun: --otf2: this installation was built without OTF2' err ;;
  0) echo "note: tools are installed" ;;
  *) fail "$title" err ;;
esac
[ $bad -eq 0 ] && echo "ok"
exit $bad
