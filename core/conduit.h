/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The contract between the core and a conduit: a constant table of functions that every conduit has, and a
 * second table for shared memory or for a network.
 *
 * Data-path slots never block: they return PST_ERR_AGAIN when there is no room, and the core makes progress
 * and repeats. A conduit hands arriving messages to pst_am_deliver(), inside poll and poll_replies alone. */
#ifndef CORE_CONDUIT_H
#define CORE_CONDUIT_H
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "core/completion.h"
#include "core/inspect.h"
#include "gasnet.h"
#include "support/error.h"
#include "core/viscost.h"

/* For the code and data of waits and barriers, which lie together in the program: where processes take turns
 * on a core, the processor looks up anew every page that one of them touches between two yields. */
#define PST_HOT      __attribute__((hot))
#define PST_HOT_DATA __attribute__((section(".data.penstock_hot")))

enum pst_am_kind { PST_AM_SHORT, PST_AM_MEDIUM, PST_AM_LONG };

/* A message to be sent. The caller owns all that it points to; the conduit does not look at it after the slot
 * has returned. */
struct pst_message {
  gasnet_node_t dest;
  uint8_t kind;  /* enum pst_am_kind */
  uint8_t reply; /* 0 request, 1 reply */
  uint8_t async; /* a long's source does not change before the reply: no copy needed */
  gasnet_handler_t handler;
  unsigned nargs;
  const gasnet_handlerarg_t *args;
  const void *payload;
  /* NULL, or in place of `payload` a function that writes a medium's nbytes to where the conduit sends them
   * from. The conduit calls it once. The function must not wait: the receiver may have to wait for it. */
  void (*fill)(void *context, char *to);
  void *context;
  void
      *started; /* NULL at first; the conduit keeps a buffer here that `fill` has written, until it is sent */
  size_t nbytes;
  void *dest_addr;    /* long: in the target's segment, as the target sees it */
  _Atomic int placed; /* 0 at first; the conduit notes here that a long's payload is in its place already */
};

static inline struct pst_message pst_message_short(gasnet_node_t dest, unsigned reply,
    gasnet_handler_t handler, unsigned nargs, const gasnet_handlerarg_t *args)
{
  return (struct pst_message){.dest = dest,
      .kind = PST_AM_SHORT,
      .reply = (uint8_t)reply,
      .handler = handler,
      .nargs = nargs,
      .args = args};
}

/* A message that has arrived. The conduit owns all of it, until pst_am_deliver returns. */
struct pst_arrival {
  gasnet_node_t src;
  uint8_t kind, reply;
  gasnet_handler_t handler;
  unsigned nargs;
  const gasnet_handlerarg_t *args;
  void *payload; /* medium: aligned to 8; long: the address in this node's segment */
  size_t nbytes;
};

/* The most bytes that messages carry. max_medium is 4096 at least. */
struct pst_conduit_limits {
  size_t max_medium, max_long_request, max_long_reply;
  size_t max_filled;      /* of a medium that `fill` writes; max_medium or more */
  struct pst_viscost vis; /* what transfers and messages of this conduit cost */
};

/* A word that a waiter looks at, and what it held when the waiter last looked; NULL, or a further one. */
struct pst_watch {
  const _Atomic uint64_t *word;
  uint64_t seen;
  const struct pst_watch *next;
};

/* Which of a network's own atomic operations are wanted: none; those that its devices carry out; any. */
enum pst_conduit_atomics { PST_ATOMICS_NONE, PST_ATOMICS_BY_DEVICE, PST_ATOMICS_ANY };

/* What a conduit learns of the job when it opens. */
struct pst_conduit_job {
  unsigned node, nodes;
  unsigned first, local; /* this host's nodes: first .. first+local-1 */
  unsigned shared_with;  /* how many of those share memory with this node; itself counts */
  unsigned cores;        /* that the processes of this host may run on */
  int par;               /* several threads may call every slot at once */
  /* Collective over the job: every node's blob of `size` bytes, at most 4096, into all[nodes * size]. */
  void (*exchange)(const void *mine, size_t size, void *all);
  struct {         /* for the conduit of shared memory */
    void *shared;  /* shared_size() bytes, zeroed at first, the same memory in all processes of the host */
    int networked; /* a network serves beside it: `block` may be given a descriptor */
  } host;
  struct {                 /* for a network */
    int thread;            /* a thread is wanted that serves the network while the client computes */
    int background;        /* handlers may run in that thread */
    int (*send_old)(void); /* the thread calls it: sends what the client's threads have kept back for long; 1
                              where something is left that it must send soon */
    enum pst_conduit_atomics atomics;
  } network;
};

/* What a conduit learns of the segments when they are attached; the arrays outlive it. */
struct pst_conduit_segments {
  unsigned regions; /* of each node: number 0, the segment, and further ones (core/region.h) */
  const gasnet_seginfo_t *const *info; /* [regions][nodes] as each node sees its own */
  const gasnet_seginfo_t *own;         /* [regions] this node's */
  const ptrdiff_t *delta; /* [nodes] what to add to an address of a node of this host for access here */
};

/* What a network's library finds on a node, from worst to best: nothing; a network by the kernel's sockets;
 * hardware that the library reaches itself. */
enum pst_conduit_grade { PST_GRADE_NONE, PST_GRADE_SOCKETS, PST_GRADE_NATIVE };

enum { PST_NO_PEER = UINT32_MAX };

/* What the conduit of shared memory has beside the slots of every conduit. A job uses one such table, which
 * is pst_job.host. */
struct pst_host_slots {
  /* The same conduit for jobs that go on without lost nodes. Its messages may cost more. */
  const struct pst_conduit *reporting;
  /* There: the node, of any host, is lost. Its messages that are not complete must not keep others back: what
   * is to be delivered in their place is a short message to the handler `nothing`. Sends nothing and waits
   * for nothing. */
  void (*lost)(gasnet_node_t node, gasnet_handler_t nothing);
  /* Bytes of memory that `local` processes of a host share. */
  size_t (*shared_size)(unsigned local);
  /* Looks up to `times` times for messages, with a pause between two looks, and delivers the first that come.
   * Returns how many. With `barrier` it returns also when the barrier is released. */
  int (*linger)(unsigned times, int barrier);
  /* Sleeps until something arrives, another thread has served a message since `served`, or `microseconds`
   * pass. With `barrier` it also wakes when the barrier is released. With a `watch` it also wakes when a node
   * has changed the word and rings. With a descriptor, 0 or more, it also wakes when that is readable, and
   * returns 1 if it is. */
  int (*block)(
      unsigned microseconds, int barrier, unsigned served, const struct pst_watch *watch, int descriptor);
  /* Wakes a node of this host that sleeps in `block`, after a store to its memory that the node may wait for.
   * A ring after the store is never lost, whatever the sleeper does meanwhile. */
  void (*ring)(gasnet_node_t node);
  /* After such a store: 0 where no node of this host has to be woken. */
  int (*sleeps)(void);
  /* Optional (else over active messages): split-phase barrier of all nodes, with consensus values (below).
   * try: 1 when released, with the consensus in *result, else 0. */
  void (*barrier_notify)(uint64_t value);
  int (*barrier_try)(uint64_t *result);
  /* Optional: waits for as short a time as pays before the caller waits in its own way. 1 when released, with
   * the consensus in *result, else 0. It serves no messages: the caller polls after the release. */
  int (*barrier_wait)(uint64_t *result);
};

/* What a network has beside the slots of every conduit. The first two are called before it is open, the
 * others are optional. */
struct pst_network_slots {
  /* What the library finds on this node. NULL, like probe: core/choose.c never chooses this network. */
  enum pst_conduit_grade (*grade)(void);
  /* Collective: microseconds of a round trip between this node and its peer; less than 0 where it fails. All
   * nodes but those two pass PST_NO_PEER. Nothing stays open. */
  double (*probe)(const struct pst_conduit_job *job, gasnet_node_t peer);
  /* For a conduit with an `atomic` slot, when attached: NULL where the network has all operations of the
   * wanted kind, on words of 4 and 8 bytes of any node, also of this one; else the reason. */
  const char *(*lacks_atomics)(void);
  /* Called before a thread sleeps. A descriptor that becomes readable when poll may find something, from now
   * on; PST_ERR_AGAIN: poll may find something already; PST_ERR_UNSUPPORTED: nothing wakes a sleeper, which
   * must look again soon. */
  int (*arm)(void);
  /* All or none: of jobs that go on without lost nodes. These slots replace the conduit's own, from `attach`
   * on, and it has no transfers, for a transfer must end, and its memory have another use, also where the
   * node at the other end is lost. Long messages have at most max_long bytes. */
  struct {
    int (*attach)(const struct pst_conduit_segments *s);
    int (*am)(struct pst_message *m);
    size_t max_long;
  } reporting;
  /* There: the node, of any host, is lost. From now on `am` drops messages to it: it returns PST_OK, and
   * frees what it has kept of one that it had begun. Sends nothing and waits for nothing. */
  void (*lost)(gasnet_node_t node);
  /* Called in the handler of a signal that ends the process: 1 when the signal has interrupted the conduit at
   * a point where it cannot be closed; the conduit then soon calls end(sig) itself. */
  int (*defer)(void (*end)(int sig), int sig);
};

/* The slots of every conduit. One of the two further tables is NULL. */
struct pst_conduit {
  const char *name;
  const struct pst_host_slots *host;
  const struct pst_network_slots *net;
  /* The most that messages carry: in the open conduit, or else in any job. */
  void (*limits)(struct pst_conduit_limits *limits);
  /* Creates queues or endpoints. Collective. PST_OK or an error that ends the job. */
  int (*open)(const struct pst_conduit_job *job);
  /* The segments are known. Collective. PST_OK or an error that ends the job. */
  int (*attach)(const struct pst_conduit_segments *s);
  /* Sends. PST_OK: sent, all is copied. PST_ERR_AGAIN: no room. A handler may send replies; the library's own
   * handlers send several. */
  int (*am)(struct pst_message *m);
  /* Optional (else by `am`): the same for a short message, the commonest, without the struct. */
  int (*am_short)(gasnet_node_t dest, unsigned reply, gasnet_handler_t handler, unsigned nargs,
      const gasnet_handlerarg_t *args);
  /* Optional (else the reference over active messages): contiguous transfers. PST_OK when complete; 1 when it
   * counts on *completion until it is. Without PST_OP_BULK in op a put's source may be reused on return; with
   * it, when the operation no longer counts as PST_LOCAL, or did not from the start. */
  int (*put)(unsigned op, gasnet_node_t node, void *dst, const void *src, size_t nbytes,
      struct pst_completion *completion);
  int (*get)(unsigned op, gasnet_node_t node, void *dst, const void *src, size_t nbytes,
      struct pst_completion *completion);
  int (*memset)(gasnet_node_t node, void *dst, int byte, size_t nbytes, struct pst_completion *completion);
  /* Optional, likewise: an operation of gasnetx.h on a word of nbytes. Unless `value` is NULL the word's old
   * value is in *value at completion, and the operation counts as a get; else as a put. */
  int (*atomic)(unsigned op, unsigned nbytes, gasnet_node_t node, void *word, uint64_t operand,
      uint64_t expected, uint64_t *value, struct pst_completion *completion);
  /* Delivers messages that have arrived, a bounded number; returns how many. poll_replies: only replies, also
   * inside a request's handler. */
  int (*poll)(void);
  int (*poll_replies)(void);
  /* A client that only sends by this conduit polls the job's network after so many messages, a power of two:
   * 1 where the network sends only when it is polled. */
  unsigned serve_every;
  /* How many messages have been delivered, modulo 2^32. */
  unsigned (*served)(void);
  /* The process is about to end. Waits until what was sent has left, for a short time at most. */
  void (*close)(void);
  /* Called in a process of its own, where nothing is open: tells what it finds. NULL: jobs can use the
   * conduit; else why not, in static text. */
  const char *(*inspect)(const struct pst_inspector *tell);
};

/* The conduits that were built, by name; NULL when there is none. */
const struct pst_conduit *pst_conduit_find(const char *name);
/* The same by number from 0; NULL after the last. */
const struct pst_conduit *pst_conduit_at(unsigned i);

/* Called after a request was sent by conduit `c`. Serves messages, so that a client that only sends serves,
 * too. */
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
