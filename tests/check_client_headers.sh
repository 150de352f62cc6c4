#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# Installed headers as clients of GASNet include them: beside own headers with the names of the front-ends',
# without the system headers that GASNet's include, with internal names of GASNet's, in each standard of C and
# C++, with each compiler.
# time-limit: 400
set -u
. "$(dirname "$0")/script.sh"
prefix=$tmp/inst
must "make install" "$make" -C "$build" --no-print-directory install "prefix=$prefix" || exit 1
cd "$tmp" || exit 1
cc=${CC:-cc} cxx=${CXX-}
san=(); [ "${PST_SANITIZE:-no}" = no ] || san=("-fsanitize=$PST_SANITIZE")
flags=(-O1 -Wall -Wextra -Werror "${san[@]}")

# ---- -I PREFIX/include finds GASNet's headers alone ----

shown=$(cd "$prefix/include" && printf '%s\n' * | grep -vE '^(penstock(-[a-z]+)?|[a-z]+-conduit)$')
expected='gasnet.h gasnet_coll.h gasnet_config.h gasnet_handler.h gasnet_tools-par.mak gasnet_tools-seq.mak'
expected="$expected gasnet_tools.h gasnet_vis.h gasnetx.h"
expected="$expected portable_inttypes.h portable_platform.h"
[ "$(echo $shown)" = "$expected" ] || fail "PREFIX/include has" $shown

# A client that is an OpenSHMEM, a UPC and a GASP library: its own headers follow GASNet's on the command
# line.
mkdir -p own/mpp
for h in shmem.h mpp/shmem.h upc_memory.h upc_compiler.h gasp.h gasp_upc.h gasp_upcalls.h pupc.h; do
  echo "enum { OWN_$(echo $h | tr -c '[:alnum:]\n' _) };" >"own/$h"
  printf '#include <gasnet.h>\n#include <%s>\nint use(void);\nint use(void) { return OWN_%s; }\n' "$h" \
    "$(echo $h | tr -c '[:alnum:]\n' _)" >t.c
  must "a client's own $h" $cc "${flags[@]}" -DGASNET_SEQ -I"$prefix/include" -Iown -c t.c
done

# The client's own platform header is used, wherever it is included.
cat >own/portable_platform.h <<'TEXT'
#ifndef _PORTABLE_PLATFORM_H
#define _PORTABLE_PLATFORM_H
#define PLATFORM_COMPILER_FAMILYNAME OWN
#define PLATFORM_COMPILER_FAMILYID 77
#define PLATFORM_COMPILER_VERSION_STR "0.0"
#define PLATFORM_COMPILER_IDSTR "own"
#define PLATFORM_ARCH_64 1
#define PLATFORM_ARCH_LITTLE_ENDIAN 1
#define PLATFORM_OS_LINUX 1
#if defined(__x86_64__)
#define PLATFORM_ARCH_X86_64 1
#elif defined(__aarch64__)
#define PLATFORM_ARCH_AARCH64 1
#endif
#endif
TEXT
printf '#include "portable_platform.h"\n#include <gasnet.h>\n#include <gasnet_tools.h>\n' >t.c
must "a client's own portable_platform.h, before gasnet.h" $cc "${flags[@]}" -DGASNET_PAR -Iown \
  -I"$prefix/include" -c t.c
printf '#include <gasnet.h>\n#include <gasnet_tools.h>\n#include "portable_platform.h"\n' >t.c
must "a client's own portable_platform.h, after gasnet.h" $cc "${flags[@]}" -DGASNET_PAR -Iown \
  -I"$prefix/include" -c t.c
printf '#define PLATFORM_COMPILER_VERSION_STR "1"\n#include <gasnet.h>\n' >t.c
must "the compiler's version, defined by an MPI's mpi.h" $cc "${flags[@]}" -DGASNET_SEQ -I"$prefix/include" \
  -c t.c

# The front-ends' headers are where their .pc files say, and so is a tool's.
if command -v pkg-config >/dev/null; then
  export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
  for pair in openshmem:mpp/shmem.h openshmem:shmem.h penstock-upc:upc_memory.h penstock-upc:pupc.h \
    penstock-gasp:gasp.h \
    penstock-gasp:gasp_upcalls.h; do
    printf \
      '#include <%s>\n#ifdef _GASNET_H\n#error gasnet.h comes along\n#endif\nint main(void) { return 0; }\n' \
      "${pair#*:}" >t.c
    must "${pair#*:} by pkg-config ${pair%:*}" $cc "${flags[@]}" $(pkg-config --cflags "${pair%:*}") t.c \
      -o t \
      $(pkg-config --libs "${pair%:*}")
  done
else
  echo "note: pkg-config is not installed; the .pc files were not tried"
fi

# ---- what gasnet.h includes, and internal names of GASNet's ----

cat >brought.c <<'TEXT'
#include <gasnet.h>
#ifdef GASNET_PAR
static void *body(void *arg) { return arg; }
#endif
int main(void)
{
  char path[MAXPATHLEN];
  struct sigaction action;
  if (!getcwd(path, sizeof path) || errno == EINVAL || getpid() <= 1) return 1;
  if (!isdigit('7') || sched_yield() != 0) return 1;
  memset(&action, 0, sizeof action);
  action.sa_handler = SIG_IGN;
  if (sigaction(SIGUSR1, &action, NULL) != 0 || raise(SIGUSR1) != 0) return 2;
#ifdef GASNET_PAR
  {
    pthread_t thread;
    struct timespec now;
    void *result;
    if (pthread_create(&thread, NULL, body, path) != 0) return 3;
    if (pthread_join(thread, &result) != 0 || result != path) return 3;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0 || time(NULL) < now.tv_sec) return 4;
  }
#endif
  return 0;
}
TEXT
cat >inside.c <<'TEXT'
#include <gasnet.h>
#include <gasnet_tools.h>
#include <gasnet_handler.h>
#include "portable_inttypes.h"
#include "portable_platform.h"
#if !defined(PLATFORM_ARCH_64) || !defined(PLATFORM_OS_LINUX) || !defined(PLATFORM_COMPILER_FAMILYID)
#error "portable_platform.h"
#endif
#if defined(GASNET_PAR) ? GASNETT_MAX_THREADS != 256 : GASNETT_MAX_THREADS != 1
#error "GASNETT_MAX_THREADS"
#endif
#if GASNETI_MAX_THREADS != GASNETT_MAX_THREADS || !GASNETI_PSHM_ENABLED
#error "GASNETI_..."
#endif
static char tables[GASNETT_MAX_THREADS];

/* Clients do this lest compilers warn of static functions that nothing calls. */
static const void *const threadkey_init GASNETT_UNUSED = (const void *)_gasneti_threadkey_init;
static const void *const trace_noop GASNETT_UNUSED = (const void *)_gasnett_trace_printf_noop;
static const char compiler[] = PLATFORM_COMPILER_IDSTR GASNETI_BUILD_ID GASNETI_CONFIGURE_ARGS;

static void reduce(void *results, size_t result_count, const void *left, size_t left_count, const void *right,
                   size_t size, int flags, int arg)
{
  GASNETT_UNUSED_ARGS8(results, result_count, left, left_count, right, size, flags, arg);
}
static gasnet_coll_fn_entry_t functions[] = { { reduce, 0 } };

static gasnet_hsl_t lock = GASNET_HSL_INITIALIZER;
static gasnett_cond_t changed = GASNETT_COND_INITIALIZER;
GASNETT_THREADKEY_DEFINE(key);
static int ignore_all(int a, int b, int c, int d, int e, int f, int g, int h)
{
  GASNETT_UNUSED_ARGS1(a);
  GASNETT_UNUSED_ARGS7(b, c, d, e, f, g, h);
  return 0;
}

static void *where_it_came;
static void store(gasnet_token_t token, gasnet_handlerarg_t value, void *where)
{
  (void)token;
  where_it_came = where;
  *(gasnet_handlerarg_t *)where = value;
}
SHORT_HANDLER(store, 2, 3, (token, a0, UNPACK(a1)), (token, a0, UNPACK2(a1, a2)))
static size_t got;
static void sized(gasnet_token_t token, void *addr, size_t nbytes, void *where)
{
  (void)token;
  memcpy(where, addr, nbytes);
  got = nbytes;
}
MEDIUM_HANDLER(sized, 1, 2, (token, addr, nbytes, UNPACK(a0)), (token, addr, nbytes, UNPACK2(a0, a1)))

int main(int argc, char **argv)
{
  gasnet_handlerentry_t table[] = { { 200, (void (*)())GASNETI_HANDLER_OF(store) },
                                    { 201, (void (*)())GASNETI_HANDLER_OF(sized) } };
  static gasnet_handlerarg_t value;
  static char text[8];
  int64_t begin;
  if (gasnet_init(&argc, &argv) != GASNET_OK) return 1;
  if (gasnet_attach(table, 2, GASNET_PAGESIZE, 0) != GASNET_OK) return 1;
  if ((int)gasnet_AMMaxLongRequest() < 512 || gasnet_AMMaxLongRequest() > 0x7fffffff) return 2;
  if ((int)gasnet_AMMaxLongReply() < 512 || gasnet_AMMaxLongReply() > 0x7fffffff) return 2;
  SHORT_REQ(2, 3, (gasnet_mynode(), 200, 42, PACK(&value)));
  MEDIUM_REQ(1, 2, (gasnet_mynode(), 201, (void *)"sized", 6, PACK(text)));
  GASNET_BLOCKUNTIL(value == 42 && got == 6);
  if (where_it_came != (void *)&value || strcmp(text, "sized") != 0) return 3;
  if (GASNETI_MAKEWORD(0x89abcdefu, 0xf1234567u) != UINT64_C(0x89abcdeff1234567)) return 4;
  if (GASNETI_HIWORD(UINT64_C(0x89abcdeff1234567)) != 0x89abcdefu) return 4;
  if (GASNETI_LOWORD(UINT64_C(0x89abcdeff1234567)) != 0xf1234567u) return 4;
  if (GASNETI_MAKEWORD(-1, -2) != UINT64_C(0xfffffffffffffffe)) return 4;
  if (strcmp(gasneti_gethostname(), gasnett_gethostname()) != 0) return 5;
  if (argc < 2 || !realpath(argv[1], NULL)) return 6;
  if (strcmp(gasnett_exe_name(), realpath(argv[1], NULL)) != 0) return 6;
  if (strcmp(gasnett_release_version_str(), GASNETI_RELEASE_VERSION) != 0) return 7;
  if (gasnett_release_version() / 1000000 != GASNETT_RELEASE_VERSION_MAJOR) return 7;
  if (gasnett_release_version() / 1000 % 1000 != GASNETT_RELEASE_VERSION_MINOR) return 7;
  if (gasnett_release_version() % 1000 != GASNETT_RELEASE_VERSION_PATCH) return 7;
  begin = gasnett_gettimeofday_us();
  if (gasnett_nsleep(20000000) != 0 || gasnett_gettimeofday_us() - begin < 19000) return 8;
  gasnett_threadkey_init(key);
  gasnett_threadkey_set(key, tables);
  gasnet_hsl_lock(&lock);
  gasnett_cond_signal(&changed);
  gasnett_mutex_assertlocked(&lock.lock);
  gasnet_hsl_unlock(&lock);
  GASNETT_TRACE_PRINTF("%s", compiler);
  GASNETT_STATS_PRINTF("line %d of the client", 1);
  GASNETT_STATS_PRINTF_FORCE("line %d, forced", 2);
  GASNETT_STATS_DUMP(1);
  SHORT_REQ(2, 3, (gasnet_mynode(), 200, 43, PACK(&value)));
  GASNET_BLOCKUNTIL(value == 43);
  if (functions[0].flags || ignore_all(1, 2, 3, 4, 5, 6, 7, 8)) gasnett_fatalerror_nopos("cannot be");
  gasnet_exit(0);
}
TEXT
for mode in SEQ PARSYNC PAR; do
  link=(-DGASNET_$mode "-I$prefix/include" -L"$prefix/lib" "-Wl,-rpath,$prefix/lib" -lgasnet -pthread)
  for client in brought inside; do
    must "$client.c, $mode" $cc -std=gnu99 "${flags[@]}" "$client.c" -o "$client" "${link[@]}" &&
      must "$client.c, $mode: run" "./$client" "./$client"
  done
  [ -z "$cxx" ] && continue
  must "inside.c as C++, $mode" $cxx -std=c++17 "${flags[@]}" -x c++ inside.c -x none -o inside++ \
    "${link[@]}" &&
    must "inside.c as C++, $mode: run" ./inside++ ./inside++
done

# Statistics: lines of the client's by the mask or by force; counts once midway, later ones at the end.
GASNET_STATSFILE=stats GASNET_STATSMASK=AL ./inside ./inside >log 2>&1 ||
  fail "inside with GASNET_STATSFILE: $(cat log)"
grep -q 'line 1 of the client' stats && fail "GASNETT_STATS_PRINTF heeds no mask"
grep -qx 'node 0 H line 2, forced' stats || fail "GASNETT_STATS_PRINTF_FORCE wrote nothing"
[ "$(grep -c '^node 0 peak memory' stats)" = 2 ] || fail "GASNETT_STATS_DUMP wrote nothing"
sent=$(sed -n 's/^node 0 A AM_REQUEST_SHORT: count \([0-9]*\) .*/\1/p' stats)
[ "$(echo $sent)" = '1 1' ] ||
  fail "counts of requests before and after GASNETT_STATS_DUMP(1): $(grep ' A ' stats)"
GASNET_STATSFILE=stats ./inside ./inside >log 2>&1
grep -qx 'node 0 H line 1 of the client' stats || fail "GASNETT_STATS_PRINTF wrote nothing"

# ---- standards and compilers ----

cat >std.c <<'TEXT'
#include <gasnet.h>
#include <gasnet_vis.h>
#include <gasnet_coll.h>
#include <gasnet_tools.h>
#include <gasnet_handler.h>
static void handler(gasnet_token_t token, gasnet_handlerarg_t arg) { (void)token; (void)arg; }
GASNETT_INLINE(twice)
int twice(int n) { return 2 * n; }
int main(int argc, char **argv)
{
  gasnet_handlerentry_t table[1];
  table[0].index = 200;
  table[0].fnptr = (void (*)())handler;
  if (gasnet_init(&argc, &argv) != GASNET_OK) return 1;
  if (gasnet_attach(table, 1, GASNET_PAGESIZE, 0) != GASNET_OK) return 1;
  gasnet_AMRequestShort1(gasnet_mynode(), 200, twice(2));
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_exit(0);
  return 0;
}
TEXT
cp std.c std.cc
also() { # compilers of this system that are not the one in use
  local first=$1 other; shift
  for other; do [ "$other" = "$first" ] || ! command -v "$other" >/dev/null || compilers+=("$other"); done
}
compilers=("$cc"); also "$cc" gcc clang
for c in "${compilers[@]}"; do
  for std in c89 gnu89 c99 gnu99 c11 gnu17; do
    for mode in SEQ PARSYNC PAR; do
      must "$std, $mode, $c" $c -std=$std -O1 -Wall -Wextra -Werror -DGASNET_$mode -I"$prefix/include" \
        -c std.c
    done
  done
done
must "c89: link" $cc -std=c89 "${flags[@]}" -DGASNET_SEQ -I"$prefix/include" std.c -o std \
  -L"$prefix/lib" "-Wl,-rpath,$prefix/lib" -lgasnet &&
  must "c89: run" ./std
if [ -n "$cxx" ]; then
  compilers=("$cxx"); also "$cxx" g++ clang++
  for c in "${compilers[@]}"; do
    for std in c++98 c++11 c++14 c++17 c++20; do
      for mode in SEQ PAR; do
        must "$std, $mode, $c" $c -std=$std -O1 -Wall -Wextra -Werror -DGASNET_$mode -I"$prefix/include" \
          -c std.cc
      done
    done
  done
else
  echo "note: no C++ compiler; C++98 to C++20 were not checked"
fi
[ $bad -eq 0 ] && echo "ok: $count steps"
exit $bad
