/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "front/meet.h"

#include <stdlib.h>
#include <string.h>

#include "front/wait.h"

struct area {
  uint64_t stopped;
  struct inbox {
    uint64_t calls;  /* that the node has made with this one */
    uint64_t rounds; /* in which it has told this one that others have come */
  } from[];          /* [nodes] */
};
/* `rounds` is a count of 48 bits. Behind it lies, for each kind of news of those that have not come, a count
 * from 0 to NEWS - 1. A node looks at it in each of its own calls, and a teller is at most one call ahead. */
enum { NEWS = 16 };
#define STOPPED_ONE ((uint64_t)1 << 48)
#define LOST_ONE    ((uint64_t)1 << 52)
static struct area *mine;
static const ptrdiff_t *shifts;
static struct partner {
  uint64_t calls;        /* that this node has made with it */
  uint64_t marked;       /* the number of the last call whose list has it */
  uint64_t rounds;       /* in which it was to tell this node */
  uint64_t seen;         /* the value of its word of rounds that was seen last */
  uint8_t stopped, lost; /* the news that this node has told it */
} * partners;            /* [nodes] */
static uint64_t calls;

size_t pst_front_meet_bytes(void) { return sizeof *mine + (size_t)gasnet_nodes() * sizeof mine->from[0]; }

int pst_front_meet_open(void *area, const ptrdiff_t *shift)
{
  partners = calloc(gasnet_nodes(), sizeof *partners);
  if (!partners) return -1;
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

static void word_add(gasnet_node_t node, uint64_t *word, uint64_t value)
{
  const gasnetx_notify_t n = {.kind = GASNETX_NOTIFY_ADD, .word = word, .value = value};
  gasnetx_put_notify_nbi_bulk(node, NULL, NULL, 0, &n);
}

static void partner_signal(gasnet_node_t node)
{
  partners[node].calls++;
  word_add(node, &area_of(node)->from[gasnet_mynode()].calls, 1);
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

static int round_has_come(gasnet_node_t node)
{
  const uint64_t word = __atomic_load_n(&mine->from[node].rounds, __ATOMIC_ACQUIRE);
  return word % STOPPED_ONE >= partners[node].rounds;
}

static int round_gone(gasnet_node_t node, struct patience *p)
{
  const int state = patience_ends(p, node) ? node_state(node) : PST_FRONT_MET;
  return round_has_come(node) ? PST_FRONT_MET : state;
}

/* What the node's word says that it did not say before. */
static int round_news(gasnet_node_t node)
{
  const uint64_t now = __atomic_load_n(&mine->from[node].rounds, __ATOMIC_RELAXED);
  const uint64_t changed = now ^ partners[node].seen;
  partners[node].seen = now;
  return (changed / LOST_ONE ? PST_FRONT_MEET_LOST : 0) |
      (changed % LOST_ONE / STOPPED_ONE ? PST_FRONT_MEET_STOPPED : 0);
}

/* Waits until the node has told this one of its round, or never will. */
static int round_wait(gasnet_node_t node)
{
  struct patience p = {0};
  int gone = PST_FRONT_MET;
  partners[node].rounds++;
  PST_FRONT_UNTIL(gone || round_has_come(node) || (gone = round_gone(node, &p)));
  if (gone) partners[node].rounds--;
  return gone | round_news(node);
}

static uint64_t news_add(uint8_t *told, uint64_t one)
{
  *told = (uint8_t)((*told + 1) % NEWS);
  return *told ? one : one - NEWS * one;
}

static uint64_t round_word(struct partner *p, int gone)
{
  return 1 + (gone & PST_FRONT_MEET_STOPPED ? news_add(&p->stopped, STOPPED_ONE) : 0) +
      (gone & PST_FRONT_MEET_LOST ? news_add(&p->lost, LOST_ONE) : 0);
}

static int lost_among(int n, pst_front_node_fn node, const void *list)
{
  for (int i = 0; gasnetx_lost_count() && i < n; i++)
    if (gasnetx_node_is_lost(node(list, i))) return PST_FRONT_MEET_LOST;
  return PST_FRONT_MET;
}

/* In round r a node tells the one 2^r behind it, and hears of the one 2^r before it. */
int pst_front_meet_set(int n, int own, pst_front_node_fn node, const void *list)
{
  int gone = lost_among(n, node, list);
  for (int distance = 1; distance < n; distance *= 2) {
    const gasnet_node_t to = node(list, (own + distance) % n), from = node(list, (own - distance + n) % n);
    word_add(to, &area_of(to)->from[gasnet_mynode()].rounds, round_word(&partners[to], gone));
    gone |= round_wait(from);
  }
  return gone;
}

/* ---- all ---- */

/* How many of all nodes have stopped; the caller has, or has not. */
static int stopped_count(int has_stopped)
{
  const gasnetx_reduction_t sum = {.type = GASNETX_TYPE_INT32, .op = GASNETX_OP_SUM, .size = sizeof(int)};
  int n = has_stopped;
  if (gasnet_nodes() > 1) gasnetx_coll_allreduce(GASNET_TEAM_ALL, &n, &n, 1, &sum);
  return n;
}

int pst_front_meet_all(void)
{
  const int stopped = stopped_count(0);
  if (gasnetx_lost_count() && gasnetx_status_take() != GASNET_OK) return PST_FRONT_MEET_LOST;
  return stopped > 0 ? PST_FRONT_MEET_STOPPED : PST_FRONT_MET;
}

/* What this node has told others is there before they see that it has stopped. */
void pst_front_meet_leave(void)
{
  gasnet_wait_syncnbi_puts();
  __atomic_store_n(&mine->stopped, 1, __ATOMIC_RELEASE);
  while (stopped_count(1) < (int)gasnet_nodes() && !gasnetx_lost_count()) continue;
}
