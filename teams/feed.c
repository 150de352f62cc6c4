/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "teams/feed.h"

#include <string.h>

#include "teams/board.h"

/* A broadcast of 8 bytes, four processes on two cores: 165 ns with 32 slots, 138 with 64, 118 with 128, 111
 * with 256. */
enum { LINE = 64, PARTS = 2, SLOTS = 256, DATA = 64 << 10 };

/* Behind what the members tell. */
struct part {
  struct pst_board_slot slot[SLOTS];
  char data[DATA];
};
_Static_assert((size_t)PST_FEED_ROOM <= DATA, "any broadcast fits into a part");

/* ---- where things are ---- */

static size_t in_lines(size_t bytes) { return (bytes + LINE - 1) & ~(size_t)(LINE - 1); }
static size_t told_size(const struct pst_team *t) { return in_lines(t->near * sizeof(uint64_t)); }

size_t pst_feed_size(const struct pst_team *t) { return told_size(t) + PARTS * sizeof(struct part); }

void pst_feed_open(struct pst_team *t, char *memory)
{
  t->feed = (struct pst_feed){.told = (void *)memory, .parts = memory + told_size(t), .slots = SLOTS};
}

static struct part *part_at(const struct pst_feed *f, uint64_t number)
{
  return (struct part *)(void *)f->parts + number % PARTS;
}

/* s->moved is the part's number. The data lies at s->buffer. */
PST_HOT void pst_feed_begin(struct pst_call *c, struct pst_step *s)
{
  struct pst_feed *const f = &c->team->feed;
  const uint32_t bytes = s->length <= PST_BOARD_SHORT ? 0 : (uint32_t)in_lines(s->length);
  if (f->slots == SLOTS || f->bytes + bytes > DATA) {
    f->part++;
    f->slots = f->bytes = 0;
  }
  struct part *const part = part_at(f, f->part);
  s->address = ++f->begun;
  s->moved = f->part;
  s->slot = &part->slot[f->slots++];
  s->buffer = bytes ? part->data + f->bytes : s->slot->data;
  f->bytes += bytes;
  s->sent = s->received = 0;
}

/* ---- steps ---- */

static void part_tell(struct pst_team *t, uint64_t part)
{
  t->feed.here = part;
  atomic_store_explicit(&t->feed.told[t->here], part, memory_order_release);
  pst_board_ring(t);
}

/* 1 when the part may be written. */
static int part_is_free(const struct pst_team *t, struct pst_step *s)
{
  for (; s->received < t->near; s->received++)
    if (atomic_load_explicit(&t->feed.told[s->received], memory_order_acquire) + 1 < s->moved) {
      s->node = pst_team_near_node(t, s->received);
      return 0;
    }
  return 1;
}

static int feed_write(struct pst_call *c, struct pst_step *s)
{
  struct pst_feed *const f = &c->team->feed;
  if (f->open != s->moved) {
    if (!part_is_free(c->team, s)) return 0;
    f->open = s->moved;
  }
  memcpy(s->buffer, s->at, s->length);
  pst_board_slot_write(c, s->slot, s->address);
  return 1;
}

static int feed_read(struct pst_call *c, struct pst_step *s)
{
  s->node = pst_team_node(c->team, c->of.root);
  if (!pst_board_slot_has(c, s->slot, s->address, s->node)) return 0;
  memcpy(s->at, s->buffer, s->length);
  return 1;
}

static int is_root(const struct pst_call *c) { return c->team->me == c->of.root; }

/* s->sent: its turn has come. */
PST_HOT int pst_feed_advance(struct pst_call *c, struct pst_step *s)
{
  struct pst_feed *const f = &c->team->feed;
  if (f->done + 1 != s->address) return 0;
  s->sent = 1;
  if (f->here != s->moved) part_tell(c->team, s->moved);
  if (!(is_root(c) ? feed_write(c, s) : feed_read(c, s))) return 0;
  f->done = s->address;
  c->moved = 1;
  return 1;
}

int pst_feed_watch(const struct pst_call *c, const struct pst_step *s, struct pst_watch *watch)
{
  const struct pst_feed *const f = &c->team->feed;
  if (!s->sent) return f->done + 1 == s->address ? -1 : 0;
  const _Atomic uint64_t *const word = is_root(c) ? &f->told[s->received] : &s->slot->number;
  const uint64_t awaited = is_root(c) ? s->moved - 1 : s->address;
  *watch = (struct pst_watch){.word = word, .seen = atomic_load_explicit(word, memory_order_relaxed)};
  return watch->seen < awaited ? 1 : -1;
}
