/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Vector, indexed and strided puts and gets: random legal descriptions of all forms against a model
 * (vis_model.h).
 *   vis [--seed S] [--cases N] [--zone BYTES] [--threads N] [--only CASE] [--show 1] */
#include "vis_model.h"

/* ---- vector ---- */

static gasnet_handle_t vector(
    int put, int how, gasnet_node_t n, const struct vis_list *d, const struct vis_list *s)
{
  return put ? VIS_CALL(how, gasnet_putv, n, d->n, d->v, s->n, s->v)
             : VIS_CALL(how, gasnet_getv, d->n, d->v, n, s->n, s->v);
}

static int vector_case(struct vis *m)
{
  int put = (int)rng_below(&m->r, 2), how = vis_how(m);
  gasnet_node_t node = vis_node(m);
  size_t n = vis_length(m);
  m->what = "v";
  vis_cut(&m->r, &m->dst_list, n);
  if (rng_below(&m->r, 3)) vis_cut(&m->r, &m->src_list, n);
  else memcpy(m->src_list.v, m->dst_list.v, (m->src_list.n = m->dst_list.n) * sizeof *m->dst_list.v);
  if (!vis_place_dst(m, put ? vis_written(m, node) : &m->sink, &m->dst_list)) return 0;
  vis_place_src(m, put ? &m->source : vis_read(m, node), &m->src_list);
  vis_show(m, put, how, node);
  vis_started(m, vector(put, how, node, &m->dst_list, &m->src_list));
  return 1;
}

/* ---- indexed ---- */

static gasnet_handle_t indexed(
    int put, int how, gasnet_node_t n, const struct vis_list *d, const struct vis_list *s)
{
  return put ? VIS_CALL(how, gasnet_puti, n, d->n, d->at, d->len, s->n, s->at, s->len)
             : VIS_CALL(how, gasnet_geti, d->n, d->at, d->len, n, s->n, s->at, s->len);
}

static int indexed_case(struct vis *m)
{
  int put = (int)rng_below(&m->r, 2), how = vis_how(m);
  gasnet_node_t node = vis_node(m);
  m->what = "i";
  vis_random_indexed(m);
  if (!vis_place_dst(m, put ? vis_written(m, node) : &m->sink, &m->dst_list)) return 0;
  vis_place_src(m, put ? &m->source : vis_read(m, node), &m->src_list);
  vis_show(m, put, how, node);
  vis_started(m, indexed(put, how, node, &m->dst_list, &m->src_list));
  return 1;
}

/* ---- strided ---- */

static gasnet_handle_t strided(int put, int how, gasnet_node_t n, void *d, void *s, const struct vis_block *b)
{
  return put ? VIS_CALL(how, gasnet_puts, n, d, b->dst, s, b->src, b->count, b->levels)
             : VIS_CALL(how, gasnet_gets, d, b->dst, n, s, b->src, b->count, b->levels);
}

static void show_block(const struct vis_block *b, const unsigned char *dst, const unsigned char *src)
{
  if (!vis_option.show) return;
  printf("  dst %p src %p count %zu", (const void *)dst, (const void *)src, b->count[0]);
  for (size_t i = 0; i < b->levels; i++) printf(", %zu x (%zu,%zu)", b->count[i + 1], b->dst[i], b->src[i]);
  printf("\n");
}

static int strided_case(struct vis *m)
{
  int put = (int)rng_below(&m->r, 2), how = vis_how(m);
  gasnet_node_t node = vis_node(m);
  struct vis_block b;
  unsigned char *dst, *src;
  m->what = "s";
  vis_random_block(&b, &m->r, vis_levels(&m->r), vis_length(m), vis_option.zone / 4);
  if (!vis_place_block(m, &b, put, node, &dst, &src)) return 0;
  vis_show(m, put, how, node);
  show_block(&b, dst, src);
  gasnet_handle_t h = strided(put, how, node, dst, src, &b);
  spoil(&b, sizeof b);
  vis_started(m, h);
  return 1;
}

/* ---- nothing at all ---- */

/* Counts of 0 with garbage in the place of lists, or lists of empty regions, alone or on both sides. */
static gasnet_handle_t vector_nothing(struct vis *m, int put, int how, gasnet_node_t node)
{
  gasnet_memvec_t empty[3];
  for (int i = 0; i < 3; i++) empty[i] = (gasnet_memvec_t){vis_nowhere(&m->r), 0};
  const gasnet_memvec_t *none = (const gasnet_memvec_t *)vis_nowhere(&m->r);
  unsigned kind = (unsigned)rng_below(&m->r, 4);
  size_t dn = kind & 1 ? 3 : 0, sn = kind & 2 ? 2 : 0;
  const gasnet_memvec_t *d = dn ? empty : none, *s = sn ? empty : none;
  return put ? VIS_CALL(how, gasnet_putv, node, dn, d, sn, s)
             : VIS_CALL(how, gasnet_getv, dn, d, node, sn, s);
}

static gasnet_handle_t indexed_nothing(struct vis *m, int put, int how, gasnet_node_t node)
{
  void *const *none = (void *const *)vis_nowhere(&m->r);
  unsigned kind = (unsigned)rng_below(&m->r, 4);
  size_t dn = kind & 1 ? 7 : 0, dl = kind & 1 ? 0 : 9, sn = kind & 2 ? 5 : 0, sl = kind & 2 ? 0 : 3;
  return put ? VIS_CALL(how, gasnet_puti, node, dn, none, dl, sn, none, sl)
             : VIS_CALL(how, gasnet_geti, dn, none, dl, node, sn, none, sl);
}

static gasnet_handle_t strided_nothing(struct vis *m, int put, int how, gasnet_node_t node)
{
  size_t count[VIS_LEVELS + 1], levels = rng_below(&m->r, 8) ? rng_below(&m->r, 9) : VIS_LEVELS;
  for (size_t i = 0; i <= levels; i++) count[i] = rng_below(&m->r, 4) ? (size_t)rng_next(&m->r) : 1;
  count[rng_below(&m->r, levels + 1)] = 0;
  void *none = vis_nowhere(&m->r);
  const size_t *strides = (const size_t *)vis_nowhere(&m->r);
  return put ? VIS_CALL(how, gasnet_puts, node, none, strides, none, strides, count, levels)
             : VIS_CALL(how, gasnet_gets, none, strides, node, none, strides, count, levels);
}

static int nothing_case(struct vis *m)
{
  int put = (int)rng_below(&m->r, 2), how = vis_how(m);
  gasnet_node_t node = vis_node(m);
  vis_show_nothing(m, put, how, node);
  switch (rng_below(&m->r, 3)) {
  case 0: vis_started(m, vector_nothing(m, put, how, node)); break;
  case 1: vis_started(m, indexed_nothing(m, put, how, node)); break;
  default: vis_started(m, strided_nothing(m, put, how, node));
  }
  return 1;
}

/* ---- */

static int any_case(struct vis *m)
{
  unsigned form = (unsigned)rng_below(&m->r, 50);
  return form == 0 ? nothing_case(m)
      : form < 16  ? vector_case(m)
      : form < 30  ? indexed_case(m)
                   : strided_case(m);
}

static void run(int thread) { vis_run(vis_of[thread], any_case); }

int main(int argc, char **argv)
{
  vis_start("vis", &argc, &argv, 100000, 131072, 0);
  test_threads(test.threads, run);
  test_finish();
}
