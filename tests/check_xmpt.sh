#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# Tools for XcalableMP programs as xmpcc makes them: libraries that XMP_TOOL_LIBRARIES names, tools in the
# program, in C and C++; profile and timeline with the lines of directives; a program without a tool.
# time-limit: 240
set -u
. "$(dirname "$0")/script.sh"
cd "$tmp" || exit 1
xmpcc=$build/bin/xmpcc
san=(); [ "${PST_SANITIZE:-no}" = no ] || san=("-fsanitize=$PST_SANITIZE")
flags=(-O2 -std=gnu11 -Wall -Wextra -Werror "${san[@]}")
headers=(-I"$src/include/penstock-xmp")

cat >prog.c <<'TEXT'
#include <xmp.h>
#pragma xmp nodes p[*]
#pragma xmp template t[100]
#pragma xmp distribute t[block] onto p
double a[100], b[100];
#pragma xmp align a[i] with t[i]
#pragma xmp align b[i] with t[i]
#pragma xmp shadow a[1]
int c:[*];
int main(void)
{
  double s = 0;
#pragma xmp loop on t[i] reduction(+ : s)
  for (int i = 0; i < 100; i++) s += 1;
#pragma xmp reflect(a)
#pragma xmp gmove
  b[0:50] = a[50:50];
#pragma xmp task on p[0]
  {
#pragma xmp barrier on p[0]
  }
  if (xmpc_node_num() == 0) c:[1] = 3;
  xmp_sync_all(NULL);
#pragma xmp barrier
  int got = c:[1];
#pragma xmp bcast(s)
#pragma xmp reflect(a) async(3)
#pragma xmp wait_async(3)
  return s != 100 || got != 3;
}
TEXT
must compile "$xmpcc" "${flags[@]}" prog.c -o prog -lm
must plain "$run" -n 2 ./prog
silent plain .

# ---- libraries ----

# NAME and ACTIVE are defined when it is compiled.
cat >tool.c <<'TEXT'
#include <stdio.h>
#include <xmpt.h>
static int node;
#if ACTIVE
static void on_write(xmpt_coarray_id_t c, xmpt_subscript_t s, xmpt_subscript_t co) /* without the last two */
{
  printf("%s: node %d writes coarray %d, %d..%d, image %d\n", NAME, node, xmpt_coarray_get_gid(c),
      s->lbound[0], s->ubound[0], co->lbound[0]);
}
static void on_bcast_begin(void *variable, int size)
{
  printf("%s: node %d bcast of %d bytes, %d\n", NAME, node, size, variable != NULL);
}
static void on_bcast_end(void) { printf("%s: node %d bcast ends\n", NAME, node); }
#endif
RESULT xmpt_initialize(void)
{
  node = xmpc_all_node_num();
  printf("%s: node %d starts\n", NAME, node);
#if ACTIVE
  xmpt_set_callback(xmpt_event_coarray_remote_write, on_write);
  xmpt_set_callback(xmpt_event_bcast_begin, on_bcast_begin);
  xmpt_set_callback(xmpt_event_bcast_end, on_bcast_end);
#endif
#if RETURNS
  return ACTIVE;
#endif
}
TEXT
library() { # name, active, type of the result
  local returns=1
  [ "$3" != void ] || returns=0
  must "library $1" ${CC:-cc} "${flags[@]}" -shared -fPIC -DNAME="\"$1\"" -DACTIVE="$2" -DRESULT="$3" \
    -DRETURNS=$returns "${headers[@]}" tool.c -o "$1.so"
}
library declines 0 int
library counts 1 int
library other 1 int
library void 1 void
echo 'int nothing;' >empty.c
must "no tool" ${CC:-cc} "${flags[@]}" -shared -fPIC empty.c -o empty.so

with() { # title, list of libraries, program
  must "$1" env XMP_TOOL_LIBRARIES="$2" "$run" -n 2 "$3"
}
counted() { # title, name
  for n in 0 1; do
    says "$1" "^$2: node $n starts"
    says "$1" "^$2: node $n bcast of 8 bytes, 1"
    says "$1" "^$2: node $n bcast ends"
  done
  says "$1" "^$2: node 0 writes coarray 0, 0..0, image 1"
  silent "$1" "^$2: node 1 writes"
}
with "two tools" ./declines.so:./counts.so:./other.so ./prog
says "two tools" '^declines: node 1 starts'; counted "two tools" counts; silent "two tools" '^other:'
silent "two tools" '^declines: .* bcast'
with "a tool without a result" ./void.so:./other.so ./prog
counted "a tool without a result" void; silent "a tool without a result" '^other:'
with "no such tool" ./absent.so::./empty.so:/:./prog.c:./counts.so ./prog
says "no such tool" 'cannot load the tool ./prog.c: .*'; says "no such tool" 'cannot load the tool /: .*'
says "no such tool" 'node 1 of 2: XMP_TOOL_LIBRARIES: cannot load the tool ./absent.so: .*No such file'
says "no such tool" 'node 0 of 2: XMP_TOOL_LIBRARIES: ./empty.so is no tool: .* no function xmpt_initialize'
counted "no such tool" counts
with "nobody wants it" ./declines.so ./prog
says "nobody wants it" '^declines: node 0 starts'; silent "nobody wants it" 'bcast|writes'

# ---- tools in the program: before those of the variable ----

must "linked object" "$xmpcc" "${flags[@]}" -DNAME='"linked"' -DACTIVE=1 -DRESULT=int -DRETURNS=1 \
  prog.c tool.c -o linked -lm
with "linked object" ./other.so ./linked
counted "linked object" linked; silent "linked object" '^other:'
must "linked library" "$xmpcc" "${flags[@]}" prog.c -Wl,--no-as-needed ./counts.so -Wl,-rpath,"$tmp" \
  -o linked2 -lm
must "linked library" "$run" -n 2 ./linked2
counted "linked library" counts
if [ ${#san[@]} -eq 0 ]; then
  must "preloaded" "$run" -n 2 env LD_PRELOAD="$tmp/counts.so" ./prog
  counted "preloaded" counts
fi
if command -v "${CXX:-c++}" >/dev/null; then
  cat >tool.cc <<'TEXT'
#include <cstdio>
#include <xmpt.h>
static void on_loop(xmp_desc_t d, xmpt_subscript_t s, xmpt_tool_data_t *, const void *)
{
  int kind = 0;
  xmp_desc_kind(d, &kind);
  std::printf("cc: loop on %d, %d dimension, %d..%d\n", kind == XMP_DESC_TEMPLATE, s->ndims, s->lbound[0],
      s->ubound[0]);
}
extern "C" int xmpt_initialize(void) { return xmpt_set_callback(xmpt_event_loop_begin, on_loop) == 4; }
TEXT
  must "C++" "${CXX:-c++}" -Wall -Wextra -Wpedantic -Werror "${san[@]}" -shared -fPIC "${headers[@]}" \
    tool.cc -o cc.so
  with "C++" ./cc.so ./prog
  says "C++" '^cc: loop on 1, 1 dimension, 0..99'
fi

# ---- the example ----

must "tool_count" ${CC:-cc} "${flags[@]}" -shared -fPIC "${headers[@]}" "$src/examples/xmp/tool_count.c" \
  -o tool_count.so
with "tool_count" ./tool_count.so ./prog
says "tool_count" '^node 0: loop +1 times'; says "tool_count" '^node 0: task +1 times'
says "tool_count" '^node 1: reflect +2 times'; says "tool_count" '^node 1: gmove +1 times'
says "tool_count" '^node 0: coarray write +1 times'; silent "tool_count" '^node 1: (task|coarray write) '

# ---- profile and timeline: the lines of directives ----

must profile "$run" -n 2 --profile ./prog
for line in 'XMP_LOOP +prog.c:13 +2' 'XMP_REDUCTION +prog.c:13 +2 +16' 'XMP_REFLECT +prog.c:15 +2' \
  'XMP_GMOVE +prog.c:16 +2' 'XMP_TASK +prog.c:18 +1' 'XMP_BARRIER +prog.c:20 +1' 'XMP_PUT +prog.c:22 +1 +4' \
  'XMP_BARRIER +prog.c:24 +2' 'XMP_GET +prog.c:25 +2 +8' 'XMP_BCAST +prog.c:26 +2 +16' \
  'XMP_SYNC_ALL +[^ ]+ +2' \
  'XMP_REFLECT +prog.c:27 +2' 'XMP_WAIT_ASYNC +prog.c:28 +2'; do
  says profile "^  $line "
done
must timeline "$run" -n 2 --timeline=trace.json ./prog
has_slice() { # name, line
  grep -q "\"name\":\"$1\".*\"file\":\"prog.c\",\"line\":$2}" trace.json || fail "timeline: no $1 of line $2"
}
has_slice XMP_LOOP 13; has_slice XMP_REFLECT 15; has_slice XMP_GMOVE 16; has_slice XMP_BARRIER 24
grep -q '"name":"XMP_PUT","cat":"put","args":{"bytes":4,"thread":1,' trace.json ||
  fail "timeline: no put to node 1"
conform=$build/tests/gasp/conform.so # what GASP says of a model's events
if [ -e "$conform" ]; then
  must conform env GASNET_GASP_TOOL="$conform" "$run" -n 2 ./prog
  says conform 'thread 1: [0-9]+ events'
else
  echo "note: $conform is not built; the events' order was not checked"
fi

[ $bad -eq 0 ] && echo "$count commands: right"
exit $bad
