#!/bin/sh
# libpenstock-shmem.so exports what shmem.h declares, Fortran's names for it, and nothing else.
# time-limit: 20
set -u
src=${PST_SRCDIR:?} build=${PST_BUILDDIR:?}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
LC_ALL=C; export LC_ALL
bad=0
differ() { # message, file of names
  [ -s "$2" ] || return 0
  echo "FAIL: $1:"; sed 's/^/    /' "$2"; bad=1
}
names='start_pes|_my_pe|_num_pes|_n_pes|shmalloc|shmalign|shmemalign|shrealloc|shfree|pst_shmem(_[a-z_]+)?|shmem_[a-z0-9_]+'

# With PST_SHMEM_CALLS the header defines no functions; the program uses none.
echo '#include <shmem.h>' | ${CC:-cc} -E -P -DPST_SHMEM_CALLS -I"$src/include" -I"$build/include" -x c - | sed 's/__attribute__ *(([^;]*))//' |
  tr '\n;{}' ' \n\n\n' | sed -nE "s/^[^(]*[ *]($names) *\(.*/\1/p" | grep -Ev '^pst_shmem_here(_atomic)?$' | sort -u >"$tmp/declared"
[ "$(wc -l <"$tmp/declared")" -gt 180 ] || { echo "FAIL: only $(wc -l <"$tmp/declared") functions found in shmem.h"; exit 1; }
# pst_shmem itself is a variable.
echo pst_shmem >>"$tmp/declared"; sort -u -o "$tmp/declared" "$tmp/declared"
nm -D --defined-only "$build/libpenstock-shmem.so.1" | awk '{ sub(/@.*/, "", $NF); print $NF }' | grep -v '^LIBPENSTOCK_' |
  grep -Ev '^__(asan|tsan|ubsan|odr_asan)|^_(init|fini)$' | sort -u >"$tmp/all"
grep -E '_$|^[A-Z0-9_]+$' "$tmp/all" >"$tmp/fortran"
grep -Ev '_$|^[A-Z0-9_]+$' "$tmp/all" >"$tmp/exported"
comm -23 "$tmp/declared" "$tmp/exported" >"$tmp/hidden"
differ "declared, but not exported by the shared library" "$tmp/hidden"
comm -13 "$tmp/declared" "$tmp/exported" >"$tmp/leaked"
differ "exported by the shared library, but not in shmem.h" "$tmp/leaked"
nm -g --defined-only "$build/libpenstock-shmem.a" | awk 'NF == 3 { print $3 }' | sort -u | grep -vxEf "$tmp/fortran" |
  grep -Ev "^(pst_|__(asan|tsan|ubsan|odr_asan)|DW\.ref)|^($names)\$" >"$tmp/foreign"
differ "global symbols without a name of ours" "$tmp/foreign"

# Every routine is called as the document writes it, where its check lies beside the source tree.
if [ -f "$src/../shared/contract/shmem.c" ]; then
  ${CC:-cc} -O1 -Wall -Wextra -Werror -pthread -I"$src/include" -I"$build/include" "$src/../shared/contract/shmem.c" -o "$tmp/contract" \
    -L"$build" -lpenstock-shmem -lgasnet -Wl,-rpath,"$build" >"$tmp/log" 2>&1 || { echo "FAIL: the contract's shmem.c"; head -15 "$tmp/log"; bad=1; }
fi
[ $bad -eq 0 ] && echo "ok: $(wc -l <"$tmp/exported") symbols exported, and $(wc -l <"$tmp/fortran") of Fortran's"
exit $bad
