#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# GASNET_TMPDIR on a full file system, and on one that nobody may write to. Needs root for its own mount.
# time-limit: 60
set -u
if [ "${1-}" != inside ]; then
  [ "$(id -u)" -eq 0 ] || { echo "skip: mounting a small file system needs root" >&2; exit 77; }
  unshare -m true 2>/dev/null || { echo "skip: unshare -m is not permitted here" >&2; exit 77; }
  exec unshare -m --propagation private "$0" inside
fi
build=${PST_BUILDDIR:-$(pwd)}
program=$build/tests/multi/attach-seq
dir=$(mktemp -d) || exit 1
trap 'umount "$dir" 2>/dev/null; rmdir "$dir"' EXIT
bad=0
try() { # TITLE PATTERN SIZE
  GASNET_PSHM_NODES=3 GASNET_TMPDIR=$dir timeout -k 2 20 "$program" --size "$3" >"$log" 2>&1 </dev/null
  rc=$?
  if [ $rc -eq 0 ] || [ $rc -ge 124 ] || grep -q 'killed by signal' "$log" ||
    ! grep -qE "^penstock: .*$2" "$log"; then
    bad=$((bad + 1)); echo "FAIL $1: exit code $rc, expected a message like: $2"
    sed 's/^/    /' "$log" | head -8
  fi
  [ -z "$(ls -A "$dir" | grep -v '^fill$')" ] || { bad=$((bad + 1)); echo "FAIL $1: left files"; }
}
log=$(mktemp) || exit 1
trap 'umount "$dir" 2>/dev/null; rmdir "$dir"; rm -f "$log"' EXIT
mount -t tmpfs -o size=64k tmpfs "$dir" 2>"$log" || {
  echo "skip: cannot mount a tmpfs: $(cat "$log")" >&2; exit 77
}
try "no room for the control memory" "$dir.*(free|space)|space.*$dir" 4096
umount "$dir"
mount -t tmpfs -o size=24m tmpfs "$dir"
try "no room for the segments" "GASNET_TMPDIR|GASNET_MAX_SEGSIZE|$dir" $((64 << 20))
head -c 25m /dev/zero >"$dir/fill" 2>/dev/null
try "full" "$dir.*(free|space)|space.*$dir" 4096
rm "$dir/fill"
mount -o remount,ro "$dir"
try "read-only" "$dir" 4096
mount -o remount,rw "$dir"
GASNET_PSHM_NODES=3 GASNET_TMPDIR=$dir timeout 20 "$program" --size 65536 >"$log" 2>&1 || {
  bad=$((bad + 1)); echo "FAIL enough room:"; cat "$log"
}
[ $bad -eq 0 ] && echo "ok" && exit 0
exit 1
