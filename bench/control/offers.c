#include "bench/control/offers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/control/job.h"
#include "bench/control/workers.h"

/* Of words that are joined by |, the first that is here. */
static const char *const ofi_usual[] = {"net|tcp", "tcp;ofi_rxm", "shm", NULL}, *const ucx_usual[] = {"tcp,self", "posix,self", NULL};

static void ignore(void *unused, const char *line) { (void)unused, (void)line; }

/* Asks the worker, which asks the bare transport. */
static int offered(const char *worker, const char *raw, const char *transport)
{
  const struct job job = {.argument = {worker, "--offers", raw, transport}, .variable = {{"UCX_LOG_LEVEL", "error"}}, .patience = 60,
                          .line = ignore, .complaint = ignore};
  struct job_end end;
  job_run(&job, &end);
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

static void expand(struct settings *s, struct report *r, const struct target *t, const char *worker, const char *raw)
{
  const char *const *usual = strcmp(t->conduit, "ofi") == 0 ? ofi_usual : ucx_usual;
  const unsigned before = s->targets;
  for (unsigned i = 0; usual[i] && s->targets < TARGETS_MOST; i++) {
    const char *chosen = choose(worker, raw, usual[i]);
    if (chosen) s->target[s->targets++] = (struct target){t->conduit, chosen};
    else report_note(r, "%s offers no %s here, which has bounds", strcmp(t->conduit, "ofi") == 0 ? "libfabric" : "UCX", usual[i]);
  }
  if (s->targets == before) s->target[s->targets++] = *t;
}

void offers_expand(struct settings *s, struct report *r)
{
  struct target old[TARGETS_MOST];
  const unsigned count = s->targets;
  char reason[256], name[64];
  if (!s->check) return;
  memcpy(old, s->target, sizeof old);
  s->targets = 0;
  for (unsigned i = 0; i < count; i++) {
    const int network = old[i].conduit && strcmp(old[i].conduit, "smp") != 0 && !old[i].transport;
    snprintf(name, sizeof name, "gasnetbench-raw-%s.so", network ? old[i].conduit : "");
    char *worker = network ? worker_path(s, "gasnetbench-seq", reason) : NULL, *raw = network ? worker_path(s, name, reason) : NULL;
    if (worker && raw) expand(s, r, &old[i], worker, raw);
    else s->target[s->targets++] = old[i];
    free(worker);
    free(raw);
  }
}
