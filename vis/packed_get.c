/* Gets by packed messages:
 *
 *   get     request medium: description; reply medium: the data
 *
 * What the requester does with the data it keeps itself, as a description of the same kind: nothing of the caller's is needed any
 * more, and replies in any order cost no search. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/am_fill.h"
#include "core/handler.h"
#include "core/job.h"
#include "core/token.h"
#include "vis/packed.h"

#define COUNT(a) (unsigned)(sizeof(a) / sizeof((a)[0]))

/* A request under way. */
struct request {
  struct request *next; /* in the list of free ones */
  pst_pending_t *pending;
  gasnet_node_t node;
  uint32_t nbytes;      /* that are to come */
  uint32_t length;      /* of the description */
  uint32_t room;
  unsigned char near[];
};

/* Those with a short description are kept: as many as were ever in flight at once. Under GASNET_PAR any thread may make one
 * and any other handle the reply. */
enum { KEPT_ROOM = 224, BLOCK = 64 };
static struct { pthread_mutex_t lock; struct request *first; } unused = { PTHREAD_MUTEX_INITIALIZER, NULL };

static void lock_unused(void)
{
  if (pst_job.par) pthread_mutex_lock(&unused.lock);
}
static void unlock_unused(void)
{
  if (pst_job.par) pthread_mutex_unlock(&unused.lock);
}

static struct request *make(size_t n, size_t room)
{
  const size_t size = sizeof(struct request) + room;
  char *block = malloc(n * size);
  if (!block) pst_fatal("out of memory for gets in flight; synchronise some first");
  for (size_t i = 0; i < n; i++) {
    struct request *r = (struct request *)(void *)(block + i * size);
    r->room = (uint32_t)room;
    r->next = i + 1 < n ? (struct request *)(void *)(block + (i + 1) * size) : NULL;
  }
  return (struct request *)(void *)block;
}

static struct request *take(size_t length)
{
  struct request *r;
  if (length > KEPT_ROOM) return make(1, length);
  lock_unused();
  r = unused.first ? unused.first : make(BLOCK, KEPT_ROOM);
  unused.first = r->next;
  unlock_unused();
  return r;
}

static void give(struct request *r)
{
  if (r->room > KEPT_ROOM) {
    free(r);
    return;
  }
  lock_unused();
  r->pending = NULL; /* a second reply is refused */
  r->next = unused.first;
  unused.first = r;
  unlock_unused();
}

/* ---- at the target ---- */

struct wanted {
  const void *description;
  size_t length, nbytes;
  gasnet_node_t node; /* that asks */
};

static void refuse(const struct wanted *w, const char *wrong)
{
  pst_fatal("a packed get of %zu bytes for node %u is malformed: %s", w->nbytes, w->node, wrong);
}

static void fill(void *context, char *to)
{
  const struct wanted *w = context;
  const struct pst_wire_window window = pst_packed_window();
  const char *wrong = pst_wire_pack(&window, w->description, w->length, to, w->nbytes);
  if (wrong) refuse(w, wrong);
}

static void handle_get(gasnet_token_t token, void *description, size_t length, gasnet_handlerarg_t hi, gasnet_handlerarg_t lo,
                       gasnet_handlerarg_t n)
{
  const gasnet_handlerarg_t args[] = { hi, lo };
  struct wanted w = { description, length, (uint32_t)n, ((struct pst_token *)token)->src };
  if (w.nbytes > pst_cost_to(w.node)->message) refuse(&w, "it asks for more than a message holds");
  pst_am_reply_filled(token, PST_HANDLER_VIS_GET_DONE, fill, &w, w.nbytes, COUNT(args), args);
}

/* ---- at the requester ---- */

static void get_done(gasnet_token_t token, void *data, size_t nbytes, gasnet_handlerarg_t hi, gasnet_handlerarg_t lo)
{
  const struct pst_wire_window everything = { 0, SIZE_MAX, NULL, 0 };
  const gasnet_node_t src = ((struct pst_token *)token)->src;
  struct request *r = (struct request *)PST_JOIN(hi, lo);
  const char *wrong;
  if (!r->pending || r->node != src || r->nbytes != nbytes)
    pst_fatal("node %u answers a packed get of %u bytes from node %u with %zu bytes", src, r->nbytes, r->node, nbytes);
  wrong = pst_wire_unpack(&everything, r->near, r->length, data, nbytes);
  if (wrong) pst_fatal("a packed get from node %u: its own description is malformed: %s", src, wrong);
  pst_pending_done(r->pending);
  give(r);
}

void pst_packed_get(const struct pst_packed *t, const void *far, size_t far_length, const void *near, size_t near_length,
                    size_t n)
{
  struct request *r = take(near_length);
  const gasnet_handlerarg_t args[] = { PST_SPLIT(r), (gasnet_handlerarg_t)n };
  r->pending = t->pending;
  r->node = t->node;
  r->nbytes = (uint32_t)n;
  r->length = (uint32_t)near_length;
  memcpy(r->near, near, near_length);
  pst_pending_add(t->pending);
  pst_am_request_medium(t->node, PST_HANDLER_VIS_GET, far, far_length, COUNT(args), args);
}

void pst_packed_get_open(void)
{
  pst_handler_set(PST_HANDLER_VIS_GET, (pst_handler_fn)handle_get);
  pst_handler_set(PST_HANDLER_VIS_GET_DONE, (pst_handler_fn)get_done);
}
