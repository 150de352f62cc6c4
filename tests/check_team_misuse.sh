#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# Collectives on lists of nodes whose rules are broken end the job with a message that names the call and the list, through shared memory and
# by messages.
# time-limit: 120
set -u
. "$(dirname "$0")/misuse.sh"

ways() { echo; echo GASNET_AM_ONLY=1; }

# A case that is missing here fails.
message() {
  other='node [01] has called another collective, or the same one with another list, length or root'
  case $1 in
    empty) echo 'gasnetx_team_barrier: the list of nodes is empty' ;;
    stride) echo 'gasnetx_team_barrier: a list of 2 nodes with stride 0' ;;
    past-end) echo 'gasnetx_team_barrier: the list of 2 nodes from 0, stride 2, goes past the job.s last node, 1' ;;
    far-past-end) echo 'gasnetx_team_barrier: the list of 4294967295 nodes .*goes past' ;;
    not-on-it) echo 'gasnetx_team_barrier: node 0 is not on the list of 1 nodes from 1' ;;
    root) echo 'gasnetx_team_broadcast: rank 2, the root, is not on a list of 2 nodes' ;;
    in-handler) echo 'gasnetx_team_barrier .*inside a handler' ;;
    other-call) echo "gasnetx_team_barrier on the list of 2 nodes from 0, stride 1: $other" ;;
    other-root) echo "gasnetx_team_(barrier|broadcast) on the list .*: $other" ;;
    other-length) echo "gasnetx_team_reduce on the list .*: $other" ;;
    other-large-length) echo "gasnetx_team_broadcast on the list .*: $other" ;;
  esac
}

# Each may find out about the other.
several() { case $1 in other-*) true ;; *) false ;; esac; }

misuse team_misuse "misuses"
