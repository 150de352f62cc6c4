# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# What tests of clients share: an installation, and commands whose output shows only where they fail. The
# working directory is a temporary one.
. "${PST_SRCDIR:?}/tests/script.sh"
clients=$src/tests/clients cc=${CC:-cc}
cd "$tmp" || exit 1
prefix=$tmp/inst lib=$tmp/inst/lib
san=(); [ "${PST_SANITIZE:-no}" = no ] || san=("-fsanitize=$PST_SANITIZE")
unset LD_LIBRARY_PATH
finish() {
  [ $bad -eq 0 ] && echo ok
  exit $bad
}
must "make install" "$make" -C "$build" --no-print-directory install "prefix=$prefix" || exit 1
