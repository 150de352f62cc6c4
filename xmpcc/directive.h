/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Directives as structures: one grammar for C and Fortran. What is an expression stays a range of tokens,
 * which whoever uses it reads with expression rules of the language. Lists are kept as they were written,
 * with their brackets: who uses them brings both forms into the order of dimensions of C (directive_order).
 *
 * Widths of expand, margin and peel_and_wait belong to the subscripts of the on clause, the k-th to the k-th;
 * those of reflect and reduce_shadow to the dimensions of the array as its language orders them. Both are in
 * round brackets always, which say nothing of their order. */
#ifndef XMPCC_DIRECTIVE_H
#define XMPCC_DIRECTIVE_H
#include "xmpcc/expression.h"

enum directive_kind {
  DIRECTIVE_NODES,
  DIRECTIVE_TEMPLATE,
  DIRECTIVE_DISTRIBUTE,
  DIRECTIVE_ALIGN,
  DIRECTIVE_SHADOW,
  DIRECTIVE_COARRAY,
  DIRECTIVE_TEMPLATE_FIX,
  DIRECTIVE_TASK,
  DIRECTIVE_TASKS,
  DIRECTIVE_END, /* end task, end tasks: nothing in C */
  DIRECTIVE_LOOP,
  DIRECTIVE_ARRAY,
  DIRECTIVE_REFLECT,
  DIRECTIVE_REDUCE_SHADOW,
  DIRECTIVE_GMOVE,
  DIRECTIVE_BARRIER,
  DIRECTIVE_REDUCTION,
  DIRECTIVE_BCAST,
  DIRECTIVE_WAIT_ASYNC,
  DIRECTIVE_POST,
  DIRECTIVE_WAIT,
  DIRECTIVE_LOCK,
  DIRECTIVE_UNLOCK,
  DIRECTIVE_IMAGE,
  DIRECTIVE_HINT /* static_desc, save_desc: accepted, and ignored */
};

/* One entry of a list in brackets. */
enum item_kind {
  ITEM_EXPRESSION, /* a */
  ITEM_TRIPLET,    /* a:b:c, each may be empty; which is what depends on the bracket */
  ITEM_STAR,       /* * */
  ITEM_COLON,      /* : alone */
  ITEM_BLOCK,
  ITEM_CYCLIC, /* of distribute: a is the width, or empty */
  ITEM_GBLOCK  /* a: the map; empty: * or nothing */
};
struct item {
  enum item_kind kind;
  /* A subscript of a loop's on clause or of align's with clause that is an EXPRESSION: a is the whole. Where
   * it is a name alone, or a name + or - something, b is the name and c the rest with its sign, so that
   * "(long long)0" before c gives the offset. Else both are empty. */
  struct expression a, b, c;
  int parts; /* of a TRIPLET: 2, or 3 where a second colon stands */
  int flag;  /* /periodic/ or /unbound/ before it */
  const struct token *at;
};
struct list {
  struct item *item; /* [count] */
  int count;
  int square; /* [..][..], else (.., ..) */
  const struct token *at;
};

/* A name with a list, which may be empty: t[i][j], p(*), a[i]; on * has no name. */
struct reference {
  const struct token *name;   /* NULL: there is none. "*" alone, "**" alone: that token */
  const struct token *member; /* s.m: m, and name is s */
  struct list list;
};

struct reduction_variable {
  const struct token *name;
  const struct token *member;
  struct list section;           /* bcast's a[..] */
  const struct token **location; /* [locations] */
  int locations;
};
struct reduction {
  const struct token
      *operation; /* + * - & | ^ && || max min firstmax ...; Fortran's, too (.and.: one token) */
  struct reduction_variable *variable;
  int count;
};

enum {
  DIRECTIVE_NOCOMM = 1,
  DIRECTIVE_ORTHOGONAL = 2,
  DIRECTIVE_ASYNC = 4,
  DIRECTIVE_IN = 8,
  DIRECTIVE_OUT = 16
};
enum loop_form { LOOP_PLAIN, LOOP_EXPAND, LOOP_MARGIN, LOOP_PEEL_AND_WAIT };

struct directive {
  enum directive_kind kind;
  const struct token *at; /* the TOKEN_DIRECTIVE */
  unsigned flags;

  /* The object or objects: nodes' and templates' names with their lists; distribute: the template with the
   * formats; align, shadow: arrays; coarray: names with codimensions; template_fix: the template with its
   * bounds; post, wait: the node; lock, unlock: the lock; image: the nodes; reflect, reduce_shadow: arrays;
   * of a hint its names, which are arrays with `width` and the like where it is reflect_init. Nodes have one
   * object: several in one #pragma are several directives, since each may be part of others. The combined
   * form (attributes :: names) gives a directive for each attribute, in the order of directive_kind, with all
   * names.
   */
  struct reference *object;
  int objects;
  struct reference right; /* after = of nodes, onto, with, coarray on, on; of post, wait, image: the object */
  struct reference from;  /* of bcast */
  int parent;             /* of nodes: 0 no =, 1 =*, 2 =**, 3 right */
  struct list
      formats; /* of template_fix; of coarray with "name,.. : [*]" the codimensions of the last name */
  struct list variables;       /* of loop: names; count 0: left out */
  struct reduction *reduction; /* of loop and reduction */
  int reductions;
  struct reduction_variable *variable; /* of bcast, of wait_async none */
  int variable_count;
  struct list width; /* of reflect, reduce_shadow, and expand, margin, peel_and_wait */
  enum loop_form form;
  struct expression async; /* of async and peel_and_wait; of post and wait: the tag, or empty */
  struct expression *ids;  /* of wait_async */
  int id_count;
  struct reference acquired, stat; /* of lock and unlock */
  struct list coindex;             /* of lock and unlock: [..][..] after the colon */
  struct expression image;         /* of lock and unlock: the coindex where there is just one, or empty */
};

/* Reads a TOKEN_DIRECTIVE. Gives a list of directives, `count` of them: none where it is wrong, which has
 * been said in one message. The caller frees the list with directive_free. In Fortran square lists mean round
 * ones, names are compared without case, % precedes members, and its reader of tokens gives operators as
 * .and. as one token, but ** and :: as two, as C's does. */
struct directive *directive_read(const struct token *t, int fortran, int *count);
void directive_free(struct directive *list, int count);

/* The number of the k-th dimension in C's order in a list: itself in square lists, counted from the end in
 * round ones. */
static inline int directive_order(const struct list *l, int k) { return l->square ? k : l->count - 1 - k; }

#endif
