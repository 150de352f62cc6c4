#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# Jobs that begin in a constructor (tests/front/early.c), which is in the program or in a library: what they
# print when they end in each way, without a launcher too, and messages about a start that fails.
# time-limit: 120
set -u
. "$(dirname "$0")/script.sh"
cd "$tmp" || exit 1
unset GASNET_PSHM_NODES PENSTOCK_LAUNCH

try() { # CODE COMMAND...
  local expected=$1; shift
  timeout -k 5 $((30 * scale)) "$@" >out 2>err </dev/null
  code=$?
  holds "$*: code $code, not $expected" [ $code -eq "$expected" ]
}
printed() { # NUMBER LINE
  local n
  n=$(grep -cE "^$2\$" out)
  holds "'$2' $n times, not $1" [ "$n" -eq "$1" ]
}

for program in early early_library; do
  way=$program
  early=$build/tests/front/$program
  for how in 'return 0' fork helper; do
    try 0 "$run" -n 3 "$early" $how
    printed 3 'node [0-2] left'
    printed 1 'the last node ends'
  done
  # A failure ends the job at once, and what the node has printed is seen.
  for how in 'return 7' 'exit 5' 'raise 15'; do
    code=${how#* }
    [ "$how" = 'raise 15' ] && code=143
    try "$code" "$run" -n 3 "$early" $how
    printed 0 'node 2 left'
    printed 1 'the last node ends'
  done
  try 3 "$run" -n 3 "$early" _exit 3
  try 134 "$run" -n 3 "$early" abort

  # Without a launcher it is a job of one node, or starts its nodes itself.
  try 4 "$early" return 4
  try 0 "$early" return 0
  printed 1 'node 0 left'
  try 0 env GASNET_PSHM_NODES=3 "$early" return 0
  printed 3 'node [0-2] left'
  try 5 env GASNET_PSHM_NODES=3 "$early" exit 5

  # A start that fails ends before main, with a message.
  for bytes in 0x4000000000000000 4097; do
    try 1 "$run" -n 2 env EARLY_BYTES=$bytes "$early"
    holds "EARLY_BYTES=$bytes: no message" grep -qE \
      '^penstock: node [01] of 2: the start before main: cannot get memory for the segment: ' err
    printed 0 'the last node ends'
  done
done
echo "$checks checks, $bad failures"
exit $((bad != 0))
