/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Puts with notification, from all nodes and threads to all at once, without any barrier. Data must be there
 * when its target is told, in each wait mode and by each comparison. A target that has compared a round's
 * data acknowledges it by an empty put's notification; only then may the source send the next. */
#include "vis_call.h"
#include <gasnetx.h>

#define SLOT            ((size_t)1 << 18)
#define PIECES          200
#define COUNT_DOWN_FROM ((uint64_t)1 << 40)
enum { H_NOTIFIED = 160 };
enum { ADD_OWN, ADD_COMMON, ADD_DOWN, SET_OWN, HANDLER, KINDS }; /* which word, or none */
enum { CONTIGUOUS, STRIDED, VECTOR, INDEXED, FORMS };

/* What a client thread keeps in its node's segment, before its slots. */
struct words {
  uint64_t before, common, down, after; /* any source changes common and down */
  struct {
    uint64_t add, set, ack, untouched;
  } of[]; /* [nodes]: the source's alone */
};

/* A put of form `form`. Its source is one piece, with the pattern of the transfer's key. */
struct move {
  int form, how, kind;
  size_t total, extent, n, row, pitch; /* n pieces; STRIDED, INDEXED: of `row` bytes each */
  size_t at[PIECES], len[PIECES];
};

struct client {
  int thread;
  struct rng r;
  unsigned char *source[2]; /* by the round's parity: [nodes] of SLOT */
  gasnet_handle_t handle[2][256];
  uint64_t added[256], set[256], commons, downs; /* what this client's words must show */
  unsigned char *expected;
  struct move move;
};

static struct client *client_of[TEST_MAX_THREADS];
static unsigned handled[256][TEST_MAX_THREADS]; /* the last round that a handler has told of */
static unsigned round_first;

static uint64_t key(gasnet_node_t src, gasnet_node_t dst, int thread, unsigned round)
{
  return test_key(80 + ((uint64_t)dst << 32), ((uint64_t)src << 8) + (uint64_t)thread, round);
}

/* ---- places ---- */

static size_t words_size(void)
{
  return (sizeof(struct words) + test.nodes * sizeof(uint64_t[4]) + 63) / 64 * 64;
}
static struct words *words_at(gasnet_node_t node, int thread)
{
  return (struct words *)(void *)seg_at(node, words_size() * (size_t)thread);
}
static unsigned char *slot_at(gasnet_node_t node, gasnet_node_t src, int thread)
{
  size_t slots = (words_size() * (size_t)test.threads + 4095) / 4096 * 4096;
  return (unsigned char *)seg_at(node, slots + ((size_t)src * (size_t)test.threads + (size_t)thread) * SLOT);
}
static size_t segment_size(void)
{
  return words_size() * TEST_MAX_THREADS + 4096 + (size_t)test.nodes * (size_t)test.threads * SLOT;
}

/* ---- what a source sends: both ends make the same of the key ---- */

static void make_strided(struct move *m, struct rng *r)
{
  m->row = 1 + rng_size(r, 400);
  m->pitch = m->row + rng_below(r, 60);
  m->n = rng_range(r, 1, PIECES);
  for (size_t i = 0; i < m->n; i++) {
    m->at[i] = m->at[0] + i * m->pitch;
    m->len[i] = m->row;
  }
}

static void make_list(struct move *m, struct rng *r)
{
  size_t at = m->at[0];
  m->row = 1 + rng_size(r, 300);
  m->n = rng_below(r, 20) ? rng_range(r, 1, 40) : rng_below(r, PIECES);
  for (size_t i = 0; i < m->n; i++) {
    m->at[i] = at;
    m->len[i] = m->form == INDEXED ? m->row : rng_below(r, 5) ? rng_size(r, 900) : 0;
    at += m->len[i] + rng_below(r, 20);
  }
}

static void make_move(struct move *m, uint64_t k)
{
  struct rng r;
  rng_init(&r, k);
  m->form = (int)rng_below(&r, FORMS);
  m->how = (int)rng_below(&r, 3);
  m->kind = (int)rng_below(&r, KINDS);
  m->at[0] = rng_below(&r, 64);
  if (m->form == STRIDED) make_strided(m, &r);
  else if (m->form != CONTIGUOUS) make_list(m, &r);
  else {
    m->n = 1;
    m->len[0] = rng_below(&r, 16) ? rng_size(&r, 3000) : rng_size(&r, SLOT - 128);
  }
  m->total = 0;
  m->extent = 64;
  for (size_t i = 0; i < m->n; i++) {
    m->total += m->len[i];
    if (m->at[i] + m->len[i] > m->extent) m->extent = m->at[i] + m->len[i];
  }
  m->extent += 64; /* guards */
}

static gasnet_handle_t start_list(const struct move *m, gasnet_node_t to, unsigned char *dst,
    unsigned char *src, const gasnetx_notify_t *notify)
{
  gasnet_memvec_t far[PIECES], near[1] = {{src, m->total}};
  void *far_at[PIECES], *near_at[1] = {src};
  for (size_t i = 0; i < m->n; i++) {
    far[i] = (gasnet_memvec_t){dst + m->at[i], m->len[i]};
    far_at[i] = dst + m->at[i];
  }
  gasnet_handle_t h = m->form == VECTOR
      ? VIS_CALL(m->how, gasnetx_putv_notify, to, m->n, far, 1, near, notify)
      : VIS_CALL(m->how, gasnetx_puti_notify, to, m->n, far_at, m->row, 1, near_at, m->total, notify);
  spoil(far, sizeof far);
  spoil(far_at, sizeof far_at);
  return h;
}

static gasnet_handle_t start_move(
    const struct move *m, gasnet_node_t to, unsigned char *dst, unsigned char *src, gasnetx_notify_t *notify)
{
  size_t count[2] = {m->row, m->n};
  gasnet_handle_t h;
  if (m->form == CONTIGUOUS)
    h = VIS_CALL(m->how, gasnetx_put_notify, to, dst + m->at[0], src, m->total, notify);
  else if (m->form != STRIDED) h = start_list(m, to, dst, src, notify);
  else
    h = VIS_CALL(m->how, gasnetx_puts_notify, to, dst + m->at[0], &m->pitch, src, &m->row, count, 1, notify);
  spoil(notify, sizeof *notify);
  return h;
}

static gasnetx_notify_t notification(const struct move *m, gasnet_node_t to, int thread, unsigned round)
{
  struct words *w = words_at(to, thread);
  gasnetx_notify_t n = {.kind = GASNETX_NOTIFY_ADD, .value = 1};
  switch (m->kind) {
  case ADD_OWN: n.word = &w->of[test.me].add; break;
  case ADD_COMMON: n.word = &w->common; break;
  case ADD_DOWN:
    n.word = &w->down;
    n.value = ~(uint64_t)0;
    break;
  case SET_OWN:
    n.kind = GASNETX_NOTIFY_SET;
    n.word = &w->of[test.me].set;
    n.value = round;
    break;
  default:
    n.kind = GASNETX_NOTIFY_HANDLER;
    n.handler = H_NOTIFIED;
    n.arg[0] = thread;
    n.arg[1] = (gasnet_handlerarg_t)round;
  }
  return n;
}

/* ---- waiting ---- */

/* Waits for the word, which only counts from `last` to `value`: by any comparison that is true at `value`
 * alone. */
static void wait_for(struct client *c, const uint64_t *word, uint64_t last, uint64_t value, const char *what)
{
  static const gasnetx_compare_t up[] = {GASNETX_EQ, GASNETX_GE, GASNETX_GT},
                                 down[] = {GASNETX_EQ, GASNETX_LE, GASNETX_LT};
  unsigned kind = (unsigned)rng_below(&c->r, 4);
  int falls = value < last, other = kind == 3 && (falls ? last - value : value - last) == 1;
  gasnetx_compare_t cmp = other ? GASNETX_NE : falls ? down[kind % 3] : up[kind % 3];
  uint64_t than = other   ? last
      : cmp == GASNETX_GT ? value - 1
      : cmp == GASNETX_LT ? value + 1
                          : value,
           seen = 0;
  if (rng_below(&c->r, 2)) seen = gasnetx_wait_until(word, cmp, than);
  else
    while (!gasnetx_test_until(word, cmp, than, &seen)) test_yield();
  CHECK(seen == value, "%s: waited for %llu by comparison %d, and saw %llu", what, (unsigned long long)value,
      (int)cmp, (unsigned long long)seen);
  CHECK(gasnetx_test_until(word, GASNETX_EQ, value, rng_below(&c->r, 2) ? &seen : NULL),
      "%s: the word has changed again", what);
}

/* Another process orders a slot's use here before the next put into it, which the thread sanitizer does not
 * see. volatile: else these loops become calls of functions that it does see. */
#define UNSEEN __attribute__((no_sanitize("thread")))

static UNSEEN size_t differs_at(const unsigned char *want, const volatile unsigned char *slot, size_t n)
{
  size_t i = 0;
  while (i < n && slot[i] == want[i]) i++;
  return i;
}

static UNSEEN void clear_slot(volatile unsigned char *slot, size_t n)
{
  for (size_t i = 0; i < n; i++) slot[i] = TEST_UNTOUCHED;
}

static void check_slot(const struct move *m, unsigned char *expected, gasnet_node_t src, int thread,
    unsigned round, const char *where)
{
  uint64_t k = key(src, test.me, thread, round);
  unsigned char *flat = expected + SLOT, *p = flat;
  pattern_fill(flat, m->total, k);
  memset(expected, TEST_UNTOUCHED, m->extent);
  for (size_t i = 0; i < m->n; p += m->len[i++]) memcpy(expected + m->at[i], p, m->len[i]);
  size_t i = differs_at(expected, slot_at(test.me, src, thread), m->extent);
  CHECK(i == m->extent,
      "round %u, %s: byte %zu of what node %u's thread %d put (form %d, %zu bytes, notification %d) is wrong",
      round, where, i, (unsigned)src, thread, m->form, m->total, m->kind);
}

static void on_notified(gasnet_token_t t, gasnet_handlerarg_t thread, gasnet_handlerarg_t round)
{
  static _Thread_local struct move
      m; /* large; with a network, two conduits may run a handler at the same time */
  static _Thread_local unsigned char expected[2 * SLOT];
  gasnet_node_t src = 0;
  REQUIRE_OK(gasnet_AMGetMsgSource(t, &src));
  make_move(&m, key(src, test.me, (int)thread, (unsigned)round));
  CHECK(m.kind == HANDLER, "round %d: a handler ran, and should not", (int)round);
  check_slot(&m, expected, src, (int)thread, (unsigned)round, "in its handler");
  __atomic_store_n(&handled[src][thread], (unsigned)round, __ATOMIC_RELEASE);
}

/* ---- a round ---- */

static void send_to(struct client *c, gasnet_node_t to, unsigned round)
{
  struct words *mine = words_at(test.me, c->thread);
  unsigned char *src = c->source[round % 2] + (size_t)to * SLOT;
  struct move *m = &c->move;
  wait_for(c, &mine->of[to].ack, round - 2, round - 1, "acknowledgement");
  make_move(m, key(test.me, to, c->thread, round));
  pattern_fill(src, m->total, key(test.me, to, c->thread, round));
  gasnetx_notify_t n = notification(m, to, c->thread, round);
  c->handle[round % 2][to] = start_move(m, to, slot_at(to, test.me, c->thread), src, &n);
}

static void count_expected(struct client *c, unsigned round)
{
  for (gasnet_node_t s = 0; s < test.nodes; s++) {
    make_move(&c->move, key(s, test.me, c->thread, round));
    if (c->move.kind == ADD_COMMON) c->commons++;
    if (c->move.kind == ADD_DOWN) c->downs++;
  }
}

static void wait_notified(
    struct client *c, gasnet_node_t src, unsigned round, uint64_t commons, uint64_t downs)
{
  struct words *w = words_at(test.me, c->thread);
  switch (c->move.kind) {
  case ADD_OWN:
    c->added[src]++;
    wait_for(c, &w->of[src].add, c->added[src] - 1, c->added[src], "own word");
    break;
  case ADD_COMMON: wait_for(c, &w->common, commons, c->commons, "common word"); break;
  case ADD_DOWN:
    wait_for(c, &w->down, COUNT_DOWN_FROM - downs, COUNT_DOWN_FROM - c->downs, "word that counts down");
    break;
  case SET_OWN:
    wait_for(c, &w->of[src].set, c->set[src], round, "set word");
    c->set[src] = round;
    break;
  default: GASNET_BLOCKUNTIL(__atomic_load_n(&handled[src][c->thread], __ATOMIC_ACQUIRE) == round);
  }
}

static void receive_from(
    struct client *c, gasnet_node_t src, unsigned round, uint64_t commons, uint64_t downs)
{
  make_move(&c->move, key(src, test.me, c->thread, round));
  wait_notified(c, src, round, commons, downs);
  check_slot(&c->move, c->expected, src, c->thread, round, "after its notification");
  clear_slot(slot_at(test.me, src, c->thread), c->move.extent);
}

/* Called when all sources' data of the round has been seen: until then none may count for the next. */
static void acknowledge(struct client *c, gasnet_node_t to)
{
  gasnetx_notify_t n = {
      .kind = GASNETX_NOTIFY_ADD, .word = &words_at(to, c->thread)->of[test.me].ack, .value = 1};
  switch (rng_below(&c->r, 3)) {
  case 0: gasnetx_put_notify_bulk(to, NULL, NULL, 0, &n); break;
  case 1: gasnetx_putv_notify_nbi_bulk(to, 0, NULL, 0, NULL, &n); break;
  default:
    gasnet_wait_syncnb(gasnetx_puts_notify_nb_bulk(to, NULL, NULL, NULL, NULL, (size_t[2]){0, 5}, 1, &n));
  }
}

/* Syncs round - 2: its buffers are about to be filled again. */
static void sync_round(struct client *c, unsigned round)
{
  gasnet_wait_syncnb_all(c->handle[round % 2], test.nodes);
  memset(c->handle[round % 2], 0, sizeof c->handle[0]); /* GASNET_INVALID_HANDLE */
  gasnet_wait_syncnbi_puts();
}

static void rounds(int thread)
{
  struct client *c = client_of[thread];
  unsigned last = round_first + (unsigned)test_scaled(test.nodes <= 8 ? 120 : 6);
  for (unsigned round = round_first; round < last; round++) {
    gasnet_node_t first = (gasnet_node_t)rng_below(&c->r, test.nodes);
    uint64_t commons = c->commons, downs = c->downs;
    sync_round(c, round);
    for (gasnet_node_t i = 0; i < test.nodes; i++) send_to(c, (first + i) % test.nodes, round);
    count_expected(c, round);
    for (gasnet_node_t i = 0; i < test.nodes; i++)
      receive_from(c, (first + i) % test.nodes, round, commons, downs);
    for (gasnet_node_t i = 0; i < test.nodes; i++) acknowledge(c, (first + 1 + i) % test.nodes);
  }
  sync_round(c, 0);
  sync_round(c, 1);
}

/* ---- a word that all add to ---- */

static size_t additions(void) { return test_scaled(test.nodes <= 8 ? 1000 : 50); }

static void add_up(int thread)
{
  gasnetx_notify_t n = {.kind = GASNETX_NOTIFY_ADD, .word = &words_at(0, 0)->before};
  for (size_t i = 0; i < additions(); i++) {
    n.value = key(test.me, 0, thread, (unsigned)i);
    if (i % 3 == 0) gasnetx_put_notify_nbi_bulk(0, NULL, NULL, 0, &n);
    else if (i % 3 == 1) gasnetx_put_notify_bulk(0, NULL, NULL, 0, &n);
    else gasnet_wait_syncnb(gasnetx_puti_notify_nb_bulk(0, 0, NULL, 8, 0, NULL, 8, &n));
  }
  gasnet_wait_syncnbi_puts();
}

static void test_sum(void)
{
  uint64_t sum = 0, *word = &words_at(0, 0)->before;
  for (gasnet_node_t i = 0; i < test.nodes; i++)
    for (int t = 0; t < test.threads; t++)
      for (size_t k = 0; k < additions(); k++) sum += key(i, 0, t, (unsigned)k);
  test_threads(test.threads, add_up);
  if (test.me == 0) CHECK(gasnetx_wait_until(word, GASNETX_EQ, sum) == sum, "the sum is wrong");
  test_barrier(); /* all additions are complete */
  if (test.me == 0) {
    CHECK(*word == sum, "the word is %llu and was the sum %llu before", (unsigned long long)*word,
        (unsigned long long)sum);
    *word = 0;
  }
  test_barrier();
}

/* ---- sleeping ---- */

static double clock_of(clockid_t id)
{
  struct timespec t;
  clock_gettime(id, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Node 0 keeps the others waiting for a fifth of a second: they must sleep, and wake for a notification as
 * for a plain put. */
static void test_sleep(int plain)
{
  uint64_t *word = &words_at(test.me, 0)->after;
  test_barrier();
  if (test.me == 0) {
    for (double start = clock_of(CLOCK_MONOTONIC); clock_of(CLOCK_MONOTONIC) < start + 0.2;) gasnet_AMPoll();
    for (gasnet_node_t i = 1; i < test.nodes; i++) {
      uint64_t value = 5, *there = &words_at(i, 0)->after;
      gasnetx_notify_t n = {.kind = GASNETX_NOTIFY_SET, .word = there, .value = value};
      if (plain) gasnet_put_bulk(i, there, &value, sizeof value);
      else gasnetx_put_notify_bulk(i, NULL, NULL, 0, &n);
    }
  } else {
    double elapsed = clock_of(CLOCK_MONOTONIC), busy = clock_of(CLOCK_PROCESS_CPUTIME_ID);
    CHECK(gasnetx_wait_until(word, GASNETX_NE, 0) == 5, "woke with %llu", (unsigned long long)*word);
    elapsed = clock_of(CLOCK_MONOTONIC) - elapsed;
    busy = clock_of(CLOCK_PROCESS_CPUTIME_ID) - busy;
    CHECK(
        elapsed < 0.1 || busy < elapsed / 2, "waited %.3f s and was busy for %.3f s of them", elapsed, busy);
    *word = 0;
  }
  test_barrier();
}

/* ---- */

static void check_words(void)
{
  for (int t = 0; t < test.threads; t++) {
    struct words *w = words_at(test.me, t);
    struct client *c = client_of[t];
    CHECK(w->before == 0 && w->after == 0, "words beside the notified ones have changed");
    CHECK(w->common == c->commons && w->down == COUNT_DOWN_FROM - c->downs,
        "a common word has changed after the last round");
    for (gasnet_node_t i = 0; i < test.nodes; i++) {
      CHECK(w->of[i].add == c->added[i] && w->of[i].set == c->set[i],
          "node %u's word has changed after the last round", (unsigned)i);
      CHECK(w->of[i].untouched == 0, "the word after node %u's has changed", (unsigned)i);
    }
  }
}

static struct client *client_new(int thread)
{
  struct client *c = (struct client *)calloc(1, sizeof *c);
  REQUIRE(c, "no memory");
  c->thread = thread;
  rng_init(&c->r, test_key(81, test.me, (uint64_t)thread));
  c->expected = (unsigned char *)malloc(2 * SLOT);
  for (int i = 0; i < 2; i++) c->source[i] = (unsigned char *)malloc(test.nodes * SLOT);
  REQUIRE(c->expected && c->source[0] && c->source[1], "no memory");
  words_at(test.me, thread)->down = COUNT_DOWN_FROM;
  return c;
}

int main(int argc, char **argv)
{
  static const int modes[] = {GASNET_WAIT_SPIN, GASNET_WAIT_BLOCK, GASNET_WAIT_SPINBLOCK};
  gasnet_handlerentry_t table[] = {{H_NOTIFIED, (void (*)())on_notified}};
  test_init("vis_notify", &argc, &argv);
  test_no_more_options(argc, argv);
  REQUIRE(test.nodes <= 256, "at most 256 nodes");
  test_attach(table, 1, segment_size());
  memset(test.seg[test.me].addr, 0, words_size() * (size_t)test.threads);
  for (gasnet_node_t i = 0; i < test.nodes; i++)
    for (int t = 0; t < test.threads; t++) memset(slot_at(test.me, i, t), TEST_UNTOUCHED, SLOT);
  for (int t = 0; t < test.threads; t++) client_of[t] = client_new(t);
  round_first = 1;
  for (int k = 0; k < 3; k++) {
    test_barrier();
    REQUIRE_OK(gasnet_set_waitmode(modes[k]));
    test_threads(test.threads, rounds);
    round_first += (unsigned)test_scaled(test.nodes <= 8 ? 120 : 6);
    test_barrier();
    test_sum();
  }
  REQUIRE_OK(gasnet_set_waitmode(GASNET_WAIT_BLOCK));
  test_sleep(0);
  test_sleep(1);
  check_words();
  test_finish();
}
