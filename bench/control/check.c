#include "bench/control/check.h"

#include <stdio.h>

#include "bench/control/plan.h"

double check_value(const struct bench_bound *b, const struct result *r)
{
  switch (b->kind) {
    case BENCH_RATIO_AT_MOST: return r->ratio;
    case BENCH_RATE_AT_LEAST: return r->ratio > 0 ? 1 / r->ratio : 0;
    case BENCH_ABOVE_AT_MOST: return r->ratio > 0 ? r->ours.median - r->raw.median : r->ours.median; /* else it is what the worker gives */
    default: return r->ours.median;
  }
}

static int is_over(const struct bench_bound *b, const struct result *r)
{
  const double value = check_value(b, r);
  return b->kind == BENCH_RATE_AT_LEAST || b->kind == BENCH_VALUE_AT_LEAST ? value < b->bound : value > b->bound;
}

static int lacks_raw(const struct bench_bound *b, const struct result *r)
{
  if (b->kind == BENCH_VALUE_AT_MOST || b->kind == BENCH_VALUE_AT_LEAST) return 0;
  return r->raw.n == 0 || (b->kind != BENCH_ABOVE_AT_MOST && r->ratio <= 0);
}

static void check(struct result *r)
{
  const struct bench_bound *b;
  for (unsigned from = 0; (b = bound_of(r->test, r->point, r->conduit, r->transport, &from)) != NULL;) {
    if (lacks_raw(b, r)) {
      r->state = MISSING;
      snprintf(r->missing, sizeof r->missing, "its bound is against the bare transport, which was not measured");
      return;
    }
    if (!r->bound || (!r->over && is_over(b, r))) r->bound = b;
    r->over = is_over(r->bound, r);
  }
}

unsigned check_all(struct report *r)
{
  unsigned over = 0;
  r->checked = 1;
  for (unsigned i = 0; i < r->count; i++) {
    if (r->result[i].state == MEASURED) check(&r->result[i]);
    over += r->result[i].state == MEASURED && r->result[i].over;
  }
  return over;
}
