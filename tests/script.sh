# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# Sourced by scripts tests/check_*.sh, which tests/run starts in a build directory: where things are, a
# directory that goes with the script, what this build has, and complaints.
LC_ALL=C; export LC_ALL
src=${PST_SRCDIR:-$(cd "$(dirname "$0")/.." && pwd)} build=${PST_BUILDDIR:-$(pwd)}
run=${PST_GASNETRUN:-$build/bin/gasnetrun} make=${MAKE:-make} scale=${PST_TIME_SCALE:-1}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
unset MAKEFLAGS MFLAGS MAKELEVEL
bad=0 count=0 checks=0 failed=0 code=0 way=''

skip() { echo "skip: $*" >&2; exit 77; }
conduits() { "$build/bin/gasnet_info" | sed -n '/^conduits/,/^limits/s/^  \([a-z]*\)$/\1/p'; }
networks() { conduits | grep -v '^smp$'; }
# Into fc, the compiler behind caf.
need_caf() {
  fc=$(sed -n 's/^CAF_FC = //p' "$build/Makefile")
  [ -n "$fc" ] || skip "no gfortran was found whose coarrays are served (Debian: apt-get install gfortran)"
  [ "${PST_SANITIZE:-no}" = no ] || skip "caf links no program with the sanitizers' run-time libraries"
}
has_conduit() { conduits | grep -qx "$1"; }

# ---- complaints about what the last command has printed, in $tmp/out ----

bad() { echo "FAIL $*"; head -n 20 "$tmp/out" | cut -c1-300 | sed 's/^/  | /'; failed=1; }

# ---- commands whose output, in $tmp/log, shows only where something is wrong ----

fail() { echo "FAIL: $*"; bad=1; }
# expect CODE TITLE COMMAND...: leaves what it printed in $tmp/log
expect() {
  local code=$1 title=$2 rc; shift 2
  count=$((count + 1))
  "$@" >"$tmp/log" 2>&1 </dev/null
  rc=$?
  [ $rc -eq "$code" ] || { fail "$title: exit code $rc, not $code: $*"; tail -n 15 "$tmp/log"; return 1; }
}
must() { expect 0 "$@"; }
says() { grep -Eq -- "$2" "$tmp/log" || { fail "$1: nothing like $2 in:"; head -15 "$tmp/log"; }; }
silent() { ! grep -Eq -- "$2" "$tmp/log" || { fail "$1: $2 in:"; head -15 "$tmp/log"; }; }

# ---- conditions on a job that has ended with `code`, whose output is in out and err ----

holds() { # WHAT COMMAND...
  local what=$1; shift
  checks=$((checks + 1))
  "$@" && return
  bad=$((bad + 1))
  echo "FAIL ${way:+$way: }$what (code $code)"; tail -n 15 out err | cut -c1-300
}
