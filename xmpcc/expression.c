/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmpcc/expression.h"

#include <limits.h>
#include <string.h>
#include <strings.h>

/* ---- brackets ---- */

/* The bracket as it is usually written, or 0. */
static char bracket(const struct token *t)
{
  static const char *const digraph[] = {"<:", ":>", "<%", "%>"};
  if (t->kind != TOKEN_PUNCTUATION) return 0;
  if (t->length == 1) return strchr("()[]{}", *t->text) ? *t->text : 0;
  for (int k = 0; k < 4; k++)
    if (token_is(t, digraph[k])) return "[]{}"[k];
  return 0;
}

static int is_opening(const struct token *t)
{
  const char b = bracket(t);
  return b == '(' || b == '[' || b == '{';
}

const struct token *expression_closing(const struct token *t)
{
  const char open = bracket(t), close = open == '(' ? ')' : open == '[' ? ']' : '}';
  size_t depth = 0;
  for (; t->kind != TOKEN_END; t++) {
    if (!bracket(t)) continue;
    if (is_opening(t)) depth++;
    else if (--depth == 0) return bracket(t) == close ? t : NULL;
  }
  return NULL;
}

/* ---- the end ---- */

static int is_assignment(const struct token *t)
{
  static const char *const all[] = {"=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^="};
  if (t->kind != TOKEN_PUNCTUATION || t->text[t->length - 1] != '=') return 0;
  for (unsigned k = 0; k < sizeof all / sizeof *all; k++)
    if (token_is(t, all[k])) return 1;
  return 0;
}

/* Of a conditional or a section. A coindex begins with a colon and a bracket, as no operand does. */
static int is_colon(const struct token *t) { return token_is(t, ":") && bracket(t + 1) != '['; }

/* Whether the token ends an expression in which so many conditionals wait for their colons. */
static int is_end(const struct token *t, unsigned ends, size_t conditionals)
{
  if (t->kind == TOKEN_END || t->kind == TOKEN_DIRECTIVE || token_is(t, ";")) return 1;
  if (conditionals) return 0;
  return (ends & EXPRESSION_ENDS_COMMA && token_is(t, ",")) ||
      (ends & EXPRESSION_ENDS_COLON && is_colon(t)) ||
      (ends & EXPRESSION_ENDS_ASSIGNMENT && is_assignment(t));
}

/* The last token of what begins at t: t itself, or the bracket that closes it. NULL: it does not belong to
 * the expression. */
static const struct token *step(const struct token *t, const struct token *first)
{
  if (!bracket(t)) return t;
  if (!is_opening(t) || (bracket(t) == '{' && t != first && bracket(t - 1) != ')')) return NULL;
  return expression_closing(t);
}

const struct token *expression_end(const struct token *t, unsigned ends)
{
  const struct token *const first = t, *last;
  size_t conditionals = 0;
  while (!is_end(t, ends, conditionals) && (last = step(t, first))) {
    if (token_is(t, "?")) conditionals++;
    if (conditionals && is_colon(t)) conditionals--;
    t = last + 1;
  }
  return t;
}

/* ---- names ---- */

int expression_mentions(const struct expression *e, const struct token *name, int fortran)
{
  int (*const compare)(const char *, const char *, size_t) = fortran ? strncasecmp : strncmp;
  for (const struct token *t = e->first; t < e->last; t++) {
    if (t->kind != TOKEN_NAME || t->length != name->length) continue;
    if (t > e->first && (token_is(t - 1, ".") || token_is(t - 1, "->"))) continue;
    if (t > e->first && fortran && token_is(t - 1, "%")) continue;
    if (compare(t->text, name->text, t->length) == 0) return 1;
  }
  return 0;
}

/* ---- subscripts ---- */

static void subscript_split(struct subscript *s)
{
  const struct token *t = s->open + 1, *end;
  for (s->colons = 0;; s->colons++, t = end + 1) {
    end = expression_end(t, EXPRESSION_ENDS_COLON);
    const int more = end < s->close && token_is(end, ":");
    if (!more) end = s->close;
    if (s->colons < 3) s->part[s->colons] = (struct expression){t, end};
    if (!more) return;
  }
}

int expression_subscripts(
    const struct token *t, struct subscript *subscript, int most, const struct token **after)
{
  const struct token *close;
  int n = 0;
  for (t++; n < most && bracket(t) == '[' && (close = expression_closing(t)); t = close + 1) {
    struct subscript *const s = &subscript[n++];
    *s = (struct subscript){.open = t, .close = close};
    for (int k = 0; k < 3; k++) s->part[k] = (struct expression){close, close};
    subscript_split(s);
  }
  *after = t;
  return n;
}

/* ---- values ---- */

/* A value of type int or, where it is wide, long. A calculation stands at t; once it has failed its values
 * mean nothing. */
struct value {
  long long v;
  int wide;
};
struct calculation {
  const struct token *t, *last;
  int failed, depth;
  int overflow; /* it failed because a value does not fit its type */
};
enum { DEPTH_MOST = 200 };

static struct value fail(struct calculation *c)
{
  c->failed = 1;
  return (struct value){0, 0};
}

static struct value overflow(struct calculation *c)
{
  c->overflow |= !c->failed;
  return fail(c);
}

/* A result that its type must be able to represent. */
static struct value in_type(struct calculation *c, long long v, int wide)
{
  if (!wide && (v < INT_MIN || v > INT_MAX)) return overflow(c);
  return (struct value){v, wide};
}

static int digit(char c)
{
  static const char digits[] = "0123456789abcdef";
  const char *const at = c ? strchr(digits, c >= 'A' && c <= 'F' ? c + ('a' - 'A') : c) : NULL;
  return at ? (int)(at - digits) : 16;
}

static int is_long_suffix(const char *s, size_t n)
{
  static const char *const suffix[] = {"l", "L", "ll", "LL"};
  for (int k = 0; k < 4; k++)
    if (n == strlen(suffix[k]) && memcmp(s, suffix[k], n) == 0) return 1;
  return 0;
}

/* An unsigned number makes a calculation unsigned, which is left to the compiler: one with a suffix u, and
 * one that is not decimal and fits the unsigned type only. */
static struct value number(struct calculation *c, const struct token *t)
{
  const char *s = t->text, *const end = s + t->length;
  int base = 10;
  long long v = 0;
  if (t->length > 2 && *s == '0' && (s[1] | 0x20) == 'x') base = 16, s += 2;
  else if (t->length > 2 && *s == '0' && (s[1] | 0x20) == 'b') base = 2, s += 2;
  else if (*s == '0') base = 8;
  for (; s < end && (digit(*s) < base || (*s == '\'' && s > t->text)); s++)
    if (*s != '\'' && (__builtin_mul_overflow(v, base, &v) || __builtin_add_overflow(v, digit(*s), &v)))
      return overflow(c);
  const int is_long = s < end;
  if (is_long && !is_long_suffix(s, (size_t)(end - s))) return fail(c);
  if (!is_long && base != 10 && v > INT_MAX && v <= UINT_MAX) return fail(c);
  return (struct value){v, is_long || v > INT_MAX};
}

static struct value calculate(struct calculation *c, int level);

static struct value conditional(struct calculation *c)
{
  struct value condition = calculate(c, 1);
  if (c->t == c->last || !token_is(c->t, "?")) return condition;
  if (++c->depth > DEPTH_MOST) return fail(c);
  c->t++;
  const struct value yes = conditional(c);
  if (c->t == c->last || !token_is(c->t, ":")) return fail(c);
  c->t++;
  const struct value no = conditional(c);
  c->depth--;
  return (struct value){condition.v ? yes.v : no.v, yes.wide || no.wide};
}

static struct value bracketed(struct calculation *c)
{
  const struct value v = conditional(c);
  if (c->t == c->last || !token_is(c->t, ")")) return fail(c);
  c->t++;
  return v;
}

static struct value unary(struct calculation *c)
{
  if (c->failed || c->t == c->last || ++c->depth > DEPTH_MOST) return fail(c);
  const struct token *const t = c->t++;
  struct value v = {0, 0};
  if (t->kind == TOKEN_NUMBER) v = number(c, t);
  else if (t->kind == TOKEN_CHARACTER && t->length == 3 && t->text[0] == '\'') v.v = (signed char)t->text[1];
  else if (token_is(t, "(")) v = bracketed(c);
  else if (token_is(t, "+")) v = unary(c);
  else if (token_is(t, "~")) v = unary(c), v.v = ~v.v;
  else if (token_is(t, "!")) v = unary(c), v = (struct value){!v.v, 0};
  else if (token_is(t, "-")) v = unary(c), v = v.v == LLONG_MIN ? fail(c) : in_type(c, -v.v, v.wide);
  else v = fail(c);
  c->depth--;
  return v;
}

enum operation {
  LOGICAL_OR,
  LOGICAL_AND,
  OR,
  EXCLUSIVE_OR,
  AND,
  EQUAL,
  UNEQUAL,
  LESS,
  LESS_EQUAL,
  GREATER,
  GREATER_EQUAL,
  LEFT,
  RIGHT,
  PLUS,
  MINUS,
  TIMES,
  OVER,
  REMAINDER,
  OPERATIONS
};
static const struct {
  const char *text;
  int level; /* the higher, the closer it binds */
} operators[OPERATIONS] = {{"||", 1}, {"&&", 2}, {"|", 3}, {"^", 4}, {"&", 5}, {"==", 6}, {"!=", 6}, {"<", 7},
    {"<=", 7}, {">", 7}, {">=", 7}, {"<<", 8}, {">>", 8}, {"+", 9}, {"-", 9}, {"*", 10}, {"/", 10},
    {"%", 10}};
enum { LEVEL_UNARY = 11 };

static struct value shift(struct calculation *c, int left, struct value a, struct value b)
{
  long long v;
  if (a.v < 0 || b.v < 0 || b.v > (a.wide ? 63 : 31)) return fail(c);
  if (!left) return (struct value){a.v >> b.v, a.wide};
  if (b.v == 63 || __builtin_mul_overflow(a.v, 1LL << b.v, &v)) return fail(c);
  return in_type(c, v, a.wide);
}

static struct value divide(struct calculation *c, int remainder, struct value a, struct value b)
{
  if (b.v == 0 || (a.v == LLONG_MIN && b.v == -1)) return fail(c);
  return in_type(c, remainder ? a.v % b.v : a.v / b.v, a.wide || b.wide);
}

static struct value operate(struct calculation *c, enum operation o, struct value a, struct value b)
{
  const int wide = a.wide || b.wide;
  long long v;
  switch (o) {
  case LOGICAL_OR: return (struct value){a.v || b.v, 0};
  case LOGICAL_AND: return (struct value){a.v && b.v, 0};
  case OR: return (struct value){a.v | b.v, wide};
  case EXCLUSIVE_OR: return (struct value){a.v ^ b.v, wide};
  case AND: return (struct value){a.v & b.v, wide};
  case EQUAL: return (struct value){a.v == b.v, 0};
  case UNEQUAL: return (struct value){a.v != b.v, 0};
  case LESS: return (struct value){a.v < b.v, 0};
  case LESS_EQUAL: return (struct value){a.v <= b.v, 0};
  case GREATER: return (struct value){a.v > b.v, 0};
  case GREATER_EQUAL: return (struct value){a.v >= b.v, 0};
  case LEFT:
  case RIGHT: return shift(c, o == LEFT, a, b);
  case PLUS: return __builtin_add_overflow(a.v, b.v, &v) ? overflow(c) : in_type(c, v, wide);
  case MINUS: return __builtin_sub_overflow(a.v, b.v, &v) ? overflow(c) : in_type(c, v, wide);
  case TIMES: return __builtin_mul_overflow(a.v, b.v, &v) ? overflow(c) : in_type(c, v, wide);
  default: return divide(c, o == REMAINDER, a, b);
  }
}

/* The operator at t of this level, or OPERATIONS. */
static enum operation operator_at(const struct calculation *c, int level)
{
  unsigned o = 0;
  if (c->failed || c->t == c->last) return OPERATIONS;
  while (o < OPERATIONS && (operators[o].level != level || !token_is(c->t, operators[o].text))) o++;
  return (enum operation)o;
}

static struct value calculate(struct calculation *c, int level)
{
  if (level == LEVEL_UNARY) return unary(c);
  struct value a = calculate(c, level + 1);
  for (enum operation o; (o = operator_at(c, level)) != OPERATIONS;) {
    c->t++;
    const struct value b = calculate(c, level + 1);
    if (!c->failed) a = operate(c, o, a, b);
  }
  return a;
}

int expression_overflows(const struct expression *e)
{
  struct calculation c = {.t = e->first, .last = e->last};
  conditional(&c);
  return c.overflow;
}

int expression_is_constant(const struct expression *e, long long *value)
{
  struct calculation c = {.t = e->first, .last = e->last};
  const struct value v = conditional(&c);
  if (c.failed || c.t != c.last) return 0;
  *value = v.v;
  return 1;
}
