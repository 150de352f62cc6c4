/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* xmpcc: a C compiler for XcalableMP programs. See xmpcc(1). */
#include "xmpcc/driver.h"
#include "xmpcc/process.h"

int main(int argc, char **argv)
{
  struct options o;
  process_open();
  options_read(&o, argc, argv);
  return driver_run(&o);
}
