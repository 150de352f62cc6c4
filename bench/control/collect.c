/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "bench/control/collect.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The next word, or 0: there is none, or it does not fit. */
static int word(const char **at, char *into, size_t size)
{
  const char *p = *at + strspn(*at, " ");
  const size_t n = strcspn(p, " ");
  if (n == 0 || n >= size) return 0;
  memcpy(into, p, n);
  into[n] = '\0';
  *at = p + n;
  return 1;
}

static int number(const char **at, double *value)
{
  char text[64], *end;
  if (!word(at, text, sizeof text)) return 0;
  *value = strtod(text, &end);
  return *end == '\0' && isfinite(*value);
}

static int numbers(const char **at, struct stats *s)
{
  return number(at, &s->n) && s->n >= 1 && s->n <= 1e9 && floor(s->n) == s->n && number(at, &s->median) &&
      number(at, &s->min) && number(at, &s->p99) && number(at, &s->q1) && number(at, &s->q3) &&
      s->q1 <= s->median && s->median <= s->q3;
}

static int at_end(const char *at) { return at[strspn(at, " ")] == '\0'; }

static struct result *find(struct report *r, unsigned job, const char *test, const char *point)
{
  for (unsigned i = 0; i < r->count; i++) {
    struct result *each = &r->result[i];
    if (each->job == job && strcmp(each->point, point) == 0 && strcmp(each->test, test) == 0) return each;
  }
  return NULL;
}

static struct result *named(struct report *r, unsigned job, const char **at)
{
  char test[NAME_MOST], point[POINT_MOST];
  return word(at, test, sizeof test) && word(at, point, sizeof point) ? find(r, job, test, point) : NULL;
}

/* A worker that nobody told which conduit to use says that it is a network: the probe knows more (probe.c).
 */
static int is_conduit(const char *name)
{
  return strcmp(name, "smp") == 0 || strcmp(name, "ofi") == 0 || strcmp(name, "ucx") == 0;
}

static int take_about(struct report *r, unsigned job, const char *at)
{
  char conduit[CONDUIT_MOST], transport[TRANSPORT_MOST];
  if (!word(&at, conduit, sizeof conduit) || !word(&at, transport, sizeof transport) || !at_end(at)) return 0;
  report_plain(conduit);
  report_plain(transport);
  for (unsigned i = 0; i < r->count; i++) {
    if (r->result[i].job != job) continue;
    if (is_conduit(conduit) || strcmp(r->result[i].conduit, "?") == 0)
      memcpy(r->result[i].conduit, conduit, sizeof conduit);
    if (strcmp(transport, "-") != 0) memcpy(r->result[i].transport, transport, sizeof transport);
  }
  return 1;
}

static int take_point(struct result *into, const char *at)
{
  struct stats ours, raw = {0};
  double nodes, threads, ratio = 0;
  char mark[8];
  if (!number(&at, &nodes) || nodes != into->nodes || !number(&at, &threads) || threads != into->threads ||
      !numbers(&at, &ours))
    return 0;
  if (word(&at, mark, sizeof mark) &&
      (strcmp(mark, "raw") != 0 || !numbers(&at, &raw) || !number(&at, &ratio) || ratio < 0))
    return 0;
  if (!at_end(at)) return 0;
  into->ours = ours;
  into->raw = raw;
  into->ratio = ratio;
  into->state = MEASURED;
  return 1;
}

static int take_missing(struct result *into, const char *at)
{
  at += strspn(at, " ");
  snprintf(into->missing, sizeof into->missing, "%s", *at ? at : "the worker did not say why");
  report_plain(into->missing);
  into->state = MISSING;
  return 1;
}

static int begins(const char **at, const char *with)
{
  const size_t n = strlen(with);
  if (strncmp(*at, with, n) != 0 || ((*at)[n] && (*at)[n] != ' ')) return 0;
  *at += n;
  return 1;
}

enum said collect(struct report *r, unsigned job, const char *line, struct result **which)
{
  const char *at = line;
  *which = NULL;
  if (line[0] != '@') return SAID_NOTHING;
  if (begins(&at, "@about")) return take_about(r, job, at) ? SAID_ABOUT : SAID_WRONG;
  if (begins(&at, "@doing"))
    return (*which = named(r, job, &at)) != NULL && at_end(at) ? SAID_DOING : SAID_WRONG;
  if (begins(&at, "@point"))
    return (*which = named(r, job, &at)) != NULL && take_point(*which, at) ? SAID_RESULT : SAID_WRONG;
  if (begins(&at, "@missing"))
    return (*which = named(r, job, &at)) != NULL && take_missing(*which, at) ? SAID_RESULT : SAID_WRONG;
  return SAID_NOTHING;
}
