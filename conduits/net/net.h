/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What the conduits over networks share. A job opens one of them. */
#ifndef CONDUITS_NET_NET_H
#define CONDUITS_NET_NET_H
#include <pthread.h>
#include <signal.h>
#include <stdalign.h>

#include "conduits/net/message.h"

struct pst_net {
  char library[64]; /* its name and what it moves data with, for error texts: "libfabric (net)" */
  unsigned node, nodes;
  int par;                               /* several threads call the library */
  int has_thread;                        /* there is a progress thread */
  int background;                        /* that thread may run handlers */
  int (*send_old)(void);                 /* that thread calls it: struct pst_conduit_job */
  enum pst_conduit_atomics atomics;      /* which of the library's are wanted */
  int is_open;                           /* there is something to be closed */
  char **host;                           /* [nodes] name of its host */
  unsigned regions;                      /* 0 before attach */
  const gasnet_seginfo_t *const *region; /* [regions][nodes] */
  const gasnet_seginfo_t *own;           /* [regions] */
  _Atomic unsigned
      served; /* handlers that have run (release; a thread that waits for their effects: acquire) */
  _Atomic unsigned
      looks; /* a hint (relaxed): by the client at the network, where a progress thread wants to know */
  _Atomic int closing; /* peers may be gone already (relaxed) */
  /* Where losses are reported: [nodes] 1 where the node is lost (relaxed: what is still sent to it, or comes
   * from it, does no harm). Elsewhere NULL. Set once (release): a progress thread may be there. */
  _Atomic uint8_t *_Atomic lost;
  void (*exchange)(const void *mine, size_t size, void *all);
};
extern struct pst_net pst_net;

/* The region of a node that an address is in; 0, the segment, where it is in none. */
static inline unsigned pst_net_region(gasnet_node_t node, const void *addr)
{
  for (unsigned r = 1; r < pst_net.regions; r++)
    if ((uintptr_t)addr - (uintptr_t)pst_net.region[r][node].addr < pst_net.region[r][node].size) return r;
  return 0;
}

/* Ends the job: the client gave an address that is not in that node's memory. */
_Noreturn void pst_net_outside(gasnet_node_t node, const void *addr, size_t nbytes);

/* Which of this node's memory other nodes may reach, for the decoders. */
static inline struct pst_net_receiver pst_net_here(void)
{
  struct pst_net_receiver here = {.node = pst_net.node, .nodes = pst_net.nodes};
  if (pst_net.regions == 0) return here;
  here.segment = pst_net.own[0];
  here.others = pst_net.own + 1;
  here.count = pst_net.regions - 1;
  return here;
}
void pst_net_attach(const struct pst_conduit_segments *segments);

/* The first step of a conduit's open: notes what the job is like. */
void pst_net_open(const struct pst_conduit_job *job);

static inline uint32_t pst_net_count(_Atomic uint32_t *n)
{
  return atomic_load_explicit(n, memory_order_relaxed);
}

/* Adds to a count, modulo 2^32; returns what it was. A process with one thread needs no locked
 * instruction. */
static inline uint32_t pst_net_add(_Atomic uint32_t *n, uint32_t by)
{
  uint32_t before;
  if (pst_net.par) return atomic_fetch_add_explicit(n, by, memory_order_relaxed);
  before = atomic_load_explicit(n, memory_order_relaxed);
  atomic_store_explicit(n, before + by, memory_order_relaxed);
  return before;
}

/* A signal that ends the process must not end it while this thread is inside a call of the library or holds a
 * lock. The depth says how many of these it is in, one inside the other; 0: none. `end` is to be called when
 * the depth is 0 again: see call.h. */
extern _Thread_local volatile sig_atomic_t pst_net_call_depth __attribute__((tls_model("initial-exec")));
extern struct pst_net_call_asked {
  void (*volatile end)(int sig);
  volatile sig_atomic_t sig;
} pst_net_call_asked;
static inline void pst_net_deeper(void)
{
  pst_net_call_depth++;
  atomic_signal_fence(memory_order_seq_cst);
}
static inline void pst_net_out(void)
{
  atomic_signal_fence(memory_order_seq_cst);
  pst_net_call_depth--;
  if (__builtin_expect(pst_net_call_asked.end != NULL, 0) && pst_net_call_depth == 0)
    pst_net_call_asked.end(pst_net_call_asked.sig);
}

/* A lock, which a process with one thread does not take. */
static inline void pst_net_lock(pthread_mutex_t *lock)
{
  if (!pst_net.par) return;
  pst_net_deeper();
  pthread_mutex_lock(lock);
}
static inline int pst_net_trylock(pthread_mutex_t *lock)
{
  if (!pst_net.par) return 1;
  pst_net_deeper();
  if (pthread_mutex_trylock(lock) == 0) return 1;
  pst_net_out();
  return 0;
}
static inline void pst_net_unlock(pthread_mutex_t *lock)
{
  if (!pst_net.par) return;
  pthread_mutex_unlock(lock);
  pst_net_out();
}

/* deliver.c: what was received. */
extern _Thread_local unsigned pst_net_replies_only,
    pst_net_nothing_runs __attribute__((tls_model("initial-exec"))); /* requests must wait, or all: depth */
void pst_net_message(const void *message,
    size_t nbytes); /* where it lies, aligned to 4, if it may run now; else a copy waits */
void pst_net_keep(const void *message, size_t nbytes); /* a copy waits */
int pst_net_borrow(const void *message,
    size_t nbytes); /* it waits where it lies: 1; 0: it was for the conduit, and is done with */
extern void (*pst_net_give_back)(const void *message); /* what was borrowed */
/* A message whose payload is still to come: a copy, in its parts, which waits when that is here; NULL: it was
 * for the conduit. */
struct pst_net_waiting *pst_net_hold(const void *message, size_t nbytes, const struct pst_net_parts **parts);
void pst_net_deliver_later(struct pst_net_waiting *w);
/* Invariant: 1 while some message of the stream waits, else 0; changed under the stream's lock. It is read
 * without the lock: a thread that reads 0 while another one adds a message finds the message at its next
 * look, and sleeps on a network are short. */
extern _Atomic int pst_net_any_waiting[PST_NET_STREAMS];
int pst_net_deliver_some(unsigned stream);
static inline int pst_net_deliver_waiting(
    unsigned stream) /* a number that is bounded: what these handlers wait for may bring more */
{
  return atomic_load_explicit(&pst_net_any_waiting[stream], memory_order_acquire)
      ? pst_net_deliver_some(stream)
      : 0;
}
static inline unsigned pst_net_served(void)
{
  return atomic_load_explicit(&pst_net.served, memory_order_acquire);
}

/* NULL, or a function of the conduit that is called with the head of each message before its handler runs.
 * Forms beyond CREDIT are for it alone; without it they are malformed. */
extern void (*pst_net_heard)(const struct pst_net_head *h);
_Noreturn void pst_net_malformed(const void *message, size_t nbytes);

/* lost.c: peers that cannot be reached, and why (text that stays). */
enum { PST_NET_SOME_PEER = UINT32_MAX }; /* the library does not say which */
void pst_net_lost(gasnet_node_t peer, const char *why);
void pst_net_watch(double now);
void pst_net_report_losses(void);        /* before attach: from now on nodes may be lost */
void pst_net_forget(gasnet_node_t node); /* it is lost */
unsigned pst_net_count_lost(void);
static inline int pst_net_reports(void)
{
  return __builtin_expect(atomic_load_explicit(&pst_net.lost, memory_order_relaxed) != NULL, 0);
}
static inline int pst_net_is_lost(gasnet_node_t node)
{
  const _Atomic uint8_t *lost = atomic_load_explicit(&pst_net.lost, memory_order_acquire);
  return __builtin_expect(lost != NULL, 0) && atomic_load_explicit(&lost[node], memory_order_relaxed);
}
const char *pst_net_host(gasnet_node_t peer);
int pst_net_learn_host(
    gasnet_node_t node, const char *name, size_t most); /* of the nodes in order. PST_OK or PST_ERR_NOMEM */
double pst_net_now(void);                               /* seconds */

/* descriptors.c: open raises the limit, if it can, so that there may be connections to so many peers; look,
 * which any thread may call, looks once a second whether a descriptor is left. */
void pst_net_descriptors_open(unsigned peers);
void pst_net_descriptors_look(double now);
/* After a call of the library failed: NULL, or a text, which stays, of the limit that the process may have
 * reached. */
const char *pst_net_limit_reached(void);

/* thread.c: with GASNET_PROGRESS_THREAD. serve: -1 when another thread serves the network, else how much it
 * has found; sleep: returns after so many milliseconds at most, or when there may be something to serve. */
struct pst_net_thread {
  int (*serve)(void);
  void (*sleep)(int milliseconds);
};
int pst_net_thread_open(const struct pst_net_thread *t); /* nothing where none is wanted */
void pst_net_thread_close(void);
void pst_net_nap(unsigned microseconds); /* less than a second */

/* The count is only a hint: it does no harm when several threads count at once and a look is lost. */
static inline void pst_net_count_look(void)
{
  if (pst_net.has_thread)
    atomic_store_explicit(
        &pst_net.looks, atomic_load_explicit(&pst_net.looks, memory_order_relaxed) + 1, memory_order_relaxed);
}

/* Ends an open conduit: waits until what was sent has left, stops calls, and closes the library's objects;
 * each step takes a short time at most. */
struct pst_net_end {
  int (*flush)(double seconds); /* 1: nothing is under way any more */
  void *(*close)(void *unused);
  int unflushed; /* closes even where something is still under way */
};
void pst_net_close(const struct pst_net_end *end);

#endif
