/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Expressions of C: where they end, the values of constant ones, names and subscripts in them. Random
 * sequences of tokens do no harm. The first argument repeats a run. */
#include "xmpcc/expression.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/random.h"
#include "tests/unit/suite.h"
#include "xmpcc/source.h"

static struct source *source_of(const char *text)
{
  char *copy = strdup(text);
  CU_ASSERT_FATAL(copy != NULL);
  return source_read(copy, strlen(copy), "test.c");
}

static void expect(int right, const char *text, const char *got)
{
  if (!right) printf("%s: %s\n", text, got);
  CU_ASSERT(right);
}

static struct expression all_of(const struct source *s)
{
  return (struct expression){s->token, s->token + s->count - 1};
}

/* ---- the end ---- */

static void test_end(void)
{
  enum { COMMA = EXPRESSION_ENDS_COMMA, COLON = EXPRESSION_ENDS_COLON, IS = EXPRESSION_ENDS_ASSIGNMENT };
  static const struct {
    const char *before, *rest;
    unsigned ends;
  } table[] = {{"a + b", "; c", 0}, {"a + b", "", 0}, {"a, b", ") c", 0}, {"a", ", b", COMMA},
      {"a ? b, c : d", ", e", COMMA}, {"f(a, b)", ", c", COMMA}, {"a[b, c]", ", d", COMMA},
      {"(struct s){1, 2}.a", ", d", COMMA}, {"sizeof (int[]){1, 2}", ": d", COMMA | COLON},
      {"({ int i = 1; i; })", "; d", 0}, {"({ x: goto x; 1; }) + 1", ": d", COLON},
      {"_Generic(a, int: 1, default: 2)", ", d", COMMA | COLON}, {"a ? b : c", ": d", COLON},
      {"a ? b ? c : d : e", ": f", COLON}, {"a ?: b", ": c", COLON}, {"a", ": b : c", COLON},
      {"a : b", "; c", 0}, {"a[i]", "= b", IS}, {"a", "<<= b", IS}, {"a == b", "= c", IS},
      {"a <= b >= c != d", "|= c", IS}, {"a ? b = c : d", "= e", IS}, {"a = b", "; c", COMMA | COLON},
      {"(double)a", "= 3", IS}, {"*p++", "+= 1", IS}, {"{1, {2, 3}}", ", d", COMMA}, {"a", "{ b }", 0},
      {"", "] a", 0}, {"", "} a", 0}, {"", ", a", COMMA}, {"", "(a", 0}, {"b", "[(a]", 0}, {"b", "(a]", 0},
      {"a <: 1, 2 :>", ", b", COMMA}, {"'(' + \"(\"", ", b", COMMA}, {"a", "\n#pragma xmp barrier\n b", 0}};
  for (unsigned i = 0; i < sizeof table / sizeof *table; i++) {
    char text[256];
    snprintf(text, sizeof text, "%s %s", table[i].before, table[i].rest);
    struct source *s = source_of(text);
    char *got = token_text(s->token, expression_end(s->token, table[i].ends));
    expect(strcmp(got, table[i].before) == 0, text, got);
    free(got);
    source_free(s);
  }
}

static void test_closing(void)
{
  static const struct {
    const char *text;
    long at; /* -1: none */
  } table[] = {{"()", 1}, {"(a)", 2}, {"[a[b]]", 5}, {"{(})}", -1}, {"(", -1}, {"(a]", -1}, {"<: a ]", 2},
      {"<% a %>", 2}, {"((a)", -1}, {"(a))", 2}};
  for (unsigned i = 0; i < sizeof table / sizeof *table; i++) {
    struct source *s = source_of(table[i].text);
    const struct token *close = expression_closing(s->token);
    expect((close ? close - s->token : -1) == table[i].at, table[i].text, close ? "closed" : "not closed");
    source_free(s);
  }
}

/* ---- constants ---- */

static void test_constant(void)
{
  static const struct {
    const char *text;
    long long value;
  } table[] = {{"0", 0}, {"42", 42}, {"0x10", 16}, {"0XfF", 255}, {"010", 8}, {"0b101", 5}, {"7L", 7},
      {"7ll", 7}, {"7LL", 7}, {"2147483647", INT_MAX}, {"2147483648", 2147483648},
      {"9223372036854775807", LLONG_MAX}, {"0x100000000", 4294967296}, {"'a'", 'a'}, {"-3", -3}, {"- -3", 3},
      {"+3", 3}, {"~0", -1}, {"!5", 0}, {"!0", 1}, {"-2147483647 - 1", INT_MIN}, {"-2147483648", INT_MIN},
      {"1 + 2 * 3", 7}, {"(1 + 2) * 3", 9}, {"10 - 4 - 3", 3}, {"100 / 10 / 5", 2}, {"7 % 4 * 2", 6},
      {"-7 / 2", -3}, {"-7 % 2", -1}, {"1 << 4 + 1", 32}, {"1L << 40", 1LL << 40}, {"256 >> 2 >> 1", 32},
      {"1 << 30", 1 << 30}, {"5 & 3 | 8 ^ 1", 9}, {"1 | 2 ^ 3 & 2", 1}, {"1 < 2 == 1", 1}, {"3 >= 3", 1},
      {"3 > 3", 0}, {"2 <= 1", 0}, {"1 != 1", 0}, {"0 || 0 && 1", 0}, {"1 || 0 && 0", 1}, {"2 && 3", 1},
      {"1 ? 2 : 3", 2}, {"0 ? 2 : 0 ? 3 : 4", 4}, {"1 ? 0 ? 5 : 6 : 7", 6}, {"((((1))))", 1},
      {"2147483647L + 1", 2147483648}, {"1 ? 1 : 1L", 1}, {"8 << 1 >> 1", 8}, {"1 >> 31", 0}};
  static const char *const none[] = {"", "a", "1 a", "1 2", "1 +", "+", "(", "()", "(1", "1)", "1 + a",
      "sizeof 4", "f(1)", "(int)1", "1.5", "1e5", "1f", "08", "0xg", "1u", "1UL", "0x80000000",
      "9223372036854775808", "0xffffffffffffffff", "1 / 0", "1 % 0", "2147483647 + 1", "-2147483647 - 2",
      "65536 * 65536", "1 << 31", "1 << 32", "1 << -1", "-1 << 1", "-1 >> 1", "1L << 63", "1L << 64", "1 ? 2",
      "1 ? : 2", "1 : 2", "9223372036854775807 + 1", "-9223372036854775807 - 2", "4611686018427387904 * 2",
      "(-9223372036854775807 - 1) / -1", "(-9223372036854775807 - 1) % -1", "-(-9223372036854775807 - 1)",
      "- (-2147483647 - 1)", "1, 2", "a = 1", "\"1\"", "L'a'", "'ab'", "'\\n'", "1 < ", "++1", "1--"};
  for (unsigned i = 0; i < sizeof table / sizeof *table; i++) {
    struct source *s = source_of(table[i].text);
    const struct expression e = all_of(s);
    long long value = -99;
    char got[32];
    const int is = expression_is_constant(&e, &value);
    snprintf(got, sizeof got, "%d %lld", is, value);
    expect(is && value == table[i].value, table[i].text, got);
    source_free(s);
  }
  for (unsigned i = 0; i < sizeof none / sizeof *none; i++) {
    struct source *s = source_of(none[i]);
    const struct expression e = all_of(s);
    long long value = -99;
    expect(!expression_is_constant(&e, &value) && value == -99, none[i], "it has a value");
    source_free(s);
  }
}

/* Deep ones are no constants, and no reason to run out of stack. */
static void test_deep(void)
{
  enum { MANY = 200000 };
  static const char *const piece[] = {"(", "-", "1?", "1?1:", "1+", "!", "1<<"};
  char *text = malloc(4 * MANY + 2);
  CU_ASSERT_FATAL(text != NULL);
  for (unsigned k = 0; k < sizeof piece / sizeof *piece; k++) {
    const size_t n = strlen(piece[k]);
    for (size_t i = 0; i < MANY; i++) memcpy(text + i * n, piece[k], n);
    strcpy(text + MANY * n, "1");
    struct source *s = source_of(text);
    const struct expression e = all_of(s);
    long long value = 0;
    const int sum = strcmp(piece[k], "1+") == 0;
    expect(expression_is_constant(&e, &value) == sum && value == (sum ? MANY + 1 : 0), piece[k], "many");
    source_free(s);
  }
  free(text);
}

/* ---- names ---- */

static void test_mentions(void)
{
  static const struct {
    const char *text; /* name, expression */
    int c, fortran;
  } table[] = {{"i i", 1, 1}, {"i I", 0, 1}, {"i j", 0, 0}, {"i a[i]", 1, 1}, {"i a.i", 0, 0},
      {"i a->i + b", 0, 0}, {"i a.b + i", 1, 1}, {"i ii + i2", 0, 0}, {"i \"i\" + 'i'", 0, 0},
      {"i a%i", 1, 0}, {"i f(1, (i))", 1, 1}, {"i", 0, 0}, {"i . i", 1, 1}};
  for (unsigned k = 0; k < sizeof table / sizeof *table; k++) {
    struct source *s = source_of(table[k].text);
    struct expression e = all_of(s);
    e.first++;
    if (token_is(e.first, ".")) e.first++; /* what stands before the range does not count */
    expect(expression_mentions(&e, s->token, 0) == table[k].c, table[k].text, "in C");
    expect(expression_mentions(&e, s->token, 1) == table[k].fortran, table[k].text, "in Fortran");
    source_free(s);
  }
}

/* ---- subscripts ---- */

static void print_subscripts(char *to, size_t room, const char *text, int most)
{
  struct subscript sub[8];
  struct source *s = source_of(text);
  const struct token *after;
  const int n = expression_subscripts(s->token, sub, most, &after);
  size_t at = 0;
  for (int k = 0; k < n; k++) {
    at += (size_t)snprintf(to + at, room - at, "[");
    for (int p = 0; p <= sub[k].colons && p < 3; p++) {
      char *part = token_text(sub[k].part[p].first, sub[k].part[p].last);
      at += (size_t)snprintf(to + at, room - at, "%s{%s}", p ? ":" : "", part);
      free(part);
    }
    if (sub[k].colons > 2) at += (size_t)snprintf(to + at, room - at, ":%d", sub[k].colons);
    at += (size_t)snprintf(to + at, room - at, "]");
    CU_ASSERT(token_is(sub[k].open, "[") && token_is(sub[k].close, "]"));
    for (int p = sub[k].colons + 1; p < 3; p++) CU_ASSERT(expression_is_empty(&sub[k].part[p]));
  }
  char *rest = token_text(after, s->token + s->count - 1);
  snprintf(to + at, room - at, " %s", rest);
  free(rest);
  source_free(s);
}

static void test_subscripts(void)
{
  static const struct {
    const char *text, *wanted;
    int most;
  } table[] = {{"a", " ", 8}, {"a + b[1]", " + b[1]", 8}, {"a[i]", "[{i}] ", 8},
      {"a[i][j+1] = 2", "[{i}][{j+1}] = 2", 8}, {"a[:]", "[{}:{}] ", 8}, {"a[0:n]", "[{0}:{n}] ", 8},
      {"a[0:n:2]", "[{0}:{n}:{2}] ", 8}, {"a[::2]", "[{}:{}:{2}] ", 8}, {"a[1:2:3:4]", "[{1}:{2}:{3}:3] ", 8},
      {"a[]", "[{}] ", 8}, {"a[c ? 1 : 2]", "[{c ? 1 : 2}] ", 8},
      {"a[c ? 1 : 2 : n]", "[{c ? 1 : 2}:{n}] ", 8},
      {"a[0 : c ? d ? 1 : 2 : 3 : 4]", "[{0}:{c ? d ? 1 : 2 : 3}:{4}] ", 8},
      {"a[c ?: d : e]", "[{c ?: d}:{e}] ", 8}, {"a[b[1:2]]", "[{b[1:2]}] ", 8},
      {"a[f(x ? y : z, 2)][({ l: 1; })]", "[{f(x ? y : z, 2)}][{({ l: 1; })}] ", 8},
      {"a[i, j]", "[{i, j}] ", 8}, {"a[1]:[2]", "[{1}] :[2]", 8}, {"a[1](2)[3]", "[{1}] (2)[3]", 8},
      {"a[1", " [1", 8}, {"a[1)", " [1)", 8}, {"a[1][(2]", "[{1}] [(2]", 8},
      {"a[1][2][3]", "[{1}][{2}] [3]", 2}, {"a[1]", " [1]", 0}, {"a[1;2:3]", "[{1;2:3}] ", 8}};
  for (unsigned k = 0; k < sizeof table / sizeof *table; k++) {
    char got[256];
    print_subscripts(got, sizeof got, table[k].text, table[k].most);
    expect(strcmp(got, table[k].wanted) == 0, table[k].text, got);
  }
}

/* ---- anything ---- */

/* Whatever the tokens are, ranges lie within them. */
static void check_ranges(const struct source *s, const struct token *t)
{
  const struct token *const end = s->token + s->count - 1, *after;
  struct subscript sub[4];
  long long value;
  for (unsigned ends = 0; ends < 8; ends++) {
    const struct token *const last = expression_end(t, ends);
    const struct expression e = {t, last};
    CU_ASSERT_FATAL(last >= t && last <= end);
    CU_ASSERT_FATAL(expression_end(t, ends | EXPRESSION_ENDS_COMMA) <= last);
    expression_is_constant(&e, &value);
    expression_mentions(&e, s->token, (int)below(2));
  }
  if (t == end) return;
  const int n = expression_subscripts(t, sub, 4, &after);
  CU_ASSERT_FATAL(n >= 0 && n <= 4 && after > t && after <= end);
  for (int k = 0; k < n; k++)
    for (int p = 0; p < 3; p++)
      CU_ASSERT_FATAL(sub[k].part[p].first > sub[k].open && sub[k].part[p].first <= sub[k].part[p].last &&
          sub[k].part[p].last <= sub[k].close);
}

static void test_anything(void)
{
  enum { TEXTS = 6000, TOKENS = 24 };
  static const char *const word[] = {"a", "1", "(", ")", "[", "]", "{", "}", "?", ":", ",", ";", "+", "-",
      "=", "<<", "*", "/", "<:", ":>", "'x'", "0x7fffffff", ".", "->", "\n#pragma xmp x\n", "%", "&&", "~"};
  for (int i = 0; i < TEXTS; i++) {
    char text[TOKENS * 20] = "";
    for (size_t n = below(TOKENS); n; n--) strcat(strcat(text, word[below(sizeof word / sizeof *word)]), " ");
    struct source *s = source_of(text);
    for (size_t t = 0; t < s->count; t++) check_ranges(s, &s->token[t]);
    source_free(s);
  }
}

int main(void)
{
  const struct unit_test tests[] = {{"the end", test_end}, {"the closing bracket", test_closing},
      {"constants", test_constant}, {"deep expressions", test_deep}, {"names", test_mentions},
      {"subscripts", test_subscripts}, {"any tokens", test_anything}};
  random_begin();
  return RUN_SUITE("expressions of C", tests);
}
