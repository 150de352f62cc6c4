/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A random collective with its memory and the model of what it has to leave there. All members of the team
 * draw the same kind, lengths and operation from a key. Each of them chooses itself how its data lie in its
 * memory, and by what call it takes part. */
#ifndef TESTS_MULTI_COLL_CALL_H
#define TESTS_MULTI_COLL_CALL_H

#include "coll_ops.h"
#include "teams.h"

enum { CALL_KINDS = GASNETX_EXSCAN + 1, CALL_ALIGN = 64 };
static const char *const call_kind_name[CALL_KINDS] = {"barrier", "broadcast", "scatter", "gather",
    "allgather", "collect", "alltoall", "reduce", "allreduce", "scan", "exscan"};

/* The data of one end of a call: span bytes in elements, which lie stride bytes apart from `origin`. Shares
 * are pieces of the span. */
struct side {
  size_t span, elem, origin, room; /* room: with everything around */
  ptrdiff_t stride;
  size_t *length, *offset; /* by rank, where there are shares */
  char *memory;            /* the caller gives it: room bytes, aligned to CALL_ALIGN */
  char *image;             /* what memory must hold */
};

/* Where source and destination of the caller lie. NOWHERE: the root of a broadcast has no destination. */
enum { APART, SAME, OWN_SHARE, NOWHERE };
struct call {
  const struct team *team;
  uint64_t key;
  uint32_t kind;
  gasnet_node_t root;
  int uneven, strided, generic, alias;
  size_t unit; /* lengths are multiples of it */
  size_t nbytes, count;
  struct op op;
  struct side src, dst;
  gasnet_handle_t handle;
};

/* ---- what the kinds have ---- */

static int call_reduces(const struct call *c) { return c->kind >= GASNETX_REDUCE; }
static int call_at_root(const struct call *c) { return c->root == c->team->rank; }
static int call_has_root(const struct call *c)
{
  return c->kind == GASNETX_BROADCAST || c->kind == GASNETX_SCATTER || c->kind == GASNETX_GATHER ||
      c->kind == GASNETX_REDUCE;
}
/* Whether an end has a share for each rank. */
static int call_shared_dst(const struct call *c)
{
  return c->kind == GASNETX_ALLGATHER || c->kind == GASNETX_COLLECT || c->kind == GASNETX_ALLTOALL ||
      (c->kind == GASNETX_GATHER && call_at_root(c));
}
static int call_shared_src(const struct call *c)
{
  return c->kind == GASNETX_ALLTOALL || (c->kind == GASNETX_SCATTER && call_at_root(c));
}
/* Whether the call reads src, or writes dst. */
static int call_reads(const struct call *c)
{
  return c->kind != GASNETX_BARRIER &&
      ((c->kind != GASNETX_BROADCAST && c->kind != GASNETX_SCATTER) || call_at_root(c));
}
static int call_writes(const struct call *c)
{
  if (c->kind == GASNETX_GATHER || c->kind == GASNETX_REDUCE) return call_at_root(c);
  return c->kind != GASNETX_BARRIER && (c->kind != GASNETX_EXSCAN || c->team->rank > 0);
}

/* Bytes from one rank to another; from is the root in a scatter, and to in a gather. */
static size_t call_share(const struct call *c, gasnet_node_t from, gasnet_node_t to)
{
  if (!c->uneven) return c->nbytes;
  if (c->kind != GASNETX_ALLTOALL && c->kind != GASNETX_SCATTER) to = 0;
  if (c->kind == GASNETX_SCATTER) from = 0;
  const uint64_t random = test_mix(c->key + 3 + ((uint64_t)from << 32) + to);
  return random % 3 == 0 ? 0
      : random % 7 == 0  ? c->nbytes
                         : test_mix(random) % (c->nbytes / c->unit + 1) * c->unit;
}
static uint64_t call_share_key(const struct call *c, gasnet_node_t from, gasnet_node_t to)
{
  if (c->kind != GASNETX_ALLTOALL && c->kind != GASNETX_SCATTER) to = 0;
  return test_mix(c->key + 5 + ((uint64_t)from << 32) + to);
}

/* ---- how data lie ---- */

static size_t side_at(const struct side *s, size_t byte)
{
  return s->origin + (size_t)((ptrdiff_t)(byte / s->elem) * s->stride) + byte % s->elem;
}

static void side_store(const struct side *s, char *memory, size_t at, const char *from, size_t n)
{
  for (size_t k; n > 0; at += k, from += k, n -= k) {
    k = s->elem - at % s->elem < n ? s->elem - at % s->elem : n;
    memcpy(memory + side_at(s, at), from, k);
  }
}

static void side_store_pattern(const struct side *s, char *memory, size_t at, size_t n, uint64_t key)
{
  char *data = (char *)malloc(n + 1);
  REQUIRE(data, "no memory");
  pattern_fill(data, n, key);
  side_store(s, memory, at, data, n);
  free(data);
}

/* elem: 0 where the data are one piece. */
static void side_lay_out(struct side *s, size_t elem, size_t align, struct rng *own)
{
  const size_t shift = rng_below(own, CALL_ALIGN / align) * align;
  const size_t apart = elem && rng_below(own, 4) ? elem + rng_below(own, 2 * elem / align + 1) * align : elem;
  const size_t extent = elem ? (s->span ? (s->span / elem - 1) * apart + elem : 0) : s->span;
  s->elem = elem ? elem : s->span + 1;
  s->stride = (ptrdiff_t)apart;
  s->origin = TEST_GUARD + shift;
  s->room = s->origin + extent + TEST_GUARD;
  if (elem && s->span && rng_below(own, 4) == 0) {
    s->origin += extent - elem;
    s->stride = -s->stride;
  }
}

/* Shares of uneven calls lie in any order, with gaps between them. */
static void side_share(const struct call *c, struct side *s, int is_dst, struct rng *own)
{
  const gasnet_node_t size = c->team->size, me = c->team->rank;
  s->length = (size_t *)calloc(3 * (size_t)size, sizeof *s->length);
  REQUIRE(s->length, "no memory");
  s->offset = s->length + size;
  size_t *order = s->offset + size;
  for (gasnet_node_t r = 0; r < size; r++) {
    const gasnet_node_t at = c->uneven && c->kind != GASNETX_COLLECT ? (gasnet_node_t)rng_below(own, r + 1)
                                                                     : r;
    s->length[r] = is_dst ? call_share(c, r, me) : call_share(c, me, r);
    order[r] = order[at];
    order[at] = r;
  }
  for (gasnet_node_t i = 0; i < size; i++) {
    if (c->uneven && c->kind != GASNETX_COLLECT && rng_below(own, 3) == 0)
      s->span += rng_below(own, 4) * c->unit;
    s->offset[order[i]] = s->span;
    s->span += s->length[order[i]];
  }
}

static void call_lay_out(struct call *c, struct rng *own)
{
  const gasnet_node_t me = c->team->rank;
  const size_t element = call_reduces(c) ? c->op.size : c->unit, align = call_reduces(c) ? c->op.align : 1;
  const size_t elem = c->strided ? element : 0;
  const size_t one = call_reduces(c) ? c->count * c->op.size
      : c->kind == GASNETX_SCATTER   ? call_share(c, c->root, me)
      : c->kind == GASNETX_BROADCAST ? c->nbytes
                                     : call_share(c, me, c->root);
  if (call_shared_src(c)) side_share(c, &c->src, 0, own);
  else c->src.span = one;
  if (call_shared_dst(c)) side_share(c, &c->dst, 1, own);
  else c->dst.span = one;
  side_lay_out(&c->src, elem, align, own);
  side_lay_out(&c->dst, elem, align, own);
}

/* ---- what is drawn ---- */

static size_t call_random_length(struct rng *r, size_t most)
{
  const size_t near[] = {8192, 8192, 8192, 65536, 65536, 300 << 10};
  size_t n;
  switch (rng_below(r, 12)) {
  case 0: n = 0; break;
  case 1: n = 1; break;
  case 2: n = rng_range(r, 2, 40); break;
  case 3:
  case 4: n = ((size_t)1 << rng_range(r, 5, 14)) + rng_below(r, 20) - 10; break;
  case 5: n = near[rng_below(r, 6)] + rng_below(r, 200) - 100; break;
  case 6: n = rng_below(r, 20) ? rng_below(r, 3000) : (2 << 20) + rng_below(r, 5000); break;
  default: n = rng_size(r, rng_below(r, 10) ? 30000 : most);
  }
  return n > most ? most - rng_below(r, 16) % (most + 1) : n;
}

/* Where the caller's source may be its destination, or a share of it, sometimes it is. */
static void call_choose_alias(struct call *c, struct rng *own)
{
  if (rng_below(own, 3)) return;
  if (call_reduces(c)) c->alias = SAME;
  if (c->kind == GASNETX_BROADCAST && call_at_root(c)) c->alias = rng_below(own, 2) ? SAME : NOWHERE;
  if ((c->kind == GASNETX_GATHER || c->kind == GASNETX_SCATTER) && call_at_root(c)) c->alias = OWN_SHARE;
  if (c->kind == GASNETX_ALLGATHER) c->alias = OWN_SHARE;
}

/* most: bytes that all shares together have. After it, src.room and dst.room say how much memory the call
 * needs. */
static void call_draw(struct call *c, const struct team *t, uint64_t serial, size_t most, struct rng *own)
{
  const size_t units[] = {1, 1, 2, 4, 8, 12, 40};
  struct rng r;
  *c = (struct call){.team = t, .key = test_mix(t->key + 7 * serial), .unit = 1};
  rng_init(&r, c->key);
  c->kind = (uint32_t)rng_below(&r, CALL_KINDS);
  if (c->kind == GASNETX_BARRIER) return;
  if (call_has_root(c)) c->root = (gasnet_node_t)rng_below(&r, t->size);
  const int shares = !call_reduces(c) && c->kind != GASNETX_BROADCAST;
  const size_t length = call_random_length(&r, shares ? most / t->size : most);
  const int may_stride = (int)rng_below(&r, 4) == 0;
  if (call_reduces(c)) {
    op_draw(&c->op, &r);
    c->count = length / c->op.size;
  } else {
    if (may_stride || rng_below(&r, 4) == 0) c->unit = units[rng_below(&r, sizeof units / sizeof *units)];
    c->nbytes = length / c->unit * c->unit;
    c->uneven = c->kind == GASNETX_COLLECT || (shares && rng_below(&r, 2));
  }
  c->strided = may_stride && c->kind != GASNETX_COLLECT && length * (shares ? t->size : 1) <= most / 4 &&
      rng_below(own, 4);
  c->generic = c->strided || rng_below(own, 3) == 0;
  call_choose_alias(c, own);
  call_lay_out(c, own);
}

/* ---- the model ---- */

static void call_store_shares(const struct call *c, const struct side *s, char *memory, int is_dst)
{
  const gasnet_node_t me = c->team->rank;
  for (gasnet_node_t r = 0; r < c->team->size; r++)
    side_store_pattern(
        s, memory, s->offset[r], s->length[r], is_dst ? call_share_key(c, r, me) : call_share_key(c, me, r));
}

static void call_operands(const struct call *c, char *to, gasnet_node_t rank)
{
  const uint64_t key = test_mix(c->key + 11 + rank);
  for (size_t i = 0; i < c->count; i++) op_operand(&c->op, to + i * c->op.size, key, rank, i);
}

static char *call_room(const struct call *c)
{
  char *p = (char *)aligned_alloc(CALL_ALIGN, (c->count * c->op.size / CALL_ALIGN + 1) * CALL_ALIGN);
  REQUIRE(p, "no memory");
  return p;
}

/* How many operands the caller's result has. */
static gasnet_node_t call_terms(const struct call *c)
{
  return c->kind == GASNETX_SCAN  ? c->team->rank + 1
      : c->kind == GASNETX_EXSCAN ? c->team->rank
                                  : c->team->size;
}

static void call_store_result(const struct call *c, char *memory)
{
  char *result = call_room(c), *next = call_room(c);
  call_operands(c, result, 0);
  for (gasnet_node_t r = 1; r < call_terms(c); r++) {
    call_operands(c, next, r);
    for (size_t i = 0; i < c->count; i++) op_join(&c->op, result + i * c->op.size, next + i * c->op.size);
  }
  side_store(&c->dst, memory, 0, result, c->count * c->op.size);
  free(result);
  free(next);
}

static void call_store_source(const struct call *c, const struct side *s, char *memory, size_t at)
{
  if (call_shared_src(c)) call_store_shares(c, s, memory, 0);
  else if (call_reduces(c)) {
    char *operands = call_room(c);
    call_operands(c, operands, c->team->rank);
    side_store(s, memory, at, operands, c->count * c->op.size);
    free(operands);
  } else if (call_reads(c))
    side_store_pattern(s, memory, at, c->src.span, call_share_key(c, c->team->rank, 0));
}

static void call_store_expected(const struct call *c, char *memory)
{
  if (!call_writes(c)) return;
  if (call_reduces(c)) call_store_result(c, memory);
  else if (call_shared_dst(c)) call_store_shares(c, &c->dst, memory, 1);
  else side_store_pattern(&c->dst, memory, 0, c->dst.span, call_share_key(c, c->root, c->team->rank));
}

static char *side_image(const struct side *s)
{
  char *image = (char *)malloc(s->room + 1);
  REQUIRE(image, "no memory");
  memset(image, TEST_UNTOUCHED, s->room);
  return image;
}

/* The bytes of a share's start, for a source or destination inside the other. */
static size_t call_own_share(const struct call *c)
{
  return c->kind == GASNETX_SCATTER                     ? c->src.offset[c->team->rank]
      : c->kind == GASNETX_BROADCAST || call_reduces(c) ? 0
                                                        : c->dst.offset[c->team->rank];
}
/* In these the destination is in the source's memory, else the source in the destination's. */
static int call_lies_in_src(const struct call *c)
{
  return (c->alias == SAME && c->kind == GASNETX_BROADCAST) ||
      (c->alias == OWN_SHARE && c->kind == GASNETX_SCATTER);
}
static int call_lies_in_dst(const struct call *c)
{
  return (c->alias == SAME || c->alias == OWN_SHARE) && !call_lies_in_src(c);
}

/* The memory is the call's until call_check. */
static void call_place(struct call *c, char *src, char *dst)
{
  c->src.memory = src;
  c->dst.memory = dst;
  if (c->kind == GASNETX_BARRIER) return;
  c->src.image = side_image(&c->src);
  c->dst.image = side_image(&c->dst);
  if (!call_lies_in_dst(c)) call_store_source(c, &c->src, c->src.image, 0);
  else call_store_source(c, &c->dst, c->dst.image, call_own_share(c));
  memcpy(src, c->src.image, c->src.room);
  memcpy(dst, c->dst.image, c->dst.room);
  if (!call_lies_in_src(c) && c->alias != NOWHERE) call_store_expected(c, c->dst.image);
}

/* ---- the call itself ---- */

static void *call_dst(const struct call *c)
{
  if (call_lies_in_src(c)) return c->src.memory + side_at(&c->src, call_own_share(c));
  if (c->alias == NOWHERE) return NULL;
  return c->dst.memory + c->dst.origin;
}
static const void *call_src(const struct call *c)
{
  if (call_lies_in_dst(c)) return c->dst.memory + side_at(&c->dst, call_own_share(c));
  return c->src.memory + c->src.origin;
}

/* Through the structure: members that a kind does not need are 0. */
static gasnet_handle_t call_begin_generic(const struct call *c, int blocking)
{
  gasnetx_collective_t x = {.kind = c->kind, .root = c->root};
  if (c->uneven && c->kind == GASNETX_SCATTER) x.kind = GASNETX_SCATTERV;
  if (c->uneven && c->kind == GASNETX_GATHER) x.kind = GASNETX_GATHERV;
  if (c->kind != GASNETX_BARRIER) {
    x.dst = call_dst(c);
    x.src = call_src(c);
  }
  if (call_reduces(c)) {
    x.count = c->count;
    x.reduction = &c->op.reduction;
  } else if (c->kind != GASNETX_BARRIER) {
    const int by_list = c->uneven && (c->kind == GASNETX_ALLGATHER || c->kind == GASNETX_ALLTOALL);
    x.nbytes = !c->uneven ? c->nbytes : by_list ? 0 : c->kind == GASNETX_SCATTER ? c->dst.span : c->src.span;
  }
  if (c->uneven && call_shared_src(c)) x.src_lengths = c->src.length, x.src_offsets = c->src.offset;
  if (c->uneven && call_shared_dst(c) && c->kind != GASNETX_COLLECT)
    x.dst_lengths = c->dst.length, x.dst_offsets = c->dst.offset;
  if (c->strided) {
    x.elem_size = call_reduces(c) ? c->op.size : c->unit;
    x.src_stride = call_lies_in_dst(c) ? c->dst.stride : c->src.stride;
    x.dst_stride = call_lies_in_src(c) ? c->src.stride : c->dst.stride;
    if (x.src_stride == (ptrdiff_t)x.elem_size && c->key % 2) x.src_stride = 0;
  }
  if (!blocking) return gasnetx_coll_start(c->team->handle, &x);
  gasnetx_coll_run(c->team->handle, &x);
  return GASNET_INVALID_HANDLE;
}

/* Calls the function, or its form _nb. */
#define CALL_FORM(name, ...) \
  do { \
    if (!blocking) return gasnetx_coll_##name##_nb(__VA_ARGS__); \
    gasnetx_coll_##name(__VA_ARGS__); \
    return GASNET_INVALID_HANDLE; \
  } while (0)

static gasnet_handle_t call_begin_uneven(const struct call *c, int blocking)
{
  const gasnetx_team_t t = c->team->handle;
  const size_t *sl = c->src.length, *so = c->src.offset, *dl = c->dst.length, *d_o = c->dst.offset;
  void *dst = call_dst(c);
  const void *src = call_src(c);
  switch (c->kind) {
  case GASNETX_SCATTER: CALL_FORM(scatterv, t, dst, c->dst.span, c->root, src, sl, so);
  case GASNETX_GATHER: CALL_FORM(gatherv, t, c->root, dst, dl, d_o, src, c->src.span);
  case GASNETX_ALLGATHER: CALL_FORM(allgatherv, t, dst, dl, d_o, src);
  case GASNETX_COLLECT: CALL_FORM(collect, t, dst, src, c->src.span);
  default: CALL_FORM(alltoallv, t, dst, dl, d_o, src, sl, so);
  }
}

static gasnet_handle_t call_begin_even(const struct call *c, int blocking)
{
  const gasnetx_team_t t = c->team->handle;
  const gasnetx_reduction_t *how = &c->op.reduction;
  void *dst = c->kind == GASNETX_BARRIER ? NULL : call_dst(c);
  const void *src = c->kind == GASNETX_BARRIER ? NULL : call_src(c);
  switch (c->kind) {
  case GASNETX_BARRIER: CALL_FORM(barrier, t);
  case GASNETX_BROADCAST: CALL_FORM(broadcast, t, dst, c->root, src, c->nbytes);
  case GASNETX_SCATTER: CALL_FORM(scatter, t, dst, c->root, src, c->nbytes);
  case GASNETX_GATHER: CALL_FORM(gather, t, c->root, dst, src, c->nbytes);
  case GASNETX_ALLGATHER: CALL_FORM(allgather, t, dst, src, c->nbytes);
  case GASNETX_ALLTOALL: CALL_FORM(alltoall, t, dst, src, c->nbytes);
  case GASNETX_REDUCE: CALL_FORM(reduce, t, c->root, dst, src, c->count, how);
  case GASNETX_ALLREDUCE: CALL_FORM(allreduce, t, dst, src, c->count, how);
  case GASNETX_SCAN: CALL_FORM(scan, t, dst, src, c->count, how);
  default: CALL_FORM(exscan, t, dst, src, c->count, how);
  }
}

/* The caller waits for c->handle, which is invalid after a blocking call. */
static void call_begin(struct call *c, int blocking)
{
  c->handle = c->generic ? call_begin_generic(c, blocking)
      : c->uneven        ? call_begin_uneven(c, blocking)
                         : call_begin_even(c, blocking);
}

/* ---- after it ---- */

static void call_describe(const struct call *c, char *text, size_t size)
{
  const char *alias[] = {"", ", in place", ", in the own share", ", no destination"};
  const char *form = c->strided ? "strided " : c->generic ? "generic " : "";
  int n = snprintf(text, size, "%s%s%s of ", form, c->uneven ? "uneven " : "", call_kind_name[c->kind]);
  if (call_reduces(c))
    n += snprintf(text + n, size - (size_t)n, "%zu %s, operation %u%s", c->count, c->op.name,
        c->op.reduction.op, c->op.exact ? "" : ", rounded");
  else n += snprintf(text + n, size - (size_t)n, "%zu bytes", c->nbytes);
  snprintf(text + n, size - (size_t)n, ", root %u, at rank %u of %u (%s)%s", c->root, c->team->rank,
      c->team->size, team_shape_name[c->team->shape], alias[c->alias]);
}

/* Where results are numbers, the right ones may have different bits: the image takes those that came. */
static void call_check_numbers(const struct call *c, const char *text)
{
  char *const got = call_room(c), *const want = call_room(c);
  const size_t size = c->op.size;
  size_t bad = c->count;
  for (size_t i = 0; i < c->count && bad == c->count; i++) {
    memcpy(got, c->dst.memory + side_at(&c->dst, i * size), size);
    memcpy(want, c->dst.image + side_at(&c->dst, i * size), size);
    if (!op_same(&c->op, got, want, call_terms(c))) bad = i;
    memcpy(c->dst.image + side_at(&c->dst, i * size), got, size);
  }
  CHECK(bad == c->count, "%s: element %zu is wrong", text, bad);
  free(got);
  free(want);
}

static void side_check(const struct side *s, const char *what, const char *text)
{
  if (memcmp(s->memory, s->image, s->room) == 0) return;
  size_t at = 0;
  while (s->memory[at] == s->image[at]) at++;
  CHECK(0, "%s: %s: byte %zd of %zu is %02x, not %02x", text, what, (ptrdiff_t)at - (ptrdiff_t)s->origin,
      s->span, (unsigned char)s->memory[at], (unsigned char)s->image[at]);
}

/* After the call is complete. */
static void call_check(struct call *c)
{
  char text[240];
  if (c->kind == GASNETX_BARRIER) return;
  call_describe(c, text, sizeof text);
  if (call_reduces(c) && c->op.element && call_writes(c)) call_check_numbers(c, text);
  side_check(&c->src, "source", text);
  side_check(&c->dst, "destination", text);
  memset(c->src.memory, 0x55, c->src.room); /* no other member may see these changes */
  memset(c->dst.memory, 0x55, c->dst.room);
}

static void call_drop(struct call *c)
{
  free(c->src.image);
  free(c->dst.image);
  free(c->src.length);
  free(c->dst.length);
}

/* Whether the result of all members is the same sum or product of numbers that had to be rounded; their
 * hash. */
UNUSED static uint64_t call_hash(const struct call *c)
{
  uint64_t hash = c->count;
  char *one = call_room(c);
  for (size_t i = 0; i < c->count; i++) {
    memcpy(one, c->dst.memory + side_at(&c->dst, i * c->op.size), c->op.size);
    hash = test_mix(hash ^ op_hash(&c->op, one));
  }
  free(one);
  return hash;
}

#endif
