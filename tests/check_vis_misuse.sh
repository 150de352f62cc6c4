#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# In debug builds each call of gasnet_vis.h or gasnetx.h that breaks its rules ends the job with a message that names the call,
# the argument, the entry or dimension, and the values.
# time-limit: 240
set -u
grep -q 'define GASNET_DEBUG 1' "${PST_BUILDDIR:-.}/include/gasnet_config.h" ||
  { echo "skip: only builds with --enable-debug check descriptions" >&2; exit 77; }
. "$(dirname "$0")/misuse.sh"

# A case that is missing here fails.
message() {
  case $1 in
    putv-total) echo 'gasnet_putv_bulk: dstlist .*[^0-9]48[^0-9].*srclist.*[^0-9]40[^0-9]' ;;
    getv-total) echo 'gasnet_getv_nb_bulk: dstlist .*[^0-9]25[^0-9].*srclist.*[^0-9]24[^0-9]' ;;
    putv-half-empty) echo 'gasnet_putv_nbi_bulk: dstlist .*[^0-9]0[^0-9].*srclist.*[^0-9]25[^0-9]' ;;
    putv-outside) echo 'gasnet_putv_bulk: dstlist.2..* 8 bytes .*outside the segment of node 1.*4096 bytes' ;;
    putv-before) echo 'gasnet_putv_nb_bulk: dstlist.1..* 8 bytes .*outside the segment of node 1' ;;
    getv-outside) echo 'gasnet_getv_nbi_bulk: srclist.0..* 1 bytes .*outside the segment of node 1' ;;
    putv-node) echo 'gasnet_putv_bulk: node 2 does not exist' ;;
    putv-in-handler) echo 'gasnet_putv_bulk .*inside a handler' ;;
    putv-with-lock) echo 'gasnet_putv_bulk .*handler-safe lock' ;;
    puti-total) echo 'gasnet_puti_bulk: dstlist .*[^0-9]48[^0-9].*srclist.*[^0-9]51[^0-9]' ;;
    geti-total) echo 'gasnet_geti_nbi_bulk: dstlist .*[^0-9]24[^0-9].*srclist.*[^0-9]48[^0-9]' ;;
    puti-half-empty) echo 'gasnet_puti_bulk: dstlist .*[^0-9]0[^0-9].*srclist.*[^0-9]8[^0-9]' ;;
    puti-outside) echo 'gasnet_puti_nb_bulk: dstlist.1..* 8 bytes .*outside the segment of node 1' ;;
    geti-outside) echo 'gasnet_geti_bulk: srclist.0..* 8 bytes .*outside the segment of node 1' ;;
    geti-in-handler) echo 'gasnet_geti_bulk .*inside a handler' ;;
    puts-first) echo 'gasnet_puts_bulk: dststrides\[0\] is 7; .*at least 8 .*count\[0\] is 8' ;;
    puts-monotonic) echo 'gasnet_puts_bulk: dststrides\[1\] is 8; .*at least 96 .*count\[1\] is 3' ;;
    puts-overlap) echo 'gasnet_puts_bulk: dststrides\[2\] is 47; .*at least 48 .*count\[2\] is 2' ;;
    puts-alone) echo 'gasnet_puts_bulk: srcstrides\[1\] is 23; .*at least 24 .*count\[1\] is 3' ;;
    gets-source) echo 'gasnet_gets_nb_bulk: srcstrides\[1\] is 16; .*at least 24 .*count\[1\] is 3' ;;
    gets-target) echo 'gasnet_gets_nbi_bulk: dststrides\[0\] is 3; .*at least 8 .*count\[0\] is 8' ;;
    puts-last-row) echo 'gasnet_puts_nb_bulk: dstaddr .* 184 bytes .*outside the segment of node 1' ;;
    gets-before) echo 'gasnet_gets_bulk: srcaddr .* 56 bytes .*outside the segment of node 1' ;;
    puts-huge) echo 'gasnet_puts_nbi_bulk: dst(addr|strides\[0\]) .*segment of node 1' ;;
    gets-node) echo 'gasnet_gets_bulk: node 4294967295 does not exist' ;;
    gets-in-handler) echo 'gasnet_gets_bulk .*inside a handler' ;;
    any-below) echo 'gasnetx_puts_any_bulk: dstaddr .* 96 bytes .*outside the segment of node 1' ;;
    any-above) echo 'gasnetx_gets_any_nbi_bulk: srcaddr .* 96 bytes .*outside the segment of node 1' ;;
    reshape-volume) echo 'gasnetx_puts_reshape_nb_bulk: dstcount has 6 elements, srccount 8' ;;
    reshape-outside) echo 'gasnetx_gets_reshape_bulk: srcaddr .* 88 bytes .*outside the segment of node 1' ;;
    pitch-below-width) echo 'gasnet_puts_bulk: dststrides.0. is 15; .*at least 16 ' ;;
    plane-below-rows) echo 'gasnet_gets_nb_bulk: srcstrides.1. is 47; .*at least 48 ' ;;
    multi-total) echo 'gasnetx_putv_multi_bulk: dstlist has 16 bytes, srclist 17' ;;
    multi-node) echo 'gasnetx_putv_multi_nbi_bulk: dstlist.1.[.]node is 2; .* 2 nodes' ;;
    multi-outside) echo 'gasnetx_geti_multi_bulk: srclist.1. .* 8 bytes .*outside the segment of node 1' ;;
    reblock-block) echo 'gasnetx_reblock_bulk: dst->block is 0' ;;
    reblock-nodes) echo 'gasnetx_reblock_bulk: dst->nodes is 0' ;;
    reblock-node) echo 'gasnetx_reblock_bulk: dst->node.0. is 2; .* 2 nodes' ;;
    reblock-outside) echo 'gasnetx_reblock_bulk: dst.* 256 bytes .*outside the segment of node 1' ;;
    notify-outside) echo 'gasnetx_put_notify_bulk: notify.* word .*segment of node 1' ;;
    notify-unaligned) echo 'gasnetx_put_notify_bulk: notify.* word .*aligned' ;;
    notify-kind) echo 'gasnetx_put_notify_bulk: notify.* kind 3' ;;
    notify-handler) echo 'gasnetx_put_notify_bulk: notify.* 90 ' ;;
    notify-none) echo 'gasnetx_put_notify_bulk: notify is NULL' ;;
    notify-put-outside) echo 'gasnetx_putv_notify_nbi_bulk: dstlist.0. .* 8 bytes .*outside the segment of node 1' ;;
    notify-strides) echo 'gasnetx_puts_notify_nb_bulk: srcstrides.0. is 7; .*at least 8 ' ;;
    wait-unaligned) echo 'gasnetx_wait_until: word .*aligned' ;;
    wait-compare) echo 'gasnetx_test_until: comparison 6 ' ;;
    wait-in-handler) echo 'gasnetx_wait_until .*inside a handler' ;;
    plan-member) echo 'gasnetx_plan_rebase: member 1; the plan has 1' ;;
    plan-base) echo 'gasnetx_plan_rebase: .*srcaddr .* 8 bytes .*outside the segment of node 1' ;;
    plan-get-notifies) echo 'gasnetx_plan_notify: member 0 is a get' ;;
    plan-list-base) echo 'gasnetx_plan_rebase: member 0 is a list' ;;
    plan-outside) echo 'gasnetx_plan_puts: dstaddr .* 40 bytes .*outside the segment of node 1' ;;
    plan-total) echo 'gasnetx_plan_getv: dstlist has 9 bytes, srclist 8' ;;
    plan-none) echo 'gasnetx_plan_run: the plan is NULL' ;;
    plan-in-handler) echo 'gasnetx_plan_start_nbi .*inside a handler' ;;
  esac
}

misuse vis_misuse "calls that break a rule"
