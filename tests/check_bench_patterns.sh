#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# gasnetbench's workers: every test of patterns, floods, collectives, atomic operations, random updates,
# overlap, memory and OpenSHMEM gives a line for each point, with the bare loops' values where there are some,
# on 2 and 3 nodes, over shared memory, by messages and over networks, and with several threads. Each test
# checks its own data, and ends the job if they are wrong.
# time-limit: 400
set -u
. "$(dirname "$0")/script.sh"
bad() { echo "FAIL $*"; tail -n 5 "$tmp/err" | cut -c1-300 | sed 's/^/  | /'; failed=1; }

faces=face64_x,face64_y,face64_z,face128_x,face128_y,face128_z,face256_x,face256_y,face256_z
arrays=col_1K,col_8K,block16,$faces,rows512,block8,elem3
small='strided_small:put,get,plan'
lists='put_indexed:words,words_16M,words_L3;get_indexed:words;put_vector:words,mixed,chopped;get_vector:mixed'
awkward='put_adverse:bytes,pairs,thin,pages,odd,few'
by_hand='put_by_hand:face_8,face_1K;get_by_hand:face_8,face_1K;pack_alone:face_8,face_1K;'\
'unpack_alone:face_8,face_1K'
by_messages='put_packed:rows_8,rows_64,rows_512,rows_4096;put_packed_rows:rows_8,rows_64,rows_512,rows_4096'
atomics='atomic_latency:fadd_own,fadd,swap,cswap,get,fadd_32,cswap_32,fadd_16'
threaded='am_all_to_all:-;am_all_to_all_medium:64,4096;atomic_rate:own,partner,all;atomic_contended:add,'\
'fadd,cswap;gups_atomic:-'
overlap='overlap_put:4096,1048576;overlap_get:4096,1048576;overlap_both:4096,1048576'
words=put_heap,put_static,p_heap,p_static,get_heap,get_static,g_heap,g_static
shmem_atomics=fadd_heap,fadd_static,swap_heap,swap_static,cswap_heap,cswap_static
busy=put_heap,put_static,get_heap,get_static,fadd_heap,fadd_static
shmem="shmem_words:$words;shmem_atomics:$shmem_atomics;shmem_locks:heap,static;shmem_random:put,add"
shmem_any="shmem_strided:iput,iget;shmem_collectives:broadcast_8K,sum_1,sum_8192;shmem_busy:$busy;"\
"shmem_busy_worst:$busy"

team() { # NODES
  local t
  for t in broadcast_8 broadcast_8K broadcast_1M sum_1 sum_8192 fcollect_8 fcollect_8K collect_8K; do
    printf 'team_%s:%s;' "$t" "$1"
  done
  printf 'memory_shared:%s;memory_private:%s' "$1" "$1"
}

points() { # TESTS: one "TEST POINT" a line
  local one
  tr ';' '\n' <<<"$1" | while IFS=: read -r one list; do tr ',' '\n' <<<"$list" | sed "s/^/$one /"; done
}

# Every point has a line of numbers: 6 of ours and, if a reference is wanted, 6 more and a ratio.
lines() { # TESTS NODES REFERENCE
  local tail='( raw( +[-0-9.e+]+){7})?$'
  [ "$3" = without ] || tail=' raw( +[-0-9.e+]+){7}$'
  points "$1" >"$tmp/points"
  while read -r test point; do
    [ "$(grep -cE "^@point $test $point $2 [0-9]+( +[-0-9.e+]+){6}$tail" "$tmp/out")" -eq 1 ] ||
      echo "$test $point"
  done <"$tmp/points" >"$tmp/missing"
  [ ! -s "$tmp/missing" ] || bad "$name: no line of $(tr '\n' ',' <"$tmp/missing")"
}

start() { # PROGRAM NODES TESTS OPTIONS VARIABLE=VALUE...
  local program=$1 nodes=$2 tests=$3 options=$4; shift 4
  name="$program $nodes $options $*"
  env "$@" timeout $((100 * scale)) "$build/bin/gasnetrun" -n "$nodes" \
    "$build/libexec/gasnetbench-$program" --worker "$tests" --rounds 2 $options \
    >"$tmp/out" 2>"$tmp/err" || { bad "$name: exit code $? after $(tail -n 1 "$tmp/out")"; return 1; }
}

run() { # PROGRAM NODES TESTS REFERENCE OPTIONS VARIABLE=VALUE...
  local program=$1 nodes=$2 tests=$3 reference=$4 options=$5; shift 5
  start "$program" "$nodes" "$tests" "$options" "$@" && lines "$tests" "$nodes" "$reference"
}

# The workers know all tests of these groups in the catalogue, and measure them between two nodes of a host.
name='gasnetbench patterns ...'
timeout $((200 * scale)) "$build/bin/gasnetbench" -n 2 --rounds 1 --raw patterns atomics overlap shmem \
  'team_*' 'memory_*' 'am_all_to_all*' \
  >"$tmp/out" 2>"$tmp/err" || bad "$name: exit code $?"
[ "$(wc -l <"$tmp/out")" -gt 100 ] || bad "$name: too few lines"
! grep 'not measured:' "$tmp/out" >"$tmp/err" ||
  bad "$name: there are points that were not measured"

loops="put_strided:$arrays,big_4K,big_512,big_64,face_8,face_1K;\
get_strided:$arrays,face_8,face_1K;pack_strided:$arrays"
run seq 2 "$loops" with '--raw smp'
run seq 2 "$small;$lists;$awkward;$atomics;$threaded;gups_messages:-;put_transpose:doubles,floats" without \
  '--raw smp'
run seq 2 "$small;$lists;$awkward;$atomics;put_transpose:doubles,floats" with '--raw smp'
run seq 2 'put_strided:elem3,block16;strided_speed:mean,mean_wide,least' without '--raw smp'
run seq 2 "$(team 2);$overlap" without '--raw smp'
run seq 3 "$(team 3);put_strided:elem3,face64_x;$lists;$atomics;$threaded;gups_messages:-;$overlap" without \
  '--raw none'
run par 3 "$threaded" without '--raw smp --threads 2'
run seq 2 "$by_messages" with '--raw smp' GASNET_AM_ONLY=1
run seq 3 "$(team 3);get_strided:elem3;$lists;$atomics;$threaded;gups_messages:-;$overlap" without \
  '--raw none' GASNET_AM_ONLY=1
run shmem 2 "$shmem;shmem_strided:iput,iget" with '--raw smp'
run shmem 3 "$shmem;$shmem_any;shmem_barrier:3" without '--raw smp'
start seq 2 'strided_speed:mean' '--raw none'
grep -q '^@missing strided_speed mean needs --raw' "$tmp/out" ||
  bad 'strided_speed without what it is made of'

over_network() { # CONDUIT VARIABLE=VALUE
  local conduit=$1; shift
  local raw="--raw $build/libexec/gasnetbench-raw-$conduit.so"
  set -- GASNET_CONDUIT="$conduit" GASNET_SUPERNODE_MAXSIZE=1 "$@"
  run seq 2 "put_strided:elem3,face_8,face_1K;get_strided:face_8;put_indexed:words;put_vector:mixed;\
vector_words:put,get" with "$raw" "$@"
  run seq 2 "$by_hand" with "$raw" "$@"
  run seq 3 "$by_hand" without '--raw none' "$@"
  run seq 3 "$(team 3);$atomics;$threaded;gups_messages:-;put_transpose:floats;$overlap" without \
    '--raw none' "$@"
  run seq 2 "overlap_put_thread:65536;overlap_get_thread:65536;overlap_both_thread:65536" without \
    '--raw none' GASNET_PROGRESS_THREAD=1 "$@"
  run par 2 "$threaded" without '--threads 2' "$@"
  run shmem 2 "$shmem;$shmem_any;shmem_barrier:2" without '--raw none' "$@"
}
! has_conduit ofi || over_network ofi 'GASNET_OFI_PROVIDER=tcp;ofi_rxm'

# The programs by hand check their data on every transport, with messages sent whole, in pieces, and by
# rendezvous.
by_hand_over() { # CONDUIT VARIABLE TRANSPORT...
  local conduit=$1 variable=$2 transport raw=$build/libexec/gasnetbench-raw-$1.so; shift 2
  has_conduit "$conduit" || return 0
  for transport; do
    if UCX_LOG_LEVEL=error "$build/libexec/gasnetbench-seq" --offers "$raw" "$transport" 2>"$tmp/err"; then
      run seq 2 "$by_hand" with "--raw $raw" GASNET_CONDUIT="$conduit" GASNET_SUPERNODE_MAXSIZE=1 \
        "$variable=$transport" UCX_LOG_LEVEL=error
    else
      echo "$conduit offers no $transport here: the programs by hand are not run over it"
    fi
  done
}
by_hand_over ofi GASNET_OFI_PROVIDER net tcp shm
by_hand_over ucx UCX_TLS posix,self
! has_conduit ucx || over_network ucx UCX_TLS=tcp,self UCX_LOG_LEVEL=error
exit $failed
