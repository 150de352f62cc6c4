#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# make dist: the same bytes each time, with all files that git knows and no others; make distcheck, which
# builds from it.
# time-limit: 900
# lists: release
set -u
src=${PST_SRCDIR:?} build=${PST_BUILDDIR:?}
[ "${PST_SANITIZE:-no}" = no ] || { echo "skip: sanitizers change nothing of an archive"; exit 77; }
if [ -e "$src/.git" ]; then command -v git >/dev/null || {
  echo "skip: git is not installed (Debian: apt-get install git)"; exit 77
}
elif [ ! -f "$src/MANIFEST" ]; then echo "skip: the sources are neither a git checkout nor from an archive"
exit 77; fi
tmp=$(mktemp -d) || exit 1
trap 'chmod -R u+w "$tmp"; rm -rf "$tmp"' EXIT
bad=0
fail() { echo "FAIL: $*"; bad=1; }
version=$("$build/bin/gasnet_info" --version | sed 's/^penstock //')
archive=penstock-$version.tar.gz

mkdir "$tmp/a" "$tmp/b"
(cd "$tmp/a" && "$src/pkg/dist" "$src" "$version") 2>"$tmp/err" || {
  fail "pkg/dist"; cat "$tmp/err"; exit 1
}
(cd "$tmp/b" && umask 077 && TZ=Asia/Tokyo "$src/pkg/dist" "$src" "$version") >"$tmp/log" 2>&1 ||
  fail "pkg/dist, again"
cmp "$tmp/a/$archive" "$tmp/b/$archive" || fail "the same sources give another archive the second time"
tar -tvf "$tmp/a/$archive" >"$tmp/list" || fail "tar cannot read it"
awk '{ print $1, $2 }' "$tmp/list" | sort -u |
  grep -vE '^(drwxr-xr-x|-rw-r--r--|-rwxr-xr-x|lrwxrwxrwx) 0/0$' &&
  fail "these modes or owners are particular"
for f in configure Makefile.in MANIFEST README.md LICENSE setup debian/rules pkg/dist tests/run \
  include/gasnet.h man/calls/gasnet.in; do
  grep -q " penstock-$version/$f\$" "$tmp/list" || fail "$f is missing"
done
grep -E ' penstock-[^ ]*/(\.[^/]*|Makefile|include/gasnet_config\.h|config\.status|[^ ]*\.(o|a|so|log))$' \
  "$tmp/list" && fail "these do not belong there"
[ $bad -eq 0 ] || exit 1

CC=${CC:-cc} CFLAGS=-O0 "$src/pkg/distcheck" "$tmp/a/$archive" || exit 1

# Trees that give no archive.
mkdir "$tmp/c" "$tmp/c/tree"
(cd "$tmp/c" && "$src/pkg/dist" tree 1) >"$tmp/log" 2>&1 && fail "an archive was made of an empty directory"
grep -q 'neither a git checkout' "$tmp/log" || fail "an empty directory: says $(cat "$tmp/log")"
printf 'MANIFEST\nmissing.c\n' >"$tmp/c/tree/MANIFEST"
(cd "$tmp/c" && "$src/pkg/dist" tree 1) >"$tmp/log" 2>&1 &&
  fail "an archive was made without a file of MANIFEST"
[ -z "$(ls "$tmp/c"/*.gz* 2>/dev/null)" ] || fail "left $(ls "$tmp/c")"
[ $bad -eq 0 ] && echo ok
exit $bad
