/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What the files of the XcalableMP runtime share. A node is a node of the job and has its number. The runtime
 * uses the public interface alone (gasnet.h, gasnetx.h) and front/. Constructs are called by one thread, but
 * in parallel regions of OpenMP: there those of alone.h are called by one at a time, and the others by
 * several. */
#ifndef XMP_INTERNAL_H
#define XMP_INTERNAL_H

#include <gasnetx.h>
#include <gasnet_tools.h>
#include <stddef.h>
#include <stdint.h>
#include <xmp.h>
#include <xmp_translated.h>

#include "front/start.h"

/* ---- the job (start.c) ---- */

struct pst_xmp_job {
  enum { PST_XMP_CLOSED, PST_XMP_OPEN, PST_XMP_LEFT, PST_XMP_FORKED } state;
  int nodes, me;
  const gasnet_seginfo_t *segment; /* [nodes] each node's own address and size of its heap */
  const ptrdiff_t *shift;          /* [nodes] from the beginning of this node's heap to that of the node's */
};
extern struct pst_xmp_job pst_xmp_job;

/* Indices of active messages. Who needs one adds a name here and a line to the table in start.c. The indices
 * are those that the functions have in the table, from PST_XMP_FIRST_HANDLER on. */
enum {
  PST_XMP_FIRST_HANDLER = 200,
  PST_XMP_HANDLER_POST = PST_XMP_FIRST_HANDLER, /* post.c */
  PST_XMP_HANDLERS_END
};

/* What has to be done before the barrier at the end of the program, as the completion of puts, is called in
 * the order of the calls of this function. */
void pst_xmp_at_leave(void (*leave)(void));
/* All nodes call it, at the end of the program or before. Does nothing where the job is not open. */
void pst_xmp_leave(void);

/* ---- messages: "penstock: node 1 of 4: prog.c:12: ..." ---- */

/* `where`: of the directive, or the name of a function of the library. Ends the job with code 1. */
void pst_xmp_fatal(const char *where, const char *fmt, ...)
    __attribute__((format(printf, 2, 3), noreturn, cold));
void pst_xmp_warn(const char *where, const char *fmt, ...) __attribute__((format(printf, 2, 3), cold));

/* For calls that cannot work before the start or after the end. */
void pst_xmp_not_open(const char *where) __attribute__((noreturn, cold));
static inline void pst_xmp_need_open(const char *where)
{
  if (__builtin_expect(pst_xmp_job.state != PST_XMP_OPEN, 0)) pst_xmp_not_open(where);
}

/* malloc and calloc of the process's own memory, which end the job where there is none. */
void *pst_xmp_own_take(const char *where, size_t nbytes);
void *pst_xmp_own_take_clear(const char *where, size_t count, size_t size);

/* ---- memory that other nodes reach (memory.c) ---- */

/* Before the process is a node: the static data of the program and its libraries become regions, so that
 * coarrays are ordinary objects. After gasnet_attach: the heap of this node opens. */
void pst_xmp_statics_find(void);
void pst_xmp_memory_open(void);
size_t pst_xmp_heap_size(void);

/* A block of this node's heap in its segment, at a multiple of 64, not cleared. Ends the job where there is
 * none, and says what XMP_HEAP_SIZE is. Another node's calls are its own affair, so that places differ among
 * nodes unless all of them have made the same calls. `what`: the object's name, or NULL. */
void *pst_xmp_heap_take(const char *where, const char *what, size_t nbytes);
/* NULL is allowed. */
void pst_xmp_heap_give_back(void *block);

/* The address, as `node` sees it, of the object of static storage that has the address `own` here. NULL: it
 * does not lie in static data, or the nodes have different ones. Not for blocks of the heap. */
void *pst_xmp_static_at(const void *own, int node);
/* Whether nbytes from there on are static data of all nodes. */
int pst_xmp_is_static(const void *own, size_t nbytes);

/* The address here of `there`, an address of `node` as that node sees it, in its segment or its static data;
 * NULL where that node's memory is not mapped here. */
static inline void *pst_xmp_mapped(int node, const void *there)
{
  const ptrdiff_t delta = pst_map[node];
  if (delta == PST_UNMAPPED) return node == pst_xmp_job.me ? (void *)(uintptr_t)there : NULL;
  return (char *)(uintptr_t)there + delta;
}

/* ---- descriptors ---- */

/* What nodes and templates begin with. An array begins with pst_xmp_array_t, whose first word is an address
 * or NULL, and so no kind. */
struct pst_xmp_object {
  uintptr_t kind;    /* XMP_DESC_NODES or XMP_DESC_TEMPLATE */
  const char *name;  /* as the program gives it: it stays */
  const char *where; /* of its declaration */
  int refs;          /* of the program and of objects that stand on it: the last one frees it */
  void *tool_data;   /* a tool's (xmpt_desc_set_data) */
};

/* XMP_DESC_NODES, XMP_DESC_TEMPLATE or XMP_DESC_ARRAY. Ends the job where desc is NULL. */
static inline int pst_xmp_desc_kind(const char *where, const void *desc)
{
  uintptr_t first;
  if (__builtin_expect(!desc, 0))
    pst_xmp_fatal(where, "the descriptor is NULL: the object is not declared yet");
  first = *(const uintptr_t *)desc;
  return first == XMP_DESC_NODES || first == XMP_DESC_TEMPLATE ? (int)first : XMP_DESC_ARRAY;
}

#endif
