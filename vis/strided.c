/* gasnet_puts/gets: section 6.2.1 of the extension proposal. */
#include "gasnet_vis.h"

#include "core/amcheck.h"
#include "core/job.h"
#include "core/segment.h"
#include "core/trace.h"
#include "extended/rma.h"
#include "vis/shape.h"

static const char *name_of(unsigned op)
{
  static const char *const names[2][3] = { { "gasnet_puts_bulk", "gasnet_puts_nb_bulk", "gasnet_puts_nbi_bulk" },
                                           { "gasnet_gets_bulk", "gasnet_gets_nb_bulk", "gasnet_gets_nbi_bulk" } };
  return names[op & PST_OP_GET ? 1 : 0][op & PST_OP_NB ? 1 : op & PST_OP_NBI ? 2 : 0];
}

static void check_strides(const char *call, const char *what, const size_t strides[], const size_t count[], size_t levels)
{
  for (size_t i = 0; i < levels; i++) {
    const size_t least = i ? count[i] * strides[i - 1] : count[0];
    if (strides[i] < least)
      pst_fatal("%s: %s[%zu] is %zu; it must be at least %zu (count[%zu] is %zu)", call, what, i, strides[i], least, i,
                count[i]);
  }
}

/* What the caller gave; dst and src as their nodes see them. */
struct request {
  unsigned op;
  gasnet_node_t node;
  char *dst, *src;
};

static void check(const struct request *r, const struct pst_shape *s, const size_t dststrides[],
                  const size_t srcstrides[], const size_t count[], size_t levels)
{
  const char *call = name_of(r->op);
  const int get = r->op & PST_OP_GET;
  pst_job_check(call, r->node);
  pst_amcheck_client(call);
  if (s->row == 0) return;
  check_strides(call, "dststrides", dststrides, count, levels);
  check_strides(call, "srcstrides", srcstrides, count, levels);
  pst_segment_check(call, get ? "srcaddr" : "dstaddr", r->node, get ? r->src : r->dst,
                    pst_shape_extent(s, get ? s->src : s->dst));
}

/* Rows as transfers of their own, for a node whose memory is not mapped here. */
struct rows { const struct request *request; pst_pending_t *pending; };

static void start_row(void *arg, char *dst, const char *src, size_t nbytes)
{
  const struct rows *r = arg;
  const unsigned op = r->request->op;
  void *const from = (void *)(uintptr_t)src;
  pst_rma_start(op, r->request->node, op & PST_OP_GET ? from : dst, op & PST_OP_GET ? dst : from, nbytes, r->pending);
}

static gasnet_handle_t start_rows(const struct request *r, const struct pst_shape *s)
{
  struct pst_thread *t = pst_thread_get();
  struct pst_op *o = pst_rma_begin(r->op, t);
  struct rows rows = { r, pst_rma_counter(r->op, o) };
  pst_shape_rows(s, r->dst, r->src, start_row, &rows);
  return pst_rma_end(r->op, t, o);
}

static gasnet_handle_t transfer(const struct request *r, const size_t dststrides[], const size_t srcstrides[],
                                const size_t count[], size_t levels)
{
  struct pst_shape s;
  void *here;
  pst_shape_strided(&s, name_of(r->op), dststrides, srcstrides, count, levels);
  if (PST_DEBUG) check(r, &s, dststrides, srcstrides, count, levels);
  PST_TRACE(r->op & PST_OP_GET ? 'G' : 'P', name_of(r->op), (int)r->node, pst_shape_bytes(&s));
  if (s.row == 0) return GASNET_INVALID_HANDLE;
  if (!pst_mapped(r->node, r->op & PST_OP_GET ? r->src : r->dst, &here)) return start_rows(r, &s);
  pst_shape_copy(&s, r->op & PST_OP_GET ? r->dst : here, r->op & PST_OP_GET ? here : r->src);
  return GASNET_INVALID_HANDLE;
}

static gasnet_handle_t put(unsigned op, gasnet_node_t node, void *dst, const size_t ds[], void *src, const size_t ss[],
                           const size_t count[], size_t levels)
{
  const struct request r = { op | PST_OP_BULK, node, dst, src };
  return transfer(&r, ds, ss, count, levels);
}

static gasnet_handle_t get(unsigned op, void *dst, const size_t ds[], gasnet_node_t node, void *src, const size_t ss[],
                           const size_t count[], size_t levels)
{
  const struct request r = { op | PST_OP_GET | PST_OP_BULK, node, dst, src };
  return transfer(&r, ds, ss, count, levels);
}

/* Blocking calls order their copies before what follows, as contiguous ones do. */
void gasnet_puts_bulk(gasnet_node_t dstnode, void *dstaddr, const size_t dststrides[], void *srcaddr,
                      const size_t srcstrides[], const size_t count[], size_t stridelevels)
{
  put(0, dstnode, dstaddr, dststrides, srcaddr, srcstrides, count, stridelevels);
  PST_RELEASE_FENCE();
}

gasnet_handle_t gasnet_puts_nb_bulk(gasnet_node_t dstnode, void *dstaddr, const size_t dststrides[], void *srcaddr,
                                    const size_t srcstrides[], const size_t count[], size_t stridelevels)
{
  return put(PST_OP_NB, dstnode, dstaddr, dststrides, srcaddr, srcstrides, count, stridelevels);
}

void gasnet_puts_nbi_bulk(gasnet_node_t dstnode, void *dstaddr, const size_t dststrides[], void *srcaddr,
                          const size_t srcstrides[], const size_t count[], size_t stridelevels)
{
  put(PST_OP_NBI, dstnode, dstaddr, dststrides, srcaddr, srcstrides, count, stridelevels);
}

void gasnet_gets_bulk(void *dstaddr, const size_t dststrides[], gasnet_node_t srcnode, void *srcaddr,
                      const size_t srcstrides[], const size_t count[], size_t stridelevels)
{
  get(0, dstaddr, dststrides, srcnode, srcaddr, srcstrides, count, stridelevels);
  PST_ACQUIRE_FENCE();
}

gasnet_handle_t gasnet_gets_nb_bulk(void *dstaddr, const size_t dststrides[], gasnet_node_t srcnode, void *srcaddr,
                                    const size_t srcstrides[], const size_t count[], size_t stridelevels)
{
  return get(PST_OP_NB, dstaddr, dststrides, srcnode, srcaddr, srcstrides, count, stridelevels);
}

void gasnet_gets_nbi_bulk(void *dstaddr, const size_t dststrides[], gasnet_node_t srcnode, void *srcaddr,
                          const size_t srcstrides[], const size_t count[], size_t stridelevels)
{
  get(PST_OP_NBI, dstaddr, dststrides, srcnode, srcaddr, srcstrides, count, stridelevels);
}
