/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The symmetric heap, with the codes that Fortran's routines return. All PEs call these with the same
 * arguments, and wait for each other. */
#ifndef SHMEM_HEAP_H
#define SHMEM_HEAP_H
#include <stddef.h>

enum pst_shmem_heap_code {
  PST_SHMEM_HEAP_MOVED = 1, /* resize: done, elsewhere */
  PST_SHMEM_HEAP_OK = 0,
  PST_SHMEM_HEAP_LENGTH = -1, /* no bytes are wanted */
  PST_SHMEM_HEAP_FULL = -2,   /* or the PEs' arguments differ */
  PST_SHMEM_HEAP_OUTSIDE = -3,
  PST_SHMEM_HEAP_FREE = -4,
  PST_SHMEM_HEAP_INSIDE = -5 /* not at the beginning of a block */
};

void pst_shmem_heap_open(void);
/* *block is set when the code is 0. alignment: a power of two. */
int pst_shmem_heap_take(const char *call, size_t nbytes, size_t alignment, void **block);
int pst_shmem_heap_give_back(const char *call, void *block);
/* *block moves with its contents where it has to. */
int pst_shmem_heap_resize(const char *call, size_t nbytes, void **block);

#endif
