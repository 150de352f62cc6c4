#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# Random XcalableMP programs (tests/xmp/random) print the same as what they are without their directives: 12
# of them, 100 in the full list, 10,000 in the soak, but for the short list every tenth of them also over a
# network. tests/check_xmp_random.sh FROM TO, in a build directory,
# takes the seeds from one to another; the sources of a program that fails stay in tests/log.
# time-limit: 600
# lists: full short soak
set -u
. "$(dirname "$0")/script.sh"
. "$src/tests/random/seeds.sh"
xmpcc=$build/bin/xmpcc
san=(); [ "${PST_SANITIZE:-no}" = no ] || san=("-fsanitize=$PST_SANITIZE")
compilers=(cc); [ -z "$(command -v clang)" ] || compilers+=(clang)
limit=$((60 * scale))
export OMP_NUM_THREADS=2
cd "$tmp" || exit 1

generator_make xmp
echo 'int main(void) { return 0; }' >probe.c
# ThreadSanitizer sees races in the runtime of OpenMP, which is not instrumented.
has_openmp() { [ "${PST_SANITIZE:-no}" != thread ] && "$1" -fopenmp probe.c -o probe >out 2>&1; }

others=(); [ "${PST_LIST:-full}" = short ] || mapfile -t others < <(networks | grep -v template)

# What it prints, sorted: where tasks run side by side the order of lines is not given.
one() { # SEED
  local compiler=${compilers[$1 % ${#compilers[@]}]} optimize=-O$((($1 / 2) % 4)) nodes
  rm -rf program; mkdir program
  ./generator "$1" program || return
  nodes=$(sed -n '1s/.*nodes: \([0-9]*\).*/\1/p' program/random.c)
  cc -w -std=gnu11 -o serial program/*.c -lm >out 2>&1 || { echo "as a serial program:"; return 1; }
  ./serial >lines || { echo "as a serial program: code $?"; return 1; }
  sort lines >wanted
  ! has_openmp "$compiler" || optimize="$optimize -fopenmp"
  # shellcheck disable=SC2086
  "$xmpcc" "--cc=$compiler" -w -std=gnu11 $optimize "${san[@]}" program/*.c -o random -lm >out 2>&1 ||
    { echo "$compiler:"; return 1; }
  runs_as_serial "$nodes nodes, $compiler $optimize" "$nodes" || return
  [ ${#others[@]} -gt 0 ] && [ $(($1 % 10)) = 0 ] || return 0
  local network=${others[$1 / 10 % ${#others[@]}]}
  GASNET_CONDUIT=$network GASNET_SUPERNODE_MAXSIZE=1 \
    runs_as_serial "$nodes nodes, $network, $compiler $optimize" "$nodes"
}

runs_as_serial() { # title, nodes
  timeout "$limit" "$run" -n "$2" ./random >lines 2>out || { echo "$1: code $?"; return 1; }
  sort lines >printed
  diff printed wanted >out || { echo "$1: < it printed, > the serial program did"; return 1; }
}

seeds_run xmp 12 100 10000 "$@"
