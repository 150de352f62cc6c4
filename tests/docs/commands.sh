# Commands for the blocks of tests/check_docs.sh, in BIN, before all others on PATH: what needs something that is not here says why it was left
# out, in the file $PST_DOCS_SKIPPED, and succeeds. Sourced, not run: make_commands BIN.

stand_in() { # NAME; the rest of a shell script comes on standard input
  { echo '#!/bin/sh'; echo 'skip() { echo "$*" >>"$PST_DOCS_SKIPPED"; exit 0; }'; cat; } >"$bin/$1"
  chmod +x "$bin/$1"
}

make_commands() {
  local bin=$1 compiler sanitizers=''
  [ "${PST_SANITIZE:-no}" = no ] || sanitizers=-fsanitize=$PST_SANITIZE
  mkdir -p "$bin"
  for compiler in cc gcc; do
    printf 'exec %s %s "$@"\n' "$(type -P "${CC:-cc}" || echo "$CC")" "$sanitizers" | stand_in $compiler
  done
  # node1, node2, ... are this machine.
  stand_in rsh <<'END_OF_COMMAND'
case $1 in node[0-9]*) shift; exec "$@" ;; esac
echo "rsh: $1: no such host" >&2; exit 255
END_OF_COMMAND
  stand_in ssh <<'END_OF_COMMAND'
while :; do case $1 in -o) shift 2 ;; -*) shift ;; *) break ;; esac; done
exec rsh "$@"
END_OF_COMMAND
  launcher_commands
}

# Launchers that run here are used; Slurm would need a cluster.
launcher_commands() {
  local openmpi mpich name
  openmpi=$(type -P mpirun.openmpi || type -P mpirun) && "$openmpi" --version 2>&1 | grep -qE 'Open MPI|OpenRTE' || openmpi=''
  mpich=$(type -P mpiexec.hydra || type -P mpiexec) && "$mpich" --version 2>&1 | grep -q HYDRA || mpich=''
  if [ -z "$openmpi" ]; then echo 'skip "there is no mpirun of Open MPI (Debian: openmpi-bin)"'
  elif ! grep -q PST_HAVE_PMIX "$build/Makefile"; then echo 'skip "this build has no PMIx (Debian: libpmix-dev)"'
  else
    echo 'export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1'
    echo "exec '$openmpi' --oversubscribe --bind-to none \"\$@\""
  fi | stand_in mpirun
  if [ -n "$mpich" ]; then echo "exec '$mpich' \"\$@\""; else echo 'skip "there is no mpiexec of MPICH (Debian: mpich)"'; fi | stand_in mpiexec
  for name in srun sbatch salloc; do echo "skip '$name needs a cluster of Slurm; tests/check_srun.sh starts one'" | stand_in $name; done
}
