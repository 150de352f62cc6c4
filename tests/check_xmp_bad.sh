#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# Wrong programs (tests/xmp/bad/programs): xmpcc says what is wrong, and at which line and column, before
# anything else; it makes no object, and ends with 1. What only running shows is in
# tests/check_xmp_misuse.sh.
# time-limit: 60
# lists: full short plain
set -u
. "$(dirname "$0")/script.sh"
xmpcc=$build/bin/xmpcc
cd "$tmp" || exit 1
awk '/^---- / { file = $2 ".c"; sub(/^---- [^ ]* /, ""); print >(file ".wanted"); next }
  file { print >file }' \
  "$src/tests/xmp/bad/programs"
for file in *.c; do
  count=$((count + 1))
  read -r wanted <"$file.wanted"
  wanted="$file:${wanted%%: *}: error: ${wanted#*: }"
  "$xmpcc" -c "$file" -o object.o >log 2>&1
  code=$?
  [ $code -eq 1 ] || { fail "$file: exit code $code"; head -n 5 log; }
  [ ! -e object.o ] || fail "$file: there is an object"
  rm -f object.o
  first=$(grep -m 1 -E '^[^ ]*:[0-9]+:[0-9]+: ' log)
  [ "$first" = "$wanted" ] || fail "$file: it says
  $first
and should say
  $wanted"
done
[ "$count" -gt 50 ] || fail "only $count programs were found"
echo "$count programs"
exit $bad
