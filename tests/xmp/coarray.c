/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Coarrays: scalars and blocks of all lengths, sections of any rank and stride, images by codimensions, of
 * tasks and of node sets; the order of what one image does to a place of another. */
#include "common.h"

enum { LONG = 1 << 20, BOX = 6 * 7 * 8 * 9, MOST_BYTES = 24 };

static long word[4];
static char block[LONG + 128];
static struct {
  char before[64], box[BOX * MOST_BYTES], after[64];
} target;                             /* one image writes to it in each round */
static char source[BOX * MOST_BYTES]; /* no image changes it after the start */
static int counter;
static void *co_word, *co_block, *co_target, *co_source, *co_grid, *co_counter;

__attribute__((constructor(102))) static void coarrays_register(void)
{
  static const pst_xmp_index_t two[] = {2};
  co_word = pst_xmp_coarray(AT, "word", word, sizeof word, sizeof word[0], 0, NULL, NULL);
  co_block = pst_xmp_coarray(AT, "block", block, sizeof block, 1, 0, NULL, NULL);
  co_target = pst_xmp_coarray(AT, "target", &target, sizeof target, 1, 0, NULL, NULL);
  co_source = pst_xmp_coarray(AT, "source", source, sizeof source, 1, 0, NULL, NULL);
  co_grid = pst_xmp_coarray(AT, "word", word, sizeof word, sizeof word[0], 1, two, NULL);
  co_counter = pst_xmp_coarray(AT, "counter", &counter, sizeof counter, sizeof counter, 0, NULL, NULL);
}

static int image_after(int distance) { return (test.me + distance) % test.nodes; }
static unsigned char byte_of(uint64_t image, uint64_t at) { return (unsigned char)test_key(image, at, 77); }

/* ---- scalars ---- */

static void scalars(void)
{
  for (int d = 0; d < test.nodes; d++) {
    const int to = image_after(d), from = (test.me - d + test.nodes) % test.nodes;
    long value = 1000 * test.me + d, back = -1, other = -2;
    pst_xmp_put(AT, co_word, to, &word[1], &value, sizeof value);
    pst_xmp_get(AT, co_word, to, &word[1], &back, sizeof back);
    CHECK(back == value, "get after put: %ld, not %ld", back, value);
    xmp_sync_all(NULL);
    CHECK(word[1] == 1000 * from + d, "%ld was put, not by %d", word[1], from);
    CHECK(word[0] == 0 && word[2] == 0, "words beside it have changed");
    pst_xmp_get(AT, co_word, from, &word[1], &other, sizeof other);
    CHECK(other == 1000 * ((from - d + test.nodes) % test.nodes) + d, "get of %ld", other);
    xmp_sync_all(NULL);
  }
}

/* Statements of one image on one place follow each other, whatever carries them. */
static void order(void)
{
  const int to = image_after(1);
  long back[2];
  for (long i = 0; i < 200; i++) {
    pst_xmp_put(AT, co_word, to, &word[1], &i, sizeof i);
    const long two[] = {i + 1, i + 2};
    pst_xmp_put(AT, co_word, to, &word[i % 2], two, sizeof two);
    if (i % 3) pst_xmp_get(AT, co_word, to, &word[i % 2], back, sizeof back);
    else back[0] = i + 1, back[1] = i + 2;
    CHECK(back[0] == i + 1 && back[1] == i + 2, "put %ld: %ld %ld", i, back[0], back[1]);
  }
  xmp_sync_all(NULL);
  CHECK(word[1] == 200 && word[2] == 201, "the last put was not the last: %ld %ld", word[1], word[2]);
  memset(word, 0, sizeof word);
  xmp_sync_all(NULL);
}

static void lengths(void)
{
  static char from[LONG], back[LONG + 16];
  struct rng r;
  rng_init(&r, test_key(3, 3, 3));
  for (int i = 0; i < 60; i++) {
    const size_t n = i < 40 ? (size_t)i : rng_below(&r, LONG), at = rng_below(&r, 64),
                 where = rng_below(&r, 16);
    const int to = image_after(1), writer = (test.me - 1 + test.nodes) % test.nodes;
    for (size_t k = 0; k < n; k++) from[k] = (char)byte_of((uint64_t)test.me + (uint64_t)i * 64, k);
    memset(block, 0x5a, sizeof block);
    xmp_sync_all(NULL);
    pst_xmp_put(AT, co_block, to, block + at, from, n);
    memset(back, 0x33, sizeof back);
    pst_xmp_get(AT, co_block, to, block + at, back + where, n);
    CHECK(memcmp(back + where, from, n) == 0, "%zu bytes came back differently", n);
    for (size_t k = 0; k < 16; k++)
      CHECK(back[k < where ? k : n + k] == 0x33, "the get wrote beside its %zu bytes", n);
    memset(from, 0, n);
    xmp_sync_all(NULL);
    for (size_t k = 0; k < sizeof block; k++) {
      const char want = k >= at && k < at + n ? (char)byte_of((uint64_t)writer + (uint64_t)i * 64, k - at)
                                              : 0x5a;
      if (block[k] == want) continue;
      CHECK(0, "put of %zu bytes to %zu: byte %zu is %d, not %d", n, at, k, block[k], want);
      break;
    }
    xmp_sync_all(NULL);
  }
}

/* ---- images ---- */

static void images(void)
{
  for (int i = 0; i < test.nodes; i++) {
    const pst_xmp_index_t one[] = {i}, two[] = {i % 2, i / 2};
    CHECK(pst_xmp_image(AT, co_word, 1, one) == i, "image %d", i);
    CHECK(pst_xmp_image(AT, co_grid, 2, two) == i, "image %d of two codimensions", i);
  }
}

static struct pst_xmp_subscript count_of(pst_xmp_index_t first, pst_xmp_index_t count)
{
  return (struct pst_xmp_subscript){PST_XMP_COUNT, 0, first, count, 1};
}

/* In a task images are those of its nodes; of a coarray on nodes always those. */
static void sets(void)
{
  void *p = pst_xmp_nodes(AT, "p", 1, (pst_xmp_index_t[]){test.nodes}, PST_XMP_NO_PARENT, NULL);
  const struct pst_xmp_subscript upper = count_of(test.nodes / 2, test.nodes - test.nodes / 2);
  const struct pst_xmp_on on = {p, 1, &upper};
  void *q = pst_xmp_nodes(
      AT, "q", 1, (pst_xmp_index_t[]){test.nodes - test.nodes / 2}, PST_XMP_OF_NODES, &on);
  void *of_q = pst_xmp_coarray(AT, "word", word, sizeof word, sizeof word[0], 0, NULL, q);
  pst_xmp_task_t task;
  long mine = 500 + test.me, got = -1;
  pst_xmp_put(AT, co_word, test.me, &word[3], &mine, sizeof mine);
  xmp_sync_all(NULL);
  for (int i = 0; i < test.nodes - test.nodes / 2; i++) {
    pst_xmp_get(AT, of_q, i, &word[3], &got, sizeof got);
    CHECK(got == 500 + test.nodes / 2 + i, "image %d of q has %ld", i, got);
  }
  if (pst_xmp_task_enter(&task, AT, &on, 0)) {
    CHECK(xmp_num_images() == test.nodes - test.nodes / 2, "%d images in the task", xmp_num_images());
    for (int i = 0; i < xmp_num_images(); i++) {
      pst_xmp_get(AT, co_word, i, &word[3], &got, sizeof got);
      CHECK(got == 500 + test.nodes / 2 + i, "image %d of the task has %ld", i, got);
    }
    xmp_sync_all(NULL);
  }
  pst_xmp_task_leave(&task);
  pst_xmp_get(AT, co_word, 0, &word[3], &got, sizeof got);
  CHECK(got == 500, "image 0 has %ld after the task", got);
  xmp_sync_all(NULL);
  word[3] = 0;
  xmp_sync_all(NULL);
}

/* ---- sections ---- */

struct section {
  struct pst_xmp_side side;
  struct pst_xmp_subscript subscript[4];
  pst_xmp_index_t extent[4], first[4], step[4], count[4]; /* by rank, outermost first */
  int rank;
  pst_xmp_index_t distance[4];
  size_t base; /* bytes before the element whose indices are all 0 */
};

/* A dimension as a section of `count` elements. */
static void dimension_cut(
    struct section *s, int k, pst_xmp_index_t count, pst_xmp_index_t distance, struct rng *r)
{
  const pst_xmp_index_t extent = s->extent[k];
  struct pst_xmp_subscript *const u = &s->subscript[k];
  pst_xmp_index_t step = 1, span;
  if (count > 1) step = 1 + (pst_xmp_index_t)rng_below(r, (uint64_t)((extent - 1) / (count - 1)));
  span = count > 0 ? (count - 1) * step : 0;
  u->first = (pst_xmp_index_t)rng_below(r, (uint64_t)(extent - span));
  u->span = PST_XMP_COUNT;
  u->last = count;
  if (rng_below(r, 2)) {
    u->first += span;
    step = -step;
  }
  u->step = step;
  if (count == extent && step == 1) u->span = rng_below(r, 2) ? PST_XMP_ALL : PST_XMP_REST;
  s->base += (size_t)(u->first * distance);
  s->count[s->rank] = count;
  s->step[s->rank++] = step * distance;
}

/* The last `rank` numbers of count[] are the shape. */
static void section_make(struct section *s, char *memory, unsigned long size, const pst_xmp_index_t extent[4],
    int rank, const pst_xmp_index_t count[4], const int kept[4], struct rng *r)
{
  pst_xmp_index_t distance[4], d = (pst_xmp_index_t)size;
  int next = 0;
  *s = (struct section){.rank = 0};
  for (int k = 3; k >= 0; k--) {
    s->extent[k] = extent[k];
    distance[k] = d;
    d *= extent[k];
  }
  for (int k = 0; k < 4; k++) {
    if (kept[k] && next < rank) {
      dimension_cut(s, k, count[next++], distance[k], r);
      continue;
    }
    s->subscript[k] = (struct pst_xmp_subscript){
        PST_XMP_ONE, 0, (pst_xmp_index_t)rng_below(r, (uint64_t)extent[k]), 0, 1};
    s->base += (size_t)(s->subscript[k].first * distance[k]);
  }
  s->side = (struct pst_xmp_side){.address = memory,
      .size = size,
      .type = size == 8 ? PST_XMP_DOUBLE : PST_XMP_OTHER,
      .dims = 4,
      .extent = s->extent,
      .subscript = s->subscript};
}

/* Which dimensions have sections. */
static void choose_kept(int kept[4], int rank, struct rng *r)
{
  int left = rank;
  for (int k = 0; k < 4; k++) {
    kept[k] = (int)rng_below(r, (uint64_t)(4 - k)) < left;
    left -= kept[k];
  }
}

/* The n-th element of a section, from its memory. */
static size_t element_at(const struct section *s, pst_xmp_index_t n)
{
  size_t at = s->base;
  for (int k = s->rank - 1; k >= 0; k--) {
    at += (size_t)(n % s->count[k] * s->step[k]);
    n /= s->count[k];
  }
  return at;
}

static pst_xmp_index_t elements_of(const struct section *s)
{
  pst_xmp_index_t n = 1;
  for (int k = 0; k < s->rank; k++) n *= s->count[k];
  return n;
}

/* A left and a right side that agree; the right one may be a scalar. */
static void sides_make(
    struct section *to, char *to_memory, struct section *from, char *from_memory, struct rng *r)
{
  static const pst_xmp_index_t left[4] = {6, 7, 8, 9}, right[4] = {9, 8, 7, 6};
  static const unsigned long sizes[] = {1, 2, 4, 8, 24};
  const unsigned long size = sizes[rng_below(r, 5)];
  const int rank = (int)rng_below(r, 5), scalar = rng_below(r, 6) == 0;
  pst_xmp_index_t count[4];
  int kept_left[4], kept_right[4], next = 0;
  choose_kept(kept_left, rank, r);
  choose_kept(kept_right, rank, r);
  for (int k = 0, m = 0; k < 4; k++) {
    if (!kept_left[k]) continue;
    while (!kept_right[m]) m++;
    const pst_xmp_index_t most = left[k] < right[m] ? left[k] : right[m];
    count[next++] = rng_below(r, 4) ? most - (pst_xmp_index_t)rng_below(r, (uint64_t)most) : most;
    m++;
  }
  if (rank && rng_below(r, 40) == 0) count[rng_below(r, (uint64_t)rank)] = 0;
  section_make(to, to_memory, size, left, rank, count, kept_left, r);
  section_make(from, from_memory, size, right, scalar ? 0 : rank, count, kept_right, r);
}

/* What `to` becomes, element by element, of memory that does not overlap. */
static void sides_model(
    char *to_memory, const struct section *to, const char *from_memory, const struct section *from)
{
  const pst_xmp_index_t n = elements_of(to);
  for (pst_xmp_index_t i = 0; i < n; i++)
    memcpy(to_memory + element_at(to, i), from_memory + (from->rank ? element_at(from, i) : from->base),
        to->side.size);
}

static void box_fill(char *box, uint64_t image)
{
  for (size_t i = 0; i < BOX * MOST_BYTES; i++) box[i] = (char)byte_of(image, i);
}

static void compare(const char *what, const char *got, const char *want, size_t n, int round)
{
  for (size_t i = 0; i < n; i++)
    if (got[i] != want[i]) {
      CHECK(0, "%s: round %d, byte %zu is %d, not %d", what, round, i, got[i], want[i]);
      return;
    }
}

static char mine[BOX * MOST_BYTES], model[BOX * MOST_BYTES], theirs[BOX * MOST_BYTES];

/* A sequence of puts, which the target does again in its own memory. */
static void sections_put(int rounds)
{
  for (int round = 0; round < rounds; round++) {
    const int to = image_after(round), writer = (test.me + test.nodes - round % test.nodes) % test.nodes;
    struct section left, right;
    struct rng r;
    memset(&target, 0x5a, sizeof target);
    memset(model, 0x5a, sizeof model);
    box_fill(mine, (uint64_t)test.me);
    box_fill(theirs, (uint64_t)writer);
    xmp_sync_all(NULL);
    rng_init(&r, test_key((uint64_t)round, (uint64_t)test.me, 5));
    for (int i = 0; i < 6; i++) {
      sides_make(&left, target.box, &right, mine, &r);
      pst_xmp_copy_section(AT, co_target, to, &left.side, NULL, -1, &right.side);
      memset(mine, i, sizeof mine); /* what was put may be changed at once */
    }
    xmp_sync_all(NULL);
    rng_init(&r, test_key((uint64_t)round, (uint64_t)writer, 5));
    for (int i = 0; i < 6; i++) {
      sides_make(&left, target.box, &right, mine, &r);
      sides_model(model, &left, theirs, &right);
      memset(theirs, i, sizeof theirs);
    }
    compare("puts of sections", target.box, model, sizeof model, round);
    for (int i = 0; i < 64; i++)
      CHECK(target.before[i] == 0x5a && target.after[i] == 0x5a, "beside the coarray");
    xmp_sync_all(NULL);
  }
}

static void sections_get(int rounds)
{
  for (int round = 0; round < rounds; round++) {
    const int from = image_after(round);
    struct section left, right;
    struct rng r;
    rng_init(&r, test_key((uint64_t)round, (uint64_t)test.me, 6));
    memset(mine, 0x11, sizeof mine);
    memset(model, 0x11, sizeof model);
    box_fill(theirs, (uint64_t)from);
    sides_make(&left, mine, &right, source, &r);
    pst_xmp_copy_section(AT, NULL, -1, &left.side, co_source, from, &right.side);
    sides_model(model, &left, theirs, &right);
    compare("gets of sections", mine, model, sizeof model, round);
  }
  xmp_sync_all(NULL);
}

/* Both sides coindexed, also with one image on both sides, and with this one. */
static void sections_move(int rounds)
{
  for (int round = 0; round < rounds; round++) {
    const int to = image_after(round), from = image_after(round / test.nodes),
              writer = (test.me + test.nodes - round % test.nodes) % test.nodes,
              origin = (writer + round / test.nodes) % test.nodes;
    struct section left, right;
    struct rng r;
    memset(&target, 0x5a, sizeof target);
    memset(model, 0x5a, sizeof model);
    xmp_sync_all(NULL);
    rng_init(&r, test_key((uint64_t)round, (uint64_t)test.me, 7));
    sides_make(&left, target.box, &right, source, &r);
    pst_xmp_copy_section(AT, co_target, to, &left.side, co_source, from, &right.side);
    xmp_sync_all(NULL);
    rng_init(&r, test_key((uint64_t)round, (uint64_t)writer, 7));
    box_fill(theirs, (uint64_t)origin);
    sides_make(&left, target.box, &right, source, &r);
    sides_model(model, &left, theirs, &right);
    compare("copies between images", target.box, model, sizeof model, round);
    xmp_sync_all(NULL);
  }
}

/* The right side is read before the left one changes: of one coarray of another image, and of this one. */
static void overlaps(void)
{
  for (int d = 0; d < test.nodes; d++) {
    const int image = image_after(d);
    const pst_xmp_index_t extent[] = {64};
    const struct pst_xmp_subscript up = {PST_XMP_COUNT, 0, 3, 50, 1}, down = {PST_XMP_COUNT, 0, 59, 50, -1};
    struct pst_xmp_side left = {.address = block,
                            .size = 8,
                            .type = PST_XMP_LONG,
                            .dims = 1,
                            .extent = extent},
                        right = left;
    long *const w = (long *)(void *)block;
    left.subscript = &up;
    right.subscript = &down;
    for (int i = 0; i < 64; i++) w[i] = i;
    xmp_sync_all(NULL);
    pst_xmp_copy_section(AT, co_block, image, &left, co_block, image, &right);
    xmp_sync_all(NULL);
    for (int i = 0; i < 64; i++)
      CHECK(w[i] == (i < 3 || i >= 53 ? i : 59 - (i - 3)), "element %d is %ld", i, w[i]);
    xmp_sync_all(NULL);
  }
}

/* ---- atomic accesses ---- */

static void atomics(void)
{
  int seen = -1;
  for (int turn = 0; turn < 20; turn++) {
    const int writer = turn % test.nodes;
    if (test.me == writer)
      for (int i = 0; i < test.nodes; i++) pst_xmp_atomic_define(AT, co_counter, i, &counter, turn + 1);
    do pst_xmp_atomic_ref(AT, &seen, co_counter, -1, &counter);
    while (seen < turn + 1);
    CHECK(seen == turn + 1, "the counter is %d in turn %d", seen, turn);
    xmp_sync_all(NULL);
  }
}

int main(int argc, char **argv)
{
  test_start("coarray", &argc, &argv);
  test_no_more_options(argc, argv);
  const int rounds = (int)(120 * test.scale) + 1;
  scalars();
  order();
  lengths();
  images();
  sets();
  box_fill(source, (uint64_t)test.me);
  xmp_sync_all(NULL);
  sections_put(rounds);
  sections_get(rounds);
  sections_move(rounds);
  overlaps();
  atomics();
  return test_finish();
}
