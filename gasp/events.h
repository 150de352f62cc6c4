/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* How front-ends cause events. Without a tool each costs a predicted branch.
 *
 *   GASP_BEGIN(UPC, GASP_UPC_MEMPUT, &dst, src, n);
 *   ... the call ...
 *   GASP_FINISH(UPC, GASP_UPC_MEMPUT, &dst, src, n);
 *
 * Between the two, and while the tool's functions run, this thread causes no other events: calls within a
 * call, and calls of the tool, are not the client's. */
#ifndef GASP_EVENTS_H
#define GASP_EVENTS_H

#include "gasp.h"
#include "penstock/gasp_site.h"

/* Tags of the headers are below it. */
#define PST_GASP_TAGS 0x700u

#define GASP_BEGIN(model, ...) \
  do { \
    if (__builtin_expect(pst_gasp_on, 0)) pst_gasp_begin(GASP_MODEL_##model, __VA_ARGS__); \
  } while (0)
#define GASP_FINISH(model, ...) \
  do { \
    if (__builtin_expect(pst_gasp_on, 0)) pst_gasp_finish(GASP_MODEL_##model, __VA_ARGS__); \
  } while (0)
#define GASP_ATOMICALLY(model, ...) \
  do { \
    if (__builtin_expect(pst_gasp_on, 0)) pst_gasp_atomic(GASP_MODEL_##model, __VA_ARGS__); \
  } while (0)

/* Before pst_gasp_open: this thread's number, and the number of threads, for upcalls of tools. */
void pst_gasp_set_place(unsigned thread, unsigned threads);

/* Collective, when the model works: finds the tool, if there is one, and calls its gasp_init. argc and argv
 * may be NULL. */
void pst_gasp_open(gasp_model_t model, int *argc, char ***argv);

/* The tag's arguments follow it. A begin within another, or in the tool, is not told, and neither is its
 * finish. */
void pst_gasp_begin(gasp_model_t model, unsigned tag, ...);
void pst_gasp_finish(gasp_model_t model, unsigned tag, ...);
void pst_gasp_atomic(gasp_model_t model, unsigned tag, ...);
/* The same with a place in a source, for calls that compilers pass it to. */
void pst_gasp_begin_at(gasp_model_t model, const char *file, int line, unsigned tag, ...);

/* The place of the next event is that of the code before this return address. */
void pst_gasp_set_code_site(const void *code);

/* The beginning and the end of a block of the program's, within which calls cause events. */
void pst_gasp_block(gasp_model_t model, gasp_evttype_t type, const char *file, int line, unsigned tag, ...);

/* Between 1 and -1 this thread causes no events. In a program that was linked statically the library's own
 * calls may be instrumented. */
void pst_gasp_hush(int by);

void pst_gasp_forget_site(void);
void pst_gasp_hold_site(int on);

/* Forgets the place that was given for this call, which causes no event. */
__attribute__((no_instrument_function)) static inline void pst_gasp_drop_site(void)
{
  if (__builtin_expect(pst_gasp_on, 0)) pst_gasp_forget_site();
}

/* Between 1 and 0 all events have the place of this call, which consists of several. */
__attribute__((no_instrument_function)) static inline void pst_gasp_keep_site(int on)
{
  if (__builtin_expect(pst_gasp_on, 0)) pst_gasp_hold_site(on);
}

/* Was something compiled with --inst-local? */
int pst_gasp_wants_local(void);

#endif
