#!/bin/bash
# Jobs started by Slurm's srun, by PMIx and by PMI's wire protocol: tests/multi/launched and others.
# time-limit: 400
set -u
. "${PST_SRCDIR:?}/tests/launchers/common.sh"
command -v srun >/dev/null || skip "there is no srun (Debian: apt-get install slurm-wlm)"
launch=(srun --overcommit)
start 10 1 true
[ $code -eq 0 ] || skip "srun does not start programs here: $(head -1 err)"

check_way() { # --mpi=
  launch=(srun --overcommit --mpi=$1)
  check_places
  check_ends
  check_errors
  check_deaths
  check_list '' ''
}
way=PMI-1
check_way pmi2
way=PMIx
if grep -q PST_HAVE_PMIX "$PST_BUILDDIR/Makefile" && srun --mpi=list 2>&1 | grep -q pmix; then check_way pmix
else echo "not with --mpi=pmix: this build or this Slurm has no PMIx"
fi
finish
