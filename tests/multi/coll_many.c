/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Many collectives at once, on many teams that overlap: each member begins them in an order of its own, and
 * waits for them in another. Messages, puts and barriers come in between. Teams are made of one another, and
 * go in any order, while calls on others are in flight. With several threads each has its own teams.
 *
 * In each phase a member begins all calls of the phase before it waits for one of them. Then the others'
 * waits end, too. */
#include "coll_call.h"

#include <unistd.h>

enum { H_ASK = 130, H_ANSWER, LINES = 12, MOST_IN_PHASE = 100, POOL = 64, WORDS = 8, GONE = 6 };
#define PIECE ((size_t)16384) /* of the pool in the segment */

/* The calls on a team. A key and a number make each of them, so no member needs the others' order. */
struct line {
  struct team *team; /* NULL: the caller is in none */
  uint64_t begun;
  unsigned left; /* to begin in this phase */
};

struct pending {
  struct call call;
  struct line *line;
  unsigned phase;
  char *src, *dst;
  int pooled; /* src and dst are pieces of the pool */
  struct pending *next;
};

struct worker {
  int thread;
  struct rng own;
  struct rng plan; /* this thread of each node draws the same numbers from it */
  struct line line[LINES];
  struct team *gone[GONE]; /* no calls come any more; each member destroys them when it wants */
  unsigned phase, flying;
  struct pending *pending;
  char *pool[POOL];
  unsigned pool_left;
  unsigned asked, answered;
  uint64_t calls;
};
static struct worker *workers;

/* ---- messages and puts ---- */

static void on_ask(gasnet_token_t t, gasnet_handlerarg_t thread, gasnet_handlerarg_t x)
{
  REQUIRE_OK(gasnet_AMReplyShort2(t, H_ANSWER, thread, x + 1));
}

static void on_answer(gasnet_token_t t, gasnet_handlerarg_t thread, gasnet_handlerarg_t x)
{
  (void)t;
  (void)x;
  __atomic_fetch_add(&workers[thread].answered, 1, __ATOMIC_RELEASE);
}

static uint64_t *word_of(gasnet_node_t node, const struct worker *w)
{
  return (uint64_t *)(void *)seg_at(
      node, ((size_t)test.me * (size_t)test.threads + (size_t)w->thread) * WORDS * sizeof(uint64_t));
}

static void put_and_get(struct worker *w)
{
  const gasnet_node_t to = (gasnet_node_t)rng_below(&w->own, test.nodes);
  uint64_t *there = word_of(to, w) + rng_below(&w->own, WORDS), mine = rng_next(&w->own), back = 0;
  gasnet_put(to, there, &mine, sizeof mine);
  gasnet_get(&back, to, there, sizeof back);
  CHECK(back == mine, "a put among collectives reads %llx, not %llx", (unsigned long long)back,
      (unsigned long long)mine);
}

static void ask(struct worker *w)
{
  REQUIRE_OK(gasnet_AMRequestShort2(
      (gasnet_node_t)rng_below(&w->own, test.nodes), H_ASK, w->thread, (gasnet_handlerarg_t)w->asked));
  w->asked++;
}

/* ---- calls ---- */

static void memory_take(struct worker *w, struct pending *p)
{
  const size_t src = p->call.src.room + 1, dst = p->call.dst.room + 1;
  p->pooled = w->pool_left >= 2 && src <= PIECE && dst <= PIECE && rng_below(&w->own, 2);
  for (int i = 0; i < 2; i++) {
    const size_t n = i ? dst : src;
    char *memory = p->pooled ? w->pool[--w->pool_left]
                             : (char *)aligned_alloc(CALL_ALIGN, (n / CALL_ALIGN + 1) * CALL_ALIGN);
    REQUIRE(memory, "no memory");
    *(i ? &p->dst : &p->src) = memory;
  }
}

static void memory_give_back(struct worker *w, struct pending *p)
{
  if (p->pooled) {
    w->pool[w->pool_left++] = p->src;
    w->pool[w->pool_left++] = p->dst;
  } else {
    free(p->src);
    free(p->dst);
  }
}

static struct pending *call_prepare(struct worker *w, struct line *l)
{
  struct pending *p = (struct pending *)calloc(1, sizeof *p);
  REQUIRE(p, "no memory");
  const uint64_t serial = l->begun++;
  const size_t most = test_mix(l->team->key + serial) % 30 == 0 ? 200000 : 4000;
  call_draw(&p->call, l->team, serial, most, &w->own);
  p->line = l;
  p->phase = w->phase;
  memory_take(w, p);
  call_place(&p->call, p->src, p->dst);
  w->calls++;
  return p;
}

static void call_finish(struct worker *w, struct pending *p)
{
  call_check(&p->call);
  call_drop(&p->call);
  memory_give_back(w, p);
  free(p);
}

static void begin(struct worker *w, struct line *l)
{
  struct pending *p = call_prepare(w, l);
  call_begin(&p->call, 0);
  p->next = w->pending;
  w->pending = p;
  w->flying++;
}

/* The members of the team make it at the same place of their order. */
static void run_blocking(struct worker *w, struct line *l)
{
  struct pending *p = call_prepare(w, l);
  call_begin(&p->call, 1);
  call_finish(w, p);
}

/* ---- waiting ---- */

enum { TEST_ONE, TEST_SOME, TEST_ALL, WAIT_ONE, WAIT_SOME, WAIT_ALL };

static void synchronise(gasnet_handle_t *h, size_t n, int how)
{
  switch (how) {
  case TEST_ONE:
    if (gasnet_try_syncnb(h[0]) == GASNET_OK) h[0] = GASNET_INVALID_HANDLE;
    break;
  case TEST_SOME: gasnet_try_syncnb_some(h, n); break;
  case TEST_ALL: gasnet_try_syncnb_all(h, n); break;
  case WAIT_ONE:
    gasnet_wait_syncnb(h[0]);
    h[0] = GASNET_INVALID_HANDLE;
    break;
  case WAIT_SOME: gasnet_wait_syncnb_some(h, n); break;
  default: gasnet_wait_syncnb_all(h, n);
  }
}

/* Some calls, in random order; those that are complete are checked. before: only calls of phases before
 * it. */
static void finish_some(struct worker *w, int how, unsigned before, const struct line *of)
{
  static __thread gasnet_handle_t h[2 * LINES * MOST_IN_PHASE];
  static __thread struct pending *p[2 * LINES * MOST_IN_PHASE];
  const uint64_t share = rng_range(&w->own, 1, 4);
  size_t n = 0;
  for (struct pending **at = &w->pending; *at;) {
    struct pending *one = *at;
    if (one->phase < before && (!of || one->line == of) && (of || rng_below(&w->own, 4) < share)) {
      const size_t to = (size_t)rng_below(&w->own, n + 1);
      p[n] = p[to];
      p[to] = one;
      n++;
      *at = one->next;
    } else at = &one->next;
  }
  for (size_t i = 0; i < n; i++) h[i] = p[i]->call.handle;
  if (n) synchronise(h, n, how);
  if (n && how <= TEST_ALL) test_yield();
  for (size_t i = 0; i < n; i++) {
    if (h[i] == GASNET_INVALID_HANDLE) {
      w->flying--;
      call_finish(w, p[i]);
    } else { /* a test changes no handle that is not complete */
      p[i]->next = w->pending;
      w->pending = p[i];
    }
  }
}

static int any_before(const struct worker *w, unsigned phase, const struct line *of)
{
  for (const struct pending *p = w->pending; p; p = p->next)
    if (p->phase < phase && (!of || p->line == of)) return 1;
  return 0;
}

/* ---- phases ---- */

static void something_else(struct worker *w)
{
  switch (rng_below(&w->own, 40)) {
  case 0: put_and_get(w); break;
  case 1:
  case 2: ask(w); break;
  case 3: gasnet_AMPoll(); break;
  case 4: test_yield(); break;
  case 5:
    if (rng_below(&w->own, 20) == 0) usleep((useconds_t)rng_below(&w->own, 2000));
    break;
  case 6:
  case 7: finish_some(w, (int)rng_below(&w->own, 3), UINT32_MAX, NULL); break;
  default: break;
  }
}

static int is_mine(const struct worker *w, int i) { return i % test.threads == w->thread && w->line[i].team; }

/* How many calls a team has in a phase: all its members agree. */
static unsigned calls_in_phase(const struct line *l, unsigned phase)
{
  const uint64_t random = test_mix(l->team->key + 1000003u * phase);
  return (unsigned)(random % 9 == 0 ? MOST_IN_PHASE : random % 40);
}

static void begin_phase(struct worker *w)
{
  unsigned lines = 0;
  struct line *open[LINES];
  for (int i = 0; i < LINES; i++) {
    if (!is_mine(w, i)) continue;
    w->line[i].left = calls_in_phase(&w->line[i], w->phase);
    if (w->line[i].left) open[lines++] = &w->line[i];
  }
  while (lines) {
    const unsigned at = (unsigned)rng_below(&w->own, lines);
    begin(w, open[at]);
    if (--open[at]->left == 0) open[at] = open[--lines];
    something_else(w);
  }
}

static void end_phase(struct worker *w)
{
  for (int i = 0; i < LINES; i++)
    if (is_mine(w, i) && test_mix(w->line[i].team->key + w->phase) % 3 == 0) run_blocking(w, &w->line[i]);
  for (uint64_t i = rng_below(&w->own, 20); i > 0; i--)
    finish_some(w, (int)rng_below(&w->own, 6), UINT32_MAX, NULL);
  while (any_before(w, w->phase, NULL)) finish_some(w, (int)rng_below(&w->own, 6), w->phase, NULL);
  w->phase++;
}

/* ---- teams ---- */

static struct team *everybody;

/* Two threads may not make teams of the same list at once: nothing would tell these teams apart. */
static struct team *child_of(struct worker *w, struct team *parent)
{
  const int shapes = w->thread == 0 ? TEAM_SHAPES : BY_LIST;
  return team_make(parent, (int)rng_below(&parent->next, (uint64_t)shapes));
}

static void let_go(struct worker *w, struct line *l)
{
  while (any_before(w, UINT32_MAX, l)) finish_some(w, WAIT_ALL, UINT32_MAX, l);
  struct team **grave = &w->gone[rng_below(&w->own, GONE)];
  team_free(*grave);
  *grave = l->team;
  *l = (struct line){0};
}

/* While calls are in flight, one team goes, and the members of another one make teams in its place. All nodes
 * know which. The first line of each thread stays, so that there is always a team of all. */
static void replace_one(struct worker *w)
{
  const int lines = LINES / test.threads;
  const int from = (int)rng_below(&w->plan, (uint64_t)lines),
            to = (int)rng_range(&w->plan, 1, (uint64_t)lines - 1);
  struct line *parent = &w->line[w->thread + from * test.threads],
              *l = &w->line[w->thread + to * test.threads];
  if (l == parent) return;
  let_go(w, l);
  if (parent->team) l->team = child_of(w, parent->team);
  if (l->team) team_check(l->team);
}

static void replace_some(struct worker *w)
{
  if (LINES / test.threads < 2) return;
  for (uint64_t i = rng_below(&w->plan, 4); i > 0; i--) replace_one(w);
}

/* Line 0 of each thread is a duplicate of all; the others are made of it and of each other. */
static void make_lines(void)
{
  for (int i = 0; i < LINES; i++) {
    struct worker *w = &workers[i % test.threads];
    struct team *parent = i < test.threads ? everybody : w->line[i % test.threads].team;
    w->line[i].team = i < test.threads ? team_make(parent, BY_DUPLICATE) : child_of(w, parent);
  }
}

/* The members destroy them in different orders. */
static void free_teams(struct worker *w)
{
  for (int i = 0; i < LINES; i++)
    if (w->line[i].team) let_go(w, &w->line[i]);
  for (unsigned i = 0; i < GONE; i++) team_free(w->gone[i]);
}

/* ---- the whole ---- */

static void work(int thread)
{
  struct worker *w = &workers[thread];
  for (size_t i = 0; i < test_scaled(test.nodes <= 8 ? 24 : 8); i++) {
    const int named = (int)i * 3, barrier = thread == 0 && i % 2;
    if (barrier) gasnet_barrier_notify(named, 0);
    begin_phase(w);
    replace_some(w);
    end_phase(w);
    if (barrier) REQUIRE_OK(gasnet_barrier_wait(named, 0));
  }
  while (w->pending) finish_some(w, (int)rng_below(&w->own, 6), UINT32_MAX, NULL);
  GASNET_BLOCKUNTIL(__atomic_load_n(&w->answered, __ATOMIC_ACQUIRE) == w->asked);
  free_teams(w);
}

int main(int argc, char **argv)
{
  gasnet_handlerentry_t table[] = {{H_ASK, (void (*)())on_ask}, {H_ANSWER, (void (*)())on_answer}};
  test_init("coll_many", &argc, &argv);
  test_no_more_options(argc, argv);
  const size_t threads = (size_t)test.threads, words = threads * test.nodes * WORDS * sizeof(uint64_t);
  test_attach(table, 2, words + PIECE + threads * POOL * PIECE);
  workers = (struct worker *)calloc(threads, sizeof *workers);
  REQUIRE(workers && threads <= LINES, "no memory, or more than %d threads", LINES);
  everybody = team_all(test_key(1, 0, 0));
  const size_t pool = (words + CALL_ALIGN - 1) / CALL_ALIGN * CALL_ALIGN;
  for (size_t i = 0; i < threads; i++) {
    workers[i].thread = (int)i;
    rng_init(&workers[i].own, test_key(2, test.me, i));
    rng_init(&workers[i].plan, test_key(3, 0, i));
    for (unsigned k = 0; k < POOL; k++) workers[i].pool[k] = seg_at(test.me, pool + (i * POOL + k) * PIECE);
    workers[i].pool_left = POOL;
  }
  make_lines();
  test_threads(test.threads, work);
  team_forget(everybody);
  test_finish();
}
