/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Transfers of distributed arrays: from one block size to another, and every stride-th element. */
#include <stdlib.h>

#include "upc/lists.h"

/* An array, given a pointer to one of its elements: it begins with the row of blocks that has the element,
 * which is number `first`. */
struct array {
  gasnetx_distribution_t d;
  size_t first;
  void **base;
};

static void array_open(const char *call, struct array *a, upc_const_pts_t p, size_t block, size_t elemsz)
{
  const gasnet_node_t only = p.thread;
  const uint64_t row = p.address - (block ? p.phase : 0) * (uint64_t)elemsz;
  const size_t nodes = block ? (size_t)THREADS : 1;
  a->base = pst_upc_room(call, nodes, sizeof *a->base);
  for (size_t i = 0; i < nodes; i++)
    a->base[i] = pst_upc_address((upc_pts_t){row, block ? (uint32_t)i : only, 0});
  a->first = block ? (size_t)p.thread * block + p.phase : 0;
  a->d = (gasnetx_distribution_t){.block = block, .nodes = nodes, .base = a->base};
}

/* An array of indefinite block size is one block, of one node. */
static void array_make_one_block(struct array *a, const gasnet_node_t *node, size_t nelems)
{
  a->d.block = nelems;
  a->d.node = node;
}

static void array_private(struct array *a, void **base, const gasnet_node_t *node, size_t nelems)
{
  *a = (struct array){.d = {.block = nelems, .nodes = 1, .node = node, .base = base}};
}

/* There is no event, so the place that was given for it is dropped. */
static int is_nothing(size_t nelems, size_t elemsz)
{
  if (nelems && elemsz) return 0;
  pst_gasp_drop_site();
  return 1;
}

static upc_handle_t arrays_reblock(
    int nb, unsigned tag, struct array *dst, struct array *src, size_t nelems, size_t elemsz, int thread)
{
  const struct pst_upc_vis v = {
      tag, GASP_PENSTOCK_REBLOCK, nelems / dst->d.block, nelems / src->d.block, nelems * elemsz, thread};
  upc_handle_t h;
  PST_UPC_VIS_BEGIN(v);
  h = PST_UPC_CALL(nb, gasnetx_reblock, &dst->d, dst->first, &src->d, src->first, nelems, elemsz);
  PST_UPC_VIS_FINISH(v, h);
  return h;
}

/* ---- other block sizes ---- */

static upc_handle_t copy_reblock(const char *call, int nb, unsigned tag, upc_pts_t dst, size_t dstblock,
    upc_const_pts_t src, size_t srcblock, size_t nelems, size_t elemsz)
{
  struct array to, from;
  upc_handle_t h;
  if (is_nothing(nelems, elemsz)) return UPC_COMPLETE_HANDLE;
  array_open(call, &to, dst, dstblock, elemsz);
  array_open(call, &from, src, srcblock, elemsz);
  if (!dstblock) array_make_one_block(&to, &dst.thread, nelems);
  if (!srcblock) array_make_one_block(&from, &src.thread, nelems);
  h = arrays_reblock(nb, tag, &to, &from, nelems, elemsz, (int)dst.thread);
  free(to.base);
  free(from.base);
  return h;
}

/* Between an array and private memory. */
enum { PUT, GET };

static upc_handle_t private_reblock(const char *call, int nb, unsigned tag, int way, upc_const_pts_t p,
    size_t block, const void *private, size_t nelems, size_t elemsz)
{
  const gasnet_node_t me = (gasnet_node_t)MYTHREAD;
  void *base = (void *)(uintptr_t) private;
  struct array shared, here;
  upc_handle_t h;
  if (is_nothing(nelems, elemsz)) return UPC_COMPLETE_HANDLE;
  array_open(call, &shared, p, block, elemsz);
  if (!block) array_make_one_block(&shared, &p.thread, nelems);
  array_private(&here, &base, &me, nelems);
  if (way == PUT) h = arrays_reblock(nb, tag, &shared, &here, nelems, elemsz, (int)p.thread);
  else h = arrays_reblock(nb, tag, &here, &shared, nelems, elemsz, (int)p.thread);
  free(shared.base);
  return h;
}

/* ---- every stride-th element: an indexed list ---- */

struct picked {
  gasnet_node_t *node;
  void **addr;
};

static void picked_open(const char *call, struct picked *k, upc_const_pts_t p, size_t block, size_t stride,
    size_t nelems, size_t elemsz)
{
  if (stride == 0) pst_upc_fatal(call, "the stride is 0; it must be at least 1");
  k->node = pst_upc_room(call, nelems, sizeof *k->node);
  k->addr = pst_upc_room(call, nelems, sizeof *k->addr);
  for (size_t i = 0; i < nelems; i++) {
    pst_upc_check(call, p, elemsz);
    k->node[i] = p.thread;
    k->addr[i] = pst_upc_address(p);
    p = upc_pts_add(p, (ptrdiff_t)stride, block, elemsz);
  }
}

static void picked_free(struct picked *k)
{
  free(k->node);
  free(k->addr);
}

static upc_handle_t across(const char *call, int nb, unsigned tag, int way, upc_const_pts_t p, size_t block,
    size_t stride, const void *private, size_t nelems, size_t elemsz)
{
  const struct pst_upc_vis v = {tag, GASP_PENSTOCK_ILIST, way == PUT ? nelems : 1, way == PUT ? 1 : nelems,
      nelems * elemsz, (int)p.thread};
  void *here = (void *)(uintptr_t) private;
  struct picked k;
  upc_handle_t h;
  if (is_nothing(nelems, elemsz)) return UPC_COMPLETE_HANDLE;
  PST_UPC_VIS_BEGIN(v);
  picked_open(call, &k, p, block, stride, nelems, elemsz);
  if (way == PUT)
    h = PST_UPC_CALL(nb, gasnetx_puti_multi, nelems, k.node, k.addr, elemsz, 1, &here, v.nbytes);
  else h = PST_UPC_CALL(nb, gasnetx_geti_multi, 1, &here, v.nbytes, nelems, k.node, k.addr, elemsz);
  picked_free(&k);
  PST_UPC_VIS_FINISH(v, h);
  return h;
}

/* ---- the interface ---- */

PST_UPC_FORMS(memcpy_reblock, copy_reblock, COPY,
    (upc_pts_t dst, size_t dstblock, upc_const_pts_t src, size_t srcblock, size_t nelems, size_t elemsz), dst,
    dstblock, src, srcblock, nelems, elemsz);
PST_UPC_FORMS(memput_reblock, private_reblock, PUT,
    (upc_pts_t dst, size_t dstblock, const void *src, size_t nelems, size_t elemsz), PUT, dst, dstblock, src,
    nelems, elemsz);
PST_UPC_FORMS(memget_reblock, private_reblock, GET,
    (void *dst, upc_const_pts_t src, size_t srcblock, size_t nelems, size_t elemsz), GET, src, srcblock, dst,
    nelems, elemsz);
PST_UPC_FORMS(memput_across, across, PUT,
    (upc_pts_t dst, size_t dstblock, size_t stride, const void *src, size_t nelems, size_t elemsz), PUT, dst,
    dstblock, stride, src, nelems, elemsz);
PST_UPC_FORMS(memget_across, across, GET,
    (void *dst, upc_const_pts_t src, size_t srcblock, size_t stride, size_t nelems, size_t elemsz), GET, src,
    srcblock, stride, dst, nelems, elemsz);
