/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Directives whose values are wrong when the program runs, one a run: tests/check_xmp_misuse.sh knows the
 * messages. */
#include "common.h"

#include <pthread.h>

#include "../misuse.h"

typedef pst_xmp_index_t index_t;

static void *p, *t, *unfixed;
static pst_xmp_array_t *array, *pointer;
static const index_t ten = 10;

static void declare(void)
{
  const index_t star = 0, lower = 0, upper = 9;
  const struct pst_xmp_format block = {.kind = PST_XMP_BLOCK};
  const struct pst_xmp_align align = {0, 0};
  const struct pst_xmp_shadow shadow = {1, 1};
  const struct pst_xmp_shape s = {"a", sizeof(int), PST_XMP_INT, 1, &ten, &align, &shadow, 0},
                             of_pointer = {"pointer", sizeof(int), PST_XMP_INT, 1, &ten, &align, &shadow, 0};
  p = pst_xmp_nodes(AT, "p", 1, &star, PST_XMP_NO_PARENT, NULL);
  t = pst_xmp_template(AT, "t", 1, &lower, &upper, 0);
  unfixed = pst_xmp_template(AT, "open", 1, NULL, NULL, 0);
  pst_xmp_distribute(AT, t, p, 1, &block);
  pst_xmp_distribute(AT, unfixed, p, 1, &block);
  array = pst_xmp_array(AT, t, &s);
  pointer = pst_xmp_array_pointer(AT, t, &of_pointer);
}

/* ---- nodes ---- */

static void shape(int dims, index_t a, index_t b)
{
  const index_t size[] = {a, b};
  pst_xmp_nodes("file.c:7", "q", dims, size, PST_XMP_NO_PARENT, NULL);
}
static void nodes_too_many(void) { shape(2, 3, 5); }
static void nodes_too_few(void) { shape(1, 1, 0); }
static void nodes_no_multiple(void) { shape(2, 0, 3); }
static void nodes_two_stars(void) { shape(2, 0, 0); }
static void nodes_negative(void) { shape(1, -4, 0); }

static void on(void *desc, int n, struct pst_xmp_subscript u)
{
  const struct pst_xmp_subscript list[] = {u, u};
  const struct pst_xmp_on on = {desc, n, list};
  pst_xmp_task_t task;
  pst_xmp_task_enter(&task, "file.c:8", &on, 0);
}
static void node_beyond(void) { on(p, 1, (struct pst_xmp_subscript){PST_XMP_ONE, 0, 2, 0, 1}); }
static void node_section_beyond(void) { on(p, 1, (struct pst_xmp_subscript){PST_XMP_COUNT, 0, 1, 2, 1}); }
static void node_subscripts(void) { on(p, 2, (struct pst_xmp_subscript){.span = PST_XMP_ALL}); }
static void step_zero(void) { on(p, 1, (struct pst_xmp_subscript){PST_XMP_COUNT, 0, 0, 2, 0}); }
static void negative_length(void) { on(p, 1, (struct pst_xmp_subscript){PST_XMP_COUNT, 0, 0, -1, 1}); }
static void index_beyond(void) { on(t, 1, (struct pst_xmp_subscript){PST_XMP_BOUNDS, 0, 3, 10, 1}); }
static void not_fixed(void) { on(unfixed, 1, (struct pst_xmp_subscript){.span = PST_XMP_ALL}); }
static void on_array(void) { on(array, 1, (struct pst_xmp_subscript){.span = PST_XMP_ALL}); }
static void not_declared(void) { pst_xmp_distribute("file.c:9", NULL, p, 0, NULL); }

/* Within a task of node 1 alone. */
static void outside_task(void)
{
  const struct pst_xmp_subscript last = {PST_XMP_ONE, 0, 1, 0, 1};
  const struct pst_xmp_on one = {p, 1, &last};
  pst_xmp_task_t task;
  if (pst_xmp_task_enter(&task, AT, &one, 0)) on(p, 1, (struct pst_xmp_subscript){.span = PST_XMP_ALL});
  pst_xmp_task_leave(&task);
}

/* ---- templates ---- */

static void distribute(int dims, struct pst_xmp_format f)
{
  const index_t lower[] = {1, 1}, upper[] = {10, 10};
  const struct pst_xmp_format formats[] = {f, f};
  void *u = pst_xmp_template("file.c:10", "u", dims, lower, upper, 1);
  pst_xmp_distribute("file.c:11", u, p, dims, formats);
}
static void block_too_small(void) { distribute(1, (struct pst_xmp_format){PST_XMP_BLOCK, 4, NULL, 0}); }
static void too_many_dims(void) { distribute(2, (struct pst_xmp_format){PST_XMP_BLOCK, 0, NULL, 0}); }
static void too_few_dims(void)
{
  distribute(1, (struct pst_xmp_format){PST_XMP_NOT_DISTRIBUTED, 0, NULL, 0});
}
static void map_sum(void)
{
  static const int map[] = {4, 5};
  distribute(1, (struct pst_xmp_format){PST_XMP_GBLOCK, 0, map, 2});
}
static void map_negative(void)
{
  static const int map[] = {11, -1};
  distribute(1, (struct pst_xmp_format){PST_XMP_GBLOCK, 0, map, 2});
}
static void map_short(void)
{
  static const int map[] = {10};
  distribute(1, (struct pst_xmp_format){PST_XMP_GBLOCK, 0, map, 1});
}
static void fixed_twice(void)
{
  const index_t lower = 0, upper = 9;
  pst_xmp_template_fix("file.c:12", t, 0, NULL, 1, &lower, &upper);
}
static void fixed_otherwise(void)
{
  const index_t lower = 0, upper = 9;
  const struct pst_xmp_format cyclic = {PST_XMP_CYCLIC, 1, NULL, 0};
  pst_xmp_template_fix("file.c:12", unfixed, 1, &cyclic, 1, &lower, &upper);
}
static void fixed_without_bounds(void) { pst_xmp_template_fix("file.c:12", unfixed, 0, NULL, 0, NULL, NULL); }

/* ---- arrays ---- */

static void declare_array(
    void *template_, index_t extent, struct pst_xmp_align align, struct pst_xmp_shadow w)
{
  const struct pst_xmp_shape s = {"b", 8, PST_XMP_DOUBLE, 1, &extent, &align, &w, 0};
  pst_xmp_array("file.c:13", template_, &s);
}
static void array_beyond(void)
{
  declare_array(t, 10, (struct pst_xmp_align){0, 1}, (struct pst_xmp_shadow){0, 0});
}
static void array_negative(void)
{
  declare_array(t, -1, (struct pst_xmp_align){0, 0}, (struct pst_xmp_shadow){0, 0});
}
static void axis_missing(void)
{
  declare_array(t, 10, (struct pst_xmp_align){1, 0}, (struct pst_xmp_shadow){0, 0});
}
static void shadow_collapsed(void)
{
  declare_array(t, 10, (struct pst_xmp_align){PST_XMP_COLLAPSED, 0}, (struct pst_xmp_shadow){1, 0});
}
static void shadow_cyclic(void)
{
  const index_t lower = 0, upper = 9;
  const struct pst_xmp_format cyclic = {PST_XMP_CYCLIC, 1, NULL, 0};
  void *u = pst_xmp_template(AT, "u", 1, &lower, &upper, 0);
  pst_xmp_distribute(AT, u, p, 1, &cyclic);
  declare_array(u, 10, (struct pst_xmp_align){0, 0}, (struct pst_xmp_shadow){1, 0});
}
static void array_too_large(void)
{
  const index_t lower = 0, upper = (index_t)1 << 50;
  const struct pst_xmp_format block = {PST_XMP_BLOCK, 0, NULL, 0};
  void *u = pst_xmp_template(AT, "u", 1, &lower, &upper, 0);
  pst_xmp_distribute(AT, u, p, 1, &block);
  declare_array(u, upper, (struct pst_xmp_align){0, 0}, (struct pst_xmp_shadow){0, 0});
}

static void parameter(const void *base, index_t extent, struct pst_xmp_shadow w)
{
  const struct pst_xmp_align align = {0, 0};
  const struct pst_xmp_shape s = {"x", sizeof(int), PST_XMP_INT, 1, &extent, &align, &w, 0};
  pst_xmp_array_parameter("file.c:14", base, t, &s);
}
static void parameter_local(void)
{
  static int local[10];
  parameter(local, 10, (struct pst_xmp_shadow){1, 1});
}
static void parameter_length(void) { parameter(array->base, 9, (struct pst_xmp_shadow){1, 1}); }
static void parameter_shadow(void) { parameter(array->base, 10, (struct pst_xmp_shadow){1, 0}); }

static void malloc_array(void) { pst_xmp_malloc("file.c:15", array, 1, &ten); }
static void malloc_dims(void)
{
  const index_t extents[] = {2, 5};
  pst_xmp_malloc("file.c:15", pointer, 2, extents);
}
static void malloc_length(void)
{
  const index_t none = 0;
  pst_xmp_malloc("file.c:15", pointer, 1, &none);
}
static void reflect_early(void) { pst_xmp_reflect("file.c:16", pointer, NULL, 0, NULL); }

/* ---- loops ---- */

static void loop_without_on(void)
{
  const struct pst_xmp_on none = {NULL, 0, NULL};
  pst_xmp_loop_t l;
  pst_xmp_loop_enter(&l, "file.c:17", &none, 1);
}

static void expand_cyclic(void)
{
  const index_t lower = 0, upper = 9;
  const struct pst_xmp_format cyclic = {PST_XMP_CYCLIC, 1, NULL, 0};
  const struct pst_xmp_subscript i = {.span = PST_XMP_LOOP};
  const struct pst_xmp_width width = {1, 1, 0};
  void *u = pst_xmp_template(AT, "u", 1, &lower, &upper, 0);
  const struct pst_xmp_on on_u = {u, 1, &i};
  pst_xmp_loop_t l;
  pst_xmp_distribute(AT, u, p, 1, &cyclic);
  pst_xmp_loop_enter(&l, AT, &on_u, 1);
  pst_xmp_loop_expand(&l, "file.c:18", PST_XMP_EXPAND, 1, &width, 0);
}

static void loop_step_zero(void) { pst_xmp_loop_step("file.c:21", 0, 1); }
static void loop_step_back(void) { pst_xmp_loop_step("file.c:21", 2, -1); }

/* ---- the array directive: t's section of the first 5 indices ---- */

static void alike(index_t length, index_t first)
{
  const struct pst_xmp_subscript i = {.span = PST_XMP_LOOP}, section = {PST_XMP_COUNT, 0, 0, 5, 1};
  const struct pst_xmp_on on_t = {t, 1, &i};
  const struct pst_xmp_indices index = {0, first, 1};
  const struct pst_xmp_bounds bounds = {0, 0, 5, 1};
  pst_xmp_loop_t l;
  pst_xmp_array_enter(&l, AT, &on_t, 1, &bounds, array);
  pst_xmp_array_alike(&l, "file.c:20", array, &(const struct pst_xmp_alike){1, &index, &section, &length});
}
static void array_length(void) { alike(4, 0); }
static void array_elsewhere(void) { alike(5, 1); }

/* ---- gmove ---- */

/* Each node has a left side of its own, and only one has what is to be stored there. */
static void gmove_out_own(void)
{
  const index_t one = 1, lower = 0, upper = 9, extent = 10;
  const struct pst_xmp_subscript own = {.span = PST_XMP_OWN, .step = 1};
  const struct pst_xmp_format block = {PST_XMP_BLOCK, 0, NULL, 0};
  const struct pst_xmp_align align = {0, 0};
  const struct pst_xmp_shape shape = {"b", 8, PST_XMP_DOUBLE, 1, &extent, &align, NULL, 0};
  void *q = pst_xmp_nodes(AT, "q", 1, &one, PST_XMP_OF_NODES, &(const struct pst_xmp_on){p, 1, &own});
  void *u = pst_xmp_template(AT, "u", 1, &lower, &upper, 0);
  pst_xmp_distribute(AT, u, q, 1, &block);
  const struct pst_xmp_side left = {pst_xmp_array(AT, u, &shape), NULL, 8, PST_XMP_DOUBLE, 1, NULL, NULL},
                            right = {pst_xmp_array(AT, t, &shape), NULL, 8, PST_XMP_DOUBLE, 1, NULL, NULL};
  pst_xmp_gmove("file.c:19", &left, &right, PST_XMP_OUT, NULL);
}

/* ---- threads: this program says in OpenMP's place that it is in a parallel region ---- */

static int level;
int omp_get_active_level(void); /* the runtime asks for it */
int omp_get_active_level(void) { return level; }

static void *image_enter(void *unused)
{
  pst_xmp_images_enter("file.c:22", p);
  return unused;
}
/* Another thread is in the statement of an image directive. */
static void threads_at_once(void)
{
  pthread_t other;
  level = 1;
  if (pthread_create(&other, NULL, image_enter, NULL) != 0) return;
  pthread_join(other, NULL);
  pst_xmp_barrier_on("file.c:23", NULL);
}
static void inner_region(void)
{
  level = 2;
  on(p, 1, (struct pst_xmp_subscript){.span = PST_XMP_ALL});
}

/* The heap's size is wrong at the start. */
static void bad_heap(void) {}
static void large_heap(void) {}

static const struct misuse cases[] = {CASE(nodes_too_many, BOTH), CASE(nodes_too_few, BOTH),
    CASE(nodes_no_multiple, BOTH), CASE(nodes_two_stars, BOTH), CASE(nodes_negative, BOTH),
    CASE(node_beyond, ALWAYS), CASE(node_section_beyond, ALWAYS), CASE(node_subscripts, ALWAYS),
    CASE(step_zero, ALWAYS), CASE(negative_length, ALWAYS), CASE(index_beyond, ALWAYS),
    CASE(not_fixed, ALWAYS), CASE(on_array, ALWAYS), CASE(not_declared, ALWAYS), CASE(outside_task, BOTH),
    CASE(block_too_small, BOTH), CASE(too_many_dims, BOTH), CASE(too_few_dims, BOTH), CASE(map_sum, BOTH),
    CASE(map_negative, BOTH), CASE(map_short, BOTH), CASE(fixed_twice, BOTH), CASE(fixed_otherwise, BOTH),
    CASE(fixed_without_bounds, BOTH), CASE(array_beyond, BOTH), CASE(array_negative, BOTH),
    CASE(axis_missing, BOTH), CASE(shadow_collapsed, BOTH), CASE(shadow_cyclic, BOTH),
    CASE(array_too_large, BOTH), CASE(parameter_local, ALWAYS), CASE(parameter_length, ALWAYS),
    CASE(parameter_shadow, ALWAYS), CASE(malloc_array, BOTH), CASE(malloc_dims, BOTH),
    CASE(malloc_length, BOTH), CASE(reflect_early, BOTH), CASE(loop_without_on, BOTH),
    CASE(expand_cyclic, BOTH), CASE(loop_step_zero, BOTH), CASE(loop_step_back, BOTH),
    CASE(array_length, BOTH), CASE(array_elsewhere, ALWAYS), CASE(gmove_out_own, BOTH),
    CASE(threads_at_once, BOTH), CASE(inner_region, BOTH), CASE(bad_heap, BOTH), CASE(large_heap, BOTH)};

int main(int argc, char **argv)
{
  const struct misuse *c = MISUSE_CASE(&argc, argv, cases);
  test_start("misuse", &argc, &argv);
  declare();
  if (c && (test.me == 0 || c->kind & BOTH)) c->run();
  xmp_barrier();
  test_fail(__FILE__, __LINE__, "nothing has been refused");
  return 3;
}
