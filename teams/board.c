/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "teams/board.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/wait.h"
#include "teams/feed.h"
#include "teams/group.h"
#include "teams/group_memory.h"

enum { SLOTS = 2 };

/* A member's slot, and longer data. Processors fetch lines in pairs: a pair has one slot alone, or a reader
 * would take the line away that its member writes next. */
struct place {
  alignas(128) struct pst_board_slot slot;
  char more[PST_BOARD_ROOM];
};
_Static_assert(sizeof(struct place) == 128, "a place is two lines");

/* ---- making and freeing ---- */

static size_t places_size(const struct pst_team *t) { return t->near * SLOTS * sizeof(struct place); }
static size_t board_size(const struct pst_team *t) { return places_size(t) + pst_feed_size(t); }

static int board_fill(int fd, struct pst_team *t, size_t size)
{
  (void)t;
  return ftruncate(fd, (off_t)size) == 0 &&
      fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0;
}

void pst_board_close(struct pst_team *t)
{
  if (t->board.base) munmap(t->board.base, board_size(t));
  t->board = (struct pst_board){0};
  t->feed = (struct pst_feed){0};
}

/* A member of a large group reads so many slots that a tree is faster, unless processes outnumber cores: then
 * each level of a tree costs a turn of the scheduler. */
void pst_board_open(const char *who, struct pst_team *t)
{
  enum { FEW_CORES = 2 };
  const struct pst_group_memory memory = {
      "penstock-board", board_size(t), board_fill, PROT_READ | PROT_WRITE};
  uint32_t flags = PST_GROUP_MAPPED | (pst_wait_eager() ? 0 : FEW_CORES);
  t->board.base = pst_group_map(who, t, &memory, &flags);
  if (!(flags & PST_GROUP_MAPPED) || (t->near > PST_GROUP_FLAT && !(flags & FEW_CORES))) pst_board_close(t);
  else if (flags & FEW_CORES) pst_feed_open(t, t->board.base + places_size(t));
}

void pst_board_wake(const struct pst_team *t)
{
  for (unsigned i = 0; i < t->near; i++)
    if (i != t->here) pst_job.host->ring(pst_team_near_node(t, i));
}

/* ---- steps ---- */

static struct place *place_at(const struct pst_team *t, unsigned place, uint64_t number)
{
  return (struct place *)(void *)t->board.base + place * SLOTS + (number & 1);
}

/* Where n bytes of a place lie. */
static char *place_data(struct place *p, size_t n) { return n <= PST_BOARD_SHORT ? p->slot.data : p->more; }

PST_HOT static void slot_write(const struct pst_call *c, const struct pst_step *s)
{
  struct place *const p = place_at(c->team, c->team->here, s->address);
  if (s->length) memcpy(place_data(p, s->length), s->at, s->length);
  pst_board_slot_write(c, &p->slot, s->address);
}

/* 1: it was read. */
PST_HOT static int slot_read(struct pst_call *c, const struct pst_step *s, unsigned place)
{
  struct place *const p = place_at(c->team, place, s->address);
  if (!pst_board_slot_has(c, &p->slot, s->address, pst_team_near_node(c->team, place))) return 0;
  if (s->accept) s->accept(c, s, place, place_data(p, s->length));
  return 1;
}

PST_HOT int pst_board_advance(struct pst_call *c, struct pst_step *s)
{
  struct pst_board *const b = &c->team->board;
  if (!s->sent) {
    if (b->done + 1 != s->address) return 0;
    slot_write(c, s);
    b->written = s->address;
    s->sent = 1;
    c->moved = 1;
  }
  for (; s->received < c->team->near; s->received++) {
    if (slot_read(c, s, s->received)) c->moved = 1;
    else {
      s->node = pst_team_near_node(c->team, s->received);
      return 0;
    }
  }
  b->done = s->address;
  return 1;
}

PST_HOT int pst_board_watch(const struct pst_call *c, const struct pst_step *s, struct pst_watch *watch)
{
  if (!s->sent) return c->team->board.done + 1 == s->address ? -1 : 0;
  const _Atomic uint64_t *const word = &place_at(c->team, s->received, s->address)->slot.number;
  *watch = (struct pst_watch){.word = word, .seen = atomic_load_explicit(word, memory_order_relaxed)};
  return watch->seen == s->address ? -1 : 1;
}

/* A slot that is not written still has what its member said of the exchange two before. */
PST_HOT int pst_board_is_missing(
    const struct pst_call *c, const struct pst_step *s, int *here, struct pst_watch *watch)
{
  int missing = 0;
  for (unsigned i = c->team->near; s->sent && i-- > s->received;) {
    const struct pst_board_slot *const slot = &place_at(c->team, i, s->address)->slot;
    const uint64_t seen = atomic_load_explicit(&slot->number, memory_order_relaxed);
    if (seen == s->address) continue;
    *here |= (atomic_load_explicit(&slot->length, memory_order_relaxed) & 0xFF) == (pst_cpu() & 0xFF);
    *watch = (struct pst_watch){.word = &slot->number, .seen = seen};
    missing = 1;
  }
  return missing;
}
