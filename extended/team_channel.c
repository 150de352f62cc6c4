/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Channels between two of a list: slots where they share memory, else messages. Longer data goes in pieces of
 * a size that both ends compute alike. */
#include <stdlib.h>

#include "core/wait.h"
#include "extended/rma.h"
#include "extended/team_messages.h"
#include "extended/team_slots.h"
#include "support/least.h"
#include "support/pause.h"
#include "support/yield.h"

size_t pst_team_near_room(void) { return pst_slots.room; }

static inline size_t room_of(gasnet_node_t node)
{
  return pst_slots_reach(node) ? pst_slots.room : pst_messages_room();
}

static inline void check_tag(const struct pst_party *p, gasnet_node_t node, int right)
{
  if (__builtin_expect(!right, 0)) pst_team_mismatch(p, node);
}

/* ---- one piece, if it can be now ---- */

static int send_near(const struct pst_party *p, gasnet_node_t node, const void *data, size_t n)
{
  struct pst_lane *l = pst_slots_lane(node);
  if (!pst_lane_has_room(l)) return 0;
  pst_lane_send(l, node, p->tag, data, n);
  return 1;
}

static int receive_near(const struct pst_party *p, gasnet_node_t node, void *to, size_t n)
{
  struct pst_lane *l = pst_slots_lane(node);
  struct pst_slot *s = pst_lane_next(l);
  if (!pst_lane_has_come(l, s)) return 0;
  check_tag(p, node, s->tag == p->tag);
  if (n) memcpy(to, s->data, n);
  pst_lane_taken(l, node, s);
  return 1;
}

static int receive_far(const struct pst_party *p, gasnet_node_t node, void *to, size_t n)
{
  const int rc = pst_messages_receive(node, p->tag, to, n);
  check_tag(p, node, rc >= 0);
  return rc;
}

static int send_some(const struct pst_party *p, gasnet_node_t node, const void *data, size_t n)
{
  return pst_slots_reach(node) ? send_near(p, node, data, n) : pst_messages_send(node, p->tag, data, n);
}

static int receive_some(const struct pst_party *p, gasnet_node_t node, void *to, size_t n)
{
  return pst_slots_reach(node) ? receive_near(p, node, to, n) : receive_far(p, node, to, n);
}

static int advance(struct pst_stream *s, size_t n)
{
  s->at += n;
  s->left -= n;
  return 1;
}

/* ---- one step of a stream, if it can be now ----
 *
 * Much data for a node that shares no memory does not travel in messages where the receiver can get it: the
 * sender says where it lies, and goes on when the receiver has said that it has read it. Else, and for
 * little, pieces. Both ends know the length, thus what comes next. */
enum { LARGE = 65536 };
enum { NEW, PIECES, READ };

static inline int is_large(const struct pst_stream *s, gasnet_node_t node)
{
  return s->left >= LARGE && !pst_slots_reach(node);
}

static int send_address(const struct pst_party *p, struct pst_stream *s, gasnet_node_t node)
{
  s->address = pst_team_shared(s->at, s->left);
  s->reads = pst_messages_reads(node) + 1;
  if (!send_some(p, node, &s->address, sizeof s->address)) return 0;
  s->state = s->address ? READ : PIECES;
  return 1;
}

static int send_piece(const struct pst_party *p, struct pst_stream *s)
{
  const gasnet_node_t node = pst_party_node(p, s->rank);
  const size_t n = pst_least(s->left, room_of(node));
  if (s->state == NEW && is_large(s, node)) return send_address(p, s, node);
  s->state = s->state == NEW ? PIECES : s->state;
  if (s->state == READ) return pst_messages_reads(node) == s->reads ? advance(s, s->left) : 0;
  return send_some(p, node, s->at, n) ? advance(s, n) : 0;
}

static int receive_address(const struct pst_party *p, struct pst_stream *s, gasnet_node_t node)
{
  if (!receive_some(p, node, &s->address, sizeof s->address)) return 0;
  s->state = s->address ? READ : PIECES;
  if (s->address) pst_rma_start(PST_OP_GET, node, (void *)(uintptr_t)s->address, s->at, s->left, &s->pending);
  return 1;
}

static int finish_read(struct pst_stream *s, gasnet_node_t node)
{
  if (atomic_load_explicit(&s->pending, memory_order_acquire) != 0) return 0;
  pst_messages_tell_read(node);
  return advance(s, s->left);
}

static int receive_piece(const struct pst_party *p, struct pst_stream *s)
{
  const gasnet_node_t node = pst_party_node(p, s->rank);
  const size_t n = pst_least(s->left, room_of(node));
  if (s->state == NEW && is_large(s, node)) return receive_address(p, s, node);
  s->state = s->state == NEW ? PIECES : s->state;
  if (s->state == READ) return finish_read(s, node);
  return receive_some(p, node, s->at, n) ? advance(s, n) : 0;
}

/* ---- waiting ---- */

/* Until it is no longer `seen`; a little while only, where all have cores; then in the way of all waits. */
static void wait_for_change(const _Atomic uint64_t *word, uint64_t seen)
{
  const struct pst_watch watch = {word, seen};
  struct pst_wait w = {0, 0};
  for (unsigned looks = pst_wait_eager(); looks > 0; looks--) {
    if (atomic_load_explicit(word, memory_order_relaxed) != seen) return;
    pst_spin_pause();
  }
  while (atomic_load_explicit(word, memory_order_relaxed) == seen) pst_wait_word(&w, &watch);
}

static void wait_for_room(struct pst_lane *l)
{
  while (!pst_lane_has_room(l)) wait_for_change(l->out_taken, l->freed);
}

static struct pst_slot *wait_for_slot(const struct pst_party *p, struct pst_lane *l, gasnet_node_t node)
{
  struct pst_slot *s = pst_lane_next(l);
  uint64_t seen;
  while ((seen = atomic_load_explicit(&s->number, memory_order_acquire)) != l->received + 1)
    wait_for_change(&s->number, seen);
  check_tag(p, node, s->tag == p->tag);
  return s;
}

/* Those of a small group whose message has not come, a bit each; *here: one of them ran on this core when it
 * sent its last. */
static unsigned missing(const struct pst_party *p, unsigned among, int *here)
{
  const uint32_t cpu = pst_cpu();
  unsigned left = 0;
  *here = 0;
  for (unsigned i = 0; among >> i; i++) {
    const struct pst_lane *l = pst_slots_lane(pst_party_node(p, p->first + i));
    if (!(among >> i & 1) || pst_lane_has_come(l, pst_lane_next(l))) continue;
    left |= 1u << i;
    *here |= l->cpu == cpu;
  }
  return left;
}

static int spin(const struct pst_party *p, unsigned among)
{
  enum { LOOKS = 1000 }; /* some ten switches: the other cores are about as far */
  const struct pst_lane *l = pst_slots_lane(pst_party_node(p, p->first + (unsigned)__builtin_ctz(among)));
  const struct pst_slot *s = pst_lane_next(l);
  for (unsigned i = 0; i < LOOKS; i++) {
    if (pst_lane_has_come(l, s)) return 1;
    pst_spin_pause();
  }
  return 0;
}

void pst_team_expect(const struct pst_party *p)
{
  enum { TURNS = 8 };
  unsigned left = ((1u << pst_party_near(p)) - 1) ^ 1u << (p->me - p->first);
  int here;
  if (pst_wait_eager()) return;
  for (int i = 0; i < TURNS && (left = missing(p, left, &here)) != 0; i++) {
    if (here) pst_yield();
    else if (!spin(p, left)) return;
  }
}

/* ---- one stream ---- */

static void send_all(struct pst_party *p, gasnet_node_t node, struct pst_stream *s)
{
  struct pst_wait w = {0, 0};
  do {
    if (pst_slots_reach(node)) wait_for_room(pst_slots_lane(node));
    while (!send_piece(p, s)) pst_wait_step(&w);
  } while (s->left);
}

static void receive_all(struct pst_party *p, gasnet_node_t node, struct pst_stream *s)
{
  struct pst_wait w = {0, 0};
  do {
    if (pst_slots_reach(node)) wait_for_slot(p, pst_slots_lane(node), node);
    while (!receive_piece(p, s)) pst_wait_step(&w);
  } while (s->left);
}

void pst_team_send(struct pst_party *p, unsigned rank, const void *data, size_t n)
{
  struct pst_stream s = {.rank = rank, .at = (char *)(uintptr_t)data, .left = n};
  send_all(p, pst_party_node(p, rank), &s);
}

void pst_team_receive(struct pst_party *p, unsigned rank, void *to, size_t n)
{
  struct pst_stream s = {.rank = rank, .at = to, .left = n};
  receive_all(p, pst_party_node(p, rank), &s);
}

const void *pst_team_take(struct pst_party *p, unsigned rank, void *buffer, size_t n)
{
  const gasnet_node_t node = pst_party_node(p, rank);
  if (pst_slots_reach(node) && n <= pst_slots.room) return wait_for_slot(p, pst_slots_lane(node), node)->data;
  pst_team_receive(p, rank, buffer, n);
  return buffer;
}

void pst_team_drop(struct pst_party *p, unsigned rank, const void *taken, const void *buffer)
{
  const gasnet_node_t node = pst_party_node(p, rank);
  struct pst_lane *l = pst_slots_lane(node);
  if (taken != buffer) pst_lane_taken(l, node, pst_lane_next(l));
}

/* ---- several ---- */

static unsigned step_all(struct pst_party *p, struct pst_stream *s, unsigned n,
    int (*step)(const struct pst_party *, struct pst_stream *))
{
  unsigned moved = 0;
  for (unsigned i = 0; i < n; i++) {
    const int is_next = i == 0 || s[i - 1].rank != s[i].rank || s[i - 1].left == 0;
    while (is_next && s[i].left && step(p, &s[i])) moved++;
  }
  return moved;
}

static int open_streams(const struct pst_stream *s, unsigned n)
{
  for (unsigned i = 0; i < n; i++)
    if (s[i].left) return 1;
  return 0;
}

/* A word whose change moves one of the streams, where both ends share memory. 0: none does; -1: something has
 * changed already. */
static int word_to_watch(const struct pst_party *p, const struct pst_stream *out, unsigned outs,
    const struct pst_stream *in, unsigned ins, struct pst_watch *watch)
{
  for (unsigned i = 0; i < ins; i++) {
    const gasnet_node_t node = pst_party_node(p, in[i].rank);
    if (!in[i].left || !pst_slots_reach(node)) continue;
    watch->word = &pst_lane_next(pst_slots_lane(node))->number;
    watch->seen = atomic_load_explicit(watch->word, memory_order_relaxed);
    return watch->seen == pst_slots_lane(node)->received + 1 ? -1 : 1;
  }
  for (unsigned i = 0; i < outs; i++) {
    const gasnet_node_t node = pst_party_node(p, out[i].rank);
    const struct pst_lane *l = pst_slots_reach(node) ? pst_slots_lane(node) : NULL;
    if (!out[i].left || !l) continue;
    *watch = (struct pst_watch){l->out_taken, l->freed};
    return l->sent - l->freed <= pst_slots.mask ? -1 : 1;
  }
  return 0;
}

static void wait_for_any(const struct pst_party *p, const struct pst_stream *out, unsigned outs,
    const struct pst_stream *in, unsigned ins, struct pst_wait *w)
{
  struct pst_watch watch;
  const int found = word_to_watch(p, out, outs, in, ins, &watch);
  if (found == 1) pst_wait_word(w, &watch);
  else if (found == 0) pst_wait_step(w);
}

void pst_team_exchange(
    struct pst_party *p, struct pst_stream *out, unsigned outs, struct pst_stream *in, unsigned ins)
{
  struct pst_wait w = {0, 0};
  while (open_streams(out, outs) || open_streams(in, ins)) {
    const unsigned moved = step_all(p, out, outs, send_piece) + step_all(p, in, ins, receive_piece);
    if (moved) w.idle = 0;
    else wait_for_any(p, out, outs, in, ins, &w);
  }
}

/* ---- */

void *pst_team_buffer(size_t n)
{
  static void *buffer;
  static size_t size;
  if (n <= size) return buffer;
  free(buffer);
  size = (n + 4095) & ~(size_t)4095;
  buffer = aligned_alloc(64, size);
  if (!buffer) pst_fatal("out of memory for a collective's %zu bytes", size);
  return buffer;
}
