#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# Plans and notifications whose rules are broken end the job with a message that names the call and the values: in debug builds all
# of them, in others those that cost nothing.
# time-limit: 120
set -u
. "$(dirname "$0")/misuse.sh"

# A case that is missing here fails.
message() {
  case $1 in
    word-unaligned) echo 'gasnetx_put_notify_bulk: notify: kind 0, word .*aligned uint64_t in the segment of node 1' ;;
    word-outside) echo 'gasnetx_put_notify_bulk: notify: kind 1, word .*in the segment of node 1' ;;
    kind-unknown) echo 'gasnetx_put_notify_bulk: notify: kind 17,' ;;
    handler-index) echo 'gasnetx_put_notify_bulk: notify: 9 is not the index of a client' ;;
    handler-unregistered) echo '(notification .*|notify: )(names handler )?250' ;;
    notify-null) echo 'gasnetx_put_notify_nbi_bulk: notify is NULL' ;;
    put-outside) echo 'gasnetx_put_notify_nb_bulk: dst .* 8 bytes .*outside the segment of node 1' ;;
    puts-strides) echo 'gasnetx_puts_notify_bulk: dststrides\[0\] is 7; .*at least 8' ;;
    putv-total) echo 'gasnetx_putv_notify_bulk: dstlist .*24 .*srclist 25' ;;
    wait-unaligned) echo 'gasnetx_wait_until: word .*not aligned to 8 bytes' ;;
    wait-comparison) echo 'gasnetx_wait_until: comparison 6 ' ;;
    wait-in-handler) echo 'gasnetx_wait_until .*inside a handler' ;;
    plan-strides) echo 'gasnetx_plan_puts: dststrides\[1\] is 8; .*at least 96' ;;
    plan-outside) echo 'gasnetx_plan_gets: srcaddr .* 56 bytes .*outside the segment of node 1' ;;
    plan-any-outside) echo 'gasnetx_plan_puts_any: dstaddr .* 56 bytes .*outside the segment of node 1' ;;
    plan-node) echo 'gasnetx_plan_puts: node 2 does not exist' ;;
    plan-total) echo 'gasnetx_plan_puti: dstlist .*24 .*srclist 25' ;;
    rebase-outside) echo 'gasnetx_plan_rebase: dstaddr .* 56 bytes .*outside the segment of node 1' ;;
    rebase-list) echo 'gasnetx_plan_rebase: member 0 is a list' ;;
    rebase-number) echo 'gasnetx_plan_rebase: member 1; the plan has 1, from 0' ;;
    notify-number) echo 'gasnetx_plan_notify: member 0; the plan has 0' ;;
    notify-get) echo 'gasnetx_plan_notify: member 0 is a get' ;;
    notify-outside) echo 'gasnetx_plan_notify: notify: kind 1, word .*in the segment of node 1' ;;
    start-destroyed) echo 'gasnetx_plan_run: plan .*destroyed before' ;;
    destroy-twice) echo 'gasnetx_plan_destroy: plan .*destroyed before' ;;
    start-null) echo 'gasnetx_plan_start_nbi: the plan is NULL' ;;
    start-in-handler) echo 'gasnetx_plan_start_nbi .*inside a handler' ;;
  esac
}

misuse plan_misuse "misuses"
