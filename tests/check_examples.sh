#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# The example programs: jacobi3d in many shapes and transports, its error cases and exit codes, and the short
# ones. tests/check_docs.sh checks what the tutorial shows of them.
# time-limit: 180
# lists: full
set -u
. "$(dirname "$0")/examples.sh"
jacobi=$build/examples/jacobi3d hello=$build/examples/hello halo=$build/examples/halo
for program in "$run" "$jacobi" "$hello" "$halo" "$build"/examples/{transpose,gather,reblock,pipeline}; do
  [ -x "$program" ] || { echo "FAIL: $program was not built"; exit 1; }
done
jacobi() { # code, processes, options: environment comes from the caller
  local code=$1 n=$2; shift 2
  expect "$code" "$run" -n "$n" "$jacobi" "$@"
}

# ---- right results ----
right() { # processes, grid, options
  local n=$1 grid=$2 cells; shift 2
  cells=$((${grid//x/*}))
  jacobi 0 "$n" --grid "$grid" --verify full "$@" || return
  says out '^analytic .*: right$'
  says out "^one process +$cells cells equal bit for bit: right$"
  says out '^result +right$'
  [ ! -s "$tmp/err" ] || fail 'stderr is not empty'
}
shapes() {
  right 1 1x1x1 --steps 5
  right 1 20x30x10 --steps 50
  right 8 2x2x2 --steps 9         # nothing but boundary
  right 8 3x2x5 --procs 2x2x2 --steps 9
  right 4 1x1x4 --steps 7
  right 5 31x29x23 --steps 40
  right 7 31x29x23 --steps 40 --overlap off
  right 6 17x40x9 --procs 3x2x1 --steps 31
  right 6 17x40x9 --procs 1x2x3 --steps 31 --overlap off
}
for n in 1 2 3 4 5 6 7 8 9 10 11 12; do right $n 13x12x11 --steps 25; done
shapes
right 27 10x11x13 --procs 3x3x3 --steps 20
right 64 17x16x15 --steps 20
right 64 4x4x4 --steps 20 --overlap off
# Every way to exchange faces, in too many steps for luck.
ways() {
  local exchange plan notify
  for exchange in strided packed; do
    for plan in '' --plan; do
      for notify in '' --notify; do
        right 8 13x12x11 --steps 150 --exchange $exchange $plan $notify
        right 5 31x29x23 --steps 60 --overlap off --exchange $exchange $plan $notify
      done
    done
  done
  right 27 10x11x13 --procs 3x3x3 --steps 60 --plan --notify
  right 1 9x9x9 --steps 20 --plan --notify --exchange packed
}
ways
jacobi 0 2 --grid 12 --steps 9 --exchange packed --plan --notify
says out '^puts +packed, one plan, told by notification: .* us a step with packing and unpacking$'
jacobi 0 2 --grid 12 --steps 9
says out '^puts +strided, a call a face, told by barrier: .* us a step$'
export GASNET_AM_ONLY=1; shapes; ways; right 27 10x11x13 --steps 20; unset GASNET_AM_ONLY
export GASNET_SUPERNODE_MAXSIZE=1; shapes; ways; right 27 10x11x13 --steps 20; unset GASNET_SUPERNODE_MAXSIZE

# Started without gasnetrun.
expect 0 env GASNET_PSHM_NODES=3 "$jacobi" --grid 20x10x30 --steps 10 --verify full
says out '^processes +3 as 1x1x3'
expect 0 "$jacobi" --grid 20 --steps 10
says out '^processes +1 as 1x1x1'
says out '^face data +none'

# The process grid has the least surface; the remainder goes to the first blocks.
jacobi 0 8 --grid 16 --steps 1 && says out '8 as 2x2x2, the largest block 8x8x8'
jacobi 0 4 --grid 100x10x10 --steps 1 && says out '4 as 4x1x1, the largest block 25x10x10'
jacobi 0 7 --grid 9x10x30 --steps 1 && says out '7 as 1x1x7, the largest block 9x10x5'

# Sampled comparison.
jacobi 0 6 --grid 40x20x30 --steps 30 --verify sample
# 6 blocks, 8 corners of 3x3x3
says out '^one process +1296 cells equal bit for bit in a sample after step 10 .*: right$'
jacobi 0 2 --grid 12 --steps 30 --verify off && says out 'NOT COMPARED'
jacobi 0 2 --grid 3 --steps 5000 && says out '^analytic +NOT CHECKED: the solution has decayed'

# ---- wrong results are noticed, by each check ----
jacobi 1 5 --grid 20 --steps 30 --spoil 30 --verify full
says out '^analytic .*: WRONG$'
says out '^one process +1 of 8000 cells differ: WRONG$'
jacobi 1 5 --grid 20 --steps 30 --spoil 3 --verify full
says out '^analytic .*: WRONG$'
says out '^result +WRONG$'
jacobi 1 6 --grid 20 --steps 30 --spoil 10 --verify sample
says out '^one process .* differ in a sample .*: WRONG$'
jacobi 1 3 --grid 20 --steps 30 --spoil 20 --verify off && says out '^analytic .*: WRONG$'

# ---- refusals: one line on stderr from one node, nothing on stdout ----
refused() { # code, processes, pattern, options
  local code=$1 n=$2 pattern=$3; shift 3
  jacobi "$code" "$n" "$@" || return
  says err "^jacobi3d: .*$pattern"
  [ "$(wc -l <"$tmp/err")" -eq 1 ] || fail 'more than one line on stderr'
  [ ! -s "$tmp/out" ] || fail 'stdout is not empty'
}
refused 2 3 "unknown option '--bogus'" --bogus
refused 2 1 "unexpected argument 'extra'" extra
refused 2 3 "bad value '0' for --grid" --grid 0
refused 2 3 "bad value '4x0x4' for --grid" --grid 4x0x4
refused 2 3 "bad value '4x4' for --grid" --grid 4x4
refused 2 3 "bad value '-4' for --grid" --grid -4
refused 2 3 "bad value '99999999999999999999' for --grid" --grid 99999999999999999999
refused 2 3 '--grid needs a value' --grid
refused 2 3 "bad value '0' for --steps" --steps 0
refused 2 3 "bad value '3k' for --steps" --steps 3k
refused 2 3 "bad value 'perhaps' for --overlap: it must be on or off" --overlap perhaps
refused 2 3 "bad value 'both' for --exchange: it must be strided or packed" --exchange both
refused 2 3 "bad value '1' for --verify" --verify=1
refused 2 3 "bad value '' for --picture" --picture=
refused 2 3 "bad value '2x2' for --procs" --procs 2x2
refused 2 3 'makes 4 processes, but the job has 3' --procs 2x2x1
refused 2 4 'is too many for 9x9x3 cells' --grid 9x9x3 --procs 1x1x4
refused 2 9 '2x2x2 cells cannot be divided among 9 processes: use 8' --grid 2
refused 2 7 '5x5x5 cells cannot be divided among 7 processes: use 6' --grid 5
refused 2 3 '--spoil 9 is after the last of 8 steps' --spoil 9 --steps 8
refused 3 3 'needs a segment of .* MiB, but there is room for .* GASNET_MAX_SEGSIZE' --grid 65536
export GASNET_MAX_SEGSIZE=1M; refused 3 2 'there is room for 1.0 MiB' --grid 128; unset GASNET_MAX_SEGSIZE
refused 4 3 "cannot write picture '${tmp//[^A-Za-z0-9_\/]/.}/none/p.ppm': No such file or directory" \
  --picture "$tmp/none/p.ppm"
if [ -c /dev/full ]; then
  jacobi 4 3 --grid 16 --steps 2 --picture /dev/full &&
    says err "cannot write picture '/dev/full': No space left"
  "$run" -n 2 "$jacobi" --grid 16 --steps 2 >/dev/full 2>"$tmp/err"; code=$?
  if [ $code -eq 4 ]; then says err "cannot write to the standard output"
  else fail "a report to a full disk: exit code $code"; fi
fi
jacobi 0 3 --help
says out '^usage: jacobi3d'
[ "$(grep -c '^usage' "$tmp/out")" -eq 1 ] || fail 'the help does not come exactly once'
for option in grid steps procs overlap exchange plan notify verify picture progress spoil help; do
  says out "^  --$option"
done

# ---- the picture does not depend on the decomposition ----
jacobi 0 1 --grid 40x30x20 --steps 20 --picture "$tmp/1.ppm" &&
  says out '^picture +.*/1.ppm: temperatures from .* to '
jacobi 0 6 --grid 40x30x20 --steps 20 --picture "$tmp/6.ppm" --procs 3x2x1
cmp "$tmp/1.ppm" "$tmp/6.ppm" || fail 'pictures differ'
[ "$(head -c 15 "$tmp/6.ppm" | tr '\n' ' ')" = 'P6 520 390 255 ' ] || fail 'the picture has a wrong header'
[ "$(wc -c <"$tmp/6.ppm")" -eq $((15 + 3 * 520 * 390)) ] || fail 'the picture has a wrong size'

# ---- progress: quiet for a second, then a line each tenth ----
jacobi 0 1 --grid 8 --steps 3 --progress
[ ! -s "$tmp/err" ] || fail 'progress of a short run'
steps=2000
while jacobi 0 1 --grid 64 --steps $steps --progress --verify off; do
  awk '/^time/ { exit !($6 > 3) }' "$tmp/out" && break
  steps=$((steps * 2))
done
says err '^solving: [1-9]0 %, [0-9]+ s left$'

# ---- hello and halo ----
for n in 1 5; do
  expect 0 "$run" -n $n "$hello"
  for ((i = 0; i < n; i++)); do says out "^node $i of $n: greetings from node $(((i + n - 1) % n))$"; done
  [ "$(wc -l <"$tmp/out")" -eq $n ] || fail 'a greeting too many'
done
for n in 1 2 7; do
  expect 0 "$run" -n $n "$halo" && says out "^$((1000 * n)) cells on $n nodes, 100 steps: right$"
  expect 0 env GASNET_AM_ONLY=1 "$run" -n $n "$halo" && says out ': right$'
done

# ---- transpose, gather, reblock, pipeline ----
for way in GASNET_AM_ONLY=0 GASNET_AM_ONLY=1 GASNET_SUPERNODE_MAXSIZE=1; do
  for n in 1 2 7; do
    small() { expect 0 env $way "$run" -n $n "$build/examples/$1" && says out "^$2$"; }
    small transpose "$((96 * n)) x $((96 * n)) elements on $n nodes: transposed"
    small gather "$((500 * n)) rows on $n nodes: right"
    small reblock "$((3000 * n)) elements on $n nodes, in blocks of 32: right"
    small pipeline "500 blocks through $n nodes: right"
  done
done

[ $bad -eq 0 ] && echo "ok: $count runs" && exit 0
echo "$bad failures in $count runs"
exit 1
