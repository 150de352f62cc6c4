/* bench/shmem: the controller starts one job for each group of rows and collects what the job's PE 0 prints. */
#ifndef BENCH_SHMEM_H
#define BENCH_SHMEM_H
#include "common_options.h"

/* Rows that one job measures. */
enum osh_group { OSH_TWO, OSH_BARRIER, OSH_OFI, OSH_UCX };

struct osh_row {
  struct bench_row row;
  enum osh_group group;
  unsigned processes;
};
extern const struct osh_row osh_rows[];
extern const unsigned osh_row_count;

/* Started as a PE of a job. Returns the exit code. */
int osh_worker(const struct bench_options *o);
int osh_control(const struct bench_options *o);

/* ---- inside a job ---- */

enum { OSH_WINDOW = 64, OSH_TABLE = 1 << 21, OSH_VECTOR = 8192 }; /* in words */

struct osh_pe {
  int me, pes;
  unsigned rounds;
  const char *rows;
  long *heap;       /* OSH_TABLE symmetric words ... */
  long *heap_of[8]; /* ... and where each PE's are here; NULL where they are not mapped */
};
extern struct osh_pe osh;
extern long osh_static[OSH_VECTOR]; /* symmetric, too */

/* Nanoseconds an operation, as PE 0 sees them; what others return is not looked at. All PEs call it at once. */
typedef double (*osh_measure_fn)(long n);

struct osh_contest {
  const char *key;
  osh_measure_fn bare; /* NULL: there is none */
  osh_measure_fn ours;
  long n; /* operations in a measurement */
};
/* Interleaves bare and ours in each round; PE 0 prints the medians for the controller. */
void osh_contest(const struct osh_contest *c);
/* The same, but of the difference: nanoseconds that ours takes beyond the bare one. */
void osh_contest_above(const struct osh_contest *c);
int osh_selected(const char *key);

void osh_measure_words(void);
void osh_measure_strided(void);
void osh_measure_updates(void);
void osh_measure_collectives(void);
void osh_measure_locks(void);
void osh_measure_barrier(void);
void osh_measure_progress(void);
void osh_measure_network(const char *name);

/* The loop that a program would have, strides in words. */
void osh_loop_strided(long *restrict dst, const long *restrict src, ptrdiff_t dst_step, ptrdiff_t src_step, size_t n);
#endif
