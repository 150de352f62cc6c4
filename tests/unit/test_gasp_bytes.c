/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What the performance tools read may be damaged: parts of a job's output, and the program's symbol table.
 * Each is read whole, then damaged and cut in many ways. */
#include <fcntl.h>
#include <sys/stat.h>

#include "gasp/symbols.c"
#include "gasp/tools/common_events.c"
#undef COUNT
#include "gasp/tools/common_join.c"
#include "gasp/tools/common_part.c"

#include "tests/unit/random.h"
#include "tests/unit/suite.h"

void *pst_tool_grow(void *old, size_t count, size_t size)
{
  void *grown = reallocarray(old, count, size);
  if (!grown && count) abort();
  return grown;
}

static char path[4096];

static const struct pst_site sites[] = {
    {.id = 0, .tag = GASP_UPC_MEMPUT, .line = 3, .file = "a.c"},
    {.id = 1, .tag = GASP_UPC_USEREVT_START + 1, .line = 4, .file = "b.c", .name = "phase"},
    {.id = 2, .tag = GASP_UPC_USEREVT_START, .line = 4, .file = "b.c", .name = "phase"},
};

static void write_part(void)
{
  const struct pst_part_head head = {.tool = "test", .host = "here", .thread = 1, .threads = 3, .begin = 100};
  FILE *out = pst_part_create(path, &head);
  for (unsigned i = 0; i < 3; i++) pst_part_write_site(out, &sites[i]);
  const struct pst_part_event start = {.time = 110, .bytes = 8, .site = 0, .peer = 2};
  const struct pst_part_event end = {.time = 120, .bytes = 8, .site = 0, .peer = 77};
  pst_part_write(out, PST_PART_START, &start, sizeof start);
  pst_part_write(out, PST_PART_END, &end, sizeof end);
  const struct pst_part_totals totals = {
      .count = 1, .bytes = 8, .time = 10, .least = 10, .most = 10, .site = 2};
  pst_part_write(out, PST_PART_TOTALS, &totals, sizeof totals);
  const struct pst_part_final final = {130};
  pst_part_write(out, PST_PART_FINAL, &final, sizeof final);
  CU_ASSERT_EQUAL_FATAL(pst_part_close(out), 0);
}

static void test_whole(void)
{
  struct pst_part part[3];
  union pst_part_body body;
  struct pst_join join;
  write_part();
  CU_ASSERT_EQUAL(pst_part_open(&part[1], path, "other", 1, 3), -1);
  CU_ASSERT_EQUAL(pst_part_open(&part[1], path, "test", 0, 3), -1);
  CU_ASSERT_EQUAL(pst_part_open(&part[1], path, "test", 1, 2), -1);
  CU_ASSERT_EQUAL(pst_part_open(&part[1], "/dev/zero", "test", 1, 3), -1);
  CU_ASSERT_EQUAL_FATAL(pst_part_open(&part[1], path, "test", 1, 3), 0);
  part[0] = part[2] = (struct pst_part){.missing = 1};
  pst_join_make(&join, part, 3);
  CU_ASSERT(join.count == 2 && join.of[1][1] == join.of[1][2] && join.of[1][0] != join.of[1][1]);
  CU_ASSERT(
      pst_part_next(&part[1], &body) == PST_PART_START && body.event.time == 110 && body.event.peer == 2);
  CU_ASSERT(pst_part_next(&part[1], &body) == PST_PART_END &&
      body.event.peer == PST_NOBODY); /* there is no thread 77 */
  CU_ASSERT(pst_part_next(&part[1], &body) == PST_PART_TOTALS && body.totals.site == 2);
  CU_ASSERT(pst_part_next(&part[1], &body) == PST_PART_FINAL && part[1].complete && part[1].end == 130);
  CU_ASSERT_EQUAL(pst_part_next(&part[1], &body), 0);
  pst_join_free(&join, 3);
  pst_part_done(&part[1]);
}

/* The process still writes: a record that was cut when the part was opened is whole later. Each reading finds
 * the same. */
static void test_growing(void)
{
  struct pst_part part;
  union pst_part_body body;
  struct pst_join join;
  const struct pst_part_head head = {.tool = "test", .host = "here", .thread = 0, .threads = 1, .begin = 100};
  const struct pst_part_event event = {.time = 110, .site = 1, .peer = PST_NOBODY};
  const struct pst_part_record record = {PST_PART_ATOMIC, sizeof event};
  FILE *out = pst_part_create(path, &head);
  pst_part_write_site(out, &sites[0]);
  fwrite(&record, sizeof record, 1, out);
  fflush(out);
  CU_ASSERT_EQUAL_FATAL(pst_part_open(&part, path, "test", 0, 1), 0);
  pst_join_make(&join, &part, 1);
  CU_ASSERT(part.count == 1 && join.count == 1);
  const struct pst_part_event first = {.time = 105, .site = 0, .peer = PST_NOBODY};
  fwrite(&first, sizeof first, 1, out);
  pst_part_write_site(out, &sites[1]);
  pst_part_write(out, PST_PART_ATOMIC, &event, sizeof event);
  CU_ASSERT_EQUAL_FATAL(pst_part_close(out), 0);
  for (int i = 0; i < 2; i++) {
    CU_ASSERT_EQUAL(pst_part_next(&part, &body), 0);
    CU_ASSERT_EQUAL(part.count, 1);
    pst_part_rewind(&part);
  }
  pst_join_free(&join, 1);
  pst_part_done(&part);
  CU_ASSERT_EQUAL_FATAL(pst_part_open(&part, path, "test", 0, 1), 0);
  CU_ASSERT(pst_part_next(&part, &body) == PST_PART_ATOMIC &&
      pst_part_next(&part, &body) == PST_PART_ATOMIC && part.count == 2);
  pst_part_done(&part);
}

static size_t slurp(const char *name, unsigned char **out)
{
  struct stat st;
  const int fd = open(name, O_RDONLY);
  CU_ASSERT_FATAL(fd >= 0 && fstat(fd, &st) == 0);
  *out = malloc((size_t)st.st_size);
  CU_ASSERT_EQUAL_FATAL(read(fd, *out, (size_t)st.st_size), st.st_size);
  close(fd);
  return (size_t)st.st_size;
}

static void store(const unsigned char *bytes, size_t n)
{
  const int fd = open(path, O_WRONLY | O_TRUNC);
  CU_ASSERT_EQUAL_FATAL(write(fd, bytes, n), (ssize_t)n);
  close(fd);
}

/* Every number that is read lies within the tables. */
static void read_all(void)
{
  struct pst_part part;
  union pst_part_body body;
  unsigned kind, records = 0;
  if (pst_part_open(&part, path, "test", 1, 3) != 0) return;
  while ((kind = pst_part_next(&part, &body)) && records++ < 1000) {
    if (kind <= PST_PART_ATOMIC)
      CU_ASSERT_FATAL(body.event.site < part.count && (body.event.peer < 3 || body.event.peer == PST_NOBODY));
    if (kind == PST_PART_TOTALS) CU_ASSERT_FATAL(body.totals.site < part.count);
  }
  CU_ASSERT(records < 1000);
  for (uint32_t i = 0; i < part.count; i++)
    CU_ASSERT(strlen(part.sites[i].file) + strlen(part.sites[i].name) < 2 * LONGEST_TEXT);
  pst_part_done(&part);
}

static void test_damaged_parts(void)
{
  unsigned char *bytes, *copy;
  write_part();
  const size_t n = slurp(path, &bytes);
  copy = malloc(n);
  for (size_t cut = 0; cut < n; cut++) {
    store(bytes, cut);
    read_all();
  }
  for (int i = 0; i < 3000; i++) {
    memcpy(copy, bytes, n);
    for (size_t k = 1 + below(4), head = sizeof(struct pst_part_head); k > 0; k--)
      copy[head + below(n - head)] = (unsigned char)next();
    store(copy, n);
    read_all();
  }
  free(copy);
  free(bytes);
}

static size_t slurp_program(unsigned char **out, Elf64_Ehdr *head)
{
  const size_t n = slurp("/proc/self/exe", out);
  memcpy(head, *out, sizeof *head);
  return n;
}

/* A symbol is found by its address in the file; in a position-independent program that is its value. */
static void test_symbols(void)
{
  unsigned char *bytes;
  Elf64_Ehdr head;
  const size_t n = slurp_program(&bytes, &head);
  const char *name = pst_gasp_symbol(bytes, n, head.e_entry);
  CU_ASSERT(!name || strcmp(name, "_start") == 0);
  CU_ASSERT_PTR_NOT_NULL(name);
  CU_ASSERT_PTR_NULL(pst_gasp_symbol(bytes, n, 1));
  for (size_t cut = 0; cut < 4096; cut += 7) pst_gasp_symbol(bytes, cut, head.e_entry);
  free(bytes);
}

/* A copy that ends with its allocation, so that a sanitizer sees an access beyond it. */
static void test_damaged_symbols(void)
{
  unsigned char *bytes;
  Elf64_Ehdr head;
  const size_t n = slurp_program(&bytes, &head);
  for (int i = 0; i < 400; i++) {
    const size_t table = head.e_shoff + below((size_t)head.e_shnum * sizeof(Elf64_Shdr));
    const size_t at = next() & 1 && table < n ? table : below(sizeof head);
    const unsigned char before = bytes[at];
    bytes[at] = (unsigned char)next();
    const char *name = pst_gasp_symbol(bytes, n, head.e_entry);
    if (name)
      CU_ASSERT(
          (const unsigned char *)name >= bytes && (const unsigned char *)name + strlen(name) < bytes + n);
    bytes[at] = before;
  }
  free(bytes);
}

int main(void)
{
  static const struct unit_test tests[] = {
      {"whole parts", test_whole},
      {"growing parts", test_growing},
      {"damaged parts", test_damaged_parts},
      {"symbols", test_symbols},
      {"damaged symbols", test_damaged_symbols},
  };
  const char *dir = getenv("TMPDIR");
  snprintf(path, sizeof path, "%.4000s/part.XXXXXX", dir && *dir ? dir : "/tmp");
  const int file = mkstemp(path);
  random_begin();
  const int bad = RUN_SUITE("files that performance tools read", tests);
  close(file);
  unlink(path);
  return bad;
}
