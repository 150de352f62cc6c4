#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# Jobs started by Open MPI's mpirun, by PMIx: tests/multi/launched and others.
# time-limit: 400
set -u
. "${PST_SRCDIR:?}/tests/launchers/common.sh"
mpirun=$(command -v mpirun.openmpi || command -v mpirun) ||
  skip "there is no mpirun (Debian: apt-get install openmpi-bin)"
"$mpirun" --version 2>&1 | grep -qE "Open MPI|OpenRTE" || skip "$mpirun is not Open MPI's"
grep -q PST_HAVE_PMIX "$PST_BUILDDIR/Makefile" ||
  skip "this build has no PMIx (Debian: apt-get install libpmix-dev)"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
launch=("$mpirun" --oversubscribe --bind-to none) way=PMIx
probe 30 mpirun

# MPI in the same process, which the program does not finalise: the job ends well, also if some nodes come
# later than a flush may take.
check_mpi() {
  local mpicc way
  mpicc=$(command -v mpicc.openmpi || command -v mpicc) || {
    echo 'not with MPI (Debian: apt-get install libopenmpi-dev)'; return
  }
  # shellcheck disable=SC2086
  "$mpicc" -w -DGASNET_SEQ -I"$PST_BUILDDIR/include" -I"$src/include" "$src/tests/launchers/mpi.c" -o mpi \
    -L"$PST_BUILDDIR" \
    -Wl,-rpath,"$PST_BUILDDIR" -lgasnet >out 2>err || {
    holds 'tests/launchers/mpi.c does not compile' false; return
  }
  for way in 'exit 0' 'exit 4' 'return 0' 'return 4' 'one 0'; do
    start 60 3 env GASNET_EXITTIMEOUT=8 ./mpi $way
    holds "MPI, $way: code $code" [ $code -eq 0 ]
  done
}

case ${PST_SANITIZE:-no} in no) check_mpi ;; esac # mpicc's compiler need not have the same
check_all 'am rma implicit strided coll'
start 60 2 "$tests/loss_end-seq" killed
holds "losses cannot be reported" ended_badly
said 'gasnetx_report_losses: the launcher of this job ends all processes when one dies' 'losses'
finish
