/* A square matrix in rows, of which each node has as many; its transpose is distributed alike. Each node puts one block to
 * each other, and the blocks are turned on the way. */
#define GASNET_SEQ 1
#include <gasnetx.h>

enum { ROWS = 96 }; /* on each node */

static gasnet_node_t me, nodes;
static size_t n;               /* rows and columns */
static gasnet_seginfo_t *seg;  /* each segment: ROWS rows of the matrix, then ROWS rows of the result */

static void fail(const char *what)
{
  fprintf(stderr, "transpose: node %d: %s\n", (int)me, what);
  gasnet_exit(1);
}

/* Row i, of those on a node, of the matrix (0) or the result (1). The address is valid there, and in puts to it. */
static double *row(gasnet_node_t node, int which, size_t i)
{
  return (double *)seg[node].addr + ((size_t)which * ROWS + i) * n;
}

static void attach(void)
{
  uintptr_t size = 2 * ROWS * n * sizeof(double);
  size = (size + GASNET_PAGESIZE - 1) / GASNET_PAGESIZE * GASNET_PAGESIZE;
  if (gasnet_attach(NULL, 0, size, 0) != GASNET_OK) fail("cannot attach");
  seg = malloc(nodes * sizeof *seg);
  if (!seg) fail("no memory");
  gasnet_getSegmentInfo(seg, (int)nodes);
}

/* Each element says where it is at first. */
static double value(size_t i, size_t j) { return (double)(i * n + j); }

static void fill(void)
{
  for (size_t i = 0; i < ROWS; i++)
    for (size_t j = 0; j < n; j++) row(me, 0, i)[j] = value(me * ROWS + i, j);
}

/* My rows of the columns that become rows of node `to`. Element (i, j) of the block lies at i * srcstrides[0] + j * srcstrides[1]
 * here, and at i * dststrides[0] + j * dststrides[1] there. */
static gasnet_handle_t send_block(gasnet_node_t to)
{
  const ptrdiff_t along = sizeof(double), across = (ptrdiff_t)(n * sizeof(double));
  const ptrdiff_t dststrides[] = {along, across}, srcstrides[] = {across, along};
  const size_t count[] = {ROWS, ROWS};
  return gasnetx_puts_any_nb_bulk(to, row(to, 1, 0) + me * ROWS, dststrides, row(me, 0, 0) + to * ROWS, srcstrides,
                                  sizeof(double), count, 2);
}

static void transpose(void)
{
  gasnet_handle_t *sent = malloc(nodes * sizeof *sent);
  if (!sent) fail("no memory");
  for (gasnet_node_t i = 0; i < nodes; i++) sent[i] = send_block((me + i) % nodes); /* not all to node 0 first */
  gasnet_wait_syncnb_all(sent, nodes);
  free(sent);
}

int main(int argc, char **argv)
{
  if (gasnet_init(&argc, &argv) != GASNET_OK) return 1;
  me = gasnet_mynode(), nodes = gasnet_nodes();
  n = (size_t)ROWS * nodes;
  attach();
  fill();
  transpose();
  gasnet_barrier(0, GASNET_BARRIERFLAG_ANONYMOUS); /* the blocks of the others have arrived */

  for (size_t i = 0; i < ROWS; i++)
    for (size_t j = 0; j < n; j++)
      if (row(me, 1, i)[j] != value(j, me * ROWS + i)) fail("an element is wrong");
  gasnet_barrier(0, GASNET_BARRIERFLAG_ANONYMOUS); /* no node has failed */
  if (me == 0) printf("%zu x %zu elements on %d nodes: transposed\n", n, n, (int)nodes);
  gasnet_exit(0);
}
