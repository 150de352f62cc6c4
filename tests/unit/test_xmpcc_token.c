/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Tokens of C: kinds and ends of each form, what is not closed, brackets, and tokens as text again. */
#include "xmpcc/token.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/suite.h"
#include "xmpcc/source.h"

static struct source *source_of(const char *text)
{
  char *copy = strdup(text);
  CU_ASSERT_FATAL(copy != NULL);
  return source_read(copy, strlen(copy), "test.c");
}

static char kind_letter(enum token_kind k)
{
  static const char letters[] = "ENdSCPXpO"; /* in the order of enum token_kind */
  return letters[k];
}

/* "N name|P +|": what the text consists of. */
static void check(const char *text, const char *wanted)
{
  struct source *s = source_of(text);
  char got[1000] = "";
  for (const struct token *t = s->token; t->kind != TOKEN_END; t++)
    snprintf(got + strlen(got), sizeof got - strlen(got), "%c %.*s|", kind_letter(t->kind), (int)t->length,
        t->text);
  if (strcmp(got, wanted) != 0) printf("\n%s\n  gives  %s\n  wanted %s\n", text, got, wanted);
  CU_ASSERT_STRING_EQUAL(got, wanted);
  source_free(s);
}

static void test_kinds(void)
{
  check("int _a$1=\xc3\xa9;", "N int|N _a$1|P =|N \xc3\xa9|P ;|");
  check("\\u00e9x", "N \\u00e9x|");
  check("0 1.e+3 .5f 0x1p-2 1'000 0:3 1..2", "d 0|d 1.e+3|d .5f|d 0x1p-2|d 1'000|d 0|P :|d 3|d 1..2|");
  check("1+2 1e+2 0xe+1", "d 1|P +|d 2|d 1e+2|d 0xe+1|");
  check(
      "\"a\\\"b\" L\"x\" u8\"y\" 'a' L'\\'' U'x'", "S \"a\\\"b\"|S L\"x\"|S u8\"y\"|C 'a'|C L'\\''|C U'x'|");
  check("R\"(a\"\n)\" LR\"d()\" )d\" R\"x", "S R\"(a\"\n)\"|S LR\"d()\" )d\"|N R|O \"x|");
  check("Label u8 Ux", "N Label|N u8|N Ux|");
  check("a/b /* c */ // d\n@`", "N a|P /|N b|O @|O `|");
}

static void test_punctuation(void)
{
  check("a+++++b", "N a|P ++|P ++|P +|N b|");
  check("<<=>>=...->", "P <<=|P >>=|P ...|P ->|");
  check("<:%:%:%>.. ::", "P <:|P %:%:|P %>|P .|P .|P :|P :|");
  check("x ]:[ y", "N x|P ]|P :|P [|N y|");
  check("a # b ## c", "N a|P #|N b|P ##|N c|");
}

static void test_not_closed(void)
{
  check("\"abc\nx", "O \"abc|N x|");
  check("'a", "O 'a|");
  check("L'a\nb", "N L|O 'a|N b|");
  check("\"a\\", "O \"a\\|");
  check("a /* b", "N a|");
  check("a /", "N a|P /|");
  check("a \\", "N a|O \\|");
  check("R\"d(", "S R\"d(|");
}

static void test_lines(void)
{
  check("a \\\n b\\\r\nc", "N a|N b|N c|");
  check("#pragma omp parallel \\\n for\nx", "p #pragma omp parallel \\\n for|N x|");
  check("#pragma xmp nodes p[4]\n  # pragma xmp  loop\n#pragma xmpx\n",
      "X #pragma xmp nodes p[4]|X # pragma xmp  loop|p #pragma xmpx|");
  check("a #pragma xmp\n", "N a|P #|N pragma|N xmp|");
  check("x /* \n */ # define X\n#define Y 1\n#undef Y", "N x|P #|N define|N X|");
  check("/* \n */ # define X\n", "");
}

static void test_nul(void)
{
  static const char text[] = "a\0b\n# 2 \"x\0y\"\n\"s\0t\" c";
  char *copy = malloc(sizeof text);
  CU_ASSERT_FATAL(copy != NULL);
  memcpy(copy, text, sizeof text);
  struct source *s = source_read(copy, sizeof text - 1, "test.c");
  CU_ASSERT_EQUAL_FATAL(s->count, 6); /* a \0 b "s\0t" c END */
  CU_ASSERT_EQUAL(s->token[1].kind, TOKEN_OTHER);
  CU_ASSERT_EQUAL(s->token[3].length, 5);
  CU_ASSERT_STRING_EQUAL(s->token[3].file, "x");
  source_free(s);
}

static void test_is(void)
{
  struct source *s = source_of("Loop += \"Loop\"");
  const struct token *t = s->token;
  CU_ASSERT(token_is(t, "Loop") && !token_is(t, "loop") && !token_is(t, "Loo") && !token_is(t, "Loops"));
  CU_ASSERT(token_is_word(t, "loop") && token_is_word(t, "LOOP") && !token_is_word(t, "loo"));
  CU_ASSERT(token_is(t + 1, "+=") && !token_is(t + 1, "+") && !token_is_word(t + 1, "+="));
  CU_ASSERT(!token_is(t + 2, "\"Loop\""));
  source_free(s);
}

static void check_skip(const char *text, const char *rest)
{
  struct source *s = source_of(text);
  const struct token *end = s->token + s->count - 1, *t = token_skip(s->token);
  char *got = token_text(t, end);
  CU_ASSERT_STRING_EQUAL(got, rest);
  free(got);
  source_free(s);
}

static void test_skip(void)
{
  check_skip("(a (b) [c] {d}) e f", "e f");
  check_skip("<: <% x %> :> y", "y");
  check_skip("[a", "");
  check_skip("( \")\" ) z", "z");
}

/* Bracket in bracket, more than any stack has calls. */
static void test_deep(void)
{
  enum { DEPTH = 1000000 };
  char *text = malloc(2 * DEPTH + 2);
  CU_ASSERT_FATAL(text != NULL);
  memset(text, '(', DEPTH);
  memset(text + DEPTH, ')', DEPTH);
  text[2 * DEPTH] = 'x';
  struct source *s = source_read(text, 2 * DEPTH + 1, "test.c");
  CU_ASSERT(token_is(token_skip(s->token), "x"));
  source_free(s);
}

static void test_text(void)
{
  struct source *s = source_of("a+ b\n  /* c */ [ c ]\"x  y\"");
  char *text = token_text(s->token, s->token + s->count - 1), *none = token_text(s->token, s->token);
  CU_ASSERT_STRING_EQUAL(text, "a+ b [ c ]\"x  y\"");
  CU_ASSERT_STRING_EQUAL(none, "");
  free(text);
  free(none);
  source_free(s);
}

int main(void)
{
  static const struct unit_test tests[] = {{"kinds", test_kinds}, {"punctuation", test_punctuation},
      {"what is not closed", test_not_closed}, {"lines", test_lines}, {"zero bytes", test_nul},
      {"comparison", test_is}, {"brackets", test_skip}, {"deep brackets", test_deep}, {"text", test_text}};
  return RUN_SUITE("xmpcc/token", tests);
}
