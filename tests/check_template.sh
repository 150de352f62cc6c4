#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# The template of a conduit: its page; in a build with it, programs of the list by it, strangers at its port,
# nodes that die, a limit on descriptors.
# time-limit: 900
# lists: release
set -u
. "$(dirname "$0")/script.sh"

programs='am am_sizes am_flood rma handles implicit coalesce value barrier strided vis_remote notify compute'
programs="$programs death"

# ---- the build ----

has_template() { "$1/bin/gasnet_info" | grep -q '^  template$'; }

# Without the other conduits' libraries. A configured source tree would give this build its configuration: so
# this tree has links to all files but that.
own_build() { # configure's argument...
  local d f p options=(--with-template --without-ofi --without-ucx --without-pmix --without-otf2
    --without-libdw CFLAGS=-O0 "$@") targets='libpenstock-internal.a bin/gasnetrun bin/gasnet_info'
  mkdir "$tmp/src" "$tmp/src/include" "$tmp/build"
  for d in "$src"/*; do [ "${d##*/}" = include ] || ln -s "$d" "$tmp/src"; done
  for f in "$src"/include/*; do [ "${f##*/}" = gasnet_config.h ] || ln -s "$f" "$tmp/src/include"; done
  cd "$tmp/build" || exit 1
  "$tmp/src/configure" "${options[@]}" --enable-werror >"$tmp/out" 2>&1 || { bad configure; exit 1; }
  [ $# -eq 0 ] || for p in $programs; do targets="$targets tests/multi/$p-seq tests/multi/$p-par"; done
  "$make" -j2 $targets >"$tmp/out" 2>&1 || { tail -n 20 "$tmp/out"; bad 'the build'; exit 1; }
  has_template . || bad 'gasnet_info does not name it'
}

# The page's commands build with it and test it: they are run, and this very test too, in their build.
page() { "$src/tests/check_docs.sh" docs/porting.md; }

if has_template "${PST_BUILDDIR:?}"; then cd "$PST_BUILDDIR" || exit 1
elif [ "${PST_SANITIZE:-no}" != no ]; then own_build "--enable-sanitize=$PST_SANITIZE"
elif [ "${PST_DEBUG:-no}" = yes ]; then own_build --enable-debug
else
  own_build
  page || failed=1
  exit $failed
fi

# ---- programs ----

seconds=$((30 * ${PST_TIME_SCALE:-1}))
# run PROCESSES VARIABLE=VALUE... -- PROGRAM [ARGUMENT...]
run() {
  local n=$1 settings=(); shift
  while [ "$1" != -- ]; do settings+=("$1"); shift; done
  shift
  env GASNET_CONDUIT=template GASNET_SUPERNODE_MAXSIZE=1 "${settings[@]}" timeout "$seconds" \
    bin/gasnetrun -n "$n" "tests/multi/$1" "${@:2}" >"$tmp/out" 2>&1
}

for p in $programs; do
  [ $p != death ] || continue
  for mode in seq par; do
    run 3 GASNET_PROGRESS_THREAD=$([ $p = compute ] && echo 1 || echo 0) -- $p-$mode --scale 0.05 ||
      bad "$p-$mode: code $?"
  done
  # By messages alone a node that computes makes others wait.
  [ $p = compute ] || run 2 GASNET_AM_ONLY=1 -- $p-par --scale 0.05 || bad "$p-par, AM_ONLY: code $?"
done
run 5 GASNET_SUPERNODE_MAXSIZE=2 -- am-par --scale 0.05 || bad "two conduits in one job: code $?"

# ---- strangers ----

# They send nothing, half a greeting, a wrong one, and a flood; one of them comes again and again. The job is
# not affected.
run 3 GASNET_SPAWN_VERBOSE=1 -- am-seq --scale 4 &
job=$!
for ((i = 0; i < 100; i++)); do
  port=$(sed -n 's/.*conduit template: TCP, node 0 at 127.0.0.1 port \([0-9]*\)$/\1/p' "$tmp/out" 2>/dev/null)
  [ -z "$port" ] || break
  sleep 0.1
done
met=0
visit() { exec {fd}<>"/dev/tcp/127.0.0.1/$port" && met=$((met + 1)); } 2>/dev/null
for ((i = 0; i < 150; i++)); do visit || break; done
visit && printf '1TSP\1\0\0\0' >&$fd
visit && head -c 40 /dev/zero >&$fd
visit && { printf '1TSP\1\0\0\0'; head -c 32 /dev/urandom; } >&$fd
visit && head -c 1000000 /dev/urandom >&$fd 2>/dev/null
wait $job || bad "strangers: code $?"
[ $met -ge 10 ] || bad "only $met strangers found a port"

# ---- the end ----

seed=${PST_SEED:-$RANDOM}
echo "seed $seed"
for kind in kill=137 abort=134 exit=3 gasnet_exit=7; do
  for place in client handler barrier; do
    run 4 -- death-seq ${kind%=*} $place $seed
    code=$?
    [ $code -eq ${kind#*=} ] || bad "${kind%=*} in $place: code $code"
    grep -q '^victim' "$tmp/out" || bad "${kind%=*} in $place: nobody died"
  done
done
(ulimit -n 16; run 12 -- barrier-seq --scale 0.01) && bad 'too few descriptors: no error'
grep -q 'ulimit -n' "$tmp/out" || bad 'too few descriptors: not said'
exit $failed
