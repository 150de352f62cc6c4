/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "bench/control/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "gasnet_config.h"

/* As /proc/cpuinfo calls it; its machine's kind where that says nothing. */
static void processor_name(char text[TEXT_MOST], const char *machine)
{
  char line[512];
  FILE *f = fopen("/proc/cpuinfo", "re");
  while (f && fgets(line, sizeof line, f) && sscanf(line, "model name : %255[^\n]", text) != 1) {}
  if (f) fclose(f);
  report_plain(text);
  if (!*text) text_add(text, "", "%s", machine);
}

static void place_name(const struct settings *s, struct place *p)
{
  struct utsname u = {.sysname = "?", .machine = "?"};
  const time_t now = time(NULL);
  struct tm utc;
  uname(&u);
  text_add(p->version, "", "%s", PENSTOCK_VERSION);
  strftime(p->date, sizeof p->date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
  text_add(p->host, "", "%s", u.nodename);
  text_add(p->system, "", "%.60s %.60s %.60s", u.sysname, u.release, u.machine);
  processor_name(p->processor, u.machine);
  if (s->hosts_text) text_add(p->hosts, "", "%s", s->hosts_text);
  p->processors = processors_here();
  if (getloadavg(&p->load, 1) != 1) p->load = -1;
}

/* Of jobs on this host. */
static void note_crowd(struct report *r)
{
  unsigned most = 0;
  for (const struct result *each = NULL; (each = report_next(r, each)) != NULL;)
    if (each->nodes * each->threads > most) most = each->nodes * each->threads;
  if (most > r->place.processors)
    text_add(report_note(r), "",
        "jobs with more nodes or threads than the %u processors here share them: such times include waiting "
        "for a turn",
        r->place.processors);
}

void place_fill(const struct settings *s, struct report *r)
{
  struct place *p = &r->place;
  place_name(s, p);
  if (p->load > 0.5 && p->load > 0.05 * p->processors)
    text_add(report_note(r), "",
        "the load average was %.1f before the run: other programs take part in these figures", p->load);
  if (!s->hosts.count) note_crowd(r);
}

/* ---- transports with bounds ---- */

/* What has bounds; of two names the first that is here. */
static const struct usual {
  const char *conduit, *library, *transport[2];
} usual[] = {{"ofi", "libfabric", {"net", "tcp"}}, {"ofi", "libfabric", {"tcp;ofi_rxm", NULL}},
    {"ofi", "libfabric", {"shm", NULL}}, {"ucx", "UCX", {"tcp,self", NULL}},
    {"ucx", "UCX", {"posix,self", NULL}}};

/* Notes where there is none. */
static const char *usual_choose(const struct usual *u, struct report *r, const char *worker, const char *raw)
{
  char reason[TEXT_MOST];
  const char *other = u->transport[1];
  for (unsigned k = 0; k < 2 && u->transport[k]; k++)
    if (ask_offers(NULL, worker, raw, u->transport[k], reason)) return u->transport[k];
  text_add(report_note(r), "", "%s offers no %s%s%s here, which has bounds", u->library, u->transport[0],
      other ? "|" : "", other ? other : "");
  return NULL;
}

/* How many transports the conduit has now. */
static unsigned target_expand(struct settings *s, struct report *r, const char *conduit)
{
  char reason[TEXT_MOST], worker[PATH_MAX], raw[PATH_MAX];
  const unsigned before = s->targets;
  if (!ask_worker(s, "gasnetbench-seq", worker, reason) || !ask_worker_raw(s, conduit, raw, reason)) return 0;
  for (unsigned i = 0; i < sizeof usual / sizeof *usual; i++) {
    if (strcmp(usual[i].conduit, conduit) != 0 || s->targets == TARGETS_MOST) continue;
    const char *chosen = usual_choose(&usual[i], r, worker, raw);
    if (chosen) s->target[s->targets++] = (struct target){conduit, chosen};
  }
  return s->targets - before;
}

void network_expand(struct settings *s, struct report *r)
{
  struct target old[TARGETS_MOST];
  const unsigned count = s->targets;
  if (!s->check) return;
  memcpy(old, s->target, sizeof old);
  s->targets = 0;
  for (unsigned i = 0; i < count; i++)
    if (!target_is_network(&old[i]) || old[i].transport || !target_expand(s, r, old[i].conduit))
      s->target[s->targets++] = old[i];
}

/* ---- by what nodes talk ---- */

struct heard {
  char conduit[CONDUIT_MOST], text[TEXT_MOST];
};

/* "penstock: node 0 of 2 (host): conduit ofi: provider tcp, device eth0" */
static void heard_line(void *arg, __attribute__((unused)) int complaint, const char *line)
{
  const char *said = strstr(line, "): conduit ");
  struct heard heard;
  if (!said || sscanf(said, "): conduit %7[^: ]: %200[^\n]", heard.conduit, heard.text) != 2) return;
  report_plain(heard.conduit);
  report_plain(heard.text);
  *(struct heard *)arg = heard;
}

static void heard_take(struct report *r, unsigned target, const struct heard *h)
{
  text_add(r->place.network, "; ", "%s: %.100s", h->conduit, h->text);
  for (struct result *each = NULL; (each = report_next(r, each)) != NULL;) {
    if (each->target != target) continue;
    memcpy(each->conduit, h->conduit, sizeof each->conduit);
    /* Of what says no provider none is known. */
    if (strcmp(each->transport, "-") == 0) sscanf(h->text, "provider %95[^, ]", each->transport);
  }
}

static void target_probe(struct run *run, unsigned target)
{
  const struct result *first = NULL;
  struct heard heard = {.conduit = ""};
  struct job job = {.patience = 60, .line = heard_line, .arg = &heard};
  char reason[TEXT_MOST];
  struct job_end end;
  do first = report_next(run->r, first);
  while (first && (first->target != target || first->of->program != BENCH_GASNET));
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
