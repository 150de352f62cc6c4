/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A nest of loops under a loop directive. It sets one array, whose elements lie where the iterations run, and
 * reads what the same nodes own, or have in shadows. */
#ifndef TESTS_XMP_RANDOM_NEST_H
#define TESTS_XMP_RANDOM_NEST_H
#include "random.h"

enum { VARIABLES = 2 * DIMS };
struct variable {
  const char *name, *type; /* type NULL: it is declared before */
  int axis, on;            /* of the template; its index is the variable plus this. axis -1: a plain loop */
  int low, high;           /* what the arrays allow */
};

/* What one dimension of an array may be read beyond its own elements. */
struct reach {
  int lower, upper, is_full, is_periodic;
};

struct nest {
  const struct template_ *t;
  struct variable v[VARIABLES];
  int variables, of_axis[DIMS], of_dim[DIMS]; /* of the dimensions of the array that is set */
  int order[VARIABLES], full;
  const char *clause, *body; /* further clauses; the innermost statement */
  const char *before;        /* statements before it, which its value needs */
  int collapse;              /* by OpenMP: how many loops */
  int split;                 /* an inner directive stands before this loop; 0: none */
  int openmp;                /* iterations may run at the same time */
};

extern const struct reach *const no_reach; /* [DIMS] */
/* The loops over the array's elements; the caller gives the body and the clauses. */
void nest_begin(struct nest *n, const struct array *a);
/* The element of the array that is set. */
const char *target(const struct nest *n, const struct array *a);
/* An element of b that the executing node has, at some distance. NULL: it may have none. Narrows the loops.
 * faces: at most one dimension is beyond the own elements. */
const char *reference(struct nest *n, const struct array *b, const struct reach *reach, int faces);
const char *value(struct nest *n, const struct array *not_read);
const char *header(const struct nest *n, int at);
void directive(const struct nest *n, int from, int to, const char *clause);
void nest_write(struct nest *n);

#endif
