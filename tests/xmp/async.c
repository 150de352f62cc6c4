/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Operations with ids: any number under way, several with one id, other constructs in between, waits in any
 * order; they end without a wait for them when a program asks again and again. */
#include "model.h"

enum { OPERATIONS = 12, IDS = 4, WIDE = 64 };

struct operation {
  enum { REDUCTION, BCAST, REFLECT, SUM, GMOVE, NOTHING } kind;
  int id, done;
  long number[WIDE]; /* of reductions and bcasts */
  struct model_array a;
  double all[MODEL_ELEMENTS]; /* of a gmove: what was on the right */
  char *local;
};

static struct model_world world;
static struct operation operations[OPERATIONS];

/* ---- beginning ---- */

static void numbers_begin(struct operation *o, int turn)
{
  const struct pst_xmp_variable v[] = {{o->number, WIDE / 2, sizeof(long), PST_XMP_LONG, "first"},
      {o->number + WIDE / 2, WIDE / 2, sizeof(long), PST_XMP_LONG, "second"}};
  for (int i = 0; i < WIDE; i++) o->number[i] = turn + i * (test.me + 1);
  if (o->kind == REDUCTION) pst_xmp_reduction(AT, PST_XMP_SUM, 2, v, NULL, &o->id);
  else pst_xmp_bcast(AT, 2, v, NULL, NULL, &o->id);
}

/* The whole array becomes local memory, of which each operation has its own. */
static void gmove_begin(struct operation *o)
{
  struct pst_xmp_subscript all[MODEL_DIMS];
  for (int k = 0; k < o->a.dims; k++) all[k] = (struct pst_xmp_subscript){.span = PST_XMP_ALL, .step = 1};
  const struct pst_xmp_side right = {.array = o->a.desc,
                                .size = o->a.size,
                                .type = o->a.type,
                                .dims = o->a.dims,
                                .subscript = all},
                            left = {.address = o->local,
                                .size = o->a.size,
                                .type = o->a.type,
                                .dims = o->a.dims,
                                .extent = o->a.extent,
                                .subscript = all};
  memcpy(o->all, o->a.all, sizeof o->all);
  pst_xmp_gmove(AT, &left, &right, PST_XMP_COLLECTIVE, &o->id);
}

static void operation_begin(struct operation *o, int turn)
{
  o->kind = model_below(NOTHING);
  o->id = model_below(IDS);
  o->done = 0;
  if (o->kind >= REFLECT) model_fill(&o->a);
  switch (o->kind) {
  case REFLECT: pst_xmp_reflect(AT, o->a.desc, NULL, 0, &o->id); break;
  case SUM: pst_xmp_reduce_shadow(AT, o->a.desc, NULL, 0, &o->id); break;
  case GMOVE: gmove_begin(o); break;
  default: numbers_begin(o, turn);
  }
}

/* ---- what must be there when an operation has ended ---- */

static void numbers_check(const struct operation *o, int turn)
{
  for (int i = 0; i < WIDE; i++) {
    const long right = o->kind == BCAST
        ? turn + i
        : (long)test.nodes * turn + (long)i * test.nodes * (test.nodes + 1) / 2;
    CHECK(
        o->number[i] == right, "number %d of kind %d is %ld, not %ld", i, (int)o->kind, o->number[i], right);
  }
}

static void gmove_check(const struct operation *o)
{
  for (pst_xmp_index_t n = 0; n < model_count(&o->a); n++) {
    const double value = model_load(o->a.type, o->local + n * (pst_xmp_index_t)o->a.size);
    CHECK(value == o->all[n], "element %lld of a gmove is %g, not %g", n, value, o->all[n]);
  }
}

static void operation_check(struct operation *o, int turn)
{
  if (o->done) return;
  o->done = 1;
  if (o->kind <= BCAST) numbers_check(o, turn);
  else if (o->kind == GMOVE) gmove_check(o);
  else if (o->kind == REFLECT) model_check(&o->a, "reflect", "the array");
}

static void id_check(int id, int turn)
{
  for (int i = 0; i < OPERATIONS; i++)
    if (operations[i].id == id) operation_check(&operations[i], turn);
}

/* ---- a turn ---- */

/* A construct that is complete at once, while others are not. */
static void between(void)
{
  long x = test.me;
  const struct pst_xmp_variable v = {&x, 1, sizeof x, PST_XMP_LONG, "x"};
  if (model_below(2)) pst_xmp_barrier_on(AT, NULL);
  if (model_below(2)) return;
  pst_xmp_reduction(AT, PST_XMP_SUM, 1, &v, NULL, NULL);
  CHECK(x == (long)test.nodes * (test.nodes - 1) / 2, "the sum between is %ld", x);
}

/* Ids in a random order, or two together; some by tests, which no other node need make. */
static void ids_wait(int turn)
{
  int id[IDS] = {0, 1, 2, 3}, unknown = 77;
  for (int i = IDS - 1; i > 0; i--) {
    const int j = model_below(i + 1), k = id[i];
    id[i] = id[j], id[j] = k;
  }
  pst_xmp_wait_async(AT, 1, &unknown, NULL);
  CHECK(xmp_test_async(unknown), "an unknown id is under way");
  if (model_below(2)) {
    while (!xmp_test_async(id[0])) continue;
    id_check(id[0], turn);
  }
  pst_xmp_wait_async(AT, 2, id, NULL);
  id_check(id[0], turn);
  id_check(id[1], turn);
  for (int i = 2; i < IDS; i++) {
    pst_xmp_wait_async(AT, 1, &id[i], NULL);
    id_check(id[i], turn);
  }
}

static void arrays_make(void)
{
  model_world_make(&world, 1);
  for (int i = 0; i < OPERATIONS; i++) {
    model_array_make(&operations[i].a, &world, PST_XMP_INT, "a");
    operations[i].local = malloc((size_t)model_count(&operations[i].a) * operations[i].a.size);
  }
}

static void arrays_free(void)
{
  for (int i = 0; i < OPERATIONS; i++) {
    pst_xmp_array_free(&operations[i].a.desc);
    free(operations[i].local);
  }
  model_world_free(&world);
}

/* An array may end while an operation on it is under way: it is complete then. */
static void array_ends_first(void)
{
  const int id = 5;
  struct operation *const o = &operations[0];
  arrays_make();
  model_fill(&o->a);
  pst_xmp_reflect(AT, o->a.desc, NULL, 0, &id);
  o->id = id;
  gmove_begin(o);
  pst_xmp_array_free(&o->a.desc);
  pst_xmp_wait_async(AT, 1, &id, NULL);
  gmove_check(o);
  arrays_free();
}

int main(int argc, char **argv)
{
  test_start("xmp/async", &argc, &argv);
  rng_init(&model_dice, test.seed);
  for (int turn = 0; turn < 100 * test.scale; turn++) {
    if (turn % 5 == 0) arrays_make();
    const int n = model_range(1, OPERATIONS);
    for (int i = 0; i < OPERATIONS; i++) operations[i].done = 1;
    for (int i = 0; i < n; i++) {
      operation_begin(&operations[i], turn);
      if (model_below(3) == 0) between();
    }
    ids_wait(turn);
    if (turn % 5 == 4) arrays_free();
    if (test_any(test.failures)) break;
  }
  array_ends_first();
  return test_finish();
}
