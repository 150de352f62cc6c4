# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# For scripts that try random programs, after tests/script.sh. The script has a function `one SEED`, which
# makes the program in the directory program, prints what is wrong with it, and leaves more in the file out.

# generator_make LANGUAGE: in the current directory
generator_make() {
  must "the generator" cc -D_GNU_SOURCE -std=gnu11 -O0 -I"$src/tests" -o generator "$src"/tests/random/*.c \
    "$src/tests/$1"/random/*.c || exit 1
}

# seeds_run LANGUAGE SHORT FULL SOAK [FROM [TO]]: so many seeds in the lists, or these. The sources of a
# program that fails stay in tests/log.
seeds_run() {
  local first=${5:-1} last=$4 seed kept what
  case ${PST_LIST:-full} in short) last=$2 ;; full) last=$3 ;; esac
  [ $# -lt 5 ] || last=${6:-$5}
  count=0
  for ((seed = first; seed <= last; seed++)); do
    count=$((count + 1))
    what=$(one "$seed") && continue
    kept=$build/tests/log/$1-random-$seed
    rm -rf "$kept"; cp -r program "$kept"
    fail "seed $seed, $kept: $what"; head -n 12 out | cut -c1-300
  done
  echo "$count programs"
  exit $bad
}
