/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Channels between two members: slots where they share memory, else messages. Longer data goes in pieces,
 * whose size both ends compute alike. */
#include <stdlib.h>

#include "core/wait.h"
#include "extended/rma.h"
#include "extended/team_messages.h"
#include "extended/team_slots.h"
#include "support/least.h"
#include "support/yield.h"

size_t pst_team_near_room(void) { return pst_slots.room; }

static inline size_t piece_room(gasnet_node_t node)
{
  return pst_slots_reach(node) ? pst_slots.room : pst_messages_room();
}

static inline void tag_check(const struct pst_team *t, gasnet_node_t node, int right)
{
  if (__builtin_expect(!right, 0)) pst_team_mismatch(t, node);
}

/* ---- one piece: 1 when it moved, 0 when it cannot now ---- */

static int piece_send_near(const struct pst_team *t, gasnet_node_t node, const void *data, size_t n)
{
  struct pst_lane *l = pst_slots_lane(node);
  if (!pst_lane_has_room(l)) return 0;
  pst_lane_send(l, node, t->tag, data, n);
  return 1;
}

static int piece_receive_near(const struct pst_team *t, gasnet_node_t node, void *to, size_t n)
{
  struct pst_lane *l = pst_slots_lane(node);
  struct pst_slot *s = pst_lane_next(l);
  if (!pst_lane_has_come(l, s)) return 0;
  tag_check(t, node, s->tag == t->tag);
  if (n) memcpy(to, s->data, n);
  pst_lane_taken(l, node, s);
  return 1;
}

static int piece_receive_far(const struct pst_team *t, gasnet_node_t node, void *to, size_t n)
{
  const int rc = pst_messages_receive(node, t->tag, to, n);
  tag_check(t, node, rc >= 0);
  return rc;
}

static int piece_send(const struct pst_team *t, gasnet_node_t node, const void *data, size_t n)
{
  return pst_slots_reach(node) ? piece_send_near(t, node, data, n) : pst_messages_send(node, t->tag, data, n);
}

static int piece_receive(const struct pst_team *t, gasnet_node_t node, void *to, size_t n)
{
  return pst_slots_reach(node) ? piece_receive_near(t, node, to, n) : piece_receive_far(t, node, to, n);
}

static int stream_advance(struct pst_stream *s, size_t n)
{
  s->at += n;
  s->left -= n;
  return 1;
}

/* ---- one step of a stream: 1 when it moved, 0 when it cannot now ----
 *
 * Data moves in pieces. A long stream to a node that shares no memory does not, where the receiver can get
 * it: the sender tells its address, and goes on when the receiver has said that it has read the data. Both
 * ends know the length, and so what comes next. */
enum { LARGE = 65536 };
enum { NEW, PIECES, READ };

static inline int stream_is_large(const struct pst_stream *s, gasnet_node_t node)
{
  return s->left >= LARGE && !pst_slots_reach(node);
}

static int stream_send_address(const struct pst_team *t, struct pst_stream *s, gasnet_node_t node)
{
  s->address = pst_team_shared(s->at, s->left);
  s->reads = pst_messages_reads(node) + 1;
  if (!piece_send(t, node, &s->address, sizeof s->address)) return 0;
  s->state = s->address ? READ : PIECES;
  return 1;
}

static int stream_send_some(const struct pst_team *t, struct pst_stream *s)
{
  const gasnet_node_t node = pst_team_node(t, s->rank);
  const size_t n = pst_least(s->left, piece_room(node));
  if (s->state == NEW && stream_is_large(s, node)) return stream_send_address(t, s, node);
  s->state = s->state == NEW ? PIECES : s->state;
  if (s->state == READ) return pst_messages_reads(node) == s->reads ? stream_advance(s, s->left) : 0;
  return piece_send(t, node, s->at, n) ? stream_advance(s, n) : 0;
}

static int stream_receive_address(const struct pst_team *t, struct pst_stream *s, gasnet_node_t node)
{
  if (!piece_receive(t, node, &s->address, sizeof s->address)) return 0;
  s->state = s->address ? READ : PIECES;
  if (s->address) pst_rma_start(PST_OP_GET, node, (void *)(uintptr_t)s->address, s->at, s->left, &s->read);
  return 1;
}

static int stream_finish_read(struct pst_stream *s, gasnet_node_t node)
{
  if (!pst_completion_is_done(&s->read, PST_GETS)) return 0;
  pst_messages_tell_read(node);
  return stream_advance(s, s->left);
}

static int stream_receive_some(const struct pst_team *t, struct pst_stream *s)
{
  const gasnet_node_t node = pst_team_node(t, s->rank);
  const size_t n = pst_least(s->left, piece_room(node));
  if (s->state == NEW && stream_is_large(s, node)) return stream_receive_address(t, s, node);
  s->state = s->state == NEW ? PIECES : s->state;
  if (s->state == READ) return stream_finish_read(s, node);
  return piece_receive(t, node, s->at, n) ? stream_advance(s, n) : 0;
}

/* ---- waiting ---- */

/* Waits until *word is not `seen`: where each process has a core, with a few looks first. */
static void word_wait(const _Atomic uint64_t *word, uint64_t seen)
{
  const struct pst_watch watch = {word, seen};
  struct pst_wait w = {0, 0};
  for (unsigned looks = pst_wait_eager(); looks > 0; looks--) {
    if (atomic_load_explicit(word, memory_order_relaxed) != seen) return;
    pst_spin_pause();
  }
  while (atomic_load_explicit(word, memory_order_relaxed) == seen) pst_wait_word(&w, &watch);
}

static void lane_wait_for_room(struct pst_lane *l)
{
  while (!pst_lane_has_room(l)) word_wait(l->out_taken, l->freed);
}

static struct pst_slot *lane_wait_for_slot(const struct pst_team *t, struct pst_lane *l, gasnet_node_t node)
{
  struct pst_slot *s = pst_lane_next(l);
  uint64_t seen;
  while ((seen = atomic_load_explicit(&s->number, memory_order_acquire)) != l->received + 1)
    word_wait(&s->number, seen);
  tag_check(t, node, s->tag == t->tag);
  return s;
}

/* The members of a small group whose messages have not come, a bit each. *here: one of them ran on this core
 * when it sent its last message. */
static unsigned members_missing(const struct pst_team *t, unsigned among, int *here)
{
  const uint32_t cpu = pst_cpu();
  unsigned left = 0;
  *here = 0;
  for (unsigned i = 0; among >> i; i++) {
    const struct pst_lane *l = pst_slots_lane(pst_team_node(t, t->first + i));
    if (!(among >> i & 1) || pst_lane_has_come(l, pst_lane_next(l))) continue;
    left |= 1u << i;
    *here |= l->cpu == cpu;
  }
  return left;
}

static int members_spin(const struct pst_team *t, unsigned among)
{
  enum { LOOKS = 1000 }; /* as long as some ten switches of processes */
  const struct pst_lane *l = pst_slots_lane(pst_team_node(t, t->first + (unsigned)__builtin_ctz(among)));
  const struct pst_slot *s = pst_lane_next(l);
  for (unsigned i = 0; i < LOOKS; i++) {
    if (pst_lane_has_come(l, s)) return 1;
    pst_spin_pause();
  }
  return 0;
}

void pst_team_expect(const struct pst_team *t)
{
  enum { TURNS = 8 };
  unsigned left = ((1u << pst_team_near(t)) - 1) ^ 1u << (t->me - t->first);
  int here;
  if (pst_wait_eager()) return;
  for (int i = 0; i < TURNS && (left = members_missing(t, left, &here)) != 0; i++) {
    if (here) pst_yield();
    else if (!members_spin(t, left)) return;
  }
}

/* ---- one stream ---- */

static void stream_send_all(struct pst_team *t, gasnet_node_t node, struct pst_stream *s)
{
  struct pst_wait w = {0, 0};
  do {
    if (pst_slots_reach(node)) lane_wait_for_room(pst_slots_lane(node));
    while (!stream_send_some(t, s)) pst_wait_step(&w);
  } while (s->left);
}

static void stream_receive_all(struct pst_team *t, gasnet_node_t node, struct pst_stream *s)
{
  struct pst_wait w = {0, 0};
  do {
    if (pst_slots_reach(node)) lane_wait_for_slot(t, pst_slots_lane(node), node);
    while (!stream_receive_some(t, s)) pst_wait_step(&w);
  } while (s->left);
}

void pst_team_send(struct pst_team *t, unsigned rank, const void *data, size_t n)
{
  struct pst_stream s = {.rank = rank, .at = (char *)(uintptr_t)data, .left = n};
  stream_send_all(t, pst_team_node(t, rank), &s);
}

void pst_team_receive(struct pst_team *t, unsigned rank, void *to, size_t n)
{
  struct pst_stream s = {.rank = rank, .at = to, .left = n};
  stream_receive_all(t, pst_team_node(t, rank), &s);
}

const void *pst_team_take(struct pst_team *t, unsigned rank, void *buffer, size_t n)
{
  const gasnet_node_t node = pst_team_node(t, rank);
  if (pst_slots_reach(node) && n <= pst_slots.room)
    return lane_wait_for_slot(t, pst_slots_lane(node), node)->data;
  pst_team_receive(t, rank, buffer, n);
  return buffer;
}

void pst_team_drop(struct pst_team *t, unsigned rank, const void *taken, const void *buffer)
{
  const gasnet_node_t node = pst_team_node(t, rank);
  struct pst_lane *l = pst_slots_lane(node);
  if (taken != buffer) pst_lane_taken(l, node, pst_lane_next(l));
}

/* ---- several ---- */

static unsigned streams_step(struct pst_team *t, struct pst_stream *s, unsigned n,
    int (*step)(const struct pst_team *, struct pst_stream *))
{
  unsigned moved = 0;
  for (unsigned i = 0; i < n; i++) {
    const int is_next = i == 0 || s[i - 1].rank != s[i].rank || s[i - 1].left == 0;
    while (is_next && s[i].left && step(t, &s[i])) moved++;
  }
  return moved;
}

static int streams_left(const struct pst_stream *s, unsigned n)
{
  for (unsigned i = 0; i < n; i++)
    if (s[i].left) return 1;
  return 0;
}

/* Finds a word in shared memory whose change moves one of the streams: 1, or 0 where there is none, or -1
 * where it has changed already. */
static int streams_watch(const struct pst_team *t, const struct pst_stream *out, unsigned outs,
    const struct pst_stream *in, unsigned ins, struct pst_watch *watch)
{
  for (unsigned i = 0; i < ins; i++) {
    const gasnet_node_t node = pst_team_node(t, in[i].rank);
    if (!in[i].left || !pst_slots_reach(node)) continue;
    watch->word = &pst_lane_next(pst_slots_lane(node))->number;
    watch->seen = atomic_load_explicit(watch->word, memory_order_relaxed);
    return watch->seen == pst_slots_lane(node)->received + 1 ? -1 : 1;
  }
  for (unsigned i = 0; i < outs; i++) {
    const gasnet_node_t node = pst_team_node(t, out[i].rank);
    const struct pst_lane *l = pst_slots_reach(node) ? pst_slots_lane(node) : NULL;
    if (!out[i].left || !l) continue;
    *watch = (struct pst_watch){l->out_taken, l->freed};
    return l->sent - l->freed <= pst_slots.mask ? -1 : 1;
  }
  return 0;
}

static void streams_wait(const struct pst_team *t, const struct pst_stream *out, unsigned outs,
    const struct pst_stream *in, unsigned ins, struct pst_wait *w)
{
  struct pst_watch watch;
  const int found = streams_watch(t, out, outs, in, ins, &watch);
  if (found == 1) pst_wait_word(w, &watch);
  else if (found == 0) pst_wait_step(w);
}

void pst_team_exchange(
    struct pst_team *t, struct pst_stream *out, unsigned outs, struct pst_stream *in, unsigned ins)
{
  struct pst_wait w = {0, 0};
  while (streams_left(out, outs) || streams_left(in, ins)) {
    const unsigned moved = streams_step(t, out, outs, stream_send_some) +
        streams_step(t, in, ins, stream_receive_some);
    if (moved) w.idle = 0;
    else streams_wait(t, out, outs, in, ins, &w);
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
