/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The shared-memory conduit: what its files know of each other. */
#ifndef CONDUITS_SMP_SMP_H
#define CONDUITS_SMP_SMP_H
#include <sys/socket.h>
#include <sys/un.h>

#include "conduits/smp/queue.h"
#include "core/conduit.h"

enum { PST_SMP_REQUESTS, PST_SMP_REPLIES, PST_SMP_QUEUES };

/* One per process, in shared memory. */
struct pst_smp_node {
  alignas(128) _Atomic uint32_t sleepers;   /* threads that sleep or are about to; read by every sender */
  alignas(128) _Atomic uint32_t doorbell;   /* what they sleep on, where there is no network */
  struct sockaddr_un bell;                  /* where there is one, the address of the socket instead, */
  socklen_t bell_size;                      /* and its size; 0: none. Set at open, before anybody rings */
  alignas(128) _Atomic uint64_t barrier[2]; /* by parity: generation above the consensus word's bits */
  struct pst_smp_queue queue[PST_SMP_QUEUES];
};

/* Arrivals at the central barrier from one core. Cores whose numbers differ by PST_SMP_CORES share one. */
struct pst_smp_core {
  alignas(64) _Atomic uint64_t arrivals;     /* in all barriers so far */
  _Atomic uint32_t generation, here, before; /* in this barrier, in the last one: roughly */
};
enum { PST_SMP_CORES = 64 };

/* One per host; behind it, from the next page on, the rings of all requests' queues, then those of the
 * replies', and their data in the same order. */
struct pst_smp_shared {
  alignas(128) _Atomic uint32_t fences;   /* senders must fence before they look at sleepers: sleep.c */
  _Atomic uint64_t cores;                 /* a bit for each core[] in use */
  alignas(128) _Atomic uint32_t sleepers; /* sum over the processes */
  alignas(128) _Atomic uint64_t consensus[2];
  alignas(128) _Atomic uint64_t released;
  struct pst_smp_core core[PST_SMP_CORES];
  struct pst_smp_node node[];
};

/* The receiving end of one of this process's queues. The thread that is busy writes it. */
struct pst_smp_inbox {
  struct pst_smp_queue *queue;
  struct pst_smp_ring *ring;
  _Atomic uint64_t taken; /* slots received so far */
  uint32_t line;          /* data lines freed so far */
};

/* 1 while a thread delivers from an inbox. Under GASNET_PAR it is a lock, else a flag that keeps a handler's
 * poll from delivering inside the handler. */
struct pst_smp_busy {
  alignas(128) _Atomic uint32_t word;
};

/* Two cache lines for what a barrier needs: where processes outnumber cores, the other processes have evicted
 * every line that one touches between two yields, and that is what a barrier costs beside the switches.
 * Delivery writes the second line. */
struct pst_smp {
  alignas(128) struct pst_smp_shared *shared;
  struct pst_smp_node *self;
  struct pst_smp_ring *rings[PST_SMP_QUEUES];    /* [nodes] each */
  _Atomic uint64_t (*seen_head)[PST_SMP_QUEUES]; /* [nodes] */
  unsigned node, nodes;                          /* of this host; the first is the job's node `first` */
  unsigned first;
  int bell;             /* this node's socket; -1: none */
  uint8_t par, flat;    /* flat: few enough processes that each watches all others in a barrier */
  uint8_t last_of_core; /* a guess: no process of this core has yet to arrive at the barrier */
  uint64_t generation;  /* of the barrier notified last */
  uint64_t given;       /* this node's value in it */
  alignas(64) struct pst_smp_inbox inbox[PST_SMP_QUEUES];
  struct pst_smp_data *data[PST_SMP_QUEUES]; /* [nodes] each */
  const ptrdiff_t *delta;                    /* [nodes of the job] for copies that do not use pst_map */
  struct pst_smp_busy busy[PST_SMP_QUEUES];
};
extern struct pst_smp pst_smp;

static inline struct pst_smp_ring *pst_smp_ring_of(unsigned node, unsigned queue)
{
  return &pst_smp.rings[queue][node];
}
static inline struct pst_smp_data *pst_smp_data_of(unsigned node, unsigned queue)
{
  return &pst_smp.data[queue][node];
}

int pst_smp_am(struct pst_message *m);
int pst_smp_am_short(gasnet_node_t dest, unsigned reply, gasnet_handler_t handler, unsigned nargs,
    const gasnet_handlerarg_t *args);
/* A long's payload goes to its place. */
void pst_smp_place_long(struct pst_message *m);
int pst_smp_poll(void);
int pst_smp_poll_replies(void);

int pst_smp_put(unsigned op, gasnet_node_t node, void *dst, const void *src, size_t nbytes,
    struct pst_completion *completion);
int pst_smp_get(unsigned op, gasnet_node_t node, void *dst, const void *src, size_t nbytes,
    struct pst_completion *completion);
int pst_smp_memset(gasnet_node_t node, void *dst, int byte, size_t nbytes, struct pst_completion *completion);
int pst_smp_atomic(unsigned op, unsigned nbytes, gasnet_node_t node, void *word, uint64_t operand,
    uint64_t expected, uint64_t *value, struct pst_completion *completion);

void pst_smp_barrier_notify(uint64_t value);
int pst_smp_barrier_try(uint64_t *result);
int pst_smp_barrier_peek(void);
int pst_smp_barrier_wait(uint64_t *result);

int pst_smp_arrived(void);
int pst_smp_linger(unsigned times, int barrier);
unsigned pst_smp_served(void);
int pst_smp_block(
    unsigned microseconds, int barrier, unsigned served, const struct pst_watch *watch, int descriptor);
int pst_smp_sleep_open(int networked); /* PST_OK or an error, with the reason printed */
void pst_smp_ring(struct pst_smp_node *node);
int pst_smp_somebody_sleeps(void); /* after a store: on this host */
void pst_smp_ring_all(void);
void pst_smp_ring_node(gasnet_node_t node);

/* Between a store that others wait for and the look whether they sleep: sleep.c says why this is enough. */
static inline void pst_smp_fence_if_asked(void)
{
  atomic_signal_fence(memory_order_seq_cst);
  if (__builtin_expect(atomic_load_explicit(&pst_smp.shared->fences, memory_order_relaxed) != 0, 0))
    atomic_thread_fence(memory_order_seq_cst);
  atomic_signal_fence(memory_order_seq_cst);
}

/* After something was stored for a node to see: wakes it if it sleeps. */
static inline void pst_smp_notify(struct pst_smp_node *node)
{
  pst_smp_fence_if_asked();
  if (__builtin_expect(atomic_load_explicit(&node->sleepers, memory_order_relaxed) != 0, 0))
    pst_smp_ring(node);
}

/* lost.c */
int pst_smp_am_owning(struct pst_message *m);
void pst_smp_lost(gasnet_node_t node, gasnet_handler_t nothing);
/* Into this node's own queue, behind all that is free up to the claim's line. */
void pst_smp_send_nothing(const struct pst_smp_claim *c, gasnet_handler_t nothing);

/* inspect.c */
const char *pst_smp_inspect(const struct pst_inspector *tell);

#endif
