/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The UCX conduit: what its files know of each other. One UCP worker a process, an endpoint a peer, made when
 * a node first talks to it.
 *
 * One lock (call.h) is around every call of UCP, and around what its callbacks change: they run inside
 * ucp_worker_progress, and so under it. They run no handlers, for a client's handler may take as long as it
 * likes: messages wait in net/deliver.c. */
#ifndef CONDUITS_UCX_UCX_H
#define CONDUITS_UCX_UCX_H
#include "conduits/net/credit.h"
#include "conduits/ucx/library.h"
#include "conduits/ucx/faults.h"
#include "conduits/ucx/variables.h"

/* Kinds of messages, as UCP numbers them. */
enum { PST_UCX_AM_MESSAGE, PST_UCX_AM_LONG, PST_UCX_AM_BULK, PST_UCX_AM_KINDS };

/* ---- operations: what UCP may still read when a call has returned ---- */

enum { PST_UCX_SMALL = 256 };

struct pst_ucx_op {
  struct pst_ucx_op *next;
  struct pst_ucx_pool *pool; /* that it belongs to */
  uint32_t index;            /* in its pool */
  gasnet_node_t peer;
  ucp_request_param_t param;  /* of a message: it is freed when that has been sent */
  _Atomic int *placed;        /* a long: set to PST_UCX_IS_PLACED when its source has been read; or NULL */
  struct pst_ucx_bulk_state { /* of a transfer by messages (bulk.c) */
    int kind;                 /* of the message that the peer must answer with; 0: none */
    unsigned uses;            /* events that must happen before the operation is free */
    struct pst_completion *completion;
    unsigned events; /* what the last use is for, and the end of the sending */
    unsigned sent;
    char *to;
    size_t nbytes;
    void *bounce;
  } bulk;
  alignas(16) char room[];
};

/* Filled once, at open; `free` is under `lock`. */
struct pst_ucx_pool {
  pthread_mutex_t lock;
  struct pst_ucx_op *free;
  char *slab;
  size_t stride;
  unsigned count;
};
extern struct pst_ucx_pool pst_ucx_small[PST_NET_STREAMS], pst_ucx_large[PST_NET_STREAMS]; /* messages */
extern struct pst_ucx_pool pst_ucx_transfers,
    pst_ucx_answers; /* for bulk.c: this node's transfers, and answers to those of others */
int pst_ucx_op_open(void);
struct pst_ucx_op *pst_ucx_op_at(
    struct pst_ucx_pool *pool, uint64_t index); /* any index: NULL where there is none */

/* ---- peers: all under the lock ---- */

/* A region of a peer. */
struct pst_ucx_memory {
  void *key;       /* packed; NULL: the region is empty */
  ucp_rkey_h rkey; /* NULL before the first transfer */
  char *_Atomic
      direct; /* where UCX maps the region here: set once (release), and read without the lock (acquire) */
};

struct pst_ucx_peer {
  ucp_ep_h ep;                   /* NULL before the first call */
  struct pst_ucx_memory *memory; /* [regions]; NULL before attach */
  int gone;                      /* no endpoint can be made: the job ends */
  int by_message;                /* its transports have no one-sided transfers: UCX would send small pieces */
  int flush_is_free;             /* the last flush was complete at once */
  unsigned flushing;             /* flushes under way */
  struct pst_ucx_batch *open;    /* puts that no flush follows yet */
  void *address;                 /* packed */
};

struct pst_ucx {
  ucp_context_h context;
  ucp_worker_h worker;
  ucp_mem_h *memory;          /* [regions] of this node; NULL where one is empty */
  int atomics;                /* the context was asked for them */
  int efd;                    /* descriptor that a progress thread sleeps on; -1: there is none */
  uint32_t message;           /* bytes of the largest message */
  struct pst_ucx_peer *peer;  /* [nodes] */
  _Atomic unsigned in_flight; /* operations that UCP has (relaxed: orders nothing) */
};
extern struct pst_ucx pst_ucx;

/* NULL: none is left. */
static inline struct pst_ucx_op *pst_ucx_op_take(struct pst_ucx_pool *pool, gasnet_node_t peer)
{
  struct pst_ucx_op *op;
  pst_net_lock(&pool->lock);
  op = pool->free;
  if (op) pool->free = op->next;
  pst_net_unlock(&pool->lock);
  if (!op) return NULL;
  op->peer = peer;
  op->placed = NULL;
  pst_net_add(&pst_ucx.in_flight, 1);
  return op;
}

static inline struct pst_ucx_op *pst_ucx_op_message(unsigned stream, size_t nbytes, gasnet_node_t peer)
{
  return pst_ucx_op_take(nbytes <= PST_UCX_SMALL ? &pst_ucx_small[stream] : &pst_ucx_large[stream], peer);
}

static inline void pst_ucx_op_give(struct pst_ucx_op *op)
{
  struct pst_ucx_pool *pool = op->pool;
  pst_net_lock(&pool->lock);
  op->next = pool->free;
  pool->free = op;
  pst_net_unlock(&pool->lock);
}

static inline void pst_ucx_op_free(struct pst_ucx_op *op)
{
  pst_net_add(&pst_ucx.in_flight, -1u);
  pst_ucx_op_give(op);
}

const char *pst_ucx_error(ucs_status_t status);
void pst_ucx_lost(gasnet_node_t peer, ucs_status_t status);

/* worker.c: pst_ucx.context and worker. A failure is printed. */
int pst_ucx_open_context(void);
int pst_ucx_open_worker(void);
const char *pst_ucx_why(void); /* the last failure */

/* peer.c. PST_OK, or PST_ERR_AGAIN: the peer cannot be reached now, or ever. Under the lock. */
int pst_ucx_connect(gasnet_node_t peer);
int pst_ucx_connect_rma(gasnet_node_t peer, unsigned region); /* and its key */
int pst_ucx_exchange_addresses(void);
int pst_ucx_exchange_keys(int alone); /* registers this node's regions */
int pst_ucx_connect_self(void);       /* 1: UCX reaches this node itself */
int pst_ucx_has_device_atomics(void); /* afterwards; 1: a device carries them out, for all peers alike */
int pst_ucx_maps_segments(
    void); /* whether UCX maps them into other processes: tries it with this node's own */

/* receive.c */
int pst_ucx_receive_open(void);
/* Takes the data of a message to its place, and calls done(context) when they are there, maybe at once.
 * Returns what UCP's callback must return. */
ucs_status_t pst_ucx_receive_into(gasnet_node_t src, void *to, void *data, size_t nbytes,
    const ucp_am_recv_param_t *param, void (*done)(void *context), void *context);

/* progress.c */
int pst_ucx_progress(void); /* how much was found */
int pst_ucx_serve(void);    /* the same by the progress thread; -1: another thread is at it */
void pst_ucx_sleep(int milliseconds);
int pst_ucx_poll(void);
int pst_ucx_poll_replies(void);
int pst_ucx_flush(double seconds);    /* 1: nothing is under way any more */
int pst_ucx_flush_worker(double end); /* the same of UCP alone, until that time */

/* am.c */
int pst_ucx_am(struct pst_message *m);
int pst_ucx_am_reporting(struct pst_message *m);                 /* the slot where losses are reported */
void pst_ucx_sent(void *request, ucs_status_t status, void *op); /* frees it */
int pst_ucx_am_send(struct pst_message *m, enum pst_net_form form, size_t nbytes); /* for net/credit.c */

enum { PST_UCX_NOT_PLACED, PST_UCX_PLACING, PST_UCX_IS_PLACED };

/* rma.c */
int pst_ucx_put(unsigned op, gasnet_node_t node, void *dst, const void *src, size_t nbytes,
    struct pst_completion *completion);
int pst_ucx_get(unsigned op, gasnet_node_t node, void *dst, const void *src, size_t nbytes,
    struct pst_completion *completion);
int pst_ucx_rma_open(void);
extern struct pst_ucx_batch *pst_ucx_open_batches; /* under the lock, as the function that flushes them */
void pst_ucx_flush_batches(void);

/* bulk.c: transfers by messages. 1: under way; PST_ERR_AGAIN. */
int pst_ucx_bulk_put(gasnet_node_t node, void *dst, const void *src, size_t nbytes, void *bounce,
    struct pst_completion *completion);
int pst_ucx_bulk_get(
    gasnet_node_t node, void *dst, const void *src, size_t nbytes, struct pst_completion *completion);
ucs_status_t pst_ucx_bulk_arrived(
    const void *header, size_t header_bytes, void *data, size_t nbytes, const ucp_am_recv_param_t *param);
extern struct pst_ucx_answer *pst_ucx_late_answers; /* answers that could not be sent at once; under the lock,
                                                       as the function that sends them */
void pst_ucx_bulk_answer(void);

/* atomic.c */
int pst_ucx_atomic(unsigned op, unsigned nbytes, gasnet_node_t node, void *word, uint64_t operand,
    uint64_t expected, uint64_t *value, struct pst_completion *completion);
const char *pst_ucx_lacks_atomics(void);

/* inspect.c */
const char *pst_ucx_inspect(const struct pst_inspector *tell);

/* probe.c */
char *pst_ucx_describe_context(void); /* UCX's own words, to be freed; NULL: no memory */
int pst_ucx_has_device(void);         /* the open context has a device of InfiniBand's class */
enum pst_conduit_grade pst_ucx_grade(void);
double pst_ucx_probe(const struct pst_conduit_job *job, gasnet_node_t peer);

#endif
