#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# Random programs with Fortran's coarrays (tests/caf/random) print what their generator says: 4 of them, 30 in
# the full list, 1,000 in the soak, each in one of the ways in which images reach each other.
# tests/check_caf_random.sh FROM TO, in a build directory, takes the seeds from one to another; the sources of
# a program that fails stay in tests/log.
# time-limit: 300
# lists: full short soak
set -u
. "$(dirname "$0")/script.sh"
fc=$(sed -n 's/^CAF_FC = //p' "$build/Makefile")
[ -n "$fc" ] || skip "no gfortran was found whose coarrays are served (Debian: apt-get install gfortran)"
[ "${PST_SANITIZE:-no}" = no ] || skip "programs of gfortran have other run-time libraries of sanitizers"
case ${PST_LIST:-full} in short) last=4 ;; soak) last=1000 ;; *) last=30 ;; esac
first=${1:-1} last=${2:-${1:-$last}}
kept=$build/tests/log limit=$((60 * scale))
cd "$tmp" || exit 1

must "the generator" cc -D_GNU_SOURCE -std=gnu11 -O0 -o generator "$src"/tests/caf/random/*.c
[ $bad = 0 ] || exit 1
count=0
ways=("" GASNET_SUPERNODE_MAXSIZE=1 GASNET_AM_ONLY=1 "GASNET_AM_ONLY=1 GASNET_SUPERNODE_MAXSIZE=2")
for network in $(networks | grep -v template); do
  for most in 1 3; do ways+=("GASNET_CONDUIT=$network GASNET_SUPERNODE_MAXSIZE=$most"); done
done

one() { # SEED
  local way=${ways[$1 % ${#ways[@]}]} optimize=-O$(($1 / 3 % 3)) images
  rm -rf program; mkdir program
  ./generator "$1" program || return
  images=$(sed -n '1s/.*images: \([0-9]*\).*/\1/p' program/random.f90)
  "$build/bin/caf" $optimize -w -ffree-line-length-none program/random.f90 -o random >out 2>&1 ||
    { echo "it is not compiled with $optimize:"; return 1; }
  # shellcheck disable=SC2086
  env $way timeout "$limit" "$run" -n "$images" ./random >lines 2>out </dev/null ||
    { echo "$images images, $optimize${way:+, $way}: code $?"; return 1; }
  sort lines >is; sort program/printed >wanted
  diff is wanted >out ||
    { echo "$images images, $optimize${way:+, $way}: < it printed, > is right"; return 1; }
}

for ((seed = first; seed <= last; seed++)); do
  count=$((count + 1))
  what=$(one "$seed") && continue
  rm -rf "$kept/caf-random-$seed"; cp -r program "$kept/caf-random-$seed"
  fail "seed $seed, $kept/caf-random-$seed: $what"; head -n 12 out | cut -c1-300
done
echo "$count programs"
exit $bad
