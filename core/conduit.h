/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The contract between the core and a conduit: one constant table of functions.
 *
 * Data-path slots never block: they return PST_ERR_AGAIN when there is no room, and the core makes progress
 * and repeats. A conduit hands arriving messages to pst_am_deliver(), inside poll and poll_replies alone. */
#ifndef CORE_CONDUIT_H
#define CORE_CONDUIT_H
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "core/inspect.h"
#include "gasnet.h"
#include "support/error.h"
#include "support/viscost.h"

/* What waits and barriers run through: kept together in the program, for where processes take turns on a core
 * every page that one touches between two yields is looked up anew. */
#define PST_HOT      __attribute__((hot))
#define PST_HOT_DATA __attribute__((section(".data.penstock_hot")))

enum pst_am_kind { PST_AM_SHORT, PST_AM_MEDIUM, PST_AM_LONG };

/* A message to be sent. The caller owns everything; nothing is looked at after the slot returned. */
struct pst_message {
  gasnet_node_t dest;
  uint8_t kind;  /* enum pst_am_kind */
  uint8_t reply; /* 0 request, 1 reply */
  uint8_t async; /* a long's source stays as it is until the reply: no copy needed */
  gasnet_handler_t handler;
  unsigned nargs;
  const gasnet_handlerarg_t *args;
  const void *payload;
  /* Or a medium's payload is what this writes, once, and in one go, for somebody may be waiting. */
  void (*fill)(void *context, char *to);
  void *context;
  void *started; /* NULL at first; the conduit's, with such a payload in it */
  size_t nbytes;
  void *dest_addr;    /* long: in the target's segment, as the target sees it */
  _Atomic int placed; /* 0 at first; the conduit notes here that a long's payload is in its place already */
};

/* A message that has arrived. The conduit owns everything, until pst_am_deliver returns. */
struct pst_arrival {
  gasnet_node_t src;
  uint8_t kind, reply;
  gasnet_handler_t handler;
  unsigned nargs;
  const gasnet_handlerarg_t *args;
  void *payload; /* medium: aligned to 8; long: the address in this node's segment */
  size_t nbytes;
};

/* How many parts of an operation are outstanding: whoever completes one subtracts 1 (release), the owner
 * waits for 0 (acquire). */
typedef _Atomic uint32_t pst_pending_t;

/* A medium of 4 KiB at least. */
struct pst_conduit_limits {
  size_t max_medium, max_long_request, max_long_reply;
  size_t max_filled;      /* a medium whose payload is filled in: no less */
  struct pst_viscost vis; /* what its transfers and messages cost */
};

/* A word that a waiter looks at, and what it held when he did so last. */
struct pst_watch {
  const _Atomic uint64_t *word;
  uint64_t seen;
};

/* A network's own atomic operations: none; those that devices carry out; whatever it makes them of. */
enum pst_conduit_atomics { PST_ATOMICS_NONE, PST_ATOMICS_BY_DEVICE, PST_ATOMICS_ANY };

/* What a conduit learns of the job when it opens. */
struct pst_conduit_job {
  unsigned node, nodes;
  unsigned first, local; /* this host's nodes: first .. first+local-1 */
  unsigned shared_with;  /* of those, how many share memory with this node: itself, and its supernode */
  int par;               /* several threads may call every slot at once */
  int thread;            /* of a network: a thread is to serve it while the client computes */
  int background;        /* handlers may run in that thread */
  /* That thread calls it while the client computes: sends what the client's threads have kept back. 1:
   * something is left, for soon. */
  int (*send_old)(void);
  unsigned cores; /* that this host's processes may run on */
  void *shared;   /* shared_size() bytes, zeroed at first, the same memory in all local processes */
  /* Collective over the job: every node's blob of `size` bytes, at most 4096, into all[nodes * size]. */
  void (*exchange)(const void *mine, size_t size, void *all);
  enum pst_conduit_atomics atomics; /* a network's own that are wanted */
  int networked; /* a network serves beside shared memory: block may be given a descriptor */
};

/* What it learns of the segments when they are attached; the arrays outlive it. */
struct pst_conduit_segments {
  unsigned regions; /* of each node: the segment, number 0, and what else others may reach (core/region.h) */
  const gasnet_seginfo_t *const *info; /* [regions][nodes] as each node sees its own */
  const gasnet_seginfo_t *own;         /* [regions] this node's */
  const ptrdiff_t *delta; /* [nodes] what to add to an address of a node of this host for access here */
};

/* What a network's library finds on a node, from worst to best: nothing, or none; a network by the kernel's
 * sockets; hardware that it reaches itself. */
enum pst_conduit_grade { PST_GRADE_NONE, PST_GRADE_SOCKETS, PST_GRADE_NATIVE };

enum { PST_NO_PEER = UINT32_MAX };

struct pst_conduit {
  const char *name;
  /* Of a network, before it is open: what there is here. */
  enum pst_conduit_grade (*grade)(void);
  /* Collective: microseconds of a round trip between this node and peer, which takes part with this one as
   * its peer; less than 0 where there is none. All others have PST_NO_PEER. Nothing stays open. */
  double (*probe)(const struct pst_conduit_job *job, gasnet_node_t peer);
  /* What it can carry: of what is open, or else of any job. */
  void (*limits)(struct pst_conduit_limits *limits);
  /* Bytes of host memory that its processes share; 0 when it needs none. */
  size_t (*shared_size)(unsigned local);
  /* Creates queues or endpoints. Collective. PST_OK or an error that ends the job. */
  int (*open)(const struct pst_conduit_job *job);
  /* The segments are known. Collective. PST_OK or an error that ends the job. */
  int (*attach)(const struct pst_conduit_segments *s);
  /* Sends. PST_OK: sent, everything copied. PST_ERR_AGAIN: no room. Replies may be sent inside a
   * handler, several by those of the layers above. */
  int (*am)(struct pst_message *m);
  /* The same for a short message, the commonest, without the struct. */
  int (*am_short)(gasnet_node_t dest, unsigned reply, gasnet_handler_t handler, unsigned nargs,
      const gasnet_handlerarg_t *args);
  /* Optional (else the reference over active messages): contiguous transfers. PST_OK when complete; 1 when
   * *pending was incremented and will be decremented at completion. Without PST_OP_BULK in op a put's source
   * may be reused on return. */
  int (*put)(
      unsigned op, gasnet_node_t node, void *dst, const void *src, size_t nbytes, pst_pending_t *pending);
  int (*get)(
      unsigned op, gasnet_node_t node, void *dst, const void *src, size_t nbytes, pst_pending_t *pending);
  int (*memset)(gasnet_node_t node, void *dst, int byte, size_t nbytes, pst_pending_t *pending);
  /* Optional, likewise: an operation of gasnetx.h on a word of nbytes. What was there before comes into
   * *value when it is complete, unless that is NULL. */
  int (*atomic)(unsigned op, unsigned nbytes, gasnet_node_t node, void *word, uint64_t operand,
      uint64_t expected, uint64_t *value, pst_pending_t *pending);
  /* Of a network with that slot, when attached: NULL where it has all of the wanted kind, on 4 and 8 bytes of
   * any node, this one too; else why not. */
  const char *(*lacks_atomics)(void);
  /* Delivers what has arrived, a bounded number; how many. poll_replies: replies alone, callable inside a
   * request's handler. */
  int (*poll)(void);
  int (*poll_replies)(void);
  /* Of a network, optional: before somebody sleeps. A descriptor that becomes readable when poll may find
   * something, as of now; PST_ERR_AGAIN: it may already; PST_ERR_UNSUPPORTED: nothing wakes a sleeper, who
   * must look again soon. */
  int (*arm)(void);
  /* Of a network: who only sends polls after so many messages; 1 where what was sent needs that to leave. */
  unsigned serve_every;
  /* Looks up to `times` times, a pause between, for messages, and delivers the first that come: how many.
   * With `barrier` it also returns when the barrier is released. */
  int (*linger)(unsigned times, int barrier);
  /* How many messages have been delivered, modulo 2^32. */
  unsigned (*served)(void);
  /* Sleeps until something arrives, another thread has served a message since `served`, or `microseconds`
   * pass; with `barrier` also until the barrier is released; unless `watch` is NULL, also until its word is
   * no longer `seen`, where the changer rings; unless it is less than 0, also until the descriptor is
   * readable. 1: it is. */
  int (*block)(
      unsigned microseconds, int barrier, unsigned served, const struct pst_watch *watch, int descriptor);
  /* Wakes a node of this host that sleeps in block, after a store to its memory that it may wait for. Whoever
   * rings after the store is not missed, however the two meet. */
  void (*ring)(gasnet_node_t node);
  /* Optional (else over active messages): split-phase barrier of all nodes, of consensus values (below); try:
   * 1 when released, with the consensus in *result, else 0. */
  void (*barrier_notify)(uint64_t value);
  int (*barrier_try)(uint64_t *result);
  /* Optional: a wait as short as pays before the caller goes on in its own way: 1 when released, with the
   * consensus in *result, else 0. It serves no messages: the caller polls after the release. */
  int (*barrier_wait)(uint64_t *result);
  /* Optional. In the handler of a signal that ends the process: 1 when it has interrupted the conduit where
   * that cannot be closed; the conduit then calls end(sig) itself, soon. */
  int (*defer)(void (*end)(int sig), int sig);
  /* The process is about to end. Sees to it that what was sent leaves, for a short time at most. */
  void (*close)(void);
  /* In a process of its own, where nothing is open: tells what there is here. NULL: jobs can use it; else why
   * not, a text that stays. */
  const char *(*inspect)(const struct pst_inspector *tell);
};

/* The conduits that were built, by name; NULL when there is none. */
const struct pst_conduit *pst_conduit_find(const char *name);
/* The same by number from 0; NULL after the last. */
const struct pst_conduit *pst_conduit_at(unsigned i);

/* After a request was sent by a conduit: what a client that only sends serves. */
void pst_am_serve(const struct pst_conduit *c);
/* Runs the handler of a message. */
void pst_am_deliver(const struct pst_arrival *a);
void pst_am_deliver_short(gasnet_node_t src, unsigned reply, gasnet_handler_t handler, unsigned nargs,
    const gasnet_handlerarg_t *args);

/* The consensus of a barrier: what all nodes gave, combined. */
#define PST_BARRIER_ANONYMOUS (UINT64_C(1) << 32)
#define PST_BARRIER_MISMATCH  (UINT64_C(1) << 33)
#define PST_BARRIER_BITS      34 /* of a consensus word: id, anonymous, mismatch */
static inline uint64_t pst_barrier_combine(uint64_t a, uint64_t b)
{
  if ((a | b) & PST_BARRIER_MISMATCH) return PST_BARRIER_MISMATCH;
  if (a & PST_BARRIER_ANONYMOUS) return b;
  if (b & PST_BARRIER_ANONYMOUS) return a;
  return a == b ? a : PST_BARRIER_MISMATCH;
}

#endif
