/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The public collectives: checks the arguments, packs what has strides, and chooses the plan. */
#include <string.h>

#include "core/job.h"
#include "teams/call.h"

static int is_reduction(unsigned kind) { return kind >= GASNETX_REDUCE && kind <= GASNETX_EXSCAN; }
static int has_root(unsigned kind)
{
  return kind == GASNETX_BROADCAST || kind == GASNETX_SCATTER || kind == GASNETX_GATHER ||
      kind == GASNETX_REDUCE || kind == GASNETX_SCATTERV || kind == GASNETX_GATHERV;
}

static const char *const name_of[] = {"gasnetx_coll_barrier", "gasnetx_coll_broadcast",
    "gasnetx_coll_scatter", "gasnetx_coll_gather", "gasnetx_coll_allgather", "gasnetx_coll_collect",
    "gasnetx_coll_alltoall", "gasnetx_coll_reduce", "gasnetx_coll_allreduce", "gasnetx_coll_scan",
    "gasnetx_coll_exscan", "gasnetx_coll_scatterv", "gasnetx_coll_gatherv"};
static void (*const plan_of[])(struct pst_call *c) = {pst_plan_barrier, pst_plan_broadcast, pst_plan_gather,
    pst_plan_gather, pst_plan_allgather, pst_plan_collect, pst_plan_alltoall, pst_plan_reduce,
    pst_plan_allreduce, pst_plan_scan, pst_plan_scan, pst_plan_gather, pst_plan_gather};

/* ---- what all members have to give alike ---- */

static int lengths_differ(const gasnetx_collective_t *of)
{
  return of->kind == GASNETX_SCATTERV || of->kind == GASNETX_GATHERV || of->kind == GASNETX_COLLECT ||
      of->dst_lengths || of->src_lengths;
}

static uint64_t common_length(const gasnetx_collective_t *of, const struct pst_reduction *r)
{
  if (is_reduction(of->kind)) return of->count * r->size;
  return lengths_differ(of) ? 0 : of->nbytes;
}

static uint32_t common_detail(const gasnetx_collective_t *of, const struct pst_reduction *r)
{
  const uint32_t root = has_root(of->kind) ? of->root : 0;
  return is_reduction(of->kind) ? r->code + root * 0x9E3779B1u : root;
}

/* ---- strides: data is packed before, and unpacked after ---- */

struct side {
  char *at;
  ptrdiff_t stride;
  size_t elem_size;
};

static int has_stride(const gasnetx_collective_t *of, ptrdiff_t stride)
{
  return of->elem_size && stride && stride != (ptrdiff_t)of->elem_size;
}

static void elements_check(const char *name, const gasnetx_collective_t *of, size_t n)
{
  if (n % of->elem_size)
    pst_fatal("%s: %zu bytes are not a whole number of elements of %zu bytes", name, n, of->elem_size);
}

/* Elements [begin, begin + n) in bytes of packed data, between `packed` and the side. */
static void elements_move(const struct side *s, char *packed, size_t begin, size_t n, int pack)
{
  for (size_t at = begin; at < begin + n; at += s->elem_size) {
    char *element = s->at + (ptrdiff_t)(at / s->elem_size) * s->stride;
    memcpy(pack ? packed + at : element, pack ? element : packed + at, s->elem_size);
  }
}

/* The shares of one side: one where shares is 1, at most the team's size. */
static void shares_move(const struct pst_call *c, const struct side *s, char *packed, unsigned shares,
    const size_t *lengths, const size_t *offsets, size_t each, int pack)
{
  for (unsigned r = 0; r < shares; r++) {
    const size_t begin = pst_share_begin(offsets, each, r), n = pst_share_length(lengths, each, r);
    elements_check(c->name, &c->of, begin);
    elements_check(c->name, &c->of, n);
    elements_move(s, packed, begin, n, pack);
  }
}

static size_t shares_end(unsigned shares, const size_t *lengths, const size_t *offsets, size_t each)
{
  size_t end = 0;
  for (unsigned r = 0; r < shares; r++) {
    const size_t e = pst_share_begin(offsets, each, r) + pst_share_length(lengths, each, r);
    if (e > end) end = e;
  }
  return end;
}

static size_t share_of(const struct pst_call *c)
{
  return is_reduction(c->of.kind) ? c->of.count * c->reduction.size : c->of.nbytes;
}

/* How many shares the caller's src has, or its dst: 0 where the kind does not look at it. */
static unsigned src_shares(const struct pst_call *c)
{
  const int at_root = c->team->me == c->of.root;
  switch (c->of.kind) {
  case GASNETX_BROADCAST: return at_root;
  case GASNETX_SCATTER:
  case GASNETX_SCATTERV: return at_root ? c->team->size : 0;
  case GASNETX_ALLTOALL: return c->team->size;
  default: return 1;
  }
}
static unsigned dst_shares(const struct pst_call *c)
{
  const int at_root = c->team->me == c->of.root;
  switch (c->of.kind) {
  case GASNETX_BROADCAST: return !at_root || c->of.dst;
  case GASNETX_GATHER:
  case GASNETX_GATHERV: return at_root ? c->team->size : 0;
  case GASNETX_REDUCE: return at_root;
  case GASNETX_EXSCAN: return c->team->me > 0;
  case GASNETX_ALLGATHER:
  case GASNETX_ALLTOALL: return c->team->size;
  default: return 1;
  }
}

/* In an all-gather the lengths of dst say what the caller gives. */
static size_t src_share(const struct pst_call *c)
{
  const gasnetx_collective_t *of = &c->of;
  return of->kind == GASNETX_ALLGATHER && of->dst_lengths ? of->dst_lengths[c->team->me] : share_of(c);
}

static void src_pack(struct pst_call *c)
{
  const gasnetx_collective_t *of = &c->of;
  const size_t each = src_share(c);
  const unsigned shares = src_shares(c);
  const struct side s = {(char *)(uintptr_t)of->src, of->src_stride, of->elem_size};
  char *packed;
  if (!has_stride(of, of->src_stride) || !shares) return;
  packed = pst_call_memory(c, shares_end(shares, of->src_lengths, of->src_offsets, each));
  shares_move(c, &s, packed, shares, of->src_lengths, of->src_offsets, each, 1);
  c->of.src = packed;
}

static void unpack_all(struct pst_call *c)
{
  const gasnetx_collective_t *of = &c->of;
  const struct side s = {c->unpacked, of->dst_stride, of->elem_size};
  shares_move(c, &s, c->packed, dst_shares(c), of->dst_lengths, of->dst_offsets, share_of(c), 0);
}

/* 1: dst is packed, and has to be unpacked at the end. */
static int dst_replace(struct pst_call *c)
{
  const gasnetx_collective_t *of = &c->of;
  const unsigned shares = dst_shares(c);
  if (!has_stride(of, of->dst_stride) || !shares) return 0;
  c->unpacked = of->dst;
  c->packed = pst_call_memory(c, shares_end(shares, of->dst_lengths, of->dst_offsets, share_of(c)));
  c->of.dst = c->packed;
  return 1;
}

/* ---- */

static void arguments_check(const char *name, const struct pst_team *t, const gasnetx_collective_t *of)
{
  if (has_root(of->kind) && of->root >= t->size)
    pst_fatal("%s: rank %u, the root, does not exist; the team has %u members", name, of->root, t->size);
  if (of->kind == GASNETX_COLLECT && of->elem_size)
    pst_fatal("%s: a collect has no element strides; the places follow from the lengths", name);
  if ((of->kind == GASNETX_GATHER && of->dst_lengths) || (of->kind == GASNETX_SCATTER && of->src_lengths))
    pst_fatal("%s: with lengths its kind is %s", name,
        of->kind == GASNETX_GATHER ? "GASNETX_GATHERV" : "GASNETX_SCATTERV");
  if (!of->dst_lengths != !of->dst_offsets || !of->src_lengths != !of->src_offsets)
    pst_fatal("%s: lengths are given without offsets, or offsets without lengths", name);
}

static struct pst_reduction reduction_of(const char *name, const gasnetx_collective_t *of)
{
  struct pst_reduction r = {0};
  const char *wrong;
  if (!is_reduction(of->kind)) return r;
  if (!of->reduction) pst_fatal("%s: there is no reduction", name);
  if ((wrong = pst_reduction_resolve(of->reduction, &r)) != NULL) pst_fatal("%s: %s", name, wrong);
  return r;
}

static struct pst_call *call_make(gasnetx_team_t team, const gasnetx_collective_t *of)
{
  if (of->kind > GASNETX_GATHERV) pst_fatal("gasnetx_coll_run: there is no kind %u of collective", of->kind);
  const char *name = name_of[of->kind];
  struct pst_team *t = pst_team_check(name, team);
  struct pst_call *c;
  struct pst_reduction r;
  arguments_check(name, t, of);
  r = reduction_of(name, of);
  c = pst_call_new(name, t, of->kind, common_detail(of, &r), common_length(of, &r));
  c->of = *of;
  c->reduction = r;
  c->clients_code = is_reduction(of->kind) && of->reduction->combine != NULL;
  if (of->kind == GASNETX_BARRIER) c->of.nbytes = 0;
  if (of->elem_size) src_pack(c);
  const int unpack = of->elem_size && dst_replace(c);
  plan_of[of->kind](c);
  if (unpack) c->last = unpack_all;
  return c;
}

void gasnetx_coll_run(gasnetx_team_t team, const gasnetx_collective_t *call)
{
  pst_call_run(call_make(team, call));
}

gasnet_handle_t gasnetx_coll_start(gasnetx_team_t team, const gasnetx_collective_t *call)
{
  return pst_call_start(call_make(team, call));
}

/* ---- each kind as a function, blocking and not ---- */

#define COLLECTIVE(name, parameters, ...) \
  void gasnetx_coll_##name parameters \
  { \
    const gasnetx_collective_t call = {__VA_ARGS__}; \
    gasnetx_coll_run(team, &call); \
  } \
  gasnet_handle_t gasnetx_coll_##name##_nb parameters \
  { \
    const gasnetx_collective_t call = {__VA_ARGS__}; \
    return gasnetx_coll_start(team, &call); \
  }

COLLECTIVE(barrier, (gasnetx_team_t team), .kind = GASNETX_BARRIER)
COLLECTIVE(broadcast, (gasnetx_team_t team, void *dst, gasnet_node_t root, const void *src, size_t nbytes),
    .kind = GASNETX_BROADCAST, .root = root, .dst = dst, .src = src, .nbytes = nbytes)
COLLECTIVE(scatter, (gasnetx_team_t team, void *dst, gasnet_node_t root, const void *src, size_t nbytes),
    .kind = GASNETX_SCATTER, .root = root, .dst = dst, .src = src, .nbytes = nbytes)
COLLECTIVE(gather, (gasnetx_team_t team, gasnet_node_t root, void *dst, const void *src, size_t nbytes),
    .kind = GASNETX_GATHER, .root = root, .dst = dst, .src = src, .nbytes = nbytes)
COLLECTIVE(allgather, (gasnetx_team_t team, void *dst, const void *src, size_t nbytes),
    .kind = GASNETX_ALLGATHER, .dst = dst, .src = src, .nbytes = nbytes)
COLLECTIVE(collect, (gasnetx_team_t team, void *dst, const void *src, size_t nbytes), .kind = GASNETX_COLLECT,
    .dst = dst, .src = src, .nbytes = nbytes)
COLLECTIVE(alltoall, (gasnetx_team_t team, void *dst, const void *src, size_t nbytes),
    .kind = GASNETX_ALLTOALL, .dst = dst, .src = src, .nbytes = nbytes)

#define ELEMENTS    void *dst, const void *src, size_t count, const gasnetx_reduction_t *reduction
#define OF_ELEMENTS .dst = dst, .src = src, .count = count, .reduction = reduction
COLLECTIVE(reduce, (gasnetx_team_t team, gasnet_node_t root, ELEMENTS), .kind = GASNETX_REDUCE, .root = root,
    OF_ELEMENTS)
COLLECTIVE(allreduce, (gasnetx_team_t team, ELEMENTS), .kind = GASNETX_ALLREDUCE, OF_ELEMENTS)
COLLECTIVE(scan, (gasnetx_team_t team, ELEMENTS), .kind = GASNETX_SCAN, OF_ELEMENTS)
COLLECTIVE(exscan, (gasnetx_team_t team, ELEMENTS), .kind = GASNETX_EXSCAN, OF_ELEMENTS)

COLLECTIVE(scatterv,
    (gasnetx_team_t team, void *dst, size_t nbytes, gasnet_node_t root, const void *src,
        const size_t *lengths, const size_t *offsets),
    .kind = GASNETX_SCATTERV, .root = root, .dst = dst, .src = src, .nbytes = nbytes, .src_lengths = lengths,
    .src_offsets = offsets)
COLLECTIVE(gatherv,
    (gasnetx_team_t team, gasnet_node_t root, void *dst, const size_t *lengths, const size_t *offsets,
        const void *src, size_t nbytes),
    .kind = GASNETX_GATHERV, .root = root, .dst = dst, .src = src, .nbytes = nbytes, .dst_lengths = lengths,
    .dst_offsets = offsets)
COLLECTIVE(allgatherv,
    (gasnetx_team_t team, void *dst, const size_t *lengths, const size_t *offsets, const void *src),
    .kind = GASNETX_ALLGATHER, .dst = dst, .src = src, .dst_lengths = lengths, .dst_offsets = offsets)
COLLECTIVE(alltoallv,
    (gasnetx_team_t team, void *dst, const size_t *dst_lengths, const size_t *dst_offsets, const void *src,
        const size_t *src_lengths, const size_t *src_offsets),
    .kind = GASNETX_ALLTOALL, .dst = dst, .src = src, .dst_lengths = dst_lengths, .dst_offsets = dst_offsets,
    .src_lengths = src_lengths, .src_offsets = src_offsets)
