/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Synchronisation of images: front/meet.h, after puts. */
#include "xmp/sync.h"

#include "front/meet.h"
#include "xmp/coarray.h"
#include "xmp/context.h"
#include "xmp/tool.h"

/* The area lies at the same distance from the beginning of each node's heap. */
void pst_xmp_sync_open(void)
{
  const gasnet_seginfo_t *const segment = pst_xmp_job.segment;
  const size_t nodes = (size_t)pst_xmp_job.nodes;
  ptrdiff_t *const shift = pst_xmp_own_take("the start", nodes * sizeof *shift);
  for (size_t i = 0; i < nodes; i++)
    shift[i] = (ptrdiff_t)((uintptr_t)segment[i].addr - (uintptr_t)segment[pst_xmp_job.me].addr);
  pst_xmp_job.shift = shift;
  if (pst_front_meet_open(pst_xmp_heap_take("the start", NULL, pst_front_meet_bytes()), shift, 0) != 0)
    pst_xmp_fatal("the start", "out of memory");
}

static void node_missed(gasnet_node_t node)
{
  pst_xmp_fatal("the end",
      "node %u waits in a construct for node %u, which has come to the end of its program", (unsigned)node,
      (unsigned)pst_xmp_job.me);
}

void pst_xmp_sync_leave(void)
{
  pst_front_put_complete();
  pst_front_meet_leave(node_missed);
}

static void status_set(const char *call, int *status, int gone)
{
  if (status) *status = gone ? XMP_STAT_STOPPED_IMAGE : XMP_STAT_SUCCESS;
  else if (gone) pst_xmp_fatal(call, "an image that it waits for has come to the end of its program");
}

/* image NULL: 0, 1, 2, ... */
struct list {
  const char *call;
  const struct pst_xmp_images *set;
  const int *image;
};
static gasnet_node_t list_node(const void *list, int i)
{
  const struct list *const l = list;
  return pst_xmp_images_node(l->call, l->set, l->image ? l->image[i] : i);
}

static void images_meet(const char *call, int n, const int *images, int *status)
{
  const struct list list = {call, pst_xmp_images_counted(), images};
  pst_front_put_complete();
  status_set(call, status, pst_front_meet_nodes(n, list_node, &list));
}

static void image_run(const char *where, int image, int *status)
{
  pst_xmp_need_open(where);
  images_meet(where, 1, &image, status);
}

static void images_run(const char *where, int n, int *set, int *status)
{
  pst_xmp_need_open(where);
  if (n < 0) pst_xmp_fatal(where, "a set of %d images", n);
  if (n && !set) pst_xmp_fatal(where, "the set is NULL");
  images_meet(where, n, set, status);
}

static void images_all_run(const char *where, int *status)
{
  pst_xmp_need_open(where);
  images_meet(where, (int)pst_xmp_images_counted()->count, NULL, status);
}

static gasnet_node_t group_node(const void *group, int rank)
{
  return (gasnet_node_t)pst_xmp_set_node(&((const struct pst_xmp_group *)group)->set, rank);
}

static void all_run(const char *where, int *status)
{
  struct pst_xmp_group *g;
  pst_xmp_need_open(where);
  pst_front_put_complete();
  g = pst_xmp_executing();
  status_set(where, status,
      g == pst_xmp_group_all ? pst_front_meet_all() : pst_front_meet_set(g->size, g->rank, group_node, g));
}

static void memory_run(const char *where, int *status)
{
  pst_xmp_need_open(where);
  const int waits = pst_front_put_pending();
  pst_front_put_complete();
  PST_FRONT_FENCE(__ATOMIC_SEQ_CST);
  if (!waits) gasnet_AMPoll(); /* a program may look at its own coarray until it changes, no more */
  status_set(where, status, 0);
}

/* ---- the calls: with their place in the source, as xmpcc writes them, and without it ---- */

void pst_xmp_sync_image(const char *where, int image, int *status)
{
  PST_XMP_ALONE(where);
  PST_XMP_TOLD(where, pst_xmp_told_sync_image(&told, image), image_run(where, image, status));
}

void xmp_sync_image(int image, int *status)
{
  static const char call[] = "xmp_sync_image";
  PST_XMP_ALONE(call);
  PST_XMP_TOLD(call, pst_xmp_told_sync_image(&told, image), image_run(call, image, status));
}

void pst_xmp_sync_images(const char *where, int n, int *set, int *status)
{
  PST_XMP_ALONE(where);
  PST_XMP_TOLD(where, pst_xmp_told_sync_images(&told, n, set), images_run(where, n, set, status));
}

void xmp_sync_images(int n, int *set, int *status)
{
  static const char call[] = "xmp_sync_images";
  PST_XMP_ALONE(call);
  PST_XMP_TOLD(call, pst_xmp_told_sync_images(&told, n, set), images_run(call, n, set, status));
}

void pst_xmp_sync_images_all(const char *where, int *status)
{
  PST_XMP_ALONE(where);
  PST_XMP_TOLD(where,
      pst_xmp_told_plain(&told, xmpt_event_sync_images_all_begin, GASP_XMP_SYNC_IMAGES_ALL, NULL),
      images_all_run(where, status));
}

void xmp_sync_images_all(int *status)
{
  static const char call[] = "xmp_sync_images_all";
  PST_XMP_ALONE(call);
  PST_XMP_TOLD(call,
      pst_xmp_told_plain(&told, xmpt_event_sync_images_all_begin, GASP_XMP_SYNC_IMAGES_ALL, NULL),
      images_all_run(call, status));
}

void pst_xmp_sync_all(const char *where, int *status)
{
  PST_XMP_ALONE(where);
  PST_XMP_TOLD(where, pst_xmp_told_plain(&told, xmpt_event_sync_all_begin, GASP_XMP_SYNC_ALL, NULL),
      all_run(where, status));
}

void xmp_sync_all(int *status)
{
  static const char call[] = "xmp_sync_all";
  PST_XMP_ALONE(call);
  PST_XMP_TOLD(call, pst_xmp_told_plain(&told, xmpt_event_sync_all_begin, GASP_XMP_SYNC_ALL, NULL),
      all_run(call, status));
}

void pst_xmp_sync_memory(const char *where, int *status)
{
  PST_XMP_ALONE(where);
  PST_XMP_TOLD(where, pst_xmp_told_plain(&told, xmpt_event_sync_memory_begin, GASP_XMP_SYNC_MEMORY, NULL),
      memory_run(where, status));
}

void xmp_sync_memory(int *status)
{
  static const char call[] = "xmp_sync_memory";
  PST_XMP_ALONE(call);
  PST_XMP_TOLD(call, pst_xmp_told_plain(&told, xmpt_event_sync_memory_begin, GASP_XMP_SYNC_MEMORY, NULL),
      memory_run(call, status));
}
