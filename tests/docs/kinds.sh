# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# What tests/check_docs.sh does with a block of each kind: a function do_KIND, called in the page's directory
# with `block`, the file with its text, and `name`, `given` and `tmp` set. It returns 0 if the block is right;
# otherwise it prints what is wrong. Sourced, not run.

flags=(-std=gnu11 -O1 -Wall -Wextra -Werror)

# ---- C ----

# A program's headers choose the compiler wrapper of a front-end, or the compiler with pkg-config's flags for
# GASNet.
compile() { # OUTPUT SOURCE [-c] OPTION...
  local out=$1 mode='' libraries=(-lm) flags=("${flags[@]}"); shift
  ! grep -q '#pragma omp' "$1" || flags+=(-fopenmp)
  if grep -qE '#pragma xmp|#include.*<xmp' "$1"; then
    [ "${2-}" != -c ] || libraries=()
    ! grep -q '#include.*mpi\.h' "$1" || libraries+=(--mpi)
    xmpcc "${flags[@]}" -o "$out" "$@" "${libraries[@]}"; return
  fi
  if grep -q '#include.*shmem\.h' "$1"; then oshcc "${flags[@]}" -o "$out" "$@"; return; fi
  if grep -q '#include.*upc_memory\.h' "$1"; then upccc "${flags[@]}" -o "$out" "$@"; return; fi
  if grep -q '#include.*gasnet' "$1"; then
    grep -qE 'define +GASNET_(SEQ|PAR|PARSYNC)' "$1" || mode=-DGASNET_SEQ
    mode="$mode $(pkg-config --cflags gasnet)" libraries=($(pkg-config --libs gasnet) -lm)
  fi
  [ "${2-}" != -c ] || libraries=()
  cc "${flags[@]}" $mode "$@" -o "$out" "${libraries[@]}"
}

# Each line of the block is in a file of the source tree, in the same order.
excerpt() {
  awk 'NR == FNR { line[++n] = $0; next }
       at < n && line[at + 1] ~ /^[ \t]*$/ { at++ }
       at < n && $0 == line[at + 1] { at++ }
       END { while (at < n && line[at + 1] ~ /^[ \t]*$/) at++
             if (at < n) { print "this is not in the file, or not in this order: " line[at + 1]; exit 1 } }' \
               "$block" "$src/$name"
}

frame_headers() {
  case $(cat "$block" "$given") in
    *gasnet*) printf '#include <%s>\n' gasnet.h gasnet_vis.h gasnet_tools.h gasnetx.h ;;
    *'#pragma xmp'*) echo '#include <xmp.h>' ;;
    *shmem_*) echo '#include <mpp/shmem.h>' ;;
    *upc_*) echo '#include <upc_memory.h>' ;;
  esac
  printf '#include <%s>\n' stdio.h stdlib.h string.h stdint.h
  cat "$given"
}
# As the body of a function, or else as code outside of functions.
fragment() {
  {
    frame_headers; echo 'void fragment(void);'; echo 'void fragment(void) {'; echo "#line 1 \"$where\""
    cat "$block"; echo ';}'
  } >"$tmp/inside.c"
  { frame_headers; echo "#line 1 \"$where\""; cat "$block"; } >"$tmp/outside.c"
  compile "$tmp/fragment.o" "$tmp/inside.c" -c -Wno-unused >"$tmp/inside.log" 2>&1 ||
    compile "$tmp/fragment.o" "$tmp/outside.c" -c -Wno-unused >/dev/null 2>&1 || {
    cat "$tmp/inside.log"; return 1
  }
}

do_c() {
  case $name in
    */*) [ -f "$src/$name" ] || { echo "there is no $name"; return 1; }; excerpt; return ;;
    -) ;;
    *) cp "$block" "$name"; later "$name" ;;
  esac
  if ! grep -qE '\bmain *\(' "$block"; then [ "$name" != - ] || fragment; return; fi
  cp "$block" program.c
  compile program program.c || return
  [ "$name" != - ] || "${limit[@]}" gasnetrun -n 4 ./program
}

# Who speaks of images is for caf, else it is a program of OpenSHMEM.
do_fortran() {
  local wrapper=oshfort
  ! grep -qE 'this_image|num_images' "$block" || wrapper=caf
  command -v $wrapper >/dev/null && command -v "${FC:-gfortran}" >/dev/null || {
    skip "there is no Fortran compiler (Debian: gfortran)"; return
  }
  [ "$name" = - ] || { cp "$block" "$name"; later "$name"; return; }
  cp "$block" program.f90
  $wrapper program.f90 -o program && "${limit[@]}" gasnetrun -n 4 ./program
}

# ---- commands ----

# "command # exits with N" must do so; all others must succeed.
codes() {
  awk '!/# exits with [0-9]+[ \t]*$/ { print; next }
       { print "set +e"; print; printf "pst_code=$?; set -e; "
         printf "[ $pst_code -eq %d ] || { echo \"exit code $pst_code: line %d\"; exit 1; }\n", $NF, NR }' \
           "$1"
}

do_sh() {
  if [ "$name" != - ]; then cp "$block" "$name"; chmod +x "$name"; later "$name"; bash -n "$name"; return; fi
  { echo 'set -e'; localised "$block" >"$tmp/localised"; codes "$tmp/localised"; } >"$tmp/script"
  "${builds_limit[@]}" bash "$tmp/script" </dev/null >"$tmp/printed" 2>&1 && return
  absent_packages || { cat "$tmp/printed"; return 1; }
}
# ./setup asked for packages that apt-get does not install here.
absent_packages() {
  local packages
  packages=$(sed -n 's/^setup: apt-get could not install: \(.*\)\. See its message.*/\1/p' "$tmp/printed")
  [ -n "$packages" ] && skip "there are no Debian packages $packages, or what is in them"
}

# Each "$ command" with the lines that it prints: both outputs together, as compare.awk compares them.
do_console() {
  local i n wrong=0
  rm -f "$tmp"/console.*
  awk -v out="$tmp/console." '
    /^\$ / {
      n++; want = 0; sub(/^\$ /, "")
      print(/# exits with [0-9]+[ \t]*$/ ? $NF : 0) >(out n ".code")
      print >(out n ".command"); printf "" >(out n ".expected"); next
    }
    /^> / && n && !want { sub(/^> /, ""); print >(out n ".command"); next }
    { want = 1; if (!n) { print "output before the first command"; exit 1 } print >(out n ".expected") }
    END { print n + 0 >(out "count") }' "$block" || return
  n=$(cat "$tmp/console.count")
  [ "$n" -gt 0 ] || { echo 'no line begins with "$ "'; return 1; }
  for ((i = 1; i <= n; i++)); do
    printf 'exec >%q 2>&1\n' "$tmp/console.$i.printed"; localised "$tmp/console.$i.command"
    printf 'echo $? >%q\n' "$tmp/console.$i.exit"
  done >"$tmp/script"
  "${limit[@]}" bash "$tmp/script" </dev/null
  skipped_here && return
  for ((i = 1; i <= n; i++)); do compare_one || wrong=1; done
  return $wrong
}
compare_one() {
  local ended differ
  ended=$(cat "$tmp/console.$i.exit" 2>/dev/null || echo none)
  differ=$(awk -f "$src/tests/docs/compare.awk" "$tmp/console.$i.expected" "$tmp/console.$i.printed")
  [ "$ended" != "$(cat "$tmp/console.$i.code")" ] || [ -n "$differ" ] || return 0
  echo "\$ $(cat "$tmp/console.$i.command")"
  echo "exit code $ended; $differ"
  echo "all that it printed:"; cat "$tmp/console.$i.printed"
  return 1
}

# ---- builds ----

do_make() {
  localised "$block" >"${name/#-/Makefile}"
  [ "$name" = - ] || { later "$name"; return; }
  "${limit[@]}" make
}

do_cmake() {
  localised "$block" >"${name/#-/CMakeLists.txt}"
  [ "$name" = - ] || { later "$name"; return; }
  command -v cmake >/dev/null || { skip "cmake is not installed (Debian: cmake)"; return; }
  rm -rf with-cmake
  cmake -S . -B with-cmake -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$(command -v cc)" &&
    cmake --build with-cmake
}

# Pictures of memory, output whose making is shown elsewhere: nothing that a reader would type.
do_text() {
  local names='gasnetrun|oshrun|mpirun|srun|make|cc|gcc|oshcc|upccc|cmake|pkg-config|build/bin/[a-z]+|'\
'\./configure'
  ! grep -nE "^ *(\\$ |($names) )" "$block" || {
    echo "these are commands: their kind is sh or console"; return 1
  }
}
