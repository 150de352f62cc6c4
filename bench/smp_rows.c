/* The rows, in the order in which they are shown. */
#include "smp.h"

#define WORD(key, what, bound) \
  {{key, what, "a plain load or store through a table of pointers", BENCH_NS, 8, BENCH_TIME_AT_MOST, bound}, SMP_TWO, 2, 0}
#define BULK(key, what, bytes, bound) \
  {{key, what, "memcpy between the same buffers", BENCH_GBS, bytes, BENCH_RATE_AT_LEAST, bound}, SMP_TWO, 2, 0}
#define BARRIER(n, text) \
  {{"barrier_" text, "barrier, " text " processes on two cores", "the best of bare central barriers", BENCH_US, 0, \
    BENCH_TIME_AT_MOST, 1.0}, SMP_BARRIER, n, 0}
#define PAUSING(key, what) \
  {{key, what, "the same loop with a pause instruction in its wait", BENCH_NS, 0, BENCH_NO_BOUND, 0}, SMP_TWO, 2, 0}
#define TEAM(key, what, bare, bound) {{key, what, bare, BENCH_NS, 0, BENCH_TIME_AT_MOST, bound}, SMP_TWO, 2, 0}
#define TEAM_BARRIER(n, text) \
  {{"team_barrier_" text, "barrier on a list, " text " processes on two cores", "gasnet_barrier", BENCH_US, 0, BENCH_TIME_AT_MOST, 1.5}, \
   SMP_BARRIER, n, 0}
#define PAR(key, what, bound, of) \
  {{key, what, "the same program compiled for GASNET_SEQ", BENCH_NS, 0, BENCH_TIME_AT_MOST, bound}, SMP_PAR, 2, of}

const struct smp_row smp_rows[] = {
  WORD("put_8", "put of 8 bytes", 1.5),
  WORD("get_8", "get of 8 bytes", 1.5),
  WORD("put_val", "put_val of 8 bytes", 1.5),
  WORD("get_val", "get_val of 8 bytes", 1.5),
  WORD("put_nb", "put_nb of 8 bytes and its sync", 1.5),
  WORD("put_nbi", "put_nbi of 8 bytes, 1000 a sync", 1.3),
  BULK("put_64K", "put of 64 KiB", 64 << 10, 0.97),
  BULK("get_64K", "get of 64 KiB", 64 << 10, 0.97),
  BULK("put_1M", "put of 1 MiB", 1 << 20, 0.97),
  BULK("get_1M", "get of 1 MiB", 1 << 20, 0.97),
  BULK("put_16M", "put of 16 MiB", 16 << 20, 1.3),
  BULK("get_16M", "get of 16 MiB", 16 << 20, 1.3),
  BULK("put_64M", "put of 64 MiB", 64 << 20, 1.3),
  BULK("get_64M", "get of 64 MiB", 64 << 20, 1.3),
  {{"am_short", "short message there and back", "one 64-byte slot each way", BENCH_NS, 0, BENCH_TIME_AT_MOST, 1.6},
   SMP_TWO, 2, 0},
  PAUSING("am_short_p", "the same against a pausing loop"),
  {{"am_medium", "medium of 512 bytes there and back", "copy in, flag, copy out, both ways", BENCH_NS, 0,
    BENCH_TIME_AT_MOST, 1.6}, SMP_TWO, 2, 0},
  PAUSING("am_medium_p", "the same against a pausing loop"),
  {{"am_flood", "short messages, one direction", "a stream of slots, each claimed by fetch-and-add", BENCH_MSGS, 0,
    BENCH_RATE_AT_LEAST, 0.8}, SMP_TWO, 2, 0},
  {{"barrier_2", "barrier, 2 processes", "an exchange of two flags", BENCH_NS, 0, BENCH_TIME_AT_MOST, 1.2},
   SMP_TWO, 2, 0},
  PAUSING("barrier_2_p", "the same against a pausing loop"),
  BARRIER(4, "4"),
  BARRIER(8, "8"),
  BARRIER(64, "64"),
  TEAM("team_barrier_2", "barrier on a list, 2 processes", "gasnet_barrier", 1.5),
  TEAM("team_broadcast", "broadcast of 8 KiB, 2 processes", "two exchanges of flags and memcpy", 1.2),
  TEAM("team_sum_1", "sum of 1 long, 2 processes", "two exchanges of flags", 1.2),
  TEAM("team_sum_8192", "sums of 8192 longs, 2 processes", "two exchanges of flags and a loop", 1.2),
  TEAM_BARRIER(4, "4"),
  TEAM_BARRIER(8, "8"),
  {{"am_ring_8", "short message round 8 processes, two cores", "a token passed on with sched_yield", BENCH_US, 0,
    BENCH_TIME_AT_MOST, 1.5}, SMP_RING, 8, 0},
  {{"start_64", "init, attach 16 MiB, exit: 64 processes", "fork and exit of as many", BENCH_S, 0, BENCH_VALUE_AT_MOST,
    0.5}, SMP_START, 64, 0},
  {{"start_255", "init, attach 16 MiB, exit: 255 processes", "fork and exit of as many", BENCH_S, 0,
    BENCH_VALUE_AT_MOST, 3.0}, SMP_START, 255, 0},
  {{"memory_64", "control memory a process, 64 processes", "nothing", BENCH_KB, 0, BENCH_VALUE_AT_MOST, 1e6},
   SMP_MEMORY, 64, 0},
  PAR("par_put_8", "put of 8 bytes, PAR against SEQ", 1.05, "put_8"),
  PAR("par_put_val", "put_val of 8 bytes, PAR against SEQ", 1.05, "put_val"),
  PAR("par_put_nb", "put_nb of 8 bytes, PAR against SEQ", 1.05, "put_nb"),
  PAR("par_am_short", "short there and back, PAR against SEQ", 1.15, "am_short"),
  PAR("par_am_medium", "medium there and back, PAR against SEQ", 1.15, "am_medium"),
  PAR("par_am_flood", "short messages, PAR against SEQ", 1.15, "am_flood"),
};
const unsigned smp_row_count = sizeof smp_rows / sizeof *smp_rows;
