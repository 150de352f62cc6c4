/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Feeds: the root of a broadcast of few bytes writes them once, and all other members of its group read them.
 *
 * A group's feed lies behind its board (teams/board.h). It is a ring of two parts, which all roots use. A
 * part has slots like those of the board, for its broadcasts one after the other, and room for those of their
 * data that do not fit into a slot. Broadcasts have numbers, from 1. The next one goes on in the same part if
 * that has a slot and room left, else it begins the next part: part p lies where part p - 2 was. So all
 * members know the places of a broadcast when they begin it. The first one is part 1.
 *
 *   feed   | for each member: its part (8) ... to the end of a line | slots of two parts | data of two parts
 *
 * - The root of number k writes data and head, then k in the slot's word, with release. The others read them
 * when the word is k, with acquire. Each member does so for one broadcast after the other.
 * - A member that comes to the first broadcast of part p has done all of those before. Then it tells p: it
 * stores that as its part, with release.
 * - A root writes into part p when all members have told p - 1, read with acquire: then each of them has read
 * what was in part p - 2, or has written it. A root looks at this once for each part.
 * - What is in a slot before k is written is a number less than k; data never lies where a word does.
 * - Sleepers are woken after a number or a part is stored.
 *
 * All members number the broadcasts of a team alike, as they do the exchanges of its board: only the first
 * step of a call is one, and the members of a team begin its calls in the same order. A thread that is in the
 * engine (teams/engine.c) makes all of these calls.
 *
 * No member answers, so a root gets ahead of the others by one part at least and two at most. Where processes
 * take turns on a core, the time of a series of broadcasts is that of their turns, divided by how many
 * broadcasts go by in each. */
#ifndef TEAMS_FEED_H
#define TEAMS_FEED_H
#include "core/conduit.h"
#include "teams/call.h"

/* Of 8 KiB four processes on two cores can as well read what the root has, which is one copy instead of two.
 */
enum { PST_FEED_ROOM = 4096 };

/* Bytes of a feed. */
size_t pst_feed_size(const struct pst_team *t);
/* memory: which members share, of zeros. */
void pst_feed_open(struct pst_team *t, char *memory);

/* Can the call's next step be a broadcast of n bytes on the feed? All members of the group get the same
 * answer. */
static inline int pst_feed_serves(const struct pst_call *c, size_t n)
{
  return c->team->feed.told && n <= PST_FEED_ROOM && c->at == 0 && c->stage == 0;
}
/* Gives the step, of s->length bytes at s->at, its number and its places. */
void pst_feed_begin(struct pst_call *c, struct pst_step *s);
/* Of a step: 1 when it is done. Until then s->node is the node that it waits for. */
int pst_feed_advance(struct pst_call *c, struct pst_step *s);
/* As pst_board_watch. */
int pst_feed_watch(const struct pst_call *c, const struct pst_step *s, struct pst_watch *watch);

#endif
