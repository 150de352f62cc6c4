/* The second program: a rod in pieces, one on each node. Before each step the nodes put their outermost cells into the ghost
 * cells of their neighbours, and compute the cells that need no ghosts meanwhile. */
#define GASNET_SEQ 1
#include <gasnet.h>

enum { CELLS = 1000, STEPS = 100 };

struct piece {
  double row[2][CELLS + 2]; /* each is computed from the other in turn; cells 0 and CELLS+1 are ghosts */
};

static gasnet_node_t me, nodes;
static struct piece **piece; /* of each node; the address is valid there, and in puts and gets to it */

static void fail(const char *what)
{
  fprintf(stderr, "halo: node %d: %s\n", (int)me, what);
  gasnet_exit(1); /* ends the job on all nodes */
}

static void attach(void)
{
  uintptr_t size = (sizeof(struct piece) + GASNET_PAGESIZE - 1) / GASNET_PAGESIZE * GASNET_PAGESIZE;
  if (gasnet_attach(NULL, 0, size, 0) != GASNET_OK) fail("cannot attach");
  gasnet_seginfo_t *segment = malloc(nodes * sizeof *segment);
  piece = malloc(nodes * sizeof *piece);
  if (!segment || !piece) fail("no memory");
  gasnet_getSegmentInfo(segment, (int)nodes);
  for (gasnet_node_t i = 0; i < nodes; i++) piece[i] = segment[i].addr;
  free(segment);
}

/* Cell number x of the whole rod starts with temperature x, and its ends are held at 0 and at the last number: the average
 * of two neighbours is then what a cell has already, unless a ghost is wrong. */
static void fill(void)
{
  for (int r = 0; r < 2; r++) {
    double *u = piece[me]->row[r];
    for (int i = 0; i <= CELLS + 1; i++) u[i] = -1; /* also the ghosts that the neighbours will fill */
    for (int i = 1; i <= CELLS; i++) u[i] = (double)me * CELLS + i;
    if (me == 0) u[0] = 0;
    if (me == nodes - 1) u[CELLS + 1] = (double)nodes * CELLS + 1;
  }
}

static void step(int number)
{
  int from = number % 2, to = !from;
  double *u = piece[me]->row[from], *v = piece[me]->row[to];
  gasnet_handle_t sent[2] = {GASNET_INVALID_HANDLE, GASNET_INVALID_HANDLE};

  if (me > 0) sent[0] = gasnet_put_nb_bulk(me - 1, &piece[me - 1]->row[from][CELLS + 1], &u[1], sizeof *u);
  if (me < nodes - 1) sent[1] = gasnet_put_nb_bulk(me + 1, &piece[me + 1]->row[from][0], &u[CELLS], sizeof *u);
  for (int i = 2; i < CELLS; i++) v[i] = (u[i - 1] + u[i + 1]) / 2;

  gasnet_wait_syncnb_all(sent, 2);                              /* my puts have arrived */
  if (gasnet_barrier(number, 0) != GASNET_OK) fail("barrier");  /* so have everybody's */
  v[1] = (u[0] + u[2]) / 2;
  v[CELLS] = (u[CELLS - 1] + u[CELLS + 1]) / 2;
}

int main(int argc, char **argv)
{
  if (gasnet_init(&argc, &argv) != GASNET_OK) return 1;
  me = gasnet_mynode(), nodes = gasnet_nodes();
  attach();
  fill();
  gasnet_barrier(0, GASNET_BARRIERFLAG_ANONYMOUS); /* no put may come before the fill */
  for (int number = 0; number < STEPS; number++) step(number);

  const double *u = piece[me]->row[STEPS % 2];
  for (int i = 1; i <= CELLS; i++)
    if (u[i] != (double)me * CELLS + i) fail("a cell is wrong");
  gasnet_barrier(0, GASNET_BARRIERFLAG_ANONYMOUS); /* no node has failed */
  if (me == 0) printf("%d cells on %d nodes, %d steps: right\n", CELLS * (int)nodes, (int)nodes, STEPS);
  gasnet_exit(0);
}
