/* Channels between two of a list: slots where they share memory, else messages. Longer data goes in pieces of a size that both ends
 * compute alike. */
#include <stdlib.h>

#include "core/wait.h"
#include "extended/team_messages.h"
#include "extended/team_slots.h"
#include "support/pause.h"

size_t pst_team_near_room(void) { return pst_slots.room; }

static inline size_t room_of(gasnet_node_t node) { return pst_slots_reach(node) ? pst_slots.room : pst_messages_room(); }
static inline size_t min_size(size_t a, size_t b) { return a < b ? a : b; }

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
  pst_lane_taken(l, node);
  return 1;
}

static int receive_far(const struct pst_party *p, gasnet_node_t node, void *to, size_t n)
{
  const int rc = pst_messages_receive(node, p->tag, to, n);
  check_tag(p, node, rc >= 0);
  return rc;
}

static int send_piece(const struct pst_party *p, struct pst_stream *s)
{
  const gasnet_node_t node = pst_party_node(p, s->rank);
  const size_t n = min_size(s->left, room_of(node));
  if (!(pst_slots_reach(node) ? send_near(p, node, s->at, n) : pst_messages_send(node, p->tag, s->at, n))) return 0;
  s->at += n;
  s->left -= n;
  return 1;
}

static int receive_piece(const struct pst_party *p, struct pst_stream *s)
{
  const gasnet_node_t node = pst_party_node(p, s->rank);
  const size_t n = min_size(s->left, room_of(node));
  if (!(pst_slots_reach(node) ? receive_near(p, node, s->at, n) : receive_far(p, node, s->at, n))) return 0;
  s->at += n;
  s->left -= n;
  return 1;
}

/* ---- waiting ---- */

/* Until it is no longer `seen`; a little while only, where all have cores; then in the way of all waits. */
static void wait_for_change(const _Atomic uint64_t *word, uint64_t seen)
{
  const struct pst_watch watch = { word, seen };
  struct pst_wait w = { 0, 0 };
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
  while ((seen = atomic_load_explicit(&s->number, memory_order_acquire)) != l->received + 1) wait_for_change(&s->number, seen);
  check_tag(p, node, s->tag == p->tag);
  return s;
}

/* ---- one stream ---- */

static void send_all(struct pst_party *p, gasnet_node_t node, struct pst_stream *s)
{
  struct pst_wait w = { 0, 0 };
  do {
    if (pst_slots_reach(node)) wait_for_room(pst_slots_lane(node));
    while (!send_piece(p, s)) pst_wait_step(&w);
  } while (s->left);
}

static void receive_all(struct pst_party *p, gasnet_node_t node, struct pst_stream *s)
{
  struct pst_wait w = { 0, 0 };
  do {
    if (pst_slots_reach(node)) wait_for_slot(p, pst_slots_lane(node), node);
    while (!receive_piece(p, s)) pst_wait_step(&w);
  } while (s->left);
}

void pst_team_send(struct pst_party *p, unsigned rank, const void *data, size_t n)
{
  struct pst_stream s = { rank, (char *)(uintptr_t)data, n };
  send_all(p, pst_party_node(p, rank), &s);
}

void pst_team_receive(struct pst_party *p, unsigned rank, void *to, size_t n)
{
  struct pst_stream s = { rank, to, n };
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
  if (taken != buffer) pst_lane_taken(pst_slots_lane(node), node);
}

/* ---- several ---- */

static unsigned step_all(struct pst_party *p, struct pst_stream *s, unsigned n, int (*step)(const struct pst_party *, struct pst_stream *))
{
  unsigned moved = 0;
  for (unsigned i = 0; i < n; i++) {
    while (s[i].left && step(p, &s[i])) moved++;
    if (s[i].left) break;
  }
  return moved;
}

static int open_streams(const struct pst_stream *s, unsigned n)
{
  for (unsigned i = 0; i < n; i++)
    if (s[i].left) return 1;
  return 0;
}

void pst_team_exchange(struct pst_party *p, struct pst_stream *out, unsigned outs, struct pst_stream *in, unsigned ins)
{
  struct pst_wait w = { 0, 0 };
  while (open_streams(out, outs) || open_streams(in, ins)) {
    const unsigned moved = step_all(p, out, outs, send_piece) + step_all(p, in, ins, receive_piece);
    if (moved) w.idle = 0;
    else pst_wait_step(&w);
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
