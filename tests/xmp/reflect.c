/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* reflect and reduce_shadow: random arrays, widths, periodic dimensions, orthogonal or not, at once or with
 * an id, repeated with nothing between. Each cell of each node's part is compared: those of the shadow that
 * were not wanted keep what they had. */
#include "model.h"

/* A local subscript of one dimension of a part. */
struct cell {
  int local;
  int index;        /* of its element, outside the bounds in the shadow at an edge */
  int below, above; /* how far it lies in the lower or the upper shadow; 0, 0: the part's own */
};
enum { NOWHERE = 1000 }; /* further than any width */
struct cells {
  int n;
  struct cell cell[MODEL_LENGTH + 16];
};

struct wish {
  struct pst_xmp_width width[MODEL_DIMS];
  int whole; /* no widths */
  int orthogonal, async;
};

/* ---- cells of the part of a coordinate ---- */

static int has_shadow(const struct model_array *a, int k)
{
  return a->shadow[k].lower != 0 || a->shadow[k].upper != 0;
}
static int is_full(const struct model_array *a, int k)
{
  return a->shadow[k].lower == PST_XMP_FULL_SHADOW && a->node_dim[k] >= 0;
}

static void cells_add(struct cells *c, int local, int index, int below, int above)
{
  c->cell[c->n++] = (struct cell){local, index, below, above};
}

static void cells_of(const struct model_array *a, int k, int coordinate, struct cells *c)
{
  int first = -1, last = -1;
  c->n = 0;
  for (int i = 0; i < a->extent[k]; i++) {
    if (a->node_dim[k] >= 0 && a->owner[k][i] != coordinate) continue;
    if (first < 0) first = i;
    last = i;
    cells_add(c, a->local[k][i], i, 0, 0);
  }
  if (first < 0 && is_full(a, k)) /* no own part, but room for all */
    for (int i = 0; i < a->extent[k]; i++) cells_add(c, i, i, NOWHERE, 0);
  if (first < 0 || !has_shadow(a, k)) return;
  if (is_full(a, k)) {
    for (int i = 0; i < first; i++) cells_add(c, i, i, first - i, 0);
    for (int i = last + 1; i < a->extent[k]; i++) cells_add(c, i, i, 0, i - last);
    return;
  }
  for (int d = 1; d <= a->shadow[k].lower; d++) cells_add(c, a->local[k][first] - d, first - d, d, 0);
  for (int d = 1; d <= a->shadow[k].upper; d++) cells_add(c, a->local[k][last] + d, last + d, 0, d);
}

static int wrap(int i, int n) { return ((i % n) + n) % n; }

/* Whether a cell of the shadow is wanted, and the element that it shows. */
static int cell_is_wanted(
    const struct model_array *a, const struct wish *w, const struct cell *const c[], int index[])
{
  int shadows = 0, distributed = 0;
  for (int k = 0; k < a->dims; k++) {
    const struct pst_xmp_width v = w->width[k];
    const int periodic = !w->whole && v.flag, all = w->whole;
    distributed += a->node_dim[k] >= 0;
    index[k] = c[k]->index;
    if (!c[k]->below && !c[k]->above) continue;
    shadows++;
    if (!all && (c[k]->below > v.lower || c[k]->above > v.upper)) return 0;
    if ((index[k] < 0 || index[k] >= a->extent[k]) && !periodic) return 0;
    index[k] = wrap(index[k], (int)a->extent[k]);
  }
  return shadows == 1 || (shadows > 1 && !(w->orthogonal && distributed > 1));
}

/* ---- all cells of a part ---- */

typedef void cell_fn(
    struct model_array *a, const struct wish *w, const struct cell *const c[], int own, int turn);

static int has_dim(const struct model_array *a, int node_dim)
{
  for (int k = 0; k < a->dims; k++)
    if (a->node_dim[k] == node_dim) return 1;
  return 0;
}

static void part_walk(
    struct model_array *a, const struct wish *w, const int coordinate[], cell_fn *fn, int turn)
{
  static struct cells cells[MODEL_DIMS];
  const struct cell *c[MODEL_DIMS] = {0};
  int n = 1;
  for (int k = 0; k < a->dims; k++) {
    cells_of(a, k, a->node_dim[k] < 0 ? 0 : coordinate[a->node_dim[k]], &cells[k]);
    n *= cells[k].n;
  }
  for (int i = 0; i < n; i++) {
    int own = 1;
    for (int k = a->dims - 1, rest = i; k >= 0; k--) {
      c[k] = &cells[k].cell[rest % cells[k].n];
      rest /= cells[k].n;
      own &= !c[k]->below && !c[k]->above;
    }
    fn(a, w, c, own, turn);
  }
}

static char *cell_at(const struct model_array *a, const struct cell *const c[])
{
  int local[MODEL_DIMS];
  for (int k = 0; k < a->dims; k++) local[k] = c[k]->local;
  return model_at_local(a, local);
}

/* What a part has in a cell before the construct: it depends on the element, the cell and the turn. */
static double cell_value(const struct model_array *a, const struct cell *const c[], int own, int turn)
{
  uint64_t h = test_key((uint64_t)turn, (uint64_t)own, 7);
  for (int k = 0; k < a->dims; k++)
    h = test_mix(h + (uint64_t)(c[k]->index + 50) * 1000 + (uint64_t)(c[k]->below * 20 + c[k]->above));
  return (double)(h % 100);
}

static double element_value(const struct model_array *a, const int index[], int turn)
{
  struct cell cell[MODEL_DIMS] = {{0}};
  const struct cell *c[MODEL_DIMS];
  for (int k = 0; k < a->dims; k++) cell[k].index = index[k], c[k] = &cell[k];
  return cell_value(a, c, 1, turn);
}

static void cell_fill(
    struct model_array *a, const struct wish *w, const struct cell *const c[], int own, int turn)
{
  (void)w;
  model_store(a->type, cell_at(a, c), cell_value(a, c, own, turn));
}

/* ---- reflect ---- */

static void reflect_check(
    struct model_array *a, const struct wish *w, const struct cell *const c[], int own, int turn)
{
  int index[MODEL_DIMS] = {0};
  const int wanted = !own && cell_is_wanted(a, w, c, index);
  const double value = model_load(a->type, cell_at(a, c)),
               right = wanted ? element_value(a, index, turn) : cell_value(a, c, own, turn);
  CHECK(value == right, "reflect %d: cell [%d][%d][%d] of %d dimensions is %g, not %g%s", turn, c[0]->index,
      a->dims > 1 ? c[1]->index : 0, a->dims > 2 ? c[2]->index : 0, a->dims, value, right,
      wanted ? "" : ", as before");
}

/* ---- reduce_shadow: the sums of all parts that have the same replica ---- */

static double sums[MODEL_ELEMENTS];

static void sum_add(
    struct model_array *a, const struct wish *w, const struct cell *const c[], int own, int turn)
{
  int index[MODEL_DIMS] = {0};
  for (int k = 0; k < a->dims; k++) index[k] = c[k]->index;
  if (!own && !cell_is_wanted(a, w, c, index)) return;
  sums[model_number(a, index)] += cell_value(a, c, own, turn);
}

static void sums_make(struct model_array *a, const struct wish *w, int coordinate[], int dim, int turn)
{
  const struct model_world *world = a->world;
  if (dim == world->node_dims) {
    part_walk(a, w, coordinate, sum_add, turn);
    return;
  }
  if (!has_dim(a, dim)) {
    coordinate[dim] = world->coordinate[dim];
    sums_make(a, w, coordinate, dim + 1, turn);
    return;
  }
  for (int i = 0; i < world->size[dim]; i++) {
    coordinate[dim] = i;
    sums_make(a, w, coordinate, dim + 1, turn);
  }
}

static void sum_check(
    struct model_array *a, const struct wish *w, const struct cell *const c[], int own, int turn)
{
  int index[MODEL_DIMS] = {0};
  const double value = model_load(a->type, cell_at(a, c));
  (void)w;
  for (int k = 0; k < a->dims; k++) index[k] = c[k]->index;
  const double right = own ? sums[model_number(a, index)] : cell_value(a, c, own, turn);
  CHECK(value == right, "reduce_shadow %d: cell [%d][%d][%d] of %d dimensions is %g, not %g%s", turn,
      index[0], index[1], index[2], a->dims, value, right, own ? "" : ", as before");
}

/* ---- a case ---- */

static void wish_make(const struct model_array *a, struct wish *w)
{
  memset(w, 0, sizeof *w);
  w->whole = model_below(3) == 0;
  w->orthogonal = model_below(4) == 0;
  w->async = model_below(3) == 0;
  for (int k = 0; k < a->dims; k++) {
    const int full = is_full(a, k);
    const int lower = full ? (int)a->extent[k]
        : has_shadow(a, k) ? (int)a->shadow[k].lower
                           : 0,
              upper = full ? (int)a->extent[k]
        : has_shadow(a, k) ? (int)a->shadow[k].upper
                           : 0;
    w->width[k] = (struct pst_xmp_width){
        model_range(0, lower), model_range(0, upper), !full && model_below(2)};
  }
}

/* Nodes that have more to do than others come late. */
static void dawdle(void)
{
  static volatile int nothing UNUSED;
  static uint64_t state;
  state = test_mix(state + (uint64_t)test.me);
  for (int i = (int)(state % 4) * 3000; i > 0; i--) nothing = i;
}

static void case_run(struct model_array *a, const struct wish *w, int turn)
{
  typedef void construct(const char *, pst_xmp_array_t *, const struct pst_xmp_width[], int, const int *);
  const int sum = model_below(3) == 0, id = 3, flags = w->orthogonal ? PST_XMP_ORTHOGONAL : 0;
  construct *const call = sum ? pst_xmp_reduce_shadow : pst_xmp_reflect;
  int coordinate[MODEL_DIMS];
  if (sum) memset(sums, 0, sizeof sums), sums_make(a, w, coordinate, 0, turn);
  part_walk(a, w, a->world->coordinate, cell_fill, turn);
  dawdle();
  call(AT, a->desc, w->whole ? NULL : w->width, flags, w->async ? &id : NULL);
  if (w->async) pst_xmp_wait_async(AT, 1, &id, NULL);
  part_walk(a, w, a->world->coordinate, sum ? sum_check : reflect_check, turn);
}

/* Data go from each node to the next one alone, and the last one is slow: the others run ahead as far as they
 * are let. */
static void run_ahead(int turns)
{
  const pst_xmp_index_t lower = 0, upper = test.nodes - 1, extent = test.nodes, star = 0;
  const struct pst_xmp_format format = {.kind = PST_XMP_BLOCK};
  const struct pst_xmp_align align = {0, 0};
  const struct pst_xmp_shadow shadow = {1, 0};
  const struct pst_xmp_shape s = {"chain", sizeof(int), PST_XMP_INT, 1, &extent, &align, &shadow, 0};
  void *p = pst_xmp_nodes(AT, "p", 1, &star, PST_XMP_NO_PARENT, NULL);
  void *t = pst_xmp_template(AT, "t", 1, &lower, &upper, 0);
  pst_xmp_distribute(AT, t, p, 1, &format);
  pst_xmp_array_t *a = pst_xmp_array(AT, t, &s);
  for (int turn = 1; turn <= turns; turn++) {
    int *const part = (int *)a->base;
    part[1] = turn;
    for (int i = 0; i < 20 && test.me == test.nodes - 1; i++) dawdle();
    pst_xmp_reflect(AT, a, NULL, 0, NULL);
    if (test.me) CHECK(part[0] == turn, "turn %d: the neighbour's element is %d", turn, part[0]);
  }
  pst_xmp_array_free(&a);
  pst_xmp_template_free(&t);
  pst_xmp_nodes_free(&p);
}

int main(int argc, char **argv)
{
  static const enum pst_xmp_type types[] = {
      PST_XMP_INT, PST_XMP_DOUBLE, PST_XMP_LONG, PST_XMP_FLOAT, PST_XMP_SHORT};
  static struct model_array a;
  static struct model_world world;
  test_start("xmp/reflect", &argc, &argv);
  rng_init(&model_dice, test.seed);
  run_ahead(200);
  for (int turn = 0; turn < 300 * test.scale; turn++) {
    model_world_make(&world, 1);
    model_array_make(&a, &world, types[model_below(5)], "a");
    for (int i = 0; i < 3; i++) {
      struct wish w;
      wish_make(&a, &w);
      for (int again = 0; again < 5; again++) case_run(&a, &w, 100 * turn + 10 * i + again);
    }
    pst_xmp_array_free(&a.desc);
    model_world_free(&world);
    if (test_any(test.failures)) break;
  }
  return test_finish();
}
