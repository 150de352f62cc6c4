/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Reductions, as collectives use them. */
#ifndef TEAMS_REDUCTION_H
#define TEAMS_REDUCTION_H
#include "penstock/x_reduction.h"

struct pst_reduction {
  gasnetx_reduce_fn combine;
  void *context;
  size_t size; /* bytes of an element */
  int commutes;
  uint32_t code; /* the same at two members: type, operation and size of the elements are */
};

/* Finds the kernel of this processor, or takes the client's function. Returns NULL, or what is wrong with r;
 * that text stays until the thread's next call. */
const char *pst_reduction_resolve(const gasnetx_reduction_t *r, struct pst_reduction *out);

/* Writes what a code stands for, of at most n bytes with the 0 at its end. The code may be any number. */
void pst_reduction_describe(uint32_t code, char *text, size_t n);

#endif
