/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* How a conduit tells gasnet_info what it finds on this host. */
#ifndef CORE_INSPECT_H
#define CORE_INSPECT_H

struct pst_inspector {
  void (*fact)(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));
  /* The facts that follow are about this member of a list, until the next item; after NULL, NULL they are
   * about the conduit. */
  void (*item)(const char *list, const char *name);
  /* Makes the memory of a host with one process, and sets its descriptors; huge: -1 for none. NULL, or why
   * that failed. */
  const char *(*memory)(int *control, int *segment, int *huge);
};

#endif
