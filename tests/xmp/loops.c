/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Loops on templates and nodes: which iterations each node runs, in which order, and with which executing
 * nodes, against tables of owners; bounds below and above the template, steps of both signs; expand, margin
 * and peel_and_wait. */
#include "model.h"

typedef pst_xmp_index_t index_t;
enum { SPAN = 3 * MODEL_LENGTH, CELLS = SPAN * SPAN };

static struct model_world world;

/* One subscript of an on clause, and of the loop whose variable is in it. */
struct dim {
  struct pst_xmp_subscript u;
  index_t first, count, step; /* of a section */
};
static struct dim on_dim[MODEL_DIMS];
static struct pst_xmp_subscript subscripts[MODEL_DIMS];
static int variables, dim_of[MODEL_DIMS]; /* the dimension of each variable */
static struct {
  index_t lower, end, step; /* while v < end, or > end */
} bounds[MODEL_DIMS];

/* ---- drawing ---- */

static void section_draw(struct dim *d, index_t lower, index_t length)
{
  d->first = lower + model_below((int)length);
  d->step = model_range(1, 4) * (model_below(3) ? 1 : -1);
  index_t room = d->step > 0 ? (lower + length - 1 - d->first) / d->step + 1
                             : (d->first - lower) / -d->step + 1;
  d->count = model_range(1, (int)room);
  d->u = (struct pst_xmp_subscript){PST_XMP_COUNT, 0, d->first, d->count, d->step};
}

/* lower, length: of the dimension of the template or the nodes. */
static void subscript_draw(int k, index_t lower, index_t length)
{
  struct dim *d = &on_dim[k];
  *d = (struct dim){.count = 0};
  switch (model_below(8)) {
  case 0: d->u.span = PST_XMP_ALL; break;
  case 1: d->u.span = PST_XMP_OWN; break;
  case 2:
    d->u = (struct pst_xmp_subscript){.span = PST_XMP_ONE, .first = lower + model_below((int)length)};
    d->first = d->u.first, d->count = d->step = 1;
    break;
  case 3: section_draw(d, lower, length); break;
  default:
    if (variables == 2) {
      d->u.span = PST_XMP_OWN;
      break;
    }
    d->u = (struct pst_xmp_subscript){.span = PST_XMP_LOOP, .first = model_range(-3, 3)};
    dim_of[variables++] = k;
  }
}

/* The variables may be listed in another order than they are used. */
static void variables_number(void)
{
  if (variables == 2 && model_below(2)) {
    const int k = dim_of[0];
    dim_of[0] = dim_of[1];
    dim_of[1] = k;
  }
  for (int v = 0; v < variables; v++) on_dim[dim_of[v]].u.variable = v;
}

/* A loop over indices of the template, of all of them or of some; the variable is an index less a shift. */
static void bounds_draw(int v, index_t lower, index_t length)
{
  const index_t shift = on_dim[dim_of[v]].u.first, low = lower - shift, high = low + length - 1;
  const index_t a = low + model_below((int)length), b = low + model_below((int)length);
  const index_t step = model_below(2) ? 1 : model_range(1, 5);
  bounds[v].lower = a < b ? a : b;
  bounds[v].end = (a < b ? b : a) + 1;
  if (model_below(3) == 0) bounds[v].lower = low, bounds[v].end = high + 1;
  bounds[v].step = step;
  if (model_below(2)) return;
  const index_t last = bounds[v].lower;
  bounds[v].lower = bounds[v].end - 1;
  bounds[v].end = last - 1;
  bounds[v].step = -step;
}

/* ---- the model ---- */

static int owner_of(int k, index_t g) { return world.owner[k][g - world.lower[k]]; }

static int section_has_coordinate(int k, int dim, int coordinate, int on_nodes)
{
  for (index_t i = 0; i < on_dim[k].count; i++) {
    const index_t g = on_dim[k].first + i * on_dim[k].step;
    if ((on_nodes ? g : owner_of(k, g)) == coordinate) return 1;
  }
  (void)dim;
  return 0;
}

/* Whether a coordinate in dimension k executes the iteration v; of an own one that is this node's. */
static int dim_runs(int k, int dim, int coordinate, const index_t v[], int on_nodes)
{
  const struct pst_xmp_subscript *u = &on_dim[k].u;
  if (u->span == PST_XMP_ALL) return 1;
  if (u->span == PST_XMP_OWN) return dim < 0 || coordinate == world.coordinate[dim];
  if (u->span != PST_XMP_LOOP) return dim < 0 || section_has_coordinate(k, dim, coordinate, on_nodes);
  const index_t g = v[u->variable] + u->first;
  return dim < 0 || (on_nodes ? g : owner_of(k, g)) == coordinate;
}

static int runs(const index_t v[], int dims, int on_nodes)
{
  for (int k = 0; k < dims; k++) {
    const int dim = on_nodes ? k : world.node_dim[k];
    if (!dim_runs(k, dim, dim < 0 ? 0 : world.coordinate[dim], v, on_nodes)) return 0;
  }
  return 1;
}

static int executing(const index_t v[], int dims, int on_nodes)
{
  int nodes = 1;
  for (int k = 0; k < dims; k++) {
    const int dim = on_nodes ? k : world.node_dim[k];
    int n = 0;
    for (int c = 0; dim >= 0 && c < world.size[dim]; c++) n += dim_runs(k, dim, c, v, on_nodes);
    if (dim >= 0) nodes *= n;
  }
  return nodes;
}

/* ---- loops ---- */

static int goes_on(index_t v, index_t end, index_t step) { return step > 0 ? v < end : v > end; }

/* The loop of one variable, as translated programs run it: with bounds where the range is not cyclic. */
static index_t first_of(const struct pst_xmp_range *r, int v)
{
  if (r->width || model_below(2)) return pst_xmp_loop_next(r, bounds[v].lower, bounds[v].step, bounds[v].end);
  return pst_xmp_loop_first(r, bounds[v].lower, bounds[v].step);
}
static int more_of(const struct pst_xmp_range *r, int v, index_t i)
{
  return goes_on(
      i, r->width ? bounds[v].end : pst_xmp_loop_end(r, bounds[v].end, bounds[v].step), bounds[v].step);
}
static index_t next_of(const struct pst_xmp_range *r, int v, index_t i)
{
  return r->width ? pst_xmp_loop_next(r, i + bounds[v].step, bounds[v].step, bounds[v].end)
                  : i + bounds[v].step;
}

static int met;
static void body(const index_t v[], int dims, int on_nodes)
{
  const int want = executing(v, dims, on_nodes);
  CHECK(runs(v, dims, on_nodes), "iteration %lld, %lld is another node's", v[0], v[1]);
  CHECK(xmp_num_nodes() == want, "%d nodes execute iteration %lld, %lld, not %d", xmp_num_nodes(), v[0], v[1],
      want);
  if (++met % 16 == 0) pst_xmp_barrier_on(AT, NULL); /* all that execute the iteration come here */
}

static void nest_run(pst_xmp_loop_t *l, int dims, int on_nodes, index_t seen[], int *count)
{
  index_t v[2] = {0, 0};
  met = 0;
  if (variables == 0) return;
  for (v[0] = first_of(&l->range[0], 0); more_of(&l->range[0], 0, v[0]);
       v[0] = next_of(&l->range[0], 0, v[0])) {
    if (variables == 1) {
      body(v, dims, on_nodes);
      seen[(*count)++] = v[0] * 1000;
      continue;
    }
    for (v[1] = first_of(&l->range[1], 1); more_of(&l->range[1], 1, v[1]);
         v[1] = next_of(&l->range[1], 1, v[1])) {
      body(v, dims, on_nodes);
      seen[(*count)++] = v[0] * 1000 + v[1];
    }
  }
}

/* What the sequential loop would run of this node's. */
static void nest_compare(int dims, int on_nodes, const index_t seen[], int count)
{
  index_t v[2] = {0, 0};
  int n = 0;
  if (variables == 0) return;
  for (v[0] = bounds[0].lower; goes_on(v[0], bounds[0].end, bounds[0].step); v[0] += bounds[0].step)
    for (v[1] = variables == 2 ? bounds[1].lower : 0;
         variables == 2 ? goes_on(v[1], bounds[1].end, bounds[1].step) : v[1] == 0;
         v[1] += variables == 2 ? bounds[1].step : 1) {
      if (!runs(v, dims, on_nodes)) continue;
      CHECK(n < count && seen[n] == v[0] * 1000 + v[1], "iteration %d is not %lld, %lld", n, v[0], v[1]);
      n++;
    }
  CHECK(n == count, "%d iterations, not %d", count, n);
}

static void one_loop(int on_nodes)
{
  const int dims = on_nodes ? world.node_dims : world.dims;
  static index_t seen[CELLS];
  pst_xmp_loop_t l;
  int count = 0;
  variables = 0;
  for (int k = 0; k < dims; k++)
    subscript_draw(k, on_nodes ? 0 : world.lower[k], on_nodes ? world.size[k] : world.length[k]);
  variables_number();
  for (int v = 0; v < variables; v++)
    bounds_draw(
        v, on_nodes ? 0 : world.lower[dim_of[v]], on_nodes ? world.size[dim_of[v]] : world.length[dim_of[v]]);
  for (int k = 0; k < dims; k++) subscripts[k] = on_dim[k].u;
  const struct pst_xmp_on on = {on_nodes ? world.nodes : world.template_, dims, subscripts};
  struct rng same = model_dice;
  pst_xmp_loop_enter(&l, AT, &on, variables);
  nest_run(&l, dims, on_nodes, seen, &count);
  pst_xmp_loop_leave(&l);
  model_dice = same;
  rng_next(&model_dice);
  nest_compare(dims, on_nodes, seen, count);
  CHECK(xmp_num_nodes() == test.nodes, "%d nodes execute what follows a loop", xmp_num_nodes());
}

/* ---- expand ---- */

static struct pst_xmp_width width[MODEL_DIMS];

/* This node's range of variable v, wider by its widths. */
static int in_range(int v, index_t i, int wide)
{
  const int k = dim_of[v], dim = world.node_dim[k];
  const index_t shift = on_dim[k].u.first, g = i + shift, low = world.lower[k],
                high = low + world.length[k] - 1;
  index_t first = high + 1, last = low - 1;
  for (index_t t = low; t <= high; t++) {
    if (dim >= 0 && owner_of(k, t) != world.coordinate[dim]) continue;
    if (t < first) first = t;
    last = t;
  }
  if (world.kind[k] == PST_XMP_CYCLIC)
    return g >= low && g <= high && owner_of(k, g) == world.coordinate[dim];
  if (last < first) return 0;
  if (!wide) return g >= first && g <= last;
  first -= width[k].lower, last += width[k].upper;
  if (!width[k].flag && first < low) first = low;
  if (!width[k].flag && last > high) last = high;
  return g >= first && g <= last;
}

static int range_has(const struct pst_xmp_range *r, index_t i)
{
  if (i < r->low || i > r->high) return 0;
  const index_t place = r->width ? (i - r->origin) % r->round : 0;
  return !r->width || (place < 0 ? place + r->round : place) < r->width;
}

static int parts_have(pst_xmp_loop_t *l, enum pst_xmp_expand form, int dims, int from, index_t i, index_t j)
{
  int times = 0;
  for (int part = from; pst_xmp_loop_expand(l, AT, form, dims, width, part); part++)
    times += range_has(&l->range[0], i) && (variables < 2 || range_has(&l->range[1], j));
  return times;
}

static void expand_check(pst_xmp_loop_t *l, index_t i, index_t j)
{
  const int own = in_range(0, i, 0) && (variables < 2 || in_range(1, j, 0));
  const int wide = in_range(0, i, 1) && (variables < 2 || in_range(1, j, 1));
  CHECK(parts_have(l, PST_XMP_NO_EXPAND, world.dims, 0, i, j) == own, "%lld, %lld: plain", i, j);
  CHECK(parts_have(l, PST_XMP_EXPAND, world.dims, 0, i, j) == wide, "%lld, %lld: expand", i, j);
  CHECK(parts_have(l, PST_XMP_MARGIN, world.dims, 0, i, j) == (own != wide), "%lld, %lld: margin", i, j);
  CHECK(parts_have(l, PST_XMP_PEEL_AND_WAIT, world.dims, 1, i, j) == (own != wide), "%lld, %lld: peel", i, j);
  CHECK(pst_xmp_loop_expand(l, AT, PST_XMP_PEEL_AND_WAIT, world.dims, width, 0) == 1 &&
          (range_has(&l->range[0], i) && (variables < 2 || range_has(&l->range[1], j))) == wide,
      "%lld, %lld: the first part of peel", i, j);
}

static void one_expand(void)
{
  pst_xmp_loop_t l;
  variables = 0;
  for (int k = 0; k < world.dims; k++) {
    on_dim[k] = (struct dim){.u = {.span = PST_XMP_OWN}};
    if (variables < 2) {
      on_dim[k].u = (struct pst_xmp_subscript){.span = PST_XMP_LOOP, .variable = variables, .first = 1};
      dim_of[variables++] = k;
    }
    width[k] = (struct pst_xmp_width){model_range(-3, 3), model_range(-3, 3), model_below(2)};
    if (world.kind[k] == PST_XMP_CYCLIC) width[k] = (struct pst_xmp_width){0, 0, 0};
    subscripts[k] = on_dim[k].u;
  }
  const struct pst_xmp_on on = {world.template_, world.dims, subscripts};
  pst_xmp_loop_enter(&l, AT, &on, variables);
  for (int n = 0; n < 100; n++) {
    index_t i[2] = {0, 0};
    for (int v = 0; v < variables; v++)
      i[v] = world.lower[dim_of[v]] - 6 + model_below((int)world.length[dim_of[v]] + 10);
    expand_check(&l, i[0], i[1]);
  }
  pst_xmp_loop_leave(&l);
}

int main(int argc, char **argv)
{
  test_start("loops", &argc, &argv);
  rng_init(&model_dice, test_key(7, 8, 9));
  for (int i = 0; i < 300 * test.scale; i++) {
    model_world_make(&world, 1);
    for (int n = 0; n < 4; n++) one_loop(n == 0);
    one_expand();
    model_world_free(&world);
  }
  return test_finish();
}
