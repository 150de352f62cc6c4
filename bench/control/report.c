/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "bench/control/report.h"

#include <fnmatch.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launch/arguments.h"

/* ---- texts ---- */

char *text_of(const char *format, ...)
{
  static struct text {
    struct text *before;
    char *at;
  } * last;
  struct text *const t = malloc(sizeof *t);
  va_list args;
  va_start(args, format);
  if (!t || vasprintf(&t->at, format, args) < 0) {
    perror("gasnetbench");
    exit(EXIT_FAILURE);
  }
  va_end(args);
  t->before = last;
  return (last = t)->at;
}

const char *text_add(const char *text, const char *between, const char *more)
{
  return *text ? text_of("%s%s%s", text, between, more) : more;
}

const char *text_plain(const char *text)
{
  char *plain = text_of("%.255s", text);
  for (char *c = plain; *c; c++)
    if (*c < ' ' || *c > '~') *c = '?';
  return plain;
}

const char *escaped(const char *text)
{
  static const char special[] = "&<>\"'", *const as[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
  const size_t n = strcspn(text, special);
  if (!text[n]) return text;
  return text_of("%.*s%s%s", (int)n, text, as[strchr(special, text[n]) - special], escaped(text + n + 1));
}

int numbers_add(struct numbers *n, double v)
{
  unsigned at = n->count;
  while (at > 0 && n->value[at - 1] >= v) at--;
  if (at < n->count && n->value[at] == v) return 1;
  if (n->count == NUMBERS_MOST) return 0;
  memmove(&n->value[at + 1], &n->value[at], (n->count++ - at) * sizeof *n->value);
  n->value[at] = v;
  return 1;
}

/* ---- results ---- */

struct result *report_add(struct report *r)
{
  if (!r->result) r->result = calloc(RESULTS_MOST, sizeof *r->result);
  return r->result && r->count < RESULTS_MOST ? &r->result[r->count++] : NULL;
}

void report_note(struct report *r, const char *note)
{
  const char *plain = text_plain(note);
  for (unsigned i = 0; i < r->notes; i++)
    if (strcmp(r->note[i], plain) == 0) return;
  if (r->notes < NOTES_MOST) r->note[r->notes++] = plain;
}

void report_free(struct report *r)
{
  free(r->result);
  *r = (struct report){0};
}

unsigned report_count(const struct report *r, enum state state)
{
  unsigned n = 0;
  EACH_RESULT (each, r) n += each->state == state;
  return n;
}

/* ---- values as people read them ---- */

/* As enum bench_unit has them. */
const struct unit units[UNITS] = {{"ns", "ns", 0, 1}, {"us", "ns", 0, 1e3}, {"GB/s", "ns", 1, 1},
    {"M/s", "ns", 1, 1e3}, {"s", "s", 0, 1}, {"kB", "bytes", 0, 1e3}, {"%", "%", 0, 1}, {"GUPS", "ns", 1, 1}};

double unit_shown(const struct result *r, double value)
{
  const double per = r->unit == BENCH_GBS ? (double)r->bytes : units[r->unit].per;
  if (!units[r->unit].rate) return value / per;
  return value <= 0 ? 0 : per / value;
}

double result_stat(const struct result *r, enum side side, enum statistic stat)
{
  if (side == EARLIER && !r->earlier) return NAN;
  const struct bench_summary *s = side == RAW ? &r->raw : side == OURS ? &r->ours : &r->earlier->ours;
  if (side == RAW && !s->n) return NAN;
  const int more = r->unit == BENCH_PERCENT, turned = unit_shown(r, s->q1) > unit_shown(r, s->q3);
  const double value[] = {s->median, more ? s->p99 : s->least, more ? s->least : s->p99,
      turned ? s->q3 : s->q1, turned ? s->q1 : s->q3}; /* as the enumeration has them */
  return value[stat];
}

/* Of times: ns, us, ms, s. */
static const struct {
  double ns;
  const char *name;
} scales[] = {{1, "ns"}, {1e3, "us"}, {1e6, "ms"}, {1e9, "s"}};
enum { SCALES = sizeof scales / sizeof *scales };

static int is_time(enum bench_unit unit) { return unit == BENCH_NS || unit == BENCH_US || unit == BENCH_S; }

const char *unit_title(enum bench_unit unit)
{
  const char *better = units[unit].rate || unit == BENCH_PERCENT ? "more" : "less";
  return text_of("%s, %s is better", is_time(unit) ? "time" : units[unit].name, better);
}

/* From scale s on the largest of which there are at least `least`. */
static unsigned time_scale(unsigned s, double ns, double least)
{
  while (s + 1 < SCALES && ns >= least * scales[s + 1].ns) s++;
  return s;
}

const char *unit_tick(enum bench_unit unit, double v)
{
  const double ns = fabs(v) * (unit == BENCH_S ? 1e9 : unit == BENCH_US ? 1e3 : 1);
  const unsigned s = time_scale(0, ns, 0.999);
  if (!is_time(unit) || v == 0) return text_of(fabs(v) >= 1e6 ? "%.4g" : "%g", v);
  return text_of("%s%g %s", v < 0 ? "-" : "", ns / scales[s].ns, scales[s].name);
}

/* Four significant digits. */
static const char *value_text(double v)
{
  static const double below[] = {999.95, 99.995, 9.9995, 0.9995, 0.0995};
  const double m = fabs(v);
  int digits = 0;
  while (digits < 5 && m < below[digits]) digits++;
  if (m < 1e-9) return "0";
  return m < 1e-3 || m >= 1e8 ? text_of("%.3g", v) : text_of("%.*f", digits, v);
}

/* SCALES: all of the row are in the unit of the result. */
static unsigned row_scale(const struct result *r)
{
  const int scaled = r->unit == BENCH_NS || r->unit == BENCH_US;
  return scaled ? time_scale(r->unit == BENCH_US, r->ours.median, 10) : SCALES;
}

const char *row_unit(const struct result *r)
{
  const unsigned s = row_scale(r);
  return s == SCALES ? units[r->unit].name : scales[s].name;
}

const char *row_text(const struct result *r, double value)
{
  const unsigned s = row_scale(r);
  return value_text(s == SCALES ? unit_shown(r, value) : value / scales[s].ns);
}

const char *size_text(double bytes)
{
  static const char *const unit[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  unsigned u = 0;
  for (; bytes >= 1024 && u + 1 < sizeof unit / sizeof *unit; u++) bytes /= 1024;
  return text_of("%.4g %s", bytes, unit[u]);
}

const char *point_text(const struct result *r)
{
  if (r->points == BENCH_SIZES) return size_text(strtod(r->point, NULL));
  return text_of("%s%s", r->point, r->points == BENCH_NODES ? " nodes" : "");
}

double efficiency(const struct result *r)
{
  const int of_speed = r->unit != BENCH_PERCENT && r->unit != BENCH_S && r->unit != BENCH_KB;
  return r->state == MEASURED && r->ratio > 0 && of_speed ? 100 / r->ratio : 0;
}

/* ---- bounds ---- */

const struct bench_bound *bound_of(
    const char *test, const char *point, const char *conduit, const char *transport, unsigned *from)
{
  const struct bench_bound *b;
  while ((b = bench_bound_at((*from)++)) != NULL)
    if (strcmp(b->test, test) == 0 && (!b->point || !point || strcmp(b->point, point) == 0) &&
        (!b->conduit || !conduit || strcmp(b->conduit, conduit) == 0) &&
        (!b->transport || !transport || fnmatch(b->transport, transport, 0) == 0))
      return b;
  return NULL;
}

static int is_least(enum bench_bound_kind k) { return k == BENCH_RATE_AT_LEAST || k == BENCH_VALUE_AT_LEAST; }
static int is_absolute(enum bench_bound_kind k)
{
  return k == BENCH_VALUE_AT_MOST || k == BENCH_VALUE_AT_LEAST;
}

double check_value(const struct bench_bound *b, const struct result *r)
{
  if (b->kind == BENCH_RATIO_AT_MOST) return r->ratio;
  if (b->kind == BENCH_RATE_AT_LEAST) return r->ratio > 0 ? 1 / r->ratio : 0;
  /* Without a ratio the worker gives the difference itself. */
  return b->kind == BENCH_ABOVE_AT_MOST && r->ratio > 0 ? r->ours.median - r->raw.median : r->ours.median;
}

void check_all(struct report *r)
{
  const struct bench_bound *b;
  r->checked = 1;
  EACH_RESULT (each, r) {
    unsigned from = 0;
    while (each->state == MEASURED &&
        (b = bound_of(each->test, each->point, each->conduit, each->transport, &from)) != NULL) {
      const double value = check_value(b, each);
      const int over = is_least(b->kind) ? value < b->bound : value > b->bound;
      if (!is_absolute(b->kind) && (!each->raw.n || (b->kind != BENCH_ABOVE_AT_MOST && each->ratio <= 0))) {
        each->state = MISSING;
        each->missing = "its bound is against the bare transport, which was not measured";
      } else if (!each->bound || (!each->over && over)) {
        each->bound = b;
        each->over = over;
      }
    }
    r->bounds += each->bound != NULL;
    r->over += each->over != 0;
  }
}

const char *held_text(const struct result *r)
{
  if (!r->bound) return "-";
  const double value = check_value(r->bound, r);
  return is_absolute(r->bound->kind) ? row_text(r, value) : value_text(value);
}

const char *bound_text(const struct result *r)
{
  const struct bench_bound *b = r->bound;
  if (!b) return "-";
  /* A rate travels as a time, which turns its bound around. */
  const int turned = is_absolute(b->kind) && units[r->unit].rate;
  const char *sign = is_least(b->kind) != turned ? ">=" : "<=";
  if (b->kind == BENCH_ABOVE_AT_MOST) return text_of("raw + %g ns", b->bound);
  if (!is_absolute(b->kind))
    return text_of("%s %s %g x", is_least(b->kind) ? "rate" : "time", sign, b->bound);
  return text_of("%s %s %s", sign, value_text(unit_shown(r, b->bound)), units[r->unit].name);
}

/* ---- an earlier run ---- */

/* The same transport, or else the first of that conduit. */
static const struct result *earlier_of(const struct report *then, const struct result *now)
{
  const struct result *other = NULL;
  EACH_RESULT (each, then) {
    if (each->state != MEASURED || each->unit != now->unit || each->bytes != now->bytes ||
        each->nodes != now->nodes || each->threads != now->threads || strcmp(each->point, now->point) != 0 ||
        strcmp(each->test, now->test) != 0 || strcmp(each->conduit, now->conduit) != 0)
      continue;
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

/* Times, and rates, which travel as times, are better when they are less. */
enum change compare(const struct result *now, double noise)
{
  const struct result *then = now->earlier;
  if (now->state != MEASURED) return then ? CHANGE_GONE : CHANGE_UNKNOWN;
  if (!then) return CHANGE_NEW;
  if (!differs(&now->ours, &then->ours, now->unit, noise)) return CHANGE_NONE;
  if (now->ratio > 0 && then->ratio > 0 && differs(&now->raw, &then->raw, now->unit, noise) &&
      fabs(now->ratio / then->ratio - 1) <= noise / 100)
    return CHANGE_PLACE;
  const int less = now->ours.median < then->ours.median;
  return less == (now->unit != BENCH_PERCENT) ? CHANGE_FASTER : CHANGE_SLOWER;
}

void compare_all(struct report *now, const struct report *then, double noise)
{
  now->then = then;
  EACH_RESULT (each, now) {
    each->earlier = earlier_of(then, each);
    now->changes[each->change = compare(each, noise)]++;
  }
}

const struct change_texts change_text[CHANGES_MOST] = {{"", NULL}, {"slower", "slower"}, {"faster", "faster"},
    {"same", "the same within the noise"}, {"as the bare", "changed as the bare transport did"},
    {"new", "new"}, {"", "no longer measured"}};
