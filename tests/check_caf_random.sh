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
. "$src/tests/random/seeds.sh"
need_caf
limit=$((60 * scale))
cd "$tmp" || exit 1

generator_make caf
ways=("" GASNET_SUPERNODE_MAXSIZE=1 GASNET_AM_ONLY=1 "GASNET_AM_ONLY=1 GASNET_SUPERNODE_MAXSIZE=2")
for network in $(networks | grep -v template); do
  for most in 1 3; do ways+=("GASNET_CONDUIT=$network GASNET_SUPERNODE_MAXSIZE=$most"); done
done

# gfortran has defects that depend on where its memory lies. Such programs are left out, where they are few.
breaks_down() { # SEED OPTION
  grep -q 'internal compiler error' out || return
  echo "left out: gfortran breaks down at seed $1 with $2" | tee -a broken >&2
  [ "$(wc -l <broken)" -le $((2 + count / 100)) ]
}

one() { # SEED
  local way=${ways[$1 % ${#ways[@]}]} optimize=-O$(($1 / 3 % 3)) images
  rm -rf program; mkdir program
  ./generator "$1" program || return
  images=$(sed -n '1s/.*images: \([0-9]*\).*/\1/p' program/random.f90)
  "$build/bin/caf" $optimize -w -ffree-line-length-none program/random.f90 -o random >out 2>&1 || {
    breaks_down "$1" $optimize && return
    echo "it is not compiled with $optimize:"; return 1
  }
  # shellcheck disable=SC2086
  env $way timeout "$limit" "$run" -n "$images" ./random >lines 2>out </dev/null ||
    { echo "$images images, $optimize${way:+, $way}: code $?"; return 1; }
  sort lines >is; sort program/printed >wanted
  diff is wanted >out ||
    { echo "$images images, $optimize${way:+, $way}: < it printed, > is right"; return 1; }
}

seeds_run caf 4 30 1000 "$@"
