#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# OpenSHMEM in Fortran: tests/shmem/fortran_* built by oshfort, on all conduits; the header in both forms and
# under the rules of all standards; each routine of the document under each spelling of its name.
# time-limit: 240
# lists: full
set -u
. "$(dirname "$0")/script.sh"
tests=$src/tests/shmem run=$build/bin/oshrun oshfort=$build/bin/oshfort
fail() {
  bad=$((bad + 1))
  echo "FAIL: $1"
  sed 's/^/    | /' "$tmp/log" | head -20
}
: >"$tmp/log"
cd "$tmp" || exit 1

# ---- names ----

document='START_PES MY_PE NUM_PES SHMEM_PE_ACCESSIBLE SHMEM_ADDR_ACCESSIBLE SHPALLOC SHPDEALLC SHPCLMOVE '\
'SHMEM_PTR'
for d in PUT GET; do
  document="$document SHMEM_${d}MEM SHMEM_CHARACTER_$d"
  for i in '' I; do
    for n in 4 8 32 64 128; do document="$document SHMEM_$i$d$n"; done
    for n in COMPLEX DOUBLE INTEGER LOGICAL REAL; do document="$document SHMEM_${n}_$i$d"; done
  done
done
document="$document SHMEM_PUT SHMEM_SWAP SHMEM_REAL4_SWAP SHMEM_REAL8_SWAP SHMEM_WAIT SHMEM_WAIT_UNTIL"
for k in INT4 INT8; do
  for r in SWAP CSWAP FADD FINC ADD INC WAIT WAIT_UNTIL; do document="$document SHMEM_${k}_$r"; done
done
document="$document SHMEM_BARRIER_ALL SHMEM_BARRIER SHMEM_FENCE SHMEM_QUIET"
for k in INT4 INT8; do
  for o in AND OR XOR MAX MIN SUM PROD; do document="$document SHMEM_${k}_${o}_TO_ALL"; done
done
for k in REAL4 REAL8 REAL16; do
  for o in MAX MIN SUM PROD; do document="$document SHMEM_${k}_${o}_TO_ALL"; done
done
document="$document SHMEM_COMP4_XOR_TO_ALL SHMEM_COMP8_XOR_TO_ALL"
for r in COLLECT FCOLLECT; do for n in 4 8; do document="$document SHMEM_$r$n"; done; done
for n in 4 8 32 64; do document="$document SHMEM_BROADCAST$n"; done
for r in SET CLEAR TEST; do document="$document SHMEM_${r}_LOCK"; done
for r in SET_CACHE CLEAR_CACHE; do document="$document SHMEM_${r}_INV SHMEM_${r}_LINE_INV"; done
document="$document SHMEM_UDCFLUSH SHMEM_UDCFLUSH_LINE"

nm -D --defined-only "$build/libpenstock-shmem.so.1" | awk '{ sub(/@.*/, "", $NF); print $NF }' |
  sort -u >exported
for r in $document; do
  l=$(echo "$r" | tr A-Z a-z)
  printf '%s\n' "${l}_" "${l}__" "$r" "${r}_"
done | sort -u >wanted
comm -23 wanted exported >missing
[ ! -s missing ] || { cp missing log; fail "libpenstock-shmem.so.1 lacks names for Fortran"; }

# ---- building ----

"$oshfort" --show -c x.f90 >/dev/null 2>&1 || {
  [ $bad -eq 0 ] || exit 1
  echo "skip: the names are there, but no Fortran compiler is (Debian: apt-get install gfortran)"
  exit 77
}
[ "${PST_SANITIZE:-no}" = no ] || {
  echo "skip: programs of gfortran have other run-time libraries of sanitizers"; exit 77
}
make_program() { # program, source, flags...
  local program=$1 source=$2; shift 2
  "$oshfort" -O2 -g "$@" -o "$program" "$tests/$source" >log 2>&1 || { fail "oshfort $* $source"; return 1; }
}
warn='-Wall -Wno-compare-reals -Wno-unused-function -Werror'
"$oshfort" --version | grep -q 'GNU Fortran' || warn=''
types='int4 int8 real4 real8 real16 comp4 comp8'
programs='rma heap fixed atomic_4 atomic_8'
make_program rma fortran_rma.f90 $warn
make_program heap fortran_heap.f90 $warn
make_program fixed fortran_fixed.f $warn
for k in 4 8; do make_program atomic_$k fortran_atomic.F90 $warn -DKIND=$k; done
for t in $types; do
  make_program collective_$t fortran_collective.F90 $warn -DTYPE_$t && programs="$programs collective_$t"
done

# Programs include the header by both of its names, and may declare functions again. Each standard must accept
# it.
for name in mpp/shmem.fh shmem.fh; do
  for declared in '' 'integer(kind=8) shmem_int8_fadd, shmem_ptr'; do
    printf '      %s\n' 'program p' 'implicit none' "include '$name'" "$declared" 'integer my_pe' \
      'integer(kind=8), save :: i' \
      'call start_pes(0)' 'i = shmem_int8_fadd(i, 1_8, my_pe()) + shmem_ptr(i, 0)' 'end' >p.f90
    cp p.f90 p.f
    for p in p.f90 p.f; do
      "$oshfort" -c $p >log 2>&1 || fail "oshfort -c: $name in $p, with '$declared'"
      [ -n "$warn" ] || continue
      for std in f95 f2003 f2008 f2018 legacy; do
        "$oshfort" -std=$std -Wall -Wextra -Wno-unused-parameter -Werror -c $p >log 2>&1 ||
          fail "oshfort -std=$std -c: $name in $p, with '$declared'"
      done
    done
  done
done

# The constants are the same as in C.
constants='CMP_EQ CMP_NE CMP_GT CMP_LE CMP_LT CMP_GE SYNC_VALUE BCAST_SYNC_SIZE COLLECT_SYNC_SIZE
  REDUCE_SYNC_SIZE BARRIER_SYNC_SIZE
  REDUCE_MIN_WRKDATA_SIZE MAJOR_VERSION MINOR_VERSION MAX_NAME_LEN'
{ echo '#include <stdio.h>
#include <mpp/shmem.h>
int main(void) {'; for c in $constants; do echo "  printf(\"%ld\\n\", (long)SHMEM_$c);"; done
echo '  return 0; }'; } >c.c
{ echo "program c
  include 'mpp/shmem.fh'"; for c in $constants; do echo "  print '(i0)', SHMEM_$c"; done
  echo 'end program'; } >c.f90
"$build/bin/oshcc" c.c -o c_c >log 2>&1 && "$oshfort" c.f90 -o c_f >>log 2>&1 && ./c_c >in_c &&
  ./c_f >in_f && diff in_c in_f >log ||
  fail "constants differ from C's"

# Names spelt otherwise than by gfortran.
[ -z "$warn" ] || {
  make_program spelled fortran_collective.F90 -DTYPE_real8 -fsecond-underscore && programs="$programs spelled"
}

# ---- running ----

start() { # processes, program
  count=$((count + 1))
  timeout 60 "$run" -np "$1" "./$2" >log 2>&1 </dev/null || { fail "$2 x$1 $way: exit code $?"; return; }
  # With SHMEM_DEBUG, and in debug builds, the heap's routines also print their error.
  sed -i '/^penstock: PE [0-9]* of [0-9]*: SHP/d' log
  [ "$(grep -c '^ok: ' log)" -eq 1 ] && [ "$(wc -l <log)" -eq 1 ] ||
    fail "$2 x$1 $way: it has not printed one line that begins with ok"
}
way=''
for n in 1 2 3 4; do for p in $programs; do start $n $p; done; done
for way in GASNET_AM_ONLY=1 SHMEM_DEBUG=1 $(networks | sed s/^/GASNET_CONDUIT=/); do
  export "${way?}"
  case $way in GASNET_CONDUIT=*) export GASNET_SUPERNODE_MAXSIZE=1 ;; esac
  for p in $programs; do start 3 $p; done
  unset "${way%%=*}" GASNET_SUPERNODE_MAXSIZE
done

# An error that must end the job does so.
count=$((count + 1))
timeout 20 "$run" -np 2 ./heap abort >log 2>&1 && fail "SHPALLOC with abort returns"
grep -q 'SHPALLOC: error -1: length is not greater than 0' log || fail "SHPALLOC with abort does not say why"

[ $bad -eq 0 ] && echo "ok: $(wc -l <wanted) names, $count runs" && exit 0
echo "$bad failures in $count runs"
exit 1
