/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "bench/control/network.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/control/ask.h"

/* ---- transports with bounds ---- */

/* Of words that are joined by |, the first that is here. */
static const char *const ofi_usual[] = {"net|tcp", "tcp;ofi_rxm", "shm", NULL};
static const char *const ucx_usual[] = {"tcp,self", "posix,self", NULL};

/* Asks the worker, which asks the bare transport. */
static int offered(const char *worker, const char *raw, const char *transport)
{
  struct job job = {.patience = 60, .line = job_ignore, .complaint = job_ignore};
  struct job_end end;
  job_add(&job, "%s", worker);
  job_add(&job, "--offers");
  job_add(&job, "%s", raw);
  job_add(&job, "%s", transport);
  job_set(&job, "UCX_LOG_LEVEL", "error");
  job_run(&job, &end);
  job_free(&job);
  return end.code == 0;
}

/* The one of `words` that is here, for the life of the program; or NULL. */
static const char *choose(const char *worker, const char *raw, const char *words)
{
  char *copy = strdup(words), *rest = copy, *word;
  while (copy && (word = strsep(&rest, "|")) != NULL)
    if (offered(worker, raw, word)) break;
  const char *chosen = copy && word ? words + (word - copy) : NULL;
  const size_t n = chosen ? strcspn(chosen, "|") : 0;
  free(copy);
  if (!chosen || !chosen[n]) return chosen;
  return strndup(chosen, n);
}

static void expand_target(
    struct settings *s, struct report *r, const struct target *t, const char *worker, const char *raw)
{
  const int ofi = strcmp(t->conduit, "ofi") == 0;
  const char *const *usual = ofi ? ofi_usual : ucx_usual;
  const unsigned before = s->targets;
  for (unsigned i = 0; usual[i] && s->targets < TARGETS_MOST; i++) {
    const char *chosen = choose(worker, raw, usual[i]);
    if (chosen) s->target[s->targets++] = (struct target){t->conduit, chosen};
    else report_note(r, "%s offers no %s here, which has bounds", ofi ? "libfabric" : "UCX", usual[i]);
  }
  if (s->targets == before) s->target[s->targets++] = *t;
}

void network_expand(struct settings *s, struct report *r)
{
  struct target old[TARGETS_MOST];
  const unsigned count = s->targets;
  char reason[TEXT_MOST], name[64];
  if (!s->check) return;
  memcpy(old, s->target, sizeof old);
  s->targets = 0;
  for (unsigned i = 0; i < count; i++) {
    const int network = old[i].conduit && strcmp(old[i].conduit, "smp") != 0 && !old[i].transport;
    snprintf(name, sizeof name, "gasnetbench-raw-%s.so", network ? old[i].conduit : "");
    char *worker = network ? ask_worker(s, "gasnetbench-seq", reason) : NULL;
    char *raw = network ? ask_worker(s, name, reason) : NULL;
    if (worker && raw) expand_target(s, r, &old[i], worker, raw);
    else s->target[s->targets++] = old[i];
    free(worker);
    free(raw);
  }
}

/* ---- by what nodes talk ---- */

struct heard {
  char conduit[CONDUIT_MOST], text[TEXT_MOST];
};

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
  const char *name = h->text + sizeof before - 1;
  snprintf(transport, TRANSPORT_MOST, "%.*s", (int)strcspn(name, ", "), name);
}

static void take_heard(struct report *r, unsigned target, const struct heard *h)
{
  text_add(r->place.network, "; ", "%s: %.100s", h->conduit, h->text);
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
  struct job job = {.patience = 60, .line = job_ignore, .complaint = hear, .arg = &heard};
  char reason[TEXT_MOST];
  struct job_end end;
  if (!first) return;
  struct result two = *first;
  two.nodes = 2;
  job_set(&job, "GASNET_SPAWN_VERBOSE", "1");
  if (ask(run, NULL, &two, 0, 0, &job, reason) == 0) job_run(&job, &end);
  job_free(&job);
  if (*heard.conduit) take_heard(run->r, target, &heard);
}

void network_probe(struct run *run)
{
  for (unsigned t = 0; t < run->s->targets && !job_interrupted(); t++)
    if (!run->s->target[t].conduit || strcmp(run->s->target[t].conduit, "smp") != 0) probe(run, t);
}
