#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# XcalableMP programs that check themselves (tests/xmp/language): the chapter's examples, and what C allows
# around directives. Each is compiled by gcc and clang in several dialects of C, with and without
# optimization, without a warning; the nodes that it wants are in its first line.
# time-limit: 400
# lists: full short plain
set -u
. "$(dirname "$0")/script.sh"
xmpcc=$build/bin/xmpcc programs=$src/tests/xmp/language
san=(); [ "${PST_SANITIZE:-no}" = no ] || san=("-fsanitize=$PST_SANITIZE")
export OMP_NUM_THREADS=2
cd "$tmp" || exit 1

# PROGRAM COMPILER OPTION...: its sources are PROGRAM.c and, where there is one, PROGRAM_other.c.
try() {
  local name=$1 compiler=$2 nodes sources=("$programs/$1.c"); shift 2
  [ ! -f "$programs/${name}_other.c" ] || sources+=("$programs/${name}_other.c")
  nodes=$(sed -n '1s/.*nodes: \([0-9]*\).*/\1/p' "${sources[0]}")
  [[ $name != openmp* ]] || set -- -fopenmp "$@"
  must "$name: $compiler $*" "$xmpcc" "--cc=$compiler" -Wall -Wextra -Werror "$@" "${san[@]}" \
    "${sources[@]}" -o "$name" || return
  must "$name: $compiler $*, $nodes nodes" timeout $((60 * scale)) \
    "$run" -n "$nodes" "./$name" one 'two words'
}

# The program that --translate shows does the same.
try_translated() {
  local name=$1 nodes options=(-w); shift
  nodes=$(sed -n '1s/.*nodes: \([0-9]*\).*/\1/p' "$programs/$name.c")
  [[ $name != openmp* ]] || options+=(-fopenmp)
  must "$name: --translate" "$xmpcc" "${options[@]}" --translate "$programs/$name.c" -o translated.c &&
    must "$name: of --translate" "$xmpcc" "${options[@]}" "$@" "${san[@]}" translated.c -o "$name" || return
  must "$name: of --translate, $nodes nodes" timeout $((60 * scale)) \
    "$run" -n "$nodes" "./$name" one 'two words'
}

compilers=(); for c in gcc clang; do [ -z "$(command -v $c)" ] || compilers+=("$c"); done
[ ${#compilers[@]} -gt 0 ] || compilers=(cc)
dialects=('-std=gnu11 -O2' '-std=gnu90 -O0' '-std=c99 -O1' '-std=gnu17 -O3' '-std=c11 -O0 -g')
[ "${PST_LIST:-full}" != short ] || dialects=("${dialects[0]}")
turn=0
for file in "$programs"/*.c; do
  name=$(basename "$file" .c)
  case $name,${PST_SANITIZE:-no} in
    *_other,*) continue ;;
    openmp*,thread) echo "left out: $name: the runtime of OpenMP is not instrumented"; continue ;;
  esac
  for dialect in "${dialects[@]}"; do
    # shellcheck disable=SC2086
    try "$name" "${compilers[turn++ % ${#compilers[@]}]}" $dialect
  done
  [ ! -f "$programs/${name}_other.c" ] || continue
  case ${PST_LIST:-full}/$name in full/* | short/chapter_loop) try_translated "$name" ;; esac
done
echo "$count steps"
exit $bad
