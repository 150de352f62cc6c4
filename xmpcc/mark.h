/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Line marks of preprocessors: # 12 "file" 1 3 4. Any bytes give a mark. */
#ifndef XMPCC_MARK_H
#define XMPCC_MARK_H

enum { MARK_ENTER = 1, MARK_LEAVE = 2, MARK_SYSTEM = 4, MARK_LINES_MOST = 2000000000 };

struct mark {
  unsigned line;  /* of the line after it */
  unsigned flags; /* enters a file, comes back to it, it is a system header */
  char *file;     /* the caller frees it; NULL: the same as before */
};

/* at: the number. */
struct mark mark_read(const char *at, const char *end);

#endif
