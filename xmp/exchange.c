/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmp/exchange.h"

#include <stdlib.h>
#include <string.h>

#include "front/wait.h"
#include "xmp/async.h"
#include "xmp/operation.h"

/* Bytes of a box that go through a buffer where the receiver is late. */
enum { BUFFERED_MAPPED = 4096, BUFFERED_REMOTE = 1 << 20, SHORT_ROW = 128 };

/* The words of an end of a link, which the other end changes. */
struct line {
  uint64_t arrived[2], ready;
  uint64_t peer, buffer; /* addresses that the other end has written when the exchange was opened */
  uint64_t unused[3];
};
_Static_assert(sizeof(struct line) == 64, "a line of words is a cache line");

struct link {
  int node;
  size_t bytes;
  const struct pst_xmp_box *box;
  struct line *mine;
  uint64_t peer;      /* the address of the other end's line, as that node sees it */
  struct line *there; /* the same, where it is mapped here; or NULL */
  int flat;           /* a mapped sender's box is contiguous on both sides: `to` and `from` */
  char *to, *from;
  gasnetx_plan_t direct;      /* sender: to the array; NULL: there is no such way */
  gasnetx_plan_t buffered[2]; /* sender: to the receiver's buffers; NULL: it has none */
  char *buffer;               /* receiver: 2 * bytes, or NULL */
  gasnetx_plan_t unpack[2];   /* receiver of a reflect */
  int silent;                 /* nobody tells that it is ready: what comes back says so */
  int done;                   /* of this turn: sent, or arrived and used */
};

struct pst_xmp_exchange {
  const struct pst_xmp_array_full *array;
  enum pst_xmp_exchange_kind kind;
  struct pst_xmp_boxes held, owned; /* copies */
  struct line *lines;               /* in the segment */
  char *buffers;                    /* in the segment, or NULL */
  struct link *send, *receive;
  int sends, receives;
  int left;       /* links whose part of this turn is not done */
  int all_mapped; /* no put is pending on return */
  uint64_t turn;
  int under_way;
  gasnetx_plan_t own; /* of a reflect: boxes of the node's own elements; NULL: none */
};

/* ---- geometry ---- */

static char *part_of(const struct pst_xmp_array_full *a, int node)
{
  return pst_xmp_array_at("reflect", a, node);
}

/* A box as a row of bytes after the other. */
static void box_packed(const struct pst_xmp_box *b, int dims, size_t stride[])
{
  size_t step = b->count[0];
  for (int i = 1; i < dims; i++) {
    stride[i - 1] = step;
    step *= b->count[i];
  }
}

static gasnetx_plan_t plan_of_box(const struct pst_xmp_box *b, int dims, int node, char *to,
    const size_t to_stride[], char *from, const size_t from_stride[])
{
  const gasnetx_plan_t plan = gasnetx_plan_create();
  gasnetx_plan_puts(plan, (gasnet_node_t)node, to, to_stride, from, from_stride, b->count, (size_t)dims - 1);
  return plan;
}

static int own_boxes(const struct pst_xmp_boxes *held)
{
  int n = 0;
  for (int i = 0; i < held->n; i++) n += held->box[i].node == pst_xmp_job.me;
  return n;
}

/* ---- opening: lines ---- */

static struct pst_xmp_boxes boxes_copy(const char *where, const struct pst_xmp_boxes *b)
{
  struct pst_xmp_boxes copy = *b;
  copy.box = pst_xmp_own_take(where, (size_t)b->n * sizeof *copy.box);
  if (b->n) memcpy(copy.box, b->box, (size_t)b->n * sizeof *copy.box);
  return copy;
}

/* Line `slot` is of the held box with that number; behind them are those of owned boxes. */
static void lines_open(const char *where, struct pst_xmp_exchange *x)
{
  const size_t bytes = (size_t)(x->held.slots + x->owned.n) * sizeof *x->lines;
  x->lines = pst_xmp_heap_take(where, "the plan of a shadow", bytes ? bytes : sizeof *x->lines);
  memset(x->lines, 0, bytes);
}

static void links_add(struct link *list, int *n, const struct pst_xmp_box *b, struct line *mine)
{
  list[(*n)++] = (struct link){.node = b->node, .bytes = b->bytes, .box = b, .mine = mine};
}

static void links_open(const char *where, struct pst_xmp_exchange *x)
{
  struct link *held = pst_xmp_own_take(where, (size_t)x->held.n * sizeof *held),
              *owned = pst_xmp_own_take(where, (size_t)x->owned.n * sizeof *owned);
  int helds = 0, owneds = 0;
  for (int i = 0; i < x->held.n; i++)
    if (x->held.box[i].node != pst_xmp_job.me)
      links_add(held, &helds, &x->held.box[i], &x->lines[x->held.box[i].slot]);
  for (int i = 0; i < x->owned.n; i++)
    links_add(owned, &owneds, &x->owned.box[i], &x->lines[x->held.slots + i]);
  const int reflect = x->kind == PST_XMP_EXCHANGE_REFLECT;
  x->receive = reflect ? held : owned, x->receives = reflect ? helds : owneds;
  x->send = reflect ? owned : held, x->sends = reflect ? owneds : helds;
}

/* An owner knows the number of the box at its holder, and so where the holder's line is, and tells it where
 * its own one is. */
static void peers_tell(const char *where, struct pst_xmp_exchange *x, struct pst_xmp_group *group)
{
  const uint64_t mine = (uint64_t)(uintptr_t)x->lines;
  uint64_t *lines = pst_xmp_own_take(where, (size_t)group->size * sizeof *lines);
  struct link *const owned = x->kind == PST_XMP_EXCHANGE_REFLECT ? x->send : x->receive;
  gasnetx_coll_allgather(pst_xmp_group_team(group), lines, &mine, sizeof mine);
  for (int i = 0; i < x->owned.n; i++) {
    struct link *const l = &owned[i];
    const uint64_t there = lines[pst_xmp_set_rank(&group->set, l->node)], here = (uint64_t)(uintptr_t)l->mine;
    l->peer = there + (uint64_t)l->box->slot * sizeof(struct line);
    l->there = pst_xmp_mapped(l->node, (void *)(uintptr_t)l->peer);
    gasnet_put((gasnet_node_t)l->node, (char *)(uintptr_t)l->peer + offsetof(struct line, peer),
        (void *)(uintptr_t)&here, sizeof here);
  }
  free(lines);
  pst_xmp_group_barrier(group);
}

static void peers_hear(struct pst_xmp_exchange *x)
{
  struct link *const held = x->kind == PST_XMP_EXCHANGE_REFLECT ? x->receive : x->send;
  const int n = x->kind == PST_XMP_EXCHANGE_REFLECT ? x->receives : x->sends;
  for (int i = 0; i < n; i++) {
    held[i].peer = held[i].mine->peer;
    held[i].there = pst_xmp_mapped(held[i].node, (void *)(uintptr_t)held[i].peer);
  }
}

/* ---- opening: buffers, which receivers have and senders are told of ---- */

/* A row is contiguous on both sides. Of short rows each would be a cache line that is taken from the
 * receiver: they go packed, even if the receiver is ready. */
static int box_is_flat(const struct pst_xmp_box *b) { return b->bytes == b->count[0]; }
static int box_is_packed(const struct link *l)
{
  return l->there && !box_is_flat(l->box) && l->box->count[0] < SHORT_ROW;
}

static int link_is_buffered(const struct pst_xmp_exchange *x, const struct link *l, int all)
{
  const size_t most = pst_map[l->node] != PST_UNMAPPED ? BUFFERED_MAPPED : BUFFERED_REMOTE;
  return all || x->kind == PST_XMP_EXCHANGE_SUM || box_is_packed(l) || l->bytes <= most;
}

static size_t line_up(size_t bytes) { return (bytes + 63) / 64 * 64; }

static void buffers_open(const char *where, struct pst_xmp_exchange *x, struct pst_xmp_group *group, int all)
{
  size_t total = 0;
  char *at;
  for (int i = 0; i < x->receives; i++)
    if (link_is_buffered(x, &x->receive[i], all)) total += 2 * line_up(x->receive[i].bytes);
  if (total) x->buffers = pst_xmp_heap_take(where, "the buffers of a shadow", total);
  at = x->buffers;
  for (int i = 0; i < x->receives; i++) {
    struct link *const l = &x->receive[i];
    if (!link_is_buffered(x, l, all)) continue;
    l->buffer = at;
    at += 2 * line_up(l->bytes);
    const uint64_t address = (uint64_t)(uintptr_t)l->buffer;
    gasnet_put((gasnet_node_t)l->node, (char *)(uintptr_t)l->peer + offsetof(struct line, buffer),
        (void *)(uintptr_t)&address, sizeof address);
  }
  pst_xmp_group_barrier(group);
}

/* ---- opening: plans ---- */

static int links_have(const struct link *list, int n, int node)
{
  for (int i = 0; i < n; i++)
    if (list[i].node == node) return 1;
  return 0;
}

/* Both ends find the same: they have the same two lists, with the roles exchanged. */
static void links_silence(struct pst_xmp_exchange *x)
{
  for (int i = 0; i < x->sends; i++)
    x->send[i].silent = !x->send[i].there && x->send[i].mine->buffer &&
        links_have(x->receive, x->receives, x->send[i].node);
  for (int i = 0; i < x->receives; i++)
    x->receive[i].silent = !x->receive[i].there && x->receive[i].buffer &&
        links_have(x->send, x->sends, x->receive[i].node);
}

static void direct_plan(struct pst_xmp_exchange *x, struct link *l, char *from)
{
  const struct pst_xmp_box *const b = l->box;
  l->to = part_of(x->array, l->node) + b->holder_offset;
  l->from = from;
  l->flat = box_is_flat(b);
  l->direct = plan_of_box(b, x->array->dims, l->node, l->to, b->holder_stride, l->from, b->owner_stride);
}

static void send_plans(struct pst_xmp_exchange *x, struct link *l)
{
  const struct pst_xmp_array_full *const a = x->array;
  const int reflect = x->kind == PST_XMP_EXCHANGE_REFLECT;
  const struct pst_xmp_box *const b = l->box;
  char *const from = part_of(a, pst_xmp_job.me) + (reflect ? b->owner_offset : b->holder_offset);
  size_t packed[PST_XMP_DIMENSIONS];
  box_packed(b, a->dims, packed);
  if (reflect && !l->silent && !(l->mine->buffer && box_is_packed(l))) direct_plan(x, l, from);
  for (int i = 0; i < 2 && l->mine->buffer; i++) {
    char *const to = (char *)(uintptr_t)l->mine->buffer + (size_t)i * line_up(l->bytes);
    l->buffered[i] = plan_of_box(
        b, a->dims, l->node, to, packed, from, reflect ? b->owner_stride : b->holder_stride);
  }
}

static void receive_plans(struct pst_xmp_exchange *x, struct link *l)
{
  const struct pst_xmp_array_full *const a = x->array;
  const struct pst_xmp_box *const b = l->box;
  size_t packed[PST_XMP_DIMENSIONS];
  if (x->kind != PST_XMP_EXCHANGE_REFLECT || !l->buffer) return;
  box_packed(b, a->dims, packed);
  for (int i = 0; i < 2; i++)
    l->unpack[i] = plan_of_box(b, a->dims, pst_xmp_job.me, part_of(a, pst_xmp_job.me) + b->holder_offset,
        b->holder_stride, l->buffer + (size_t)i * line_up(l->bytes), packed);
}

static void own_plan(struct pst_xmp_exchange *x)
{
  const struct pst_xmp_array_full *const a = x->array;
  char *part;
  if (x->kind != PST_XMP_EXCHANGE_REFLECT || !own_boxes(&x->held)) return;
  part = part_of(a, pst_xmp_job.me);
  x->own = gasnetx_plan_create();
  for (const struct pst_xmp_box *b = x->held.box; b < x->held.box + x->held.n; b++)
    if (b->node == pst_xmp_job.me)
      gasnetx_plan_puts(x->own, (gasnet_node_t)pst_xmp_job.me, part + b->holder_offset, b->holder_stride,
          part + b->owner_offset, b->owner_stride, b->count, (size_t)a->dims - 1);
}

struct pst_xmp_exchange *pst_xmp_exchange_open(const char *where, const struct pst_xmp_array_full *a,
    struct pst_xmp_group *group, enum pst_xmp_exchange_kind kind, const struct pst_xmp_boxes *held,
    const struct pst_xmp_boxes *owned, int buffer_all)
{
  struct pst_xmp_exchange *x = pst_xmp_own_take_clear(where, 1, sizeof *x);
  x->array = a;
  x->kind = kind;
  x->held = boxes_copy(where, held);
  x->owned = boxes_copy(where, owned);
  lines_open(where, x);
  links_open(where, x);
  peers_tell(where, x, group);
  peers_hear(x);
  buffers_open(where, x, group, buffer_all);
  links_silence(x);
  x->all_mapped = 1;
  for (int i = 0; i < x->sends; i++) {
    send_plans(x, &x->send[i]);
    x->all_mapped &= pst_map[x->send[i].node] != PST_UNMAPPED;
  }
  for (int i = 0; i < x->receives; i++) receive_plans(x, &x->receive[i]);
  own_plan(x);
  return x;
}

/* ---- a turn ---- */

static uint64_t word_read(const uint64_t *word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }

/* Where memory is mapped a store is enough, and it stays in the order of the program. */
static void word_write(const struct link *l, uint64_t *word, uint64_t value)
{
  __atomic_store_n(word, value, __ATOMIC_RELEASE);
  gasnetx_wake((gasnet_node_t)l->node);
}

static void ready_tell(const struct pst_xmp_exchange *x, const struct link *l)
{
  const gasnetx_notify_t n = {.kind = GASNETX_NOTIFY_ADD,
      .word = (uint64_t *)(uintptr_t)(l->peer + offsetof(struct line, ready)),
      .value = 1};
  if (l->there) word_write(l, &l->there->ready, x->turn);
  else gasnetx_put_notify_nbi_bulk((gasnet_node_t)l->node, (void *)(uintptr_t)l->peer, l->mine, 0, &n);
}

static void remote_start(
    const struct pst_xmp_exchange *x, const struct link *l, gasnetx_plan_t plan, uint64_t value)
{
  const size_t word = offsetof(struct line, arrived) + (x->turn & 1) * sizeof(uint64_t);
  const gasnetx_notify_t n = {
      .kind = GASNETX_NOTIFY_SET, .word = (uint64_t *)(uintptr_t)(l->peer + word), .value = value};
  gasnetx_plan_notify(plan, 0, &n);
  gasnetx_plan_start_nbi(plan);
}

static void link_start(
    const struct pst_xmp_exchange *x, const struct link *l, gasnetx_plan_t plan, int buffered)
{
  const uint64_t value = 2 * x->turn + (uint64_t)buffered;
  if (!l->there) {
    remote_start(x, l, plan, value);
    return;
  }
  if (l->flat && !buffered) gasnet_put_bulk((gasnet_node_t)l->node, l->to, l->from, l->bytes);
  else gasnetx_plan_run(plan);
  word_write(l, &l->there->arrived[x->turn & 1], value);
}

static int link_send(const struct pst_xmp_exchange *x, const struct link *l)
{
  const uint64_t ready = l->silent ? x->turn - 1 : word_read(&l->mine->ready);
  if (l->direct && ready >= x->turn) link_start(x, l, l->direct, 0);
  else if (l->buffered[0] && ready + 1 >= x->turn) link_start(x, l, l->buffered[x->turn & 1], 1);
  else return 0;
  return 1;
}

/* 1: the turn's data has come, and lies where it belongs; sums are made when all has come. */
static int link_receive(const struct pst_xmp_exchange *x, const struct link *l)
{
  const uint64_t arrived = word_read(&l->mine->arrived[x->turn & 1]);
  if (arrived / 2 != x->turn) return 0;
  if ((arrived & 1) && l->unpack[0]) gasnetx_plan_run(l->unpack[x->turn & 1]);
  return 1;
}

static int links_advance(struct pst_xmp_exchange *x)
{
  for (int i = 0; i < x->sends; i++)
    if (!x->send[i].done && link_send(x, &x->send[i])) x->send[i].done = 1, x->left--;
  for (int i = 0; i < x->receives; i++)
    if (!x->receive[i].done && link_receive(x, &x->receive[i])) x->receive[i].done = 1, x->left--;
  return x->left == 0;
}

/* ---- sums: in the order of boxes, whatever the order in which they come ---- */

static void rows_add(const struct pst_xmp_array_full *a, const struct pst_xmp_box *b, int dim, char *to,
    const size_t to_stride[], const char *from, const size_t from_stride[])
{
  if (dim == 0) {
    pst_xmp_operation_apply(PST_XMP_SUM, a->type, to, from, b->count[0] / a->size);
    return;
  }
  for (size_t i = 0; i < b->count[dim]; i++)
    rows_add(
        a, b, dim - 1, to + i * to_stride[dim - 1], to_stride, from + i * from_stride[dim - 1], from_stride);
}

static void sums_make(const struct pst_xmp_exchange *x)
{
  const struct pst_xmp_array_full *const a = x->array;
  char *const part = part_of(a, pst_xmp_job.me);
  size_t packed[PST_XMP_DIMENSIONS];
  for (const struct pst_xmp_box *b = x->held.box; b < x->held.box + x->held.n; b++)
    if (b->node == pst_xmp_job.me)
      rows_add(a, b, a->dims - 1, part + b->owner_offset, b->owner_stride, part + b->holder_offset,
          b->holder_stride);
  for (int i = 0; i < x->receives; i++) {
    const struct link *const l = &x->receive[i];
    box_packed(l->box, a->dims, packed);
    rows_add(a, l->box, a->dims - 1, part + l->box->owner_offset, l->box->owner_stride,
        l->buffer + (x->turn & 1) * line_up(l->bytes), packed);
  }
}

/* ---- beginning and end ---- */

void pst_xmp_exchange_begin(struct pst_xmp_exchange *x)
{
  if (x->under_way) pst_xmp_exchange_end(x);
  x->turn++;
  x->under_way = 1;
  x->left = x->sends + x->receives;
  for (int i = 0; i < x->receives; i++) {
    x->receive[i].done = 0;
    if (!x->receive[i].silent) ready_tell(x, &x->receive[i]);
  }
  for (int i = 0; i < x->sends; i++) x->send[i].done = 0;
  links_advance(x);
  if (x->own) gasnetx_plan_run(x->own);
}

int pst_xmp_exchange_advance(struct pst_xmp_exchange *x)
{
  if (!x->under_way) return 1;
  if (!links_advance(x)) return 0;
  if (!x->all_mapped && gasnetx_group_test(NULL, GASNETX_GROUP_LOCAL) != GASNET_OK) return 0;
  if (x->kind == PST_XMP_EXCHANGE_SUM) sums_make(x);
  x->under_way = 0;
  return 1;
}

/* Other operations of this node go on meanwhile. */
static int all_advance(struct pst_xmp_exchange *x)
{
  pst_xmp_async_advance();
  return pst_xmp_exchange_advance(x);
}

void pst_xmp_exchange_end(struct pst_xmp_exchange *x) { PST_FRONT_UNTIL(all_advance(x)); }

/* ---- the end of the exchange ---- */

static int neighbours_are_in(const struct pst_xmp_exchange *x)
{
  for (int i = 0; i < x->sends; i++)
    if (!x->send[i].silent && word_read(&x->send[i].mine->ready) < x->turn) return 0;
  return 1;
}

static void link_close(struct link *l)
{
  const gasnetx_plan_t plans[] = {l->direct, l->buffered[0], l->buffered[1], l->unpack[0], l->unpack[1]};
  for (size_t i = 0; i < sizeof plans / sizeof *plans; i++)
    if (plans[i]) gasnetx_plan_destroy(plans[i]);
}

void pst_xmp_exchange_close(struct pst_xmp_exchange *x)
{
  pst_xmp_exchange_end(x);
  PST_FRONT_UNTIL(neighbours_are_in(x));
  for (int i = 0; i < x->sends; i++) link_close(&x->send[i]);
  for (int i = 0; i < x->receives; i++) link_close(&x->receive[i]);
  if (x->own) gasnetx_plan_destroy(x->own);
  pst_xmp_heap_give_back(x->lines);
  pst_xmp_heap_give_back(x->buffers);
  free(x->send), free(x->receive);
  free(x->held.box), free(x->owned.box);
  free(x);
}
