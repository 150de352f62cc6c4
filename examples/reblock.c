/* An array in one large block a node becomes one in small blocks, dealt out in turn, as solvers of linear equations like it. Each
 * node moves its own share. Then node 0 collects the whole array from the small blocks. */
#define GASNET_SEQ 1
#include <gasnetx.h>

enum { LOCAL = 3000, BLOCK = 32 }; /* elements on each node at first; of a small block */

static gasnet_node_t me, nodes;
static void **large, **small; /* where the blocks of each node begin; the addresses are valid there */

static void fail(const char *what)
{
  fprintf(stderr, "reblock: node %d: %s\n", (int)me, what);
  gasnet_exit(1);
}

/* Each segment: the large block, then the small ones. Of these a node may have two more than its share. */
static void attach(void)
{
  uintptr_t size = (2 * LOCAL + 2 * BLOCK) * sizeof(double);
  size = (size + GASNET_PAGESIZE - 1) / GASNET_PAGESIZE * GASNET_PAGESIZE;
  if (gasnet_attach(NULL, 0, size, 0) != GASNET_OK) fail("cannot attach");
  gasnet_seginfo_t *seg = malloc(nodes * sizeof *seg);
  large = malloc(nodes * sizeof *large);
  small = malloc(nodes * sizeof *small);
  if (!seg || !large || !small) fail("no memory");
  gasnet_getSegmentInfo(seg, (int)nodes);
  for (gasnet_node_t i = 0; i < nodes; i++) {
    large[i] = seg[i].addr;
    small[i] = (double *)seg[i].addr + LOCAL;
  }
  free(seg);
}

/* Element e of the whole array is e. Those of my small blocks are found by the rule of the distribution. */
static void check_small(void)
{
  const double *mine = small[me];
  for (size_t e = 0; e < (size_t)LOCAL * nodes; e++) {
    size_t block = e / BLOCK;
    if (block % nodes == me && mine[block / nodes * BLOCK + e % BLOCK] != (double)e) fail("a small block is wrong");
  }
}

/* One node alone is a distribution, too: a single block, which may lie anywhere in its own memory. */
static void collect(const gasnetx_distribution_t *in_small)
{
  const size_t n = (size_t)LOCAL * nodes;
  double *whole = malloc(n * sizeof *whole);
  void *base = whole;
  if (!whole) fail("no memory");
  const gasnetx_distribution_t here = {n, 1, &me, &base};
  gasnetx_reblock_bulk(&here, 0, in_small, 0, n, sizeof *whole);
  for (size_t e = 0; e < n; e++)
    if (whole[e] != (double)e) fail("the collected array is wrong");
  free(whole);
}

int main(int argc, char **argv)
{
  if (gasnet_init(&argc, &argv) != GASNET_OK) return 1;
  me = gasnet_mynode(), nodes = gasnet_nodes();
  attach();
  for (size_t i = 0; i < LOCAL; i++) ((double *)large[me])[i] = (double)(me * (size_t)LOCAL + i);

  const gasnetx_distribution_t in_large = {LOCAL, nodes, NULL, large}, in_small = {BLOCK, nodes, NULL, small};
  const size_t first = me * (size_t)LOCAL;
  gasnet_handle_t moved = gasnetx_reblock_nb_bulk(&in_small, first, &in_large, first, LOCAL, sizeof(double));
  gasnet_wait_syncnb(moved);                       /* my share has arrived */
  gasnet_barrier(0, GASNET_BARRIERFLAG_ANONYMOUS); /* so has everybody's */

  check_small();
  if (me == 0) collect(&in_small);
  gasnet_barrier(0, GASNET_BARRIERFLAG_ANONYMOUS); /* no node has failed, and node 0 has what it needs of mine */
  if (me == 0) printf("%d elements on %d nodes, in blocks of %d: right\n", LOCAL * (int)nodes, (int)nodes, BLOCK);
  gasnet_exit(0);
}
