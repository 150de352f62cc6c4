/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Native hardware comes first: ucx where all nodes have a device of InfiniBand's class, ofi where all nodes
 * have a native provider. Else two nodes of different hosts measure round trips by each library, and all
 * nodes take the faster one. A library is loaded only when the one before it was not chosen. */
#include "core/choose.h"

#include <stdlib.h>
#include <string.h>

#include "core/job.h"
#include "core/neighbourhood.h"
#include "support/env.h"
#include "support/variables.h"

enum { MOST = 8 };

/* What all nodes have at least. */
static enum pst_conduit_grade grade_of_all(const struct pst_conduit *c, const struct pst_conduit_job *job)
{
  uint8_t mine = (uint8_t)c->net->grade(), *all = pst_job_alloc(job->nodes, sizeof *all);
  job->exchange(&mine, sizeof mine, all);
  for (unsigned i = 0; i < job->nodes; i++)
    if (all[i] < mine) mine = all[i];
  free(all);
  return (enum pst_conduit_grade)mine;
}

/* ---- the fastest ---- */

static gasnet_node_t first_of_another_host(const struct pst_conduit_job *job)
{
  gasnet_node_t i = 0;
  while (i < job->nodes - 1 && pst_neighbour_host(i) == 0) i++;
  return i;
}

/* Node 0's figure for a round trip to the first node of another host; less than 0: none. */
static double measure_round_trip(const struct pst_conduit *c, const struct pst_conduit_job *job)
{
  const gasnet_node_t other = first_of_another_host(job);
  const gasnet_node_t peer = job->node == 0 ? other : job->node == other ? 0 : PST_NO_PEER;
  double mine = c->net->probe(job, peer), *all = pst_job_alloc(job->nodes, sizeof *all);
  job->exchange(&mine, sizeof mine, all);
  mine = all[0];
  free(all);
  return mine;
}

static void say_choice(const struct pst_conduit_job *job, const struct pst_conduit *c, const char *why)
{
  if (job->node == 0 && pst_env_bool(&pst_support_env.spawn_verbose))
    pst_say("conduit %s is taken: %s", c->name, why);
}

static const struct pst_conduit *fastest(
    const struct pst_conduit *const *some, unsigned count, const struct pst_conduit_job *job)
{
  const struct pst_conduit *best = some[0];
  double least = -1;
  char figures[MOST * 48] = "";
  for (unsigned i = 0; i < count; i++) {
    const double us = measure_round_trip(some[i], job);
    const size_t at = strlen(figures);
    if (us < 0) snprintf(figures + at, sizeof figures - at, "%s%s: no answer", i ? ", " : "", some[i]->name);
    else snprintf(figures + at, sizeof figures - at, "%s%s: %.1f us", i ? ", " : "", some[i]->name, us);
    if (us >= 0 && (least < 0 || us < least)) {
      best = some[i];
      least = us;
    }
  }
  snprintf(figures + strlen(figures), sizeof figures - strlen(figures), " a round trip");
  say_choice(job, best, figures);
  return best;
}

static const struct {
  const char *name, *why;
} order[] = {
    {"ucx", "it has an InfiniBand-class device on all nodes"},
    {"ofi", "it has a native provider on all nodes"},
};

int pst_choose_has_networks(void)
{
  for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
    if (pst_conduit_find(order[i].name)) return 1;
  return 0;
}

const struct pst_conduit *pst_choose_network(const struct pst_conduit_job *job)
{
  const struct pst_conduit *some[MOST], *c;
  unsigned count = 0;
  for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
    enum pst_conduit_grade grade;
    if (!(c = pst_conduit_find(order[i].name))) continue;
    grade = grade_of_all(c, job);
    if (grade == PST_GRADE_NATIVE) {
      say_choice(job, c, order[i].why);
      return c;
    }
    if (grade != PST_GRADE_NONE) some[count++] = c;
  }
  if (count == 1) say_choice(job, some[0], "no other finds a network on all nodes");
  return count > 1 ? fastest(some, count, job) : count ? some[0] : NULL;
}
