/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Whether the network or processors carry out atomic operations on words of 32 and 64 bits.
 *
 * A network's operations are atomic with respect to each other alone. So either all nodes use them for all
 * words, their own words among them, or no node does. Nodes that share memory use the processor's, so then no
 * node uses the network's. */
#include <stdlib.h>
#include <string.h>

#include "core/atomic.h"
#include "core/job.h"
#include "core/loss.h"
#include "core/neighbourhood.h"
#include "core/segment.h"
#include "core/variables.h"
#include "core/wait.h"
#include "extended/atomic.h"
#include "extended/op.h"
#include "support/env.h"
#include "support/variables.h"

static int network_atomic_is_right(gasnetx_atomic_op_t op, unsigned nbytes, void *word)
{
  const uint64_t before = UINT64_C(0x0ff0f0f00f0ff00f), operand = UINT64_C(0xf00ff0ff0ff00f0f),
                 all = nbytes == 8 ? UINT64_MAX : UINT32_MAX;
  uint64_t model = before, value = 0;
  struct pst_completion completion = {0};
  struct pst_wait w = {0, 0};
  pst_atomic_cpu(op, nbytes, PST_VALUE_BYTES(model, nbytes), operand, before);
  pst_atomic_cpu(GASNETX_SET, nbytes, word, before, 0);
  while (pst_job.network->atomic(op, nbytes, pst_mynode, word, operand, before, &value, &completion) ==
      PST_ERR_AGAIN)
    pst_wait_step(&w);
  pst_completion_wait(&completion, PST_EVENTS);
  model = pst_register_load(PST_VALUE_BYTES(model, nbytes), nbytes);
  return value == (before & all) && pst_atomic_cpu(GASNETX_GET, nbytes, word, 0, 0) == model;
}

/* Tries the network's operations on memory of this node that nobody uses yet, for other nodes wait and the
 * client has not attached. The processor must see their results. */
static int network_atomics_work(void)
{
  const gasnet_seginfo_t *s = &pst_segments.info[pst_mynode];
  const uint64_t was = s->size ? *(const uint64_t *)s->addr : 0;
  int right = 1;
  if (s->size == 0) return 1;
  for (int op = GASNETX_SET; op <= GASNETX_CSWAP && right; op++)
    right = network_atomic_is_right((gasnetx_atomic_op_t)op, 4, s->addr) &&
        network_atomic_is_right((gasnetx_atomic_op_t)op, 8, s->addr);
  *(uint64_t *)s->addr = was;
  return right;
}

/* NULL: nothing is against it, as far as this node knows. */
static const char *network_reason_against(void)
{
  const char *why;
  if (pst_job.am_only) return "GASNET_AM_ONLY has all of them made of messages";
  if (!pst_job.network) return "this job has no network";
  if (pst_loss.on) return "losses are reported, and a lost node must not keep them from ending";
  if (!pst_neighbour_all_alone())
    return "there are nodes that share memory (GASNET_SUPERNODE_MAXSIZE=1 keeps them apart)";
  if (!pst_job.network->atomic) return "its conduit has none";
  if ((why = pst_job.network->net->lacks_atomics()) != NULL) return why;
  return network_atomics_work() ? NULL : "they give wrong results where they were tried";
}

/* Collective, where the user insists: the first node that has a reason says it. */
static void network_refuse(const char *why, const uint8_t *all)
{
  gasnet_node_t first = 0;
  while (all[first] == 0) first++;
  if (first == pst_mynode)
    pst_say("GASNET_ATOMICS=network: the network cannot carry out atomic operations: %s", why);
  pst_job_fence();
  gasnet_exit(1);
}

int pst_atomic_choose_network(void)
{
  const char *who = pst_env_string(&pst_core_env.atomics), *why;
  const int insists = strcmp(who, "network") == 0;
  uint8_t *all, mine;
  unsigned against = 0;
  if (!pst_job.network && !insists) return 0;
  why = strcmp(who, "cpu") == 0 ? "" : network_reason_against();
  mine = why != NULL;
  all = malloc(pst_nodes);
  if (!all) pst_fatal("out of memory for %u nodes", pst_nodes);
  pst_job_exchange(&mine, sizeof mine, all);
  for (gasnet_node_t i = 0; i < pst_nodes; i++) against += all[i];
  if (against && insists) network_refuse(why, all);
  free(all);
  if (!against && pst_mynode == 0 && pst_env_bool(&pst_support_env.spawn_verbose))
    pst_say("atomic operations: by the network");
  return against == 0;
}
