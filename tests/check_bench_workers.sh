#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# The nodes of gasnetbench's jobs: every test of transfers, messages, barriers and of the group mpi, for a few
# milliseconds a point, by each conduit and thread mode, with a bare program beside it and without, on two
# nodes and more, with threads. Each point is there once, with sane figures; the workers check the data. A
# test that cannot be measured here says why, and a wrong command line ends with 2.
# time-limit: 300
set -u
. "$(dirname "$0")/script.sh"

words='put_val:8,1;get_val:8,2;get_nb_val:8,4'
latency='put_any_length:1,8,24,512;get_any_length:3,8,40,512;put_latency:1,8,24,65536;get_latency:1,8,24,'\
'65536;put_nb_latency:8,4096;get_nb_latency:8,4096;put_nbi_latency:8;get_nbi_latency:8'
several='put_bandwidth:8,65536,1048576;get_bandwidth:8,65536,1048576;put_nb_bandwidth:4096;'\
'get_nb_bandwidth:4096'
several+=';put_rate:8,512;get_rate:8,512;put_nb_rate:8;get_nb_rate:8;put_rate_singly:8;get_rate_singly:8'
both='put_both_ways:8,65536;get_both_ways:8,65536'
messages='am_short:-;am_medium:1,512,8192;am_long:1,8,65536;am_flood:-;am_flood_medium:8,4096'
barriers='team_barrier:2;barrier:2;am_ring:2'
paused='am_short_p:-;am_medium_p:512;barrier_p:-'
mpi='mpi_broadcast:8,8192;mpi_sum:8,65536;mpi_alltoall:8,4096'
all="$words;$latency;$several;$both;$messages;$barriers"

# Points that are missing, doubled or not sane; WITH and THREADS say what each line has.
cat >"$tmp/judge" <<'END'
function wrong(what) { print "  " $2 " " $3 ": " what; bad = 1 }
function ordered(i) {
  return $(i) > 0 && $(i + 2) > 0 && $(i + 2) <= $(i + 4) && $(i + 4) <= $(i + 1) && $(i + 1) <= $(i + 5) &&
    $(i + 5) <= $(i + 3)
}
BEGIN {
  for (n = split(tests, t, ";"); n > 0; n--) {
    split(t[n], pair, ":")
    for (k = split(pair[2], p, ","); k > 0; k--) wanted[pair[1] " " p[k]] = 1
  }
}
$1 == "@about" { about++; next }
$1 == "@doing" { next }
$1 == "@missing" { wrong("missing: " $0); delete wanted[$2 " " $3]; next }
$1 != "@point" { print "  not a line of the protocol: " $0; bad = 1; next }
{
  if (!(($2 " " $3) in wanted)) wrong("not asked for, or there twice")
  delete wanted[$2 " " $3]
  if ($4 != nodes) wrong("nodes: " $4)
  if ($5 != threads && $5 != 1) wrong("threads: " $5)
  if (!ordered(6)) wrong("figures: " $0)
  if (NF != 11 && (NF != 19 || $12 != "raw" || !ordered(13) || $19 <= 0)) wrong("raw figures: " $0)
  if (NF == 19) raw++
}
END {
  for (w in wanted) { print "  " w ": no line"; bad = 1 }
  if (about != 1) { print "  @about is there " about + 0 " times"; bad = 1 }
  if (raw + 0 < least_raw || (!least_raw && raw)) {
    print "  points with raw figures: " raw + 0 " of at least " least_raw
    bad = 1
  }
  exit bad
}
END

# measure TITLE MODE NODES THREADS LEAST_RAW TESTS OPTION... : the environment is the caller's
measure() {
  local title="$1" mode=$2 nodes=$3 threads=$4 raw=$5 tests=$6; shift 6
  timeout -k 2 100 "$run" -n "$nodes" "$build/libexec/gasnetbench-$mode" --worker "$tests" --seconds 0.004 \
    --threads "$threads" "$@" \
    >"$tmp/lines" 2>"$tmp/out"
  local rc=$?
  [ $rc -eq 0 ] || { bad "$title: exit code $rc"; return; }
  awk -v tests="$tests" -v nodes="$nodes" -v threads="$threads" -v least_raw="$raw" -f "$tmp/judge" \
    "$tmp/lines" >>"$tmp/out" || bad "$title"
}

# ---- shared memory ----

for mode in seq par; do
  measure "smp $mode" $mode 2 1 0 "$all"
  measure "smp $mode raw" $mode 2 1 30 "$all;$paused" --raw smp
  GASNET_AM_ONLY=1 measure "smp $mode messages alone" $mode 2 1 0 "$latency;$several;$messages" --rounds 1 \
    --unpinned
done
measure 'smp four nodes' seq 4 1 20 "$several;$both;$messages;barrier:4;team_barrier:4;am_ring:4" --raw smp
measure 'smp three nodes' seq 3 1 10 "$latency;$several;$messages;barrier:3;team_barrier:3;am_ring:3" --raw \
  smp --cores 2
measure 'smp collectives' seq 3 1 0 "$mpi;mpi_barrier:3;mpi_team_barrier:3"
measure 'smp threads' par 2 3 10 "$words;$latency;$several;$both;$messages" --raw smp

# ---- networks ----

export GASNET_SUPERNODE_MAXSIZE=1
network() { # title; the environment is the caller's
  local so=$build/libexec/gasnetbench-raw-$GASNET_CONDUIT.so
  measure "$1 seq" seq 2 1 0 "$all"
  measure "$1 par raw" par 2 1 20 "$all" --raw "$so"
  measure "$1 four nodes" seq 4 1 3 "$latency;$several;$both;am_short:-;am_flood:-;barrier:4" --raw "$so"
  measure "$1 threads" par 2 2 1 "$latency;$several;$messages;barrier:2;team_barrier:2" --raw "$so"
  measure "$1 shmem" shmem 2 1 2 'shmem_busy_worst:put_heap;shmem_busy:fadd_static' --raw "$so"
  GASNET_PROGRESS_THREAD=1 measure "$1 progress" seq 2 1 1 'progress_busy:-' --rounds 2
  measure "$1 waiting" seq 4 1 3 'waiting_target:put,get,first_put' --rounds 2
  "$build/libexec/gasnetbench-seq" --bare-start "$so" >"$tmp/out" 2>&1 || bad "$1: a bare process"
  "$build/libexec/gasnetbench-seq" --offers "$so" nonesuch >"$tmp/out" 2>&1 &&
    bad "$1: a transport that there is not is offered"
}
if has_conduit ofi; then
  export GASNET_OFI_PROVIDER=${PST_OFI_TCP:-tcp}
  GASNET_CONDUIT=ofi network "ofi $GASNET_OFI_PROVIDER"
else
  echo 'skipped: no conduit ofi in this build'
fi
if has_conduit ucx; then
  UCX_TLS=tcp,self UCX_LOG_LEVEL=error GASNET_CONDUIT=ucx network 'ucx tcp'
else
  echo 'skipped: no conduit ucx in this build'
fi

# ---- Open MPI, in jobs that its mpirun starts ----

mpi() { # title; the environment is the caller's
  measure "$1 two nodes" seq 2 1 8 "$mpi;mpi_barrier:2;mpi_team_barrier:2" --raw "$so"
  measure "$1 four nodes" par 4 1 8 "$mpi;mpi_barrier:4;mpi_team_barrier:4" --raw "$so"
}
so=$build/libexec/gasnetbench-raw-mpi.so mpirun=$(command -v mpirun.openmpi || command -v mpirun)
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
if [ ! -e "$so" ] || [ -z "$mpirun" ]; then
  echo 'skipped: no Open MPI (Debian: apt-get install openmpi-bin libopenmpi-dev)'
elif [ "${PST_SANITIZE:-no}" != no ]; then
  echo 'skipped: Open MPI leaks, which this build takes for errors'
else
  printf '#!/bin/sh\nexec %s --oversubscribe --bind-to none "$@"\n' "$mpirun" >"$tmp/mpirun"
  chmod +x "$tmp/mpirun"
  "$tmp/mpirun" -n 2 "$build/libexec/gasnetbench-seq" --offers "$so" mpi >"$tmp/out" 2>&1 ||
    bad 'it is not offered'
  "$build/libexec/gasnetbench-seq" --offers "$so" mpi >"$tmp/out" 2>&1 && bad 'one process is no job'
  run=$tmp/mpirun
  GASNET_CONDUIT='' GASNET_SUPERNODE_MAXSIZE='' mpi 'MPI smp'
  if has_conduit ofi; then OMPI_MCA_pml=ob1 OMPI_MCA_btl=tcp,self GASNET_CONDUIT=ofi mpi 'MPI ofi'; fi
  run=${PST_GASNETRUN:-$(pwd)/bin/gasnetrun}
fi
unset GASNET_SUPERNODE_MAXSIZE GASNET_OFI_PROVIDER

# ---- what is not measured, and wrong lines ----

missing() { # TEST POINT PATTERN nodes
  timeout 30 "$run" -n "$4" "$build/libexec/gasnetbench-seq" --worker "$1:$2" --seconds \
    0.001 >"$tmp/out" 2>&1 || bad "$1 $2: it failed"
  grep -qE "^@missing $1 $2 .*$3" "$tmp/out" || bad "$1 $2: no reason like '$3'"
}
missing put_val 3 '1, 2, 4 or 8' 2
missing am_medium 100000000 'the most' 2
missing put_both_ways 8 'even' 3
usage() { # OPTION...
  "$build/libexec/gasnetbench-seq" "$@" >"$tmp/out" 2>&1
  [ $? -eq 2 ] || bad "$*: it did not end with 2"
  [ -s "$tmp/out" ] || bad "$*: nothing is said"
}
usage
usage --worker ''
usage --worker nonesuch:8
usage --worker put_latency
usage --worker put_latency:999999999999999999
usage --worker "put_latency:$(printf '%040d' 8)"
usage --worker put_latency:8 --seconds x
usage --worker put_latency:8 --seconds nan
usage --worker put_latency:8 --rounds -1
usage --worker put_latency:8 --threads 2
usage --worker put_latency:8 --cores 0
usage --nonesuch
usage --offers /nonesuch
usage --worker "$(for ((i = 0; i < 600; i++)); do printf 'put_latency:8;'; done)"
[ $failed -eq 0 ] && echo ok
exit $failed
