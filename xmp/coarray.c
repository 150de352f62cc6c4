/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmp/coarray.h"

#include <stdlib.h>
#include <string.h>

#include "xmp/tool.h"

/* ---- where static data lie on other nodes ---- */

/* All objects of one program or library have the same distances, and one pair of tables. */
struct zone {
  struct zone *next;
  ptrdiff_t *shift, *here; /* [nodes] */
};
static struct zone *zones;

static struct zone *zone_new(const char *where, const char *name, char *object)
{
  const size_t nodes = (size_t)pst_xmp_job.nodes;
  struct zone *const z = pst_xmp_own_take(where, sizeof *z);
  z->shift = pst_xmp_own_take(where, nodes * sizeof *z->shift);
  z->here = pst_xmp_own_take(where, nodes * sizeof *z->here);
  for (int i = 0; i < pst_xmp_job.nodes; i++) {
    char *const there = pst_xmp_static_at(object, i), *const here = there ? pst_xmp_mapped(i, there) : NULL;
    if (!there)
      pst_xmp_fatal(where, "%s is no object of static storage that all nodes have in the same place", name);
    z->shift[i] = (ptrdiff_t)((uintptr_t)there - (uintptr_t)object);
    z->here[i] = here ? (ptrdiff_t)((uintptr_t)here - (uintptr_t)object) : PST_UNMAPPED;
  }
  return z;
}

static void zone_free(struct zone *z)
{
  free(z->shift);
  free(z->here);
  free(z);
}

static const struct zone *zone_of(const char *where, const char *name, char *object)
{
  const size_t bytes = (size_t)pst_xmp_job.nodes * sizeof(ptrdiff_t);
  struct zone *const z = zone_new(where, name, object);
  for (const struct zone *old = zones; old; old = old->next)
    if (memcmp(old->shift, z->shift, bytes) == 0 && memcmp(old->here, z->here, bytes) == 0) {
      zone_free(z);
      return old;
    }
  z->next = zones;
  return zones = z;
}

/* ---- registration ---- */

static int registered;

static void codims_set(
    struct pst_xmp_coarray_full *c, const char *where, int n, const pst_xmp_index_t codim[])
{
  if (n < 0 || n >= PST_XMP_DIMENSIONS)
    pst_xmp_fatal(
        where, "%s has %d codimensions; at most %d are possible", c->name, n + 1, PST_XMP_DIMENSIONS);
  c->codims = n + 1;
  for (int i = 0; i < n; i++) {
    if (codim[i] < 1) pst_xmp_fatal(where, "codimension %d of %s is %lld", i + 1, c->name, codim[i]);
    c->codim[i] = codim[i];
  }
}

static void nodes_set(struct pst_xmp_coarray_full *c, const char *where, void *nodes)
{
  const struct pst_xmp_nodes *n;
  if (!nodes) return;
  n = pst_xmp_nodes_of(where, nodes);
  if (!n->known) pst_xmp_fatal(where, "the nodes %s of %s have no member here", n->head.name, c->name);
  c->own = pst_xmp_images_of(where, &n->set);
}

void *pst_xmp_coarray(const char *where, const char *name, void *object, unsigned long size,
    unsigned long element, int codims, const pst_xmp_index_t codim[], void *nodes)
{
  PST_XMP_ALONE(where);
  struct pst_xmp_coarray_full *const c = pst_xmp_own_take_clear(where, 1, sizeof *c);
  const struct zone *z;
  pst_xmp_need_open(where);
  if (!pst_xmp_is_static(object, size))
    pst_xmp_fatal(where, "%s is no object of static storage that all nodes have in the same place", name);
  z = zone_of(where, name, object);
  c->name = name;
  c->object = object;
  c->size = size;
  c->element = element;
  c->gid = registered++;
  c->shift = z->shift;
  codims_set(c, where, codims, codim);
  nodes_set(c, where, nodes);
  c->seen.here = z->here;
  c->seen.images = c->own && !(pst_xmp_tools & PST_XMP_TOOL_REMOTE) ? &c->own : &pst_xmp_images_now;
  return c;
}

/* ---- images of a coarray ---- */

struct pst_xmp_coarray_full *pst_xmp_coarray_need(const char *where, void *coarray)
{
  if (__builtin_expect(!coarray, 0)) pst_xmp_fatal(where, "the coarray is not registered yet");
  pst_xmp_need_open(where);
  return coarray;
}

/* Out of line: a coindex that does not exist. */
static void coindex_wrong(const char *where, const struct pst_xmp_coarray_full *c, int i, pst_xmp_index_t v)
    __attribute__((noreturn, cold));
static void coindex_wrong(const char *where, const struct pst_xmp_coarray_full *c, int i, pst_xmp_index_t v)
{
  if (v < 0) pst_xmp_fatal(where, "coindex %d of %s is %lld", i + 1, c->name, v);
  pst_xmp_fatal(where, "coindex %d of %s is %lld: the codimension has %lld", i + 1, c->name, v, c->codim[i]);
}

int pst_xmp_image(const char *where, void *coarray, int n, const pst_xmp_index_t coindex[])
{
  const struct pst_xmp_coarray_full *const c = pst_xmp_coarray_need(where, coarray);
  const struct pst_xmp_images *const images = c->own ? c->own : pst_xmp_images_counted();
  pst_xmp_index_t image = 0;
  if (n != c->codims) pst_xmp_fatal(where, "%s has %d codimensions, not %d", c->name, c->codims, n);
  for (int i = n - 1; i >= 0; i--) {
    if (coindex[i] < 0 || (i < n - 1 && coindex[i] >= c->codim[i])) coindex_wrong(where, c, i, coindex[i]);
    if (i < n - 1 && image > images->count / c->codim[i]) image = images->count;
    else image = image * (i < n - 1 ? c->codim[i] : 1) + coindex[i];
  }
  if (image >= images->count)
    pst_xmp_fatal(where, "the coindices of %s name image %lld; there are %u images, which count from 0",
        c->name, image, images->count);
  return (int)image;
}

static void range_wrong(const char *where, const struct pst_xmp_coarray_full *c, const void *at,
    size_t nbytes) __attribute__((noreturn, cold));
static void range_wrong(
    const char *where, const struct pst_xmp_coarray_full *c, const void *at, size_t nbytes)
{
  pst_xmp_fatal(where, "%zu bytes from byte %td of %s are not within its %zu bytes", nbytes,
      (ptrdiff_t)((uintptr_t)at - (uintptr_t)c->object), c->name, c->size);
}

static inline gasnet_node_t image_node(const char *where, const struct pst_xmp_coarray_full *c, int image)
{
  if (image == -1) return (gasnet_node_t)pst_xmp_job.me;
  return pst_xmp_images_node(where, c->own ? c->own : pst_xmp_images_counted(), image);
}

gasnet_node_t pst_xmp_coarray_node(const char *where, const struct pst_xmp_coarray_full *c, int image)
{
  return image_node(where, c, image);
}

struct pst_xmp_place pst_xmp_coarray_place(
    const char *where, void *coarray, int image, const void *at, size_t nbytes)
{
  const struct pst_xmp_coarray_full *const c = pst_xmp_coarray_need(where, coarray);
  const uintptr_t a = (uintptr_t)at, from = a - (uintptr_t)c->object;
  struct pst_xmp_place p;
  ptrdiff_t delta;
  if (__builtin_expect(from > c->size || nbytes > c->size - from, 0)) range_wrong(where, c, at, nbytes);
  p.node = image_node(where, c, image);
  delta = c->seen.here[p.node];
  p.here = delta == PST_UNMAPPED ? NULL : (char *)(a + (uintptr_t)delta);
  p.there = (char *)(a + (uintptr_t)c->shift[p.node]);
  return p;
}

/* ---- put and get of bytes ---- */

/* The two may overlap where the image is this one. */
static void block_copy(void *dst, const void *src, size_t nbytes)
{
  enum { SMALL = 4096 };
  const uintptr_t distance = (uintptr_t)dst - (uintptr_t)src;
  if (nbytes <= SMALL || distance < nbytes || -distance < nbytes) memmove(dst, src, nbytes);
  else pst_copy(dst, src, nbytes);
}

static inline void put_run(
    const char *where, void *coarray, int image, void *at, const void *from, unsigned long size)
{
  const struct pst_xmp_place to = pst_xmp_coarray_place(where, coarray, image, at, size);
  if (size == 0) return;
  if (to.here) {
    block_copy(to.here, from, size);
    return;
  }
  pst_front_put_start(to.node, to.there, from, size);
}

void pst_xmp_put_call(
    const char *where, void *coarray, int image, void *at, const void *from, unsigned long size)
{
  PST_XMP_TOLD(where, pst_xmp_told_access(&told, GASP_XMP_PUT, coarray, image, at, size),
      put_run(where, coarray, image, at, from, size));
}

static inline void get_run(
    const char *where, void *coarray, int image, const void *at, void *to, unsigned long size)
{
  const struct pst_xmp_place from = pst_xmp_coarray_place(where, coarray, image, at, size);
  if (size == 0) return;
  if (from.here) {
    block_copy(to, from.here, size);
  } else {
    pst_front_put_order(from.node, from.there, size, 0);
    gasnet_get_bulk(to, from.node, from.there, size);
  }
  PST_FRONT_FENCE(__ATOMIC_ACQUIRE);
}

void pst_xmp_get_call(
    const char *where, void *coarray, int image, const void *at, void *to, unsigned long size)
{
  PST_XMP_TOLD(where, pst_xmp_told_access(&told, GASP_XMP_GET, coarray, image, at, size),
      get_run(where, coarray, image, at, to, size));
}

/* ---- atomic accesses of an int ---- */

static struct pst_xmp_place atomic_place(const char *where, void *coarray, int image, void *at)
{
  const struct pst_xmp_place p = pst_xmp_coarray_place(where, coarray, image, at, sizeof(int));
  if ((uintptr_t)at % sizeof(int)) pst_xmp_fatal(where, "the int is not aligned");
  return p;
}

static void define_run(const char *where, void *coarray, int image, void *at, int value)
{
  const struct pst_xmp_place p = atomic_place(where, coarray, image, at);
  pst_front_put_order(p.node, p.there, sizeof value, 0);
  gasnetx_atomic32(GASNETX_SET, p.node, (uint32_t *)(void *)p.there, (uint32_t)value, 0);
  gasnetx_wake(p.node);
}

void pst_xmp_atomic_define(const char *where, void *coarray, int image, void *at, int value)
{
  PST_XMP_TOLD(where, pst_xmp_told_access(&told, GASP_XMP_ATOMIC_DEFINE, coarray, image, at, sizeof(int)),
      define_run(where, coarray, image, at, value));
}

static void ref_run(const char *where, int *value, void *coarray, int image, void *at)
{
  const struct pst_xmp_place p = atomic_place(where, coarray, image, at);
  pst_front_put_order(p.node, p.there, sizeof *value, 0);
  gasnet_AMPoll(); /* a program may do nothing but look until the value changes */
  *value = (int)gasnetx_atomic32(GASNETX_GET, p.node, (uint32_t *)(void *)p.there, 0, 0);
}

void pst_xmp_atomic_ref(const char *where, int *value, void *coarray, int image, void *at)
{
  PST_XMP_TOLD(where, pst_xmp_told_access(&told, GASP_XMP_ATOMIC_REF, coarray, image, at, sizeof(int)),
      ref_run(where, value, coarray, image, at));
}

/* ---- coarrays of blocks ---- */

/* Their order is the linker's, the same on all nodes, which run the same program. */
void pst_xmp_coarrays_begin(
    const struct pst_xmp_coarray_record *first, const struct pst_xmp_coarray_record *last)
{
  for (const struct pst_xmp_coarray_record *r = first; r < last; r++)
    if (!*r->descriptor)
      *r->descriptor = pst_xmp_coarray(
          r->where, r->name, r->object, r->size, r->element, (int)r->codims, r->codim, NULL);
}
