/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The list of operations with an async clause, wait_async, and xmp_test_async. */
#include "xmp/async.h"

#include <stdlib.h>
#include <string.h>

#include "front/wait.h"
#include "xmp/tool.h"

struct pst_xmp_pending *pst_xmp_async_first;

void pst_xmp_async_add(struct pst_xmp_pending *p, int id, struct pst_xmp_group *group)
{
  struct pst_xmp_pending **end = &pst_xmp_async_first;
  p->next = NULL;
  p->id = id;
  p->group = group ? pst_xmp_group_again(group) : NULL;
  while (*end) end = &(*end)->next;
  *end = p;
}

static void pending_end(struct pst_xmp_pending **at)
{
  struct pst_xmp_pending *const p = *at;
  *at = p->next;
  if (p->group) pst_xmp_group_close(p->group);
  free(p);
}

void pst_xmp_async_advance_all(void)
{
  for (struct pst_xmp_pending **at = &pst_xmp_async_first; *at;)
    if ((*at)->advance(*at)) pending_end(at);
    else at = &(*at)->next;
}

/* ---- collectives ---- */

struct handles {
  struct pst_xmp_pending head;
  size_t n;
  gasnet_handle_t handle[];
};

static int handles_advance(struct pst_xmp_pending *p)
{
  struct handles *h = (struct handles *)p;
  return gasnet_try_syncnb_all(h->handle, h->n) == GASNET_OK;
}

void pst_xmp_async_add_handles(
    const char *where, int id, struct pst_xmp_group *group, int n, const gasnet_handle_t handle[])
{
  const size_t bytes = (size_t)n * sizeof *handle;
  struct handles *h = pst_xmp_own_take(where, sizeof *h + bytes);
  h->head.advance = handles_advance;
  h->n = (size_t)n;
  memcpy(h->handle, handle, bytes);
  pst_xmp_async_add(&h->head, id, group);
}

/* ---- waiting ---- */

static int id_is_under_way(int n, const int id[])
{
  for (const struct pst_xmp_pending *p = pst_xmp_async_first; p; p = p->next)
    for (int i = 0; i < n; i++)
      if (p->id == id[i]) return 1;
  return 0;
}

/* Looks at the list, and at messages, which bring the operations forward. */
static int ids_are_complete(int n, const int id[])
{
  pst_xmp_async_advance();
  return !id_is_under_way(n, id);
}

static void wait_run(const char *where, int n, const int id[], const struct pst_xmp_on *on)
{
  pst_xmp_need_open(where);
  if (on && on->desc) {
    struct pst_xmp_group *const g = pst_xmp_on_open(where, on);
    if (!g) return;
    pst_xmp_group_close(g);
  }
  PST_FRONT_UNTIL(ids_are_complete(n, id));
}

void pst_xmp_wait_async(const char *where, int n, const int id[], const struct pst_xmp_on *on)
{
  PST_XMP_ALONE(where);
  PST_XMP_TOLD(where, pst_xmp_told_wait_async(&told, n, id, on), wait_run(where, n, id, on));
}

int xmp_test_async(int id)
{
  pst_xmp_need_open("xmp_test_async");
  gasnet_AMPoll();
  return ids_are_complete(1, &id);
}
