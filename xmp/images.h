/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Images: the nodes of a set by their ranks. */
#ifndef XMP_IMAGES_H
#define XMP_IMAGES_H

#include "xmp/nodes.h"

/* The images that count, as inline functions see them. Whatever changes the executing set calls
 * pst_xmp_images_forget: then they see no image, and the next call of the library finds the images out. */
extern const struct pst_xmp_images *pst_xmp_images_now;
extern const struct pst_xmp_images pst_xmp_images_unknown;
static inline void pst_xmp_images_forget(void) { pst_xmp_images_now = &pst_xmp_images_unknown; }
/* The same in a parallel region, whose threads may have different executing sets. There nobody makes images
 * seen again, so that each thread sees those of the set before the region or none: a thread that has put a
 * set on its stack sees none behind its own store, whatever the others do, and so relaxed order is enough. */
void pst_xmp_images_forget_here(void);

/* In which a statement's images count: those of an image directive, or the executing ones. */
const struct pst_xmp_images *pst_xmp_images_counted(void);
/* Those of any set. They stay. */
const struct pst_xmp_images *pst_xmp_images_of(const char *where, const struct pst_xmp_set *s);

void pst_xmp_images_no_image(const char *where, int image, unsigned count) __attribute__((noreturn, cold));
static inline gasnet_node_t pst_xmp_images_node(const char *where, const struct pst_xmp_images *s, int image)
{
  if (__builtin_expect((unsigned)image >= s->count, 0)) pst_xmp_images_no_image(where, image, s->count);
  return s->node ? s->node[image] : s->first + (unsigned)(image * s->stride);
}

#endif
