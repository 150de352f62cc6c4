/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Members of a team that call different things: how that is noticed where no message shows it, and said. */
#ifndef TEAMS_MISMATCH_H
#define TEAMS_MISMATCH_H
#include "teams/call.h"
#include "teams/channel.h"

/* End the job. `other` is what that node has called; f is what it has sent. */
_Noreturn void pst_mismatch_call(const struct pst_call *c, gasnet_node_t node, const struct pst_head *other);
_Noreturn void pst_mismatch_size(
    const struct pst_call *c, const struct pst_step *s, const struct pst_found *f);

/* A node waits for this node in a call with that head, and has waited for long. */
struct pst_question {
  gasnet_node_t node;
  struct pst_head head;
  int all_came;          /* nothing that it waits for is on its way from here */
  int nothing_under_way; /* and this node all that it has sent */
};
/* With a call in flight here. waits_for_it: for a message of that node. */
void pst_question_compare(const struct pst_call *c, const struct pst_question *q, int waits_for_it);
/* With a call that is not in flight here. */
void pst_question_compare_ended(const struct pst_team *t, const struct pst_question *q, unsigned seen);

#endif
