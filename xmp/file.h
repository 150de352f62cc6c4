/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Parallel files (xmp_io.h): an open file on each node, and a pointer that all share. */
#ifndef XMP_FILE_H
#define XMP_FILE_H

#include <xmp_io.h>

#include "xmp/array.h"
#include "xmp/own.h"

/* A part of a global array. */
struct pst_xmp_file_range {
  int dims;
  struct {
    int is_set;
    pst_xmp_index_t lower, length, step;
  } dim[PST_XMP_DIMENSIONS];
};

/* The elements of such a part that this node owns, in the array's order, which is the file's. */
struct pst_xmp_parts {
  int dims;
  size_t size; /* of an element */
  long long owned, all;
  struct pst_xmp_own dim[PST_XMP_DIMENSIONS];
};
/* `call`: for messages. Ends the job where the range does not fit the array. */
void pst_xmp_parts_open(const char *call, struct pst_xmp_parts *p, const struct pst_xmp_array_full *a,
    const struct pst_xmp_file_range *range);
void pst_xmp_parts_close(struct pst_xmp_parts *p);
/* The place, among all elements of the part, of number j of this node's; j < owned. k: [dims] its place in
 * each dimension. *more: how many of them follow each other from there on. */
long long pst_xmp_parts_element(
    const struct pst_xmp_parts *p, long long j, pst_xmp_index_t k[], pst_xmp_index_t *more);

struct pst_xmp_file {
  int fd;
  int reads, writes;
  struct pst_xmp_group *group; /* the nodes that opened it: a reference */
  long long pointer;           /* bytes of the file, or of the view */
  gasnet_node_t shared_node;   /* where the shared pointer lies, and as that node sees it */
  uint64_t *shared;
  uint64_t *block; /* of this node's heap: the first node's is the shared pointer */
  int has_view;
  long long displacement; /* of the view */
  struct pst_xmp_parts view;
};

long long pst_xmp_file_size(const xmp_file_t *f);
/* The largest number of all nodes of the group. */
int pst_xmp_file_most(struct pst_xmp_group *g, int value);

/* ---- transfers of several pieces (file_batch.c) ---- */

/* Pieces in ascending places of the file. Those that follow each other closely are read or written at once.
 */
struct pst_xmp_batch;
struct pst_xmp_batch *pst_xmp_batch_open(const char *call, int fd, int writes);
/* [memory, memory + nbytes) is read from or written to the file's bytes from `place` on. Nothing is done any
 * more after an error or the end of the file. */
void pst_xmp_batch_add(struct pst_xmp_batch *b, long long place, void *memory, size_t nbytes);
/* Bytes read or written; negative, with errno, after an error. */
ssize_t pst_xmp_batch_close(struct pst_xmp_batch *b);

#endif
