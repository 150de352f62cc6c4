/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What the files of the OpenSHMEM library share. A PE is a node and has the node's number. The library uses
 * the public interface alone (gasnet.h, gasnetx.h, the tools), and tells performance tools of its calls. */
#ifndef SHMEM_INTERNAL_H
#define SHMEM_INTERNAL_H

#include <gasnetx.h>
#include <gasnet_tools.h>
#include <stdarg.h>

/* The library's files call its functions; inlines.c alone defines the inline ones. */
#ifndef PST_SHMEM_INLINE
#define PST_SHMEM_CALLS
#endif
#include <shmem.h>

#include "front/start.h"
#include "gasp/events.h"

#define PST_SHMEM_COLD __attribute__((cold, noinline))

struct pst_shmem_job {
  enum { PST_SHMEM_CLOSED, PST_SHMEM_OPEN, PST_SHMEM_LEFT, PST_SHMEM_FORKED } state;
  int pes, me;
  int checks; /* SHMEM_DEBUG, or a debug build: all arguments are checked, which costs messages in some
                 routines */
  int tools;  /* a performance tool is told of all calls: `pending` is always set */
};
extern struct pst_shmem_job pst_shmem_job;
extern const struct pst_front_language pst_shmem_language;

/* ---- messages (misuse.c): "penstock: PE 1 of 4: CALL: ..." ---- */

void pst_shmem_fatal(const char *call, const char *fmt, ...)
    __attribute__((format(printf, 2, 3), noreturn, cold));
void pst_shmem_warn(const char *call, const char *fmt, ...) __attribute__((format(printf, 2, 3), cold));
/* Where an address that is not symmetric is: "on the stack", "in /usr/lib/libfoo.so". Returns buf. */
const char *pst_shmem_whose(const void *address, char *buf, size_t size);

/* For calls that cannot work before start_pes or after shmem_finalize. */
void pst_shmem_not_open(const char *call) __attribute__((noreturn, cold));
static inline void pst_shmem_need_open(const char *call)
{
  if (__builtin_expect(pst_shmem_job.state != PST_SHMEM_OPEN, 0)) pst_shmem_not_open(call);
}
void pst_shmem_no_pe(const char *call, int pe) __attribute__((noreturn, cold));
static inline void pst_shmem_need_pe(const char *call, int pe)
{
  pst_shmem_need_open(call);
  if (__builtin_expect((unsigned)pe >= (unsigned)pst_shmem_job.pes, 0)) pst_shmem_no_pe(call, pe);
}

/* ---- performance tools: see gasp/events.h ---- */

/* The call between the two ends of an event. Every routine uses one of these, called from C or Fortran, by an
 * inline function or not. The second has one more argument at the end. */
#define PST_SHMEM_TOLD(call, ...) \
  do { \
    GASP_BEGIN(SHMEM, __VA_ARGS__); \
    call; \
    GASP_FINISH(SHMEM, __VA_ARGS__); \
  } while (0)
#define PST_SHMEM_TOLD_RESULT(call, result, ...) \
  do { \
    GASP_BEGIN(SHMEM, __VA_ARGS__); \
    call; \
    GASP_FINISH(SHMEM, __VA_ARGS__, result); \
  } while (0)

/* ---- symmetric memory (area.c): the heap, and the static data of the program and of its libraries ---- */

struct pst_shmem_zone {
  uintptr_t base; /* of this PE's */
  size_t size;
  ptrdiff_t *shift; /* [pes] added to an address here, gives the same object's address as pe sees it */
  ptrdiff_t *here, *atomic; /* [pes] as in struct pst_shmem_area */
  char *object;             /* whose static data */
  unsigned broken;          /* not symmetric: a PE has another size */
};
enum { PST_SHMEM_HEAP, PST_SHMEM_DATA }; /* the first two */

/* Before gasnet_init: makes static data of the program and its libraries symmetric. */
void pst_shmem_statics_find(void);
/* After gasnet_attach. */
void pst_shmem_zones_open(void);
const struct pst_shmem_zone *pst_shmem_zone(unsigned number);
/* The largest power of two that divides the distances of PEs' heaps: up to it, alignments are the same. */
uintptr_t pst_shmem_heap_grain(void);

/* NULL: not symmetric. */
const struct pst_shmem_zone *pst_shmem_zone_of(const void *address);

/* An object of another PE. `what` names the argument in messages. Ends the job unless all nbytes are
 * symmetric and pe is a PE. */
struct pst_shmem_reach {
  void *here;  /* for loads and stores; NULL where it is not mapped */
  void *there; /* as pe sees it */
};
struct pst_shmem_reach pst_shmem_reach(
    const char *call, const char *what, const void *address, size_t nbytes, int pe);
/* All nbytes of this PE's own object have to be symmetric; NULL if nbytes is 0. The second checks with
 * `checks` only. */
const struct pst_shmem_zone *pst_shmem_need_own(
    const char *call, const char *what, const volatile void *address, size_t nbytes);
static inline void pst_shmem_check_own(
    const char *call, const char *what, const volatile void *address, size_t nbytes)
{
  if (pst_shmem_job.checks) pst_shmem_need_own(call, what, address, nbytes);
}

/* ---- the environment (env.c) ---- */

/* SHMEM_NAME, else SMA_NAME; NULL where neither has a value. *variable: which of them. */
const char *pst_shmem_env(const char *name, const char **variable);
size_t pst_shmem_env_heap(size_t most);
void pst_shmem_env_tell(void); /* SHMEM_VERSION, SHMEM_INFO */

/* ---- ordering (rma.c) ---- */

/* Waits for all implicit puts. */
void pst_shmem_complete(const char *call);
/* Implicit puts have begun. */
static inline void pst_shmem_pend(void) { pst_shmem.pending = 1; }
/* Room for a put's source that stays until the next pst_shmem_complete; NULL: too much. */
void *pst_shmem_staging(size_t nbytes);

/* ---- meeting of all PEs (barrier.c) ---- */

/* A barrier. -1 where `size` (bytes) or `place` differ among PEs, which is said on stderr; else 0. Ends the
 * job where PEs make different calls, and with checks in any case. */
int pst_shmem_meet(const char *call, uint64_t size, uint64_t place);

/* ---- the symmetric heap (heap.c) ---- */

/* Codes that Fortran's routines return. All PEs make these calls with the same arguments, and wait. */
enum pst_shmem_heap_code {
  PST_SHMEM_HEAP_MOVED = 1, /* resize: done, elsewhere */
  PST_SHMEM_HEAP_OK = 0,
  PST_SHMEM_HEAP_LENGTH = -1, /* no bytes are wanted */
  PST_SHMEM_HEAP_FULL = -2,   /* or the PEs' arguments differ */
  PST_SHMEM_HEAP_OUTSIDE = -3,
  PST_SHMEM_HEAP_FREE = -4,
  PST_SHMEM_HEAP_INSIDE = -5 /* not at the beginning of a block */
};

void pst_shmem_heap_open(void);
/* *block is set when the code is 0. alignment: a power of two. */
int pst_shmem_heap_take(const char *call, size_t nbytes, size_t alignment, void **block);
int pst_shmem_heap_give_back(const char *call, void *block);
/* *block moves with its contents where it cannot grow. */
int pst_shmem_heap_resize(const char *call, size_t nbytes, void **block);

/* ---- locks (lock.c): C's are longs, Fortran's integers of 4 bytes ---- */

/* width: 4 or 8 bytes. */
void pst_shmem_lock_set(const char *call, volatile void *lock, unsigned width);
void pst_shmem_lock_clear(const char *call, volatile void *lock, unsigned width);
int pst_shmem_lock_test(const char *call, volatile void *lock, unsigned width); /* 0: it is set now */

#endif
