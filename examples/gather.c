/* A sparse matrix times a vector that is spread over all nodes: the elements that a node's rows need, wherever they are, come by
 * one call. */
#define GASNET_SEQ 1
#include <gasnetx.h>

enum { LOCAL = 500, NONZEROS = 6 }; /* elements of the vector, and rows, on each node; what is not 0 in a row */

static gasnet_node_t me, nodes;
static gasnet_seginfo_t *seg; /* each begins with the node's part of the vector */

static void fail(const char *what)
{
  fprintf(stderr, "gather: node %d: %s\n", (int)me, what);
  gasnet_exit(1);
}

static void attach(void)
{
  uintptr_t size = LOCAL * sizeof(double);
  size = (size + GASNET_PAGESIZE - 1) / GASNET_PAGESIZE * GASNET_PAGESIZE;
  if (gasnet_attach(NULL, 0, size, 0) != GASNET_OK) fail("cannot attach");
  seg = malloc(nodes * sizeof *seg);
  if (!seg) fail("no memory");
  gasnet_getSegmentInfo(seg, (int)nodes);
}

/* Element j of the whole vector; it has no fraction, so that sums are exact. */
static double element(size_t j) { return (double)(j * j % 1009); }

/* The column of entry k in a row. */
static size_t column(size_t row, size_t k) { return (row * 7919 + k * k * 104729 + k) % ((size_t)LOCAL * nodes); }

static size_t first_row(void) { return (size_t)me * LOCAL; }

/* What each entry of my rows is multiplied with, in the order of the entries: a list of nodes and one of addresses there. */
static double *gather(void)
{
  enum { ENTRIES = LOCAL * NONZEROS };
  gasnet_node_t *node = malloc(ENTRIES * sizeof *node);
  void **from = malloc(ENTRIES * sizeof *from), *to;
  double *x = malloc(ENTRIES * sizeof *x);
  if (!node || !from || !x) fail("no memory");
  for (size_t e = 0; e < ENTRIES; e++) {
    size_t j = column(first_row() + e / NONZEROS, e % NONZEROS);
    node[e] = (gasnet_node_t)(j / LOCAL);
    from[e] = (double *)seg[node[e]].addr + j % LOCAL;
  }
  to = x;
  gasnetx_geti_multi_bulk(1, &to, ENTRIES * sizeof *x, ENTRIES, node, from, sizeof *x);
  free(node);
  free(from);
  return x;
}

/* The entries of row i are 1, 2, ... */
static double product(const double *x, size_t i)
{
  double y = 0;
  for (size_t k = 0; k < NONZEROS; k++) y += (double)(k + 1) * x[i * NONZEROS + k];
  return y;
}

static double expected(size_t i)
{
  double y = 0;
  for (size_t k = 0; k < NONZEROS; k++) y += (double)(k + 1) * element(column(first_row() + i, k));
  return y;
}

int main(int argc, char **argv)
{
  if (gasnet_init(&argc, &argv) != GASNET_OK) return 1;
  me = gasnet_mynode(), nodes = gasnet_nodes();
  attach();
  for (size_t i = 0; i < LOCAL; i++) ((double *)seg[me].addr)[i] = element(first_row() + i);
  gasnet_barrier(0, GASNET_BARRIERFLAG_ANONYMOUS); /* all parts of the vector are there */

  double *x = gather();
  for (size_t i = 0; i < LOCAL; i++)
    if (product(x, i) != expected(i)) fail("a row is wrong");
  free(x);
  gasnet_barrier(0, GASNET_BARRIERFLAG_ANONYMOUS); /* no node has failed, and none needs my part any more */
  if (me == 0) printf("%d rows on %d nodes: right\n", LOCAL * (int)nodes, (int)nodes);
  gasnet_exit(0);
}
