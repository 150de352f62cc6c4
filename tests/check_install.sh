#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# make install, as clients and packagers see it: every promised name is there, programs built against the
# installation by the make fragments and by plain flags run with both launch methods, DESTDIR works, uninstall
# leaves nothing.
# time-limit: 400
# lists: full short
set -u
. "$(dirname "$0")/script.sh"
prefix=$tmp/inst
in_build() { (cd "$build" && "$make" --no-print-directory "$@"); }

of_conduit() { # the names that clients find a conduit by
  printf '%s\n' "include/$1-conduit/gasnet_core.h" "include/$1-conduit/$1-"{seq,par,parsync}.mak \
    "bin/gasnetrun_$1" \
    "lib/libgasnet-$1-"{seq,par,parsync}.a "lib/pkgconfig/gasnet-$1-"{seq,par,parsync}.pc
}

must "make install" in_build install "prefix=$prefix" || exit 1
mapfile -t conduits < <(conduits)
[[ " ${conduits[*]} " == *' smp '* ]] || fail "gasnet_info names these conduits: ${conduits[*]}"
for f in lib/libgasnet.{a,so,so.1} \
  include/{gasnet,gasnet_tools,gasnet_vis,gasnetx,gasnet_coll,gasnet_config}.h \
  lib/libpenstock-upc.{a,so,so.1} lib/penstock-upc-begin.o lib/libpenstock-upc-main.a \
  lib/pkgconfig/penstock-upc.pc bin/upccc \
  include/penstock-upc/upc_{memory,compiler}.h share/man/man1/upccc.1 \
  bin/osh{cc,CC,c++,fort,run} include/penstock-shmem/{,mpp/}shmem.{h,fh} \
  lib/libpenstock-xmp.{a,so,so.1} lib/penstock-xmp-begin.o lib/pkgconfig/penstock-xmp.pc bin/xmp{cc,run} \
  include/penstock-xmp/{xmp,xmp_io,xmp_mpi,xmpt}.h share/man/man7/xmp.7 share/man/man3/xmp_get_mpi_comm.3 \
  include/penstock-gasp/{gasp,gasp_c,gasp_upc,gasp_shmem,gasp_caf,gasp_upcalls,pupc}.h \
  lib/pkgconfig/penstock-gasp.pc share/man/man1/osh{cc,run}.1 share/man/man7/openshmem.7 \
  lib/libcaf_penstock.{a,so,so.1} lib/pkgconfig/{penstock-,}caf.pc bin/caf{,run} \
  lib/cmake/Coarray/CoarrayConfig.cmake share/man/man1/caf{,run}.1 share/man/man7/penstock_caf.7 \
  include/gasnet_tools-{seq,par}.mak lib/libgasnet_tools-{seq,par}.a lib/pkgconfig/gasnet_tools-{seq,par}.pc \
  include/penstock/am.h bin/gasnetrun lib/pkgconfig/gasnet.pc $(for c in "${conduits[@]}"; do of_conduit \
  "$c"; done) bin/gasnet_info share/doc/penstock/{README.md,LICENSE} share/man/man1/gasnetrun.1 \
  share/man/man3/{gasnet,gasnet_put,gasnet_put_nb_bulk,gasnet_AMRequestMedium4,gasnett_ticks_now}.3 \
  share/man/man3/{gasnetx_plan_start,upc_memcpy_async,shmem_long_p}.3 \
  bin/gasnetbench lib/penstock/gasnetbench-{seq,par,shmem,xmp} share/man/man1/gasnetbench.1; do
  [ -f "$prefix/$f" ] || fail "make install did not install $f"
done
for f in lib/libpenstock-xmp-mpi.{a,so,so.1} lib/pkgconfig/penstock-xmp-mpi.pc; do
  if grep -q '^MPI_NAME = .' "$build/Makefile"; then [ -f "$prefix/$f" ]; else [ ! -e "$prefix/$f" ]; fi ||
    fail "$f is there without MPI, or is not with it"
done
if grep -q '^CAF_FC = .' "$build/Makefile" && grep -q '^SANITIZE = no' "$build/Makefile"; then
  [ -f "$prefix/lib/penstock/gasnetbench-caf" ]
else [ ! -e "$prefix/lib/penstock/gasnetbench-caf" ]; fi ||
  fail "gasnetbench-caf is there without a compiler of coarrays, or is not with it"
# Clients' build scripts search for these lines in this form.
[ "$(grep -cE '^#define GASNET_RELEASE_VERSION_(MAJOR|MINOR|PATCH) [0-9]+$' \
  "$prefix/include/gasnet_config.h")" = 3 ] ||
  fail "gasnet_config.h lacks GASNET_RELEASE_VERSION_MAJOR, MINOR, PATCH as plain numbers"
find "$prefix/lib" -name 'libgasnet*-*.so' | grep . && fail "these names are for archives alone"
grep -rlE '@[A-Za-z_]+@' "$prefix/include" "$prefix/lib/pkgconfig" && fail "these files have unfilled places"
(cd "$prefix" && cat lib/pkgconfig/* include/*-conduit/*) | sed "s|$prefix||g" | grep -F "$build" &&
  fail "the build directory is named"
for l in libgasnet libcaf_penstock; do
  readelf -d "$prefix/lib/$l.so.1" | grep -q "SONAME.*$l\.so\.1" || fail "$l.so.1 has another soname"
done

must "gasnetbench, installed" "$prefix/bin/gasnetbench" --rounds 5 -s 8 put_latency && {
  grep -q '^put_latency .* ns$' "$tmp/log" || fail "gasnetbench, installed: no result"
}

cat >"$tmp/client.c" <<'TEXT'
#include <gasnet.h>
static volatile int hits;
static void hit(gasnet_token_t t, gasnet_handlerarg_t a) { (void)t; hits += a; }
int main(int argc, char **argv)
{
  gasnet_handlerentry_t table[] = { { 200, (void (*)())hit } };
  if (gasnet_init(&argc, &argv) != GASNET_OK) return 1;
  if (gasnet_attach(table, 1, GASNET_PAGESIZE, 0) != GASNET_OK) return 1;
  if (gasnet_AMRequestShort1((gasnet_mynode() + 1) % gasnet_nodes(), 200, 5) != GASNET_OK) return 1;
  GASNET_BLOCKUNTIL(hits == 5);
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
  if (gasnet_mynode() == 0) printf("%s %d\n", GASNET_CONDUIT_NAME_STR, (int)gasnet_nodes());
  gasnet_exit(0);
}
TEXT
cat >"$tmp/Makefile" <<'TEXT'
include $(FRAGMENT)
client: client.o ; $(GASNET_LD) $(GASNET_LDFLAGS) -o $@ $< $(GASNET_LIBS)
client.o: client.c ; $(GASNET_CC) $(GASNET_CPPFLAGS) $(GASNET_CFLAGS) -Wall -Werror -c -o $@ $<
client++: client.c ; $(GASNET_CXX) $(GASNET_CPPFLAGS) $(GASNET_CXXFLAGS) -x c++ $< -x none -o $@ \
  $(GASNET_LIBS)
TEXT
runs() { # title, expected conduit name, program
  must "$1: gasnetrun_smp" "$prefix/bin/gasnetrun_smp" -n 3 "$3" && {
    [ "$(cat "$tmp/log")" = "$2 3" ] || fail "$1: printed $(cat "$tmp/log")"
  }
  must "$1: GASNET_PSHM_NODES" env GASNET_PSHM_NODES=2 "$3" && {
    [ "$(cat "$tmp/log")" = "$2 2" ] || fail "$1: printed $(cat "$tmp/log")"
  }
}
targets=client; [ -z "${CXX-}" ] || targets='client client++'
for mode in seq par parsync; do
  rm -f "$tmp"/client "$tmp"/client++ "$tmp"/*.o
  for t in $targets; do
    must "$mode fragment, $t" "$make" -C "$tmp" "FRAGMENT=$prefix/include/smp-conduit/smp-$mode.mak" $t &&
      runs "$mode fragment, $t" SMP "$tmp/$t"
  done
  upper=$(echo $mode | tr a-z A-Z)
  # The archive under its traditional name, in a position-independent program and in another; the shared
  # library. san holds what a sanitizer build needs to link.
  san=; [ "${PST_SANITIZE:-no}" = no ] || san=-fsanitize=$PST_SANITIZE
  for kind in '-fPIE -pie' '-fno-pie -no-pie'; do
    must "static $mode $kind" ${CC:-cc} $san $kind -DGASNET_$upper -I"$prefix/include" "$tmp/client.c" \
      -o "$tmp/s" \
      -L"$prefix/lib" -lgasnet-smp-$mode -pthread && runs "static $mode $kind" PENSTOCK "$tmp/s"
  done
  must "shared $mode" ${CC:-cc} $san -DGASNET_$upper -I"$prefix/include" "$tmp/client.c" -o "$tmp/d" \
    -L"$prefix/lib" -Wl,-rpath,"$prefix/lib" -lgasnet -pthread && runs "shared $mode" PENSTOCK "$tmp/d"
done

# A network conduit's names, for processes that share no memory.
for c in "${conduits[@]}"; do
  [ "$c" != smp ] || continue
  rm -f "$tmp"/client "$tmp"/*.o
  must "$c fragment" "$make" -C "$tmp" "FRAGMENT=$prefix/include/$c-conduit/$c-seq.mak" client &&
    must "$c fragment: gasnetrun_$c" env GASNET_SUPERNODE_MAXSIZE=1 "$prefix/bin/gasnetrun_$c" -n 3 \
    -v "$tmp/client" &&
    {
    grep -qx "$(echo "$c" | tr a-z A-Z) 3" "$tmp/log" && grep -q "conduit $c:" "$tmp/log" ||
      fail "$c fragment: printed $(cat "$tmp/log")"
  }
done

must "make install DESTDIR" in_build install "DESTDIR=$tmp/dest" prefix=/opt/penstock
[ -f "$tmp/dest/opt/penstock/include/gasnet.h" ] || fail "DESTDIR: nothing under it"
grep -rlF "$tmp" "$tmp/dest" && fail "DESTDIR: these files name it"
must "make uninstall" in_build uninstall "prefix=$prefix"
[ -z "$(find "$prefix" ! -type d)" ] ||
  fail "make uninstall left $(find "$prefix" ! -type d | head -5 | tr '\n' ' ')"
[ $bad -eq 0 ] && echo ok
exit $bad
