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
#include "core/loss.h"
#include "core/trace.h"
#include "core/wait.h"
#include "gasnet_tools.h"
#include "support/cpu.h"
#include "support/tsan.h"
#include "support/yield.h"
#include "teams/board.h"
#include "teams/call.h"
#include "teams/channel.h"
#include "teams/feed.h"
#include "teams/lane.h"
#include "teams/left.h"
#include "teams/mismatch.h"
#include "teams/step.h"

PST_HOT_DATA static struct {
  _Atomic int busy;
  int shared; /* several threads may come */
  unsigned in_vain, calls;
  unsigned spare;                /* calls in `free` */
  struct pst_call *first, **end; /* those that polls advance, the oldest first */
  struct pst_call *waiting;      /* blocking ones that have waited for long */
  struct pst_call *free;
  struct pst_team *teams; /* all that exist, but lists of nodes */
  /* This node begins calls on `only` alone, and is told of those that wait for it elsewhere. Both are changed
   * and read in the engine. */
  const struct pst_team *only;
  void (*missed)(gasnet_node_t node);
  int retired; /* it does so for good: those calls end there */
} engine = {.end = &engine.first};

static inline int engine_try_enter(void)
{
  if (engine.shared) return !atomic_exchange_explicit(&engine.busy, 1, memory_order_acquire);
  if (atomic_load_explicit(&engine.busy, memory_order_relaxed)) return 0;
  atomic_store_explicit(&engine.busy, 1, memory_order_relaxed);
  return 1;
}

static void engine_leave(void) { atomic_store_explicit(&engine.busy, 0, memory_order_release); }

/* A call begins. What its caller has stored before may be read by the library's thread for a node of another
 * host, which has learnt of the call through other processes: a race detector has to be told. */
static void engine_enter(void)
{
  struct pst_wait w = {0, 0};
  while (!engine_try_enter()) pst_wait_step(&w);
  pst_tsan_release(&pst_mynode);
}

/* ---- what calls have for plans ---- */

PST_HOT void pst_call_add_plan(struct pst_call *c, pst_plan_fn plan)
{
  for (unsigned i = c->plans++; i > c->insert; i--) c->plan[i] = c->plan[i - 1];
  c->plan[c->insert++] = plan;
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

/* ---- calls ---- */

/* 1 when all steps of the stage are done. */
PST_HOT static int stage_advance(struct pst_call *c)
{
  for (unsigned i = c->open; i < c->steps; i++) {
    struct pst_step *s = &c->step[i];
    if (s->state != PST_STEP_DONE && !(s->after && s[-1].state != PST_STEP_DONE) && pst_step_advance(c, s))
      s->state = PST_STEP_DONE;
    if (i == c->open && s->state == PST_STEP_DONE) c->open++;
  }
  return c->open == c->steps;
}

PST_HOT static int stage_next(struct pst_call *c)
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

/* 1 when the call is complete. Other processes may have told this one so after they had learnt, over a
 * network, that the library's thread had stored their data here: a race detector sees one process, and has to
 * be told. */
PST_HOT static int call_go_on(struct pst_call *c)
{
  while (stage_advance(c))
    if (!stage_next(c)) {
      pst_tsan_acquire(&pst_mynode);
      if (c->last) c->last(c);
      return 1;
    }
  return 0;
}

/* ---- calls that end early ---- */

static int call_is_without_member(const struct pst_call *c)
{
  return pst_steps.reports && pst_team_is_lost(c->team) ? PST_LOSS_LOST : 0;
}

static int call_number(const struct pst_call *c) { return (int)(c->head.call >> 48); }

/* Nothing that the network does for the call touches its memory any more. */
static int call_gets_nothing(const struct pst_call *c)
{
  for (unsigned i = c->open; i < c->steps; i++)
    if (c->step[i].state == PST_STEP_GETTING && !pst_completion_is_done(&c->step[i].got, PST_GETS)) return 0;
  return 1;
}

/* A member has left the team. A call that has not begun its first stage has told nobody of its memory. The
 * numbers of later calls stay near that of the last one that does not end, as they have 16 bits. */
static int call_end_left(struct pst_call *c)
{
  const int is_begun = c->steps || c->stage || c->at;
  uint16_t last;
  if (is_begun && !(call_gets_nothing(c) && pst_left_is_known(c->team))) return 0;
  if (pst_left_ends(c->head.team, (uint16_t)call_number(c), &last)) c->team->calls = (uint16_t)(last + 1);
  pst_channels_clean(pst_head_is_left_over);
  return 1;
}

/* A member whose call ends because of a loss may change memory that others still read for theirs. It has seen
 * the loss, and fences (release) before it returns: another one that has read what it changed, and then
 * fences (acquire), sees the loss, too. */
static int call_end_lost(struct pst_call *c)
{
  pst_team_give_up(c->team);
  atomic_thread_fence(memory_order_release);
  return 1;
}

static int call_go_on_or_end(struct pst_call *c)
{
  int complete = 0;
  c->lost = call_is_without_member(c);
  if (!c->lost && pst_left_ends(c->head.team, (uint16_t)call_number(c), NULL)) c->lost = PST_LOSS_LEFT;
  if (!c->lost && (complete = call_go_on(c)) != 0) {
    atomic_thread_fence(memory_order_acquire);
    c->lost = call_is_without_member(c);
  }
  return !c->lost ? complete : c->lost == PST_LOSS_LEFT ? call_end_left(c) : call_end_lost(c);
}

/* 1 when the call is over. */
static inline int call_advance(struct pst_call *c)
{
  return __builtin_expect(pst_steps.ends, 0) ? call_go_on_or_end(c) : call_go_on(c);
}

/* It ends early, or has ended so. */
static inline int call_is_lost(const struct pst_call *c)
{
  return __builtin_expect(pst_steps.ends, 0) && c->lost;
}

/* ---- those that wait in vain ---- */

/* The step waits for a message of s->node, or for what it writes on the team's board or feed: that may have
 * been written since the step was advanced. */
static int step_awaits(const struct pst_call *c, const struct pst_step *s)
{
  struct pst_watch watch;
  switch (s->kind) {
  case PST_STEP_WORK: return 0;
  case PST_STEP_BOARD: return pst_board_watch(c, s, &watch) > 0;
  case PST_STEP_FEED: return pst_feed_watch(c, s, &watch) > 0;
  case PST_STEP_SEND: return s->state == PST_STEP_AWAIT_LEAVE || s->state == PST_STEP_AWAIT_READ;
  default: return s->state == PST_STEP_NEW || s->state == PST_STEP_PIECES;
  }
}

/* The next step from number `i` on that is under way; c->steps: there is none. */
static unsigned step_open(const struct pst_call *c, unsigned i)
{
  while (i < c->steps &&
      (c->step[i].state == PST_STEP_DONE || (c->step[i].after && c->step[i - 1].state != PST_STEP_DONE)))
    i++;
  return i;
}

static int call_awaits(const struct pst_call *c, gasnet_node_t node)
{
  for (unsigned i = c->open; (i = step_open(c, i)) < c->steps; i++)
    if (step_awaits(c, &c->step[i]) && c->step[i].node == node) return 1;
  return 0;
}

/* The number of the exchange on the board, or of the broadcast on the feed, that the step is, or 0. */
static uint32_t step_number(const struct pst_step *s)
{
  return s->kind == PST_STEP_BOARD || s->kind == PST_STEP_FEED ? (uint32_t)s->address : 0;
}

static void call_ask(struct pst_call *c)
{
  for (unsigned i = c->open; (i = step_open(c, i)) < c->steps; i++)
    if (step_awaits(c, &c->step[i])) pst_channel_ask(c->step[i].node, &c->head, step_number(&c->step[i]));
  if (c->op || c->asks) return;
  c->asks = 1;
  c->next = engine.waiting;
  engine.waiting = c;
}

/* A call that has waited in vain for a second asks, and again after each further second. */
static void call_watch_time(struct pst_call *c)
{
  enum { EVERY = 16, SECOND = 1000000 };
  if (c->moved || call_is_lost(c)) c->in_vain = 0;
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

static const struct pst_team *team_find(uint64_t id)
{
  const struct pst_team *t = engine.teams;
  while (t && t->id != id) t = t->next;
  return t;
}

/* Has this node not come to what the other one waits for? In a broadcast that is one on the team's feed, else
 * an exchange on its board. */
static int board_lacks(const struct pst_team *t, const struct pst_head *head, uint32_t number)
{
  if (!t) return 0;
  const uint64_t reached = pst_head_kind(head) == GASNETX_BROADCAST ? t->feed.done : t->board.written;
  return (int32_t)((uint32_t)reached - number) < 0;
}

/* Call numbers have 16 bits: has this node, which has left, not come to that call? */
static int has_left(const struct pst_team *t, const struct pst_head *head)
{
  return t && t != engine.only && (int16_t)(t->calls - (head->call >> 48)) < 0;
}

static void engine_compare(gasnet_node_t node, const struct pst_head *head, const struct pst_waiter *waiter)
{
  const struct pst_team *const t = team_find(head->team);
  uint32_t sent, received;
  int same = 0;
  pst_channel_counts(node, &sent, &received);
  const int all_came = waiter->board ? board_lacks(t, head, waiter->board) : sent == waiter->received;
  const struct pst_question q = {
      node, *head, all_came, all_came && sent == waiter->received && received == waiter->sent};
  const unsigned seen = calls_compare(engine.waiting, &q, &same) + calls_compare(engine.first, &q, &same);
  if (!same && t) pst_question_compare_ended(t, &q, seen);
  if (engine.missed && has_left(t, head)) engine.missed(node);
}

/* 1: the call ends because this node, or another member, has left its team. */
static int engine_ends(const struct pst_head *head, uint16_t *left)
{
  const struct pst_team *const t = engine.retired ? team_find(head->team) : NULL;
  if (has_left(t, head)) pst_left_mark(head->team, t->calls);
  return pst_steps.ends && pst_left_ends(head->team, head->call >> 48, left);
}

static void coll_leave(gasnetx_team_t only, void (*missed)(gasnet_node_t node), int retired)
{
  engine_enter();
  engine.only = only;
  engine.missed = missed;
  engine.retired = retired;
  engine_leave();
}

void gasnetx_coll_leave(gasnetx_team_t only, void (*missed)(gasnet_node_t node))
{
  coll_leave(only, missed, 0);
}
void gasnetx_coll_retire(gasnetx_team_t only) { coll_leave(only, NULL, 1); }

/* A handler runs it. While a thread is in the engine nothing is compared: the other node asks again. Nor is
 * it where the call ends early: one that has ended so here says nothing about what was called. */
static int engine_asked(
    gasnet_node_t node, const struct pst_head *head, const struct pst_waiter *waiter, uint16_t *left)
{
  if (!engine_try_enter()) return 0;
  const int ends = engine_ends(head, left);
  if (!ends && !pst_step_is_left_over(head)) engine_compare(node, head, waiter);
  engine_leave();
  return ends;
}

/* Likewise. The thread that waits for a call may sleep. */
static int engine_told_left(uint64_t team, uint16_t *call, uint32_t rank)
{
  if (!engine_try_enter()) return 0;
  *call = pst_left_heard(team, *call, rank);
  engine_leave();
  if (engine.shared) pst_wait_tell();
  return 1;
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

PST_HOT static void call_free(struct pst_call *c)
{
  enum { SPARE = 64 };
  c->team->in_flight--;
  c->team->ended_length = c->head.length;
  c->team->ended_call = c->head.call;
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
  pst_steps_allow();
  for (struct pst_call **at = &engine.first, *c; (c = *at) != NULL;) {
    struct pst_op *const op = c->op;
    c->moved = 0;
    const int complete = !(pst_steps.behind && call_is_clients(c)) && call_advance(c);
    moved += c->moved;
    if (!complete) {
      call_watch_time(c);
      at = &c->next;
      continue;
    }
    *at = c->next;
    if (engine.end == &c->next) engine.end = at;
    if (call_is_lost(c)) pst_completion_lose(&op->completion, (unsigned)c->lost);
    call_free(c);
    pst_completion_done(&op->completion, PST_GETS);
    if (engine.shared) pst_wait_tell();
  }
  if (!engine.first && !pst_steps.reports)
    atomic_store_explicit(&pst_job.advance, NULL, memory_order_relaxed);
  return moved;
}

static int engine_advance(void)
{
  if (pst_steps.reports) pst_loss_look();
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
  pst_steps.behind = 1;
  active_advance();
  pst_steps.behind = 0;
  left = engine.first != NULL;
  engine_leave();
  return left;
}

/* ---- waiting for a blocking call ---- */

/* The step waits for room in the lane to its node. */
static int step_wants_room(const struct pst_call *c, const struct pst_step *s)
{
  const unsigned near = c->team->near;
  if (s->kind == PST_STEP_SEND) return s->state == PST_STEP_NEW || s->state == PST_STEP_PIECES;
  return s->state == PST_STEP_ANSWER ||
      (s->kind == PST_STEP_EXCHANGE && s->received == near && s->sent < near);
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
  if (s->state == PST_STEP_COPY || s->state == PST_STEP_COMBINING) return -1;
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
PST_HOT static int call_watch(const struct pst_call *c, struct pst_watch *watch)
{
  if (call_is_lost(c)) return 0;
  for (unsigned i = c->open; i < c->steps; i++) {
    const struct pst_step *s = &c->step[i];
    if (s->state == PST_STEP_DONE || (s->after && s[-1].state != PST_STEP_DONE)) continue;
    if (s->kind == PST_STEP_WORK) return -1;
    if (s->kind == PST_STEP_BOARD) return pst_board_watch(c, s, watch);
    if (s->kind == PST_STEP_FEED) return pst_feed_watch(c, s, watch);
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
PST_HOT static void word_wait(const struct pst_watch *watch, struct pst_wait *w)
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
    if (i != c->team->here) missing |= node_is_missing(pst_team_near_node(c->team, i), here, watch);
  return missing;
}

PST_HOT static int step_is_missing(
    const struct pst_call *c, const struct pst_step *s, int *here, struct pst_watch *watch)
{
  if (s->state == PST_STEP_DONE || s->state == PST_STEP_ANSWER || s->kind == PST_STEP_SEND ||
      s->kind == PST_STEP_WORK || s->kind == PST_STEP_FEED)
    return 0;
  if (s->kind == PST_STEP_EXCHANGE) return exchange_is_missing(c, s, here, watch);
  if (s->kind == PST_STEP_BOARD) return pst_board_is_missing(c, s, here, watch);
  return pst_lanes_reach(s->node) && node_is_missing(s->node, here, watch);
}

/* 0 also where another thread is in the engine: to look there is not worth waiting for it. */
PST_HOT static int steps_missing(const struct pst_call *c, int *here, struct pst_watch *watch)
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
PST_HOT static void call_expect(const struct pst_call *c)
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
PST_HOT static int call_try(struct pst_call *c, int *found, struct pst_watch *watch)
{
  int complete;
  *found = BUSY;
  c->moved = 0;
  if (!engine_try_enter()) return 0;
  pst_steps_allow();
  complete = call_advance(c);
  if (!complete) {
    *found = c->moved ? -1 : call_watch(c, watch);
    engine_look_around(c->moved);
    call_watch_time(c);
    engine_leave();
  }
  return complete; /* still in the engine */
}

PST_HOT static void call_pause(int found, const struct pst_watch *watch, struct pst_wait *w)
{
  if (found == BUSY) pst_yield();
  else if (found > 0) word_wait(watch, w);
  else if (found == 0) pst_wait_step(w);
}

/* found and watch: what the call waits for. Returns in the engine. */
PST_HOT static void call_wait(struct pst_call *c, int found, struct pst_watch *watch)
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
PST_HOT static void engine_leave_and_poll(void)
{
  enum { EVERY = 4 };
  const int now = ++engine.calls % EVERY == 0;
  engine_leave();
  if (now) pst_poll();
}

PST_HOT static struct pst_call *call_take(void)
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
  c->exchange = c->leads = c->clients_code = 0;
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

PST_HOT struct pst_call *pst_call_new(
    const char *name, struct pst_team *t, unsigned kind, uint32_t detail, uint64_t length)
{
  struct pst_call *c;
  pst_amcheck_client(name);
  if (pst_job.phase != PST_PHASE_ATTACHED) pst_job_not_attached(name);
  if (kind != PST_KIND_SHARE) PST_TRACE('W', name, -1, length); /* SHARE is not a call of the client */
  engine_enter();
  pst_steps_allow();
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

PST_HOT int pst_call_run(struct pst_call *c)
{
  const int complete = call_advance(c);
  if (!complete) {
    struct pst_watch watch;
    const int found = call_watch(c, &watch);
    engine_leave();
    call_wait(c, found, &watch);
  }
  const int lost = call_is_lost(c) ? c->lost : 0;
  call_free(c);
  if (complete) engine_leave_and_poll();
  else engine_leave();
  if (lost) pst_loss_note((unsigned)lost);
  return lost;
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
    if (call_is_lost(c)) pst_loss_note((unsigned)c->lost);
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
  pst_steps.reports = pst_steps.ends = pst_loss.on;
  if (pst_steps.reports) atomic_store_explicit(&pst_job.advance, engine_advance, memory_order_relaxed);
  pst_wait_advance_behind = engine_advance_behind;
  pst_wait_find_watch = engine_watch;
  pst_inbox_asked = engine_asked;
  pst_left_told = engine_told_left;
  engine.teams = pst_team_all;
}

/* In a process that was forked from a node: nothing advances calls any more. */
void pst_engine_forked(void) { atomic_store_explicit(&pst_job.advance, NULL, memory_order_relaxed); }
