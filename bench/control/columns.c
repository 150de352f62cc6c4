#include "bench/control/columns.h"

#include <stdio.h>
#include <string.h>

#include "bench/control/check.h"
#include "bench/control/compare.h"
#include "bench/control/units.h"

/* ---- what all results have alike ---- */

/* Of tests by count of nodes that is the point, and nothing that varies. */
static const struct result *first_of_nodes(const struct report *r)
{
  for (unsigned i = 0; i < r->count; i++)
    if (r->result[i].points != BENCH_NODES) return &r->result[i];
  return NULL;
}

unsigned report_varies(const struct report *r)
{
  const struct result *first = first_of_nodes(r);
  unsigned varies = 0;
  for (unsigned i = 1; i < r->count; i++) {
    const struct result *a = &r->result[0], *b = &r->result[i];
    if (b->points != BENCH_NODES && b->nodes != first->nodes) varies |= VARY_NODES;
    if (a->threads != b->threads) varies |= VARY_THREADS;
    if (strcmp(a->conduit, b->conduit) != 0) varies |= VARY_CONDUIT;
    if (strcmp(a->transport, b->transport) != 0) varies |= VARY_TRANSPORT;
  }
  return varies;
}

void common_text(const struct report *r, char text[TEXT_MOST])
{
  const unsigned varies = report_varies(r);
  const struct result *first = &r->result[0];
  int n = 0;
  text[0] = '\0';
  if (!r->count) return;
  if (!(varies & VARY_CONDUIT)) n += snprintf(text + n, TEXT_MOST - (size_t)n, "conduit %s", first->conduit);
  if (!(varies & (VARY_CONDUIT | VARY_TRANSPORT)) && strcmp(first->transport, "-") != 0)
    n += snprintf(text + n, TEXT_MOST - (size_t)n, " (%s)", first->transport);
  if (!(varies & VARY_NODES) && first_of_nodes(r))
    n += snprintf(text + n, TEXT_MOST - (size_t)n, "%s%u nodes", n ? ", " : "", first_of_nodes(r)->nodes);
  if (!(varies & VARY_THREADS) && first->threads > 1) snprintf(text + n, TEXT_MOST - (size_t)n, "%s%u threads each", n ? ", " : "", first->threads);
}

/* ---- cells ---- */

static void number(const struct result *r, double value, char text[CELL])
{
  const char *unit;
  value_text(unit_row(r, value, &unit), text);
}

static void cell_point(const struct result *r, char text[CELL]) { point_text(r, text); }
static void cell_nodes(const struct result *r, char text[CELL]) { snprintf(text, CELL, "%u", r->nodes); }
static void cell_threads(const struct result *r, char text[CELL]) { snprintf(text, CELL, "%u", r->threads); }
static void cell_conduit(const struct result *r, char text[CELL]) { memcpy(text, r->conduit, CONDUIT_MOST); }
static void cell_transport(const struct result *r, char text[CELL]) { memcpy(text, r->transport, TRANSPORT_MOST); }
static void cell_median(const struct result *r, char text[CELL]) { number(r, r->ours.median, text); }
static void cell_best(const struct result *r, char text[CELL]) { number(r, unit_best(r, &r->ours), text); }
static void cell_p99(const struct result *r, char text[CELL]) { number(r, unit_p99(r, &r->ours), text); }

static void cell_unit(const struct result *r, char text[CELL])
{
  const char *unit;
  unit_row(r, r->ours.median, &unit);
  snprintf(text, CELL, "%s", unit);
}

static void cell_raw(const struct result *r, char text[CELL])
{
  if (r->raw.n > 0) number(r, r->raw.median, text);
  else strcpy(text, "-");
}

static void cell_efficiency(const struct result *r, char text[CELL])
{
  const double e = efficiency(r);
  if (e >= 1000) snprintf(text, CELL, e < 10000 ? "%.1f x" : "%.0f x", e / 100);
  else if (e > 0) snprintf(text, CELL, e < 9.95 ? "%.1f %%" : "%.0f %%", e);
  else strcpy(text, "-");
}

void bound_text(const struct result *r, char text[TEXT_MOST])
{
  const struct bench_bound *b = r->bound;
  char value[VALUE_MOST];
  if (!b) {
    strcpy(text, "-");
    return;
  }
  const int least = b->kind == BENCH_RATE_AT_LEAST || b->kind == BENCH_VALUE_AT_LEAST;
  if (b->kind == BENCH_VALUE_AT_MOST || b->kind == BENCH_VALUE_AT_LEAST) {
    const int turned = unit_more_is_better(r->unit) && r->unit != BENCH_PERCENT; /* such a value travels as a time */
    snprintf(text, TEXT_MOST, "%s %s %s", least != turned ? ">=" : "<=", value_text(unit_shown(r, b->bound), value), unit_name(r->unit));
  } else if (b->kind == BENCH_ABOVE_AT_MOST) {
    snprintf(text, TEXT_MOST, "raw + %g ns", b->bound);
  } else {
    snprintf(text, TEXT_MOST, "%s %g x", least ? "rate >=" : "time <=", b->bound);
  }
}

static void cell_bound(const struct result *r, char text[CELL])
{
  char whole[TEXT_MOST];
  bound_text(r, whole);
  snprintf(text, CELL, "%.95s", whole);
}

/* What the bound speaks of. */
static void cell_held(const struct result *r, char text[CELL])
{
  strcpy(text, "-");
  if (!r->bound) return;
  const double v = check_value(r->bound, r);
  if (r->bound->kind == BENCH_VALUE_AT_MOST || r->bound->kind == BENCH_VALUE_AT_LEAST) number(r, v, text);
  else value_text(v, text);
}

static void cell_verdict(const struct result *r, char text[CELL]) { strcpy(text, !r->bound ? "-" : r->over ? "OVER" : "ok"); }

static void cell_before(const struct result *r, char text[CELL])
{
  if (r->earlier) number(r, r->earlier->ours.median, text);
  else strcpy(text, "-");
}

static void cell_change(const struct result *r, char text[CELL])
{
  if (r->earlier) snprintf(text, CELL, "%+.1f %%", compare_percent(r));
  else strcpy(text, "-");
}

static double noise;
static void cell_changed(const struct result *r, char text[CELL]) { strcpy(text, change_name(compare(r, noise))); }

/* ---- columns ---- */

static int any_raw(const struct report *r)
{
  for (unsigned i = 0; i < r->count; i++)
    if (r->result[i].raw.n > 0) return 1;
  return 0;
}

unsigned columns_choose(const struct report *r, struct column column[COLUMNS_MOST])
{
  const unsigned varies = report_varies(r);
  const int raw = any_raw(r), then = r->then != NULL;
  const struct {
    int wanted;
    struct column column;
  } all[] = {
    {varies & VARY_CONDUIT, {"conduit", cell_conduit, 0, 1, 0}},
    {varies & VARY_TRANSPORT, {"transport", cell_transport, 0, 1, 0}},
    {varies & VARY_NODES, {"nodes", cell_nodes, 1, 1, 0}},
    {varies & VARY_THREADS, {"threads", cell_threads, 1, 1, 0}},
    {1, {"point", cell_point, 1, 1, 0}},
    {1, {"median", cell_median, 1, 0, 0}},
    {1, {"best", cell_best, 1, 0, 0}},
    {1, {"p99", cell_p99, 1, 0, 0}},
    {1, {"unit", cell_unit, 0, 0, 0}},
    {raw, {"raw", cell_raw, 1, 0, 0}},
    {raw, {"efficiency", cell_efficiency, 1, 0, 0}},
    {r->checked, {"value", cell_held, 1, 0, 0}},
    {r->checked, {"bound", cell_bound, 0, 0, 0}},
    {r->checked, {"check", cell_verdict, 0, 0, 0}},
    {then, {"before", cell_before, 1, 0, 0}},
    {then, {"change", cell_change, 1, 0, 0}},
    {then, {"verdict", cell_changed, 0, 0, 0}},
  };
  unsigned n = 0;
  noise = r->noise;
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
    if (!all[i].wanted) continue;
    column[n] = all[i].column;
    column[n].width = (unsigned)strlen(column[n].head);
    n++;
  }
  return n;
}

const char *group_text(const char *group)
{
  for (const struct bench_group *g = bench_groups; g->name; g++)
    if (strcmp(g->name, group) == 0) return g->what;
  return "";
}
