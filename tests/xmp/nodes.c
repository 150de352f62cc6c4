/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Node arrays, parts of them, and tasks, against lists of nodes: arrays of all shapes, parts of parts with
 * any strides and arranged anew, rows and columns; tasks within tasks, in which barriers, sums and
 * declarations are those of the set. */
#include "common.h"

enum { MOST = 64, DIMS = 4, DEEP = 4 };
typedef pst_xmp_index_t index_t;

/* A node array and what it has to be: the job's nodes by rank. */
struct model {
  void *desc;
  int dims, count;
  index_t size[DIMS];
  int node[MOST];
};

static struct rng dice;
static int below(int n) { return (int)rng_below(&dice, (uint64_t)n); }

static int rank_in(const struct model *m, int node)
{
  for (int i = 0; i < m->count; i++)
    if (m->node[i] == node) return i;
  return -1;
}

/* ---- shapes ---- */

static int divisor_of(int n)
{
  int d;
  do d = 1 + below(n);
  while (n % d);
  return d;
}

/* Sets a random shape of m->count nodes. */
static void shape_draw(struct model *m)
{
  int rest = m->count;
  m->dims = 1 + below(DIMS);
  for (int k = 0; k < m->dims - 1; k++) {
    m->size[k] = divisor_of(rest);
    rest /= (int)m->size[k];
  }
  m->size[m->dims - 1] = rest;
}

/* The declaration's sizes, of which one may be *. */
static void shape_write(const struct model *m, index_t size[])
{
  memcpy(size, m->size, sizeof m->size);
  if (below(2)) size[below(m->dims)] = 0;
}

static void check_model(const struct model *m, int known)
{
  int dims = -1, rank = -1, value, from_1, rest;
  CHECK(xmp_nodes_ndims(m->desc, &dims) == 0 && dims == m->dims, "%d dimensions, not %d", dims, m->dims);
  for (int k = 0; k < m->dims; k++) {
    xmp_nodes_size(m->desc, m->dims - k, &value);
    CHECK(value == m->size[k], "size %d of dimension %d, not %lld", value, k, m->size[k]);
  }
  rest = known ? rank_in(m, test.me) : -1;
  CHECK(xmp_nodes_rank(m->desc, &rank) == (rest < 0 ? XMP_FAILURE : 0) && (rest < 0 || rank == rest),
      "rank %d, not %d", rank, rest);
  for (int k = m->dims - 1; k >= 0; k--) {
    const int failed = xmpc_nodes_index(m->desc, m->dims - k, &value);
    CHECK((failed != 0) == (rest < 0), "an index of a node that is no member");
    if (failed) continue;
    xmp_nodes_index(m->desc, m->dims - k, &from_1);
    CHECK(value == rest % m->size[k] && from_1 == value + 1, "index %d of dimension %d", value, k);
    rest /= (int)m->size[k];
  }
}

static void all_draw(struct model *m)
{
  index_t size[DIMS];
  static const enum pst_xmp_parent parents[] = {PST_XMP_NO_PARENT, PST_XMP_EXECUTING, PST_XMP_PRIMARY};
  m->count = test.nodes;
  for (int i = 0; i < m->count; i++) m->node[i] = i;
  shape_draw(m);
  shape_write(m, size);
  m->desc = pst_xmp_nodes(AT, "p", m->dims, size, parents[below(3)], NULL);
  check_model(m, 1);
}

/* ---- parts ---- */

struct part {
  struct pst_xmp_subscript subscript[DIMS];
  index_t first[DIMS], count[DIMS], step[DIMS];
};

/* A random subscript in all spellings. */
static void subscript_draw(struct part *p, int k, index_t size)
{
  const index_t first = below((int)size), step = (below(3) ? 1 : 1 + below(3)) * (below(4) ? 1 : -1);
  const index_t room = step > 0 ? (size - 1 - first) / step + 1 : first / -step + 1;
  const index_t count = 1 + below((int)room);
  struct pst_xmp_subscript *u = &p->subscript[k];
  *u = (struct pst_xmp_subscript){.first = first, .step = step};
  p->first[k] = first, p->count[k] = count, p->step[k] = step;
  switch (below(5)) {
  case 0: u->span = PST_XMP_COUNT, u->last = count; break;
  case 1: u->span = PST_XMP_BOUNDS, u->last = first + (count - 1) * step; break;
  case 2: u->span = PST_XMP_ONE, p->count[k] = p->step[k] = 1; break;
  case 3: u->span = PST_XMP_REST, p->count[k] = room; break;
  default: u->span = PST_XMP_ALL, p->first[k] = 0, p->count[k] = size, p->step[k] = 1; break;
  }
}

/* The nodes of a part of m. */
static void part_list(const struct model *m, const struct part *p, struct model *part)
{
  part->count = 1;
  for (int k = 0; k < m->dims; k++) part->count *= (int)p->count[k];
  for (int i = 0; i < part->count; i++) {
    index_t rest = i, weight = 1, rank = 0;
    for (int k = m->dims - 1; k >= 0; weight *= m->size[k--]) {
      rank += (p->first[k] + rest % p->count[k] * p->step[k]) * weight;
      rest /= p->count[k];
    }
    part->node[i] = m->node[rank];
  }
}

static void part_draw(const struct model *m, struct part *p, struct model *part)
{
  for (int k = 0; k < m->dims; k++) subscript_draw(p, k, m->size[k]);
  part_list(m, p, part);
}

static void part_declare(const struct model *m, const struct part *p, struct model *part)
{
  const struct pst_xmp_on of = {m->desc, m->dims, p->subscript};
  index_t size[DIMS];
  shape_draw(part);
  shape_write(part, size);
  part->desc = pst_xmp_nodes(AT, "q", part->dims, size, PST_XMP_OF_NODES, &of);
  check_model(part, 1);
}

static void check_equivalent(const struct model *m, const struct part *p, const struct model *part)
{
  xmp_desc_t parent;
  int lb[DIMS], ub[DIMS], st[DIMS];
  CHECK(xmp_nodes_equiv(part->desc, &parent, lb, ub, st) == 0 && parent == m->desc, "another parent");
  for (int k = 0; k < m->dims; k++) {
    const int d = m->dims - 1 - k;
    CHECK(lb[d] == p->first[k] + 1 && ub[d] == p->first[k] + (p->count[k] - 1) * p->step[k] + 1,
        "from %d to %d in dimension %d", lb[d], ub[d], k);
    CHECK(p->count[k] == 1 || st[d] == p->step[k], "step %d in dimension %d", st[d], k);
  }
}

/* Each node has the row that contains it. */
static void rows(const struct model *m)
{
  const int k = below(m->dims), mine = rank_in(m, test.me), known = mine >= 0;
  struct pst_xmp_subscript u[DIMS];
  struct part p;
  struct model row;
  const struct pst_xmp_on of = {m->desc, m->dims, u};
  index_t rest = known ? mine : 0;
  for (int d = m->dims - 1; d >= 0; rest /= m->size[d--]) {
    u[d] = (struct pst_xmp_subscript){.span = d == k ? PST_XMP_ALL : PST_XMP_OWN};
    p.first[d] = d == k ? 0 : rest % m->size[d];
    p.count[d] = d == k ? m->size[d] : 1;
    p.step[d] = 1;
  }
  part_list(m, &p, &row);
  row.dims = 1;
  row.size[0] = row.count;
  row.desc = pst_xmp_nodes(AT, "row", 1, row.size, PST_XMP_OF_NODES, &of);
  check_model(&row, known);
  pst_xmp_nodes_free(&row.desc);
}

/* ---- tasks ---- */

static void check_sum(const struct model *set)
{
  int sum = 1 << test.me, want = 0;
  const struct pst_xmp_variable v = {&sum, 1, sizeof sum, PST_XMP_INT, "sum"};
  for (int i = 0; i < set->count; i++) want |= 1 << set->node[i];
  pst_xmp_reduction(AT, PST_XMP_SUM, 1, &v, NULL, NULL);
  CHECK(sum == want, "the sum over the executing nodes is %#x, not %#x", sum, want);
}

static void check_executing(const struct model *set)
{
  CHECK(xmp_num_nodes() == set->count, "%d executing nodes, not %d", xmp_num_nodes(), set->count);
  CHECK(xmpc_node_num() == rank_in(set, test.me), "rank %d", xmpc_node_num());
  CHECK(xmp_node_num() == xmpc_node_num() + 1 && xmpc_this_image() == xmpc_node_num(), "numbers differ");
}

/* All nodes of m execute this. */
static void task_within(const struct model *m, int depth)
{
  struct model part;
  struct part p;
  pst_xmp_task_t task;
  part_draw(m, &p, &part);
  const struct pst_xmp_on on = {m->desc, m->dims, p.subscript};
  const int member = rank_in(&part, test.me) >= 0, sums = below(3), deeper = depth < DEEP && below(3);
  CHECK(pst_xmp_task_enter(&task, AT, &on, below(2)) == member, "a task was entered, or not, wrongly");
  struct rng outside = dice; /* the nodes outside draw nothing */
  if (member) {
    index_t size[DIMS];
    check_executing(&part);
    for (int i = 0; i < sums; i++) check_sum(&part);
    if (deeper) {
      shape_draw(&part);
      shape_write(&part, size);
      part.desc = pst_xmp_nodes(AT, "r", part.dims, size, PST_XMP_EXECUTING, NULL);
      check_model(&part, 1);
      task_within(&part, depth + 1);
      pst_xmp_nodes_free(&part.desc);
    }
  }
  pst_xmp_task_leave(&task);
  dice = outside;
  rng_next(&dice);
  check_executing(m);
}

static void round_of_checks(void)
{
  struct model m, part;
  struct part p;
  all_draw(&m);
  rows(&m);
  task_within(&m, 0);
  for (int depth = below(DEEP); depth >= 0; depth--) {
    part_draw(&m, &p, &part);
    part_declare(&m, &p, &part);
    check_equivalent(&m, &p, &part);
    pst_xmp_nodes_free(&m.desc); /* what stands on it keeps it */
    m = part;
    rows(&m);
    pst_xmp_task_t task;
    const struct pst_xmp_on on = {m.desc, 0, NULL};
    struct rng outside = dice;
    if (pst_xmp_task_enter(&task, AT, &on, 0)) task_within(&m, 1);
    pst_xmp_task_leave(&task);
    dice = outside;
    rng_next(&dice);
  }
  pst_xmp_nodes_free(&m.desc);
}

int main(int argc, char **argv)
{
  test_start("nodes", &argc, &argv);
  rng_init(&dice, test_key(1, 2, 3));
  REQUIRE(test.nodes <= 31, "too many nodes for this test");
  CHECK(xmp_all_num_nodes() == xmp_num_nodes() && xmp_all_node_num() == xmp_node_num(), "all nodes");
  for (int i = 0; i < 200 * test.scale; i++) round_of_checks();
  return test_finish();
}
