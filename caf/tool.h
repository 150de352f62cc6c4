/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What performance tools are told: GASP's events (gasp_caf.h). A function that gfortran calls begins with
 * PST_CAF_TOLD, which costs one predicted branch without a tool. With one it calls the function again,
 * between the event's start and end, and in this call nothing is told. A fast path that has no calls, and so
 * needs no stack, tests PST_CAF_TOOL among its conditions; all else is then a function by itself. */
#ifndef CAF_TOOL_H
#define CAF_TOOL_H

#include "caf/internal.h"
#include "gasp/events.h"

/* Is the next statement told? */
extern int pst_caf_tool;
#define PST_CAF_TOOL __builtin_expect(pst_caf_tool, 0)
/* Is this the thread that executes the program? gfortran's accessors call the library in others, too. */
int pst_caf_tool_is_here(void) __attribute__((cold));

struct pst_caf_told {
  unsigned tag;
  size_t nbytes;
  int node;
};
/* code: an address in the program, behind the call. image: the other one, 0 for this one, or none. */
enum { PST_CAF_NO_IMAGE = -1 };
struct pst_caf_told pst_caf_told_begin(const void *code, unsigned tag, size_t nbytes, int image)
    __attribute__((cold));
void pst_caf_told_end(const struct pst_caf_told *told) __attribute__((cold));

/* again: the call of the function itself. It may store into told_.nbytes what is known after it. What follows
 * is the result. */
#define PST_CAF_TOLD(tag, nbytes, image, again, ...) \
  PST_CAF_TOLD_AT(__builtin_return_address(0), tag, nbytes, image, again, __VA_ARGS__)
/* For the rest of such a function: code is an address in the program. */
#define PST_CAF_TOLD_AT(code, tag, nbytes, image, again, ...) \
  do { \
    if (PST_CAF_TOOL && pst_caf_tool_is_here()) { \
      struct pst_caf_told told_ = pst_caf_told_begin(code, tag, nbytes, image); \
      again; \
      pst_caf_told_end(&told_); \
      return __VA_ARGS__; \
    } \
  } while (0)

/* Bytes of an array, or of a section by vector subscripts. kind: as in the call. */
size_t pst_caf_told_bytes(const gfc_descriptor_t *d, const caf_vector_t *vector, int kind);
/* Of coarrays whose allocation the next sync all completes. */
size_t pst_caf_told_fresh(void);

/* ---- the job ---- */

/* Called by all images at the end of the start. */
void pst_caf_tool_open(int *argc, char ***argv);
/* The statement that ends the program: pst_caf_told_leave has its place. */
void pst_caf_told_stop(const void *code, int status);
void pst_caf_told_error_stop(const void *code, int status);
/* Around the wait for all images. */
void pst_caf_told_leave(int begins);

#endif
