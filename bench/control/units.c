/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "bench/control/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is shown is the travelling value divided by `per`; of a rate, this divided by the value, and of GBS
 * the bytes divided by it. */
static const struct {
  const char *name, *base;
  int rate;
  double per;
} table[UNITS] = {
    [BENCH_NS] = {"ns", "ns", 0, 1},
    [BENCH_US] = {"us", "ns", 0, 1e3},
    [BENCH_GBS] = {"GB/s", "ns", 1, 1},
    [BENCH_MSGS] = {"M/s", "ns", 1, 1e3},
    [BENCH_S] = {"s", "s", 0, 1},
    [BENCH_KB] = {"kB", "bytes", 0, 1e3},
    [BENCH_PERCENT] = {"%", "%", 0, 1},
    [BENCH_GUPS] = {"GUPS", "ns", 1, 1},
};

const char *unit_name(enum bench_unit unit) { return table[unit].name; }
const char *unit_base(enum bench_unit unit) { return table[unit].base; }
int unit_is_rate(enum bench_unit unit) { return table[unit].rate; }

double unit_shown(const struct result *r, double value)
{
  const double per = r->unit == BENCH_GBS ? (double)r->bytes : table[r->unit].per;
  if (!table[r->unit].rate) return value / per;
  return value <= 0 ? 0 : per / value;
}

double result_stat(const struct result *r, enum side side, enum statistic stat)
{
  if (side == EARLIER && !r->earlier) return NAN;
  const struct bench_summary *s = side == RAW ? &r->raw : side == OURS ? &r->ours : &r->earlier->ours;
  if (side == RAW && !s->n) return NAN;
  const int more = r->unit == BENCH_PERCENT, turned = unit_shown(r, s->q1) > unit_shown(r, s->q3);
  switch (stat) {
  case MEDIAN: return s->median;
  case BEST: return more ? s->p99 : s->least;
  case P99: return more ? s->least : s->p99;
  case LOW: return turned ? s->q3 : s->q1;
  case HIGH: return turned ? s->q1 : s->q3;
  }
  return NAN;
}

/* Of times: ns, us, ms, s. */
static const struct {
  double ns;
  const char *name;
} scales[] = {{1, "ns"}, {1e3, "us"}, {1e6, "ms"}, {1e9, "s"}};
enum { SCALES = sizeof scales / sizeof *scales };

static int is_time(enum bench_unit unit) { return unit == BENCH_NS || unit == BENCH_US || unit == BENCH_S; }

const char *unit_title(enum bench_unit unit, char text[VALUE_MOST])
{
  const char *better = unit_is_rate(unit) || unit == BENCH_PERCENT ? "more" : "less";
  snprintf(text, VALUE_MOST, "%s, %s is better", is_time(unit) ? "time" : unit_name(unit), better);
  return text;
}

double unit_row(const struct result *r, double value, const char **name)
{
  unsigned s = r->unit == BENCH_US;
  *name = unit_name(r->unit);
  if (r->unit != BENCH_NS && r->unit != BENCH_US) return unit_shown(r, value);
  while (s + 1 < SCALES && r->ours.median >= 1e4 * scales[s].ns) s++;
  *name = scales[s].name;
  return value / scales[s].ns;
}

const char *unit_tick(enum bench_unit unit, double v, char text[VALUE_MOST])
{
  const double ns = fabs(v) * (unit == BENCH_S ? 1e9 : unit == BENCH_US ? 1e3 : 1);
  unsigned s = 0;
  if (is_time(unit) && v != 0) {
    while (s + 1 < SCALES && ns >= 0.999 * scales[s + 1].ns) s++;
    snprintf(text, VALUE_MOST, "%s%g %s", v < 0 ? "-" : "", ns / scales[s].ns, scales[s].name);
  } else {
    snprintf(text, VALUE_MOST, fabs(v) >= 1e6 ? "%.4g" : "%g", v);
  }
  return text;
}

const char *value_text(double v, char text[VALUE_MOST])
{
  const double m = v < 0 ? -v : v;
  if (m < 1e-9) snprintf(text, VALUE_MOST, "0");
  else if (m < 1e-3 || m >= 1e8) snprintf(text, VALUE_MOST, "%.3g", v);
  else
    snprintf(text, VALUE_MOST, "%.*f",
        m < 0.0995       ? 5
            : m < 0.9995 ? 4
            : m < 9.9995 ? 3
            : m < 99.995 ? 2
            : m < 999.95 ? 1
                         : 0,
        v);
  return text;
}

const char *size_text(double bytes, char text[VALUE_MOST])
{
  static const char *const unit[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  unsigned u = 0;
  while (bytes >= 1024 && u + 1 < sizeof unit / sizeof *unit) {
    bytes /= 1024;
    u++;
  }
  snprintf(text, VALUE_MOST, "%.4g %s", bytes, unit[u]);
  return text;
}

const char *point_text(const struct result *r, char text[VALUE_MOST])
{
  if (r->points == BENCH_SIZES) return size_text(strtod(r->point, NULL), text);
  snprintf(text, VALUE_MOST, "%s%s", r->point, r->points == BENCH_NODES ? " nodes" : "");
  return text;
}

double efficiency(const struct result *r)
{
  if (r->state != MEASURED || r->ratio <= 0 || r->unit == BENCH_PERCENT || r->unit == BENCH_S ||
      r->unit == BENCH_KB)
    return 0;
  return 100 / r->ratio;
}
