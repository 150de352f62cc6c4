#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# caf and cafrun, in the build directory and installed: what they print, compiling and linking apart and at
# once, several files, modules, shared libraries, archives, languages mixed, compilers that they refuse. Plain
# gfortran with the library, pkg-config, the file in gfortran's directory. And the examples with coarrays:
# right on all conduits, and wrong where they have a mistake.
# time-limit: 240
# lists: full
set -u
. "$(dirname "$0")/script.sh"
unset CAF_CC CAF_CXX CAF_FC
[ "${PST_SANITIZE:-no}" = no ] || skip "gfortran need not have the C compiler's sanitizers"
fc=$(sed -n 's/^CAF_FC = //p' "$build/Makefile")
mkdir "$tmp/programs" && cd "$tmp/programs" || exit 1

# ---- without a compiler that will do ----

compiler() { # name, first line of --version, -dumpversion
  printf '#!/bin/sh\ncase "$*" in *--version*) echo "%s" ;; *-dumpversion*) echo %s ;; *) exit 1 ;; esac\n' \
    "$2" "$3" >"$1" && chmod 755 "$1"
}
refuses() { # what --version says, version, message
  compiler fake "$1" "$2"
  expect 2 "$1 $2" "$build/bin/caf" --cc="$tmp/programs/fake" x.f90 -o x; says "$1 $2" "$3"
}
refuses 'GNU Fortran (other)' 17 '^caf: .*fake is gfortran 17, and .* for gfortran 9 to 16; --cc='
refuses 'GNU Fortran (other)' 8.3.0 'is gfortran 8, and'
refuses 'GNU Fortran (other)' 100 'is gfortran 100, and'
refuses 'GNU Fortran (other)' '' 'cannot tell the version'
refuses 'flang version 16' 16 'fake is not GNU Fortran'
# The library is told how the compiler calls it.
told() { # version, what it is told
  compiler fake 'GNU Fortran (other)' "$1"
  must "caf of gfortran $1" "$build/bin/caf" --cc="$tmp/programs/fake" --show x.o
  says "caf of gfortran $1" " -Wl,--defsym=pst_caf_gfortran_$2=1 "
}
told 9.4.0 9; told 15.3.0 9; told 16 16
expect 2 "no program" "$build/bin/caf" --cc=absent -c x.f90; says "no program" "there is no program absent"
expect 2 "no compiler" "$build/bin/caf" --cc= -c x.f90; says "no compiler" 'no Fortran compiler was found'
for option in --inst --inst-functions --inst-only=x --inst-local --profile; do
  expect 2 "caf $option" "$build/bin/caf" $option -c x.f90; says "caf $option" "^caf: $option is no option of"
done
must "cafrun --help" "$build/bin/cafrun" --help; says "cafrun --help" '^usage: cafrun -n N .*'
says "cafrun --help" 'of a coarray program'; says "cafrun --help" 'cafrun\(1\)'
must "cafrun --version" "$build/bin/cafrun" --version; says "cafrun --version" '^cafrun \(Penstock\)'
expect 2 "cafrun without a number" "$build/bin/cafrun" ./prog
says "cafrun without a number" '^cafrun: how many processes\? -n N'
[ -n "$fc" ] || { [ $bad -eq 0 ] && skip "configure found no gfortran whose coarrays these are"; exit $bad; }

# ---- sources: a coarray in a module, in a file of its own, and a part in C ----

cat >shared.f90 <<'TEXT'
module shared
  implicit none
  integer :: last[*] = -1
end module
subroutine tell()
  use shared
  last[1 + mod(this_image(), num_images())] = this_image()
  sync all
end subroutine
TEXT
cat >main.f90 <<'TEXT'
program p
  use shared
  use, intrinsic :: iso_c_binding, only: c_int
  implicit none
  interface
    integer(c_int) function left(me, images) bind(c)
      import c_int
      integer(c_int), value :: me, images
    end function
  end interface
  call tell()
  print '(i0,a,i0,2a)', this_image(), ' of ', num_images(), ': ', &
    merge('right', 'WRONG', last == left(this_image(), num_images()))
end program
TEXT
echo 'int left(int me, int images) { return me == 1 ? images : me - 1; }' >part.c
must "the part in C" ${CC:-cc} -fPIC -c part.c || exit 1

# ---- the wrapper of one directory ----

runs() { # title: ./prog on three images
  must "$1: run" "$run" -n 3 ./prog || return
  [ "$(grep -cE '^[123] of 3: right$' "$tmp/log")" -eq 3 ] || { fail "$1: not right"; cat "$tmp/log"; }
}
needs_ours() { readelf -d prog | grep -cE 'NEEDED.*(libcaf_penstock|libgasnet)'; }
options='-fcoarray=lib -fno-optimize-sibling-calls'
prints() {
  must "caf --version" "$bin/caf" --version; says "caf --version" '^caf \(Penstock\) [0-9]'
  says "caf --version" 'GNU Fortran'
  must "caf --help" "$bin/caf" --help; says "caf --help" '^usage: caf '; silent "caf --help" '--inst'
  must "caf --wraps" "$bin/caf" --wraps; [ "$(cat "$tmp/log")" = "$fc" ] || fail "caf --wraps: not $fc"
  must "caf --show" "$bin/caf" --show -DA='b c' x.f90 -o x
  says "caf --show" "'-DA=b c' x.f90 -o x $options .*-lcaf_penstock -lpenstock-gasp -lgasnet"
  must "caf --show -c" "$bin/caf" --show -c x.f90
  says "caf --show -c" "-c x.f90 $options\$"; silent "caf --show -c" '-lcaf'
  must "caf --show=compile" "$bin/caf" --show=compile; says "caf --show=compile" "^$options\$"
  must "caf --show=link" "$bin/caf" --show=link; says "caf --show=link" '^-L.*-lcaf_penstock'
  must "caf without files" "$bin/caf" -dumpmachine; silent "caf without files" 'lib'
  [ ! -e x ] || fail "caf --show compiled"
  expect 2 "caf -o" "$bin/caf" -o; says "caf -o" 'lacks its argument'
  expect 1 "caf of nothing" "$bin/caf" -c absent.f90
}
use_wrapper() { # directory
  bin=$1 run=$1/cafrun
  prints
  must "one command" "$bin/caf" -O2 -Wall -Werror shared.f90 main.f90 part.o -o prog && runs "one command"
  [ "$(needs_ours)" -ge 1 ] || fail "one command: the program has no shared library of ours"
  rm -f ./*.mod
  must "caf -c" "$bin/caf" -c shared.f90 && must "caf -c, with a module" "$bin/caf" -c main.f90 &&
    must "caf of objects" "$bin/caf" -o prog main.o shared.o part.o && runs "caf of objects"
  must "caf -static-libcaf" "$bin/caf" -static-libcaf main.o shared.o part.o -o prog &&
    runs "caf -static-libcaf"
  [ "$(needs_ours)" -eq 0 ] || fail "caf -static-libcaf: the program needs a shared library of ours"
  must "caf -shared" "$bin/caf" -fPIC -shared shared.f90 part.o -o libshared.so &&
    must "caf with a library" "$bin/caf" main.f90 -L. -lshared -Wl,-rpath,. -o prog &&
    runs "a library's coarray"
  must "CAF_FC" env CAF_FC="$fc -O3" "$bin/caf" --show -c x.f90; says "CAF_FC" "^$fc -O3 -c x.f90"
}
use_wrapper "$build/bin"
must "cafrun --tag-output" "$build/bin/cafrun" -np 2 --tag-output ./prog
says "cafrun --tag-output" '^\[1\] 2 of 2: right'

# ---- installed ----

prefix=$tmp/inst
in_build() { (cd "$build" && "$make" --no-print-directory "$@" prefix="$prefix"); }
must "make install" in_build install && {
  use_wrapper "$prefix/bin"
  sed "s|$tmp||g" "$prefix/bin/caf" | grep -F "$build" && fail "caf names the build directory"
  must "plain gfortran" $fc -fcoarray=lib shared.f90 main.f90 part.o -o prog "-L$prefix/lib" \
    "-Wl,-rpath,$prefix/lib" -lcaf_penstock && runs "plain gfortran"
  if command -v pkg-config >/dev/null; then
    for name in penstock-caf caf; do
      flags=$(PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config --cflags --libs $name) ||
        fail "pkg-config does not know $name"
      must "pkg-config $name" $fc shared.f90 main.f90 part.o $flags -o prog && runs "pkg-config $name"
    done
  fi
  # Below DESTDIR as gfortran's own directory would have it.
  must "make install-gfortran" in_build install-gfortran "DESTDIR=$tmp/root" && {
    own=$(find "$tmp/root" -name libcaf_penstock.a)
    must "gfortran's directory" $fc -fcoarray=lib shared.f90 main.f90 part.o -o prog "-L${own%/*}" \
      -lcaf_penstock && runs "gfortran's directory"
    [ "$(needs_ours)" -eq 0 ] || fail "gfortran's directory: the program needs a path"
    must "uninstall-gfortran" in_build uninstall-gfortran "DESTDIR=$tmp/root"
    [ ! -e "$own" ] || fail "make uninstall-gfortran leaves $own"
    echo other >"$own"
    expect 2 "another's file" in_build install-gfortran "DESTDIR=$tmp/root"
    says "another's file" "is not Penstock's"
    must "another's file, uninstall" in_build uninstall-gfortran "DESTDIR=$tmp/root"
    [ -e "$own" ] || fail "make uninstall-gfortran removed another's file"
  }
  must "make uninstall" in_build uninstall
  left=$(find "$prefix" ! -type d); [ -z "$left" ] || fail "make uninstall leaves $left"
  expect 2 "install-gfortran alone" in_build install-gfortran "DESTDIR=$tmp/root"
  says "install-gfortran alone" 'make install comes first'
}

# ---- the examples ----

run=$build/bin/cafrun
right() { # images, what is to be printed, program
  must "$3 x$1" "$run" -n "$1" "$build/examples/caf/$3" && says "$3 x$1" "$2"
}
all_examples() { # images, of rows and of columns
  right $(($1 * $2)) "^$((48 * $1)) x $((36 * $2)) cells on $1 x $2 images, 200 steps: right; " halo
  right $(($1 * $2)) "^$((64 * $1 * $2)) x .* elements on $(($1 * $2)) images: right; " matmul
  right $(($1 * $2)) "^300 tasks on $(($1 * $2)) images: each done once, right; " queue
  right $(($1 * $2)) "^$((20 * $1)) x $((20 * $2)) numbers on $1 x $2 images: all sums are right$" balance
}
all_examples 1 1; all_examples 1 2; all_examples 2 3
export GASNET_AM_ONLY=1; all_examples 2 2; unset GASNET_AM_ONLY
for c in $(networks); do
  export GASNET_CONDUIT=$c GASNET_SUPERNODE_MAXSIZE=1; all_examples 2 2
  unset GASNET_CONDUIT GASNET_SUPERNODE_MAXSIZE
done
noticed() { # program, what sed makes of it, what it says of that
  sed "$2" "$src/examples/caf/$1.f90" >"$1.f90"
  ! cmp -s "$src/examples/caf/$1.f90" "$1.f90" || { fail "$1: $2 replaces nothing"; return; }
  must "$1 with $2" "$build/bin/caf" -O1 "$1.f90" -o "$1" && expect 1 "$1 with $2: run" "$run" -n 4 "./$1" &&
    says "$1 with $2" "$3"
}
noticed halo 's/= u(1, 1:columns, k)/= u(2, 1:columns, k)/' '^halo: cells are wrong by'
noticed matmul 's/part = a(:, :)\[owner\]/part = a(:, :)/' '^matmul: an element is wrong by'
noticed queue 's/primes(task)\[1\] = /primes(task) = /' '^queue: a task has not been done'
noticed balance 's/form team (1 + me/form team (1 + 0 * me/' '^balance: a sum is wrong by'
[ $bad -eq 0 ] && echo "ok: $count commands"
exit $bad
