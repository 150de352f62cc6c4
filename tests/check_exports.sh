#!/bin/sh
# What libgasnet.so exports is the public interface and nothing else: gasnet*, and of the internal symbols exactly those that
# the installed headers mention; core/exports.map lists them one by one. Every internal symbol bears the prefix pst_.
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

nm -g --defined-only "$build/libgasnet.a" 2>/dev/null | awk 'NF == 3 && $2 != "w" { print $3 }' | sort -u >"$tmp/defined"
[ -s "$tmp/defined" ] || { echo "FAIL: nm finds no symbols in $build/libgasnet.a"; exit 1; }
grep -Ev '^(pst_|gasnet|__(asan|tsan|ubsan|odr_asan)|DW\.ref)' "$tmp/defined" >"$tmp/foreign"
differ "global symbols without a prefix of ours" "$tmp/foreign"

cat "$src"/include/*.h "$src"/include/penstock/*.h | grep -oE '\bpst_[A-Za-z0-9_]+' | sort -u >"$tmp/mentioned"
comm -12 "$tmp/mentioned" "$tmp/defined" >"$tmp/wanted"
grep -oE '^ +pst_[A-Za-z0-9_]+;' "$src/core/exports.map" | tr -d ' ;' | sort -u >"$tmp/listed"
comm -23 "$tmp/wanted" "$tmp/listed" >"$tmp/unlisted"
differ "the headers need these, core/exports.map does not list them" "$tmp/unlisted"
comm -13 "$tmp/wanted" "$tmp/listed" >"$tmp/idle"
differ "core/exports.map lists these, no header needs them (or the library lacks them)" "$tmp/idle"

nm -D --defined-only "$build/libgasnet.so.1" | awk '{ sub(/@.*/, "", $NF); print $NF }' |
  grep -v '^LIBGASNET_' | sort -u >"$tmp/exported"
{ grep -E '^gasnet' "$tmp/defined"; cat "$tmp/wanted"; } | sort -u >"$tmp/public"
comm -23 "$tmp/public" "$tmp/exported" >"$tmp/hidden"
differ "public, but not exported by the shared library" "$tmp/hidden"
comm -13 "$tmp/public" "$tmp/exported" | grep -Ev '^(__(asan|tsan|ubsan|odr_asan)|_init$|_fini$)' >"$tmp/leaked"
differ "exported by the shared library, but not public" "$tmp/leaked"
[ $bad -eq 0 ] && echo "ok: $(wc -l <"$tmp/exported") symbols exported, $(wc -l <"$tmp/wanted") of them internal ones of the headers"
exit $bad
