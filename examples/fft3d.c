/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The Fourier transform of a cube of complex numbers, its planes spread over the nodes. Lines along x and y
 * lie within a plane. For those along z the cube is turned: each node puts to each other node, by one call,
 * the elements for it, which change their order on the way. Then all runs backwards, which must give the
 * first cube again. */
#define GASNET_SEQ 1
#include <complex.h>
#include <math.h>

#include "job.h"

typedef double complex number_t;
enum { X, Y, Z, DIMS };

static long n = 32;
static number_t *root;            /* [n] exp(-2 pi i k / n) */
static number_t *line;            /* [n] where lines are transformed */
static ptrdiff_t stride[2][DIMS]; /* in bytes, of the cube and of the turned one */
static double turning;            /* seconds */

/* ---- what lies where: a node has planes of one z; turned, of one y, where z runs fastest ---- */

static size_t first(gasnet_node_t node) { return (size_t)n * node / nodes; }
static size_t share(gasnet_node_t node) { return first(node + 1) - first(node); }
/* The most elements that a node has. */
static size_t most(void) { return ((size_t)n + nodes - 1) / nodes * (size_t)n * (size_t)n; }

static number_t *at(gasnet_node_t node, int turned, size_t x, size_t y, size_t z)
{
  const size_t m = (size_t)n;
  number_t *cube = (number_t *)segment[node].addr + (turned ? most() : 0);
  return turned ? cube + ((y - first(node)) * m + x) * m + z : cube + ((z - first(node)) * m + y) * m + x;
}

static void set_strides(void)
{
  const ptrdiff_t near = sizeof(number_t), middle = near * n, far = middle * n;
  stride[0][X] = near, stride[0][Y] = middle, stride[0][Z] = far;
  stride[1][X] = middle, stride[1][Y] = far, stride[1][Z] = near;
}

/* ---- turning ---- */

/* The part of my planes that belongs to the lines of the other node; it may be empty. */
static void send_block(gasnet_node_t to, int turned)
{
  const gasnet_node_t has_y = turned ? me : to, has_z = turned ? to : me;
  const size_t count[DIMS] = {(size_t)n, share(has_y), share(has_z)}, y = first(has_y), z = first(has_z);
  gasnetx_puts_any_nbi_bulk(to, at(to, !turned, 0, y, z), stride[!turned], at(me, turned, 0, y, z),
      stride[turned], sizeof(number_t), count, DIMS);
}

static void turn(int turned)
{
  double start = now();
  for (gasnet_node_t i = 0; i < nodes; i++)
    send_block((me + i) % nodes, turned); /* not all to node 0 first */
  gasnet_wait_syncnbi_puts();             /* my blocks have arrived */
  barrier();                              /* so have everybody's */
  turning += now() - start;
}

/* ---- transforms ---- */

/* First each number moves to the index with reversed bits, then pairs, fours, ... are combined. */
static void transform(number_t *a, int back)
{
  const size_t m = (size_t)n;
  for (size_t i = 1, j = 0; i < m; i++) {
    size_t bit = m / 2;
    for (; j & bit; bit /= 2) j ^= bit;
    j ^= bit;
    if (i >= j) continue;
    number_t t = a[i];
    a[i] = a[j], a[j] = t;
  }
  for (size_t half = 1; half < m; half *= 2)
    for (size_t i = 0; i < m; i += 2 * half)
      for (size_t k = 0; k < half; k++) {
        number_t w = root[k * (m / 2 / half)], u = a[i + k], v = a[i + k + half] * (back ? conj(w) : w);
        a[i + k] = u + v, a[i + k + half] = u - v;
      }
}

static void transform_line(number_t *a, size_t step, int back)
{
  for (size_t i = 0; i < (size_t)n; i++) line[i] = a[i * step];
  transform(line, back);
  for (size_t i = 0; i < (size_t)n; i++) a[i * step] = line[i];
}

/* In all planes that I have. */
static void along_x_and_y(int back)
{
  for (size_t z = first(me); z < first(me + 1); z++) {
    for (size_t y = 0; y < (size_t)n; y++) transform_line(at(me, 0, 0, y, z), 1, back);
    for (size_t x = 0; x < (size_t)n; x++) transform_line(at(me, 0, x, 0, z), (size_t)n, back);
  }
}
static void along_z(int back)
{
  for (size_t y = first(me); y < first(me + 1); y++)
    for (size_t x = 0; x < (size_t)n; x++) transform_line(at(me, 1, x, y, 0), 1, back);
}

/* ---- check ---- */

static number_t value(size_t x, size_t y, size_t z)
{
  uint64_t r = mix((z * (size_t)n + y) * (size_t)n + x + 1);
  return (double)(r & 0xffff) / 65536 - 0.5 + ((double)(r >> 48) / 65536 - 0.5) * I;
}

static number_t by_definition(size_t kx, size_t ky, size_t kz)
{
  const size_t m = (size_t)n;
  number_t sum = 0;
  for (size_t z = 0; z < m; z++)
    for (size_t y = 0; y < m; y++) {
      const size_t k = ky * y + kz * z;
      for (size_t x = 0; x < m; x++) sum += value(x, y, z) * root[(kx * x + k) % m];
    }
  return sum;
}

/* The result's numbers are of the order of sqrt(n^3). All of a small cube are compared, else some. */
static double difference_by_definition(void)
{
  const size_t m = (size_t)n, mine = share(me) * m * m, step = m <= 8 ? 1 : mine / 5 + 1;
  double worst = 0;
  for (size_t i = 0; i < mine; i += step) {
    const size_t z = i % m, x = i / m % m, y = first(me) + i / m / m;
    worst = fmax(worst, cabs(*at(me, 1, x, y, z) - by_definition(x, y, z)) / sqrt((double)(m * m * m)));
  }
  return worst;
}

static double difference_after_return(void)
{
  double worst = 0, all = (double)n * (double)n * (double)n;
  for (size_t z = first(me); z < first(me + 1); z++)
    for (size_t y = 0; y < (size_t)n; y++)
      for (size_t x = 0; x < (size_t)n; x++)
        worst = fmax(worst, cabs(*at(me, 0, x, y, z) / all - value(x, y, z)));
  return worst;
}

/* ---- the program ---- */

static void prepare(void)
{
  root = room((size_t)n, sizeof *root);
  line = room((size_t)n, sizeof *line);
  for (long k = 0; k < n; k++) root[k] = cexp(-2 * acos(-1.0) * I * (double)k / (double)n);
  set_strides();
  for (size_t z = first(me); z < first(me + 1); z++)
    for (size_t y = 0; y < (size_t)n; y++)
      for (size_t x = 0; x < (size_t)n; x++) *at(me, 0, x, y, z) = value(x, y, z);
  barrier();
}

static double there_and_back(void)
{
  double start = now(), seconds;
  along_x_and_y(0);
  turn(0);
  along_z(0);
  barrier();
  seconds = now() - start;
  if (!(difference_by_definition() < 1e-10)) fail("the transform is not what its definition says");
  along_z(1);
  turn(1); /* into planes that nobody needs any more: all were sent before the first barrier */
  along_x_and_y(1);
  if (!(difference_after_return() < 1e-12)) fail("the inverse does not give what was there");
  return seconds;
}

int main(int argc, char **argv)
{
  static const struct option options[] = {
      {"size", &n, 2, 512, "numbers in each direction, a power of 2"}, {NULL, NULL, 0, 0, NULL}};
  join(argc, argv, "Transforms a cube of numbers, checks the result by definition, and turns back.", options);
  if (n & (n - 1)) {
    if (me == 0) fprintf(stderr, "%s: --size %ld is no power of 2\n", program, n);
    leave(2);
  }
  attach(NULL, 0, 2 * most() * sizeof(number_t));
  prepare();
  double seconds = there_and_back();
  barrier(); /* no node has failed */
  const double all = (double)n * (double)n * (double)n;
  if (me == 0) printf("%ld x %ld x %ld numbers on %d nodes, there and back: right\n", n, n, n, (int)nodes);
  if (me == 0)
    printf("%.3f ms there, %.3f GFLOP/s; turning took %.3f ms each time\n", seconds * 1e3,
        15 * all * log2((double)n) / seconds / 1e9, turning / 2 * 1e3);
  gasnet_exit(0);
}
