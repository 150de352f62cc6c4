#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# docs/scaling.md: its tables follow from its constants, and constants that one host can count in seconds
# still hold.
# time-limit: 120
set -u
. "$(dirname "$0")/script.sh"
doc=$src/docs/scaling.md scaling=$src/tools/scaling.sh
bad() { echo "FAIL $*"; failed=1; }

"$scaling" table "$doc" | grep '^|' >"$tmp/follows" || bad 'no tables'
grep -E '^\|([^|]*\|){9}$' "$doc" >"$tmp/written"
diff "$tmp/written" "$tmp/follows" ||
  bad 'the tables of docs/scaling.md do not follow from its constants: tools/scaling.sh table prints those '\
'that do'

for arguments in '' nonsense; do
  "$scaling" $arguments >"$tmp/out" 2>&1; [ $? -eq 2 ] || bad "scaling.sh $arguments: no exit code 2"
done
"$scaling" table /nonexistent >"$tmp/out" 2>&1 && bad 'a file that is not there: no error'
echo nothing >"$tmp/nothing"
"$scaling" table "$tmp/nothing" >"$tmp/out" 2>&1 && bad 'a file without constants: no error'

[ "${PST_SANITIZE:-no}" = no ] || {
  echo 'the constants are not those of a build with sanitizers'; exit $failed
}
cd "$build" || exit 1
"$scaling" measure smp >"$tmp/measured" 2>"$tmp/out" || { cat "$tmp/out"; bad measure; }
# Differences up to a tenth, or 64 bytes, are accepted; not in counts of exchanges.
grep -E '^constant (smp|host)\.' "$doc" | awk '
  NR == FNR { now[$2] = $3; next }
  { d = now[$2] - $3; if (d < 0) d = -d
    if (!($2 in now)) print $2 " was not measured"
    else if ($2 ~ /rounds|bytes|most/ ? d : d > 64 && d > $3 / 10)
      print $2 " is " now[$2] ", in docs/scaling.md " $3 }' \
    "$tmp/measured" - >"$tmp/differ"
[ ! -s "$tmp/differ" ] || { cat "$tmp/differ"; bad 'constants'; }
exit $failed
