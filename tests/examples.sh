# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# What tests/check_examples.sh and tests/check_example_programs.sh share: commands judged by code and output.
. "$(dirname "$0")/script.sh"

fail() {
  bad=$((bad + 1))
  echo "FAIL: $title: $1"
  sed 's/^/    out| /' "$tmp/out" | head -15
  sed 's/^/    err| /' "$tmp/err" | head -15
}

# expect CODE COMMAND...: leaves its output in $tmp/out and $tmp/err
expect() {
  local code=$1 rc; shift
  title="$*" count=$((count + 1))
  "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
  rc=$?
  [ $rc -eq "$code" ] || { fail "exit code $rc, not $code"; return 1; }
}
says() { # out|err, pattern
  grep -qE -e "$2" "$tmp/$1" || fail "std$1 lacks '$2'"
}
