#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# XcalableMP with MPI in one program (tests/xmp/mpi), started by that MPI's launcher: communicators of all
# nodes and of tasks, coarrays and messages by turns; programs of MPI with a part in XcalableMP, linked and
# loaded; each order of ends; wrong calls; xmprun, under which MPI's processes are not the nodes. With the MPI
# of this build, and in the full list with the library compiled anew for the other one, where that is here.
# time-limit: 300
# lists: full short
set -u
. "${PST_SRCDIR:?}/tests/launchers/common.sh"
[ "${PST_SANITIZE:-no}" = no ] || skip "MPI's own library is not made for sanitizers"
name=$(sed -n 's/^MPI_NAME = //p' "$build/Makefile")
"$build/libexec/xmpcc" --mpi -c "$src/tests/xmp/mpi/mixed.c" >out 2>err; code=$?
holds "xmpcc --mpi of a build without MPI: code $code" [ $code -eq 2 ]
said '^xmpcc: --mpi: this Penstock was built without MPI' 'xmpcc of such a build'
[ $bad -eq 0 ] || finish
[ -n "$name" ] || skip "this build has no MPI (Debian: apt-get install libopenmpi-dev)"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
programs=$src/tests/xmp/mpi xmpcc=$build/bin/xmpcc
all=(-O1 -g -Wall -Wextra -Werror)

# The launcher that belongs to an MPI, as `launch` and `way`; 1: it is not here, and `why` says so.
launcher_of() { # name
  local found
  way=$1
  case $1 in
    'Open MPI'*)
      grep -q PST_HAVE_PMIX "$build/Makefile" || { why='this build has no PMIx'; return 1; }
      found=$(command -v mpirun.openmpi || command -v mpirun) &&
        "$found" --version 2>&1 | grep -qE 'Open MPI|OpenRTE' ||
        { why='there is no mpirun of Open MPI (Debian: openmpi-bin)'; return 1; }
      launch=("$found" --oversubscribe --bind-to none) ;;
    MPICH*)
      found=$(command -v mpiexec.hydra || command -v mpiexec) && "$found" --version 2>&1 | grep -q HYDRA ||
        { why='there is no mpiexec of MPICH (Debian: mpich)'; return 1; }
      launch=("$found") ;;
    *) why="no launcher of $1 is known"; return 1 ;;
  esac
}

# ---- compiling ----

made() { # title command...
  local title=$1; shift
  "$@" >out 2>err; code=$?
  holds "$title does not compile" [ $code -eq 0 ]
  return $code
}
# With xmpcc --mpi, or for another MPI by its wrapper, with what lies in this directory.
compile() { made "$1" "$xmpcc" "${with[@]}" "${all[@]}" "${@:2}" "${libraries[@]}"; }
compile_all() {
  compile mixed "$programs/mixed.c" -o mixed
  compile misuse "$programs/misuse.c" -o misuse
  compile 'the part' -fPIC -c "$programs/part.c" -o part.o
  compile 'the part, a library' -shared part.o -o libpart.so
  made main.c "${plain[@]}" "${all[@]}" -c "$programs/main.c" -o main.o
  made main.c "${plain[@]}" "${all[@]}" -DLINKED -c "$programs/main.c" -o linked.o
  compile main linked.o part.o -o linked
  made 'main, by another compiler' "${plain[@]}" main.o -o loader "${libraries[@]}" "${others[@]}"
}

# ---- running ----

right() { # nodes program argument...
  local nodes=$1; shift
  start 60 "$nodes" "./$1" "${@:2}"
  holds "$* on $nodes: code $code" [ $code -eq 0 ]
  said '^all of [0-9]+ are right$' "$* on $nodes"
}
over_network() { # nodes: a node that waits in MPI serves the others by its thread
  start 60 "$1" env GASNET_CONDUIT=ofi GASNET_SUPERNODE_MAXSIZE=1 ./mixed
  holds "mixed, over a network: code $code" [ $code -eq 0 ]
  said '^all of [0-9]+ are right$' 'mixed, over a network'
}
# Two hosts, among which ranks are dealt out in turn: the nodes' order is not that of the ranks. Another name
# space of processes is another host for Penstock. Open MPI is told to use TCP; MPICH cannot be told that.
on_two_hosts() {
  local apart=(unshare -m -p -f --kill-child --mount-proc)
  case $way in 'Open MPI'*) ;; *) return ;; esac
  has_conduit ofi || { echo 'not on two hosts (this build has no network)'; return; }
  "${apart[@]}" true 2>err || { echo "not on two hosts: $(head -1 err)"; return; }
  printf '#!/bin/sh\ncase ${PMIX_RANK-}${PMI_RANK-} in *[13579]) exec %s "$@" ;; esac\nexec "$@"\n' \
    "${apart[*]}" >on_host
  chmod +x on_host
  export OMPI_MCA_pml=ob1 OMPI_MCA_btl=tcp,self
  start 60 5 ./on_host ./mixed
  holds "on two hosts: code $code" [ $code -eq 0 ]
  said '^all of [0-9]+ are right$' 'on two hosts'
  start_until_heard 60 3 ./on_host ./linked
  holds "xmp_init on two hosts: code $code" ended_badly
  said 'xmp_init: rank [12] of the communicator is node [12]: nodes are numbered host by host' 'two hosts'
  unset OMPI_MCA_pml OMPI_MCA_btl
}
under_xmprun() {
  timeout -k 5 $((60 * scale)) "$build/bin/xmprun" -n 3 ./mixed >out 2>err </dev/null; code=$?
  holds "under xmprun: code $code" [ $code -eq 1 ]
  said 'xmp_init_mpi: MPI has 1 process here, and the job 3 nodes; start the program with' 'under xmprun'
  timeout -k 5 $((60 * scale)) "$build/bin/xmprun" -n 1 ./mixed >out 2>err </dev/null; code=$?
  holds "one node under xmprun: code $code" [ $code -eq 0 ]
}
refused() { # case message
  start_until_heard 30 2 ./misuse "$1"
  holds "misuse $1: code $code" ended_badly
  said "penstock: node [01] of 2: $2" "misuse $1"
}
check_misuse() {
  refused early 'xmp_get_mpi_comm: xmp_init_mpi has to come first'
  refused finalize_early 'xmp_finalize_mpi: xmp_init_mpi has to come first'
  refused in_task 'xmp_init_mpi: all nodes have to call it, outside of tasks and loops'
  refused late 'xmp_get_mpi_comm: MPI has been finalised'
  refused init_late 'xmp_init_mpi: MPI has been finalised'
  refused no_mpi 'xmp_init: MPI_Init has to come first'
  refused no_nodes 'xmp_nodes_comm: the descriptor is NULL'
  refused self 'xmp_init: the communicator has 1 process, and the job 2 nodes'
  refused order 'xmp_init: rank [01] of the communicator is node [01]: nodes are numbered host by host'
  refused ended '.*: called after the end of the program, or after xmp_finalize'
}
check_ways() {
  local w
  for w in own own_first again open; do right 3 mixed $w; done
  right 1 mixed; right 6 mixed
  for w in inner outer open; do right 3 linked $w; right 3 loader $w ./libpart.so; done
  right 2 loader inner
  start 60 3 ./linked failure
  holds "linked failure: code $code" [ $code -eq 3 ]
}
check() {
  compile_all
  right 4 mixed
  right 3 loader inner ./libpart.so
  under_xmprun
  [ "${PST_LIST-}" != short ] || return
  check_ways
  check_misuse
  on_two_hosts
  if has_conduit ofi; then over_network 3; else echo 'not over a network (this build has none)'; fi
}

# ---- each MPI ----

others=("-L$build" "-Wl,-rpath,$build" -lpenstock-xmp -lpenstock-gasp -lgasnet)
headers=("-I$src/include/penstock-xmp")

# The library for another MPI, in this directory; 1: its wrapper compiles nothing here.
compile_library() { # wrapper
  "$1" -shared -fPIC -std=gnu11 "-I$src" "${headers[@]}" "$src"/xmp/mpi/*.c -o libpenstock-xmp-mpi.so \
    "${others[@]}" >out 2>err
}
check_other() { # name wrapper
  mkdir other && cd other || return
  if ! launcher_of "$1"; then echo "not with $1: $why"
  elif ! command -v "$2" >/dev/null || ! compile_library "$2"; then
    echo "not with $1: $2 makes no library here"
  else
    with=("--cc=$2" -DPENSTOCK_XMP_MPI) plain=("$2" "${headers[@]}")
    libraries=("-L$PWD" "-Wl,-rpath,$PWD" -lpenstock-xmp-mpi)
    check
    libraries=(-lpenstock-xmp-mpi)
    compile 'with two kinds of MPI' "$programs/misuse.c" -o misuse
    refused late "xmp_init_mpi: libpenstock-xmp-mpi was built for ${name% *}, and this program is linked"
  fi
  cd ..
}

launcher_of "$name" || skip "$why"
probe 30 "${launch[0]##*/}"
with=(--mpi) libraries=()
read -r -a flags <<<"$(sed -n 's/^MPI_FLAGS = //p' "$build/Makefile")"
read -r -a links <<<"$(sed -n 's/^MPI_LINK = //p' "$build/Makefile")"
plain=(${CC:-cc} "${headers[@]}" "${flags[@]}") others+=(-lpenstock-xmp-mpi "${links[@]}")
check
others=("-L$build" "-Wl,-rpath,$build" -lpenstock-xmp -lpenstock-gasp -lgasnet)
if [ "${PST_LIST-}" != short ]; then
  case $name in
    MPICH*) check_other 'Open MPI' mpicc.openmpi ;;
    *) check_other MPICH "${PST_MPICH_MPICC:-mpicc.mpich}" ;;
  esac
fi
finish
