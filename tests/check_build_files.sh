#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# Build scripts as GASNet's clients have them find the library and build against it unchanged; their programs
# start from a plain prefix, without a path to libraries: makefiles with a fragment's variables, pkg-config
# --variable, a probe as in autoconf's configure scripts, a CMake find module that looks for fragments, and
# command lines with -I, -L and -l.
# time-limit: 400
set -u
. "${PST_SRCDIR:?}/tests/clients/common.sh"
mapfile -t conduits < <(conduits)
upper() { echo "$1" | tr a-z A-Z; }
export PKG_CONFIG_PATH=$lib/pkgconfig
has_pkgconfig=yes
command -v pkg-config >/dev/null || { has_pkgconfig=no; echo "note: pkg-config is not installed"; }

runs() { # title, conduit, program
  local name; name=$(upper "$2")
  readelf -d "$3" | grep -E 'NEEDED.*(libgasnet|libpenstock)|R(UN)?PATH' &&
    fail "$1: it needs a library of ours, or a path"
  must "$1: running" "$prefix/bin/gasnetrun_smp" -n 2 "$3" &&
    { grep -qx "$name $name 2" log || fail "$1: printed $(cat log)"; }
}

# ---- a makefile that uses every variable; pkg-config has the same ----

both='PREFIX CC CXX LD LDFLAGS LIBS LIBDIRS DEFINES INCLUDES CFLAGS OPT_CFLAGS MISC_CFLAGS CXXFLAGS '\
'OPT_CXXFLAGS'
both="$both MISC_CXXFLAGS CPPFLAGS MISC_CPPFLAGS CXXCPPFLAGS MISC_CXXCPPFLAGS"
gasnet="$both LD_REQUIRES_MPI SPAWNER_DEFAULT SPAWNER_FORK SPAWNER_PMI SPAWNER_MPI SPAWNER_SSH"
with() {
  "$make" --no-print-directory -f "$clients/fragment.mk" "FRAGMENT=$fragment" "X=$x" "NAMES=$names" \
    "OUT=$out" "$@"
}
variable() { sed -n "s/^$1 //p" variables; }
said() { # variable, word...
  local v=$1 word; shift
  for word; do
    case " $(variable "$v") " in *" $word "*) ;; *) fail \
      "$fragment: ${x}_$v lacks $word: $(variable "$v")" ;; esac
  done
}
manual=(MANUAL_DEFINES=-DBY_HAND=1 MANUAL_CFLAGS=-fno-common MANUAL_CXXFLAGS=-fno-rtti \
  MANUAL_LDFLAGS=-Wl,-z,now
  MANUAL_LIBS=-lm)

same_by_pkgconfig() { # package
  local n value
  for n in $names; do
    value=$(echo $(pkg-config "${manual[@]/#/--define-variable=}" "--variable=${x}_$n" "$1"))
    [ "$value" = "$(variable "$n")" ] ||
      fail "$1: pkg-config says ${x}_$n=$value, the fragment $(variable "$n")"
  done
  [ "$(echo $(pkg-config --cflags "$1"))" = "$(echo $(pkg-config "--variable=${x}_CPPFLAGS" "$1"))" ] ||
    fail "$1: the flags are $(pkg-config --cflags "$1")"
}
has_all() { # package
  with variables "${manual[@]}" >variables || fail "make cannot read $fragment"
  grep 'not defined' variables && fail "$fragment lacks variables"
  [ "$(variable PREFIX)" = "$prefix" ] || fail "$fragment: the prefix is $(variable PREFIX)"
  for v in DEFINES CPPFLAGS CXXCPPFLAGS; do said $v -DBY_HAND=1 -D_GNU_SOURCE=1 "${@:2}"; done
  for v in INCLUDES CPPFLAGS CXXCPPFLAGS; do said $v "-I$prefix/include"; done
  said CFLAGS -fno-common; said CXXFLAGS -fno-rtti; said LDFLAGS -Wl,-z,now; said LIBS -lm
  case $1,$(variable DEFINES) in
    *-seq,*-D_REENTRANT*) fail "$1 has -D_REENTRANT" ;;
    *-par*) said DEFINES -D_REENTRANT ;;
  esac
  [[ $(variable LIBS) == "-L$lib -l$1 "* ]] || fail "$1: the libraries are $(variable LIBS)"
  [ $has_pkgconfig = no ] || same_by_pkgconfig "$1"
}
fragment_serves() { # conduit, mode
  local want; want=-DWANT=GASNET_CONDUIT_$(upper "$1")
  fragment=$prefix/include/$1-conduit/$1-$2.mak out=$1-$2
  has_all "gasnet-$out" "-DGASNET_$(upper "$2")"
  said INCLUDES "-I$prefix/include/$1-conduit"; said LD_REQUIRES_MPI 0; said SPAWNER_MPI 0
  case $1 in smp) said SPAWNER_DEFAULT fork ;; *) said SPAWNER_DEFAULT ssh ;; esac
  for v in FORK SSH PMI; do said SPAWNER_$v 1; done
  case $1-$2 in
    smp-* | *-par)
      must $out with "SRC=$clients/conduit.c" "MANUAL_DEFINES=$want" $out && runs $out "$1" ./$out ;;
    *) must "$out, parts" with "SRC=$clients/conduit.c" "MANUAL_DEFINES=$want" parts ;;
  esac
  [ $out = smp-seq ] && [ -n "${CXX-}" ] || return
  must "$out, parts in C++" with "SRC=$clients/conduit.c" "MANUAL_DEFINES=$want" parts++
  must "$out, C++" with "SRC=$clients/conduit.c" "MANUAL_DEFINES=$want" $out++ &&
    runs "$out, C++" "$1" ./$out++
}

x=GASNET names=$gasnet
for c in "${conduits[@]}"; do
  for mode in seq par parsync; do fragment_serves "$c" $mode; done
done
x=GASNETTOOLS names=$both
for mode in seq par; do
  fragment=$prefix/include/gasnet_tools-$mode.mak out=tools-$mode
  has_all gasnet_tools-$mode
  must "$out" with "SRC=$clients/tools.c" $out && must "$out: running" ./$out
done

# ---- pkg-config --variable, in the manner of a configure script ----

ask() { pkg-config "--variable=GASNET_$1" gasnet-smp-seq; }
if [ $has_pkgconfig = yes ]; then
  first=$(ask LIBS) first=${first%% *} parent=${first#-L}/..
  [ "$first" = "-L$lib" ] && [ -e "$parent/include/gasnet.h" ] && [ -x "$parent/bin/gasnetrun_smp" ] ||
    fail "the parent of $first is not the prefix"
  must "pkg-config --variable" $(ask CC) $(ask CPPFLAGS) $(ask CFLAGS) -DWANT=GASNET_CONDUIT_SMP \
    "$clients/conduit.c" \
    -o asked $(ask LDFLAGS) $(ask LIBS) && runs "pkg-config --variable" smp ./asked
fi

# ---- a probe: configure scripts declare a function at will, and only link ----

by_hand=("${san[@]}" "-I$prefix/include" "-I$prefix/include/smp-conduit") link=("-L$lib" -lgasnet-smp-par \
  -lpthread -lm)
for f in gasnet_attach gasnet_AMPoll gasnett_set_affinity gasnet_putv_bulk; do
  printf 'char %s ();\nint\nmain (void)\n{\nreturn %s ();\n  ;\n  return 0;\n}\n' $f $f >conftest.c
  must "a probe for $f" $cc "${san[@]}" -std=gnu11 -o conftest conftest.c "${link[@]}"
done
printf '%s\n' '#include <gasnet.h>' int 'main (void)' '{' 'return gasnet_mynode () + gasnet_AMPoll ();' '}' \
  >conftest.c
must "a probe with the header" $cc "${by_hand[@]}" -DGASNET_PAR -o conftest conftest.c "${link[@]}"

# ---- a find module of CMake's ----

if command -v cmake >/dev/null; then
  must "cmake" cmake -S "$clients/cmake" -B cmake -G "Unix Makefiles" "-DGASNet_ROOT=$prefix" \
    -DGASNet_CONDUIT=smp \
    -DGASNet_MODE=par "-DGASNet_MAKE=$make" "-DCMAKE_C_COMPILER=${cc##* }" "-DCMAKE_C_FLAGS=${san[*]}" &&
    must "cmake: building" cmake --build cmake && runs cmake smp cmake/client
  [ "$(tr ';' '\n' <cmake/names | grep -c .)" = $((3 * ${#conduits[@]})) ] ||
    fail "cmake found $(cat cmake/names)"
else echo "note: cmake is not installed"
fi

# ---- plain command lines: the directory names the conduit, whichever -I is first; or the client does ----

for c in "${conduits[@]}"; do
  name=GASNET_CONDUIT_$(upper "$c") i=$prefix/include
  must "by hand, $c" $cc "${san[@]}" -DGASNET_SEQ -DWANT=$name -I$i -I$i/$c-conduit "$clients/conduit.c" \
    -o hand \
    "-L$lib" "-lgasnet-$c-seq" -lpthread -lm && runs "by hand, $c" "$c" ./hand
  for order in "-I$i/$c-conduit -I$i" "-isystem $i/$c-conduit -I$i" "-D$name -I$i -I$i/$c-conduit"; do
    must "by hand, $order" $cc -Wall -Werror -DGASNET_SEQ -DWANT=$name $order -fsyntax-only \
      "$clients/conduit.c"
  done
done

names_in() { # flags of a language, -I...: what the preprocessor makes of both names
  printf '#include <gasnet.h>\nGASNET_CONDUIT_NAME_STR GASNET_CONDUIT_SMP\n' >names.c
  "$@" -Werror -E -P -DGASNET_SEQ "-I$prefix/include" names.c 2>&1 | tail -1
}
is() { [ "$1" = "$2" ] || fail "$3: the names are $1, not $2"; }
is "$(names_in $cc)" '"PENSTOCK" GASNET_CONDUIT_SMP' "without a conduit's directory"
for std in c89 c99 c11 gnu17; do
  is "$(names_in $cc -x c -std=$std "-I$prefix/include/smp-conduit")" '"SMP" 1' "as $std"
done
for std in c++98 c++11 c++17; do
  [ -n "${CXX-}" ] || break
  is "$(names_in $CXX -x c++ -std=$std "-I$prefix/include/smp-conduit")" '"SMP" 1' "as $std"
done
finish
