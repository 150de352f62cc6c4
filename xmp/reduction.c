/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The reduction construct, and the reduction clause of loops. All members of the set get the same bits, as
 * they do from an all-reduction of a team. */
#include <stdalign.h>
#include <string.h>

#include "xmp/async.h"
#include "xmp/loop.h"
#include "xmp/operation.h"
#include "xmp/tool.h"

enum { PACKED = 1024 }; /* bytes of variables that are worth a copy */

static const gasnetx_reduction_t *reduction_of(
    const char *where, enum pst_xmp_operation op, const struct pst_xmp_variable *v)
{
  const gasnetx_reduction_t *const r = pst_xmp_operation(op, v->type);
  if (__builtin_expect(!r, 0))
    pst_xmp_fatal(where, "reduction (%s:%s): %s is of %s, which has no such operation",
        pst_xmp_operation_name(op), v->name, v->name, pst_xmp_type_name(v->type));
  if (__builtin_expect(r->size != v->size, 0))
    pst_xmp_fatal(where, "reduction (%s:%s): elements of %lu bytes are not of type %s",
        pst_xmp_operation_name(op), v->name, v->size, pst_xmp_type_name(v->type));
  return r;
}

void pst_xmp_neutral(const char *where, enum pst_xmp_operation op, const struct pst_xmp_variable *v)
{
  reduction_of(where, op, v);
  pst_xmp_operation_neutral(op, v->type, v->address, v->count);
}

/* ---- the construct ---- */

static void variable_reduce(
    gasnetx_team_t team, const gasnetx_reduction_t *r, const struct pst_xmp_variable *v)
{
  gasnetx_coll_allreduce(team, v->address, v->address, v->count, r);
}

/* How many of the variables from v[0] on are one message: of one type, and short. */
static int variables_together(int n, const struct pst_xmp_variable v[], size_t *count)
{
  int i = 1;
  for (*count = v->count; i < n && v[i].type == v->type; *count += v[i++].count)
    if ((*count + v[i].count) * v->size > PACKED) break;
  return i;
}

static void variables_copy(char *packed, int n, const struct pst_xmp_variable v[], int pack)
{
  for (int i = 0; i < n; i++) {
    const size_t bytes = v[i].count * v[i].size;
    memcpy(pack ? packed : v[i].address, pack ? v[i].address : packed, bytes);
    packed += bytes;
  }
}

static void packed_reduce(
    gasnetx_team_t team, const gasnetx_reduction_t *r, int n, const struct pst_xmp_variable v[], size_t count)
{
  alignas(16) char packed[PACKED];
  packed[0] = 0; /* for the compiler, which does not see that n is not 0 */
  variables_copy(packed, n, v, 1);
  gasnetx_coll_allreduce(team, packed, packed, count, r);
  variables_copy(packed, n, v, 0);
}

static void reduction_now(const char *where, gasnetx_team_t team, enum pst_xmp_operation op, int n,
    const struct pst_xmp_variable v[])
{
  for (int i = 0, together; i < n; i += together) {
    const gasnetx_reduction_t *const r = reduction_of(where, op, &v[i]);
    size_t count;
    together = variables_together(n - i, &v[i], &count);
    if (together == 1) variable_reduce(team, r, &v[i]);
    else packed_reduce(team, r, together, &v[i], count);
  }
}

static void reduction_begin(const char *where, struct pst_xmp_group *g, enum pst_xmp_operation op, int n,
    const struct pst_xmp_variable v[], int id)
{
  gasnet_handle_t handle[n];
  const gasnetx_team_t team = pst_xmp_group_team(g);
  for (int i = 0; i < n; i++)
    handle[i] = gasnetx_coll_allreduce_nb(
        team, v[i].address, v[i].address, v[i].count, reduction_of(where, op, &v[i]));
  pst_xmp_async_add_handles(where, id, g, n, handle);
}

static void reduction_in(const char *where, struct pst_xmp_group *g, enum pst_xmp_operation op, int n,
    const struct pst_xmp_variable v[], const int *async)
{
  if (g->size == 1 || n <= 0) {
    for (int i = 0; i < n; i++) reduction_of(where, op, &v[i]);
    return;
  }
  if (async) reduction_begin(where, g, op, n, v, *async);
  else reduction_now(where, pst_xmp_group_team(g), op, n, v);
}

static void reduction_run(const char *where, enum pst_xmp_operation op, int n,
    const struct pst_xmp_variable v[], const struct pst_xmp_on *on, const int *async)
{
  pst_xmp_need_open(where);
  if (op >= PST_XMP_FIRSTMAX)
    pst_xmp_fatal(where, "%s is an operation of loops alone", pst_xmp_operation_name(op));
  pst_xmp_async_advance();
  if (!on || !on->desc) {
    reduction_in(where, pst_xmp_executing(), op, n, v, async);
    return;
  }
  struct pst_xmp_group *const g = pst_xmp_on_open(where, on);
  if (!g) return;
  reduction_in(where, g, op, n, v, async);
  pst_xmp_group_close(g);
}

void pst_xmp_reduction(const char *where, enum pst_xmp_operation op, int n, const struct pst_xmp_variable v[],
    const struct pst_xmp_on *on, const int *async)
{
  PST_XMP_ALONE(where);
  PST_XMP_TOLD(
      where, pst_xmp_told_reduction(&told, n, v, on, async), reduction_run(where, op, n, v, on, async));
}

/* ---- the clause: values without locations ---- */

/* The old value takes part once, after all others, on all nodes alike. */
static void clause_reduce(const char *where, struct pst_xmp_group *g, enum pst_xmp_operation op,
    const struct pst_xmp_variable *v, void *old)
{
  const gasnetx_reduction_t *const r = reduction_of(where, op, v);
  if (g->size > 1) variable_reduce(pst_xmp_group_team(g), r, v);
  pst_xmp_operation_apply(op, v->type, old, v->address, v->count);
}

/* ---- firstmax and its like: the best value with its iteration, and the variables beside it ---- */

/* An element of the reduction: this, the value, and the variables, one behind the other. */
struct candidate {
  struct pst_xmp_when when;
  char bytes[]; /* VALUE for the value, then the variables */
};
enum { VALUE = 16, CANDIDATES = 512 };

struct contest {
  enum pst_xmp_type type;
  int max, last;
  size_t size; /* of a candidate */
};

static int when_is_before(const struct pst_xmp_when *a, const struct pst_xmp_when *b)
{
  for (int i = 0; i < PST_XMP_DEPTH; i++)
    if (a->number[i] != b->number[i]) return a->number[i] < b->number[i];
  return 0;
}

/* Whether b is better than a. The value before the loop comes before all iterations. */
static int candidate_loses(const struct contest *c, const struct candidate *a, const struct candidate *b)
{
  const int order = pst_xmp_operation_compare(c->type, b->bytes, a->bytes, c->max);
  if (order != 0) return c->max ? order > 0 : order < 0;
  return c->last ? when_is_before(&a->when, &b->when) : when_is_before(&b->when, &a->when);
}

static void candidates_combine(void *inout, const void *in, size_t count, void *context)
{
  const struct contest *const c = context;
  for (size_t i = 0; i < count; i++) {
    char *const a = (char *)inout + i * c->size;
    const char *const b = (const char *)in + i * c->size;
    if (candidate_loses(c, (struct candidate *)a, (const struct candidate *)b)) memcpy(a, b, c->size);
  }
}

static void candidate_take(struct candidate *c, const struct pst_xmp_when *when, const void *value,
    size_t size, int n, const struct pst_xmp_location location[], int old)
{
  char *at = c->bytes + VALUE;
  if (when) c->when = *when;
  else memset(&c->when, -1, sizeof c->when);
  memcpy(c->bytes, value, size);
  for (int i = 0; i < n; at += location[i++].size)
    memcpy(at, old ? location[i].old : location[i].value, location[i].size);
}

static void candidate_give(
    const struct candidate *c, void *value, size_t size, int n, const struct pst_xmp_location location[])
{
  const char *at = c->bytes + VALUE;
  memcpy(value, c->bytes, size);
  for (int i = 0; i < n; at += location[i++].size) memcpy(location[i].old, at, location[i].size);
}

static size_t candidate_size(
    const char *where, const struct pst_xmp_variable *v, int n, const struct pst_xmp_location location[])
{
  size_t size = sizeof(struct candidate) + VALUE;
  if (v->count != 1) pst_xmp_fatal(where, "%s is an array: locations are of one value", v->name);
  for (int i = 0; i < n; i++) size += location[i].size;
  if (size > CANDIDATES)
    pst_xmp_fatal(where, "the variables beside %s have more than %zu bytes", v->name,
        CANDIDATES - sizeof(struct candidate) - VALUE);
  return (size + VALUE - 1) / VALUE * VALUE;
}

static void clause_contest(const char *where, struct pst_xmp_group *g, enum pst_xmp_operation op,
    const struct pst_xmp_variable *v, void *old, int n, const struct pst_xmp_location location[],
    const struct pst_xmp_when *when)
{
  alignas(16) char mine[CANDIDATES] = {0}, before[CANDIDATES] = {0};
  struct contest c = {.type = v->type,
      .max = op == PST_XMP_FIRSTMAX || op == PST_XMP_LASTMAX,
      .last = op == PST_XMP_LASTMAX || op == PST_XMP_LASTMIN,
      .size = candidate_size(where, v, n, location)};
  const gasnetx_reduction_t r = {.size = c.size, .combine = candidates_combine, .context = &c, .commutes = 1};
  reduction_of(where, op, v);
  candidate_take((struct candidate *)before, NULL, old, v->size, n, location, 1);
  if (!when || when->number[0] < 0) memcpy(mine, before, c.size);
  else candidate_take((struct candidate *)mine, when, v->address, v->size, n, location, 0);
  candidates_combine(mine, before, 1, &c);
  if (g->size > 1) gasnetx_coll_allreduce(pst_xmp_group_team(g), mine, mine, 1, &r);
  candidate_give((struct candidate *)mine, old, v->size, n, location);
}

static void loop_reduce(const pst_xmp_loop_t *l, const char *where, enum pst_xmp_operation op,
    const struct pst_xmp_variable *v, void *old, int n, const struct pst_xmp_location location[],
    const struct pst_xmp_when *when)
{
  struct pst_xmp_group *const g = pst_xmp_loop_partners(l);
  if (!g) return;
  if (op < PST_XMP_FIRSTMAX) clause_reduce(where, g, op, v, old);
  else clause_contest(where, g, op, v, old, n, location, when);
  pst_xmp_group_close(g);
}

void pst_xmp_loop_reduce(pst_xmp_loop_t *l, const char *where, enum pst_xmp_operation op,
    const struct pst_xmp_variable *v, void *old, int n, const struct pst_xmp_location location[],
    const struct pst_xmp_when *when)
{
  PST_XMP_ALONE(where);
  PST_XMP_TOLD(where, pst_xmp_told_clause(&told, l->state[1], v),
      loop_reduce(l, where, op, v, old, n, location, when));
}

/* ---- the construct with locations: an iteration is a node's rank ---- */

static void located_in(const char *where, struct pst_xmp_group *g, enum pst_xmp_operation op,
    const struct pst_xmp_variable *v, int n, const struct pst_xmp_location location[])
{
  alignas(16) char mine[CANDIDATES] = {0};
  struct contest c = {
      .type = v->type, .max = op == PST_XMP_MAX, .size = candidate_size(where, v, n, location)};
  const gasnetx_reduction_t r = {.size = c.size, .combine = candidates_combine, .context = &c, .commutes = 1};
  const struct pst_xmp_when when = {{g->rank}};
  reduction_of(where, op, v);
  if (g->size == 1) return;
  candidate_take((struct candidate *)mine, &when, v->address, v->size, n, location, 0);
  gasnetx_coll_allreduce(pst_xmp_group_team(g), mine, mine, 1, &r);
  candidate_give((struct candidate *)mine, v->address, v->size, n, location);
}

static void located_run(const char *where, enum pst_xmp_operation op, const struct pst_xmp_variable *v, int n,
    const struct pst_xmp_location location[], const struct pst_xmp_on *on)
{
  pst_xmp_need_open(where);
  pst_xmp_async_advance();
  struct pst_xmp_group *const g = pst_xmp_on_open(where, on);
  if (!g) return;
  located_in(where, g, op, v, n, location);
  pst_xmp_group_close(g);
}

void pst_xmp_reduction_located(const char *where, enum pst_xmp_operation op, const struct pst_xmp_variable *v,
    int n, const struct pst_xmp_location location[], const struct pst_xmp_on *on)
{
  PST_XMP_TOLD(
      where, pst_xmp_told_reduction(&told, 1, v, on, NULL), located_run(where, op, v, n, location, on));
}
