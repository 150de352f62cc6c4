/* What bench/ofi and bench/ucx share: the controller starts jobs of two processes over the network conduit, for each transport of
 * its library, and collects what the job's node 0 prints. Each process also has the bare program's endpoint (raw.h). */
#ifndef BENCH_NET_H
#define BENCH_NET_H
#include "common_options.h"

/* Rows that one job measures. */
enum net_group {
  NET_MAIN,
  NET_SINGLY,   /* with GASNET_COALESCE=0 */
  NET_THREAD,   /* with GASNET_PROGRESS_THREAD=1 */
  NET_COST,     /* jobs of NET_MAIN and NET_THREAD in turn */
  NET_START,
  NET_GROUPS
};

/* `n` operations, on node 0 alone. */
typedef void (*net_series_fn)(long n);

struct net_row {
  struct bench_row row;
  enum net_group group;
  net_series_fn bare[3];  /* variants of the reference, NULL after the last; the best median counts. None: measured another way */
  const char *bound_on;   /* the label of the only transport that the bound is for, or NULL: for all */
};

enum { NET_LABEL = 24 };

/* What one program has of its own. */
struct net_program {
  const char *conduit;          /* also the program's name */
  const char *library;          /* which the bare program calls */
  const char *option;           /* that takes a list of transports */
  const char *variable;         /* that selects it: for the conduit and for the bare program */
  const char *setting[2];       /* a variable that jobs have with this value, unless it is set; or NULL */
  const char *separators;       /* between transports in a list */
  const char *(*usual)(void);   /* the list without the option; those that are not here are left out of it */
  void (*label)(const char *transport, char text[NET_LABEL]); /* what its rows are called after */
  const char *missing;          /* what is said of rows on one that is not here */
  const char *help;
  const struct net_row *rows;
  unsigned row_count;
};
extern const struct net_program net_program;

/* Started as a node of a job. Returns the exit code, or ends in gasnet_exit. */
int net_worker(int argc, char **argv, const struct bench_options *o);
int net_control(const struct bench_options *o);
extern const char *const net_group_name[NET_GROUPS];

/* Processes without a job, each of which is net_start_one(). 0: all went well. */
#define NET_BARE_START "bare-start"
int net_start_bare(const char *self, unsigned processes, double *seconds);
int net_start_one(void);

/* ---- inside a job ---- */

struct net_node {
  unsigned me;
  unsigned rounds;
  const char *rows;
  char *there;       /* node 1's segment, for calls of the library; the bare program knows its target memory by offsets */
  char *local;       /* own memory of the same size */
  char *segment;     /* this node's */
  int core[2];       /* that the job has */
};
extern struct net_node net;

enum { NET_SIDE = 128, NET_FACE = 8 * NET_SIDE * NET_SIDE, NET_MEMORY = (NET_SIDE * NET_FACE) + (64 << 10) };
enum { NET_SHORT = 8, NET_MEDIUM = 512, NET_ELEMENTS = 8192, NET_A_SYNC = 1000 };

/* What is sent as a large transfer, by both programs. */
struct net_bulk {
  size_t nbytes;
  long several;      /* in flight, each with its own memory */
};
extern struct net_bulk net_bulk;

struct net_contest {
  const char *key;
  net_series_fn ours;
  long n;            /* operations in a measurement */
};
/* Interleaves ours and what the row is compared with in each round; node 0 prints the medians for the controller. */
void net_contest(const struct net_contest *c);
/* The row, or NULL where this program does not have it or it is not to be measured. */
const struct net_row *net_selected(const char *key);
/* ratio: of times, ours to bare. */
void net_emit(const char *key, double bare, double ours, double ratio);
void net_sync(void);

void net_measure_words(void);
void net_measure_many(void);
void net_measure_bulk(void);
void net_measure_singly(void);
void net_measure_pieces(void);
void net_measure_messages(void);
void net_measure_progress(void);

/* Handler indices; each handler is defined where it is used. */
enum { NET_H_PING = 200, NET_H_PONG, NET_H_PING_MEDIUM, NET_H_PONG_MEDIUM, NET_H_FLOOD, NET_H_END };

/* ---- what rows are compared with ---- */

void net_write_words(long n);  /* 8 bytes, each until it is complete */
void net_read_words(long n);
void net_write_many(long n);   /* 8 bytes, NET_A_SYNC at a time */
void net_read_many(long n);
void net_write_large(long n);  /* as net_bulk says */
void net_read_large(long n);
void net_write_face(long n);   /* as many bytes as a face has, contiguous */
void net_read_face(long n);
void net_write_list(long n);   /* as many as NET_ELEMENTS words have; n is of words */
/* There and back, each by another of the transport's ways to send. */
void net_pass_short(long n);
void net_pass_short_2(long n);
void net_pass_short_3(long n);
void net_pass_medium(long n);
void net_pass_medium_2(long n);
void net_pass_medium_3(long n);
#endif
