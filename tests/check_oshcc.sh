#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# oshcc, oshCC, oshc++, oshfort and oshrun, in the build directory and installed: what they print, compiling
# and linking apart and at once, languages mixed, other compilers, programs that run. And the examples of
# OpenSHMEM: right on all conduits, their help and refusals.
# time-limit: 240
# lists: full
set -u
. "$(dirname "$0")/script.sh"
san=(); [ "${PST_SANITIZE:-no}" = no ] || san=("-fsanitize=$PST_SANITIZE")
unset OSHCC_CC OSHCC_CXX OSHCC_FC
mkdir "$tmp/work" && cd "$tmp/work" || exit 1

# ---- sources: main in each language, a part in C ----

cat >part.c <<'TEXT'
#include <mpp/shmem.h>
int last = -1;
int left(void) { return (_my_pe() + _num_pes() - 1) % _num_pes(); }
void tell(void) { shmem_int_p(&last, _my_pe(), (_my_pe() + 1) % _num_pes()); shmem_barrier_all(); }
int heard(void) { return last == left(); }
int heard_(void) { return heard(); }
void tell_(void) { tell(); }
TEXT
cat >main.c <<'TEXT'
#include <shmem.h>
#include <stdio.h>
void tell(void); int heard(void);
int main(void) { start_pes(0); tell();
  return printf("%d of %d: %s\n", _my_pe(), _num_pes(), heard() ? "right" : "WRONG") < 0; }
TEXT
cat >main.cc <<'TEXT'
#include <mpp/shmem.h>
#include <cstdio>
#include <vector>
extern "C" { void tell(); int heard(); }
int main()
{
  start_pes(0), tell();
  std::vector<int> v(1, heard());
  std::printf("%d of %d: %s\n", _my_pe(), _num_pes(), v[0] ? "right" : "WRONG");
}
TEXT
cat >main.f90 <<'TEXT'
program p
  include 'mpp/shmem.fh'
  integer, external :: heard
  call start_pes(0)
  call tell
  print '(i0,a,i0,2a)', my_pe(), ' of ', num_pes(), ': ', merge('right', 'WRONG', heard() == 1)
end program
TEXT

# ---- the wrappers of one directory ----

runs() { # title: ./prog on three PEs
  must "$1: run" "$run" -np 3 ./prog || return
  [ "$(grep -cE '^[012] of 3: right$' "$tmp/log")" -eq 3 ] || { fail "$1: not right"; cat "$tmp/log"; }
}
prints() { # wrapper, suffix
  must "$1 --version" "$bin/$1" --version; says "$1 --version" "^${1//+/\\+} \(Penstock\) [0-9]"
  must "$1 --help" "$bin/$1" --help; says "$1 --help" "^usage: ${1//+/\\+} "
  must "$1 -show" "$bin/$1" -show -DA='b c' x.$2 -o x
  says "$1 -show" "'-DA=b c' x.$2 -o x .*-I[^ ]*/include .*-lpenstock-shmem -lpenstock-gasp -lgasnet"
  must "$1 -show -c" "$bin/$1" --show -c x.$2; says "$1 -show -c" '-I'; silent "$1 -show -c" '-lpenstock'
  must "$1 --show=compile" "$bin/$1" --show=compile; says "$1 --show=compile" '(^| )-I'
  must "$1 --show=link" "$bin/$1" --show=link; says "$1 --show=link" '^-L.*-lpenstock-shmem'
  must "$1 --cc" "$bin/$1" --cc='other -x' -show -c x.$2; says "$1 --cc" '^other -x -c'
  must "$1 without files" "$bin/$1" -dumpmachine; silent "$1 without files" 'lib'
  [ ! -e x ] || fail "$1 -show compiled"
  expect 2 "$1 -o" "$bin/$1" -o; says "$1 -o" 'lacks its argument'
  expect 2 "$1 --tool=" "$bin/$1" --tool= -c x.$2; says "$1 --tool=" '--tool= names no tool'
  expect 2 "$1 --cc=absent" "$bin/$1" --cc=absent -c x.$2; says "$1 --cc=absent" "there is no program absent"
  expect 1 "$1 of nothing" "$bin/$1" -c absent.$2
}
one_step() { # wrapper, main's suffix: everything in one command, with its warnings
  must "$1" "$bin/$1" -O2 -Wall "${san[@]}" main.$2 part.o -o prog && runs "$1"
}
use_wrappers() { # directory
  bin=$1 run=$1/oshrun
  prints oshcc c
  must "oshcc -c" "$bin/oshcc" -Wall -Wextra -Werror "${san[@]}" -c main.c part.c && [ -f main.o ] ||
    fail "oshcc -c made no objects"
  must "oshcc of objects" "$bin/oshcc" "${san[@]}" -o prog main.o part.o && runs "oshcc of objects"
  one_step oshcc c
  must "oshcc -E" "$bin/oshcc" -E main.c; says "oshcc -E" 'shmem_barrier_all'
  must "oshcc -M" "$bin/oshcc" -MM main.c; says "oshcc -M" '^main.o: main.c'
  must "oshcc -shared" "$bin/oshcc" -fPIC -shared "${san[@]}" part.c -o libpart.so &&
    must "oshcc with a library" "$bin/oshcc" "${san[@]}" main.c -L. -lpart -Wl,-rpath,. -o prog &&
    runs "a library's variable"
  must "oshcc -x" sh -c "'$bin/oshcc' ${san[*]} -x c - -x none part.o -o prog <main.c" &&
    runs "standard input"
  must "oshcc --inst" "$bin/oshcc" --inst -Wall -Wextra -Werror "${san[@]}" main.c part.c -o prog &&
    runs "oshcc --inst"
  [ "${PST_SANITIZE:-no}" != no ] || {
    must "oshcc --tool" "$bin/oshcc" --inst --tool=profile main.c part.c -o prog &&
      must "oshcc --tool: run" "$run" -np 2 ./prog
    says "oshcc --tool: the tool's table" 'part\.c:4'
  }
  if [ -n "${CXX-}" ]; then
    prints oshCC cc; prints oshc++ cc
    one_step oshCC cc; one_step oshc++ cc
  fi
  if command -v clang >/dev/null && [ "${PST_SANITIZE:-no}" = no ]; then
    must "OSHCC_CC=clang" env OSHCC_CC=clang "$bin/oshcc" -O2 -Wall -Wextra -Werror main.c part.c -o prog &&
      runs "OSHCC_CC=clang"
  fi
  if [ -n "${FC-}" ] && [ "${PST_SANITIZE:-no}" = no ]; then
    prints oshfort f90; one_step oshfort f90
  fi
  expect 2 "no compiler" "$bin/oshfort" --cc= -c main.f90; says "no compiler" 'no Fortran compiler was found'
}
use_wrappers "$build/bin"

must "oshrun --help" "$build/bin/oshrun" --help; says "oshrun --help" '^usage: oshrun -np N'
says "oshrun --help" 'oshrun\(1\)'
must "gasnetrun --help" "$build/bin/gasnetrun" --help; says "gasnetrun --help" '^usage: gasnetrun -n N'
must "oshrun --version" "$build/bin/oshrun" --version; says "oshrun --version" '^oshrun \(Penstock\)'
expect 2 "oshrun without a number" "$build/bin/oshrun" ./prog
says "oshrun without a number" '^oshrun: how many processes\? -np N'
must "oshrun -n" "$build/bin/oshrun" -n 2 --tag-output ./prog; says "oshrun -n" '^\[1\] 1 of 2'

# ---- events: the place of each call, what is linked in ----

cat >lines.c <<'TEXT'
#include <shmem.h>
#include <pupc.h>
static long x, y, work, sync[] = {-1, -1, -1, -1, -1, -1, -1, -1}; /* as a reduction needs it */
static int (*const lock)(volatile long *) = shmem_test_lock; static int mine(void) { return _my_pe(); }
int main(void)
{
  start_pes(0);                                                    /* line 7 */
  const unsigned user = pupc_create_event("phase", NULL);
  long *const there = (long *)shmalloc(sizeof *there);             /* line 9 */
  shmem_long_p(&x, shmem_long_g(&y, 0) + 1, 0);                    /* line 10: both */
#pragma pupc off
  shmem_fence();
  pupc_event_atomic(user);                                         /* line 13 */
#pragma pupc on
  shmem_barrier_all(), shmem_quiet(); start_pes(0);                /* line 15 */
  (void)(lock(&y) && shmem_ptr(&y, 0) && shmem_addr_accessible(&x, 0));
  shmem_int_sum_to_all((int *)&x, (int *)&y, 0, mine(), 0, 1, (int *)&work, sync); /* line 17 */
  shfree(there);                                                   /* line 18 */
  shmem_finalize();                                                /* line 19 */
  return 0;
}
TEXT
cat >lines.cc <<'TEXT'
#include <complex>
#include <shmem.h>
#pragma pupc off
static std::complex<float> a, b, work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static long sync[SHMEM_REDUCE_SYNC_SIZE];
#pragma pupc on
int main()
{
  for (long &s : sync) s = SHMEM_SYNC_VALUE;
  shmem_init();                                                    // line 10
  shmem_complexf_sum_to_all(&a, &b, 1, _my_pe(), 0, 1, work, sync); // line 11
  shmem_finalize();                                                // line 12
}
TEXT
cat >lines.f90 <<'TEXT'
program p
  include 'mpp/shmem.fh'
  integer, save :: x
  call start_pes(0)
  call shmem_integer_put(x, x, 1, 0)
  call shmem_barrier_all
end program
TEXT
places() { # lines and names of the table's first part, in order; line 0: without a place
  awk '/^thread 0/ { exit } NR > 3 { n = split($2, at, ":"); print (n == 2 ? at[2] : 0) ":" $1 }' "$1" |
    LC_ALL=C sort -t: -k1,1n -k2 | tr '\n' ' '
}
told() { # title, what is to be told
  rm -f told
  must "$1" env GASNET_GASP_OUTPUT=told "$build/bin/oshrun" -np 2 ./prog || return
  [ "$(places told)" = "$2" ] || { fail "$1: told of $(places told)"; cat told; }
}
c_calls='0:shmem_test_lock 7:start_pes 9:shmalloc 10:shmem_long_g 10:shmem_long_p 13:phase '\
'15:shmem_barrier_all 15:shmem_quiet '
c_calls+='17:shmem_int_sum_to_all 18:shfree 19:shmem_finalize '
inst=("$build/bin/oshcc" --inst --tool=profile -Wall -Wextra -Werror "${san[@]}")
must "--inst" "${inst[@]}" -Wpedantic -Wno-unknown-pragmas lines.c -o prog && told "--inst" "$c_calls"
must "--inst, objects" "${inst[@]}" -O2 -c lines.c && must "--inst, link" "${inst[@]}" lines.o -o prog &&
  told "--inst, objects" "$c_calls"
must "without --inst" "$build/bin/oshcc" --tool=profile "${san[@]}" -O2 lines.c -o prog &&
  told "without --inst" \
  '0:shfree 0:shmalloc 0:shmem_barrier_all 0:shmem_fence 0:shmem_finalize 0:shmem_int_sum_to_all '"\
"'0:shmem_long_g 0:shmem_long_p 0:shmem_quiet 0:shmem_test_lock 0:start_pes '
printf 'GASP_SHMEM_P\nGASP_SHMEM_NONSENSE\nGASP_SHMEM_QUIET\nGASP_UPC_MEMPUT\n' >only
must "--inst-only" "${inst[@]}" --inst-only=only lines.c -o prog
says "--inst-only" 'oshcc: only: there is no event GASP_SHMEM_NONSENSE'
told "--inst-only" '10:shmem_long_p 13:phase 15:shmem_quiet 19:shmem_finalize '
must "--inst-functions" "${inst[@]}" --inst-functions lines.c -o prog &&
  must "--inst-functions: run" "$build/bin/oshrun" -np 1 ./prog
says "--inst-functions" '^  mine +- +1 '
expect 2 "--inst-local" "$build/bin/oshcc" --inst-local lines.c
says "--inst-local" "oshcc: --inst-local is an option of upccc's"
if [ -n "${CXX-}" ]; then
  must "oshCC --inst" "$build/bin/oshCC" --inst --tool=profile -Wall -Wextra -Werror "${san[@]}" lines.cc \
    -o prog &&
    told "oshCC --inst" '10:shmem_init 11:shmem_complexf_sum_to_all 12:shmem_finalize '
fi
if [ -n "${FC-}" ] && [ "${PST_SANITIZE:-no}" = no ]; then
  must "oshfort --inst" "$build/bin/oshfort" --inst --tool=profile lines.f90 -o prog &&
    told "oshfort --inst" '0:SHMEM_INTEGER_PUT 0:shmem_barrier_all 0:shmem_finalize 0:start_pes '
fi
# Every routine says where it is called, except those that only answer or do nothing.
"$build/bin/oshcc" -E "$src/include/penstock-shmem/shmem.h" |
  grep -oE '\b(shmem_[a-z0-9_]+|start_pes|sh[a-z]+) ?\(' | tr -d ' (' | sort -u |
  grep -Ev '^shmem_(ptr|my_pe|n_pes|pe_accessible|addr_accessible|info_.*|.*_cache_.*|udcflush.*)$' >wanted
sed -n 's/^#define \([a-z0-9_]*\)(\.\.\.)  *PST_INST.*/\1/p' \
  "$src/include/penstock-shmem/penstock/shmem_inst.h" | sort >listed
diff wanted listed >"$tmp/log" || {
  fail "penstock/shmem_inst.h lists other routines than shmem.h has"; head -15 "$tmp/log"
}

# ---- installed ----

prefix=$tmp/inst
must "make install" sh -c "cd '$build' && '$make' --no-print-directory install prefix='$prefix'" && {
  use_wrappers "$prefix/bin"
  for w in oshcc oshfort; do
    sed "s|$tmp||g" "$prefix/bin/$w" | grep -F "$build" && fail "$w names the build directory"
  done
  if command -v pkg-config >/dev/null; then
    flags=$(PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config --cflags --libs openshmem) ||
      fail "pkg-config does not know openshmem"
    must "pkg-config openshmem" ${CC:-cc} "${san[@]}" main.c part.c $flags -o prog &&
      runs "pkg-config openshmem"
  fi
  must "make uninstall" sh -c "cd '$build' && '$make' --no-print-directory uninstall prefix='$prefix'"
  left=$(find "$prefix" ! -type d); [ -z "$left" ] || fail "make uninstall leaves $left"
}

# ---- the examples ----

examples=$build/examples/shmem run=$build/bin/oshrun
greetings() { # program, processes
  must "$1 x$2" "$run" -np "$2" "$examples/$1" || return
  for ((i = 0; i < $2; i++)); do says "$1 x$2" "^PE $i of $2: greetings from PE $(((i + $2 - 1) % $2))$"; done
}
all_examples() { # processes
  greetings hello "$1"
  [ ! -x "$examples/hello_f" ] || greetings hello_f "$1"
  must "alltoall x$1" "$run" -np "$1" "$examples/alltoall" --words 777 --rounds 5
  says alltoall "^5 rounds of $1 x $1 blocks of 777 words: right$"
  must "gups x$1" "$run" -np "$1" "$examples/gups" --bits 10 --updates 3
  says gups "^$((3072 * $1)) updates of $((1024 * $1)) words on $1 PEs: right$"
  must "heat2d x$1" "$run" -np "$1" "$examples/heat2d" --size 37 --steps 101
  says heat2d "^37 x 37 plate on $1 PEs, 101 steps: as in theory, equals one PE alone$"
}
[ -x "$examples/hello_f" ] || [ -z "${FC-}" ] || [ "${PST_SANITIZE:-no}" != no ] ||
  fail "hello_f was not built"
for n in 1 2 5; do all_examples $n; done
export GASNET_AM_ONLY=1; all_examples 3; unset GASNET_AM_ONLY
for c in $(networks); do
  export GASNET_CONDUIT=$c GASNET_SUPERNODE_MAXSIZE=1
  all_examples 3
  unset GASNET_CONDUIT GASNET_SUPERNODE_MAXSIZE
done

must "default sizes" "$run" -np 2 "$examples/heat2d"; says heat2d 'as in theory, equals'
for e in hello alltoall gups heat2d; do
  must "$e --help" "$run" -np 2 "$examples/$e" --help
  [ "$(grep -c '^usage: oshrun -np N ' "$tmp/log")" -eq 1 ] || fail "$e --help does not say it once"
  expect 2 "$e with a wrong option" "$run" -np 2 "$examples/$e" --bogus 1
done
expect 2 "a wrong number" "$run" -np 2 "$examples/gups" --bits 99
says "a wrong number" 'gups: --bits needs a number from 1 to 30'
expect 2 "no number" "$run" -np 2 "$examples/gups" --bits; says "no number" '--bits needs a number'
expect 2 "too many PEs" "$run" -np 3 "$examples/heat2d" --size 2
says "too many PEs" '2 rows cannot be divided among 3 PEs'
expect 3 "no room" "$run" -np 2 "$examples/gups" --bits 30; says "no room" 'SMA_SYMMETRIC_SIZE'

[ $bad -eq 0 ] && echo "ok: $count commands"
exit $bad
