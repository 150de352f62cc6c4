/* A pipeline: blocks of numbers pass through all nodes, each of which adds 1 to every number. Puts tell the next node what
 * has come, and an empty put tells the one before that its place is free again: no barrier, no handler, and nobody polls. */
#define GASNET_SEQ 1
#include <gasnetx.h>

enum { LENGTH = 4096, BLOCKS = 500, SLOTS = 4 };

/* At the beginning of every segment. */
struct stage {
  uint64_t arrived, freed; /* blocks that came here; places that came free at the next node */
  double slot[SLOTS][LENGTH];
};
static struct stage **stage; /* [nodes] */
static gasnet_node_t me, nodes;

static void fail(const char *what)
{
  fprintf(stderr, "pipeline: node %d: %s\n", (int)me, what);
  gasnet_exit(1);
}

static void attach(void)
{
  size_t size = (sizeof(struct stage) + GASNET_PAGESIZE - 1) / GASNET_PAGESIZE * GASNET_PAGESIZE;
  if (gasnet_attach(NULL, 0, size, 0) != GASNET_OK) fail("gasnet_attach");
  gasnet_seginfo_t *segment = calloc(nodes, sizeof *segment);
  stage = calloc(nodes, sizeof *stage);
  if (!segment || !stage) fail("no memory");
  gasnet_getSegmentInfo(segment, (int)nodes);
  for (gasnet_node_t i = 0; i < nodes; i++) stage[i] = segment[i].addr;
  free(segment);
}

/* The next block, from the node before; the first node makes them. */
static void take(uint64_t number, double *block)
{
  if (me == 0) {
    for (int i = 0; i < LENGTH; i++) block[i] = (double)(number * LENGTH) + i;
    return;
  }
  const gasnetx_notify_t is_free = {.kind = GASNETX_NOTIFY_ADD, .word = &stage[me - 1]->freed, .value = 1};
  gasnetx_wait_until(&stage[me]->arrived, GASNETX_GT, number); /* and its data with it */
  memcpy(block, stage[me]->slot[number % SLOTS], LENGTH * sizeof *block);
  gasnetx_put_notify_nbi_bulk(me - 1, NULL, NULL, 0, &is_free);
}

/* On to the next node, when the block that had this place is gone. */
static void pass(uint64_t number, double *block)
{
  struct stage *next = stage[me + 1];
  const gasnetx_notify_t has_come = {.kind = GASNETX_NOTIFY_ADD, .word = &next->arrived, .value = 1};
  if (number >= SLOTS) gasnetx_wait_until(&stage[me]->freed, GASNETX_GT, number - SLOTS);
  gasnetx_put_notify_bulk(me + 1, next->slot[number % SLOTS], block, LENGTH * sizeof *block, &has_come);
}

static void check(uint64_t number, const double *block)
{
  for (int i = 0; i < LENGTH; i++)
    if (block[i] != (double)(number * LENGTH) + i + (double)nodes) fail("a number is wrong");
}

int main(int argc, char **argv)
{
  static double block[LENGTH];
  if (gasnet_init(&argc, &argv) != GASNET_OK) return 1;
  me = gasnet_mynode(), nodes = gasnet_nodes();
  attach();
  stage[me]->arrived = stage[me]->freed = 0;
  gasnet_set_waitmode(GASNET_WAIT_BLOCK);          /* who waits sleeps, until its word changes */
  gasnet_barrier(0, GASNET_BARRIERFLAG_ANONYMOUS); /* no put may come before the words are 0 */

  for (uint64_t number = 0; number < BLOCKS; number++) {
    take(number, block);
    for (int i = 0; i < LENGTH; i++) block[i] += 1;
    if (me < nodes - 1) pass(number, block);
    else check(number, block);
  }
  gasnet_wait_syncnbi_puts();
  gasnet_barrier(0, GASNET_BARRIERFLAG_ANONYMOUS); /* no node has failed */
  if (me == 0) printf("%d blocks through %d nodes: right\n", BLOCKS, (int)nodes);
  gasnet_exit(0);
}
