#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# libpenstock-upc.so exports what upc_memory.h and upc_compiler.h declare and nothing else, and upccc --inst finds each call that causes
# events: penstock/upc_inst.h has a macro for all but those below. Without it the headers define none of these.
# time-limit: 20
# lists: full short
set -u
. "${PST_SRCDIR:?}/tests/exports.sh"
# Functions that a header declares; those that it defines, inline, are none of the library's.
declared() { # header
  echo "#include <$1>" | ${CC:-cc} -E -P -I"$src/include/penstock-upc" -I"$src/include/penstock-gasp" -x c - | tr '\n;{}' ' \n\n\n' |
    sed -nE '/static inline|return/d; s/^[^(]*[ *]((upc_|bupc_|__get|__put|__copy|__upc_|pst_upc_)[A-Za-z0-9_]*) *\(.*/\1/p' | sort -u
}

declared upc_compiler.h >"$tmp/declared"
declared upc_memory.h >"$tmp/memory"
[ "$(wc -l <"$tmp/memory")" -gt 100 ] || { echo "FAIL: only $(wc -l <"$tmp/memory") functions found in upc_memory.h"; exit 1; }
printf '%s\n' MYTHREAD THREADS | sort -u - "$tmp/declared" -o "$tmp/declared"
exported_by libpenstock-upc.so.1
comm -23 "$tmp/declared" "$tmp/exported" >"$tmp/hidden"
differ "declared, but not exported by the shared library" "$tmp/hidden"
comm -13 "$tmp/declared" "$tmp/exported" >"$tmp/leaked"
differ "exported by the shared library, but in no header" "$tmp/leaked"
defined_by libpenstock-upc.a
grep -Ev '^(pst_|upc_|bupc_|MYTHREAD$|THREADS$|__(get|put|copy|upc_))' "$tmp/defined" >"$tmp/foreign"
differ "global symbols without a prefix of ours" "$tmp/foreign"

# Pointers are looked at, semaphores no event of GASP's, and a tool is told nothing before it is there.
grep -Ev '^(b?upc_(init|cast|castable|sem_[a-z]+)|pst_upc_.*)$' "$tmp/memory" >"$tmp/causes"
for name in notify wait barrier; do printf 'upc_%s\nbupc_%s\n' $name $name; done >>"$tmp/causes"
sort -u -o "$tmp/causes" "$tmp/causes"
macros() { # flags
  echo '#include <upc_memory.h>' | ${CC:-cc} -E -dM "$@" -I"$src/include/penstock-upc" -I"$src/include/penstock-gasp" -x c - |
    sed -nE 's/^#define (b?upc_[a-z0-9_]*)\(.*/\1/p' | sort -u
}
macros -DPENSTOCK_INST >"$tmp/macros"
comm -23 "$tmp/causes" "$tmp/macros" >"$tmp/without"
differ "they cause events, and upccc --inst does not tell their places" "$tmp/without"
comm -13 "$tmp/causes" "$tmp/macros" >"$tmp/idle"
differ "macros of upccc --inst for what causes no events" "$tmp/idle"
macros | grep -Ev '^b?upc_(notify|wait|barrier)$' >"$tmp/plain"
differ "macros without upccc --inst" "$tmp/plain"
[ $bad -eq 0 ] && echo "ok: $(wc -l <"$tmp/exported") symbols exported, $(wc -l <"$tmp/macros") calls that upccc --inst knows"
exit $bad
