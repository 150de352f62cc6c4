/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
// A client in C++17: all headers together, handlers with C++ linkage, calls in templates and lambdas.
#include "common.h"
#include <gasnet_coll.h>
#include <gasnet_vis.h>
#include <gasnetx.h>
#include <gasnet_tools.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace {

enum : gasnet_handler_t { ask = 128, tell, put_here };
volatile unsigned told;
gasnet_handlerarg_t told_sum;

void on_ask(gasnet_token_t t, void *buf, size_t n, gasnet_handlerarg_t factor)
{
  const int *v = static_cast<const int *>(buf);
  REQUIRE_OK(gasnet_AMReplyShort1(t, tell, factor * std::accumulate(v, v + n / sizeof *v, 0)));
}

void on_tell(gasnet_token_t, gasnet_handlerarg_t sum)
{
  told_sum = sum;
  told = told + 1;
}

void on_put(gasnet_token_t t, void *, size_t n)
{
  REQUIRE_OK(gasnet_AMReplyShort1(t, tell, static_cast<gasnet_handlerarg_t>(n)));
}

template <typename T> void round_trip(gasnet_node_t to, T value)
{
  T *far = reinterpret_cast<T *>(seg_at(to, 64 * test.me));
  T back{};
  gasnet_put(to, far, &value, sizeof value);
  gasnet_get(&back, to, far, sizeof back);
  CHECK(back == value, "a value of %zu bytes came back changed", sizeof value);
}

void messages(gasnet_node_t to)
{
  std::vector<int> v(100);
  std::iota(v.begin(), v.end(), 1);
  unsigned before = told;
  REQUIRE_OK(gasnet_AMRequestMedium1(to, ask, v.data(), v.size() * sizeof v[0], 3));
  GASNET_BLOCKUNTIL(told != before);
  CHECK(told_sum == 15150, "the sum is %d", static_cast<int>(told_sum));
  before = told;
  REQUIRE_OK(gasnet_AMRequestLong0(to, put_here, v.data(), 40, seg_at(to, 8192 + 64 * test.me)));
  GASNET_BLOCKUNTIL(told != before);
  CHECK(told_sum == 40, "a long of 40 bytes had %d", static_cast<int>(told_sum));
}

void strided(gasnet_node_t to)
{
  std::vector<unsigned char> block(64 * 4, 1), back(64 * 4 + 2 * TEST_GUARD, TEST_UNTOUCHED);
  std::iota(block.begin(), block.end(), static_cast<unsigned char>(test.me));
  size_t near[1] = {64}, far[1] = {96}, count[2] = {64, 4};
  char *there = seg_at(to, 16384 + 512 * test.me);
  gasnet_wait_syncnb(gasnet_puts_nb_bulk(to, there, far, block.data(), near, count, 1));
  gasnet_gets_bulk(back.data() + TEST_GUARD, near, to, there, far, count, 1);
  CHECK(
      std::equal(block.begin(), block.end(), back.begin() + TEST_GUARD), "a strided block came back changed");
  CHECK_GUARDS(back.data() + TEST_GUARD, block.size(), "strided get");
}

// A function of a reduction: keeps the larger operand, and counts in its context how many it has seen.
void keep_larger(void *inout, const void *in, size_t count, void *context)
{
  auto *x = static_cast<double *>(inout);
  auto *y = static_cast<const double *>(in);
  std::transform(x, x + count, y, x, [](double a, double b) { return std::max(a, b); });
  *static_cast<size_t *>(context) += count;
}

void teams()
{
  const gasnetx_team_t all = GASNET_TEAM_ALL;
  gasnetx_team_t half = gasnetx_team_split(all, test.me % 2, test.nodes - test.me);
  const gasnet_node_t size = gasnetx_team_size(half), rank = gasnetx_team_rank(half);
  CHECK(gasnetx_team_node(half, rank) == test.me && gasnetx_team_rank_of(half, test.me) == rank, "own rank");
  CHECK(gasnetx_team_node(half, size - 1) == test.me % 2, "the last of a team is node %u",
      gasnetx_team_node(half, size - 1));

  std::vector<gasnet_node_t> nodes(size);
  gasnetx_coll_allgather(half, nodes.data(), &test.me, sizeof test.me);
  for (gasnet_node_t r = 0; r < size; r++)
    CHECK(nodes[r] == gasnetx_team_node(half, r), "rank %u is node %u", r, nodes[r]);

  size_t seen = 0;
  gasnetx_reduction_t larger{};
  larger.size = sizeof(double);
  larger.combine = keep_larger;
  larger.context = &seen;
  gasnetx_reduction_t sum{};
  sum.type = GASNETX_TYPE_INT64;
  sum.op = GASNETX_OP_SUM;
  double mine[2] = {1.0 * test.me, -1.0 * test.me}, most[2] = {-1, -1};
  std::int64_t before = -1, one = 1;
  gasnet_handle_t h[] = {gasnetx_coll_allreduce_nb(half, most, mine, 2, &larger),
      gasnetx_coll_exscan_nb(all, &before, &one, 1, &sum), gasnetx_coll_barrier_nb(half)};
  gasnet_wait_syncnb_all(h, 3);
  CHECK(most[0] == nodes.front() && most[1] == -1.0 * nodes.back(), "largest %g and %g", most[0], most[1]);
  CHECK(before == (test.me ? std::int64_t{test.me} : -1), "%lld come before", static_cast<long long>(before));
  CHECK(size == 1 || seen % 2 == 0, "a function has seen %zu operands", seen);
  gasnetx_team_destroy(half);
}

void tools()
{
  gasnett_tick_t before = gasnett_ticks_now();
  gasnett_atomic_t counter = gasnett_atomic_init(1);
  gasnett_atomic_increment(&counter, 0);
  CHECK(gasnett_atomic_read(&counter, 0) == 2, "an atomic counter");
  CHECK(gasnett_ticks_now() >= before, "time went back");
}

} // namespace

int main(int argc, char **argv)
{
  gasnet_handlerentry_t table[] = {
      {ask, reinterpret_cast<void (*)()>(on_ask)},
      {tell, reinterpret_cast<void (*)()>(on_tell)},
      {put_here, reinterpret_cast<void (*)()>(on_put)},
  };
  test_start("cxx", &argc, &argv, table, 3, 65536);
  gasnet_coll_init(0, 0, 0, 0, 0);
  for (gasnet_node_t r = 0; r < partner_rounds(8); r++) {
    gasnet_node_t to = peer_to(r);
    round_trip(to, static_cast<char>('a'));
    round_trip(to, static_cast<int>(-test.me));
    round_trip(to, 1.5 + test.me);
    messages(to);
    strided(to);
  }
  teams();
  tools();
  auto barrier = [](int id) {
    gasnet_barrier_notify(id, 0);
    return gasnet_barrier_wait(id, 0);
  };
  CHECK(barrier(5) == GASNET_OK, "a named barrier");
  int mine = test.me == 0 ? 77 : 0, all = 0;
  gasnet_coll_broadcast(GASNET_TEAM_ALL, &all, 0, &mine, sizeof mine,
      GASNET_COLL_LOCAL | GASNET_COLL_IN_ALLSYNC | GASNET_COLL_OUT_ALLSYNC);
  CHECK(all == 77, "broadcast gave %d", all);
  test_finish();
}
