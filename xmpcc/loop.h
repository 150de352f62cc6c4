/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What the parts of the loop directive's translation share. */
#ifndef XMPCC_LOOP_H
#define XMPCC_LOOP_H
#include "xmpcc/unit.h"

/* ---- loop_header.c ---- */
struct header {
  const struct token *begin, *open, *close; /* for ( ) */
  const struct token *name;
  const char *type; /* of the control variable */
  int declared;     /* in the header */
  struct expression lower, bound, condition, increment;
  int equal, down;          /* <= or >=; the index goes down */
  int unequal;              /* != : the step says which way the index goes */
  const char *step;         /* signed */
  struct expression stride; /* what it is made of; empty: of nothing that varies */
  int step_varies;          /* its value is not seen in the text */
};
/* The header of the for at t; an error and -1 where it cannot be distributed. */
int header_read(struct unit *u, const struct token *t, struct header *h);

/* ---- loop.c ---- */
struct loop_variable *variable_find(struct loop *l, const struct token *name);

/* ---- loop_bound.c ---- */
/* The bound, of a loop that begins at first; what checks its type, where the text does not tell, is added to
 * before. */
const char *bound_text(struct unit *u, const struct header *h, const char *first, struct text *before);

/* ---- loop_body.c ---- */
/* Says where the body of a loop over the variable leaves it. last is included. */
void body_check(const struct token *first, const struct token *last, const struct token *variable);
/* Is the name at t assigned, or does ++ or -- stand beside it? */
int token_is_changed(const struct token *t);

/* ---- loop_reach.c ---- */
/* May the nest read or change the variable otherwise than by its name? */
int loop_reaches(const struct unit *u, const struct loop *l, const struct token *name);

/* ---- loop_clause.c ---- */
/* Texts that go before the nest and behind it. */
void reductions_translate(
    struct unit *u, struct loop *l, const struct directive *d, struct text *before, const char **after);

/* ---- openmp.c ---- */
/* A pragma beside the directive, whose default(none) is told of the translation's variables. */
void pragma_share(struct unit *u, const struct loop *l, const struct token *pragma);

#endif
