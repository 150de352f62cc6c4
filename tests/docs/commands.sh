# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# Commands for the blocks of tests/check_docs.sh, in BIN, before all others on PATH. A command that needs
# something absent says so in the file $PST_DOCS_SKIPPED, and succeeds; one that builds, tests or measures for
# minutes does less. Sourced, not run: make_commands BIN.

stand_in() { # NAME; the rest of a shell script comes on standard input
  { echo '#!/bin/sh'; echo 'skip() { echo "$*" >>"$PST_DOCS_SKIPPED"; exit 0; }'; cat; } >"$bin/$1"
  chmod +x "$bin/$1"
}

make_commands() {
  local bin=$1
  mkdir -p "$bin" "$tmp/objects"
  compiler_commands
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
  build_commands
  bench_command
}

# ---- compilers ----

# A source file of the page's tree is compiled once for all builds with the same options and gasnet_config.h,
# except for configure's command line in it. All have the same directories of headers; an object for shared
# libraries serves others, too. A file with a warning is compiled again, as some builds make it an error. The
# examples compute, and are always optimised. The compiler may be a wrapper, too, that looks for the next one
# of its name on PATH: it must not find this one.
compiler_commands() {
  local name compiler
  compiler=$(type -P "${CC:-cc}" || echo "$CC")
  for name in cc gcc; do
    { echo '#!/bin/bash'; echo "compiler='$compiler' objects=$tmp/objects tree=$tmp/page PATH='$PATH'"
      cat <<'END_OF_COMMAND'; } >"$bin/$name"
[[ " $* " == *" -MF "*" -c -o "*" "*.c" " && -f include/gasnet_config.h ]] || exec $compiler "$@"
words=''
for ((i = 1; i <= $#; i++)); do
  case ${!i} in
    -I* | -Werror | -fPIC) ;;
    -MF) i=$((i + 1)) ;;
    -o) i=$((i + 1)) object=${!i} ;;
    *) word=${!i#"$tree"/}; while [[ $word == ../* ]]; do word=${word#../}; done; words+=" ${word#./}" ;;
  esac
done
if [ ! include/config.sum -nt include/gasnet_config.h ]; then
  grep -v GASNETT_CONFIGURE_ARGS include/gasnet_config.h | sha1sum >include/config.sum.$$
  mv include/config.sum.$$ include/config.sum
fi
read -r sum _ <include/config.sum
words=${words//\//%} kept=$objects/$sum${words// /\/}
if [ -f "$kept" ]; then exec cp "$kept" "$object"; fi
more=-fPIC; [[ $words != *" examples%"* ]] || more='-fPIC -O2'
$compiler "$@" $more 2>"$objects/said.$$" || { rc=$?; cat "$objects/said.$$" >&2; exit $rc; }
if [ -s "$objects/said.$$" ]; then cat "$objects/said.$$" >&2
else mkdir -p "${kept%/*}" && cp "$object" "$kept.$$" && mv "$kept.$$" "$kept"
fi
rm "$objects/said.$$"
END_OF_COMMAND
    chmod +x "$bin/$name"
  done
}

# ---- building and testing ----

programs() { for p; do printf 'tests/multi/%s-seq tests/multi/%s-par ' "$p" "$p"; done; }

# Only the test programs that PST_ONLY asks for, and tests/check_template.sh where it is run; without what
# gasnetbench measures XcalableMP and coarrays by, which takes long to compile.
build_commands() {
  { echo "tests='tests/unit/test_parse $(programs attach value death)'"
    names=$(sed -n "s/^programs='\(.*\)'$/\1/p" "$src/tests/check_template.sh")
    echo "case \$PWD in */build-template) tests=\"\$tests $(programs $names)\" ;; esac"
    echo "exec '$(type -P "$make")' \"\$@\" \"TESTS=\$tests\" GASP_TESTS= UPC_TESTS= \
SHMEM_TESTS= SHMEM_CXX_TESTS= XMP_TESTS= CAF_TESTS= FRONT_TESTS= XMPCC_HERE= CAF_FC="
  } | stand_in make
  # Nothing is installed on this machine.
  echo "DESTDIR=$tmp/root exec \"\$@\"" | stand_in sudo
  echo 'echo "E: this test installs no packages" >&2; exit 100' | stand_in apt-get
}

# ---- measuring ----

# One round, of two sizes where a test has sizes. It cannot be judged by bounds, so code 3 is as good as 0.
bench_command() {
  { echo "prefix=$prefix libexec=$build/libexec conduits=' ${conduits[*]} '"
    cat <<'END_OF_COMMAND'; } | stand_in gasnetbench
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
conduit='' transport='' before=''
offered() { "$libexec/gasnetbench-seq" --offers "$libexec/gasnetbench-raw-$conduit.so" "$1" >/dev/null 2>&1; }
for word; do
  case $before in
    -c) conduit=$word
        case $conduits in *" $word "*) ;; *) skip "the conduit $word was not built" ;; esac ;;
    --transport) transport=$word; offered "$word" || skip "$conduit offers no $word here" ;;
  esac
  before=$word
done
before=''
for word; do
  [ "$word" = -s ] || [ "$before" = -s ] || set -- "$@" "$word"
  shift
  before=$word
done
printed=$("$prefix/bin/gasnetbench" --rounds 1 -s 8,64K "$@"); code=$?
printf '%s\n' "$printed"
case " $* " in *' --strict '*) [ $code -ne 3 ] || code=0 ;; esac
[ $code -ne 0 ] || [ -n "$printed" ] || { echo "it has printed nothing"; exit 1; }
exit $code
END_OF_COMMAND
}

# ---- launchers ----

# Launchers that work here are used; Slurm would need a cluster.
launcher_commands() {
  local openmpi mpich name
  openmpi=$(type -P mpirun.openmpi || type -P mpirun) && "$openmpi" --version 2>&1 |
    grep -qE 'Open MPI|OpenRTE' || openmpi=''
  mpich=$(type -P mpiexec.hydra || type -P mpiexec) && "$mpich" --version 2>&1 | grep -q HYDRA || mpich=''
  if [ -z "$openmpi" ]; then echo 'skip "there is no mpirun of Open MPI (Debian: openmpi-bin)"'
  elif ! grep -q PST_HAVE_PMIX "$build/Makefile"; then \
    echo 'skip "this build has no PMIx (Debian: libpmix-dev)"'
  else
    echo 'export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1'
    echo "exec '$openmpi' --oversubscribe --bind-to none \"\$@\""
  fi | stand_in mpirun
  if [ -n "$mpich" ]; then
    echo "exec '$mpich' \"\$@\""; else echo 'skip "there is no mpiexec of MPICH (Debian: mpich)"'
  fi | stand_in mpiexec
  for name in srun sbatch salloc; do
    echo "skip '$name needs a cluster of Slurm; tests/check_srun.sh starts one'" | stand_in $name
  done
}
