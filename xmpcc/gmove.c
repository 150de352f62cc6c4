/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The gmove directive, which makes a call of the assignment that follows it. */
#include "xmpcc/side.h"

/* Anything that is no array is a value: it is local, and the same on all nodes. */
static const char *value_text(struct unit *u, const struct token *first, const struct token *last)
{
  const struct expression e = {first, last};
  walk_expression(u, first, last);
  const char *const value = translated_text(u, &e);
  return text_of("__extension__ &(const struct pst_xmp_side){0, (__typeof__(0 ? (%s) : (%s))[]){%s}, "
                 "sizeof(%s), %s, 0, 0, 0}",
      value, value, value, value, type_text(u, NULL, value));
}

static int is_literal(const struct token *first, const struct token *last)
{
  const struct expression e = {first, last};
  return expression_is_literal(&e);
}

static const char *operand_text(
    struct unit *u, const struct token *first, const struct token *last, int *rank)
{
  struct side s;
  *rank = 0;
  while (token_is(first, "(") && token_skip(first) == last) first++, last--;
  if (side_read(u, first, last, &s) == 0 && !s.codims) {
    if (s.symbol) members_check(u, first, s.symbol);
    side_walk(u, &s);
    *rank = side_rank(u, &s);
    return side_text(u, &s);
  }
  if (is_literal(first, last)) return value_text(u, first, last);
  message_error(first,
      "this is neither an array, nor a part of one, nor a variable; a gmove has no operators and calls");
  return "0";
}

const struct token *gmove_translate(struct unit *u, const struct directive *d, const struct token *t)
{
  const struct token *const first = t + 1, *const end = statement_end(first);
  const struct token *const equal = assignment_operator(first, end);
  if (!equal || !token_is(equal, "=")) {
    message_error(equal ? equal : first,
        equal ? "a gmove copies; write = alone" : "a gmove directive is followed by an assignment");
    return token_is(end, ";") ? end + 1 : end > first ? end : first;
  }
  const unsigned errors = message_errors();
  int rank, right_rank;
  const char *const left = operand_text(u, first, equal, &rank),
                    *const right = operand_text(u, equal + 1, end, &right_rank);
  if (right_rank && right_rank != rank && message_errors() == errors)
    message_error(equal + 1, "the right side has %s, and the left side %d; the two have equal shapes",
        text_count(right_rank, "dimension"), rank);
  const char *const mode = d->flags & DIRECTIVE_IN ? "PST_XMP_IN"
      : d->flags & DIRECTIVE_OUT                   ? "PST_XMP_OUT"
                                                   : "PST_XMP_COLLECTIVE";
  const int ended = token_is(end, ";");
  edit_replace(u->edits, first, ended ? end : end - 1, "{ pst_xmp_gmove(%s, %s, %s, %s, %s); }",
      where_of(d->at), left, right, mode,
      d->flags & DIRECTIVE_ASYNC ? text_of("__extension__ &(const int){%s}", expression_text(&d->async))
                                 : "0");
  return ended ? end + 1 : end;
}
