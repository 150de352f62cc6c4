#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# gasnetrun: misuse, exit codes, what the processes get, tagged output, signals, and its own sudden death.
# time-limit: 300
# lists: full short
set -u
. "$(dirname "$0")/script.sh"
endless=$build/tests/multi/death-seq # with a place that does not exist: works until it is ended
limit=$((60 * ${PST_TIME_SCALE:-1}))
cd "$tmp" || exit 1
unset GASNET_PSHM_NODES PENSTOCK_LAUNCH

ok() { checks=$((checks + 1)); }
wrong() {
  checks=$((checks + 1)); bad=$((bad + 1)); echo "FAIL: $*"; sed 's/^/  out | /' out | cut -c1-200 | head -5
  sed 's/^/  err | /' err | cut -c1-200 | head -10
}
# try CODE ARGUMENTS...: runs gasnetrun, output in the files out and err
try() {
  local want=$1 code; shift
  timeout -k 1 "$limit" "$run" "$@" >out 2>err </dev/null; code=$?
  if [ $code -eq "$want" ]; then ok; else wrong "exit code $code instead of $want: gasnetrun $*"; fi
}
said() { if grep -qE -- "$1" err; then ok; else wrong "no '$1' on stderr: $2"; fi; }
printed() { if printf '%b' "$1" | cmp -s - out; then ok; else wrong "output is not '$1': $2"; fi; }
silent() { if [ ! -s err ]; then ok; else wrong "something on stderr: $1"; fi; }
# misuse CODE TEXT ARGUMENTS...: one line, nothing on stdout
misuse() {
  local want=$1 text=$2; shift 2
  try "$want" "$@"
  if [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] && grep -qE "^gasnetrun: .*$text" err; then ok
  else wrong "not one line with '$text': gasnetrun $*"; fi
}
until_true() { # SECONDS COMMAND...: whether the command succeeds in time
  local end=$((SECONDS + $1 * ${PST_TIME_SCALE:-1} + 1)); shift
  until "$@"; do [ $SECONDS -lt $end ] || return 1; sleep 0.02; done
}
marked() { grep -lazFf <(printf '%s\n' "$1") /proc/[0-9]*/cmdline 2>/dev/null | cut -d/ -f3; }
nobody() { [ -z "$(marked "$1")" ]; }
count_is() { [ "$(marked "$1" | wc -l)" -eq "$2" ]; }

# ---- misuse ----
misuse 2 'no program' 
misuse 2 'no program' -n 2
misuse 2 'how many processes' true
misuse 2 "'-n' needs a value" -n
misuse 2 '1 to 1024' -n 0 true
misuse 2 'not a number' -n -1 true
misuse 2 'not a number' -n many true
misuse 2 'not a number' -n 4x true
misuse 2 'not a number' -n '' true
misuse 2 '1 to 1024' -n 1025 true
misuse 2 '1 to 1024' -np 99999999999999999999 true
misuse 2 "unknown option '--no-such'" --no-such -n 2 true
misuse 2 "takes no value" --verbose=yes -n 2 true
misuse 2 'only one host' -N 2 -n 2 true
misuse 2 "'1X' is no name" -n 2 -E 1X=2 true
misuse 2 'neither' -n 2 -E 'a b' true
misuse 2 'no/such/dir' -n 2 -wd /no/such/dir true
misuse 127 "'no-such-program'" -n 2 no-such-program
misuse 127 "'./no-such-program'" -n 2 ./no-such-program
misuse 126 "'/'" -n 2 /
echo 'not executable' >plain; misuse 126 "'./plain'" -n 2 ./plain
printf '#!/no/such/interpreter\n' >broken; chmod +x broken
misuse 127 "cannot execute './broken'" -n 3 ./broken
(bad=0; export GASNET_PSHM_NODES=x; misuse 2 'GASNET_PSHM_NODES x: not a number' true; exit $bad)
bad=$((bad + $?))
(bad=0; ulimit -n 20; misuse 1 'open files' -n 16 --tag-output true; exit $bad); bad=$((bad + $?))
(bad=0; ulimit -f 1; misuse 1 'file size limit' -n 2 true; exit $bad); bad=$((bad + $?))
(bad=0; export GASNET_EXITTIMEOUT=soon; try 1 -n 2 true; said GASNET_EXITTIMEOUT 'malformed variable'
exit $bad); bad=$((bad + $?))
ln -s "$run" gasnetrun_smp; ./gasnetrun_smp -n 0 true >out 2>err; said '^gasnetrun_smp: ' 'its own name'
try 0 --help; for o in -n -np -N -l --tag-output -E --env -wd --workdir -v --verbose --version; do
  if grep -q -- "$o" out; then ok; else wrong "--help does not know $o"; fi
done
try 0 --version; if grep -qE '^gasnetrun \(Penstock\) [0-9]+\.[0-9]+' out; then ok; else wrong '--version'; fi
"$run" --help >/dev/full 2>err && wrong '--help to a full disk succeeds'

# ---- what the processes get ----
try 0 -n 3 true; silent true
try 0 -n4 sh -c 'echo "$0|$#|$1|$2|$3"' name 'a b' '' '-n'
printed 'name|3|a b||-n\nname|3|a b||-n\nname|3|a b||-n\nname|3|a b||-n\n' arguments
GASNET_PSHM_NODES=3 "$run" sh -c 'echo x' >out 2>err; printed 'x\nx\nx\n' 'GASNET_PSHM_NODES'
try 0 --nodes=2 -E A='1 2=3' --env=B= sh -c 'echo "$A|${B-unset}"'; printed '1 2=3|\n1 2=3|\n' -E
try 0 -n 1 -E PATH,HOME true
mkdir sub; try 0 -n 1 --workdir sub sh -c 'pwd'; printed "$tmp/sub\n" --workdir
printf 'one\ntwo\n' | "$run" -n 3 sh -c 'while read -r l; do echo "got $l"; done' >out 2>err
printed 'got one\ngot two\n' 'stdin of node 0'
"$run" -n 3 sh -c 'ls -l /proc/self/fd | grep -c memfd' <&- >out 2>err; printed '3\n3\n3\n' 'closed stdin'
"$run" -n 2 true >&- 2>&-; [ $? -eq 0 ] || wrong 'closed output'
(bad=0; ulimit -S -n 512; try 0 -n 1 -l sh -c 'ulimit -n'; printed '[0] 512\n' 'limits are the caller'\''s'
exit $bad); bad=$((bad + $?))
try 0 -v -n 2 true; said 'node 1 of 2 is process [0-9]+ on ' --verbose
GASNET_SPAWN_VERBOSE=1 "$run" -n 2 true >out 2>err; said 'node 0 of 2 is process' GASNET_SPAWN_VERBOSE

# ---- exit codes ----
rank() { printf 'case $PENSTOCK_LAUNCH in 1:%s:*) %s;; esac; %s' "$1" "$2" "$3"; }
try 5 -n 4 sh -c "$(rank 2 'exit 5' 'exec sleep 60')"
try 0 -n 4 sh -c "$(rank 2 'exit 0' 'sleep 0.5; exit 0')"
try 137 -n 4 sh -c "$(rank 3 'kill -9 $$' 'exec sleep 60')"
said '^penstock: node 3 of 4 \(pid [0-9]+ on [^ ]+\) was killed by signal 9 \(Killed\); ending the job$' \
  'the killed node'
if [ "$(wc -l <err)" -eq 1 ]; then ok; else wrong 'more than one line'; fi
try 1 -n 2 sh -c "PENSTOCK_LAUNCH=1:0:2:0:0:0 exec $build/examples/hello"
said 'impossible files' 'hostile variable'
PENSTOCK_LAUNCH=1:0:2:77:78:-1 "$build/examples/hello" >out 2>err
[ $? -eq 1 ] || wrong 'stale variable: exit code'; said 'not open here' 'stale variable'
try 1 -n 1 sh -c "$build/examples/hello && exec $build/examples/hello"
said 'already joined' 'a second program in one place'

# ---- tagged output ----
cat >talk <<'END'
#!/bin/bash
IFS=: read -r _ me _ <<<"$PENSTOCK_LAUNCH"
for ((i = 0; i < 3000; i++)); do
  printf 'node %d line %d %s\n' "$me" $i "${i//?/xyz}"
  [ $((i % 10)) -ne 0 ] || echo "error $me $i" >&2
done
printf 'the end of %d' "$me"
END
chmod +x talk
try 0 -n 8 --tag-output ./talk
for me in 0 1 2 3 4 5 6 7; do
  for ((i = 0; i < 3000; i++)); do
    echo "[$me] node $me line $i ${i//?/xyz}"
  done; echo "[$me] the end of $me"
done >expected
if sort -s -k1,1 out | cmp -s - expected; then
  ok; else wrong 'tagged lines differ in number, order or content'
fi
for me in 0 1 2 3 4 5 6 7; do
  for ((i = 0; i < 3000; i += 10)); do echo "[$me] error $me $i"; done
done >expected
if sort -s -k1,1 err | cmp -s - expected; then ok; else wrong 'tagged error lines differ'; fi
try 0 -n 1 -l sh -c 'head -c 300000 /dev/zero | tr "\0" a; echo; printf "x\000y\n\n"'
{ printf '[0] '; head -c 300000 /dev/zero | tr '\0' a; printf '\n[0] x\000y\n[0] \n'; } >expected
if cmp -s out expected; then ok; else wrong 'a long line, a zero byte, an empty line'; fi
try 0 -n 1 -l sh -c 'head -c 3000000 /dev/zero | tr "\0" a'
if [ "$(sed 's/^\[0\] //' out | tr -d '\n' | wc -c)" -eq 3000000 ]; then ok; else wrong 'a line of 3 MB'; fi
"$run" -n 4 -l sh -c 'seq 1 40000' 2>err | { sleep 0.3; cat; } >out # the reader is slow: nothing may get lost
if [ "$(wc -l <out)" -eq 160000 ] && [ "$(sort -u out | wc -l)" -eq 160000 ]; then
  ok; else wrong "lines lost: $(wc -l <out) of 160000"
fi
try 137 -n 2 -l sh -c "$(rank 1 'seq 1 5000; kill -9 $$' 'exec sleep 60')"
if [ "$(grep -c '^\[1\] [0-9]*$' out)" -eq 5000 ]; then ok; else wrong 'the last words of a killed node'; fi
since=$SECONDS; "$run" -n 1 -l sh -c 'sleep 8 & echo started' >out 2>err
printed '[0] started\n' 'a helper that keeps the pipe'
[ $((SECONDS - since)) -lt 7 ] || wrong 'waits for a helper'
timeout 10 "$run" -n 2 -l yes 2>err | head -n 3 >out
[ "${PIPESTATUS[0]}" -ne 124 ] || wrong 'goes on without a reader'

# ---- signals ----
cat >wait_usr1 <<'END'
#!/bin/bash
IFS=: read -r _ me _ <<<"$PENSTOCK_LAUNCH"
sleep 60 & # bash may miss a signal while it waits for what is not in the background
trap 'echo x >>usr1.$me' USR1
trap 'echo x >>int.$me; kill $!; exit 0' INT
trap 'echo x >>term.$me; kill $!; exit 0' TERM
touch ready.$me
while kill -0 $! 2>/dev/null; do wait $!; done
END
chmod +x wait_usr1
patience=$((20 * ${PST_TIME_SCALE:-1}))
ready() { [ "$(ls ready.* 2>/dev/null | wc -l)" -eq 4 ]; }
all_got() { [ "$(cat "$1".* 2>/dev/null | wc -l)" -eq 4 ]; }
GASNET_EXITTIMEOUT=$patience "$run" -n 4 ./wait_usr1 >out 2>err & pid=$!
until_true 20 ready || wrong 'processes do not start'
kill -USR1 $pid; if until_true 5 all_got usr1; then ok; else wrong 'SIGUSR1 is not passed on'; fi
kill -TERM $pid; wait $pid; code=$?
[ $code -eq 143 ] && all_got term ||
  wrong "SIGTERM: code $code, $(cat term.* 2>/dev/null | wc -l) of 4 got it"
rm -f ready.*
env --default-signal=INT GASNET_EXITTIMEOUT=$patience "$run" -n 4 ./wait_usr1 >out 2>err & pid=$!
until_true 20 ready || wrong 'processes do not start'
kill -INT $pid; wait $pid; code=$?
[ $code -eq 130 ] && all_got int || wrong "SIGINT: code $code"
rm -f ready.* int.*
if command -v script >/dev/null; then # the terminal sends it to all: nobody may get it twice
  {
    until_true 20 ready; printf '\003'
  } | timeout "$limit" script -qec \
    "env --default-signal=INT GASNET_EXITTIMEOUT=$patience $run -n 4 ./wait_usr1" /dev/null >out 2>err
  code=$?
  [ $code -eq 130 ] && all_got int ||
    wrong "terminal's interrupt: code $code, $(cat int.* 2>/dev/null | wc -l) of 4 got it"
else
  echo "not checked: a terminal's interrupt (there is no script(1))"
fi
rm -f ready.*
GASNET_EXITTIMEOUT=0.2 "$run" -n 4 sh -c 'trap "" TERM; touch ready.$$; exec sleep 60' >out 2>err & pid=$!
until_true 20 ready || wrong 'processes do not start'
kill -TERM $pid; wait $pid; code=$?; [ $code -eq 143 ] || wrong "stubborn processes: code $code"

# ---- sudden death of the supervisor ----
mark=penstock-launch-$$.
"$run" -n 4 "$endless" none nowhere 1 $mark >out 2>err & pid=$!
until_true 20 count_is $mark 5 || wrong 'the job does not start'
kill -9 $pid; wait $pid 2>/dev/null
if until_true 5 nobody $mark; then
  ok; else wrong "kill -9 of gasnetrun leaves $(marked $mark)"; kill -9 $(marked $mark)
fi
GASNET_SPAWN_VERBOSE=1 "$run" -n 2 sh -c "$endless none nowhere 1 $mark; true" >out 2>err & pid=$!
both_joined() { [ "$(grep -c 'started by gasnetrun' err)" -eq 2 ]; }
until_true 20 both_joined || wrong 'the job does not start'
kill -9 $pid; wait $pid 2>/dev/null
if until_true 5 nobody $mark; then
  ok; else wrong "kill -9 of gasnetrun leaves nodes of scripts: $(marked $mark)"; kill -9 $(marked $mark)
fi
GASNET_PSHM_NODES=4 "$endless" none nowhere 1 $mark >out 2>err & pid=$!
until_true 20 count_is $mark 5 || wrong 'the job does not start'
kill -9 $pid; wait $pid 2>/dev/null
if until_true 5 nobody $mark; then
  ok; else wrong "kill -9 of a program that started itself leaves $(marked $mark)"; kill -9 $(marked $mark)
fi

echo "$checks checks, $bad failures"
[ $bad -eq 0 ]
