/* The rows, in the order in which they are shown. */
#include "shmem.h"

#define STORE "a store through a mapped pointer"
#define LOAD "a load through a mapped pointer"
#define XADD "lock xadd of the mapped word"
#define ABOVE(key, what, bare) {{key, what, bare, BENCH_NS, 0, BENCH_VALUE_AT_MOST, 6}, OSH_TWO, 2}
#define BOTH(key, what, bare) ABOVE(key "_heap", what ", heap: time above", bare), ABOVE(key "_static", what ", static: time above", bare)
#define ATOMIC(key, what) \
  {{key "_heap", what ", heap", XADD, BENCH_NS, 0, BENCH_TIME_AT_MOST, 1.6}, OSH_TWO, 2}, \
  {{key "_static", what ", static", XADD, BENCH_NS, 0, BENCH_TIME_AT_MOST, 1.6}, OSH_TWO, 2}
#define RATE(key, what, bare, bound) {{key, what, bare, BENCH_MSGS, 0, BENCH_RATE_AT_LEAST, bound}, OSH_TWO, 2}
#define VALUE(key, what, bare, unit, bound) {{key, what, bare, unit, 0, BENCH_VALUE_AT_MOST, bound}, OSH_TWO, 2}
#define BARRIER(n, text) \
  {{"barrier_" text, "barrier_all, " text " PEs on two cores", "gasnet_barrier in the same job", BENCH_US, 0, BENCH_TIME_AT_MOST, 1.1}, \
   OSH_BARRIER, n}
#define BUSY(key, what) \
  {{"busy_" key, what " while the target computes", "the same while it waits in the library", BENCH_NS, 0, BENCH_TIME_AT_MOST, 1.2}, \
   OSH_TWO, 2}
#define NET(name, group, key, what) \
  {{name "_busy_" key, what ", " name ", while the target computes: worst", "worst while it waits", \
    BENCH_US, 0, BENCH_VALUE_AT_MOST, 1e7}, group, 2}
#define NETWORK(name, group) \
  NET(name, group, "put_heap", "put, heap"), NET(name, group, "get_heap", "get, heap"), NET(name, group, "fadd_heap", "fadd, heap"), \
  NET(name, group, "put_static", "put, static"), NET(name, group, "get_static", "get, static"), \
  NET(name, group, "fadd_static", "fadd, static")

const struct osh_row osh_rows[] = {
  BOTH("put", "long_put of one and quiet", STORE),
  BOTH("p", "long_p and quiet", STORE),
  BOTH("get", "long_get of one", LOAD),
  BOTH("g", "long_g", LOAD),
  ATOMIC("fadd", "long_fadd"),
  ATOMIC("swap", "long_swap"),
  ATOMIC("cswap", "long_cswap"),
  RATE("iput", "long_iput of 1024, stride 2", "a loop over the mapped words", 0.9),
  RATE("iget", "long_iget of 1024, stride 2", "a loop over the mapped words", 0.9),
  RATE("random_put", "long_p to random words of 2 x 16 MiB", "random stores to the mapped words", 0.7),
  RATE("random_add", "long_add to random words of 2 x 16 MiB", "lock add to the mapped words", 0.7),
  VALUE("broadcast_8K", "broadcast64 of 8 KB, 2 PEs", "memcpy of 8 KB from the neighbour", BENCH_US, 700),
  VALUE("sum_1", "long_sum_to_all of 1, 2 PEs", "nothing", BENCH_US, 400),
  VALUE("sum_8192", "long_sum_to_all of 8192, 2 PEs", "nothing", BENCH_US, 4500),
  VALUE("lock_heap", "set_lock and clear_lock, heap", "two lock xadd", BENCH_NS, 60),
  VALUE("lock_static", "set_lock and clear_lock, static", "two lock xadd", BENCH_NS, 60),
  BARRIER(2, "2"),
  BARRIER(4, "4"),
  BARRIER(8, "8"),
  BUSY("put_heap", "put, heap"),
  BUSY("get_heap", "get, heap"),
  BUSY("fadd_heap", "fadd, heap"),
  BUSY("put_static", "put, static"),
  BUSY("get_static", "get, static"),
  BUSY("fadd_static", "fadd, static"),
  NETWORK("ofi", OSH_OFI),
  NETWORK("ucx", OSH_UCX),
};
const unsigned osh_row_count = sizeof osh_rows / sizeof *osh_rows;
