/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What an array assignment computes once, before its loops. */
#ifndef XMPCC_ONCE_H
#define XMPCC_ONCE_H
#include "xmpcc/side.h"

struct once {
  const struct side *left;
  struct text text;        /* declarations of the variables */
  struct expression *unit; /* [count]: what a variable stands for, which has been replaced by it */
  int count;
};

/* Finds it in both sides, before they are walked, and makes it the unit's: until that is NULL again walks
 * step over what has been found. first to last: the right side. */
void once_begin(struct unit *u, struct once *o, const struct side *left, const struct token *first,
    const struct token *last);
/* May what is computed for each element see what is stored in others? */
int once_is_seen(
    struct unit *u, const struct side *left, const struct token *first, const struct token *last);

#endif
