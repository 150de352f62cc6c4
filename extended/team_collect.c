/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Everybody's data to all.
 *
 * Within a group each sends small data to all, or says where it lies; then everybody copies everybody's. What
 * nobody else can reach is broadcast in turn. Among groups the heads have the data of their members first,
 * exchange that, and broadcast all. */
#include <stdlib.h>
#include <string.h>

#include "core/job.h"
#include "extended/team.h"
#include "support/copy.h"

/* Where each one's data belongs. */
struct layout {
  char *dst;
  size_t each;
  const size_t *at; /* [count + 1], or NULL: all have `each` */
};

static size_t begin_of(const struct layout *l, unsigned rank) { return l->at ? l->at[rank] : rank * l->each; }
static char *place_of(const struct layout *l, unsigned rank) { return l->dst + begin_of(l, rank); }
static size_t length_of(const struct layout *l, unsigned rank)
{
  return begin_of(l, rank + 1) - begin_of(l, rank);
}

static void place_own(const struct pst_party *p, const struct layout *l, const void *src)
{
  if (length_of(l, p->me) && place_of(l, p->me) != src) memmove(place_of(l, p->me), src, length_of(l, p->me));
}

static size_t longest(const struct pst_party *p, const struct layout *l)
{
  size_t most = 0;
  if (!l->at) return l->each;
  for (unsigned r = p->first; r < p->end; r++)
    if (length_of(l, r) > most) most = length_of(l, r);
  return most;
}

/* ---- a single group ---- */

static void flat(struct pst_party *p, const struct layout *l, const void *src)
{
  for (unsigned r = p->first; r < p->end; r++)
    if (r != p->me && length_of(l, p->me)) pst_team_send(p, r, src, length_of(l, p->me));
  place_own(p, l, src);
  for (unsigned r = p->first; r < p->end; r++)
    if (r != p->me && length_of(l, r)) pst_team_receive(p, r, place_of(l, r), length_of(l, r));
}

static void in_rounds(struct pst_party *p, const struct layout *l, const void *src)
{
  const struct pst_items items = {
      .count = p->nodes.count, .me = p->me, .base = l->dst, .each = l->each, .at = l->at};
  place_own(p, l, src);
  pst_team_allgather(p, &items);
}

/* All have said where theirs is (0: nobody else can reach it) before anyone waits for another's pieces. What
 * has `there` bytes at most is in its place already. */
static void fetch(
    struct pst_party *p, const struct layout *l, const uint64_t *all, size_t there, const void *src)
{
  const unsigned n = p->nodes.count;
  int any = 0;
  place_own(p, l, src);
  for (unsigned i = 0; i < n; i++) { /* not all from the same one at once */
    const unsigned r = (p->me + i) % n;
    any |= all[r] != 0;
    if (all[r] && r != p->me) pst_copy(place_of(l, r), pst_team_here(p, r, all[r]), length_of(l, r));
  }
  for (unsigned r = 0; r < n; r++)
    if (!all[r] && length_of(l, r) > there) pst_group_broadcast(p, r, place_of(l, r), src, length_of(l, r));
  if (any) pst_group_sync(p);
}

static void by_address(struct pst_party *p, const struct layout *l, const void *src)
{
  uint64_t mine = pst_team_shared(src, length_of(l, p->me)), *all = malloc(p->nodes.count * sizeof *all);
  if (!all) pst_fatal("%s: out of memory for %u nodes", pst_team_name(p->op), p->nodes.count);
  pst_group_share(p, &mine, sizeof mine, all);
  fetch(p, l, all, 0, src);
  free(all);
}

static void within_group(struct pst_party *p, const struct layout *l, const void *src)
{
  if (longest(p, l) > pst_team_near_room()) by_address(p, l, src);
  else if (p->nodes.count <= PST_TEAM_FLAT) flat(p, l, src);
  else in_rounds(p, l, src);
}

/* ---- several ---- */

/* A member's source is not read after this one's, since what the head broadcasts comes later. */
static void give_head(struct pst_party *p, const void *src, size_t n)
{
  uint64_t from = pst_team_shared(src, n);
  if (n > pst_team_near_room()) pst_team_send(p, p->first, &from, sizeof from);
  if (n && (n <= pst_team_near_room() || !from)) pst_team_send(p, p->first, src, n);
}

static void take_member(struct pst_party *p, unsigned rank, char *to, size_t n)
{
  uint64_t from = 0;
  if (n > pst_team_near_room()) pst_team_receive(p, rank, &from, sizeof from);
  if (from) pst_copy(to, pst_team_here(p, rank, from), n);
  else if (n) pst_team_receive(p, rank, to, n);
}

static void among_heads(struct pst_party *p, const struct layout *l)
{
  size_t *at = malloc((p->groups + 1) * sizeof *at);
  const struct pst_items items = {
      .count = p->groups, .me = p->group, .ranks = p->heads, .base = l->dst, .at = at};
  if (!at) pst_fatal("%s: out of memory for %u groups", pst_team_name(p->op), p->groups);
  for (unsigned g = 0; g < p->groups; g++) at[g] = begin_of(l, p->heads[g]);
  at[p->groups] = begin_of(l, p->nodes.count);
  pst_team_allgather(p, &items);
  free(at);
}

static void among_groups(struct pst_party *p, const struct layout *l, const void *src)
{
  if (pst_party_is_head(p)) {
    place_own(p, l, src);
    for (unsigned r = p->first + 1; r < p->end; r++) take_member(p, r, place_of(l, r), length_of(l, r));
    among_heads(p, l);
  } else {
    give_head(p, src, length_of(l, p->me));
  }
  pst_group_broadcast(p, p->first, l->dst, l->dst, begin_of(l, p->nodes.count));
}

static void collect(struct pst_party *p, const struct layout *l, const void *src)
{
  if (p->groups == 1) within_group(p, l, src);
  else among_groups(p, l, src);
}

/* ---- */

void gasnetx_team_fcollect(const gasnetx_nodes_t *n, void *dst, const void *src, size_t nbytes)
{
  const struct layout l = {dst, nbytes, NULL};
  struct pst_party *p = pst_team_enter(PST_TEAM_FCOLLECT, n, nbytes, 0);
  if (nbytes) collect(p, &l, src);
  pst_team_leave();
}

/* Into at[count + 1]. */
static void find_places(struct pst_party *p, size_t nbytes, size_t *at)
{
  const struct layout lengths = {(char *)(at + 1), sizeof *at, NULL};
  collect(p, &lengths, &nbytes);
  at[0] = 0;
  for (unsigned r = 0; r < p->nodes.count; r++) at[r + 1] += at[r];
}

static void by_lengths(struct pst_party *p, void *dst, const void *src, size_t nbytes)
{
  size_t *at = malloc((p->nodes.count + (size_t)1) * sizeof *at);
  const struct layout l = {dst, 0, at};
  if (!at) pst_fatal("%s: out of memory for %u nodes", pst_team_name(p->op), p->nodes.count);
  find_places(p, nbytes, at);
  collect(p, &l, src);
  free(at);
}

/* In a small group each tells at once how much he has, and gives it if it is little, else says where it is.
 */
struct parcel {
  uint64_t length, address;
  char data[];
};

static size_t in_parcel(void) { return pst_team_near_room() - sizeof(struct parcel); }

static const struct parcel *pack(const void *src, size_t nbytes)
{
  struct parcel *mine = pst_team_buffer(pst_team_near_room());
  mine->length = nbytes;
  mine->address = nbytes > in_parcel() ? pst_team_shared(src, nbytes) : 0;
  if (nbytes && nbytes <= in_parcel()) memcpy(mine->data, src, nbytes);
  return mine;
}

static void by_parcels(struct pst_party *p, void *dst, const void *src, size_t nbytes)
{
  const struct parcel *mine = pack(src, nbytes);
  uint64_t address[PST_TEAM_FLAT];
  size_t at[PST_TEAM_FLAT + 1] = {0};
  const struct layout l = {dst, 0, at};
  for (unsigned r = 0; r < p->end; r++)
    if (r != p->me) pst_team_send(p, r, mine, sizeof *mine + (nbytes <= in_parcel() ? nbytes : 0));
  pst_team_expect(p);
  for (unsigned r = 0; r < p->end; r++) {
    const struct parcel *in = r == p->me ? mine : pst_team_take(p, r, NULL, sizeof *in);
    at[r + 1] = at[r] + in->length;
    address[r] = in->address;
    if (r != p->me && in->length && in->length <= in_parcel()) memcpy(place_of(&l, r), in->data, in->length);
    if (r != p->me) pst_team_drop(p, r, in, NULL);
  }
  fetch(p, &l, address, in_parcel(), src);
}

void gasnetx_team_collect(const gasnetx_nodes_t *n, void *dst, const void *src, size_t nbytes)
{
  struct pst_party *p = pst_team_enter(PST_TEAM_COLLECT, n, 0, 0);
  if (p->groups == 1 && p->nodes.count <= PST_TEAM_FLAT && p->nodes.count > 1)
    by_parcels(p, dst, src, nbytes);
  else by_lengths(p, dst, src, nbytes);
  pst_team_leave();
}
