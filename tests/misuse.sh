# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# Sourced by the scripts that break rules on purpose: each case of a program ends its job with exactly one
# message, the right one. A script calls misuse PROGRAM with the messages on standard input, a line for each
# case: its name and an extended regular expression, in which %p is an address; then finish. It may define
# functions: programs PROGRAM; ways CASE: a line of environment for each way to run it, and perhaps a command
# that runs the job; speaker CASE: how the message begins; several CASE: true if more than one process may
# report.
. "$(dirname "$0")/script.sh"
if grep -q 'define GASNET_DEBUG 1' "$build/include/gasnet_config.h"; then debug=yes; else debug=no; fi
if [ $debug = yes ]; then lists='--list --list-debug'; else lists=--list; fi

complain() { # title, output, what
  { echo "FAIL $1: $3"; sed 's/^/    /' "$2" | head -8; } >"$2.bad"
}

run_case() { # file, program, case, environment
  title="$3 (${2##*/}${4:+, $4})"
  want=$(sed -n "s/^$3 //p" "$tmp/messages")
  [ -n "$want" ] || { : >"$1"; complain "$title" "$1" "this script does not know its message"; return; }
  env ${4:-} timeout -k 2 $((20 * ${PST_TIME_SCALE:-1})) "$run" -n 2 "$2" --case "$3" >"$1" 2>&1 </dev/null
  rc=$?
  if [ $rc -eq 124 ] || [ $rc -eq 137 ]; then complain "$title" "$1" "the job did not end"
  elif [ $rc -ge 128 ]; then complain "$title" "$1" "the job died of signal $((rc - 128))"
  elif [ $rc -ne 1 ]; then complain "$title" "$1" "exit code $rc, not 1"
  elif grep -q '^FAIL' "$1"; then complain "$title" "$1" "one process has not been refused anything"
  elif ! grep -qE "^$(speaker "$3").*$want" "$1"; then complain "$title" "$1" "no message like: $want"
  elif ! several "$3" &&
    [ "$(grep -c "^$(speaker "$3")" "$1")" -ne 1 ]; then complain "$title" "$1" "more than one message"
  fi
}

ways() { echo; }
programs() { printf '%s\n' "$build/tests/$1-seq" "$build/tests/$1-par"; }
speaker() { echo 'penstock: node [01] of 2 '; }
several() { false; }

# A job that ends with an error takes some tenths of a second, mostly asleep, so eight run at once. A
# thread mode matters to the checks, which the first way shows, and not to what carries messages: each of the
# other ways is taken by one program.
misuse() { # program below tests; its messages are read
  local number=0 kinds way
  sed 's/%p/0x[0-9a-f]+/g' >"$tmp/messages"
  programs "$1" >"$tmp/programs"
  kinds=$(wc -l <"$tmp/programs")
  while read -r program; do
    [ -x "$program" ] || { echo "FAIL: $program was not built"; exit 1; }
    for list in $lists; do "$program" $list || exit 1; done >"$tmp/cases"
    while read -r name; do
      ways "$name" >"$tmp/ways"
      way=0
      while read -r environment; do
        way=$((way + 1))
        [ $way -eq 1 ] || [ $((way % kinds)) -eq $number ] || continue
        count=$((count + 1))
        run_case "$tmp/$count" "$program" "$name" "$environment" &
        [ $((count % 8)) -ne 0 ] || wait
      done <"$tmp/ways"
    done <"$tmp/cases"
    number=$((number + 1))
  done <"$tmp/programs"
  wait
}

finish() {
  cat "$tmp"/*.bad 2>/dev/null
  bad=$(find "$tmp" -name '*.bad' | wc -l)
  [ "$count" -gt 0 ] && [ "$bad" -eq 0 ] &&
    echo "ok: $count calls that break a rule, each with its message" && exit 0
  echo "$bad of $count are wrong"
  exit 1
}
