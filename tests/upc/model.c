/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* All calls that move data, at random, against a model of the memory.
 *   model [--seed S] [--scale X] [--room BYTES] [--show 1]
 * In a round each byte has at most one writer, and what is read does not change; so all operations of all
 * threads of a round may be under way at once, in any order. Every thread knows what the memory holds after
 * it. */
#include "generate.h"

#define OPERATIONS 200 /* of a round */

static struct op op[OPERATIONS];
static size_t ops, done[KINDS];
static int show;

/* This thread's own choices (when to wait, for what, how); the outcome is the same. */
static struct rng mine;
static upc_handle_t handle[2 * OPERATIONS];
static const struct op *of[2 * OPERATIONS]; /* NULL: of an access region */
static size_t handles;
static int in_region;

static const char *describe(const struct op *o)
{
  static char text[160];
  snprintf(text, sizeof text, "operation %u, %s%s %s %s of thread %d, %zu bytes", o->number,
      o->name ? "bupc_" : "upc_", direction_name[o->direction], kind_name[o->kind], form_name[o->form],
      o->thread, o->dst.bytes.n);
  return text;
}

/* ---- comparing ---- */

static void complain(const struct world *w, size_t at, int got, const char *when)
{
  upc_pts_t shared;
  char *private;
  size_t left;
  struct name n = world_where(w, at, &shared, &private, &left);
  uint32_t by = w->writer[at];
  CHECK(0, "%s: %s is %02x, not %02x; written by %s", when, n.text, got, w->model[at],
      by == 0           ? "nobody"
          : by == ALONE ? "nobody, as all may read it"
                        : describe(&op[by - 1]));
}

/* Some of the bytes that it wrote, as soon as it is complete: in memory of any thread, by a get. */
static void check_at_once(const struct world *w, const struct op *o)
{
  const struct list *l = &o->dst.bytes;
  unsigned char got[256];
  upc_pts_t shared;
  char *private;
  size_t left;
  for (size_t i = 0, runs = 0; i < l->n && runs < 4; runs++) {
    size_t n = 1, most = l->n - i < sizeof got ? l->n - i : sizeof got;
    world_where(w, l->at[i], &shared, &private, &left);
    if (most > left) most = left;
    while (n < most && l->at[i + n] == l->at[i] + n) n++;
    if (private) memcpy(got, private, n);
    else upc_memget(got, shared, n);
    size_t bad = world_bad(w, got, l->at[i], n);
    if (bad < n) {
      complain(w, l->at[i] + bad, got[bad], "on completion");
      return;
    }
    i += n + rng_below(&mine, l->n / 4 + 1);
  }
}

static void completed(const struct world *w, const struct op *o)
{
  if (o && rng_below(&mine, 4) == 0) check_at_once(w, o);
}

static void compare_shared(const struct world *w, int side, int thread, char *buffer)
{
  const struct zone *z = &w->zone[side][0][thread];
  const char *got = buffer;
  if (z->size == 0) return;
  if (thread == MYTHREAD) got = own(shared_at(&w->array[side], thread, 0));
  else upc_memget(buffer, shared_at(&w->array[side], thread, 0), z->size);
  size_t bad = world_bad(w, got, z->base, z->size);
  if (bad < z->size) complain(w, z->base + bad, (unsigned char)got[bad], "after the round");
}

static void compare_private(const struct world *w, int side)
{
  const struct zone *z = &w->zone[side][1][MYTHREAD];
  size_t bad = world_bad(w, w->mine[side], z->base, z->size);
  if (bad < z->size) complain(w, z->base + bad, (unsigned char)w->mine[side][bad], "after the round");
  CHECK_GUARDS(w->mine[side], z->size, "a private area");
}

static void compare(const struct world *w)
{
  char *buffer = (char *)malloc(w->bytes);
  REQUIRE(buffer, "no memory for %zu bytes", w->bytes);
  for (int side = 0; side < 2; side++) {
    for (int t = 0; t < THREADS; t++) compare_shared(w, side, (MYTHREAD + t) % THREADS, buffer);
    compare_private(w, side);
  }
  free(buffer);
}

/* ---- waiting ---- */

static size_t incomplete(size_t first, size_t n)
{
  size_t sum = 0;
  for (size_t i = 0; i < n; i++) sum += handle[first + i] != UPC_COMPLETE_HANDLE;
  return sum;
}

static void wait_for_one(size_t i)
{
  int try = (int)rng_below(&mine, 2), names = (int)rng_below(&mine, 2);
  if (try)
    while (!(names ? bupc_trysync(handle[i]) : upc_trysync(handle[i]))) test_yield();
  else if (names) bupc_waitsync(handle[i]);
  else upc_waitsync(handle[i]);
  handle[i] = UPC_COMPLETE_HANDLE;
}

static void wait_for_all(size_t first, size_t n)
{
  int try = (int)rng_below(&mine, 2), names = (int)rng_below(&mine, 2);
  upc_handle_t *ph = handle + first;
  if (try)
    while (!(names ? bupc_trysync_all(ph, n) : upc_trysync_all(ph, n))) test_yield();
  else if (names) bupc_waitsync_all(ph, n);
  else upc_waitsync_all(ph, n);
  CHECK(incomplete(first, n) == 0, "%s of %zu handles leaves %zu",
      try ? "upc_trysync_all" : "upc_waitsync_all", n, incomplete(first, n));
}

static void wait_for_some(size_t first, size_t n)
{
  int try = (int)rng_below(&mine, 2), names = (int)rng_below(&mine, 2), rc = 1;
  size_t before = incomplete(first, n), after;
  upc_handle_t *ph = handle + first;
  if (try) rc = names ? bupc_trysync_some(ph, n) : upc_trysync_some(ph, n);
  else if (names) bupc_waitsync_some(ph, n);
  else upc_waitsync_some(ph, n);
  after = incomplete(first, n);
  if (rc)
    CHECK(after < before || before == 0, "%s: %zu handles before and after",
        try ? "upc_trysync_some" : "upc_waitsync_some", before);
  else
    CHECK(after == before && before > 0, "upc_trysync_some returned 0: %zu handles before, %zu after", before,
        after);
}

static void drop_completed(const struct world *w)
{
  size_t left = 0;
  for (size_t i = 0; i < handles; i++) {
    if (handle[i] == UPC_COMPLETE_HANDLE) {
      completed(w, of[i]);
      continue;
    }
    handle[left] = handle[i];
    of[left++] = of[i];
  }
  handles = left;
}

static void wait_for_implicit(void)
{
  if (rng_below(&mine, 2))
    while (!(rng_below(&mine, 2) ? upc_trysynci() : bupc_trysynci())) test_yield();
  else if (rng_below(&mine, 2)) upc_waitsynci();
  else bupc_waitsynci();
}

static void end_region(void)
{
  in_region = 0;
  of[handles] = NULL;
  handle[handles++] = rng_below(&mine, 2) ? upc_end_accessregion() : bupc_end_accessregion();
}

static void wait_somehow(const struct world *w)
{
  size_t first = rng_below(&mine, handles + 1), n = rng_below(&mine, handles - first + 1);
  switch (rng_below(&mine, 10)) {
  case 0:
  case 1:
    if (first < handles) wait_for_one(first);
    break;
  case 2: wait_for_all(first, n); break;
  case 3:
  case 4: wait_for_some(first, n); break;
  case 5:
    if (in_region) end_region();
    else {
      if (rng_below(&mine, 2)) upc_begin_accessregion();
      else bupc_begin_accessregion();
      in_region = 1;
    }
    break;
  case 6:
    if (!in_region) wait_for_implicit();
    break;
  }
  drop_completed(w);
}

static void wait_for_everything(const struct world *w)
{
  if (in_region) end_region();
  wait_for_implicit();
  wait_for_all(0, handles);
  drop_completed(w);
}

/* ---- rounds ---- */

static void make_operations(struct world *w)
{
  ops = 0;
  for (size_t wanted = 1 + rng_below(&w->r, OPERATIONS); wanted > 0; wanted--) {
    if (!make_operation(w, &op[ops], (uint32_t)ops + 1)) continue;
    done[op[ops].kind]++;
    ops++;
  }
}

static void do_operations(const struct world *w)
{
  for (size_t i = 0; i < ops; i++) {
    if (op[i].thread != MYTHREAD) continue;
    if (show) {
      printf("thread %d: %s\n", MYTHREAD, describe(&op[i]));
      fflush(stdout);
    }
    upc_handle_t h = op_start(&op[i]);
    if (op[i].form == BLOCKING) completed(w, &op[i]);
    if (op[i].form == ASYNC) {
      handle[handles] = h;
      of[handles++] = &op[i];
    }
    wait_somehow(w);
  }
  wait_for_everything(w);
}

static void one_round(struct world *w)
{
  round_open(w);
  make_operations(w);
  do_operations(w);
  upc_barrier();
  compare(w);
  upc_barrier();
  for (size_t i = 0; i < ops; i++) op_drop(&op[i]);
}

/* Shared memory beside the arrays, which nobody writes to. */
#define BESIDE 256
static void beside_open(upc_pts_t *p)
{
  *p = upc_all_alloc((size_t)THREADS, BESIDE);
  memset(own(upc_pts_add(*p, MYTHREAD, 1, BESIDE)), TEST_UNTOUCHED, BESIDE);
}

static void beside_close(upc_pts_t p)
{
  size_t n = bytes_bad(own(upc_pts_add(p, MYTHREAD, 1, BESIDE)), BESIDE, TEST_UNTOUCHED);
  CHECK(n == BESIDE, "byte %zu of memory beside the arrays is changed", n);
  upc_all_free(p);
}

static void one_world(struct world *w, size_t rounds)
{
  upc_pts_t before, after;
  beside_open(&before);
  world_open(w);
  beside_open(&after);
  for (size_t i = 0; i < rounds; i++) one_round(w);
  beside_close(before);
  beside_close(after);
  world_close(w);
}

int main(int argc, char **argv)
{
  const char *room = test_option(&argc, argv, "--room"), *shows = test_option(&argc, argv, "--show");
  struct world w = {.room = room ? strtoull(room, NULL, 0) : 16384};
  show = shows && atoi(shows);
  test_start("model", &argc, &argv);
  REQUIRE(w.room >= 256 && w.room * 4 * (size_t)THREADS < UINT32_MAX / 4, "--room %zu", w.room);
  rng_init(&w.r, test_key(1, 0, 0));
  rng_init(&mine, test_key(2, (uint64_t)MYTHREAD, 0));
  for (size_t i = test_scaled(12 * 16384.0 / (double)w.room); i > 0; i--)
    one_world(&w, 1 + rng_below(&w.r, 12));
  for (int k = 0; MYTHREAD == 0 && k < KINDS; k++) printf("%s %zu\n", kind_name[k], done[k]);
  return test_finish();
}
