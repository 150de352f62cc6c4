#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# The ENVIRONMENT section of man/gasnet_info.1 is what gasnet_info --env --man prints, so that one table
# serves both. The manual describes an installed library: it omits variables that only tests need. And
# gasnet_info refuses clearly what it does not know.
# time-limit: 20
# lists: full short plain
set -u
. "$(dirname "$0")/script.sh"
info=$build/bin/gasnet_info

"$info" --env --man >"$tmp/all" || fail "gasnet_info --env --man: exit code $?"
# Each entry is ".TP", its name, and the text before the next.
awk '/^\.TP$/ { held = 1; next }
     held { held = 0; left_out = /GASNET_(OFI_MR|OFI_WITHOUT|UCX_WITHOUT)$/; if (!left_out) print ".TP" }
     /^\.S/ { left_out = 0 }
     !left_out' "$tmp/all" >"$tmp/table"
awk '/^\.SH/ { on = ($2 == "ENVIRONMENT") } on' "$src/man/gasnet_info.1" >"$tmp/manual"
diff "$tmp/manual" "$tmp/table" ||
  fail "man/gasnet_info.1 differs from the tables of variables: put the output of gasnet_info --env "\
"--man there"

expect() { # exit code, text, options...
  code=$1 text=$2; shift 2
  "$info" "$@" >"$tmp/out" 2>&1; got=$?
  [ $got -eq "$code" ] || fail "gasnet_info $*: exit code $got, expected $code"
  grep -q -e "$text" "$tmp/out" || fail "gasnet_info $*: does not say \"$text\""
}
expect 0 'usage:' --help
expect 0 '^penstock [0-9]' --version
expect 0 'medium message'
expect 0 '^GASNET_MAX_SEGSIZE' --env
expect 2 '--names goes with --report' --names
expect 2 'unknown option --nonsense' --nonsense
expect 2 'unexpected argument word' word
expect 2 '--man goes with --env' --man
expect 2 'do not go together' --env --vis-cost
expect 0 '^ *transfer  *[0-9]' --vis-cost
expect 0 'go by themselves' --vis-cost
GASNET_VIS_COST=transfer=5000,chunk=4096; export GASNET_VIS_COST
expect 0 '^ *transfer  *5000 ' --vis-cost
expect 0 '^ *chunk  *4096 ' --vis-cost
GASNET_VIS_COST=transfer=5000,nonsense=1
expect 1 'GASNET_VIS_COST="transfer=5000,nonsense=1".*names: transfer' --vis-cost
unset GASNET_VIS_COST
expect 2 'do not go together' --env --coll-cost
expect 0 '^ *latency  *[0-9]' --coll-cost
GASNET_COLLECTIVE_COST=kb=77; export GASNET_COLLECTIVE_COST
expect 0 '^ *kb  *77 ' --coll-cost
expect 0 'exchanges of halves.*from' --coll-cost
GASNET_COLLECTIVE_COST=kb=77,speed=1
expect 1 'GASNET_COLLECTIVE_COST="kb=77,speed=1".*names: latency' --coll-cost
unset GASNET_COLLECTIVE_COST
GASNET_BARRIER=NONSENSE; export GASNET_BARRIER
expect 1 'NOT VALID: it must be AUTO' --env
[ $bad -eq 0 ] && echo "ok"
exit $bad
