/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Puts with notification: each call, each form, each kind; the target checks the data as soon as it is told.
 * Waiting for words in each wait mode, many sources at one word, waking from sleep. */
#include "side.h"
#include <gasnetx.h>

enum { H_NOTIFIED = 128 };
enum { CONTIGUOUS, STRIDED, VECTOR, INDEXED, FORMS };
enum { KINDS = GASNETX_NOTIFY_HANDLER + 1, CALLS = NBI + 1 };
#define AREA ((size_t)64 * 1024)

/* Each source's words in a segment. */
struct words {
  uint64_t add, set, acknowledged;
};
static struct words *words_of(gasnet_node_t node, gasnet_node_t source)
{
  return (struct words *)seg_at(node, 64) + source;
}
static uint64_t *crowd_word(gasnet_node_t node) { return (uint64_t *)seg_at(node, 0); }
static unsigned char *area_of(gasnet_node_t node) { return (unsigned char *)seg_at(node, 65536); }

/* ---- random transfers ---- */

struct transfer {
  int form, call, kind;
  struct side dst, src;
  size_t levels, count[4], dst_strides[3], src_strides[3]; /* strided */
};

static void random_strided(struct transfer *t, struct rng *r)
{
  t->levels = rng_below(r, 4);
  t->count[0] = rng_below(r, 10) ? rng_range(r, 1, 70) : 0;
  for (size_t i = 0; i < t->levels; i++) t->count[i + 1] = rng_range(r, 1, 8);
  side_block(&t->dst, t->dst_strides, &t->src, t->src_strides, r, t->levels, t->count, 100);
}

/* Both ends make it, from the source's number and the step. */
static void random_transfer(struct transfer *t, gasnet_node_t source, size_t step)
{
  struct rng r;
  size_t a, b, unit;
  rng_init(&r, test_key(source, step, 1));
  t->form = (int)(step % FORMS);
  t->call = (int)(step / FORMS % CALLS);
  t->kind = (int)(step / FORMS / CALLS % KINDS);
  t->dst.n = t->src.n = 0;
  switch (t->form) {
  case CONTIGUOUS:
    unit = rng_size(&r, AREA - 200);
    side_regular(&t->dst, &r, 1, unit, 100, 30);
    side_regular(&t->src, &r, 1, unit, 100, 30);
    break;
  case STRIDED: random_strided(t, &r); break;
  case VECTOR:
    unit = rng_size(&r, 20000);
    side_vector(&t->dst, &r, unit, 40, 100, 50);
    side_vector(&t->src, &r, unit, 40, 100, 50);
    break;
  default:
    a = rng_range(&r, 1, 20), b = rng_range(&r, 1, 20), unit = rng_below(&r, 70);
    side_regular(&t->dst, &r, a, unit * b, 100, 30);
    side_regular(&t->src, &r, b, unit * a, 100, 30);
  }
}

/* ---- the reference ---- */

static unsigned char expected[AREA], original[AREA];
static uint64_t src_key(gasnet_node_t source, size_t step) { return test_key(source, step, 2); }
static uint64_t dst_key(gasnet_node_t source, size_t step) { return test_key(source, step, 3); }

static void check_arrival(gasnet_node_t source, size_t step)
{
  static struct transfer t;
  random_transfer(&t, source, step);
  pattern_fill(original, AREA, src_key(source, step));
  pattern_fill(expected, AREA, dst_key(source, step));
  side_copy(expected, &t.dst, original, &t.src);
  if (!memcmp(expected, area_of(test.me), AREA)) return;
  size_t i = 0;
  while (expected[i] == area_of(test.me)[i]) i++;
  CHECK(0, "step %zu from node %u (form %d, call %d, kind %d): byte %zu is not what it must be once told",
      step, (unsigned)source, t.form, t.call, t.kind, i);
}

/* ---- starting them ---- */

static gasnet_handle_t start(
    const struct transfer *t, gasnet_node_t node, unsigned char *src, gasnetx_notify_t notify)
{
  gasnet_handle_t h;
  static struct side_list to, from;
  struct transfer m = *t;
  const size_t dn = m.dst.n, dl = m.dst.len[0], sn = m.src.n, sl = m.src.len[0];
  side_list(&to, area_of(node), &m.dst);
  side_list(&from, src, &m.src);
  void *d = to.at[0], *s = from.at[0];
  switch (t->form) {
  case CONTIGUOUS: h = VIS_CALL(t->call, gasnetx_put_notify, node, d, s, dl, &notify); break;
  case STRIDED:
    h = VIS_CALL(
        t->call, gasnetx_puts_notify, node, d, m.dst_strides, s, m.src_strides, m.count, m.levels, &notify);
    break;
  case VECTOR: h = VIS_CALL(t->call, gasnetx_putv_notify, node, dn, to.v, sn, from.v, &notify); break;
  default: h = VIS_CALL(t->call, gasnetx_puti_notify, node, dn, to.at, dl, sn, from.at, sl, &notify);
  }
  spoil(&m, sizeof m);
  spoil(&notify, sizeof notify);
  spoil(&to, sizeof to);
  spoil(&from, sizeof from);
  return h;
}

/* ---- each form, call and kind ---- */

static size_t handled[2]; /* runs of the handler, and the step that it named last */

static void on_notified(gasnet_token_t token, gasnet_handlerarg_t step, gasnet_handlerarg_t source)
{
  gasnet_node_t from;
  REQUIRE_OK(gasnet_AMGetMsgSource(token, &from));
  CHECK(from == (gasnet_node_t)source, "the handler's token names node %u, not %d", (unsigned)from,
      (int)source);
  check_arrival((gasnet_node_t)source, (size_t)step);
  handled[0]++;
  handled[1] = (size_t)step;
}

/* What the words must show, and how often the handler must have run. */
static uint64_t added, acknowledged;
static size_t handlers;

static uint64_t value_of(gasnet_node_t source, size_t step) { return test_key(source, step, 4) | 1; }

static gasnetx_notify_t notification(int kind, gasnet_node_t node, size_t step)
{
  struct words *w = words_of(node, test.me);
  gasnetx_notify_t n;
  memset(&n, 0xA5, sizeof n);
  n.kind = (gasnetx_notify_kind_t)kind;
  if (kind == GASNETX_NOTIFY_HANDLER) {
    n.handler = H_NOTIFIED;
    n.arg[0] = (gasnet_handlerarg_t)step;
    n.arg[1] = (gasnet_handlerarg_t)test.me;
  } else {
    n.word = kind == GASNETX_NOTIFY_ADD ? &w->add : &w->set;
    n.value = value_of(test.me, step);
  }
  return n;
}

static void await(int kind, gasnet_node_t source, size_t step)
{
  struct words *w = words_of(test.me, source);
  const uint64_t value = value_of(source, step);
  if (kind == GASNETX_NOTIFY_HANDLER) {
    handlers++;
    GASNET_BLOCKUNTIL(__atomic_load_n(&handled[0], __ATOMIC_ACQUIRE) == handlers);
    CHECK(handled[1] == step, "the handler was told step %zu, not %zu", handled[1], step);
    return;
  }
  if (kind == GASNETX_NOTIFY_ADD) added += value;
  if (step % 2) {
    uint64_t seen = gasnetx_wait_until(kind == GASNETX_NOTIFY_ADD ? &w->add : &w->set, GASNETX_EQ,
        kind == GASNETX_NOTIFY_ADD ? added : value);
    CHECK(seen == (kind == GASNETX_NOTIFY_ADD ? added : value), "gasnetx_wait_until returned another value");
  } else if (kind == GASNETX_NOTIFY_ADD) {
    while (!gasnetx_test_until(&w->add, GASNETX_EQ, added, NULL)) test_yield();
  } else {
    gasnetx_wait_until(&w->set, GASNETX_EQ, value);
  }
  check_arrival(source, step);
}

static void finish(const struct transfer *t, gasnet_handle_t h)
{
  if (t->call == NB) gasnet_wait_syncnb(h);
  if (t->call == NBI) gasnet_wait_syncnbi_puts();
}

/* Puts to one neighbour and waits for the put of the other; an empty put says that this node has looked. The
 * source's data is needed until the sync, and spoilt after it. */
static void exchange(gasnet_node_t to, gasnet_node_t from, size_t step)
{
  static unsigned char local[AREA];
  static struct transfer t;
  const gasnetx_notify_t seen = {
      .kind = GASNETX_NOTIFY_ADD, .word = &words_of(from, test.me)->acknowledged, .value = 1};
  random_transfer(&t, test.me, step);
  pattern_fill(local, AREA, src_key(test.me, step));
  gasnet_handle_t h = start(&t, to, local, notification(t.kind, to, step));
  if (step % 3) finish(&t, h), memset(local, 0, AREA);
  await(t.kind, from, step);
  pattern_fill(area_of(test.me), AREA, dst_key(from, step + 1));
  gasnetx_put_notify_bulk(from, NULL, NULL, 0, &seen);
  gasnetx_wait_until(&words_of(test.me, to)->acknowledged, GASNETX_GE, ++acknowledged);
  if (step % 3 == 0) finish(&t, h);
}

static void each_form(void)
{
  const gasnet_node_t rounds = partner_rounds(4);
  const size_t steps = test_scaled(test.nodes <= 4 ? 360 : 72);
  for (gasnet_node_t k = 0; k < rounds; k++) {
    const gasnet_node_t to = peer_to(partner_round(k, rounds)), from = peer_from(partner_round(k, rounds));
    added = words_of(test.me, from)->add;
    acknowledged = words_of(test.me, to)->acknowledged;
    pattern_fill(area_of(test.me), AREA, dst_key(from, 0));
    test_barrier();
    for (size_t step = 0; step < steps; step++) exchange(to, from, step);
    test_barrier();
    CHECK(handled[0] == handlers, "%zu handlers ran for %zu puts", handled[0], handlers);
  }
}

/* ---- many sources at one word ---- */

static uint64_t *crowd_slot(gasnet_node_t node, gasnet_node_t source, size_t k)
{
  return (uint64_t *)area_of(node) + (size_t)source * 64 + k % 64;
}

/* Every node adds to every node's word, 64 puts of each in flight: when the sum is complete, all data is
 * there. */
static void crowd(void)
{
  static uint64_t value[64];
  const size_t rounds = test_scaled(20);
  uint64_t told = 0;
  *crowd_word(test.me) = 0;
  test_barrier();
  for (size_t r = 0; r < rounds; r++) {
    for (size_t k = 0; k < 64; k++) value[k] = test_key(test.me, r * 64 + k, 5);
    for (gasnet_node_t i = 0; i < test.nodes; i++) {
      const gasnet_node_t to = peer_to(i);
      const gasnetx_notify_t n = {.kind = GASNETX_NOTIFY_ADD, .word = crowd_word(to), .value = 3};
      for (size_t k = 0; k < 64; k++)
        gasnetx_put_notify_nbi_bulk(to, crowd_slot(to, test.me, k), &value[k], 8, &n);
    }
    told += 3 * 64 * (uint64_t)test.nodes;
    gasnetx_wait_until(crowd_word(test.me), GASNETX_GE, told);
    for (gasnet_node_t i = 0; i < test.nodes; i++)
      for (size_t k = 0; k < 64; k++)
        CHECK(*crowd_slot(test.me, i, k) == test_key(i, r * 64 + k, 5), "node %u's value %zu of round %zu",
            (unsigned)i, k, r);
    gasnet_wait_syncnbi_puts();
    test_barrier();
  }
  CHECK(*crowd_word(test.me) == told, "%llu at the word, not %llu", (unsigned long long)*crowd_word(test.me),
      (unsigned long long)told);
}

/* ---- order ---- */

/* Each put starts when the one before is complete: values and data come in order. */
static void in_order(void)
{
  const gasnet_node_t to = peer_to(1), from = peer_from(1);
  const size_t steps = test_scaled(500);
  const uint64_t *word = &words_of(test.me, from)->set;
  uint64_t last = 0, sent = 0;
  words_of(test.me, from)->set = 0;
  memset(area_of(test.me), 0, AREA);
  test_barrier();
  while (last < steps || sent < steps) {
    for (int burst = 0; burst < 10 && sent < steps; burst++) {
      uint64_t value = test_key(test.me, ++sent, 6);
      const gasnetx_notify_t n = {
          .kind = GASNETX_NOTIFY_SET, .word = &words_of(to, test.me)->set, .value = sent};
      gasnetx_put_notify_bulk(to, (uint64_t *)area_of(to) + sent % (AREA / 8), &value, 8, &n);
    }
    if (last == steps) continue;
    uint64_t v = gasnetx_wait_until(word, GASNETX_GT, last);
    CHECK(v > last && v <= steps, "%llu after %llu", (unsigned long long)v, (unsigned long long)last);
    for (uint64_t k = last + 1; k <= v; k++)
      if (v - k < AREA / 8 - 10)
        CHECK(((uint64_t *)area_of(test.me))[k % (AREA / 8)] == test_key(from, k, 6),
            "value %llu once %llu was told", (unsigned long long)k, (unsigned long long)v);
    last = v;
  }
  test_barrier();
}

/* ---- comparisons ---- */

static void comparisons(void)
{
  static const uint64_t values[] = {0, 1, 5, (uint64_t)1 << 63, UINT64_MAX - 1, UINT64_MAX};
  for (size_t i = 0; i < 6; i++)
    for (size_t k = 0; k < 6; k++) {
      const uint64_t a = values[i], b = values[k];
      const int holds[] = {a == b, a != b, a > b, a >= b, a < b, a <= b};
      for (int c = GASNETX_EQ; c <= GASNETX_LE; c++) {
        uint64_t seen = 42;
        int yes = gasnetx_test_until(&a, (gasnetx_compare_t)c, b, &seen);
        CHECK(!yes == !holds[c], "comparison %d of %llu with %llu", c, (unsigned long long)a,
            (unsigned long long)b);
        CHECK(seen == (yes ? a : 42), "comparison %d: seen %llu", c, (unsigned long long)seen);
        if (yes)
          CHECK(gasnetx_wait_until(&a, (gasnetx_compare_t)c, b) == a,
              "gasnetx_wait_until of what holds already");
      }
    }
}

/* ---- wait modes ---- */

static uint64_t passes; /* of the ring's token, in all parts so far */

static void tell(gasnet_node_t node, uint64_t value)
{
  const gasnetx_notify_t n = {.kind = GASNETX_NOTIFY_SET, .word = crowd_word(node), .value = value};
  gasnetx_put_notify_bulk(node, NULL, NULL, 0, &n);
}

static void ring(size_t rounds)
{
  for (size_t k = 0; k < rounds; k++) {
    passes++;
    if (test.me == 0) tell(peer_to(1), passes);
    gasnetx_wait_until(crowd_word(test.me), GASNETX_GE, passes);
    if (test.me != 0) tell(peer_to(1), passes);
  }
  test_barrier();
}

static uint64_t now_ns(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* How much later than asked a sleep of a millisecond ends: a woken thread waits as long for a core. */
static uint64_t core_wait(void)
{
  const struct timespec ms = {0, 1000000};
  const uint64_t begin = now_ns();
  nanosleep(&ms, NULL);
  return now_ns() - begin - (uint64_t)ms.tv_nsec;
}

/* Where nodes share memory, the others sleep deeply, 16 milliseconds at a time, when node 0 tells them the
 * time. A node that is not woken is 8 milliseconds late on average. Over a network sleeps are so short that
 * nothing could be told from them. */
static void wake_soon(void)
{
  enum { ROUNDS = 9, SOON = 5000000, DEEP = 130000000 };
  uint64_t late[ROUNDS], core[ROUNDS];
  REQUIRE_OK(gasnet_set_waitmode(GASNET_WAIT_BLOCK));
  for (int k = 0; k < ROUNDS; k++) {
    *crowd_word(test.me) = 0;
    test_barrier();
    if (test.me == 0) {
      const struct timespec deep = {0, DEEP};
      nanosleep(&deep, NULL);
      for (gasnet_node_t i = 1; i < test.nodes; i++) tell(i, now_ns());
      nanosleep(&deep, NULL); /* a barrier would wake them, too */
    } else {
      uint64_t sent = gasnetx_wait_until(crowd_word(test.me), GASNETX_NE, 0);
      late[k] = now_ns() - sent;
      core[k] = core_wait();
    }
    test_barrier();
  }
  if (test.me == 0) return;
  qsort(late, ROUNDS, sizeof *late, ascending);
  qsort(core, ROUNDS, sizeof *core, ascending);
  CHECK(late[ROUNDS / 2] < SOON + 3 * core[ROUNDS / 2],
      "half of the wakes took more than %llu us, where half of the sleepers wait %llu us for a core",
      (unsigned long long)late[ROUNDS / 2] / 1000, (unsigned long long)core[ROUNDS / 2] / 1000);
}

#ifdef GASNET_PAR
static size_t turns;
static uint64_t by_thread[2]; /* outside the segment: any word can be waited for */

/* Thread 1 tells thread 0 by a put to this node, and answers come by a plain store. */
static void two_threads(int id)
{
  for (size_t k = 1; k <= turns; k++) {
    if (id == 0) {
      gasnetx_wait_until(crowd_word(test.me), GASNETX_EQ, k);
      __atomic_store_n(&by_thread[0], k, __ATOMIC_RELEASE);
    } else {
      tell(test.me, k);
      gasnetx_wait_until(&by_thread[0], GASNETX_EQ, k);
    }
  }
}
#endif

static void wait_modes(void)
{
  static const int modes[] = {GASNET_WAIT_SPIN, GASNET_WAIT_BLOCK, GASNET_WAIT_SPINBLOCK};
  *crowd_word(test.me) = 0;
  test_barrier();
  for (int m = 0; m < 4; m++) {
    REQUIRE_OK(gasnet_set_waitmode(modes[(m < 3 ? (unsigned)m : test.me) % 3]));
    ring(test_scaled(test.nodes <= 8 ? 300 : 10));
  }
#ifdef GASNET_PAR
  for (int m = 0; m < 3; m++) {
    REQUIRE_OK(gasnet_set_waitmode(modes[m]));
    *crowd_word(test.me) = by_thread[0] = 0;
    turns = test_scaled(test.nodes <= 4 ? 30 : 5);
    test_barrier();
    test_threads(2, two_threads);
    test_barrier();
  }
#endif
}

int main(int argc, char **argv)
{
  gasnet_handlerentry_t table[] = {{H_NOTIFIED, (void (*)())on_notified}};
  test_start("notify", &argc, &argv, table, 1, 65536 + AREA);
  REQUIRE(test.nodes * sizeof(struct words) + 64 <= 65536 && test.nodes * 512 <= AREA, "too many nodes");
  comparisons();
  each_form();
  crowd();
  in_order();
  wait_modes();
  const char *conduit = getenv("GASNET_CONDUIT");
  const int network = conduit && strcmp(conduit, "smp") != 0;
  if (test.nodes > 1 && test.nodes <= 4 && !network) wake_soon();
  test_finish();
}
