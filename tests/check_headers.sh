#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# Each installed header compiles alone, as C11 and as C++17, without a warning; GASNet's in each thread mode,
# which the front-ends' do not know, and as GNU's C in one of them.
# time-limit: 300
# lists: full short plain
set -u
. "$(dirname "$0")/script.sh"
[ -f "$build/include/gasnet_config.h" ] || { echo "FAIL: no include/gasnet_config.h in $build"; exit 1; }
flags="-Wall -Wextra -Wpedantic -Werror -I$src/include -I$build/include"
# A front-end's headers need those of their directory and of GASP, as its wrapper says.
gasp=-I$src/include/penstock-gasp
# MPI need not be here.
mkdir "$tmp/mpi"
cp "$src/tests/xmp/mpi/stand_in.h" "$tmp/mpi/mpi.h"
for path in "$src"/include/*.h "$src"/include/penstock-*/*.h "$src"/include/penstock-*/mpp/*.h \
  "$build"/include/gasnet_config.h; do
  header=${path#"$src"/include/} wing= modes='SEQ PARSYNC PAR'
  header=${header#"$build"/include/}
  case $header in
    penstock-*) wing="-I$src/include/${header%%/*} $gasp -I$tmp/mpi" modes=PAR header=${header#*/} ;;
  esac
  # A client may use nothing of a header: an empty program will do.
  printf '#include <%s>\nint main(void) { return 0; }\n' "$header" >"$tmp/t.c"
  printf '#include <%s>\nint main() { return 0; }\n' "$header" >"$tmp/t.cc"
  for mode in $modes; do
    case $mode in PAR) stds='c11 gnu11 gnu17' ;; *) stds=c11 ;; esac
    for std in $stds; do
      must "$header as $std, $mode" ${CC:-cc} -std=$std $flags $wing -DGASNET_$mode -S "$tmp/t.c" \
        -o "$tmp/t.s"
    done
    [ -z "${CXX-}" ] ||
      must "$header as C++17, $mode" $CXX -std=c++17 $flags $wing -DGASNET_$mode -S "$tmp/t.cc" -o "$tmp/t.s"
  done
done
printf '#include <gasnet.h>\nint main(void) { return 0; }\n' >"$tmp/t.c"
if ${CC:-cc} $flags -c "$tmp/t.c" -o "$tmp/t.o" >"$tmp/log" 2>&1; then
  fail "gasnet.h without a thread mode compiles"
elif ! grep -q '#error\|error:.*GASNET_SEQ' "$tmp/log"; then
  fail "gasnet.h without a thread mode does not say what to define:"
  head -5 "$tmp/log"
fi
# As read by a UPC compiler with its own pointers-to-shared; its upc.h and the qualifier have stand-ins.
mkdir "$tmp/upc"
cat >"$tmp/upc/upc.h" <<'END'
#include <stddef.h>
#define shared
extern const int MYTHREAD, THREADS;
typedef struct upc_lock_struct upc_lock_t;
void upc_memcpy(shared void *dst, shared const void *src, size_t n);
END
cat >"$tmp/t.c" <<'END'
#include <upc_memory.h>
#include <upc_compiler.h>
upc_handle_t begin(shared void *p, void *q);
upc_handle_t begin(shared void *p, void *q) { return upc_memget_async(q, p, 8); }
END
for inst in '' -DPENSTOCK_INST; do
  must "upc_memory.h as UPC $inst" ${CC:-cc} -std=c11 $flags "-I$src/include/penstock-upc" $gasp -D__UPC__ \
    $inst "-I$tmp/upc" -fsyntax-only "$tmp/t.c"
done
# Guards equal the path: penstock/am.h has PENSTOCK_AM_H.
for path in "$src"/include/penstock/*.h "$src"/include/penstock-*/penstock/*.h; do
  guard=PENSTOCK_$(basename "$path" .h | tr a-z A-Z)_H
  grep -q "^#ifndef $guard\$" "$path" || fail "$path: the include guard is not $guard"
done
[ -n "${CXX-}" ] || echo "note: no C++ compiler; the C++17 half was not checked"
[ $bad -eq 0 ] && echo "ok: $count compilations" && exit 0
exit 1
