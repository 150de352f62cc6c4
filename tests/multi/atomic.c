/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Each atomic operation at each width, first alone, then by all nodes and threads at once, on words of one
 * node and of all. No update may be lost, every answer must be a value that the word had, and bytes beside
 * the words must not change. With --region 1 the words are static data. */
#include "common.h"
#include <gasnetx.h>

enum { WIDTHS = 3, LINE = 64, PLACE = 24 /* of a word in its line; the rest is guard */ };
static const unsigned bytes_of[WIDTHS] = {2, 4, 8};

/* ---- the calls, with the width as an argument ---- */

static uint64_t mask(int w) { return w == 2 ? UINT64_MAX : ((uint64_t)1 << 8 * bytes_of[w]) - 1; }

static uint64_t fetch(
    int w, gasnetx_atomic_op_t op, gasnet_node_t node, void *p, uint64_t operand, uint64_t expected)
{
  if (w == 0) return gasnetx_atomic16(op, node, (uint16_t *)p, (uint16_t)operand, (uint16_t)expected);
  if (w == 1) return gasnetx_atomic32(op, node, (uint32_t *)p, (uint32_t)operand, (uint32_t)expected);
  return gasnetx_atomic64(op, node, (uint64_t *)p, operand, expected);
}

static void nbi(int w, gasnetx_atomic_op_t op, gasnet_node_t node, void *p, uint64_t operand)
{
  if (w == 0) gasnetx_atomic16_nbi(op, node, (uint16_t *)p, (uint16_t)operand);
  else if (w == 1) gasnetx_atomic32_nbi(op, node, (uint32_t *)p, (uint32_t)operand);
  else gasnetx_atomic64_nbi(op, node, (uint64_t *)p, operand);
}

/* A word of this node, by a load of the processor. */
static uint64_t load(int w, const void *p)
{
  if (w == 0) return __atomic_load_n((const uint16_t *)p, __ATOMIC_RELAXED);
  return w == 1 ? __atomic_load_n((const uint32_t *)p, __ATOMIC_RELAXED)
                : __atomic_load_n((const uint64_t *)p, __ATOMIC_RELAXED);
}

/* ---- places: a line each ---- */

static char fixed[16 * 4096] __attribute__((aligned(4096)));
static gasnet_seginfo_t *place; /* [nodes] the segments, or the regions of static data */
static char *place_at(gasnet_node_t node, size_t offset) { return (char *)place[node].addr + offset; }

enum word { TICKET, COUNT, MIXED, BITS, SWAPPED, BALANCE, COMPARED, WHOLE, WORDS };

static size_t steps, tickets;        /* of a participant in a phase; of all */
static unsigned participants, lines; /* each has a line of its own beside the shared ones */

static unsigned participant(int thread) { return test.me * (unsigned)test.threads + (unsigned)thread; }
static void *line_word(gasnet_node_t node, int w, unsigned line)
{
  return place_at(node, ((size_t)w * lines + line) * LINE + PLACE);
}
static void *shared_word(gasnet_node_t node, int w, enum word k) { return line_word(node, w, k); }
static void *own_word(gasnet_node_t node, int w, unsigned who) { return line_word(node, w, WORDS + who); }
static char *ticket_at(gasnet_node_t node, uint64_t ticket)
{
  return place_at(node, (size_t)WIDTHS * lines * LINE) + ticket;
}

static void clear(void)
{
  test_barrier();
  for (int w = 0; w < WIDTHS; w++)
    for (unsigned i = 0; i < lines; i++) {
      char *word = (char *)line_word(test.me, w, i);
      memset(word - PLACE, TEST_UNTOUCHED, LINE);
      memset(word, 0, bytes_of[w]);
    }
  memset(ticket_at(test.me, 0), 0, tickets);
  test_barrier();
}

static void check_guards(void)
{
  for (int w = 0; w < WIDTHS; w++)
    for (unsigned i = 0; i < lines; i++) {
      const char *word = (const char *)line_word(test.me, w, i);
      const size_t after = LINE
      -PLACE
      -bytes_of[w];
      CHECK(bytes_bad(word - PLACE, PLACE, TEST_UNTOUCHED) == PLACE,
          "width %u, line %u: written before the word", 8 * bytes_of[w], i);
      CHECK(bytes_bad(word + bytes_of[w], after, TEST_UNTOUCHED) == after,
          "width %u, line %u: written behind the word", 8 * bytes_of[w], i);
    }
}

/* ---- alone: each answer and each value ---- */

static uint64_t model(int w, gasnetx_atomic_op_t op, uint64_t v, uint64_t operand, uint64_t expected)
{
  switch (op) {
  case GASNETX_SET:
  case GASNETX_SWAP: return operand & mask(w);
  case GASNETX_GET: return v;
  case GASNETX_ADD: return (v + operand) & mask(w);
  case GASNETX_AND: return v & operand & mask(w);
  case GASNETX_OR: return (v | operand) & mask(w);
  case GASNETX_XOR: return (v ^ operand) & mask(w);
  case GASNETX_CSWAP: return v == (expected & mask(w)) ? operand & mask(w) : v;
  }
  return 0;
}

/* Operands with few bits and with many, and the ends of the range. */
static uint64_t operand_of(struct rng *r)
{
  switch (rng_below(r, 4)) {
  case 0: return rng_below(r, 3) - 1;
  case 1: return (uint64_t)1 << rng_below(r, 64);
  case 2: return ~((uint64_t)1 << rng_below(r, 64));
  default: return rng_next(r);
  }
}

/* Random operations on one word, blocking or not. */
static uint64_t alone_on(struct rng *r, int w, gasnet_node_t node, void *word, size_t n)
{
  static const gasnetx_atomic_op_t without[] = {
      GASNETX_SET, GASNETX_ADD, GASNETX_AND, GASNETX_OR, GASNETX_XOR};
  uint64_t v = 0;
  for (size_t i = 0; i < n; i++) {
    const uint64_t operand = operand_of(r), expected = rng_below(r, 2) ? v : operand_of(r);
    gasnetx_atomic_op_t op = (gasnetx_atomic_op_t)(i % (GASNETX_CSWAP + 1));
    if (rng_below(r, 3)) {
      const uint64_t before = fetch(w, op, node, word, operand, expected);
      CHECK(before == v, "width %u, operation %d on node %u: the answer is %llx, not %llx", 8 * bytes_of[w],
          op, (unsigned)node, (unsigned long long)before, (unsigned long long)v);
    } else {
      op = without[i % 5];
      nbi(w, op, node, word, operand);
      gasnet_wait_syncnbi_puts();
      const char *here = direct_at(node, word);
      if (here)
        CHECK(load(w, here) == model(w, op, v, operand, 0), "width %u, operation %d is synced and not there",
            8 * bytes_of[w], op);
    }
    v = model(w, op, v, operand, expected);
  }
  return v;
}

static void alone(int thread)
{
  const unsigned who = participant(thread);
  struct rng r;
  rng_init(&r, test_key(1, who, 0));
  for (int w = 0; w < WIDTHS; w++)
    for (gasnet_node_t k = 0, rounds = partner_rounds(4); k < rounds; k++) {
      const gasnet_node_t node = peer_to(partner_round(k, rounds));
      void *word = own_word(node, w, who);
      const uint64_t v = alone_on(&r, w, node, word, steps),
                     last = fetch(w, GASNETX_SET, node, word, test_key(2, who, node), 0);
      CHECK(last == v, "width %u on node %u: %llx at the end, not %llx", 8 * bytes_of[w], (unsigned)node,
          (unsigned long long)last, (unsigned long long)v);
    }
}

static void check_alone(void)
{
  for (int w = 0; w < WIDTHS; w++)
    for (gasnet_node_t k = 0, rounds = partner_rounds(4); k < rounds; k++)
      for (int t = 0; t < test.threads; t++) {
        const unsigned who = peer_from(partner_round(k, rounds)) * (unsigned)test.threads + (unsigned)t;
        CHECK(load(w, own_word(test.me, w, who)) == (test_key(2, who, test.me) & mask(w)),
            "width %u: not what participant %u has set last", 8 * bytes_of[w], who);
      }
}

/* ---- all at once ---- */

static int width, to_all;
static gasnet_node_t one;

static gasnet_node_t target(size_t step)
{
  return to_all ? (gasnet_node_t)((test.me + step) % test.nodes) : one;
}
/* How many steps of each participant go to this node. */
static size_t steps_here(void) { return to_all ? steps / test.nodes : test.me == one ? steps : 0; }

/* No two draw the same ticket, and none up to the last is left out. */
static void draw_tickets(void)
{
  for (size_t i = 0; i < steps; i++) {
    const gasnet_node_t node = target(i);
    const uint64_t ticket = fetch(width, GASNETX_ADD, node, shared_word(node, width, TICKET), 1, 0);
    CHECK(ticket < tickets, "ticket %llu of %zu", (unsigned long long)ticket, tickets);
    if (ticket < tickets) gasnet_put_nbi_val(node, ticket_at(node, ticket), 1, 1);
  }
  gasnet_wait_syncnbi_puts();
}

/* Additions in flight together: implicit ones, those of an access region, and some that fetch. */
static void count(void)
{
  gasnet_handle_t h;
  for (size_t i = 0; i < steps; i++)
    nbi(width, GASNETX_ADD, target(i), shared_word(target(i), width, COUNT), 3);
  gasnet_begin_nbi_accessregion();
  for (size_t i = 0; i < steps; i++)
    nbi(width, GASNETX_ADD, target(i), shared_word(target(i), width, MIXED), i);
  h = gasnet_end_nbi_accessregion();
  for (size_t i = 0; i < steps; i++)
    fetch(width, GASNETX_ADD, target(i), shared_word(target(i), width, MIXED), 0 - (uint64_t)i - 1, 0);
  gasnet_wait_syncnb(h);
  gasnet_wait_syncnbi_puts();
}

/* Each participant has a bit that nobody else may change. */
static void turn_bits(unsigned who)
{
  const uint64_t bit = (uint64_t)1 << who % (8 * bytes_of[width]);
  if (who >= 8 * bytes_of[width]) return;
  for (size_t i = 0; i < steps; i++) {
    const gasnet_node_t node = target(i);
    void *word = shared_word(node, width, BITS);
    CHECK(!(fetch(width, i % 2 ? GASNETX_OR : GASNETX_XOR, node, word, bit, 0) & bit),
        "bit of %u set by somebody else", who);
    CHECK(fetch(width, GASNETX_GET, node, word, 0, 0) & bit, "bit of %u lost", who);
    CHECK(fetch(width, i % 2 ? GASNETX_AND : GASNETX_XOR, node, word, i % 2 ? ~bit : bit, 0) & bit,
        "bit of %u cleared by somebody else", who);
  }
  for (size_t i = 0; i < steps; i++)
    nbi(width, GASNETX_XOR, target(i), shared_word(target(i), width, BITS), bit);
  gasnet_wait_syncnbi_puts();
  for (size_t i = 0; i < steps; i++) { /* XORs left it 0 or 1 on each target */
    nbi(width, i % 2 ? GASNETX_AND : GASNETX_OR, target(i), shared_word(target(i), width, BITS),
        i % 2 ? ~bit : bit);
    gasnet_wait_syncnbi_puts();
  }
  for (size_t i = 0; i < steps; i++)
    nbi(width, GASNETX_OR, target(i), shared_word(target(i), width, BITS), bit);
  gasnet_wait_syncnbi_puts();
}

/* Each value that went in comes out once, or is there at the end. */
static void exchange(unsigned who)
{
  for (size_t i = 0; i < steps; i++) {
    const gasnet_node_t node = target(i);
    const uint64_t in = test_key(3, who, i) & mask(width),
                   out = fetch(width, GASNETX_SWAP, node, shared_word(node, width, SWAPPED), in, 0);
    nbi(width, GASNETX_ADD, node, shared_word(node, width, BALANCE), in - out);
  }
  gasnet_wait_syncnbi_puts();
}

/* Adds by compare-and-swap, and tries again if another was faster. */
static void compare(void)
{
  for (size_t i = 0; i < steps; i++) {
    const gasnet_node_t node = target(i);
    void *word = shared_word(node, width, COMPARED);
    uint64_t seen = fetch(width, GASNETX_GET, node, word, 0, 0), found;
    while ((found = fetch(width, GASNETX_CSWAP, node, word, seen + 5, seen)) != seen) {
      CHECK((found - seen) % 5 == 0 || width < 2, "a comparison finds %llu after %llu",
          (unsigned long long)found, (unsigned long long)seen);
      seen = found;
    }
  }
}

/* A value's halves are complements, so halves of two values show. 0 is the first value. */
static uint64_t whole(int w, uint64_t v)
{
  const unsigned half = 4 * bytes_of[w];
  const uint64_t low = ((uint64_t)1 << half) - 1;
  return (v & low) | (~v & low) << half;
}

static void look_at_whole(unsigned who)
{
  for (size_t i = 0; i < steps; i++) {
    const gasnet_node_t node = target(i);
    uint64_t seen;
    nbi(width, GASNETX_SET, node, shared_word(node, width, WHOLE), whole(width, test_key(4, who, i)));
    seen = fetch(width, GASNETX_GET, node, shared_word(node, width, WHOLE), 0, 0);
    CHECK(seen == 0 || seen == whole(width, seen), "halves of two values: %llx", (unsigned long long)seen);
    seen = load(width, shared_word(test.me, width, WHOLE));
    CHECK(seen == 0 || seen == whole(width, seen), "halves of two values by a load: %llx",
        (unsigned long long)seen);
  }
  gasnet_wait_syncnbi_puts();
}

static void hammer(int thread)
{
  draw_tickets();
  count();
  turn_bits(participant(thread));
  exchange(participant(thread));
  compare();
  look_at_whole(participant(thread));
}

static void check_word(enum word k, uint64_t want, const char *what)
{
  const uint64_t got = load(width, shared_word(test.me, width, k));
  CHECK(got == (want & mask(width)), "width %u, words of %s: %s is %llx, not %llx", 8 * bytes_of[width],
      to_all ? "all" : "one node", what, (unsigned long long)got, (unsigned long long)(want & mask(width)));
}

static uint64_t all_bits(void)
{
  const unsigned n = participants < 8 * bytes_of[width] ? participants : 8 * bytes_of[width];
  return n == 64 ? UINT64_MAX : ((uint64_t)1 << n) - 1;
}

static void check_hammered(void)
{
  const uint64_t n = steps_here(), all = n * participants;
  check_word(TICKET, all, "the last ticket");
  for (uint64_t i = 0; i < tickets; i++)
    CHECK(*ticket_at(test.me, i) == (i < all), "width %u: ticket %llu of %llu", 8 * bytes_of[width],
        (unsigned long long)i, (unsigned long long)all);
  check_word(COUNT, 3 * all, "the sum");
  check_word(MIXED, 0 - all, "the mixed sum");
  check_word(BITS, n ? all_bits() : 0, "the set of bits");
  check_word(BALANCE, load(width, shared_word(test.me, width, SWAPPED)), "what was put in and not taken out");
  check_word(COMPARED, 5 * all, "the sum by comparing");
}

static void hammer_all(int w, int all, gasnet_node_t node)
{
  width = w;
  to_all = all;
  one = node;
  clear();
  test_threads(test.threads, hammer);
  test_barrier();
  check_hammered();
  check_guards();
}

/* ---- */

/* Whether all steps are by load and store: these are fast and meet more rarely, so there are more. */
static int all_near(void)
{
  gasnet_nodeinfo_t *info = (gasnet_nodeinfo_t *)calloc(test.nodes, sizeof *info);
  int near = 1;
  REQUIRE_OK(gasnet_getNodeInfo(info, (int)test.nodes));
  for (gasnet_node_t i = 1; i < test.nodes; i++) near &= info[i].supernode == info[0].supernode;
  free(info);
  return near;
}

static void choose_sizes(void)
{
  participants = test.nodes * (unsigned)test.threads;
  lines = WORDS + participants;
  steps = test_scaled(all_near() ? 4000 : test.nodes <= 8 ? 100 : 20);
  if (steps * participants > 30000) steps = 30000 / participants; /* tickets must fit in 16 bits */
  steps = (steps + test.nodes - 1) / test.nodes * test.nodes;
  tickets = steps * participants;
}

static void choose_place(int in_region)
{
  const size_t bytes = (size_t)WIDTHS * lines * LINE
  +tickets;
  test_attach(NULL, 0, in_region ? GASNET_PAGESIZE : bytes);
  place = test.seg;
  if (!in_region) return;
  REQUIRE(bytes <= sizeof fixed, "%zu bytes of words", bytes);
  place = (gasnet_seginfo_t *)calloc(test.nodes, sizeof *place);
  REQUIRE_OK(gasnetx_getRegionInfo(1, place, (int)test.nodes));
}

int main(int argc, char **argv)
{
  const char *region = test_option(&argc, argv, "--region");
  const int in_region = region && atoi(region);
  if (in_region) REQUIRE(gasnetx_region_add(fixed, sizeof fixed) == 1, "static data are no region");
  test_init("atomic", &argc, &argv);
  test_no_more_options(argc, argv);
  choose_sizes();
  choose_place(in_region);
  direct_at(test.me, place[test.me].addr); /* makes its table before there are threads */
  clear();
  test_threads(test.threads, alone);
  test_barrier();
  check_alone();
  check_guards();
  for (int w = 0; w < WIDTHS; w++) {
    hammer_all(w, 0, (gasnet_node_t)w % test.nodes);
    hammer_all(w, 1, 0);
  }
  test_finish();
}
