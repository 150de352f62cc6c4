#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# Static variables as symmetric objects, in programs compiled and linked in every way, with shared libraries
# that have some; the message about libraries whose data are not symmetric.
# time-limit: 240
set -u
. "$(dirname "$0")/script.sh"
cd "$tmp" || exit 1
san=(); [ "${PST_SANITIZE:-no}" = no ] || san=("-fsanitize=$PST_SANITIZE")
read -ra cc <<<"${CC:-cc}" # they may be several words, as ccache gcc
read -ra cxx <<<"${CXX:-c++}"
tests=$src/tests/shmem
flags=(-Wall -Wextra "${san[@]}" -pthread "-I$src/include/penstock-shmem" "-I$src/include" "-I$build/include")
static=("$build/libpenstock-shmem.a" "$build/libpenstock-gasp.a" "$build/libgasnet.a" -ldl -lrt -lm)
shared=("-L$build" "-Wl,-rpath,$build" -lpenstock-shmem -lgasnet -ldl -lm)

fail() { echo "FAIL $1"; sed 's/^/    /' log | head -12; bad=$((bad + 1)); }
compile() { # title, command...
  local title=$1; shift
  "$@" >log 2>&1 || { fail "$title: cannot be built: $*"; return 1; }
  [ ! -s log ] || { fail "$title: warnings"; return 1; }
}
runs() { # title, program, arguments...
  local title=$1; shift
  count=$((count + 1))
  for way in NOTHING=1 GASNET_AM_ONLY=1; do
    env $way timeout 30 "$run" -n 3 "$@" >log 2>&1 </dev/null || fail "$title ($way): exit code $?"
  done
}
refuses() { # title, pattern, program, arguments...
  local title=$1 pattern=$2 rc; shift 2
  count=$((count + 1))
  timeout 30 "$run" -n 3 "$@" >log 2>&1 </dev/null; rc=$?
  [ $rc -eq 1 ] || fail "$title: exit code $rc, not 1"
  grep -Eq -- "$pattern" log || fail "$title: nothing like $pattern"
}

# ---- the program's own ----

for optimised in -O0 -O2; do
  for kind in '-fPIE -pie' '-fno-pie -no-pie' '-fPIC -pie -Wl,-z,now' \
    '-fno-pie -no-pie -fdata-sections -Wl,--gc-sections'; do
    for linked in static shared; do
      declare -n libraries=$linked
      title="$optimised $kind, $linked"
      compile "C $title" "${cc[@]}" -std=gnu11 $optimised $kind "${flags[@]}" -o program "$tests/statics.c" \
        "${libraries[@]}" &&
        runs "C $title" ./program --scale 0.1
    done
  done
done
if command -v "${cxx[0]}" >/dev/null; then
  for kind in '-O0 -fPIE -pie' '-O2 -fPIE -pie' '-O2 -fno-pie -no-pie'; do
    compile "C++ $kind" "${cxx[@]}" -std=c++17 $kind "${flags[@]}" -o program "$tests/cxx.cc" \
      "${shared[@]}" &&
      runs "C++ $kind" ./program
  done
fi

# ---- a library's: copied into the program, and private; linked with ours or not ----

library() { # output, libraries...
  local output=$1; shift
  compile "$output" "${cc[@]}" -std=gnu11 -O2 -fPIC -shared "${flags[@]}" "-Wl,-soname,$output" -o "$output" \
    "$tests/library/library.c" "$@"
}
library libpartner.so -Wl,--no-as-needed "${shared[@]}" || exit 1
library libstranger.so || exit 1
library libloaded.so -Wl,--no-as-needed "${shared[@]}" || exit 1
for kind in '-O2 -fPIE -pie' '-O2 -fno-pie -no-pie' '-O0 -fno-pie -no-pie'; do
  for name in partner stranger; do
    compile "with lib$name.so, $kind" "${cc[@]}" -std=gnu11 $kind "${flags[@]}" -o "use-$name" \
      "$tests/library/user.c" -L. "-Wl,-rpath,$tmp" \
      "-l$name" "${shared[@]}" && runs "with lib$name.so, $kind" "./use-$name" --private 1
  done
  refuses "one that is loaded later, $kind" \
    'penstock: PE [012] of 3: shmem_long_p: .* is no symmetric address: it is in .*libloaded\.so' \
    ./use-partner --loaded "$tmp/libloaded.so"
done

# ---- a sanitizer's, whose locks a child would share ----

cat >forks.c <<'C'
#include <pthread.h>
#include <shmem.h>
#include <stdlib.h>
#include <unistd.h>
/* It comes after the warning, before the sanitizer: there is no child. */
static void before(void) { exit(0); }
int main(void)
{
  pthread_atfork(before, NULL, NULL);
  start_pes(0);
  fork();
  return 1;
}
C
warns() { # title, how often, compiler
  local title=$1 times=$2 compiler=$3
  echo 'int main(void) { return 0; }' >empty.c
  "$compiler" -fsanitize=thread -o empty empty.c >log 2>&1 && ./empty >log 2>&1 || {
    echo "no program of $compiler with -fsanitize=thread can be built here"; return
  }
  compile "$title" "$compiler" -std=gnu11 -fsanitize=thread -pthread "-I$src/include/penstock-shmem" \
    "-I$src/include" "-I$build/include" -o forks forks.c "${shared[@]}" || return
  count=$((count + 1))
  timeout 30 "$run" -n 1 ./forks >log 2>&1 </dev/null || fail "$title: exit code $?"
  [ "$(grep -c 'penstock: PE 0 of 1: fork: ThreadSanitizer is linked into the program' log)" -eq \
    "$times" ] || fail "$title: not warned of $times times"
}
if [ "${PST_SANITIZE:-no}" = no ]; then
  warns "clang's ThreadSanitizer" 1 clang
  warns "gcc's ThreadSanitizer" 0 gcc
fi

[ $bad -eq 0 ] && echo "ok: $count programs" && exit 0
exit 1
