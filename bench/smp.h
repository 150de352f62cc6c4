/* bench/smp: the controller starts one job for each group of rows and collects what the job's node 0 prints;
 * started inside a job, the program measures the rows for that many processes by itself. */
#ifndef BENCH_SMP_H
#define BENCH_SMP_H
#include "common_options.h"

/* Rows that one job measures. */
enum smp_group { SMP_TWO, SMP_BARRIER, SMP_RING, SMP_START, SMP_MEMORY, SMP_PAR };

struct smp_row {
  struct bench_row row;
  enum smp_group group;
  unsigned processes;
  const char *of; /* SMP_PAR: the row which both programs measure */
};
extern const struct smp_row smp_rows[];
extern const unsigned smp_row_count;

/* Started as a node of a job. Returns the exit code, or ends in gasnet_exit. */
int smp_worker(int argc, char **argv, const struct bench_options *o);
int smp_control(const struct bench_options *o);

/* ---- starting jobs ---- */

struct smp_job {
  const char *program;   /* path */
  unsigned processes;
  const char *launcher;  /* as in the options */
  const char *args[12];  /* after the program, NULL at the end */
  void (*line)(const char *line, void *arg); /* each line of output */
  void *arg;
  double limit_s;
};
/* Runs it to its end; its exit code, or -1 when it did not end in time or could not be started. *seconds: from
 * the start of the launcher to its end. */
int smp_job_run(const struct smp_job *job, double *seconds);
/* The path of a program in the directory of this one; 0 when there is none. */
int smp_beside(const char *name, char *path, size_t size);

/* ---- inside a job ---- */

struct smp_node {
  unsigned me, nodes;
  char **here;      /* each node's segment as a plain pointer, from the public node and segment tables */
  void **remote;    /* the same for put and get */
  unsigned rounds;
  const char *rows;
  int core;         /* this node is pinned to it; -1 not */
};
extern struct smp_node smp;

/* Nanoseconds an operation, as node 0 sees them; what other nodes return is not looked at. All nodes call it at once. */
typedef double (*smp_measure_fn)(long n);

struct smp_contest {
  const char *key;
  smp_measure_fn bare[6]; /* variants of the reference, NULL after the last; the best median counts */
  smp_measure_fn ours;
  long n;                 /* operations in a measurement */
};
/* Interleaves bare and ours in each round; node 0 prints the medians for the controller. */
void smp_contest(const struct smp_contest *c);
void smp_emit(const char *key, double bare, double ours, double ratio);
void smp_sync(void);

/* Where things lie in each node's segment. */
enum { SMP_SEGMENT_SMALL = 1 << 20, SMP_OFF_BARE = 0, SMP_OFF_WORDS = 512 << 10, SMP_OFF_BULK = 1 << 20 };
enum { SMP_LARGEST = 64 << 20 };

void smp_measure_words(void);
void smp_measure_bulk(void);
void smp_measure_messages(void);
void smp_measure_flood(void);
void smp_measure_pair_barrier(void);
void smp_measure_pair_team(void);
void smp_measure_barrier(void);
void smp_measure_team_barrier(void);
void smp_measure_ring(void);
void smp_measure_memory(void);

/* Handler indices; each handler is defined where it is used. */
enum { SMP_H_PING = 200, SMP_H_PONG, SMP_H_PING_MEDIUM, SMP_H_PONG_MEDIUM, SMP_H_FLOOD, SMP_H_TOKEN };
#endif
