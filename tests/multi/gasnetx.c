/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The transfers of gasnetx.h: any order and direction, reshape, rectangles and boxes, several nodes,
 * reblocking. Directed cases, each in all forms. Every case says which bytes it moves as a list of pieces;
 * all memory that it may touch is then compared with a copy of these pieces, one after the other. */
#include "vis_call.h"
#include <gasnetx.h>

#define SLOT       ((size_t)3 << 19) /* bytes of each area */
#define LOCAL      UINT32_MAX        /* a "node": memory of the initiator outside its segment */
#define MAX_PIECES 40000
#define MAX_NODES  8
enum { FORMS = REGION + 1 };
static const char *const form_name[] = {"blocking", "nb", "nbi", "nbi in a region"};

struct piece {
  gasnet_node_t dstnode, srcnode;
  size_t dst, src, n; /* offsets in the areas */
};

static struct piece *pieces;
static size_t npieces;
static char *local_dst, *local_src, *expected, *original;

/* Each initiator has a source and a destination area of its own on each node. */
static char *area(gasnet_node_t node, gasnet_node_t initiator, int dst)
{
  if (node == LOCAL) return dst ? local_dst : local_src;
  return seg_at(node, (2 * (size_t)initiator + (dst ? 1 : 0)) * SLOT);
}

static void add_piece(gasnet_node_t dstnode, size_t dst, gasnet_node_t srcnode, size_t src, size_t n)
{
  REQUIRE(npieces < MAX_PIECES && dst + n <= SLOT && src + n <= SLOT, "the case is too large");
  pieces[npieces++] = (struct piece){dstnode, srcnode, dst, src, n};
}

/* ---- a case: describe it, run it, compare ---- */

struct which {
  const char *name;
  size_t used; /* bytes of the areas that it may touch */
  void (*describe)(const void *what, gasnet_node_t initiator);
  gasnet_handle_t (*run)(const void *what, int form);
  const void *what;
};

static uint64_t key(gasnet_node_t node, gasnet_node_t initiator, int dst)
{
  return test_key(node, initiator, (uint64_t)dst);
}

static void fill(size_t used)
{
  for (gasnet_node_t i = 0; i < test.nodes; i++)
    for (int dst = 0; dst < 2; dst++) pattern_fill(area(test.me, i, dst), used, key(test.me, i, dst));
  pattern_fill(local_src, used, key(LOCAL, test.me, 0));
  pattern_fill(local_dst, used, key(LOCAL, test.me, 1));
}

/* Compares the destination at `node` (this node or LOCAL) with what the initiator's pieces make of it. */
static void check_destination(
    const struct which *w, gasnet_node_t node, gasnet_node_t initiator, const char *form)
{
  char *a = area(node, initiator, 1);
  gasnet_node_t filled = LOCAL - 1;
  pattern_fill(expected, w->used, key(node, initiator, 1));
  for (size_t i = 0; i < npieces; i++) {
    const struct piece *p = &pieces[i];
    if (p->dstnode != node) continue;
    if (p->srcnode != filled) pattern_fill(original, w->used, key(filled = p->srcnode, initiator, 0));
    memcpy(expected + p->dst, original + p->src, p->n);
  }
  const size_t bad = bytes_differ(expected, a, w->used);
  CHECK(bad == w->used, "%s, %s, from node %u: byte %zu of %zu is wrong", w->name, form, (unsigned)initiator,
      bad, w->used);
}

static int by_source(const void *a, const void *b)
{
  const gasnet_node_t x = ((const struct piece *)a)->srcnode, y = ((const struct piece *)b)->srcnode;
  return x < y ? -1 : x > y;
}

static void check_areas(const struct which *w, const char *form)
{
  for (gasnet_node_t i = 0; i < test.nodes; i++) {
    npieces = 0;
    w->describe(w->what, i);
    qsort(pieces, npieces, sizeof *pieces,
        by_source); /* destinations do not overlap: the order means nothing */
    check_destination(w, test.me, i, form);
    if (i == test.me) check_destination(w, LOCAL, i, form);
    CHECK_PATTERN(area(test.me, i, 0), w->used, key(test.me, i, 0), "a source");
  }
  CHECK_PATTERN(local_src, w->used, key(LOCAL, test.me, 0), "a local source");
}

static void run_case(const struct which *w)
{
  for (int form = 0; form < FORMS; form++) {
    gasnet_handle_t h;
    fill(w->used);
    test_barrier();
    if (form == REGION) gasnet_begin_nbi_accessregion();
    h = w->run(w->what, form);
    if (form == REGION) h = gasnet_end_nbi_accessregion();
    if (form == NBI) gasnet_wait_syncnbi_all();
    else gasnet_wait_syncnb(h);
    test_barrier();
    check_areas(w, form_name[form]);
    test_barrier();
  }
}

/* ---- strided: any, reshape, rectangles and boxes ---- */

enum { ANY, RESHAPE, BLOCK };
struct grid {
  size_t at, dims, count[4];
  ptrdiff_t stride[4];
};
struct strided {
  const char *name;
  int call;
  size_t elemsz;
  struct grid dst, src;
};
struct strided_way {
  const struct strided *s;
  gasnet_node_t distance;
  int get;
};

static size_t elements(const struct grid *g)
{
  size_t n = 1;
  for (size_t i = 0; i < g->dims; i++) n *= g->count[i];
  return n;
}

static size_t element_at(const struct grid *g, size_t number)
{
  ptrdiff_t at = (ptrdiff_t)g->at;
  for (size_t i = 0; i < g->dims; number /= g->count[i++])
    at += (ptrdiff_t)(number % g->count[i]) * g->stride[i];
  return (size_t)at;
}

static void describe_strided(const void *what, gasnet_node_t initiator)
{
  const struct strided_way *w = (const struct strided_way *)what;
  const struct strided *s = w->s;
  const gasnet_node_t far = (initiator + w->distance) % test.nodes;
  for (size_t i = 0; i < elements(&s->dst); i++)
    add_piece(w->get ? LOCAL : far, element_at(&s->dst, i), w->get ? far : LOCAL, element_at(&s->src, i),
        s->elemsz);
}

static gasnet_handle_t run_block(
    int get, int form, gasnet_node_t far, char *d, char *f, const struct strided *s)
{
  const size_t dp = (size_t)s->dst.stride[0], sp = (size_t)s->src.stride[0], w = s->elemsz,
               y = s->dst.count[0];
  const size_t dz = (size_t)s->dst.stride[1], sz = (size_t)s->src.stride[1], z = s->dst.count[1];
  if (s->dst.dims == 1 && get) return VIS_CALL(form, gasnetx_gets_2d, d, dp, far, f, sp, w, y);
  if (s->dst.dims == 1) return VIS_CALL(form, gasnetx_puts_2d, far, d, dp, f, sp, w, y);
  if (get) return VIS_CALL(form, gasnetx_gets_3d, d, dp, dz, far, f, sp, sz, w, y, z);
  return VIS_CALL(form, gasnetx_puts_3d, far, d, dp, dz, f, sp, sz, w, y, z);
}

static gasnet_handle_t run_grid(
    int get, int form, gasnet_node_t far, char *d, char *f, const struct strided *s)
{
  gasnet_handle_t h;
  struct strided m = *s;
  const struct grid *to = &m.dst, *from = &m.src;
  if (s->call == ANY && get)
    h = VIS_CALL(form, gasnetx_gets_any, d, to->stride, far, f, from->stride, m.elemsz, to->count, to->dims);
  else if (s->call == ANY)
    h = VIS_CALL(form, gasnetx_puts_any, far, d, to->stride, f, from->stride, m.elemsz, to->count, to->dims);
  else if (get)
    h = VIS_CALL(form, gasnetx_gets_reshape, d, to->stride, to->count, to->dims, far, f, from->stride,
        from->count, from->dims, m.elemsz);
  else
    h = VIS_CALL(form, gasnetx_puts_reshape, far, d, to->stride, to->count, to->dims, f, from->stride,
        from->count, from->dims, m.elemsz);
  spoil(&m, sizeof m);
  return h;
}

static gasnet_handle_t run_strided(const void *what, int form)
{
  const struct strided_way *w = (const struct strided_way *)what;
  const gasnet_node_t far = (test.me + w->distance) % test.nodes;
  char *d = area(w->get ? LOCAL : far, test.me, 1) + w->s->dst.at;
  char *f = area(w->get ? far : LOCAL, test.me, 0) + w->s->src.at;
  return (w->s->call == BLOCK ? run_block : run_grid)(w->get, form, far, d, f, w->s);
}

static const struct strided strided_cases[] = {
    {"any: one element", ANY, 13, {40, 0, {0}, {0}}, {71, 0, {0}, {0}}},
    {"any: nothing", ANY, 4, {40, 2, {5, 0}, {4, 20}}, {71, 2, {5, 0}, {4, 20}}},
    {"any: transpose of 3-byte elements", ANY, 3, {65, 2, {5, 7}, {3, 17}}, {70, 2, {5, 7}, {22, 3}}},
    {"any: transpose of doubles", ANY, 8, {64, 2, {61, 40}, {8, 512}}, {128, 2, {61, 40}, {320, 8}}},
    {"any: transpose of unaligned words", ANY, 4, {65, 2, {70, 33}, {4, 283}}, {3, 2, {70, 33}, {137, 4}}},
    {"any: reversed", ANY, 2, {64, 1, {300}, {2}}, {900, 1, {300}, {-2}}},
    {"any: reversed on both sides", ANY, 8, {1000, 1, {100}, {-8}}, {900, 1, {100}, {-8}}},
    {"any: turned by a right angle", ANY, 1, {600, 2, {20, 23}, {-25, 1}}, {64, 2, {20, 23}, {1, 31}}},
    {"any: three dimensions turned and mirrored", ANY, 5, {3000, 3, {4, 6, 3}, {-600, 7, 60}},
        {2000, 3, {4, 6, 3}, {5, 40, -333}}},
    {"any: four dimensions", ANY, 8, {64, 4, {3, 4, 5, 2}, {1000, 8, 40, 4000}},
        {64, 4, {3, 4, 5, 2}, {8, 24, 700, 96}}},
    {"any: a source read again and again", ANY, 8, {64, 2, {16, 9}, {8, 200}}, {96, 2, {16, 9}, {0, 8}}},
    {"any: contiguous on one side", ANY, 8, {64, 2, {8, 8}, {64, 8}}, {64, 2, {8, 8}, {8, 64}}},
    {"reshape: nothing", RESHAPE, 4, {40, 1, {0}, {4}}, {71, 2, {5, 0}, {4, 20}}},
    {"reshape: one element", RESHAPE, 9, {40, 0, {0}, {0}}, {71, 3, {1, 1, 1}, {77, -3, 0}}},
    {"reshape: levels that divide", RESHAPE, 4, {64, 2, {6, 4}, {9, 80}}, {64, 3, {2, 3, 4}, {100, 4, 12}}},
    {"reshape: levels that do not", RESHAPE, 4, {64, 2, {6, 4}, {9, 80}}, {64, 2, {4, 6}, {7, 41}}},
    {"reshape: rows that divide", RESHAPE, 2, {64, 2, {12, 5}, {2, 40}}, {64, 2, {4, 15}, {2, 11}}},
    {"reshape: rows that do not", RESHAPE, 2, {64, 2, {12, 10}, {2, 40}}, {64, 2, {8, 15}, {2, 19}}},
    {"reshape: flat", RESHAPE, 8, {64, 1, {120}, {8}}, {900, 3, {4, 5, 6}, {-8, 70, -100}}},
    {"reshape: spread", RESHAPE, 8, {2000, 2, {8, 15}, {8, -100}}, {64, 1, {120}, {8}}},
    {"reshape: rows of columns", RESHAPE, 8, {64, 1, {120}, {8}}, {64, 2, {10, 12}, {96, 8}}},
    {"2d", BLOCK, 24, {70, 1, {9}, {31}}, {65, 1, {9}, {24}}},
    {"3d", BLOCK, 24, {70, 2, {9, 4}, {31, 300}}, {65, 2, {9, 4}, {24, 216}}},
};

static void test_strided(void)
{
  for (size_t c = 0; c < sizeof strided_cases / sizeof *strided_cases; c++)
    for (gasnet_node_t distance = 0; distance < test.nodes && distance < 2; distance++)
      for (int get = 0; get < 2; get++) {
        const struct strided_way way = {&strided_cases[c], distance, get};
        const struct which w = {way.s->name, 32768, describe_strided, run_strided, &way};
        run_case(&w);
      }
}

/* ---- several nodes ---- */

struct multi {
  const char *name;
  size_t regions, len, pieces;
  int get, indexed;
};

/* Region i of the remote side: neighbours are mostly on different nodes, each has its own place, in a vector
 * lengths differ. */
static gasnet_node_t region_node(size_t i, gasnet_node_t initiator)
{
  return (gasnet_node_t)((i * 5 + initiator + i / 7) % test.nodes);
}
static size_t region_at(const struct multi *m, size_t i)
{
  return 64 + (m->regions - 1 - i) * (m->len + 2) + i % 2;
}
static size_t region_len(const struct multi *m, size_t i)
{
  if (m->indexed) return m->len;
  return i % 4 == 3 ? 0 : m->len - i % 2;
}

static size_t total(const struct multi *m)
{
  size_t n = 0;
  if (m->indexed) return m->regions * m->len;
  for (size_t i = 0; i < m->regions; i++) n += region_len(m, i);
  return n;
}

/* The local side: m->pieces regions of equal length, with gaps of 5 bytes; the last of a vector takes the
 * rest. */
static size_t near_len(const struct multi *m, size_t k)
{
  const size_t each = total(m) / m->pieces;
  return k + 1 < m->pieces ? each : total(m) - each * (m->pieces - 1);
}
static size_t near_at(const struct multi *m, size_t k) { return 100 + k * (total(m) / m->pieces + 5); }

static void describe_multi(const void *what, gasnet_node_t initiator)
{
  const struct multi *m = (const struct multi *)what;
  size_t k = 0, within = 0;
  for (size_t i = 0; i < m->regions; i++)
    for (size_t done = 0, n; done < region_len(m, i); done += n) {
      const gasnet_node_t node = region_node(i, initiator);
      const size_t near = near_at(m, k) + within, far = region_at(m, i) + done;
      n = region_len(m, i) - done;
      if (n > near_len(m, k) - within) n = near_len(m, k) - within;
      add_piece(m->get ? LOCAL : node, m->get ? near : far, m->get ? node : LOCAL, m->get ? far : near, n);
      within += n;
      if (within == near_len(m, k)) k++, within = 0;
    }
}

static void *allocate(size_t n)
{
  void *p = malloc(n);
  REQUIRE(p, "no memory for %zu bytes", n);
  return p;
}

static gasnet_handle_t run_vector(const struct multi *m, int form)
{
  gasnet_handle_t h;
  gasnetx_memvec_t *far = (gasnetx_memvec_t *)allocate(m->regions * sizeof *far);
  gasnet_memvec_t *near = (gasnet_memvec_t *)allocate(m->pieces * sizeof *near);
  for (size_t i = 0; i < m->regions; i++) {
    const gasnet_node_t node = region_node(i, test.me);
    far[i] = (gasnetx_memvec_t){node, area(node, test.me, !m->get) + region_at(m, i), region_len(m, i)};
    if (far[i].len == 0) far[i] = (gasnetx_memvec_t){LOCAL, NULL, 0};
  }
  for (size_t k = 0; k < m->pieces; k++)
    near[k] = (gasnet_memvec_t){area(LOCAL, test.me, m->get) + near_at(m, k), near_len(m, k)};
  if (m->get) h = VIS_CALL(form, gasnetx_getv_multi, m->pieces, near, m->regions, far);
  else h = VIS_CALL(form, gasnetx_putv_multi, m->regions, far, m->pieces, near);
  spoil(far, m->regions * sizeof *far);
  spoil(near, m->pieces * sizeof *near);
  free(far);
  free(near);
  return h;
}

static gasnet_handle_t run_indexed(const struct multi *m, int form)
{
  gasnet_handle_t h;
  gasnet_node_t *node = (gasnet_node_t *)allocate(m->regions * sizeof *node);
  void **far = (void **)allocate(m->regions * sizeof *far),
       **near = (void **)allocate(m->pieces * sizeof *near);
  for (size_t i = 0; i < m->regions; i++) {
    node[i] = region_node(i, test.me);
    far[i] = area(node[i], test.me, !m->get) + region_at(m, i);
  }
  for (size_t k = 0; k < m->pieces; k++) near[k] = area(LOCAL, test.me, m->get) + near_at(m, k);
  if (m->get)
    h = VIS_CALL(form, gasnetx_geti_multi, m->pieces, near, near_len(m, 0), m->regions, node, far, m->len);
  else h = VIS_CALL(form, gasnetx_puti_multi, m->regions, node, far, m->len, m->pieces, near, near_len(m, 0));
  spoil(node, m->regions * sizeof *node);
  spoil(far, m->regions * sizeof *far);
  spoil(near, m->pieces * sizeof *near);
  free(node);
  free(far);
  free(near);
  return h;
}

static gasnet_handle_t run_multi(const void *what, int form)
{
  const struct multi *m = (const struct multi *)what;
  return m->indexed ? run_indexed(m, form) : run_vector(m, form);
}

static void test_multi(void)
{
  static const struct multi cases[] = {
      {"putv_multi", 41, 19, 7, 0, 0},
      {"getv_multi", 41, 19, 7, 1, 0},
      {"putv_multi, large", 5, 40001, 2, 0, 0},
      {"getv_multi, large", 5, 40001, 2, 1, 0},
      {"putv_multi, one region", 1, 40, 5, 0, 0},
      {"puti_multi", 60, 8, 12, 0, 1},
      {"geti_multi", 60, 8, 12, 1, 1},
      {"puti_multi, many", 20000, 4, 10000, 0, 1},
      {"geti_multi, many", 20000, 4, 10000, 1, 1},
  };
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    const struct multi *m = &cases[c];
    const size_t far = 64 + m->regions * (m->len + 3) + 64, near = near_at(m, m->pieces) + m->len + 64;
    const struct which w = {m->name, far > near ? far : near, describe_multi, run_multi, m};
    run_case(&w);
  }
}

/* ---- reblocking ---- */

/* Which nodes share: all, all in another order, each twice; the initiator alone, the next node alone. */
enum { FROM_ZERO, ROTATED, TWICE, PRIVATE, NEXT };
struct side {
  int who;
  size_t block, first;
};
struct reblock {
  const char *name;
  size_t n, elemsz;
  struct side dst, src;
};

static size_t sharers(const struct side *s)
{
  if (s->who >= PRIVATE) return 1;
  return s->who == TWICE ? 2 * (size_t)test.nodes : test.nodes;
}

static gasnet_node_t sharer(const struct side *s, size_t i, gasnet_node_t initiator)
{
  if (s->who == PRIVATE) return LOCAL;
  if (s->who == NEXT) return (initiator + 1) % test.nodes;
  if (s->who == ROTATED) return (gasnet_node_t)((i * (test.nodes - 1) + initiator) % test.nodes);
  return (gasnet_node_t)(i % test.nodes);
}

/* Where a sharer's blocks begin in the area: for the second time of TWICE in the upper half. */
static size_t sharer_base(const struct side *s, size_t i)
{
  return 64 + i % 2 + (s->who == TWICE && i >= test.nodes ? 16384 : 0);
}

static size_t place(const struct side *s, size_t e, size_t elemsz, size_t *i)
{
  const size_t block = e / s->block;
  *i = block % sharers(s);
  return sharer_base(s, *i) + (block / sharers(s) * s->block + e % s->block) * elemsz;
}

static void describe_reblock(const void *what, gasnet_node_t initiator)
{
  const struct reblock *r = (const struct reblock *)what;
  for (size_t e = 0; e < r->n; e++) {
    size_t d, s;
    const size_t to = place(&r->dst, r->dst.first + e, r->elemsz, &d);
    const size_t from = place(&r->src, r->src.first + e, r->elemsz, &s);
    add_piece(sharer(&r->dst, d, initiator), to, sharer(&r->src, s, initiator), from, r->elemsz);
  }
}

struct spread {
  gasnetx_distribution_t d;
  gasnet_node_t node[2 * MAX_NODES];
  void *base[2 * MAX_NODES];
};

static void make_spread(struct spread *p, const struct side *s, int dst)
{
  p->d = (gasnetx_distribution_t){s->block, sharers(s), s->who == FROM_ZERO ? NULL : p->node, p->base};
  for (size_t i = 0; i < p->d.nodes; i++) {
    const gasnet_node_t n = sharer(s, i, test.me);
    p->node[i] = n == LOCAL ? test.me : n;
    p->base[i] = area(n, test.me, dst) + sharer_base(s, i);
  }
}

static gasnet_handle_t run_reblock(const void *what, int form)
{
  const struct reblock *r = (const struct reblock *)what;
  gasnet_handle_t h;
  struct spread dst, src;
  make_spread(&dst, &r->dst, 1);
  make_spread(&src, &r->src, 0);
  h = VIS_CALL(form, gasnetx_reblock, &dst.d, r->dst.first, &src.d, r->src.first, r->n, r->elemsz);
  spoil(&dst, sizeof dst);
  spoil(&src, sizeof src);
  return h;
}

static void test_reblock(void)
{
  static const struct reblock cases[] = {
      {"reblock: gather", 1000, 4, {PRIVATE, 100000, 3}, {FROM_ZERO, 7, 5}},
      {"reblock: scatter", 1000, 4, {FROM_ZERO, 16, 11}, {PRIVATE, SIZE_MAX, 0}},
      {"reblock: other blocks", 999, 8, {FROM_ZERO, 3, 1}, {FROM_ZERO, 10, 29}},
      {"reblock: same blocks", 999, 8, {FROM_ZERO, 5, 0}, {FROM_ZERO, 5, 0}},
      {"reblock: single elements", 500, 1, {ROTATED, 1, 0}, {FROM_ZERO, 1, 2}},
      {"reblock: in another order", 700, 3, {FROM_ZERO, 4, 7}, {ROTATED, 9, 3}},
      {"reblock: a node twice", 700, 8, {TWICE, 10, 7}, {ROTATED, 8, 3}},
      {"reblock: more than the buffer holds", 29, 40961, {NEXT, 10, 0}, {NEXT, 9, 2}},
      {"reblock: many ranges", 35000, 1, {ROTATED, 1, 0}, {FROM_ZERO, 1, 0}},
      {"reblock: one element", 1, 17, {ROTATED, 3, 4}, {FROM_ZERO, 2, 1}},
  };
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    const struct reblock *r = &cases[c];
    const size_t used = (r->n + 2) * r->elemsz + 128;
    const struct which w = {r->name, used < 50000 ? 50000 : used, describe_reblock, run_reblock, r};
    run_case(&w);
  }
}

/* ---- nothing to do: the other arguments are not looked at ---- */

static void test_ignored(void)
{
  static void
      *volatile nowhere_at = (void *)(uintptr_t)16; /* volatile: the compiler would warn of such an address */
  void *p = nowhere_at;
  const ptrdiff_t *strides = (const ptrdiff_t *)p;
  const size_t none[2] = {3, 0};
  const gasnet_node_t to = peer_to(1);
  gasnetx_puts_any_bulk(to, p, strides, p, strides, 8, none, 2);
  gasnetx_gets_any_nbi_bulk(p, strides, to, p, strides, 8, none, 2);
  gasnetx_puts_reshape_bulk(to, p, strides, none, 2, p, strides, none, 2, 8);
  gasnetx_gets_2d_bulk(p, 1, to, p, 1, 0, 4);
  gasnetx_puts_3d_bulk(to, p, 1, 1, p, 1, 1, 4, 4, 0);
  gasnetx_putv_multi_bulk(0, (gasnetx_memvec_t *)p, 0, (gasnet_memvec_t *)p);
  gasnetx_geti_multi_bulk(0, (void **)p, 8, 0, (gasnet_node_t *)p, (void **)p, 8);
  CHECK(gasnetx_puts_any_nb_bulk(to, p, strides, p, strides, 0, none, 1) == GASNET_INVALID_HANDLE,
      "a handle for nothing");
  CHECK(gasnetx_puti_multi_nb_bulk(3, (gasnet_node_t *)p, (void **)p, 0, 3, (void **)p, 0) ==
          GASNET_INVALID_HANDLE,
      "a handle for nothing");
  gasnetx_reblock_bulk((gasnetx_distribution_t *)p, 3, (gasnetx_distribution_t *)p, 3, 0, 8);
  gasnetx_reblock_nbi_bulk((gasnetx_distribution_t *)p, 3, (gasnetx_distribution_t *)p, 3, 8, 0);
  gasnet_wait_syncnbi_all();
}

int main(int argc, char **argv)
{
  test_init("gasnetx", &argc, &argv);
  test_no_more_options(argc, argv);
  REQUIRE(test.nodes <= MAX_NODES, "at most %d nodes", MAX_NODES);
  test_attach(NULL, 0, 2 * SLOT * test.nodes);
  pieces = (struct piece *)allocate(MAX_PIECES * sizeof *pieces);
  local_dst = (char *)allocate(SLOT);
  local_src = (char *)allocate(SLOT);
  expected = (char *)allocate(SLOT);
  original = (char *)allocate(SLOT);
  test_strided();
  test_multi();
  test_reblock();
  test_ignored();
  test_finish();
}
