/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Declarations of C, as deep as the translator needs: which names they declare, and as what. Declarations of
 * all C standards and of gcc's and clang's extensions pass; what is not understood is skipped. */
#ifndef XMPCC_DECLARATION_H
#define XMPCC_DECLARATION_H
#include "xmpcc/directive.h"
#include "xmpcc/scope.h"

enum { STORAGE_TYPEDEF = 1, STORAGE_EXTERN = 2, STORAGE_STATIC = 4 };

struct specifiers {
  const struct token *first, *last; /* last is not included; equal: there are none (old C) */
  unsigned storage;
  const struct token *body; /* the { of a struct, union or enum; NULL */
  const struct token *tag;  /* of it */
  int is_enum;
};

/* One name: `first` up to `last`, not included, without initializer, and without attributes behind it. */
struct declarator {
  struct specifiers specifiers;
  const struct token *first, *last, *name;
  struct expression *dim; /* [dims]: the brackets directly behind the name */
  int dims;
  int pointer;               /* the name is declared as *name */
  const struct token *star;  /* of that: its * */
  const struct token *inner; /* the ( of (*name), or NULL */
  struct expression *row;    /* [rows]: brackets behind (*name) */
  int rows;
  int function;               /* a ( follows the name */
  const struct token *codims; /* the : of a coarray's codimensions, which end at codims_last; NULL */
  const struct token *codims_last;
  const struct token *initializer; /* the = , or NULL */
  const struct token *end;         /* what follows: , ; or { */
  const struct declarator *type;   /* the typedef that the last of dim or row are of; NULL */
};

struct declaration {
  struct specifiers specifiers;
  struct declarator *declarator; /* [count] */
  int count;
  const struct token *end; /* the ; or, of a function's definition, its { ; TOKEN_END in broken text */
  const struct token *old; /* of a definition in old C: the first declaration of parameters; else NULL */
};

/* Does a declaration begin at t, where a statement might? */
int declaration_begins(const struct scope *scope, const struct token *t);
/* Reads the declaration at t. Its names are not added to the scope, but for enumerators. */
void declaration_read(struct scope *scope, const struct token *t, struct declaration *d);
/* The parameters between ( and ), of which open is the (. */
void declaration_read_parameters(struct scope *scope, const struct token *open, struct declaration *d);

/* typedef double grid[N][M]; grid a, b[3], *c; : adds the brackets of the type, whose name is in the
 * scope. */
void declarator_complete(const struct scope *scope, struct declarator *d);

/* The type of the declarator's elements, as a type name: of an array's elements, or of what a pointer points
 * to, likewise with the rows of (*name)[..] away. */
const char *declarator_element(const struct declarator *d);
/* The specifiers without words of storage, and a body without its members. */
const char *specifiers_text(const struct specifiers *s);

#endif
