/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The bare program for libfabric: operations, messages, completions. */
#include "ofi.h"

#include <string.h>

/* At most as many in flight as the conduit has, and as many completions a poll. */
enum { DEPTH = 512, RECEIVES = 16, BATCH = 16, RECEIVE_MOST = (128 << 10) + RAW_SLICE_HEAD };

struct slot {
  struct fi_context2 context; /* first: the provider hands it back */
  struct slot *next;          /* among the free */
  char *data;                 /* of a message */
};

static struct slot operations[DEPTH], receives[RECEIVES];
static struct slot *unused;
static unsigned in_flight;
static struct {
  char sent[DEPTH][RAW_MESSAGE_MOST], received[RECEIVES][RECEIVE_MOST], packed[RAW_PACKED_MOST];
} messages __attribute__((aligned(64)));
static struct {
  struct slot *slot;
  size_t nbytes;
} arrived[RECEIVES]; /* in order */
static unsigned arrived_first, arrived_count;

void *raw_ofi_messages(size_t *size)
{
  *size = sizeof messages;
  return &messages;
}

static void post_receive(struct slot *s)
{
  raw_ofi_need(
      fi_recv(raw_ofi.ep, s->data, RECEIVE_MOST, raw_ofi.message_desc, FI_ADDR_UNSPEC, s), "fi_recv");
}

void raw_ofi_make_slots(void)
{
  for (unsigned i = 0; i < DEPTH; i++) {
    operations[i].data = messages.sent[i];
    operations[i].next = unused;
    unused = &operations[i];
  }
  for (unsigned i = 0; i < RECEIVES; i++) {
    receives[i].data = messages.received[i];
    post_receive(&receives[i]);
  }
}

/* ---- completions ---- */

static _Noreturn void failed(void)
{
  struct fi_cq_err_entry e = {0};
  fi_cq_readerr(raw_ofi.cq, &e, 0);
  raw_ofi_die("an operation failed", -e.err);
}

static void note(const struct fi_cq_data_entry *e)
{
  struct slot *s = e->op_context;
  if (e->flags & FI_RECV) {
    const unsigned at = (arrived_first + arrived_count++) % RECEIVES;
    arrived[at].slot = s;
    arrived[at].nbytes = e->len;
    return;
  }
  s->next = unused;
  unused = s;
  in_flight--;
}

static inline void look(void)
{
  struct fi_cq_data_entry e[BATCH];
  const ssize_t n = fi_cq_read(raw_ofi.cq, e, BATCH);
  if (n == -FI_EAVAIL) failed();
  if (n < 0 && n != -FI_EAGAIN) raw_ofi_die("fi_cq_read", n);
  for (ssize_t i = 0; i < n; i++) note(&e[i]);
}

void raw_drain(void)
{
  while (in_flight) look();
}

static struct slot *take(void)
{
  struct slot *s;
  while (!unused) look();
  s = unused;
  unused = s->next;
  in_flight++;
  return s;
}

/* Whether to try again. */
static int refused(ssize_t rc, const char *what)
{
  if (rc == 0) return 0;
  if (rc != -FI_EAGAIN) raw_ofi_die(what, rc);
  look();
  return 1;
}

/* ---- transfers ---- */

void raw_write(size_t at, const void *local, size_t nbytes)
{
  struct iovec iov = {(void *)(uintptr_t)local, nbytes};
  struct fi_rma_iov target = {raw_ofi.base + at, nbytes, raw_ofi.key};
  struct fi_msg_rma m = {.msg_iov = &iov,
      .desc = &raw_ofi.local_desc,
      .iov_count = 1,
      .addr = raw_ofi.peer,
      .rma_iov = &target,
      .rma_iov_count = 1,
      .context = take()};
  while (refused(fi_writemsg(raw_ofi.ep, &m, FI_COMPLETION | FI_DELIVERY_COMPLETE), "fi_writemsg")) {}
}

void raw_read(size_t at, void *local, size_t nbytes)
{
  struct slot *s = take();
  while (refused(
      fi_read(raw_ofi.ep, local, nbytes, raw_ofi.local_desc, raw_ofi.peer, raw_ofi.base + at, raw_ofi.key, s),
      "fi_read")) {}
}

/* ---- messages ---- */

static void send_message(const void *data, size_t nbytes)
{
  struct slot *s = take();
  memcpy(s->data, data, nbytes);
  while (refused(fi_send(raw_ofi.ep, s->data, nbytes, raw_ofi.message_desc, raw_ofi.peer, s), "fi_send")) {}
}

static void inject_message(const void *data, size_t nbytes)
{
  while (refused(fi_inject(raw_ofi.ep, data, nbytes, raw_ofi.peer), "fi_inject")) {}
}

/* Way 1: by fi_inject where the provider takes as much, else by fi_send. */
void raw_send(const char *data, size_t nbytes, int way)
{
  if (way && nbytes <= raw_ofi.info->tx_attr->inject_size) inject_message(data, nbytes);
  else send_message(data, nbytes);
}

char *raw_packed(void) { return messages.packed; }

void raw_send_slice(const char *slice, size_t nbytes, int eager)
{
  struct slot *s = take();
  (void)eager;
  while (refused(fi_send(raw_ofi.ep, slice, nbytes, raw_ofi.message_desc, raw_ofi.peer, s), "fi_send")) {}
}

static void drop_first(void)
{
  struct slot *s = arrived[arrived_first].slot;
  arrived_first = (arrived_first + 1) % RECEIVES;
  arrived_count--;
  post_receive(s);
}

static void take_slices(void)
{
  while (arrived_count && arrived[arrived_first].slot->data[0] == RAW_SLICE) {
    raw_face_take(arrived[arrived_first].slot->data);
    drop_first();
  }
}

void raw_progress(void)
{
  look();
  take_slices();
}

size_t raw_receive(void *data)
{
  size_t nbytes;
  for (take_slices(); !arrived_count; raw_progress())
    if (raw_face_here) raw_face_answer();
  nbytes = arrived[arrived_first].nbytes;
  memcpy(data, arrived[arrived_first].slot->data, nbytes);
  drop_first();
  return nbytes;
}
