/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "bench/control/report.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- bounds ---- */

static int names_match(const char *one, const char *other)
{
  return !one || !other || strcmp(one, other) == 0;
}

const struct bench_bound *bound_of(
    const char *test, const char *point, const char *conduit, const char *transport, unsigned *from)
{
  const struct bench_bound *b;
  while ((b = bench_bound_at((*from)++)) != NULL) {
    if (strcmp(b->test, test) != 0 || !names_match(b->point, point) || !names_match(b->conduit, conduit))
      continue;
    if (!b->transport || !transport || fnmatch(b->transport, transport, 0) == 0) return b;
  }
  return NULL;
}

static int is_least(const struct bench_bound *b)
{
  return b->kind == BENCH_RATE_AT_LEAST || b->kind == BENCH_VALUE_AT_LEAST;
}

int bound_is_absolute(const struct bench_bound *b)
{
  return b->kind == BENCH_VALUE_AT_MOST || b->kind == BENCH_VALUE_AT_LEAST;
}

double check_value(const struct bench_bound *b, const struct result *r)
{
  if (b->kind == BENCH_RATIO_AT_MOST) return r->ratio;
  if (b->kind == BENCH_RATE_AT_LEAST) return r->ratio > 0 ? 1 / r->ratio : 0;
  /* Without a ratio the worker gives the difference itself. */
  if (b->kind == BENCH_ABOVE_AT_MOST && r->ratio > 0) return r->ours.median - r->raw.median;
  return r->ours.median;
}

static int is_over(const struct bench_bound *b, const struct result *r)
{
  const double value = check_value(b, r);
  return is_least(b) ? value < b->bound : value > b->bound;
}

static int lacks_raw(const struct bench_bound *b, const struct result *r)
{
  if (bound_is_absolute(b)) return 0;
  return r->raw.n == 0 || (b->kind != BENCH_ABOVE_AT_MOST && r->ratio <= 0);
}

static void result_check(struct result *r)
{
  const struct bench_bound *b;
  for (unsigned from = 0; (b = bound_of(r->test, r->point, r->conduit, r->transport, &from)) != NULL;) {
    if (lacks_raw(b, r)) {
      r->state = MISSING;
      strcpy(r->missing, "its bound is against the bare transport, which was not measured");
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
    if (r->result[i].state == MEASURED) result_check(&r->result[i]);
    over += r->result[i].state == MEASURED && r->result[i].over;
  }
  return over;
}

void bound_text(const struct result *r, char text[TEXT_MOST])
{
  const struct bench_bound *b = r->bound;
  char value[VALUE_MOST];
  /* A rate travels as a time, which turns its bound around. */
  const int turned = bound_is_absolute(b) && unit_is_rate(r->unit);
  const char *sign = is_least(b) != turned ? ">=" : "<=";
  value_text(unit_shown(r, b->bound), value);
  if (bound_is_absolute(b)) snprintf(text, TEXT_MOST, "%s %s %s", sign, value, unit_name(r->unit));
  else if (b->kind == BENCH_ABOVE_AT_MOST) snprintf(text, TEXT_MOST, "raw + %g ns", b->bound);
  else snprintf(text, TEXT_MOST, "%s %s %g x", is_least(b) ? "rate" : "time", sign, b->bound);
}

/* ---- an earlier run ---- */

/* The same transport, or else the first of that conduit. */
static const struct result *earlier_of(const struct report *then, const struct result *now)
{
  const struct result *other = NULL;
  for (unsigned i = 0; i < then->count; i++) {
    const struct result *each = &then->result[i];
    if (each->state != MEASURED || each->unit != now->unit || each->bytes != now->bytes) continue;
    if (!report_same(each, now)) continue;
    if (strcmp(each->transport, now->transport) == 0) return each;
    if (!other) other = each;
  }
  return other;
}

/* Beyond the noise: the medians are further apart than both spreads between the quarters together, and than
 * `noise` percent of the earlier one; of percentages, which may be 0, than so many of them. */
static int differs(
    const struct bench_summary *a, const struct bench_summary *b, enum bench_unit unit, double noise)
{
  const double apart = fabs(a->median - b->median);
  const double least = unit == BENCH_PERCENT ? noise : noise / 100 * fabs(b->median);
  return apart > (a->q3 - a->q1) + (b->q3 - b->q1) && apart > least;
}

/* Has the bare transport changed too, and the ratio has not? */
static int place_changed(const struct result *now, double noise)
{
  const struct result *then = now->earlier;
  if (now->ratio <= 0 || then->ratio <= 0 || !differs(&now->raw, &then->raw, now->unit, noise)) return 0;
  return fabs(now->ratio / then->ratio - 1) <= noise / 100;
}

/* Times, and rates, which travel as times, are better when they are less. */
enum change compare(const struct result *now, double noise)
{
  const struct result *then = now->earlier;
  if (now->state != MEASURED) return then ? CHANGE_GONE : CHANGE_UNKNOWN;
  if (!then) return CHANGE_NEW;
  if (!differs(&now->ours, &then->ours, now->unit, noise)) return CHANGE_NONE;
  if (place_changed(now, noise)) return CHANGE_PLACE;
  const int less = now->ours.median < then->ours.median;
  return less == (now->unit != BENCH_PERCENT) ? CHANGE_FASTER : CHANGE_SLOWER;
}

void compare_all(struct report *now, const struct report *then, double noise)
{
  for (unsigned i = 0; i < now->count; i++) {
    now->result[i].earlier = earlier_of(then, &now->result[i]);
    now->result[i].change = compare(&now->result[i], noise);
  }
}

double compare_percent(const struct result *now)
{
  const double before = unit_shown(now, now->earlier->ours.median), after = unit_shown(now, now->ours.median);
  return before != 0 ? 100 * (after - before) / fabs(before) : 0;
}

unsigned compare_count(const struct report *now, enum change c)
{
  unsigned n = 0;
  for (unsigned i = 0; i < now->count; i++) n += now->result[i].change == c;
  return n;
}

const char *change_name(enum change c)
{
  static const char *const name[] = {"", "same", "faster", "slower", "as the bare", "new", ""};
  return name[c];
}
