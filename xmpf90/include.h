/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Files that include lines name. */
#ifndef XMPF90_INCLUDE_H
#define XMPF90_INCLUDE_H
#include "xmpf90/line.h"

/* Looks for the file where gfortran does: beside the source that is compiled, then in the directories of -I.
 * Gives its bytes, a 0, and the path; the caller frees that. NULL: no file is there, it is open already, or
 * too many are. */
char *include_read(
    const struct lines *l, const struct input *in, const char *name, size_t length, size_t *size);

#endif
