/* gasnet_puts/gets: section 6.2.1 of the extension proposal. */
#include "core/job.h"
#include "vis/transfer.h"

static void check_strides(const char *call, const char *what, const size_t strides[], const size_t count[], size_t levels)
{
  for (size_t i = 0; i < levels; i++) {
    const size_t least = i ? count[i] * strides[i - 1] : count[0];
    if (strides[i] < least)
      pst_fatal("%s: %s[%zu] is %zu; it must be at least %zu (count[%zu] is %zu)", call, what, i, strides[i], least, i,
                count[i]);
  }
}

/* Both sides of a strided call as its nodes see them. */
struct block {
  char *dst, *src;
  const size_t *dststrides, *srcstrides, *count;
  size_t levels;
};

static void check(const struct pst_transfer *t, const struct block *b, const struct pst_shape *s)
{
  struct pst_side remote;
  const int get = t->op & PST_OP_GET;
  pst_transfer_check_call(t->call, t->node);
  if (s->row == 0) return;
  check_strides(t->call, "dststrides", b->dststrides, b->count, b->levels);
  check_strides(t->call, "srcstrides", b->srcstrides, b->count, b->levels);
  pst_side_strided(&remote, get ? b->src : b->dst, s->row, s->levels, s->count, get ? s->src : s->dst);
  pst_transfer_check_side(t->call, get ? "srcaddr" : "dstaddr", t->node, &remote);
}

static inline gasnet_handle_t transfer(const char *call, unsigned op, gasnet_node_t node, const struct block *b)
{
  const struct pst_transfer t = { .op = op, .node = node, .call = call };
  struct pst_shape s;
  pst_shape_strided(&s, t.call, b->dststrides, b->srcstrides, b->count, b->levels);
  if (PST_DEBUG) check(&t, b, &s);
  if (s.row == 0) return GASNET_INVALID_HANDLE;
  return pst_transfer_shape(&t, &s, b->dst, b->src);
}

#define BLOCK { dstaddr, srcaddr, dststrides, srcstrides, count, stridelevels }

void gasnet_puts_bulk(gasnet_node_t dstnode, void *dstaddr, const size_t dststrides[], void *srcaddr,
                      const size_t srcstrides[], const size_t count[], size_t stridelevels)
{
  const struct block b = BLOCK;
  transfer(__func__, 0, dstnode, &b);
}

gasnet_handle_t gasnet_puts_nb_bulk(gasnet_node_t dstnode, void *dstaddr, const size_t dststrides[], void *srcaddr,
                                    const size_t srcstrides[], const size_t count[], size_t stridelevels)
{
  const struct block b = BLOCK;
  return transfer(__func__, PST_OP_NB, dstnode, &b);
}

void gasnet_puts_nbi_bulk(gasnet_node_t dstnode, void *dstaddr, const size_t dststrides[], void *srcaddr,
                          const size_t srcstrides[], const size_t count[], size_t stridelevels)
{
  const struct block b = BLOCK;
  transfer(__func__, PST_OP_NBI, dstnode, &b);
}

void gasnet_gets_bulk(void *dstaddr, const size_t dststrides[], gasnet_node_t srcnode, void *srcaddr,
                      const size_t srcstrides[], const size_t count[], size_t stridelevels)
{
  const struct block b = BLOCK;
  transfer(__func__, PST_OP_GET, srcnode, &b);
}

gasnet_handle_t gasnet_gets_nb_bulk(void *dstaddr, const size_t dststrides[], gasnet_node_t srcnode, void *srcaddr,
                                    const size_t srcstrides[], const size_t count[], size_t stridelevels)
{
  const struct block b = BLOCK;
  return transfer(__func__, PST_OP_GET | PST_OP_NB, srcnode, &b);
}

void gasnet_gets_nbi_bulk(void *dstaddr, const size_t dststrides[], gasnet_node_t srcnode, void *srcaddr,
                          const size_t srcstrides[], const size_t count[], size_t stridelevels)
{
  const struct block b = BLOCK;
  transfer(__func__, PST_OP_GET | PST_OP_NBI, srcnode, &b);
}
