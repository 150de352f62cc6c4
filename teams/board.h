/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Boards: a member of a group tells all others a few bytes by one write.
 *
 * A group's board is memory that its members share (teams/group_memory.h). Each member has two slots of a
 * line, which it alone writes, and all read. Exchange number k of the board, from 1, uses slot k modulo 2.
 *
 *   slot    | k (8) | length, call: of the head (16) | pad (8) | data (32)
 *
 * More than 32 bytes lie in the line behind the slot, which belongs to it: what follows holds for it, too.
 *
 * - A member writes head and data, then k with release, when it has completed exchange k - 1.
 * - It reads the other members' slots when they have number k, with acquire. Exchange k is complete at a
 * member that has read all of them.
 * - So when a member writes k, all have written k - 1, hence have read all slots of k - 2, which are those
 * that are written now. And a slot with number k keeps it until its reader has written k + 1.
 * - Sleepers are woken after the number is stored.
 *
 * All members number the exchanges of a team alike: only the first step of a call is an exchange on the
 * board, and the members of a team begin its calls in the same order. An exchange waits for the one before
 * it. A thread that is in the engine (teams/engine.c) makes all of these calls.
 *
 * By lanes each member would write to each, and each lane lies in another page: where processes take turns on
 * a core, that is most of the time of a barrier. */
#ifndef TEAMS_BOARD_H
#define TEAMS_BOARD_H
#include <stdalign.h>
#include <stdatomic.h>

#include "core/conduit.h"
#include "core/job.h"
#include "support/cpu.h"
#include "teams/mismatch.h"

enum { PST_BOARD_ROOM = 64, PST_BOARD_SHORT = 32 };

struct pst_board_slot {
  alignas(64) _Atomic uint64_t number;
  _Atomic uint64_t length; /* others look at its processor at any time (relaxed) */
  uint64_t call;
  alignas(32) char data[PST_BOARD_SHORT];
};
_Static_assert(sizeof(struct pst_board_slot) == 64, "a slot is a line");

/* Wakes the other members, after a store to the board. */
void pst_board_wake(const struct pst_team *t);
static inline void pst_board_ring(const struct pst_team *t)
{
  if (pst_job.host->sleeps()) pst_board_wake(t);
}

/* Writes the head of the call, then the number. The data was written before. */
static inline void pst_board_slot_write(
    const struct pst_call *c, struct pst_board_slot *slot, uint64_t number)
{
  atomic_store_explicit(&slot->length, c->head.length | (pst_cpu() & 0xFF), memory_order_relaxed);
  slot->call = c->head.call;
  atomic_store_explicit(&slot->number, number, memory_order_release);
  pst_board_ring(c->team);
}

/* 1 where the slot has that number. A member that has called something else, the node, has written that. */
static inline int pst_board_slot_has(
    const struct pst_call *c, const struct pst_board_slot *slot, uint64_t number, gasnet_node_t node)
{
  if (atomic_load_explicit(&slot->number, memory_order_acquire) != number) return 0;
  const struct pst_head head = {
      c->team->id, atomic_load_explicit(&slot->length, memory_order_relaxed), slot->call};
  if (!pst_head_agrees(&head, &c->head)) pst_mismatch_call(c, node, &head);
  return 1;
}

/* Makes the board of a team's group, with its feed (teams/feed.h), where all members can map it. Collective
 * on the team, which is complete. `who` is the calling function. */
void pst_board_open(const char *who, struct pst_team *t);
void pst_board_close(struct pst_team *t);

/* Can the call exchange n bytes on the board, in the step that it adds now? All members of the group get the
 * same answer. */
static inline int pst_board_serves(const struct pst_call *c, size_t n)
{
  const struct pst_team *t = c->team;
  return t->board.base && n <= PST_BOARD_ROOM && c->at == 0 && c->stage == 0;
}

/* Of a step: 1 when it is done. */
int pst_board_advance(struct pst_call *c, struct pst_step *s);
/* The word whose change moves the step: 1; -1 where it has changed; 0 where there is none. */
int pst_board_watch(const struct pst_call *c, const struct pst_step *s, struct pst_watch *watch);
/* 1 where members have not written their slots. *watch is such a slot; *here is set where one of the members
 * ran on this core when it wrote the last time. */
int pst_board_is_missing(
    const struct pst_call *c, const struct pst_step *s, int *here, struct pst_watch *watch);

#endif
