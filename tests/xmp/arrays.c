/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Global arrays of all mappings against tables: the addresses that translated programs compute, the parts of
 * other nodes, what inquiry functions say, parameters, pointers, templates that are fixed later, and nodes
 * whose heaps have different histories. */
#define GASNET_PAR /* what the runtime is: this test looks at its inside */
#include "model.h"

#include "xmp/array.h"

typedef pst_xmp_index_t index_t;
static struct model_world world;
static struct model_array array;

static const enum pst_xmp_type types[] = {
    PST_XMP_CHAR, PST_XMP_INT, PST_XMP_DOUBLE, PST_XMP_CDOUBLE, PST_XMP_OTHER};

/* ---- this node's part ---- */

static int dim_is_cyclic(const struct model_array *a, int k)
{
  return a->node_dim[k] >= 0 && a->world->kind[a->align[k].axis] == PST_XMP_CYCLIC;
}

/* As the translator writes an element of an array with global subscripts. */
static char *translated(const struct model_array *a, const int index[])
{
  index_t n = 0;
  for (int k = 0; k < a->dims; k++)
    n = n * a->desc->ld[k] + (dim_is_cyclic(a, k) ? pst_xmp_cyclic(a->desc, k, index[k]) : index[k]);
  return (char *)((uintptr_t)a->desc->biased + (uintptr_t)(n * (index_t)a->size));
}

static void check_element(const struct model_array *a, const int index[])
{
  char *const at = translated(a, index);
  int local;
  CHECK(at == model_at(a, index), "an element is %td bytes from its place", at - model_at(a, index));
  for (int k = 0; k < a->dims; k++)
    CHECK(xmp_array_gtol(a->desc, k + 1, index[k], &local) == 0 && local == a->local[k][index[k]],
        "index %d in dimension %d has the local one %d, not %d", index[k], k, local, a->local[k][index[k]]);
}

/* The shadow of a dimension beside the part, and none of cyclic ones. */
static void check_dim(const struct model_array *a, int k)
{
  const int dim = a->node_dim[k], mine = dim < 0 ? 0 : a->world->coordinate[dim];
  const int full = a->shadow[k].lower == PST_XMP_FULL_SHADOW && dim >= 0;
  int first = -1, last = -1, count = 0, value, lower = 0, upper = 0;
  for (int i = 0; i < a->extent[k]; i++) {
    if (dim >= 0 && a->owner[k][i] != mine) continue;
    if (!count++) first = i;
    last = i;
  }
  xmp_array_lshadow(a->desc, k + 1, &lower);
  xmp_array_ushadow(a->desc, k + 1, &upper);
  if (!full) CHECK(lower == a->shadow[k].lower && upper == a->shadow[k].upper, "shadow %d:%d", lower, upper);
  if (full && count) CHECK(lower + count + upper == a->extent[k], "full shadow %d:%d", lower, upper);
  xmp_array_lsize(a->desc, k + 1, &value);
  if (count || !full)
    CHECK(value == count + lower + upper || (value == 1 && count + lower + upper == 0),
        "dimension %d has %d local elements, not %d", k, value, count + lower + upper);
  if (!count) return;
  CHECK(xmp_array_gcllbound(a->desc, k + 1) == first && xmp_array_gclubound(a->desc, k + 1) == last,
      "bounds of this node's part");
  CHECK(xmp_array_lcllbound(a->desc, k + 1) == a->local[k][first] &&
          xmp_array_lclubound(a->desc, k + 1) == a->local[k][last],
      "local bounds of this node's part");
}

static void check_mine(const struct model_array *a)
{
  int index[MODEL_DIMS];
  for (int k = 0; k < a->dims; k++) check_dim(a, k);
  for (index_t n = 0; n < model_count(a); n++) {
    model_index(a, n, index);
    if (model_is_mine(a, index)) check_element(a, index);
  }
}

/* ---- other nodes' parts ---- */

/* Reads elements from their owners. */
static void check_others(const struct model_array *a)
{
  const struct pst_xmp_array_full *f = pst_xmp_array_need(AT, a->desc);
  int index[MODEL_DIMS];
  for (int i = 0; i < 20; i++) {
    const index_t n = model_below((int)model_count(a));
    index_t c[MODEL_DIMS], offset = 0;
    char element[32];
    model_index(a, n, index);
    for (int k = 0; k < a->dims; k++) {
      c[k] = pst_xmp_axis_owner(&f->dim[k].axis, index[k]);
      CHECK(c[k] == (a->node_dim[k] < 0 ? 0 : a->owner[k][index[k]]), "owner %lld in dimension %d", c[k], k);
      offset = offset * pst_xmp_array_extent(f, k, c[k]).ld + pst_xmp_array_subscript(f, k, c[k], index[k]);
    }
    const int node = pst_xmp_array_node(f, c);
    gasnet_get_bulk(element, (gasnet_node_t)node,
        (char *)pst_xmp_array_at(AT, f, node) + offset * (index_t)a->size, a->size);
    CHECK(model_load(a->type, element) == a->all[n], "an element read from node %d", node);
  }
}

/* ---- parameters ---- */

/* The same mapping by other objects: another node array, a template that begins elsewhere. */
static void check_parameter(const struct model_array *a)
{
  const struct model_world *w = a->world;
  const struct pst_xmp_template *t = w->template_;
  void *nodes = pst_xmp_nodes(AT, "pp", w->node_dims, w->size, PST_XMP_EXECUTING, NULL), *template_;
  index_t lower[MODEL_DIMS], upper[MODEL_DIMS], extent[MODEL_DIMS];
  struct pst_xmp_format format[MODEL_DIMS] = {{0}};
  struct pst_xmp_align align[MODEL_DIMS];
  int maps[MODEL_DIMS][64];
  for (int k = 0; k < w->dims; k++) {
    lower[k] = w->lower[k] + 7;
    upper[k] = lower[k] + w->length[k] - 1;
    format[k] = (struct pst_xmp_format){.kind = w->kind[k], .width = t->axis[k].width};
    if (w->kind[k] != PST_XMP_GBLOCK) continue;
    xmp_dist_gblockmap(w->template_, w->dims - k, maps[k]);
    format[k] = (struct pst_xmp_format){.kind = PST_XMP_GBLOCK, .map = maps[k]};
  }
  template_ = pst_xmp_template(AT, "tt", w->dims, lower, upper, 0);
  pst_xmp_distribute(AT, template_, nodes, w->dims, format);
  for (int k = 0; k < a->dims; k++) {
    align[k] = a->align[k];
    align[k].offset += 7;
    extent[k] = a->extent[k];
  }
  if (model_below(2)) extent[0] = 0; /* T a[] */
  const struct pst_xmp_shape s = {"parameter", a->size, a->type, a->dims, extent, align, a->shadow, 0};
  pst_xmp_array_t *p = pst_xmp_array_parameter(AT, a->desc->base, template_, &s);
  CHECK(p == a->desc, "a parameter is not its argument");
  pst_xmp_array_free(&p);
  CHECK(!p && a->desc->base, "the end of a parameter is not that of the array");
  pst_xmp_template_free(&template_);
  pst_xmp_nodes_free(&nodes);
}

/* ---- histories ---- */

/* Memory that some nodes take, so that the same array lies at different places. */
static void *histories_part(void)
{
  return model_below(test.nodes + 1) > test.me ? pst_xmp_heap_take(AT, "x", 3000) : NULL;
}

static void one_array(void)
{
  void *apart = model_below(3) ? NULL : histories_part();
  model_world_make(&world, 1);
  model_array_make(&array, &world, types[model_below(5)], "a");
  model_fill(&array);
  check_mine(&array);
  check_parameter(&array);
  pst_xmp_barrier_on(AT, NULL);
  check_others(&array);
  pst_xmp_barrier_on(AT, NULL);
  pst_xmp_array_free(&array.desc);
  model_world_free(&world);
  pst_xmp_heap_give_back(apart);
}

/* ---- templates that are fixed later, pointers ---- */

static void sum_check(const struct pst_xmp_array *d, index_t n, int value)
{
  int sum = 0;
  const struct pst_xmp_variable v = {&sum, 1, sizeof sum, PST_XMP_INT, "sum"};
  int first = xmp_array_gcllbound((void *)(uintptr_t)d, 1),
      last = xmp_array_gclubound((void *)(uintptr_t)d, 1);
  for (int i = first; i <= last; i++) ((int *)(uintptr_t)d->biased)[i] = value + i;
  for (int i = first; i <= last; i++) sum += ((int *)(uintptr_t)d->base)[i - first + 1];
  pst_xmp_reduction(AT, PST_XMP_SUM, 1, &v, NULL, NULL);
  CHECK(sum == n * value + n * (n - 1) / 2, "the sum of the elements is %d", sum);
}

static void late(void)
{
  const index_t star = 0, n = 1 + model_below(50), lower = -2, upper = n + 3;
  const struct pst_xmp_align align = {0, -1};
  const struct pst_xmp_shadow shadow = {1, 2};
  const struct pst_xmp_format block = {.kind = PST_XMP_BLOCK}, as_declared = {.kind = PST_XMP_AS_DECLARED};
  const index_t open = 0;
  const struct pst_xmp_shape s = {"a", sizeof(int), PST_XMP_INT, 1, &n, &align, &shadow, 0},
                             pointer = {"b", sizeof(int), PST_XMP_INT, 1, &open, &align, &shadow, 0};
  void *p = pst_xmp_nodes(AT, "p", 1, &star, PST_XMP_NO_PARENT, NULL);
  void *t = pst_xmp_template(AT, "t", 1, NULL, NULL, 0);
  int fixed = -1;
  pst_xmp_distribute(AT, t, p, 1, &block);
  pst_xmp_array_t *a = pst_xmp_array(AT, t, &s), *b = pst_xmp_array_pointer(AT, t, &pointer),
                  *never = pst_xmp_array(AT, t, &s);
  CHECK(xmp_template_fixed(t, &fixed) == 0 && !fixed && !a->base, "not fixed yet");
  pst_xmp_array_free(&never);
  pst_xmp_template_fix(AT, t, model_below(2), &as_declared, 1, &lower, &upper);
  CHECK(xmp_template_fixed(t, &fixed) == 0 && fixed && a->base && !b->base, "fixed");
  for (int i = 0; i < 3; i++) {
    const index_t m = 1 + model_below((int)n);
    CHECK(pst_xmp_malloc(AT, b, 1, &m) == b->base && b->base, "xmp_malloc");
    sum_check(b, m, 3);
    sum_check(a, n, 5);
    if (i == 1) xmp_free(b);
  }
  pst_xmp_nodes_free(&p);
  pst_xmp_template_free(&t); /* the arrays keep it */
  sum_check(a, n, 7);
  pst_xmp_array_free(&a);
  pst_xmp_array_free(&b);
}

/* A gblock whose map comes later, for bounds that are known. */
static void late_map(void)
{
  const index_t star = 0, n = 3 * test.nodes, lower = 0, upper = n - 1;
  const struct pst_xmp_align align = {0, 0};
  const struct pst_xmp_shadow shadow = {1, 0};
  const struct pst_xmp_shape s = {"a", sizeof(int), PST_XMP_INT, 1, &n, &align, &shadow, 0};
  struct pst_xmp_format gblock = {.kind = PST_XMP_GBLOCK};
  int map[64], back[64];
  void *p = pst_xmp_nodes(AT, "p", 1, &star, PST_XMP_NO_PARENT, NULL);
  void *t = pst_xmp_template(AT, "t", 1, &lower, &upper, 0);
  pst_xmp_distribute(AT, t, p, 1, &gblock);
  pst_xmp_array_t *a = pst_xmp_array(AT, t, &s);
  for (int i = 0; i < test.nodes; i++) map[i] = i % 2 ? 0 : 3;
  map[test.nodes - 1] += 3 * (test.nodes / 2);
  gblock.map = map;
  pst_xmp_template_fix(AT, t, 1, &gblock, 0, NULL, NULL);
  sum_check(a, n, 1);
  CHECK(
      xmp_dist_gblockmap(t, 1, back) == 0 && !memcmp(back, map, sizeof *map * (size_t)test.nodes), "the map");
  pst_xmp_array_free(&a);
  pst_xmp_template_free(&t);
  pst_xmp_nodes_free(&p);
}

/* An array on some of the executing nodes: the others have a descriptor, and know where parts are. */
static void on_a_part(void)
{
  const index_t star = 0, n = 20, lower = 0, upper = n - 1;
  const struct pst_xmp_subscript half = {
      .span = PST_XMP_COUNT, .first = test.nodes / 2, .last = (test.nodes + 1) / 2, .step = 1};
  const struct pst_xmp_align align = {0, 0};
  const struct pst_xmp_format cyclic = {.kind = PST_XMP_CYCLIC, .width = 3};
  const struct pst_xmp_shape s = {"a", sizeof(int), PST_XMP_INT, 1, &n, &align, NULL, 0};
  void *p = pst_xmp_nodes(AT, "p", 1, &star, PST_XMP_NO_PARENT, NULL);
  const struct pst_xmp_on of = {p, 1, &half};
  void *q = pst_xmp_nodes(AT, "q", 1, &star, PST_XMP_OF_NODES, &of);
  void *t = pst_xmp_template(AT, "t", 1, &lower, &upper, 0);
  pst_xmp_distribute(AT, t, q, 1, &cyclic);
  pst_xmp_array_t *a = pst_xmp_array(AT, t, &s);
  const struct pst_xmp_array_full *f = pst_xmp_array_need(AT, a);
  CHECK(a->base != NULL, "each node has a base");
  for (int i = 0; i < n; i++)
    if (f->member && i / 3 % ((test.nodes + 1) / 2) == test.me - test.nodes / 2)
      ((int *)(uintptr_t)a->biased)[pst_xmp_cyclic(a, 0, i)] = 100 + i;
  pst_xmp_barrier_on(AT, NULL);
  for (int i = 0; i < n; i++) {
    const index_t c = pst_xmp_axis_owner(&f->dim[0].axis, i);
    const int node = pst_xmp_array_node(f, &c);
    int value;
    gasnet_get_bulk(&value, (gasnet_node_t)node,
        (int *)pst_xmp_array_at(AT, f, node) + pst_xmp_array_subscript(f, 0, c, i), sizeof value);
    CHECK(value == 100 + i && node == test.nodes / 2 + (int)c, "element %d at node %d is %d", i, node, value);
  }
  pst_xmp_barrier_on(AT, NULL);
  pst_xmp_array_free(&a);
  pst_xmp_template_free(&t);
  pst_xmp_nodes_free(&q);
  pst_xmp_nodes_free(&p);
}

int main(int argc, char **argv)
{
  test_start("arrays", &argc, &argv);
  rng_init(&model_dice, test_key(4, 5, 6));
  for (int i = 0; i < 600 * test.scale; i++) one_array();
  for (int i = 0; i < 20 * test.scale; i++) late(), late_map(), on_a_part();
  return test_finish();
}
