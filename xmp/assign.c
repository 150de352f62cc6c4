/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What array assignments need: memory for their right sides, and what is said of wrong lengths. */
#include <stdlib.h>

#include "xmp/internal.h"

void *pst_xmp_buffer(const char *where, unsigned long size)
{
  void *const p = malloc(size ? size : 1);
  if (!p) pst_xmp_fatal(where, "no memory for %lu bytes of an array assignment's right side", size);
  return p;
}

void pst_xmp_buffer_free(void **buffer) { free(*buffer); }

void pst_xmp_length_wrong(
    const char *where, const char *name, int dimension, pst_xmp_index_t length, pst_xmp_index_t right)
{
  pst_xmp_fatal(where, "the section of %s has %lld elements in its dimension %d, and the left side %lld",
      name, right, dimension + 1, length);
}
