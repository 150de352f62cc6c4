/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* reduction, bcast and barrier: all types and operations, on all nodes, on a part of them, in several sets
 * side by side, at once and with an id; reduction clauses of loops, with locations. */
#include <complex.h>
#include <limits.h>

#include "common.h"

enum { MOST = 12 }; /* elements of a variable */

static void *line; /* nodes p[*] */
static struct rng dice;
static int below(int n) { return (int)rng_below(&dice, (uint64_t)n); }

/* What node r gives as element i: small, so that sums and products of few nodes are exact in each type. */
static int given(int turn, int r, int i)
{
  return (int)(test_key((uint64_t)turn, (uint64_t)r, (uint64_t)i) % 4);
}

/* ---- each type ---- */

#define INTEGERS(X) \
  X(CHAR, char) \
  X(SCHAR, signed char) \
  X(UCHAR, unsigned char) \
  X(SHORT, short) \
  X(USHORT, unsigned short) \
  X(INT, int) \
  X(UINT, unsigned) \
  X(LONG, long) \
  X(ULONG, unsigned long) \
  X(LLONG, long long) \
  X(ULLONG, unsigned long long)
#define REALS(X) \
  X(FLOAT, float) \
  X(DOUBLE, double) \
  X(LDOUBLE, long double)
#define COMPLEXES(X) \
  X(CFLOAT, float _Complex) \
  X(CDOUBLE, double _Complex) \
  X(CLDOUBLE, long double _Complex)

/* Members of the set that node `me` is in: first, first + step, ..., count of them. */
struct members {
  int first, step, count;
};

#define FOLD(expression) \
  do { \
    for (int j = 1; j < m->count; j++) { \
      const T y = (T)given(turn, m->first + j * m->step, i); \
      x = (T)(expression); \
    } \
    return x; \
  } while (0)
#define LOGICAL(op) \
  if (op == PST_XMP_LOGAND) FOLD(x &&y); \
  if (op == PST_XMP_LOGOR) FOLD(x || y)
#define ARITHMETIC(op) \
  if (op == PST_XMP_SUM) FOLD(x + y); \
  if (op == PST_XMP_PRODUCT) FOLD(x *y); \
  LOGICAL(op)
#define OF_BOOL(op) \
  if (op == PST_XMP_SUM) FOLD(x || y); \
  if (op == PST_XMP_PRODUCT) FOLD(x &&y); \
  LOGICAL(op)
#define ORDER(op) \
  if (op == PST_XMP_MAX) FOLD(x > y ? x : y); \
  if (op == PST_XMP_MIN) FOLD(x < y ? x : y)
#define BITS(op) \
  if (op == PST_XMP_BITAND) FOLD((unsigned long long)x &(unsigned long long)y); \
  if (op == PST_XMP_BITOR) FOLD((unsigned long long)x | (unsigned long long)y); \
  if (op == PST_XMP_BITXOR) FOLD((unsigned long long)x ^ (unsigned long long)y)

/* The result of a set of one is what the node gives. */
#define DEFINE_TYPE(NAME, type, last, ...) \
  static type expect_##NAME(enum pst_xmp_operation op, const struct members *m, int turn, int i) \
  { \
    typedef type T; \
    T x = (T)given(turn, m->first, i); \
    if (m->count == 1) return x; \
    __VA_ARGS__; \
    return x; \
  } \
  static void test_##NAME(enum pst_xmp_operation op, const struct members *m, const struct pst_xmp_on *on, \
      const int *async, int turn) \
  { \
    type x[MOST], y, before[MOST]; \
    const int count = 1 + turn % MOST; \
    const struct pst_xmp_variable v[] = {{x, (unsigned long)count, sizeof x[0], PST_XMP_TYPE(x[0]), "x"}, \
        {&y, 1, sizeof y, PST_XMP_TYPE(y), "y"}}; \
    for (int i = 0; i < count; i++) x[i] = before[i] = (type)given(turn, test.me, i); \
    y = (type)given(turn, test.me, 99); \
    pst_xmp_reduction(AT, op, 1 + turn % 2, v, on, async); \
    if (async) pst_xmp_wait_async(AT, 1, async, NULL); \
    for (int i = 0; i < count; i++) { \
      const type right = m->count ? expect_##NAME(op, m, turn, i) : before[i]; \
      CHECK(x[i] == right, #NAME ": operation %d, element %d of %d is %Lg, not %Lg", (int)op, i, count, \
          (long double)x[i], (long double)right); \
    } \
    if (m->count && turn % 2) \
      CHECK(y == expect_##NAME(op, m, turn, 99), #NAME ": operation %d of y", (int)op); \
  } \
  enum { LAST_##NAME = last };
#define DEFINE_INTEGER(NAME, type) DEFINE_TYPE(NAME, type, PST_XMP_MIN, ARITHMETIC(op); ORDER(op); BITS(op))
#define DEFINE_REAL(NAME, type)    DEFINE_TYPE(NAME, type, PST_XMP_MIN, ARITHMETIC(op); ORDER(op))
#define DEFINE_COMPLEX(NAME, type) DEFINE_TYPE(NAME, type, PST_XMP_LOGOR, ARITHMETIC(op))
INTEGERS(DEFINE_INTEGER)
REALS(DEFINE_REAL)
COMPLEXES(DEFINE_COMPLEX)
DEFINE_TYPE(BOOL, _Bool, PST_XMP_MIN, OF_BOOL(op); ORDER(op); BITS(op))

static int has_bits(enum pst_xmp_operation op) { return op >= PST_XMP_BITAND && op <= PST_XMP_BITXOR; }

static void all_types(const struct members *m, const struct pst_xmp_on *on, const int *async, int turn)
{
#define RUN(NAME, type) \
  for (int op = PST_XMP_SUM; op <= (int)LAST_##NAME; op++) \
    test_##NAME((enum pst_xmp_operation)op, m, on, async, turn);
#define RUN_WITHOUT_BITS(NAME, type) \
  for (int op = PST_XMP_SUM; op <= (int)LAST_##NAME; op++) \
    if (!has_bits((enum pst_xmp_operation)op)) test_##NAME((enum pst_xmp_operation)op, m, on, async, turn);
  INTEGERS(RUN)
  RUN(BOOL, _Bool)
  REALS(RUN_WITHOUT_BITS)
  COMPLEXES(RUN_WITHOUT_BITS)
}

/* ---- sets ---- */

static void whole_set(int turn)
{
  const struct members m = {0, 1, test.nodes};
  const int id = turn;
  all_types(&m, NULL, NULL, turn);
  all_types(&m, NULL, &id, turn + 1);
}

static void part_of_nodes(int turn)
{
  const int step = 1 + below(3), first = below(test.nodes), count = (test.nodes - 1 - first) / step + 1;
  const int in = test.me >= first && (test.me - first) % step == 0;
  const struct pst_xmp_subscript s = {PST_XMP_COUNT, 0, first, count, step};
  const struct pst_xmp_on on = {line, 1, &s};
  const struct members m = {first, step, in ? count : 0};
  all_types(&m, &on, NULL, turn);
}

/* Nodes q[2][*]: the columns, and the rows, each by itself. */
static void sets_side_by_side(int turn)
{
  const int wide = test.nodes / 2;
  const pst_xmp_index_t size[] = {2, wide};
  static const struct pst_xmp_subscript own = {.span = PST_XMP_OWN, .step = 1},
                                        all = {.span = PST_XMP_ALL, .step = 1};
  const struct pst_xmp_subscript column[] = {all, own}, row[] = {own, all};
  if (test.nodes % 2) return;
  void *q = pst_xmp_nodes(AT, "q", 2, size, PST_XMP_NO_PARENT, NULL);
  all_types(&(struct members){test.me % wide, wide, 2}, &(struct pst_xmp_on){q, 2, column}, NULL, turn);
  all_types(&(struct members){test.me / wide * wide, 1, wide}, &(struct pst_xmp_on){q, 2, row}, NULL, turn);
  pst_xmp_barrier_on(AT, &(struct pst_xmp_on){q, 2, row});
  pst_xmp_barrier_on(AT, NULL);
  pst_xmp_nodes_free(&q);
}

/* Numbers whose sum depends on the order: all nodes have the same bits nevertheless. */
static void same_bits(void)
{
  enum { N = 3000 };
  static double x[N];
  static uint64_t bits[2][N];
  const struct pst_xmp_variable v = {x, N, sizeof x[0], PST_XMP_DOUBLE, "x"},
                                all[] = {{bits[0], N, 8, PST_XMP_ULONG, "bits"},
                                    {bits[1], N, 8, PST_XMP_ULONG, "bits"}};
  for (int i = 0; i < N; i++) x[i] = (double)test_key((uint64_t)test.me, (uint64_t)i, 5) / 1e7 + 1e-9 * i;
  pst_xmp_reduction(AT, PST_XMP_SUM, 1, &v, NULL, NULL);
  for (int k = 0; k < 2; k++) memcpy(bits[k], x, sizeof x);
  pst_xmp_reduction(AT, PST_XMP_BITAND, 1, &all[0], NULL, NULL);
  pst_xmp_reduction(AT, PST_XMP_BITOR, 1, &all[1], NULL, NULL);
  CHECK(memcmp(bits[0], bits[1], sizeof bits[0]) == 0, "the nodes have different bits");
}

/* ---- bcast ---- */

static void bcasts(int turn)
{
  static unsigned char large[70000];
  struct {
    char name[5];
    double x;
  } pair[3];
  int one = 1000 * test.me + turn;
  const int first = below(test.nodes), root = first + below(test.nodes - first), id = 9;
  const struct pst_xmp_subscript set = {PST_XMP_COUNT, 0, first, test.nodes - first, 1},
                                 from = {PST_XMP_ONE, 0, root, 0, 1};
  const struct pst_xmp_on on = {line, 1, &set}, one_of = {line, 1, &from};
  const int use_from = below(2), n = 1 + below(3), async = below(2), giver = use_from ? root : first;
  const size_t length = 1 + (size_t)below(sizeof large);
  const struct pst_xmp_variable v[] = {{&one, 1, sizeof one, PST_XMP_INT, "one"},
      {pair, 3, sizeof pair[0], PST_XMP_OTHER, "pair"}, {large, length, 1, PST_XMP_UCHAR, "large"}};
  memset(pair, test.me, sizeof pair);
  pattern_fill(large, sizeof large, (uint64_t)(test.me + turn));
  pst_xmp_bcast(AT, n, v, use_from ? &one_of : NULL, &on, async ? &id : NULL);
  if (async) pst_xmp_wait_async(AT, 1, &id, &on);
  const int from_whom = test.me >= first ? giver : test.me;
  CHECK(one == 1000 * from_whom + turn, "bcast from %d: one is %d", giver, one);
  if (n > 1) CHECK(((char *)pair)[sizeof pair - 1] == (char)from_whom, "bcast from %d: pair", giver);
  if (n > 2)
    CHECK(pattern_bad(large, length, (uint64_t)(from_whom + turn)) == length, "bcast from %d: large", giver);
}

/* ---- clauses of loops ---- */

enum { ITERATIONS = 60 };

struct loop {
  void *t;
  pst_xmp_loop_t state;
};

static void loop_begin(struct loop *l, int cyclic)
{
  const pst_xmp_index_t lower = 3, upper = lower + ITERATIONS - 1;
  const struct pst_xmp_format f = {.kind = cyclic ? PST_XMP_CYCLIC : PST_XMP_BLOCK, .width = cyclic};
  static const struct pst_xmp_subscript i = {PST_XMP_LOOP, 0, 0, 0, 1};
  l->t = pst_xmp_template(AT, "t", 1, &lower, &upper, 0);
  pst_xmp_distribute(AT, l->t, line, 1, &f);
  pst_xmp_loop_enter(&l->state, AT, &(struct pst_xmp_on){l->t, 1, &i}, 1);
}

static void loop_end(struct loop *l)
{
  pst_xmp_loop_leave(&l->state);
  pst_xmp_template_free(&l->t);
}

static pst_xmp_index_t loop_next(const struct loop *l, pst_xmp_index_t v, pst_xmp_index_t step)
{
  return pst_xmp_loop_next(&l->state.range[0], v, step, step > 0 ? ITERATIONS + 3 : 2);
}

/* Few different values, so that several iterations have the greatest one. */
static int element(int turn, int i) { return (int)(test_key((uint64_t)turn, (uint64_t)i, 11) % 7) - 3; }

static void clause_sums(int turn)
{
  struct loop l;
  int old = 100, mine, right = 100;
  double product = 1, old_product = -2;
  const struct pst_xmp_variable v = {&mine, 1, sizeof mine, PST_XMP_INT, "sum"},
                                w = {&product, 1, sizeof product, PST_XMP_DOUBLE, "product"};
  loop_begin(&l, turn % 4);
  pst_xmp_neutral(AT, PST_XMP_SUM, &v);
  pst_xmp_neutral(AT, PST_XMP_PRODUCT, &w);
  for (pst_xmp_index_t i = loop_next(&l, 3, 1); i < ITERATIONS + 3; i = loop_next(&l, i + 1, 1)) {
    mine += element(turn, (int)i);
    if (i % 10 == 0) product *= 2;
  }
  pst_xmp_loop_reduce(&l.state, AT, PST_XMP_SUM, &v, &old, 0, NULL, NULL);
  pst_xmp_loop_reduce(&l.state, AT, PST_XMP_PRODUCT, &w, &old_product, 0, NULL, NULL);
  loop_end(&l);
  for (int i = 3; i < ITERATIONS + 3; i++) right += element(turn, i);
  CHECK(old == right, "the clause's sum is %d, not %d", old, right);
  CHECK(old_product == -128, "the clause's product is %g", old_product);
}

/* Whether x replaces `best`, as the program's own loop decides. */
static int wins(enum pst_xmp_operation op, int x, int best)
{
  switch (op) {
  case PST_XMP_FIRSTMAX: return x > best;
  case PST_XMP_FIRSTMIN: return x < best;
  case PST_XMP_LASTMAX: return x >= best;
  default: return x <= best;
  }
}

static void clause_location(enum pst_xmp_operation op, int turn)
{
  struct loop l;
  const int begin = turn % 2 ? 3 : ITERATIONS + 2, step = turn % 2 ? 1 : -1,
            before = element(turn, 1000) * (turn % 3);
  int best, old = before, right = before;
  struct {
    long place;
    short twice;
  } mine = {-1, -1}, was = {-7, -8}, should = {-7, -8};
  struct pst_xmp_when when;
  memset(&when, -1, sizeof when);
  const struct pst_xmp_variable v = {&best, 1, sizeof best, PST_XMP_INT, "best"};
  const struct pst_xmp_location at[] = {
      {&mine.place, &was.place, sizeof mine.place}, {&mine.twice, &was.twice, sizeof mine.twice}};
  loop_begin(&l, turn % 5);
  pst_xmp_neutral(AT, op, &v);
  for (pst_xmp_index_t i = loop_next(&l, begin, step); i >= 3 && i < ITERATIONS + 3;
       i = loop_next(&l, i + step, step))
    if (wins(op, element(turn, (int)i), best) || when.number[0] < 0) {
      best = element(turn, (int)i), mine.place = (long)i, mine.twice = (short)(2 * i);
      when.number[0] = 0, when.number[1] = (i - begin) / step;
    }
  pst_xmp_loop_reduce(&l.state, AT, op, &v, &old, 2, at, &when);
  loop_end(&l);
  for (int i = begin; i >= 3 && i < ITERATIONS + 3; i += step)
    if (wins(op, element(turn, i), right))
      right = element(turn, i), should.place = i, should.twice = (short)(2 * i);
  CHECK(old == right && was.place == should.place && was.twice == should.twice,
      "operation %d: %d at %ld, %d; not %d at %ld", (int)op, old, was.place, was.twice, right, should.place);
}

int main(int argc, char **argv)
{
  const pst_xmp_index_t star = 0;
  test_start("xmp/reduction", &argc, &argv);
  rng_init(&dice, test.seed);
  line = pst_xmp_nodes(AT, "p", 1, &star, PST_XMP_NO_PARENT, NULL);
  for (int turn = 0; turn < 12 * test.scale; turn++) {
    whole_set(turn);
    part_of_nodes(turn);
    sets_side_by_side(turn);
    same_bits();
    for (int i = 0; i < 8; i++) bcasts(turn);
    clause_sums(turn);
    for (int op = PST_XMP_FIRSTMAX; op <= PST_XMP_LASTMIN; op++)
      clause_location((enum pst_xmp_operation)op, turn);
    if (test_any(test.failures)) break;
  }
  return test_finish();
}
