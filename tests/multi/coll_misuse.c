/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Teams and their collectives whose rules are broken. Most are found by every build; tests/check_misuse.sh
 * knows the messages. */
#include "misuse.h"

#include <gasnet_tools.h>

static const gasnetx_reduction_t sum = {.type = GASNETX_TYPE_INT32, .op = GASNETX_OP_SUM};
static const gasnetx_reduction_t product = {.type = GASNETX_TYPE_INT32, .op = GASNETX_OP_PRODUCT};
static const gasnetx_reduction_t wide_sum = {.type = GASNETX_TYPE_INT64, .op = GASNETX_OP_SUM};
static char from[4 * SEGMENT] __attribute__((aligned(8)));

/* ---- by node 0 alone: making teams ---- */

static void create(gasnet_node_t first, gasnet_node_t second, size_t count)
{
  const gasnet_node_t list[] = {first, second};
  gasnetx_team_create(list, count);
}
static void create_empty(void) { create(0, 1, 0); }
static void create_long(void) { create(0, 1, 3); }
static void create_twice(void) { create(0, 0, 2); }
static void create_foreign(void) { create(1, 0, 1); }
static void create_nobody(void) { create(0, 2, 2); }

static void stride_empty(void) { gasnetx_team_stride(GASNET_TEAM_ALL, 0, 1, 0); }
static void stride_zero(void) { gasnetx_team_stride(GASNET_TEAM_ALL, 0, 0, 2); }
static void stride_past(void) { gasnetx_team_stride(GASNET_TEAM_ALL, 1, 1, 2); }
static void stride_below(void) { gasnetx_team_stride(GASNET_TEAM_ALL, 0, -1, 2); }
static void stride_far(void) { gasnetx_team_stride(GASNET_TEAM_ALL, 0, PTRDIFF_MAX, 2); }

static void axis(size_t extent0, size_t extent1, size_t dims, size_t along)
{
  const size_t extent[] = {extent0, extent1};
  gasnetx_team_axis(GASNET_TEAM_ALL, extent, dims, along);
}
static void axis_dimension(void) { axis(1, 2, 2, 2); }
static void axis_no_dims(void) { axis(1, 2, 0, 0); }
static void axis_extents(void) { axis(2, 2, 2, 0); }
static void axis_zero(void) { axis(0, 2, 2, 0); }
static void box_past(void)
{
  const size_t extent[] = {2, 0}, low[] = {1, 0}, count[] = {2, 1};
  gasnetx_team_box(GASNET_TEAM_ALL, extent, 2, low, count);
}

/* ---- asking and destroying ---- */

static void size_of_none(void) { gasnetx_team_size(GASNETX_NO_TEAM); }
static void split_none(void) { gasnetx_team_split(GASNETX_NO_TEAM, 0, 0); }
static void node_of_no_rank(void) { gasnetx_team_node(GASNET_TEAM_ALL, 2); }
static void destroy_all(void) { gasnetx_team_destroy(GASNET_TEAM_ALL); }
static void destroy_none(void) { gasnetx_team_destroy(GASNETX_NO_TEAM); }
static void destroy_busy(void)
{
  gasnetx_team_t t = gasnetx_team_duplicate(GASNET_TEAM_ALL);
  if (test.me) return;
  gasnetx_coll_barrier_nb(t);
  gasnetx_team_destroy(t);
}

/* ---- arguments ---- */

static void barrier_of_none(void) { gasnetx_coll_barrier(GASNETX_NO_TEAM); }
static void early(void) { gasnetx_coll_barrier(GASNET_TEAM_ALL); }
static void root(void) { gasnetx_coll_broadcast(GASNET_TEAM_ALL, data, 2, from, 8); }
static void reduce_root(void) { gasnetx_coll_reduce(GASNET_TEAM_ALL, 7, data, from, 1, &sum); }
static void kind(void)
{
  const gasnetx_collective_t c = {.kind = GASNETX_GATHERV + 1};
  gasnetx_coll_run(GASNET_TEAM_ALL, &c);
}
static void no_reduction(void) { gasnetx_coll_allreduce(GASNET_TEAM_ALL, data, from, 1, NULL); }
static void reduction(uint32_t type, uint32_t op)
{
  const gasnetx_reduction_t r = {.type = type, .op = op};
  gasnetx_coll_scan(GASNET_TEAM_ALL, data, from, 1, &r);
}
static void bad_type(void) { reduction(GASNETX_TYPE_LONG_DOUBLE_AT + 1, GASNETX_OP_SUM); }
static void bad_op(void) { reduction(GASNETX_TYPE_INT32, GASNETX_OP_LAST_MAX + 1); }
static void op_of_type(void) { reduction(GASNETX_TYPE_DOUBLE, GASNETX_OP_XOR); }
static void split_element(void)
{
  const gasnetx_collective_t c = {.kind = GASNETX_ALLGATHER,
      .dst = data,
      .src = from,
      .nbytes = 10,
      .elem_size = 4,
      .dst_stride = 8,
      .src_stride = 8};
  gasnetx_coll_run(GASNET_TEAM_ALL, &c);
}
static void no_offsets(void)
{
  const size_t length[] = {8, 8};
  gasnetx_coll_allgatherv(GASNET_TEAM_ALL, data, length, NULL, from);
}
static void gather_with_lengths(void)
{
  const size_t length[] = {8, 8}, offset[] = {0, 8};
  const gasnetx_collective_t c = {.kind = GASNETX_GATHER,
      .dst = data,
      .src = from,
      .nbytes = 8,
      .dst_lengths = length,
      .dst_offsets = offset};
  gasnetx_coll_run(GASNET_TEAM_ALL, &c);
}

static void barrier_on_all(void) { gasnetx_coll_barrier(GASNET_TEAM_ALL); }
static void duplicate_all(void) { gasnetx_team_duplicate(GASNET_TEAM_ALL); }
static void barrier_in_handler(void) { run_in_handler(barrier_on_all); }
static void duplicate_in_handler(void) { run_in_handler(duplicate_all); }

/* ---- by both: each calls another collective ---- */

static void other_call(void)
{
  if (test.me == 0) gasnetx_coll_barrier(GASNET_TEAM_ALL);
  else gasnetx_coll_broadcast(GASNET_TEAM_ALL, data, 1, from, 8);
}
static void other_call_nb(void)
{
  gasnet_handle_t h[2] = {gasnetx_coll_barrier_nb(GASNET_TEAM_ALL), GASNET_INVALID_HANDLE};
  if (test.me == 0) h[1] = gasnetx_coll_allgather_nb(GASNET_TEAM_ALL, data, from, 8);
  else h[1] = gasnetx_coll_alltoall_nb(GASNET_TEAM_ALL, data, from, 8);
  gasnet_wait_syncnb_all(h, 2);
}
static void other_root(void)
{
  gasnetx_coll_broadcast(GASNET_TEAM_ALL, data, test.me, from, 8);
  gasnetx_coll_barrier(GASNET_TEAM_ALL);
}
static void other_length(void) { gasnetx_coll_allgather(GASNET_TEAM_ALL, data, from, 8 + 8 * test.me); }
static void other_small_length(void)
{
  gasnetx_coll_broadcast(GASNET_TEAM_ALL, data, 1, from, 8 + 8 * test.me);
  gasnetx_coll_barrier(GASNET_TEAM_ALL);
}
/* The root gets ahead, until it waits for the other one, or ends. */
static void other_series(void)
{
  if (test.me) gasnetx_coll_barrier(GASNET_TEAM_ALL);
  else
    for (int i = 0; i < 1000; i++) gasnetx_coll_broadcast(GASNET_TEAM_ALL, data, 0, from, 8);
}
static void other_large_length(void)
{
  gasnetx_coll_broadcast(GASNET_TEAM_ALL, data, 1, from, 12000 + 8 * test.me);
}
/* The root has nothing to send, so the next call's message shows it. */
static void other_nothing(void)
{
  gasnetx_coll_broadcast(GASNET_TEAM_ALL, data, 0, from, 8 * test.me);
  gasnetx_coll_allreduce(GASNET_TEAM_ALL, data, from, 1, &sum);
}
/* No message is sent: each waits for the other. */
static void other_gather(void) { gasnetx_coll_gather(GASNET_TEAM_ALL, test.me, data, from, 8); }
static void other_gather_nb(void)
{
  gasnet_wait_syncnb(gasnetx_coll_gather_nb(GASNET_TEAM_ALL, test.me, data, from, 8));
}
static void other_gather_of_made(void)
{
  const gasnetx_team_t t = gasnetx_team_split(GASNET_TEAM_ALL, 0, 1 - test.me);
  gasnetx_coll_gather(t, gasnetx_team_rank(t), data, from, 8);
}
/* The root has nothing to send, and calls nothing else. */
static void other_silence(void)
{
  gasnetx_coll_barrier(GASNET_TEAM_ALL);
  gasnetx_coll_broadcast(GASNET_TEAM_ALL, data, 1, from, 8 - 8 * test.me);
}
/* The others wait on the team's board, or for a message, of a member that calls nothing else. */
static void other_ended(void)
{
  if (test.me) gasnetx_coll_broadcast(GASNET_TEAM_ALL, data, 1, from, 8);
  else gasnetx_coll_barrier(GASNET_TEAM_ALL);
}
static void other_share(void) { gasnetx_coll_gather(GASNET_TEAM_ALL, 0, data, from, 8 + 8 * test.me); }
static void unexpected_share(void)
{
  const size_t length[] = {8, 8}, offset[] = {0, 8};
  gasnetx_coll_gatherv(GASNET_TEAM_ALL, 0, data, length, offset, from, 8 + 8 * test.me);
}
static void other_count(void) { gasnetx_coll_allreduce(GASNET_TEAM_ALL, data, from, 1 + test.me, &sum); }
static void other_op(void)
{
  gasnetx_coll_allreduce(GASNET_TEAM_ALL, data, from, 2, test.me ? &sum : &product);
}
static void other_type(void)
{
  gasnetx_coll_allreduce(GASNET_TEAM_ALL, data, from, 2 - test.me, test.me ? &wide_sum : &sum);
}
static void other_order(void)
{
  if (test.me == 0) gasnetx_coll_barrier(GASNET_TEAM_ALL);
  gasnetx_team_duplicate(GASNET_TEAM_ALL);
  if (test.me == 1) gasnetx_coll_barrier(GASNET_TEAM_ALL);
}

static const struct misuse cases[] = {
    CASE(create_empty, ALWAYS),
    CASE(create_long, ALWAYS),
    CASE(create_twice, ALWAYS),
    CASE(create_foreign, ALWAYS),
    CASE(create_nobody, ALWAYS),
    CASE(stride_empty, ALWAYS),
    CASE(stride_zero, ALWAYS),
    CASE(stride_past, ALWAYS),
    CASE(stride_below, ALWAYS),
    CASE(stride_far, ALWAYS),
    CASE(axis_dimension, ALWAYS),
    CASE(axis_no_dims, ALWAYS),
    CASE(axis_extents, ALWAYS),
    CASE(axis_zero, ALWAYS),
    CASE(box_past, ALWAYS),
    CASE(size_of_none, ALWAYS),
    CASE(split_none, ALWAYS),
    CASE(node_of_no_rank, ALWAYS),
    CASE(destroy_all, ALWAYS),
    CASE(destroy_none, ALWAYS),
    CASE(destroy_busy, BOTH),
    CASE(barrier_of_none, ALWAYS),
    CASE(early, EARLY),
    CASE(root, ALWAYS),
    CASE(reduce_root, ALWAYS),
    CASE(kind, ALWAYS),
    CASE(no_reduction, ALWAYS),
    CASE(bad_type, ALWAYS),
    CASE(bad_op, ALWAYS),
    CASE(op_of_type, ALWAYS),
    CASE(split_element, ALWAYS),
    CASE(no_offsets, ALWAYS),
    CASE(gather_with_lengths, ALWAYS),
    CASE(barrier_in_handler, DEBUG),
    CASE(duplicate_in_handler, DEBUG),
    CASE(other_call, BOTH),
    CASE(other_call_nb, BOTH),
    CASE(other_root, BOTH),
    CASE(other_length, BOTH),
    CASE(other_small_length, BOTH),
    CASE(other_series, BOTH),
    CASE(other_large_length, BOTH),
    CASE(other_nothing, BOTH),
    CASE(other_gather, BOTH),
    CASE(other_gather_nb, BOTH),
    CASE(other_gather_of_made, BOTH),
    CASE(other_silence, BOTH),
    CASE(other_ended, BOTH),
    CASE(other_share, BOTH),
    CASE(unexpected_share, BOTH),
    CASE(other_count, BOTH),
    CASE(other_op, BOTH),
    CASE(other_type, BOTH),
    CASE(other_order, BOTH),
};

/* ---- legal edge cases ---- */

static void legal_lengths(void)
{
  const gasnetx_team_t all = GASNET_TEAM_ALL;
  const size_t nothing[] = {0, 0};
  gasnetx_coll_broadcast(all, NULL, 0, NULL, 0);
  gasnetx_coll_scatter(all, NULL, 0, NULL, 0);
  gasnetx_coll_gather(all, 0, NULL, NULL, 0);
  gasnetx_coll_allgather(all, NULL, NULL, 0);
  gasnetx_coll_collect(all, NULL, NULL, 0);
  gasnetx_coll_alltoall(all, NULL, NULL, 0);
  gasnetx_coll_allgatherv(all, NULL, nothing, nothing, NULL);
  gasnetx_coll_alltoallv(all, NULL, nothing, nothing, NULL, nothing, nothing);
  if (test.me) gasnetx_coll_alltoall(all, NULL, NULL, 0);
  else gasnetx_coll_alltoallv(all, NULL, nothing, nothing, NULL, nothing, nothing);
  gasnetx_coll_reduce(all, 0, NULL, NULL, 0, &sum);
  gasnetx_coll_allreduce(all, NULL, NULL, 0, &sum);
  gasnetx_coll_scan(all, NULL, NULL, 0, &sum);
  gasnetx_coll_exscan(all, NULL, NULL, 0, &sum);
}

/* What a member does not need may be anything. */
static void legal_pointers(void)
{
  void *const nowhere = (void *)16;
  const int at_root = test.me == 0;
  int32_t x = 1 + (int32_t)test.me, all[2] = {0, 0};
  gasnetx_coll_broadcast(GASNET_TEAM_ALL, at_root ? NULL : (void *)&x, 0, at_root ? &x : nowhere, sizeof x);
  CHECK(x == 1, "a broadcast gives %d", x);
  gasnetx_coll_gather(GASNET_TEAM_ALL, 0, at_root ? (void *)all : nowhere, &x, sizeof x);
  CHECK(!at_root || (all[0] == 1 && all[test.nodes - 1] == 1), "a gather gives %d, %d", all[0], all[1]);
  gasnetx_coll_reduce(GASNET_TEAM_ALL, 0, at_root ? (void *)all : nowhere, &x, 1, &sum);
  CHECK(!at_root || all[0] == (int32_t)test.nodes, "a reduction gives %d", all[0]);
  gasnetx_coll_scatter(GASNET_TEAM_ALL, &x, 0, at_root ? (void *)all : nowhere, sizeof x);
  CHECK(!at_root || x == (int32_t)test.nodes, "a scatter gives %d", x);
  gasnetx_coll_exscan(GASNET_TEAM_ALL, at_root ? nowhere : (void *)all, &x, 1, &sum);
}

static void legal_teams(void)
{
  const size_t extent[] = {1, 1, 0}, low[] = {0, 0, 0}, count[] = {1, 1, 1};
  CHECK(gasnetx_team_split(GASNET_TEAM_ALL, GASNETX_NO_COLOUR, 7) == GASNETX_NO_TEAM, "a team of nobody");
  gasnetx_team_t alone = gasnetx_team_create(&test.me, 1);
  gasnetx_team_t first = gasnetx_team_box(GASNET_TEAM_ALL, extent, 3, low, count);
  CHECK(gasnetx_team_size(alone) == 1 && gasnetx_team_node(alone, 0) == test.me, "a team of one");
  CHECK((first != GASNETX_NO_TEAM) == (test.me == 0), "the first node's team");
  gasnetx_coll_barrier(alone);
  gasnet_wait_syncnb(gasnetx_coll_barrier_nb(alone));
  if (first) gasnetx_team_destroy(first);
  gasnetx_team_destroy(alone);
}

/* A member that comes late, by several of the seconds after which the others ask, breaks no rule. */
static void legal_late(void)
{
  enum { SECONDS = 2 };
  int32_t x = 1, all = 0;
  gasnett_tick_t begin = gasnett_ticks_now();
  gasnetx_coll_barrier(GASNET_TEAM_ALL);
  while (test.me == 1 && gasnett_ticks_to_us(gasnett_ticks_now() - begin) < SECONDS * 1000000)
    gasnet_AMPoll();
  gasnetx_coll_allreduce(GASNET_TEAM_ALL, &all, &x, 1, &sum);
  CHECK(all == (int32_t)test.nodes, "a reduction with a late member gives %d", all);
}

static gasnet_node_t missed_by;
static void on_missed(gasnet_node_t node) { missed_by = node; }

/* Node 1 begins no more calls but on one team, and hears of who waits for it elsewhere; then it does, after
 * all. What it has called before, others may end later. */
static void legal_leaving(void)
{
  int32_t x = 1, all = 0;
  if (test.nodes != 2) return;
  const gasnetx_team_t only = gasnetx_team_duplicate(GASNET_TEAM_ALL);
  gasnetx_coll_broadcast(GASNET_TEAM_ALL, &all, 1, &x, sizeof x);
  missed_by = test.nodes;
  if (test.me == 1) {
    gasnetx_coll_leave(only, on_missed);
    GASNET_BLOCKUNTIL(missed_by != test.nodes);
    CHECK(missed_by == 0, "node %u is said to wait", (unsigned)missed_by);
    gasnetx_coll_leave(GASNETX_NO_TEAM, NULL);
  }
  gasnetx_coll_allreduce(GASNET_TEAM_ALL, &all, &x, 1, &sum);
  gasnetx_coll_allreduce(only, &all, &all, 1, &sum);
  CHECK(all == 4, "a sum of sums gives %d", all);
  gasnetx_team_destroy(only);
}

static void legal(void)
{
  legal_late();
  legal_leaving();
  legal_lengths();
  legal_pointers();
  legal_teams();
}

int main(int argc, char **argv)
{
  gasnet_handlerentry_t table[] = {{H_RUN, (void (*)())on_run}};
  misuse_main("coll_misuse", &argc, &argv, MISUSE_CASE(&argc, argv, cases), legal, table, 1);
}
