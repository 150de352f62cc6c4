/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Lists of names in the environment, some of them with a number: "inject,room:7". A list fills a structure
 * that has a uint32_t for each name: its number, or 1, where the list has the name, else 0. */
#ifndef SUPPORT_NAMELIST_H
#define SUPPORT_NAMELIST_H
#include <stddef.h>
#include <stdint.h>

struct pst_name {
  const char *text; /* NULL after the last */
  size_t at;        /* the offset of its member */
  uint32_t least;   /* a number follows the name, and is at least this; 0: the name stands alone */
};
#define PST_NAME(type, member) .text = #member, .at = offsetof(type, member)
enum { PST_NAMELIST_MOST = 1 << 30 }; /* the largest number */

/* PST_OK, or an error with nothing changed. A text that is NULL is an empty list. Where `result`, of `size`
 * bytes, is NULL, the text is checked only. */
int pst_namelist_parse(const struct pst_name *known, const char *text, void *result, size_t size);

#endif
