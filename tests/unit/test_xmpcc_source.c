/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Sources: places by line marks of GCC and Clang, headers of the system, directives whose macros are as they
 * stood; sizes and times; 20,000 damaged sources do no harm. */
#include "xmpcc/source.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/fuzz/fuzz_xmpcc_source.c"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

enum { CORPUS = 20000 };

static struct source *source_of(const char *text) { return fuzz_read(text, strlen(text)); }

static const struct token *find(const struct source *s, const char *name)
{
  for (const struct token *t = s->token; t->kind != TOKEN_END; t++)
    if (token_is(t, name)) return t;
  CU_FAIL("the token is not there");
  return s->token;
}

static void check_place(
    const struct source *s, const char *name, const char *file, unsigned line, unsigned column, int system)
{
  const struct token *t = find(s, name);
  if (strcmp(t->file, file) != 0 || t->line != line || t->column != column || t->system != system)
    printf("\n%s is at %s:%u:%u, %d\n", name, t->file, t->line, t->column, t->system);
  CU_ASSERT(strcmp(t->file, file) == 0 && t->line == line && t->column == column && t->system == system);
}

static void test_marks(void)
{
  struct source *s = source_of("# 0 \"a.c\"\n# 0 \"<built-in>\"\n# 1 \"a.c\"\nfirst\n"
                               "# 1 \"/usr/include/s.h\" 1 3 4\n\n  in_header\n"
                               "# 1 \"/usr/include/t.h\" 1 3 4\ninner\n# 5 \"/usr/include/s.h\" 2 3 4\nback\n"
                               "# 3 \"a.c\" 2\nafter = \n# 3 \"a.c\" 3 4\n     macro\n# 3 \"a.c\"\n  ;last\n"
                               "# 7 \"my \\\"h\\\\\\101.h\" 1\nown\n#line 9 \"b.c\"\nline\n# 20\nsame\n");
  check_place(s, "first", "a.c", 1, 1, 0);
  check_place(s, "in_header", "/usr/include/s.h", 2, 3, 1);
  check_place(s, "inner", "/usr/include/t.h", 1, 1, 1);
  check_place(s, "back", "/usr/include/s.h", 5, 1, 1);
  check_place(s, "after", "a.c", 3, 1, 0);
  check_place(s, "macro", "a.c", 3, 6, 0); /* the user's text, though a header's macro made it */
  check_place(s, "last", "a.c", 3, 4, 0);
  check_place(s, "own", "my \"h\\A.h", 7, 1, 0);
  check_place(s, "line", "b.c", 9, 1, 0);
  check_place(s, "same", "b.c", 20, 1, 0);
  CU_ASSERT(find(s, "after")->file == find(s, "first")->file); /* one name, one string */
  source_free(s);
}

static void test_absurd_marks(void)
{
  struct source *s = source_of(
      "# 99999999999999999999999999 \"a\na\n# 4294967295\nb\n# 12abc \"q\" 9\nc\n#\nd");
  CU_ASSERT_STRING_EQUAL(find(s, "a")->file, "a");
  CU_ASSERT_EQUAL(find(s, "a")->line, 2000000000);
  CU_ASSERT_EQUAL(find(s, "b")->line, 2000000000);
  CU_ASSERT_EQUAL(find(s, "c")->line, 12);
  CU_ASSERT_EQUAL(find(s, "d")->line, 14);
  source_free(s);
}

static void check_directive(const struct source *s, unsigned line, const char *wanted)
{
  for (const struct token *t = s->token; t->kind != TOKEN_END; t++) {
    if (t->kind != TOKEN_DIRECTIVE || t->line != line) continue;
    const struct token *end = t->list;
    while (end->kind != TOKEN_END) end++;
    char *got = token_text(t->list, end);
    CU_ASSERT_STRING_EQUAL(got, wanted);
    free(got);
    return;
  }
  CU_FAIL("the directive is not there");
}

static void test_directives(void)
{
  struct source *s = source_of("#define N 4\n#pragma xmp nodes p[N]\n#undef N\n#pragma xmp template t[N]\n"
                               "#define N (8)\n#define nodes x\n#define on ON\n"
                               "#pragma xmp NODES nodes[N]\n#pragma xmp end task\n#pragma xmp loop on on\n"
                               "#pragma xmp loop (i) \\\n on t[N]\n#pragma xmp\n#pragma xmp @ on\n");
  check_directive(s, 2, "nodes p[4]");
  check_directive(s, 4, "template t[N]");
  check_directive(s, 8, "NODES nodes[(8)]");
  check_directive(s, 9, "end task");
  check_directive(s, 10, "loop ON ON");
  check_directive(s, 11, "loop (i) ON t[(8)]");
  check_directive(s, 13, "");
  check_directive(s, 14, "@ ON");
  source_free(s);
}

static void test_directive_places(void)
{
  struct source *s = source_of("#define M a + b\n# 10 \"u.c\"\n  #pragma xmp task M \\\n  on M\n");
  const struct token *t = s->token->list;
  const unsigned wanted[][2] = {{10, 15}, {10, 20}, {10, 20}, {10, 20}, {11, 3}, {11, 6}, {11, 6}, {11, 6}};
  CU_ASSERT_EQUAL_FATAL(s->token->kind, TOKEN_DIRECTIVE);
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
    CU_ASSERT(t[i].line == wanted[i][0] && t[i].column == wanted[i][1] && strcmp(t[i].file, "u.c") == 0);
  CU_ASSERT(t[8].kind == TOKEN_END && t[8].line == 11);
  source_free(s);
}

/* ---- sizes ---- */

static double seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double time_of(size_t repeats)
{
  static const char piece[] = "#define A_MACRO_OF_SOME_NAME(x) ((x) + 1)\nextern int function(const char *, "
                              "int);\n# 12 \"file.h\" 3 4\n#pragma xmp loop on t[A_MACRO_OF_SOME_NAME(i)]\n";
  const size_t n = sizeof piece - 1;
  char *text = malloc(n * repeats + 1);
  if (!text) exit(1);
  for (size_t i = 0; i < repeats; i++) memcpy(text + i * n, piece, n);
  const double begin = seconds();
  source_free(source_read(text, n * repeats, "fuzz.c"));
  return seconds() - begin;
}

/* Eight times the text takes about eight times the time; a square would take 64 times. */
static void test_linear(void)
{
  double small = time_of(2000), large = time_of(16000);
  for (int k = 0; k < 3 && large >= 24 * small; k++) small = time_of(2000), large = time_of(16000);
  printf("%.0f and %.0f us ... ", 1e6 * small, 1e6 * large);
  CU_ASSERT(large < 24 * small);
}

static void test_deep(void)
{
  enum { DEPTH = 100000 };
  static const char head[] = "#define F(x) x\n#pragma xmp nodes F";
  char *text = malloc(sizeof head + 2 * DEPTH);
  CU_ASSERT_FATAL(text != NULL);
  memcpy(text, head, sizeof head - 1);
  memset(text + sizeof head - 1, '(', DEPTH);
  memset(text + sizeof head - 1 + DEPTH, ')', DEPTH);
  struct source *s = source_read(text, sizeof head - 1 + 2 * DEPTH, "fuzz.c");
  CU_ASSERT_EQUAL(token_skip(s->token->list + 1)->kind, TOKEN_END);
  source_free(s);
}

/* ---- the corpus ---- */

static const char *const example[] = {
    "# 1 \"a.c\"\n#define N 1024\n#define M(x, ...) f(#x, x##1, ## __VA_ARGS__) __VA_OPT__(+)\n"
    "# 1 \"/usr/include/h.h\" 1 3 4\nextern int f(int);\n# 4 \"a.c\" 2\n#pragma xmp loop (i) on t[M(N, "
    "M(2))]\n"
    "int main(void)\n{\n#pragma omp parallel for\n  for (int i = 0; i < 4; i++) a[i] = \"x\\\"\"[0] + 'c';\n"
    "#pragma xmp barrier\n  return 0;\n}\n",
    "R\"x(\n)x\" L\"a\" u8R\"(b)\" 1.e+3 1'0 a\\\n b \"un\n# 12 \"a\\\"b\\101\" 1 3 4\n#define A B A\n"
    "#define B A() \\\n A\n#define C(a...) B ## a\n#pragma xmp nodes \\\n C(A,B) \"C\n/* c \n*/ %:%: <: ... "
    ".5 @\n"
    "#undef A\n#pragma xmp A C(",
};

static size_t damage(char *input, size_t size, size_t room)
{
  static const char some[] = "#\\\n\"'()R,/*%0\xff";
  const size_t at = below(size), n = 1 + below(8);
  switch (below(5)) {
  case 0: input[at] = some[below(sizeof some)]; return size;
  case 1: input[at] = (char)next(); return size;
  case 2: return at ? at : 1;
  case 3:
    if (at + n >= size) return size;
    memmove(input + at, input + at + n, size - at - n);
    return size - n;
  default:
    if (size + n > room) return size;
    memmove(input + at + n, input + at, size - at);
    memset(input + at, some[below(sizeof some)], n);
    return size + n;
  }
}

static void test_corpus(void)
{
  char input[2000];
  fuzz_accepted = fuzz_refused = 0;
  for (int k = 0; k < CORPUS; k++) {
    size_t size = strlen(example[k % 2]);
    memcpy(input, example[k % 2], size);
    for (size_t times = below(6); times--;) size = damage(input, size, sizeof input);
    LLVMFuzzerTestOneInput((const uint8_t *)input, size);
  }
  printf("%lu taken, %lu refused ... ", fuzz_accepted, fuzz_refused);
  CU_ASSERT(fuzz_accepted > CORPUS / 10 && fuzz_refused > CORPUS / 10);
}

int main(void)
{
  static const struct unit_test tests[] = {{"line marks", test_marks}, {"absurd marks", test_absurd_marks},
      {"directives", test_directives}, {"places in directives", test_directive_places}, {"time", test_linear},
      {"deep brackets in a directive", test_deep}, {"damaged sources", test_corpus}};
  random_begin();
  return RUN_SUITE("xmpcc/source", tests);
}
