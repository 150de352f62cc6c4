#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# XcalableMP programs in gdb, as gcc and clang compile them: lines, local variables and the stack are the
# user's, and elements of global arrays are shown by the expressions of xmpcc(1), and by the command of
# tools/xmp.gdb whatever their distribution.
# time-limit: 240
# lists: full short plain
set -u
. "$(dirname "$0")/script.sh"
[ "${PST_SANITIZE:-no}" = no ] || skip "sanitizers and gdb disturb each other"
command -v gdb >/dev/null || skip "there is no gdb (Debian: apt-get install gdb)"
gdb -nx -q -batch -ex 'break main' -ex run -ex 'info registers' "$build/examples/hello" 2>&1 |
  grep -q '^[rx]' || skip "gdb may not trace programs here"
program=$src/tests/xmp/programs/debugged.c
cd "$tmp" || exit 1

line() { grep -n "/\* $1 \*/" "$program" | cut -d: -f1; }
text() { sed -n "$1p" "$program"; }
first=$(line 'the first') cyclic=$(line cyclic) filled=$(line filled) looked=$(line looked)
[ -n "$first" ] && [ -n "$cyclic" ] && [ -n "$filled" ] && [ -n "$looked" ] || exit 1

# Each COMMAND on both nodes; a line of the log begins with the node's number.
debug() { # TITLE COMMAND...
  local title=$1 commands=() one; shift
  for one in "$@"; do commands+=(-ex "$one"); done
  must "$title" timeout $((60 * scale)) "$run" -n 2 --tag-output gdb -nx -q -batch \
    -ex 'set width 0' -ex 'set print thread-events off' -x "$src/tools/xmp.gdb" "${commands[@]}" ./debugged
}
# On one of the nodes a line is TEXT, literally.
shows() { # TITLE NODE TEXT
  grep -qxF -- "[$2] $3" "$tmp/log" || { fail "$1: node $2 does not print '$3':"; head -40 "$tmp/log"; }
}
both() { shows "$1" 0 "$2"; shows "$1" 1 "$2"; }
both_numbered() { both "$1" "$2"$'\t'"$(text "$2")"; } # a line as gdb shows it

lines_and_stack() {
  local at=$1
  debug "$at: a loop" "break debugged.c:$first" run backtrace 'print scale' 'print i' next next \
    "tbreak debugged.c:$cyclic" 'delete 1' continue 'print i' 'print last' next \
    "list $((first - 1)),$((first + 1))" 'info symbol fill'
  shows "$at: breakpoint" 0 "Breakpoint 1, fill (scale=2) at $program:$first"
  shows "$at: breakpoint" 1 "Breakpoint 1, fill (scale=2) at $program:$first"
  shows "$at: backtrace" 1 "#0  fill (scale=2) at $program:$first"
  says "$at: backtrace" "^\[1\] #1 .* in main \(\) at $program:[0-9]+\$"
  shows "$at: a local" 0 '$1 = 2'
  shows "$at: the variable of a loop" 0 '$2 = 0'; shows "$at: the variable of a loop" 1 '$2 = 12'
  both_numbered "$at: next" $((first + 1)); both_numbered "$at: next" $((first + 2))
  shows "$at: a cyclic loop" 0 '$3 = 0'; shows "$at: a cyclic loop" 1 '$3 = 2'
  shows "$at: a local of a cyclic loop" 1 '$4 = 2002'
  for n in $((first - 1)) "$first" $((first + 1)) "$cyclic"; do both_numbered "$at: list" "$n"; done
}

# Of block rows 0..11 are on node 0, and 12..23 on node 1; of dealt 0, 1, 4, 5, ... on node 0.
elements() {
  local at=$1 elsewhere='the element is on another node, or beyond the array'
  debug "$at: elements" "break debugged.c:$filled" run 'print block[5]' 'print block[12]' \
    'print rows[14][3]' 'print (*columns)[3 * _xmp_d_columns->ld[1] + 4]' 'xmp block 5' \
    'xmp block 12' 'xmp rows 14 3' 'xmp columns 3 4' 'xmp cube 2 4 2' 'xmp dealt 5 1' \
    'xmp dealt 7 1' 'xmp fixed 13' 'xmp given 1 13' 'xmp block 25' 'xmp rows 3' xmp \
    "tbreak debugged.c:$looked" continue 'xmp m 2 20' 'xmp own 20' 'xmp block 2*6'
  shows "$at: block" 0 '$1 = 10'
  shows "$at: a shadow" 0 '$2 = 24'; shows "$at: block" 1 '$2 = 24'
  shows "$at: rows of a constant length" 1 '$3 = 143'
  shows "$at: rows of a length that is not constant" 0 '$4 = 304'
  shows "$at: xmp, block" 0 '$5 = 10'; shows "$at: xmp, a shadow" 0 '$6 = 24'
  shows "$at: xmp, columns" 0 '$7 = 304'; shows "$at: xmp, three dimensions" 0 '$8 = 2004'
  shows "$at: xmp, cyclic" 0 '$9 = 2005'; shows "$at: xmp, block" 1 '$5 = 24'
  shows "$at: xmp, rows" 1 '$6 = 143'; shows "$at: xmp, cyclic" 1 '$7 = 2007'
  shows "$at: xmp, of a template that was fixed later" 1 '$8 = 91'
  shows "$at: xmp, of xmp_malloc" 1 '$9 = -13'
  shows "$at: xmp, a parameter" 1 '$10 = 220'
  shows "$at: xmp, of a function" 1 '$11 = 221'; shows "$at: xmp, an expression" 1 '$12 = 24'
  shows "$at: xmp" 0 "$elsewhere"; shows "$at: xmp" 1 "$elsewhere"
  both "$at: subscripts" 'rows: 2 dimensions, and 1 given'
  both "$at: nothing given" 'xmp ARRAY SUBSCRIPT...: the element of a global array'
}

for compiler in gcc clang; do
  command -v $compiler >/dev/null || continue
  must "$compiler" "$build/bin/xmpcc" --cc=$compiler -Wall -Wextra -Werror -g -O0 "$program" -o debugged ||
    continue
  lines_and_stack $compiler
  elements $compiler
done
echo "$count steps"
exit $bad
