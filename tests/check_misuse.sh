#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# Each call that the interface forbids ends the job with a message that names the call and the values: a debug
# build checks all calls, others only what costs nothing. The short list has gasnet.h alone.
# time-limit: 600
# lists: full short
set -u
. "$(dirname "$0")/misuse.sh"

networks=$(networks)
ways() {
  case $1 in
    wait-alone | try-alone | two-notifies | two-waits | barrier-in-barrier) # whatever carries the barrier
      printf '\nGASNET_AM_ONLY=1\n'
      for network in $networks; do echo "GASNET_CONDUIT=$network GASNET_SUPERNODE_MAXSIZE=1"; done ;;
    stale-* | other-thread | destroy-busy-group | sync-with-lock)
      echo GASNET_AM_ONLY=1 ;; # needs operations that take a while
    *-in-handler | put-* | get-* | strided-* | atomic-*) printf '\nGASNET_AM_ONLY=1\n' ;;
    *) echo ;;
  esac
}
several() { case $1 in alike-regions) true ;; *) false ;; esac; }
misuse multi/misuse <<'END'
reply-twice AMReplyShort.*replied already
reply-in-reply AMReplyShort.*reply.s handler may not reply
reply-outside AMReplyShort.*token
request-in-handler AMRequestShort.*inside a handler
put-in-handler gasnet_put .*inside a handler
get-in-handler gasnet_get_bulk .*inside a handler
barrier-in-handler gasnet_barrier_notify .*inside a handler
poll-in-handler gasnet_AMPoll .*inside a handler
strided-in-handler gasnet_puts_bulk .*inside a handler
bad-index AMRequestShort.*handler index 90 .
unregistered from node 0 .*handler 250.*not registered
am-bad-node AMRequestShort.*node 2 does not exist.* 2
medium-too-long AMRequestMedium.* bytes
long-outside AMRequestLong.*outside the segment of node 1
too-many-args AMRequestShort.*17 arguments
put-outside gasnet_put: .*outside the segment of node 1.*4096
put-before gasnet_put_nb_bulk: .*outside the segment of node 1
get-outside gasnet_get_nbi_bulk: .*outside the segment of node 1
memset-outside gasnet_memset: .*outside the segment of node 1
value-outside gasnet_put_val: .*outside the segment of node 1
put-bad-node gasnet_put: node 2 does not exist
get-bad-node gasnet_get_val: node 4294967295 does not exist
value-size gasnet_put_nb_val: 9 bytes
atomic-outside gasnetx_atomic32: addr .*4 bytes is outside the segment of node 1
atomic-unaligned gasnetx_atomic64_nbi: addr .* not aligned to 8 bytes
atomic-bad-node gasnetx_atomic16: node 2 does not exist
atomic-bad-op gasnetx_atomic16: there is no operation 8
atomic-no-answer gasnetx_atomic32_nbi: operation 6 gives an answer
atomic-in-handler gasnetx_atomic64 .*inside a handler
strided-outside gasnet_puts_bulk: .*outside the segment of node 1
strided-get-outside gasnet_gets_bulk: .*outside the segment of node 1
strided-bad-first gasnet_puts_bulk: dststrides\[0\] is 7
strided-bad-second gasnet_puts_nb_bulk: srcstrides\[1\] is 23
strided-bad-get gasnet_gets_nbi_bulk: srcstrides\[1\] is 16
stale-handle gasnet_wait_syncnb: handle .*synchronised before
stale-try gasnet_try_syncnb_all: handle .*synchronised before
valget-twice gasnet_wait_syncnb_valget: handle .
nested-region gasnet_begin_nbi_accessregion inside an access region
end-region gasnet_end_nbi_accessregion without
sync-in-region gasnet_wait_syncnbi_puts inside an access region
try-in-region gasnet_try_syncnbi_all inside an access region
wait-alone gasnet_barrier_wait without gasnet_barrier_notify
try-alone gasnet_barrier_try without gasnet_barrier_notify
two-notifies gasnet_barrier_notify twice without gasnet_barrier_wait
barrier-in-barrier gasnet_barrier_notify twice without gasnet_barrier_wait
two-waits gasnet_barrier_wait without gasnet_barrier_notify
unlock-unheld gasnet_hsl_unlock: .*not held
lock-twice gasnet_hsl_lock: .*already
trylock-held gasnet_hsl_trylock: .*already
destroy-held gasnet_hsl_destroy: .*held
unlock-out-of-order gasnet_hsl_unlock: out of order
init-twice gasnet_hsl_init: .*initialised already
init-static gasnet_hsl_init: GASNET_HSL_INITIALIZER
destroy-twice gasnet_hsl_destroy: .*destroyed already
destroy-static-twice gasnet_hsl_destroy: .*destroyed already
put-with-lock gasnet_put .*handler-safe lock
barrier-with-lock gasnet_barrier_wait .*handler-safe lock
sync-with-lock gasnet_wait_syncnb .*handler-safe lock
poll-with-lock gasnet_AMPoll .*handler-safe lock
request-with-lock AMRequestShort.*handler-safe lock
leave-with-lock handler .*returned while it held a handler-safe lock
hold-twice gasnet_hold_interrupts
poll-in-section gasnet_AMPoll .*between gasnet_hold_interrupts
wait-in-section GASNET_BLOCKUNTIL .*between gasnet_hold_interrupts
put-in-section gasnet_put .*between gasnet_hold_interrupts
request-in-section AMRequestShort .*between gasnet_hold_interrupts
sync-in-section gasnet_wait_syncnbi_all .*between gasnet_hold_interrupts
barrier-in-section gasnet_barrier_try .*between gasnet_hold_interrupts
resume-alone gasnet_resume_interrupts without gasnet_hold_interrupts
hold-with-lock gasnet_resume_interrupts without gasnet_hold_interrupts
alike-late gasnetx_segments_at_same_addresses was called after gasnet_attach
alike-alone gasnetx_segments_at_same_addresses was called on this node, but not on node 1
alike-regions segments cannot be at the same addresses in all processes where there are regions
before-attach gasnet_put .*before gasnet_attach
barrier-before-attach gasnet_barrier_notify .*before gasnet_attach
other-thread gasnet_wait_syncnb: handle .*another thread
destroy-chosen-group gasnetx_group_destroy: a thread has chosen group %p
destroy-busy-group gasnetx_group_destroy: operations of group %p are outstanding
group-elsewhere gasnetx_group_choose: group %p belongs to another thread
unlock-by-other gasnet_hsl_unlock: another thread
END
[ "${PST_LIST-}" != short ] || finish

ways() { echo; }
misuse multi/vis_misuse <<'END'
putv-total gasnet_putv_bulk: dstlist .*[^0-9]48[^0-9].*srclist.*[^0-9]40[^0-9]
getv-total gasnet_getv_nb_bulk: dstlist .*[^0-9]25[^0-9].*srclist.*[^0-9]24[^0-9]
putv-half-empty gasnet_putv_nbi_bulk: dstlist .*[^0-9]0[^0-9].*srclist.*[^0-9]25[^0-9]
putv-outside gasnet_putv_bulk: dstlist.2..* 8 bytes .*outside the segment of node 1.*4096 bytes
putv-before gasnet_putv_nb_bulk: dstlist.1..* 8 bytes .*outside the segment of node 1
getv-outside gasnet_getv_nbi_bulk: srclist.0..* 1 bytes .*outside the segment of node 1
putv-node gasnet_putv_bulk: node 2 does not exist
putv-in-handler gasnet_putv_bulk .*inside a handler
putv-with-lock gasnet_putv_bulk .*handler-safe lock
puti-total gasnet_puti_bulk: dstlist .*[^0-9]48[^0-9].*srclist.*[^0-9]51[^0-9]
geti-total gasnet_geti_nbi_bulk: dstlist .*[^0-9]24[^0-9].*srclist.*[^0-9]48[^0-9]
puti-half-empty gasnet_puti_bulk: dstlist .*[^0-9]0[^0-9].*srclist.*[^0-9]8[^0-9]
puti-outside gasnet_puti_nb_bulk: dstlist.1..* 8 bytes .*outside the segment of node 1
geti-outside gasnet_geti_bulk: srclist.0..* 8 bytes .*outside the segment of node 1
geti-in-handler gasnet_geti_bulk .*inside a handler
puts-first gasnet_puts_bulk: dststrides\[0\] is 7; .*at least 8 .*count\[0\] is 8
puts-monotonic gasnet_puts_bulk: dststrides\[1\] is 8; .*at least 96 .*count\[1\] is 3
puts-overlap gasnet_puts_bulk: dststrides\[2\] is 47; .*at least 48 .*count\[2\] is 2
puts-alone gasnet_puts_bulk: srcstrides\[1\] is 23; .*at least 24 .*count\[1\] is 3
gets-source gasnet_gets_nb_bulk: srcstrides\[1\] is 16; .*at least 24 .*count\[1\] is 3
gets-target gasnet_gets_nbi_bulk: dststrides\[0\] is 3; .*at least 8 .*count\[0\] is 8
puts-last-row gasnet_puts_nb_bulk: dstaddr .* 184 bytes .*outside the segment of node 1
gets-before gasnet_gets_bulk: srcaddr .* 56 bytes .*outside the segment of node 1
puts-huge gasnet_puts_nbi_bulk: dst(addr|strides\[0\]) .*segment of node 1
gets-node gasnet_gets_bulk: node 4294967295 does not exist
gets-in-handler gasnet_gets_bulk .*inside a handler
any-below gasnetx_puts_any_bulk: dstaddr .* 96 bytes .*outside the segment of node 1
any-above gasnetx_gets_any_nbi_bulk: srcaddr .* 96 bytes .*outside the segment of node 1
any-after gasnetx_gets_any_nb_bulk: srcaddr .* 144 bytes .*outside the segment of node 1
any-node gasnetx_puts_any_nbi_bulk: node 2 does not exist
any-in-handler gasnetx_gets_any_bulk .*inside a handler
any-dims gasnetx_gets_any_nbi_bulk: more than 64 dimensions
reshape-volume gasnetx_puts_reshape_nb_bulk: dstcount has 6 elements, srccount 8
reshape-outside gasnetx_gets_reshape_bulk: srcaddr .* 88 bytes .*outside the segment of node 1
reshape-after gasnetx_gets_reshape_nbi_bulk: srcaddr .* 144 bytes .*outside the segment of node 1
pitch-below-width gasnet_puts_bulk: dststrides.0. is 15; .*at least 16 .
plane-below-rows gasnet_gets_nb_bulk: srcstrides.1. is 47; .*at least 48 .
multi-total gasnetx_putv_multi_bulk: dstlist has 16 bytes, srclist 17
multi-node gasnetx_putv_multi_nbi_bulk: dstlist.1.[.]node is 2; .* 2 nodes
multi-outside gasnetx_geti_multi_bulk: srclist.1. .* 8 bytes .*outside the segment of node 1
getv-multi-node gasnetx_getv_multi_nb_bulk: srclist.2.[.]node is 2; .* 2 nodes
putv-multi-outside gasnetx_putv_multi_nbi_bulk: dstlist.1. .* 8 bytes .*outside the segment of node 1
puti-multi-half-empty gasnetx_puti_multi_bulk: dstlist has 0 bytes, srclist 8
geti-multi-node gasnetx_geti_multi_bulk: srcnodes.0. is 7; .* 2 nodes
puti-multi-outside gasnetx_puti_multi_nb_bulk: dstlist.1. .* 4 bytes .*outside the segment of node 1
geti-multi-in-handler gasnetx_geti_multi_bulk .*inside a handler
reblock-block gasnetx_reblock_bulk: dst->block is 0
reblock-nodes gasnetx_reblock_bulk: dst->nodes is 0
reblock-node gasnetx_reblock_bulk: dst->node.1. is 5; .* 2 nodes
reblock-outside gasnetx_reblock_bulk: dst.* 256 bytes .*outside the segment of node 1
reblock-after gasnetx_reblock_bulk: dst->base.1.: .* 4104 bytes .*outside the segment of node 1
reblock-before gasnetx_reblock_bulk: dst->base.1.: .* 16 bytes .*outside the segment of node 1
END

misuse multi/plan_misuse <<'END'
word-unaligned gasnetx_put_notify_bulk: notify: kind 0, word .*aligned uint64_t in the segment of node 1
word-outside gasnetx_put_notify_bulk: notify: kind 1, word .*in the segment of node 1
kind-unknown gasnetx_put_notify_bulk: notify: kind 3,
handler-index gasnetx_put_notify_bulk: notify: 9 is not the index of a client
handler-unregistered (notification .*|notify: )(names handler )?250
notify-null gasnetx_put_notify_nbi_bulk: notify is NULL
put-outside gasnetx_put_notify_nb_bulk: dst .* 8 bytes .*outside the segment of node 1
puts-strides gasnetx_puts_notify_bulk: dststrides\[0\] is 7; .*at least 8
puts-near-strides gasnetx_puts_notify_nb_bulk: srcstrides.0. is 7; .*at least 8 .
putv-total gasnetx_putv_notify_bulk: dstlist has 24 bytes, srclist 25
putv-outside gasnetx_putv_notify_nbi_bulk: dstlist.0. .* 8 bytes .*outside the segment of node 1
wait-unaligned gasnetx_wait_until: word .*not aligned to 8 bytes
wait-comparison gasnetx_wait_until: comparison 6 .
test-comparison gasnetx_test_until: comparison 6 .
wait-in-handler gasnetx_wait_until .*inside a handler
plan-strides gasnetx_plan_puts: dststrides\[1\] is 8; .*at least 96
plan-outside gasnetx_plan_gets: srcaddr .* 56 bytes .*outside the segment of node 1
plan-puts-outside gasnetx_plan_puts: dstaddr .* 40 bytes .*outside the segment of node 1
plan-any-outside gasnetx_plan_puts_any: dstaddr .* 56 bytes .*outside the segment of node 1
plan-node gasnetx_plan_puts: node 2 does not exist
plan-total gasnetx_plan_puti: dstlist .*24 .*srclist 25
plan-getv-total gasnetx_plan_getv: dstlist has 9 bytes, srclist 8
rebase-outside gasnetx_plan_rebase: dstaddr .* 56 bytes .*outside the segment of node 1
rebase-get gasnetx_plan_rebase: .*srcaddr .* 8 bytes .*outside the segment of node 1
rebase-list gasnetx_plan_rebase: member 0 is a list
rebase-number gasnetx_plan_rebase: member 1; the plan has 1, from 0
notify-number gasnetx_plan_notify: member 0; the plan has 0
notify-get gasnetx_plan_notify: member 0 is a get
notify-get-with-word gasnetx_plan_notify: member 0 is a get
notify-outside gasnetx_plan_notify: notify: kind 1, word .*in the segment of node 1
start-destroyed gasnetx_plan_run: plan .*destroyed before
destroy-twice gasnetx_plan_destroy: plan .*destroyed before
start-null gasnetx_plan_start_nbi: the plan is NULL
start-in-handler gasnetx_plan_start_nbi .*inside a handler
END

# Teams, through shared memory and by messages. Either of two nodes may notice the other's error.
ways() { printf '\nGASNET_AM_ONLY=1\n'; }
several() { case $1 in other-*) true ;; *) false ;; esac; }
both='on a team of 2: node [01] has called: .*; node [01], here, has called: '
misuse multi/team_misuse <<END
empty gasnetx_team_barrier: the list of nodes is empty
stride gasnetx_team_barrier: a list of 2 nodes with stride 0
past-end gasnetx_team_barrier: the list of 2 nodes from 0, stride 2, goes past the job.s last node, 1
far-past-end gasnetx_team_barrier: the list of 4294967295 nodes .*goes past
not-on-it gasnetx_team_barrier: node 0, which calls this, is not on the list of 1 nodes
root gasnetx_team_broadcast: rank 2, the root, is not on a list of 2 nodes
in-handler gasnetx_team_barrier .*inside a handler
other-call gasnetx_team_barrier $both
other-root gasnetx_team_(barrier|broadcast) $both
other-length gasnetx_team_reduce $both
other-large-length gasnetx_team_broadcast $both
END

misuse multi/coll_misuse <<END
create-empty gasnetx_team_create: a list of 0 nodes
create-long gasnetx_team_create: a list of 3 nodes in a job of 2
create-twice gasnetx_team_create: node 0 is on the list twice
create-foreign gasnetx_team_create: node 0, which calls this, is not on the list of 1 nodes
create-nobody gasnetx_team_create: node 2 does not exist; the job has 2 nodes
stride-empty gasnetx_team_stride: the team would be empty
stride-zero gasnetx_team_stride: 2 ranks with stride 0
stride-past gasnetx_team_stride: 2 ranks from 1, stride 1, are not all in a team of 2
stride-below gasnetx_team_stride: 2 ranks from 0, stride -1, are not all in a team of 2
stride-far gasnetx_team_stride: 2 ranks from 0, stride 9223372036854775807, are not all in
axis-dimension gasnetx_team_axis: there is no dimension 2 of 2
axis-no-dims gasnetx_team_axis: 0 dimensions
axis-extents gasnetx_team_axis: the extents have 4 places, but the team has 2 members
axis-zero gasnetx_team_axis: the extents do not give an arrangement of 2 members
box-past gasnetx_team_box: dimension 0 has no 2 indices from 1
size-of-none gasnetx_team_size: there is no team
split-none gasnetx_team_split: there is no team
node-of-no-rank gasnetx_team_node: rank 2 does not exist; the team has 2 members
destroy-all gasnetx_team_destroy: GASNET_TEAM_ALL cannot be destroyed
destroy-none gasnetx_team_destroy: there is no team
destroy-busy gasnetx_team_destroy: 1 collectives on the team are not complete
barrier-of-none gasnetx_coll_barrier: there is no team
early gasnetx_coll_barrier .*before gasnet_attach
root gasnetx_coll_broadcast: rank 2, the root, does not exist; the team has 2 members
reduce-root gasnetx_coll_reduce: rank 7, the root, does not exist
kind gasnetx_coll_run: there is no kind 11 of collective
no-reduction gasnetx_coll_allreduce: there is no reduction
bad-type gasnetx_coll_scan: there is no type 20
bad-op gasnetx_coll_scan: there is no operation 15
op-of-type gasnetx_coll_scan: elements of GASNETX_TYPE_DOUBLE have no GASNETX_OP_XOR
split-element gasnetx_coll_allgather: 10 bytes are not a whole number of elements of 4 bytes
no-offsets gasnetx_coll_allgather: lengths are given without offsets, or offsets
barrier-in-handler gasnetx_coll_barrier .*inside a handler
duplicate-in-handler gasnetx_team_duplicate .*inside a handler
other-call gasnetx_coll_(barrier|broadcast) $both
other-call-nb gasnetx_coll_(allgather|alltoall) $both
other-root gasnetx_coll_(barrier|broadcast) $both
other-length gasnetx_coll_allgather $both
other-large-length gasnetx_coll_broadcast $both
other-nothing gasnetx_coll_(broadcast|allreduce) $both
other-share gasnetx_coll_gather on a team of 2: node 1 has sent 16 bytes, where node 0, here, expects 8
other-count gasnetx_coll_allreduce $both
other-op gasnetx_coll_allreduce $both
other-type gasnetx_coll_allreduce $both
other-order gasnetx_(coll_barrier|team_duplicate) $both
END

finish
