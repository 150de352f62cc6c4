#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# xmpcc as compiler, from the build directory and installed: it takes what the C compiler takes, under each
# option that says what to make of a source; objects, dependencies, messages and debuggers name the user's
# files and lines; files that are no C source pass; make, CMake and configure take it; nothing is left behind.
# What becomes of directives, other tests see.
# time-limit: 240
set -u
. "$(dirname "$0")/script.sh"
mkdir "$tmp/t" "$tmp/programs" "$tmp/programs/one dir" "$tmp/programs/two"
export TMPDIR=$tmp/t
xmpcc=$build/bin/xmpcc
san=(); [ "${PST_SANITIZE:-no}" = no ] || san=("-fsanitize=$PST_SANITIZE")
cd "$tmp/programs" || exit 1
all=(-Wall -Wextra -Werror "${san[@]}") strict=(-Wall -Wextra -Wshadow -Wdeclaration-after-statement)

# ---- sources ----

echo '#define NEXT 1' >'one dir/next.h'
echo '#define NEXT 2' >two/next.h
cat >'one dir/main.c' <<'TEXT'
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include "next.h"
int two(void);
int main(int argc, char **argv)
{
#if _XCALABLEMP != 201811
#error "_XCALABLEMP is not 201811"
#endif
  bool ok = argc > 0 && argv[0] != NULL;
  if (!ok) fprintf(stderr, "no name\n");
#ifdef WORD
  printf("%s\n", WORD);
#endif
  printf("%s:%d %d %d\n", __FILE__, __LINE__, NEXT, two());     /* line 16 */
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
TEXT
cat >two/strict.c <<'TEXT'
#include <xmp.h>
#define N 12
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
#pragma xmp template tc[N]
#pragma xmp distribute tc[cyclic] onto p
static int a[N], c[N];
#pragma xmp align a[i] with t[i]
#pragma xmp align c[i] with tc[i]
#pragma xmp shadow a[1]
static int v[4]:[*];
static int f(int x)
{
  int local[N];
#pragma xmp align local[i] with t[i]
  int i, sum = 0, at = 0, buffer[4];
  double most = 0;
#pragma xmp loop on t[i] reduction(+ : sum, buffer)
  for (i = 0; i < N; i++) a[i] = i, local[i] = x, sum += i;
#pragma xmp loop on tc[i] reduction(firstmax : most / at /)
  for (i = 0; i < N; i++)
    if (i > most) most = c[i] = i, at = i;
#pragma xmp reflect(a)
#pragma xmp gmove
  buffer[0:4] = a[2:4];
#pragma xmp reduction(max : sum / at /)
#pragma xmp bcast(sum) from p[0] async(3)
#pragma xmp wait_async(3)
#pragma xmp task on p[0]
  sum++;
#pragma xmp array on t[0:4]
  a[0:4] = 3;
  buffer[0:2] = buffer[1:2];
  v[1]:[0] = 3;
  v[0:2]:[0] = buffer[0:2];
  v[2:2]:[0] = 1;
  v[2:2]:[0] = buffer[0:2] + 1;
  v[1]:[0] += 2;
  v[0]:[0]++;
  x = v[1]:[0] + at;
#pragma xmp loop on t[i]
#pragma omp parallel for
  for (i = 0; i < N; i++) a[i] = i;
  xmp_sync_all((int *)0);
  return sum + x + buffer[0] + local[0];
}
int main(void)
{
  int sum = f(2);
#ifdef LATE
#pragma xmp barrier
  { int sum = 3; (void)sum; }
  int late = sum;
#endif
  return sum == 3;
}
TEXT
printf '#include "next.h"\nint two(void);\nint two(void) { return NEXT * 10 + __LINE__; }\n' >two/two.c
cat >two/plain.c <<'TEXT'
#define _GNU_SOURCE
#include <aio.h>
#include <arpa/inet.h>
#include <complex.h>
#include <fenv.h>
#include <ifaddrs.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif
#include <inttypes.h>
#include <linux/bpf.h>
#include <netdb.h>
#include <obstack.h>
#include <pthread.h>
#include <regex.h>
#include <search.h>
#include <spawn.h>
#include <stdatomic.h>
#include <sys/epoll.h>
#include <sys/ptrace.h>
#include <sys/ucontext.h>
#include <tgmath.h>
#include <threads.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#define CAT(a, b) a##b
#define STR(x) #x
_Static_assert(sizeof(int) == 4, "int");
struct bits { unsigned a : 3, : 0, b : 5; } __attribute__((packed));
struct flex { int n; int data[]; };
union u { int i; float f; };
enum { ONE = 1, TWO, THREE = TWO + 1 } ;
typedef int (*fn)(int [static 2], int (*)[*]);
typedef struct node { struct node *next; int v[3]; } node;
static int k_and_r(a, b) int a; char *b; { return a + b[0]; }
static int vla(int n, int m[n ? n : 1][n]) { return m[n > 1 ? 1 : 0][0]; }
static inline __attribute__((always_inline)) int attr(int x __attribute__((unused))) { return 1; }
int (*returns_fn(int x))(int) ;
static int id(int x) { return x; }
int (*returns_fn(int x))(int) { return x ? id : NULL; }
static int va(int n, ...) { va_list l; va_start(l, n); int s = 0;
  while (n--) s += va_arg(l, int); va_end(l); return s; }
int array<:3:> = <% 1, 2, 3 %>;
int des[10] = { [0 ... 3] = 7, [5] = 1, [ONE ? 7 : 8] = 2 };
static node list = { .v = { [1] = 2 }, .next = &(node){ .v[0] = 5 } };
static const char *strings[] = { "a" "b", u8"c", "\x41[0:1]" };
int main(int argc, char **argv)
{
  __label__ out, again;
  int nested(int x) { return x + argc; }
  static void *jump[] = { &&again, &&out };
  int i = 0, m[2][2] = { { 1, 2 }, { 3, 4 } };
  int a[4] = { 0 }, *p = a, x = argc ?: 2;
again:
  i++;
  if (i < 2) goto *jump[0];
  switch (i) {
  case 0 ... 1: a[0] = 1; break;
  case TWO: { a[x ? 1 : 2] = 3; } /* FALLTHROUGH */
  case 'c': a[argc ? argc > 1 ? 1 : 2 : 3] = 4; __attribute__((fallthrough));
  default: [[gnu::unused]] int yy; a[({ int z = x; lab: z--; if (z > 0) goto lab; z; })] = 9;
    yy = 1; (void)yy;
  }
  int s = ({ int t = 3; t + 1; });
  for (int j = 0, k = 3; j < k; j++, k--) ;
  do x--; while (x > 0);
  while (x-- > 0) if (x) ; else ;
  if (a[0] ? a[1] : a[2]) ; else if (0) { } else { }
  __asm__ volatile ("" : [o] "=r" (s), "+m" (a[0]) : [i] "r" (x), "i" (3) : "memory", "cc");
  __asm__ goto ("" : : : : out);
  s += _Generic(x, int: 1, default: 2) + __builtin_choose_expr(1, a[0], 2) + sizeof(int[3]) + _Alignof(long);
  s += ((union u){ .i = 1 }).i + (int){ 3 } + offsetof(node, v[1]) + sizeof a / sizeof *a;
  p[1] = *(p + 1) ? p[0] : -1; (*p)++; p = &m[1][0]; 2[p] = 0;
  extern int array<:3:>; __typeof__(x) y = vla(2, m); __auto_type w = y; __typeof__(int[3]) q = { 1 };
  s += w + q[0] + k_and_r(1, "x") + va(3, 1, 2, 3) + nested(1) + attr(1) +
     des[0] + list.next->v[0] + strings[0][0];
  _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wunused\"")
  s++; _Pragma("GCC diagnostic pop")
#pragma GCC ivdep
  for (int j = 0; j < 3; j++)
#pragma GCC unroll 2
    for (int k = 0; k < 3; k++) a[k] += j;
  int caf\u00e9 = 1, CAT(ab, c) = 2; s += café + abc; printf(STR(a[0:1] %d) "\n", s);
  _Complex double c = 1.0 + 2.0i; s += (int)__real__ c; __int128 big = 1; s += (int)(big << 3);
  typedef int T; { T T = 3; s += T; } T (T1) = 1; s += T1; { int ONE = 2, *pp = &ONE; s += *pp; }
  struct { int a, b; } arr[2] = { { 1, 2 }, { .b = 3 } }; s += arr[1].b; (void)arr;
  goto out;
out:;
  return s > 0 ? 0 : 1;
}
TEXT
cat >two/masks.c <<'TEXT'
#include <xmp.h>
void masks(int *v, xmp_desc_t a, void *m[2])
{
  xmp_pack(v, a);
  xmp_unpack((a), m[0]);
  xmp_pack(v, a, NULL);
}
TEXT
cat >two/cases.c <<'TEXT'
int f(int x);
int f(int x)
{
  switch (x) {
  case 1: x++; /* FALLTHROUGH */
  case 2: x++;
  /* fall through */
  default: x--;
  }
  return x;
}
TEXT
main='one dir/main.c'
cat >two/blocks.c <<'TEXT'
#pragma xmp nodes p[2][2]
#pragma xmp template t[16][16]
#pragma xmp distribute t[cyclic][block] onto p
#pragma xmp template b[16][16]
#pragma xmp distribute b[block][block] onto p
double u[16][16], c[16][16];
#pragma xmp align u[i][j] with b[i][j]
#pragma xmp align c[i][j] with t[i][j]
#pragma xmp shadow u[1][1]
int box[4]:[*], line[16];

int blocks(int n)
{
  int sum = 0;
  double m = 0;
  if (n)
#pragma xmp loop (i, j) on b[i][j] reduction(+ : m)
    for (int i = 0; i < 16; i++)
      for (int j = 0; j < 16; j++) m += u[i][j];
  else {
#pragma xmp loop on t[i][*]
    for (int i = 0; i < 16; i++) {
#pragma xmp loop on t[i][j] reduction(+ : sum)
      for (int j = 0; j < 16; j++) { sum += c[i][j]; }
    }
  }
#pragma xmp reflect (u) async(1)
#pragma xmp loop (i, j) on b[i][j] reduction(max : m) peel_and_wait(1, -1, -1)
  for (int i = 1; i < 15; i++)
    for (int j = 1; j < 15; j++) {
      if (u[i][j] > m) m = u[i][j];
    }
#pragma xmp tasks
  {
#pragma xmp task on p[0][:]
    {
      sum++;
    }
#pragma xmp task on p[1][:]
    sum--;
  }
#pragma xmp gmove
  line[:] = c[3][:];
#pragma xmp array on b[:][:]
  u[:][:] = u[:][:] + 1;
  box[0:2]:[1] = line[0:2];
  box[3]:[0] = 4;
#pragma omp parallel for
#pragma xmp loop on b[i][*]
  for (int i = 0; i < 16; i++) u[i][0] = 1;
  xmp_barrier();
  return sum + box[2]:[1];
#pragma xmp barrier
}
TEXT
cat >braces <<'TEXT'
# What closes a block stands below what opened it, or below the beginning of that statement.
function indent(s) { match(s, /^ */); return RLENGTH }
/^ *(#.*)?$/ { next }
/^ *}/ {
  if (!depth || (indent($0) != begin[depth] && indent($0) != brace[depth])) { print FNR ": " $0; bad = 1 }
  depth--
  fresh = 1
}
{
  if (fresh) first = indent($0)
  if (/{$/) { begin[++depth] = first; brace[depth] = indent($0) }
  brackets += gsub(/[(]/, "(") - gsub(/[)]/, ")")
  fresh = !brackets && /[;{}:]$/
  if (length($0) > 120) { print FNR ": " $0; bad = 1 }
}
END { exit bad }
TEXT

# ---- what it prints ----

must version "$xmpcc" --version; says version '^xmpcc \(Penstock\) [0-9]'; says version '(gcc|cc|clang)'
must help "$xmpcc" --help; says help '--translate'
must show "$xmpcc" --show "$main" two/two.c -DA='b c' -o prog -O2
says show "-E .*'-DA=b c' -O2 .*'one dir/main.c'"; says show '^[^ ]*.* -o prog .*-lpenstock-xmp'
[ ! -e prog ] || fail "--show compiled"
must "--show=compile" "$xmpcc" --show=compile
says "--show=compile" '^-include xmp_translated.h .*penstock-xmp$'
must "--show=link" "$xmpcc" --show=link; says "--show=link" '-lpenstock-xmp -lpenstock-gasp -lgasnet'
must "no files" "$xmpcc" -dumpmachine
must "-print-" "$xmpcc" -print-search-dirs
expect 1 "no input" "$xmpcc"
expect 1 "absent.c" "$xmpcc" -c absent.c; says absent.c absent.c
expect 2 "-o without a file" "$xmpcc" -o; says -o 'xmpcc: -o lacks its argument'
expect 2 "--translate alone" "$xmpcc" --translate; says --translate 'takes a C source, and none is here'
expect 2 "--translate of an object" "$xmpcc" --translate two.o; says --translate 'which two.o is not'
printf 'int x;\n  # pragma xmp nodes p[4]\n' >two/directive.cc
expect 1 "a directive in C++" "$xmpcc" -c two/directive.cc
says "a directive in C++" '^two/directive.cc:2: error: a directive in'
expect 2 "--tool= without a name" "$xmpcc" --tool=; says --tool= 'names no tool'
expect 127 "no compiler" env XMPCC_CC=absent-cc "$xmpcc" -c two/two.c
says "no compiler" 'cannot run absent-cc'
expect 127 "--cc" "$xmpcc" --cc=absent-cc2 -c two/two.c; says --cc 'cannot run absent-cc2'

# ---- all of this with each compiler ----

ran() { # title: ./prog prints its name and lines
  must "$1: run" ./prog && says "$1" '/main.c:16 1 23$'
}
depends() { # what object on what; long lines are folded
  tr -d '\\\n' <"$2" | tr -s ' ' | grep -q "^$1" || fail "$2: $(head -2 "$2")"
  ! grep -q xmp_translated "$2" || fail "$2 names xmp_translated.h"
}
compiler_tests() {
  must "$way two sources" "$xmpcc" "${all[@]}" "$main" two/two.c -o prog && ran "$way two sources"
  silent "$way two sources" 'warning'
  rm -f ./*.o prog
  must "$way -c" "$xmpcc" "${all[@]}" -Wpedantic -std=c11 -O2 -c -MMD "$main" two/two.c && silent "$way -c" .
  depends 'main.o: one dir/main.c one dir/next.h$' main.d; depends 'two.o: two/two.c' two.d
  must "$way objects" "$xmpcc" "${san[@]}" -o prog main.o two.o -lm && ran "$way objects"
  must "$way -MD -MP" "$xmpcc" -MD -MP -MF deps -MT 'a b' -c -o other.o two/two.c
  depends 'a b: two/two.c' deps
  grep -q '^two/next.h:' deps || fail "$way -MP: no rule for two/next.h"
  printf 'all: ; @echo read\n-include deps\n' >deps.mk
  must "$way the list in make" "$make" -f deps.mk all; silent "$way the list in make" '\*\*\*|warning'
  must "$way -MD" "$xmpcc" -MD -c -o two/x.o two/two.c; depends 'two/x.o: two/two.c' two/x.d
  must "$way -Wp,-MMD" "$xmpcc" -Wp,-MMD,wp.d -c -o other.o two/two.c; depends 'other.o: two/two.c' wp.d
  must "$way -MM" "$xmpcc" -MM two/two.c; says "$way -MM" '^two.o: two/two.c'; silent "$way -MM" translated

  must "$way -E" "$xmpcc" -E "$main"; says "$way -E" '^# 1 "one dir/main.c"'; silent "$way -E" '^#define'
  says "$way -E" 'printf\("%s:%d %d %d.n", "one dir/main.c", 16, 1, two\(\)\);'
  must "$way -E -P" "$xmpcc" -E -P -o main.p "$main"
  grep -Eq '^# *[0-9]' main.p && fail "$way -E -P: line marks"
  must "$way -E -dM" "$xmpcc" -E -dM "$main"; says "$way -E -dM" '^#define _XCALABLEMP 201811'
  must "$way -E -" sh -c "'$xmpcc' -E -Itwo - <two/two.c"; says "$way -E -" 'return 2 \* 10'
  must "$way -E of -E" "$xmpcc" -E -o main.i "$main" && must "$way compiling that" "$xmpcc" -c main.i
  must "$way -S" "$xmpcc" -S two/two.c -o - ; says "$way -S" '^two:'
  rm -f two.s; must "$way -S alone" "$xmpcc" -S two/two.c; [ -s two.s ] || fail "$way -S: no two.s"
  must "$way -fsyntax-only" "$xmpcc" -fsyntax-only two/two.c
  must "$way -x c" "$xmpcc" -x c "$main" -x none two.o "${san[@]}" -o prog && ran "$way -x c"
  must "$way -x c -" sh -c "'$xmpcc' -Itwo -x c -c - -o stdin.o <two/two.c" && [ -s stdin.o ] ||
    fail "$way -x c -: no stdin.o"
  cp two/two.c two/odd.name
  must "$way another suffix" "$xmpcc" -x c -c two/odd.name -o odd.o && [ -s odd.o ] || fail "$way: no odd.o"
  must "$way --translate" "$xmpcc" --translate "$main"; says "$way --translate" '^#include <stdlib.h>'
  silent "$way --translate" '^extern|^typedef|NEXT'
  must "$way compiling that" sh -c "'$xmpcc' --translate '$main' >plain.c && '$xmpcc' -c plain.c"
  must "$way compiling that" sh -c "'$xmpcc' --translate two/blocks.c >plain.c && '$xmpcc' -c plain.c"
  must "$way layout" awk -f braces plain.c
  grep -q 'pst_xmp_barrier_on("two/blocks.c:51", 0);' plain.c || fail "$way: no place of xmp_barrier"
  must "$way -g" "$xmpcc" -g -c two/two.c
  strings -a two.o | grep -q "$tmp/t" && fail "$way: an object names temporary files"
  strings -a two.o | grep -q 'two\.c' || fail "$way: an object does not name its source"

  printf -- '-DWORD="\\"a  b\\"" @%s\n' "$PWD/more" >words; printf "'one dir/main.c' two/two.c -o\nprog" >more
  must "$way @file" "$xmpcc" "${san[@]}" @words && ran "$way @file"; says "$way @file" '^a  b$'
  echo '@loop' >loop; expect 2 "$way @loop" "$xmpcc" @loop; says "$way @loop" 'without end'
  must "$way -include" "$xmpcc" -include two/next.h -c two/two.c
  must "$way -shared" "$xmpcc" -fPIC -shared "${san[@]}" two/two.c -o libtwo.so
  must "$way with it" "$xmpcc" "${san[@]}" "$main" ./libtwo.so -o prog && ran "$way with it"
  must "$way -r" "$xmpcc" -nostdlib -r -o both.o two/two.c
  [ "${PST_SANITIZE:-no}" != no ] || { must "$way -fopenmp" "$xmpcc" -fopenmp -c two/two.c; }
  mkdir -p beside
  must "$way -E -MD" "$xmpcc" -E -MMD -o beside/two.i two/two.c; depends 'two.o: two/two.c' beside/two.d
  must "$way -MF -" "$xmpcc" -MMD -MF - -c -o other.o two/two.c; says "$way -MF -" '^other.o: two/two.c'
  must "$way -MF -" "$xmpcc" -c -MMD -MF - two/two.c; silent "$way -MF -" xmp_translated
  must "$way C90" "$xmpcc" -ansi -pedantic-errors -c two/two.c
  must "$way pedantic" "$xmpcc" -std=c90 -fopenmp -pedantic-errors "${strict[@]}" -Werror -c two/strict.c
  must "$way late" "$xmpcc" -std=c90 -fopenmp -pedantic "${strict[@]}" -DLATE -c two/strict.c
  for line in 53 54; do says "$way late" "^two/strict.c:$line:[0-9]+: warning: "; done
  silent "$way late" 'strict.c:([0-9]|[1-4][0-9]|5[0-2]):[0-9]+: warning'
  must "$way masks" "$xmpcc" -Wall -Werror -c two/masks.c
  must "$way comments" "$xmpcc" -Wextra -Werror -c two/cases.c
  rm -f beside/*; must "$way -save-temps there" "$xmpcc" -save-temps -c two/two.c -o beside/x.o
  [ -s beside/x.i ] || fail "$way -save-temps -o: no beside/x.i, but $(ls beside)"
  must "$way -save-temps, linked" "$xmpcc" -save-temps "${san[@]}" "$main" two/two.c -o beside/prog
  [ -s beside/prog-two.i ] || fail "$way -save-temps: no beside/prog-two.i, but $(ls beside)"
  must "$way -save-temps=cwd" "$xmpcc" -save-temps=cwd -c two/two.c -o beside/x.o
  [ -s x.i ] || fail "$way -save-temps=cwd: no x.i"
  must "$way a header" "$xmpcc" two/next.h -o beside/next.gch
  must "$way a header's options" "$xmpcc" -x c-header two/next.h -o beside/next2.gch
  rm -f two.i x.[is]; must "$way -save-temps" "$xmpcc" -save-temps -c two/two.c
  grep -q '^# 1 "two/two.c"' two.i || fail "$way -save-temps: no two.i"
  rm -f two.[isd] main.[id]
}

# What gcc's own names of files say: of coverage, and macros for debuggers.
gcc_tests() {
  rm -rf beside; mkdir beside
  must "--coverage" "$xmpcc" --coverage "$main" two/two.c -o beside/prog
  must "--coverage: run" beside/prog
  [ -s beside/prog-two.gcda ] || fail "--coverage: no beside/prog-two.gcda, but $(ls beside)"
  must "-g3" "$xmpcc" -g3 -c two/two.c
  # C of all kinds, and headers of the system, become what they become without xmpcc.
  gcc -w -O0 -c two/plain.c -o alone.o || { echo "note: this gcc does not compile two/plain.c"; return; }
  must "plain C" "$xmpcc" -w -O0 -c two/plain.c -o plain.o
  for object in alone plain; do
    objdump -s -j .text -j .data -j .rodata $object.o | sed 1,3d >$object.dump
  done
  [ -s plain.dump ] && cmp alone.dump plain.dump || fail "plain C has been changed"
}

for XMPCC_CC in '' gcc clang; do
  [ -z "$XMPCC_CC" ] || command -v "$XMPCC_CC" >/dev/null || continue
  [ -z "$XMPCC_CC" ] || [ ${#san[@]} = 0 ] || continue
  export XMPCC_CC; way=${XMPCC_CC:-default}
  compiler_tests
done
[ -z "$(command -v gcc)" ] || [ ${#san[@]} -gt 0 ] || XMPCC_CC=gcc gcc_tests
unset XMPCC_CC

# ---- options of Omni's ----

rm -f two.o; must "--Wn" "$xmpcc" --Wn"-O1 -DX=5" --Wp"-DY -DZ=3" -c two/two.c
[ -s two.o ] || fail "--Wn: no two.o"
must "--Wl" "$xmpcc" "${san[@]}" --Wl"-L. -lm" "$main" two/two.c -o prog && ran "--Wl"
must "--Wl is last" "$xmpcc" --show --Wl-lfirst "$main" -o prog; says "--Wl is last" "main.o -lfirst"
must "--tmp" "$xmpcc" --tmp -c two/blocks.c; awk -f braces __omni_tmp__blocks.c || fail "--tmp: no layout"
must "--debug" "$xmpcc" --debug -c two/two.c; [ -s two.i ] || fail "--debug: no two.i"
rm -f two.o; must "--dry" "$xmpcc" --dry -c two/two.c; [ ! -e two.o ] || fail "--dry compiled"
for option in --Wf-x --Wx --Wb-y -xacc --xcalableacc --openacc; do
  must "$option" "$xmpcc" "$option" -c two/two.c; says "$option" "warning: $option is left out: [^ ]"
done
for option in --stop-pp --stop-translator --show-env --scalasca-all --tlog-all; do
  expect 2 "$option" "$xmpcc" "$option" -c two/two.c; says "$option" "$option is not known here; -"
done
rm -f two.[is] blocks.o

# ---- messages ----

printf '#include <stdio.h>\n\nint g(void) { return undeclared; }\n' >wrong.c
expect 1 wrong.c "$xmpcc" -c wrong.c
says wrong.c '^wrong.c:3:22: error:'; says wrong.c '^( *3 \|)? *int g\(void\) \{ return undeclared; \}$'
printf '#define N(x) x\n\n#pragma xmp nodes p[N(1, 2)]\nint g(void) { return undeclared; }\n' >wrong.h
printf '#include "wrong.h"\n' >wrong2.c
rm -f wrong2.o
expect 1 wrong2.c "$xmpcc" -c wrong2.c
says wrong2.c '^(./)?wrong.h:3:1: error: macro N has 2 arguments here, but takes 1$'
says wrong2.c '^ *3 \| #pragma xmp nodes p\[N\(1, 2\)\]$'; silent wrong2.c undeclared
[ ! -e wrong2.o ] || fail "an object of a source with errors"
expect 1 "one of two" "$xmpcc" -c wrong.c two/two.c
[ -s two.o ] || fail "one wrong source: no object of another"
expect 1 "no program" "$xmpcc" wrong.c two/two.c -o wrong
[ ! -e wrong ] || fail "a program of a wrong source"
expect 1 "not linked" "$xmpcc" "$main" -o wrong; says "not linked" two
expect 2 "-o and several" "$xmpcc" -c -o x.o "$main" two/two.c
expect 2 "a full disk" "$xmpcc" -E -o /dev/full two/two.c; says "a full disk" 'cannot write /dev/full'

# ---- other kinds of files ----

printf '#ifdef A\n.globl of_S\nof_S:\n#endif\n.section .note.GNU-stack,"",%%progbits\n' >asm_s.S
echo 'int of_i(void) { return 1; }' >made.i
rm -f two.o asm_s.o made.o
must "assembler and preprocessed sources" "$xmpcc" -DA -c two/two.c asm_s.S made.i
for o in two asm_s made; do [ -s $o.o ] || fail "assembler and preprocessed sources: no $o.o"; done
nm asm_s.o | grep -q of_S || fail "asm_s.S was compiled without the options"
must "assembler in a program" "$xmpcc" "${san[@]}" -DA "$main" asm_s.S two/two.c made.i -o prog &&
  ran assembler
ar rcs libtwo.a two.o
must "a library" "$xmpcc" "${san[@]}" "$main" -L. -l:libtwo.a -o prog && ran "a library"
if [ -n "${CXX-}" ]; then
  echo 'extern "C" int two(void) { return 23; }' >two.cc
  must "C++" "$xmpcc" "${san[@]}" "$main" two.cc -lstdc++ -o prog && ran "C++"
fi

# ---- builds of others ----

cat >Makefile <<'TEXT'
CFLAGS = -O1 -Itwo
prog: main.o two.o
	$(CC) $(LDFLAGS) -o $@ $^
main.o: one\ dir/main.c
	$(CC) $(CFLAGS) -c -o $@ '$<'
%.o: two/%.c
	$(CC) $(CFLAGS) -c -o $@ $<
TEXT
rm -f ./*.o prog
must make "$make" "CC=$xmpcc" "LDFLAGS=${san[*]-}" prog && ran make
if command -v cmake >/dev/null; then
  cat >CMakeLists.txt <<'TEXT'
cmake_minimum_required(VERSION 3.10)
project(p C)
include(CheckIncludeFile)
check_include_file(stdio.h HAS_STDIO)
check_include_file(no_such_header.h HAS_NONE)
if(NOT HAS_STDIO OR HAS_NONE)
  message(FATAL_ERROR "checks of headers are wrong")
endif()
add_executable(prog "one dir/main.c" two/two.c)
TEXT
  must cmake cmake -S . -B cm "-DCMAKE_C_COMPILER=$xmpcc" "-DCMAKE_C_FLAGS=${san[*]-}"
  must "cmake: build" cmake --build cm
  must "cmake: run" cm/prog; says cmake '/main.c:16 1 23$'
  printf '\n/* more */\n' >>two/next.h
  must "cmake: again" cmake --build cm; says "cmake: again" two/two.c
fi
if command -v autoconf >/dev/null; then
  printf '%s\n' 'AC_INIT([p], [1])' 'AC_PROG_CC' 'AC_PROG_CPP' \
    'AC_CHECK_HEADERS([stdlib.h no_such_header.h])' 'AC_CHECK_FUNCS([printf no_such_function])' \
    'AC_CHECK_SIZEOF([int])' 'AC_OUTPUT' >configure.ac
  must autoconf autoconf
  must configure ./configure "CC=$xmpcc" "CFLAGS=${san[*]-}"
  says configure 'size of int... 4'; says configure 'stdlib.h... yes'; says configure 'no_such_header.h... no'
  says configure 'printf... yes'; says configure 'no_such_function... no'
fi

# Subscripts of distributed arrays are global ones, which no sanitizer takes for wrong.
if [ ${#san[@]} -eq 0 ]; then
  for compiler in gcc clang; do
    "$compiler" -x c -fsanitize=undefined - -o probe <<<'int main(void) { return 0; }' >/dev/null 2>&1 ||
      continue
    must "$compiler, undefined" "$xmpcc" "--cc=$compiler" -fsanitize=undefined -fno-sanitize-recover=all -O1 \
      "$src/examples/xmp/laplace.c" -o sanitized -lm &&
      must "$compiler, undefined: runs" "$run" -n 2 ./sanitized
  done
fi

# If stopped while it works, it leaves nothing.
printf '#!/bin/sh\ncase $* in *-E*) exec %s "$@" ;; esac\ntouch "%s/begun"; exec sleep 20\n' \
  "${CC:-cc}" "$tmp" >slow
chmod +x slow
for signal in TERM INT HUP; do
  rm -f "$tmp/begun"
  # Shells let their children of the background ignore SIGINT.
  python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])' \
    "$xmpcc" --cc=./slow -c two/two.c & pid=$!
  for ((i = 0; i < 200; i++)); do [ -e "$tmp/begun" ] && break; sleep 0.1; done
  [ -n "$(ls -A "$tmp/t")" ] || fail "$signal: there is no temporary file to leave"
  kill -$signal $pid
  wait $pid 2>/dev/null && fail "$signal: success although it was stopped"
  [ -z "$(ls -A "$tmp/t")" ] || fail "$signal: left behind: $(ls -A "$tmp/t")"
done

# ---- installed ----

if [ "${PST_LIST:-full}" = full ]; then
  must "make install" bash -c "cd '$build' && '$make' --no-print-directory install 'prefix=$tmp/inst'" && {
    must installed "$tmp/inst/bin/xmpcc" "${san[@]}" "$main" two/two.c -o prog && ran installed
    grep -E '@[A-Za-z_]+@' "$tmp/inst/bin/xmpcc" && fail "xmpcc has unfilled places"
    sed "s|$tmp||g" "$tmp/inst/bin/xmpcc" | grep -F "$build" &&
      fail "the installed xmpcc names the build directory"
  }
fi
[ -z "$(ls -A "$tmp/t")" ] || fail "left behind: $(ls -A "$tmp/t")"
[ $bad -eq 0 ] && echo "ok: $count commands"
exit $bad
