#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# Replaces gasnetbench's workers: it prints what they would, with invented values that follow from a test's
# name and point. It is started for each node of a job, and the first one prints. The environment causes
# faults:
#   FAKE_SLOWER=F      times are F times as long, those of the bare transport FAKE_RAW_SLOWER times
#   FAKE_MISSING=TEST  that test cannot be measured         FAKE_OMIT=TEST   nothing is said of it
#   FAKE_EXIT=CODE     the worker fails before the first    FAKE_LINE=TEXT   a line that no worker says
#   FAKE_DIE=TEST      the worker fails there
#   FAKE_STOP=TEST     waits for ever there; FAKE_STARTED=FILE has the number of its process then
#   FAKE_LOG=FILE      command lines and what was set in the environment
#   FAKE_SAYS=TEXT     by what nodes talk, when asked
[ "${1:-}" != --bare-start ] || exit "${FAKE_BARE:-0}"
place=${PENSTOCK_LAUNCH#*:} nodes=${PENSTOCK_LAUNCH#*:*:}
rank=${place%%:*} nodes=${nodes%%:*}
[ "$rank" = 0 ] || exit 0
[ -z "${FAKE_LOG:-}" ] ||
  echo "${0##*/} $* | $nodes ${GASNET_CONDUIT:-} ${GASNET_OFI_PROVIDER:-} ${UCX_TLS:-} "\
"${GASNET_SUPERNODE_MAXSIZE:-}" \
  "${GASNET_AM_ONLY:-} ${GASNET_COALESCE:-} ${GASNET_PROGRESS_THREAD:-}${FAKE_MPI:+ $FAKE_MPI}" >>"$FAKE_LOG"
list= threads=1 raw=none
while [ $# -gt 0 ]; do
  case $1 in
    --worker) list=$2; shift 2 ;;
    --threads) threads=$2; shift 2 ;;
    --raw) raw=$2; shift 2 ;;
    --seconds | --rounds) shift 2 ;;
    --unpinned) shift ;;
    --start)
      [ -z "${GASNET_SPAWN_VERBOSE:-}" ] ||
        echo "penstock: node 0 of 2 (here): conduit ${GASNET_CONDUIT:-ofi}: ${FAKE_SAYS:-nothing}" >&2
      exit 0 ;;
    *) echo "worker: unknown argument $1" >&2; exit 2 ;;
  esac
done
echo "@about ${GASNET_CONDUIT:-network} ${GASNET_OFI_PROVIDER:-${UCX_TLS:--}}"
[ -z "${FAKE_LINE:-}" ] || echo "$FAKE_LINE"
if [ -n "${FAKE_EXIT:-}" ]; then
  echo "worker: a device is missing" >&2
  exit "$FAKE_EXIT"
fi
say() { # test, point
  [ "${FAKE_OMIT:-}" != "$1" ] || return 0
  echo "@doing $1 $2"
  if [ "${FAKE_DIE:-}" = "$1" ]; then
    echo "worker: dies at $1" >&2
    exit 9
  fi
  if [ "${FAKE_STOP:-}" = "$1" ]; then
    [ -z "${FAKE_STARTED:-}" ] || echo $$ >"$FAKE_STARTED"
    while :; do sleep 1; done
  fi
  if [ "${FAKE_MISSING:-}" = "$1" ]; then
    echo "@missing $1 $2 no memory <&> for it"
    return
  fi
  awk -v test="$1" -v point="$2" -v nodes="$nodes" -v threads="$threads" -v raw="$raw" \
    -v slower="${FAKE_SLOWER:-1}" \
      -v raw_slower="${FAKE_RAW_SLOWER:-1}" 'BEGIN {
    all = "abcdefghijklmnopqrstuvwxyz_0123456789"
    for (i = 1; i <= length(test point); i++)
      letters = (letters * 31 + index(all, substr(test point, i, 1))) % 997
    bytes = point ~ /^[0-9]+$/ ? point : letters % 7 * 64
    bare = (20 + letters % 9 / 4 + bytes / 12) * (test ~ /ofi|am_/ ? 8 : 1) * raw_slower
    ours = bare / raw_slower * (1.03 + 40 / (bytes + 80)) * slower
    printf "@point %s %s %d %d 101 %.6g %.6g %.6g %.6g %.6g", test, point, nodes, threads, \
      ours, ours * .96, ours * 1.6, ours * .985, ours * 1.02
    if (raw != "none") printf " raw 101 %.6g %.6g %.6g %.6g %.6g %.6g", \
      bare, bare * .97, bare * 1.4, bare * .99, bare * 1.01, ours / bare
    printf "\n" }'
}
IFS=';'
for each in $list; do
  IFS=,
  for point in ${each#*:}; do say "${each%%:*}" "$point"; done
  IFS=';'
done
