/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmp/images.h"

#include <stdlib.h>

#include "front/threads.h"
#include "xmp/alone.h"
#include "xmp/context.h"
#include "xmp/tool.h"

const struct pst_xmp_images pst_xmp_images_unknown;
const struct pst_xmp_images *pst_xmp_images_now = &pst_xmp_images_unknown;

/* ---- sets that have had images ---- */

/* A program has few sets, and each has its images once: inline functions may look at them at any time. The
 * one that was asked for last comes first. */
struct known {
  struct known *next;
  struct pst_xmp_set set;
  struct pst_xmp_images images;
};
static struct known *knowns;

/* A set of several digits becomes a table. */
static const unsigned *nodes_listed(const char *where, const struct pst_xmp_set *s)
{
  unsigned *const node = pst_xmp_own_take(where, (size_t)s->size * sizeof *node);
  for (int i = 0; i < s->size; i++) node[i] = (unsigned)pst_xmp_set_node(s, i);
  return node;
}

static struct known *known_new(const char *where, const struct pst_xmp_set *s)
{
  struct known *const k = pst_xmp_own_take(where, sizeof *k);
  k->set = pst_xmp_set_copy(s);
  k->images = (struct pst_xmp_images){.count = (unsigned)s->size, .first = (unsigned)s->first};
  if (s->table || s->dims > 1) k->images.node = nodes_listed(where, &k->set);
  else if (s->dims == 1) k->images.stride = s->stride[0];
  return k;
}

static const struct pst_xmp_images *images_find(const char *where, const struct pst_xmp_set *s)
{
  struct known **at = &knowns, *k;
  while (*at && !pst_xmp_set_equal(&(*at)->set, s)) at = &(*at)->next;
  k = *at;
  if (k) *at = k->next;
  else k = known_new(where, s);
  k->next = knowns;
  knowns = k;
  return &k->images;
}

const struct pst_xmp_images *pst_xmp_images_of(const char *where, const struct pst_xmp_set *s)
{
  pst_front_shared_enter();
  const struct pst_xmp_images *const images = images_find(where, s);
  pst_front_shared_leave();
  return images;
}

/* By an image directive: outside of parallel regions, and by this thread in one. */
static const struct pst_xmp_images *named;
static _Thread_local const struct pst_xmp_images *thread_named;

/* Read as inline functions do, who may hoist it: the pointer is never one that is wrong for this thread. */
const struct pst_xmp_images *pst_xmp_images_counted(void)
{
  const struct pst_xmp_images *now = __atomic_load_n(&pst_xmp_images_now, __ATOMIC_RELAXED);
  if (now->count) return now;
  now = thread_named ? thread_named : named;
  if (!now) now = pst_xmp_images_of("coarrays", &pst_xmp_executing()->set);
  if (pst_xmp_tools & PST_XMP_TOOL_REMOTE) return now; /* all accesses come here */
  if (!pst_front_parallel()) pst_xmp_images_now = now;
  return now;
}

/* Looks first, so that threads do not take the line from each other. */
void pst_xmp_images_forget_here(void)
{
  if (__atomic_load_n(&pst_xmp_images_now, __ATOMIC_RELAXED) != &pst_xmp_images_unknown)
    __atomic_store_n(&pst_xmp_images_now, &pst_xmp_images_unknown, __ATOMIC_RELAXED);
}

/* ---- the image directive ---- */

static int named_alone; /* its thread has to end that it is the only one */

void pst_xmp_images_enter(const char *where, void *nodes)
{
  const struct pst_xmp_nodes *const n = pst_xmp_nodes_of(where, nodes);
  const int in_region = pst_front_parallel(), alone = in_region ? pst_xmp_alone_begin(where) : 0;
  if (named || thread_named) pst_xmp_fatal(where, "an image directive within the statement of another");
  if (!n->known) pst_xmp_fatal(where, "%s has no node here", n->head.name);
  *(in_region ? &thread_named : &named) = pst_xmp_images_of(where, &n->set);
  named_alone = alone;
  pst_xmp_images_forget_here();
}

void pst_xmp_images_leave(void)
{
  *(pst_front_parallel() ? &thread_named : &named) = NULL;
  pst_xmp_images_forget_here();
  pst_xmp_alone_leave(&named_alone);
}

/* ---- messages ---- */

void pst_xmp_images_no_image(const char *where, int image, unsigned count)
{
  pst_xmp_fatal(where, "there is no image %d: there are %u, which count from 0", image, count);
}
