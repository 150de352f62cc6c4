/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "caf/target.h"

#include <stdlib.h>
#include <string.h>

#include "caf/ask.h"

/* Behind it come the lists of the side's dimensions, and what is put, each at a multiple of 16 bytes. */
struct question {
  int32_t what, put;
  struct pst_caf_side side; /* as its owner sees it, but for the lists */
};

static const char call_there[] = "access to a pointer's target";

static size_t rounded(size_t nbytes) { return (nbytes + 15) & ~(size_t)15; }
static size_t list_bytes(const struct pst_caf_extent *e)
{
  return e->list ? rounded(e->count * (size_t)e->list_kind) : 0;
}
static size_t side_bytes(const struct pst_caf_side *s) { return s->count * s->element; }

/* ---- the node that asks ---- */

static struct question *question_new(int put, const struct pst_caf_side *side, char **data, size_t *nbytes)
{
  size_t lists = 0;
  for (int k = 0; k < side->rank; k++) lists += list_bytes(&side->dim[k]);
  *nbytes = rounded(sizeof(struct question)) + lists + (put ? side_bytes(side) : 0);
  struct question *const q = pst_caf_own_take(*nbytes);
  *q = (struct question){PST_CAF_TARGET, put, *side};
  *data = (char *)q + rounded(sizeof *q);
  for (int k = 0; k < side->rank; k++) {
    const struct pst_caf_extent *const e = &side->dim[k];
    if (e->list) memcpy(*data, e->list, e->count * (size_t)e->list_kind);
    *data += list_bytes(e);
  }
  return q;
}

void pst_caf_target_move(const char *call, gasnet_node_t node, int put, const struct pst_caf_side *dst,
    const struct pst_caf_side *src)
{
  const struct pst_caf_side *const there = put ? dst : src;
  struct pst_caf_side packed;
  char *data;
  size_t nbytes;
  if (pst_caf_is_empty(dst, src)) return;
  struct question *const q = question_new(put, there, &data, &nbytes);
  pst_caf_side_pack(&packed, there, there, data);
  if (put) pst_caf_assign(call, &packed, src);
  void *const answer = pst_caf_ask(node, q, nbytes);
  packed.base = answer;
  if (answer && !put) pst_caf_assign(call, dst, &packed);
  free(answer);
  free(q);
}

/* ---- its owner ---- */

void *pst_caf_target_answer(void *question, size_t *nbytes)
{
  struct question *const q = question;
  struct pst_caf_side packed;
  char *data = (char *)q + rounded(sizeof *q);
  for (int k = 0; k < q->side.rank; k++) {
    struct pst_caf_extent *const e = &q->side.dim[k];
    const size_t room = list_bytes(e);
    if (e->list) e->list = data;
    data += room;
  }
  *nbytes = q->put ? 0 : side_bytes(&q->side);
  char *const answer = pst_caf_own_take(*nbytes);
  pst_caf_side_pack(&packed, &q->side, &q->side, q->put ? data : answer);
  if (q->put) pst_caf_assign(call_there, &q->side, &packed);
  else pst_caf_assign(call_there, &packed, &q->side);
  return answer;
}
