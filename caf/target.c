/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "caf/target.h"

#include <stdlib.h>

#include "caf/ask.h"

/* Behind it come the lists of the side's dimensions, and what is put, each at a multiple of 16 bytes. */
struct question {
  int32_t what, put;
  struct pst_caf_side side; /* as its owner sees it, but for the lists */
};

static const char call_there[] = "access to a pointer's target";

/* A vector subscript's elements, as they are sent; 0: it is none. */
static size_t list_bytes(const struct pst_caf_extent *e)
{
  return e->list ? e->count * (size_t)e->list_kind : 0;
}
static size_t side_bytes(const struct pst_caf_side *s) { return s->count * s->element; }

/* ---- the node that asks ---- */

/* *data: where what is put goes. */
static struct pst_caf_parts question_new(int put, const struct pst_caf_side *side, char **data)
{
  const struct question head = {PST_CAF_TARGET, put, *side};
  const size_t room = put ? side_bytes(side) : 0;
  size_t lists = 0;
  for (int k = 0; k < side->rank; k++) lists += pst_caf_part_room(list_bytes(&side->dim[k]));
  struct pst_caf_parts all = {.left = pst_caf_part_room(sizeof head) + lists + room};
  all.at = pst_caf_own_take(all.left);
  struct pst_caf_parts rest = all;
  pst_caf_part_store(&rest, &head, sizeof head);
  for (int k = 0; k < side->rank; k++)
    pst_caf_part_store(&rest, side->dim[k].list, list_bytes(&side->dim[k]));
  *data = pst_caf_part(&rest, room);
  return all;
}

void pst_caf_target_move(const char *call, gasnet_node_t node, int put, const struct pst_caf_side *dst,
    const struct pst_caf_side *src)
{
  const struct pst_caf_side *const there = put ? dst : src;
  struct pst_caf_side packed;
  char *data;
  if (pst_caf_is_empty(dst, src)) return;
  const struct pst_caf_parts question = question_new(put, there, &data);
  pst_caf_side_pack(&packed, there, there, data);
  if (put) pst_caf_assign(call, &packed, src);
  struct pst_caf_parts answer = pst_caf_ask(node, question.at, question.left);
  free(question.at);
  if (answer.at && !put) {
    void *const memory = answer.at;
    packed.base = pst_caf_part(&answer, side_bytes(there));
    pst_caf_assign(call, dst, &packed);
    free(memory);
  } else free(answer.at);
}

/* ---- its owner ---- */

/* Lists that have come with the question are used where they lie in it. */
static void lists_place(struct pst_caf_side *side, struct pst_caf_parts *question)
{
  if (side->rank < 0 || side->rank > PST_CAF_RANKS) pst_caf_parts_damaged();
  for (int k = 0; k < side->rank; k++) {
    struct pst_caf_extent *const e = &side->dim[k];
    if (e->list) e->list = pst_caf_part(question, list_bytes(e));
  }
}

struct pst_caf_parts pst_caf_target_answer(struct pst_caf_parts question)
{
  struct question *const q = pst_caf_part(&question, sizeof *q);
  struct pst_caf_side packed;
  lists_place(&q->side, &question);
  const struct pst_caf_parts answer = {
      pst_caf_own_take(q->put ? 0 : side_bytes(&q->side)), q->put ? 0 : side_bytes(&q->side)};
  char *const data = q->put ? pst_caf_part(&question, side_bytes(&q->side)) : answer.at;
  pst_caf_side_pack(&packed, &q->side, &q->side, data);
  if (q->put) pst_caf_assign(call_there, &q->side, &packed);
  else pst_caf_assign(call_there, &packed, &q->side);
  return answer;
}
