#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# A library configured without --enable-fault-injection has no code for faults that tests inject, and tests
# that need them are skipped with the reason. If this build has them, a plain one is made.
# time-limit: 300
# lists: full
set -u
LC_ALL=C; export LC_ALL
src=${PST_SRCDIR:?} build=${PST_BUILDDIR:?} make=${MAKE:-make}
[ "${PST_SANITIZE:-no},${PST_DEBUG:-no}" = no,no ] ||
  { echo 'skip: the release build looks at what is configured without debugging' >&2; exit 77; }
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0
bad() { echo "FAIL $*"; tail -n 20 "$tmp/out" | cut -c1-250 | sed 's/^/  | /'; failed=1; }
variables='GASNET_(OFI_MR|OFI_WITHOUT|UCX_WITHOUT)'
code='pst_net_room|pst_(ofi|ucx)_(faults_[a-z_]*|without|mr_forced|mr_parse|without_parse)|pst_namelist'

: >"$tmp/out"
if [ "${PST_FAULTS:-}" = yes ]; then
  [ "$("$build/bin/gasnet_info" --env | grep -cE "^$variables")" -eq 3 ] ||
    bad 'gasnet_info --env lacks variables here'
  grep -qE "$variables" "$build/libgasnet.so" || bad 'the search finds nothing where there is something'
  "$build/bin/gasnet_info" | grep -q 'fault injection  *yes' || bad 'gasnet_info does not tell'
  # The sources, without what a configuration may have left in them.
  mkdir "$tmp/src" "$tmp/src/include" "$tmp/build" && cd "$tmp/build" || exit 1
  for d in "$src"/*; do [ "${d##*/}" = include ] || ln -s "$d" "$tmp/src"; done
  for f in "$src"/include/*; do [ "${f##*/}" = gasnet_config.h ] || ln -s "$f" "$tmp/src/include"; done
  "$tmp/src/configure" --enable-werror >"$tmp/out" 2>&1 || { bad configure; exit 1; }
  "$make" -j2 libgasnet.so libgasnet.a bin/gasnetrun bin/gasnet_info >"$tmp/out" 2>&1 ||
    { bad 'the build'; exit 1; }
  build=$tmp/build
fi

"$build/bin/gasnet_info" --env >"$tmp/out" || bad 'gasnet_info --env'
! grep -qE "$variables" "$tmp/out" || bad 'gasnet_info --env has the variables'
for f in libgasnet.so libgasnet.a; do
  ! grep -qE "$variables" "$build/$f" || bad "$f knows the variables"
  ! nm "$build/$f" 2>"$tmp/out" | grep -E " [TtDdBb] ($code)" >"$tmp/out" || bad "$f has the code"
done
# A value that a build with faults would refuse is not read.
GASNET_PSHM_NODES=1 GASNET_UCX_WITHOUT=nonesuch "$build/bin/gasnet_info" --env >"$tmp/out" 2>&1 ||
  bad 'the variable is read'

# If this build is plain, the run around this one shows that.
[ "$build" = "$tmp/build" ] && "$build/bin/gasnet_info" | grep -q '^  ofi$' || exit $failed
env -u PST_ONLY "$src/tests/run" 'am --scale 0.1 x3 GASNET_OFI_WITHOUT=multi_recv' >"$tmp/out" 2>&1
reason='only builds with --enable-fault-injection know GASNET_OFI_WITHOUT'
grep -q "^skip .*GASNET_OFI_WITHOUT=multi_recv .*: $reason\$" "$tmp/out" ||
  bad 'a test that needs them does not say why it is skipped'
grep -q '^0 passed, 0 failed, [1-9] skipped$' "$tmp/out" || bad 'a test that needs them is not skipped'
exit $failed
