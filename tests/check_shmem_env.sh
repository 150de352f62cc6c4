#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# The environment of OpenSHMEM programs: the document's names, SMA_..., and the later ones, SHMEM_..., which
# count if both are set.
# time-limit: 120
set -u
. "$(dirname "$0")/script.sh"
out=$tmp/out

go() { # environment...: the program prints where its heap ends
  env "$@" timeout 20 "$run" -n 2 "$build/tests/shmem/environment" >"$out" 2>&1 </dev/null
  rc=$?
  count=$((count + 1))
}
fail() { echo "FAIL $1"; sed 's/^/    /' "$out" | head -8; bad=$((bad + 1)); }
says() { # what the output must have, environment...
  local want=$1; shift
  go "$@"
  [ $rc -eq 0 ] || { fail "$*: exit code $rc"; return; }
  grep -Eq -- "$want" "$out" || fail "$*: nothing like $want"
}
silent() { # what it must not have
  local not=$1; shift
  go "$@"
  [ $rc -eq 0 ] && ! grep -Eq -- "$not" "$out" || fail "$*: exit code $rc, or has $not"
}
# The largest block of a heap of N bytes: at least 9/10 of it, and not more than N, rounded to pages of any
# size up to 64 KiB.
heap() { # bytes, environment...
  local bytes=$1 got; shift
  go "$@"
  got=$(sed -n 's/^largest block //p' "$out")
  [ $rc -eq 0 ] && [ -n "$got" ] && [ "$got" -ge $((bytes / 10 * 9)) ] && [ "$got" -le $((bytes + 65536)) ] ||
    fail "$*: exit code $rc, the largest block is ${got:-missing}, the heap $bytes"
}

heap $((256 << 20)) NOTHING=1
heap $((1 << 20)) SMA_SYMMETRIC_SIZE=1048576
heap $((1 << 20)) SMA_SYMMETRIC_SIZE=1M
heap $((1 << 20)) SMA_SYMMETRIC_SIZE=1m
heap $((1 << 20)) SMA_SYMMETRIC_SIZE=1024K
heap $((1 << 20)) SMA_SYMMETRIC_SIZE=1024k
heap $((256 << 20)) SMA_SYMMETRIC_SIZE=256M
heap $((1 << 30)) SMA_SYMMETRIC_SIZE=1G
heap 1000000 SMA_SYMMETRIC_SIZE=1000000
heap $((2 << 20)) SHMEM_SYMMETRIC_SIZE=2M
heap $((2 << 20)) SHMEM_SYMMETRIC_SIZE=2M SMA_SYMMETRIC_SIZE=1M
heap $((3 << 20)) SHMEM_SYMMETRIC_SIZE= SMA_SYMMETRIC_SIZE=3M
heap $((256 << 20)) SMA_SYMMETRIC_SIZE=
heap $((2 << 20)) SMA_SYMMETRIC_SIZE=2M GASNET_CONDUIT=smp GASNET_AM_ONLY=1
heap 0 SMA_SYMMETRIC_SIZE=0

for prefix in SMA SHMEM; do
  says '^Penstock.*OpenSHMEM 1\.0' ${prefix}_VERSION=1
  says '^Penstock.*OpenSHMEM 1\.0' ${prefix}_VERSION=yes
  says 'SMA_VERSION' ${prefix}_INFO=1
  says 'SMA_INFO' ${prefix}_INFO=1
  says 'SMA_SYMMETRIC_SIZE.*bytes' ${prefix}_INFO=1
  says 'SMA_DEBUG' ${prefix}_INFO=1
  says 'is no power of two' ${prefix}_DEBUG=1
done
says 'SYMMETRIC_SIZE.*12M' SMA_INFO=1 SMA_SYMMETRIC_SIZE=12M
# Debug builds check the arguments without SMA_DEBUG.
if grep -q 'define GASNET_DEBUG 1' "$build/include/gasnet_config.h"; then silent 'OpenSHMEM 1|SMA_' NOTHING=1
else silent 'OpenSHMEM 1|SMA_|power of two|penstock' NOTHING=1; fi
go SMA_VERSION=1 SMA_INFO=1
[ "$(grep -c 'OpenSHMEM 1\.0' "$out")" -eq 1 ] && [ "$(grep -c '^ *SMA_VERSION' "$out")" -eq 1 ] ||
  fail "more than one PE says it"

[ $bad -eq 0 ] && echo "ok: $count environments" && exit 0
exit 1
