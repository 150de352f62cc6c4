/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* xmp_sort_up and xmp_sort_down, by samples.
 *
 * Each node takes a share of the elements and sorts it. All nodes look at the same samples, which are spread
 * evenly over each share, and choose the same splitters: node q gets what lies between splitters q - 1 and q.
 * An element is compared with a splitter by its key, then by the node that has it and its place there, so
 * that equal keys are divided evenly, too. The nodes exchange these parts, merge what they get, and put it
 * where it belongs.
 *
 * Keys are numbers without sign whose order is that of the elements; those of long double are its values. */
#include <stdlib.h>
#include <string.h>

#include "xmp/alone.h"
#include "xmp/operation.h"
#include "xmp/transform.h"

typedef pst_xmp_index_t index_t;
typedef struct pst_xmp_array_full array_t;

/* ---- keys ---- */

static uint64_t key_of_signed(long long v) { return (uint64_t)v ^ (uint64_t)1 << 63; }
static uint64_t key_of_double(double v)
{
  uint64_t bits;
  memcpy(&bits, &v, sizeof bits);
  return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}
static double double_of_key(uint64_t key)
{
  const uint64_t bits = key >> 63 ? key & ~((uint64_t)1 << 63) : ~key;
  double v;
  memcpy(&v, &bits, sizeof v);
  return v;
}

static int type_is_floating(enum pst_xmp_type t) { return t == PST_XMP_FLOAT || t == PST_XMP_DOUBLE; }
static int type_is_unsigned(enum pst_xmp_type t)
{
  return t == PST_XMP_BOOL || t == PST_XMP_UCHAR || t == PST_XMP_USHORT || t == PST_XMP_UINT ||
      t == PST_XMP_ULONG || t == PST_XMP_ULLONG || (t == PST_XMP_CHAR && (char)-1 > 0);
}

/* As many as fit in a buffer of 8 bytes each, from the widest type of the kind. */
static void keys_make(uint64_t *key, enum pst_xmp_type type, const void *from, size_t n, int down)
{
  const uint64_t flip = down ? ~(uint64_t)0 : 0;
  if (type_is_floating(type)) {
    double *const v = (double *)(void *)key;
    pst_xmp_type_convert(PST_XMP_DOUBLE, v, type, from, n);
    for (size_t i = 0; i < n; i++) {
      double one;
      memcpy(&one, &v[i], sizeof one);
      const uint64_t k = key_of_double(one) ^ flip;
      memcpy(&key[i], &k, sizeof k);
    }
    return;
  }
  pst_xmp_type_convert(PST_XMP_LLONG, key, type, from, n);
  for (size_t i = 0; i < n; i++)
    key[i] = (type_is_unsigned(type) ? key[i] : key_of_signed((long long)key[i])) ^ flip;
}

static void keys_unmake(void *to, enum pst_xmp_type type, uint64_t *key, size_t n, int down)
{
  const uint64_t flip = down ? ~(uint64_t)0 : 0;
  if (type_is_floating(type)) {
    for (size_t i = 0; i < n; i++) {
      const double v = double_of_key(key[i] ^ flip);
      memcpy(&key[i], &v, sizeof v);
    }
    pst_xmp_type_convert(type, to, PST_XMP_DOUBLE, key, n);
    return;
  }
  for (size_t i = 0; i < n; i++) key[i] = (key[i] ^ flip) ^ (type_is_unsigned(type) ? 0 : (uint64_t)1 << 63);
  pst_xmp_type_convert(type, to, type_is_unsigned(type) ? PST_XMP_ULLONG : PST_XMP_LLONG, key, n);
}

/* ---- sorting and merging of a share ---- */

/* What follows is written once for each type of keys. Splitters are samples. */
struct sample_place {
  int node;
  index_t at;
};

#define DEFINE_SORT(NAME, KEY) \
  struct NAME##_sample { \
    KEY key; \
    struct sample_place place; \
  }; \
  /* [from, middle) and [middle, end) are sorted. */ \
  static void NAME##_merge(KEY *to, const KEY *from, size_t middle, size_t end) \
  { \
    size_t a = 0, b = middle, i = 0; \
    while (a < middle && b < end) to[i++] = from[b] < from[a] ? from[b++] : from[a++]; \
    memcpy(to + i, from + a, (middle - a) * sizeof *to); \
    memcpy(to + i + (middle - a), from + b, (end - b) * sizeof *to); \
  } \
  static void NAME##_insert(KEY *key, size_t n) \
  { \
    for (size_t i = 1; i < n; i++) { \
      const KEY k = key[i]; \
      size_t at = i; \
      for (; at && k < key[at - 1]; at--) key[at] = key[at - 1]; \
      key[at] = k; \
    } \
  } \
  /* spare: as many. */ \
  static void NAME##_sort(KEY *key, KEY *spare, size_t n) \
  { \
    enum { FEW = 24 }; \
    const size_t middle = n / 2; \
    if (n <= FEW) { \
      NAME##_insert(key, n); \
      return; \
    } \
    NAME##_sort(key, spare, middle); \
    NAME##_sort(key + middle, spare + middle, n - middle); \
    if (!(key[middle] < key[middle - 1])) return; \
    memcpy(spare, key, n * sizeof *key); \
    NAME##_merge(key, spare, middle, n); \
  } \
  /* Runs that are sorted, run i from start[i] to start[i + 1] - 1, become one. Returns where it lies. */ \
  static KEY *NAME##_merge_runs(KEY *key, KEY *spare, size_t *start, size_t runs) \
  { \
    for (; runs > 1; runs = (runs + 1) / 2) { \
      KEY *const merged = spare; \
      for (size_t i = 0; i < runs; i += 2) { \
        const size_t from = start[i], middle = start[i + 1], end = start[i + 2 <= runs ? i + 2 : i + 1]; \
        NAME##_merge(merged + from, key + from, middle - from, end - from); \
        start[i / 2] = from; \
      } \
      start[(runs + 1) / 2] = start[runs]; \
      spare = key; \
      key = merged; \
    } \
    return key; \
  } \
  static int NAME##_compare(const void *a, const void *b) \
  { \
    const struct NAME##_sample *const s = a, *const t = b; \
    if (s->key < t->key) return -1; \
    if (t->key < s->key) return 1; \
    if (s->place.node != t->place.node) return s->place.node < t->place.node ? -1 : 1; \
    return (s->place.at > t->place.at) - (s->place.at < t->place.at); \
  } \
  /* How many of this node's sorted keys come before the splitter. */ \
  static size_t NAME##_before(const KEY *key, size_t n, int node, const struct NAME##_sample *s) \
  { \
    size_t low = 0, high = n; \
    while (low < high) { \
      const size_t middle = (low + high) / 2; \
      const struct NAME##_sample one = {key[middle], {node, (index_t)middle}}; \
      if (NAME##_compare(&one, s) < 0) low = middle + 1; \
      else high = middle; \
    } \
    return low; \
  } \
  /* Samples of all nodes, in their order. */ \
  static struct NAME##_sample *NAME##_samples( \
      const char *call, struct pst_xmp_group *g, const KEY *key, size_t n, size_t each) \
  { \
    const size_t all = each * (size_t)g->size; \
    struct NAME##_sample *const mine = pst_xmp_own_take_clear(call, each, sizeof *mine), \
                                *const s = pst_xmp_own_take(call, all * sizeof *s); \
    for (size_t i = 0; i < each && n; i++) { \
      const size_t at = (2 * i + 1) * n / (2 * each); \
      mine[i].key = key[at]; \
      mine[i].place = (struct sample_place){g->rank, (index_t)at}; \
    } \
    if (!n) \
      for (size_t i = 0; i < each; i++) mine[i].place.node = -1; \
    gasnetx_coll_allgather(pst_xmp_group_team(g), s, mine, each * sizeof *s); \
    free(mine); \
    return s; \
  } \
  /* cut[q]: where the part of rank q begins among this node's keys; cut[ranks] is their number. */ \
  static void NAME##_divide( \
      const char *call, struct pst_xmp_group *g, const KEY *key, size_t n, size_t cut[]) \
  { \
    const size_t ranks = (size_t)g->size, each = samples_each(g->size); \
    struct NAME##_sample *const s = NAME##_samples(call, g, key, n, each); \
    size_t all = 0; \
    for (size_t i = 0; i < ranks * each; i++) \
      if (s[i].place.node >= 0) s[all++] = s[i]; \
    qsort(s, all, sizeof *s, NAME##_compare); \
    cut[0] = 0; \
    for (size_t q = 1; q < ranks; q++) \
      cut[q] = all ? NAME##_before(key, n, g->rank, &s[q * all / ranks]) : n; \
    cut[ranks] = n; \
    free(s); \
  } \
  /* *key, sorted, becomes this node's part of all keys; *n their number. */ \
  static void NAME##_exchange(const char *call, struct pst_xmp_group *g, KEY **key, size_t *n) \
  { \
    struct exchange x; \
    KEY *got, *spare; \
    exchange_open(call, &x, g->size); \
    NAME##_divide(call, g, *key, *n, x.cut); \
    exchange_agree(&x, g, sizeof *got); \
    got = pst_xmp_own_take(call, x.total * sizeof *got); \
    spare = pst_xmp_own_take(call, x.total * sizeof *got); \
    gasnetx_coll_alltoallv( \
        pst_xmp_group_team(g), got, x.lengths[1], x.offsets[1], *key, x.lengths[0], x.offsets[0]); \
    free(*key); \
    *key = NAME##_merge_runs(got, spare, x.start, (size_t)g->size); \
    free(*key == got ? spare : got); \
    *n = x.total; \
    exchange_close(&x); \
  }

/* Samples of each node: enough for parts that are even to some hundredths, few enough to be sorted soon. */
static size_t samples_each(int ranks)
{
  const size_t many = (size_t)(1 << 18) / (size_t)ranks;
  return many < 16 ? 16 : many > 256 ? 256 : many;
}

/* What goes to each rank, and comes from it. */
struct exchange {
  size_t *cut, *start;             /* [ranks + 1], in keys: what goes; what comes */
  size_t *lengths[2], *offsets[2]; /* [ranks] in bytes: 0 what goes, 1 what comes */
  size_t total;                    /* keys that come */
};

static void exchange_open(const char *call, struct exchange *x, int ranks)
{
  const size_t n = (size_t)ranks + 1;
  size_t *const memory = pst_xmp_own_take(call, 6 * n * sizeof *memory);
  *x = (struct exchange){.cut = memory,
      .start = memory + n,
      .lengths = {memory + 2 * n, memory + 3 * n},
      .offsets = {memory + 4 * n, memory + 5 * n}};
}
static void exchange_close(struct exchange *x) { free(x->cut); }

static void exchange_agree(struct exchange *x, struct pst_xmp_group *g, size_t size)
{
  for (int q = 0; q < g->size; q++) {
    x->offsets[0][q] = x->cut[q] * size;
    x->lengths[0][q] = (x->cut[q + 1] - x->cut[q]) * size;
  }
  gasnetx_coll_alltoall(pst_xmp_group_team(g), x->lengths[1], x->lengths[0], sizeof(size_t));
  x->total = 0;
  for (int q = 0; q < g->size; q++) {
    x->start[q] = x->total;
    x->offsets[1][q] = x->total * size;
    x->total += x->lengths[1][q] / size;
  }
  x->start[g->size] = x->total;
}

DEFINE_SORT(word, uint64_t)
DEFINE_SORT(long_double, long double)

/* Many words are sorted by one digit after the other, the lowest first. Digits that all of them share, as the
 * high ones of small numbers, cost nothing. */
enum { DIGITS = 8, DIGIT = 256 };

typedef size_t digit_count[DIGIT];

static digit_count *digits_count(const char *call, const uint64_t *key, size_t n)
{
  digit_count *const count = pst_xmp_own_take_clear(call, DIGITS, sizeof *count);
  for (size_t i = 0; i < n; i++)
    for (int d = 0; d < DIGITS; d++) count[d][key[i] >> 8 * d & (DIGIT - 1)]++;
  return count;
}

/* count[]: how often each value of the digit occurs; it becomes where the next of them goes. */
static void digit_sort(uint64_t *to, const uint64_t *from, size_t n, int d, size_t count[])
{
  size_t before = 0;
  for (int v = 0; v < DIGIT; v++) {
    const size_t these = count[v];
    count[v] = before;
    before += these;
  }
  for (size_t i = 0; i < n; i++) to[count[from[i] >> 8 * d & (DIGIT - 1)]++] = from[i];
}

static void words_order(const char *call, uint64_t *key, uint64_t *spare, size_t n)
{
  enum { FEW = 1024 };
  digit_count *count;
  uint64_t *from = key, *to = spare;
  if (n <= FEW) {
    word_sort(key, spare, n);
    return;
  }
  count = digits_count(call, key, n);
  for (int d = 0; d < DIGITS; d++) {
    uint64_t *const sorted = to;
    if (count[d][key[0] >> 8 * d & (DIGIT - 1)] == n) continue;
    digit_sort(to, from, n, d, count[d]);
    to = from;
    from = sorted;
  }
  if (from != key) memcpy(key, from, n * sizeof *key);
  free(count);
}

/* ---- the calls ---- */

/* This node's share of from, sorted by all, at *data; returns how many. The memory is the caller's. */
static size_t words_sort(const char *call, struct pst_xmp_group *g, array_t *from, int down, void **data)
{
  index_t first, count;
  void *raw;
  uint64_t *key, *spare;
  size_t n;
  pst_xmp_transform_share(g, pst_xmp_array_elements(from), &first, &count);
  n = (size_t)count;
  raw = pst_xmp_own_take(call, n * from->size);
  key = pst_xmp_own_take(call, n * sizeof *key);
  spare = pst_xmp_own_take(call, n * sizeof *key);
  pst_xmp_run_get(call, from, first, count, raw);
  keys_make(key, from->type, raw, n, down);
  words_order(call, key, spare, n);
  free(raw);
  free(spare);
  if (g->size > 1) word_exchange(call, g, &key, &n);
  *data = pst_xmp_own_take(call, n * from->size);
  keys_unmake(*data, from->type, key, n, down);
  free(key);
  return n;
}

static size_t long_doubles_sort(
    const char *call, struct pst_xmp_group *g, array_t *from, int down, void **data)
{
  index_t first, count;
  long double *key, *spare;
  size_t n;
  pst_xmp_transform_share(g, pst_xmp_array_elements(from), &first, &count);
  n = (size_t)count;
  key = pst_xmp_own_take(call, n * sizeof *key);
  spare = pst_xmp_own_take(call, n * sizeof *key);
  pst_xmp_run_get(call, from, first, count, key);
  for (size_t i = 0; i < n; i++) key[i] = down ? -key[i] : key[i];
  long_double_sort(key, spare, n);
  free(spare);
  if (g->size > 1) long_double_exchange(call, g, &key, &n);
  for (size_t i = 0; i < n; i++) key[i] = down ? -key[i] : key[i];
  *data = key;
  return n;
}

static void vector_sort(const char *call, void *v1, void *v2, int down)
{
  PST_XMP_ALONE(call);
  array_t *const from = pst_xmp_transform_array(call, v1, 1),
                 *const to = pst_xmp_transform_array(call, v2, 1);
  struct pst_xmp_group *const g = pst_xmp_executing();
  index_t before, all;
  size_t n;
  void *data;
  pst_xmp_transform_same_type(call, from, to);
  if (from->type == PST_XMP_OTHER || from->type > PST_XMP_LDOUBLE)
    pst_xmp_fatal(
        call, "%s cannot be sorted: its elements are of %s", from->name, pst_xmp_type_name(from->type));
  if (from->dim[0].extent != to->dim[0].extent)
    pst_xmp_fatal(call, "%s has %lld elements, and %s has %lld", from->name, from->dim[0].extent, to->name,
        to->dim[0].extent);
  pst_xmp_transform_meet(g);
  n = from->type == PST_XMP_LDOUBLE ? long_doubles_sort(call, g, from, down, &data)
                                    : words_sort(call, g, from, down, &data);
  before = pst_xmp_transform_before(g, (index_t)n, &all);
  pst_xmp_run_put(call, to, before, (index_t)n, data);
  pst_xmp_transform_meet(g);
  free(data);
}

void xmp_sort_up(void *v1, void *v2) { vector_sort("xmp_sort_up", v1, v2, 0); }
void xmp_sort_down(void *v1, void *v2) { vector_sort("xmp_sort_down", v1, v2, 1); }
