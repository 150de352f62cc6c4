/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A sparse matrix times a vector, again and again. Rows of the matrix and elements of the vector are spread
 * over the nodes alike. Which elements a node needs is known from its rows, so it writes down their addresses
 * once, node by node; in each step one indexed get for each other node brings them, one behind the other.
 * (gather.c does it with one call for all nodes.) */
#define GASNET_SEQ 1
#include "job.h"

enum {
  ENTRIES = 8,
  LIMIT = 1009
}; /* entries in a row; results are taken modulo LIMIT, so that all sums are exact */

static long rows = 2000, steps = 10; /* rows of each node */

/* The elements that my rows need, in the order of their columns, and so of the nodes that have them. */
struct need {
  double *x;     /* what was got */
  void **from;   /* where each lies at its node */
  size_t *first; /* [nodes + 1] those of node i begin with x[first[i]] */
  size_t *place; /* [rows * ENTRIES] which x each entry of my rows is multiplied with */
};

/* Half of a row's entries are near the diagonal, the others anywhere. */
static size_t column(size_t row, size_t k)
{
  const size_t n = (size_t)rows * nodes;
  return k < ENTRIES / 2 ? (row + k) % n : mix(row * ENTRIES + k) % n;
}
static double entry(size_t k) { return (double)(k + 1); }
static double *part(gasnet_node_t node) { return segment[node].addr; }
static size_t first_row(void) { return (size_t)me * (size_t)rows; }

/* number[j]: first 1 if a row of mine needs column j, then its index among the needed. */
static struct need find_need(void)
{
  const size_t n = (size_t)rows * nodes, entries = (size_t)rows * ENTRIES;
  struct need d = {
      .place = room(entries, sizeof *d.place), .first = room((size_t)nodes + 1, sizeof *d.first)};
  size_t *number = room(n, sizeof *number), count = 0;
  for (size_t e = 0; e < entries; e++) number[column(first_row() + e / ENTRIES, e % ENTRIES)] = 1;
  for (size_t j = 0; j < n; j++) count += number[j];
  d.from = room(count, sizeof *d.from);
  d.x = room(count, sizeof *d.x);
  count = 0;
  for (size_t j = 0; j < n; j++) {
    const gasnet_node_t node = (gasnet_node_t)(j / (size_t)rows);
    if (j % (size_t)rows == 0) d.first[node] = count;
    if (!number[j]) continue;
    d.from[count] = part(node) + j % (size_t)rows;
    number[j] = count++;
  }
  d.first[nodes] = count;
  for (size_t e = 0; e < entries; e++) d.place[e] = number[column(first_row() + e / ENTRIES, e % ENTRIES)];
  free(number);
  return d;
}

/* One destination, which takes the elements as they come; an own element is got like the others. A count of 0
 * is legal. */
static void get_elements(const struct need *d)
{
  gasnet_begin_nbi_accessregion();
  for (gasnet_node_t i = 0; i < nodes; i++) {
    const gasnet_node_t node = (me + i) % nodes; /* not all from node 0 first */
    const size_t first = d->first[node], count = d->first[node + 1] - first;
    void *const to = &d->x[first];
    gasnet_geti_nbi_bulk(1, &to, count * sizeof *d->x, node, count, &d->from[first], sizeof *d->x);
  }
  gasnet_wait_syncnb(gasnet_end_nbi_accessregion());
}

static double modulo(double y) { return (double)((long)y % LIMIT); }

static void multiply(const struct need *d, double *y)
{
  for (size_t i = 0; i < (size_t)rows; i++) {
    double sum = 0;
    for (size_t k = 0; k < ENTRIES; k++) sum += entry(k) * d->x[d->place[i * ENTRIES + k]];
    y[i] = modulo(sum);
  }
}

static double run(const struct need *d)
{
  double *y = room((size_t)rows, sizeof *y), in_gets = 0;
  for (long step = 0; step < steps; step++) {
    double start = now();
    get_elements(d);
    in_gets += now() - start;
    multiply(d, y);
    barrier(); /* all have got what they need of my old part */
    memcpy(part(me), y, (size_t)rows * sizeof *y);
    barrier(); /* all parts are new */
  }
  free(y);
  return in_gets;
}

/* The same by this node alone, all rows. */
static void check(void)
{
  const size_t n = (size_t)rows * nodes;
  double *x = room(n, sizeof *x), *y = room(n, sizeof *y);
  for (size_t i = 0; i < n; i++) x[i] = (double)(i % LIMIT);
  for (long step = 0; step < steps; step++) {
    for (size_t i = 0; i < n; i++) {
      double sum = 0;
      for (size_t k = 0; k < ENTRIES; k++) sum += entry(k) * x[column(i, k)];
      y[i] = modulo(sum);
    }
    memcpy(x, y, n * sizeof *x);
  }
  if (memcmp(x + first_row(), part(me), (size_t)rows * sizeof *x) != 0)
    fail("the result is not that of one node alone");
  free(y);
  free(x);
}

int main(int argc, char **argv)
{
  static const struct option options[] = {{"rows", &rows, 1, 1000000, "rows of each node"},
      {"steps", &steps, 1, 1000000, "products, each of the matrix with the last one's result"},
      {NULL, NULL, 0, 0, NULL}};
  join(argc, argv,
      "Multiplies a sparse matrix and a vector over all nodes, and compares with one node alone.", options);
  attach(NULL, 0, (size_t)rows * sizeof(double));
  for (size_t i = 0; i < (size_t)rows; i++) part(me)[i] = (double)((first_row() + i) % LIMIT);
  struct need d = find_need();
  barrier(); /* all parts of the vector are there */

  double start = now(), in_gets = run(&d), seconds = now() - start;
  check();
  barrier(); /* no node has failed */
  const size_t others = d.first[nodes] - (d.first[me + 1] - d.first[me]);
  if (me == 0) printf("%ld rows on %d nodes, %ld products: right\n", rows * (long)nodes, (int)nodes, steps);
  if (me == 0)
    printf(
        "%.3f million entries a second; %.0f %% of the time in gets, of %zu elements of other nodes a step\n",
        (double)steps * (double)rows * ENTRIES * nodes / seconds / 1e6, 100 * in_gets / seconds, others);
  gasnet_exit(0);
}
