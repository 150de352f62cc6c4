/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Plans of random members against a model (vis_model.h): started again and again, several times before a
 * sync, on other data, at other addresses, with notifications; as _start, _start_nbi, in access regions, and
 * as _run.
 *   vis_plan [--seed S] [--cases N] [--zone BYTES] [--threads N] [--only CASE] */
#include "vis_sides.h"
#include <gasnetx.h>

#define MEMBERS 10
#define STARTS  24

struct member {
  char form; /* s: strided, a: any order, v, i: lists */
  int put;
  gasnet_node_t node;
  struct vis_block block;
  struct vis_side to, from;
  size_t elemsz;
  struct vis_bytes dst, src; /* in the model */
  unsigned char *dstaddr, *srcaddr;
  int notified;
  uint64_t value;
};

struct plan {
  gasnetx_plan_t handle;
  size_t members;
  struct member member[MEMBERS];
};

static struct plan *plan_of[TEST_MAX_THREADS];
static uint64_t *told_of[TEST_MAX_THREADS]; /* by node: what this thread's word there must show */

/* Each thread of each node has a word in every segment. */
static uint64_t *word_at(gasnet_node_t node, gasnet_node_t owner, int thread)
{
  return (uint64_t *)(void *)seg_at(
      node, vis_segment() + ((size_t)owner * TEST_MAX_THREADS + (size_t)thread) * sizeof(uint64_t));
}

/* ---- members ---- */

static struct vis_zone *zone_to(struct vis *m, const struct member *x)
{
  return x->put ? vis_written(m, x->node) : &m->sink;
}
static struct vis_zone *zone_from(struct vis *m, const struct member *x)
{
  return x->put ? &m->source : vis_read(m, x->node);
}

static void keep_bytes(struct vis_bytes *to, struct vis_bytes *from)
{
  free(to->p);
  *to = (struct vis_bytes){(unsigned char **)vis_memory((from->n + 1) * sizeof *from->p), from->n, from->n};
  memcpy(to->p, from->p, from->n * sizeof *from->p);
  from->n = 0;
}

/* Addresses for a strided member; 0: no room. */
static int place(struct vis *m, struct member *x)
{
  struct vis_zone *to = zone_to(m, x), *from = zone_from(m, x);
  int any = x->form == 'a';
  size_t at = vis_take(m, to, any ? x->to.extent : vis_extent(&x->block, x->block.dst));
  size_t reads = any ? x->from.extent : vis_extent(&x->block, x->block.src);
  if (at == VIS_NOWHERE) return 0;
  x->dstaddr = to->at + at + (any ? x->to.below : 0);
  x->srcaddr = from->at + vis_look(m, from, reads) + (any ? x->from.below : 0);
  if (any) {
    vis_push_side(&m->dst, to, x->dstaddr, &x->to, x->elemsz);
    vis_push_side(&m->src, from, x->srcaddr, &x->from, x->elemsz);
  } else {
    vis_push_block(&m->dst, to, x->dstaddr, &x->block, x->block.dst);
    vis_push_block(&m->src, from, x->srcaddr, &x->block, x->block.src);
  }
  keep_bytes(&x->dst, &m->dst);
  keep_bytes(&x->src, &m->src);
  return 1;
}

static int add_strided(struct vis *m, gasnetx_plan_t p, struct member *x, size_t *number)
{
  struct vis_block b;
  vis_random_block(
      &x->block, &m->r, vis_levels(&m->r), 1 + rng_size(&m->r, vis_option.zone / 32), vis_option.zone / 16);
  if (!place(m, x)) return 0;
  b = x->block;
  *number = x->put ? gasnetx_plan_puts(p, x->node, x->dstaddr, b.dst, x->srcaddr, b.src, b.count, b.levels)
                   : gasnetx_plan_gets(p, x->dstaddr, b.dst, x->node, x->srcaddr, b.src, b.count, b.levels);
  spoil(&b, sizeof b);
  return 1;
}

static int add_any(struct vis *m, gasnetx_plan_t p, struct member *x, size_t *number)
{
  struct vis_side d, s;
  x->elemsz = vis_element(&m->r, vis_option.zone / 64);
  vis_random_sides(&x->to, &x->from, &m->r, x->elemsz, x->elemsz + rng_size(&m->r, vis_option.zone / 32),
      vis_option.zone / 16);
  if (!place(m, x)) return 0;
  d = x->to;
  s = x->from;
  *number = x->put ? gasnetx_plan_puts_any(
                         p, x->node, x->dstaddr, d.stride, x->srcaddr, s.stride, x->elemsz, d.count, d.dims)
                   : gasnetx_plan_gets_any(
                         p, x->dstaddr, d.stride, x->node, x->srcaddr, s.stride, x->elemsz, d.count, d.dims);
  spoil(&d, sizeof d);
  spoil(&s, sizeof s);
  return 1;
}

static size_t add_vector(
    gasnetx_plan_t p, const struct member *x, const struct vis_list *d, const struct vis_list *s)
{
  return x->put ? gasnetx_plan_putv(p, x->node, d->n, d->v, s->n, s->v)
                : gasnetx_plan_getv(p, d->n, d->v, x->node, s->n, s->v);
}

static size_t add_indexed(
    gasnetx_plan_t p, const struct member *x, const struct vis_list *d, const struct vis_list *s)
{
  return x->put ? gasnetx_plan_puti(p, x->node, d->n, d->at, d->len, s->n, s->at, s->len)
                : gasnetx_plan_geti(p, d->n, d->at, d->len, x->node, s->n, s->at, s->len);
}

static int add_list(struct vis *m, gasnetx_plan_t p, struct member *x, size_t *number)
{
  if (x->form == 'v') {
    size_t n = rng_below(&m->r, 16) ? 1 + rng_size(&m->r, vis_option.zone / 32) : 0;
    vis_cut(&m->r, &m->dst_list, n);
    vis_cut(&m->r, &m->src_list, n);
  } else {
    vis_random_indexed(m);
    if (m->dst_list.n * m->dst_list.len > vis_option.zone / 16) return 0;
  }
  if (!vis_place_dst(m, zone_to(m, x), &m->dst_list)) return 0;
  vis_place_src(m, zone_from(m, x), &m->src_list);
  keep_bytes(&x->dst, &m->dst);
  keep_bytes(&x->src, &m->src);
  *number = x->form == 'v' ? add_vector(p, x, &m->dst_list, &m->src_list)
                           : add_indexed(p, x, &m->dst_list, &m->src_list);
  vis_started(m, GASNET_INVALID_HANDLE); /* spoils the lists */
  return 1;
}

static void set_notification(struct vis *m, struct plan *p, size_t i)
{
  struct member *x = &p->member[i];
  gasnetx_notify_t n = {
      .kind = GASNETX_NOTIFY_ADD, .word = word_at(x->node, test.me, m->thread), .value = rng_next(&m->r)};
  x->notified = x->put && rng_below(&m->r, 2);
  x->value = n.value;
  if (x->notified) gasnetx_plan_notify(p->handle, i, &n);
  else if (x->put) gasnetx_plan_notify(p->handle, i, NULL);
  spoil(&n, sizeof n);
}

static void add_member(struct vis *m, struct plan *p)
{
  struct member *x = &p->member[p->members];
  size_t number = p->members;
  x->form = "saaasvi"[rng_below(&m->r, 7)];
  x->put = (int)rng_below(&m->r, 2);
  x->node = vis_node(m);
  int added = x->form == 's' ? add_strided(m, p->handle, x, &number)
      : x->form == 'a'       ? add_any(m, p->handle, x, &number)
                             : add_list(m, p->handle, x, &number);
  if (!added) return;
  CHECK(number == p->members, "member %zu has the number %zu", p->members, number);
  p->members++;
  if (rng_below(&m->r, 2)) set_notification(m, p, p->members - 1);
  else x->notified = 0;
}

/* ---- starts ---- */

static void apply(struct vis *m, const struct plan *p)
{
  for (size_t k = 0; k < p->members; k++) {
    const struct member *x = &p->member[k];
    for (size_t i = 0; i < x->dst.n; i++) *x->dst.p[i] = *x->src.p[i];
    if (x->notified) told_of[m->thread][x->node] += x->value;
  }
}

static void start(struct vis *m, struct plan *p)
{
  switch (rng_below(&m->r, 4)) {
  case 0: vis_keep(m, gasnetx_plan_start(p->handle)); break;
  case 1: gasnetx_plan_start_nbi(p->handle); break;
  case 2: gasnetx_plan_run(p->handle); break;
  default:
    gasnet_begin_nbi_accessregion();
    gasnetx_plan_start_nbi(p->handle);
    if (rng_below(&m->r, 2)) {
      gasnetx_plan_start_nbi(p->handle);
      apply(m, p);
    }
    vis_keep(m, gasnet_end_nbi_accessregion());
  }
  apply(m, p);
}

/* Moves one member, or changes its notification, for the starts that follow. */
static void change(struct vis *m, struct plan *p)
{
  size_t k = rng_below(&m->r, p->members);
  struct member *x = &p->member[k];
  if ((x->form == 's' || x->form == 'a') && place(m, x))
    gasnetx_plan_rebase(p->handle, k, x->dstaddr, x->srcaddr);
  if (rng_below(&m->r, 2)) set_notification(m, p, k);
}

static void refill(struct vis *m, struct vis_zone *z)
{
  pattern_fill(z->at, z->size, rng_next(&m->sync));
  memcpy(z->model, z->at, z->size);
}

static void check_words(struct vis *m)
{
  for (gasnet_node_t i = 0; i < test.nodes; i++) {
    uint64_t value = 0;
    gasnet_get_bulk(&value, i, word_at(i, test.me, m->thread), sizeof value);
    CHECK(value == told_of[m->thread][i], "case %llu: node %u was told %llu, not %llu",
        (unsigned long long)m->number, (unsigned)i, (unsigned long long)value,
        (unsigned long long)told_of[m->thread][i]);
  }
}

/* All data is new, which shows what a start leaves out. Then several starts without a sync. */
static void step(struct vis *m, struct plan *p, int last)
{
  refill(m, &m->source);
  refill(m, &m->sink);
  size_t starts = rng_below(&m->r, 4) ? rng_range(&m->r, 1, 3) : rng_range(&m->r, 1, STARTS);
  for (size_t i = 0; i < starts; i++) {
    start(m, p);
    if (p->members && rng_below(&m->r, 3) == 0) change(m, p);
  }
  if (last) gasnetx_plan_destroy(p->handle); /* what was started goes on */
  vis_sync(m);
  vis_compare_all(m, 0);
  check_words(m);
}

static void plan_case(struct vis *m)
{
  struct plan *p = plan_of[m->thread];
  rng_init(&m->r, test_key(60 + (uint64_t)m->thread, test.me, m->number));
  vis_batch_begin(m);
  m->what = "plan";
  p->handle = gasnetx_plan_create();
  p->members = 0;
  for (size_t i = rng_below(&m->r, MEMBERS + 1); i > 0; i--) add_member(m, p);
  for (size_t i = rng_range(&m->r, 1, 4); i > 0; i--) step(m, p, i == 1);
}

static void run(int thread)
{
  struct vis *m = vis_of[thread];
  while (vis_next(m)) plan_case(m);
  if (!vis_failed()) vis_compare_all(m, 1);
}

int main(int argc, char **argv)
{
  const size_t words = TEST_MAX_THREADS * sizeof(uint64_t);
  vis_start("vis_plan", &argc, &argv, 2500, 16384, words);
  for (int t = 0; t < test.threads; t++) {
    plan_of[t] = (struct plan *)calloc(1, sizeof **plan_of);
    told_of[t] = (uint64_t *)calloc(test.nodes, sizeof **told_of);
    REQUIRE(plan_of[t] && told_of[t], "no memory");
  }
  memset(word_at(test.me, 0, 0), 0, test.nodes * words);
  test_barrier();
  test_threads(test.threads, run);
  test_finish();
}
