#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# The style that a program can check: each source begins with its licence, no line of C or of a script is
# longer than 110 columns, and C is as clang-format 14 writes it by .clang-format. Other versions of
# clang-format differ, so they are not used.
# lists: full short plain
set -u
cd "${PST_SRCDIR:?}" || exit 1
bad=0
complain() { echo "$*"; bad=1; }

dirs='bench bootstrap caf conduits core examples extended front gasp include launch shmem support teams'
dirs="$dirs tests tools upc vis xmp xmpcc xmpf90"
files() { # find's expressions that say which
  find $dirs man pkg \( "$@" \) ! -name gasnet_config.h | sort
}
mapfile -t c_files < <(files -name '*.c' -o -name '*.h' -o -name '*.cc')
mapfile -t scripts < <(files -name '*.sh' -o -name '*.awk' -o -name '*.f90' -o -name '*.F90' -o -name '*.fh'
  ls configure setup tests/run man/generate pkg/{client,compile.in,dist,distcheck})
mapfile -t maps < <(files -name '*.map')
[ ${#c_files[@]} -gt 500 ] && [ ${#scripts[@]} -gt 50 ] ||
  complain "too few files were found: ${#c_files[@]} and ${#scripts[@]}"

# It is in the first three lines: a script's first one names its interpreter.
awk 'function judge() { if (file && said != 3) { print file ": its first lines do not say " what; bad = 1 } }
  BEGIN { what = "the licence and the copyright" }
  FNR == 1 { judge(); file = FILENAME; said = 0 }
  FNR <= 3 && /SPDX-License-Identifier: BSD-3-Clause$/ { said += 1 }
  FNR <= 3 && /Copyright \(c\) [0-9-]* the Penstock authors/ { said += 2 }
  END { judge(); exit bad }' "${c_files[@]}" "${scripts[@]}" "${maps[@]}" Makefile.in || bad=1
awk 'length > 110 { print FILENAME ":" FNR ": " length " columns"; bad = 1 } END { exit bad }' \
  "${c_files[@]}" "${scripts[@]}" || bad=1

formatter=$(command -v clang-format-14 || command -v clang-format)
case $("${formatter:-false}" --version 2>/dev/null) in
*'version 14.'*)
  "$formatter" --dry-run "${c_files[@]}" 2>&1 | grep -E 'warning: code should be clang-formatted' |
    cut -d: -f1 | sort -u >"${TMPDIR:-/tmp}/style.$$"
  [ ! -s "${TMPDIR:-/tmp}/style.$$" ] ||
    complain "these are not as clang-format writes them ('make format' does):" \
      "$(tr '\n' ' ' <"${TMPDIR:-/tmp}/style.$$")"
  rm -f "${TMPDIR:-/tmp}/style.$$" ;;
*) echo "clang-format 14 is not here, so the layout of the code was not compared" ;;
esac
exit $bad
