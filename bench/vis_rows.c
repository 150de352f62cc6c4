/* The rows, in the order in which they are shown. */
#include "vis.h"

#define BEST "the better of a nested loop at -O3 and memcpy a row"
#define ROW(key, what, bare, kind, bound) {{key, what, bare, BENCH_US, 0, kind, bound}, VIS_MAPPED}
#define PATTERN(name, what) \
  ROW("put_" name, "put: " what, BEST, BENCH_RATE_AT_LEAST, 0.9), \
  ROW("get_" name, "get: " what, BEST, BENCH_RATE_AT_LEAST, 0.9), \
  ROW("pack_" name, "put, packed there: " what, BEST, BENCH_RATE_AT_LEAST, 0.9)
#define FACES(n) \
  PATTERN("f" n "x", "face x of " n "^3 with ghosts"), \
  PATTERN("f" n "y", "face y of " n "^3 with ghosts"), \
  PATTERN("f" n "z", "face z of " n "^3 with ghosts")
#define ABOVE(key, what, bare, bound) {{key, what, bare, BENCH_NS, 0, BENCH_VALUE_AT_MOST, bound}, VIS_MAPPED}
#define LIST(key, what, bare) ROW(key, what, bare, BENCH_RATE_AT_LEAST, 0.9)
#define ADVERSE(n, what) ROW("adverse_" n, what, "a put each element", BENCH_RATE_AT_LEAST, 1.0)
#define PACKED(n) \
  {{"am_" n, "messages: rows of " n " B", BEST " (mapped)", BENCH_US, 0, BENCH_RATE_AT_LEAST, 0.3}, VIS_PACKED}, \
  {{"am_" n "_rows", "messages: rows of " n " B", "one put a row", BENCH_US, 0, BENCH_RATE_AT_LEAST, 0.97}, VIS_PACKED}

const struct vis_row vis_rows[] = {
  PATTERN("col_1K", "column of 4096 doubles, pitch 1 KB"),
  PATTERN("col_8K", "column of 4096 doubles, pitch 8 KB"),
  PATTERN("block16", "16^3 of 256^3"),
  FACES("64"),
  FACES("128"),
  FACES("256"),
  PATTERN("rows512", "2048 rows of 512 B, pitch 1 KB"),
  PATTERN("block8", "8^4 of 32^4"),
  PATTERN("elem3", "4096 elements of 3 B, pitch 8 B"),
  ROW("mean", "geometric mean of all above", BEST, BENCH_RATE_AT_LEAST, 1.0),
  ROW("mean_wide", "geometric mean of pack_*, *_block16, *_f64*", BEST, BENCH_RATE_AT_LEAST, 1.15),
  ROW("least", "the least of all above", BEST, BENCH_RATE_AT_LEAST, 0.9),
  ROW("big_4K", "put: 8192 rows of 4 KB, pitch 8 KB", BEST, BENCH_RATE_AT_LEAST, 1.0),
  ROW("big_512", "put: 65,536 rows of 512 B, pitch 1 KB", BEST, BENCH_RATE_AT_LEAST, 1.0),
  ROW("big_64", "put: 262,144 rows of 64 B, pitch 128 B", BEST, BENCH_RATE_AT_LEAST, 1.0),
  ABOVE("small_put", "put of 8 rows of 64 B, time above the loop", BEST, 40),
  ABOVE("small_get", "get of 8 rows of 64 B, time above the loop", BEST, 40),
  ABOVE("small_plan", "the same put as a started plan", BEST, 15),
  LIST("puti_8", "puti: 8192 random elements of 8 B", "a plain loop over the lists"),
  LIST("geti_8", "geti: 8192 random elements of 8 B", "a plain loop over the lists"),
  LIST("puti_8_L3", "the same elements within 32 MiB", "a plain loop over the lists"),
  LIST("putv_8", "putv: 8192 random elements of 8 B", "memcpy each of the list"),
  LIST("putv_8_64", "putv: 8192 random elements of 8..64 B", "memcpy each of the list"),
  LIST("getv_8_64", "getv: 8192 random elements of 8..64 B", "memcpy each of the list"),
  LIST("putv_chop", "the same, put into pieces of 40 B", "memcpy each common piece"),
  ROW("transpose_8", "transpose of 2048^2 doubles", "the double loop", BENCH_RATE_AT_LEAST, 3.0),
  ROW("transpose_4", "transpose of 2048^2 floats", "the double loop", BENCH_RATE_AT_LEAST, 3.0),
  ADVERSE("1B", "65,536 single bytes, pitch 3"),
  ADVERSE("pairs", "8 levels of 2, rows of 5 B"),
  ADVERSE("thin", "inner level of 2, 4096 outer, 8 B"),
  ADVERSE("pages", "1024 words, one a page"),
  ADVERSE("odd", "rows of 67 B, unaligned"),
  ADVERSE("small", "4 words"),
  PACKED("8"),
  PACKED("64"),
  PACKED("512"),
  PACKED("4096"),
};
const unsigned vis_row_count = sizeof vis_rows / sizeof *vis_rows;
