/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmpcc/macro.h"
#include <string.h>
struct macros *macros_open(struct arena *a) { return (void)a, memory_get(1); }
#include <stdlib.h>
void macros_free(struct macros *m) { free(m); }
void macro_define(struct macros *m, const char *at, const char *end) { (void)m, (void)at, (void)end; }
void macro_undefine(struct macros *m, const char *at, const char *end) { (void)m, (void)at, (void)end; }
struct token *macros_expand(struct macros *m, const struct token *list, size_t count, const struct token *at)
{
  struct token *copy = memory_get((count + 1) * sizeof *copy);
  if (count) memcpy(copy, list, count * sizeof *copy);
  copy[count] = *at;
  copy[count].kind = TOKEN_END;
  (void)m;
  return copy;
}
