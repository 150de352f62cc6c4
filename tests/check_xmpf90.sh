#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# The Fortran front of the translator with all Fortran of the tree, and with what this machine has: a source
# that nobody edits comes out byte for byte, and one whose statements are all written anew compiles to the
# same instructions, with the same lines. tests/xmpf90 has what is seldom written.
# time-limit: 400
# lists: full short plain
set -u
. "$(dirname "$0")/script.sh"
through=$build/tests/xmpf90/through fc=${FC:-gfortran}
have=yes; command -v "$fc" >/dev/null && "$fc" --version | grep -q 'GNU Fortran' || have=no
includes=("-I$src/include/penstock-shmem" "-I$src/tests/xmpf90")
options=(-w -std=legacy -fcray-pointer -fcoarray=lib -g0 -O1 "-J$tmp/modules")
mkdir "$tmp/modules" "$tmp/came" "$tmp/anew"
cd "$tmp" || exit 1

# Sources of a directory, and what the compiler has; modules come before what uses them.
sources() {
  find "$src/tests/caf/common" "$src/tests" "$src/examples" "$src/bench" -iname '*.f90' -o -iname '*.f'
  find "$("$fc" -print-file-name=finclude 2>/dev/null || echo /nowhere)" /usr/share/cmake*/Modules \
    -iname '*.f90' -o -iname '*.f' 2>/dev/null
}

same_bytes() { # FILE WORD...
  local file=$1; shift
  must "$file $*" "$through" "${includes[@]}" "$@" "$file" && cmp -s "$file" "$tmp/log" ||
    fail "$file does not come out as it came in"
}

# FORM FILE WORD [OPTION]: "x" beside each other, so that the compiler names them alike.
same_code() {
  local form=$1 file=$2 word=$3 preprocess=(); shift 3
  case $file in *.F | *.F90) preprocess=(-cpp "-I$src/tests/caf/common") ;; esac
  if [ ${#preprocess[@]} -gt 0 ]; then
    "$fc" -E "-f$form-form" "${preprocess[@]}" "${includes[@]}" "$file" >came/x 2>err || return 0
  else cp "$file" came/x; fi
  local compile=("$fc" -x f95 "-f$form-form" "${options[@]}" "${includes[@]}" "$@" -S x -o x.s)
  (cd came && "${compile[@]}") >out 2>&1 || return 0
  (cd came && "$through" "$form" "$word" touch "${includes[@]}" x) >anew/x || { fail "$file anew"; return; }
  (cd anew && must "$file, written anew" "${compile[@]}") || { bad=1; return; }
  compiled=$((compiled + 1))
  cmp -s came/x.s anew/x.s && return
  fail "$file, written anew, is another program:"
  diff came/x.s anew/x.s | head
}

# What the compiler says of a source that was written anew, under another name: the same, and it shows the
# user's lines, within statements, too.
same_messages() { # FORM TEXT
  local form=$1
  printf '%b' "$2" >came/x
  (cd came && "$fc" -x f95 "-f$form-form" -fsyntax-only x) >out 2>&1 && fail "the compiler takes wrong $form"
  (cd came && "$through" "$form" touch marked x) >came/y || fail "a wrong source in $form form"
  (cd came && "$fc" -x f95 "-f$form-form" -fsyntax-only y) >"$tmp/log" 2>&1
  [ "$(grep -c '^x:[0-9]*:' out)" -gt 2 ] || fail "the compiler has too few messages"
  diff <(grep -E '^x:[0-9]*:|^ *[0-9]+ \|' out | sed 's/:[0-9]*:$//') \
    <(grep -E '^x:[0-9]*:|^ *[0-9]+ \|' "$tmp/log" | sed 's/:[0-9]*:$//') || fail "messages have other lines"
}
if [ $have = yes ]; then
  same_messages free 'integer i; i = 1\n! c\n\ni = 1; i = "a"\ni = &\n\n 2 + &\n i%x
call f(i, &\n "b"(3))\nend\n'
  same_messages fixed '      INTEGER I; I = 1\nC\n\n      I = 1; I = "A"\n      I = 2 +\nC
     & I%X\n      Q = "A" + 1\n      END\n'
fi

read_and=0 compiled=0
while read -r file; do
  case $file in *.f | *.F) form=fixed ;; *) form=free ;; esac
  same_bytes "$file" "$form"
  same_bytes "$file" "$form" openmp
  read_and=$((read_and + 1))
  [ $have = yes ] || continue
  same_code $form "$file" "$form"
  case $file in */xmpf90/*) same_code $form "$file" openmp -fopenmp ;; esac
done < <(sources)
[ $read_and -gt 30 ] || fail "too few sources were found: $read_and"
if [ $have = yes ]; then [ $compiled -gt 25 ] || fail "too few of them were compiled: $compiled"
else echo "sources were not compiled: there is no gfortran (Debian: apt-get install gfortran)"; fi
echo "$read_and sources, $compiled of them compiled"
exit $bad
