#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# tests/interface/*.c use every public name: compiled without a warning in each thread mode as C11 and C++17,
# and linked with the static and the shared library. They fill handler tables in the ways that clients do.
# time-limit: 180
# lists: full short
set -u
. "$(dirname "$0")/script.sh"
[ -f "$build/libgasnet.a" ] || { echo "FAIL: no libgasnet.a in $build"; exit 1; }
case ${PST_SANITIZE:-no} in no) sanitize= ;; *) sanitize=-fsanitize=$PST_SANITIZE ;; esac
flags="-O1 -Wall -Wextra -Werror -pthread $sanitize -I$src/include -I$build/include"
libs="-pthread -lm -ldl -lrt"
cc=${CC:-cc} cxx=${CXX-c++}
command -v "${cxx%% *}" >/dev/null 2>&1 || cxx=

# In C, functions of any signature go into the table without a cast; GCC's -Wextra accepts it, C23 does not.
for mode in SEQ PARSYNC PAR; do
  for f in core vis tools; do
    must "$f.c as C11, $mode" $cc -std=gnu11 $flags -DGASNET_$mode "$src/tests/interface/$f.c" -o "$tmp/a" \
      "$build/libgasnet.a" $libs
    [ ! -x "$tmp/a" ] || must "$f.c, $mode, run" "$tmp/a"
    [ -z "$cxx" ] ||
      must "$f.c as C++17, $mode" $cxx -std=c++17 -x c++ $flags -DGASNET_$mode -c \
      "$src/tests/interface/$f.c" -o "$tmp/a.o"
  done
done
[ -z "$cxx" ] || for f in core tools; do
  must "$f.c as C++17, linked" $cxx -std=c++17 $flags -DGASNET_SEQ -x c++ "$src/tests/interface/$f.c" \
    -x none -o "$tmp/a" "$build/libgasnet.a" $libs
done
must "tools.c alone" $cc -std=gnu11 $flags -DTOOLS_ALONE "$src/tests/interface/tools.c" -o "$tmp/a" \
  "$build/libgasnet.a" $libs
must "lite.c" $cc -std=gnu11 $flags "$src/tests/interface/lite.c" -o "$tmp/a" "$build/libgasnet.a" $libs
for f in core vis tools; do
  must "$f.c with the shared library" $cc -std=gnu11 $flags -DGASNET_PAR "$src/tests/interface/$f.c" \
    -o "$tmp/a" -L"$build" -lgasnet -Wl,-rpath,"$build" $libs
done
must "strict prototypes" $cc -std=gnu11 $flags -w -DGASNET_SEQ -DGASNET_USE_STRICT_PROTOTYPES \
  -c "$src/tests/interface/core.c" -o "$tmp/a.o"
[ -n "$cxx" ] || echo "note: no C++ compiler; the C++17 half was not checked"
[ $bad -eq 0 ] && echo "ok: $count compilations" && exit 0
exit 1
