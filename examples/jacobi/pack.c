/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A face packed by hand, for comparison: with strided puts nobody has to write this. Each face goes through a
 * buffer of my own and one in the neighbour's segment, of which there are two, as there are two fields. */
#include "jacobi3d.h"

void pack_open(const struct job *job, int side, int their_side, struct face *f)
{
  f->packed = malloc(f->bytes);
  if (!f->packed) stop_here(EXIT_MEMORY, "no memory for a face of %zu bytes", f->bytes);
  for (int which = 0; which < 2; which++) {
    f->landed[which] = job_buffer(job, gasnet_mynode(), side, which);
    f->to[which] = job_buffer(job, f->peer, their_side, which);
  }
}

void pack_close(struct face *f) { free(f->packed); }

/* Rows of single cells are a loop of loads and stores, for which memcpy would be a call each. */
static void pack_rows(char *to, const char *at, size_t row, size_t stride, size_t n)
{
  if (row == sizeof(double)) {
    for (size_t i = 0; i < n; i++) ((double *)to)[i] = *(const double *)(at + i * stride);
    return;
  }
  for (size_t i = 0; i < n; i++) memcpy(to + i * row, at + i * stride, row);
}

static void unpack_rows(const char *from, char *at, size_t row, size_t stride, size_t n)
{
  if (row == sizeof(double)) {
    for (size_t i = 0; i < n; i++) *(double *)(at + i * stride) = ((const double *)from)[i];
    return;
  }
  for (size_t i = 0; i < n; i++) memcpy(at + i * stride, from + i * row, row);
}

void pack_face(const struct face *f, int which)
{
  const size_t plane = f->count[0] * f->count[1], planes = f->levels == 2 ? f->count[2] : 1;
  for (size_t k = 0; k < planes; k++)
    pack_rows((char *)f->packed + k * plane, (char *)f->layer[which] + k * f->here[1], f->count[0],
        f->here[0], f->count[1]);
}

void unpack_face(const struct face *f, int which)
{
  const size_t plane = f->count[0] * f->count[1], planes = f->levels == 2 ? f->count[2] : 1;
  for (size_t k = 0; k < planes; k++)
    unpack_rows((char *)f->landed[which] + k * plane, (char *)f->ghost[which] + k * f->here[1], f->count[0],
        f->here[0], f->count[1]);
}
