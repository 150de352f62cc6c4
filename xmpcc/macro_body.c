/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmpcc/macro_body.h"

#include <stdlib.h>
#include <string.h>

#include "xmpcc/lex.h"
#include "xmpcc/table.h"

/* The next token; TOKEN_END at the end of the line. */
static struct token macro_token(struct lex *l)
{
  struct token t = {.kind = TOKEN_END, .text = l->end};
  const int spaced = lex_space(l, 0, NULL);
  if (l->at < l->end && *l->at != '\n') lex_token(l, &t);
  t.spaced = (unsigned char)spaced;
  return t;
}

static void macro_add_parameter(struct macro *m, struct table *names, const char *name, size_t n)
{
  *table_make(names, name, n) = (void *)(size_t)++m->parameters;
}

/* Behind the ( after the name. What is not a list of parameters ends at the first thing that is wrong. */
static void macro_read_parameters(struct macro *m, struct lex *l, struct table *names)
{
  for (struct token t = macro_token(l); t.kind != TOKEN_END && !token_is(&t, ")"); t = macro_token(l)) {
    if (token_is(&t, "...") && !m->is_variadic) {
      m->is_variadic = 1;
      macro_add_parameter(m, names, "__VA_ARGS__", strlen("__VA_ARGS__"));
    } else if (t.kind == TOKEN_NAME) {
      macro_add_parameter(m, names, t.text, t.length);
      struct lex after = *l;
      const struct token dots = macro_token(&after); /* GNU's name... */
      if (token_is(&dots, "...")) *l = after, m->is_variadic = 1;
    }
  }
}

static void macro_read_body(struct macro *m, struct lex *l, const struct table *names, struct arena *a)
{
  struct macro_item *list = NULL;
  size_t capacity = 0;
  for (struct token t = macro_token(l); t.kind != TOKEN_END; t = macro_token(l)) {
    list = memory_grow(list, m->count, &capacity, sizeof *list);
    list[m->count] = (struct macro_item){.token = t};
    if (t.kind == TOKEN_NAME)
      list[m->count].parameter = (unsigned)(size_t)table_find(names, t.text, t.length);
    m->count++;
  }
  m->body = arena_get(a, m->count * sizeof *list);
  if (m->count) memcpy(m->body, list, m->count * sizeof *list);
  free(list);
}

void macro_read(struct macro *m, struct arena *a)
{
  struct lex l = {.at = m->at, .end = m->end, .line_begin = m->at};
  struct table names = {0};
  if (m->is_read) return;
  m->is_read = 1;
  macro_token(&l); /* the name */
  if (l.at < l.end && *l.at == '(') {
    m->has_parameters = 1;
    l.at++;
    macro_read_parameters(m, &l, &names);
  }
  macro_read_body(m, &l, &names, a);
  table_free(&names);
}
