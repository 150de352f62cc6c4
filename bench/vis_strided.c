/* Strided patterns: put, get, and put into a packed buffer; small calls; adverse shapes. */
#include "vis.h"

#include <gasnet.h>
#include <gasnet_vis.h>
#include <gasnetx.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static struct vis_shape shape; /* of the contest under way */
static char *dst, *src;        /* for the library */
static char *to, *from;        /* for loops */

static void set_put(size_t there, size_t here)
{
  dst = vis.remote + there;
  to = vis.mapped + there;
  src = from = vis.local + here;
}

static void set_get(size_t there, size_t here)
{
  dst = to = vis.local + here;
  src = vis.remote + there;
  from = vis.mapped + there;
}

static void loop_elements(void) { vis_loop_elements(&shape, to, from); }
static void loop_rows(void) { vis_loop_rows(&shape, to, from); }
static void put(void) { gasnet_puts_bulk(1, dst, shape.dst, src, shape.src, shape.count, shape.levels); }
static void get(void) { gasnet_gets_bulk(dst, shape.dst, 1, src, shape.src, shape.count, shape.levels); }

/* ---- patterns ---- */

static double sum, sum_wide, least = 1e9;
static unsigned measured, measured_wide;

static void take(const char *key, double ratio)
{
  if (ratio == 0) return;
  sum += log(ratio);
  measured++;
  if (ratio < least) least = ratio;
  if (strncmp(key, "pack_", 5) && !strstr(key, "_block16") && !strstr(key, "_f64")) return;
  sum_wide += log(ratio);
  measured_wide++;
}

static void contest(const char *how, const char *name, vis_op_fn ours)
{
  char key[32];
  snprintf(key, sizeof key, "%s_%s", how, name);
  const struct vis_contest c = {key, {loop_elements, loop_rows}, ours};
  take(key, vis_contest(&c));
}

/* The destination's strides without gaps. */
static void pack_destination(void)
{
  size_t extent = shape.count[0];
  for (size_t i = 0; i < shape.levels; i++) {
    shape.dst[i] = extent;
    extent *= shape.count[i + 1];
  }
}

/* s->src: the array's strides, on both sides. Offsets: of the part that is sent and of the one that is received in the array. */
static void pattern(const char *name, const struct vis_shape *s, size_t sent, size_t received)
{
  shape = *s;
  memcpy(shape.dst, s->src, sizeof shape.dst);
  set_put(received, sent);
  contest("put", name, put);
  set_get(sent, received);
  contest("get", name, get);
  pack_destination();
  set_put(0, sent);
  contest("pack", name, put);
}

/* The boundary layer of a cube of n doubles each way, to the ghost layer on the other side of the neighbour's. */
static void face(unsigned n, char axis)
{
  char name[16];
  const size_t x = 8, y = (n + 2) * x, z = (n + 2) * y, inside = x + y + z;
  const struct vis_shape along_x = {8, {8, n, n}, {0}, {y, z}, 2}, along_y = {8, {8 * n, n}, {0}, {z}, 1},
                         along_z = {8, {8 * n, n}, {0}, {y}, 1};
  const size_t step = axis == 'x' ? x : axis == 'y' ? y : z;
  snprintf(name, sizeof name, "f%u%c", n, axis);
  pattern(name, axis == 'x' ? &along_x : axis == 'y' ? &along_y : &along_z, inside + (n - 1) * step, inside - step);
}

static void emit_means(void)
{
  if (measured && vis_selected("mean")) vis_emit("mean", 0, 0, exp(-sum / measured));
  if (measured_wide && vis_selected("mean_wide")) vis_emit("mean_wide", 0, 0, exp(-sum_wide / measured_wide));
  if (measured && vis_selected("least")) vis_emit("least", 0, 0, 1 / least);
}

void vis_measure_patterns(void)
{
  enum { K = 1024, ROW = 256 * 8, PLANE = 256 * ROW };
  static const struct vis_shape column_1k = {8, {8, 4096}, {0}, {K}, 1}, column_8k = {8, {8, 4096}, {0}, {8 * K}, 1},
    block16 = {8, {16 * 8, 16, 16}, {0}, {ROW, PLANE}, 2}, rows512 = {8, {512, 2048}, {0}, {K}, 1},
    block8 = {8, {8 * 8, 8, 8, 8}, {0}, {32 * 8, 32 * 32 * 8, 32 * 32 * 32 * 8}, 3}, elem3 = {3, {3, 4096}, {0}, {8}, 1};
  pattern("col_1K", &column_1k, 0, 0);
  pattern("col_8K", &column_8k, 0, 0);
  pattern("block16", &block16, 100 * PLANE + 100 * ROW + 800, 120 * PLANE + 20 * ROW + 640);
  for (unsigned n = 64; n <= 256; n *= 2)
    for (char axis = 'x'; axis <= 'z'; axis++) face(n, axis);
  pattern("rows512", &rows512, 0, 0);
  pattern("block8", &block8, 0, 0);
  pattern("elem3", &elem3, 0, 0);
  emit_means();
}

/* ---- past the caches ---- */

void vis_measure_big(void)
{
  static const struct { const char *key; size_t row, rows; } big[] = {
    {"big_4K", 4096, 8192}, {"big_512", 512, 65536}, {"big_64", 64, 262144}};
  for (unsigned i = 0; i < sizeof big / sizeof *big; i++) {
    const struct vis_contest c = {big[i].key, {loop_elements, loop_rows}, put};
    shape = (struct vis_shape){8, {big[i].row, big[i].rows}, {2 * big[i].row}, {2 * big[i].row}, 1};
    set_put(0, 0);
    vis_contest(&c);
  }
}

/* ---- small calls ---- */

static void loop_small(void)
{
  vis_loop_small((double *)to, shape.dst[0] / 8, (const double *)from, shape.src[0] / 8, shape.count[0] / 8, shape.count[1]);
}

static gasnetx_plan_t plan;
static void start_plan(void) { gasnet_wait_syncnb(gasnetx_plan_start(plan)); }

static void measure_plan(void)
{
  const struct vis_contest c = {"small_plan", {loop_small, loop_rows}, start_plan};
  if (!vis_selected(c.key)) return;
  plan = gasnetx_plan_create();
  gasnetx_plan_puts(plan, 1, dst, shape.dst, src, shape.src, shape.count, shape.levels);
  vis_contest_above(&c);
  gasnetx_plan_destroy(plan);
}

void vis_measure_small(void)
{
  static const struct vis_shape small = {8, {64, 8}, {256}, {192}, 1};
  const struct vis_contest by_put = {"small_put", {loop_small, loop_rows}, put}, by_get = {"small_get", {loop_small, loop_rows}, get};
  shape = small;
  set_put(0, 0);
  vis_contest_above(&by_put);
  measure_plan();
  set_get(0, 0);
  vis_contest_above(&by_get);
}

/* ---- adverse shapes ---- */

static void put_each(char *d, const char *s, size_t level)
{
  if (level == 0) {
    gasnet_put_nbi_bulk(1, d, (void *)s, shape.count[0]);
    return;
  }
  for (size_t i = 0; i < shape.count[level]; i++)
    put_each(d + i * shape.dst[level - 1], s + i * shape.src[level - 1], level - 1);
}

static void put_elements(void)
{
  put_each(dst, src, shape.levels);
  gasnet_wait_syncnbi_puts();
}

static void adverse(const char *key, const struct vis_shape *s)
{
  const struct vis_contest c = {key, {put_elements}, put};
  shape = *s;
  set_put(1, 3);
  vis_contest(&c);
}

void vis_measure_adverse(void)
{
  static const struct vis_shape bytes = {1, {1, 65536}, {3}, {3}, 1},
    pairs = {1, {5, 2, 2, 2, 2, 2, 2, 2, 2}, {7, 15, 33, 70, 150, 303, 617, 1250}, {6, 13, 29, 61, 123, 250, 600, 1300}, 8},
    thin = {8, {8, 2, 4096}, {16, 40}, {24, 56}, 2}, pages = {8, {8, 1024}, {4096}, {4096}, 1},
    odd = {1, {67, 1000}, {71}, {99}, 1}, words = {8, {8, 4}, {16}, {16}, 1};
  adverse("adverse_1B", &bytes);
  adverse("adverse_pairs", &pairs);
  adverse("adverse_thin", &thin);
  adverse("adverse_pages", &pages);
  adverse("adverse_odd", &odd);
  adverse("adverse_small", &words);
}

/* ---- by messages ---- */

static void put_rows(void)
{
  for (size_t i = 0; i < shape.count[1]; i++)
    gasnet_put_nbi_bulk(1, dst + i * shape.dst[0], src + i * shape.src[0], shape.count[0]);
  gasnet_wait_syncnbi_puts();
}

void vis_measure_packed(void)
{
  char key[32];
  for (size_t row = 8; row <= 4096; row *= 8) {
    const struct vis_contest best = {key, {loop_elements, loop_rows}, put}, each = {key, {put_rows}, put};
    shape = (struct vis_shape){8, {row, (256 << 10) / row}, {2 * row}, {2 * row}, 1};
    set_put(0, 0);
    snprintf(key, sizeof key, "am_%zu", row);
    vis_contest(&best);
    snprintf(key, sizeof key, "am_%zu_rows", row);
    vis_contest(&each);
  }
}
