#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# libpenstock-shmem.so exports what shmem.h declares, what its inline functions need, and Fortran's routines, each by all of its names;
# nothing else. The static library defines nothing without a prefix of ours or of the document's.
# time-limit: 30
# lists: full short
set -u
. "${PST_SRCDIR:?}/tests/exports.sh"
exported_by libpenstock-shmem.so.1

# Declared: followed by a parenthesis in the header as the preprocessor leaves it, with calls instead of inline functions; those that are
# always inline are none of the library's.
echo '#include <shmem.h>' | ${CC:-cc} -E -P -DPST_SHMEM_CALLS -I"$src/include/penstock-shmem" - | tr -s ' \n' ' ' >"$tmp/header"
public='_(my|num|n)_pes?|start_pes|shmem_[a-z0-9_]+|shmalloc|shm(em)?align|shrealloc|shfree'
grep -oE "\b($public|pst_shmem_[a-z_]+) ?\(" "$tmp/header" | tr -d ' (' | grep -vE '^pst_shmem_here(_atomic)?$' | sort -u >"$tmp/declared"
echo pst_shmem >>"$tmp/declared"
sort -u -o "$tmp/declared" "$tmp/declared"
[ "$(wc -l <"$tmp/declared")" -gt 150 ] || { echo "FAIL: the header's functions were not found"; exit 1; }
comm -23 "$tmp/declared" "$tmp/exported" >"$tmp/hidden"
differ "in shmem.h, but not exported" "$tmp/hidden"

# Fortran's: each that has an underscore behind has the other spellings.
comm -13 "$tmp/declared" "$tmp/exported" >"$tmp/others"
grep -E '^[a-z].*[^_]_$' "$tmp/others" | grep -v '^pst_' >"$tmp/fortran"
[ "$(wc -l <"$tmp/fortran")" -gt 120 ] || { echo "FAIL: Fortran's routines were not found"; exit 1; }
while read -r name; do
  upper=$(echo "${name%_}" | tr a-z A-Z)
  printf '%s\n' "$name" "${name}_" "$upper" "${upper}_"
done <"$tmp/fortran" | sort -u >"$tmp/spelled"
comm -23 "$tmp/spelled" "$tmp/exported" >"$tmp/missing"
differ "routines of Fortran that lack a name" "$tmp/missing"
# Further, the name without an underscore where that is not C's, and what the interfaces of mpp/shmem.fh call.
grep -oE 'PST_F_SHMEM_[A-Z0-9_]+' "$src/include/penstock-shmem/mpp/shmem.fh" | sort -u >"$tmp/interfaces"
{ cat "$tmp/spelled"; sed 's/_$//' "$tmp/fortran"
  while read -r name; do
    lower=$(echo "$name" | tr A-Z a-z)
    printf '%s\n' "$name" "${name}_" "$lower" "${lower}_" "${lower}__"
  done <"$tmp/interfaces"; } | sort -u >"$tmp/allowed"
tr A-Z a-z <"$tmp/interfaces" | sed 's/$/_/' | comm -23 - "$tmp/exported" >"$tmp/lacking"
differ "mpp/shmem.fh needs these" "$tmp/lacking"
comm -23 "$tmp/others" "$tmp/allowed" >"$tmp/leaked"
differ "exported, but neither in shmem.h nor Fortran's" "$tmp/leaked"

defined_by libpenstock-shmem.a
grep -v '^pst_' "$tmp/defined" | comm -23 - "$tmp/exported" >"$tmp/foreign"
differ "global symbols of the static library that the shared one does not export" "$tmp/foreign"
# Every routine is called as the document writes it, where its check lies beside the source tree.
if [ -f "$src/../shared/contract/shmem.c" ]; then
  ${CC:-cc} -O1 -Wall -Wextra -Werror -pthread -I"$src/include/penstock-shmem" "$src/../shared/contract/shmem.c" -o "$tmp/contract" \
    -L"$build" -lpenstock-shmem -lgasnet -Wl,-rpath,"$build" >"$tmp/log" 2>&1 || { echo "FAIL: the contract's shmem.c"; head -15 "$tmp/log"; bad=1; }
fi
[ $bad -eq 0 ] && echo "ok: $(wc -l <"$tmp/declared") names of C, $(wc -l <"$tmp/fortran") routines of Fortran by $(wc -l <"$tmp/spelled")"
exit $bad
