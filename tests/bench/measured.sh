# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# For scripts that run gasnetbench, after tests/script.sh: whether all of its points have figures.

# measured TITLE LINES OPTION...: so many points have figures, and figures of the reference
measured() {
  local title=$1 lines=$2 found; shift 2
  must "$title" timeout $((90 * scale)) "$build/bin/gasnetbench" --raw --rounds 2 "$@" || return
  found=$(grep -cE ' (ns|us|ms|s) +[0-9.]+ +[0-9.]+ [%x]$' log)
  [ "$found" -eq "$lines" ] || { fail "$title: $found points, not $lines:"; cat log; }
  silent "$title" 'not measured'
}
