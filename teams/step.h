/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Steps of calls: how each goes on. The thread that is in the engine advances them (teams/engine.c). */
#ifndef TEAMS_STEP_H
#define TEAMS_STEP_H
#include "teams/call.h"

/* AWAIT_READ, AWAIT_LEAVE: a sender's address was told; its data is read, or it sends when it is asked to.
 * PIECES: data goes in messages, one after the other. COPY, GET, GETTING: a receiver reads at an address.
 * ANSWER: the sender has to be answered. COMBINING: all data lies in the buffer. */
enum pst_step_state {
  PST_STEP_NEW,
  PST_STEP_AWAIT_LEAVE,
  PST_STEP_AWAIT_READ,
  PST_STEP_PIECES,
  PST_STEP_COPY,
  PST_STEP_GET,
  PST_STEP_GETTING,
  PST_STEP_ANSWER,
  PST_STEP_COMBINING,
  PST_STEP_DONE
};

/* Of the thread in the engine. */
extern struct pst_steps {
  size_t left; /* bytes that may be copied or combined before the engine is left */
  int behind;  /* it is the progress thread */
  int reports; /* a call on a team with a lost member ends */
  int ends;    /* this, or a member has left a team: a call may end early */
} pst_steps;

/* Long data is moved a part at a time, so that a poll does not last long, however many steps have data. */
static inline void pst_steps_allow(void) { pst_steps.left = PST_STEP_BYTES; }

/* On the message's team, or list, a call has ended because a member is lost, or has left the team; messages
 * for it are left over. */
static inline int pst_step_is_left_over(const struct pst_head *head)
{
  return pst_steps.ends && pst_head_is_left_over(head);
}

/* 1 when the step is done, 0 when it cannot go on now. */
int pst_step_advance(struct pst_call *c, struct pst_step *s);

#endif
