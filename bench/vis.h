/* bench/vis: the controller starts a job of two processes for each group of rows and collects what the job's node 0 prints. */
#ifndef BENCH_VIS_H
#define BENCH_VIS_H
#include "common_options.h"

/* Rows that one job measures: the neighbour mapped, or reached by messages alone. */
enum vis_group { VIS_MAPPED, VIS_PACKED };

struct vis_row {
  struct bench_row row;
  enum vis_group group;
};
extern const struct vis_row vis_rows[];
extern const unsigned vis_row_count;

/* Started as a node of a job. Returns the exit code, or ends in gasnet_exit. */
int vis_worker(int argc, char **argv, const struct bench_options *o);
int vis_control(const struct bench_options *o);

/* ---- inside a job ---- */

struct vis_node {
  unsigned me;
  unsigned rounds;
  const char *rows;
  char *remote;   /* node 1's segment for calls of the library ... */
  char *mapped;   /* ... and here, as a plain pointer from the public tables */
  char *local;    /* own memory of the same size */
};
extern struct vis_node vis;

enum { VIS_MEMORY = 152 << 20 }; /* a cube of 258 doubles each way, and a bit */

typedef void (*vis_op_fn)(void);

struct vis_contest {
  const char *key;
  vis_op_fn bare[4]; /* NULL after the last; the best median counts */
  vis_op_fn ours;
};
/* Interleaves bare and ours, on node 0 alone, and prints the medians for the controller. Returns bare to ours in time, 0 when the row was
 * not asked for. */
double vis_contest(const struct vis_contest *c);
/* The same, but of the difference: nanoseconds that ours takes beyond the best. */
void vis_contest_above(const struct vis_contest *c);
/* ratio: of times, ours to bare. */
void vis_emit(const char *key, double bare, double ours, double ratio);
int vis_selected(const char *key);

void vis_measure_patterns(void);
void vis_measure_big(void);
void vis_measure_small(void);
void vis_measure_lists(void);
void vis_measure_transpose(void);
void vis_measure_adverse(void);
void vis_measure_packed(void);

/* ---- bare loops ---- */

enum { VIS_LEVELS = 8 };

/* As gasnet_puts_bulk takes it, and the size of the elements which a program would copy in its loop. */
struct vis_shape {
  size_t elem;
  size_t count[VIS_LEVELS + 1];
  size_t dst[VIS_LEVELS], src[VIS_LEVELS];
  size_t levels;
};

/* The nested loop that a program would have, over its elements; of 1, 3, 4 and 8 bytes. */
void vis_loop_elements(const struct vis_shape *s, char *dst, const char *src);
/* The same over rows, with memcpy. */
void vis_loop_rows(const struct vis_shape *s, char *dst, const char *src);

void vis_loop_transpose_8(double *dst, const double *src, size_t n);
void vis_loop_transpose_4(float *dst, const float *src, size_t n);

/* A block of rows, pitches and width in elements. */
void vis_loop_small(double *dst, size_t dstpitch, const double *src, size_t srcpitch, size_t width, size_t height);

void vis_loop_list_8(void *const dst[], void *const src[], size_t n);
#endif
