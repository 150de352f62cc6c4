/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What a test sees of its node and of the engine. Nothing here needs gasnet.h: the OpenSHMEM tests use it,
 * too. */
#ifndef BENCH_ENGINE_ENGINE_H
#define BENCH_ENGINE_ENGINE_H
#include "../measure.h"
#include "../raw/raw.h"

struct bench_node {
  unsigned me, nodes;
  unsigned
      threads;   /* that run a series at once on each node that runs it; 1 but for GASNET_PAR and --threads */
  unsigned half; /* nodes / 2: the distance between the two of a pair */
  unsigned peer; /* me + half, or me - half; the last of an odd number has none and is its own */
  void **remote; /* each node's segment, for put and get */
  char **mapped; /* the same as plain pointers; NULL where they are not mapped */
  char *segment; /* own segment, mapped[me] */
  char *local;   /* own memory of the same size that no other node reaches */
  size_t size;   /* of the segment, at least what the points' cases asked for */
  size_t share;  /* of it for each thread: thread t's begins at t * share, in segments and in local memory */
  unsigned here; /* this node's number among those of its host */
  int core;      /* the main thread is bound to it; -1: left to the kernel */
  int two_cores[2]; /* the first two that the job may use, the same one twice where there is one */
  int raw;          /* what --raw asks for: BENCH_RAW_... */
};
extern struct bench_node bench_node;

enum { BENCH_RAW_NONE, BENCH_RAW_SMP, BENCH_RAW_NET };

extern _Thread_local unsigned bench_thread; /* number of the calling thread, from 0 */

/* A series: `n` operations, one after another or in flight together, complete when it returns. */
typedef void (*bench_series_fn)(long n);

/* Which nodes run a series. The others wait in the barrier, where they make progress and serve. Times are
 * node 0's, but for AGGREGATE. Series may be run by several threads of a node at once (bench_thread tells
 * which) only where BENCH_THREADED_CASE is set. */
enum {
  BENCH_ALL_NODES = 1, /* all nodes at once; else node 0 alone */
  BENCH_HALF = 2,      /* the first node of each pair: 0 to half - 1, at once */
  BENCH_AGGREGATE = 4, /* for rates: the operations of all nodes that run it count, until the last has ended.
                          Else the time of one operation counts */
  BENCH_THREADED_CASE = 8, /* all threads of a node run it at once */
  BENCH_BARE_ALL = 16, /* bare loops of shared memory are run on all nodes at once, as messages are; else as
                          the flags above say */
  BENCH_ABOVE = 32, /* the value is what ours takes beyond the best bare way, within each round; there is no
                       ratio */
  BENCH_FIRST_FREE = 64 /* bench_passes operations, or times `multiple`, of the same way before each sample,
                           not counted: they pay for what the ways before have left in the caches */
};

enum { BENCH_SMP_WAYS = 6, BENCH_NET_WAYS = 8 };

/* One test: prepare, series, check are called in this order for each point; prepare and check on all nodes,
 * by one thread. */
struct bench_case {
  const char *test; /* name in the catalogue; NULL behind the last of a table */
  unsigned flags;
  /* Bytes of the segment that a thread needs at a point (`bytes` is 0 where a point is not a size). NULL:
   * `bytes`, but at least BENCH_SHARE_LEAST. */
  size_t (*needs)(const char *point, size_t bytes);
  /* May use bench_sync. 0, or -1 when the point cannot be measured: then it has said why by bench_missing, on
   * every node. */
  int (*prepare)(const char *point, size_t bytes);
  /* Before anything is measured at a point, ours is run once by all nodes that run it, with n = multiple or
   * 1, at least `least`. Are its data right then, at this node's end? NULL, else what is wrong (static).
   * Called behind a barrier; may communicate and use bench_sync. Without this function there are no data. */
  const char *(*check)(void);
  const char *(*after)(void); /* the same behind the last sample of a point */
  bench_series_fn ours;
  bench_series_fn raw_smp[BENCH_SMP_WAYS]; /* bare loops, where all nodes are mapped; NULL after the last; the
                                              best median counts */
  enum raw_way
      raw_net[BENCH_NET_WAYS]; /* of the bare network program, on node 0 alone while its peer serves; prepare
                                  sets bench_raw_shape (0 before), without which they are left out */
  bench_series_fn raw_any[2];  /* another way of the library, on any transport; run as ours is */
  long least, most;            /* operations a sample; 0: by time, about 200 us */
  long multiple;               /* n is a multiple of this; 0: any */
  long warm;                   /* operations of each way before anything is counted; 0: one sample */
  /* Instead of series: measures one sample by itself, called on all nodes at once; node 0's counts.
   * `against`: the reference of the same round, measured with and without --raw; NULL: none. */
  double (*value)(void);
  double (*against)(void);
};

/* What most cases have. */
#define BENCH_CASE(name, prepare_fn, check_fn, series) \
  .test = name, .prepare = prepare_fn, .check = check_fn, .ours = series

enum { BENCH_SHARE_LEAST = 1 << 20 };

/* A file of tests: its cases and its handlers (ended by one without fn). Indices: 128 to 179 bench/tests
 * of transfers and messages, 180 to 239 the others. Listed in engine/cases.c; bench/openshmem has its
 * own list. */
struct bench_handler {
  unsigned char index;
  void (*fn)();
};
struct bench_suite {
  const struct bench_case *cases;
  const struct bench_handler *handlers; /* or NULL */
  void (*attached)(
      void); /* called right behind attaching, before the engine has memory of its own; or NULL */
};
extern const struct bench_suite *const bench_suites[]; /* NULL behind the last */

/* ---- for tests ---- */

/* A barrier of all nodes, which serves. Not from a series that several threads run. */
void bench_sync(void);
/* Behind the samples: moves other data from or to node 0, by each of two ways. All nodes call it. What
 * `check` says first, or NULL. */
const char *bench_move_again(const bench_series_fn way[2], void (*fill)(void), const char *(*check)(void));
/* Why the point is not measured. Only node 0 prints it. */
void bench_missing(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Our time divided by the reference's at a point that this job has measured before: the median over its
 * rounds; 0: not measured. For node 0. */
double bench_ratio_of(const char *test, const char *point);
/* Ends the job with a message and exit code 1. */
_Noreturn void bench_die(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Fills memory with data that differ by byte and seed; bench_filled: how many of the first bytes are so
 * still. */
void bench_fill(void *memory, size_t n, unsigned seed);
size_t bench_filled(const void *memory, size_t n, unsigned seed);

/* For prepare to change; their values before it is called: */
extern long bench_multiple;              /* the case's; what prepare makes of it counts for this point */
extern long bench_passes;                /* 1: of BENCH_FIRST_FREE */
extern struct raw_shape bench_raw_shape; /* all 0 */
extern unsigned bench_raw_taken; /* which of raw_smp are measured at this point: bit i for raw_smp[i]; all */

/* This thread's share of a node's memory. */
static inline char *bench_remote_share(unsigned node)
{
  return (char *)bench_node.remote[node] + bench_thread * bench_node.share;
}
static inline char *bench_mapped_share(unsigned node)
{
  return bench_node.mapped[node] + bench_thread * bench_node.share;
}
static inline char *bench_local_share(void) { return bench_node.local + bench_thread * bench_node.share; }

/* ---- what the engine asks of the library under it: engine/layer_gasnet.c, bench/openshmem/layer.c ---- */

/* All nodes call these at once, in the same order, one thread each. */
struct bench_layer {
  void (*open)(int *argc, char ***argv); /* me, nodes */
  void (*attach)(size_t segment);        /* remote, mapped, segment, size, here */
  void (*sync)(void);
  void (*fetch)(
      void *to, unsigned node, size_t at, size_t nbytes); /* from a segment; NULL: no bare network program */
  void (*close)(int code); /* ends the job; does not return. Waits for the other nodes only where code is 0 */
  const char *mode;        /* "seq", "par", "shmem" */
};
extern const struct bench_layer bench_layer;

/* Gives all nodes the bytes of node 0, at most 256. */
void bench_tell(void *data, size_t nbytes);
/* The greatest of all nodes' values, and their sum modulo 2^64, on every node. */
double bench_most(double v);
uint64_t bench_sum(uint64_t mine);

/* main() of a worker. */
int bench_worker(int argc, char **argv);
#endif
