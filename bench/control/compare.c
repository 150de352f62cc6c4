#include "bench/control/compare.h"

#include <math.h>
#include <string.h>

#include "bench/control/units.h"

/* The same transport, or else the first of that conduit. */
static const struct result *find(const struct report *then, const struct result *now)
{
  const struct result *other = NULL;
  for (unsigned i = 0; i < then->count; i++) {
    const struct result *each = &then->result[i];
    if (each->state != MEASURED || each->unit != now->unit || each->bytes != now->bytes || !report_same(each, now)) continue;
    if (strcmp(each->transport, now->transport) == 0) return each;
    if (!other) other = each;
  }
  return other;
}

void compare_find(struct report *now, const struct report *then)
{
  for (unsigned i = 0; i < now->count; i++) now->result[i].earlier = find(then, &now->result[i]);
}

/* Times, and rates, which travel as times, are better when they are less. */
static int less_is_better(const struct result *r) { return r->unit != BENCH_PERCENT; }

/* Beyond the noise: the medians are further apart than both spreads between the quarters together, and than `noise` percent of the
 * earlier one; of percentages, which may be 0, than so many of them. */
static int differs(const struct stats *a, const struct stats *b, enum bench_unit unit, double noise)
{
  const double apart = fabs(a->median - b->median), least = unit == BENCH_PERCENT ? noise : noise / 100 * fabs(b->median);
  return apart > (a->q3 - a->q1) + (b->q3 - b->q1) && apart > least;
}

/* Has the bare transport changed too, and the ratio has not? */
static int place_changed(const struct result *now, double noise)
{
  const struct result *then = now->earlier;
  if (now->ratio <= 0 || then->ratio <= 0 || !differs(&now->raw, &then->raw, now->unit, noise)) return 0;
  return fabs(now->ratio / then->ratio - 1) <= noise / 100;
}

enum change compare(const struct result *now, double noise)
{
  const struct result *then = now->earlier;
  if (!then) return CHANGE_NEW;
  if (!differs(&now->ours, &then->ours, now->unit, noise)) return CHANGE_NONE;
  if (place_changed(now, noise)) return CHANGE_PLACE;
  return (now->ours.median < then->ours.median) == less_is_better(now) ? CHANGE_FASTER : CHANGE_SLOWER;
}

double compare_percent(const struct result *now)
{
  const double before = unit_shown(now, now->earlier->ours.median), after = unit_shown(now, now->ours.median);
  return before != 0 ? 100 * (after - before) / fabs(before) : 0;
}

const char *change_name(enum change c)
{
  static const char *const name[] = {"same", "faster", "slower", "as the bare", "new"};
  return name[c];
}

void compare_count(const struct report *now, double noise, struct changes *c)
{
  *c = (struct changes){0};
  for (unsigned i = 0; i < now->count; i++) {
    const struct result *each = &now->result[i];
    if (each->state == MEASURED) c->count[compare(each, noise)]++;
    else if (each->earlier) c->missing++;
  }
}
