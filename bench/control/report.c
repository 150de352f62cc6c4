/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "bench/control/report.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct result *report_add(struct report *r)
{
  if (r->count == RESULTS_MOST) return NULL;
  if (r->count == r->room) {
    const unsigned room = r->room ? 2 * r->room : 64;
    struct result *grown = realloc(r->result, room * sizeof *grown);
    if (!grown) return NULL;
    r->result = grown;
    r->room = room;
  }
  struct result *added = &r->result[r->count++];
  memset(added, 0, sizeof *added);
  return added;
}

void report_note(struct report *r, const char *format, ...)
{
  va_list args;
  if (r->notes == NOTES_MOST) return;
  va_start(args, format);
  vsnprintf(r->note[r->notes], TEXT_MOST, format, args);
  va_end(args);
  report_plain(r->note[r->notes++]);
}

void text_add(char text[TEXT_MOST], const char *between, const char *format, ...)
{
  va_list args;
  if (*text) strncat(text, between, TEXT_MOST - 1 - strlen(text));
  const size_t n = strlen(text);
  va_start(args, format);
  vsnprintf(text + n, TEXT_MOST - n, format, args);
  va_end(args);
}

void report_plain(char *text)
{
  for (; *text; text++)
    if ((unsigned char)*text < ' ' || (unsigned char)*text > 126) *text = '?';
}

void report_free(struct report *r)
{
  free(r->result);
  r->result = NULL;
  r->count = r->room = 0;
}

int report_same(const struct result *a, const struct result *b)
{
  return a->nodes == b->nodes && a->threads == b->threads && strcmp(a->point, b->point) == 0 &&
      strcmp(a->test, b->test) == 0 && strcmp(a->conduit, b->conduit) == 0;
}

/* ---- statistics ---- */

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
  *s = (struct stats){n, quantile(values, n, 0.5), values[0], quantile(values, n, 0.99),
      quantile(values, n, 0.25), quantile(values, n, 0.75)};
}

void samples_take(struct result *r, struct samples *s)
{
  double ratio[SAMPLES_MOST];
  struct stats ratios = {0};
  const int compared = s->raw[0] > 0;
  for (unsigned i = 0; i < s->n && compared; i++) ratio[i] = s->ours[i] / s->raw[i];
  if (compared) stats_make(&ratios, ratio, s->n);
  if (compared) stats_make(&r->raw, s->raw, s->n);
  stats_make(&r->ours, s->ours, s->n);
  r->ratio = ratios.median;
  r->state = MEASURED;
}
