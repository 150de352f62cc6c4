/* Broadcast along a binomial tree of medium messages, pipelined in pieces.
 *
 * Every node calls the same broadcasts in the same order, so they are numbered. A piece that comes before its node has
 * called (the parent is ahead) waits in a list; a node that called takes pieces to their place and passes
 * them on. Handlers only store; the calling thread does the rest. */
#include "extended/coll.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/amcheck.h"
#include "core/handler.h"
#include "core/job.h"
#include "core/trace.h"
#include "core/wait.h"
#include "extended/barrier.h"

struct pst_team { int all; };
static struct pst_team all_nodes = { 1 };
gasnet_team_handle_t pst_team_all = &all_nodes;

struct piece {
  struct piece *next;
  uint64_t at;
  uint32_t serial;
  size_t nbytes;
  char data[];
};

/* Arrived and not taken, oldest first. The lock orders handlers of other threads; it is held for list steps only. */
static struct { pthread_mutex_t lock; struct piece *first, **last; } arrived = { PTHREAD_MUTEX_INITIALIZER, NULL, NULL };
static uint32_t serial;
static int initialised;

static void handle(gasnet_token_t token, void *buf, size_t nbytes, gasnet_handlerarg_t s, gasnet_handlerarg_t hi,
                   gasnet_handlerarg_t lo)
{
  struct piece *p = malloc(sizeof *p + nbytes);
  (void)token;
  if (!p) pst_fatal("gasnet_coll_broadcast: out of memory for %zu bytes that came early", nbytes);
  p->next = NULL;
  p->serial = (uint32_t)s;
  p->at = (uint64_t)(uint32_t)hi << 32 | (uint32_t)lo;
  p->nbytes = nbytes;
  memcpy(p->data, buf, nbytes);
  pthread_mutex_lock(&arrived.lock);
  *arrived.last = p;
  arrived.last = &p->next;
  pthread_mutex_unlock(&arrived.lock);
}

static struct piece *take(uint32_t wanted)
{
  struct piece **link, *p;
  pthread_mutex_lock(&arrived.lock);
  for (link = &arrived.first; (p = *link) != NULL && p->serial != wanted; link = &p->next) {}
  if (p) {
    *link = p->next;
    if (!p->next) arrived.last = link;
  }
  pthread_mutex_unlock(&arrived.lock);
  return p;
}

void pst_coll_open(void)
{
  arrived.last = &arrived.first;
  pst_handler_set(PST_HANDLER_BROADCAST, (pst_handler_fn)handle);
}

void gasnet_coll_init(const gasnet_image_t images[], gasnet_image_t my_image, gasnet_coll_fn_entry_t fn_tbl[],
                      size_t fn_count, int init_flags)
{
  (void)my_image;
  (void)fn_tbl;
  (void)init_flags;
  if (pst_job.phase != PST_PHASE_ATTACHED) pst_fatal("gasnet_coll_init was called before gasnet_attach");
  if (fn_count) pst_fatal("gasnet_coll_init: reduction functions are not served; pass no function table");
  for (unsigned i = 0; images && i < pst_nodes; i++)
    if (images[i] != 1)
      pst_fatal("gasnet_coll_init: %u images on node %u; one image a node is served", images[i], i);
  initialised = 1;
}

/* Passes [at, at+nbytes) on to the children of this node, which is `rank` steps after the root: those that differ from
 * it in one bit below its lowest. */
static void pass_on(unsigned rank, unsigned root, uint32_t s, const char *data, uint64_t at, size_t nbytes)
{
  const unsigned low = rank ? rank & -rank : ~0u;
  const gasnet_handlerarg_t args[] = { (gasnet_handlerarg_t)s, (gasnet_handlerarg_t)(at >> 32),
                                       (gasnet_handlerarg_t)at };
  unsigned bit = 1;
  while (bit < low && bit < pst_nodes) bit <<= 1;
  while (bit >>= 1)
    if (rank + bit < pst_nodes)
      pst_am_request_medium((gasnet_node_t)(((uint64_t)rank + bit + root) % pst_nodes), PST_HANDLER_BROADCAST, data,
                            nbytes, 3, args);
}

static size_t piece_size(size_t left)
{
  const size_t most = pst_job.limits.max_medium < 16384 ? pst_job.limits.max_medium : 16384;
  return left < most ? left : most;
}

static void send_all(unsigned root, uint32_t s, const char *src, size_t nbytes)
{
  for (size_t at = 0, n; at < nbytes; at += n) {
    n = piece_size(nbytes - at);
    pass_on(0, root, s, src + at, at, n);
  }
}

static void receive_all(unsigned root, uint32_t s, char *dst, size_t nbytes)
{
  const unsigned rank = (pst_mynode + pst_nodes - root) % pst_nodes;
  struct pst_wait w = { 0, 0 };
  for (size_t got = 0; got < nbytes;) {
    struct piece *p = take(s);
    if (!p) {
      pst_wait_step(&w);
      continue;
    }
    memcpy(dst + p->at, p->data, p->nbytes);
    pass_on(rank, root, s, p->data, p->at, p->nbytes);
    got += p->nbytes;
    free(p);
  }
}

/* Not the client's barrier: that may be between its two phases. */
static void all_sync(int wanted)
{
  struct pst_wait w = { 0, 0 };
  uint64_t ignored;
  if (!wanted) return;
  pst_dissemination_notify(PST_DISSEMINATION_COLL, PST_BARRIER_ANONYMOUS);
  while (!pst_dissemination_try(PST_DISSEMINATION_COLL, &ignored)) pst_wait_step(&w);
}

void gasnet_coll_broadcast(gasnet_team_handle_t team, void *dst, gasnet_image_t root, void *src, size_t nbytes, int flags)
{
  pst_amcheck_client("gasnet_coll_broadcast");
  if (!initialised) pst_fatal("gasnet_coll_broadcast was called before gasnet_coll_init");
  if (team != pst_team_all) pst_fatal("gasnet_coll_broadcast: only GASNET_TEAM_ALL is served");
  if (root >= pst_nodes) pst_fatal("gasnet_coll_broadcast: root %u does not exist; the job has %u nodes", root, pst_nodes);
  PST_TRACE('W', "BROADCAST", (int)root, nbytes);
  serial++;
  all_sync(flags & GASNET_COLL_IN_ALLSYNC);
  if (pst_mynode == root) {
    send_all(root, serial, src, nbytes);
    if (dst != src) memmove(dst, src, nbytes);
  } else {
    receive_all(root, serial, dst, nbytes);
  }
  all_sync(flags & GASNET_COLL_OUT_ALLSYNC);
}
