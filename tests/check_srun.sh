#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# Jobs started by Slurm's srun, by PMIx and by PMI's wire protocol: tests/multi/launched and others. If Slurm
# is not configured, root's test sets up its own.
# time-limit: 400
set -u
sbin=/usr/local/sbin:/usr/sbin:/sbin
command -v srun >/dev/null || {
  echo "skip: there is no srun (Debian: apt-get install slurm-wlm)" >&2; exit 77
}
set_up() { timeout 10 sinfo -h -o %T 2>/dev/null | grep -q .; }
own=no
if [ "${PST_INSIDE_NETWORK-}" = yes ] || ! set_up; then
  own=yes
  PATH=$PATH:$sbin
  . "${PST_SRCDIR:?}/tests/hosts/network.sh"
fi
. "${PST_SRCDIR:?}/tests/launchers/common.sh"
if [ $own = yes ]; then
  . "$PST_SRCDIR/tests/launchers/slurm.sh"
  export SLURM_CONF=$dir/slurm.conf \
    SLURM_PMIX_TMPDIR=$dir # else files of steps stay in /tmp, and the next cluster's steps fall over them
  start_slurm >why || skip "Slurm does not start here: $(head -1 why)"
fi
launch=(srun --overcommit)
probe 10 srun

check_way() { # --mpi= programs
  launch=(srun --overcommit --mpi=$1)
  check_places
  check_ends
  check_errors
  check_deaths
  check_xmp
  check_caf
  check_list '' "$2"
}
# XcalableMP with MPI in one program, which has PMIx, too.
check_mpi() {
  grep -q '^MPI_NAME = Open MPI' "$build/Makefile" && [ "${PST_SANITIZE:-no}" = no ] || return
  "$build/bin/xmpcc" --mpi "$src/tests/xmp/mpi/mixed.c" -o mixed >out 2>err; code=$?
  holds 'tests/xmp/mpi/mixed.c does not compile' [ $code -eq 0 ]
  start 60 3 ./mixed
  holds "MPI: code $code" [ $code -eq 0 ]
  said '^all of [0-9]+ are right$' MPI
}
way=PMI-1
check_way pmi2 ''
way=PMIx
if grep -q PST_HAVE_PMIX "$PST_BUILDDIR/Makefile" && srun --mpi=list 2>&1 |
  grep -q pmix; then check_way pmix "$few"; check_mpi
else echo "not with --mpi=pmix: this build or this Slurm has no PMIx"
fi
finish
