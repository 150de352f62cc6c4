/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The arguments of main, for constructors. */
#ifndef FRONT_ARGUMENTS_H
#define FRONT_ARGUMENTS_H

#include <features.h>

/* From the text of /proc/self/cmdline. The array stays until the process ends; NULL where it cannot be read.
 * *argc is set only otherwise. */
char **pst_front_arguments_read(int *argc);

/* A constructor passes its own parameters. glibc's dynamic linker has set them as main's; other C libraries
 * pass none. */
static inline void pst_front_arguments(int *argc, char ***argv)
{
#if !defined(__GLIBC__)
  *argc = 0;
  *argv = pst_front_arguments_read(argc);
#endif
  (void)argc;
  (void)argv;
}

#endif
