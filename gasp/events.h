/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* How front-ends cause events. Without a tool each costs a predicted branch.
 *
 *   GASP_BEGIN(UPC, GASP_UPC_MEMPUT, &dst, src, n);
 *   ... the call ...
 *   GASP_FINISH(UPC, GASP_UPC_MEMPUT, &dst, src, n);
 *
 * Between the two, and while the tool is in a function of its own, this thread causes no other events: what a
 * call does by means of others is not the client's, and calls of the tool's are not either. */
#ifndef GASP_EVENTS_H
#define GASP_EVENTS_H

#include "gasp.h"
#include "penstock/gasp_site.h"

/* Tags of the headers are below; --inst-only is about them, and tables may be as long. */
#define PST_GASP_TAGS 0x500u

#define GASP_BEGIN(model, ...)                                                             \
  do {                                                                                     \
    if (__builtin_expect(pst_gasp_on, 0)) pst_gasp_begin(GASP_MODEL_##model, __VA_ARGS__); \
  } while (0)
#define GASP_FINISH(model, ...)                                                             \
  do {                                                                                      \
    if (__builtin_expect(pst_gasp_on, 0)) pst_gasp_finish(GASP_MODEL_##model, __VA_ARGS__); \
  } while (0)
#define GASP_ATOMICALLY(model, ...)                                                         \
  do {                                                                                      \
    if (__builtin_expect(pst_gasp_on, 0)) pst_gasp_atomic(GASP_MODEL_##model, __VA_ARGS__); \
  } while (0)

/* Before pst_gasp_open: this thread's number among how many. Upcalls of tools tell it. */
void pst_gasp_set_place(unsigned thread, unsigned threads);

/* Collective, when the model works: finds the tool, if there is one, and calls its gasp_init. argc and argv
 * may be NULL. */
void pst_gasp_open(gasp_model_t model, int *argc, char ***argv);

/* The rest is the tag's arguments. A begin that comes inside another, or in the tool, is not told, nor is its
 * finish. */
void pst_gasp_begin(gasp_model_t model, unsigned tag, ...);
void pst_gasp_finish(gasp_model_t model, unsigned tag, ...);
void pst_gasp_atomic(gasp_model_t model, unsigned tag, ...);
/* The same with a place in a source, for what compilers pass it to. */
void pst_gasp_begin_at(gasp_model_t model, const char *file, int line, unsigned tag, ...);

/* Between 1 and -1 this thread causes no events: in a program that was linked statically the library's own
 * calls may be instrumented. */
void pst_gasp_hush(int by);

void pst_gasp_forget_site(void);
void pst_gasp_hold_site(int on);

/* A place was given for this call, which causes no event: it is not the next one's. */
__attribute__((no_instrument_function)) static inline void pst_gasp_drop_site(void)
{
  if (__builtin_expect(pst_gasp_on, 0)) pst_gasp_forget_site();
}

/* Between 1 and 0 a call consists of several that cause events: all have its place. */
__attribute__((no_instrument_function)) static inline void pst_gasp_keep_site(int on)
{
  if (__builtin_expect(pst_gasp_on, 0)) pst_gasp_hold_site(on);
}

/* Was something compiled with --inst-local? */
int pst_gasp_wants_local(void);

#endif
