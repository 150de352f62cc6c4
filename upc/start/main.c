/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The beginning of programs whose compiler makes upc_main of main, as GNU UPC and Clang UPC do. In an archive
 * of its own: others have main already. */
#include "upc_compiler.h"

extern int upc_main(int argc, char **argv);

/* What initialises shared data by code: each thread runs all of it. The linker's bounds of the section. */
typedef void (*init_fn)(void);
extern const init_fn __start_upc_init_array[] __attribute__((weak)),
    __stop_upc_init_array[] __attribute__((weak));

static void initialise(void)
{
  for (const init_fn *f = __start_upc_init_array; f < __stop_upc_init_array; f++)
    if (*f) (*f)();
}

int main(int argc, char **argv)
{
  int status;
  upc_init(&argc, &argv);
  initialise();
  upc_barrier();
  status = upc_main(argc, argv);
  pst_upc_leave(status);
  return status;
}
