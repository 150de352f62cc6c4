/* Reports of gasnetbench: what is written is read, JSON is taken strictly, damaged reports do no harm, and what has changed between two is
 * told from the noise. The first argument repeats a run. */
#include "tests/fuzz/fuzz_bench_report.c"

#include "bench/control/compare.h"
#include "bench/control/json.h"
#include "tests/unit/corpus.h"
#include "tests/unit/suite.h"

enum { DAMAGED = 30000 };

/* ---- a report ---- */

static void add_result(struct report *r, const char *test, const char *point, enum bench_unit unit)
{
  struct result *made = report_add(r);
  snprintf(made->test, sizeof made->test, "%s", test);
  snprintf(made->group, sizeof made->group, "transfers");
  snprintf(made->point, sizeof made->point, "%s", point);
  snprintf(made->conduit, sizeof made->conduit, "ofi");
  snprintf(made->transport, sizeof made->transport, "tcp;ofi_rxm");
  made->nodes = 2;
  made->threads = 1;
  made->unit = unit;
  made->points = BENCH_SIZES;
  made->bytes = 64;
  made->state = MEASURED;
  made->ours = (struct stats){11, 0.1 + 0.2, 0.25, 1e3, 0.3, 1.0 / 3};
}

static void make_report(struct report *r)
{
  *r = (struct report){.place = {"1.2", "2026-11-22T10:00:00Z", "node \"1\"", "a \\ processor", "Linux", "", "ofi: provider tcp", 2, 0.25}};
  add_result(r, "put_latency", "8", BENCH_NS);
  add_result(r, "put_bandwidth", "64", BENCH_GBS);
  r->result[1].raw = (struct stats){11, 1e-7, 1e-9, 12345678.9, -1, 1};
  r->result[1].ratio = 1.0625;
  add_result(r, "put_rate", "8", BENCH_MSGS);
  r->result[2].state = MISSING;
  strcpy(r->result[2].missing, "no \"such\" memory");
}

static void test_what_is_written_is_read(void)
{
  struct report r, again;
  char error[ERROR_MOST];
  size_t n;
  make_report(&r);
  char *text = fuzz_write(&r, &n);
  CU_ASSERT_FATAL(report_read(text, n, &again, error) == 0);
  CU_ASSERT(again.count == 3 && again.place.processors == 2 && again.place.load == 0.25);
  CU_ASSERT_STRING_EQUAL(again.place.host, r.place.host);
  CU_ASSERT_STRING_EQUAL(again.result[2].missing, r.result[2].missing);
  CU_ASSERT(again.result[2].state == MISSING && again.result[1].state == MEASURED && again.result[1].unit == BENCH_GBS);
  CU_ASSERT(memcmp(&again.result[1].raw, &r.result[1].raw, sizeof(struct stats)) == 0);
  CU_ASSERT(memcmp(&again.result[0].ours, &r.result[0].ours, sizeof(struct stats)) == 0);
  CU_ASSERT(again.result[1].ratio == 1.0625 && report_same(&again.result[0], &r.result[0]) && !report_same(&again.result[0], &r.result[1]));
  free(text);
  report_free(&r);
  report_free(&again);
}

/* ---- JSON ---- */

static int reads(const char *text)
{
  struct json j;
  const char *error;
  size_t at;
  const int failed = json_read(text, strlen(text), &j, &error, &at);
  json_free(&j);
  return !failed;
}

static void expect(int right, const char *what, const char *text)
{
  if (!right) printf("%s: %s\n", what, text);
  CU_ASSERT(right);
}

static void test_json_is_strict(void)
{
  static const char *const right[] = {"{}", "[]", " [ 1 , -0.5e+3 , 0 , \"\" , null , true , false ] ", "\"\\u00e9\\ud83d\\ude00\\n\\/\"",
    "{\"a\": {\"a\": [[], {}]}, \"b\": 1E9}", "\"\xc3\xa9\xf0\x9f\x98\x80\"", "-0", "[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]"};
  static const char *const wrong[] = {"", " ", "{", "[1,]", "{\"a\":1,}", "{a:1}", "{\"a\" 1}", "{\"a\":1,\"a\":2}", "01", "1.", ".5",
    "+1", "1e", "1e999", "nul", "truex", "[1] 2", "\"", "\"\n\"", "\"\\x\"", "\"\\u12\"", "\"\\u0000\"", "\"\\ud800\"",
    "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"\xff\"", "\"\xc0\x80\"", "\"\xed\xa0\x80\"", "\"\xf4\x90\x80\x80\"", "'a'", "// no\n1", "NaN",
    "-", "[1 2]", "{\"a\":}", "{1:2}", "[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]",
    "1111111111111111111111111111111111111111111111111111111111111111111"};
  for (unsigned i = 0; i < sizeof right / sizeof *right; i++)
    expect(reads(right[i]), "refused", right[i]);
  for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++)
    expect(!reads(wrong[i]), "accepted", wrong[i]);
}

static void test_no_nul_within(void)
{
  struct json j;
  const char *error;
  size_t at;
  CU_ASSERT(json_read("[1\0]", 4, &j, &error, &at) != 0 && at == 2);
  json_free(&j);
  CU_ASSERT(json_read("\"a\0b\"", 5, &j, &error, &at) != 0);
  json_free(&j);
}

static void test_too_many_values(void)
{
  const size_t n = 2 * (size_t)JSON_VALUES + 2;
  struct json j;
  const char *error;
  size_t at;
  char *text = malloc(n);
  CU_ASSERT_FATAL(text != NULL);
  for (size_t i = 0; i < n; i++) text[i] = i == 0 ? '[' : i == n - 1 ? ']' : i % 2 ? '1' : ',';
  CU_ASSERT(json_read(text, n, &j, &error, &at) != 0);
  CU_ASSERT_STRING_EQUAL(error, "there are too many values");
  json_free(&j);
  free(text);
}

/* ---- reports that are JSON, and none of ours ---- */

static void test_other_reports_are_refused(void)
{
  static const struct {
    const char *from, *to;
  } change[] = {{"gasnetbench 1", "gasnetbench 2"}, {"\"n\": 11", "\"n\": 0"}, {"\"n\": 11", "\"n\": 1.5"},
    {"\"unit\": \"ns\"", "\"unit\": \"furlong\""},
    {"\"nodes\": 2", "\"nodes\": -2"}, {"\"nodes\": 2", "\"nodes\": \"2\""}, {"\"point\": \"8\"", "\"point\": \"888888888888888888888888\""},
    {"\"q1\": 0.3", "\"q1\": 0.9"}, {"\"results\"", "\"Results\""}, {"\"version\": \"1.2\"", "\"version\": \"1\\u00072\""},
    {"\"points\": \"sizes\"", "\"points\": \"many\""}, {"\"median\": 0.30000000000000004", "\"median\": 1e31"}};
  struct report r, again;
  char error[ERROR_MOST], damaged[8192];
  size_t n;
  make_report(&r);
  char *text = fuzz_write(&r, &n);
  for (unsigned i = 0; i < sizeof change / sizeof *change; i++) {
    const char *at = strstr(text, change[i].from);
    CU_ASSERT_FATAL(at != NULL && n < sizeof damaged - 100);
    snprintf(damaged, sizeof damaged, "%.*s%s%s", (int)(at - text), text, change[i].to, at + strlen(change[i].from));
    expect(report_read(damaged, strlen(damaged), &again, error) != 0, "accepted", change[i].to);
  }
  free(text);
  report_free(&r);
}

/* ---- an earlier run ---- */

static enum change changed(enum bench_unit unit, struct stats before, struct stats after)
{
  const struct result then = {.unit = unit, .ours = before}, now = {.unit = unit, .ours = after, .earlier = &then};
  return compare(&now, 5);
}

static void test_changes(void)
{
  CU_ASSERT(changed(BENCH_NS, (struct stats){9, 100, 90, 110, 99, 101}, (struct stats){9, 104, 90, 110, 103, 105}) == CHANGE_NONE);
  CU_ASSERT(changed(BENCH_NS, (struct stats){9, 100, 90, 110, 99, 101}, (struct stats){9, 106, 90, 110, 105, 107}) == CHANGE_SLOWER);
  CU_ASSERT(changed(BENCH_NS, (struct stats){9, 100, 90, 110, 99, 101}, (struct stats){9, 130, 90, 170, 110, 150}) == CHANGE_NONE);
  CU_ASSERT(changed(BENCH_GBS, (struct stats){9, 100, 90, 110, 99, 101}, (struct stats){9, 50, 50, 50, 50, 50}) == CHANGE_FASTER);
  CU_ASSERT(changed(BENCH_PERCENT, (struct stats){9, 0, 0, 0, 0, 0}, (struct stats){9, 3, 3, 3, 3, 3}) == CHANGE_NONE);
  CU_ASSERT(changed(BENCH_PERCENT, (struct stats){9, 0, 0, 0, 0, 0}, (struct stats){9, 8, 8, 8, 8, 8}) == CHANGE_FASTER);
  CU_ASSERT(changed(BENCH_PERCENT, (struct stats){9, 90, 90, 90, 90, 90}, (struct stats){9, 8, 8, 8, 8, 8}) == CHANGE_SLOWER);
}

static void test_another_place(void)
{
  const struct stats hundred = {9, 100, 100, 100, 100, 100}, two = {9, 200, 200, 200, 200, 200};
  struct result then = {.ours = hundred, .raw = hundred, .ratio = 1}, now = {.ours = two, .raw = two, .ratio = 1.04, .earlier = &then};
  CU_ASSERT(compare(&now, 5) == CHANGE_PLACE);
  now.ratio = 1.06;
  CU_ASSERT(compare(&now, 5) == CHANGE_SLOWER);
  now.earlier = NULL;
  CU_ASSERT(compare(&now, 5) == CHANGE_NEW);
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
  make_report(&r);
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

int main(int argc, char **argv)
{
  const struct unit_test tests[] = {{"what is written is read", test_what_is_written_is_read},
                                    {"JSON is taken strictly", test_json_is_strict},
                                    {"no nul within", test_no_nul_within},
                                    {"too many values", test_too_many_values},
                                    {"other reports are refused", test_other_reports_are_refused},
                                    {"changes", test_changes},
                                    {"another place", test_another_place},
                                    {"damaged reports", test_damaged_reports}};
  corpus_begin(argc, argv);
  return RUN_SUITE("reports of gasnetbench", tests);
}
