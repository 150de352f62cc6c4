/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Reports of gasnetbench: a written report can be read, JSON is parsed strictly, damaged reports do no harm,
 * and a change between two is told from noise. The first argument repeats a run. */
#include "tests/fuzz/fuzz_bench_report.c"

#include "tests/unit/random.h"
#include "tests/unit/suite.h"

enum { DAMAGED = 30000 };

static void test_what_is_written_is_read(void)
{
  struct report r, again;
  size_t n;
  fuzz_report(&r);
  char *text = fuzz_write(&r, &n);
  CU_ASSERT_FATAL(fuzz_parse(text, n, &again) == NULL);
  CU_ASSERT(again.count == 3);
  CU_ASSERT_STRING_EQUAL(again.place.version, r.place.version);
  CU_ASSERT_STRING_EQUAL(again.place.date, r.place.date);
  CU_ASSERT(again.result[2].state == MISSING && again.result[1].state == MEASURED &&
      again.result[1].unit == BENCH_GBS);
  CU_ASSERT(memcmp(&again.result[1].raw, &r.result[1].raw, sizeof(struct bench_summary)) == 0);
  CU_ASSERT(memcmp(&again.result[0].ours, &r.result[0].ours, sizeof(struct bench_summary)) == 0);
  CU_ASSERT(again.result[1].ratio == 1.0625 && again.result[1].bytes == 64 && again.result[1].nodes == 2);
  CU_ASSERT_STRING_EQUAL(again.result[1].test, r.result[1].test);
  CU_ASSERT_STRING_EQUAL(again.result[1].transport, r.result[1].transport);
  free(text);
  report_free(&r);
  report_free(&again);
}

/* ---- JSON ---- */

static void expect(int right, const char *what, const char *text)
{
  if (!right) printf("%s: %s\n", what, text);
  CU_ASSERT(right);
}

/* Whether the report can be read with this member added. */
static int reads_with(const char *report, const char *member, size_t n)
{
  struct report r;
  char whole[8192];
  const size_t head = 1, rest = strlen(report) - head;
  CU_ASSERT_FATAL(head + n + rest + 1 < sizeof whole);
  memcpy(whole, report, head); /* the brace */
  memcpy(whole + head, member, n);
  whole[head + n] = n ? ',' : ' ';
  memcpy(whole + head + n + 1, report + head, rest);
  const char *wrong = fuzz_parse(whole, head + n + 1 + rest, &r);
  CU_ASSERT(wrong ? *wrong && r.count == 0 : r.count == 3);
  report_free(&r);
  return !wrong;
}

static void test_json_is_strict(void)
{
  static const char *const right[] = {"", "\"a\": [ 1 , -0.5e+3 , 0 , \"\" , null , true , false ] ",
      "\"a\": \"\\u00e9\\ud83d\\ude00\\n\\/\"", "\"a\": {\"a\": [[], {}]}, \"b\": 1E9", "\"a\": -0",
      "\"a\": \"\xc3\xa9\xf0\x9f\x98\x80\""};
  static const char *const wrong[] = {"\"a\"", "\"a\":", "\"a\": [1,]", "\"a\": {\"b\":1,}", "a: 1",
      "\"a\" 1", "\"version\": \"2\"", "\"a\": 01", "\"a\": 1.", "\"a\": .5", "\"a\": +1", "\"a\": 1e",
      "\"a\": 1e999", "\"a\": nul", "\"a\": truex", "\"a\": \"", "\"a\": \"\n\"", "\"a\": \"\\x\"",
      "\"a\": \"\\u12\"", "\"a\": \"\\u0000\"", "\"a\": \"\\ud800\"", "\"a\": \"\\udc00\"", "\"a\": \"\xff\"",
      "\"a\": \"\xc0\x80\"", "\"a\": \"\xed\xa0\x80\"", "\"a\": \"\xf4\x90\x80\x80\"", "'a': 1",
      "// no\n\"a\": 1", "\"a\": NaN", "\"a\": [1 2]", "1: 2", "}"};
  struct report r;
  size_t n;
  fuzz_report(&r);
  char *text = fuzz_write(&r, &n);
  for (unsigned i = 0; i < sizeof right / sizeof *right; i++)
    expect(reads_with(text, right[i], strlen(right[i])), "refused", right[i]);
  for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++)
    expect(!reads_with(text, wrong[i], strlen(wrong[i])), "accepted", wrong[i]);
  expect(!reads_with(text, "\"a\": 1\0", 8), "accepted", "a nul");
  expect(!reads_with(text, "\"a\": \"b\0\"", 10), "accepted", "a nul in a string");
  free(text);
  report_free(&r);
}

static void test_no_report(void)
{
  static const char *const text[] = {"", " ", "{", "[]", "[1]", "{}", "1", "\"\"", "{\"format\": 1}"};
  struct report r;
  for (unsigned i = 0; i < sizeof text / sizeof *text; i++)
    expect(fuzz_parse(text[i], strlen(text[i]), &r) != NULL, "accepted", text[i]);
}

/* JSON that is too deep is refused: the stack does not run out. */
static void test_too_deep(void)
{
  const size_t n = 1000000;
  struct report r;
  char *text = malloc(n);
  CU_ASSERT_FATAL(text != NULL);
  memset(text, '[', n);
  CU_ASSERT(fuzz_parse(text, n, &r) != NULL);
  free(text);
}

/* ---- JSON that is not a report ---- */

static void test_other_reports_are_refused(void)
{
  static const struct {
    const char *from, *to;
  } change[] = {{"gasnetbench 1", "gasnetbench 2"}, {"\"n\": 11", "\"n\": 1.5"},
      {"\"ours\": {", "\"ours\": 1, {"}, {"\"unit\": \"ns\"", "\"unit\": \"furlong\""},
      {"\"nodes\": 2", "\"nodes\": \"2\""}, {"\"results\"", "\"Results\""}, {"\"q1\"", "\"Q1\""},
      {"\"median\": 0.30000000000000004", "\"median\": 1e310"}};
  struct report r, again;
  char damaged[8192];
  size_t n;
  fuzz_report(&r);
  char *text = fuzz_write(&r, &n);
  for (unsigned i = 0; i < sizeof change / sizeof *change; i++) {
    const char *at = strstr(text, change[i].from);
    CU_ASSERT_FATAL(at != NULL && n < sizeof damaged - 100);
    snprintf(damaged, sizeof damaged, "%.*s%s%s", (int)(at - text), text, change[i].to,
        at + strlen(change[i].from));
    expect(fuzz_parse(damaged, strlen(damaged), &again) != NULL, "accepted", change[i].to);
  }
  free(text);
  report_free(&r);
}

/* ---- an earlier run ---- */

static enum change changed(enum bench_unit unit, struct bench_summary before, struct bench_summary after)
{
  const struct result then = {.unit = unit, .ours = before};
  const struct result now = {.unit = unit, .ours = after, .earlier = &then, .state = MEASURED};
  return compare(&now, 5);
}

/* Nine samples that are all the same. */
static struct bench_summary steady(double value)
{
  return (struct bench_summary){9, value, value, value, value, value};
}

static void test_changes(void)
{
  static const struct bench_summary hundred = {9, 100, 90, 110, 99, 101}, more = {9, 104, 90, 110, 103, 105},
                                    most = {9, 106, 90, 110, 105, 107}, wide = {9, 130, 90, 170, 110, 150};
  CU_ASSERT(changed(BENCH_NS, hundred, more) == CHANGE_NONE);
  CU_ASSERT(changed(BENCH_NS, hundred, most) == CHANGE_SLOWER);
  CU_ASSERT(changed(BENCH_NS, hundred, wide) == CHANGE_NONE);
  CU_ASSERT(changed(BENCH_GBS, hundred, steady(50)) == CHANGE_FASTER);
  CU_ASSERT(changed(BENCH_PERCENT, steady(0), steady(3)) == CHANGE_NONE);
  CU_ASSERT(changed(BENCH_PERCENT, steady(0), steady(8)) == CHANGE_FASTER);
  CU_ASSERT(changed(BENCH_PERCENT, steady(90), steady(8)) == CHANGE_SLOWER);
}

static void test_another_place(void)
{
  const struct bench_summary hundred = steady(100), two = steady(200);
  struct result then = {.ours = hundred, .raw = hundred, .ratio = 1};
  struct result now = {.ours = two, .raw = two, .ratio = 1.04, .earlier = &then, .state = MEASURED};
  CU_ASSERT(compare(&now, 5) == CHANGE_PLACE);
  now.ratio = 1.06;
  CU_ASSERT(compare(&now, 5) == CHANGE_SLOWER);
  now.earlier = NULL;
  CU_ASSERT(compare(&now, 5) == CHANGE_NEW);
  now.state = MISSING;
  CU_ASSERT(compare(&now, 5) == CHANGE_UNKNOWN);
  now.earlier = &then;
  CU_ASSERT(compare(&now, 5) == CHANGE_GONE);
}

static void damage(char *text, size_t *n)
{
  static const char odd[] = "{}[]\",:\\0-.eE1 \0u";
  for (size_t k = 1 + below(4); k; k--) {
    const size_t at = below(*n), many = 1 + below(12);
    switch (below(4)) {
    case 0: text[at] = (char)(1u << below(8) ^ (unsigned char)text[at]); break;
    case 1: text[at] = odd[below(sizeof odd)]; break;
    case 2:
      if (at + many < *n) memmove(text + at, text + at + many, *n - at - many), *n -= many;
      break;
    default:
      if (at + many < *n) memmove(text + at, text + below(*n - many), many);
    }
  }
}

static void test_damaged_reports(void)
{
  struct report r;
  size_t n;
  fuzz_report(&r);
  char *text = fuzz_write(&r, &n), *damaged = malloc(n);
  CU_ASSERT_FATAL(damaged != NULL);
  fuzz_accepted = fuzz_refused = 0;
  for (unsigned i = 0; i < DAMAGED; i++) {
    size_t m = n;
    memcpy(damaged, text, n);
    damage(damaged, &m);
    LLVMFuzzerTestOneInput((const uint8_t *)damaged, m);
  }
  printf("%d reports: %lu accepted, %lu refused\n", DAMAGED, fuzz_accepted, fuzz_refused);
  CU_ASSERT(fuzz_accepted > DAMAGED / 100 && fuzz_refused > DAMAGED / 4);
  free(damaged);
  free(text);
  report_free(&r);
}

int main(void)
{
  const struct unit_test tests[] = {{"what is written is read", test_what_is_written_is_read},
      {"JSON is taken strictly", test_json_is_strict}, {"no report", test_no_report},
      {"too deep", test_too_deep}, {"other reports are refused", test_other_reports_are_refused},
      {"changes", test_changes}, {"another place", test_another_place},
      {"damaged reports", test_damaged_reports}};
#ifndef PST_HAVE_JANSSON
  fputs("reports are read by jansson, which was not there when this was built (Debian: libjansson-dev)\n",
      stderr);
  return 77;
#endif
  random_begin();
  return RUN_SUITE("reports of gasnetbench", tests);
}
