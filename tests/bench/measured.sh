# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# For scripts that run gasnetbench, after tests/script.sh: whether all of its points have figures.

points() { # TITLE LINES END-OF-EACH OPTION...
  local title=$1 lines=$2 end=$3 found; shift 3
  must "$title" timeout $((90 * scale)) "$build/bin/gasnetbench" --rounds 2 "$@" || return
  found=$(grep -cE " (ns|us|ms|s)$end\$" log)
  [ "$found" -eq "$lines" ] || { fail "$title: $found points, not $lines:"; cat log; }
  silent "$title" 'not measured'
}
# measured TITLE LINES OPTION...: so many points have figures, and figures of the reference
measured() { points "$1" "$2" ' +[0-9.]+ +[0-9.]+ [%x]' --raw "${@:3}"; }
# measured_alone TITLE LINES OPTION...: there is no reference
measured_alone() { points "$1" "$2" '' "${@:3}"; }
