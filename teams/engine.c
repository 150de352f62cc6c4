/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The engine: advances the steps of calls.
 *
 * One thread at a time is in the engine. All state of calls, teams' counts, and of the ends of channels here
 * is touched by that thread alone. `busy` is taken with acquire and given with release where several threads
 * may come, which are the client's under GASNET_PAR and the progress thread. A thread that finds the engine
 * busy goes on polling, or leaves. That also makes a poll harmless that happens inside the engine.
 *
 * A blocking call is advanced by the thread that waits for it. The others are in a list, which each poll
 * advances (pst_job.advance) and so does the progress thread while the client computes. */
#include <stdlib.h>
#include <string.h>

#include "core/amcheck.h"
#include "core/region.h"
#include "core/segment.h"
#include "core/trace.h"
#include "core/wait.h"
#include "extended/rma.h"
#include "gasnet_tools.h"
#include "support/copy.h"
#include "support/cpu.h"
#include "support/least.h"
#include "support/yield.h"
#include "teams/call.h"
#include "teams/channel.h"
#include "teams/lane.h"
#include "teams/mismatch.h"

PST_HOT_DATA static struct {
  _Atomic int busy;
  int shared; /* several threads may come */
  int behind; /* the progress thread is in the engine */
  unsigned in_vain, calls;
  unsigned spare;                /* calls in `free` */
  size_t left;                   /* bytes that may be copied or combined before the engine is left */
  struct pst_call *first, **end; /* those that polls advance, the oldest first */
  struct pst_call *waiting;      /* blocking ones that have waited for long */
  struct pst_call *free;
  struct pst_team *teams; /* all that exist, but lists of nodes */
} engine = {.end = &engine.first};

static inline int engine_try_enter(void)
{
  if (engine.shared) return !atomic_exchange_explicit(&engine.busy, 1, memory_order_acquire);
  if (atomic_load_explicit(&engine.busy, memory_order_relaxed)) return 0;
  atomic_store_explicit(&engine.busy, 1, memory_order_relaxed);
  return 1;
}

/* Long data is moved a part at a time, so that a poll does not last long, however many steps have data. */
static void engine_allow(void) { engine.left = PST_STEP_BYTES; }

static void engine_leave(void) { atomic_store_explicit(&engine.busy, 0, memory_order_release); }

static void engine_enter(void)
{
  struct pst_wait w = {0, 0};
  while (!engine_try_enter()) pst_wait_step(&w);
}

/* The states of a step. */
enum { NEW, AWAIT_LEAVE, AWAIT_READ, PIECES, COPY, GET, GETTING, ANSWER, COMBINE, DONE };

/* ---- what plans use ---- */

uint64_t pst_call_shared(const void *addr, size_t n)
{
  return pst_region_find(pst_mynode, addr, n) >= 0 ? (uint64_t)(uintptr_t)addr : 0;
}

void *pst_call_here(gasnet_node_t node, uint64_t address)
{
  return (void *)((uintptr_t)address + (uintptr_t)pst_segments.delta[node]);
}

void pst_call_add_plan(struct pst_call *c, pst_plan_fn plan)
{
  for (unsigned i = c->plans++; i > c->insert; i--) c->plan[i] = c->plan[i - 1];
  c->plan[c->insert++] = plan;
}

static struct pst_step *step_add(struct pst_call *c, enum pst_step_kind kind)
{
  if (__builtin_expect(c->steps == c->room, 0)) {
    c->room = c->room ? 2 * c->room : 16;
    if (!(c->step = realloc(c->step, c->room * sizeof *c->step)))
      pst_fatal("%s: out of memory for %u steps", c->name, c->room);
  }
  struct pst_step *s = &c->step[c->steps++];
  s->kind = (uint8_t)kind;
  s->state = NEW;
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
void pst_call_exchange(struct pst_call *c, const void *from, size_t n, pst_accept_fn accept)
{
  struct pst_step *s = step_add(c, PST_STEP_EXCHANGE);
  s->sent = s->received = s->asked = 0;
  s->at = (char *)(uintptr_t)from;
  s->length = n;
  s->accept = accept;
  c->exchange = 1;
}
struct pst_step *pst_call_work(struct pst_call *c, pst_work_fn work)
{
  struct pst_step *s = step_add(c, PST_STEP_WORK);
  s->work = work;
  return s;
}

static int copy_work(struct pst_call *c, struct pst_step *s)
{
  const size_t n = pst_least(s->length - s->moved, engine.left);
  (void)c;
  engine.left -= n;
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

/* Small pieces lie in memory that stays with the struct. */
char *pst_call_memory(struct pst_call *c, size_t n)
{
  enum { KEPT = 16384, LINE = 64 };
  const size_t size = (n + LINE - 1) / LINE
  *LINE;
  void *p = NULL;
  if (size <= KEPT - c->kept_used) {
    if (!c->kept && !(c->kept = aligned_alloc(LINE, KEPT))) pst_fatal("%s: out of memory", c->name);
    p = c->kept + c->kept_used;
    c->kept_used += size;
  } else if (posix_memalign(&p, LINE, size) != 0) {
    pst_fatal("%s: out of memory for %zu bytes", c->name, n);
  } else {
    c->memory[c->memories++] = p;
  }
  return p;
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
  if (!pst_channel_find(s->node, &c->head, answer, f)) return 0;
  if (__builtin_expect(!pst_head_agrees(f->head, &c->head), 0)) pst_mismatch_call(c, s->node, f->head);
  c->moved = 1;
  return 1;
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
  s->state = AWAIT_READ;
  return !asks;
}

static int send_address(struct pst_call *c, struct pst_step *s)
{
  const uint64_t address = pst_call_shared(s->at, s->length);
  if (!step_tell(c, s, PST_ADDRESS, &address, sizeof address)) return 0;
  s->state = address ? AWAIT_READ : AWAIT_LEAVE;
  return 0;
}

static int step_send(struct pst_call *c, struct pst_step *s)
{
  struct pst_found f;
  if (s->state == NEW) return s->length <= pst_channel_room(s->node) ? send_short(c, s) : send_address(c, s);
  if (s->state == PIECES) return send_pieces(c, s);
  if (!step_find(c, s, 1, &f)) return 0;
  pst_channel_drop(s->node, &f);
  if (s->state == AWAIT_READ) return 1;
  s->state = PIECES;
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
               n = pst_least(s->length - s->moved, (engine.left + unit - 1) / unit * unit);
  if (!engine.left) return 0;
  c->moved = 1;
  engine.left -= pst_least(n, engine.left);
  step_accept(c, s, data ? data + s->moved : NULL, n);
  return s->moved == s->length;
}

/* What the processes share is read in place. */
static int receive_copy(struct pst_call *c, struct pst_step *s)
{
  if (!part_accept(c, s, pst_call_here(s->node, s->address))) return 0;
  s->state = ANSWER;
  return 1;
}

/* The progress thread must not: to begin a get may mean to serve messages. */
static int receive_get(struct pst_step *s)
{
  if (engine.behind) return 0;
  void *const to = s->kind == PST_STEP_COMBINE ? s->buffer : s->at;
  s->got = (struct pst_completion){0};
  pst_rma_start(PST_OP_GET | PST_OP_BULK, s->node, (void *)(uintptr_t)s->address, to, s->length, &s->got);
  s->state = GETTING;
  return 1;
}

/* The sender is told at once: what it sent is in the buffer. */
static int receive_got(struct pst_call *c, struct pst_step *s)
{
  if (!pst_completion_is_done(&s->got, PST_GETS)) return 0;
  if (s->kind == PST_STEP_RECEIVE) s->moved = s->length;
  c->moved = 1;
  s->state = ANSWER;
  return 1;
}

static int receive_pieces(struct pst_call *c, struct pst_step *s)
{
  char *const to = s->kind == PST_STEP_COMBINE ? s->buffer : s->at;
  struct pst_found f;
  while (s->moved < s->length) {
    if (!engine.left || !step_find(c, s, 0, &f)) return 0;
    if (f.size > s->length - s->moved || !f.size) pst_mismatch_size(c, s, &f);
    memcpy(to + s->moved, f.data, f.size);
    s->moved += f.size;
    engine.left -= pst_least(f.size, engine.left);
    pst_channel_drop(s->node, &f);
  }
  if (s->kind == PST_STEP_COMBINE) s->moved = 0;
  s->state = s->kind == PST_STEP_COMBINE ? COMBINE : DONE;
  return 1;
}

static int receive_combine(struct pst_call *c, struct pst_step *s)
{
  if (!part_accept(c, s, NULL)) return 0;
  s->state = DONE;
  return 1;
}

/* An address has come, or 0. */
static void receive_address(struct pst_call *c, struct pst_step *s, const struct pst_found *f)
{
  if (f->size != sizeof s->address || s->length <= pst_channel_room(s->node)) pst_mismatch_size(c, s, f);
  memcpy(&s->address, f->data, sizeof s->address);
  if (s->address && pst_region_find(s->node, (void *)(uintptr_t)s->address, s->length) < 0)
    pst_fatal("%s: node %u told an address that does not lie in its segment", c->name, s->node);
  s->state = !s->address ? ANSWER : pst_lanes_reach(s->node) ? COPY : GET;
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
  if (class == PST_DATA) s->state = DONE;
  if (class == PST_ASKING) s->state = ANSWER;
  return 1;
}

static int receive_answer(struct pst_call *c, struct pst_step *s)
{
  if (!step_tell(c, s, PST_ANSWER, NULL, 0)) return 0;
  s->state = s->moved == s->length || s->up_to ? DONE : s->address ? COMBINE : PIECES;
  return 1;
}

/* 1: the state has changed. */
static int receive_go_on(struct pst_call *c, struct pst_step *s)
{
  switch (s->state) {
  case NEW: return receive_first(c, s);
  case COPY: return receive_copy(c, s);
  case GET: return receive_get(s);
  case GETTING: return receive_got(c, s);
  case ANSWER: return receive_answer(c, s);
  case COMBINE: return receive_combine(c, s);
  default: return receive_pieces(c, s);
  }
}

static int step_receive(struct pst_call *c, struct pst_step *s)
{
  while (s->state != DONE)
    if (!receive_go_on(c, s)) return 0;
  return 1;
}

static gasnet_node_t place_node(const struct pst_call *c, unsigned place)
{
  return pst_team_node(c->team, c->team->near_rank[place]);
}

static int exchange_send(struct pst_call *c, struct pst_step *s)
{
  const struct pst_team *t = c->team;
  for (; s->sent < t->near; s->sent++) {
    if (s->sent == t->here) continue;
    s->node = place_node(c, s->sent);
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
  if (s->state == NEW) {
    if (!step_find(c, s, 0, &f)) return 0;
    if (f.size != s->length) pst_mismatch_size(c, s, &f);
    if (s->accept) s->accept(c, s, s->received, f.data);
    if (pst_head_class(f.head) != PST_DATA) s->state = ANSWER;
    pst_channel_drop(s->node, &f);
  }
  if (s->state == ANSWER && !step_tell(c, s, PST_ANSWER, NULL, 0)) return 0;
  s->state = NEW;
  return 1;
}

static int exchange_receive(struct pst_call *c, struct pst_step *s)
{
  const struct pst_team *t = c->team;
  for (; s->received < t->near; s->received++) {
    if (s->received != t->here) {
      s->node = place_node(c, s->received);
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
    s->node = place_node(c, (unsigned)__builtin_ctz(s->asked));
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
  s->node = place_node(c, s->sent);
  return 0;
}

/* Work that is not done has done as much as a poll may. */
static int step_work(struct pst_call *c, struct pst_step *s)
{
  if (!engine.left) return 0;
  c->moved = 1;
  if (s->work(c, s)) return 1;
  engine.left = 0;
  return 0;
}

static inline int step_advance(struct pst_call *c, struct pst_step *s)
{
  return s->kind == PST_STEP_SEND    ? step_send(c, s)
      : s->kind == PST_STEP_EXCHANGE ? step_exchange(c, s)
      : s->kind == PST_STEP_WORK     ? step_work(c, s)
                                     : step_receive(c, s);
}

/* ---- calls ---- */

/* 1 when all steps of the stage are done. */
static int stage_advance(struct pst_call *c)
{
  for (unsigned i = c->open; i < c->steps; i++) {
    struct pst_step *s = &c->step[i];
    if (s->state != DONE && !(s->after && s[-1].state != DONE) && step_advance(c, s)) s->state = DONE;
    if (i == c->open && s->state == DONE) c->open++;
  }
  return c->open == c->steps;
}

static int stage_next(struct pst_call *c)
{
  c->steps = c->open = 0;
  c->exchange = 0;
  for (; c->at < c->plans; c->at++, c->stage = 0) {
    c->insert = c->at + 1;
    const int added = c->plan[c->at](c);
    if (added == 0) continue;
    c->stage++;
    if (added == PST_STAGE_LAST) c->at++, c->stage = 0;
    return 1;
  }
  return 0;
}

/* 1 when the call is complete. */
static int call_advance(struct pst_call *c)
{
  while (stage_advance(c))
    if (!stage_next(c)) {
      if (c->last) c->last(c);
      return 1;
    }
  return 0;
}

/* ---- those that wait in vain ---- */

/* The step waits for a message of s->node. */
static int step_awaits(const struct pst_step *s)
{
  switch (s->kind) {
  case PST_STEP_WORK: return 0;
  case PST_STEP_SEND: return s->state == AWAIT_LEAVE || s->state == AWAIT_READ;
  default: return s->state == NEW || s->state == PIECES;
  }
}

/* The next step from number `i` on that is under way; c->steps: there is none. */
static unsigned step_open(const struct pst_call *c, unsigned i)
{
  while (i < c->steps && (c->step[i].state == DONE || (c->step[i].after && c->step[i - 1].state != DONE)))
    i++;
  return i;
}

static int call_awaits(const struct pst_call *c, gasnet_node_t node)
{
  for (unsigned i = c->open; (i = step_open(c, i)) < c->steps; i++)
    if (step_awaits(&c->step[i]) && c->step[i].node == node) return 1;
  return 0;
}

static void call_ask(struct pst_call *c)
{
  for (unsigned i = c->open; (i = step_open(c, i)) < c->steps; i++)
    if (step_awaits(&c->step[i])) pst_channel_ask(c->step[i].node, &c->head);
  if (c->op || c->asks) return;
  c->asks = 1;
  c->next = engine.waiting;
  engine.waiting = c;
}

/* A call that has waited in vain for a second asks, and again after each further second. */
static void call_watch_time(struct pst_call *c)
{
  enum { EVERY = 16, SECOND = 1000000 };
  if (c->moved) c->in_vain = 0;
  else if (++c->in_vain % EVERY == 0) {
    const gasnett_tick_t now = gasnett_ticks_now();
    if (c->in_vain == EVERY) c->since = now;
    if (gasnett_ticks_to_us(now - c->since) < SECOND) return;
    c->since = now;
    call_ask(c);
  }
}

static void call_forget_waiting(struct pst_call *c)
{
  struct pst_call **at = &engine.waiting;
  while (*at != c) at = &(*at)->next;
  *at = c->next;
  c->asks = 0;
}

/* How many of the calls are on the team; *same: one has the number, too. */
static unsigned calls_compare(const struct pst_call *c, const struct pst_question *q, int *same)
{
  unsigned seen = 0;
  for (; c; c = c->next) {
    pst_question_compare(c, q, call_awaits(c, q->node));
    seen += c->head.team == q->head.team;
    *same |= c->head.team == q->head.team && c->head.call >> 48 == q->head.call >> 48;
  }
  return seen;
}

/* A handler runs it. While a thread is in the engine nothing is compared: the other node asks again. */
static void engine_asked(gasnet_node_t node, const struct pst_head *head, uint32_t sent, uint32_t received)
{
  uint32_t own_sent, own_received;
  int same = 0;
  if (!engine_try_enter()) return;
  pst_channel_counts(node, &own_sent, &own_received);
  const struct pst_question q = {
      node, *head, own_sent == received, own_sent == received && own_received == sent};
  const unsigned seen = calls_compare(engine.waiting, &q, &same) + calls_compare(engine.first, &q, &same);
  if (!same && !pst_id_is_list(head->team)) {
    const struct pst_team *t = engine.teams;
    while (t && t->id != head->team) t = t->next;
    if (t) pst_question_compare_ended(t, &q, seen);
  }
  engine_leave();
}

void pst_engine_add_team(struct pst_team *t)
{
  engine_enter();
  t->next = engine.teams;
  engine.teams = t;
  engine_leave();
}

void pst_engine_drop_team(struct pst_team *t)
{
  struct pst_team **at = &engine.teams;
  engine_enter();
  while (*at != t) at = &(*at)->next;
  *at = t->next;
  engine_leave();
}

/* ---- */

static void call_free(struct pst_call *c)
{
  enum { SPARE = 64 };
  c->team->in_flight--;
  while (c->memories > 0) free(c->memory[--c->memories]);
  if (engine.spare == SPARE) {
    free(c->step);
    free(c->kept);
    free(c);
    return;
  }
  c->next = engine.free;
  engine.free = c;
  engine.spare++;
}

/* Senders that stand still because this process waits for others would stop all. */
static void engine_look_around(int moved)
{
  enum { EVERY = 16 };
  if (moved) engine.in_vain = 0;
  else if (++engine.in_vain % EVERY == 0) pst_channels_sweep();
}

/* ---- those that polls advance ---- */

/* The client's own functions run in the progress thread only where its handlers may. */
static int call_is_clients(const struct pst_call *c) { return c->clients_code && !pst_job.background; }

/* In the engine. How many calls have moved. */
static int active_advance(void)
{
  int moved = 0;
  engine_allow();
  for (struct pst_call **at = &engine.first, *c; (c = *at) != NULL;) {
    struct pst_op *const op = c->op;
    c->moved = 0;
    const int complete = !(engine.behind && call_is_clients(c)) && call_advance(c);
    moved += c->moved;
    if (!complete) {
      call_watch_time(c);
      at = &c->next;
      continue;
    }
    *at = c->next;
    if (engine.end == &c->next) engine.end = at;
    call_free(c);
    pst_completion_done(&op->completion, PST_GETS);
    if (engine.shared) pst_wait_tell();
  }
  if (!engine.first) atomic_store_explicit(&pst_job.advance, NULL, memory_order_relaxed);
  return moved;
}

static int engine_advance(void)
{
  if (!engine_try_enter()) return 0;
  const int moved = active_advance();
  engine_look_around(moved);
  engine_leave();
  return moved;
}

/* The progress thread calls it. 1: a call is under way. */
static int engine_advance_behind(void)
{
  int left;
  if (!atomic_load_explicit(&pst_job.advance, memory_order_relaxed) || !engine_try_enter()) return 0;
  engine.behind = 1;
  active_advance();
  engine.behind = 0;
  left = engine.first != NULL;
  engine_leave();
  return left;
}

/* ---- waiting for a blocking call ---- */

/* The step waits for room in the lane to its node. */
static int step_wants_room(const struct pst_call *c, const struct pst_step *s)
{
  const unsigned near = c->team->near;
  if (s->kind == PST_STEP_SEND) return s->state == NEW || s->state == PIECES;
  return s->state == ANSWER || (s->kind == PST_STEP_EXCHANGE && s->received == near && s->sent < near);
}
static int step_wants_answer(const struct pst_call *c, const struct pst_step *s)
{
  return s->kind == PST_STEP_SEND || (s->kind == PST_STEP_EXCHANGE && s->received == c->team->near);
}

/* The word whose change moves the step: 1, or -1 where it has changed. What the step waits for may have been
 * kept as mail since it was looked for, by a call that waits for something else. */
static int step_watch(const struct pst_call *c, const struct pst_step *s, struct pst_watch *watch)
{
  struct pst_lane *l = pst_lane_of(s->node);
  if (s->state == COPY || s->state == COMBINE) return -1;
  if (step_wants_room(c, s)) {
    *watch = (struct pst_watch){.word = &l->out_counts->taken, .seen = l->freed};
    return l->sent - l->freed <= pst_lanes.mask ? -1 : 1;
  }
  if (pst_mail_has(&l->mail, &c->head, step_wants_answer(c, s))) return -1;
  const _Atomic uint64_t *const word = &pst_lane_next(l)->word;
  *watch = (struct pst_watch){.word = word, .seen = atomic_load_explicit(word, memory_order_relaxed)};
  return watch->seen >> 16 == l->received + 1 ? -1 : 1;
}

/* A word in shared memory whose change moves the call: 1, or 0 where there is none, or -1 where it has
 * changed. */
static int call_watch(const struct pst_call *c, struct pst_watch *watch)
{
  for (unsigned i = c->open; i < c->steps; i++) {
    const struct pst_step *s = &c->step[i];
    if (s->state == DONE || (s->after && s[-1].state != DONE)) continue;
    if (s->kind == PST_STEP_WORK) return -1;
    if (pst_lanes_reach(s->node)) return step_watch(c, s, watch);
  }
  return 0;
}

/* For a thread that is about to sleep, and waits for something else. */
static int engine_watch(struct pst_watch *watch)
{
  int found = 0;
  if (!atomic_load_explicit(&pst_job.advance, memory_order_relaxed)) return 0;
  if (!engine_try_enter()) return -1;
  for (const struct pst_call *c = engine.first; c && found == 0; c = c->next) found = call_watch(c, watch);
  engine_leave();
  return found;
}

/* Waits for the word to change: where each process has a core, with a few looks first. */
static void word_wait(const struct pst_watch *watch, struct pst_wait *w)
{
  for (unsigned looks = w->idle ? 0 : pst_wait_eager(); looks > 0; looks--) {
    if (atomic_load_explicit(watch->word, memory_order_relaxed) != watch->seen) return;
    pst_spin_pause();
  }
  if (atomic_load_explicit(watch->word, memory_order_relaxed) == watch->seen) pst_wait_word(w, watch);
}

/* Has a message of that node come? *here: its sender ran on this core when it sent its last one. Where none
 * has, the watched word will change. */
static int node_is_missing(gasnet_node_t node, int *here, struct pst_watch *watch)
{
  const struct pst_lane *l = pst_lane_of(node);
  const _Atomic uint64_t *const word = &pst_lane_next(l)->word;
  const uint64_t seen = atomic_load_explicit(word, memory_order_relaxed);
  if (l->mail.first || seen >> 16 == l->received + 1) return 0;
  *here |= l->cpu == (pst_cpu() & 0xFF);
  *watch = (struct pst_watch){.word = word, .seen = seen};
  return 1;
}

static int exchange_is_missing(
    const struct pst_call *c, const struct pst_step *s, int *here, struct pst_watch *watch)
{
  int missing = 0;
  for (unsigned i = c->team->near; i-- > s->received;)
    if (i != c->team->here) missing |= node_is_missing(place_node(c, i), here, watch);
  return missing;
}

static int step_is_missing(
    const struct pst_call *c, const struct pst_step *s, int *here, struct pst_watch *watch)
{
  if (s->state == DONE || s->state == ANSWER || s->kind == PST_STEP_SEND || s->kind == PST_STEP_WORK)
    return 0;
  if (s->kind == PST_STEP_EXCHANGE) return exchange_is_missing(c, s, here, watch);
  return pst_lanes_reach(s->node) && node_is_missing(s->node, here, watch);
}

/* 0 also where another thread is in the engine: to look there is not worth waiting for it. */
static int steps_missing(const struct pst_call *c, int *here, struct pst_watch *watch)
{
  int missing = 0;
  *here = 0;
  if (!engine_try_enter()) return 0;
  for (unsigned i = c->steps; i-- > c->open;) missing |= step_is_missing(c, &c->step[i], here, watch);
  engine_leave();
  return missing;
}

static int word_spin(const struct pst_watch *watch)
{
  enum { LOOKS = 1000 }; /* as long as some ten switches of processes */
  for (unsigned i = 0; i < LOOKS; i++) {
    if (atomic_load_explicit(watch->word, memory_order_relaxed) != watch->seen) return 1;
    pst_spin_pause();
  }
  return 0;
}

/* Where processes outnumber cores: waits for a while until all messages have come that the stage waits for.
 * To give the core away helps only if a member whose message is missing needs it; the last message of each
 * says on which core it ran. */
static void call_expect(const struct pst_call *c)
{
  enum { TURNS = 8 };
  struct pst_watch watch;
  int here;
  for (int i = 0; i < TURNS && steps_missing(c, &here, &watch); i++) {
    if (here) pst_yield();
    else if (!word_spin(&watch)) return;
  }
}

enum { BUSY = -2 }; /* another thread is in the engine */

/* Where nothing has moved, *found and *watch are call_watch's. Only a thread in the engine may look at lanes.
 */
static int call_try(struct pst_call *c, int *found, struct pst_watch *watch)
{
  int complete;
  *found = BUSY;
  c->moved = 0;
  if (!engine_try_enter()) return 0;
  engine_allow();
  complete = call_advance(c);
  if (!complete) {
    *found = c->moved ? -1 : call_watch(c, watch);
    engine_look_around(c->moved);
    call_watch_time(c);
    engine_leave();
  }
  return complete; /* still in the engine */
}

static void call_pause(int found, const struct pst_watch *watch, struct pst_wait *w)
{
  if (found == BUSY) pst_yield();
  else if (found > 0) word_wait(watch, w);
  else if (found == 0) pst_wait_step(w);
}

/* found and watch: what the call waits for. Returns in the engine. */
static void call_wait(struct pst_call *c, int found, struct pst_watch *watch)
{
  enum { SERVE_EVERY = 8 }; /* a call that moves without waiting serves messages, too */
  struct pst_wait w = {0, 0};
  const int few_cores = !pst_wait_eager();
  int expects = few_cores && c->exchange;
  for (unsigned turn = 1;; turn++) {
    if (expects) call_expect(c);
    else call_pause(found, watch, &w);
    if (turn % SERVE_EVERY == 0) pst_poll();
    if (call_try(c, &found, watch)) break;
    if (c->moved) w.idle = 0;
    expects = c->moved && few_cores && c->exchange;
  }
  if (c->asks) call_forget_waiting(c);
}

/* ---- beginning and ending ---- */

/* A call that waited has served messages. Calls that never wait poll now and then only: a poll costs as much
 * as a small call's own work, and more where it asks the network. */
static void engine_leave_and_poll(void)
{
  enum { EVERY = 4 };
  const int now = ++engine.calls % EVERY == 0;
  engine_leave();
  if (now) pst_poll();
}

static struct pst_call *call_take(void)
{
  struct pst_call *c = engine.free;
  if (c) engine.free = c->next, engine.spare--;
  else if (!(c = calloc(1, sizeof *c))) pst_fatal("out of memory for collectives in flight");
  return c;
}

/* One by one: compilers make a string instruction of a larger assignment, which takes as long as a small
 * call's own work. */
static inline void call_clear(struct pst_call *c)
{
  c->steps = c->open = 0;
  c->plans = c->at = 0;
  c->insert = c->stage = 0;
  c->exchange = c->clients_code = 0;
  c->memories = c->turn = 0;
  c->in_vain = 0;
  c->kept_used = c->done = 0;
  c->last = NULL;
  c->op = NULL;
  c->value = NULL;
  c->value_size = 0;
}

/* The part of a head that says which call of the team this is. A member that has called something else before
 * has another history, so a mismatch is noticed also where the wrong call sent nothing to this node. */
static inline uint64_t team_count_call(struct pst_team *t)
{
  if (pst_id_is_list(t->id)) return 0;
  if (t->in_flight == UINT16_MAX) pst_fatal("more than %u collectives in flight on a team", UINT16_MAX);
  return (uint64_t)++t->calls << 48 | (uint64_t)t->history << 32;
}

struct pst_call *pst_call_new(
    const char *name, struct pst_team *t, unsigned kind, uint32_t detail, uint64_t length)
{
  struct pst_call *c;
  pst_amcheck_client(name);
  if (pst_job.phase != PST_PHASE_ATTACHED) pst_job_not_attached(name);
  PST_TRACE('W', name, -1, length);
  engine_enter();
  engine_allow();
  c = call_take();
  c->team = t;
  c->name = name;
  c->head.team = t->id;
  c->head.length = length << 16;
  c->head.call = team_count_call(t) | kind << 24 | (detail & 0xFFFFFF);
  t->history = pst_head_history(&c->head);
  call_clear(c);
  t->in_flight++;
  return c;
}

void pst_call_run(struct pst_call *c)
{
  const int complete = call_advance(c);
  if (!complete) {
    struct pst_watch watch;
    const int found = call_watch(c, &watch);
    engine_leave();
    call_wait(c, found, &watch);
  }
  call_free(c);
  if (complete) engine_leave_and_poll();
  else engine_leave();
}

static void active_append(struct pst_call *c)
{
  c->next = NULL;
  *engine.end = c;
  engine.end = &c->next;
  atomic_store_explicit(&pst_job.advance, engine_advance, memory_order_relaxed);
}

gasnet_handle_t pst_call_start(struct pst_call *c)
{
  struct pst_op *op = NULL;
  if (call_advance(c)) {
    call_free(c);
  } else {
    op = c->op = pst_op_new(pst_thread_get(), PST_OPKIND_EXPLICIT);
    pst_completion_add(&op->completion, PST_GETS);
    active_append(c);
  }
  engine_leave_and_poll();
  return op;
}

void pst_engine_open(void)
{
  engine.shared = pst_job.par || pst_job.network;
  pst_wait_advance_behind = engine_advance_behind;
  pst_wait_find_watch = engine_watch;
  pst_inbox_asked = engine_asked;
  engine.teams = pst_team_all;
}

/* In a process that was forked from a node: nothing advances calls any more. */
void pst_engine_forked(void) { atomic_store_explicit(&pst_job.advance, NULL, memory_order_relaxed); }
