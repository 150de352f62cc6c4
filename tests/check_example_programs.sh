#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# Every small example, alone and with others, over shared memory, by messages and by each network: right
# results in moderate sizes, many processes, help, refusals. And with a mistake in its code each reports a
# wrong result.
# time-limit: 400
# lists: full
set -u
. "$(dirname "$0")/examples.sh"
san=(); [ "${PST_SANITIZE:-no}" = no ] || san=("-fsanitize=$PST_SANITIZE")

# ---- right results ----

right() { # processes, what it says, program and options; the environment comes from the caller
  local n=$1 text=$2 program=$3; shift 3
  expect 0 "$run" -n "$n" "$build/examples/$program" "$@" || return
  says out "^$text$"
  [ ! -s "$tmp/err" ] || fail 'stderr is not empty'
}
# Those of XcalableMP are compiled here. laplace has two columns of nodes.
mkdir "$tmp/xmp"
xmp_compile() { "$build/bin/xmpcc" "${san[@]}" -O2 -std=gnu11 -Wall -Wextra -Werror "$@" -lm; }
for program in cg himeno laplace matmul nbody random; do
  expect 0 xmp_compile "$src/examples/xmp/$program.c" -o "$tmp/xmp/$program"
done
xmp_right() { # processes, what it says, program
  expect 0 "$run" -n "$1" "$tmp/xmp/$3" && says out "^$3: $2"
}
xmp_examples() { # processes
  local n=$1
  xmp_right "$n" "4096 unknowns, [0-9]+ steps, $n nodes: right, error" cg
  xmp_right "$n" "64 x 48 x 80 cells, 12 steps, $n nodes: right, the last step has changed 0.13" himeno
  xmp_right "$n" "384 x 384 numbers, $n nodes: right$" matmul
  xmp_right "$n" "300 bodies, 20 steps, $n images: right, error" nbody
  xmp_right "$n" "$((16384 * n)) updates of $((4096 * n)) words, $n images: right$" random
  [ $((n % 2)) -ne 0 ] || xmp_right "$n" "512 x 512 cells, 100 steps, $n nodes: right, error" laplace
}
all_examples() { # processes
  local n=$1
  expect 0 "$run" -n "$n" "$build/examples/hello" &&
    says out "^node $((n - 1)) of $n: greetings from node $(((2 * n - 2) % n))$"
  right "$n" "$((60 * n)) cells on $n nodes, 51 steps: right" halo --cells 60 --steps 51
  right "$n" "$((60 * n)) cells on $n threads, 51 steps: right" upc/halo --cells 60 --steps 51
  right "$n" "$((60 * n)) cells on $n PEs, 51 steps: right" shmem/halo --cells 60 --steps 51
  right "$n" "$((3001 * n)) keys on $n nodes: right" hashtable --keys 3001
  right "$n" "$((5003 * n)) keys on $n nodes: sorted" samplesort --keys 5003
  right "$n" "$((300 * n)) rows on $n nodes, 5 products: right" spmv --rows 300 --steps 5
  right "$n" "$((3072 * n)) updates of $((1024 * n)) words on $n nodes: right" gups --bits 10 --updates 3
  right "$n" "$((70 * n)) tasks on $n nodes: each done once, right" taskqueue --tasks 70
  right "$n" "16 x 16 x 16 numbers on $n nodes, there and back: right" fft3d --size 16
  right "$n" "61 x 61 numbers on $n nodes: all sums are 1" balance --size 61
  xmp_examples "$n"
}
for n in 1 3 4; do
  all_examples $n
  export GASNET_AM_ONLY=1; all_examples $n; unset GASNET_AM_ONLY
  export GASNET_SUPERNODE_MAXSIZE=1; all_examples $n; unset GASNET_SUPERNODE_MAXSIZE
done
for c in $(networks); do # alone, then with two processes to a shared memory
  export GASNET_CONDUIT=$c GASNET_SUPERNODE_MAXSIZE=1; all_examples 3
  export GASNET_SUPERNODE_MAXSIZE=2; all_examples 4
  unset GASNET_CONDUIT GASNET_SUPERNODE_MAXSIZE
done
all_examples 40

# Without directives these are programs for one process.
for program in cg himeno laplace matmul; do
  expect 0 ${CC:-cc} -O2 -std=gnu11 "$src/examples/xmp/$program.c" -o "$tmp/alone" -lm &&
    expect 0 "$tmp/alone" && says out "^$program: .* 1 nodes: right"
done

# Sizes that leave some processes with little or nothing; the small cube is compared with its definition in
# all numbers.
for n in 1 5 12; do
  right $n "8 x 8 x 8 numbers on $n nodes, there and back: right" fft3d --size 8
  right $n "2 x 2 x 2 numbers on $n nodes, there and back: right" fft3d --size 2
  right $n "$n keys on $n nodes: sorted" samplesort --keys 1
  right $n "$n keys on $n nodes: right" hashtable --keys 1
  right $n "$n rows on $n nodes, 3 products: right" spmv --rows 1 --steps 3
  right $n "$n tasks on $n nodes: each done once, right" taskqueue --tasks 1
  right $n "$n cells on $n nodes, 3 steps: right" halo --cells 1 --steps 3
  right $n "1 x 1 numbers on $n nodes: all sums are 1" balance --size 1
done
right 3 '210 tasks on 3 nodes: each done once, right' taskqueue --tasks 70 --steal 0
says out '; 0 tasks were taken by others$'

# ---- help, refusals ----

for program in halo upc/halo shmem/halo hashtable samplesort spmv gups taskqueue fft3d transpose gather \
  reblock pipeline balance; do
  for option in -h --help; do
    expect 0 "$run" -n 3 "$build/examples/$program" $option || continue
    [ "$(grep -c "^usage: .* ${program##*/} \[options\]$" "$tmp/out")" -eq 1 ] ||
      fail 'the help does not come exactly once'
    says out '^  --[a-z]+ +.* \([0-9]+ to [0-9]+; default [0-9]+\)$'
  done
  option=$(sed -n 's/^  \(--[a-z]*\) .*default.*/\1/p' "$tmp/out" | head -n 1)
  expect 2 "$run" -n 3 "$build/examples/$program" --bogus 1 &&
    says err "^${program##*/}: unknown option '--bogus'; see --help$"
  expect 2 "$run" -n 2 "$build/examples/$program" "$option" 1000000001 &&
    says err "^${program##*/}: $option needs a number from [0-9]+ to [0-9]+$"
  [ "$(wc -l <"$tmp/err")" -eq 1 ] || fail 'the error does not come exactly once'
done
for number in '' ' 5' -3 0 12x 99999999999999999999; do
  expect 2 "$run" -n 2 "$build/examples/gups" --bits "$number" &&
    says err '^gups: --bits needs a number from 1 to 30$'
done
expect 2 "$run" -n 2 "$build/examples/gups" --bits && says err '^gups: --bits needs a number from 1 to 30$'
expect 2 "$run" -n 2 "$build/examples/fft3d" --size 12 && says err '^fft3d: --size 12 is no power of 2$'
expect 0 "$run" -n 3 "$build/examples/hello" -h && says out '^usage: gasnetrun -n N hello'
expect 2 "$run" -n 3 "$build/examples/hello" --bogus && says err '^usage: gasnetrun -n N hello'
export GASNET_MAX_SEGSIZE=1M
expect 3 "$run" -n 2 "$build/examples/fft3d" --size 64 &&
  says err '^fft3d: needs segments of [0-9]+ bytes, but there is room for 1048576: .* raise '\
'GASNET_MAX_SEGSIZE$'
unset GASNET_MAX_SEGSIZE

# ---- programs with a mistake: compiled here, the UPC and OpenSHMEM ones by their wrappers ----

mkdir "$tmp/upc" "$tmp/shmem" && ln -s "$src/examples/job.h" "$src/examples/options.h" "$tmp"
compile() { # program
  local flags=("${san[@]}" -std=gnu11 -Wall -Wextra -Werror)
  case $1 in
    upc/*) "$build/bin/upccc" "${flags[@]}" "$tmp/$1.c" -o "$tmp/$1" ;;
    shmem/*) "$build/bin/oshcc" "${flags[@]}" "$tmp/$1.c" -o "$tmp/$1" ;;
    *)
      ${CC:-cc} "${flags[@]}" -I"$src/include" -I"$build/include" "$tmp/$1.c" -o "$tmp/$1" \
        "$build/libgasnet.a" -pthread -ldl -lm ;;
  esac
}
noticed() { # program, what sed makes of it, what it says of that
  sed "$2" "$src/examples/$1.c" >"$tmp/$1.c"
  title="$1 with $2"
  ! cmp -s "$src/examples/$1.c" "$tmp/$1.c" || { fail 'nothing was replaced'; return; }
  expect 0 compile "$1" && expect 1 "$run" -n 3 "$tmp/$1" && says err "$3"
}
noticed hello 's/(gasnet_mynode() + 1) % /(gasnet_mynode() + 2) % /' \
  'hello: node [012] was greeted by the wrong node'
noticed halo 's/&u\[1\], sizeof/\&u[2], sizeof/' 'halo: node [01]: a cell is wrong'
noticed upc/halo 's/&u\[1\], sizeof/\&u[2], sizeof/' 'halo: thread [01]: a cell is wrong'
noticed shmem/halo 's/, u\[1\], /, u[2], /' 'halo: PE [01]: a cell is wrong'
noticed hashtable 's/value += in/value = in/' 'hashtable: node [012]: a value is wrong'
noticed hashtable 's/used += .*;/used += 1;/' 'all parts together have too many entries'
noticed samplesort 's/arrive(to, me), mine/arrive(to, 0), mine/' \
  'samplesort: node [012]: keys do not ascend|none of those'
noticed samplesort 's/all\[i \* nodes\]/all[(nodes - i) * nodes]/' 'samplesort: node [012]: '
noticed spmv 's/d.from\[count\] = part(node) + j %/d.from[count] = part(node) + (j + 1) %/' \
  'spmv: node [012]: the result is not'
noticed gups 's/_nbi(GASNETX_ADD/_nbi(GASNETX_XOR/' 'gups: node [012]: [0-9]+ words are wrong'
noticed taskqueue 's/work(first_number(owner, task))/work(first_number(owner, task) + 2)/' \
  'taskqueue: node [012]: task [0-9]+ has [0-9]+ primes'
noticed fft3d 's/u - v/u + v/' 'fft3d: node [012]: the transform is not what its definition says'
noticed fft3d 's/back ? conj(w) : w/(void)back, w/' \
  'fft3d: node [012]: the inverse does not give what was there'
noticed balance 's|/= s->sums|/= 2 * s->sums|' "balance: node [012]: a (row|column)'s sum differs from 1"
noticed transpose 's/srcstrides\[\] = {across, along}/srcstrides[] = {along, across}/' \
  'transpose: node [012]: element'
noticed gather 's/(double)(k + 1) \* x/(double)k * x/' 'gather: node [012]: row'
noticed reblock 's/first, share, sizeof/first, share - 1, sizeof/' 'reblock: node [012]: small block'
noticed_xmp() { # program, what sed makes of it
  sed "$2" "$src/examples/xmp/$1.c" >"$tmp/xmp/$1.c"
  title="xmp/$1 with $2"
  ! cmp -s "$src/examples/xmp/$1.c" "$tmp/xmp/$1.c" || { fail 'nothing was replaced'; return; }
  expect 0 xmp_compile "$tmp/xmp/$1.c" -o "$tmp/xmp/$1" && expect 1 "$run" -n 4 "$tmp/xmp/$1" &&
    says out "^$1: .*: WRONG"
}
noticed_xmp cg 's/reduction(+ : dq)//'
noticed_xmp himeno 's/reflect (u) async/reflect (u) width(0, 0, 0) async/'
noticed_xmp laplace '/reflect (v)/d'
noticed_xmp matmul 's/b\[first:ROWS\]/b[0:ROWS]/'
noticed_xmp nbody 's/:\[image\];/:[me];/'
noticed_xmp random 's/inboxes\[me\]:\[to\] = n;/inboxes[me]:[to] = n \/ 2;/'
noticed pipeline 's/block\[i\] += 1/block[i] += 2/' 'pipeline: node 2: a number is wrong'

# ---- the table of examples names each of them, and nothing else ----

title='examples/README.md'; : >"$tmp/out"; : >"$tmp/err"
named=$(grep '^| `' "$src/examples/README.md" | cut -d'|' -f2 | grep -o '`[^`]*`' | tr -d '`' | sort)
there=$(cd "$src/examples" && {
  ls -d jacobi/; ls ./*.c upc/*.c xmp/*.c shmem/*.c shmem/*.f90 caf/*.f90
} | sed 's|^\./||' | sort)
[ "$named" = "$there" ] ||
  fail "its table is not what is there: $(diff <(echo "$named") <(echo "$there") | grep '^[<>]' | tr '\n' "\
"' ')"
for file in "$src"/examples/*.[ch] "$src"/examples/*/*.[ch] "$src"/examples/*/*.f90; do
  [ "$(wc -l <"$file")" -lt 200 ] || fail "$file has 200 lines or more"
done

[ $bad -eq 0 ] && echo "ok: $count runs" && exit 0
echo "$bad failures in $count runs"
exit 1
