/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Puts by packed messages:
 *
 *   put     request medium: data, description; reply: done
 *   part    the same; the target counts, and replies when all messages of the transfer have come
 *   notify  as part, or request long for contiguous data; the target notifies before it replies
 *
 * The transfer's completion counts 1 more for each reply that is to come, until the handler of the reply
 * has run. */
#include <string.h>

#include "core/am_fill.h"
#include "core/handler.h"
#include "core/job.h"
#include "core/region.h"
#include "core/segment.h"
#include "core/token.h"
#include "extended/pending.h"
#include "vis/arrived.h"
#include "vis/packed.h"

/* Only the ids of transfers under way to one node have to differ. */
static _Atomic uint32_t last_id;

void pst_packed_count(struct pst_packed *t)
{
  if (t->counted) return;
  t->counted = 1;
  t->id = atomic_fetch_add_explicit(&last_id, 1, memory_order_relaxed);
  pst_pending_begin(t->node, t->completion, t->completion, PST_PUTS);
}

void pst_packed_begin(struct pst_packed *t, int get, gasnet_node_t node, size_t total,
    const gasnetx_notify_t *notify, struct pst_completion *completion)
{
  t->get = get;
  t->node = node;
  t->origin = (uintptr_t)pst_segments.info[node].addr;
  t->cost = pst_cost_to(node);
  t->completion = completion;
  t->notify = notify;
  t->total = total;
  t->counted = 0;
  if (notify) pst_packed_count(t);
}

struct pst_wire_window pst_packed_window(void)
{
  const gasnet_seginfo_t *own = pst_regions.own;
  return (struct pst_wire_window){(uintptr_t)own[0].addr, own[0].size, own + 1, pst_regions.count - 1};
}

/* ---- what follows the first three arguments ---- */

enum { COUNT_ARGS = 3, NOTIFY_ARGS = COUNT_ARGS + 5 };

static void args_write_count(gasnet_handlerarg_t args[COUNT_ARGS], const struct pst_packed *t)
{
  const gasnet_handlerarg_t all[COUNT_ARGS] = {(gasnet_handlerarg_t)t->id, PST_SPLIT(t->total)};
  for (int i = 0; i < COUNT_ARGS; i++) args[i] = all[i];
}

static void args_write_notify(gasnet_handlerarg_t args[NOTIFY_ARGS - COUNT_ARGS], const gasnetx_notify_t *n)
{
  const int handler = n->kind == GASNETX_NOTIFY_HANDLER;
  const gasnet_handlerarg_t all[NOTIFY_ARGS - COUNT_ARGS] = {
      (gasnet_handlerarg_t)n->kind | (handler ? n->handler << 8 : 0), PST_SPLIT(handler ? NULL : n->word),
      handler ? n->arg[0] : (gasnet_handlerarg_t)(n->value >> 32),
      handler ? n->arg[1] : (gasnet_handlerarg_t)n->value};
  for (int i = 0; i < NOTIFY_ARGS - COUNT_ARGS; i++) args[i] = all[i];
}

static int count_arrived(gasnet_token_t token, size_t nbytes, const gasnet_handlerarg_t args[COUNT_ARGS])
{
  return pst_arrived(((struct pst_token *)token)->src, (uint32_t)args[0], PST_JOIN(args[1], args[2]), nbytes);
}

static void reply_done(gasnet_token_t token, gasnet_handlerarg_t hi, gasnet_handlerarg_t lo)
{
  const gasnet_handlerarg_t args[] = {hi, lo};
  pst_am_reply_short(token, PST_HANDLER_VIS_PUT_DONE, PST_ARGS(args), args);
}

/* Counts a message of a put with a notification; after the last one notifies, then replies. */
static void arrived_notify(gasnet_token_t token, size_t nbytes, gasnet_handlerarg_t hi,
    gasnet_handlerarg_t lo, const gasnet_handlerarg_t args[NOTIFY_ARGS])
{
  const gasnet_node_t src = ((struct pst_token *)token)->src;
  const gasnetx_notify_t n = {.kind = (gasnetx_notify_kind_t)(args[3] & 0xff),
      .handler = (gasnet_handler_t)(args[3] >> 8),
      .word = (uint64_t *)PST_JOIN(args[4], args[5]),
      .value = PST_JOIN(args[6], args[7]),
      .arg = {args[6], args[7]}};
  if (!pst_notify_valid(&n, pst_mynode))
    pst_fatal("a message of node %u is malformed: a notification of kind %d, word %p, handler %u cannot be "
              "carried out",
        src, (int)n.kind, (void *)n.word, n.handler);
  if (!count_arrived(token, nbytes, args)) return;
  pst_notify_run(&n, src);
  reply_done(token, hi, lo);
}

/* ---- at the target ---- */

static void message_unpack(gasnet_token_t token, const char *message, size_t nbytes, size_t n)
{
  const struct pst_wire_window w = pst_packed_window();
  const char *wrong = n > nbytes ? "it is shorter than its data"
                                 : pst_wire_unpack(&w, message + n, nbytes - n, message, n);
  if (wrong)
    pst_fatal("a packed put of %zu bytes from node %u is malformed: %s", n, ((struct pst_token *)token)->src,
        wrong);
}

static void handle_put(gasnet_token_t token, void *buf, size_t nbytes, gasnet_handlerarg_t hi,
    gasnet_handlerarg_t lo, gasnet_handlerarg_t n)
{
  message_unpack(token, buf, nbytes, (uint32_t)n);
  reply_done(token, hi, lo);
}

static void handle_put_part(gasnet_token_t token, void *buf, size_t nbytes, gasnet_handlerarg_t hi,
    gasnet_handlerarg_t lo, gasnet_handlerarg_t n, gasnet_handlerarg_t a0, gasnet_handlerarg_t a1,
    gasnet_handlerarg_t a2)
{
  const gasnet_handlerarg_t args[COUNT_ARGS] = {a0, a1, a2};
  message_unpack(token, buf, nbytes, (uint32_t)n);
  if (count_arrived(token, (uint32_t)n, args)) reply_done(token, hi, lo);
}

static void handle_put_notify(gasnet_token_t token, void *buf, size_t nbytes, gasnet_handlerarg_t hi,
    gasnet_handlerarg_t lo, gasnet_handlerarg_t n, gasnet_handlerarg_t a0, gasnet_handlerarg_t a1,
    gasnet_handlerarg_t a2, gasnet_handlerarg_t a3, gasnet_handlerarg_t a4, gasnet_handlerarg_t a5,
    gasnet_handlerarg_t a6, gasnet_handlerarg_t a7)
{
  const gasnet_handlerarg_t args[NOTIFY_ARGS] = {a0, a1, a2, a3, a4, a5, a6, a7};
  message_unpack(token, buf, nbytes, (uint32_t)n);
  arrived_notify(token, (uint32_t)n, hi, lo, args);
}

static void handle_long_notify(gasnet_token_t token, void *buf, size_t nbytes, gasnet_handlerarg_t hi,
    gasnet_handlerarg_t lo, gasnet_handlerarg_t a0, gasnet_handlerarg_t a1, gasnet_handlerarg_t a2,
    gasnet_handlerarg_t a3, gasnet_handlerarg_t a4, gasnet_handlerarg_t a5, gasnet_handlerarg_t a6,
    gasnet_handlerarg_t a7)
{
  const gasnet_handlerarg_t args[NOTIFY_ARGS] = {a0, a1, a2, a3, a4, a5, a6, a7};
  (void)buf;
  arrived_notify(token, nbytes, hi, lo, args);
}

/* ---- at the initiator ---- */

static void handle_put_done(gasnet_token_t token, gasnet_handlerarg_t hi, gasnet_handlerarg_t lo)
{
  pst_pending_done(token, (struct pst_completion *)PST_JOIN(hi, lo), PST_PUTS);
}

/* The arguments of a medium message: how many. */
static unsigned args_write(gasnet_handlerarg_t args[3 + NOTIFY_ARGS], const struct pst_packed *t, size_t n)
{
  const gasnet_handlerarg_t first[] = {PST_SPLIT(t->completion), (gasnet_handlerarg_t)n};
  for (int i = 0; i < 3; i++) args[i] = first[i];
  if (!t->counted) return 3;
  args_write_count(args + 3, t);
  if (!t->notify) return 3 + COUNT_ARGS;
  args_write_notify(args + 3 + COUNT_ARGS, t->notify);
  return 3 + NOTIFY_ARGS;
}

static gasnet_handler_t handler_of(const struct pst_packed *t)
{
  return t->notify ? PST_HANDLER_VIS_PUT_NOTIFY : t->counted ? PST_HANDLER_VIS_PUT_PART : PST_HANDLER_VIS_PUT;
}

static void expect_reply(const struct pst_packed *t)
{
  if (!t->counted) pst_pending_begin(t->node, t->completion, t->completion, PST_PUTS);
}

void pst_packed_put(const struct pst_packed *t, const void *message, size_t n, size_t length)
{
  gasnet_handlerarg_t args[3 + NOTIFY_ARGS];
  const unsigned nargs = args_write(args, t, n);
  expect_reply(t);
  pst_am_request_medium(t->node, handler_of(t), message, n + length, nargs, args);
}

int pst_packed_try_put(const struct pst_packed *t, const void *message, size_t n, size_t length)
{
  gasnet_handlerarg_t args[3 + NOTIFY_ARGS];
  const unsigned nargs = args_write(args, t, n);
  expect_reply(t);
  const int rc = pst_am_request_try(t->node, handler_of(t), message, n + length, nargs, args);
  if (rc != PST_OK && !t->counted) pst_pending_undo(t->node, t->completion, PST_PUTS);
  return rc;
}

/* A slice that is packed into the message's own buffer. */
struct slice {
  struct pst_cursor *data;
  size_t n, length;
  const void *description;
};

static void slice_fill(void *context, char *to)
{
  const struct slice *s = context;
  pst_cursor_pack(s->data, to, s->n);
  memcpy(to + s->n, s->description, s->length);
}

void pst_packed_put_next(
    const struct pst_packed *t, struct pst_cursor *data, size_t n, const void *description, size_t length)
{
  struct slice s = {data, n, length, description};
  gasnet_handlerarg_t args[3 + NOTIFY_ARGS];
  const unsigned nargs = args_write(args, t, n);
  expect_reply(t);
  pst_am_request_filled(t->node, handler_of(t), slice_fill, &s, n + length, nargs, args);
}

void pst_packed_put_row(const struct pst_packed *t, void *remote, void *local, size_t n)
{
  gasnet_handlerarg_t args[2 + NOTIFY_ARGS] = {PST_SPLIT(t->completion)};
  args_write_count(args + 2, t);
  args_write_notify(args + 2 + COUNT_ARGS, t->notify);
  for (size_t at = 0, m; at < n; at += m) {
    m = n - at < pst_job.limits.max_long_request ? n - at : pst_job.limits.max_long_request;
    pst_am_request_long(t->node, PST_HANDLER_VIS_LONG_NOTIFY, (char *)local + at, m, (char *)remote + at,
        PST_ARGS(args), args);
  }
}

void pst_packed_put_open(void)
{
  pst_handler_set(PST_HANDLER_VIS_PUT, (pst_handler_fn)handle_put);
  pst_handler_set(PST_HANDLER_VIS_PUT_DONE, (pst_handler_fn)handle_put_done);
  pst_handler_set(PST_HANDLER_VIS_PUT_PART, (pst_handler_fn)handle_put_part);
  pst_handler_set(PST_HANDLER_VIS_PUT_NOTIFY, (pst_handler_fn)handle_put_notify);
  pst_handler_set(PST_HANDLER_VIS_LONG_NOTIFY, (pst_handler_fn)handle_long_notify);
}
