#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# Programs that are linked with an archive, -lgasnet-smp-par, and meet the library a second time in their
# process. That works, or the job ends with a message that names both files: each way says which.
# time-limit: 400
set -u
. "${PST_SRCDIR:?}/tests/clients/common.sh"
flags=("${san[@]}" -O1 -Wall -Wextra -Werror -DGASNET_PAR "-I$prefix/include" "-I$prefix/include/smp-conduit")
archive=("-L$lib" -lgasnet-smp-par -pthread -ldl) shared=("-L$lib" -lgasnet "-Wl,-rpath,$lib" -pthread -ldl)
main=(-DLINKED "$clients/main.c") loader=$clients/main.c part=$clients/part.c

library() { must "libpart.so" $cc "${flags[@]}" -fPIC -shared -o libpart.so "$part" "$@"; }
program() { must "main" $cc "${flags[@]}" -o main "$@"; }

prints() { grep -qx 'the data are right' log; }
says() { grep 'two copies of the library, in .*the program itself' log | grep -qF -- "$1"; }
works() { # title, command...
  must "$1" timeout 30 "${@:2}" && { prints || { fail "$1: printed"; cat log; }; }
}
refused() { # title, a file that the message names, command...
  timeout 30 "${@:3}" >log 2>&1 </dev/null; local rc=$?
  # The thread sanitizer has its own code for a process that ends while a library is loaded.
  [ "$rc,${PST_SANITIZE:-no}" != 66,thread ] || rc=1
  if [ $rc -ne 1 ] || ! says "$2" || prints; then fail "$1: exit code $rc"; cat log; fi
}
# By the launcher, and alone. The program's argument follows the title.
all_work() {
  works "$1" "$prefix/bin/gasnetrun" -n 2 ./main "${@:2}"
  works "$1, bare" env GASNET_PSHM_NODES=2 ./main "${@:2}"
}
all_refused() {
  refused "$1" "$2" "$prefix/bin/gasnetrun" -n 2 ./main "${@:3}"
  refused "$1, bare" "$2" env GASNET_PSHM_NODES=2 ./main "${@:3}"
}

# ---- performance tools: libraries without a copy ----

program "${main[@]}" "$part" "${archive[@]}"
works "--profile" "$prefix/bin/gasnetrun" -n 2 --profile ./main
if [ "${#san[@]}" = 0 ]; then # a sanitizer's runtime wants to be the first library
  for tool in "$lib"/libpenstock-gasp-*.so; do
    works "${tool##*/} loaded first" env LD_PRELOAD="$tool" "$prefix/bin/gasnetrun" -n 2 ./main
  done
fi

# ---- libpenstock-shmem.so brings libgasnet.so ----

read -r -a openshmem < <("$prefix/bin/oshcc" --show=compile)
osh=("${openshmem[@]}" "$clients/shmem.c") libshmem=(-Wl,--no-as-needed "-L$lib" -lpenstock-shmem \
  "-Wl,-rpath,$lib")
program "${main[@]}" "$part" "${libshmem[@]}" "${archive[@]}" &&
  all_refused "a client of gasnet.h, with libpenstock-shmem.so" libgasnet.so.1
program "${osh[@]}" "${libshmem[@]}" -Wl,--whole-archive "${archive[@]}" -Wl,--no-whole-archive &&
  all_refused "OpenSHMEM with a copy that it does not call" libgasnet.so.1
# A linker takes nothing from an archive if libraries before it have all names.
program "${osh[@]}" "${libshmem[@]}" "${archive[@]}" &&
  all_work "OpenSHMEM, with an archive that is not needed"
program "${osh[@]}" "$lib/libpenstock-shmem.a" "$lib/libpenstock-gasp.a" "${archive[@]}" &&
  all_work "OpenSHMEM of archives"

# ---- shared libraries of the client's own ----

libpart=(-L. -lpart -Wl,-rpath,.)
library "${archive[@]}" && program "${main[@]}" "${archive[@]}" "${libpart[@]}" &&
  all_refused "a library with an archive" libpart.so
program "${main[@]}" "${libpart[@]}" "${archive[@]}" &&
  all_work "a library with an archive, whose copy is the only one"
library "${shared[@]}" && program "${main[@]}" "${archive[@]}" "${libpart[@]}" &&
  all_refused "a library with libgasnet.so" libgasnet.so.1
program "$loader" "${archive[@]}"
for when in before after; do
  library "${archive[@]}" && all_refused "a library with an archive, loaded $when" libpart.so $when
  library "${shared[@]}" && all_refused "a library with libgasnet.so, loaded $when" libgasnet.so.1 $when
done

# ---- one copy: the program's, used by a library; the shared one, used by both ----

library && program "${main[@]}" "${libpart[@]}" "${archive[@]}" && all_work "a library without a copy, linked"
program -rdynamic "$loader" "${archive[@]}"
for when in before after; do all_work "a library without a copy, loaded $when" $when; done
library "${shared[@]}" && program "$loader" "${shared[@]}"
for when in before after; do all_work "the shared library for both, loaded $when" $when; done

# ---- the tools join no job ----

program "$clients/tools.c" "${archive[@]}" -Wl,--no-as-needed "${libpart[@]}" &&
  must "tools, and another copy" ./main
finish
