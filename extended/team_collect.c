/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The data of each member to all.
 *
 * Within a group each member sends small data to all. For larger data it sends the address, and each member
 * copies the data of each; data that the others cannot reach is broadcast. Among groups, heads first take the
 * data of their members, exchange it with each other, and broadcast all in their groups. */
#include <stdlib.h>
#include <string.h>

#include "core/job.h"
#include "extended/team.h"
#include "support/copy.h"

/* Where the data of each member belongs. */
struct layout {
  char *dst;
  size_t each;
  const size_t *at; /* [count + 1], or NULL: all have `each` bytes */
};

static size_t layout_begin(const struct layout *l, unsigned rank)
{
  return l->at ? l->at[rank] : rank * l->each;
}
static char *layout_place(const struct layout *l, unsigned rank) { return l->dst + layout_begin(l, rank); }
static size_t layout_length(const struct layout *l, unsigned rank)
{
  return layout_begin(l, rank + 1) - layout_begin(l, rank);
}

static void own_place(const struct pst_team *t, const struct layout *l, const void *src)
{
  if (layout_length(l, t->me) && layout_place(l, t->me) != src)
    memmove(layout_place(l, t->me), src, layout_length(l, t->me));
}

static size_t layout_longest(const struct pst_team *t, const struct layout *l)
{
  size_t most = 0;
  if (!l->at) return l->each;
  for (unsigned r = t->first; r < t->end; r++)
    if (layout_length(l, r) > most) most = layout_length(l, r);
  return most;
}

/* ---- a single group ---- */

static void collect_flat(struct pst_team *t, const struct layout *l, const void *src)
{
  for (unsigned r = t->first; r < t->end; r++)
    if (r != t->me && layout_length(l, t->me)) pst_team_send(t, r, src, layout_length(l, t->me));
  own_place(t, l, src);
  for (unsigned r = t->first; r < t->end; r++)
    if (r != t->me && layout_length(l, r)) pst_team_receive(t, r, layout_place(l, r), layout_length(l, r));
}

static void collect_in_rounds(struct pst_team *t, const struct layout *l, const void *src)
{
  const struct pst_items items = {
      .count = t->nodes.count, .me = t->me, .base = l->dst, .each = l->each, .at = l->at};
  own_place(t, l, src);
  pst_team_allgather(t, &items);
}

/* `all` are the addresses of all members' data, 0 where the others cannot reach it. Data of at most `there`
 * bytes is in its place already. */
static void collect_fetch(
    struct pst_team *t, const struct layout *l, const uint64_t *all, size_t there, const void *src)
{
  const unsigned n = t->nodes.count;
  int any = 0;
  own_place(t, l, src);
  for (unsigned i = 0; i < n; i++) { /* not all from the same member at once */
    const unsigned r = (t->me + i) % n;
    any |= all[r] != 0;
    if (all[r] && r != t->me) pst_copy(layout_place(l, r), pst_team_here(t, r, all[r]), layout_length(l, r));
  }
  for (unsigned r = 0; r < n; r++)
    if (!all[r] && layout_length(l, r) > there)
      pst_group_broadcast(t, r, layout_place(l, r), src, layout_length(l, r));
  if (any) pst_group_sync(t);
}

static void collect_by_address(struct pst_team *t, const struct layout *l, const void *src)
{
  uint64_t mine = pst_team_shared(src, layout_length(l, t->me)), *all = malloc(t->nodes.count * sizeof *all);
  if (!all) pst_fatal("%s: out of memory for %u nodes", pst_team_name(t->op), t->nodes.count);
  pst_group_share(t, &mine, sizeof mine, all);
  collect_fetch(t, l, all, 0, src);
  free(all);
}

static void collect_within_group(struct pst_team *t, const struct layout *l, const void *src)
{
  if (layout_longest(t, l) > pst_team_near_room()) collect_by_address(t, l, src);
  else if (t->nodes.count <= PST_TEAM_FLAT) collect_flat(t, l, src);
  else collect_in_rounds(t, l, src);
}

/* ---- several groups ---- */

/* The head reads the source before it broadcasts, so a member that has the result may change its source. */
static void head_give(struct pst_team *t, const void *src, size_t n)
{
  uint64_t from = pst_team_shared(src, n);
  if (n > pst_team_near_room()) pst_team_send(t, t->first, &from, sizeof from);
  if (n && (n <= pst_team_near_room() || !from)) pst_team_send(t, t->first, src, n);
}

static void member_take(struct pst_team *t, unsigned rank, char *to, size_t n)
{
  uint64_t from = 0;
  if (n > pst_team_near_room()) pst_team_receive(t, rank, &from, sizeof from);
  if (from) pst_copy(to, pst_team_here(t, rank, from), n);
  else if (n) pst_team_receive(t, rank, to, n);
}

static void collect_among_heads(struct pst_team *t, const struct layout *l)
{
  size_t *at = malloc((t->groups + 1) * sizeof *at);
  const struct pst_items items = {
      .count = t->groups, .me = t->group, .ranks = t->heads, .base = l->dst, .at = at};
  if (!at) pst_fatal("%s: out of memory for %u groups", pst_team_name(t->op), t->groups);
  for (unsigned g = 0; g < t->groups; g++) at[g] = layout_begin(l, t->heads[g]);
  at[t->groups] = layout_begin(l, t->nodes.count);
  pst_team_allgather(t, &items);
  free(at);
}

static void collect_among_groups(struct pst_team *t, const struct layout *l, const void *src)
{
  if (pst_team_is_head(t)) {
    own_place(t, l, src);
    for (unsigned r = t->first + 1; r < t->end; r++)
      member_take(t, r, layout_place(l, r), layout_length(l, r));
    collect_among_heads(t, l);
  } else {
    head_give(t, src, layout_length(l, t->me));
  }
  pst_group_broadcast(t, t->first, l->dst, l->dst, layout_begin(l, t->nodes.count));
}

static void collect_all(struct pst_team *t, const struct layout *l, const void *src)
{
  if (t->groups == 1) collect_within_group(t, l, src);
  else collect_among_groups(t, l, src);
}

/* ---- */

void gasnetx_team_fcollect(const gasnetx_nodes_t *n, void *dst, const void *src, size_t nbytes)
{
  const struct layout l = {dst, nbytes, NULL};
  struct pst_team *t = pst_team_enter(PST_TEAM_FCOLLECT, n, nbytes, 0);
  if (nbytes) collect_all(t, &l, src);
  pst_team_leave();
}

/* Into at[count + 1]. */
static void places_find(struct pst_team *t, size_t nbytes, size_t *at)
{
  const struct layout lengths = {(char *)(at + 1), sizeof *at, NULL};
  collect_all(t, &lengths, &nbytes);
  at[0] = 0;
  for (unsigned r = 0; r < t->nodes.count; r++) at[r + 1] += at[r];
}

static void collect_by_lengths(struct pst_team *t, void *dst, const void *src, size_t nbytes)
{
  size_t *at = malloc((t->nodes.count + (size_t)1) * sizeof *at);
  const struct layout l = {dst, 0, at};
  if (!at) pst_fatal("%s: out of memory for %u nodes", pst_team_name(t->op), t->nodes.count);
  places_find(t, nbytes, at);
  collect_all(t, &l, src);
  free(at);
}

/* In a small group each member sends a parcel: its length, and its data if it is little, else its address. */
struct parcel {
  uint64_t length, address;
  char data[];
};

static size_t parcel_room(void) { return pst_team_near_room() - sizeof(struct parcel); }

static const struct parcel *parcel_pack(const void *src, size_t nbytes)
{
  struct parcel *mine = pst_team_buffer(pst_team_near_room());
  mine->length = nbytes;
  mine->address = nbytes > parcel_room() ? pst_team_shared(src, nbytes) : 0;
  if (nbytes && nbytes <= parcel_room()) memcpy(mine->data, src, nbytes);
  return mine;
}

static void collect_by_parcels(struct pst_team *t, void *dst, const void *src, size_t nbytes)
{
  const struct parcel *mine = parcel_pack(src, nbytes);
  uint64_t address[PST_TEAM_FLAT];
  size_t at[PST_TEAM_FLAT + 1] = {0};
  const struct layout l = {dst, 0, at};
  for (unsigned r = 0; r < t->end; r++)
    if (r != t->me) pst_team_send(t, r, mine, sizeof *mine + (nbytes <= parcel_room() ? nbytes : 0));
  pst_team_expect(t);
  for (unsigned r = 0; r < t->end; r++) {
    const struct parcel *in = r == t->me ? mine : pst_team_take(t, r, NULL, sizeof *in);
    at[r + 1] = at[r] + in->length;
    address[r] = in->address;
    if (r != t->me && in->length && in->length <= parcel_room())
      memcpy(layout_place(&l, r), in->data, in->length);
    if (r != t->me) pst_team_drop(t, r, in, NULL);
  }
  collect_fetch(t, &l, address, parcel_room(), src);
}

void gasnetx_team_collect(const gasnetx_nodes_t *n, void *dst, const void *src, size_t nbytes)
{
  struct pst_team *t = pst_team_enter(PST_TEAM_COLLECT, n, 0, 0);
  if (t->groups == 1 && t->nodes.count <= PST_TEAM_FLAT && t->nodes.count > 1)
    collect_by_parcels(t, dst, src, nbytes);
  else collect_by_lengths(t, dst, src, nbytes);
  pst_team_leave();
}
