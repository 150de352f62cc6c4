#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# Processes that cannot open each other's files share no boards, and collectives do without.
# time-limit: 60
. "$(dirname "$0")/script.sh"
apart=(unshare -p -f --kill-child); [ "$(id -u)" -eq 0 ] || apart=(unshare -r -p -f --kill-child)
"${apart[@]}" true 2>/dev/null || skip 'unshare -p is not permitted here'
for mode in seq par; do
  job=("$run" -n 3 "$build/tests/multi/board-$mode")
  must "boards, $mode" timeout $((20 * scale)) "${job[@]}"
  must "no boards, $mode" timeout $((20 * scale)) "${apart[@]}" "${job[@]}" --none
done
echo "$count jobs"
exit $bad
