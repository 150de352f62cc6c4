/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* How a conduit tells gasnet_info what there is here. */
#ifndef CORE_INSPECT_H
#define CORE_INSPECT_H

struct pst_inspector {
  void (*fact)(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));
  /* A member of a list: the facts that follow are about it, until the next one; NULL, NULL: about the conduit
   * again. */
  void (*item)(const char *list, const char *name);
  /* Makes the memory of a host with one process: NULL, or why it cannot be made. Descriptors; huge: -1 for
   * none. */
  const char *(*memory)(int *control, int *segment, int *huge);
};

#endif
