#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# gasnetbench: its command line, what it asks of its workers, and what it makes of their answers: tables,
# JSON, comparison with an earlier run, bounds, charts, failures and interruptions. tests/bench/worker.sh
# stands for the workers: nothing is measured here.
# time-limit: 240
set -u
. "$(dirname "$0")/script.sh"
cd "$tmp" || exit 1
unset "${!GASNET_@}" "${!FAKE_@}" "${!UCX_@}" "${!SMA_@}"
mkdir workers
for w in seq par shmem xmp caf; do cp "$src/tests/bench/worker.sh" workers/gasnetbench-$w; done
chmod +x workers/*
: >workers/gasnetbench-raw-ofi.so
# expect CODE TITLE ARGUMENT...: leaves what it printed in out and err
expect() {
  local code=$1 title=$2 rc; shift 2
  count=$((count + 1))
  timeout 60 "$build/bin/gasnetbench" --worker-dir workers "$@" >out 2>err </dev/null
  rc=$?
  [ $rc -eq "$code" ] || { fail "$title: exit code $rc, not $code: $*"; head -5 out err; }
}
has() { grep -Eq -e "$2" "$3" || { fail "$1: nothing like $2 in $3:"; head -12 "$3"; }; }
hasnt() { ! grep -Eq -e "$2" "$3" || { fail "$1: $2 in $3:"; grep -E -e "$2" "$3" | head -3; }; }
lines() {
  [ "$(grep -Ec -e "$2" "$3")" -eq "$4" ] || { fail "$1: not $4 lines like $2 in $3:"; head -12 "$3"; }
}

# ---- words and mistakes ----
expect 0 help --help; has help '^usage: gasnetbench' out; has help '--vs FILE' out
expect 0 version --version; has version '^gasnetbench \(Penstock\) [0-9]' out
expect 0 list list; has list '^\* put_latency +one blocking put \(ns' out; has list '^job: ' out
expect 0 "list of some" list 'get_*' -s 8,1M; has "list of some" 'sizes: 8 B, 1 MiB$' out
hasnt "list of some" put_latency out
expect 0 "list in lines" list put_strided
[ "$(awk 'length > 121' out | grep -c points)" -eq 0 ] || fail "list in lines: they are too long"
expect 0 "list of bounds" list --check put_latency; has "list of bounds" 'bound: 8: time <= 1.5 x, smp' out
mistake() { # what it says, arguments
  local like=$1; shift
  expect 2 "mistake $*" "$@"; has "mistake $*" "^gasnetbench: .*$like" err
  [ ! -s out ] || fail "mistake $*: says something on standard output"
}
mistake "no test is called 'nothing'" nothing
mistake "unknown option '--nothing'" --nothing
mistake "needs a value" -n
mistake "takes no value" --raw=1
mistake "no number" -s 8,x put_latency
mistake "is more than" -s 1M:8 put_latency
mistake "the step" -s 8:1M:4 put_latency
mistake "the step" -s 8:1M:x1 put_latency
mistake "the step" -s 8:1M: put_latency
mistake "possible" -s 0 put_latency
mistake "more than 128 numbers" -s 1:1K:+1 put_latency
mistake "more than 128 numbers" -s "$(seq -s, 129)" put_latency
mistake "at least 2 nodes" -n 1
mistake "possible" -n 0
mistake "possible" --rounds 0
mistake "possible" --time -1
mistake "possible" --time nan
mistake "possible" -t 1,257
mistake "none of smp, ofi, ucx" -c tcp
mistake "twice" -c ofi,ofi
mistake "--transport goes with" --transport net
mistake "such characters" -c ofi --transport 'a b'
mistake "1 to 95 characters" -c ofi --transport ''
mistake "unknown option '--csv'" --csv
mistake "--strict goes with" --strict
mistake "how many nodes" -H a,b
GASNET_HOSTS=a,b mistake "how many nodes" put_val
echo b >one_host
mistake "one list of hosts" -n 2 -H a --hostfile one_host
mistake "no name of a host" -H 'a;b' -n 2
mistake "which bare transport" -H a,b -n 2 --raw
mistake "hosts" -H a,b -n 2 -c ofi --check
mistake "put_rate_singly is measured over a network only" put_rate_singly get_val
mistake "hsl_pair is measured between nodes that share memory only" -c smp,ofi hsl_pair
mistake "share memory only" -c ofi par_put
mistake "none of these tests is for this conduit" 'put_rate_singl*'
mistake "No such file" -o nowhere/file put_val
mistake "cannot make the directory" --plot nowhere/dir put_val
# Without jansson there is no --vs, and a message that names the package.
vs=yes
echo '{}' >bad.json
expect 2 "a report of another program" --vs bad.json put_val
! grep -q 'read by jansson.*libjansson-dev' err || vs=no
if [ $vs = yes ]; then
  mistake "cannot be read" --vs nothing.json put_val
  mistake "it is no report of gasnetbench --json" --vs bad.json put_val
  echo '{"format": "gasnetbench 1"}' >bad.json; mistake 'bad.json: .*version' --vs bad.json put_val
  echo '[1' >bad.json; mistake "at byte" --vs bad.json put_val
  head -c 100 /dev/urandom >bad.json; mistake "bad.json" --vs bad.json put_val
fi

# ---- what workers are asked ----
log() { # title, pattern, arguments: the jobs that a run starts
  local title=$1 like=$2; shift 2
  rm -f log; FAKE_LOG=$tmp/log expect 0 "$title" "$@"
  sed -i '/^[^ ]* --start /d' log
  has "$title" "$like" log
}
log "sizes" "^gasnetbench-seq --worker put_latency:8,64,65536,1048576;get_val:8 --raw none --seconds "\
"[0-9.]+ --rounds 0 --threads 1 [|] 2 smp *$" \
  -s 64K,8,1M,64 put_latency get_val
log "steps" "put_latency:8,64,72,80,512,4096 " -s 8:4K:x8,64:80:+8 put_latency
log "nodes and rounds" "--worker get_val:8 .* --rounds 7 .*[|] 6 smp" -n 6 --rounds 7 get_val
log "time" "--seconds 5\.[0-9]+ " --time 6 get_val
log "threads" "--threads 4 " -t 1:4:+3 get_val
lines "threads" . log 2
log "threads" "^gasnetbench-par --worker get_val:8 .*--threads 4 " -t 1,4 get_val
lines "threads" . log 2
log "par" "^gasnetbench-par .*--threads 1 " --par get_val
log "unpinned, bare" "--raw smp .*--unpinned " --raw --unpinned get_val
log "transports" "--raw workers/gasnetbench-raw-ofi.so .*[|] 2 ofi tcp;ofi_rxm  1 " --raw -c ofi --transport \
  net --transport 'tcp;ofi_rxm' get_val
lines "transports" . log 2
log "ucx" "[|] 2 ucx  tcp,self 1 " -c ucx --transport tcp,self get_val
log "environment" "[|] 2 ofi   1  0 $" -c ofi put_rate_singly
GASNET_AM_ONLY=1 log "environment of users" "[|] 2 smp    *1  $" get_val
log "nodes" "--worker barrier:5 .*[|] 5 smp" -n 5 barrier
lines "nodes" . log 3
FAKE_SAYS='provider tcp' log "hosts" "^gasnetbench-seq --worker get_val:8 .*[|] 2 " -n 2 -H localhost:2 \
  get_val
has "hosts" '^gasnetbench .*, conduit ofi \(tcp\), 2 nodes$' out
has "hosts" '^hosts localhost:2, started from' out
log "XcalableMP" "^gasnetbench-xmp --worker xmp_words:put_8,get_8 --raw smp .*[|] 2 smp" --raw xmp_words
log "coarrays" "^gasnetbench-caf --worker caf_words:put_8,get_8 --raw smp .*[|] 2 smp" --raw caf_words
log "two kinds" "^gasnetbench-par --worker put_latency:8 " --rounds 2 par_put
lines "two kinds" "^gasnetbench-seq" log 2; lines "two kinds" "^gasnetbench-par" log 2
has "two kinds" "^par_put +8 B .* %$" out
log "a crowd" "^gasnetbench-caf --worker caf_crowd:columns,rows .*[|] 8 smp" caf_crowd
expect 0 "a whole run"; hasnt "a whole run" . err; lines "a whole run" "^put_latency" out 1
expect 0 "start" start --rounds 3 -n 4; lines "start" " s$" out 2
FAKE_BARE=3 expect 1 "bare processes" --raw -c ofi start --rounds 2 -n 4
has "bare processes" 'not measured: its job ended with code 3$' out
expect 0 "start beside them" --raw -c ofi start --rounds 2 -n 4
has "start beside them" '^start +2 nodes( +[0-9.]+){3} +s +[0-9.]+ +- *$' out
expect 1 "no worker" --worker-dir . get_val
has "no worker" "not measured: there is no gasnetbench-seq in \." out

# Open MPI: mpirun starts such jobs where it works and the bare speed is asked for.
mkdir path
cat >path/mpirun.openmpi <<'END'
#!/bin/sh
[ "$1 $2 $3 $4" = "--oversubscribe --bind-to none -n" ] || exit 2
[ -z "${FAKE_MPIRUN:-}" ] || { printf '%s\n' ---- '' "$FAKE_MPIRUN" '' 'We advise.' ---- >&2; exit 1; }
export PENSTOCK_LAUNCH=x:0:$5 FAKE_MPI="by mpirun ${OMPI_MCA_pml:-} ${OMPI_MCA_btl:-}"; shift 5
exec "$@"
END
chmod +x path/mpirun.openmpi
ln -s mpirun.openmpi path/mpirun
mpi() { PATH=$tmp/path:$PATH log "$@"; }
alone='--worker mpi_sum:8 --raw smp .*[|] 2 smp  '
mpi "no Open MPI" "$alone" --raw -s 8 mpi_sum
has "no Open MPI" '^note: no Open MPI was measured: there is no gasnetbench-raw-mpi.so in workers$' out
: >workers/gasnetbench-raw-mpi.so
beside='--worker mpi_sum:8 --raw workers/gasnetbench-raw-mpi.so .*'
mpi "Open MPI" "$beside [|] 2 smp .* by mpirun  $" --raw -s 8 mpi_sum put_val
has "Open MPI" '--worker put_val:8 --raw smp .*[^n] $' log; hasnt "Open MPI" '^note: no Open' out
mpi "Open MPI by tcp" "$beside [|] 2 ofi .* by mpirun ob1 tcp,self$" --raw -c ofi -s 8 mpi_sum
mpi "nothing bare" "--worker mpi_sum:8 --raw none" -s 8 mpi_sum; hasnt "nothing bare" 'by mpirun' log
mpi "other hosts" '--worker mpi_sum:8 --raw smp' --raw -c smp -n 2 -H localhost:2 -s 8 mpi_sum
has "other hosts" '^note: no Open MPI was measured: it is on this host alone' out
FAKE_MPIRUN='it may not' PATH=$tmp/path:$PATH expect 1 "no mpirun" --raw -s 8 mpi_sum
has "no mpirun" '^mpi_sum .*not measured: its job ended with code 1: it may not$' out

# ---- what it makes of the answers ----
FAKE_SAYS='provider tcp;ofi_rxm, device lo' expect 0 network -c ofi get_val
has network '^gasnetbench .*, conduit ofi \(tcp;ofi_rxm\), 2 nodes$' out
has network '^ofi: provider tcp;ofi_rxm, device lo$' out
hasnt network . err
FAKE_SAYS='provider net' expect 0 "bounds of what was chosen" --check -c ofi waiting_target
has "bounds of what was chosen" '^ +get .*time <= 2 x +ok$' out
expect 0 table put_latency -s 8,1M --raw
has table '^put_latency +8 B +[0-9.]+ +[0-9.]+ +[0-9.]+ +ns +[0-9.]+ +[0-9]+ %$' out
has table '^ +1 MiB +[0-9.]+ +[0-9.]+ +[0-9.]+ +us ' out
has table '^gasnetbench .*, conduit smp, 2 nodes$' out
expect 0 "several conduits" -c smp,ofi put_latency -s 8; has "several conduits" '^ +ofi +8 B' out
FAKE_MISSING=get_val expect 1 missing get_val put_val
has missing '^get_val .*not measured: no memory <&> for it$' out; has missing '^put_val .*ns$' out
FAKE_OMIT=get_val expect 1 "nothing said" get_val put_val; has "nothing said" 'its job printed no result' out
FAKE_EXIT=5 expect 1 "worker fails" get_val
has "worker fails" 'ended with code 5: worker: a device is missing' out
has "worker fails" '^worker: a device' err
FAKE_DIE=get_latency expect 1 "worker dies" put_latency get_latency put_val get_val -s 8
has "worker dies" 'dies at get_latency' out; has "worker dies" '^put_val .*ns' out
has "worker dies" '^put_latency .*ns' out
point='@point get_val 8'
for wrong in '@point' "$point 2 1" "$point 3 1 5 1 1 1 1 1" '@point get_val 9 2 1 5 1 1 1 1 1' \
  "$point 2 1 5 nan 1 1 1 1" "$point 2 1 5 1 1 1 2 1" \
  "$point 2 1 5 1 1 1 1 1 raw" "$point 2 1 5 1 1 1 1 1 raw 5 1 1 1 1 1 -1" "$point 2 1 0 1 1 1 1 1" \
  '@about ofi' '@missing nothing 8 why'; do
  FAKE_OMIT=get_val FAKE_LINE=$wrong expect 1 "wrong line" get_val
  has "wrong line" "not understood: $wrong" err; has "wrong line" 'no result' out
done
FAKE_LINE='hello there' expect 0 "other lines" get_val; has "other lines" '^hello there$' err
expect 0 output --json -o now.json get_val; has output '^get_val' out
has output '"format": "gasnetbench 1"' now.json
count=$((count + 1)); "$build/bin/gasnetbench" --worker-dir workers get_val >/dev/full 2>err &&
  fail "a full disk is no error"
has "full disk" 'cannot write' err
expect 2 "full disk for the file" --json -o /dev/full get_val; has "full disk for the file" '^get_val' out
has "full disk for the file" 'cannot write to /dev/full' err

# ---- an earlier run ----
expect 0 before --json -o before.json --raw put_latency get_val barrier
earlier() {
  expect 0 "the same" --vs before.json --raw put_latency get_val barrier --strict
  has "the same" ': 0 slower, 0 faster, 17 the same' out
  FAKE_SLOWER=1.5 expect 0 slower --vs before.json put_latency; has slower '\+50\.0 %  slower$' out
  FAKE_SLOWER=1.5 expect 3 "slower, strictly" --vs before.json put_latency --strict
  FAKE_SLOWER=0.5 expect 0 faster --vs before.json put_latency --strict; has faster '-50\.0 %  faster$' out
  FAKE_SLOWER=1.04 expect 0 noise --vs before.json put_latency --strict; has noise ' same$' out
  FAKE_SLOWER=1.09 expect 3 "beyond the noise" --vs before.json put_latency --strict
  FAKE_SLOWER=1.09 expect 0 "more noise" --vs before.json put_latency --strict --noise 20
  FAKE_SLOWER=1.03 expect 0 "within the spread" --vs before.json put_latency --strict --noise 0
  FAKE_SLOWER=2 FAKE_RAW_SLOWER=2 expect 0 "another place" --vs before.json --raw put_latency --strict
  has "another place" 'as the bare$' out
  expect 0 "new" --vs before.json put_val get_val --strict; has "new" ' new$' out
  has "new" 'not measured then: put_val$' out
  sed 's/"get_val"/"fetch_val"/' before.json >renamed.json
  expect 0 "gone" --vs renamed.json get_val; has "gone" 'are gone: fetch_val$' out
  FAKE_MISSING=get_val expect 1 "no longer" --vs before.json get_val
  has "no longer" '1 no longer measured' out
  FAKE_SLOWER=1.5 expect 0 "rates" --json -o rates.json put_bandwidth
  expect 0 "rates" --vs rates.json put_bandwidth --strict; has rates '\+50\.0 %  faster' out
}
against='--vs before.json'
if [ $vs = yes ]; then earlier
else echo "note: gasnetbench was built without jansson (Debian: libjansson-dev); --vs was not tried"; against=
fi

# ---- bounds ----
FAKE_SLOWER=0.5 expect 0 kept --check --strict put_latency; has kept 'time <= 1.5 x +ok$' out
FAKE_SLOWER=9 expect 0 over --check put_latency; has over 'OVER$' out
has over '^[0-9]+ of 5 points are over' out
FAKE_SLOWER=9 expect 3 "over, strictly" --check --strict put_latency
expect 1 "no bare transport" --check -c ucx put_latency
has "no bare transport" '^note: no bare transport was measured: there is no' out
has "no bare transport" 'its bound is against the bare transport' out

# ---- charts ----
FAKE_MISSING=get_val expect 1 charts --plot plots --raw $against put_latency get_val barrier put_strided
for f in put_latency barrier put_strided; do [ -s plots/$f.svg ] || fail "charts: no $f.svg"; done
[ ! -e plots/get_val.svg ] || fail "charts: one of a single point"
[ "$(ls plots | wc -l)" -eq 4 ] || fail "charts: $(ls plots | tr '\n' ' ')"
has charts 'no memory &lt;&amp;&gt; for it' plots/report.html
has charts '<td class="n">64 B</td>' plots/report.html
hasnt charts '<script|src=|@import|url\(' plots/report.html
[ "$(grep -Eo 'https?://[^"]*' plots/* | sed 's/.*http/http/' | sort -u)" = http://www.w3.org/2000/svg ] ||
  fail "charts: they name addresses"
if command -v python3 >/dev/null; then
  python3 - <<'PYTHON' || fail "what was written is not well-formed"
import csv, glob, html.parser, json, sys, xml.dom.minidom
for f in glob.glob("plots/*.svg"):
    for at in xml.dom.minidom.parse(f).getElementsByTagName("circle"):
        if not (0 <= float(at.getAttribute("cx")) <= 820 and float(at.getAttribute("cy")) > 0):
            sys.exit(f + ": a mark outside")
class Page(html.parser.HTMLParser):
    open = []
    def handle_starttag(self, tag, attributes):
        if tag != "meta": self.open.append(tag)
    def handle_startendtag(self, tag, attributes): pass
    def handle_endtag(self, tag):
        if self.open.pop() != tag: sys.exit("report.html: </" + tag + "> closes nothing")
page = Page(); page.feed(open("plots/report.html").read())
if page.open: sys.exit("report.html: never closed: " + " ".join(page.open))
report = json.load(open("before.json"))
if len(report["results"]) != 17 or report["results"][0]["ours"]["n"] != 101:
    sys.exit("before.json: other results")
PYTHON
else
  echo "note: no python3 (Debian: python3); the forms of SVG, HTML and JSON were not checked"
fi

# ---- a terminal, and interruption ----
if command -v script >/dev/null; then
  script -qec "$build/bin/gasnetbench --worker-dir workers put_latency" /dev/null >out </dev/null
  has "terminal" '\[#*\.*\] +[0-9]+ %' out; has "terminal" '^put_latency' out
else
  echo "note: no script (Debian: bsdutils); the progress bar was not tried"
fi
interrupt() { # signal, code
  local main rc
  rm -f started
  FAKE_STOP=get_val FAKE_STARTED=$tmp/started timeout 60 \
    "$build/bin/gasnetbench" --worker-dir workers put_val get_val put_latency >out 2>err </dev/null &
  main=$!
  count=$((count + 1))
  for ((i = 0; i < 600; i++)); do [ ! -s started ] || break; sleep 0.05; done
  kill -"$1" "$(cat "/proc/$main/task/$main/children" | cut -d' ' -f1)"
  wait $main; rc=$?
  [ $rc -eq "$2" ] || fail "interrupted by $1: exit code $rc"
  has "interrupted by $1" '^put_latency .*ns$' out
  has "interrupted by $1" '^note: interrupted: [0-9]+ of 15 points were not measured$' out
  hasnt "interrupted by $1" '^get_val' out
  for ((i = 0; i < 100; i++)); do kill -0 "$(cat started)" 2>/dev/null || break; sleep 0.05; done
  ! kill -0 "$(cat started)" 2>/dev/null || fail "interrupted by $1: its job is still there"
}
interrupt INT 130
interrupt TERM 143

[ $bad -eq 0 ] && echo "$count runs as they should be"
exit $bad
