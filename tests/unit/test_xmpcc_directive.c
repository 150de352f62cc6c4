/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Directives: each is read as it is written, in both forms of brackets; each that is wrong has one message,
 * which says what and where; damaged ones do no harm. The first argument repeats a run. */
#include "tests/fuzz/fuzz_directive.c"

#include "tests/unit/random.h"
#include "tests/unit/suite.h"
#include "tests/unit/xmpcc_directives.h"
#include "tests/unit/xmpcc_wrong_directives.h"

enum { DAMAGED = 40000, RIGHT = sizeof right / sizeof *right, WRONG = sizeof wrong / sizeof *wrong };

/* ---- one directive, read ---- */

struct reading {
  int count;
  struct printed printed;
  char *messages; /* all of them */
  size_t size;
};

static struct source *source_of(const char *text) { return fuzz_source((const uint8_t *)text, strlen(text)); }

static struct token *directive_in(struct source *s)
{
  size_t i = 0;
  while (i < s->count && s->token[i].kind != TOKEN_DIRECTIVE) i++;
  CU_ASSERT_FATAL(i < s->count);
  return &s->token[i];
}

/* Fortran's operators with letters are single tokens, which its own reader of tokens makes. */
static void join_points(struct token *t)
{
  struct token *to = t;
  for (; t->kind != TOKEN_END; t++, to++) {
    *to = *t;
    if (!token_is(t, ".") || t[1].kind != TOKEN_NAME || !token_is(t + 2, ".")) continue;
    to->length = t[1].length + 2;
    t += 2;
  }
  *to = *t;
}

static void read_one(struct reading *r, const char *text, int fortran)
{
  *r = (struct reading){.count = 0};
  FILE *f = open_memstream(&r->messages, &r->size);
  CU_ASSERT_FATAL(f != NULL);
  message_set_output(f);
  struct source *s = source_of(text);
  struct token *t = directive_in(s);
  if (fortran) join_points(t->list);
  struct directive *list = directive_read(t, fortran, &r->count);
  print_directives(&r->printed, list, r->count);
  directive_free(list, r->count);
  source_free(s);
  message_set_output(NULL);
  fclose(f);
}

static void expect(const char *text, const char *got, const char *wanted)
{
  if (strcmp(got, wanted) != 0) printf("%s\n  gives %s\n  not   %s\n", text, got, wanted);
  CU_ASSERT(strcmp(got, wanted) == 0);
}

static void expect_read(const char *text, int fortran, const char *wanted)
{
  struct reading r;
  read_one(&r, text, fortran);
  expect(text, r.printed.text, wanted);
  expect(text, r.messages, "");
  free(r.messages);
}

/* One message, and nothing else. */
static void expect_message(const char *text, int fortran, const char *wanted)
{
  static const char kind[] = "error: ";
  struct reading r;
  read_one(&r, text, fortran);
  char *end = strchr(r.messages, '\n'), *message = strstr(r.messages, kind);
  CU_ASSERT(end != NULL && end[1] == 0);
  if (end) *end = 0;
  expect(text, message ? message + strlen(kind) : r.messages, wanted);
  CU_ASSERT(r.count == 0);
  free(r.messages);
}

/* ---- tests ---- */

static void test_right(void)
{
  for (unsigned i = 0; i < RIGHT; i++) expect_read(right[i].text, 0, right[i].read);
}

static void test_wrong(void)
{
  for (unsigned i = 0; i < WRONG; i++) expect_message(wrong[i].text, 0, wrong[i].message);
}

/* Words are words in any case, and white space is where one likes. */
static void test_case_and_spaces(void)
{
  expect_read("LOOP(i)ON t[i]Reduction(+:s)", 0, "loop @t[{i}={i}{}] over ({i}) reduction(+:s)");
  expect_read("loop ( i ) on t [ i ] reduction ( + : s )", 0, "loop @t[{i}={i}{}] over ({i}) reduction(+:s)");
  expect_read("coarray a : [ * ]", 0, "coarray a[*] as [*]");
  expect_read("reflect (Width) width(1)", 0, "reflect Width width({1})");
}

static void test_fortran(void)
{
  expect_read("nodes p(*,*)", 1, "nodes p(*,*)");
  expect_read("align s%m(i,J) with t(I,j)", 1, "align s.m({i},{J}) @t({I}={I}{},{j}={j}{})");
  expect_read("loop (I) on t(i) reduction(.AND.:x) reduction(ieor:y)", 1,
      "loop @t({i}={i}{}) over ({I}) reduction(.AND.:x) reduction(ieor:y)");
  expect_read("shadow a(0:1,1)", 1, "shadow a({0}:{1},{1})");
  expect_read("nodes p[3]", 1, "nodes p[{3}]");
  expect_message("loop (i) on t(i) reduction(&:x)", 1,
      "'&' is no operation of a reduction; it has + * - .and. .or. .eqv. .neqv. iand ior ieor max min "
      "firstmax "
      "firstmin lastmax lastmin");
  expect_message("loop (i,I) on t(i)", 1, "'I' is named twice; each loop has a variable of its own");
  expect_message("shadow s.m(1)", 1, "shadow has no widths before '.'; write shadow a[1]");
}

/* The line and the column are those of the token, or of the macro that gave it. */
static void test_places(void)
{
  static const struct {
    const char *text, *place;
  } where[] = {{"relect (a)", "fuzz.c:3:13: "}, {"reflect (a) foo", "fuzz.c:3:25: "},
      {"nodes p[4][M(N N)]", "fuzz.c:3:28: "}, {"nodes p[4", "fuzz.c:3:"}, {"loop (i)", "fuzz.c:3:"}};
  for (unsigned i = 0; i < sizeof where / sizeof *where; i++) {
    struct reading r;
    read_one(&r, where[i].text, 0);
    CU_ASSERT(strncmp(r.messages, where[i].place, strlen(where[i].place)) == 0);
    if (strncmp(r.messages, where[i].place, strlen(where[i].place)) != 0) printf("%s", r.messages);
    free(r.messages);
  }
}

/* Both forms give the same order of dimensions. */
static void test_order(void)
{
  const struct list square = {.count = 3, .square = 1}, round = {.count = 3};
  for (int k = 0; k < 3; k++) {
    CU_ASSERT(directive_order(&square, k) == k);
    CU_ASSERT(directive_order(&round, k) == 2 - k);
  }
}

/* Neither long lists nor deep brackets are a matter of recursion or of fixed room. */
static void test_size(void)
{
  enum { MANY = 20000 };
  static char text[8 * MANY + 64];
  struct reading r;
  size_t n = (size_t)sprintf(text, "static_desc :: a");
  for (int i = 0; i < MANY; i++) n += (size_t)sprintf(text + n, ",b");
  read_one(&r, text, 0);
  CU_ASSERT(r.count == 1 && r.size == 0);
  free(r.messages);
  n = (size_t)sprintf(text, "nodes p[");
  memset(text + n, '(', MANY);
  text[n + MANY] = '4';
  memset(text + n + MANY + 1, ')', MANY);
  strcpy(text + n + 2 * MANY + 1, "]");
  read_one(&r, text, 0);
  CU_ASSERT(r.count == 1 && r.size == 0);
  free(r.messages);
}

/* ---- damage ---- */

static const char *any_directive(void)
{
  return below(2) ? right[below(RIGHT)].text : wrong[below(WRONG)].text;
}

/* Characters change, and pieces of other directives come in. */
static size_t damage(char *text, size_t n, size_t room)
{
  static const char odd[] = "[](){},:;*=+-/.?'\"# 0aN\\<%&|";
  for (size_t k = below(4); k; k--) {
    const size_t at = below(n + 1), rest = n - at;
    const char *other = any_directive();
    size_t many = below(8);
    switch (below(3)) {
    case 0:
      if (at < n) text[at] = odd[below(sizeof odd - 1)];
      break;
    case 1:
      if (many > rest) many = rest;
      memmove(text + at, text + at + many, rest - many);
      n -= many;
      break;
    default:
      other += below(strlen(other) + 1);
      if (many > strlen(other)) many = strlen(other);
      if (n + many > room) break;
      memmove(text + at + many, text + at, rest);
      memcpy(text + at, other, many);
      n += many;
    }
  }
  return n;
}

static void test_damaged(void)
{
  enum { ROOM = 512 };
  char text[ROOM];
  fuzz_accepted = fuzz_refused = 0;
  for (unsigned i = 0; i < DAMAGED; i++) {
    const char *from = any_directive();
    memcpy(text, from, strlen(from));
    const size_t n = damage(text, strlen(from), sizeof text);
    LLVMFuzzerTestOneInput((const uint8_t *)text, n);
  }
  printf("%d texts: %lu accepted, %lu refused\n", DAMAGED, fuzz_accepted, fuzz_refused);
  CU_ASSERT(fuzz_accepted > DAMAGED / 10 && fuzz_refused > DAMAGED / 10);
}

int main(void)
{
  const struct unit_test tests[] = {{"right directives", test_right}, {"wrong directives", test_wrong},
      {"case and white space", test_case_and_spaces}, {"Fortran", test_fortran}, {"places", test_places},
      {"the order of dimensions", test_order}, {"size", test_size}, {"damaged directives", test_damaged}};
  random_begin();
  return RUN_SUITE("directives of XcalableMP", tests);
}
