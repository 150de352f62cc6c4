/* bench/ofi: the controller starts jobs of two processes over the network conduit, for each provider, and collects what the job's node
 * 0 prints. Each process also has the bare program's endpoint (raw_ofi.h). */
#ifndef BENCH_OFI_H
#define BENCH_OFI_H
#include "common_options.h"

/* Rows that one job measures. */
enum ofi_group {
  OFI_MAIN,
  OFI_SINGLY,   /* with GASNET_COALESCE=0 */
  OFI_THREAD,   /* with GASNET_PROGRESS_THREAD=1 */
  OFI_COST,     /* jobs of OFI_MAIN and OFI_THREAD in turn */
  OFI_START,
  OFI_GROUPS
};

struct ofi_row {
  struct bench_row row;
  enum ofi_group group;
};
extern const struct ofi_row ofi_rows[];
extern const unsigned ofi_row_count;

/* Started as a node of a job. Returns the exit code, or ends in gasnet_exit. */
int ofi_worker(int argc, char **argv, const struct bench_options *o);
int ofi_control(const struct bench_options *o);
extern const char *const ofi_group_name[OFI_GROUPS];

/* Processes without a job, each of which is ofi_start_one(). 0: all went well. */
#define OFI_BARE_START "bare-start"
int ofi_start_bare(const char *self, unsigned processes, double *seconds);
int ofi_start_one(void);

/* ---- inside a job ---- */

struct ofi_node {
  unsigned me;
  unsigned rounds;
  const char *rows;
  char *there;       /* node 1's segment, for calls of the library; the bare program has it from offset 0 */
  char *local;       /* own memory of the same size */
  char *segment;     /* this node's */
  int core[2];       /* that the job has */
};
extern struct ofi_node ofi;

enum { OFI_SIDE = 128, OFI_MEMORY = (OFI_SIDE * OFI_SIDE * OFI_SIDE * 8) + (64 << 10) };

/* `n` operations, on node 0 alone. */
typedef void (*ofi_series_fn)(long n);

struct ofi_contest {
  const char *key;
  ofi_series_fn bare[3];   /* variants of the reference, NULL after the last; the best median counts */
  ofi_series_fn ours;
  long n;                  /* operations in a measurement */
};
/* Interleaves bare and ours in each round; node 0 prints the medians for the controller. */
void ofi_contest(const struct ofi_contest *c);
int ofi_selected(const char *key);
/* ratio: of times, ours to bare. */
void ofi_emit(const char *key, double bare, double ours, double ratio);
void ofi_sync(void);

void ofi_measure_words(void);
void ofi_measure_many(void);
void ofi_measure_bulk(void);
void ofi_measure_singly(void);
void ofi_measure_pieces(void);
void ofi_measure_messages(void);
void ofi_measure_progress(void);

/* Handler indices; each handler is defined where it is used. */
enum { OFI_H_CARD = 200, OFI_H_PING, OFI_H_PONG, OFI_H_PING_MEDIUM, OFI_H_PONG_MEDIUM, OFI_H_END };
#endif
