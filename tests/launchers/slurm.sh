# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# A Slurm of this test's own, with one node, where none is configured. Sourced with tests/hosts/network.sh:
# its ports and processes lie in that file's name spaces, so all of it goes with the script. `dir` is a
# directory for its files.
own_conf() {
  cat <<EOF
ClusterName=test
SlurmctldHost=$(hostname)(127.0.0.1)
AuthType=auth/munge
AuthInfo=socket=$dir/munge.socket
CredType=cred/munge
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.pid
SlurmUser=root
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
ReturnToService=2
MpiDefault=none
KillWait=2
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
NodeName=$(hostname) NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP OverSubscribe=FORCE:16
EOF
}

await() { # seconds, command...
  local i limit=$(($1 * 10)); shift
  for ((i = 0; i < limit; i++)); do "$@" >/dev/null 2>&1 && return; sleep 0.1; done
  return 1
}
answers() { munge -n -S "$dir/munge.socket"; }
is_idle() { sinfo -h -o %T | grep -qx idle; }

# Slurm's daemons, those of steps too, write into `dir` for a while after srun has ended. This script is the
# first process of its name space; all others there are Slurm's.
alone() { local all=(/proc/[0-9]*); [ ${#all[@]} -eq 1 ]; }
end_launcher() {
  [ $$ -eq 1 ] && [ "${inside-}" = yes ] || return
  kill -KILL -1
  wait
  await 10 alone
} 2>/dev/null

start_slurm() {
  local program
  for program in munged munge slurmctld slurmd; do
    command -v $program >/dev/null || { echo "there is no $program"; return 1; }
  done
  mkdir "$dir/state" "$dir/spool"
  own_conf >"$dir/slurm.conf"
  (umask 077; head -c 128 /dev/urandom >"$dir/munge.key")
  munged --foreground --force --socket="$dir/munge.socket" --key-file="$dir/munge.key" \
    --log-file="$dir/munged.log" \
    --pid-file="$dir/munged.pid" --seed-file="$dir/munged.seed" >"$dir/munged.out" 2>&1 &
  await 10 answers || { head -1 "$dir/munged.out"; return 1; }
  slurmctld -D -f "$dir/slurm.conf" >"$dir/slurmctld.out" 2>&1 &
  slurmd -D -f "$dir/slurm.conf" >"$dir/slurmd.out" 2>&1 &
  await 20 is_idle || { grep -h -m 1 -E 'fatal|error' "$dir"/slurmctld.out "$dir"/slurmd.out; return 1; }
}
