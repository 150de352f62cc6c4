/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The header of a for that is distributed: for (i = lower; i < bound; i += step) and what means the same. */
#include <string.h>

#include "xmpcc/loop.h"

/* The token at the top of a range; NULL. */
static const struct token *top_find(const struct expression *e, const char *text)
{
  for (const struct token *t = e->first; t < e->last;
       t = token_is(t, "(") || token_is(t, "[") ? token_skip(t) : t + 1)
    if (token_is(t, text)) return t;
  return NULL;
}

const struct token *for_variable(const struct unit *u, const struct token *t)
{
  if (!token_is(t, "for") || !token_is(t + 1, "(")) return NULL;
  t += 2;
  if (declaration_begins(u->scope, t))
    while (t->kind != TOKEN_END && !token_is(t, "=") && !token_is(t, ";")) t++;
  else if (t->kind != TOKEN_END) t++;
  return token_is(t, "=") && t[-1].kind == TOKEN_NAME ? t - 1 : NULL;
}

static int init_read(struct unit *u, struct header *h, const struct expression *init)
{
  h->name = for_variable(u, h->begin);
  h->declared = declaration_begins(u->scope, init->first);
  if (!h->name || top_find(init, ",")) return -1;
  const struct specifiers s = {.first = init->first, .last = h->name};
  h->type = h->declared ? specifiers_text(&s) : text_of("__typeof__(%s)", name_text(h->name));
  h->lower = (struct expression){h->name + 2, init->last};
  return expression_is_empty(&h->lower) ? -1 : 0;
}

/* Is the operator one of a single operand? */
static int is_prefix(const struct expression *e, const struct token *t)
{
  return t == e->first || (t[-1].kind == TOKEN_PUNCTUATION && !token_is(t - 1, ")") && !token_is(t - 1, "]"));
}

/* Nothing in it binds less than an operator of comparison. */
static int is_arithmetic(const struct expression *e)
{
  static const char *const others[] = {",", "?", "&&", "||", "&", "|", "^", "==", "!=", "<", ">", "<=", ">="};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    for (struct expression rest = *e; rest.first < rest.last;) {
      const struct token *const t = top_find(&rest, others[i]);
      if (!t) break;
      if (strcmp(others[i], "&") != 0 || !is_prefix(e, t)) return 0;
      rest.first = t + 1;
    }
  return 1;
}

static int condition_read(struct header *h)
{
  static const struct {
    const char *text;
    int equal, down;
  } operators[] = {{"<", 0, 0}, {"<=", 1, 0}, {">", 0, 1}, {">=", 1, 1}, {"!=", 0, 0}};
  for (int i = 0; i < 5; i++) {
    const struct token *const t = top_find(&h->condition, operators[i].text);
    if (!t) continue;
    const struct expression left = {h->condition.first, t}, right = {t + 1, h->condition.last};
    const int swapped = !(left.last == left.first + 1 && name_is(left.first, h->name));
    if (swapped && !(right.last == right.first + 1 && name_is(right.first, h->name))) return -1;
    h->bound = swapped ? left : right;
    h->equal = operators[i].equal;
    h->unequal = i == 4;
    h->down = !h->unequal && (operators[i].down ^ swapped);
    return h->bound.first == h->bound.last || !is_arithmetic(&h->bound) ? -1 : 0;
  }
  return -1;
}

/* A step of 1 or -1, with which a loop may end by != alone. */
static int single_step_set(struct header *h, int minus)
{
  h->step = minus ? "-1" : "1";
  if (h->unequal) h->down = minus;
  return minus == h->down ? 0 : -1;
}

/* A step that is seen goes the condition's way; the runtime looks at others. minus: it is subtracted. */
static int step_set(struct header *h, const struct expression *e, int minus)
{
  long long step;
  h->step_varies = !expression_is_constant(e, &step);
  h->stride = *e;
  if (!h->step_varies && (step == 1 || step == -1)) return single_step_set(h, minus == (step == 1));
  if (h->unequal) return -1;
  if (!h->step_varies && step == 0) message_error(e->first, "the step of this loop is 0");
  h->step = text_of(minus ? h->step_varies ? "-(pst_xmp_index_t)(%s)" : "-(%s)" : "(%s)", expression_text(e));
  return h->step_varies || step == 0 || (minus ? step > 0 : step < 0) == h->down ? 0 : -1;
}

static int increment_read(struct header *h)
{
  const struct token *const a = h->increment.first, *const end = h->increment.last;
  struct expression step = {NULL, NULL};
  int minus = 0;
  if (top_find(&h->increment, ",")) return -1;
  if (end - a == 2 && (name_is(a, h->name) || name_is(a + 1, h->name))) {
    const struct token *const op = name_is(a, h->name) ? a + 1 : a;
    if (!token_is(op, "++") && !token_is(op, "--")) return -1;
    return single_step_set(h, token_is(op, "--"));
  }
  if (end - a > 2 && name_is(a, h->name) && (token_is(a + 1, "+=") || token_is(a + 1, "-="))) {
    step = (struct expression){a + 2, end};
    minus = token_is(a + 1, "-=");
  } else if (end - a > 4 && name_is(a, h->name) && token_is(a + 1, "=") && name_is(a + 2, h->name)) {
    step = (struct expression){a + 4, end};
    minus = token_is(a + 3, "-");
    if (!minus && !token_is(a + 3, "+")) return -1;
    if (!is_arithmetic(&step) || top_find(&step, "<<") || top_find(&step, ">>")) return -1;
    if (minus && (top_find(&step, "-") || top_find(&step, "+"))) return -1;
  } else if (end - a > 4 && name_is(a, h->name) && token_is(a + 1, "=") && token_is(end - 2, "+") &&
      name_is(end - 1, h->name)) {
    step = (struct expression){a + 2, end - 2};
    if (!is_arithmetic(&step) || top_find(&step, "<<") || top_find(&step, ">>")) return -1;
  }
  return expression_is_empty(&step) ? -1 : step_set(h, &step, minus);
}

int header_read(struct unit *u, const struct token *t, struct header *h)
{
  *h = (struct header){.begin = t, .open = t + 1};
  const struct token *const behind = token_skip(h->open);
  h->close = behind - 1;
  const struct expression all = {h->open + 1, h->close};
  const struct token *const one = top_find(&all, ";");
  const struct expression rest = {one ? one + 1 : h->close, h->close};
  const struct token *const two = top_find(&rest, ";");
  if (one && two) {
    const struct expression init = {h->open + 1, one};
    h->condition = (struct expression){one + 1, two};
    h->increment = (struct expression){two + 1, h->close};
    if (!init_read(u, h, &init) && !condition_read(h) && !increment_read(h)) return 0;
  }
  message_error(t,
      "this loop cannot be distributed; write for (i = first; i < end; i += step), or with <= > >= and -=, "
      "or "
      "!= and ++ or --");
  return -1;
}
