/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The names that a program declares, with C's rules of scope. C's own names, tags, and the names of nodes and
 * templates are looked up apart: a local variable t does not hide a template t. */
#ifndef XMPCC_SCOPE_H
#define XMPCC_SCOPE_H
#include "xmpcc/token.h"

enum symbol_kind {
  SYMBOL_ORDINARY, /* a variable, a function, an enumerator */
  SYMBOL_TYPE,     /* of typedef */
  SYMBOL_ARRAY,    /* a global array */
  SYMBOL_COARRAY,
  SYMBOL_NODES,
  SYMBOL_TEMPLATE,
  SYMBOL_TAG /* of a structure or union that has a body */
};

struct declarator;
struct array;
struct template_info;
struct list;
struct symbol {
  enum symbol_kind kind;
  const struct token *name;
  int level;                           /* 0: of the file */
  int parameter;                       /* of a function: a pointer, where it looks like an array */
  const struct declarator *declarator; /* NULL: it has none (an enumerator, nodes, ...) */
  const struct list *sizes;            /* of nodes */
  union {
    struct array *array;
    struct template_info *template_info;
    int dims;                 /* of nodes; of a coarray its codimensions */
    const struct token *body; /* of a tag: its { */
  } of;
  unsigned hash;
  struct symbol *hidden; /* the symbol before in its chain */
  struct symbol *before; /* declared before it */
};

struct scope;
struct scope *scope_new(void); /* lives until kept_free */
void scope_open(struct scope *s);
void scope_close(struct scope *s);
int scope_level(const struct scope *s);
struct symbol *scope_add(struct scope *s, enum symbol_kind kind, const struct token *name);
/* What the name means now: of C; of nodes and templates; as a tag. NULL: nothing. */
struct symbol *scope_find(const struct scope *s, const struct token *name);
struct symbol *scope_find_mapping(const struct scope *s, const struct token *name);
struct symbol *scope_find_tag(const struct scope *s, const struct token *name);

#endif
