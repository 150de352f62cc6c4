#include "bench/control/probe.h"

#include <stdio.h>
#include <string.h>

#include "bench/control/ask.h"

struct heard {
  char conduit[CONDUIT_MOST], text[TEXT_MOST];
};

static void ignore(void *unused, const char *line) { (void)unused, (void)line; }

/* "penstock: node 0 of 2 (host): conduit ofi: provider tcp, device eth0" */
static void hear(void *arg, const char *line)
{
  struct heard *h = arg;
  const char *at = strstr(line, "): conduit "), *colon;
  if (!at) return;
  at += strlen("): conduit ");
  colon = strstr(at, ": ");
  const size_t n = colon ? (size_t)(colon - at) : 0;
  if (n == 0 || n >= sizeof h->conduit || memchr(at, ' ', n)) return;
  memcpy(h->conduit, at, n);
  h->conduit[n] = '\0';
  snprintf(h->text, sizeof h->text, "%.200s", colon + 2);
  report_plain(h->conduit);
  report_plain(h->text);
}

/* What follows "provider ", up to the comma; else none is known. */
static void name_transport(const struct heard *h, char transport[TRANSPORT_MOST])
{
  static const char before[] = "provider ";
  if (strncmp(h->text, before, sizeof before - 1) != 0) return;
  snprintf(transport, TRANSPORT_MOST, "%.*s", (int)strcspn(h->text + sizeof before - 1, ", "), h->text + sizeof before - 1);
}

static void take(struct report *r, unsigned target, const struct heard *h)
{
  char *network = r->place.network;
  const size_t n = strlen(network);
  snprintf(network + n, TEXT_MOST - n, "%s%s: %.100s", n ? "; " : "", h->conduit, h->text);
  for (unsigned i = 0; i < r->count; i++) {
    struct result *each = &r->result[i];
    if (each->target != target) continue;
    memcpy(each->conduit, h->conduit, sizeof each->conduit);
    if (strcmp(each->transport, "-") == 0) name_transport(h, each->transport);
  }
}

static const struct result *first_of(const struct report *r, unsigned target)
{
  for (unsigned i = 0; i < r->count; i++)
    if (r->result[i].target == target && r->result[i].of->program == BENCH_GASNET) return &r->result[i];
  return NULL;
}

static void probe(struct run *run, unsigned target)
{
  const struct result *first = first_of(run->r, target);
  struct heard heard = {.conduit = ""};
  struct job job = {.variable = {{"GASNET_SPAWN_VERBOSE", "1"}}, .patience = 60, .line = ignore, .complaint = hear, .arg = &heard};
  struct asked asked;
  struct job_end end;
  if (!first) return;
  struct result two = *first;
  two.nodes = 2;
  if (ask(run, NULL, &two, 0, 0, &job, &asked) == 0) job_run(&job, &end);
  ask_free(&asked);
  if (*heard.conduit) take(run->r, target, &heard);
}

void probe_networks(struct run *run)
{
  for (unsigned t = 0; t < run->s->targets && !job_interrupted(); t++)
    if (!run->s->target[t].conduit || strcmp(run->s->target[t].conduit, "smp") != 0) probe(run, t);
}
