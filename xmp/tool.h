/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What tools are told: XMPT's events, and beside them GASP's. Functions that translated programs call run
 * their work within PST_XMP_TOLD, which without a tool costs one predicted branch. What the runtime does for
 * itself is told to nobody. */
#ifndef XMP_TOOL_H
#define XMP_TOOL_H

#include <xmpt.h>

#include "xmp/alone.h"
#include "xmp/array.h"

struct pst_xmp_coarray_full;

/* Which tools there are; set at the start, before any construct. */
enum { PST_XMP_TOOL_XMPT = 1, PST_XMP_TOOL_GASP = 2, PST_XMP_TOOL_REMOTE = 4 /* accesses to coarrays */ };
extern unsigned pst_xmp_tools;
#define PST_XMP_TOOLS __builtin_expect(pst_xmp_tools != 0, 0)

/* Called by all nodes at the end of the start. Finds both tools. */
void pst_xmp_tools_open(void);

/* ---- one instance of a construct ---- */

struct pst_xmp_told {
  const char *where;
  const void *codeptr;
  xmpt_event_t end; /* or the dummy: it has none */
  int pairs;        /* of events with the same end: for each variable, or each id */
  xmpt_tool_data_t data, *more;
  unsigned tag; /* GASP's; 0: none */
  int block;
  size_t bytes;
  int node;
  const char *name;
  xmp_desc_t desc; /* of its on clause, and its subscripts */
  struct _xmpt_subscript_t subscript;
};
/* The end of any construct, and of GASP's event. */
void pst_xmp_told_end(struct pst_xmp_told *told, const void *codeptr);
/* The end of a block: told is from pst_xmp_told_block. */
void pst_xmp_told_block_end(struct pst_xmp_told *told, const void *codeptr);

#define PST_XMP_CODEPTR __builtin_return_address(0)

/* begin: a call of a function below, which may use `told`. run: the work. */
#define PST_XMP_TOLD(where_, begin, run) \
  do { \
    if (PST_XMP_TOOLS) { \
      struct pst_xmp_told told = {.where = (where_), .codeptr = PST_XMP_CODEPTR, .node = -1}; \
      begin; \
      run; \
      pst_xmp_told_end(&told, told.codeptr); \
    } else { \
      run; \
    } \
  } while (0)

/* ---- blocks: the result goes to pst_xmp_told_block_end ---- */

/* NULL: this node skips the task. */
struct pst_xmp_told *pst_xmp_told_task(
    const char *where, const void *codeptr, const struct pst_xmp_on *on, int active);
struct pst_xmp_told *pst_xmp_told_tasks(const char *where, const void *codeptr);
struct pst_xmp_told *pst_xmp_told_loop(const char *where, const void *codeptr, const struct pst_xmp_on *on);
/* The same in two steps. Between them the bounds go into the subscript, in pst_xmp_told_bounds. */
struct pst_xmp_told *pst_xmp_told_loop_open(
    const char *where, const void *codeptr, const struct pst_xmp_on *on);
void pst_xmp_told_loop_begin(struct pst_xmp_told *told, const void *codeptr);
/* Of dimension k of the on clause, of dims. shift: what is added to the variable, in the clause's numbers. */
void pst_xmp_told_bounds(
    struct pst_xmp_told *told, int dims, int k, pst_xmp_index_t shift, const struct pst_xmp_bounds *b);
struct pst_xmp_told *pst_xmp_told_array(const char *where, const void *codeptr, const struct pst_xmp_on *on,
    const struct pst_xmp_bounds section[], const struct pst_xmp_array_full *a);

/* ---- constructs ---- */

void pst_xmp_told_reflect(
    struct pst_xmp_told *told, pst_xmp_array_t *a, const struct pst_xmp_width width[], const int *async);
void pst_xmp_told_gmove(struct pst_xmp_told *told, const struct pst_xmp_side *left,
    const struct pst_xmp_side *right, enum pst_xmp_gmove_mode mode, const int *async);
void pst_xmp_told_barrier(struct pst_xmp_told *told, const struct pst_xmp_on *on);
void pst_xmp_told_reduction(struct pst_xmp_told *told, int n, const struct pst_xmp_variable v[],
    const struct pst_xmp_on *on, const int *async);
/* Of a loop's clause: loop is what its block returned, or NULL. */
void pst_xmp_told_clause(
    struct pst_xmp_told *told, const struct pst_xmp_told *loop, const struct pst_xmp_variable *v);
void pst_xmp_told_bcast(struct pst_xmp_told *told, int n, const struct pst_xmp_variable v[],
    const struct pst_xmp_on *from, const struct pst_xmp_on *on, const int *async);
void pst_xmp_told_wait_async(struct pst_xmp_told *told, int n, const int id[], const struct pst_xmp_on *on);
/* begin: XMPT's event without arguments, or the dummy: it knows none. tag: GASP's. */
void pst_xmp_told_plain(struct pst_xmp_told *told, xmpt_event_t begin, unsigned tag, const char *name);
void pst_xmp_told_sync_image(struct pst_xmp_told *told, int image);
void pst_xmp_told_sync_images(struct pst_xmp_told *told, int n, int *images);

/* ---- coarrays ---- */

/* Of bytes from `at` on, or of a side. tag: GASP_XMP_PUT, GASP_XMP_GET, or that of an atomic operation. */
void pst_xmp_told_access(
    struct pst_xmp_told *told, unsigned tag, void *coarray, int image, const void *at, size_t nbytes);
/* One side of a copy. */
void pst_xmp_told_section(
    struct pst_xmp_told *told, unsigned tag, void *coarray, int image, const struct pst_xmp_side *side);

/* ---- descriptors ---- */

/* begin: nodes_desc_begin, ..., template_fix. data: NULL of template_fix. */
void pst_xmp_told_desc(xmpt_event_t event, void *desc, xmpt_tool_data_t *data, const void *codeptr);

/* ---- the job, for GASP ---- */

void pst_xmp_told_exit(int begins, int status, int alone);

/* ---- between tool.c, tool_subscript.c and tool_events.c ---- */

int pst_xmp_tools_find_xmpt(void); /* 1: there is one */
/* The callback of an event, or NULL. */
void (*pst_xmp_tool_callback(xmpt_event_t event))(void);

/* Subscripts as a tool sees them, and the descriptor. No on clause: that of a node array of the executing
 * nodes. loop: on is a loop's. */
void pst_xmp_tool_on(
    const char *where, const struct pst_xmp_on *on, int loop, xmp_desc_t *desc, struct _xmpt_subscript_t *s);
void pst_xmp_tool_side(const struct pst_xmp_side *side, xmp_desc_t *desc, struct _xmpt_subscript_t *s);
void pst_xmp_tool_section(const struct pst_xmp_side *side, struct _xmpt_subscript_t *s);

#endif
