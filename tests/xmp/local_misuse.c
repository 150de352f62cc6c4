/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Wrong coarray references, synchronisation, posts, locks, files and transformations, one a run:
 * tests/check_xmp_misuse.sh knows the messages. */
#include "common.h"

#include "../misuse.h"
#include <xmp_io.h>

typedef pst_xmp_index_t index_t;
static int box[4][6];
static xmp_lock_t lock;
static void *co, *co_grid, *co_lock, *p;
static pst_xmp_array_t *ten, *nine, *square, *text;

__attribute__((constructor(102))) static void coarrays_register(void)
{
  static const index_t two[] = {2};
  co = pst_xmp_coarray(AT, "box", box, sizeof box, sizeof(int), 0, NULL, NULL);
  co_grid = pst_xmp_coarray(AT, "box", box, sizeof box, sizeof(int), 1, two, NULL);
  co_lock = pst_xmp_coarray(AT, "lock", &lock, sizeof lock, sizeof lock, 0, NULL, NULL);
}

static pst_xmp_array_t *array(
    const char *name, int dims, index_t extent, unsigned long size, enum pst_xmp_type type)
{
  const index_t lower[] = {0, 0}, upper[] = {extent - 1, extent - 1}, extents[] = {extent, extent};
  const struct pst_xmp_format format[] = {{.kind = PST_XMP_BLOCK}, {.kind = PST_XMP_NOT_DISTRIBUTED}};
  const struct pst_xmp_align align[] = {{0, 0}, {1, 0}};
  const struct pst_xmp_shape s = {name, size, type, dims, extents, align, NULL, 0};
  void *t = pst_xmp_template(AT, "t", dims, lower, upper, 0);
  pst_xmp_distribute(AT, t, p, dims, format);
  return pst_xmp_array(AT, t, &s);
}

static void declare(void)
{
  const index_t star = 0;
  p = pst_xmp_nodes(AT, "p", 1, &star, PST_XMP_NO_PARENT, NULL);
  ten = array("ten", 1, 10, sizeof(int), PST_XMP_INT);
  nine = array("nine", 1, 9, sizeof(int), PST_XMP_INT);
  square = array("square", 2, 4, sizeof(int), PST_XMP_INT);
  text = array("text", 1, 10, 20, PST_XMP_OTHER);
}

/* ---- coarrays ---- */

static int value;
static void image_beyond(void) { pst_xmp_put("file.c:7", co, 2, &box[0][0], &value, sizeof value); }
static void image_negative(void) { pst_xmp_get("file.c:7", co, -2, &box[0][0], &value, sizeof value); }
static void coindex_beyond(void) { pst_xmp_image("file.c:7", co_grid, 2, (index_t[]){2, 0}); }
static void coindex_last(void) { pst_xmp_image("file.c:7", co_grid, 2, (index_t[]){0, 1}); }
static void coindex_count(void) { pst_xmp_image("file.c:7", co_grid, 1, (index_t[]){0}); }
static void beyond_object(void)
{
  int many[8];
  pst_xmp_get_call("file.c:7", co, 1, &box[3][0], many, sizeof many);
}
static void stack_coarray(void)
{
  int local[4];
  pst_xmp_coarray("file.c:8", "local", local, sizeof local, sizeof(int), 0, NULL, NULL);
}

static void section(struct pst_xmp_subscript left, struct pst_xmp_subscript right, enum pst_xmp_type type)
{
  static const index_t extent[] = {4, 6};
  static int from[4][6];
  const struct pst_xmp_subscript l[] = {left, left}, r[] = {right, {.span = PST_XMP_ONE}};
  const struct pst_xmp_side
      to = {.address = box, .size = 4, .type = PST_XMP_INT, .dims = 2, .extent = extent, .subscript = l},
      source = {.address = from, .size = 4, .type = type, .dims = 2, .extent = extent, .subscript = r};
  pst_xmp_copy_section("file.c:9", co, 1, &to, NULL, -1, &source);
}
static const struct pst_xmp_subscript three = {PST_XMP_COUNT, 0, 1, 3, 1}, four = {PST_XMP_COUNT, 0, 1, 4, 1},
                                      element = {PST_XMP_ONE, 0, 1, 0, 1};
static void section_beyond(void) { section(four, element, PST_XMP_INT); }
static void section_ranks(void) { section(three, three, PST_XMP_INT); }
static void section_types(void) { section(three, element, PST_XMP_FLOAT); }

/* ---- synchronisation, posts, locks ---- */

static void sync_beyond(void) { xmp_sync_image(2, NULL); }
static void sync_set(void) { xmp_sync_images(2, (int[]){0, 5}, NULL); }
static void sync_negative(void) { xmp_sync_images(-1, NULL, NULL); }
static void image_twice(void)
{
  pst_xmp_images_enter("file.c:10", p);
  pst_xmp_images_enter("file.c:10", p);
}
static void post_to_all(void)
{
  const struct pst_xmp_on on = {p, 0, NULL};
  pst_xmp_post("file.c:11", &on, 1);
}
static void lock_twice(void)
{
  pst_xmp_lock("file.c:12", co_lock, 1, &lock, NULL, NULL);
  pst_xmp_lock("file.c:12", co_lock, 1, &lock, NULL, NULL);
}
static void unlock_free(void) { pst_xmp_unlock("file.c:12", co_lock, 1, &lock, NULL); }
static void lock_other(void)
{
  if (test.me == 1) pst_xmp_lock("file.c:12", co_lock, 1, &lock, NULL, NULL);
  xmp_sync_all(NULL);
  if (test.me == 0) pst_xmp_unlock("file.c:12", co_lock, 1, &lock, NULL);
}

/* Node 1 comes to its end. */
static void stopped(void)
{
  if (test.me == 1) exit(0);
  xmp_sync_image(1, NULL);
}

/* ---- files, transformations ---- */

static xmp_range_t *range_of(int dim, int lower, int length, int step)
{
  xmp_range_t *r = xmp_allocate_range(1);
  xmp_set_range(r, dim, lower, length, step);
  return r;
}
static void range_dims(void) { xmp_allocate_range(8); }
static void range_dim(void) { range_of(2, 0, 1, 1); }
static void range_step(void) { range_of(1, 0, 1, 0); }
static void range_beyond(void)
{
  xmp_file_t *f = xmp_fopen_all("/dev/null", "r");
  xmp_fread_darray_all(f, ten, range_of(1, 2, 5, 2));
}
static void range_shape(void)
{
  xmp_file_t *f = xmp_fopen_all("/dev/null", "r");
  xmp_fread_darray_all(f, square, range_of(1, 0, 1, 1));
}
static void file_nodes(void) { xmp_fread_darray_all(xmp_fopen_all("/dev/null", "r"), p, NULL); }

static void sort_length(void) { xmp_sort_up(ten, nine); }
static void sort_type(void) { xmp_sort_up(text, text); }
static void transpose_vector(void) { xmp_transpose(square, ten, 0); }
static void matmul_itself(void) { xmp_matmul(square, square, square); }
static void gather_index(void)
{
  ((int *)(void *)ten->base)[0] = 9;
  pst_xmp_array_t *x = array("x", 1, 10, sizeof(int), PST_XMP_INT);
  xmp_gather(x, nine, ten);
}
static void pack_short(void) { xmp_pack(nine, ten, NULL); }

static const struct misuse cases[] = {CASE(image_beyond, ALWAYS), CASE(image_negative, ALWAYS),
    CASE(coindex_beyond, ALWAYS), CASE(coindex_last, ALWAYS), CASE(coindex_count, ALWAYS),
    CASE(beyond_object, ALWAYS), CASE(stack_coarray, ALWAYS), CASE(section_beyond, ALWAYS),
    CASE(section_ranks, ALWAYS), CASE(section_types, ALWAYS), CASE(sync_beyond, ALWAYS),
    CASE(sync_set, ALWAYS), CASE(sync_negative, ALWAYS), CASE(image_twice, ALWAYS), CASE(post_to_all, ALWAYS),
    CASE(lock_twice, ALWAYS), CASE(unlock_free, ALWAYS), CASE(lock_other, BOTH), CASE(stopped, BOTH),
    CASE(range_dims, ALWAYS), CASE(range_dim, ALWAYS), CASE(range_step, ALWAYS), CASE(range_beyond, BOTH),
    CASE(range_shape, BOTH), CASE(file_nodes, BOTH), CASE(sort_length, BOTH), CASE(sort_type, BOTH),
    CASE(transpose_vector, BOTH), CASE(matmul_itself, BOTH), CASE(gather_index, BOTH),
    CASE(pack_short, BOTH)};

int main(int argc, char **argv)
{
  const struct misuse *c = MISUSE_CASE(&argc, argv, cases);
  test_start("local_misuse", &argc, &argv);
  declare();
  if (c && (test.me == 0 || c->kind & BOTH)) c->run();
  xmp_barrier();
  test_fail(__FILE__, __LINE__, "nothing has been refused");
  return 3;
}
