/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Teams that a member has left for good (gasnetx_coll_retire): calls after the last one that it has begun can
 * be complete at no member that waits for it, so they end.
 *
 * A node has a mark for such a team: its id, and the number of that last call. A member that has waited for a
 * second asks the one that it waits for (teams/mismatch.h). One that has left, or has a mark, answers with
 * it. Who has a mark advances no later call of the team any more.
 *
 * Members read and write each other's memory in calls. So a call that was under way ends at a member when all
 * members have the mark: until then it stays as it is, its memory too, and the member tells the others of the
 * mark, again and again, until each has answered with its own. Then nobody is in such a call but those that
 * wait for the same. The mark is made, and calls are advanced, in the engine (teams/engine.c), so no step is
 * under way while a mark is made; a transfer from another member's memory that the network still carries out
 * is waited for where it goes to. A message that finds the engine busy is dropped, for it comes again.
 *
 * If several members leave, the least number counts. Who hears of a lesser one takes it over, and asks all
 * others anew.
 *
 * Marks are made for ids, which are never used again: a node may hear of one before it has made the team, or
 * after it has destroyed it. What other members have sent for calls that end becomes mail, which is thrown
 * away when such a call ends. */
#ifndef TEAMS_LEFT_H
#define TEAMS_LEFT_H
#include "gasnet.h"
#include "teams/head.h"
#include "teams/team.h"

/* Of a node that does not say whether it is a member. */
enum { PST_LEFT_NOBODY = GASNETX_NO_RANK };

void pst_left_open(void);

/* In the engine. `call`: the last one that does not end. Answers the mark's, which may be a lesser one. */
uint16_t pst_left_mark(uint64_t team, uint16_t call);
/* 1: the team's call with that number ends; *call is the mark's, where not NULL. */
int pst_left_ends(uint64_t team, uint16_t number, uint16_t *call);
/* A call of the team, which has a mark, ends here: 1 when all members have the mark. */
int pst_left_is_known(const struct pst_team *t);
/* A member of the rank has the mark of that call. Answers this node's. */
uint16_t pst_left_heard(uint64_t team, uint16_t call, uint32_t rank);

/* In a handler: tells the node that has asked of a mark. */
void pst_left_answer(gasnet_token_t token, uint64_t team, uint16_t call, uint32_t rank);
/* A message told of a mark. 0: nothing was done; else *call becomes this node's. Set by the engine. */
extern int (*pst_left_told)(uint64_t team, uint16_t *call, uint32_t rank);

#endif
