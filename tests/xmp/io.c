/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Parallel files: modes, pointers, the shared pointer; arrays of all mappings and parts of them, written,
 * looked at by stdio, and read again into arrays of other mappings; views. */
#include <errno.h>
#include <unistd.h>

#include "model.h"

#include <xmp_io.h>

typedef pst_xmp_index_t index_t;
static char path[4096];
static struct model_world world, other_world;
static struct model_array array, other;

static void path_make(void)
{
  const struct pst_xmp_variable v = {path, sizeof path, 1, PST_XMP_CHAR, "path"};
  const char *dir = getenv("TMPDIR");
  int fd;
  snprintf(path, sizeof path, "%s/penstock-xmp-XXXXXX", dir ? dir : "/tmp");
  if (test.me == 0) {
    fd = mkstemp(path);
    REQUIRE(fd >= 0, "cannot make %s: %s", path, strerror(errno));
    close(fd);
  }
  pst_xmp_bcast(AT, 1, &v, NULL, NULL, NULL);
}

static xmp_file_t *file_open(const char *mode)
{
  xmp_file_t *f = xmp_fopen_all(path, mode);
  REQUIRE(f, "cannot open %s with \"%s\": %s", path, mode, strerror(errno));
  return f;
}

/* ---- pointers ---- */

static void modes(void)
{
  static const char *const wrong[] = {"", "x", "b", "rr", "wa", "r++", "+"};
  char byte = 0;
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
    CHECK(!xmp_fopen_all(path, wrong[i]) && errno == EINVAL, "mode \"%s\"", wrong[i]);
  CHECK(!xmp_fopen_all("/nonexistent/file", "r") && errno == ENOENT, "a file that does not exist: %m");
  CHECK(!xmp_fopen_all(NULL, "r") && errno == EINVAL, "no name");
  CHECK(xmp_fclose_all(NULL) == 1, "no file");
  xmp_file_t *f = file_open("w");
  CHECK(xmp_fread(f, &byte, 1, 1) == -1 && errno == EBADF, "read of a file that is written");
  CHECK(xmp_fwrite(f, &byte, 1, 1) == 1, "a byte");
  CHECK(xmp_ftell(f) == 1, "the pointer is at %lld", xmp_ftell(f));
  CHECK(xmp_fseek(f, -2, SEEK_CUR) < 0 && xmp_fseek(f, 0, 17) < 0, "seeks that are wrong");
  CHECK(xmp_fclose_all(f) == 0, "close");
  f = file_open("r");
  CHECK(xmp_fwrite(f, &byte, 1, 1) == -1 && errno == EBADF, "write of a file that is read");
  CHECK(xmp_fread(f, &byte, 1, 2) == 1, "the end of the file");
  CHECK(xmp_fread(f, &byte, 1, 1) == 0, "behind the end of the file");
  CHECK(xmp_fclose_all(f) == 0, "close");
  f = file_open("a+");
  CHECK(xmp_ftell(f) == 1, "the pointer is at %lld with \"a+\"", xmp_ftell(f));
  CHECK(xmp_fclose_all(f) == 0, "close");
  f = file_open("rw");
  CHECK(xmp_fseek(f, 0, SEEK_END) == 0 && xmp_ftell(f) == 1, "\"rw\" has emptied the file");
  CHECK(xmp_fclose_all(f) == 0, "close");
  f = file_open("w+");
  CHECK(xmp_fseek(f, 0, SEEK_END) == 0 && xmp_ftell(f) == 0, "\"w+\" has not emptied the file");
  CHECK(xmp_fclose_all(f) == 0, "close");
}

/* Each node writes its block, and reads the next node's. */
static void blocks(void)
{
  enum { N = 1000 };
  static int mine[N], theirs[N];
  const int next = (test.me + 1) % test.nodes;
  xmp_file_t *f = file_open("w+");
  for (int i = 0; i < N; i++) mine[i] = test.me * N + i;
  CHECK(xmp_fseek(f, (long long)test.me * (int)sizeof mine, SEEK_SET) == 0, "seek");
  CHECK(xmp_fwrite_all(f, mine, sizeof mine[0], N) == sizeof mine, "write");
  CHECK(xmp_file_sync_all(f) == 0, "sync: %m");
  CHECK(xmp_fseek(f, (long long)(next - test.nodes) * (int)sizeof mine, SEEK_END) == 0, "seek from the end");
  CHECK(xmp_fread_all(f, theirs, sizeof mine[0], N) == sizeof theirs, "read");
  for (int i = 0; i < N; i++)
    CHECK(theirs[i] == next * N + i, "number %d of node %d is %d", i, next, theirs[i]);
  CHECK(xmp_fclose_all(f) == 0, "close");
}

/* All records are in the file, and each is read by one node. */
static void shared_pointer(void)
{
  enum { RECORDS = 50 };
  int record[3], seen = 0, sum = 0, want = 0;
  xmp_file_t *f = file_open("w+");
  CHECK(xmp_fseek_shared_all(f, 24, SEEK_SET) == 0, "seek");
  CHECK(xmp_ftell_shared(f) == 24, "the shared pointer is at %lld", xmp_ftell_shared(f));
  xmp_sync_all(NULL);
  for (int i = 0; i < RECORDS; i++) {
    record[0] = test.me, record[1] = i, record[2] = test.me * i;
    CHECK(xmp_fwrite_shared(f, record, sizeof record, 1) == sizeof record, "write");
  }
  xmp_sync_all(NULL);
  CHECK(xmp_ftell_shared(f) == 24 + (long long)sizeof record * RECORDS * test.nodes, "the shared pointer");
  xmp_sync_all(NULL);
  CHECK(xmp_fseek_shared_all(f, -(long long)sizeof record * RECORDS * test.nodes, SEEK_END) == 0, "seek");
  while (xmp_fread_shared(f, record, sizeof record, 1) == sizeof record) {
    CHECK(record[2] == record[0] * record[1], "a record is %d %d %d", record[0], record[1], record[2]);
    sum += record[0] * RECORDS + record[1];
    seen++;
  }
  const struct pst_xmp_variable v[] = {
      {&seen, 1, sizeof seen, PST_XMP_INT, "seen"}, {&sum, 1, sizeof sum, PST_XMP_INT, "sum"}};
  pst_xmp_reduction(AT, PST_XMP_SUM, 2, v, NULL, NULL);
  for (int i = 0; i < RECORDS * test.nodes; i++) want += i;
  CHECK(seen == RECORDS * test.nodes && sum == want, "%d records were read; their sum is %d", seen, sum);
  CHECK(xmp_fseek_shared_all(f, -1, SEEK_SET) < 0, "a seek before the beginning");
  CHECK(xmp_fclose_all(f) == 0, "close");
}

/* ---- parts of arrays ---- */

struct part {
  xmp_range_t *range;
  index_t lower[MODEL_DIMS], length[MODEL_DIMS], step[MODEL_DIMS], elements;
};

/* Of random bounds, or of the lengths of another part, which it can have. */
static struct part part_make(const struct model_array *a)
{
  struct part p = {.range = NULL, .elements = 1};
  if (model_below(4)) p.range = xmp_allocate_range(a->dims);
  for (int k = 0; k < a->dims; k++) {
    p.lower[k] = 0, p.length[k] = a->extent[k], p.step[k] = 1;
    if (p.range && model_below(3)) {
      const int extent = (int)a->extent[k], step = model_range(1, 3), first = model_below(extent);
      p.lower[k] = first;
      p.step[k] = model_below(2) ? step : -step;
      p.length[k] = model_below((p.step[k] > 0 ? extent - 1 - first : first) / step + 2);
      xmp_set_range(p.range, k + 1, (int)p.lower[k], (int)p.length[k], (int)p.step[k]);
    }
    p.elements *= p.length[k];
  }
  return p;
}

static void part_index(const struct model_array *a, const struct part *p, index_t number, int index[])
{
  for (int k = a->dims - 1; k >= 0; k--) {
    index[k] = (int)(p->lower[k] + number % p->length[k] * p->step[k]);
    number /= p->length[k];
  }
}

/* How many elements of a part this node has. */
static index_t part_mine(const struct model_array *a, const struct part *p)
{
  index_t n = 0;
  int index[MODEL_DIMS];
  for (index_t i = 0; i < p->elements; i++) {
    part_index(a, p, i, index);
    n += model_is_mine(a, index);
  }
  return n;
}

/* What node 0 finds in the file from byte `at` on. */
static void file_check(const char *what, const struct model_array *a, const struct part *p, long at)
{
  char element[MODEL_OTHER];
  int index[MODEL_DIMS];
  FILE *f;
  if (test.me) return;
  f = fopen(path, "r");
  REQUIRE(f && fseek(f, at, SEEK_SET) == 0, "cannot open %s", path);
  for (index_t i = 0; i < p->elements; i++) {
    REQUIRE(fread(element, a->size, 1, f) == 1, "%s: the file ends before element %lld of %lld", what, i,
        p->elements);
    part_index(a, p, i, index);
    const double want = a->all[model_number(a, index)], got = model_load(a->type, element);
    CHECK(got == want, "%s: element %lld of the file is %g, not %g", what, i, got, want);
    if (got != want) break;
  }
  fclose(f);
}

/* The file has all of `array` from byte `at` on; a part of it goes to `other`, whose mapping differs. */
static void array_read(xmp_file_t *f, long at)
{
  struct part p = part_make(&other);
  int index[MODEL_DIMS];
  CHECK(xmp_fseek(f, at, SEEK_SET) == 0, "seek");
  if (p.elements <= model_count(&array)) {
    for (index_t i = 0; i < p.elements; i++) {
      part_index(&other, &p, i, index);
      other.all[model_number(&other, index)] = array.all[i];
    }
    const ssize_t n = xmp_fread_darray_all(f, other.desc, p.range);
    CHECK(n == part_mine(&other, &p) * (index_t)other.size, "%zd bytes were read, not %lld", n,
        part_mine(&other, &p) * (index_t)other.size);
    CHECK(xmp_ftell(f) == at + p.elements * (index_t)other.size, "the pointer behind a read");
    model_check(&other, "read", "other");
  }
  xmp_free_range(p.range);
}

static void array_written(long at)
{
  struct part p = part_make(&array);
  const struct part whole = {.lower = {0},
      .length = {array.extent[0], array.extent[1], array.extent[2]},
      .step = {1, 1, 1},
      .elements = model_count(&array)};
  xmp_file_t *f = file_open("w+");
  long long written;
  CHECK(xmp_fseek(f, at, SEEK_SET) == 0, "seek");
  written = xmp_fwrite_darray_all(f, array.desc, p.range);
  CHECK(written >= 0, "write: %m");
  const struct pst_xmp_variable v = {&written, 1, sizeof written, PST_XMP_LLONG, "written"};
  pst_xmp_reduction(AT, PST_XMP_SUM, 1, &v, NULL, NULL);
  CHECK(written == p.elements * (index_t)array.size, "%lld bytes were written", written);
  CHECK(xmp_ftell(f) == at + p.elements * (index_t)array.size, "the pointer behind a write");
  file_check("a part", &array, &p, at);
  xmp_sync_all(NULL);
  CHECK(xmp_fseek(f, at, SEEK_SET) == 0, "seek");
  CHECK(xmp_fwrite_darray_all(f, array.desc, NULL) >= 0, "write: %m");
  file_check("the whole array", &array, &whole, at);
  xmp_sync_all(NULL);
  array_read(f, at);
  CHECK(xmp_fclose_all(f) == 0, "close");
  xmp_free_range(p.range);
}

/* ---- views ---- */

/* This node's elements of a part, one behind the other. */
static index_t part_pack(const struct model_array *a, const struct part *p, char *to)
{
  index_t n = 0;
  int index[MODEL_DIMS];
  for (index_t i = 0; i < p->elements; i++) {
    part_index(a, p, i, index);
    if (!model_is_mine(a, index)) continue;
    memcpy(to + n * (index_t)a->size, model_at(a, index), a->size);
    n++;
  }
  return n;
}

static void views(long at)
{
  static char mine[MODEL_ELEMENTS * MODEL_OTHER], back[MODEL_ELEMENTS * MODEL_OTHER];
  struct part p = part_make(&array);
  const index_t n = part_pack(&array, &p, mine);
  const size_t size = array.size, bytes = (size_t)n * size;
  xmp_file_t *f = file_open("w+");
  ssize_t done, all = 0;
  struct rng own; /* nodes read in pieces of their own */
  CHECK(xmp_file_set_view_all(f, at, array.desc, p.range) == 0, "set view: %m");
  CHECK(xmp_ftell(f) >= at, "the pointer of a view is at %lld", xmp_ftell(f));
  CHECK(xmp_fwrite_all(f, mine, size, (size_t)n) == (ssize_t)bytes, "write by a view: %m");
  file_check("a view", &array, &p, at);
  xmp_sync_all(NULL);
  CHECK(xmp_fseek(f, 0, SEEK_SET) == 0, "seek");
  memset(back, 0x11, sizeof back);
  rng_init(&own, test_key((uint64_t)at, (uint64_t)test.me, 9));
  do { /* in pieces that end within elements */
    done = xmp_fread(f, back + all, 1, 1 + rng_below(&own, 40));
    if (done > 0) all += done;
  } while (done > 0);
  CHECK(done == 0 && (size_t)all == bytes && memcmp(back, mine, bytes) == 0,
      "read by a view: %zd bytes of %zu", all, bytes);
  CHECK(xmp_fread_shared(f, back, 1, 1) == -1 && errno == EINVAL, "the shared pointer with a view");
  CHECK(xmp_fread_darray_all(f, array.desc, NULL) == -1 && errno == EINVAL, "an array with a view");
  if (n) {
    CHECK(xmp_fseek(f, -(long long)size, SEEK_END) == 0, "seek");
    CHECK(xmp_fread(f, back, size, 1) == (ssize_t)size && memcmp(back, mine + bytes - size, size) == 0,
        "the last element of a view");
  }
  xmp_sync_all(NULL);
  CHECK(xmp_file_clear_view_all(f, 3) == 0 && xmp_ftell(f) == 3, "clear view");
  CHECK(xmp_fclose_all(f) == 0, "close");
  xmp_free_range(p.range);
}

/* Rows that are long enough to be written as they lie, and elements that nodes have in turn. */
static void wide(void)
{
  enum { COLUMNS = 700 };
  const index_t rows = 3 * test.nodes + 1, extent[] = {rows, COLUMNS}, lower[] = {0, 0},
                upper[] = {rows - 1, COLUMNS - 1};
  const struct pst_xmp_format format[2][2] = {{{.kind = PST_XMP_BLOCK}, {.kind = PST_XMP_NOT_DISTRIBUTED}},
      {{.kind = PST_XMP_NOT_DISTRIBUTED}, {.kind = PST_XMP_CYCLIC, .width = 1}}};
  const struct pst_xmp_align align[] = {{0, 0}, {1, 0}};
  const struct pst_xmp_shadow shadow[] = {{1, 1}, {0, 0}};
  pst_xmp_array_t *v[2];
  void *p = pst_xmp_nodes(AT, "p", 1, (index_t[]){test.nodes}, PST_XMP_NO_PARENT, NULL);
  int mine;
  for (int i = 0; i < 2; i++) {
    void *t = pst_xmp_template(AT, "t", 2, lower, upper, 0);
    const struct pst_xmp_shape s = {"v", 8, PST_XMP_LONG, 2, extent, align, i ? NULL : shadow, 0};
    pst_xmp_distribute(AT, t, p, 2, format[i]);
    v[i] = pst_xmp_array(AT, t, &s);
  }
  const int lower_row = xmp_array_gcllbound(v[0], 1), upper_row = xmp_array_gclubound(v[0], 1);
  for (int i = lower_row; i <= upper_row; i++)
    for (int j = 0; j < COLUMNS; j++)
      ((long *)(void *)v[0]->biased)[(index_t)i * COLUMNS + j] = i * 1000L + j;
  xmp_file_t *f = file_open("w+");
  const ssize_t here = (ssize_t)(upper_row - lower_row + 1) * COLUMNS * 8;
  CHECK(xmp_fwrite_darray_all(f, v[0], NULL) == here, "wide rows: write");
  CHECK(xmp_fseek(f, 0, SEEK_SET) == 0, "seek");
  xmp_array_lsize(v[1], 2, &mine);
  CHECK(xmp_fread_darray_all(f, v[1], NULL) == (ssize_t)rows * mine * 8, "single columns: read");
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < mine; j++)
      CHECK(((long *)(void *)v[1]->base)[i * mine + j] == i * 1000L + j * test.nodes + test.me,
          "single columns");
  CHECK(xmp_fseek(f, 0, SEEK_SET) == 0, "seek");
  CHECK(xmp_fwrite_darray_all(f, v[1], NULL) == (ssize_t)rows * mine * 8, "single columns: write");
  for (int i = lower_row; i <= upper_row; i++)
    for (int j = 0; j < COLUMNS; j++) ((long *)(void *)v[0]->biased)[(index_t)i * COLUMNS + j] = -1;
  CHECK(xmp_fseek(f, 0, SEEK_SET) == 0, "seek");
  CHECK(xmp_fread_darray_all(f, v[0], NULL) == here, "wide rows: read");
  for (int i = lower_row; i <= upper_row; i++)
    for (int j = 0; j < COLUMNS; j++)
      CHECK(((long *)(void *)v[0]->biased)[(index_t)i * COLUMNS + j] == i * 1000L + j, "wide rows");
  for (int i = 0; i < 2; i++) { /* the file ends within the array */
    const long long there = (rows - 1) * COLUMNS - 5;
    long long n;
    xmp_sync_all(NULL);
    CHECK(truncate(path, there * 8 + 3) == 0, "truncate: %m");
    CHECK(xmp_fseek(f, 0, SEEK_SET) == 0, "seek");
    n = xmp_fread_darray_all(f, v[i], NULL) / 8;
    const struct pst_xmp_variable sum = {&n, 1, sizeof n, PST_XMP_LLONG, "n"};
    pst_xmp_reduction(AT, PST_XMP_SUM, 1, &sum, NULL, NULL);
    CHECK(n == there, "%lld elements were read, not %lld", n, there);
  }
  CHECK(xmp_fclose_all(f) == 0, "close");
  pst_xmp_array_free(&v[0]);
  pst_xmp_array_free(&v[1]);
}

static void arrays(int rounds)
{
  for (int i = 0; i < rounds; i++) {
    model_world_make(&world, 1);
    model_world_make(&other_world, 1);
    const enum pst_xmp_type type = i % 3 == 0 ? PST_XMP_CHAR : i % 3 == 1 ? PST_XMP_DOUBLE : PST_XMP_OTHER;
    model_array_make(&array, &world, type, "array");
    model_array_make(&other, &other_world, type, "other");
    model_fill(&array);
    model_fill(&other);
    array_written(model_below(100));
    views(model_below(100));
    model_check(&array, "afterwards", "array");
    pst_xmp_array_free(&array.desc);
    pst_xmp_array_free(&other.desc);
    model_world_free(&world);
    model_world_free(&other_world);
  }
}

int main(int argc, char **argv)
{
  test_start("io", &argc, &argv);
  test_no_more_options(argc, argv);
  rng_init(&model_dice, test_key(1, 2, 3));
  path_make();
  modes();
  blocks();
  shared_pointer();
  wide();
  arrays((int)(100 * test.scale) + 1);
  xmp_sync_all(NULL);
  if (test.me == 0) unlink(path);
  return test_finish();
}
