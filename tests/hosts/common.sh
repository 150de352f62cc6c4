# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# Checks for tests of jobs on several hosts, whatever a host is. The caller has set:
#   names    array of four hosts      remote   array: options of gasnetrun that reach them
# Counts in bad and checks. Sourced, not run.
. "${PST_SRCDIR:?}/tests/script.sh"
job=$build/tests/hosts/bootjob
cleanup=(rm -rf "$tmp")
trap '"${cleanup[@]}"' EXIT
cd "$tmp" || exit 1
here=$(pwd -P)
[ -x "$run" ] && [ -x "$job" ] || { echo "FAIL: $run and $job are not built"; exit 1; }
rounds=0

ok() { checks=$((checks + 1)); }
wrong() {
  checks=$((checks + 1)) bad=$((bad + 1)); echo "FAIL: $*"
  for f in out err; do [ ! -f $f ] || sed "s/^/  $f | /" $f | cut -c1-250 | tail -8; done
}
holds() { local text=$1; shift; if "$@"; then ok; else wrong "$text"; fi; }
# try CODE ARGUMENTS...: gasnetrun with output in the files out and err
try() {
  local want=$1 code; shift
  timeout -k 1 $((60 * scale)) "$run" "${remote[@]}" "$@" >out 2>err </dev/null; code=$?
  if [ $code -eq "$want" ]; then
    ok; else wrong "exit code $code instead of $want: gasnetrun ${remote[*]} $*"
  fi
}
said() { if grep -qE -- "$1" err; then ok; else wrong "no '$1' on stderr: $2"; fi; }
printed() { if printf '%b' "$1" | cmp -s - <(sort out); then ok; else wrong "output is not '$1': $2"; fi; }
until_true() { # SECONDS COMMAND...
  local end=$((SECONDS + $1 * scale + 1)); shift
  until "$@"; do [ $SECONDS -lt $end ] || return 1; sleep 0.05; done
}
# Processes with the mark among their arguments, and daemons of this build. Both run in this script's
# directory: other scripts have the same marks and daemons at the same time.
ours() { local p; while read -r p; do [[ $(readlink "/proc/$p/cwd")/ != "$here"/* ]] || echo "$p"; done; }
marked() { grep -lazFf <(printf '%s\n' "$1") /proc/[0-9]*/cmdline 2>/dev/null | cut -d/ -f3 | ours; }
daemons() { grep -lazxF -- --daemon /proc/[0-9]*/cmdline 2>/dev/null | cut -d/ -f3 | ours |
  while read -r p; do
  [ "$(readlink "/proc/$p/exe")" != "$(readlink -f "$run")" ] || echo "$p"; done; }
nobody() { [ -z "$(marked "$1")" ] && [ -z "$(daemons)" ]; }
gone_in_time() { # MARK WHAT
  if until_true 10 nobody "$1"; then
    ok; else wrong "$2 leaves $(marked "$1") and daemons $(daemons)"
    kill -9 $(marked "$1") $(daemons) 2>/dev/null
  fi
}
list() { local IFS=,; echo "$*"; } # NAME...: as -H takes it

# ---- checks beside others ----

# start NAME FUNCTION ARGUMENT...: in a process and a directory of its own, until finish.
aside_pid=() aside_name=()
aside() (
  trap - EXIT
  local since=$SECONDS
  checks=0 bad=0
  mkdir "$1" && cd "$1" || exit 1
  "${@:2}" >log 2>&1
  echo "$1: $((SECONDS - since)) s"
  echo "$checks $bad" >counts
)
start() { aside "$@" & aside_pid+=($!) aside_name+=("$1"); }

# What those have said and counted, and the verdict.
finish() {
  local i n m
  for i in "${!aside_pid[@]}"; do
    wait "${aside_pid[i]}"; cat "${aside_name[i]}/log"
    if read -r n m <"${aside_name[i]}/counts"; then
      checks=$((checks + n)) bad=$((bad + m)); else wrong "${aside_name[i]} has not come to its end"
    fi
  done
  echo "$checks checks, $bad failures"
  [ $bad -eq 0 ]
}

# ---- what must be as on one host ----

check_places() {
  local a=${names[0]} b=${names[1]} c=${names[2]} d=${names[3]}
  PENSTOCK_TEST='a b' try 0 -n 4 -H "$a:2,$b:2" "$job" info
  printed "node 0 of 4, host 0 of 2 with 2 from 0, in $tmp, PENSTOCK_TEST=a b\nnode 1 of 4, host 0 of 2 "\
"with 2 from 0, in $tmp, PENSTOCK_TEST=a b\nnode 2 of 4, host 1 of 2 with 2 from 2, in $tmp, "\
"PENSTOCK_TEST=a b\nnode 3 of 4, host 1 of 2 with 2 from 2, in $tmp, PENSTOCK_TEST=a b\n" '2 x 2'
  try 0 -n 4 -H "$(list "${names[@]}")" "$job" exchange 7 30
  holds '4 x 1' [ "$(grep -c '30 rounds ok' out)" -eq 4 ]
  try 0 -n 8 -H "$a:2,$b:2,$c:2,$d:2" "$job" exchange 8 30
  holds '4 x 2' [ "$(grep -c '30 rounds ok' out)" -eq 8 ]
  try 0 -n 3 -H "$a:2,$b:2" "$job" info; holds '2 + 1' grep -q 'node 2 of 3, host 1 of 2 with 1 from 2' out
  try 0 -H "$a,$b" "$job" info; holds 'one each without -n' [ "$(wc -l <out)" -eq 2 ]
  try 0 -n 2 -N 1 -H "$a:2,$b:2" "$job" info; holds '-N 1' grep -q 'host 0 of 1 with 2' out
  printf '# hosts\n%s slots=2 # two\n\n%s:1\n' "$a" "$b" >hostfile
  try 0 -n 3 --hostfile hostfile "$job" info; holds 'a file of hosts' grep -q 'node 2 of 3, host 1 of 2' out
  GASNET_HOSTS=$a:1,$b:1 try 0 -n 2 "$job" info; holds GASNET_HOSTS grep -q 'node 1 of 2, host 1 of 2' out
  mkdir -p sub; try 0 -wd sub -n 2 -H "$a,$b" -E PENSTOCK_TEST='x=y z' "$job" info
  holds '-wd and -E' [ "$(grep -c "in $tmp/sub, PENSTOCK_TEST=x=y z" out)" -eq 2 ]
  GASNET_SPAWN_VERBOSE=1 try 0 -n 2 -H "$a,$b" "$job" info
  said "started by gasnetrun on 2 hosts" verbose
  said "host 1 of 2 is $b with nodes 1 to 1 of 2; command: .*--daemon" verbose
  said "host 1 \($b\) has connected from " verbose
  said "node 1 of 2 is process [0-9]+ on $b: ${job//[^A-Za-z0-9_\/]/.}" verbose
  secret=$(grep -oE '[0-9a-f]{64}' err); holds 'the secret is told' [ -z "$secret" ]
}

# As many processes as on a large host, and more output than fits anywhere.
check_much() {
  local a=${names[0]} b=${names[1]}
  try 0 -n 128 -H "$a:64,$b:64" "$job" exchange 3 5; holds '2 x 64' [ "$(grep -c '5 rounds ok' out)" -eq 128 ]
  holds '100 MB of output' \
    [ "$("$run" "${remote[@]}" -n 2 -H "$a,$b" sh -c 'head -c 50000000 /dev/zero' 2>err </dev/null | wc -c)" \
    -eq 100000000 ]
}

tagged_lines() { # what `bootjob lines COUNT` on four nodes prints with -l
  local n i
  for n in 0 1 2 3; do
    for ((i = 0; i < $1; i++)); do
      echo "[$n] node $n line $i of some length, so that pipes fill up"
    done; echo "[$n] node $n is done"
  done
}

check_output() {
  local a=${names[0]} b=${names[1]} n i
  try 0 -n 4 -l -H "$a:2,$b:2" "$job" lines 4000
  tagged_lines 4000 >expected
  holds 'tagged lines differ' cmp -s expected <(sort -s -k1,1 out)
  for n in 0 1 2 3; do for ((i = 0; i < 4000; i += 10)); do echo "[$n] node $n error $i"; done; done >expected
  holds 'tagged error lines differ' cmp -s expected <(sort -s -k1,1 err)
  try 0 -n 1 -H "$b" "$job" lines 4000
  {
    for ((i = 0; i < 4000; i++)); do
      echo "node 0 line $i of some length, so that pipes fill up"
    done; printf 'node 0 is done'
  } >expected
  holds 'plain output differs' cmp -s expected out
  "$run" "${remote[@]}" -n 4 -H "$a:2,$b:2" sh -c 'seq 1 30000' 2>err </dev/null | { sleep 0.5; cat; } >out
  holds "a slow reader loses lines: $(wc -l <out)" [ "$(wc -l <out)" -eq 120000 ]
  timeout 20 "$run" "${remote[@]}" -n 2 -H "$a,$b" yes 2>err </dev/null | head -n 3 >out
  holds 'goes on without a reader' [ "${PIPESTATUS[0]}" -ne 124 ]
  gone_in_time no-mark 'a job without a reader'
  "$run" "${remote[@]}" -n 2 -H "$a,$b" echo text >/dev/full 2>err </dev/null; n=$?
  holds "output that cannot be written: code $n" [ $n -eq 1 ]
  said 'cannot write the output: No space left' '/dev/full'
  try 137 -n 2 -l -H "$a,$b" sh -c 'seq 1 5000; kill -9 $$'
  holds 'the last words of killed processes' [ "$(grep -c '\] 5000$' out)" -ge 1 ]
}

check_input() {
  local a=${names[0]} b=${names[1]}
  head -c 2000000 /dev/urandom >in
  timeout $((60 * scale)) "$run" "${remote[@]}" -n 4 -H "$a:2,$b:2" "$job" copy <in >out 2>err
  holds "input to node 0 differs" cmp -s in out
  printf 'a\nb\n' |
    timeout $((60 * scale)) "$run" "${remote[@]}" -n 2 -H "$a,$b" sh \
    -c 'read -r x && echo "got $x"; exit 0' >out 2>err
  printed 'got a\n' 'only node 0 has input'
  {
    yes; echo $? >yes.code
  } 2>/dev/null |
    timeout $((60 * scale)) "$run" "${remote[@]}" -n 1 -H "$b" sh \
    -c 'head -n 1; exec 0<&-; sleep 0.5' >out 2>err
  printed 'y\n' 'input that nobody reads'
}

check_codes() {
  local a=${names[0]} b=${names[1]}
  try 7 -n 4 -H "$a:2,$b:2" "$job" exit 3 7 mark-codes.; gone_in_time mark-codes. 'exit 7'
  try 0 -n 4 -H "$a:2,$b:2" "$job" exit 1 0 mark-codes.; gone_in_time mark-codes. 'exit 0'
  try 137 -n 4 -H "$a:2,$b:2" "$job" die 2 mark-codes.; gone_in_time mark-codes. 'a killed node'
  said "^penstock: node 2 of 4 \(pid [0-9]+ on $b\) was killed by signal 9 \(Killed\); ending the job$" \
    'the killed node'
  try 127 -n 2 -H "$a,$b" no-such-program
  said "gasnetrun: ($a|$b): there is no program 'no-such-program'" 'no program'
  try 126 -n 2 -H "$a,$b" /; said 'not an executable file' 'no program'
  try 5 -n 2 -H "$a,$b" sh -c 'exit 5'
  # a script may work on after the node that it has run
  GASNET_EXITTIMEOUT=$scale try 0 -n 2 -H "$a,$b" sh -c "$job info && sleep $((2 * scale)) && echo after"
  holds 'scripts are not hurried' [ "$(grep -c after out)" -eq 2 ]
}

ready() { grep -qx ready err; }
all_got() { [ "$(grep -c "got $1" out)" -eq "$2" ]; }

check_signals() {
  local a=${names[0]} b=${names[1]} pid code
  for sig in TERM INT; do
    : >out; : >err
    env --default-signal=INT GASNET_EXITTIMEOUT=$((10 * scale)) "$run" "${remote[@]}" -n 4 -H "$a:2,$b:2" \
      "$job" signals mark-signals. >out 2>err </dev/null & pid=$!
    until_true 20 ready || wrong 'the job does not start'
    kill -USR1 $pid; holds "SIGUSR1 is passed on" until_true 5 all_got 10 4
    kill -$sig $pid; wait $pid; code=$?
    holds "SIG$sig: code $code" [ $code -eq $((128 + $(kill -l $sig))) ]
    holds "SIG$sig is passed on" all_got "$(kill -l $sig)" 4
    gone_in_time mark-signals. "SIG$sig"
  done
  start_job mark-stopped.
  kill -TSTP $pid; holds 'SIGTSTP stops the processes' until_true 5 all_are T mark-stopped.
  kill -CONT $pid; holds 'SIGCONT lets them go on' until_true 5 all_are S mark-stopped.
  kill -TERM $pid; ended_in_time 5; holds "a job that was stopped: code $code" [ $code -eq 143 ]
  gone_in_time mark-stopped. 'a job that was stopped'
}
all_are() { # STATE MARK
  local p all
  all=$(victims "$2")
  [ "$(wc -w <<<"$all")" -eq 4 ] || return 1
  for p in $all; do grep -q "^State:[[:space:]]*$1" "/proc/$p/status" || return 1; done
}

# start_job: 2 x 2 nodes that never end, started and ready; the launcher is $pid
start_job() {
  : >out; : >err
  "$run" "${remote[@]}" -n 4 -H "${names[0]}:2,${names[1]}:2" "$job" wait "$1" >out 2>err </dev/null & pid=$!
  until_true 20 ready || wrong 'the job does not start'
}
ended_in_time() { # SECONDS: the job's launcher; its code in $code
  local from=$EPOCHREALTIME us
  wait "$pid" 2>/dev/null; code=$?
  us=$((${EPOCHREALTIME/./} - ${from/./}))
  holds "ended after $us us" [ $us -le $(($1 * 1000000 * scale)) ]
}
victims() { marked "$1" | while read -r p; do [ "$(readlink "/proc/$p/exe")" = "$job" ] && echo "$p"; done; }

check_deaths() {
  local r mark a=${names[0]} b=${names[1]}
  for ((r = 0; r < $1; r++)); do
    mark=mark-death-$$-$r.
    start_job "$mark"; kill -9 $(victims "$mark" | shuf -n 1 --random-source=<(yes $r)); ended_in_time 5
    holds "a killed process: code $code" [ $code -eq 137 ]
    said "on ($a|$b)\) was killed by signal 9" 'a killed process'
    gone_in_time "$mark" 'a killed process'
    start_job "$mark"; kill -9 $(daemons | shuf -n 1 --random-source=<(yes $r)); ended_in_time 5
    holds "a killed daemon: code $code" [ $code -eq 1 ]
    said "^penstock: lost host ($a|$b) with nodes [02] to [13] of 4: .*; ending the job$" 'a killed daemon'
    gone_in_time "$mark" 'a killed daemon'
    start_job "$mark"; kill -9 $pid; wait $pid 2>/dev/null; gone_in_time "$mark" 'a killed launcher'
    start_job "$mark"; kill -TERM $(daemons | shuf -n 1 --random-source=<(yes $r)); ended_in_time 5
    holds "a daemon told to end: code $code" [ $code -eq 143 ]
    said "gasnetrun on ($a|$b) was told to end by signal 15" 'a daemon told to end'
    gone_in_time "$mark" 'a daemon told to end'
  done
}

# ---- starts that fail ----

check_refusals() {
  local a=${names[0]}
  cat >refuse <<'END'
#!/bin/sh
host=$1; shift
case $host in
  refused) echo "Permission denied (publickey)." >&2; exit 255 ;;
  dead) sh -c 'sleep 60; exit' mark-dead. & wait ;;
  killed) kill -9 $$ ;;
  gone) exit 0 ;;
  closed) exec <&- ; exec "$@" ;;
  elsewhere) exec "$0.cannot" ;;
esac
END
  chmod +x refuse
  local keep=("${remote[@]}"); remote=(--rsh "$tmp/refuse")
  try 1 -n 2 -H refused,dead "$job" info; said "host 'refused': the command ended with code 255" refused
  said '^gasnetrun: refused: Permission denied \(publickey\)\.$' 'what it printed'
  try 1 -n 1 -H gone "$job" info; said "host 'gone': the command ended with code 0" gone
  try 1 -n 1 -H killed "$job" info; said "host 'killed': the command ended with signal 9" killed
  try 1 -n 1 -H closed "$job" info; said "host 'closed'" closed
  try 1 -n 1 -H elsewhere "$job" info; said "host 'elsewhere': the command ended with code 12[67]" elsewhere
  local since=$EPOCHREALTIME
  try 1 --timeout 2 -n 2 -H dead:2 "$job" info; said "host 'dead' has not connected within 2 s" dead
  gone_in_time mark-dead. 'a remote shell that hangs'
  holds 'the time limit' [ $((${EPOCHREALTIME/./} - ${since/./})) -lt $((6000000 * scale)) ]
  remote=(--rsh /no/such/shell); try 1 -n 1 -H x "$job" info
  said "cannot execute '/no/such/shell'" 'no remote shell'
  gone_in_time "$tmp/refuse" 'a start that fails'
  "$run" --rsh "$tmp/refuse" --timeout 30 -n 1 -H dead "$job" info >out 2>err </dev/null & pid=$!
  until_true 5 eval '[ -n "$(pgrep -P $pid)" ]' || :
  kill -TERM $pid; ended_in_time 3; holds "SIGTERM at the start: code $code" [ $code -eq 143 ]
  remote=("${keep[@]}")
  ok "$a"
}

misuse() { # TEXT ARGUMENTS...
  local text=$1; shift
  timeout 10 "$run" "$@" >out 2>err </dev/null; local code=$?
  if [ $code -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] && grep -qE "^gasnetrun: .*$text" err; then ok
  else wrong "not code 2 ($code) and one line with '$text': gasnetrun $*"; fi
}

check_misuse() {
  misuse 'too few slots: 5 processes, and 2 hosts with room for 4' -n 5 -H a:2,b:2 true
  misuse "host without a name" -n 2 -H a,,b true
  misuse "'-oProxy=x' is no name" -n 2 -H -oProxy=x true
  misuse "'a;b' is no name" -n 2 -H 'a;b' true
  misuse "'x' processes on a host" -n 2 -H a:x true
  misuse "'0' processes on a host" -n 2 -H a:0 true
  misuse "'1025' processes on a host" -n 2 -H a:1025 true
  misuse 'only 2 hosts are named' -n 2 -N 3 -H a,b true
  misuse 'only one host' -n 2 -N 2 true
  misuse "cannot read the hosts in 'nowhere'" -n 2 --hostfile nowhere true
  : >empty; misuse "no host in 'empty'" -n 2 --hostfile empty true
  echo 'a cores=4' >odd; misuse "odd:1: 'cores=4' is not understood" -n 2 --hostfile odd true
  misuse 'seconds are possible' --timeout 0 -n 1 -H a true
  misuse 'seconds are possible' --timeout soon -n 1 -H a true
  misuse "no network interface or address 'nowhere'" --interface nowhere -n 1 -H a --rsh x true
  misuse 'a quote has no end' --rsh "x 'y" -n 1 -H a true
  misuse 'there is no command' --rsh '' -n 1 -H a true
  misuse 'not a list of names' --export 'a b' -n 1 -H a true
  misuse '1 to 2048 are possible' -n 2049 -H a,b true
  timeout 10 "$run" --daemon >out 2>err </dev/null; [ $? -eq 2 ] || wrong '--daemon by hand'
  echo 'PENSTOCK 1 x 0 1 127.0.0.1,1' | timeout 10 "$run" --daemon >out 2>err
  holds 'a malformed line' [ ${PIPESTATUS[1]} -eq 1 ]
  said 'malformed line' 'a malformed line'
}
