/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What gasnetx.h adds: any order and direction, reshaping, rectangles and boxes, several nodes in one call,
 * reblocking. Random legal descriptions of all forms against a model (vis_model.h).
 *   visx [--seed S] [--cases N] [--zone BYTES] [--threads N] [--only CASE] [--show 1] */
#include "vis_sides.h"
#include <gasnetx.h>

/* Places both sides: 0 when there is no room. */
static int place(struct vis *m, struct vis_side *dst, struct vis_side *src, size_t elemsz, int put,
    gasnet_node_t node, unsigned char **d, unsigned char **s)
{
  struct vis_zone *to = put ? vis_written(m, node) : &m->sink, *from = put ? &m->source : vis_read(m, node);
  size_t at = vis_take(m, to, dst->extent);
  if (at == VIS_NOWHERE) return 0;
  *d = to->at + at + dst->below;
  *s = from->at + vis_look(m, from, src->extent) + src->below;
  vis_push_side(&m->dst, to, *d, dst, elemsz);
  vis_push_side(&m->src, from, *s, src, elemsz);
  return 1;
}

static void show_side(const char *name, const struct vis_side *s, const unsigned char *addr, size_t elemsz)
{
  if (!vis_option.show) return;
  printf("  %s %p elements of %zu:", name, (const void *)addr, elemsz);
  for (size_t i = 0; i < s->dims; i++) printf(" %zu x %td", s->count[i], s->stride[i]);
  printf("\n");
}

/* ---- any order and direction ---- */

static int any_case(struct vis *m)
{
  int put = (int)rng_below(&m->r, 2), how = vis_how(m);
  gasnet_node_t node = vis_node(m);
  size_t bytes = vis_length(m), elemsz = vis_element(&m->r, bytes);
  struct vis_side dst, src;
  unsigned char *d, *s;
  m->what = "s_any";
  vis_random_sides(&dst, &src, &m->r, elemsz, bytes, vis_option.zone / 4);
  if (!place(m, &dst, &src, elemsz, put, node, &d, &s)) return 0;
  vis_show(m, put, how, node);
  show_side("dst", &dst, d, elemsz);
  show_side("src", &src, s, elemsz);
  gasnet_handle_t h = put
      ? VIS_CALL(how, gasnetx_puts_any, node, d, dst.stride, s, src.stride, elemsz, dst.count, dst.dims)
      : VIS_CALL(how, gasnetx_gets_any, d, dst.stride, node, s, src.stride, elemsz, dst.count, dst.dims);
  spoil(&dst, sizeof dst);
  spoil(&src, sizeof src);
  vis_started(m, h);
  return 1;
}

/* ---- reshape ---- */

/* Deals the factors out to dimensions in any order; some dimensions get none. */
static void deal(struct vis_side *s, struct rng *r, size_t factors, const size_t *factor)
{
  s->dims = rng_below(r, 12) ? 1 + rng_below(r, 6) : VIS_LEVELS;
  for (size_t i = 0; i < s->dims; i++) s->count[i] = 1;
  for (size_t i = 0; i < factors; i++) s->count[rng_below(r, s->dims)] *= factor[i];
  if (factors == 0) s->dims = rng_below(r, s->dims + 1);
}

static size_t random_factors(struct rng *r, size_t *factor, size_t elements)
{
  static const size_t primes[] = {2, 2, 2, 2, 3, 3, 5, 7, 11, 13};
  size_t n = 0;
  for (;;) {
    size_t f = primes[rng_below(r, sizeof primes / sizeof *primes)];
    if (f > elements || n == 32) return n;
    elements /= f;
    factor[n++] = f;
  }
}

static int reshape_case(struct vis *m)
{
  int put = (int)rng_below(&m->r, 2), how = vis_how(m);
  gasnet_node_t node = vis_node(m);
  size_t bytes = vis_length(m), elemsz = vis_element(&m->r, bytes), factor[32];
  struct vis_side dst, src;
  unsigned char *d, *s;
  m->what = "s_reshape";
  do {
    size_t factors = random_factors(&m->r, factor, bytes / elemsz);
    deal(&dst, &m->r, factors, factor);
    deal(&src, &m->r, factors, factor);
    vis_signed_strides(&dst, &src, &m->r, elemsz);
    bytes = bytes / 2 + elemsz;
  } while (dst.extent > vis_option.zone / 4 || src.extent > vis_option.zone / 4);
  if (!place(m, &dst, &src, elemsz, put, node, &d, &s)) return 0;
  vis_show(m, put, how, node);
  show_side("dst", &dst, d, elemsz);
  show_side("src", &src, s, elemsz);
  gasnet_handle_t h = put ? VIS_CALL(how, gasnetx_puts_reshape, node, d, dst.stride, dst.count, dst.dims, s,
                                src.stride, src.count, src.dims, elemsz)
                          : VIS_CALL(how, gasnetx_gets_reshape, d, dst.stride, dst.count, dst.dims, node, s,
                                src.stride, src.count, src.dims, elemsz);
  spoil(&dst, sizeof dst);
  spoil(&src, sizeof src);
  vis_started(m, h);
  return 1;
}

/* ---- rectangles and boxes ---- */

static gasnet_handle_t box(int put, int how, gasnet_node_t n, void *d, void *s, const struct vis_block *b)
{
  const size_t *ds = b->dst, *ss = b->src, *c = b->count;
  if (b->levels == 1)
    return put ? VIS_CALL(how, gasnetx_puts_2d, n, d, ds[0], s, ss[0], c[0], c[1])
               : VIS_CALL(how, gasnetx_gets_2d, d, ds[0], n, s, ss[0], c[0], c[1]);
  return put ? VIS_CALL(how, gasnetx_puts_3d, n, d, ds[0], ds[1], s, ss[0], ss[1], c[0], c[1], c[2])
             : VIS_CALL(how, gasnetx_gets_3d, d, ds[0], ds[1], n, s, ss[0], ss[1], c[0], c[1], c[2]);
}

static int box_case(struct vis *m)
{
  int put = (int)rng_below(&m->r, 2), how = vis_how(m);
  gasnet_node_t node = vis_node(m);
  struct vis_block b;
  unsigned char *dst, *src;
  m->what = "s_2d or 3d";
  vis_random_block(&b, &m->r, 1 + rng_below(&m->r, 2), vis_length(m), vis_option.zone / 4);
  if (rng_below(&m->r, 20) == 0) { /* nothing */
    b.count[rng_below(&m->r, b.levels + 1)] = 0;
    vis_started(m, box(put, how, node, vis_nowhere(&m->r), vis_nowhere(&m->r), &b));
    return 1;
  }
  if (!vis_place_block(m, &b, put, node, &dst, &src)) return 0;
  vis_show(m, put, how, node);
  vis_started(m, box(put, how, node, dst, src, &b));
  return 1;
}

/* ---- several nodes ---- */

struct lists {
  gasnetx_memvec_t v[VIS_ENTRIES];
  gasnet_node_t node[VIS_ENTRIES];
};
static struct lists *lists_of[TEST_MAX_THREADS];

/* Changes of node are rare in some lists, and common in others. */
static void random_nodes(struct vis *m, size_t n)
{
  struct lists *l = lists_of[m->thread];
  unsigned often = (unsigned)rng_below(&m->r, 3);
  for (size_t i = 0; i < n; i++)
    l->node[i] = i == 0 || often == 2 || rng_below(&m->r, often ? 4 : 100) == 0 ? vis_node(m)
                                                                                : l->node[i - 1];
}

/* Each node gets the same layout, and its own pieces. */
static int place_far(struct vis *m, struct vis_list *l, int put)
{
  struct lists *x = lists_of[m->thread];
  size_t extent = vis_lay_out(m, l, vis_option.zone), at = 0;
  size_t *base = m->base;
  int garbage = rng_below(&m->r, 4) == 0;
  for (gasnet_node_t k = 0; k < test.nodes; k++) {
    at = base[k] = put ? vis_take(m, vis_written(m, k), extent) : vis_look(m, vis_read(m, k), extent);
    if (at == VIS_NOWHERE) return 0;
  }
  for (size_t i = 0; i < l->n; i++) {
    struct vis_zone *z = put ? vis_written(m, x->node[i]) : vis_read(m, x->node[i]);
    unsigned char *addr = z->at + base[x->node[i]] + m->shift[i];
    l->at[i] = garbage && l->v[i].len == 0 ? vis_nowhere(&m->r) : addr;
    x->v[i] = (gasnetx_memvec_t){x->node[i], l->at[i], l->v[i].len};
    if (l->v[i].len) vis_push(put ? &m->dst : &m->src, z, addr, l->v[i].len);
  }
  return 1;
}

static int place_multi(struct vis *m, int put)
{
  random_nodes(m, put ? m->dst_list.n : m->src_list.n);
  if (!place_far(m, put ? &m->dst_list : &m->src_list, put)) return 0;
  if (!put) return vis_place_dst(m, &m->sink, &m->dst_list);
  vis_place_src(m, &m->source, &m->src_list);
  return 1;
}

static void started_multi(struct vis *m, gasnet_handle_t h)
{
  struct lists *x = lists_of[m->thread];
  size_t n = m->dst_list.n > m->src_list.n ? m->dst_list.n : m->src_list.n;
  spoil(x->v, n * sizeof *x->v);
  spoil(x->node, n * sizeof *x->node);
  vis_started(m, h);
}

static int vector_multi_case(struct vis *m)
{
  int put = (int)rng_below(&m->r, 2), how = vis_how(m);
  size_t n = vis_length(m);
  const gasnetx_memvec_t *far = lists_of[m->thread]->v;
  m->what = "v_multi";
  vis_cut(&m->r, &m->dst_list, n);
  vis_cut(&m->r, &m->src_list, n);
  if (!place_multi(m, put)) return 0;
  vis_show(m, put, how, 0);
  started_multi(m,
      put ? VIS_CALL(how, gasnetx_putv_multi, m->dst_list.n, far, m->src_list.n, m->src_list.v)
          : VIS_CALL(how, gasnetx_getv_multi, m->dst_list.n, m->dst_list.v, m->src_list.n, far));
  return 1;
}

static int indexed_multi_case(struct vis *m)
{
  int put = (int)rng_below(&m->r, 2), how = vis_how(m);
  struct vis_list *d = &m->dst_list, *s = &m->src_list;
  const gasnet_node_t *nodes = lists_of[m->thread]->node;
  m->what = "i_multi";
  vis_random_indexed(m);
  if (!place_multi(m, put)) return 0;
  vis_show(m, put, how, 0);
  started_multi(m,
      put ? VIS_CALL(how, gasnetx_puti_multi, d->n, nodes, d->at, d->len, s->n, s->at, s->len)
          : VIS_CALL(how, gasnetx_geti_multi, d->n, d->at, d->len, s->n, nodes, s->at, s->len));
  return 1;
}

/* ---- reblocking ---- */

#define OWNERS 9
struct distribution {
  gasnetx_distribution_t d;
  gasnet_node_t node[OWNERS];
  void *base[OWNERS];
  const struct vis_zone *zone[OWNERS];
  size_t low[OWNERS], high[OWNERS]; /* elements of each that take part */
};

static void random_distribution(struct vis *m, struct distribution *x, size_t elements)
{
  int all = test.nodes <= OWNERS && rng_below(&m->r, 4) == 0;
  x->d = (gasnetx_distribution_t){.block = 1 + rng_size(&m->r, elements), .node = x->node, .base = x->base};
  x->d.nodes = all ? test.nodes : 1 + rng_below(&m->r, OWNERS);
  for (size_t i = 0; i < x->d.nodes; i++)
    x->node[i] = all ? (gasnet_node_t)i : vis_node(m); /* one may occur twice */
  if (all && rng_below(&m->r, 2)) x->d.node = NULL;
}

static size_t owner(const struct distribution *x, size_t e) { return e / x->d.block % x->d.nodes; }
static size_t position(const struct distribution *x, size_t e)
{
  return e / x->d.block / x->d.nodes * x->d.block + e % x->d.block;
}

static void find_bounds(struct distribution *x, size_t first, size_t elements)
{
  for (size_t i = 0; i < x->d.nodes; i++) {
    x->low[i] = VIS_NOWHERE;
    x->high[i] = 0;
  }
  for (size_t e = first; e < first + elements; e++) {
    size_t i = owner(x, e), p = position(x, e);
    if (p < x->low[i]) x->low[i] = p;
    if (p >= x->high[i]) x->high[i] = p + 1;
  }
}

/* This node's part may lie in memory outside its segment. An owner of nothing has no memory. */
static int place_distribution(struct vis *m, struct distribution *x, size_t elemsz, int dst)
{
  for (size_t i = 0; i < x->d.nodes; i++) {
    int near = x->node[i] == test.me && rng_below(&m->r, 2);
    struct vis_zone *z = dst ? near ? &m->sink : vis_written(m, x->node[i])
        : near ? &m->source
                             : vis_read(m, x->node[i]);
    x->base[i] = vis_nowhere(&m->r);
    x->zone[i] = z;
    if (!x->high[i]) continue;
    size_t n = (x->high[i] - x->low[i]) * elemsz, at = dst ? vis_take(m, z, n) : vis_look(m, z, n);
    if (at == VIS_NOWHERE) return 0;
    x->base[i] = (void *)((uintptr_t)z->at + at - x->low[i] * elemsz);
  }
  return 1;
}

static void push_distribution(
    struct vis_bytes *b, const struct distribution *x, size_t first, size_t elements, size_t elemsz)
{
  for (size_t e = first; e < first + elements; e++) {
    size_t i = owner(x, e);
    vis_push(b, x->zone[i], (void *)((uintptr_t)x->base[i] + position(x, e) * elemsz), elemsz);
  }
}

static void show_distribution(const char *name, const struct distribution *x, size_t first)
{
  if (!vis_option.show) return;
  printf("  %s first %zu block %zu nodes", name, first, x->d.block);
  for (size_t i = 0; i < x->d.nodes; i++) printf(" %u", (unsigned)x->node[i]);
  printf("\n");
}

static int reblock_case(struct vis *m)
{
  int how = vis_how(m);
  size_t bytes = vis_length(m), elemsz = vis_element(&m->r, bytes), n = bytes / elemsz;
  size_t dstfirst = rng_below(&m->r, 2) ? rng_size(&m->r, 3 * n) : 0,
         srcfirst = rng_below(&m->r, 2) ? rng_size(&m->r, 3 * n) : 0;
  struct distribution dst, src;
  m->what = "reblock";
  random_distribution(m, &dst, n);
  random_distribution(m, &src, n);
  find_bounds(&dst, dstfirst, n);
  find_bounds(&src, srcfirst, n);
  if (!place_distribution(m, &dst, elemsz, 1) || !place_distribution(m, &src, elemsz, 0)) return 0;
  push_distribution(&m->dst, &dst, dstfirst, n, elemsz);
  push_distribution(&m->src, &src, srcfirst, n, elemsz);
  vis_show(m, 1, how, 0);
  show_distribution("dst", &dst, dstfirst);
  show_distribution("src", &src, srcfirst);
  gasnet_handle_t h = VIS_CALL(how, gasnetx_reblock, &dst.d, dstfirst, &src.d, srcfirst, n, elemsz);
  spoil(&dst, sizeof dst);
  spoil(&src, sizeof src);
  vis_started(m, h);
  return 1;
}

/* ---- nothing at all ---- */

static gasnet_handle_t nothing(struct vis *m, int how, gasnet_node_t node)
{
  void *none = vis_nowhere(&m->r);
  const ptrdiff_t *strides = (const ptrdiff_t *)none;
  size_t count[2] = {7, 0}, one[1] = {0}, elemsz = rng_below(&m->r, 2) ? 8 : 0;
  gasnetx_distribution_t d = {0, 0, (const gasnet_node_t *)none, (void *const *)none};
  switch (rng_below(&m->r, 7)) {
  case 0: return VIS_CALL(how, gasnetx_puts_any, node, none, strides, none, strides, elemsz, count, 2);
  case 1: return VIS_CALL(how, gasnetx_gets_any, none, strides, node, none, strides, 0, count, 1);
  case 2:
    return VIS_CALL(how, gasnetx_puts_reshape, node, none, strides, count, 2, none, strides, one, 1, elemsz);
  case 3:
    return VIS_CALL(how, gasnetx_gets_reshape, none, strides, one, 1, node, none, strides, count, 2, elemsz);
  case 4:
    return VIS_CALL(
        how, gasnetx_putv_multi, 0, (const gasnetx_memvec_t *)none, 0, (const gasnet_memvec_t *)none);
  case 5:
    return VIS_CALL(how, gasnetx_geti_multi, 0, (void *const *)none, 5, 3, (const gasnet_node_t *)none,
        (void *const *)none, 0);
  default: return VIS_CALL(how, gasnetx_reblock, &d, 5, &d, 6, elemsz ? 0 : 9, elemsz);
  }
}

static int nothing_case(struct vis *m)
{
  int how = vis_how(m);
  gasnet_node_t node = vis_node(m);
  vis_show_nothing(m, 1, how, node);
  vis_started(m, nothing(m, how, node));
  return 1;
}

/* ---- */

static int extended_case(struct vis *m)
{
  unsigned form = (unsigned)rng_below(&m->r, 60);
  m->dst_list.n = m->src_list.n = 0;
  if (form == 0) return nothing_case(m);
  if (form < 5) return box_case(m);
  if (form < 14) return vector_multi_case(m);
  if (form < 22) return indexed_multi_case(m);
  return form < 34 ? reblock_case(m) : form < 46 ? reshape_case(m) : any_case(m);
}

static void run(int thread)
{
  lists_of[thread] = (struct lists *)vis_memory(sizeof **lists_of);
  vis_run(vis_of[thread], extended_case);
}

int main(int argc, char **argv)
{
  vis_start("visx", &argc, &argv, 50000, 131072, 0);
  test_threads(test.threads, run);
  test_finish();
}
