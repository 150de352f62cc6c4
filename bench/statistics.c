/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "measure.h"

#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Interpolates between the two nearest. */
static double quantile(const double *sorted, unsigned n, double part)
{
  const double at = part * (n - 1);
  const unsigned i = (unsigned)at;
  return i + 1 < n ? sorted[i] + (at - i) * (sorted[i + 1] - sorted[i]) : sorted[n - 1];
}

void bench_summarise(const double *values, unsigned n, double *sorted, struct bench_summary *s)
{
  memcpy(sorted, values, n * sizeof *values);
  qsort(sorted, n, sizeof *sorted, by_value);
  *s = (struct bench_summary){n, quantile(sorted, n, 0.5), sorted[0], quantile(sorted, n, 0.99),
      quantile(sorted, n, 0.25), quantile(sorted, n, 0.75)};
}
