/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Sections of arrays, and the loops that they mean. These keep the right side in memory of their own before
 * they store anything. */
#ifndef TESTS_XMP_RANDOM_SECTION_H
#define TESTS_XMP_RANDOM_SECTION_H
#include "random.h"

struct section {
  const char *global, *serial; /* the subscripts */
};
struct triplet {
  int base, length, step;
};

extern const char *const counters[DIMS];
/* A triplet of this length in a dimension. */
struct triplet triplet_draw(int extent, int length);
/* extent 0: it is not known, so that the length is written. */
const char *triplet_text(struct triplet t, int extent);
const char *serial_text(struct triplet t, int at);
/* rank of the dimensions, in their order, have triplets. */
void dims_choose(int dims, int rank, int *chosen);
struct section section_of(const struct array *a, const int *chosen, const int *length);
void loops_write(int rank, const int *length);
/* left = right, with the right side as a whole first. */
void serial_write(const char *type, int rank, const int *length, const char *left, const char *right);
/* The lengths of a section that fits in both. */
void lengths_draw(
    int rank, const struct array *a, const int *in_a, const struct array *b, const int *in_b, int *length);

#endif
