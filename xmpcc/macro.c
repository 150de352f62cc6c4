/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Lists of tokens that are still to be read lie on a stack: the directive at the bottom, above it what a
 * macro gave, above that what a macro in there gave. While a macro's list is on the stack, its name is not
 * replaced; a name that was read then never will be. Only arguments that are expanded on their own use the
 * stack of the processor, so how deep these may be is limited; and how much macros may make of a directive.
 */
#include "xmpcc/macro.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xmpcc/lex.h"
#include "xmpcc/macro_body.h"
#include "xmpcc/message.h"
#include "xmpcc/pieces.h"
#include "xmpcc/table.h"

enum { MACRO_WORK_MOST = 1000000, MACRO_DEPTH_MOST = 200 };

struct macros {
  struct table table;
  struct arena *arena;
  int (*is_saved)(void *context, const char *name, size_t n);
  void *context;
  struct macro undefined;
};

/* ---- definitions ---- */

static void macro_define_kind(struct macros *m, const char *name, enum macro_kind kind)
{
  struct macro *made = arena_get(m->arena, sizeof *made);
  *made = (struct macro){.kind = kind, .is_read = 1};
  *table_make(&m->table, name, strlen(name)) = made;
}

struct macros *macros_open(struct arena *a, int (*is_saved)(void *, const char *, size_t), void *context)
{
  struct macros *m = memory_get(sizeof *m);
  *m = (struct macros){.arena = a,
      .is_saved = is_saved,
      .context = context,
      .undefined = {.kind = MACRO_UNDEFINED, .is_read = 1, .is_changed = 1}};
  macro_define_kind(m, "__LINE__", MACRO_LINE);
  macro_define_kind(m, "__FILE__", MACRO_FILE);
  macro_define_kind(m, "__FILE_NAME__", MACRO_FILE_NAME);
  macro_define_kind(m, "__COUNTER__", MACRO_COUNTER);
  return m;
}

void macros_free(struct macros *m)
{
  table_free(&m->table);
  free(m);
}

static size_t macro_name(const char *at, const char *end)
{
  const char *p = at;
  if (p == end || lex_is_digit((unsigned char)*p)) return 0;
  while (p < end && lex_is_name((unsigned char)*p)) p++;
  return (size_t)(p - at);
}

void macro_define(struct macros *m, const char *at, const char *end)
{
  const size_t n = macro_name(at, end);
  if (!n) return;
  struct macro *made = arena_get(m->arena, sizeof *made);
  void **const place = table_make(&m->table, at, n);
  *made = (struct macro){.at = at, .end = end, .is_changed = *place != NULL};
  *place = made;
}

void macro_undefine(struct macros *m, const char *at, const char *end)
{
  const size_t n = macro_name(at, end);
  if (n && table_find(&m->table, at, n)) *table_make(&m->table, at, n) = &m->undefined;
}

/* ---- the stack ---- */

struct macro_list {
  struct macro_item *item; /* [count] */
  size_t count, capacity;
};

struct macro_level {
  const struct macro_item *next, *end;
  struct macro *macro; /* that gave the list; NULL: none */
};

struct expansion {
  struct macros *macros;
  struct arena scratch;
  const struct token *at;
  struct macro_level *level; /* [levels] */
  size_t levels, capacity;
  unsigned depth; /* of arguments within arguments */
  size_t work;    /* tokens that macros gave, and bytes of texts / 16 */
  int failed;     /* an error was told: nothing more is replaced */
};

static void expansion_fail(struct expansion *x, const char *what, unsigned most)
{
  if (!x->failed) message_error(x->at, "%s %u", what, most);
  x->failed = 1;
}

static void expansion_work(struct expansion *x, size_t n)
{
  x->work += n;
  if (x->work > MACRO_WORK_MOST)
    expansion_fail(x, "the macros of this directive give more tokens than", MACRO_WORK_MOST);
}

static void list_add(struct macro_list *l, const struct macro_item *i)
{
  l->item = memory_grow(l->item, l->count, &l->capacity, sizeof *l->item);
  l->item[l->count++] = *i;
}

static void list_add_all(struct macro_list *l, const struct macro_list *more)
{
  for (size_t k = 0; k < more->count; k++) list_add(l, &more->item[k]);
}

static void expansion_push(struct expansion *x, const struct macro_list *l, struct macro *m)
{
  x->level = memory_grow(x->level, x->levels, &x->capacity, sizeof *x->level);
  x->level[x->levels++] = (struct macro_level){l->item, l->item ? l->item + l->count : NULL, m};
  if (m) m->busy++;
}

static void expansion_pop(struct expansion *x)
{
  struct macro *m = x->level[--x->levels].macro;
  if (m) m->busy--;
}

/* The next token of levels above the base, which stays there; NULL: there is none. */
static const struct macro_item *expansion_peek(struct expansion *x, size_t base)
{
  while (x->levels > base && x->level[x->levels - 1].next == x->level[x->levels - 1].end) expansion_pop(x);
  return x->levels > base ? x->level[x->levels - 1].next : NULL;
}

static struct macro *expansion_macro(const struct expansion *x, const struct macro_item *i)
{
  if (i->token.kind != TOKEN_NAME) return NULL;
  return table_find(&x->macros->table, i->token.text, i->token.length);
}

static int expansion_take(struct expansion *x, size_t base, struct macro_item *i)
{
  const struct macro_item *next = expansion_peek(x, base);
  if (!next) return 0;
  x->level[x->levels - 1].next++;
  *i = *next;
  const struct macro *m = expansion_macro(x, i);
  if (m && m->busy) i->never = 1;
  return 1;
}

/* ---- texts that are made ---- */

static void item_place(struct macro_item *i, const struct token *like)
{
  i->token.line = like->line;
  i->token.column = like->column;
  i->token.file = like->file;
  i->token.system = like->system;
}

static struct macro_item item_made(
    struct expansion *x, enum token_kind kind, const struct bytes *text, const struct token *like)
{
  struct macro_item i = {.token = *like};
  i.token.kind = kind;
  i.token.text = arena_copy(x->macros->arena, text->at ? text->at : "", text->length);
  i.token.length = (unsigned)text->length;
  return i;
}

static void quote_add(struct bytes *to, const char *text, size_t n)
{
  for (size_t k = 0; k < n; k++) {
    if (text[k] == '"' || text[k] == '\\') bytes_add(to, "\\", 1);
    bytes_add(to, text + k, 1);
  }
}

/* #parameter */
static struct macro_item item_string(
    struct expansion *x, const struct macro_list *argument, const struct token *like)
{
  struct bytes text = {0};
  bytes_add(&text, "\"", 1);
  for (size_t k = 0; k < argument->count; k++) {
    const struct token *t = &argument->item[k].token;
    if (k && t->spaced) bytes_add(&text, " ", 1);
    if (t->kind == TOKEN_STRING || t->kind == TOKEN_CHARACTER) quote_add(&text, t->text, t->length);
    else bytes_add(&text, t->text, t->length);
  }
  bytes_add(&text, "\"", 1);
  expansion_work(x, text.length / 16);
  const struct macro_item i = item_made(x, TOKEN_STRING, &text, like);
  free(text.at);
  return i;
}

/* left ## right; where that is no token both stay. */
static int item_paste(struct expansion *x, struct macro_item *left, const struct macro_item *right)
{
  struct bytes text = {0};
  struct token t;
  bytes_add(&text, left->token.text, left->token.length);
  bytes_add(&text, right->token.text, right->token.length);
  expansion_work(x, text.length / 16);
  struct macro_item i = item_made(x, TOKEN_OTHER, &text, &left->token);
  free(text.at);
  struct lex l = {.at = i.token.text, .end = i.token.text + i.token.length, .line_begin = i.token.text};
  lex_token(&l, &t);
  if (t.length != i.token.length || t.kind == TOKEN_OTHER) {
    if (!x->failed)
      message_error(
          x->at, "## makes \"%.60s\" in a macro of this directive, which is no token", i.token.text);
    x->failed = 1;
    return 0;
  }
  i.token.kind = t.kind;
  i.pasted = right->pasted;
  *left = i;
  return 1;
}

static struct macro_item item_special(struct expansion *x, const struct macro *m, const struct token *name)
{
  struct bytes text = {0};
  char number[32];
  const char *file = x->at->file, *slash = strrchr(file, '/');
  if (m->kind == MACRO_LINE) {
    bytes_add(&text, number, (size_t)snprintf(number, sizeof number, "%u", x->at->line));
  } else {
    if (m->kind == MACRO_FILE_NAME && slash) file = slash + 1;
    bytes_add(&text, "\"", 1);
    quote_add(&text, file, strlen(file));
    bytes_add(&text, "\"", 1);
  }
  const struct macro_item i = item_made(x, m->kind == MACRO_LINE ? TOKEN_NUMBER : TOKEN_STRING, &text, name);
  free(text.at);
  return i;
}

/* ---- a call's arguments ---- */

struct macro_call {
  struct expansion *x;
  struct macro *macro;
  struct macro_item name;
  struct macro_list *argument; /* [arguments], as written */
  size_t arguments, capacity;
  struct macro_list *expanded; /* [parameters]; capacity 0: not yet */
  size_t skip;                 /* of the body: where a ) of __VA_OPT__ is; 0: nowhere */
};

static void call_add_argument(struct macro_call *c)
{
  c->argument = memory_grow(c->argument, c->arguments, &c->capacity, sizeof *c->argument);
  c->argument[c->arguments++] = (struct macro_list){0};
}

/* Reads up to the ) that closes the call, at whose ( the stack is. 0: there is none. */
static int call_read(struct macro_call *c, size_t base)
{
  struct macro_item i;
  size_t depth = 0;
  call_add_argument(c);
  while (expansion_take(c->x, base, &i)) {
    const int close = token_is(&i.token, ")"), is_open = token_is(&i.token, "(");
    if (is_open && depth++ == 0) continue;
    if (close && --depth == 0) return 1;
    const int last = c->macro->is_variadic && c->arguments == c->macro->parameters;
    if (depth == 1 && !last && token_is(&i.token, ",")) call_add_argument(c);
    else list_add(&c->argument[c->arguments - 1], &i);
  }
  return 0;
}

/* One argument that is empty is none; variable arguments may be left out. */
static int call_fits(struct macro_call *c)
{
  const size_t wanted = c->macro->parameters;
  if (c->arguments == 1 && c->argument[0].count == 0 && wanted == 0) c->arguments = 0;
  if (c->macro->is_variadic && c->arguments + 1 == wanted) call_add_argument(c);
  return c->arguments == wanted;
}

static int call_check(struct macro_call *c, size_t base)
{
  const struct token *name = &c->name.token;
  if (!call_read(c, base))
    message_error(
        c->x->at, "the arguments of macro %.*s have no ) behind them", (int)name->length, name->text);
  else if (!call_fits(c))
    message_error(c->x->at, "macro %.*s has %zu argument%s here, but takes %u", (int)name->length, name->text,
        c->arguments, c->arguments == 1 ? "" : "s", c->macro->parameters);
  else return 1;
  return c->x->failed = 1, 0;
}

static void call_free(struct macro_call *c)
{
  for (size_t k = 0; k < c->arguments; k++) free(c->argument[k].item);
  for (size_t k = 0; c->expanded && k < c->macro->parameters; k++) free(c->expanded[k].item);
  free(c->argument);
  free(c->expanded);
}

/* ---- a macro's body with its arguments ---- */

static void expansion_run(struct expansion *x, size_t base, struct macro_list *out);

static const struct macro_list *call_expanded(struct macro_call *c, size_t k)
{
  struct expansion *x = c->x;
  struct macro_list *l = &c->expanded[k];
  if (l->capacity) return l;
  if (x->depth == MACRO_DEPTH_MOST)
    expansion_fail(x, "macros are nested in arguments of macros deeper than", MACRO_DEPTH_MOST);
  if (x->failed) return &c->argument[k];
  const size_t base = x->levels;
  x->depth++;
  expansion_push(x, &c->argument[k], NULL);
  expansion_run(x, base, l);
  x->depth--;
  if (!l->capacity) l->item = memory_grow(l->item, 0, &l->capacity, sizeof *l->item);
  return l;
}

static int body_is(const struct macro *m, size_t k, const char *text)
{
  return k < m->count && token_is(&m->body[k].token, text);
}

/* The tokens of an argument in the place of a parameter. Beside ## an empty one leaves a mark. */
static void body_argument(
    struct macro_list *out, const struct macro_list *argument, const struct macro_item *parameter, int beside)
{
  const size_t first = out->count;
  const struct macro_item nothing = {.token = parameter->token, .empty = 1};
  list_add_all(out, argument);
  if (out->count == first && beside) list_add(out, &nothing);
  if (out->count > first) out->item[first].token.spaced = parameter->token.spaced;
}

/* A parameter at k of the body. Beside ## its argument is taken as it is. GNU's ", ## __VA_ARGS__" joins
 * nothing, and without arguments drops the comma. */
static void body_parameter(struct macro_call *c, size_t k, struct macro_list *out)
{
  const struct macro *m = c->macro;
  const unsigned number = m->body[k].parameter;
  const struct macro_list *argument = &c->argument[number - 1];
  const int right = k && body_is(m, k - 1, "##"), left = body_is(m, k + 1, "##");
  if (right && k >= 2 && body_is(m, k - 2, ",") && m->is_variadic && number == m->parameters && out->count) {
    out->item[out->count - 1].pasted = 0;
    if (!argument->count) out->count--;
  }
  if (!left && !right) argument = call_expanded(c, number - 1);
  body_argument(out, argument, &m->body[k], left || right);
}

/* At __VA_OPT__ ( in the body, whose end is found: the place to go on at. */
static size_t body_optional(struct macro_call *c, size_t k, struct macro_list *out)
{
  const struct macro *m = c->macro;
  const struct macro_item nothing = {.token = m->body[k].token, .empty = 1};
  size_t end = k + 1, depth = 0;
  for (; end < m->count; end++) {
    if (body_is(m, end, "(")) depth++;
    if (body_is(m, end, ")") && --depth == 0) break;
  }
  if (call_expanded(c, m->parameters - 1)->count) return c->skip = end, k + 1;
  list_add(out, &nothing);
  return end;
}

/* Appends what token k of the body gives; the number of the last token that was used. */
static size_t body_step(struct macro_call *c, size_t k, struct macro_list *out)
{
  const struct macro *m = c->macro;
  struct macro_item i = m->body[k];
  item_place(&i, &c->name.token);
  if (k && k == c->skip) return k;
  if (body_is(m, k, "##") && k && out->count) return out->item[out->count - 1].pasted = 1, k;
  if (m->has_parameters && body_is(m, k, "#") && k + 1 < m->count && m->body[k + 1].parameter) {
    i = item_string(c->x, &c->argument[m->body[k + 1].parameter - 1], &i.token);
    return list_add(out, &i), k + 1;
  }
  if (m->is_variadic && body_is(m, k, "__VA_OPT__") && body_is(m, k + 1, "("))
    return body_optional(c, k, out);
  if (i.parameter) return body_parameter(c, k, out), k;
  return list_add(out, &i), k;
}

/* Joins what ## is between, and drops the marks of empty arguments. */
static void body_paste(struct expansion *x, struct macro_list *l)
{
  size_t n = 0;
  for (size_t k = 0; k < l->count; k++) {
    struct macro_item i = l->item[k];
    while (i.pasted && k + 1 < l->count) {
      const struct macro_item *right = &l->item[k + 1];
      if (i.empty) i = *right;
      else if (right->empty) i.pasted = right->pasted;
      else if (!item_paste(x, &i, right)) break;
      k++;
    }
    i.pasted = 0;
    if (!i.empty) l->item[n++] = i;
  }
  l->count = n;
}

/* Puts what the macro gives on the stack. */
static void call_replace(struct macro_call *c)
{
  struct expansion *x = c->x;
  struct macro_list out = {0};
  if (c->macro->parameters) c->expanded = memory_get(c->macro->parameters * sizeof *c->expanded);
  for (size_t k = 0; k < c->macro->count && !x->failed; k++) {
    k = body_step(c, k, &out);
    if (x->work + out.count > MACRO_WORK_MOST) expansion_work(x, out.count);
  }
  body_paste(x, &out);
  expansion_work(x, out.count + 1);
  struct macro_list kept = {.item = arena_get(&x->scratch, out.count * sizeof *out.item), .count = out.count};
  if (out.count) {
    memcpy(kept.item, out.item, out.count * sizeof *out.item);
    kept.item[0].token.spaced = c->name.token.spaced;
  }
  free(out.item);
  if (!x->failed) expansion_push(x, &kept, c->macro);
}

/* How often the preprocessor has counted is not known. */
static int expansion_counts(struct expansion *x)
{
  message_error(x->at, "__COUNTER__ cannot be in a directive; make a constant of it before, by enum");
  return x->failed = 1, 0;
}

static int expansion_doubts(struct expansion *x, const struct token *name)
{
  message_error(x->at,
      "the definition of macro %.*s is saved by push_macro, so it is not known here; make a constant of it "
      "before, by enum",
      (int)name->length, name->text);
  return x->failed = 1, 0;
}

/* A name that has been taken: replaces it, or says that it stays. */
static int expansion_replace(struct expansion *x, size_t base, const struct macro_item *name)
{
  struct macro *m = x->failed || name->never ? NULL : expansion_macro(x, name);
  const struct macro_item *next;
  if (!m) return 0;
  if (m->kind == MACRO_COUNTER) return expansion_counts(x);
  if (m->is_changed && x->macros->is_saved(x->macros->context, name->token.text, name->token.length))
    return expansion_doubts(x, &name->token);
  if (m->kind == MACRO_UNDEFINED) return 0;
  macro_read(m, x->macros->arena);
  struct macro_call c = {.x = x, .macro = m, .name = *name};
  if (m->has_parameters && (!(next = expansion_peek(x, base)) || !token_is(&next->token, "("))) return 0;
  if (m->kind != MACRO_TEXT) {
    struct macro_list l = {.item = arena_get(&x->scratch, sizeof *l.item), .count = 1};
    *l.item = item_special(x, m, &name->token);
    expansion_push(x, &l, m);
    return 1;
  }
  if (!m->has_parameters || call_check(&c, base)) call_replace(&c);
  call_free(&c);
  return 1;
}

static void expansion_run(struct expansion *x, size_t base, struct macro_list *out)
{
  struct macro_item i;
  while (expansion_take(x, base, &i))
    if (!expansion_replace(x, base, &i)) list_add(out, &i);
}

/* ---- the whole list ---- */

/* Neighbours that did not stand side by side, and would be read as one token. */
static int tokens_paste(const struct token *left, const struct token *right)
{
  if (right->spaced || !left->length || !right->length || left->text + left->length == right->text) return 0;
  return pieces_pastes(left->text[left->length - 1], *right->text);
}

static struct token *expansion_tokens(const struct macro_list *l, const struct token *end)
{
  struct token *list = memory_get((l->count + 1) * sizeof *list);
  for (size_t k = 0; k < l->count; k++) {
    list[k] = l->item[k].token;
    if (k && tokens_paste(&list[k - 1], &list[k])) list[k].spaced = 1;
  }
  list[l->count] = *end;
  return list;
}

struct token *macros_expand(struct macros *m, const struct token *list, size_t kept, const struct token *at)
{
  struct expansion x = {.macros = m, .at = at};
  struct macro_list in = {0}, out = {0};
  const struct token *t = list;
  for (; t->kind != TOKEN_END; t++) {
    const struct macro_item i = {.token = *t};
    list_add((size_t)(t - list) < kept ? &out : &in, &i);
  }
  expansion_push(&x, &in, NULL);
  expansion_run(&x, 0, &out);
  struct token *expanded = expansion_tokens(&out, t);
  free(in.item);
  free(out.item);
  free(x.level);
  arena_free(&x.scratch);
  return expanded;
}
