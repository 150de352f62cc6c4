/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "teams/mismatch.h"

#include <stdio.h>

#include "core/job.h"

static const char *const kind_name[PST_KINDS] = {"barrier", "broadcast", "scatter", "gather", "all-gather",
    "collect", "all-to-all", "reduction", "all-reduction", "scan", "exclusive scan", "scatter with lengths",
    "gather with lengths", "creation of a team", "creation of teams", "gasnet_barrier", "sharing of memory"};

/* "broadcast of 8 bytes, root 3, call 7" */
static void describe(const struct pst_head *h, char *text, size_t size)
{
  const unsigned kind = pst_head_kind(h), detail = h->call & 0xFFFFFF, number = (unsigned)(h->call >> 48);
  const char *name = kind < PST_KINDS ? kind_name[kind] : "unknown call";
  const unsigned long long length = h->length >> 16;
  char reduction[80];
  pst_reduction_describe(detail, reduction, sizeof reduction);
  if (kind == GASNETX_REDUCE) snprintf(text, size, "%s of %llu bytes, call %u", name, length, number);
  else if (kind > GASNETX_REDUCE && kind <= GASNETX_EXSCAN)
    snprintf(text, size, "%s of %llu bytes, %s, call %u", name, length, reduction, number);
  else snprintf(text, size, "%s of %llu bytes, root %u, call %u", name, length, detail, number);
}

void pst_mismatch_call(const struct pst_call *c, gasnet_node_t node, const struct pst_head *other)
{
  const int other_list = other->team != c->head.team,
            before = other->length >> 16 == c->head.length >> 16 &&
      (uint32_t)other->call == (uint32_t)c->head.call;
  char mine[200], theirs[200];
  describe(&c->head, mine, sizeof mine);
  describe(other, theirs, sizeof theirs);
  pst_fatal("%s on a team of %u: node %u has called: %s%s; node %u, here, has called: %s%s", c->name,
      c->team->size, node, theirs, other_list ? ", on another list of nodes" : "", pst_mynode, mine,
      !other_list && before ? "; the calls before it differ" : "");
}

void pst_mismatch_size(const struct pst_call *c, const struct pst_step *s, const struct pst_found *f)
{
  pst_fatal("%s on a team of %u: node %u has sent %zu bytes, where node %u, here, expects %zu", c->name,
      c->team->size, s->node, f->size, pst_mynode, s->length - s->moved);
}

/* ---- a call waits for long ----
 *
 * A call that waits in vain for messages asks those from whom they should come, once a second, and says how
 * many messages the two have sent each other so far. The one that is asked compares, and does not answer: a
 * member that has not come to that call yet will be asked again. */

static unsigned number_of(const struct pst_head *h) { return (unsigned)(h->call >> 48); }

/* A call of the same team and number has the same head. Calls on lists block and come in an order that
 * agrees: if both members wait for each other in such calls, and nothing is on its way between them, the two
 * calls are meant to be one. */
static int is_another(const struct pst_call *c, const struct pst_question *q, int waits_for_it)
{
  if (pst_head_agrees(&q->head, &c->head)) return 0;
  if (pst_id_is_of_lists(q->head.team) && pst_id_is_of_lists(c->head.team) && waits_for_it &&
      q->nothing_under_way)
    return 1;
  return !pst_id_is_list(q->head.team) && c->head.team == q->head.team &&
      number_of(&c->head) == number_of(&q->head);
}

void pst_question_compare(const struct pst_call *c, const struct pst_question *q, int waits_for_it)
{
  if (is_another(c, q, waits_for_it)) pst_mismatch_call(c, q->node, &q->head);
}

/* What a call sends it has sent when it ends. So a member that lacks something of a call which has ended
 * here, though all that was sent from here has come to it, is in another call. `seen`: how many calls of the
 * team are in flight, none of them with that number. */
void pst_question_compare_ended(const struct pst_team *t, const struct pst_question *q, unsigned seen)
{
  enum { AGO_MOST = 1024 }; /* numbers have 16 bits */
  const struct pst_head ended = {t->id, t->ended_length, t->ended_call};
  const unsigned number = number_of(&q->head);
  char mine[200] = "something else, and has ended that call", theirs[200];
  if (!q->all_came || t->in_flight != seen || (uint16_t)(t->calls - number) >= AGO_MOST) return;
  if (number_of(&ended) == number) describe(&ended, mine, sizeof mine);
  describe(&q->head, theirs, sizeof theirs);
  pst_fatal("on a team of %u: node %u has called: %s; node %u, here, has called: %s", t->size, q->node,
      theirs, pst_mynode, mine);
}
