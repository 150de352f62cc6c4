#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# The runtime of GASP: which tool is taken, loaded or linked, statically or not; what is said of an unusable
# one; that each event reaches it; and what the shared library exports.
# time-limit: 300
set -u
. "$(dirname "$0")/script.sh"
place=$(printf %s "$tmp" | sed 's|[^A-Za-z0-9_/]|.|g') # in an expression: paths may have + and the like
cd "$tmp" || exit 1
driver=$build/tests/gasp/driver conform=$build/tests/gasp/conform.so
fail() { echo "FAIL: $1"; [ $# -lt 2 ] || sed 's/^/    /' "$2" | head -12; bad=1; }

# Each process counts the same as the tool does.
counts_agree() { # title, program, arguments...
  title=$1; shift
  rm -f counts
  CONFORM_OUTPUT=counts timeout 20 "$@" >out 2>err || { fail "$title: exit code $?" err; return; }
  [ -s err ] && fail "$title: says something" err
  sed -n 's/^thread/conform: thread/p' out | sort >wanted
  sort counts >had 2>/dev/null
  cmp -s wanted had || { diff wanted had >differ; fail "$title: other events than were caused" differ; }
}
says() { # title, exit code, text, program, arguments...
  title=$1 code=$2 text=$3; shift 3
  timeout 20 "$@" >out 2>&1; got=$?
  [ $got -eq "$code" ] || fail "$title: exit code $got, not $code" out
  grep -q -e "$text" out || fail "$title: does not say \"$text\"" out
}

says "no tool" 0 '^thread 2: ' "$driver" 3
says "no tool, shared library" 0 '^thread 2: ' "$driver-shared" 3
export GASNET_GASP_TOOL=$conform
counts_agree "a tool that is loaded" "$driver" --rounds 3 3
counts_agree "a tool that is loaded, shared library" "$driver-shared" 3
counts_agree "one thread" "$driver" 1
counts_agree "OpenSHMEM" "$driver" --shmem --rounds 2 3
CONFORM_WRONG_NUMBER=7 says "a number out of the range" 1 \
  'penstock: pupc_create_event: the tool.s number 0x7' "$driver" 1
GASNET_GASP_TOOL=$tmp/none.so says "a tool that is not there" 1 \
  "^penstock: GASNET_GASP_TOOL=$place/none.so: cannot load" "$driver" 1
printf 'nonsense' >text.so
GASNET_GASP_TOOL=$tmp/text.so says "a tool that is no library" 1 'cannot load the tool' "$driver" 1
GASNET_GASP_TOOL='' says "an empty name" 0 '^thread 0: ' "$driver" 1

sanitize=''; [ "${PST_SANITIZE:-no}" = no ] || sanitize="-fsanitize=$PST_SANITIZE"
cc="${CC:-cc} $sanitize"
cat >part.c <<'TEXT'
#include "gasp.h"
gasp_context_t gasp_init(gasp_model_t m, int *c, char ***v) { (void)m, (void)c, (void)v; return 0; }
void gasp_event_notifyVA(gasp_context_t x, unsigned t, gasp_evttype_t k, const char *f, int l, int c,
  va_list a)
{ (void)x, (void)t, (void)k, (void)f, (void)l, (void)c, (void)a; }
TEXT
wrap=-Wl,--wrap=malloc,--wrap=realloc,--wrap=free
link() { # output, objects...
  output=$1; shift
  $cc $wrap -o "$output" "$build/obj/tests/gasp/driver.o" "$@" -L"$build" -Wl,-rpath,"$build" -pthread \
    -ldl >log 2>&1 ||
    fail "cannot link $output" log
}
$cc -shared -fPIC -I"$src/include/penstock-gasp" -o part.so part.c &&
  $cc -c -I"$src/include/penstock-gasp" -o part.o part.c || fail "cannot compile a tool"
GASNET_GASP_TOOL=$tmp/part.so says "a tool that lacks a function" 1 'it has no function gasp_control' \
  "$driver" 1
unset GASNET_GASP_TOOL
tool="$build/pic/tests/gasp/conform.o $build/pic/gasp/tools/common_events.o"
link static $tool "$build/libpenstock-gasp.a"; counts_agree "a tool that is linked" ./static 2
link shared $tool -lpenstock-gasp; counts_agree "a tool that is linked, shared library" ./shared 2
link library -Wl,--no-as-needed "$conform" "$build/libpenstock-gasp.a"
counts_agree "a tool's library that is linked" ./library 2
link library2 -Wl,--no-as-needed "$conform" -lpenstock-gasp
counts_agree "a tool's library that is linked, shared library" ./library2 2
link profile -Wl,--no-as-needed -lpenstock-gasp-profile -lpenstock-gasp
says "profile, linked" 0 '^penstock profile: 2 threads' ./profile 2
ar rc libtool.a $tool
link archive -Wl,-u,gasp_init libtool.a "$build/libpenstock-gasp.a"
counts_agree "a tool's archive" ./archive 2
link half part.o "$build/libpenstock-gasp.a"
says "a linked tool that lacks a function" 1 \
  'linked into this program has gasp_init, but no function gasp_c' ./half 1
GASNET_GASP_TOOL=$conform; export GASNET_GASP_TOOL
counts_agree "a tool that is loaded is stronger than one that is linked" ./half 1

# Programs of the UPC library and of OpenSHMEM keep the rules on every transport.
obeys() { # environment, program, arguments...
  settings=$1 title="$2 $1" program=$build/tests/$2; shift 2
  rm -f counts
  CONFORM_OUTPUT=counts UPC_SHARED_HEAP_SIZE=8388608 timeout 60 env $settings "$build/bin/gasnetrun" -n 3 \
    "$program" "$@" >out 2>&1 ||
    { fail "$title: exit code $?" out; return; }
  [ "$(grep -c '^conform: thread [012]: [1-9][0-9]* events' counts)" -eq 3 ] ||
    fail "$title: not all threads have told of events" counts
}
all_obey() { # environment
  obeys "$1" upc/document-seq
  obeys "$1" upc/model-seq --scale 0.1
  obeys "$1" upc/sync-par --scale 0.2
  obeys "$1" upc/flight-seq --many 300
  obeys "$1" upc/pointers-par --scale 0.1
  obeys "$1" upc/compiler
  for t in types sync coll locks heap random atomics; do
    obeys "$1" shmem/$t --scale 0.05
  done
  counts_agree "shmem/events $1" env $1 "$build/bin/gasnetrun" -n 3 "$build/tests/shmem/events"
}
all_obey GASNET_BACKTRACE=0
all_obey GASNET_AM_ONLY=1
for c in $(networks); do
  all_obey "GASNET_SUPERNODE_MAXSIZE=1 GASNET_CONDUIT=$c"
done

nm -D --defined-only "$build/libpenstock-gasp.so.1" | awk '{ sub(/@.*/, "", $NF); print $NF }' |
  grep -Ev '^((gasp|gaspu|pupc)_|pst_gasp_|__wrap_|__cyg_|_init$|_fini$|__(asan|tsan|ubsan|odr_asan))' >leaked
[ ! -s leaked ] || fail "libpenstock-gasp.so shows these" leaked
[ $bad -eq 0 ] && echo "ok"
exit $bad
