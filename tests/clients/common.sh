# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# What tests of clients share: an installation, and commands whose output shows only where they fail. The
# working directory is a temporary one.
build=${PST_BUILDDIR:?} clients=${PST_SRCDIR:?}/tests/clients make=${MAKE:-make} cc=${CC:-cc}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
prefix=$tmp/inst lib=$tmp/inst/lib bad=0
san=(); [ "${PST_SANITIZE:-no}" = no ] || san=("-fsanitize=$PST_SANITIZE")
unset MAKEFLAGS MFLAGS MAKELEVEL LD_LIBRARY_PATH
fail() { echo "FAIL: $*"; bad=1; }
must() { # title, command...
  local title=$1; shift
  "$@" >log 2>&1 || { fail "$title"; tail -15 log; return 1; }
}
finish() {
  [ $bad -eq 0 ] && echo ok
  exit $bad
}
must "make install" "$make" -C "$build" --no-print-directory install "prefix=$prefix" || exit 1
