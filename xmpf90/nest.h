/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Constructs that are open while units are read: which END and which label ends which loop. */
#ifndef XMPF90_NEST_H
#define XMPF90_NEST_H
#include "xmpf90/unit.h"

struct nest {
  struct units *all;
  struct nest_entry *entry; /* [count] */
  size_t count, capacity;
  size_t *base; /* [bases]: where the constructs of each open unit begin */
  size_t bases, base_capacity;
};
void nest_open(struct nest *n, struct units *all);
void nest_close(struct nest *n);
/* A unit begins, and ends with whatever is open in it. */
void nest_enter(struct nest *n);
void nest_leave(struct nest *n);

/* The statement k begins a construct, if it is such a one. */
void nest_begin(struct nest *n, size_t k);
/* It is an END.. of a construct. */
void nest_end(struct nest *n, size_t k);
/* Its label ends the loops that name it; says whether there are any. */
int nest_label(struct nest *n, size_t k);

#endif
