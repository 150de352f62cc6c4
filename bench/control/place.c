/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "bench/control/place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "bench/control/run.h"
#include "gasnet_config.h"

static void copy_text(char to[TEXT_MOST], const char *from) { snprintf(to, TEXT_MOST, "%.255s", from); }

/* As /proc/cpuinfo calls it; its machine's kind where that says nothing. */
static void processor_name(char text[TEXT_MOST], const char *machine)
{
  char line[512];
  FILE *f = fopen("/proc/cpuinfo", "re");
  copy_text(text, machine);
  while (f && fgets(line, sizeof line, f)) {
    char *colon = strchr(line, ':');
    if (strncmp(line, "model name", 10) != 0 || !colon) continue;
    line[strcspn(line, "\n")] = '\0';
    copy_text(text, colon + 1 + strspn(colon + 1, " \t"));
    break;
  }
  if (f) fclose(f);
}

void place_fill(const struct settings *s, struct place *p)
{
  struct utsname u = {.sysname = "?", .machine = "?"};
  const time_t now = time(NULL);
  struct tm utc;
  uname(&u);
  copy_text(p->version, PENSTOCK_VERSION);
  strftime(p->date, sizeof p->date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
  copy_text(p->host, u.nodename);
  snprintf(p->system, sizeof p->system, "%.60s %.60s %.60s", u.sysname, u.release, u.machine);
  processor_name(p->processor, u.machine);
  copy_text(p->hosts, s->hosts_text ? s->hosts_text : "");
  p->processors = processors_here();
  if (getloadavg(&p->load, 1) != 1) p->load = -1;
  report_plain(p->host);
  report_plain(p->hosts);
  report_plain(p->processor);
  report_plain(p->system);
}

/* Of jobs on this host. */
static void note_crowd(struct report *r)
{
  unsigned most = 0;
  for (unsigned i = 0; i < r->count; i++) {
    const unsigned n = r->result[i].nodes * r->result[i].threads;
    if (n > most) most = n;
  }
  if (most > r->place.processors)
    report_note(r,
        "jobs with more nodes or threads than the %u processors here share them: such times include waiting "
        "for a turn",
        r->place.processors);
}

void place_warn(const struct settings *s, struct report *r)
{
  const struct place *p = &r->place;
  if (p->load > 0.5 && p->load > 0.05 * p->processors)
    report_note(
        r, "the load average was %.1f before the run: other programs take part in these figures", p->load);
  if (!s->hosts.count) note_crowd(r);
}

/* ---- transports with bounds ---- */

/* Of words that are joined by |, the first that is here. */
static const char *const ofi_usual[] = {"net|tcp", "tcp;ofi_rxm", "shm", NULL};
static const char *const ucx_usual[] = {"tcp,self", "posix,self", NULL};

/* The worker asks the bare transport. */
static int transport_is_offered(const char *worker, const char *raw, const char *transport)
{
  struct job job = {.patience = 60, .line = job_ignore, .complaint = job_ignore};
  struct job_end end;
  job_add(&job, "%s", worker);
  job_option(&job, "--offers", "%s", raw);
  job_add(&job, "%s", transport);
  job_set(&job, "UCX_LOG_LEVEL", "error");
  job_run(&job, &end);
  job_free(&job);
  return end.code == 0;
}

/* The one of `words` that is here, for the life of the program; or NULL. */
static const char *transport_choose(const char *worker, const char *raw, const char *words)
{
  char *copy = strdup(words), *rest = copy, *word;
  while (copy && (word = strsep(&rest, "|")) != NULL)
    if (transport_is_offered(worker, raw, word)) break;
  const char *chosen = copy && word ? words + (word - copy) : NULL;
  const size_t n = chosen ? strcspn(chosen, "|") : 0;
  free(copy);
  if (!chosen || !chosen[n]) return chosen;
  return strndup(chosen, n);
}

static void target_expand(
    struct settings *s, struct report *r, const struct target *t, const char *worker, const char *raw)
{
  const int ofi = strcmp(t->conduit, "ofi") == 0;
  const char *const *usual = ofi ? ofi_usual : ucx_usual;
  const unsigned before = s->targets;
  for (unsigned i = 0; usual[i] && s->targets < TARGETS_MOST; i++) {
    const char *chosen = transport_choose(worker, raw, usual[i]);
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
    if (worker && raw) target_expand(s, r, &old[i], worker, raw);
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
static void heard_line(void *arg, const char *line)
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

static void heard_take(struct report *r, unsigned target, const struct heard *h)
{
  text_add(r->place.network, "; ", "%s: %.100s", h->conduit, h->text);
  for (unsigned i = 0; i < r->count; i++) {
    struct result *each = &r->result[i];
    if (each->target != target) continue;
    memcpy(each->conduit, h->conduit, sizeof each->conduit);
    if (strcmp(each->transport, "-") == 0) name_transport(h, each->transport);
  }
}

static const struct result *target_first_result(const struct report *r, unsigned target)
{
  for (unsigned i = 0; i < r->count; i++)
    if (r->result[i].target == target && r->result[i].of->program == BENCH_GASNET) return &r->result[i];
  return NULL;
}

static void target_probe(struct run *run, unsigned target)
{
  const struct result *first = target_first_result(run->r, target);
  struct heard heard = {.conduit = ""};
  struct job job = {.patience = 60, .line = job_ignore, .complaint = heard_line, .arg = &heard};
  char reason[TEXT_MOST];
  struct job_end end;
  if (!first) return;
  struct result two = *first;
  two.nodes = 2;
  job_set(&job, "GASNET_SPAWN_VERBOSE", "1");
  if (ask(run, NULL, &two, 0, 0, &job, reason) == 0) job_run(&job, &end);
  job_free(&job);
  if (*heard.conduit) heard_take(run->r, target, &heard);
}

void network_probe(struct run *run)
{
  for (unsigned t = 0; t < run->s->targets && !job_interrupted(); t++)
    if (!run->s->target[t].conduit || strcmp(run->s->target[t].conduit, "smp") != 0) target_probe(run, t);
}
