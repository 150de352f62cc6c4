/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* main of programs whose compiler renames theirs to upc_main, as GNU UPC and Clang UPC do. It is in an
 * archive of its own, since other programs have their main. */
#include "upc_compiler.h"

extern int upc_main(int argc, char **argv);

/* Functions that initialise shared data: each thread runs all of them. The linker defines the bounds. */
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
