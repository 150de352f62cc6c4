/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "front/meet.h"

#include <stdlib.h>
#include <string.h>

#include "front/wait.h"

struct area {
  uint64_t stopped;
  struct inbox {
    uint64_t calls;    /* that the node has made with this one */
    uint64_t round[2]; /* what it told this one in its latest even and its latest odd round */
    /* Where losses are reported: */
    uint64_t stopped; /* the node has */
    uint64_t come;    /* the number of the last call of a set with the node, to which this one has come */
  } from[];           /* [nodes], then the values of an agreement, [nodes] of 4 bytes */
};
/* What a node tells in a round with another one: the round's number for these two, and what it knows of
 * others. A node cannot end a call without those that are neither stopped nor lost, so it is at most one call
 * ahead, and no word is overwritten before it has been read. If some have stopped, it may be further ahead,
 * and tells of them. */
#define WORD(number, gone) ((number) << 2 | (uint64_t)(gone))
static struct area *mine;
static const ptrdiff_t *shifts;
static struct partner {
  uint64_t calls;  /* that this node has made with it */
  uint64_t marked; /* the number of the last call whose list has it */
  /* Rounds in which this node told it something, and in which it told this node something. Where losses are
   * reported, both count the calls of sets with it, whether there was such a round or not. */
  uint64_t told, heard;
} * partners; /* [nodes] */
static uint64_t calls;
static gasnetx_team_t all; /* a team of its own: nodes that have stopped meet while others call collectives */
static uint32_t *received; /* [nodes] NULL: losses are not reported */

size_t pst_front_meet_bytes(void)
{
  return sizeof *mine + (size_t)gasnet_nodes() * (sizeof mine->from[0] + sizeof *received);
}

int pst_front_meet_open(void *area, const ptrdiff_t *shift, int losses)
{
  partners = calloc(gasnet_nodes(), sizeof *partners);
  if (losses) received = calloc(gasnet_nodes(), sizeof *received);
  if (!partners || (losses && !received)) return -1;
  if (!losses) all = gasnetx_team_duplicate(GASNET_TEAM_ALL);
  memset(area, 0, pst_front_meet_bytes());
  mine = area;
  shifts = shift;
  return 0;
}

/* As that node sees it. */
static struct area *area_of(gasnet_node_t node)
{
  return (struct area *)((uintptr_t)mine + (uintptr_t)shifts[node]);
}

/* ---- nodes that have stopped ---- */

int pst_front_meet_has_stopped(gasnet_node_t node)
{
  struct area *const there = area_of(node);
  uint64_t *const here = pst_atomic_here(pst_map, node, &there->stopped);
  if (node == gasnet_mynode()) return 0;
  if (here) return __atomic_load_n(here, __ATOMIC_ACQUIRE) != 0;
  if (received) return __atomic_load_n(&mine->from[node].stopped, __ATOMIC_ACQUIRE) != 0;
  return !gasnetx_node_is_lost(node) && gasnet_get_val(node, &there->stopped, sizeof there->stopped) != 0;
}

/* Over a network a node is asked after some milliseconds, and then now and then. */
struct patience {
  gasnett_tick_t since; /* 0: it has not begun */
};
static int patience_ends(struct patience *p, gasnet_node_t node)
{
  enum { MICROSECONDS = 20000 };
  const gasnett_tick_t now = gasnett_ticks_now();
  const int ends = p->since && gasnett_ticks_to_us(now - p->since) >= MICROSECONDS;
  if (!p->since || ends) p->since = now;
  return ends || pst_map[node] != PST_UNMAPPED;
}

static int node_state(gasnet_node_t node)
{
  return gasnetx_node_is_lost(node)      ? PST_FRONT_MEET_LOST
      : pst_front_meet_has_stopped(node) ? PST_FRONT_MEET_STOPPED
                                         : PST_FRONT_MET;
}

/* ---- pairs ---- */

static void partner_signal(gasnet_node_t node)
{
  const gasnetx_notify_t n = {
      .kind = GASNETX_NOTIFY_ADD, .word = &area_of(node)->from[gasnet_mynode()].calls, .value = 1};
  partners[node].calls++;
  gasnetx_put_notify_nbi_bulk(node, NULL, NULL, 0, &n);
}

static int partner_has_come(gasnet_node_t node)
{
  return __atomic_load_n(&mine->from[node].calls, __ATOMIC_ACQUIRE) >= partners[node].calls;
}

/* It may have come just before it stopped. */
static int partner_gone(gasnet_node_t node, struct patience *p)
{
  const int state = patience_ends(p, node) ? node_state(node) : PST_FRONT_MET;
  return partner_has_come(node) ? PST_FRONT_MET : state;
}

static int partner_wait(gasnet_node_t node)
{
  struct patience p = {0};
  int gone = PST_FRONT_MET;
  PST_FRONT_UNTIL(gone || partner_has_come(node) || (gone = partner_gone(node, &p)));
  return gone;
}

/* Whether the call under way meets a node for the first time. */
static int partner_mark(gasnet_node_t node)
{
  if (node == gasnet_mynode() || partners[node].marked == calls) return 0;
  partners[node].marked = calls;
  return 1;
}

int pst_front_meet_nodes(int n, pst_front_node_fn node, const void *list)
{
  int gone = PST_FRONT_MET;
  calls++;
  for (int i = 0; i < n; i++)
    if (partner_mark(node(list, i))) partner_signal(node(list, i));
  calls++;
  for (int i = 0; i < n; i++)
    if (partner_mark(node(list, i))) gone |= partner_wait(node(list, i));
  return gone;
}

/* ---- sets ---- */

static uint64_t *inbox_round(struct inbox *from, uint64_t number) { return &from->round[number % 2]; }

/* What the node told in the round of the number, or in a later one; 0: it has not yet. */
static uint64_t round_word(gasnet_node_t node, uint64_t number)
{
  const uint64_t word = __atomic_load_n(inbox_round(&mine->from[node], number), __ATOMIC_ACQUIRE);
  return word / WORD(1, 0) >= number ? word : 0;
}

static int round_gone(gasnet_node_t node, uint64_t number, struct patience *p)
{
  const int state = patience_ends(p, node) ? node_state(node) : PST_FRONT_MET;
  return round_word(node, number) ? PST_FRONT_MET : state;
}

static uint64_t number_next(uint64_t *number) { return received ? *number : ++*number; }

static void round_tell(gasnet_node_t node, int gone)
{
  const uint64_t number = number_next(&partners[node].told);
  const gasnetx_notify_t n = {.kind = GASNETX_NOTIFY_SET,
      .word = inbox_round(&area_of(node)->from[gasnet_mynode()], number),
      .value = WORD(number, gone)};
  gasnetx_put_notify_nbi_bulk(node, NULL, NULL, 0, &n);
}

/* Waits until the node has told this one of its round, or never will. */
static int round_hear(gasnet_node_t node)
{
  const uint64_t number = number_next(&partners[node].heard);
  struct patience p = {0};
  int gone = PST_FRONT_MET;
  PST_FRONT_UNTIL(gone || round_word(node, number) || (gone = round_gone(node, number, &p)));
  return gone ? gone : (int)(round_word(node, number) % WORD(1, 0));
}

/* In round r a node tells the one 2^r behind it, and hears of the one 2^r before it. */
static int rounds_meet(int n, int own, pst_front_node_fn node, const void *list, int gone)
{
  for (int distance = 1; distance < n && !(gone & PST_FRONT_MEET_LOST); distance *= 2) {
    round_tell(node(list, (own + distance) % n), gone);
    gone |= round_hear(node(list, (own - distance + n) % n));
  }
  return gone;
}

/* ---- sets with lost members ---- */

static int lost_among(int n, pst_front_node_fn node, const void *list)
{
  for (int i = 0; gasnetx_lost_count() && i < n; i++)
    if (gasnetx_node_is_lost(node(list, i))) return PST_FRONT_MEET_LOST;
  return PST_FRONT_MET;
}

/* This node comes to a call, which has the next number for it and each other one. */
static void set_come(int n, int own, pst_front_node_fn node, const void *list)
{
  for (int i = 0; i < n; i++) {
    if (i == own) continue;
    struct partner *const p = &partners[node(list, i)];
    p->heard = ++p->told;
    __atomic_store_n(&mine->from[node(list, i)].come, p->told, __ATOMIC_RELEASE);
  }
}

/* A node that has ended the call before it knew of the loss tells nothing more, but it has come. */
static int come_far(gasnet_node_t node, struct patience *p)
{
  uint64_t *const come = &area_of(node)->from[gasnet_mynode()].come;
  const uint64_t *const here = pst_atomic_here(pst_map, node, come);
  if (!patience_ends(p, node)) return 0;
  return (here ? __atomic_load_n(here, __ATOMIC_ACQUIRE) : gasnet_get_val(node, come, sizeof *come)) >=
      partners[node].heard;
}

static int member_wait(gasnet_node_t node)
{
  const uint64_t number = partners[node].heard;
  struct patience asked = {0}, state = {0};
  int gone = PST_FRONT_MET;
  PST_FRONT_UNTIL(gone || round_word(node, number) || (gone = round_gone(node, number, &state)) ||
      come_far(node, &asked));
  return gone;
}

/* Rounds end at the first one that a lost node leaves out. Then each tells each that it has come. */
static int members_meet(int n, int own, pst_front_node_fn node, const void *list, int gone)
{
  for (int i = 0; i < n; i++)
    if (i != own) round_tell(node(list, i), gone);
  for (int i = 0; i < n; i++)
    if (i != own) gone |= member_wait(node(list, i));
  return gone;
}

int pst_front_meet_set(int n, int own, pst_front_node_fn node, const void *list)
{
  if (received) set_come(n, own, node, list);
  const int gone = rounds_meet(n, own, node, list, lost_among(n, node, list));
  return gone & PST_FRONT_MEET_LOST ? members_meet(n, own, node, list, gone) : gone;
}

/* ---- agreement ---- */

/* The nodes of a list from one on. */
struct rest {
  pst_front_node_fn node;
  const void *list;
  int first;
};
static gasnet_node_t rest_node(const void *rest, int i)
{
  const struct rest *const r = rest;
  return r->node(r->list, r->first + i);
}

static uint32_t *values_of(gasnet_node_t node)
{
  return (uint32_t *)(void *)(area_of(node)->from + gasnet_nodes());
}

/* 0: the node is not there any more, and what has been read is nothing. */
static int values_get(gasnet_node_t node, int first, int n, uint32_t *values)
{
  gasnet_get(values, node, values_of(node) + first, (size_t)n * sizeof *values);
  return node_state(node) == PST_FRONT_MET;
}

/* All have what the first ones have that are not lost, as each takes the values of those before it, one after
 * the other, and then shows its own to those behind it. A node's own value is the same in all lists, so one
 * that still reads it while the list is being stored gets it, too. */
void pst_front_meet_agree(
    int n, int own, pst_front_node_fn node, const void *list, uint32_t value, uint32_t values[])
{
  const size_t nbytes = (size_t)n * sizeof *values;
  struct rest rest = {node, list, 0};
  uint32_t *const shown = values_of(gasnet_mynode());
  shown[own] = value;
  pst_front_meet_set(n, own, node, list);
  for (int i = 0; i < n; i++) {
    values[i] = value;
    if (i != own && !values_get(node(list, i), i, 1, &values[i])) values[i] = 0;
  }
  for (; rest.first < own; rest.first++)
    if (pst_front_meet_nodes(1, rest_node, &rest) == PST_FRONT_MET &&
        values_get(node(list, rest.first), 0, n, received))
      memcpy(values, received, nbytes);
  memcpy(shown, values, nbytes);
  rest.first++;
  pst_front_meet_nodes(n - rest.first, rest_node, &rest);
  pst_front_meet_set(n, own, node, list);
}

/* ---- all ---- */

/* How many of all nodes have stopped; the caller has, or has not. */
static int stopped_count(int has_stopped)
{
  const gasnetx_reduction_t sum = {.type = GASNETX_TYPE_INT32, .op = GASNETX_OP_SUM, .size = sizeof(int)};
  int n = has_stopped;
  if (gasnet_nodes() > 1) gasnetx_coll_allreduce(all, &n, &n, 1, &sum);
  return n;
}

int pst_front_meet_all(void) { return stopped_count(0) > 0 ? PST_FRONT_MEET_STOPPED : PST_FRONT_MET; }

/* Each node tells each: so none is needed any more when another one leaves, whoever is lost. */
static void survivors_leave(void)
{
  for (gasnet_node_t node = 0; node < gasnet_nodes(); node++) {
    const gasnetx_notify_t n = {
        .kind = GASNETX_NOTIFY_SET, .word = &area_of(node)->from[gasnet_mynode()].stopped, .value = 1};
    if (node != gasnet_mynode()) gasnetx_put_notify_nbi_bulk(node, NULL, NULL, 0, &n);
  }
  gasnet_wait_syncnbi_puts();
  for (gasnet_node_t node = 0; node < gasnet_nodes(); node++)
    PST_FRONT_UNTIL(node == gasnet_mynode() || node_state(node) != PST_FRONT_MET);
}

/* What this node has told others is there before they see that it has stopped. */
void pst_front_meet_leave(void (*missed)(gasnet_node_t node))
{
  gasnet_wait_syncnbi_puts();
  if (missed) gasnetx_coll_leave(all, missed);
  else gasnetx_coll_retire(all);
  __atomic_store_n(&mine->stopped, 1, __ATOMIC_RELEASE);
  if (received) survivors_leave();
  else
    while (stopped_count(1) < (int)gasnet_nodes()) continue;
}
