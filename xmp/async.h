/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Operations with an async clause that are under way. Several may have one id: they are complete together. */
#ifndef XMP_ASYNC_H
#define XMP_ASYNC_H

#include "xmp/group.h"

/* What a construct's own record begins with. It is malloc's, and freed when the operation is complete. */
struct pst_xmp_pending {
  struct pst_xmp_pending *next;
  int id;
  struct pst_xmp_group *group; /* a reference, or NULL */
  /* Does what can be done without waiting; not 0 when the operation is complete. Called again and again, by
   * the thread of the constructs, in the order in which operations began. */
  int (*advance)(struct pst_xmp_pending *p);
};

/* The record belongs to the list from now on. group: of which a reference is kept. */
void pst_xmp_async_add(struct pst_xmp_pending *p, int id, struct pst_xmp_group *group);

/* Collectives of teams that stand for an operation. handle: n of them, which are copied. */
void pst_xmp_async_add_handles(
    const char *where, int id, struct pst_xmp_group *group, int n, const gasnet_handle_t handle[]);

/* Operations with several stages go on in every construct of this file's users. */
extern struct pst_xmp_pending *pst_xmp_async_first;
void pst_xmp_async_advance_all(void);
static inline void pst_xmp_async_advance(void)
{
  if (__builtin_expect(pst_xmp_async_first != NULL, 0)) pst_xmp_async_advance_all();
}

#endif
