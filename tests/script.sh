# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# Sourced by scripts tests/check_*.sh, which tests/run starts in a build directory: where things are, a
# directory that goes with the script, what this build has, and a complaint.
LC_ALL=C; export LC_ALL
src=${PST_SRCDIR:-$(cd "$(dirname "$0")/.." && pwd)} build=${PST_BUILDDIR:-$(pwd)}
run=${PST_GASNETRUN:-$build/bin/gasnetrun} make=${MAKE:-make} scale=${PST_TIME_SCALE:-1}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
bad=0 count=0 checks=0 failed=0

skip() { echo "skip: $*" >&2; exit 77; }
conduits() { "$build/bin/gasnet_info" | sed -n '/^conduits/,/^limits/s/^  \([a-z]*\)$/\1/p'; }
networks() { conduits | grep -v '^smp$'; }
has_conduit() { conduits | grep -qx "$1"; }

# What is wrong, and the beginning of what the last command has printed.
bad() { echo "FAIL $*"; head -n 20 "$tmp/out" | cut -c1-300 | sed 's/^/  | /'; failed=1; }
