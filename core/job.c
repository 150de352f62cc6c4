/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "core/job.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/amcheck.h"
#include "bootstrap/boot.h"
#include "core/choose.h"
#include "core/copies.h"
#include "core/exit.h"
#include "core/forked.h"
#include "core/handler.h"
#include "core/loss.h"
#include "core/neighbourhood.h"
#include "core/region.h"
#include "core/scratch.h"
#include "core/segment.h"
#include "core/trace.h"
#include "core/variables.h"
#include "core/wait.h"
#include "gasnetx.h"
#include "support/env.h"
#include "support/freeze.h"
#include "support/integers.h"
#include "support/packages.h"
#include "support/tsan.h"

PST_HOT_DATA struct pst_job pst_job;
gasnet_node_t pst_mynode, pst_nodes;
void (*gasnet_client_attach_hook)(void *, uintptr_t);

/* Marks that the client's object files leave, by thread mode: see penstock/job.h. */
extern int pst_client_mode_seq __attribute__((weak));
extern int pst_client_mode_parsync __attribute__((weak));
extern int pst_client_mode_par __attribute__((weak));

static void check_client(unsigned client)
{
  const int modes = (&pst_client_mode_seq != NULL) + (&pst_client_mode_parsync != NULL) +
      (&pst_client_mode_par != NULL);
  if ((client & ~0xffu) != PST_CLIENT_ABI)
    pst_fatal("this program was compiled with headers of another version of the library; compile it again");
  if (!!(client & PST_CLIENT_DEBUG) != PST_DEBUG)
    pst_fatal(
        "this program was compiled for a %s library and runs with a %s one; compile it against this one",
        client & PST_CLIENT_DEBUG ? "debug" : "release", PST_DEBUG ? "debug" : "release");
  if (modes > 1)
    pst_fatal(
        "this program mixes object files of different thread modes; compile all with one of GASNET_SEQ, "
        "GASNET_PARSYNC and GASNET_PAR");
}

static void open_self(void)
{
  pst_job.self = &pst_job.place.hm.state->node[pst_mynode - pst_job.place.first];
  atomic_store_explicit(&pst_job.self->joined, 1, memory_order_relaxed);
  atomic_store_explicit(&pst_job.self->pid, getpid(), memory_order_release);
  pst_error_identity((int)pst_mynode, (int)pst_nodes);
}

static void place_open(void)
{
  struct pst_start *s = &pst_job.place;
  pst_scratch_reserve();
  pst_start(s);
  pst_mynode = s->node;
  pst_nodes = s->nodes;
  pst_boot_open(s);
}

/* Nodes that share memory use the processor's operations, and the network's need not be atomic to those. */
static enum pst_conduit_atomics wanted_atomics(void)
{
  const char *who = pst_env_string(&pst_core_env.atomics);
  if (pst_job.am_only || strcmp(who, "cpu") == 0 || !pst_neighbour_all_alone()) return PST_ATOMICS_NONE;
  return strcmp(who, "network") == 0 ? PST_ATOMICS_ANY : PST_ATOMICS_BY_DEVICE;
}

static int send_old(void)
{
  const pst_send_old_fn send = atomic_load_explicit(&pst_wait_send_old, memory_order_acquire),
                        advance = atomic_load_explicit(&pst_wait_advance_behind, memory_order_acquire);
  const int left = advance ? advance() : 0;
  return send ? send() | left : left;
}

/* A client that lets handlers run in the background wants the thread that runs them, unless the user says
 * otherwise. */
static int wants_thread(void)
{
  return pst_env_is_set(&pst_core_env.progress_thread) ? pst_env_bool(&pst_core_env.progress_thread)
                                                       : pst_job.background;
}

static struct pst_conduit_job conduit_job(void)
{
  const struct pst_start *s = &pst_job.place;
  return (struct pst_conduit_job){.node = s->node,
      .nodes = s->nodes,
      .first = s->first,
      .local = s->local,
      .shared_with = pst_neighbour_near(),
      .cores = pst_job.cores,
      .par = pst_job.par,
      .exchange = pst_boot_all,
      .host = {.shared = pst_scratch_conduit(), .networked = pst_job.network != NULL},
      .network = {.thread = wants_thread(),
          .background = pst_job.par && pst_job.background,
          .send_old = send_old,
          .atomics = wanted_atomics()}};
}

static void open_conduit(const struct pst_conduit *c, struct pst_conduit_limits *limits)
{
  const struct pst_conduit_job job = conduit_job();
  const int rc = c->open(&job);
  if (rc != PST_OK) pst_fatal("cannot open the conduit %s: %s", c->name, pst_err_text(rc));
  c->limits(limits);
  /* Clients keep the lengths of their messages in an int. */
  limits->max_long_request = pst_least(limits->max_long_request, INT_MAX);
  limits->max_long_reply = pst_least(limits->max_long_reply, INT_MAX);
}

/* What every node can take. */
static void join_limits(struct pst_conduit_limits *l, const struct pst_conduit_limits *other)
{
  l->max_medium = pst_least(l->max_medium, other->max_medium);
  l->max_long_request = pst_least(l->max_long_request, other->max_long_request);
  l->max_long_reply = pst_least(l->max_long_reply, other->max_long_reply);
}

void pst_job_report_losses(void)
{
  static struct pst_conduit reporting;
  pst_job.conduit = pst_job.host->reporting;
  if (!pst_job.network) return;
  const size_t most = pst_job.network->net->reporting.max_long;
  reporting = *pst_job.network;
  reporting.attach = reporting.net->reporting.attach;
  reporting.am = reporting.net->reporting.am;
  reporting.am_short = NULL;
  reporting.put = NULL;
  reporting.get = NULL;
  reporting.memset = NULL;
  reporting.atomic = NULL;
  pst_job.network = &reporting;
  pst_job.limits.max_long_request = pst_least(pst_job.limits.max_long_request, most);
  pst_job.limits.max_long_reply = pst_least(pst_job.limits.max_long_reply, most);
}

/* Collective. Node 0 prints it for all nodes. */
static _Noreturn void refuse_job(const char *before, const char *name, const char *after)
{
  if (pst_mynode == 0 && pst_job.place.hosts == 1) pst_say("%s%s%s", before, name, after);
  else if (pst_mynode == 0) pst_say("%s%s%s (%u hosts)", before, name, after, pst_job.place.hosts);
  pst_boot_fence();
  gasnet_exit(1);
}

static _Noreturn void refuse_hosts(void)
{
  if (pst_choose_has_networks())
    refuse_job("a job on several hosts needs a network, and none was found on all of them; "
               "gasnet_info says what each of them has",
        "", "");
  refuse_job("a job on several hosts needs a network, and this library was built without one: install ",
      pst_packages_of_network("/etc/os-release"), ", configure and build it again");
}

/* The network of a job where GASNET_CONDUIT names none: needed only between hosts. */
static const struct pst_conduit *network_for_hosts(void)
{
  const struct pst_conduit_job job = conduit_job();
  const struct pst_conduit *c;
  if (pst_job.place.hosts == 1) return NULL;
  c = pst_choose_network(&job);
  if (!c) refuse_hosts();
  return c;
}

static const struct pst_conduit *wanted_network(void)
{
  const char *name = pst_env_string(&pst_core_env.conduit);
  const struct pst_conduit *c = pst_conduit_find(name);
  if (strcmp(name, "auto") == 0) return network_for_hosts();
  if (!c)
    refuse_job(
        "GASNET_CONDUIT=", name, ": this library was built without that conduit; see ./configure --help");
  if (strcmp(name, "smp") != 0) return c;
  if (pst_job.place.hosts > 1)
    refuse_job("GASNET_CONDUIT=", name, " cannot serve a job on several hosts: unset it, or name a network");
  return NULL;
}

/* Shared memory always, for the nodes near this one; a network for other nodes, where there are any and a
 * network is wanted. */
static void open_conduits(void)
{
  const struct pst_conduit *network, *local = pst_conduit_find("smp");
  struct pst_conduit_limits limits;
  pst_neighbour_open_table();
  network = wanted_network();
  if (network && pst_neighbour_any_far()) pst_job.network = network;
  open_conduit(local, &pst_job.limits);
  pst_job.conduit = local;
  pst_job.host = local->host;
  if (!pst_job.network) return;
  open_conduit(network, &limits);
  join_limits(&pst_job.limits, &limits);
  pst_job.far = pst_neighbour_far();
}

static void freeze_if_asked(void)
{
  if (pst_env_bool(&pst_core_env.freeze)) pst_freeze("on request");
}

int pst_client_init(int *argc, char ***argv, unsigned client)
{
  (void)argc; /* the launcher adds nothing to the arguments: it speaks through the environment */
  (void)argv;
  pst_forked_check();
  if (pst_job.phase != PST_PHASE_NONE) return GASNET_ERR_NOT_INIT;
  pst_copies_join();
  check_client(client);
  pst_job.par = (client & 3) == PST_CLIENT_PAR;
  pst_job.no_quit = (client & PST_CLIENT_NO_QUIT) != 0;
  pst_env_check(0); /* before there are many processes that would say it; gasnetrun does so, too */
  place_open();
  pst_region_share(); /* before a library that is loaded starts threads */
  pst_exit_open();
  open_self();
  pst_env_check(pst_mynode == 0);
  pst_job.am_only = pst_env_bool(&pst_core_env.am_only);
  pst_job.supernode = pst_env_is_set(&pst_core_env.supernode_maxsize)
      ? (unsigned)pst_env_int(&pst_core_env.supernode_maxsize)
      : 0;
  pst_job.cores = pst_boot_cores();
  pst_signals_open();
  pst_trace_open(pst_mynode, pst_nodes);
  freeze_if_asked();
  pst_wait_open(pst_job.place.local, pst_job.cores, pst_neighbour_near());
  open_conduits();
  pst_segment_open();
  pst_job.phase = PST_PHASE_INIT;
  return GASNET_OK;
}

static int attach_refuse(int err, const char *why)
{
  pst_warn("gasnet_attach returns %s: %s", gasnet_ErrorName(err), why);
  return err;
}

static const char *segment_fault(uintptr_t size)
{
  if (size % PST_PAGESIZE) return "the segment's size is no multiple of GASNET_PAGESIZE";
  if (size > pst_segments.max_local)
    return "the segment is larger than gasnet_getMaxLocalSegmentSize(); see GASNET_MAX_SEGSIZE";
  return NULL;
}

/* All is mapped: the client gets its descriptors back. */
static void close_files(void)
{
  struct pst_hostmem *h = &pst_job.place.hm;
  int *const fd[] = {&h->control_fd, &h->segment_fd, &h->huge_fd};
  for (size_t i = 0; i < sizeof fd / sizeof fd[0]; i++) {
    if (*fd[i] >= 0) close(*fd[i]);
    *fd[i] = -1;
  }
}

static void attach_conduits(void)
{
  const struct pst_conduit *const all[] = {pst_job.conduit, pst_job.network};
  const struct pst_conduit_segments segments = {
      .regions = pst_regions.count,
      .info = (const gasnet_seginfo_t *const *)pst_regions.info,
      .own = pst_regions.own,
      .delta = pst_segments.delta,
  };
  int rc;
  for (unsigned i = 0; i < 2 && all[i]; i++)
    if ((rc = all[i]->attach(&segments)) != PST_OK)
      pst_fatal("the conduit %s cannot serve the segments: %s", all[i]->name, pst_err_text(rc));
}

int pst_job_attach(
    gasnet_handlerentry_t *table, int numentries, uintptr_t segsize, const struct pst_layers *layers)
{
  const char *why;
  int err;
  pst_forked_check();
  if (pst_job.phase == PST_PHASE_NONE) return GASNET_ERR_NOT_INIT;
  if (pst_job.phase == PST_PHASE_ATTACHED)
    return attach_refuse(GASNET_ERR_NOT_INIT, "the job is attached already");
  if ((why = segment_fault(segsize)) != NULL) return attach_refuse(GASNET_ERR_BAD_ARG, why);
  if ((err = pst_handler_register(table, numentries, &why)) != GASNET_OK) return attach_refuse(err, why);
  pst_loss_open(); /* which may refuse: before nodes look at each other's segments */
  pst_segment_attach(segsize);
  attach_conduits();
  pst_segment_publish();
  pst_job.phase = PST_PHASE_ATTACHED;
  close_files();
  layers->open();
  pst_forked_watch(layers->forked);
  pst_tsan_release(pst_handler);
  if (gasnet_client_attach_hook)
    gasnet_client_attach_hook(pst_segments.info[pst_mynode].addr, pst_segments.info[pst_mynode].size);
  pst_boot_fence();
  pst_loss_begin();
  return GASNET_OK;
}

void pst_job_exchange(const void *mine, size_t size, void *all) { pst_boot_all(mine, size, all); }

void pst_job_fence(void) { pst_boot_fence(); }

void gasnetx_handlers_in_background(void)
{
  if (pst_job.phase != PST_PHASE_NONE)
    pst_fatal("gasnetx_handlers_in_background was called after gasnet_init");
  pst_job.background = 1;
}

void *pst_job_alloc(size_t n, size_t size)
{
  void *p = calloc(n, size);
  if (!p) pst_fatal("out of memory for %zu nodes", n);
  return p;
}

char *gasnet_getenv(const char *name) { return getenv(name); }

void pst_job_not_attached(const char *call)
{
  if (pst_job.phase == PST_PHASE_FORKED) pst_forked_refuse();
  pst_fatal("%s was called before gasnet_attach", call);
}

void pst_job_check(const char *call, gasnet_node_t node)
{
  if (pst_job.phase != PST_PHASE_ATTACHED) pst_job_not_attached(call);
  if (node >= pst_nodes) pst_fatal("%s: node %u does not exist; the job has %u", call, node, pst_nodes);
}
