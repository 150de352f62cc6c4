/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* GASNet-1's own collectives, as inline forms would be: each is one of ours, with the synchronisation that
 * the flags ask for before and after. An image is a rank, for each node has one. */
#include <stdlib.h>
#include <string.h>

#include "core/amcheck.h"
#include "core/job.h"
#include "teams/call.h"

static struct {
  int initialised;
  gasnet_coll_fn_entry_t *function; /* [functions] */
  size_t functions;
} coll;

void gasnet_coll_init(const gasnet_image_t images[], gasnet_image_t my_image, gasnet_coll_fn_entry_t fn_tbl[],
    size_t fn_count, int init_flags)
{
  (void)my_image;
  (void)init_flags;
  if (pst_job.phase != PST_PHASE_ATTACHED) pst_job_not_attached("gasnet_coll_init");
  for (unsigned i = 0; images && i < pst_nodes; i++)
    if (images[i] != 1)
      pst_fatal("gasnet_coll_init: %u images on node %u; one image a node is served", images[i], i);
  free(coll.function);
  coll.function = NULL;
  if (fn_count && !(coll.function = malloc(fn_count * sizeof *fn_tbl)))
    pst_fatal("gasnet_coll_init: out of memory for %zu functions", fn_count);
  if (fn_count) memcpy(coll.function, fn_tbl, fn_count * sizeof *fn_tbl);
  coll.functions = fn_count;
  coll.initialised = 1;
}

/* ---- a call, with its synchronisation ---- */

struct function {
  gasnet_coll_reduce_fn_t call;
  size_t size;
  int flags, arg;
};

static void function_combine(void *inout, const void *in, size_t count, void *context)
{
  const struct function *f = context;
  for (size_t i = 0; i < count; i++) {
    char *const left = (char *)inout + i * f->size;
    f->call(left, 1, left, 1, (const char *)in + i * f->size, f->size, f->flags, f->arg);
  }
}

static const struct {
  const char *name;
  void (*plan)(struct pst_call *c);
} of_kind[] = {[GASNETX_BROADCAST] = {"gasnet_coll_broadcast", pst_plan_broadcast},
    [GASNETX_SCATTER] = {"gasnet_coll_scatter", pst_plan_gather},
    [GASNETX_GATHER] = {"gasnet_coll_gather", pst_plan_gather},
    [GASNETX_ALLGATHER] = {"gasnet_coll_gather_all", pst_plan_allgather},
    [GASNETX_ALLTOALL] = {"gasnet_coll_exchange", pst_plan_alltoall},
    [GASNETX_REDUCE] = {"gasnet_coll_reduce", pst_plan_reduce}};

static struct pst_call *call_make(
    gasnet_team_handle_t team, gasnetx_collective_t of, int flags, const struct function *f)
{
  const char *name = of_kind[of.kind].name;
  struct pst_team *t = pst_team_check(name, team);
  const size_t length = f ? of.count * f->size : of.nbytes;
  pst_amcheck_client(name);
  if (!coll.initialised) pst_fatal("%s was called before gasnet_coll_init", name);
  if (of.root >= t->size)
    pst_fatal("%s: root %u does not exist; the %s %u nodes", name, of.root,
        t == pst_team_all ? "job has" : "team has", t->size);
  struct pst_call *c = pst_call_new(name, t, of.kind, of.root, length);
  c->of = of;
  if (f) {
    struct function *kept = (struct function *)(void *)pst_call_memory(c, sizeof *kept);
    *kept = *f;
    c->reduction = (struct pst_reduction){.combine = function_combine,
        .context = kept,
        .size = f->size,
        .commutes = !(f->flags & (int)GASNET_COLL_NONCOMM)};
    c->clients_code = 1;
  }
  if (flags & GASNET_COLL_IN_ALLSYNC) pst_plan_barrier(c);
  of_kind[of.kind].plan(c);
  if (flags & GASNET_COLL_OUT_ALLSYNC) pst_plan_barrier(c);
  return c;
}

static struct pst_call *reduce_make(gasnet_team_handle_t team, gasnetx_collective_t of, size_t src_blksz,
    size_t src_offset, size_t elem_size, gasnet_coll_fn_handle_t func, int arg, int flags)
{
  if (func < 0 || (size_t)func >= coll.functions)
    pst_fatal(
        "gasnet_coll_reduce: there is no function %d; gasnet_coll_init was given %zu", func, coll.functions);
  if (src_offset || (src_blksz && src_blksz != elem_size * of.count))
    pst_fatal("gasnet_coll_reduce: a src_blksz of %zu and a src_offset of %zu are not served; pass 0",
        src_blksz, src_offset);
  if (elem_size == 0) of.count = 0;
  const struct function f = {coll.function[func].fnptr, elem_size, (int)coll.function[func].flags, arg};
  return call_make(team, of, flags, &f);
}

/* The caller's address on a list. */
static void *own(gasnet_team_handle_t team, void *const list[], int flags)
{
  return list[flags & GASNET_COLL_SINGLE ? pst_team_check("gasnet_coll", team)->me : 0];
}

/* ---- each with its forms ---- */

#define FORMS(name, parameters, list_parameters, made, list_made) \
  void gasnet_coll_##name parameters { pst_call_run(made); } \
  gasnet_coll_handle_t gasnet_coll_##name##_nb parameters { return pst_call_start(made); } \
  void gasnet_coll_##name##M list_parameters { pst_call_run(list_made); } \
  gasnet_coll_handle_t gasnet_coll_##name##M_nb list_parameters { return pst_call_start(list_made); }
#define OF(k, r, d, s) \
  call_make(team, \
      (gasnetx_collective_t){.kind = GASNETX_##k, .root = (r), .dst = (d), .src = (s), .nbytes = nbytes}, \
      flags, NULL)
#define REDUCE(s) \
  reduce_make(team, \
      (gasnetx_collective_t){ \
          .kind = GASNETX_REDUCE, .root = dstimage, .dst = dst, .src = (s), .count = elem_count}, \
      src_blksz, src_offset, elem_size, func, func_arg, flags)

FORMS(broadcast,
    (gasnet_team_handle_t team, void *dst, gasnet_image_t srcimage, void *src, size_t nbytes, int flags),
    (gasnet_team_handle_t team, void *const dstlist[], gasnet_image_t srcimage, void *src, size_t nbytes,
        int flags),
    OF(BROADCAST, srcimage, dst, src), OF(BROADCAST, srcimage, own(team, dstlist, flags), src))
FORMS(scatter,
    (gasnet_team_handle_t team, void *dst, gasnet_image_t srcimage, void *src, size_t nbytes, int flags),
    (gasnet_team_handle_t team, void *const dstlist[], gasnet_image_t srcimage, void *src, size_t nbytes,
        int flags),
    OF(SCATTER, srcimage, dst, src), OF(SCATTER, srcimage, own(team, dstlist, flags), src))
FORMS(gather,
    (gasnet_team_handle_t team, gasnet_image_t dstimage, void *dst, void *src, size_t nbytes, int flags),
    (gasnet_team_handle_t team, gasnet_image_t dstimage, void *dst, void *const srclist[], size_t nbytes,
        int flags),
    OF(GATHER, dstimage, dst, src), OF(GATHER, dstimage, dst, own(team, srclist, flags)))
FORMS(gather_all, (gasnet_team_handle_t team, void *dst, void *src, size_t nbytes, int flags),
    (gasnet_team_handle_t team, void *const dstlist[], void *const srclist[], size_t nbytes, int flags),
    OF(ALLGATHER, 0, dst, src), OF(ALLGATHER, 0, own(team, dstlist, flags), own(team, srclist, flags)))
FORMS(exchange, (gasnet_team_handle_t team, void *dst, void *src, size_t nbytes, int flags),
    (gasnet_team_handle_t team, void *const dstlist[], void *const srclist[], size_t nbytes, int flags),
    OF(ALLTOALL, 0, dst, src), OF(ALLTOALL, 0, own(team, dstlist, flags), own(team, srclist, flags)))
FORMS(reduce,
    (gasnet_team_handle_t team, gasnet_image_t dstimage, void *dst, void *src, size_t src_blksz,
        size_t src_offset, size_t elem_size, size_t elem_count, gasnet_coll_fn_handle_t func, int func_arg,
        int flags),
    (gasnet_team_handle_t team, gasnet_image_t dstimage, void *dst, void *const srclist[], size_t src_blksz,
        size_t src_offset, size_t elem_size, size_t elem_count, gasnet_coll_fn_handle_t func, int func_arg,
        int flags),
    REDUCE(src), REDUCE(own(team, srclist, flags)))

/* ---- handles ---- */

int gasnet_coll_try_sync(gasnet_coll_handle_t h) { return gasnet_try_syncnb(h); }
int gasnet_coll_try_sync_some(gasnet_coll_handle_t *h, size_t n) { return gasnet_try_syncnb_some(h, n); }
int gasnet_coll_try_sync_all(gasnet_coll_handle_t *h, size_t n) { return gasnet_try_syncnb_all(h, n); }
void gasnet_coll_wait_sync(gasnet_coll_handle_t h) { gasnet_wait_syncnb(h); }
void gasnet_coll_wait_sync_some(gasnet_coll_handle_t *h, size_t n) { gasnet_wait_syncnb_some(h, n); }
void gasnet_coll_wait_sync_all(gasnet_coll_handle_t *h, size_t n) { gasnet_wait_syncnb_all(h, n); }

/* ---- teams ---- */

gasnet_team_handle_t gasnete_coll_team_split(
    gasnet_team_handle_t team, gasnet_node_t mycolor, gasnet_node_t myrelrank, void *clientdata)
{
  (void)clientdata;
  return gasnetx_team_split(team, mycolor, myrelrank);
}
void gasnete_coll_team_free(gasnet_team_handle_t team) { gasnetx_team_destroy(team); }
gasnet_node_t gasnete_coll_team_size(gasnet_team_handle_t team) { return gasnetx_team_size(team); }
gasnet_node_t gasnete_coll_team_rank2node(gasnet_team_handle_t team, int rank)
{
  return gasnetx_team_node(team, (gasnet_node_t)rank);
}
gasnet_node_t gasnete_coll_team_node2rank(gasnet_team_handle_t team, gasnet_node_t node)
{
  return gasnetx_team_rank_of(team, node);
}
