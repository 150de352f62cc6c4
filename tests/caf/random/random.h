/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Writes random programs with Fortran's coarrays, and what they print. A model of all images' data goes
 * along: each statement is carried out in it before it is written. Between two statements that synchronise
 * all images no image may touch what another one writes: a statement that would is not written. So the
 * program has one meaning. All numbers are small, and halves at most, so that no conversion or order of
 * operations changes them.
 *
 * gfortran 12 computes wrong places for some references, which the programs leave out: sections of components
 * of arrays of a derived type, and static complex scalars. */
#ifndef TESTS_CAF_RANDOM_H
#define TESTS_CAF_RANDOM_H

#include <stddef.h>

#include "random/draw.h"

enum { IMAGES = 8, RANKS = 4, ELEMENTS = 400, VARIABLES = 100, LENGTH = 8 };

/* ---- lines.c ---- */

/* The program, and what it prints. */
void files_open(const char *directory);
void line(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void indent(int by);
void print_line(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* ---- image.c: who executes ---- */

struct context {
  int images;                /* of the program */
  int teams;                 /* side by side */
  int in_team;               /* within a change team construct */
  int me[IMAGES], n[IMAGES]; /* of each image, in its team */
};
extern struct context context;

void images_begin(int n);
void images_divide(int teams);
/* The image, from 0 on, that has an index in the team of another one. */
int image_at(int image, int index);

/* An image index as each image computes it, from `me` and `n`. */
struct target {
  int is_fixed, k;
};
struct target target_draw(void);
int target_index(struct target t, int image);
const char *target_text(struct target t);

/* Which images execute a statement. */
struct guard {
  enum { ALL, ONE, SOME } who;
  int k;
};
struct guard guard_draw(void);
int guard_has(struct guard g, int image);
const char *guard_text(struct guard g); /* "if (...) ", or "" */

/* ---- value.c ---- */

enum class { INTEGER, REAL, COMPLEX, LOGICAL, CHARACTER, CLASSES };
struct type {
  enum class class;
  int kind, length; /* length: of characters */
};
struct value {
  long re, im; /* halves; re of a logical value is 0 or 1 */
  char text[LENGTH + 1];
};
struct type type_draw(void);
struct type type_draw_like(struct type t); /* one that can be assigned to, or from, such a variable */
const char *type_text(struct type t);
int type_is_number(struct type t);
/* 0: it does not fit. */
int value_convert(struct type to, struct type from, struct value *v);
struct value value_add(struct value a, struct value b);
long value_limit(struct type t);
/* The k-th value on an image, and the text of the expression of k and me0. */
struct value value_fill(struct type t, int seed, int image, int k);
const char *fill_text(struct type t, int seed, const char *k);
unsigned long value_hash(unsigned long h, struct type t, const struct value *v);

/* ---- variable.c ---- */

struct cell {
  struct value value;
  int writer, reader; /* since all have synchronised: an image, NOBODY, or MANY */
};
enum { NOBODY = -1, MANY = -2 };
struct variable {
  const char *base, *member; /* base[image]member(subscripts) */
  const char *declaration;   /* NULL: of an object */
  struct type type;
  int rank, lower[RANKS], extent[RANKS], size;
  int is_coarray, is_allocatable;
  int is_component;                         /* of an object with allocatable components */
  enum { ABSENT, PRESENT, OF_TEAM } exists; /* OF_TEAM: until the team ends */
  int colower, coextent;                    /* coextent 0: one codimension, else that of the first one */
  struct cell *cell[IMAGES];
};
extern struct variable variable[VARIABLES];
extern int variables;

struct variable *variable_new(const char *base, const char *member, struct type t, int rank);
void variables_declare(void);
void variable_allocate(struct variable *v);
void variable_fill(struct variable *v);
void variable_print(const struct variable *v);
struct variable *variable_draw(int coarray); /* NULL: there is none */
/* All have synchronised. */
void phase_end(void);
/* Whether the statement under way may do it, and a note that it does. */
int cell_may(struct cell *c, int image, int write);
void cell_note(struct cell *c, int image, int write);

/* ---- section.c ---- */

struct section {
  int rank;
  struct subscript {
    enum { INDEX, OWN, TRIPLET, VECTOR } form; /* OWN: an index that depends on the image */
    int first, step, count, list[16];
  } by[RANKS];
};
/* Its dimensions that are no indices. */
struct shape {
  int rank, count[RANKS];
};
struct section section_draw(const struct variable *v);
/* 0: the variable has no section of that shape. */
int section_fit(const struct variable *v, const struct shape *shape, int write, struct section *s);
struct shape section_shape(const struct section *s);
int shape_size(const struct shape *s);
/* "", where it is the whole of a variable of this image, or "(...)". */
const char *section_text(const struct variable *v, const struct section *s, int is_remote);
/* The places of its elements for an image. */
int section_places(const struct variable *v, const struct section *s, int image, int *place);
int section_repeats(const struct section *s);

/* ---- assignment.c ---- */

struct reference {
  struct variable *v;
  struct section section;
  int is_remote;
  struct target target;
};
const char *reference_text(const struct reference *r);
int reference_image(const struct reference *r, int image);
int assignment_draw(void); /* 0: nothing has been written, as below */

/* ---- object.c ---- */

void objects_declare(void);
void types_declare(void);
void objects_begin(void);
int object_draw(void);

/* ---- control.c ---- */

void sync_draw(void);
int collective_draw(void);
int atomic_draw(void);
int lock_draw(void);
int allocation_draw(void);
void control_declare(void);
void control_begin(void);
void control_print(void);
void team_begin(int teams);
void team_end(void);

#endif
