#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# find_package(Penstock): programs of each kind, with shared and static libraries, from an installation that
# was moved after it was made.
# time-limit: 180
set -u
. "$(dirname "$0")/script.sh"
command -v cmake >/dev/null || skip "cmake is not installed (Debian: apt-get install cmake)"
# A library directory of two levels, as Debian's.
must "make install" "$make" -C "$build" --no-print-directory install "prefix=$tmp/first" \
  "libdir=$tmp/first/lib/any" || exit 1
mv "$tmp/first" "$tmp/moved"
grep -rlF "$tmp/first" "$tmp/moved/lib/any/cmake" &&
  fail "these files name the place where they were installed"

cat >"$tmp/gasnet.c" <<'TEXT'
#include <gasnet.h>
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv)
{
  if (gasnet_init(&argc, &argv) != GASNET_OK || gasnet_attach(NULL, 0, GASNET_PAGESIZE, 0) != GASNET_OK)
    return 1;
  if (gasnet_mynode() == 0)
    printf("%s %d\n", strstr(GASNET_CONFIG_STRING, "THREADMODEL="), (int)gasnet_nodes());
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_exit(0);
}
TEXT
cp "$tmp/gasnet.c" "$tmp/gasnet.cc"
cat >"$tmp/shmem.c" <<'TEXT'
#include <shmem.h>
#include <stdio.h>
static long word;
int main(void)
{
  long value = 7;
  start_pes(0);
  shmem_long_put(&word, &value, 1, (_my_pe() + 1) % _num_pes());
  shmem_barrier_all();
  if (_my_pe() == 0) printf("openshmem %d %ld\n", _num_pes(), word);
  return 0;
}
TEXT
cat >"$tmp/upc.c" <<'TEXT'
#include <stdio.h>
#include <upc_memory.h>
#ifndef __UPC_PUPC__
#error "the definitions of Penstock::upc are missing"
#endif
int main(int argc, char **argv)
{
  upc_init(&argc, &argv);
  upc_barrier();
  if (MYTHREAD == 0) printf("upc %d\n", THREADS);
  return 0;
}
TEXT
cat >"$tmp/mpi.c" <<'TEXT'
#include <stdio.h>
#include <xmp.h>
int main(int argc, char **argv)
{
  int nodes;
  xmp_init_mpi(&argc, &argv);
  MPI_Comm_size(xmp_get_mpi_comm(), &nodes);
  printf("mpi %d\n", nodes);
  xmp_finalize_mpi();
  return 0;
}
TEXT
cat >"$tmp/CMakeLists.txt" <<'TEXT'
cmake_minimum_required(VERSION 3.13)
project(clients C)
set(Penstock_USE_STATIC_LIBS ${STATIC})
find_package(Penstock 0.1 REQUIRED COMPONENTS gasnet-seq upc openshmem)
find_package(Penstock) # a second look changes nothing
foreach(mode seq par parsync)
  add_executable(${mode} gasnet.c)
  target_link_libraries(${mode} PRIVATE Penstock::gasnet-${mode})
endforeach()
foreach(kind upc openshmem)
  if(kind STREQUAL openshmem)
    add_executable(${kind} shmem.c)
  else()
    add_executable(${kind} upc.c)
  endif()
  target_link_libraries(${kind} PRIVATE Penstock::${kind})
endforeach()
if(WITH_MPI)
  find_package(Penstock REQUIRED COMPONENTS xmp-mpi)
  add_executable(mpi mpi.c ${BEGIN})
  target_link_libraries(mpi PRIVATE Penstock::xmp-mpi)
endif()
if(WITH_FORTRAN)
  enable_language(Fortran)
  find_package(Penstock REQUIRED COMPONENTS caf)
  find_package(Coarray REQUIRED)
  add_executable(caf caf.f90)
  target_link_libraries(caf PRIVATE Penstock::caf)
  add_executable(coarray caf.f90)
  target_link_libraries(coarray PRIVATE Coarray::Coarray_Fortran)
  set(variables ${Coarray_EXECUTABLE} ${Coarray_NUMPROC_FLAG} ${Coarray_COMPILE_OPTIONS} ${Coarray_LIBRARIES})
  file(WRITE ${CMAKE_BINARY_DIR}/cafrun "${variables}")
endif()
if(WITH_CXX)
  enable_language(CXX)
  add_executable(cxx gasnet.cc)
  target_link_libraries(cxx PRIVATE Penstock::gasnet-seq)
endif()
file(WRITE ${CMAKE_BINARY_DIR}/found "${Penstock_VERSION} ${Penstock_GASNETRUN}")
TEXT
cat >"$tmp/caf.f90" <<'TEXT'
program p
  integer :: from[*]
  from[1 + mod(this_image(), num_images())] = this_image()
  sync all
  if (this_image() == 1) print '(a, 2(1x, i0))', 'coarrays', num_images(), from
end program
TEXT
FC=$(sed -n 's/^CAF_FC = //p' "$build/Makefile") fortran=OFF; export FC
[ -z "$FC" ] || [ "${PST_SANITIZE:-no}" != no ] || fortran=ON
san=; [ "${PST_SANITIZE:-no}" = no ] || san=-fsanitize=$PST_SANITIZE
cxx=OFF; [ -z "${CXX-}" ] || cxx=ON
as_root=(OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1)
mpi=OFF; ! grep -q '^MPI_NAME = .' "$build/Makefile" || mpi=ON
export CC="${CC:-cc}" # several words, as ccache gcc, are right for CMake in the environment alone
version=$("$build/bin/gasnet_info" --version | sed 's/^penstock //')
prints() { # title, program, text
  must "$1: running $2" "$run" -n 2 "$tmp/$kind/$2" && {
    [ "$(cat "$tmp/log")" = "$3" ] || fail "$1: $2 printed $(cat "$tmp/log")"
  }
}
for kind in shared static; do
  static=OFF; [ $kind = shared ] || static=ON
  must "$kind: cmake" cmake -S "$tmp" -B "$tmp/$kind" -G "Unix Makefiles" \
    "-DPenstock_DIR=$tmp/moved/lib/any/cmake/Penstock" "-DCoarray_DIR=$tmp/moved/lib/any/cmake/Coarray" \
    -DSTATIC=$static \
    "-DCMAKE_C_FLAGS=$san" "-DCMAKE_CXX_FLAGS=$san" -DWITH_CXX=$cxx -DWITH_FORTRAN=$fortran \
    -DWITH_MPI=$mpi "-DBEGIN=$tmp/moved/lib/any/penstock-xmp-begin.o" || continue
  must "$kind: building" cmake --build "$tmp/$kind" || continue
  read -r found run <"$tmp/$kind/found"
  [ "$found" = "$version" ] || fail "$kind: found version $found, installed was $version"
  [ "$run" = "$tmp/moved/bin/gasnetrun" ] || { fail "$kind: gasnetrun would be $run"; continue; }
  for mode in seq par parsync; do
    must "$kind: running $mode" "$run" -n 2 "$tmp/$kind/$mode" &&
      {
      grep -q "THREADMODEL=$(echo $mode | tr a-z A-Z),.* 2\$" "$tmp/log" ||
        fail "$kind: $mode printed $(cat "$tmp/log")"
    }
  done
  [ -z "${CXX-}" ] || must "$kind: running cxx" "$run" -n 2 "$tmp/$kind/cxx"
  prints $kind upc 'upc 2'
  prints $kind openshmem 'openshmem 2 7'
  # A process by itself is a job of one node, and alone for MPI; its library is not made for sanitizers.
  if [ $mpi,"${PST_SANITIZE:-no}" = ON,no ]; then
    must "$kind: running mpi" env "${as_root[@]}" "$tmp/$kind/mpi" &&
      { [ "$(cat "$tmp/log")" = 'mpi 1' ] || fail "$kind: mpi printed $(cat "$tmp/log")"; }
  fi
  [ $fortran = OFF ] || {
    prints $kind caf 'coarrays 2 2'; prints $kind coarray 'coarrays 2 2'
    options='-fcoarray=lib;-fno-optimize-sibling-calls'
    [ "$(cat "$tmp/$kind/cafrun")" = "$tmp/moved/bin/cafrun;-n;$options;Penstock::caf" ] ||
      fail "$kind: Coarray's variables are $(cat "$tmp/$kind/cafrun")"
  }
  needed=$(readelf -d "$tmp/$kind/seq" | grep -c 'NEEDED.*libgasnet\.so\.1')
  [ "$kind $needed" = 'shared 1' ] || [ "$kind $needed" = 'static 0' ] ||
    fail "$kind: seq needs $needed libgasnet.so.1"
done

finds() { # find_package's arguments
  rm -rf "$tmp/finds" && mkdir "$tmp/finds"
  printf 'cmake_minimum_required(VERSION 3.13)\nproject(none NONE)\nfind_package(Penstock %s)\n' \
    "$1" >"$tmp/finds/CMakeLists.txt"
  cmake -S "$tmp/finds" -B "$tmp/finds/b" "-DCMAKE_PREFIX_PATH=$tmp/moved" \
    -DCMAKE_LIBRARY_ARCHITECTURE=any >"$tmp/log" 2>&1
}
refused() { # find_package's arguments, what it says
  if finds "$1"; then fail "find_package(Penstock $1) succeeds"
  else tr -s ' \n' ' ' <"$tmp/log" | grep -q -- "$2" || {
    fail "find_package(Penstock $1) does not say \"$2\""; tail -8 "$tmp/log"
  }; fi
}
must "find_package(Penstock 0 REQUIRED)" finds '0 REQUIRED'
refused '0.2 REQUIRED' 'version'
if printf '%s\n' 3.19 "$(cmake --version | sed -n 's/^cmake version //p')" |
  sort -V -C; then # ranges are that old
  must "a range of versions" finds '0.1...<0.2 REQUIRED'
  refused '0.0.1...<0.1 REQUIRED' 'version'
fi
refused '1.0 REQUIRED' 'version'
refused 'REQUIRED COMPONENTS gasnet nonsense' 'no component nonsense'
if [ $mpi = ON ]; then rm "$tmp/moved/lib/any/libpenstock-xmp-mpi.so.1"
  refused 'REQUIRED COMPONENTS xmp-mpi' 'libpenstock-xmp-mpi.so.1'
else refused 'REQUIRED COMPONENTS xmp-mpi' 'built without MPI'
fi
# Projects without a Fortran compiler of their own, and with one whose coarrays these are not.
must "find_package(Penstock REQUIRED COMPONENTS caf)" finds 'REQUIRED COMPONENTS caf'
finds_coarray() { # variables, what it is to print
  rm -rf "$tmp/finds" && mkdir "$tmp/finds"
  printf 'cmake_minimum_required(VERSION 3.13)\nproject(none NONE)\n%s\nfind_package(Coarray)\n%s\n' "$1" \
    'message("found: ${Coarray_FOUND} ${Coarray_EXECUTABLE}")' >"$tmp/finds/CMakeLists.txt"
  must "find_package(Coarray)" cmake -S "$tmp/finds" -B "$tmp/finds/b" "-DCMAKE_PREFIX_PATH=$tmp/moved" \
    -DCMAKE_LIBRARY_ARCHITECTURE=any
  tr -s ' \n' ' ' <"$tmp/log" | grep -q -- "$2" || {
    fail "find_package(Coarray) with $1 does not say \"$2\""; tail -8 "$tmp/log"
  }
}
finds_coarray '' "found: 1 $tmp/moved/bin/cafrun"
fortran_is() { echo "set(CMAKE_Fortran_COMPILER f) set(CMAKE_Fortran_COMPILER_ID $1)" \
  "set(CMAKE_Fortran_COMPILER_VERSION $2)" | sed 's/) set/)\nset/g'; }
finds_coarray "$(fortran_is GNU 14.2.0)" 'found: 1'
finds_coarray "$(fortran_is GNU 16.2.0)" 'found: 1'
finds_coarray "$(fortran_is GNU 17.1.0)" 'gfortran 9 to 16, and f is 17.1.0'
finds_coarray "$(fortran_is GNU 8.1.0)" 'found: 0'
finds_coarray "$(fortran_is LLVMFlang 16.0.0)" 'need GNU Fortran'
mv "$tmp/moved/lib/any/libpenstock-shmem.so.1" "$tmp/away"
refused 'REQUIRED COMPONENTS openshmem' 'libpenstock-shmem.so.1'
[ $bad -eq 0 ] && echo ok
exit $bad
