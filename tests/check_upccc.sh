#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# upccc as compiler, from the build directory and installed: its options reach objects and programs; sources
# with #pragma pupc keep their name, lines, headers and dependencies; several sources and C++ work; tools are
# linked from objects, archives and shared libraries; nothing is left behind.
# time-limit: 240
set -u
. "$(dirname "$0")/script.sh"
mkdir "$tmp/t" "$tmp/programs" "$tmp/programs/one dir" "$tmp/programs/two"
export TMPDIR=$tmp/t
upccc=$build/bin/upccc
san=(); [ "${PST_SANITIZE:-no}" = no ] || san=("-fsanitize=$PST_SANITIZE")
cd "$tmp/programs" || exit 1
all=(-Wall -Wextra -Werror "${san[@]}")

# ---- sources ----

echo '#define NEXT 1' >'one dir/next.h'
echo '#define NEXT 2' >two/next.h
cat >'one dir/main.c' <<'TEXT'
#include <stdio.h>
#include <upc_memory.h>
#include <pupc.h>
#include "next.h"
int two(upc_pts_t p, int *x);
static void (*const put)(upc_pts_t, const void *, size_t) = upc_memput;
static void calls(upc_pts_t p, int *x)
{
  upc_memput(p, x, sizeof *x);                          /* line 9 */
#pragma pupc off
  upc_memget(x, p, sizeof *x);
  upc_waitsync(upc_memput_async(p, x, sizeof *x));
  upc_barrier(3), bupc_barrier();
  #	pragma  pupc   on  /* a comment that begins here
  ends here */
  upc_waitsync(upc_memput_async(p, x, sizeof *x));      /* line 16 */
  upc_barrier(), bupc_barrier(4);                       /* line 17 */
}
int main(int argc, char **argv)
{
  int x = 4;
#if __UPC_PUPC__ != 1
#error "__UPC_PUPC__ is not 1"
#endif
  upc_init(&argc, &argv);
  upc_pts_t p = upc_all_alloc((size_t)THREADS, sizeof x);
  put(p, &x, sizeof x);
  calls(p, &x);
  printf("%s:%d %d %d\n", __FILE__, __LINE__, NEXT, two(p, &x)); /* line 29 */
  upc_finalize();
  return 0;
}
TEXT
cat >two/two.c <<'TEXT'
#include <upc_memory.h>
#include "next.h"
#pragma pupc off
int two(upc_pts_t p, int *x) { return upc_memget(x, p, sizeof *x), NEXT * 10 + __LINE__; }
TEXT
cat >plus.cc <<'TEXT'
#include <vector>
#include <upc_memory.h>
int two(upc_pts_t p, int *x);
extern "C" int two_(upc_pts_t p, int *x) { return two(p, x); }
#pragma pupc off
int two(upc_pts_t p, int *x)
{
  std::vector<int> v(3);
  upc_memget(x, p, sizeof *x);
#pragma pupc on
  upc_fence();
  return (int)v.size();
}
TEXT
sed 's/^int two(/int two_(/; s/two(p, &x)/two_(p, \&x)/' 'one dir/main.c' >'one dir/with_plus.c'
cat >tool.c <<'TEXT'
#include <stdio.h>
#include <gasp.h>
struct _gasp_context_S { int unused; };
static struct _gasp_context_S context;
gasp_context_t gasp_init(gasp_model_t m, int *c, char ***v) { return (void)m, (void)c, (void)v, &context; }
static const char *base(const char *f)
{
  const char *name = f ? f : "-";
  for (; f && *f; f++)
    if (*f == '/') name = f + 1;
  return name;
}
void gasp_event_notifyVA(gasp_context_t c, unsigned t, gasp_evttype_t y, const char *f, int l, int k,
  va_list a)
{
  (void)c, (void)k, (void)a;
  if (y != GASP_END) fprintf(stderr, "event %x %s:%d\n", t, base(f), l);
#ifdef __clang__ /* GCC has none to tell */
  if (t == GASP_UPC_MEMPUT && y == GASP_START && f && k < 1)
    fprintf(stderr, "event %x %s:%d has no column\n", t, base(f), l);
#endif
}
void gasp_event_notify(gasp_context_t c, unsigned t, gasp_evttype_t y, const char *f, int l, int k, ...)
{
  va_list a;
  va_start(a, k);
  gasp_event_notifyVA(c, t, y, f, l, k, a);
  va_end(a);
}
int gasp_control(gasp_context_t c, int on) { return (void)c, on; }
unsigned gasp_create_event(gasp_context_t c, const char *n, const char *d)
{ return (void)c, (void)n, (void)d, GASP_UPC_USEREVT_START; }
TEXT
main='one dir/main.c'

# ---- what it prints ----

must version "$upccc" --version; says version '^upccc \(Penstock\) [0-9]'
must help "$upccc" --help; says help '--inst-only FILE'
must show "$upccc" --show --inst "$main" two/two.c -DA='b c' -o prog
says show "-DPENSTOCK_INST .*-Wl,--wrap=malloc"; says show "'-DA=b c'"; says show "'one dir/main.c'"
[ ! -e prog ] || fail "--show compiled"
must "no files" "$upccc" -dumpmachine
"$upccc" -c absent.c 2>/dev/null && fail "a source that is not there compiles"
"$upccc" -o 2>"$tmp/log" && fail "-o without a file"; says "-o" 'upccc: -o lacks its argument'
for option in --tool --inst-only; do
  "$upccc" --inst $option= -c two/two.c 2>"$tmp/log" && fail "$option= without a name"
  says "$option=" "upccc: $option= names no (tool|file)"
done
echo 'int f(void) { return undeclared; }' >wrong.c
printf '#pragma pupc off\n\nint g(void) { return undeclared; }\n' >wrong2.c
"$upccc" -c wrong.c >"$tmp/log" 2>&1 && fail "wrong.c compiles"
"$upccc" -c wrong2.c >"$tmp/log" 2>&1 && fail "wrong2.c compiles"; says "a message's place" '^wrong2.c:3:'

# ---- compiling and linking ----

ran() { # title: ./prog prints its name and lines whatever was made of the source
  must "$1: run" ./prog && says "$1" '/main.c:29 1 24$'
}
must "two sources" "$upccc" "${all[@]}" "$main" two/two.c -o prog && ran "two sources"
must "two sources, --inst" "$upccc" --inst "${all[@]}" -Wpedantic "$main" two/two.c -o prog &&
  ran "two sources, --inst"
must "objects" "$upccc" --inst "${all[@]}" -c -MMD "$main" two/two.c &&
  must "objects: link" "$upccc" --inst "${san[@]}" -o prog main.o two.o && ran objects
for d in main.d two.d; do
  [ -f $d ] || { fail "no $d"; continue; }
  grep -q "$tmp/t" $d && fail "$d names temporary files"
done
depends() {
  tr -d '\\\n' <"$2" | tr -s ' ' | grep -q "^$1" || fail "$2: $(head -2 "$2")"
} # what object on what; long lines are folded
depends 'main.o: one dir/main.c' main.d
depends 'two.o: two/two.c' two.d
must "-M" "$upccc" -MM two/two.c; says -M '^two.o: two/two.c'
must "-E" "$upccc" --inst -E two/two.c; says -E '# 1 "two/two.c"'; silent -E 'pragma'
must "-o and -MF" "$upccc" --inst -MD -MF deps -c -o other.o two/two.c; depends 'other.o: two/two.c' deps
must "-x" "$upccc" -x c "$main" -x none two.o "${san[@]}" -o prog && ran "-x"
must "-g" "$upccc" -g -c two/two.c
strings -a two.o | grep -q "$tmp/t" && fail "an object names temporary files"
must "standard input" sh \
  -c "'$upccc' -c -x c - -o stdin.o <two/../wrong2.c 2>/dev/null || '$upccc' -Itwo -c -x c - -o stdin.o "\
"<two/two.c"
if [ -n "${CXX-}" ]; then
  must "C and C++" "$upccc" --inst "${san[@]}" -Wall -Wextra -Werror 'one dir/with_plus.c' plus.cc -o prog &&
    { must "C and C++: run" ./prog; says "C and C++" 'with_plus.c:29 1 3$'; }
  must "--cxx" "$upccc" "${san[@]}" -c 'one dir/with_plus.c' plus.cc &&
    must "--cxx: link" "$upccc" --cxx "${san[@]}" with_plus.o plus.o -o prog
fi
must "a shared library" "$upccc" --inst -fPIC -shared "${san[@]}" two/two.c -o libtwo.so

# main under the name that UPC compilers give it.
cat >renamed.c <<'TEXT'
#include <stdio.h>
#include <upc_memory.h>
int upc_main(int c, char **v) { return printf("%d %s %d of %d\n", c, v[0], MYTHREAD, THREADS) < 0; }
TEXT
must upc_main "$upccc" "${san[@]}" renamed.c -o prog && {
  must "upc_main: run" ./prog; says upc_main '^1 ./prog 0 of 1$'
}

# ---- events ----

must "the tool" "$upccc" "${san[@]}" -fPIC -c tool.c
ar rcs libtool.a tool.o
must "the tool, shared" ${CC:-cc} "${san[@]}" -shared tool.o -o libtool.so
places() { # tags and lines of the events that have places
  sed -n 's/^event \([0-9a-f]*\) main.c:/\1:/p' "$tmp/log" | tr '\n' ' '
}
wanted='222:26 22d:9 242:16 243:16 213:17 213:17 201:30 '
for tool in ./tool.o ./libtool.a "$PWD/libtool.so"; do
  must "--tool=$tool" "$upccc" --inst "--tool=$tool" "${san[@]}" "$main" two/two.c -o prog &&
    must "--tool=$tool: run" ./prog &&
    { [ "$(places)" = "$wanted" ] || fail "--tool=$tool: events $(places)"; }
done
must "without --inst" "$upccc" --tool=./tool.o "${san[@]}" "$main" two/two.c -o prog &&
  must "without --inst: run" ./prog
[ -z "$(places)" ] || fail "without --inst: events $(places)"

printf 'GASP_UPC_MEMPUT\n  GASP_UPC_BARRIER\r\nGASP_NONSENSE\n\nGASP_COLLECTIVE_EXIT\n' >only
for option in '--inst-only only' --inst-only=only '--profile --profile-only only'; do
  must "$option" "$upccc" --inst --tool=./tool.o $option "${san[@]}" "$main" two/two.c -o prog
  says "$option" 'upccc: only: there is no event GASP_NONSENSE'
  must "$option: run" ./prog
  [ "$(places)" = '22d:9 213:17 213:17 201:30 ' ] || fail "$option: events $(places)"
done
"$upccc" --inst-only absent "$main" -o prog 2>"$tmp/log" && fail "--inst-only absent"
says --inst-only 'cannot read absent'

must --inst-functions "$upccc" --inst-functions --tool=./tool.o "${san[@]}" "$main" two/two.c -o prog
must "--inst-functions: run" ./prog; says --inst-functions 'event 101 '
must --inst-local "$upccc" --inst-local -DLOCAL "${san[@]}" "$src/tests/upc/compiler_events.c" -o prog
must "--inst-local: run" ./prog
must --profile-local "$upccc" --profile-local -DLOCAL "${san[@]}" -c "$src/tests/upc/compiler_events.c"
must "--profile-local: link" "$upccc" --profile "${san[@]}" compiler_events.o -o prog &&
  must "--profile-local: run" ./prog

# If stopped while it works, it leaves nothing.
printf '#!/bin/sh\nexec sleep 20\n' >slow; chmod +x slow
UPCCC_CC=./slow "$upccc" -c two/two.c & pid=$!
for ((i = 0; i < 100; i++)); do [ -n "$(ls -A "$tmp/t")" ] && break; sleep 0.1; done
child=$(ps -o pid= --ppid $pid | head -1)
kill -TERM $pid; [ -z "$child" ] || kill $child 2>/dev/null
wait $pid 2>/dev/null && fail "success although it was stopped"

# A pragma before the headers holds from there on.
cat >early.c <<'TEXT'
#pragma pupc off
#include <upc_memory.h>
int main(int argc, char **argv)
{
  upc_init(&argc, &argv);
  upc_fence();
#pragma pupc on
  upc_fence();                                          /* line 8 */
#pragma pupc off
  upc_finalize();
  return 0;
}
TEXT
must "a pragma before the headers" "$upccc" --inst --tool=./tool.o "${all[@]}" -Wpedantic early.c -o prog &&
  must "a pragma before the headers: run" ./prog
[ "$(sed -n 's/^event .* early.c:/:/p' "$tmp/log")" = :8 ] ||
  fail "a pragma before the headers: events $(cat "$tmp/log")"
silent "a pragma before the headers" '^event (201|211|220) '

# Calls in the arguments of calls: each is told at its own place or not at all.
cat >nested.c <<'TEXT'
#include <upc_memory.h>
#include <pupc.h>
static unsigned user;
static int *with_calls(upc_pts_t p, int *x)
{
  upc_memget(x, p, sizeof *x);                          /* line 6 */
#pragma pupc off
  upc_fence();
  pupc_event_atomic(user);                              /* line 9 */
  upc_memput(p, x, sizeof *x);
  return x;
}
#pragma pupc on
static void calls(upc_pts_t p, int *x)
{
  upc_memput(p, with_calls(p, x), sizeof *x);           /* line 16: memput after get and the program's own */
  upc_free(upc_alloc(8));                               /* line 17 */
  upc_barrier(*with_calls(p, x) * 0);                   /* line 18 */
  upc_waitsync(upc_memput_async(p, with_calls(p, x), sizeof *x)); /* line 19 */
#pragma pupc off
  upc_memput(p, with_calls(p, x), sizeof *x);
  upc_free(upc_alloc(8));
  upc_waitsync(upc_memput_async(p, with_calls(p, x), sizeof *x));
  upc_barrier(*with_calls(p, x) * 0);
#pragma pupc on
  pupc_event_atomic(user, *with_calls(p, x));           /* line 26 */
}
int main(int argc, char **argv)
{
  int x = 4;
  upc_init(&argc, &argv);
  user = pupc_create_event("user", "%d");
  calls(upc_all_alloc((size_t)THREADS, sizeof x), &x);
  upc_finalize();
  return 0;
}
TEXT
must nested "$upccc" --inst --tool=./tool.o "${all[@]}" -Wpedantic -Wshadow nested.c -o prog &&
  must "nested: run" ./prog
lines=$(sed -n 's/^event .* nested.c://p' "$tmp/log" | tr '\n' ' ')
[ "$lines" = '33 6 9 16 17 17 6 9 18 6 9 19 19 6 9 6 9 6 9 6 9 26 34 ' ] || fail "nested: lines $lines"
sed '1,/nested.c:33/d; /nested.c:34/,$d' "$tmp/log" | grep '^event.* -:' &&
  fail "nested: a call without a place"

! command -v clang >/dev/null ||
  must "nested: clang" env UPCCC_CC=clang "$upccc" --inst -Wall -Wextra -Werror -Wpedantic -Wshadow \
  -c nested.c

# ---- names and kinds of sources ----

# Sources beside those with pragmas are compiled, too.
printf '#ifdef A\n.globl of_S\nof_S:\n#endif\n.section .note.GNU-stack,"",%%progbits\n' >asm_s.S
echo 'int of_i(void) { return 1; }' >made.i
rm -f two.o renamed.o asm_s.o made.o
must "assembler and preprocessed sources" "$upccc" --inst -DA -c two/two.c renamed.c asm_s.S made.i
for o in two renamed asm_s made; do [ -s $o.o ] || fail "assembler and preprocessed sources: no $o.o"; done
nm asm_s.o | grep -q of_S || fail "asm_s.S was compiled without the options"
rm -f two.o asm_s.o
must "one C source and assembler" "$upccc" -DA -c asm_s.S two/two.c && [ -s asm_s.o ] && [ -s two.o ] ||
  fail "one C source and assembler"
must "assembler in a program" "$upccc" "${san[@]}" -DA "$main" asm_s.S two/two.c made.i -o prog &&
  ran "assembler in a program"

# Names that awk would take for assignments, and the caller's variables.
cp two/two.c NR=7.c; cp two/next.h .
printf 'GASP_UPC_MEMPUT\nGASP_NONSENSE\n' >NR=7
must "a name with =" "$upccc" --inst --tool=./tool.o --inst-only NR=7 "${san[@]}" "$main" NR=7.c -o prog
says "a name with =" 'upccc: NR=7: there is no event GASP_NONSENSE'
must "a name with =: run" ./prog; says "a name with =" 'main.c:29 1 24$'
[ "$(places)" = '22d:9 201:30 ' ] || fail "a name with =: events $(places)" # exits are always told
must "-o with =" "$upccc" -E -MMD -o NR=7.x NR=7.c
grep -q '^# 1 "NR=7.c"' NR=7.x && ! grep -q "$tmp/t" NR=7.* || fail "-o with =: $(head -3 NR=7.x)"
must "value in the environment" env value=junk word=junk out=junk path=junk source_1=junk x_1=junk k=9 \
  "$upccc" -isystemdir --show -c two/two.c
silent "value in the environment" junk
rm next.h

# ---- installed ----

if [ "${PST_LIST:-full}" = full ]; then
  must "make install" bash -c "cd '$build' && '$make' --no-print-directory install 'prefix=$tmp/inst'" && {
    must "installed" "$tmp/inst/bin/upccc" --inst "--tool=./tool.o" "${san[@]}" "$main" two/two.c -o prog &&
      ran installed
    grep -E '@[A-Za-z_]+@' "$tmp/inst/bin/upccc" && fail "upccc has unfilled places"
    sed "s|$tmp||g" "$tmp/inst/bin/upccc" | grep -F "$build" &&
      fail "the installed upccc names the build directory"
    if command -v pkg-config >/dev/null; then
      flags=$(PKG_CONFIG_PATH=$tmp/inst/lib/pkgconfig pkg-config --cflags --libs penstock-upc) ||
        fail "penstock-upc.pc"
      must "pkg-config" ${CC:-cc} "${san[@]}" "$main" two/two.c -o prog $flags && ran pkg-config
    fi
  }
fi
[ -z "$(ls -A "$tmp/t")" ] || fail "left behind: $(ls -A "$tmp/t")"
[ $bad -eq 0 ] && echo "ok: $count commands"
exit $bad
