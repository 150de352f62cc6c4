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

# What follows from a wrong declaration is not said again.
once() {
  local name=$1 wrong=$2 said
  printf '#pragma xmp %s\n' 'nodes p[4]' 'template t[12]' 'distribute t[block] onto p' >"$name.c"
  sed -i "/^#pragma xmp ${wrong%% *} /s/.*/#pragma xmp $wrong/" "$name.c"
  cat >>"$name.c" <<'END'
int a[12], b[12];
#pragma xmp align a[i] with t[i]
#pragma xmp align b[i] with t[i]
#pragma xmp shadow a[1]
int f(int x)
{
#pragma xmp loop on t[i]
  for (int i = 0; i < 12; i++) a[i] = b[i];
#pragma xmp reflect(a)
#pragma xmp task on p[1]
  x = 1;
#pragma xmp bcast(x) from p[1]
#pragma xmp array on t[:]
  a[:] = 3;
  return x + a[3];
}
END
  "$xmpcc" -c "$name.c" -o object.o >log 2>&1
  said=$(grep -c ': error: ' log)
  [ "$said" -eq 1 ] || { fail "$name: $said errors"; cat log; }
}
once wrong_nodes 'nodes p[4.5]'
once wrong_template 'template t[12.]'
once wrong_format 'distribute t[blok] onto p'
once wrong_onto 'distribute t[block] onto t'

[ "$count" -gt 50 ] || fail "only $count programs were found"
echo "$count programs"
exit $bad
