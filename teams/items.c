/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "teams/items.h"

struct run {
  char *at;
  size_t length;
};

static size_t item_begin(const struct pst_items *i, unsigned k) { return i->at ? i->at[k] : k * i->each; }

/* The n items that end with `last`: where the run passes the end, its tail comes first. */
static void items_run(const struct pst_items *i, unsigned last, unsigned n, struct run run[2])
{
  const unsigned wrapped = n > last + 1 ? n - last - 1 : 0;
  const size_t tail = item_begin(i, i->count - wrapped), head = item_begin(i, last + 1 + wrapped - n);
  run[0] = (struct run){i->base + tail, item_begin(i, i->count) - tail};
  run[1] = (struct run){i->base + head, item_begin(i, last + 1) - head};
}

static unsigned item_rank(const struct pst_items *i, unsigned k) { return i->ranks ? i->ranks[k] : k; }

int pst_items_round(struct pst_call *c, const struct pst_items *i)
{
  const unsigned d = c->stage < 32 ? 1u << c->stage : 0;
  struct run out[2], in[2];
  if (d == 0 || d >= i->count) return 0;
  const unsigned ahead = (i->me + d) % i->count, behind = (i->me + i->count - d) % i->count,
                 n = i->count - d < d ? i->count - d : d;
  items_run(i, i->me, n, out);
  items_run(i, behind, n, in);
  for (int k = 0; k < 2; k++)
    if (out[k].length) pst_call_send(c, item_rank(i, ahead), out[k].at, out[k].length);
  for (int k = 0; k < 2; k++)
    if (in[k].length) pst_call_receive(c, item_rank(i, behind), in[k].at, in[k].length);
  return 1;
}
