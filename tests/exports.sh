# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# What tests/check_exports.sh, check_upc_exports.sh and check_shmem_exports.sh share: names that libraries define and export.
src=${PST_SRCDIR:?} build=${PST_BUILDDIR:?}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
LC_ALL=C; export LC_ALL
bad=0
differ() { # message, file of names
  [ -s "$2" ] || return 0
  echo "FAIL: $1:"; sed 's/^/    /' "$2"; bad=1
}

# Sanitizers and the linker define these in each library.
made_by_tools='__(asan|tsan|ubsan|odr_asan)|_init$|_fini$|DW\.ref'

# Without versions, and the names of these.
exported_by() { # shared library
  nm -D --defined-only "$build/$1" | awk '{ sub(/@.*/, "", $NF); print $NF }' | grep -Ev "^(LIB[A-Z_]+_[0-9.]+|$made_by_tools)" | sort -u >"$tmp/exported"
  [ -s "$tmp/exported" ] || { echo "FAIL: nm finds no symbols in $build/$1"; exit 1; }
}
defined_by() { # static library; without weak ones
  nm -g --defined-only "$build/$1" 2>/dev/null | awk 'NF == 3 && $2 != "w" { print $3 }' | grep -Ev "^($made_by_tools)" | sort -u >"$tmp/defined"
  [ -s "$tmp/defined" ] || { echo "FAIL: nm finds no symbols in $build/$1"; exit 1; }
}
