#include "bench/control/stats.h"

#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Between the two samples that it lies between. */
static double quantile(const double *sorted, unsigned n, double q)
{
  const double at = q * (n - 1);
  const unsigned below = (unsigned)at;
  if (below + 1 >= n) return sorted[n - 1];
  return sorted[below] + (at - below) * (sorted[below + 1] - sorted[below]);
}

void stats_make(struct stats *s, double *values, unsigned n)
{
  qsort(values, n, sizeof *values, by_value);
  *s = (struct stats){.n = n, .median = quantile(values, n, 0.5), .min = values[0], .p99 = quantile(values, n, 0.99),
                      .q1 = quantile(values, n, 0.25), .q3 = quantile(values, n, 0.75)};
}

double stats_median(double *values, unsigned n)
{
  struct stats s;
  stats_make(&s, values, n);
  return s.median;
}
