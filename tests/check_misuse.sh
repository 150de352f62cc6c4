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
    wait_alone | try_alone | two_notifies | two_waits | barrier_in_barrier) # whatever carries the barrier
      printf '\nGASNET_AM_ONLY=1\n'
      for network in $networks; do echo "GASNET_CONDUIT=$network GASNET_SUPERNODE_MAXSIZE=1"; done ;;
    stale_* | other_thread | destroy_busy_group | sync_with_lock)
      echo GASNET_AM_ONLY=1 ;; # needs operations that take a while
    *_in_handler | put_* | get_* | strided_* | atomic_*) printf '\nGASNET_AM_ONLY=1\n' ;;
    *) echo ;;
  esac
}
several() { case $1 in alike_regions) true ;; *) false ;; esac; }
misuse multi/misuse <<'END'
reply_twice AMReplyShort.*replied already
reply_in_reply AMReplyShort.*reply.s handler may not reply
reply_outside AMReplyShort.*token
request_in_handler AMRequestShort.*inside a handler
put_in_handler gasnet_put .*inside a handler
get_in_handler gasnet_get_bulk .*inside a handler
barrier_in_handler gasnet_barrier_notify .*inside a handler
poll_in_handler gasnet_AMPoll .*inside a handler
strided_in_handler gasnet_puts_bulk .*inside a handler
bad_index AMRequestShort.*handler index 90 .
unregistered from node 0 .*handler 250.*not registered
am_bad_node AMRequestShort.*node 2 does not exist.* 2
medium_too_long AMRequestMedium.* bytes
long_outside AMRequestLong.*outside the segment of node 1
too_many_args AMRequestShort.*17 arguments
put_outside gasnet_put: .*outside the segment of node 1.*4096
put_before gasnet_put_nb_bulk: .*outside the segment of node 1
get_outside gasnet_get_nbi_bulk: .*outside the segment of node 1
memset_outside gasnet_memset: .*outside the segment of node 1
value_outside gasnet_put_val: .*outside the segment of node 1
put_bad_node gasnet_put: node 2 does not exist
get_bad_node gasnet_get_val: node 4294967295 does not exist
value_size gasnet_put_nb_val: 9 bytes
atomic_outside gasnetx_atomic32: addr .*4 bytes is outside the segment of node 1
atomic_unaligned gasnetx_atomic64_nbi: addr .* not aligned to 8 bytes
atomic_bad_node gasnetx_atomic16: node 2 does not exist
atomic_bad_op gasnetx_atomic16: there is no operation 8
atomic_no_answer gasnetx_atomic32_nbi: operation 6 gives an answer
atomic_in_handler gasnetx_atomic64 .*inside a handler
strided_outside gasnet_puts_bulk: .*outside the segment of node 1
strided_get_outside gasnet_gets_bulk: .*outside the segment of node 1
strided_bad_first gasnet_puts_bulk: dststrides\[0\] is 7
strided_bad_second gasnet_puts_nb_bulk: srcstrides\[1\] is 23
strided_bad_get gasnet_gets_nbi_bulk: srcstrides\[1\] is 16
stale_handle gasnet_wait_syncnb: handle .*synchronised before
stale_try gasnet_try_syncnb_all: handle .*synchronised before
valget_twice gasnet_wait_syncnb_valget: handle .
nested_region gasnet_begin_nbi_accessregion inside an access region
end_region gasnet_end_nbi_accessregion without
sync_in_region gasnet_wait_syncnbi_puts inside an access region
try_in_region gasnet_try_syncnbi_all inside an access region
wait_alone gasnet_barrier_wait without gasnet_barrier_notify
try_alone gasnet_barrier_try without gasnet_barrier_notify
two_notifies gasnet_barrier_notify twice without gasnet_barrier_wait
barrier_in_barrier gasnet_barrier_notify twice without gasnet_barrier_wait
two_waits gasnet_barrier_wait without gasnet_barrier_notify
unlock_unheld gasnet_hsl_unlock: .*not held
lock_twice gasnet_hsl_lock: .*already
trylock_held gasnet_hsl_trylock: .*already
destroy_held gasnet_hsl_destroy: .*held
unlock_out_of_order gasnet_hsl_unlock: out of order
init_twice gasnet_hsl_init: .*initialised already
init_static gasnet_hsl_init: GASNET_HSL_INITIALIZER
destroy_twice gasnet_hsl_destroy: .*destroyed already
destroy_static_twice gasnet_hsl_destroy: .*destroyed already
put_with_lock gasnet_put .*handler-safe lock
barrier_with_lock gasnet_barrier_wait .*handler-safe lock
sync_with_lock gasnet_wait_syncnb .*handler-safe lock
poll_with_lock gasnet_AMPoll .*handler-safe lock
request_with_lock AMRequestShort.*handler-safe lock
leave_with_lock handler .*returned while it held a handler-safe lock
hold_twice gasnet_hold_interrupts
poll_in_section gasnet_AMPoll .*between gasnet_hold_interrupts
wait_in_section GASNET_BLOCKUNTIL .*between gasnet_hold_interrupts
put_in_section gasnet_put .*between gasnet_hold_interrupts
request_in_section AMRequestShort .*between gasnet_hold_interrupts
sync_in_section gasnet_wait_syncnbi_all .*between gasnet_hold_interrupts
barrier_in_section gasnet_barrier_try .*between gasnet_hold_interrupts
resume_alone gasnet_resume_interrupts without gasnet_hold_interrupts
hold_with_lock gasnet_resume_interrupts without gasnet_hold_interrupts
alike_late gasnetx_segments_at_same_addresses was called after gasnet_attach
alike_alone gasnetx_segments_at_same_addresses was called on this node, but not on node 1
alike_regions segments cannot be at the same addresses in all processes where there are regions
before_attach gasnet_put .*before gasnet_attach
barrier_before_attach gasnet_barrier_notify .*before gasnet_attach
other_thread gasnet_wait_syncnb: handle .*another thread
destroy_chosen_group gasnetx_group_destroy: a thread has chosen group %p
destroy_busy_group gasnetx_group_destroy: operations of group %p are outstanding
group_elsewhere gasnetx_group_choose: group %p belongs to another thread
unlock_by_other gasnet_hsl_unlock: another thread
END
[ "${PST_LIST-}" != short ] || finish

ways() { echo; }
misuse multi/vis_misuse <<'END'
putv_total gasnet_putv_bulk: dstlist .*[^0-9]48[^0-9].*srclist.*[^0-9]40[^0-9]
getv_total gasnet_getv_nb_bulk: dstlist .*[^0-9]25[^0-9].*srclist.*[^0-9]24[^0-9]
putv_half_empty gasnet_putv_nbi_bulk: dstlist .*[^0-9]0[^0-9].*srclist.*[^0-9]25[^0-9]
putv_outside gasnet_putv_bulk: dstlist.2..* 8 bytes .*outside the segment of node 1.*4096 bytes
putv_before gasnet_putv_nb_bulk: dstlist.1..* 8 bytes .*outside the segment of node 1
getv_outside gasnet_getv_nbi_bulk: srclist.0..* 1 bytes .*outside the segment of node 1
putv_node gasnet_putv_bulk: node 2 does not exist
putv_in_handler gasnet_putv_bulk .*inside a handler
putv_with_lock gasnet_putv_bulk .*handler-safe lock
puti_total gasnet_puti_bulk: dstlist .*[^0-9]48[^0-9].*srclist.*[^0-9]51[^0-9]
geti_total gasnet_geti_nbi_bulk: dstlist .*[^0-9]24[^0-9].*srclist.*[^0-9]48[^0-9]
puti_half_empty gasnet_puti_bulk: dstlist .*[^0-9]0[^0-9].*srclist.*[^0-9]8[^0-9]
puti_outside gasnet_puti_nb_bulk: dstlist.1..* 8 bytes .*outside the segment of node 1
geti_outside gasnet_geti_bulk: srclist.0..* 8 bytes .*outside the segment of node 1
geti_in_handler gasnet_geti_bulk .*inside a handler
puts_first gasnet_puts_bulk: dststrides\[0\] is 7; .*at least 8 .*count\[0\] is 8
puts_monotonic gasnet_puts_bulk: dststrides\[1\] is 8; .*at least 96 .*count\[1\] is 3
puts_overlap gasnet_puts_bulk: dststrides\[2\] is 47; .*at least 48 .*count\[2\] is 2
puts_alone gasnet_puts_bulk: srcstrides\[1\] is 23; .*at least 24 .*count\[1\] is 3
gets_source gasnet_gets_nb_bulk: srcstrides\[1\] is 16; .*at least 24 .*count\[1\] is 3
gets_target gasnet_gets_nbi_bulk: dststrides\[0\] is 3; .*at least 8 .*count\[0\] is 8
puts_last_row gasnet_puts_nb_bulk: dstaddr .* 184 bytes .*outside the segment of node 1
gets_before gasnet_gets_bulk: srcaddr .* 56 bytes .*outside the segment of node 1
puts_huge gasnet_puts_nbi_bulk: dst(addr|strides\[0\]) .*segment of node 1
gets_node gasnet_gets_bulk: node 4294967295 does not exist
gets_in_handler gasnet_gets_bulk .*inside a handler
any_below gasnetx_puts_any_bulk: dstaddr .* 96 bytes .*outside the segment of node 1
any_above gasnetx_gets_any_nbi_bulk: srcaddr .* 96 bytes .*outside the segment of node 1
any_after gasnetx_gets_any_nb_bulk: srcaddr .* 144 bytes .*outside the segment of node 1
any_node gasnetx_puts_any_nbi_bulk: node 2 does not exist
any_in_handler gasnetx_gets_any_bulk .*inside a handler
any_dims gasnetx_gets_any_nbi_bulk: more than 64 dimensions
reshape_volume gasnetx_puts_reshape_nb_bulk: dstcount has 6 elements, srccount 8
reshape_outside gasnetx_gets_reshape_bulk: srcaddr .* 88 bytes .*outside the segment of node 1
reshape_after gasnetx_gets_reshape_nbi_bulk: srcaddr .* 144 bytes .*outside the segment of node 1
pitch_below_width gasnet_puts_bulk: dststrides.0. is 15; .*at least 16 .
plane_below_rows gasnet_gets_nb_bulk: srcstrides.1. is 47; .*at least 48 .
multi_total gasnetx_putv_multi_bulk: dstlist has 16 bytes, srclist 17
multi_node gasnetx_putv_multi_nbi_bulk: dstlist.1.[.]node is 2; .* 2 nodes
multi_outside gasnetx_geti_multi_bulk: srclist.1. .* 8 bytes .*outside the segment of node 1
getv_multi_node gasnetx_getv_multi_nb_bulk: srclist.2.[.]node is 2; .* 2 nodes
putv_multi_outside gasnetx_putv_multi_nbi_bulk: dstlist.1. .* 8 bytes .*outside the segment of node 1
puti_multi_half_empty gasnetx_puti_multi_bulk: dstlist has 0 bytes, srclist 8
geti_multi_node gasnetx_geti_multi_bulk: srcnodes.0. is 7; .* 2 nodes
puti_multi_outside gasnetx_puti_multi_nb_bulk: dstlist.1. .* 4 bytes .*outside the segment of node 1
geti_multi_in_handler gasnetx_geti_multi_bulk .*inside a handler
reblock_block gasnetx_reblock_bulk: dst->block is 0
reblock_nodes gasnetx_reblock_bulk: dst->nodes is 0
reblock_node gasnetx_reblock_bulk: dst->node.1. is 5; .* 2 nodes
reblock_outside gasnetx_reblock_bulk: dst.* 256 bytes .*outside the segment of node 1
reblock_after gasnetx_reblock_bulk: dst->base.1.: .* 4104 bytes .*outside the segment of node 1
reblock_before gasnetx_reblock_bulk: dst->base.1.: .* 16 bytes .*outside the segment of node 1
END

misuse multi/plan_misuse <<'END'
word_unaligned gasnetx_put_notify_bulk: notify: kind 0, word .*aligned uint64_t in the segment of node 1
word_outside gasnetx_put_notify_bulk: notify: kind 1, word .*in the segment of node 1
kind_unknown gasnetx_put_notify_bulk: notify: kind 3,
handler_index gasnetx_put_notify_bulk: notify: 9 is not the index of a client
handler_unregistered (notification .*|notify: )(names handler )?250
notify_null gasnetx_put_notify_nbi_bulk: notify is NULL
put_outside gasnetx_put_notify_nb_bulk: dst .* 8 bytes .*outside the segment of node 1
puts_strides gasnetx_puts_notify_bulk: dststrides\[0\] is 7; .*at least 8
puts_near_strides gasnetx_puts_notify_nb_bulk: srcstrides.0. is 7; .*at least 8 .
putv_total gasnetx_putv_notify_bulk: dstlist has 24 bytes, srclist 25
putv_outside gasnetx_putv_notify_nbi_bulk: dstlist.0. .* 8 bytes .*outside the segment of node 1
wait_unaligned gasnetx_wait_until: word .*not aligned to 8 bytes
wait_comparison gasnetx_wait_until: comparison 6 .
test_comparison gasnetx_test_until: comparison 6 .
wait_in_handler gasnetx_wait_until .*inside a handler
plan_strides gasnetx_plan_puts: dststrides\[1\] is 8; .*at least 96
plan_outside gasnetx_plan_gets: srcaddr .* 56 bytes .*outside the segment of node 1
plan_puts_outside gasnetx_plan_puts: dstaddr .* 40 bytes .*outside the segment of node 1
plan_any_outside gasnetx_plan_puts_any: dstaddr .* 56 bytes .*outside the segment of node 1
plan_node gasnetx_plan_puts: node 2 does not exist
plan_total gasnetx_plan_puti: dstlist .*24 .*srclist 25
plan_getv_total gasnetx_plan_getv: dstlist has 9 bytes, srclist 8
rebase_outside gasnetx_plan_rebase: dstaddr .* 56 bytes .*outside the segment of node 1
rebase_get gasnetx_plan_rebase: .*srcaddr .* 8 bytes .*outside the segment of node 1
rebase_list gasnetx_plan_rebase: member 0 is a list
rebase_number gasnetx_plan_rebase: member 1; the plan has 1, from 0
notify_number gasnetx_plan_notify: member 0; the plan has 0
notify_get gasnetx_plan_notify: member 0 is a get
notify_get_with_word gasnetx_plan_notify: member 0 is a get
notify_outside gasnetx_plan_notify: notify: kind 1, word .*in the segment of node 1
start_destroyed gasnetx_plan_run: plan .*destroyed before
destroy_twice gasnetx_plan_destroy: plan .*destroyed before
start_null gasnetx_plan_start_nbi: the plan is NULL
start_in_handler gasnetx_plan_start_nbi .*inside a handler
END

# Teams, through shared memory, by messages, and where both nodes share a core. Either of two nodes may notice
# the other's error.
core=0
until taskset -c $core true 2>/dev/null || [ $core -eq 1024 ]; do core=$((core + 1)); done
[ $core -lt 1024 ] || { echo "FAIL: taskset finds no core"; exit 1; }
ways() {
  printf '\nGASNET_AM_ONLY=1\n'
  case $1 in other*) echo "taskset -c $core" ;; esac
}
several() { case $1 in other*) true ;; *) false ;; esac; }
both='on a team of 2: node [01] has called: .*; node [01], here, has called: '
misuse multi/team_misuse <<END
empty gasnetx_team_barrier: the list of nodes is empty
stride gasnetx_team_barrier: a list of 2 nodes with stride 0
past-end gasnetx_team_barrier: the list of 2 nodes from 0, stride 2, goes past the job.s last node, 1
far-past-end gasnetx_team_barrier: the list of 4294967295 nodes .*goes past
not-on-it gasnetx_team_barrier: node 0, which calls this, is not on the list of 1 nodes
root gasnetx_team_broadcast: rank 2, the root, is not on a list of 2 nodes
in-handler gasnetx_team_barrier .*inside a handler
other-call $both
other-root gasnetx_team_(barrier|broadcast) $both
other-root-waits gasnetx_team_broadcast $both
other-length gasnetx_team_reduce $both
other-operation gasnetx_team_allreduce $both
no-reduction gasnetx_team_allreduce: there is no reduction
no-type gasnetx_team_allreduce: there is no type 0
other-large-length gasnetx_team_broadcast $both
END

misuse multi/coll_misuse <<END
create_empty gasnetx_team_create: a list of 0 nodes
create_long gasnetx_team_create: a list of 3 nodes in a job of 2
create_twice gasnetx_team_create: node 0 is on the list twice
create_foreign gasnetx_team_create: node 0, which calls this, is not on the list of 1 nodes
create_nobody gasnetx_team_create: node 2 does not exist; the job has 2 nodes
stride_empty gasnetx_team_stride: the team would be empty
stride_zero gasnetx_team_stride: 2 ranks with stride 0
stride_past gasnetx_team_stride: 2 ranks from 1, stride 1, are not all in a team of 2
stride_below gasnetx_team_stride: 2 ranks from 0, stride -1, are not all in a team of 2
stride_far gasnetx_team_stride: 2 ranks from 0, stride 9223372036854775807, are not all in
axis_dimension gasnetx_team_axis: there is no dimension 2 of 2
axis_no_dims gasnetx_team_axis: 0 dimensions
axis_extents gasnetx_team_axis: the extents have 4 places, but the team has 2 members
axis_zero gasnetx_team_axis: the extents do not give an arrangement of 2 members
box_past gasnetx_team_box: dimension 0 has no 2 indices from 1
size_of_none gasnetx_team_size: there is no team
split_none gasnetx_team_split: there is no team
node_of_no_rank gasnetx_team_node: rank 2 does not exist; the team has 2 members
destroy_all gasnetx_team_destroy: GASNET_TEAM_ALL cannot be destroyed
destroy_none gasnetx_team_destroy: there is no team
destroy_busy gasnetx_team_destroy: 1 collectives on the team are not complete
barrier_of_none gasnetx_coll_barrier: there is no team
early gasnetx_coll_barrier .*before gasnet_attach
root gasnetx_coll_broadcast: rank 2, the root, does not exist; the team has 2 members
reduce_root gasnetx_coll_reduce: rank 7, the root, does not exist
kind gasnetx_coll_run: there is no kind 13 of collective
no_reduction gasnetx_coll_allreduce: there is no reduction
bad_type gasnetx_coll_scan: there is no type 20
bad_op gasnetx_coll_scan: there is no operation 15
op_of_type gasnetx_coll_scan: elements of GASNETX_TYPE_DOUBLE have no GASNETX_OP_XOR
split_element gasnetx_coll_allgather: 10 bytes are not a whole number of elements of 4 bytes
no_offsets gasnetx_coll_allgather: lengths are given without offsets, or offsets
gather_with_lengths gasnetx_coll_gather: with lengths its kind is GASNETX_GATHERV
barrier_in_handler gasnetx_coll_barrier .*inside a handler
duplicate_in_handler gasnetx_team_duplicate .*inside a handler
other_call $both
other_call_nb gasnetx_coll_(allgather|alltoall) $both
other_root gasnetx_coll_(barrier|broadcast) $both
other_length gasnetx_coll_allgather $both
other_small_length gasnetx_coll_broadcast $both
other_series on a team of 2: .*node [01] has called: .* node [01], here, has called: 
other_large_length gasnetx_coll_broadcast $both
other_nothing $both
other_gather gasnetx_coll_gather $both
other_gather_nb gasnetx_coll_gather $both
other_gather_of_made gasnetx_coll_gather $both
other_silence on a team of 2: node 0 has called: .* 8 bytes, root 1, call 2; .* 0 bytes, root 1, call 2$
other_ended on a team of 2: (.*barrier.* broadcast of 8 .*|.*broadcast of 8 .* barrier.*), call 1$
other_share gasnetx_coll_gather $both
unexpected_share gasnetx_coll_gatherv on a team of 2: node 1 has sent 16 bytes, where node 0, here, expects 8
other_count gasnetx_coll_allreduce $both
other_op gasnetx_coll_allreduce $both
other_type gasnetx_coll_allreduce $both
other_order gasnetx_(coll_barrier|team_duplicate) $both
END

finish
