/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Macros in directives: each form of the C standard and GNU's, no macro within itself, what is refused, and
 * that hostile ones end soon. */
#include "xmpcc/macro.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/suite.h"
#include "xmpcc/message.h"
#include "xmpcc/source.h"

static char *messages;
static size_t messages_size;
static FILE *messages_file;

static void messages_open(void)
{
  messages_file = open_memstream(&messages, &messages_size);
  CU_ASSERT_FATAL(messages_file != NULL);
  message_set_output(messages_file); /* which counts from 0 then */
}

static void messages_close(void)
{
  message_set_output(NULL);
  fclose(messages_file);
  free(messages);
}

/* What the last directive of a text becomes. Its first word stays. */
static char *expanded(const char *text)
{
  struct source *s = source_read(strdup(text), strlen(text), "dir/test.c");
  char *got = NULL;
  for (const struct token *t = s->token; t->kind != TOKEN_END; t++) {
    if (t->kind != TOKEN_DIRECTIVE) continue;
    const struct token *end = t->list + 1;
    while (end->kind != TOKEN_END) end++;
    free(got);
    got = token_text(t->list + 1, end);
  }
  source_free(s);
  CU_ASSERT_FATAL(got != NULL);
  return got;
}

static void check(const char *definitions, const char *use, const char *wanted)
{
  char text[4000];
  messages_open();
  snprintf(text, sizeof text, "%s\n#pragma xmp nodes %s\n", definitions, use);
  char *got = expanded(text);
  fflush(messages_file);
  if (strcmp(got, wanted) != 0) printf("\n%s\n  gives  %s\n  wanted %s\n", use, got, wanted);
  CU_ASSERT_STRING_EQUAL(got, wanted);
  CU_ASSERT_STRING_EQUAL(messages, "");
  free(got);
  messages_close();
}

static void test_objects(void)
{
  check("#define N 10\n#define M (N+1)", "p[N][M]", "p[10][(10+1)]");
  check("#define N 10\n#define N 11", "N", "11");
  check("#define E", "a E b E", "a b");
  check("#define N -1", "-N - N a-N", "- -1 - -1 a- -1");
  check("#define L <", "<L", "< <");
  check("#define $x 3\n#define \xc3\xa9 4", "$x \xc3\xa9", "3 4");
  check("#define A A B\n#define B A B", "A B", "A A B A B B");
  check("#define N 4\n#undef N", "N", "N");
  check("#define N 4", "\"N\" 'N' NN N1 1N", "\"N\" 'N' NN N1 1N");
}

static void test_functions(void)
{
  check("#define F(x, y) x+y*x", "F(1, 2) F((1,2), [3]) F(,)", "1+2*1 (1,2)+[3]*(1,2) + *");
  check("#define F() f\n#define G(x) g x", "F() F G() G( a  b ) G", "f F g g a b G");
  check("#define F(x) x", "F (1) F F(F)(2)", "1 F F(2)");
  check("#define F (x)", "F(1)", "(x)(1)");
  check("#define F(x) F(x+1) F", "F(F(1)) (2)", "F(F(1+1) F+1) F (2)");
  check("#define F2(a) a*G2\n#define G2(a) F2(a)", "F2(2)(9)", "2*9*G2");
  check("#define x 3\n#define f(a) f(x * (a))\n#define z z[0]\n#define t(a) a", "f(z) t(t(f)(0))",
      "f(3 * (z[0])) f(3 * (0))");
  check("#define A(x) B(x)\n#define B(x) x", "A((A(A(1))))", "(1)");
}

static void test_string(void)
{
  check("#define S(x) #x\n#define X(x) S(x)\n#define N 4", "S( a \"b\\n\"  'c' N ) S() X(N)",
      "\"a \\\"b\\\\n\\\" 'c' N\" \"\" \"4\"");
  check("#define S(x) # x +", "S('\"')", "\"'\\\"'\" +");
  check("#define H # a", "H", "# a");
}

static void test_paste(void)
{
  check("#define C(a, b) a##b\n#define X(a, b) C(a, b)\n#define N 1\n#define NN no\n#define N1 yes",
      "C(N,N) X(N,N) C(,) C(N,) C(,N) C(N,1) C(<,<) C(.,5) C(a b,c d)", "no 11 1 1 yes << .5 a bc d");
  check("#define P 1##2##3\n#define Q(x) x##x##x", "P Q(a) Q()", "123 aaa");
  check(
      "#define hash_hash # ## #\n#define mk(a) #a\n#define in(a) mk(a)\n#define join(c, d) in(c hash_hash d)",
      "join(x, y)", "\"x ## y\"");
  check("#define t(x,y,z) x ## y ## z", "t(1,2,3) t(,4,5) t(6,,7) t(8,9,) t(10,,) t(,11,) t(,,12) t(,,)",
      "123 45 67 89 10 11 12");
}

static void test_variadic(void)
{
  check("#define G(...) h(0, ## __VA_ARGS__)\n#define N 5", "G() G(1) G(1,N)", "h(0) h(0, 1) h(0, 1,5)");
  check("#define G(a...) [a]", "G() G(1) G(1, 2)", "[] [1] [1, 2]");
  check("#define G(x, ...) x|__VA_ARGS__|#__VA_ARGS__", "G(1) G(1,) G(1,2, 3)",
      "1| |\"\" 1| |\"\" 1|2, 3|\"2, 3\"");
  check("#define K(a, ...) a __VA_OPT__(, (__VA_ARGS__)) end\n#define E",
      "K(1) K(1,2) K(1,) K(1,E) K(1, 2, 3)", "1 end 1, (2) end 1 end 1 end 1, (2, 3) end");
  check("#define K(a, ...) a ## __VA_OPT__(b) c", "K(1) K(1,2)", "1 c 1b c");
}

static void test_special(void)
{
  check("# 77 \"u\\\"v/w.c\"", "__LINE__ __FILE__ __FILE_NAME__", "77 \"u\\\"v/w.c\" \"w.c\"");
  check("#define H() __LINE__\n#define S(x) #x\n#define X(x) S(x)\n# 5 \"a.c\"", "X(H())", "\"5\"");
  check("#define __LINE__ 3", "__LINE__", "3");
}

/* The errors, of which there is one a directive. */
static void check_refused(const char *definitions, const char *use, const char *wanted)
{
  char text[4000];
  messages_open();
  snprintf(text, sizeof text, "%s\n# 7 \"absent.c\"\n#pragma xmp nodes %s\n", definitions, use);
  free(expanded(text));
  CU_ASSERT_EQUAL(message_errors(), 1);
  fflush(messages_file);
  if (!strstr(messages, wanted) || strncmp(messages, "absent.c:7:1: error: ", 21) != 0)
    printf("\n%s\n  says %s\n", use, messages);
  CU_ASSERT(strstr(messages, wanted) != NULL);
  messages_close();
}

static void test_refused(void)
{
  check_refused("#define F(x) x", "p[F(__COUNTER__)]",
      "__COUNTER__ cannot be in a directive; make a constant of it before, by enum");
  check_refused("#define F(x, y) x", "F(1)", "macro F has 1 argument here, but takes 2");
  check_refused("#define F(x, y) x", "F(1,2,3)", "macro F has 3 arguments here, but takes 2");
  check_refused("#define F() x", "F(1)", "macro F has 1 argument here, but takes 0");
  check_refused("#define F(x) x", "F(1", "the arguments of macro F have no ) behind them");
  check_refused("#define F(x) x", "F(F(1", "no ) behind them");
  check_refused("#define C(a, b) a##b", "C(+,/) C(+,/)", "## makes \"+/\"");
  check_refused("#define C(a, b) a##b", "C(/,/)", "## makes \"//\"");
}

/* Nothing of this takes long, or much memory. */
static void test_bombs(void)
{
  char doubling[4000] = "#define M0 m m", nested[4000] = "";
  for (int i = 1; i < 60; i++)
    snprintf(doubling + strlen(doubling), 40, "\n#define M%d M%d M%d", i, i - 1, i - 1);
  check_refused(doubling, "M59", "more tokens than 1000000");
  strcpy(doubling, "#define P0(x) x##x");
  for (int i = 1; i < 60; i++)
    snprintf(doubling + strlen(doubling), 60, "\n#define P%d(x) P%d(x##x)", i, i - 1);
  check_refused(doubling, "P59(a)", "more tokens than 1000000");
  strcpy(doubling, "#define E0");
  for (int i = 1; i < 60; i++)
    snprintf(doubling + strlen(doubling), 40, "\n#define E%d E%d E%d", i, i - 1, i - 1);
  check_refused(doubling, "E59", "more tokens than 1000000");
  for (int i = 0; i < 300; i++) strcat(nested, "F(");
  for (int i = 0; i < 300; i++) strcat(nested, ")");
  check_refused("#define F(x) x", nested, "deeper than 200");
}

/* A chain of macros as long as the text allows. */
static void test_chain(void)
{
  enum { LENGTH = 100000 };
  char *text = malloc(40 * LENGTH + 100), *p = text;
  CU_ASSERT_FATAL(text != NULL);
  for (int i = 0; i < LENGTH; i++) p += sprintf(p, "#define C%d C%d\n", i, i + 1);
  sprintf(p, "#pragma xmp nodes C0\n");
  char *got = expanded(text);
  CU_ASSERT_STRING_EQUAL(got, "C100000");
  free(got);
  free(text);
}

int main(void)
{
  static const struct unit_test tests[] = {{"object-like", test_objects}, {"function-like", test_functions},
      {"#", test_string}, {"##", test_paste}, {"variadic", test_variadic}, {"special names", test_special},
      {"refused", test_refused}, {"bombs", test_bombs}, {"a long chain", test_chain}};
  return RUN_SUITE("xmpcc/macro", tests);
}
