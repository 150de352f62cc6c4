/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* One macro: its text, and what has been read of it. */
#ifndef XMPCC_MACRO_BODY_H
#define XMPCC_MACRO_BODY_H
#include "xmpcc/memory.h"
#include "xmpcc/token.h"

enum macro_kind {
  MACRO_TEXT,
  MACRO_LINE,      /* __LINE__ */
  MACRO_FILE,      /* __FILE__ */
  MACRO_FILE_NAME, /* __FILE_NAME__ */
  MACRO_COUNTER,   /* __COUNTER__ */
  MACRO_UNDEFINED  /* there was one */
};

/* A token on its way through the expansion. */
struct macro_item {
  struct token token;
  unsigned parameter;   /* in a macro's body: the number of the one that it names, from 1 */
  unsigned char never;  /* it named a macro while that was being replaced */
  unsigned char pasted; /* ## joins it with the next one */
  unsigned char empty;  /* stands for no token, beside ## */
};

struct macro {
  const char *at, *end; /* of the definition, behind #define */
  enum macro_kind kind;
  unsigned char is_read, has_parameters, is_variadic;
  unsigned char is_changed; /* the name had another definition before */
  unsigned busy;            /* how often it is being replaced: then it is a name like others */
  unsigned parameters;
  struct macro_item *body; /* [count] */
  size_t count;
};

/* Reads the definition, once. */
void macro_read(struct macro *m, struct arena *a);

#endif
