#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# The pkg-config names: gasnet leaves the thread mode to the client, gasnet-smp-MODE defines it. If a
# directory shared/contract lies beside the source tree, its check runs against the installation, too.
# time-limit: 120
set -u
. "$(dirname "$0")/script.sh"
command -v pkg-config >/dev/null || skip "pkg-config is not installed (Debian: apt-get install pkg-config)"
prefix=$tmp/inst
must "make install" "$make" -C "$build" --no-print-directory install "prefix=$prefix" || exit 1
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig

printf '%s\n' '#include <gasnet.h>' 'int main(int c, char **v) { return gasnet_init(&c, &v) != GASNET_OK; }' \
  >"$tmp/t.c"
san=; [ "${PST_SANITIZE:-no}" = no ] || san=-fsanitize=$PST_SANITIZE
# Package and further flags; libraries come last, for linkers that drop unneeded ones.
compile() {
  local package=$1; shift
  ${CC:-cc} $san "$@" $(pkg-config --cflags "$package") "$tmp/t.c" -o "$tmp/t" $(pkg-config --libs \
    "$package") >"$tmp/log" 2>&1
}
for mode in SEQ PAR PARSYNC; do
  package=gasnet-smp-$(echo $mode | tr A-Z a-z)
  compile "$package" && "$tmp/t" ||
    { fail "a client of $package"; cat "$tmp/log"; }
  compile gasnet -DGASNET_$mode && "$tmp/t" ||
    { fail "a $mode client of gasnet"; cat "$tmp/log"; }
  pkg-config --cflags $package | grep -q -- "-DGASNET_$mode\b" || fail "$package does not define GASNET_$mode"
done
pkg-config --cflags gasnet | grep -q GASNET_ && fail "gasnet.pc defines $(pkg-config --cflags gasnet)"
for package in gasnet gasnet-smp-seq; do
  pkg-config --atleast-version=1.18 $package ||
    fail "$package has version $(pkg-config --modversion $package)"
  pkg-config --validate $package || fail "$package.pc is malformed"
done

# The flags of MPI are in the file of what has MPI alone.
if grep -q '^MPI_NAME = .' "$build/Makefile"; then
  pkg-config --validate penstock-xmp-mpi || fail "penstock-xmp-mpi.pc is malformed"
  printf '%s\n' '#include <xmp.h>' 'int main(void) { xmp_init_mpi(0, 0); xmp_finalize_mpi(); return 0; }' \
    >"$tmp/t.c"
  compile penstock-xmp-mpi || { fail "a program of penstock-xmp-mpi"; cat "$tmp/log"; }
  if [ "${PST_SANITIZE:-no}" = no ]; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    must "a program of penstock-xmp-mpi" "$tmp/t"
  fi
  pkg-config --cflags --libs penstock-xmp | grep -E -- '-lmpi|_MPI' && fail "penstock-xmp.pc has MPI"
else
  pkg-config --exists penstock-xmp-mpi && fail "penstock-xmp-mpi.pc was installed, and this build has no MPI"
fi

contract=$src/../shared/contract/check
if [ -x "$contract" ]; then
  LDFLAGS='' CC="${CC:-cc}" CXX="${CXX:-c++}" "$contract" "$prefix" gasnet1 vis || fail "the contract's check"
else
  echo "note: no shared/contract beside the source tree; only our own clients were built"
fi
[ $bad -eq 0 ] && echo ok
exit $bad
