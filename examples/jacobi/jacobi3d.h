/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* jacobi3d: a damped Jacobi (explicit heat) solver on a block of cells, distributed over the processes of a
 * GASNet job. This header is the map of the program: one section for each source file. */
#ifndef EXAMPLES_JACOBI_JACOBI3D_H
#define EXAMPLES_JACOBI_JACOBI3D_H

#if !defined(GASNET_SEQ) && !defined(GASNET_PARSYNC) && !defined(GASNET_PAR)
#define GASNET_SEQ 1
#endif
#include <gasnetx.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { X, Y, Z, DIMS }; /* x runs fastest in memory */

enum exit_code {
  EXIT_CORRECT = 0,
  EXIT_WRONG = 1,  /* a check of the result failed */
  EXIT_USAGE = 2,  /* the command line cannot be carried out */
  EXIT_MEMORY = 3, /* memory or segment too small */
  EXIT_FILE = 4,   /* the picture or the report cannot be written */
  EXIT_COMM = 5    /* a GASNet call failed */
};

/* options.c: the command line */
enum verify { VERIFY_AUTO, VERIFY_FULL, VERIFY_SAMPLE, VERIFY_OFF };
struct options {
  long grid[DIMS];
  long procs[DIMS]; /* all zero: choose */
  long steps;
  long spoil; /* falsify one cell after this step; 0: never */
  enum verify verify;
  bool overlap, packed, plan, notify, progress, help;
  const char *picture; /* NULL: none */
};
/* 0, or -1 with the reason in why. Every node parses the same words, so all come to the same verdict. */
int options_parse(int argc, char **argv, struct options *o, char *why, size_t size);
void options_help(FILE *out);
double options_cells(const struct options *o);

/* decompose.c: which process owns which cells */
struct split {
  long grid[DIMS], procs[DIMS];
};
struct block {
  long at[DIMS];          /* place in the process grid */
  long lo[DIMS];          /* global index of the first cell */
  long n[DIMS];           /* cells, without ghosts */
  ptrdiff_t pitch, plane; /* doubles from row to row, from plane to plane; ghosts included */
  size_t total;           /* doubles in the whole field */
};
/* The process grid with the least surface between blocks; -1 when none fits. */
int split_choose(struct split *s, long nodes);
void block_of(const struct split *s, long node, struct block *b);
void block_shape(struct block *b);                                       /* pitch, plane and total from n */
long node_at(const struct split *s, const long at[DIMS]);                /* -1: outside the grid */
static inline size_t cell(const struct block *b, long i, long j, long k) /* -1 and n are the ghost layers */
{
  return (size_t)((k + 1) * b->plane + (j + 1) * b->pitch + i + 1);
}

/* problem.c: initial temperatures, and what they must become */
enum { MODES = 3 };
struct problem {
  long grid[DIMS];
  double *start[DIMS];       /* the initial value is the product of one entry of each */
  double *wave[DIMS][MODES]; /* start[d][i] is the sum of wave[d][m][i] */
  double cosine[DIMS][MODES];
};
int problem_open(struct problem *p, const long grid[DIMS]); /* -1: no memory */
void problem_close(struct problem *p);
void problem_fill(const struct problem *p, const struct block *b, double *field);
/* How much of the slowest mode is left after so many steps. */
double problem_decay(const struct problem *p, long steps);
/* Sums over a block of ((field - exact) / scale)^2 and (exact / scale)^2, and the largest |field - exact|. */
struct deviation {
  double error2, exact2, worst;
};
void problem_compare(const struct problem *p, const struct block *b, const double *field, long steps,
    double scale, struct deviation *d);

/* sweep.c: the arithmetic */
void sweep(const struct block *b, const double *from, double *to, const long lo[DIMS], const long hi[DIMS]);

/* job.c: the segment, what each process puts on record there, and the ways out */
struct record {
  struct {
    alignas(64) uint64_t faces;
  } arrived[2 * DIMS];     /* --notify: from each neighbour, since the start */
  double solve, put, wait; /* seconds: all steps; in put calls and their sync; waiting for the others' */
  double face_bytes;       /* put by this process, all steps */
  struct deviation deviation;
  uint64_t checked, wrong; /* cells of the sampled comparison */
  int32_t verdict;         /* of node 0, for everybody */
};
struct job {
  struct options opt;
  struct split split;
  struct block mine;
  struct problem problem;
  gasnet_seginfo_t *segment;
  FILE *picture;
};
void job_attach(struct job *job);
struct record *job_record(const struct job *job, long node);
/* Addresses valid on that node, and in puts and gets to it: of a field, and with --exchange packed of a
 * buffer for a face. */
double *job_field(const struct job *job, long node, int which);
double *job_buffer(const struct job *job, long node, int side, int which);
void job_barrier(void);
/* stop_all: collective, all nodes found the same; node 0 speaks. stop_here: this node alone found trouble. */
void stop_all(int code, const char *fmt, ...) __attribute__((noreturn, format(printf, 2, 3)));
void stop_here(int code, const char *fmt, ...) __attribute__((noreturn, format(printf, 2, 3)));
void must(int result, const char *call); /* result of a GASNet call */
double now(void);                        /* seconds */

/* exchange.c: ghost layers */
struct face {
  gasnet_node_t peer;
  size_t count[3], levels;   /* count[0] bytes, as gasnet_puts_bulk wants it */
  size_t here[2], there[2];  /* strides in my fields and in the neighbour's */
  void *layer[2], *ghost[2]; /* in my two fields: what I put, and where the peer puts */
  void *to[2];               /* the neighbour's ghost layer; packed: its buffers */
  void *packed, *landed[2];  /* packed: what I put, and where the neighbour's face arrives */
  size_t bytes;
  gasnetx_notify_t notify; /* of the neighbour */
  const uint64_t *arrived; /* my word that the neighbour's notification changes */
};
struct exchange {
  bool with_notify, with_packing;
  int faces;
  struct face face[2 * DIMS];
  gasnet_handle_t handle[2 * DIMS];
  gasnetx_plan_t plan; /* of all faces; NULL without --plan */
  bool neighbour[DIMS][2];
  double bytes; /* of all faces, a step */
};
void exchange_open(const struct job *job, struct exchange *x);
void exchange_close(struct exchange *x);
void exchange_start(struct exchange *x, int which);
void exchange_finish(struct exchange *x);                  /* my puts have arrived */
void exchange_await(const struct exchange *x, long step);  /* --notify: so have the neighbours' puts */
void exchange_unpack(const struct exchange *x, int which); /* packed: into the ghost layers */

/* pack.c: a face as a contiguous buffer */
void pack_open(const struct job *job, int side, int their_side, struct face *f);
void pack_close(struct face *f);
void pack_face(const struct face *f, int which);
void unpack_face(const struct face *f, int which);

/* solve.c: the steps */
void solve(const struct job *job, long first, long last); /* steps first+1 .. last */

/* verify.c: is it right */
long verify_sample_steps(
    const struct job *job); /* after how many steps to call verify_sample; 0: not at all */
void verify_sample(struct job *job, long steps);
void verify_deviation(struct job *job);
/* On node 0: cells that differ from a one-process run, over all cells. */
uint64_t verify_full(const struct job *job);
bool verify_is_full(const struct options *o);

/* report.c: node 0's summary; returns the exit code */
int report(const struct job *job);

/* picture.c: a slice through the middle, as a PPM image */
FILE *picture_open(const char *path);
void picture_write(const struct job *job);

/* progress.c: a bar on a terminal, lines elsewhere when asked for */
struct progress {
  const char *what;
  double begin, shown;
  long first, total, tenth;
  bool on, tty, drawn;
};
void progress_begin(struct progress *p, const char *what, long first, long total, bool asked);
void progress_show(struct progress *p, long done);
void progress_end(struct progress *p);

#endif
