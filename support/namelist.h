/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Lists of names in the environment, some of them with a number: "inject,room:7". */
#ifndef SUPPORT_NAMELIST_H
#define SUPPORT_NAMELIST_H
#include <stddef.h>
#include <stdint.h>

struct pst_name {
  const char *text; /* NULL after the last */
  uint32_t bit;     /* 0: a number follows the name */
  size_t at;        /* that number is a uint32_t at this offset of `numbers`, */
  int64_t least;    /* and at least this */
};
enum { PST_NAMELIST_MOST = 1 << 30 }; /* the largest number */

/* PST_OK or an error; then bits and numbers may have changed in part. */
int pst_namelist_parse(const struct pst_name *known, const char *text, uint32_t *bits, void *numbers);

#endif
