/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Vector, indexed and strided transfers, between node 0 and its partner. */
#include "catalogue.h"

#define BEST       "the better of a nested loop at -O3 and memcpy a row"
#define CONTIGUOUS "one contiguous write of as many bytes"

#define IN_ARRAYS \
  "col_1K", "col_8K", "block16", "face64_x", "face64_y", "face64_z", "face128_x", "face128_y", "face128_z", \
      "face256_x", "face256_y", "face256_z", "rows512", "block8", "elem3"
static const char *const put_names[] = {IN_ARRAYS, "big_4K", "big_512", "big_64", "face_8", "face_1K", NULL};
static const char *const get_names[] = {IN_ARRAYS, "face_8", "face_1K", NULL};
static const char *const pack_names[] = {IN_ARRAYS, NULL};
static const char *const face_names[] = {"face_8", "face_1K", NULL};
static const char *const speed_names[] = {"mean", "mean_wide", "least", NULL};
static const char *const small_names[] = {"put", "get", "plan", NULL};
static const char *const put_index_names[] = {"words", "words_16M", "words_L3", NULL};
static const char *const get_index_names[] = {"words", NULL};
static const char *const put_vector_names[] = {"words", "mixed", "chopped", NULL};
static const char *const get_vector_names[] = {"mixed", NULL};
static const char *const direction_names[] = {"put", "get", NULL};
static const char *const transpose_names[] = {"doubles", "floats", NULL};
static const char *const adverse_names[] = {"bytes", "pairs", "thin", "pages", "odd", "few", NULL};
static const char *const row_names[] = {"rows_8", "rows_64", "rows_512", "rows_4096", NULL};

#define BY_HAND          "packed and unpacked by hand, or a transfer a row"
#define TEST(test, text) .name = test, .group = "patterns", .what = text, .points = BENCH_NAMES
/* Cubes of up to 258 doubles each way: two nodes. */
#define ARRAYS(test, text, list) \
  { \
    TEST(test, text), .raw = BEST, .raw_network = CONTIGUOUS \
    , .unit = BENCH_US, .names = list, .nodes = 2, .flags = BENCH_DEFAULT \
  }
/* Over a network: ours against a program that packs, sends and unpacks; and the time of that program's
 * loops. */
#define FACES_BY_HAND(test, text) \
  { \
    TEST(test, text), .raw_network = BY_HAND, .unit = BENCH_US, .names = face_names, .flags = BENCH_NETWORK \
  }
#define FACES_ALONE(test, text) \
  { \
    TEST(test, text), .raw_network = CONTIGUOUS \
    , .unit = BENCH_US, .names = face_names, .flags = BENCH_NETWORK \
  }
#define LIST(test, text, bare, list) \
  { \
    TEST(test, text), .raw = bare, .raw_network = CONTIGUOUS \
    ", a piece of it", .unit = BENCH_NS, .names = list, .flags = BENCH_DEFAULT \
  }
#define MESSAGES(test, against) \
  { \
    TEST(test, "put of 256 KiB in rows, with GASNET_AM_ONLY=1"), \
        .raw = against, .raw_network = against, .unit = BENCH_US, .names = row_names, .flags = BENCH_AM_ONLY \
  }

const struct bench_test bench_tests_patterns[] = {
    ARRAYS("put_strided", "put of a part of an array", put_names),
    ARRAYS("get_strided", "get of a part of an array", get_names),
    {TEST("pack_strided", "put of a part of an array, packed there"), .raw = BEST, .raw_network = CONTIGUOUS,
        .unit = BENCH_US, .names = pack_names, .nodes = 2},
    FACES_BY_HAND("put_by_hand", "put of a face, against what a program does itself"),
    FACES_BY_HAND("get_by_hand", "get of a face, against what a program does itself"),
    FACES_ALONE("pack_alone", "a bare loop that packs a face, and nothing is sent"),
    FACES_ALONE("unpack_alone", "a bare loop that unpacks a face that is here"),
    {TEST("strided_speed", "the tests above: speed against the better loop"), .unit = BENCH_PERCENT,
        .names = speed_names, .nodes = 2, .flags = BENCH_SMP},
    {TEST("strided_small", "8 rows of 64 bytes: put, get, put as a plan"), .raw = BEST, .unit = BENCH_NS,
        .names = small_names, .flags = BENCH_DEFAULT},
    LIST("put_indexed", "put of 8192 random words, each", "a plain loop over the lists", put_index_names),
    LIST("get_indexed", "get of 8192 random words, each", "a plain loop over the lists", get_index_names),
    LIST("put_vector", "put of 8192 random pieces of 8 to 64 bytes, each", "memcpy of each piece",
        put_vector_names),
    LIST("get_vector", "get of 8192 random pieces of 8 to 64 bytes, each", "memcpy of each piece",
        get_vector_names),
    {TEST("vector_words", "put or get of 8192 random words as a vector, each"),
        .raw_network = "the same as an index list", .unit = BENCH_NS, .names = direction_names,
        .flags = BENCH_NETWORK},
    {TEST("put_transpose", "put of the transpose of a 2048 by 2048 matrix"), .raw = "the double loop",
        .unit = BENCH_US, .names = transpose_names, .flags = BENCH_DEFAULT},
    {TEST("put_adverse", "put of a shape chosen to be awkward"), .raw = "one put a row",
        .raw_network = "one put a row", .unit = BENCH_US, .names = adverse_names},
    MESSAGES("put_packed", BEST " (mapped)"),
    MESSAGES("put_packed_rows", "one put a row"),
    {.name = NULL},
};

#define FASTER(test, point, bound) BENCH_AT_LEAST(test, point, "smp", bound)
#define PATTERN(point) \
  FASTER("put_strided", point, 0.9), FASTER("get_strided", point, 0.9), FASTER("pack_strided", point, 0.9)
#define WITHIN_5_PERCENT(test, point) FASTER(test, point, 0.95)
#define FACES(n)                      PATTERN("face" n "_x"), PATTERN("face" n "_y"), PATTERN("face" n "_z")
#define ON_NETWORK(conduit) \
  {"put_strided", "face_8", conduit, NULL, BENCH_RATE_AT_LEAST, 0.5}, \
      {"get_strided", "face_8", conduit, NULL, BENCH_RATE_AT_LEAST, 0.5}, \
      {"put_strided", "face_1K", conduit, NULL, BENCH_RATE_AT_LEAST, 0.8}, \
      {"get_strided", "face_1K", conduit, NULL, BENCH_RATE_AT_LEAST, 0.8}, \
      {"put_indexed", "words", conduit, NULL, BENCH_VALUE_AT_MOST, 8}, \
  { \
    "vector_words", NULL, conduit, NULL, BENCH_RATIO_AT_MOST, 1.2 \
  }

/* The loss of ours to the best of so many ways must not grow. */
#define BY_HAND_OVER(conduit, transport, point, bound) \
  {"put_by_hand", point, conduit, transport, BENCH_RATE_AT_LEAST, bound}, \
  { \
    "get_by_hand", point, conduit, transport, BENCH_RATE_AT_LEAST, bound \
  }

const struct bench_bound bench_bounds_patterns[] = {
    PATTERN("col_1K"),
    PATTERN("col_8K"),
    PATTERN("block16"),
    FACES("64"),
    FACES("256"),
    WITHIN_5_PERCENT("put_strided", "face128_x"),
    WITHIN_5_PERCENT("get_strided", "face128_x"),
    FASTER("pack_strided", "face128_x", 0.9),
    PATTERN("face128_y"),
    PATTERN("face128_z"),
    PATTERN("rows512"),
    PATTERN("block8"),
    PATTERN("elem3"),
    {"strided_speed", "mean", "smp", NULL, BENCH_VALUE_AT_LEAST, 100},
    {"strided_speed", "mean_wide", "smp", NULL, BENCH_VALUE_AT_LEAST, 115},
    {"strided_speed", "least", "smp", NULL, BENCH_VALUE_AT_LEAST, 90},
    FASTER("put_strided", "big_4K", 1.0),
    FASTER("put_strided", "big_512", 1.0),
    FASTER("put_strided", "big_64", 1.0),
    {"strided_small", "put", "smp", NULL, BENCH_ABOVE_AT_MOST, 40},
    {"strided_small", "get", "smp", NULL, BENCH_ABOVE_AT_MOST, 40},
    {"strided_small", "plan", "smp", NULL, BENCH_ABOVE_AT_MOST, 15},
    WITHIN_5_PERCENT("put_indexed", "words"),
    WITHIN_5_PERCENT("put_indexed", "words_L3"),
    WITHIN_5_PERCENT("get_indexed", "words"),
    FASTER("put_vector", NULL, 0.9),
    FASTER("get_vector", "mixed", 0.9),
    FASTER("put_transpose", NULL, 3.0),
    FASTER("put_adverse", NULL, 1.0),
    FASTER("put_packed", NULL, 0.3),
    FASTER("put_packed_rows", NULL, 0.97),
    ON_NETWORK("ofi"),
    ON_NETWORK("ucx"),
    BY_HAND_OVER("ofi", NULL, NULL, 0.75),
    BY_HAND_OVER("ucx", NULL, "face_8", 0.75),
    BY_HAND_OVER("ucx", "tcp,self", "face_1K", 0.75),
    BY_HAND_OVER("ucx", "posix,self", "face_1K", 0.9),
    {.test = NULL},
};
