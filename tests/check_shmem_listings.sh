#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# The programs of sections 14 and 15 of the OpenSHMEM document, tests/shmem/listings, built by oshcc and
# oshfort, as shared and as static programs, position-independent or not: they print what they should, on all
# conduits, started by oshrun.
# time-limit: 180
# lists: full
set -u
. "$(dirname "$0")/script.sh"
listings=$src/tests/shmem/listings run=$build/bin/oshrun
san=(); [ "${PST_SANITIZE:-no}" = no ] || san=("-fsanitize=$PST_SANITIZE")
fail() {
  bad=$((bad + 1))
  echo "FAIL: $1"
  sed 's/^/    | /' "$tmp/out" "$tmp/err" | head -20
}
: >"$tmp/out"; : >"$tmp/err"
cd "$tmp" || exit 1

# ---- building: code for other compilers causes warnings, not errors ----

flags=("${san[@]}" -O2 -g -w)
make_c() { # program, source, flags...
  local program=$1 source=$2; shift 2
  "$build/bin/oshcc" "${flags[@]}" -o "$program" "$listings/$source.c" "$@" >"$tmp/out" 2>"$tmp/err" ||
    fail "oshcc $* $source.c"
}
make_all() { # flags...
  local name
  for name in hello circular_shift shmalloc ping max iput; do make_c $name $name "$@"; done
  make_c all2all all2all_main -Ddram_shmalloc=shmalloc -Ddram_shfree=shfree "$@"
  make_c pi pi -DTRIES=1000003 "$@" -lm
}
fortran=yes
"$build/bin/oshfort" --version | grep -q . && "$build/bin/oshfort" --show -c x.f90 >/dev/null 2>&1 ||
  fortran=no
make_fortran() {
  "$build/bin/oshfort" "${flags[@]}" "$@" -o whoami "$listings/whoami.f90" >"$tmp/out" 2>"$tmp/err" ||
    fail "oshfort $* whoami.f90"
}

# ---- running ----

start() { # processes, program...
  count=$((count + 1)) title="$*, $way"
  "$run" -np "$@" >"$tmp/out" 2>"$tmp/err" </dev/null || { fail "$title: exit code $?"; return 1; }
  [ ! -s "$tmp/err" ] || fail "$title: something on stderr"
}
prints() { # what it prints, on stdin, lines in any order
  sort >"$tmp/wanted"
  sort "$tmp/out" | cmp -s - "$tmp/wanted" || fail "$title: wrong output"
}
says() { grep -qE "$1" "$tmp/out" || fail "$title: no line like $1"; }
numbers() { local i; for ((i = 0; i < $1; i++)); do echo $i; done; }
run_c() { # processes
  local n=$1 i sum
  start $n ./hello && numbers $n | sed "s/.*/Hello World from & of $n/" | prints
  start $n ./circular_shift && prints </dev/null
  start $n ./shmalloc && prints </dev/null
  start $n ./ping && numbers $n | sed '1d; s/.*/From 0: PE & is accessible/' | prints
  start $n ./max && numbers $n | sed "s|.*|&/$n  dst = $((n - 1)) $n $((n + 1))|" | prints
  [ $n -gt 1 ] || return 0 # what is left is for two and more
  start $n ./iput && echo 'target on PE 1 is 1 3 5 7 9' | prints
  start $n ./pi && says '^sin\(pi/2\) is 1\.000000$' &&
    # All PEs draw the same numbers: at worst a seventh is independent; 0.03 is five times the deviation.
    awk '/^My pi is/ { seen = $4 > 3.1116 && $4 < 3.1716 } END { exit !seen }' "$tmp/out" &&
    [ "$(grep -c '^from node' "$tmp/out")" -eq $((n - 1)) ] || fail "$title: wrong output"
  case $n in
    2) sum=156a0e1af0914226 ;;
    4) sum=a70ebc57a39fd98d ;;
    8) sum=1513f274d76734c6 ;;
    *) return 0 ;;
  esac
  start $n ./all2all 1 512 16 1 && says "^cksum is $sum$"
}
run_fortran() { # processes
  [ $fortran = yes ] || return 0
  start "$1" ./whoami || return 0
  sed -E 's/ +/ /g' "$tmp/out" | grep -oE 'I am [0-9]+ of [0-9]+ *$' | sed 's/ *$//' | sort |
    cmp -s - <(numbers "$1" | sed "s/.*/I am & of $1/" | sort) || fail "$title: wrong output"
  [ "$(grep -c "$(uname -n)" "$tmp/out")" -eq "$1" ] || fail "$title: the host's name is missing"
}
run_all() { # processes...
  local n
  for n do run_c "$n"; run_fortran "$n"; done
}

way='smp'; make_all; make_fortran; run_all 1 2 3 4 8
for way in 'GASNET_AM_ONLY=1' $(networks | sed s/^/GASNET_CONDUIT=/); do
  export "${way?}" GASNET_SUPERNODE_MAXSIZE=1
  [ "$way" != GASNET_AM_ONLY=1 ] || unset GASNET_SUPERNODE_MAXSIZE
  run_all 2 4
  unset "${way%%=*}" GASNET_SUPERNODE_MAXSIZE
done
if [ "${PST_SANITIZE:-no}" = no ]; then
  way='not position-independent'; make_all -no-pie -fno-pie; make_fortran -no-pie -fno-pie; run_all 2
  mkdir static && ln -s "$build"/lib{penstock-shmem,penstock-gasp,gasnet}.a static/
  way='static library'; make_all -Lstatic; make_fortran -Lstatic; run_all 2
  way='unoptimised'; flags+=(-O0); make_all; make_fortran; run_all 2
fi

[ $bad -eq 0 ] || { echo "$bad failures in $count runs"; exit 1; }
[ $fortran = yes ] || echo "listing 11 left out: no Fortran compiler (Debian: apt-get install gfortran)"
echo "ok: $count runs"
