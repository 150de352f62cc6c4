#!/bin/bash
# Jobs started by Open MPI's mpirun, by PMIx: tests/multi/launched and others.
# time-limit: 400
set -u
. "${PST_SRCDIR:?}/tests/launchers/common.sh"
mpirun=$(command -v mpirun.openmpi || command -v mpirun) || skip "there is no mpirun (Debian: apt-get install openmpi-bin)"
"$mpirun" --version 2>&1 | grep -qE "Open MPI|OpenRTE" || skip "$mpirun is not Open MPI's"
grep -q PST_HAVE_PMIX "$PST_BUILDDIR/Makefile" || skip "this build has no PMIx (Debian: apt-get install libpmix-dev)"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
launch=("$mpirun" --oversubscribe --bind-to none) way=PMIx
probe 30 mpirun

check_all 'am rma implicit strided coll'
finish
