/* Buffers that the provider fills with messages, one behind the other; where it cannot, a buffer a message.
 *
 * `uses` counts the provider, while it may still write, and each message that was read from the queue and is not done with; whoever
 * makes it 0 gives the buffer to the provider again. Windows (am.c) bound what peers may have sent: there is always room for
 * it. A request that cannot be delivered now is copied out (deliver.c), and so is all while few buffers are left. */
#include <rdma/fi_errno.h>
#include <stdlib.h>
#include <string.h>

#include "conduits/ofi/ofi.h"

struct buffer {
  struct pst_ofi_op op; /* first: the provider's context */
  _Atomic unsigned uses;
  struct fid_mr *mr;
  char *data;
  struct buffer *next;  /* among those that could not be posted yet */
};

enum { PER_BUFFER = 16 }; /* largest messages a buffer */

static size_t buffer_bytes;
static int several;              /* messages a buffer */
static unsigned enough;          /* buffers for all that peers may have sent */
static _Atomic unsigned posted;  /* buffers that the provider has */
static struct { pthread_mutex_t lock; struct buffer *first; _Atomic int any; } unposted = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void keep_for_later(struct buffer *b)
{
  pthread_mutex_lock(&unposted.lock);
  b->next = unposted.first;
  unposted.first = b;
  atomic_store_explicit(&unposted.any, 1, memory_order_release);
  pthread_mutex_unlock(&unposted.lock);
}

static void post(struct buffer *b)
{
  struct iovec iov = { b->data, buffer_bytes };
  void *desc = b->mr ? fi_mr_desc(b->mr) : NULL;
  const struct fi_msg m = { .msg_iov = &iov, .desc = &desc, .iov_count = 1, .addr = FI_ADDR_UNSPEC, .context = b };
  ssize_t rc;
  atomic_store_explicit(&b->uses, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&posted, 1, memory_order_relaxed); /* before it can be full */
  rc = fi_recvmsg(pst_ofi.ep, &m, several ? FI_MULTI_RECV : 0);
  if (rc == 0) return;
  atomic_fetch_sub_explicit(&posted, 1, memory_order_relaxed);
  if (rc == -FI_EAGAIN) keep_for_later(b);
  else pst_fatal("libfabric takes no receive buffer: %s", pst_ofi_error(rc));
}

void pst_ofi_receive_retry(void)
{
  struct buffer *b, *next;
  if (!atomic_load_explicit(&unposted.any, memory_order_acquire)) return;
  pthread_mutex_lock(&unposted.lock);
  b = unposted.first;
  unposted.first = NULL;
  atomic_store_explicit(&unposted.any, 0, memory_order_relaxed);
  pthread_mutex_unlock(&unposted.lock);
  for (; b; b = next) {
    next = b->next;
    post(b);
  }
}

static void drop(struct buffer *b)
{
  if (atomic_fetch_sub_explicit(&b->uses, 1, memory_order_acq_rel) == 1) post(b);
}

static int make(void)
{
  struct buffer *b = calloc(1, sizeof *b);
  if (!b || posix_memalign((void **)&b->data, 4096, buffer_bytes) != 0) return PST_ERR_NOMEM;
  b->op.kind = PST_OFI_OP_RECV;
  if (pst_ofi_register(b->data, buffer_bytes, FI_RECV, &b->mr) != PST_OK) return PST_ERR_SYSTEM;
  post(b);
  return PST_OK;
}

/* Room for the windows of all peers in both streams, and for what is lost at the ends of buffers and in the one being filled;
 * beyond that, buffers that messages may keep from the provider while their handlers run. */
int pst_ofi_receive_open(void)
{
  enum { SPARE = 3 };
  const size_t all = (size_t)(pst_ofi.nodes - 1) * PST_OFI_STREAMS * (size_t)pst_ofi.window * PST_OFI_UNIT;
  int rc = PST_OK;
  several = (pst_ofi.info->caps & FI_MULTI_RECV) != 0;
  buffer_bytes = (size_t)PST_OFI_MAX_MESSAGE * (several ? PER_BUFFER : 1);
  enough = several ? (unsigned)(all / (buffer_bytes - PST_OFI_MAX_MESSAGE)) + 2 : (unsigned)(all / PST_OFI_UNIT);
  if (several) {
    size_t least = PST_OFI_MAX_MESSAGE;
    rc = fi_setopt(&pst_ofi.ep->fid, FI_OPT_ENDPOINT, FI_OPT_MIN_MULTI_RECV, &least, sizeof least);
    if (rc) return PST_ERR_SYSTEM;
  }
  for (size_t i = 0; i < enough + SPARE && rc == PST_OK; i++) rc = make();
  return rc;
}

static int is_last(const struct fi_cq_data_entry *e) { return !several || (e->flags & FI_MULTI_RECV); }

void pst_ofi_receive_hold(const struct fi_cq_data_entry *e)
{
  struct buffer *b = e->op_context;
  atomic_fetch_add_explicit(&b->uses, 1, memory_order_relaxed);
  if (!is_last(e)) return;
  atomic_fetch_sub_explicit(&posted, 1, memory_order_relaxed);
  drop(b); /* never the last use: the message has one */
}

/* Where the provider has few buffers left a handler, who may take his time, gets a copy. */
void pst_ofi_receive_done(const struct fi_cq_data_entry *e)
{
  struct buffer *b = e->op_context;
  const void *message = several ? e->buf : b->data;
  void *copy = NULL;
  if (e->len && atomic_load_explicit(&posted, memory_order_relaxed) < enough) {
    copy = malloc(e->len);
    if (!copy) pst_fatal("out of memory for a message of %zu bytes", e->len);
    message = memcpy(copy, message, e->len);
    drop(b);
  }
  if (e->len) pst_ofi_message(message, e->len);
  if (!copy) drop(b);
  free(copy);
}
