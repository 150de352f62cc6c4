/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "launch/hosts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launch/options.h"

/* A host that is named again has more slots. */
static void host_add(struct hosts *h, const char *where, const char *name, size_t n, unsigned slots)
{
  for (unsigned i = 0; i < h->count; i++)
    if (strlen(h->host[i].name) == n && memcmp(h->host[i].name, name, n) == 0) {
      h->host[i].slots = (h->host[i].slots ? h->host[i].slots : 1) + (slots ? slots : 1);
      return;
    }
  if (h->count == PST_MAX_HOSTS) fail(EXIT_MISUSE, "%s: more than %d hosts", where, PST_MAX_HOSTS);
  struct host *grown = realloc(h->host, (h->count + 1) * sizeof *grown);
  char *copy = strndup(name, n);
  if (!grown || !copy) fail(1, "out of memory for the list of hosts");
  h->host = grown;
  h->host[h->count++] = (struct host){.name = copy, .slots = slots};
}

/* A name that looks like an option would be one to the remote shell. */
static void host_check_name(const char *where, const char *name, size_t n)
{
  if (n == 0) fail(EXIT_MISUSE, "%s: a host without a name", where);
  if (name[0] == '-') fail(EXIT_MISUSE, "%s: '%.*s' is no name of a host", where, (int)n, name);
  for (size_t i = 0; i < n; i++)
    if ((unsigned char)name[i] <= ' ' || strchr("\"'\\$`;&|<>(){}*?!#", name[i]) || name[i] == 127)
      fail(EXIT_MISUSE, "%s: '%.*s' is no name of a host", where, (int)n, name);
}

static unsigned slots_parse(const char *where, const char *text, size_t n)
{
  unsigned v = 0;
  for (size_t i = 0; i < n && text[i] >= '0' && text[i] <= '9' && v <= PST_MAX_LOCAL; i++) {
    v = 10 * v + (unsigned)(text[i] - '0');
    if (i + 1 == n && v >= 1 && v <= PST_MAX_LOCAL) return v;
  }
  fail(EXIT_MISUSE, "%s: '%.*s' processes on a host; 1 to %d are possible", where, (int)n, text,
      PST_MAX_LOCAL);
}

/* Colons belong to the name within brackets, and where there are several of them: both are addresses. */
static void host_take(struct hosts *h, const char *where, const char *text, size_t n)
{
  const char *end = text + n, *colon = memchr(text, ':', n), *close = memchr(text, ']', n);
  if (n && text[0] == '[' && close) {
    colon = close + 1 < end ? close + 1 : NULL;
    if (colon && *colon != ':') fail(EXIT_MISUSE, "%s: '%.*s' is no name of a host", where, (int)n, text);
    host_check_name(where, text + 1, (size_t)(close - text) - 1);
    host_add(h, where, text + 1, (size_t)(close - text) - 1,
        colon ? slots_parse(where, colon + 1, (size_t)(end - colon) - 1) : 0);
    return;
  }
  if (colon && memchr(colon + 1, ':', (size_t)(end - colon) - 1)) colon = NULL;
  const size_t name = colon ? (size_t)(colon - text) : n;
  host_check_name(where, text, name);
  host_add(h, where, text, name, colon ? slots_parse(where, colon + 1, n - name - 1) : 0);
}

void hosts_take_list(struct hosts *h, const char *where, const char *text)
{
  for (;; text++) {
    const size_t n = strcspn(text, ",");
    host_take(h, where, text, n);
    text += n;
    if (!*text) return;
  }
}

static void line_take(struct hosts *h, const char *where, char *line)
{
  static const char blank[] = " \t\r\n";
  line[strcspn(line, "#")] = '\0';
  char *rest, *name = strtok_r(line, blank, &rest);
  if (!name) return;
  host_take(h, where, name, strlen(name));
  for (char *word; (word = strtok_r(NULL, blank, &rest)) != NULL;) {
    if (strncmp(word, "slots=", 6) != 0)
      fail(EXIT_MISUSE, "%s: '%s' is not understood; a line is HOST, HOST:N or HOST slots=N", where, word);
    h->host[h->count - 1].slots = slots_parse(where, word + 6, strlen(word + 6));
  }
}

void hosts_take_file(struct hosts *h, const char *path)
{
  FILE *f = fopen(path, "re");
  char *line = NULL, where[256];
  size_t room = 0;
  if (!f) fail(EXIT_MISUSE, "cannot read the hosts in '%s': %s", path, strerror(errno));
  for (unsigned number = 1; getline(&line, &room, f) >= 0; number++) {
    snprintf(where, sizeof where, "%s:%u", path, number);
    line_take(h, where, line);
  }
  if (ferror(f)) fail(EXIT_MISUSE, "cannot read the hosts in '%s': %s", path, strerror(errno));
  if (h->count == 0) fail(EXIT_MISUSE, "there is no host in '%s'", path);
  free(line);
  fclose(f);
}

static unsigned total_slots(const struct hosts *h)
{
  unsigned n = 0;
  for (unsigned i = 0; i < h->count; i++) n += h->host[i].slots;
  return n;
}

/* Where no host says a number, each has room for its share; else a host that says none has room for one. */
static void fill_in_slots(struct hosts *h, unsigned nodes)
{
  const unsigned share = total_slots(h) || nodes <= h->count ? 1 : (nodes + h->count - 1) / h->count;
  for (unsigned i = 0; i < h->count; i++)
    if (!h->host[i].slots) h->host[i].slots = share;
}

static void drop_from(struct hosts *h, unsigned count)
{
  while (h->count > count) free(h->host[--h->count].name);
}

/* Evenly, but none gets more than its slots. */
static void share_evenly(struct hosts *h, unsigned nodes)
{
  for (unsigned given = 0; given < nodes;)
    for (unsigned i = 0; i < h->count && given < nodes; i++)
      if (h->host[i].local < h->host[i].slots) {
        h->host[i].local++;
        given++;
      }
}

static void share_in_order(struct hosts *h, unsigned nodes)
{
  for (unsigned i = 0; i < h->count; i++) {
    h->host[i].local = nodes < h->host[i].slots ? nodes : h->host[i].slots;
    nodes -= h->host[i].local;
  }
}

static unsigned number(struct hosts *h)
{
  unsigned first = 0, used = 0;
  for (unsigned i = 0; i < h->count; i++) {
    h->host[i].first = first;
    first += h->host[i].local;
    if (h->host[i].local) used = i + 1;
  }
  drop_from(h, used);
  return first;
}

unsigned hosts_share(struct hosts *h, unsigned nodes, unsigned most)
{
  if (most > h->count) fail(EXIT_MISUSE, "-N %u: only %u hosts are named", most, h->count);
  if (most) drop_from(h, most);
  if (most && nodes && nodes < most)
    fail(EXIT_MISUSE, "%u processes on %u hosts: there is not one for each", nodes, most);
  const int counted = total_slots(h) > 0;
  fill_in_slots(h, nodes);
  const unsigned slots = total_slots(h);
  if (!nodes) nodes = slots;
  if (nodes > slots)
    fail(EXIT_MISUSE, "too few slots: %u processes, and %u hosts with room for %u; say host:N", nodes,
        h->count, slots);
  if (most || !counted) share_evenly(h, nodes);
  else share_in_order(h, nodes);
  return number(h);
}

void hosts_free(struct hosts *h)
{
  drop_from(h, 0);
  free(h->host);
  h->host = NULL;
}
