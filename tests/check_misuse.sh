#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# Each forbidden call ends the job with its message: a debug build checks all of them, another those that cost nothing.
# time-limit: 240
# lists: full short
set -u
. "$(dirname "$0")/misuse.sh"

# A case that is missing here fails.
message() {
  case $1 in
    reply-twice) echo 'AMReplyShort.*replied already' ;;
    reply-in-reply) echo 'AMReplyShort.*reply.s handler may not reply' ;;
    reply-outside) echo 'AMReplyShort.*token' ;;
    request-in-handler) echo 'AMRequestShort.*inside a handler' ;;
    put-in-handler) echo 'gasnet_put .*inside a handler' ;;
    get-in-handler) echo 'gasnet_get_bulk .*inside a handler' ;;
    barrier-in-handler) echo 'gasnet_barrier_notify .*inside a handler' ;;
    poll-in-handler) echo 'gasnet_AMPoll .*inside a handler' ;;
    strided-in-handler) echo 'gasnet_puts_bulk .*inside a handler' ;;
    bad-index) echo 'AMRequestShort.*handler index 90 ' ;;
    unregistered) echo 'from node 0 .*handler 250.*not registered' ;;
    am-bad-node) echo 'AMRequestShort.*node 2 does not exist.* 2' ;;
    medium-too-long) echo 'AMRequestMedium.* bytes' ;;
    long-outside) echo 'AMRequestLong.*outside the segment of node 1' ;;
    too-many-args) echo 'AMRequestShort.*17 arguments' ;;
    put-outside) echo 'gasnet_put: .*outside the segment of node 1.*4096' ;;
    put-before) echo 'gasnet_put_nb_bulk: .*outside the segment of node 1' ;;
    get-outside) echo 'gasnet_get_nbi_bulk: .*outside the segment of node 1' ;;
    memset-outside) echo 'gasnet_memset: .*outside the segment of node 1' ;;
    value-outside) echo 'gasnet_put_val: .*outside the segment of node 1' ;;
    put-bad-node) echo 'gasnet_put: node 2 does not exist' ;;
    get-bad-node) echo 'gasnet_get_val: node 4294967295 does not exist' ;;
    value-size) echo 'gasnet_put_nb_val: 9 bytes' ;;
    atomic-outside) echo 'gasnetx_atomic32: addr .*4 bytes is outside the segment of node 1' ;;
    atomic-unaligned) echo 'gasnetx_atomic64_nbi: addr .* not aligned to 8 bytes' ;;
    atomic-bad-node) echo 'gasnetx_atomic16: node 2 does not exist' ;;
    atomic-bad-op) echo 'gasnetx_atomic16: there is no operation 8' ;;
    atomic-no-answer) echo 'gasnetx_atomic32_nbi: operation 6 gives an answer' ;;
    atomic-in-handler) echo 'gasnetx_atomic64 .*inside a handler' ;;
    strided-outside) echo 'gasnet_puts_bulk: .*outside the segment of node 1' ;;
    strided-get-outside) echo 'gasnet_gets_bulk: .*outside the segment of node 1' ;;
    strided-bad-first) echo 'gasnet_puts_bulk: dststrides\[0\] is 7' ;;
    strided-bad-second) echo 'gasnet_puts_nb_bulk: srcstrides\[1\] is 23' ;;
    strided-bad-get) echo 'gasnet_gets_nbi_bulk: srcstrides\[1\] is 16' ;;
    stale-handle) echo 'gasnet_wait_syncnb: handle .*synchronised before' ;;
    stale-try) echo 'gasnet_try_syncnb_all: handle .*synchronised before' ;;
    valget-twice) echo 'gasnet_wait_syncnb_valget: handle ' ;;
    nested-region) echo 'gasnet_begin_nbi_accessregion inside an access region' ;;
    end-region) echo 'gasnet_end_nbi_accessregion without' ;;
    sync-in-region) echo 'gasnet_wait_syncnbi_puts inside an access region' ;;
    try-in-region) echo 'gasnet_try_syncnbi_all inside an access region' ;;
    wait-alone) echo 'gasnet_barrier_wait without gasnet_barrier_notify' ;;
    try-alone) echo 'gasnet_barrier_try without gasnet_barrier_notify' ;;
    two-notifies | barrier-in-barrier) echo 'gasnet_barrier_notify twice without gasnet_barrier_wait' ;;
    two-waits) echo 'gasnet_barrier_wait without gasnet_barrier_notify' ;;
    unlock-unheld) echo 'gasnet_hsl_unlock: .*not held' ;;
    lock-twice) echo 'gasnet_hsl_lock: .*already' ;;
    trylock-held) echo 'gasnet_hsl_trylock: .*already' ;;
    destroy-held) echo 'gasnet_hsl_destroy: .*held' ;;
    unlock-out-of-order) echo 'gasnet_hsl_unlock: out of order' ;;
    init-twice) echo 'gasnet_hsl_init: .*initialised already' ;;
    init-static) echo 'gasnet_hsl_init: GASNET_HSL_INITIALIZER' ;;
    destroy-twice | destroy-static-twice) echo 'gasnet_hsl_destroy: .*destroyed already' ;;
    put-with-lock) echo 'gasnet_put .*handler-safe lock' ;;
    barrier-with-lock) echo 'gasnet_barrier_wait .*handler-safe lock' ;;
    sync-with-lock) echo 'gasnet_wait_syncnb .*handler-safe lock' ;;
    poll-with-lock) echo 'gasnet_AMPoll .*handler-safe lock' ;;
    request-with-lock) echo 'AMRequestShort.*handler-safe lock' ;;
    leave-with-lock) echo 'handler .*returned while it held a handler-safe lock' ;;
    hold-twice) echo 'gasnet_hold_interrupts' ;;
    poll-in-section) echo 'gasnet_AMPoll .*between gasnet_hold_interrupts' ;;
    wait-in-section) echo 'GASNET_BLOCKUNTIL .*between gasnet_hold_interrupts' ;;
    put-in-section) echo 'gasnet_put .*between gasnet_hold_interrupts' ;;
    request-in-section) echo 'AMRequestShort .*between gasnet_hold_interrupts' ;;
    sync-in-section) echo 'gasnet_wait_syncnbi_all .*between gasnet_hold_interrupts' ;;
    barrier-in-section) echo 'gasnet_barrier_try .*between gasnet_hold_interrupts' ;;
    resume-alone | hold-with-lock) echo 'gasnet_resume_interrupts without gasnet_hold_interrupts' ;;
    before-attach) echo 'gasnet_put .*before gasnet_attach' ;;
    barrier-before-attach) echo 'gasnet_barrier_notify .*before gasnet_attach' ;;
    other-thread) echo 'gasnet_wait_syncnb: handle .*another thread' ;;
    unlock-by-other) echo 'gasnet_hsl_unlock: another thread' ;;
  esac
}

networks=$("$build/bin/gasnet_info" | sed -n '/^conduits/,/^limits/s/^  \([a-z]*\)$/\1/p' | grep -v '^smp$')
ways() {
  case $1 in
    wait-alone | try-alone | two-notifies | two-waits | barrier-in-barrier) # whoever carries the barrier
      echo; echo GASNET_AM_ONLY=1
      for network in $networks; do echo "GASNET_CONDUIT=$network GASNET_SUPERNODE_MAXSIZE=1"; done ;;
    stale-* | other-thread | sync-with-lock) echo GASNET_AM_ONLY=1 ;; # needs operations that take a while
    *-in-handler | put-* | get-* | strided-* | atomic-*) echo; echo GASNET_AM_ONLY=1 ;;
    *) echo ;;
  esac
}

misuse misuse "forbidden calls"
