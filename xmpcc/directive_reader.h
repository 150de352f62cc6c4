/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What the readers of directives share. A reader goes through the tokens of one directive. The first error is
 * printed; the reader then stands at the end of the directive, where nothing can be read, and errors that
 * follow from the first one are not printed. So functions go on after an error, and need not look for one,
 * but they must end when the tokens do. */
#ifndef XMPCC_DIRECTIVE_READER_H
#define XMPCC_DIRECTIVE_READER_H
#include "xmpcc/directive.h"
#include "xmpcc/memory.h"

struct reader {
  const struct token *whole; /* the TOKEN_DIRECTIVE */
  const struct token *at;
  const char *name; /* of the directive, for messages; long-lived */
  int fortran, failed;
  struct arena arena; /* what the directives consist of */
  struct directive *directive;
  int count;
};

/* ---- directive_reader.c: tokens ---- */

void reader_error(struct reader *r, const struct token *at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* For messages: the token in quotes, or "the end of the directive"; and a range of tokens in quotes. */
const char *reader_quote(struct reader *r, const struct token *t);
const char *reader_quote_range(struct reader *r, const struct token *first, const struct token *last);
/* Zeroed memory that lives as long as the directives. */
void *reader_take(struct reader *r, size_t size);
/* A list of count elements that has room for one more: the same, or a larger copy. */
void *reader_grow(struct reader *r, void *list, int count, size_t size);
struct directive *reader_add(struct reader *r, const struct directive *d);

/* Steps over this punctuation or word, if it is here. */
int reader_accept(struct reader *r, const char *punctuation);
int reader_accept_word(struct reader *r, const char *word);
/* An error where it is not here; right: what to write. */
void reader_expect(struct reader *r, const char *punctuation, const char *right);
const struct token *reader_name(struct reader *r, const char *what);
int reader_is_opening(const struct reader *r); /* at [ or ( */
int reader_is_double_colon(const struct reader *r);

/* How many letters to change, add, leave out or exchange with the next one to make the word of the token. */
size_t word_distance(const struct token *t, const char *word);

/* ---- directive_reader.c: expressions ---- */

/* Up to a comma, a colon that belongs to no conditional, or a bracket that was not opened in it. It may be
 * empty. */
struct expression reader_expression(struct reader *r);
int reader_same(const struct reader *r, const struct token *a, const struct token *b);
/* The value of an expression whose value can be seen; 0 where it cannot. */
int reader_constant(const struct reader *r, const struct expression *e, long long *value);
/* Sets b and c of an item (directive.h). */
void item_split(struct item *i);

/* ---- directive_list.c ---- */

enum { /* the items that a list may have */
  ITEMS_EXPRESSION = 1,
  ITEMS_NAME = 2,
  ITEMS_PAIR = 4, /* a:b, both given */
  ITEMS_TRIPLET = 8,
  ITEMS_STAR = 16,
  ITEMS_COLON = 32,
  ITEMS_FORMAT = 64
};
struct list_rule {
  const char *what; /* "a size of nodes" */
  const char *right;
  unsigned items;
  const char *flag; /* the word that may stand in slashes before an item, or NULL */
  int bounded;      /* whether `least` counts */
  long long least;  /* constants below are errors */
};
extern const struct list_rule list_of_subscripts; /* of nodes, templates and array sections */

/* Reads [..][..] or (.., ..), which must be here. */
struct list list_read(struct reader *r, const struct list_rule *rule);
/* Reads .., .. up to the ) that closes a clause, and that too. */
struct list list_read_rest(struct reader *r, const struct list_rule *rule);
/* A name, and where `member` is set s.m; with a list, if it is here and rule is not NULL. */
enum { MEMBER_OF_TAG = 1, MEMBER_OF_ANY = 2 }; /* s.m, also s->m */
struct reference reference_read(struct reader *r, const char *what, int member, const struct list_rule *rule);
/* What stands after on and from: nodes or a template with subscripts, or *. */
struct reference reference_read_on(struct reader *r, const char *what);
/* The list of an array must be in square brackets in C unless it has one item. */
void reference_check_array(struct reader *r, const struct reference *a);
void reader_add_object(struct reader *r, struct directive *d, const struct reference *object);

/* ---- directive_declare.c: declarations, and template_fix ---- */

void nodes_read(struct reader *r, struct directive *d);
void template_read(struct reader *r, struct directive *d);
void distribute_read(struct reader *r, struct directive *d);
void align_read(struct reader *r, struct directive *d);
void shadow_read(struct reader *r, struct directive *d);
void coarray_read(struct reader *r, struct directive *d);
void template_fix_read(struct reader *r, struct directive *d);

/* Parts of these, for the combined form: what follows an object. */
void nodes_read_sizes(struct reader *r, struct list *sizes);
void nodes_read_parent(struct reader *r, struct directive *d);
void template_read_bounds(struct reader *r, struct list *bounds);
void distribute_read_formats(struct reader *r, struct list *formats);
void distribute_read_onto(struct reader *r, struct directive *d);
void align_read_source(struct reader *r, struct list *source);
void align_read_with(struct reader *r, struct directive *d);
void align_check(struct reader *r, const struct directive *d);
void shadow_read_widths(struct reader *r, struct list *widths);

/* ---- directive_combined.c: attribute, attribute,.. :: name,.. ---- */

int combined_is(const struct token *list); /* whether the directive that begins there is one */
void combined_read(struct reader *r);

/* ---- directive_clause.c ---- */

enum {
  CLAUSE_ON = 1,
  CLAUSE_FROM = 2,
  CLAUSE_WIDTH = 4,
  CLAUSE_ORTHOGONAL = 8,
  CLAUSE_ASYNC = 16,
  CLAUSE_REDUCTION = 32,
  CLAUSE_EXPAND = 64,
  CLAUSE_MARGIN = 128,
  CLAUSE_PEEL_AND_WAIT = 256,
  CLAUSE_NOCOMM = 512,
  CLAUSE_IN = 1024,
  CLAUSE_OUT = 2048,
  CLAUSE_ACQUIRED_LOCK = 4096,
  CLAUSE_STAT = 8192
};
/* Reads all that is left: clauses of this set in any order, and the words that are ignored. */
void clauses_read(struct reader *r, struct directive *d, unsigned allowed);
/* (operation : variable,..) */
void reduction_read(struct reader *r, struct directive *d);

/* ---- directive_construct.c: what stands before the clauses of an executable directive ---- */

void loop_read(struct reader *r, struct directive *d);
void loop_check(struct reader *r, const struct directive *d);
void reflect_read(struct reader *r, struct directive *d);
void bcast_read(struct reader *r, struct directive *d);
void wait_async_read(struct reader *r, struct directive *d);
void post_read(struct reader *r, struct directive *d);
void wait_read(struct reader *r, struct directive *d);
void lock_read(struct reader *r, struct directive *d);
void image_read(struct reader *r, struct directive *d);
void names_read(struct reader *r, struct directive *d); /* :: name,.. */
void end_read(struct reader *r, struct directive *d);

#endif
