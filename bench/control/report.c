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

unsigned report_count(const struct report *r, enum state state)
{
  unsigned n = 0;
  for (unsigned i = 0; i < r->count; i++) n += r->result[i].state == state;
  return n;
}

int report_same(const struct result *a, const struct result *b)
{
  return a->nodes == b->nodes && a->threads == b->threads && strcmp(a->point, b->point) == 0 &&
      strcmp(a->test, b->test) == 0 && strcmp(a->conduit, b->conduit) == 0;
}

void samples_take(struct result *r, const struct samples *s)
{
  double ratio[SAMPLES_MOST], sorted[SAMPLES_MOST];
  struct bench_summary ratios = {0};
  const int compared = s->raw[0] > 0;
  for (unsigned i = 0; i < s->n && compared; i++) ratio[i] = s->ours[i] / s->raw[i];
  if (compared) bench_summarise(ratio, s->n, sorted, &ratios);
  if (compared) bench_summarise(s->raw, s->n, sorted, &r->raw);
  bench_summarise(s->ours, s->n, sorted, &r->ours);
  r->ratio = ratios.median;
  r->state = MEASURED;
}
