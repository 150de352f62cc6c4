/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Writes random XcalableMP programs that are also serial programs of the same meaning: without its directives
 * a program computes the same values. Where a statement of XcalableMP is not C, as a gmove of sections, the
 * program has loops beside it for compilers that do not define _XCALABLEMP. All values are small integers, so
 * that no order of operations changes them. */
#ifndef TESTS_XMP_RANDOM_H
#define TESTS_XMP_RANDOM_H
#include <stddef.h>

#include "random/draw.h"

enum { DIMS = 3, NAMES_MOST = 64 };

/* ---- lines.c ---- */

/* The program's files: what all share, what main is in, and another one. */
enum file { HEADER, MAIN, OTHER, FILES };
void file_open(enum file f, const char *directory, const char *name);
int file_is_open(enum file f);
enum file file_choose(enum file f); /* where lines go from now on; returns where they went before */
/* A line of the program, indented. */
void line(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void indent(int by);
int number_next(void); /* for names */
/* k as an expression: a literal, a macro, a sum, a variable of the block. */
const char *number(int k);
/* variable + k */
const char *sum(const char *variable, int k);

/* ---- types ---- */

struct type {
  const char *name, *member; /* member: of a structure's value, or "" */
  int is_integer, is_unsigned;
};
extern const struct type types[];
int type_draw(void);
enum { TYPE_INT = 0, TYPE_LONG = 1, TYPE_UNSIGNED = 2 };

/* ---- mapping.c ---- */

struct nodes {
  const char *name;
  int dims, size[DIMS];
  int all;    /* of the executing nodes */
  int is_set; /* there are several, side by side, and each node has the one that it is in */
};

enum format { BLOCK, CYCLIC, GBLOCK, WHOLE };
struct template_ {
  const char *name;
  const struct nodes *nodes;
  int dims, lower[DIMS], upper[DIMS];
  enum format format[DIMS];
  int width[DIMS], map[DIMS][16]; /* of BLOCK, of GBLOCK */
  int late;                       /* fixed by a template_fix */
  const char *fix;
  int of_file;
};

enum { FULL = -1 };
struct array {
  const char *name, *as; /* in expressions, and in align and shadow directives */
  int type, dims, extent[DIMS];
  int axis[DIMS], offset[DIMS];      /* axis -1: collapsed */
  int lower[DIMS], upper[DIMS];      /* the shadow; lower FULL */
  const struct template_ *template_; /* NULL: local */
  int pointer, is_static;
  const char *align, *shadow; /* the directives' texts, for a parameter */
};

struct coarray {
  struct array array; /* of each image; dims may be 0 */
  int codims, codim[DIMS];
};

struct scalar {
  const char *name;
  int type;
};

/* What can be named now; a block's end takes away what it declared. */
struct scope {
  struct nodes *nodes[NAMES_MOST];
  struct template_ *template_[NAMES_MOST];
  struct array *array[NAMES_MOST];
  struct scalar *scalar[NAMES_MOST];
  struct coarray *coarray[NAMES_MOST];
  int nodes_count, templates, arrays, scalars, coarrays;
};
extern struct scope scope;
extern int executing; /* how many nodes execute here */
extern int in_block;
extern int in_function; /* which may return here */
extern int checks;      /* checksums of all arrays after each statement */

void mapping_declare(int templates); /* nodes, templates and arrays */
void templates_fix(int from);
void mapping_fix(int from, int arrays_from); /* templates that are fixed later, and pointers */
/* A list in brackets, given in C's order. */
const char *axes_text(int square, int n, const char *const list[]);
int is_distributed(const struct array *a, int k);
/* How many nodes have an index of a dimension, in their part or in its shadow. BLOCK and GBLOCK only. */
int holders(const struct array *a, int k, int index);

/* ---- array.c ---- */

void array_declare(const struct template_ *t);
/* A second array with the first one's mapping, for stencils. */
void array_repeat(const struct array *a);
/* An array that is replicated over one of the first one's dimensions. */
void array_rows(const struct array *a);
void scalars_declare(void);
void pointer_allocate(const struct array *a);
struct array *array_draw(void); /* a global one; NULL: there is none */
struct array *local_declare(int type, int dims, const int *extent);
const char *declaration_of(const struct array *a, const char *name);
void array_check(const struct array *a); /* prints its values' checksum */
void array_fill(const struct array *a);

/* ---- nest.c ---- */

void loop_fill(struct array *a);      /* sets all elements */
void loop_normalise(struct array *a); /* brings values back to small ones */
void loop_sum(const struct array *a); /* prints a weighed sum of the elements */
const char *value_plain(void);        /* of scalars and local arrays alone */

/* ---- loop.c, stencil.c, reduction.c ---- */

void loop_draw(void);
void loop_nodes_draw(void);
/* These, and those of gmove.c that return int, return 0 where the arrays at hand do not do, having written
 * nothing. */
int loop_rows_draw(void);
int loop_periodic_draw(void);
int reduce_shadow_draw(void);
int loop_expand_draw(void);
const struct array *shadowed_draw(const struct template_ *t, const struct array *other);
int stencil_write(struct array *a, const struct array *b, int periodic);
void reduction_write(struct array *a);
/* Where not all nodes have the value, the first one of p tells it to the others. */
void bcast_from_first(const struct nodes *p, const char *name);

/* ---- gmove.c ---- */

void gmove_draw(void);
int gmove_task_draw(void); /* with arrays outside of the executing nodes */

/* ---- assignment.c ---- */

int array_directive_draw(void);
void assignment_draw(void);

/* ---- task.c ---- */

/* Some of the executing nodes, as a reference, and how many; NULL: there is no array of them. */
const char *nodes_draw(int *count);
int task_draw(void); /* 0: there are no nodes */

/* ---- names.c ---- */

void names_hide(void);
const char *names_function_write(void); /* returns a call of it */

/* ---- function.c ---- */

void block_variables_write(void);
void block_write(void);
const char *function_draw(void); /* returns a call of it */

/* ---- coarray.c ---- */

void coarrays_declare(void);
int coarray_phase_draw(void); /* 0: there are too few */

/* ---- construct.c ---- */

void construct_draw(void);
int sets_draw(void); /* sets.c */
void task_element_draw(void);

#endif
