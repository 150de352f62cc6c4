/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The libfabric conduit: what its files know of each other. One reliable-datagram endpoint a process, one
 * completion queue. */
#ifndef CONDUITS_OFI_OFI_H
#define CONDUITS_OFI_OFI_H
#include <pthread.h>
#include <rdma/fabric.h>
#include <rdma/fi_atomic.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_rma.h>
#include <stdalign.h>

#include "conduits/ofi/library.h"
#include "conduits/net/credit.h"
#include "conduits/ofi/counts.h"
#include "conduits/ofi/faults.h"
#include "conduits/ofi/variables.h"

/* ---- operations that the provider has ---- */

enum pst_ofi_kind { PST_OFI_OP_SEND, PST_OFI_OP_GREETING, PST_OFI_OP_RMA, PST_OFI_OP_PLACE, PST_OFI_OP_RECV };
enum {
  PST_OFI_INJECT_MOST = 1024,
  PST_OFI_SMALL = 192,
  PST_OFI_BOUNCE = 8 << 10, /* where local memory must be registered: so much is copied instead */
  PST_OFI_LEAST_UNIT = 64
};

struct pst_ofi_op {
  struct fi_context2 context; /* first: the provider hands it back */
  enum pst_ofi_kind kind;
  gasnet_node_t peer;
  struct pst_completion *completion; /* RMA: on what it counts, and the events that it is for */
  unsigned events;
  _Atomic int *placed; /* PLACE: set to PST_OFI_IS_PLACED */
  struct fid_mr *mr;   /* closed when complete */
  void *bounce;        /* freed when complete */
  void *to;            /* a get: where `nbytes` of room belong */
  size_t nbytes;
  struct pst_ofi_op *next;
  struct pst_ofi_pool *pool; /* that it belongs to */
  void *desc;                /* of `room`, where the provider wants one */
  uint64_t key;              /* under which it registers local memory */
  alignas(64) char room[];   /* PST_OFI_SMALL, PST_OFI_BOUNCE or pst_ofi.message bytes */
};

/* Filled once, at open. `free` is under `lock` where there are several threads. */
struct pst_ofi_pool {
  pthread_mutex_t lock;
  struct pst_ofi_op *free;
  struct fid_mr *mr;
};

/* ---- peers ---- */

struct pst_ofi_peer {
  fi_addr_t addr;
  _Atomic uint32_t met, refused; /* see meet.c, as for this */
  _Atomic uint64_t hello;
  struct pst_ofi_counts counts;
  _Atomic int injected; /* something whose completion the provider does not report */
};

struct pst_ofi {
  int sleeps;  /* threads may sleep: processes that wait for a core, a progress thread */
  int wait_fd; /* what sleepers wait for: the completion queue's descriptor; -1: there is none */
  int crowded; /* no cores are left for threads of the provider */
  struct fi_info *info;
  struct fid_fabric *fabric;
  struct fid_domain *domain;
  struct fid_av *av;
  struct fid_cq *cq;
  struct fid_ep *ep;
  struct fid_mr **region_mr; /* [regions] */
  struct pst_ofi_peer *peer; /* [nodes] */
  uint64_t *key;             /* [regions * nodes] of a node's region: key[region * nodes + node] */
  int atomics;               /* the provider has atomic operations */
  int multi_recv;            /* a buffer takes many messages */
  int without_gaps;          /* messages in a buffer lie one directly behind the other */
  int delivery_complete;     /* else a read behind a put proves that it is visible */
  size_t inject;             /* bytes of the largest message that needs no operation; 0: all need one */
  size_t transfer;           /* the most bytes of one put or get */
  uint32_t message;          /* bytes of the largest message */
  unsigned operations;       /* in all pools together */
  size_t queue;              /* completions that `cq` holds */
  _Atomic unsigned
      in_flight; /* operations that the provider has, receives excepted (relaxed: orders nothing) */
};
extern struct pst_ofi pst_ofi;

/* agree.c: chooses the provider, into pst_ofi.info. Collective. PST_OK or an error. Where no provider serves
 * all nodes the job ends, or with only_asked all nodes return PST_ERR_UNSUPPORTED. */
int pst_ofi_agree(int one_host, int only_asked);

/* info.c: which providers this host has, and what they can. An unsafe provider is taken only where
 * GASNET_OFI_PROVIDER names it: what strangers write to its ports makes its threads hang. */
#define PST_OFI_UNSAFE "sockets"
enum { PST_OFI_NAMES = 8, PST_OFI_NAME = 48, PST_OFI_ASK_ALL = 15 };
int pst_ofi_offer(
    int one_host, char names[PST_OFI_NAMES][PST_OFI_NAME]); /* in libfabric's order, the rest empty */
int pst_ofi_take(const char *name,
    unsigned may); /* which abilities of the set `may` are granted; -1: the provider cannot serve */
int pst_ofi_mixes_up(const char *name);      /* the provider fails with many operations at a time */
void pst_ofi_settle(void);                   /* the job uses the provider that was taken last */
void pst_ofi_forget(void);                   /* frees the list of offered providers */
int pst_ofi_reaches_hosts(const char *name); /* of an offered provider: whether it spans hosts */
const char *pst_ofi_error(ssize_t rc);       /* text for a negative return */
void pst_ofi_refuse(const char *name);       /* says why this provider, or "" any, does not serve */
const char *pst_ofi_why_none(void);          /* why no provider serves */

/* ep.c: libfabric's objects in pst_ofi, from the fabric to the endpoint. NULL, or the call that fails, and
 * its *rc: then close what has been opened. `unregister` closes the memory that was registered. */
const char *pst_ofi_objects_open(int *rc);
void pst_ofi_objects_close(void (*unregister)(void));

/* op.c: NULL when none is left. pst_ofi_op_free is for an op that the provider did not take, pst_ofi_op_done
 * for one that is complete. */
int pst_ofi_op_open(unsigned most);
struct pst_ofi_op *pst_ofi_op_message(unsigned stream, size_t nbytes, gasnet_node_t peer);
struct pst_ofi_op *pst_ofi_op_transfer(enum pst_ofi_kind kind, gasnet_node_t peer);
struct pst_ofi_op *pst_ofi_op_bounce(
    enum pst_ofi_kind kind, size_t nbytes, gasnet_node_t peer); /* room for so many */
void pst_ofi_op_free(struct pst_ofi_op *op);
void pst_ofi_op_done(struct pst_ofi_op *op);
void pst_ofi_op_close(void);

/* register.c: registers memory with the provider. A local buffer is registered only where the provider wants
 * that (else *mr is NULL). The key must be free at the time; pst_ofi_register_key() returns a new one. */
static inline int pst_ofi_has_mode(uint64_t mode) { return (pst_ofi.info->domain_attr->mr_mode & mode) != 0; }
int pst_ofi_register(const void *p, size_t nbytes, uint64_t access, uint64_t key, struct fid_mr **mr);
int pst_ofi_register_local(const void *p, size_t nbytes, uint64_t access, uint64_t key, struct fid_mr **mr);
uint64_t pst_ofi_register_key(void);
void pst_ofi_unregister(struct fid_mr **mr);
int pst_ofi_keys(void); /* registers this node's regions, and learns the keys of all */

/* receive.c: buffers that the provider fills. */
int pst_ofi_receive_open(void);
void pst_ofi_receive_close(void);
unsigned pst_ofi_receive_buffers(void); /* how many there will be */
void pst_ofi_receive_hold(
    const struct fi_cq_data_entry *e); /* by the queue's reader; then receive_done by any thread */
void pst_ofi_receive_done(const struct fi_cq_data_entry *e);
void pst_ofi_receive_failed(void *buffer, uint64_t flags); /* by the reader: the sender has ended */
void pst_ofi_receive_retry(void);

/* progress.c */
int pst_ofi_progress(void); /* completions handled */
int pst_ofi_serve(void);    /* the same by the progress thread: no handler runs; -1: another thread reads */
void pst_ofi_sleep(int milliseconds); /* the progress thread's */
int pst_ofi_arm(void);
int pst_ofi_poll(void);
int pst_ofi_poll_replies(void);
int pst_ofi_flush(double seconds); /* 1: nothing is under way any more */

/* meet.c: first contact. */
void pst_ofi_meet(gasnet_node_t peer);
static inline int pst_ofi_met(gasnet_node_t peer) /* 0: the peer is greeted, and the caller tries again */
{
  if (__builtin_expect(atomic_load_explicit(&pst_ofi.peer[peer].met, memory_order_relaxed) != 0, 1)) return 1;
  pst_ofi_meet(peer);
  return 0;
}
void pst_ofi_greeted(gasnet_node_t src, enum pst_net_form form);
void pst_ofi_meet_failed(gasnet_node_t peer, int err);

/* lost.c: peers that cannot be reached (a positive error of libfabric), and messages that never came. */
void pst_ofi_lost(gasnet_node_t peer, int err);
void pst_ofi_counted(const struct pst_net_head *h); /* takes a COUNT or COUNTED */
void pst_ofi_watch(void);

/* am.c */
int pst_ofi_am(struct pst_message *m);
int pst_ofi_am_reporting(struct pst_message *m); /* the slot where losses are reported */
int pst_ofi_am_send(struct pst_message *m, enum pst_net_form form, size_t nbytes); /* for net/credit.c */
pst_ofi_tell_fn pst_ofi_tell;
void pst_ofi_chase(void); /* so that the provider's completions show that what was injected has left, too */

/* rma.c */
int pst_ofi_put(unsigned op, gasnet_node_t node, void *dst, const void *src, size_t nbytes,
    struct pst_completion *completion);
int pst_ofi_get(unsigned op, gasnet_node_t node, void *dst, const void *src, size_t nbytes,
    struct pst_completion *completion);
struct fi_rma_iov pst_ofi_remote(
    gasnet_node_t node, const void *p, size_t nbytes); /* as the provider knows it */
/* Starts writing a long's payload; m->placed becomes PST_OFI_IS_PLACED when it is visible at the target. */
enum { PST_OFI_NOT_PLACED, PST_OFI_PLACING, PST_OFI_IS_PLACED };
void pst_ofi_place(struct pst_message *m);

/* atomic.c */
int pst_ofi_atomic(unsigned op, unsigned nbytes, gasnet_node_t node, void *word, uint64_t operand,
    uint64_t expected, uint64_t *value, struct pst_completion *completion);
const char *pst_ofi_lacks_atomics(void);

/* inspect.c */
const char *pst_ofi_inspect(const struct pst_inspector *tell);

/* probe.c */
int pst_ofi_is_native(const char *provider); /* the provider does without the kernel's sockets */
enum pst_conduit_grade pst_ofi_grade(void);
double pst_ofi_probe(const struct pst_conduit_job *job, gasnet_node_t peer);

#endif
