/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Buffers that the provider fills with messages, one behind the other; where it cannot, a buffer a message.
 *
 * `uses` counts the provider, while it may still write, and each message that was read from the queue and is
 * still in use. The thread that makes it 0 gives the buffer to the provider again. Windows (am.c) bound what
 * peers may have sent: there is always room for it. A request that cannot be delivered now is copied
 * (deliver.c); while few buffers are left all messages are. */
#include <assert.h>
#include <rdma/fi_errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "conduits/ofi/call.h"
#include "core/trace.h"

struct buffer {
  struct fi_context2 context; /* these two as in struct pst_ofi_op: the provider hands back either */
  enum pst_ofi_kind kind;
  _Atomic unsigned uses;
  struct fid_mr *mr;
  char *data;
  size_t taken,
      end;  /* bytes of the messages in it that are complete, and where the furthest of them ends; these */
  int full; /* three are the queue's reader's: nothing more will be put in */
  struct buffer *next;  /* among those that could not be posted yet */
  struct buffer *other; /* among all */
};

static_assert(
    offsetof(struct buffer, kind) == offsetof(struct pst_ofi_op, kind), "completions are told apart by it");

/* A buffer for many messages holds at least three of the largest; the rest behind the last is lost. */
enum { MANY = 256 << 10 };
static size_t buffer_bytes;
static unsigned enough; /* buffers for all that peers may have sent */
static struct buffer *all_buffers;
static _Atomic unsigned
    posted; /* buffers that the provider has (relaxed: decides only whether to copy, which is always right) */
static struct {
  pthread_mutex_t lock;
  struct buffer *first;
  _Atomic int any;
} unposted = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void buffer_keep(struct buffer *b)
{
  pthread_mutex_lock(&unposted.lock);
  b->next = unposted.first;
  unposted.first = b;
  atomic_store_explicit(&unposted.any, 1, memory_order_release);
  pthread_mutex_unlock(&unposted.lock);
}

static void buffer_post(struct buffer *b)
{
  struct iovec iov = {b->data, buffer_bytes};
  void *desc = b->mr ? fi_mr_desc(b->mr) : NULL;
  const struct fi_msg m = {
      .msg_iov = &iov, .desc = &desc, .iov_count = 1, .addr = FI_ADDR_UNSPEC, .context = b};
  ssize_t rc;
  atomic_store_explicit(&b->uses, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&posted, 1, memory_order_relaxed); /* before it can be full */
  rc = pst_ofi_call_receive(&m, pst_ofi.multi_recv ? FI_MULTI_RECV : 0);
  if (rc == 0) return;
  atomic_fetch_sub_explicit(&posted, 1, memory_order_relaxed);
  if (rc == -FI_EAGAIN) buffer_keep(b);
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
    buffer_post(b);
  }
}

static void buffer_drop(struct buffer *b)
{
  /* Release: this thread has read its message. Acquire: all other threads have read theirs before the
   * provider writes again. */
  if (atomic_fetch_sub_explicit(&b->uses, 1, memory_order_acq_rel) == 1) buffer_post(b);
}

static int buffer_make(void)
{
  struct buffer *b = calloc(1, sizeof *b);
  int rc;
  if (!b || posix_memalign((void **)&b->data, 4096, buffer_bytes) != 0) return PST_ERR_NOMEM;
  b->kind = PST_OFI_OP_RECV;
  do rc = pst_ofi_register_local(b->data, buffer_bytes, FI_RECV, pst_ofi_register_key(), &b->mr);
  while (rc == PST_ERR_AGAIN);
  if (rc != PST_OK) return rc;
  b->other = all_buffers;
  all_buffers = b;
  PST_TRACE('C', "OFI_RECEIVE_BUFFER", -1, buffer_bytes);
  buffer_post(b);
  return PST_OK;
}

/* Room for the windows of all peers in both streams, a head without a window with each message, and what is
 * lost at the ends of buffers and in the one being filled. */
static unsigned buffers_needed(void)
{
  const size_t units = (size_t)(pst_net.nodes - 1) * PST_NET_STREAMS * (size_t)pst_credit.window;
  if (!pst_ofi.multi_recv) return 2 * (unsigned)units;
  return (unsigned)(units * (pst_credit.unit + sizeof(struct pst_net_head)) /
             (MANY - (size_t)pst_ofi.message)) +
      2;
}

/* More buffers than needed, for messages keep theirs while their handlers run. */
unsigned pst_ofi_receive_buffers(void)
{
  enum { SPARE = 3 };
  return buffers_needed() + SPARE;
}

int pst_ofi_receive_open(void)
{
  int rc = PST_OK;
  size_t least = pst_ofi.message;
  buffer_bytes = pst_ofi.multi_recv ? MANY : pst_ofi.message;
  enough = buffers_needed();
  if (pst_ofi.multi_recv &&
      fi_setopt(&pst_ofi.ep->fid, FI_OPT_ENDPOINT, FI_OPT_MIN_MULTI_RECV, &least, sizeof least) != 0)
    return PST_ERR_SYSTEM;
  for (unsigned i = pst_ofi_receive_buffers(); i > 0 && rc == PST_OK; i--) rc = buffer_make();
  return rc;
}

void pst_ofi_receive_close(void)
{
  for (struct buffer *b = all_buffers; b; b = b->other) pst_ofi_unregister(&b->mr);
}

/* Whether the provider writes no more to the buffer. Some providers say so with the message that got the last
 * part of it, while another peer still sends pieces of an earlier message. They leave no gaps between
 * messages, so a gap means that a message is missing. */
static int buffer_is_full(struct buffer *b, const struct fi_cq_data_entry *e)
{
  if (!pst_ofi.multi_recv) return 1;
  if (e->flags & FI_MULTI_RECV) b->full = 1;
  if (!pst_ofi.without_gaps) return b->full;
  if (e->len && (size_t)((char *)e->buf - b->data) + e->len > b->end)
    b->end = (size_t)((char *)e->buf - b->data) + e->len;
  b->taken += e->len;
  return b->full && b->taken == b->end;
}

void pst_ofi_receive_hold(const struct fi_cq_data_entry *e)
{
  struct buffer *b = e->op_context;
  atomic_fetch_add_explicit(&b->uses, 1, memory_order_relaxed); /* the provider's own use keeps it from 0 */
  if (!buffer_is_full(b, e)) return;
  b->taken = b->end = 0;
  b->full = 0;
  atomic_fetch_sub_explicit(&posted, 1, memory_order_relaxed);
  buffer_drop(b); /* never the last use: the message has one */
}

/* Where losses are reported, a message has begun to come, and its sender has ended. Its place in a buffer
 * without gaps is not known, so nobody can tell when the provider has done with that: another buffer takes
 * its place. If the sender lives, the message is found missing (lost.c). */
void pst_ofi_receive_failed(void *buffer, uint64_t flags)
{
  const int replaced = pst_ofi.multi_recv && pst_ofi.without_gaps;
  if (!replaced && pst_ofi.multi_recv && !(flags & FI_MULTI_RECV)) return;
  atomic_fetch_sub_explicit(&posted, 1, memory_order_relaxed);
  if (!replaced) buffer_drop(buffer);
  else if (buffer_make() != PST_OK) pst_fatal("out of memory for messages");
}

/* Where the provider has few buffers left a handler gets a copy, for it may take long. */
void pst_ofi_receive_done(const struct fi_cq_data_entry *e)
{
  struct buffer *b = e->op_context;
  const void *message = pst_ofi.multi_recv ? e->buf : b->data;
  void *copy = NULL;
  if (e->len && atomic_load_explicit(&posted, memory_order_relaxed) < enough) {
    copy = malloc(e->len);
    if (!copy) pst_fatal("out of memory for a message of %zu bytes", e->len);
    message = memcpy(copy, message, e->len);
    buffer_drop(b);
  }
  if (e->len) pst_net_message(message, e->len);
  if (!copy) buffer_drop(b);
  free(copy);
}
