#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# The figures of docs/scaling.md: where its constants come from, and what follows from them.
#   tools/scaling.sh measure [CONDUIT...]
#     in a build directory, or above build/, after make tests: prints the constants, measured here
#   tools/scaling.sh table [FILE]
#     the tables that follow from the constants in FILE [docs/scaling.md]
set -u
LC_ALL=C; export LC_ALL

usage() { sed -n '4,/^set -u/s/^# //p' "$0"; }
die() { echo "scaling.sh: $*" >&2; exit 1; }
src=$(cd "$(dirname "$0")/.." && pwd -P)

# What ofi gives its provider to receive into (conduits/ofi/ep.c, receive.c), in awk: buffers of 256 KiB, with
# what malloc adds.
buffers='
  function ofi_buffers(n,   peers, share, message, window) {
    peers = n - 1
    share = int(16777216 / peers / 2)
    message = share / 2 >= 65536 + 1024 ? 65536 + 1024 : share / 2 >= 32768 + 1024 ? 32768 + 1024 : 16384
    window = share > 524288 ? 524288 : share < 2 * message ? 2 * message : share
    window = int(int(window / message) * message / 64)
    return 270592 * (int(peers * 2 * window * (64 + 16) / (262144 - message)) + 5)
  }'

# ---- measure ----

# PROCESSES CONDUIT PROGRAM: the line that tests/multi/footprint prints
footprint() {
  env GASNET_CONDUIT="$2" GASNET_UCX_TLS="${GASNET_UCX_TLS-tcp}" \
    GASNET_OFI_PROVIDER="${GASNET_OFI_PROVIDER-}" \
    GASNET_SUPERNODE_MAXSIZE="$([ "$2" = smp ] && echo 0 || echo 1)" GASNET_MAX_SEGSIZE=1M \
    timeout 120 bin/gasnetrun -n "$1" "$3" --scale 0.05 >"$tmp/out" 2>&1 || {
    head -5 "$tmp/out" >&2; die "$2 with $1 processes failed"
  }
  grep '^footprint ' "$tmp/out"
}

# Slopes between few and many processes, and what is left of the few; of shared memory what a process adds.
slopes() { # CONDUIT FEW MANY
  {
    footprint "$2" "$1" tests/multi/footprint-seq; footprint "$3" "$1" tests/multi/footprint-seq
  } | awk -v c="$1" "$buffers"'
    {
      for (i = 2; i < NF; i += 2) v[NR, $i] = $(i + 1)
      n[NR] = v[NR, "nodes"]
      if (c == "ofi") v[NR, "attached"] -= ofi_buffers(n[NR])
    }
    function slope(what) { return (v[2, what] - v[1, what]) / (n[2] - n[1]) }
    function rest(what) { return v[1, what] - n[1] * slope(what) }
    END {
      printf "constant %s.fixed %.0f\nconstant %s.node %.0f\n", c, rest("attached"), c, slope("attached")
      if (c == "smp") printf "constant host.process %.0f\n", slope("shared")
      else printf "constant %s.first %.0f\nconstant %s.peer %.0f\nconstant %s.files %.2f\n", \
        c, rest("met"), c, slope("met"), c, slope("files")
    }'
}

# All exchanges at the start go through two functions: a program that is linked with others in their place
# counts them.
rounds() { # CONDUIT
  cat >"$tmp/rounds.c" <<'TEXT'
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
void __real_pst_boot_all(const void *mine, size_t size, void *all);
void __real_pst_boot_fence(void);
static unsigned rounds;
static size_t bytes, most;
static void say(void)
{ if (!getenv("QUIET")) fprintf(stderr, "rounds %u bytes %zu most %zu\n", rounds, bytes, most); }
static void count(size_t size)
{
  if (rounds++ == 0) atexit(say);
  bytes += size;
  if (size > most) most = size;
}
void __wrap_pst_boot_all(const void *mine, size_t size, void *all)
{
  count(size);
  __real_pst_boot_all(mine, size, all);
}
void __wrap_pst_boot_fence(void)
{
  count(0);
  __real_pst_boot_fence();
}
TEXT
  cat >"$tmp/job.c" <<'TEXT'
#include <gasnet.h>
int main(int argc, char **argv)
{
  if (gasnet_init(&argc, &argv) != GASNET_OK || gasnet_attach(NULL, 0, GASNET_PAGESIZE, 0) != GASNET_OK)
    return 1;
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
  return 0;
}
TEXT
  ${CC:-cc} -std=gnu11 -O1 -DGASNET_SEQ -I"$src/include" -Iinclude -o "$tmp/job" "$tmp/job.c" \
    "$tmp/rounds.c" libpenstock-internal.a \
    -Wl,--wrap=pst_boot_all,--wrap=pst_boot_fence -pthread -ldl ||
    die 'the program that counts exchanges cannot be linked'
  env GASNET_CONDUIT="$1" GASNET_UCX_TLS="${GASNET_UCX_TLS-tcp}" \
    GASNET_OFI_PROVIDER="${GASNET_OFI_PROVIDER-}" \
    GASNET_SUPERNODE_MAXSIZE="$([ "$1" = smp ] && echo 0 || echo 1)" bin/gasnetrun -n 2 \
    "$tmp/job" >"$tmp/out" 2>&1 ||
    { head -5 "$tmp/out" >&2; die "$1: the program that counts exchanges failed"; }
  awk -v c="$1" '/^rounds/ {
    print "constant " c ".rounds " $2; print "constant " c ".bytes " $4; print "constant " c ".most " $6; exit
  }' "$tmp/out"
}

# libfabric's provider of reliable datagrams right over tcp: net in 1.x, tcp since 2.0.
over_tcp() {
  if env GASNET_CONDUIT=ofi GASNET_SUPERNODE_MAXSIZE=1 GASNET_OFI_PROVIDER=net timeout 30 bin/gasnetrun -n 2 \
    tests/multi/footprint-seq --scale 0.05 \
    >/dev/null 2>&1; then echo net; else echo tcp; fi
}

measure() {
  [ -x bin/gasnetrun ] || [ ! -x build/bin/gasnetrun ] || cd build || exit 1
  [ -x bin/gasnetrun ] && [ -x tests/multi/footprint-seq ] ||
    die 'run it in a build directory, after make tests'
  tmp=$(mktemp -d) || exit 1
  trap 'rm -rf "$tmp"' EXIT
  [ $# -gt 0 ] || set -- $(bin/gasnet_info | sed -n '/^conduits/,/^limits/s/^  \([a-z]*\)$/\1/p')
  for c; do
    if [ "$c" = ofi ]; then GASNET_OFI_PROVIDER=${GASNET_OFI_PROVIDER-$(over_tcp)}; fi
    if [ "$c" = smp ]; then slopes smp 16 128; else slopes "$c" 12 28; fi
    rounds "$c"
  done
}

# ---- table ----

# Bytes with a unit, three digits at most.
tables() {
  awk "$buffers"'
    $1 == "constant" && NF == 3 { k[$2] = $3 }
    function size(b) {
      if (b < 9995) return sprintf("%.0f B", b)
      if (b < 10234880) return sprintf("%.0f KiB", b / 1024)
      if (b < 10480517120) return sprintf("%.0f MiB", b / 1048576)
      return sprintf("%.0f GiB", b / 1073741824)
    }
    function time(s) {
      if (s < 0.9995e-3) return sprintf("%.0f us", s * 1e6)
      return s < 0.9995 ? sprintf("%.1f ms", s * 1e3) : sprintf("%.1f s", s)
    }
    function log2up(n,   r) { for (r = 0; 2 ^ r < n; r++) {} return r }
    function most(a, b) { return a > b ? a : b }
    function process(c, n) { return k[c ".fixed"] + n * k[c ".node"] + (c == "ofi" ? ofi_buffers(n) : 0) }
    function shared(c, n) { return k["local"] * k["host.process"] + (n + k["local"]) * k[c ".most"] }
    function rows(c,   i, n, h, p) {
      printf "\n| nodes | hosts | a process | all peers met | a host | launcher: " \
        "sends | keeps | start at least | barrier |\n"
      printf "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n"
      for (i = 2; i <= 5; i++) {
        n = 10 ^ i
        h = int((n + k["local"] - 1) / k["local"])
        p = process(c, n)
        printf "| %d | %d | %s | %s | %s | %s | %s | %s | %s |\n", n, h, size(p),
          size(p + k[c ".first"] + (n - 1) * k[c ".peer"]),
          size(k["local"] * p + shared(c, n)), size(k[c ".bytes"] * n * h), size(k[c ".most"] * n * h),
          time(k[c ".rounds"] * k["round"] + k[c ".bytes"] * n * h / k["link"]),
          time(k["near"] + log2up(h) * k[c ".latency"])
      }
    }
    END {
      if (!("local" in k)) { print "scaling.sh: there are no constants" >"/dev/stderr"; exit 1 }
      printf "ofi\n"
      rows("ofi")
      printf "\nucx\n"
      rows("ucx")
    }' "$1"
}

case ${1-} in
  measure) shift; measure "$@" ;;
  table)
    [ -r "${2-$src/docs/scaling.md}" ] || die "cannot read ${2-$src/docs/scaling.md}"
    tables "${2-$src/docs/scaling.md}" ;;
  --help | -h) usage ;;
  *) usage >&2; exit 2 ;;
esac
