#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# Debian's packages, made from the source archive as a user would; then programs are compiled against them.
# time-limit: 900
# lists: release
set -u
src=${PST_SRCDIR:?} build=${PST_BUILDDIR:?} make=${MAKE:-make}
skip() { echo "skip: $*"; exit 77; }
[ "${PST_SANITIZE:-no}" = no ] || skip "sanitizers change nothing of packages"
for p in dpkg-buildpackage:dpkg-dev dh:debhelper; do
  command -v ${p%:*} >/dev/null || skip "${p%:*} is not installed (Debian: apt-get install ${p#*:})"
done
missing=$(cd "$src" && dpkg-checkbuilddeps debian/control 2>&1) || skip "${missing##*error: }"
[ -e "$src/.git" ] || [ -f "$src/MANIFEST" ] ||
  skip "the sources are neither a git checkout nor from an archive"
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
unset MAKEFLAGS MFLAGS MAKELEVEL CC CXX FC CFLAGS CXXFLAGS CPPFLAGS LDFLAGS
bad=0
fail() { echo "FAIL: $*"; bad=1; }
must() { # title, command...: output only where it fails
  local title=$1; shift
  "$@" >"$tmp/log" 2>&1 || { fail "$title"; tail -25 "$tmp/log"; return 1; }
}

# ---- building ----

version=$("$build/bin/gasnet_info" --version | sed 's/^penstock //')
packaged=$(dpkg-parsechangelog -l "$src/debian/changelog" -S Version)
[ "${packaged%-*}" = "$version" ] || fail "debian/changelog is about $packaged, configure about $version"
cd "$tmp" || exit 1
must "make dist" "$src/pkg/dist" "$src" "$version" || exit 1
must "unpacking" tar -xf "penstock-$version.tar.gz" || exit 1
# Without optimisation, to save time.
must "dpkg-buildpackage" env -C "penstock-$version" DEB_BUILD_OPTIONS='noopt parallel=1 noautodbgsym terse' \
  dpkg-buildpackage -us -uc -b || exit 1
architecture=$(dpkg --print-architecture) triplet=$(dpkg-architecture -q DEB_HOST_MULTIARCH)
for p in libpenstock1 libpenstock-dev libpenstock-xmp-mpi1 libpenstock-xmp-mpi-dev penstock-bin; do
  [ -f ${p}_"${packaged}_$architecture.deb" ] || {
    fail "there is no ${p}_${packaged}_$architecture.deb"; ls
  }
done
[ $bad -eq 0 ] || exit 1
field() { dpkg-deb -f "$1"_"${packaged}_$architecture.deb" "$2"; }
[[ $(field libpenstock-dev Depends) == *"libpenstock1 (= $packaged)"* ]] ||
  fail "libpenstock-dev depends on $(field libpenstock-dev Depends)"
[[ $(field libpenstock1 Depends) != *libfabric* ]] ||
  fail "libpenstock1 depends on libfabric, which is only loaded"
for p in libpenstock1 libpenstock-dev penstock-bin; do
  [[ $(field $p Depends) != *openmpi* ]] || fail "$p depends on Open MPI"
done
if command -v lintian >/dev/null; then must "lintian" env "TMPDIR=$tmp" lintian --fail-on error --allow-root \
  *.changes
else echo "note: lintian is not installed"; fi

# ---- installing, below a directory ----

root=$tmp/root lib=$tmp/root/usr/lib/$triplet
for p in *.deb; do must "dpkg -x $p" dpkg -x "$p" "$root"; done
for f in usr/bin/gasnetrun usr/bin/gasnet_info usr/bin/upccc usr/lib/penstock/bin/osh{cc,fort,run} \
  usr/lib/penstock/bin/caf{,run} "usr/lib/$triplet/libcaf_penstock."{so.1,so,a} \
  "usr/lib/$triplet/cmake/Coarray/CoarrayConfig.cmake" usr/share/man/man1/caf.1penstock.gz \
  usr/include/gasnet.h "usr/lib/$triplet/libgasnet."{so.1,so,a} \
  "usr/lib/$triplet/libpenstock-xmp-mpi."{so.1,so,a} "usr/lib/$triplet/pkgconfig/penstock-xmp"{,-mpi}.pc \
  "usr/lib/$triplet/cmake/Penstock/PenstockConfig.cmake" usr/share/man/man1/gasnetrun.1.gz \
  usr/share/man/man1/oshcc.1penstock.gz; do
  [ -e "$root/$f" ] || fail "no package has $f"
done
grep -rlF "$tmp" "$root" && fail "these files name the directory where they were built"
find "$root" \( -name '*.log' -o -name 'LICENSE*' \) | grep . && fail "these do not belong into packages"
readelf -d "$lib/libpenstock-shmem.so.1" | grep -E 'R(UN)?PATH' &&
  fail "a library of the system has a path of its own to others"
export LD_LIBRARY_PATH=$lib

runs() { # title, program
  must "$1: running" "$root/usr/bin/gasnetrun" -n 2 "$2" && {
    [ "$(grep -c 'greetings from' "$tmp/log")" = 2 ] || { fail "$1 printed:"; cat "$tmp/log"; }
  }
}
hello=$src/examples/hello.c
must "gasnet_info" "$root/usr/bin/gasnet_info" && grep -q "^penstock $version\$" "$tmp/log" ||
  fail "gasnet_info has another version"

if command -v pkg-config >/dev/null; then
  pc() {
    PKG_CONFIG_LIBDIR=$lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 \
      PKG_CONFIG_ALLOW_SYSTEM_LIBS=1 pkg-config "$@"
  }
  must "pkg-config" cc $(pc --cflags gasnet-smp-seq) "$hello" -o a $(pc --libs gasnet-smp-seq) &&
    runs "pkg-config" ./a
  must "pkg-config openshmem" cc $(pc --cflags openshmem) "$src/examples/shmem/hello.c" -o s $(pc --libs \
    openshmem) &&
    must "oshrun" "$root/usr/lib/penstock/bin/oshrun" -np 2 ./s
  must "pkg-config penstock-caf" gfortran $(pc --cflags penstock-caf) "$src/examples/caf/queue.f90" -o q \
    $(pc --libs penstock-caf) &&
    must "cafrun" "$root/usr/lib/penstock/bin/cafrun" -n 2 ./q
fi

# The fragment's paths begin with /usr, which here is below the root.
sed "s,\([ =IL]\)/usr/,\1$root/usr/,g" "$root/usr/include/smp-conduit/smp-seq.mak" >seq.mak
printf 'include seq.mak\nb: ; $(GASNET_CC) $(GASNET_CPPFLAGS) $(GASNET_CFLAGS) -o $@ %s $(GASNET_LIBS)\n' \
  "$hello" >m.mk
must "make fragment" "$make" -f m.mk b && runs "make fragment" ./b

if command -v cmake >/dev/null; then
  mkdir c
  cat >c/CMakeLists.txt <<TEXT
cmake_minimum_required(VERSION 3.13)
project(hello C)
find_package(Penstock $version REQUIRED COMPONENTS gasnet)
add_executable(hello $hello)
target_link_libraries(hello PRIVATE Penstock::gasnet-seq)
TEXT
  must "cmake" cmake -S c -B c/b "-DCMAKE_PREFIX_PATH=$root/usr" "-DCMAKE_LIBRARY_ARCHITECTURE=$triplet" &&
    must "cmake: building" cmake --build c/b &&
    runs "cmake" c/b/hello
fi
[ $bad -eq 0 ] && echo ok
exit $bad
