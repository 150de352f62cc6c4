/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Finds the static data of the program and of the libraries that were loaded with it. */
#ifndef FRONT_STATICS_H
#define FRONT_STATICS_H

#include <stddef.h>
#include <stdint.h>

struct pst_front_statics {
  /* The front-end's library, as "libpenstock-shmem.": `add` is always told of an object that needs it. */
  const char *library;
  /* Is called for the writable pages of each object, the program's first, in the same order on all nodes.
   * `needed`: the program or a library of the kind above. */
  void (*add)(uintptr_t from, size_t size, const char *object, int needed);
  void (*fork_warn)(void); /* is called before a fork that ThreadSanitizer's locks in these data endanger */
};

void pst_front_statics_find(const struct pst_front_statics *s);

#endif
