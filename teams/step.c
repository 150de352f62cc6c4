/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "teams/step.h"

#include <stdlib.h>
#include <string.h>

#include "core/region.h"
#include "core/segment.h"
#include "extended/rma.h"
#include "support/copy.h"
#include "support/cpu.h"
#include "support/integers.h"
#include "teams/board.h"
#include "teams/channel.h"
#include "teams/feed.h"
#include "teams/lane.h"
#include "teams/mismatch.h"

PST_HOT_DATA struct pst_steps pst_steps;

/* ---- what plans use ---- */

uint64_t pst_call_shared(const void *addr, size_t n)
{
  return pst_region_find(pst_mynode, addr, n) >= 0 ? (uint64_t)(uintptr_t)addr : 0;
}

void *pst_call_here(gasnet_node_t node, uint64_t address)
{
  return (void *)((uintptr_t)address + (uintptr_t)pst_segments.delta[node]);
}

PST_HOT static struct pst_step *step_add(struct pst_call *c, enum pst_step_kind kind)
{
  if (__builtin_expect(c->steps == c->room, 0)) {
    c->room = c->room ? 2 * c->room : 16;
    if (!(c->step = realloc(c->step, c->room * sizeof *c->step)))
      pst_fatal("%s: out of memory for %u steps", c->name, c->room);
  }
  struct pst_step *s = &c->step[c->steps++];
  s->kind = (uint8_t)kind;
  s->state = PST_STEP_NEW;
  s->after = s->up_to = s->below = 0;
  s->moved = 0;
  s->buffer = NULL;
  return s;
}

/* Steps with one node, in one direction, come one after the other. */
static struct pst_step *step_transfer(
    struct pst_call *c, enum pst_step_kind kind, unsigned rank, const void *at, size_t n)
{
  struct pst_step *s = step_add(c, kind);
  s->node = pst_team_node(c->team, rank);
  s->at = (char *)(uintptr_t)at;
  s->length = n;
  s->after = c->steps > 1 && s[-1].node == s->node && s[-1].kind == kind;
  return s;
}

struct pst_step *pst_call_send(struct pst_call *c, unsigned rank, const void *from, size_t n)
{
  return step_transfer(c, PST_STEP_SEND, rank, from, n);
}
struct pst_step *pst_call_receive(struct pst_call *c, unsigned rank, void *to, size_t n)
{
  return step_transfer(c, PST_STEP_RECEIVE, rank, to, n);
}
struct pst_step *pst_call_combine(struct pst_call *c, unsigned rank, void *inout, size_t n, char *buffer)
{
  struct pst_step *s = step_transfer(c, PST_STEP_COMBINE, rank, inout, n);
  s->buffer = buffer;
  return s;
}
PST_HOT void pst_call_exchange(struct pst_call *c, const void *from, size_t n, pst_accept_fn accept)
{
  const int by_board = pst_board_serves(c, n);
  struct pst_step *s = step_add(c, by_board ? PST_STEP_BOARD : PST_STEP_EXCHANGE);
  if (by_board) s->address = ++c->team->board.begun;
  s->sent = s->received = s->asked = 0;
  s->at = (char *)(uintptr_t)from;
  s->length = n;
  s->accept = accept;
  c->exchange = 1;
}
PST_HOT void pst_call_feed(struct pst_call *c, void *data, size_t n)
{
  struct pst_step *s = step_add(c, PST_STEP_FEED);
  s->at = data;
  s->length = n;
  pst_feed_begin(c, s);
}
struct pst_step *pst_call_work(struct pst_call *c, pst_work_fn work)
{
  struct pst_step *s = step_add(c, PST_STEP_WORK);
  s->work = work;
  return s;
}

static int copy_work(struct pst_call *c, struct pst_step *s)
{
  const size_t n = pst_least(s->length - s->moved, pst_steps.left);
  (void)c;
  pst_steps.left -= n;
  pst_copy(s->at + s->moved, s->buffer + s->moved, n);
  s->moved += n;
  return s->moved == s->length;
}

void pst_call_copy(struct pst_call *c, void *to, const void *from, size_t n)
{
  enum { AT_ONCE = 4096 };
  if (to == from || n == 0) return;
  if (n <= AT_ONCE) {
    memcpy(to, from, n);
    return;
  }
  struct pst_step *s = pst_call_work(c, copy_work);
  s->at = to;
  s->buffer = (char *)(uintptr_t)from;
  s->length = n;
}

/* ---- steps: 1 when the step is done, 0 when it cannot go on now ---- */

static int step_tell(struct pst_call *c, struct pst_step *s, enum pst_class class, const void *data, size_t n)
{
  const unsigned marks = (unsigned)class << 8 | (pst_cpu() & 0xFF);
  if (!pst_channel_send(s->node, &c->head, marks, data, n)) return 0;
  c->moved = 1;
  return 1;
}

static int step_find(struct pst_call *c, const struct pst_step *s, int answer, struct pst_found *f)
{
  while (pst_channel_find(s->node, &c->head, answer, f)) {
    c->moved = 1;
    if (__builtin_expect(pst_head_agrees(f->head, &c->head), 1)) return 1;
    if (!pst_step_is_left_over(f->head)) pst_mismatch_call(c, s->node, f->head);
    pst_channel_drop(s->node, f);
  }
  return 0;
}

static int send_pieces(struct pst_call *c, struct pst_step *s)
{
  const size_t room = pst_channel_room(s->node);
  while (s->moved < s->length) {
    const size_t n = pst_least(s->length - s->moved, room);
    if (!step_tell(c, s, PST_DATA, s->at + s->moved, n)) return 0;
    s->moved += n;
  }
  return 1;
}

static int send_short(struct pst_call *c, struct pst_step *s)
{
  const int asks = pst_channel_is_crowded(s->node);
  if (!step_tell(c, s, asks ? PST_ASKING : PST_DATA, s->at, s->length)) return 0;
  s->state = PST_STEP_AWAIT_READ;
  return !asks;
}

/* Where losses are reported, data goes over a network in pieces: a member whose call has ended may change its
 * memory, and one that gets the data would not know. */
static int send_address(struct pst_call *c, struct pst_step *s)
{
  const int reads = pst_lanes_reach(s->node) || !pst_steps.reports;
  const uint64_t address = reads ? pst_call_shared(s->at, s->length) : 0;
  if (!step_tell(c, s, PST_ADDRESS, &address, sizeof address)) return 0;
  s->state = address ? PST_STEP_AWAIT_READ : PST_STEP_AWAIT_LEAVE;
  return 0;
}

static int step_send(struct pst_call *c, struct pst_step *s)
{
  struct pst_found f;
  if (s->state == PST_STEP_NEW)
    return s->length <= pst_channel_room(s->node) ? send_short(c, s) : send_address(c, s);
  if (s->state == PST_STEP_PIECES) return send_pieces(c, s);
  if (!step_find(c, s, 1, &f)) return 0;
  pst_channel_drop(s->node, &f);
  if (s->state == PST_STEP_AWAIT_READ) return 1;
  s->state = PST_STEP_PIECES;
  return send_pieces(c, s);
}

static void combine(const struct pst_call *c, char *inout, const char *in, size_t n)
{
  c->reduction.combine(inout, in, n / c->reduction.size, c->reduction.context);
}

/* The n bytes at `in` are the step's next. in: NULL where they are in the buffer already. */
static void step_accept(struct pst_call *c, struct pst_step *s, const char *in, size_t n)
{
  char *const at = s->at + s->moved, *const buffer = s->buffer ? s->buffer + s->moved : NULL;
  s->moved += n;
  if (n == 0) return;
  if (s->kind == PST_STEP_RECEIVE) {
    pst_copy(at, in, n);
  } else if (!s->below) {
    combine(c, at, in ? in : buffer, n);
  } else {
    if (in) memcpy(buffer, in, n);
    combine(c, buffer, at, n);
    memcpy(at, buffer, n);
  }
}

/* The step's next part, of the data at `data`, or in the buffer where that is NULL. 1 when it was the last.
 */
static int part_accept(struct pst_call *c, struct pst_step *s, const char *data)
{
  const size_t unit = s->kind == PST_STEP_COMBINE ? c->reduction.size : 1,
               n = pst_least(s->length - s->moved, (pst_steps.left + unit - 1) / unit * unit);
  if (!pst_steps.left) return 0;
  c->moved = 1;
  pst_steps.left -= pst_least(n, pst_steps.left);
  step_accept(c, s, data ? data + s->moved : NULL, n);
  return s->moved == s->length;
}

/* What the processes share is read in place. */
static int receive_copy(struct pst_call *c, struct pst_step *s)
{
  if (!part_accept(c, s, pst_call_here(s->node, s->address))) return 0;
  s->state = PST_STEP_ANSWER;
  return 1;
}

/* The progress thread must not: to begin a get may mean to serve messages. */
static int receive_get(struct pst_step *s)
{
  if (pst_steps.behind) return 0;
  void *const to = s->kind == PST_STEP_COMBINE ? s->buffer : s->at;
  s->got = (struct pst_completion){0};
  pst_rma_start(PST_OP_GET | PST_OP_BULK, s->node, (void *)(uintptr_t)s->address, to, s->length, &s->got);
  s->state = PST_STEP_GETTING;
  return 1;
}

/* The sender is told at once: what it sent is in the buffer. */
static int receive_got(struct pst_call *c, struct pst_step *s)
{
  if (!pst_completion_is_done(&s->got, PST_GETS)) return 0;
  if (s->kind == PST_STEP_RECEIVE) s->moved = s->length;
  c->moved = 1;
  s->state = PST_STEP_ANSWER;
  return 1;
}

static int receive_pieces(struct pst_call *c, struct pst_step *s)
{
  char *const to = s->kind == PST_STEP_COMBINE ? s->buffer : s->at;
  struct pst_found f;
  while (s->moved < s->length) {
    if (!pst_steps.left || !step_find(c, s, 0, &f)) return 0;
    if (f.size > s->length - s->moved || !f.size) pst_mismatch_size(c, s, &f);
    memcpy(to + s->moved, f.data, f.size);
    s->moved += f.size;
    pst_steps.left -= pst_least(f.size, pst_steps.left);
    pst_channel_drop(s->node, &f);
  }
  if (s->kind == PST_STEP_COMBINE) s->moved = 0;
  s->state = s->kind == PST_STEP_COMBINE ? PST_STEP_COMBINING : PST_STEP_DONE;
  return 1;
}

static int receive_combine(struct pst_call *c, struct pst_step *s)
{
  if (!part_accept(c, s, NULL)) return 0;
  s->state = PST_STEP_DONE;
  return 1;
}

/* An address has come, or 0. */
static void receive_address(struct pst_call *c, struct pst_step *s, const struct pst_found *f)
{
  if (f->size != sizeof s->address || s->length <= pst_channel_room(s->node)) pst_mismatch_size(c, s, f);
  memcpy(&s->address, f->data, sizeof s->address);
  if (s->address && pst_region_find(s->node, (void *)(uintptr_t)s->address, s->length) < 0)
    pst_fatal("%s: node %u told an address that does not lie in its segment", c->name, s->node);
  s->state = !s->address ? PST_STEP_ANSWER : pst_lanes_reach(s->node) ? PST_STEP_COPY : PST_STEP_GET;
}

static int receive_first(struct pst_call *c, struct pst_step *s)
{
  struct pst_found f;
  if (!step_find(c, s, 0, &f)) return 0;
  const enum pst_class class = pst_head_class(f.head);
  if (class == PST_ADDRESS) {
    receive_address(c, s, &f);
  } else {
    if (s->up_to ? f.size > s->length : f.size != s->length) pst_mismatch_size(c, s, &f);
    if (class > PST_ADDRESS || f.size > pst_channel_room(s->node))
      pst_fatal("%s: a malformed message of node %u", c->name, s->node);
    step_accept(c, s, f.data, f.size);
  }
  pst_channel_drop(s->node, &f);
  if (class == PST_DATA) s->state = PST_STEP_DONE;
  if (class == PST_ASKING) s->state = PST_STEP_ANSWER;
  return 1;
}

static int receive_answer(struct pst_call *c, struct pst_step *s)
{
  if (!step_tell(c, s, PST_ANSWER, NULL, 0)) return 0;
  s->state = s->moved == s->length || s->up_to ? PST_STEP_DONE
      : s->address                             ? PST_STEP_COMBINING
                                               : PST_STEP_PIECES;
  return 1;
}

/* 1: the state has changed. */
static int receive_go_on(struct pst_call *c, struct pst_step *s)
{
  switch (s->state) {
  case PST_STEP_NEW: return receive_first(c, s);
  case PST_STEP_COPY: return receive_copy(c, s);
  case PST_STEP_GET: return receive_get(s);
  case PST_STEP_GETTING: return receive_got(c, s);
  case PST_STEP_ANSWER: return receive_answer(c, s);
  case PST_STEP_COMBINING: return receive_combine(c, s);
  default: return receive_pieces(c, s);
  }
}

static int step_receive(struct pst_call *c, struct pst_step *s)
{
  while (s->state != PST_STEP_DONE)
    if (!receive_go_on(c, s)) return 0;
  return 1;
}

static int exchange_send(struct pst_call *c, struct pst_step *s)
{
  const struct pst_team *t = c->team;
  for (; s->sent < t->near; s->sent++) {
    if (s->sent == t->here) continue;
    s->node = pst_team_near_node(c->team, s->sent);
    const int asks = pst_channel_is_crowded(s->node);
    if (!step_tell(c, s, asks ? PST_ASKING : PST_DATA, s->at, s->length)) return 0;
    s->asked |= (uint8_t)(asks << s->sent);
  }
  return 1;
}

/* 1: one has come, and was answered where it asked for that. */
static int exchange_receive_one(struct pst_call *c, struct pst_step *s)
{
  struct pst_found f;
  if (s->state == PST_STEP_NEW) {
    if (!step_find(c, s, 0, &f)) return 0;
    if (f.size != s->length) pst_mismatch_size(c, s, &f);
    if (s->accept) s->accept(c, s, s->received, f.data);
    if (pst_head_class(f.head) != PST_DATA) s->state = PST_STEP_ANSWER;
    pst_channel_drop(s->node, &f);
  }
  if (s->state == PST_STEP_ANSWER && !step_tell(c, s, PST_ANSWER, NULL, 0)) return 0;
  s->state = PST_STEP_NEW;
  return 1;
}

static int exchange_receive(struct pst_call *c, struct pst_step *s)
{
  const struct pst_team *t = c->team;
  for (; s->received < t->near; s->received++) {
    if (s->received != t->here) {
      s->node = pst_team_near_node(c->team, s->received);
      if (!exchange_receive_one(c, s)) return 0;
    } else if (s->accept) {
      s->accept(c, s, t->here, s->at);
    }
  }
  return 1;
}

static int exchange_await_answers(struct pst_call *c, struct pst_step *s)
{
  struct pst_found f;
  for (; s->asked; s->asked &= (uint8_t)(s->asked - 1)) {
    s->node = pst_team_near_node(c->team, (unsigned)__builtin_ctz(s->asked));
    if (!step_find(c, s, 1, &f)) return 0;
    pst_channel_drop(s->node, &f);
  }
  return 1;
}

static int step_exchange(struct pst_call *c, struct pst_step *s)
{
  const int sent = exchange_send(c, s);
  if (!exchange_receive(c, s)) return 0;
  if (sent) return exchange_await_answers(c, s);
  s->node = pst_team_near_node(c->team, s->sent);
  return 0;
}

/* Work that is not done has done as much as a poll may. */
static int step_work(struct pst_call *c, struct pst_step *s)
{
  if (!pst_steps.left) return 0;
  c->moved = 1;
  if (s->work(c, s)) return 1;
  pst_steps.left = 0;
  return 0;
}

PST_HOT int pst_step_advance(struct pst_call *c, struct pst_step *s)
{
  return s->kind == PST_STEP_SEND    ? step_send(c, s)
      : s->kind == PST_STEP_EXCHANGE ? step_exchange(c, s)
      : s->kind == PST_STEP_BOARD    ? pst_board_advance(c, s)
      : s->kind == PST_STEP_FEED     ? pst_feed_advance(c, s)
      : s->kind == PST_STEP_WORK     ? step_work(c, s)
                                     : step_receive(c, s);
}
