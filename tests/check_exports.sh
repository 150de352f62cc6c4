#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# What libgasnet.so exports is the public interface and nothing else: gasnet*, and of the internal symbols exactly those that
# the installed headers mention; core/exports.map lists them one by one. Every internal symbol bears the prefix pst_.
# In libgasnet.a the same names are global, and no others.
# time-limit: 20
# lists: full short
set -u
. "${PST_SRCDIR:?}/tests/exports.sh"

defined_by libpenstock-internal.a
grep -Ev '^(pst_|gasnet)' "$tmp/defined" >"$tmp/foreign"
differ "global symbols without a prefix of ours" "$tmp/foreign"

cat "$src"/include/*.h "$src"/include/penstock/*.h | grep -oE '\bpst_[A-Za-z0-9_]+' | sort -u >"$tmp/mentioned"
comm -12 "$tmp/mentioned" "$tmp/defined" >"$tmp/wanted"
grep -oE '^ +pst_[A-Za-z0-9_]+;' "$src/core/exports.map" | tr -d ' ;' | sort -u >"$tmp/listed"
comm -23 "$tmp/wanted" "$tmp/listed" >"$tmp/unlisted"
differ "the headers need these, core/exports.map does not list them" "$tmp/unlisted"
comm -13 "$tmp/wanted" "$tmp/listed" >"$tmp/idle"
differ "core/exports.map lists these, no header needs them (or the library lacks them)" "$tmp/idle"

exported_by libgasnet.so.1
{ grep -E '^gasnet' "$tmp/defined"; cat "$tmp/wanted"; } | sort -u >"$tmp/public"
comm -23 "$tmp/public" "$tmp/exported" >"$tmp/hidden"
differ "public, but not exported by the shared library" "$tmp/hidden"
comm -13 "$tmp/public" "$tmp/exported" >"$tmp/leaked"
differ "exported by the shared library, but not public" "$tmp/leaked"

nm -g --defined-only "$build/libgasnet.a" | awk 'NF == 3 { print $3 }' | sort -u >"$tmp/global"
comm -3 "$tmp/exported" "$tmp/global" >"$tmp/other"
differ "global in the archive and not exported by the shared library, or the reverse" "$tmp/other"
[ $bad -eq 0 ] && echo "ok: $(wc -l <"$tmp/exported") symbols exported, $(wc -l <"$tmp/wanted") of them internal ones of the headers"
exit $bad
