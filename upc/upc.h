/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What the files of the UPC library share. A thread is a node and has the node's number. The library uses the
 * public interface alone: gasnet.h, gasnetx.h, the tools. */
#ifndef UPC_UPC_H
#define UPC_UPC_H

#include <gasnetx.h>
#include <gasnet_tools.h>
#include <upc_memory.h>

#include "gasp/events.h"

/* A function's second name. */
#define PST_UPC_ALIAS(name) extern __typeof__(upc_##name) bupc_##name __attribute__((alias("upc_" #name)))

struct pst_upc {
  int open;
  uintptr_t *base; /* [THREADS] a thread's own address of its shared memory, address 0 of pointers to it */
  size_t heap; /* bytes a thread of each of the two heaps: first the thread's own, then the one spread over
                  all */
};
extern struct pst_upc pst_upc;

/* Ends the job: "thread 1 of 4: CALL: ...". */
void pst_upc_fatal(const char *call, const char *fmt, ...)
    __attribute__((format(printf, 2, 3), noreturn, cold));
/* For calls that cannot work before upc_init. */
void pst_upc_need_open(const char *call);
/* The same for collective calls, which are not allowed between upc_notify and upc_wait. */
void pst_upc_need_all(const char *call);

/* ---- pointers ---- */

/* Debug builds check that n bytes from p on are shared memory of a thread. */
#if defined(GASNET_DEBUG)
void pst_upc_check(const char *call, upc_const_pts_t p, size_t n);
#else
static inline void pst_upc_check(const char *call, upc_const_pts_t p, size_t n)
{
  (void)call, (void)p, (void)n;
}
#endif

/* The address as p's thread sees it. */
static inline void *pst_upc_address(upc_const_pts_t p)
{
  return (void *)(pst_upc.base[p.thread] + p.address);
}

/* The address here, or NULL where that thread's memory is not mapped. With GASNET_AM_ONLY only this thread's
 * own memory is. */
static inline void *pst_upc_here(upc_const_pts_t p)
{
  const ptrdiff_t delta = pst_map[p.thread];
  if (__builtin_expect(delta == PST_UNMAPPED, 0))
    return p.thread == (unsigned)MYTHREAD ? pst_upc_address(p) : NULL;
  return (char *)pst_upc_address(p) + delta;
}

static inline int pst_upc_is_null(upc_const_pts_t p) { return p.address == 0 && p.thread == 0; }

/* ---- messages: a request that is answered, while the caller waits ---- */

struct pst_upc_answer {
  volatile int here;
  uint64_t value;
};
/* Asks a thread, or the caller itself, and returns the answer of its function of that kind. */
enum pst_upc_kind {
  PST_UPC_TAKE,
  PST_UPC_GIVE_BACK,      /* alloc.c */
  PST_UPC_LOCK_GIVE_BACK, /* lock.c */
  PST_UPC_KINDS
};
uint64_t pst_upc_ask(unsigned thread, enum pst_upc_kind kind, uint64_t what, uint64_t value);

/* These run in handlers, so they do not wait. `from`: the thread that asks. */
uint64_t pst_upc_take(unsigned from, uint64_t what, uint64_t nbytes);
uint64_t pst_upc_give_back(unsigned from, uint64_t address, uint64_t unused);
uint64_t pst_upc_lock_give_back(unsigned from, uint64_t name, uint64_t unused);

/* ---- the parts of the library, opened and closed by runtime.c ---- */

void pst_upc_alloc_open(void);

/* Memory of this thread's heap, without events. The job ends where there is none. */
upc_pts_t pst_upc_own_take(const char *call, size_t nbytes);
void pst_upc_own_give_back(upc_pts_t p);

/* Static data of compiled programs, at the beginning of each thread's shared memory (section.c). */
size_t pst_upc_section_size(void);
void pst_upc_section_copy(void *to);

/* The value of one thread for all. Collective. */
void pst_upc_broadcast(void *data, size_t nbytes, unsigned root);

#endif
