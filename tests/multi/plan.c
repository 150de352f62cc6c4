/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Plans of random members of every form, to and from every node, with and without notification: started in
 * each way, again and again, with other data and other base addresses, compared byte by byte with a plain
 * copy at the data's destination. */
#include "side.h"
#include <gasnetx.h>

enum { H_NOTIFIED = 128 };
enum { PUTS, GETS, PUTS_ANY, GETS_ANY, PUTV, GETV, PUTI, GETI, FORMS };
enum { MEMBERS = 8, BASES = 2, NO_NOTIFY = GASNETX_NOTIFY_HANDLER + 1 };
#define AREA ((size_t)5120) /* more than any side reaches */

struct member {
  int form, notify;
  gasnet_node_t far;
  struct side dst, src;
  size_t levels, count[4], elemsz;
  size_t dst_strides[3], src_strides[3];
  ptrdiff_t dst_any[3], src_any[3];
};

static int is_get(const struct member *m) { return m->form & 1; }
static int has_bases(const struct member *m) { return m->form < PUTV; }

/* ---- where things are: a slot has an area for each base ---- */

static uint64_t *word_of(gasnet_node_t node, gasnet_node_t source, size_t slot)
{
  return (uint64_t *)seg_at(node, ((size_t)source * MEMBERS + slot) * sizeof(uint64_t));
}
static size_t areas_at(void) { return test.nodes * MEMBERS * sizeof(uint64_t); }
/* Where gets find data, and where puts of each source arrive. */
static unsigned char *offered(gasnet_node_t node, size_t slot, size_t base)
{
  return (unsigned char *)seg_at(node, areas_at()) + (slot * BASES + base) * AREA;
}
static unsigned char *incoming(gasnet_node_t node, gasnet_node_t source, size_t slot, size_t base)
{
  return offered(node, ((size_t)source + 1) * MEMBERS + slot, base);
}
static unsigned char *local; /* outside the segment: sources of puts, destinations of gets */
static unsigned char *near_area(size_t slot, size_t base) { return local + (slot * BASES + base) * AREA; }

/* ---- random members, known to both ends ---- */

static void counts(struct member *m, struct rng *r)
{
  m->levels = rng_below(r, 4);
  for (size_t i = 0; i < m->levels; i++) m->count[i + 1] = rng_range(r, 1, 6);
}

static void random_strided(struct member *m, struct rng *r)
{
  counts(m, r);
  m->count[0] = rng_below(r, 10) ? rng_range(r, 1, 12) : 0;
  side_block(&m->dst, m->dst_strides, &m->src, m->src_strides, r, m->levels, m->count, 20);
}

/* Dimensions permuted and some reflected; the address of index 0 moves accordingly. */
static size_t scatter(ptrdiff_t *any, const struct member *m, const size_t *order, struct rng *r)
{
  size_t strides[3], extent = m->elemsz, base = rng_below(r, 20);
  for (size_t i = 0; i < m->levels; i++) {
    strides[i] = extent + rng_below(r, 9);
    extent = strides[i] * m->count[order[i] + 1];
  }
  for (size_t i = 0; i < m->levels; i++) {
    any[order[i]] = (ptrdiff_t)strides[i];
    if (rng_below(r, 2)) continue;
    any[order[i]] = -(ptrdiff_t)strides[i];
    base += strides[i] * (m->count[order[i] + 1] - 1);
  }
  return base;
}

static void random_any(struct member *m, struct rng *r)
{
  static const size_t orders[3][3] = {{0, 1, 2}, {2, 1, 0}, {1, 0, 2}};
  counts(m, r);
  m->elemsz = rng_range(r, 1, 12);
  const size_t *order = orders[m->levels == 3 ? rng_below(r, 3) : m->levels == 2 ? 2 * rng_below(r, 2) : 0];
  side_rows(&m->dst, m->levels, m->count + 1, m->dst_any, scatter(m->dst_any, m, order, r), m->elemsz);
  order = orders[0];
  side_rows(&m->src, m->levels, m->count + 1, m->src_any, scatter(m->src_any, m, order, r), m->elemsz);
}

static void random_member(struct member *m, gasnet_node_t source, size_t plan, size_t slot)
{
  struct rng r;
  size_t a, b, unit;
  rng_init(&r, test_key(source, plan * MEMBERS + slot, 1));
  memset(m, 0, sizeof *m);
  m->form = (int)rng_below(&r, FORMS);
  m->far = (gasnet_node_t)rng_below(&r, test.nodes);
  m->notify = is_get(m) ? NO_NOTIFY : (int)rng_below(&r, NO_NOTIFY + 1);
  switch (m->form) {
  case PUTS:
  case GETS: random_strided(m, &r); break;
  case PUTS_ANY:
  case GETS_ANY: random_any(m, &r); break;
  case PUTV:
  case GETV:
    unit = rng_size(&r, 2000);
    side_vector(&m->dst, &r, unit, 20, 20, 9);
    side_vector(&m->src, &r, unit, 20, 20, 9);
    break;
  default:
    a = rng_range(&r, 1, 9), b = rng_range(&r, 1, 9), unit = rng_below(&r, 20);
    side_regular(&m->dst, &r, a, unit * b, 20, 9);
    side_regular(&m->src, &r, b, unit * a, 20, 9);
  }
}

/* ---- the reference ---- */

static uint64_t src_key(gasnet_node_t owner, size_t slot, size_t base, size_t turn)
{
  return test_key(owner * 1000 + slot * BASES + base, turn, 2);
}
static uint64_t dst_key(gasnet_node_t source, size_t slot, size_t base, size_t turn)
{
  return test_key(source * 1000 + slot * BASES + base, turn, 3);
}

/* Which base a member uses in a turn: the first, unless it was given another. */
static size_t base_in(const struct member *m, size_t turn, size_t slot)
{
  return has_bases(m) ? (turn + slot) / 2 % BASES : 0;
}

static void check_member(const struct member *m, gasnet_node_t source, size_t slot, size_t turn)
{
  static unsigned char expected[AREA], original[AREA];
  const size_t used = base_in(m, turn, slot);
  for (size_t base = 0; base < BASES; base++) {
    const unsigned char *area = is_get(m) ? near_area(slot, base) : incoming(test.me, source, slot, base);
    pattern_fill(expected, AREA, dst_key(source, slot, base, turn));
    pattern_fill(original, AREA, src_key(is_get(m) ? m->far : source, slot, base, turn));
    if (base == used) side_copy(expected, &m->dst, original, &m->src);
    const size_t i = bytes_differ(expected, area, AREA);
    CHECK(i == AREA, "turn %zu, node %u's member %zu (form %d, levels %zu), base %zu: byte %zu is wrong",
        turn, (unsigned)source, slot, m->form, m->levels, base, i);
  }
}

/* ---- plans ---- */

static void add_lists(gasnetx_plan_t plan, const struct member *m, unsigned char *dst, unsigned char *src)
{
  static struct side_list to, from;
  const size_t dn = m->dst.n, dl = m->dst.len[0], sn = m->src.n, sl = m->src.len[0];
  side_list(&to, dst, &m->dst);
  side_list(&from, src, &m->src);
  switch (m->form) {
  case PUTV: gasnetx_plan_putv(plan, m->far, dn, to.v, sn, from.v); break;
  case GETV: gasnetx_plan_getv(plan, dn, to.v, m->far, sn, from.v); break;
  case PUTI: gasnetx_plan_puti(plan, m->far, dn, to.at, dl, sn, from.at, sl); break;
  default: gasnetx_plan_geti(plan, dn, to.at, dl, m->far, sn, from.at, sl);
  }
  spoil(&to, sizeof to); /* the plan has copies */
  spoil(&from, sizeof from);
}

static unsigned char *dst_area(const struct member *m, size_t slot, size_t base)
{
  return is_get(m) ? near_area(slot, base) : incoming(m->far, test.me, slot, base);
}
static unsigned char *src_area(const struct member *m, size_t slot, size_t base)
{
  return is_get(m) ? offered(m->far, slot, base) : near_area(slot, base);
}

static void add_member(gasnetx_plan_t plan, const struct member *m, size_t slot)
{
  struct member c = *m;
  unsigned char *dst = dst_area(m, slot, 0), *src = src_area(m, slot, 0);
  void *to = dst + m->dst.at[0], *from = src + m->src.at[0];
  switch (m->form) {
  case PUTS:
    gasnetx_plan_puts(plan, m->far, to, c.dst_strides, from, c.src_strides, c.count, c.levels);
    break;
  case GETS:
    gasnetx_plan_gets(plan, to, c.dst_strides, m->far, from, c.src_strides, c.count, c.levels);
    break;
  case PUTS_ANY:
    gasnetx_plan_puts_any(plan, m->far, to, c.dst_any, from, c.src_any, c.elemsz, c.count + 1, c.levels);
    break;
  case GETS_ANY:
    gasnetx_plan_gets_any(plan, to, c.dst_any, m->far, from, c.src_any, c.elemsz, c.count + 1, c.levels);
    break;
  default: add_lists(plan, m, dst, src);
  }
  spoil(&c, sizeof c);
}

static void set_notify(gasnetx_plan_t plan, const struct member *m, size_t slot, size_t turn)
{
  gasnetx_notify_t n = {.kind = (gasnetx_notify_kind_t)m->notify, .word = word_of(m->far, test.me, slot)};
  if (m->notify == NO_NOTIFY) return;
  n.value = m->notify == GASNETX_NOTIFY_ADD ? 5 : turn + 1;
  n.handler = H_NOTIFIED;
  n.arg[0] = (gasnet_handlerarg_t)slot;
  n.arg[1] = (gasnet_handlerarg_t)turn;
  gasnetx_plan_notify(plan, slot, &n);
  spoil(&n, sizeof n);
}

static size_t handled;

static void on_notified(gasnet_token_t token, gasnet_handlerarg_t slot, gasnet_handlerarg_t turn)
{
  (void)token, (void)turn;
  REQUIRE(slot >= 0 && slot < MEMBERS, "a handler of member %d", (int)slot);
  __atomic_fetch_add(&handled, 1, __ATOMIC_RELEASE);
}

/* ---- a plan's turns ---- */

static void fill(size_t turn)
{
  static struct member m;
  for (size_t slot = 0; slot < MEMBERS; slot++)
    for (size_t base = 0; base < BASES; base++) {
      pattern_fill(offered(test.me, slot, base), AREA, src_key(test.me, slot, base, turn));
      for (gasnet_node_t i = 0; i < test.nodes; i++)
        pattern_fill(incoming(test.me, i, slot, base), AREA, dst_key(i, slot, base, turn));
    }
  for (size_t slot = 0; slot < MEMBERS; slot++) {
    random_member(&m, test.me, turn >> 8, slot);
    for (size_t base = 0; base < BASES; base++)
      pattern_fill(near_area(slot, base), AREA,
          is_get(&m) ? dst_key(test.me, slot, base, turn) : src_key(test.me, slot, base, turn));
  }
}

/* Starts and waits in one of four ways. Returns how many starts. */
static uint64_t start(gasnetx_plan_t plan, size_t way)
{
  gasnet_handle_t h[3];
  switch (way) {
  case 0: gasnetx_plan_run(plan); return 1;
  case 1:
    gasnetx_plan_start_nbi(plan);
    gasnet_wait_syncnbi_all();
    return 1;
  case 2:
    for (int i = 0; i < 3; i++)
      h[i] = gasnetx_plan_start(plan); /* the same again before the first is synced */
    gasnet_wait_syncnb_all(h, 3);
    return 3;
  default:
    gasnet_begin_nbi_accessregion();
    gasnetx_plan_start_nbi(plan);
    gasnet_wait_syncnb(gasnet_end_nbi_accessregion());
    return 1;
  }
}

static size_t handlers; /* that must have run here so far */

/* Checks what all nodes put here, and what this node got. */
static void check_turn(size_t number, size_t turn, uint64_t starts, uint64_t all_starts)
{
  static struct member m;
  for (gasnet_node_t source = 0; source < test.nodes; source++)
    for (size_t slot = 0; slot < MEMBERS; slot++) {
      random_member(&m, source, number, slot);
      if (is_get(&m) ? source != test.me : m.far != test.me) continue;
      check_member(&m, source, slot, turn);
      if (m.notify == GASNETX_NOTIFY_HANDLER) handlers += starts;
      const uint64_t told = *word_of(test.me, source, slot),
                     want = m.notify == GASNETX_NOTIFY_ADD ? 5 * all_starts
          : m.notify == GASNETX_NOTIFY_SET                 ? turn + 1
                                                           : 0;
      if (!is_get(&m))
        CHECK(told == want, "node %u's member %zu told %llu, not %llu", (unsigned)source, slot,
            (unsigned long long)told, (unsigned long long)want);
    }
  GASNET_BLOCKUNTIL(__atomic_load_n(&handled, __ATOMIC_ACQUIRE) >= handlers);
}

static void one_plan(size_t number)
{
  static struct member m[MEMBERS];
  gasnetx_plan_t plan = gasnetx_plan_create();
  uint64_t all_starts = 0;
  memset(test.seg[test.me].addr, 0, areas_at());
  for (size_t slot = 0; slot < MEMBERS; slot++) {
    random_member(&m[slot], test.me, number, slot);
    add_member(plan, &m[slot], slot);
  }
  for (size_t t = 0; t < 6; t++) {
    const size_t turn = number << 8 | t;
    fill(turn);
    test_barrier();
    for (size_t slot = 0; slot < MEMBERS; slot++) {
      const size_t base = base_in(&m[slot], turn, slot);
      if (has_bases(&m[slot]))
        gasnetx_plan_rebase(plan, slot, dst_area(&m[slot], slot, base) + m[slot].dst.at[0],
            src_area(&m[slot], slot, base) + m[slot].src.at[0]);
      set_notify(plan, &m[slot], slot, turn);
    }
    const uint64_t starts = start(plan, (number + t) % 4);
    all_starts += starts;
    test_barrier();
    check_turn(number, turn, starts, all_starts);
    CHECK(__atomic_load_n(&handled, __ATOMIC_ACQUIRE) == handlers, "%zu handlers ran, not %zu", handled,
        handlers);
    test_barrier();
  }
  gasnetx_plan_destroy(plan);
}

/* ---- corners ---- */

static void corners(void)
{
  uint64_t value = test_key(test.me, 0, 9), got = 0;
  const gasnet_node_t to = peer_to(1), from = peer_from(1);
  const gasnetx_notify_t n = {.kind = GASNETX_NOTIFY_ADD, .word = word_of(to, test.me, 0), .value = 1};
  const size_t one[1] = {8}, none[1] = {0};
  const uint64_t *word = word_of(test.me, from, 0);
  gasnetx_plan_t plan = gasnetx_plan_create();
  memset(test.seg[test.me].addr, 0, areas_at());
  test_barrier();
  gasnetx_plan_run(plan); /* without members */
  CHECK(gasnetx_plan_start(plan) == GASNET_INVALID_HANDLE, "an empty plan has a handle");
  CHECK(gasnetx_plan_puts(plan, to, NULL, NULL, NULL, NULL, none, 0) == 0, "the first member's number");
  gasnetx_plan_run(plan); /* nothing to move, no target to tell */
  gasnetx_plan_notify(plan, 0, &n);
  gasnetx_plan_run(plan); /* nothing to move, but the target is told */
  gasnetx_wait_until(word, GASNETX_GE, 1);
  gasnetx_plan_notify(plan, 0, NULL);
  CHECK(gasnetx_plan_puts(plan, to, incoming(to, test.me, 0, 0), NULL, &value, NULL, one, 0) == 1,
      "the second's");
  gasnetx_plan_notify(plan, 1, &n);
  gasnet_handle_t h = gasnetx_plan_start(plan);
  gasnetx_plan_destroy(plan); /* while in flight */
  CHECK(gasnetx_wait_until(word, GASNETX_GE, 2) == 2, "a member without notification told its target");
  memcpy(&got, incoming(test.me, from, 0, 0), 8);
  CHECK(got == test_key(from, 0, 9), "a plan's contiguous member");
  gasnet_wait_syncnb(h);
  test_barrier();
}

/* A plan with more members than fit at first. */
static void many(void)
{
  enum { MANY = 500 };
  static uint64_t value[MANY];
  const gasnet_node_t to = peer_to(1), from = peer_from(1);
  const size_t count[1] = {8};
  gasnetx_plan_t plan = gasnetx_plan_create();
  for (size_t i = 0; i < MANY; i++) {
    value[i] = test_key(test.me, i, 10);
    size_t number = gasnetx_plan_puts(
        plan, to, incoming(to, test.me, 0, 0) + 8 * i, NULL, &value[i], NULL, count, 0);
    CHECK(number == i, "member %zu has number %zu", i, number);
  }
  gasnetx_plan_run(plan);
  test_barrier();
  for (size_t i = 0; i < MANY; i++)
    CHECK(((uint64_t *)incoming(test.me, from, 0, 0))[i] == test_key(from, i, 10), "member %zu of many", i);
  gasnetx_plan_destroy(plan);
  test_barrier();
}

int main(int argc, char **argv)
{
  gasnet_handlerentry_t table[] = {{H_NOTIFIED, (void (*)())on_notified}};
  test_init("plan", &argc, &argv);
  test_no_more_options(argc, argv);
  local = (unsigned char *)malloc(MEMBERS * BASES * AREA);
  REQUIRE(local, "no memory");
  test_attach(table, 1, areas_at() + (test.nodes + 1) * MEMBERS * BASES * AREA);
  corners();
  many();
  for (size_t number = 1; number <= test_scaled(test.nodes <= 4 ? 150 : 30); number++) one_plan(number);
  test_finish();
}
