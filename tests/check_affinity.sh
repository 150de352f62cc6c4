#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# Processes that their launcher has bound to one core each, or to some of the cores, wait and meet as others
# do.
# time-limit: 60
set -u
. "$(dirname "$0")/script.sh"
program=$build/tests/multi/barrier-seq
[ -x "$program" ] || { echo "FAIL: $program was not built"; exit 1; }
command -v taskset >/dev/null || { echo "skip: no taskset here"; exit 77; }
cores=()
for ((c = 0; c < 1024 && ${#cores[@]} < 2; c++)); do taskset -c $c true 2>/dev/null && cores+=($c); done
[ ${#cores[@]} -eq 2 ] || { echo "skip: one core"; exit 77; }
export FIRST=${cores[0]} SECOND=${cores[1]}

# The first process to come is number 0 here, any other 1.
cat >"$tmp/bind" <<'END'
#!/bin/bash
n=$(mkdir "$TMP_BIND/0" 2>/dev/null && echo 0 || echo 1)
case $BIND in
each) [ "$n" = 1 ] && exec taskset -c "$SECOND" "$@"; exec taskset -c "$FIRST" "$@" ;;
one) [ "$n" = 1 ] || exec taskset -c "$FIRST" "$@"; exec "$@" ;;
same) exec taskset -c "$FIRST" "$@" ;;
esac
END
chmod +x "$tmp/bind"

for how in each one same; do
  rmdir "$tmp/0" 2>/dev/null
  BIND=$how TMP_BIND=$tmp timeout -k 2 20 "$run" -n 2 "$tmp/bind" "$program" --scale 0.1 >"$tmp/out" 2>&1
  rc=$?
  [ $rc -eq 0 ] && continue
  bad=$((bad + 1))
  echo "FAIL bound $how: exit code $rc"
  sed 's/^/    /' "$tmp/out" | head -5
done
[ $bad -eq 0 ] && echo "ok"
exit $((bad > 0))
