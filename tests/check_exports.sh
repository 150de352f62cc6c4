#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# The shared libraries export their public interfaces and nothing else, and the static ones define only names
# with a prefix of ours or of the interface's document.
# time-limit: 60
# lists: full short plain
set -u
. "$(dirname "$0")/script.sh"
cd "$tmp" || exit 1

# The names of the first file that the second lacks; both have one name a line, sorted.
lacks() { # what that is, file, file
  comm -23 "$2" "$3" >lacking
  [ -s lacking ] || return 0
  echo "FAIL: $1:"; sed 's/^/    /' lacking; bad=1
}
at_least() { # number, file, what it has
  [ "$(wc -l <"$2")" -ge "$1" ] || { echo "FAIL: only $(wc -l <"$2") $3 were found"; bad=1; }
}
: >none

# Sanitizers and the linker define these in each library.
made_by_tools='__(asan|tsan|ubsan|odr_asan)|_init$|_fini$|DW\.ref'

exported_by() { # shared library; without versions, and the names of these
  nm -D --defined-only "$build/$1" | awk '{ sub(/@.*/, "", $NF); print $NF }' |
    grep -Ev "^(LIB[A-Z_]+_[0-9.]+|$made_by_tools)" | sort -u >exported
  at_least 1 exported "symbols of $1"
}
defined_by() { # static library; without weak ones
  nm -g --defined-only "$build/$1" 2>/dev/null | awk 'NF == 3 && $2 != "w" { print $3 }' |
    grep -Ev "^($made_by_tools)" | sort -u >defined
  at_least 1 defined "symbols of $1"
}
preprocess() { # header, flags: it and what it includes, without the lines of the preprocessor
  local header=$1; shift
  echo "#include <$header>" | ${CC:-cc} -E "$@" -I"$src/include/penstock-shmem" \
    -I"$src/include/penstock-upc" \
    -I"$src/include/penstock-gasp" -x c -
}

# ---- libgasnet: gasnet*, and exactly the internal symbols that the installed headers mention ----

check_gasnet() {
  defined_by libpenstock-internal.a
  grep -Ev '^(pst_|gasnet)' defined >foreign
  lacks "global symbols without a prefix of ours" foreign none

  cat "$src"/include/*.h "$src"/include/penstock/*.h | grep -oE '\bpst_[A-Za-z0-9_]+' | sort -u >mentioned
  comm -12 mentioned defined >wanted
  grep -oE '^ +pst_[A-Za-z0-9_]+;' "$src/core/exports.map" | tr -d ' ;' | sort -u >listed
  lacks "the headers need these, core/exports.map does not list them" wanted listed
  lacks "core/exports.map lists these, no header needs them (or the library lacks them)" listed wanted

  exported_by libgasnet.so.1
  { grep -E '^gasnet' defined; cat wanted; } | sort -u >public
  lacks "public, but not exported by the shared library" public exported
  lacks "exported by the shared library, but not public" exported public

  nm -g --defined-only "$build/libgasnet.a" | awk 'NF == 3 { print $3 }' | sort -u >global
  lacks "global in the archive and not exported by the shared library" global exported
  lacks "exported by the shared library and not global in the archive" exported global
  echo "libgasnet: $(wc -l <exported) symbols exported, $(wc -l <wanted) of them internal ones of the headers"
}

# ---- libpenstock-upc: what upc_memory.h and upc_compiler.h declare ----

# Functions that a header declares; the library lacks those that it defines, inline.
declared_upc() { # header
  local names='upc_|bupc_|__get|__put|__copy|__upc_|pst_upc_'
  preprocess "$1" -P | tr '\n;{}' ' \n\n\n' |
    sed -nE "/static inline|return/d; s/^[^(]*[ *](($names)[A-Za-z0-9_]*) *\(.*/\1/p" | sort -u
}
upc_macros() { # flags
  preprocess upc_memory.h -dM "$@" | sed -nE 's/^#define (b?upc_[a-z0-9_]*)\(.*/\1/p' | sort -u
}
check_upc() {
  declared_upc upc_compiler.h >compiler
  declared_upc upc_memory.h >memory
  at_least 100 memory 'functions of upc_memory.h'
  printf '%s\n' MYTHREAD THREADS | sort -u - compiler >declared
  exported_by libpenstock-upc.so.1
  lacks "declared, but not exported by the shared library" declared exported
  lacks "exported by the shared library, but in no header" exported declared
  defined_by libpenstock-upc.a
  grep -Ev '^(pst_|upc_|bupc_|MYTHREAD$|THREADS$|__(get|put|copy|upc_))' defined >foreign
  lacks "global symbols without a prefix of ours" foreign none

  # upccc --inst finds each call that causes events: penstock/upc_inst.h has a macro for it. A look at a
  # pointer causes none, nor does a semaphore; before its start a tool is told nothing.
  { grep -Ev '^(b?upc_(init|cast|castable|sem_[a-z]+)|pst_upc_.*)$' memory
    printf '%s\n' {b,}upc_{notify,wait,barrier}; } | sort -u >causes
  upc_macros -DPENSTOCK_INST >macros
  lacks "they cause events, and upccc --inst does not tell their places" causes macros
  lacks "macros of upccc --inst for what causes no events" macros causes
  upc_macros | grep -Ev '^b?upc_(notify|wait|barrier)$' >plain
  lacks "macros without upccc --inst" plain none
  echo "libpenstock-upc: $(wc -l <exported) symbols exported, $(wc -l <macros) calls that upccc --inst knows"
}

# ---- libpenstock-shmem: what shmem.h declares, and Fortran's routines, each by all its names ----

# In the preprocessed header, with calls instead of inline functions, a routine's name precedes a parenthesis;
# the library lacks those that are always inline.
declared_shmem() {
  local public='_(my|num|n)_pes?|start_pes|shmem_[a-z0-9_]+|shmalloc|shm(em)?align|shrealloc|shfree'
  preprocess shmem.h -P -DPST_SHMEM_CALLS | tr -s ' \n' ' ' | grep -oE "\b($public|pst_shmem_[a-z_]+) ?\(" |
    tr -d ' (' | grep -vE '^pst_shmem_here(_atomic)?$'
  echo pst_shmem
}
check_shmem() {
  declared_shmem | sort -u >declared
  at_least 150 declared 'functions of shmem.h'
  exported_by libpenstock-shmem.so.1
  lacks "in shmem.h, but not exported" declared exported

  # Each routine with an underscore at the end has the other spellings.
  comm -13 declared exported >others
  grep -E '^[a-z].*[^_]_$' others | grep -v '^pst_' >fortran
  at_least 120 fortran "routines of Fortran's"
  awk '{ upper = toupper($1); sub(/_$/, "", upper); print $1; print $1 "_"; print upper; print upper "_" }' \
    fortran | sort -u >spelled
  lacks "routines of Fortran that lack a name" spelled exported

  # Also the name without an underscore where it is not C's, and names that the interfaces of mpp/shmem.fh
  # call.
  grep -oE 'PST_F_SHMEM_[A-Z0-9_]+' "$src/include/penstock-shmem/mpp/shmem.fh" | sort -u >interfaces
  { cat spelled; sed 's/_$//' fortran
    awk '{ lower = tolower($1); print $1; print $1 "_"; print lower; print lower "_"; print lower "__" }' \
      interfaces; } | sort -u >allowed
  tr A-Z a-z <interfaces | sed 's/$/_/' | sort -u >needed
  lacks "mpp/shmem.fh needs these" needed exported
  lacks "exported, but neither in shmem.h nor Fortran's" others allowed

  defined_by libpenstock-shmem.a
  grep -v '^pst_' defined >foreign
  lacks "global symbols of the static library that the shared one does not export" foreign exported
  echo "libpenstock-shmem: $(wc -l <declared) names of C," \
    "$(wc -l <fortran) routines of Fortran by $(wc -l <spelled)"
}

# Every routine is called as in the document, if its check lies beside the source tree.
check_shmem_contract() {
  local contract=$src/../shared/contract/shmem.c
  [ -f "$contract" ] || return 0
  ${CC:-cc} -O1 -Wall -Wextra -Werror -pthread -I"$src/include/penstock-shmem" "$contract" -o contract \
    -L"$build" \
    -lpenstock-shmem -lgasnet -Wl,-rpath,"$build" >log 2>&1 && return
  echo "FAIL: the contract's shmem.c"; head -15 log; bad=1
}

# ---- libpenstock-xmp-mpi: what xmp_mpi.h declares ----

check_xmp_mpi() {
  if [ ! -f "$build/libpenstock-xmp-mpi.so.1" ]; then
    echo 'not libpenstock-xmp-mpi: this build has no MPI'
    return
  fi
  sed -nE 's/^[A-Za-z_]+ (xmp_[a-z_]+)\(.*/\1/p' "$src/include/penstock-xmp/xmp_mpi.h" | sort -u >declared
  at_least 6 declared 'functions of xmp_mpi.h'
  exported_by libpenstock-xmp-mpi.so.1
  lacks "in xmp_mpi.h, but not exported" declared exported
  lacks "exported, but not in xmp_mpi.h" exported declared
  defined_by libpenstock-xmp-mpi.a
  grep -v '^pst_' defined >foreign
  lacks "global symbols of the static library that the shared one does not export" foreign exported
  nm -D --undefined-only "$build/libpenstock-xmp.so.1" | grep MPI_ && {
    echo 'FAIL: libpenstock-xmp needs MPI'; bad=1
  }
  echo "libpenstock-xmp-mpi: $(wc -l <declared) functions"
}

# ---- libcaf_penstock: the functions that gfortran calls, as caf/abi.h declares them ----

check_caf() {
  grep -oE '\b_gfortran_caf_[a-z_]+' "$src/caf/abi.h" | sort -u >declared
  at_least 40 declared 'functions of caf/abi.h'
  exported_by libcaf_penstock.so.1
  lacks "in caf/abi.h, but not exported" declared exported
  lacks "exported, but not in caf/abi.h" exported declared
  defined_by libcaf_penstock.a
  grep -Ev '^(pst_|_gfortran_caf_)' defined >foreign
  lacks "global symbols without a prefix of ours" foreign none
  echo "libcaf_penstock: $(wc -l <exported) symbols exported"
}

check_gasnet
check_upc
check_xmp_mpi
check_shmem
check_shmem_contract
check_caf
exit $bad
