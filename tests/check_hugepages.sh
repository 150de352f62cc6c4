#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# Segments on huge pages if there are enough of them, otherwise on ordinary ones, with a message if asked for.
# Needs root to reserve a few pages during the test.
# time-limit: 60
set -u
pool=/proc/sys/vm/nr_hugepages
[ -w $pool ] || { echo "skip: reserving huge pages needs root" >&2; exit 77; }
grep -q '^Hugepagesize: *2048 kB' /proc/meminfo || {
  echo "skip: the huge pages here are not of 2 MiB" >&2; exit 77
}
in_use() { awk '/HugePages_Total/ { t = $2 } /HugePages_Free/ { f = $2 } END { print t - f }' /proc/meminfo; }
for ((i = 0; i < 20 && $(in_use) > 0; i++)); do sleep 0.1; done
[ "$(in_use)" -eq 0 ] || { echo "skip: somebody uses huge pages here" >&2; exit 77; }
before=$(cat $pool)
log=$(mktemp) || exit 1
trap 'echo "$before" >$pool; rm -f "$log"' EXIT
program=${PST_BUILDDIR:-$(pwd)}/tests/multi/pages-seq
bad=0
# Other tests' jobs also take pages for a moment.
try() { # TITLE KIB WORDS(0|1) ENVIRONMENT...
  title=$1 kib=$2 words=$3; shift 3
  for ((i = 0; i < 10; i++)); do
    env "$@" GASNET_PSHM_NODES=3 timeout -k 2 20 "$program" "$kib" >"$log" 2>&1 </dev/null
    rc=$?
    said=$(grep -c 'too few huge pages' "$log")
    [ $rc -eq 0 ] && [ "$said" -eq "$words" ] && return
    sleep 0.3
  done
  bad=$((bad + 1)); echo "FAIL $title: exit code $rc, said $said times"; sed 's/^/    /' "$log" | head -8
}
ordinary=$(($(getconf PAGESIZE) / 1024))
echo 0 >$pool
try "none, not asked for" "$ordinary" 0 -u GASNET_USE_HUGEPAGES
try "none, asked for" "$ordinary" 1 GASNET_USE_HUGEPAGES=1
echo 12 >$pool
[ "$(cat $pool)" -ge 12 ] || { echo "skip: the kernel has no 12 huge pages to give" >&2; exit 77; }
try "enough" 2048 0 GASNET_USE_HUGEPAGES=1
try "enough, declined" "$ordinary" 0 GASNET_USE_HUGEPAGES=0
echo 3 >$pool
try "too few" "$ordinary" 1 GASNET_USE_HUGEPAGES=1
# The kernel returns the pages after a while; the test ends then.
free() { awk '/HugePages_Free/ { print $2 }' /proc/meminfo; }
for ((i = 0; i < 300; i++)); do free=$(free); [ "$free" -ne 3 ] || break; sleep 0.1; done
[ "$free" -eq 3 ] || { bad=$((bad + 1)); echo "FAIL: $free of 3 huge pages are free again"; }
[ $bad -eq 0 ] && echo ok
exit $((bad != 0))
