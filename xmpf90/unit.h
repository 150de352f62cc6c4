/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Program units, and what is in them: the tree of scopes, the names that they declare, what they use, and
 * loops. Whatever the statements are, there is a tree: an end that belongs to nothing is passed over. */
#ifndef XMPF90_UNIT_H
#define XMPF90_UNIT_H
#include "xmpcc/expression.h"
#include "xmpcc/table.h"
#include "xmpf90/line.h"

enum unit_kind {
  UNIT_FILE, /* all of it */
  UNIT_PROGRAM,
  UNIT_MODULE,
  UNIT_SUBMODULE,
  UNIT_BLOCK_DATA,
  UNIT_SUBROUTINE,
  UNIT_FUNCTION,
  UNIT_PROCEDURE, /* a submodule's MODULE PROCEDURE */
  UNIT_INTERFACE,
  UNIT_TYPE, /* its names are the components */
  UNIT_ENUM, /* its names belong to the scope around it */
  UNIT_BLOCK
};

enum {
  SYMBOL_ALLOCATABLE = 1,
  SYMBOL_POINTER = 1 << 1,
  SYMBOL_TARGET = 1 << 2,
  SYMBOL_SAVE = 1 << 3,
  SYMBOL_PARAMETER = 1 << 4,
  SYMBOL_INTENT_IN = 1 << 5,
  SYMBOL_INTENT_OUT = 1 << 6,
  SYMBOL_OPTIONAL = 1 << 7,
  SYMBOL_VALUE = 1 << 8,
  SYMBOL_EXTERNAL = 1 << 9,
  SYMBOL_INTRINSIC = 1 << 10,
  SYMBOL_CONTIGUOUS = 1 << 11,
  SYMBOL_VOLATILE = 1 << 12,
  SYMBOL_ASYNCHRONOUS = 1 << 13,
  SYMBOL_PROTECTED = 1 << 14,
  SYMBOL_PUBLIC = 1 << 15,
  SYMBOL_PRIVATE = 1 << 16,
  SYMBOL_BIND = 1 << 17,
  SYMBOL_COMMON = 1 << 18,
  SYMBOL_EQUIVALENCE = 1 << 19,
  SYMBOL_NAMELIST = 1 << 20,
  SYMBOL_INITIAL = 1 << 21, /* by = or =>, or in a DATA statement */
  SYMBOL_DUMMY = 1 << 22,
  SYMBOL_RESULT = 1 << 23,
  SYMBOL_PROCEDURE = 1 << 24, /* a procedure, or a pointer to one */
  SYMBOL_TYPE = 1 << 25,      /* the name of a type */
  SYMBOL_STATEMENT_FUNCTION = 1 << 26
};

/* One dimension. a and b are the bounds as they were written. */
enum bound_kind {
  BOUND_EXPLICIT,      /* b, a:b */
  BOUND_DEFERRED,      /* : of allocatables and pointers; of a dummy argument the assumed shape */
  BOUND_ASSUMED_LOWER, /* a: */
  BOUND_ASSUMED_SIZE,  /* *, a:* */
  BOUND_ASSUMED_RANK   /* .. */
};
struct bound {
  enum bound_kind kind;
  struct expression a, b;
};

struct symbol {
  const char *name;         /* in small letters */
  const struct token *at;   /* where it came first */
  struct expression type;   /* real(8); empty: implicit, or none */
  struct expression length; /* of name*8 */
  struct expression initial;
  unsigned attributes;
  struct bound *bound; /* [rank] */
  int rank;
  struct expression codimension; /* within [ ] */
  int dummy;                     /* its number as a dummy argument, from 1 */
  size_t statement;              /* its declaration; that of the type, where several are */
  struct unit *unit;
};

struct use_name {
  const struct token *local, *remote; /* the same where it is not renamed */
};
struct use {
  const struct token *module;
  int only;              /* nothing else */
  struct use_name *name; /* [count] */
  int count;
  size_t statement;
};

struct unit {
  enum unit_kind kind;
  const struct token *name; /* NULL: none */
  struct unit *parent, *child, *next, *last_child;
  size_t first, last;    /* statements, both included; of a main program without PROGRAM its first one */
  size_t executable;     /* the first one that is; SIZE_MAX: none */
  size_t contains;       /* SIZE_MAX: none */
  struct table names;    /* struct symbol */
  struct symbol **dummy; /* [dummies]; NULL is * */
  int dummies;
  struct symbol *result; /* of a function */
  struct use *use;       /* [uses] */
  int uses;
  struct expression implicit[26]; /* empty: as the host, at last integer and real */
  int is_implicit_none;
  int imports_all;             /* of an interface's procedure */
  const struct token **import; /* [imports] */
  int imports;
  int saves_all;
};

struct loop_index {
  const struct token *variable;
  struct expression begin, end, step; /* step may be empty */
};
struct loop {
  size_t first, last; /* the DO, and the END DO or the statement with the label; SIZE_MAX: it has no end */
  struct loop *outer;
  struct loop_index *index; /* [count]: 0 of DO WHILE and DO; several of DO CONCURRENT */
  int count;
  struct expression mask, type; /* of DO CONCURRENT; type: integer(8) :: i = .. */
  int is_concurrent;
  int is_shared; /* its last statement ends another loop, too */
};

struct units {
  struct lines *l;
  struct unit *file;
  struct unit *
      *of; /* [l->count]: which unit a statement belongs to; those that begin and end one are of it */
  struct loop **loop; /* [l->count]: the loop that begins there; NULL: none */
  struct arena arena;
};

/* Lines live longer than units. Tells statement functions from assignments. */
struct units *units_read(struct lines *l);
void units_free(struct units *u);

/* A name of the unit alone; NULL: it declares none. */
struct symbol *unit_own(const struct unit *u, const struct token *name);
/* By host association, and by use association from modules of this source. *is_open says whether it may be of
 * a module that is elsewhere where NULL is given. */
struct symbol *unit_find(
    const struct units *all, const struct unit *u, const struct token *name, int *is_open);
struct unit *units_module(const struct units *all, const struct token *name);
/* The type of a name that no statement gives one: tokens of IMPLICIT, or empty: integer for i to n, else
 * real. 0: implicit none. */
int unit_implicit(const struct unit *u, const struct token *name, struct expression *type);

#endif
