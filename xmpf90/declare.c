/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmpf90/declare.h"

#include <string.h>

/* ---- memory ---- */

void *declare_take(struct units *all, size_t size)
{
  void *const p = arena_get(&all->arena, size);
  return memset(p, 0, size);
}

/* Lists have 4, 8, 16.. places. */
void *declare_grow(struct units *all, void *list, int count, size_t size)
{
  if (count && (count < 4 || (count & (count - 1)) != 0)) return list;
  const size_t old = (size_t)count * size;
  void *const more = declare_take(all, count ? 2 * old : 4 * size);
  if (old) memcpy(more, list, old);
  return more;
}

/* ---- tokens ---- */

struct expression declare_range(const struct statement *s, size_t first, size_t last)
{
  return (struct expression){s->token + first, s->token + last};
}

static int is_opening(const struct statement *s, size_t k)
{
  return statement_is(s, k, "(") || statement_is(s, k, "[");
}

size_t declare_entry_end(const struct statement *s, size_t k)
{
  while (k < s->count && !statement_is(s, k, ",") && !statement_is(s, k, ")") && !statement_is(s, k, "]"))
    k = is_opening(s, k) ? statement_skip(s, k) : k + 1;
  return k;
}

static int is_name(const struct statement *s, size_t k)
{
  return k < s->count && s->token[k].kind == TOKEN_NAME;
}

/* ---- symbols ---- */

/* Names are compared without case: they are kept in small letters. */
struct symbol *declare_name(struct units *all, struct unit *u, const struct token *name, size_t statement)
{
  char *const small = arena_copy(&all->arena, name->text, name->length);
  for (char *c = small; *c; c++)
    if (*c >= 'A' && *c <= 'Z') *c = (char)(*c | 0x20);
  while (u->kind == UNIT_ENUM) u = u->parent;
  void **const place = table_make(&u->names, small, name->length);
  if (*place) return *place;
  struct symbol *const made = *place = declare_take(all, sizeof *made);
  *made = (struct symbol){.name = small, .at = name, .statement = statement, .unit = u};
  return made;
}

/* ---- bounds ---- */

static struct bound bound_read(const struct statement *s, size_t k, size_t end)
{
  size_t colon = k;
  while (colon < end && !statement_is(s, colon, ":"))
    colon = is_opening(s, colon) ? statement_skip(s, colon) : colon + 1;
  if (colon > end) colon = end;
  const int is_rank = end == k + 2 && statement_is(s, k, ".") && statement_is(s, k + 1, ".");
  const int is_star = end > k && statement_is(s, end - 1, "*");
  struct bound b = {BOUND_EXPLICIT, declare_range(s, k, k), declare_range(s, k, end)};
  if (is_rank) return b.kind = BOUND_ASSUMED_RANK, b;
  if (colon < end) {
    b.a = declare_range(s, k, colon);
    b.b = declare_range(s, colon + 1, end);
    if (colon + 1 == end) b.kind = colon == k ? BOUND_DEFERRED : BOUND_ASSUMED_LOWER;
  }
  if (is_star) b.kind = BOUND_ASSUMED_SIZE;
  return b;
}

/* Reads (..) at k, the dimensions of a symbol; gives the place behind it. */
static size_t dimensions_read(struct units *all, struct symbol *y, const struct statement *s, size_t k)
{
  const size_t after = statement_skip(s, k);
  y->bound = NULL;
  y->rank = 0;
  for (k++; k < after;) {
    const size_t end = declare_entry_end(s, k);
    if (end == k) break;
    y->bound = declare_grow(all, y->bound, y->rank, sizeof *y->bound);
    y->bound[y->rank++] = bound_read(s, k, end);
    if (!statement_is(s, end, ",")) break;
    k = end + 1;
  }
  return after;
}

static size_t codimension_read(struct symbol *y, const struct statement *s, size_t k)
{
  const size_t after = statement_skip(s, k);
  y->codimension = declare_range(s, k + 1, after > k + 1 ? after - 1 : k + 1);
  return after;
}

/* ---- attributes ---- */

struct attributes {
  unsigned bits;
  size_t dimension, codimension; /* the brackets; 0: none */
};

static unsigned intent_bits(const struct statement *s, size_t k)
{
  unsigned bits = 0;
  for (; k < s->count && !statement_is(s, k, ")"); k++) {
    const struct token *const t = &s->token[k];
    if (token_is_word(t, "in") || token_is_word(t, "inout")) bits |= SYMBOL_INTENT_IN;
    if (token_is_word(t, "out") || token_is_word(t, "inout")) bits |= SYMBOL_INTENT_OUT;
  }
  return bits;
}

static unsigned word_bits(const struct token *t)
{
  static const struct {
    const char *word;
    unsigned bits;
  } words[] = {{"allocatable", SYMBOL_ALLOCATABLE}, {"pointer", SYMBOL_POINTER}, {"target", SYMBOL_TARGET},
      {"save", SYMBOL_SAVE}, {"parameter", SYMBOL_PARAMETER}, {"optional", SYMBOL_OPTIONAL},
      {"value", SYMBOL_VALUE}, {"external", SYMBOL_EXTERNAL}, {"intrinsic", SYMBOL_INTRINSIC},
      {"contiguous", SYMBOL_CONTIGUOUS}, {"volatile", SYMBOL_VOLATILE}, {"asynchronous", SYMBOL_ASYNCHRONOUS},
      {"protected", SYMBOL_PROTECTED}, {"public", SYMBOL_PUBLIC}, {"private", SYMBOL_PRIVATE},
      {"bind", SYMBOL_BIND}};
  for (size_t k = 0; k < sizeof words / sizeof *words; k++)
    if (token_is_word(t, words[k].word)) return words[k].bits;
  return 0;
}

/* The word at k with its brackets; gives the place behind. */
static size_t attribute_read(const struct statement *s, size_t k, struct attributes *a)
{
  const struct token *const t = &s->token[k];
  const int brackets = is_opening(s, k + 1);
  if (token_is_word(t, "intent")) a->bits |= intent_bits(s, k + 1);
  else if (token_is_word(t, "dimension") && brackets) a->dimension = k + 1;
  else if (token_is_word(t, "codimension") && brackets) a->codimension = k + 1;
  else a->bits |= word_bits(t);
  return brackets ? statement_skip(s, k + 1) : k + 1;
}

/* The place of :: outside of brackets; count: it has none. */
static size_t double_colon(const struct statement *s, size_t k)
{
  while (k < s->count && !statement_is_double(s, k, ":")) k = is_opening(s, k) ? statement_skip(s, k) : k + 1;
  return k;
}

/* ", allocatable, dimension(:) ::" at k, or nothing; gives the place behind. */
static size_t attributes_read(const struct statement *s, size_t k, struct attributes *a)
{
  const size_t colon = double_colon(s, k);
  if (colon == s->count) return statement_is(s, k, ",") ? k + 1 : k;
  while (k < colon) k = statement_is(s, k, ",") && is_name(s, k + 1) ? attribute_read(s, k + 1, a) : k + 1;
  return colon + 2;
}

/* ---- names in lists ---- */

/* What is behind a name: (..) [..] *8 (..) and = or => with a value; gives the place behind. */
static size_t entity_rest(struct units *all, struct symbol *y, const struct statement *s, size_t k)
{
  if (statement_is(s, k, "(")) k = dimensions_read(all, y, s, k);
  if (statement_is(s, k, "[")) k = codimension_read(y, s, k);
  if (statement_is(s, k, "*")) {
    const size_t end = statement_is(s, k + 1, "(") ? statement_skip(s, k + 1) : k + 2;
    y->length = declare_range(s, k + 1, end < s->count ? end : s->count);
    k = end;
    if (statement_is(s, k, "(")) k = dimensions_read(all, y, s, k); /* c*8(3) */
  }
  if (!statement_is(s, k, "=") && !statement_is(s, k, "=>") && !statement_is(s, k, "/")) return k;
  const size_t end = declare_entry_end(s, k + 1);
  y->attributes |= SYMBOL_INITIAL;
  y->initial = declare_range(s, k + 1, end);
  return end;
}

/* Behind the value of an old initialiser: /1, 2/. */
static size_t slashes_skip(const struct statement *s, size_t k)
{
  for (k++; k < s->count && !statement_is(s, k, "/"); k++) continue;
  return k < s->count ? k + 1 : k;
}

static size_t entity_read(struct units *all, struct unit *u, size_t place, size_t k,
    const struct attributes *a, struct symbol **made)
{
  const struct statement *const s = &all->l->statement[place];
  struct symbol *const y = *made = declare_name(all, u, &s->token[k], place);
  y->attributes |= a->bits;
  if (a->dimension) dimensions_read(all, y, s, a->dimension);
  if (a->codimension) codimension_read(y, s, a->codimension);
  const size_t after = entity_rest(all, y, s, k + 1);
  const int is_old = (y->attributes & SYMBOL_INITIAL) != 0 && y->initial.first > s->token &&
      token_is(y->initial.first - 1, "/");
  return is_old && y->initial.first - 1 > s->token + k
      ? slashes_skip(s, (size_t)(y->initial.first - 1 - s->token))
      : after;
}

/* name(..), name, ..: the attributes and, where it is not empty, the type are those of all. */
static void entities_read(struct units *all, struct unit *u, size_t place, size_t k,
    const struct attributes *a, struct expression type)
{
  const struct statement *const s = &all->l->statement[place];
  while (k < s->count) {
    if (!is_name(s, k)) {
      k++; /* a comma, or what none knows */
      continue;
    }
    struct symbol *y;
    k = entity_read(all, u, place, k, a, &y);
    if (!expression_is_empty(&type)) y->type = type, y->statement = place;
    while (k < s->count && !statement_is(s, k, ",")) k = is_opening(s, k) ? statement_skip(s, k) : k + 1;
  }
}

/* ---- statements ---- */

static void declaration_read(struct units *all, struct unit *u, size_t k)
{
  const struct statement *const s = &all->l->statement[k];
  struct attributes a = {0};
  const size_t at = attributes_read(s, s->body, &a);
  entities_read(all, u, k, at, &a, declare_range(s, s->first, s->body));
}

/* PROCEDURE(f), POINTER :: p => null() */
static void procedure_read(struct units *all, struct unit *u, size_t k)
{
  const struct statement *const s = &all->l->statement[k];
  struct attributes a = {.bits = SYMBOL_PROCEDURE};
  const size_t at = statement_is(s, s->body, "(") ? statement_skip(s, s->body) : s->body;
  if (u->kind == UNIT_INTERFACE) return; /* names of procedures that are elsewhere */
  entities_read(all, u, k, attributes_read(s, at, &a), &a, (struct expression){s->token, s->token});
}

/* DIMENSION a(3), b; SAVE; INTENT(IN) :: c; BIND(C) :: /d/ */
static void attribute_statement(struct units *all, struct unit *u, size_t k)
{
  const struct statement *const s = &all->l->statement[k];
  struct attributes a = {0};
  const int is_dimension = token_is_word(s->token, "dimension") || token_is_word(s->token, "codimension");
  size_t at = is_dimension ? s->body : attribute_read(s, s->first, &a);
  if (!token_is_word(s->token, "intent") && !token_is_word(s->token, "bind")) at = s->body;
  if (a.bits & SYMBOL_SAVE && at == s->count) u->saves_all = 1;
  if (statement_is_double(s, at, ":")) at += 2;
  while (at < s->count) {
    struct symbol *y;
    if (statement_is(s, at, "/")) at = slashes_skip(s, at);
    else at = is_name(s, at) ? entity_read(all, u, k, at, &a, &y) : at + 1;
  }
}

/* PARAMETER (a = 1, b = 2), and ENUMERATOR :: a = 1, b */
static void parameter_read(struct units *all, struct unit *u, size_t k)
{
  const struct statement *const s = &all->l->statement[k];
  const struct attributes a = {.bits = SYMBOL_PARAMETER};
  size_t at = s->body;
  if (statement_is(s, at, "(")) at++;
  while (at < s->count) {
    struct symbol *y;
    at = is_name(s, at) ? entity_read(all, u, k, at, &a, &y) : at + 1;
  }
}

/* COMMON /c/ a, b(3) // d, and NAMELIST /n/ a, b */
static void common_read(struct units *all, struct unit *u, size_t k, unsigned bits)
{
  const struct statement *const s = &all->l->statement[k];
  for (size_t at = s->body; at < s->count;) {
    if (statement_is(s, at, "/")) {
      at = slashes_skip(s, at);
    } else if (is_name(s, at)) {
      struct symbol *const y = declare_name(all, u, &s->token[at], k);
      y->attributes |= bits;
      at++;
      if (statement_is(s, at, "(")) at = dimensions_read(all, y, s, at);
    } else {
      at++;
    }
  }
}

/* EQUIVALENCE (a, b(1)), (c, d) */
static void equivalence_read(struct units *all, struct unit *u, size_t k)
{
  const struct statement *const s = &all->l->statement[k];
  for (size_t at = s->body; at < s->count; at++) {
    if (!is_name(s, at)) continue;
    declare_name(all, u, &s->token[at], k)->attributes |= SYMBOL_EQUIVALENCE;
    if (is_opening(s, at + 1)) at = statement_skip(s, at + 1) - 1;
  }
}

/* DATA a, b(1) /1, 2/, (c(i), i = 1, 3) /3*0/ */
static void data_read(struct units *all, struct unit *u, size_t k)
{
  const struct statement *const s = &all->l->statement[k];
  for (size_t at = s->body; at < s->count;) {
    if (statement_is(s, at, "/")) {
      at = slashes_skip(s, at);
    } else if (is_name(s, at)) {
      declare_name(all, u, &s->token[at], k)->attributes |= SYMBOL_INITIAL;
      at = is_opening(s, at + 1) ? statement_skip(s, at + 1) : at + 1;
    } else {
      while (statement_is(s, at, "(")) at++;
      if (at < s->count && !is_name(s, at) && !statement_is(s, at, "/")) at++;
    }
  }
}

static void access_read(struct units *all, struct unit *u, size_t k)
{
  const struct statement *const s = &all->l->statement[k];
  const unsigned bits = word_bits(s->token);
  for (size_t at = s->body; at < s->count; at++)
    if (is_opening(s, at)) at = statement_skip(s, at) - 1; /* operator(+) */
    else if (is_name(s, at) && !is_opening(s, at + 1))
      declare_name(all, u, &s->token[at], k)->attributes |= bits;
}

void declare(struct units *all, struct unit *u, size_t k)
{
  switch (all->l->statement[k].kind) {
  case STATEMENT_DECLARATION: declaration_read(all, u, k); break;
  case STATEMENT_PROCEDURE: procedure_read(all, u, k); break;
  case STATEMENT_ATTRIBUTE: attribute_statement(all, u, k); break;
  case STATEMENT_PARAMETER:
  case STATEMENT_ENUMERATOR: parameter_read(all, u, k); break;
  case STATEMENT_COMMON: common_read(all, u, k, SYMBOL_COMMON); break;
  case STATEMENT_NAMELIST: common_read(all, u, k, SYMBOL_NAMELIST); break;
  case STATEMENT_EQUIVALENCE: equivalence_read(all, u, k); break;
  case STATEMENT_DATA: data_read(all, u, k); break;
  case STATEMENT_ACCESS: access_read(all, u, k); break;
  default: break;
  }
}

/* ---- procedures ---- */

/* (a, b, *) at k; gives the place behind. Arguments of an ENTRY are dummies of the unit, too. */
static size_t dummies_read(struct units *all, struct unit *u, size_t place, size_t k)
{
  const struct statement *const s = &all->l->statement[place];
  if (!statement_is(s, k, "(")) return k;
  const size_t after = statement_skip(s, k);
  for (k++; k < after; k++) {
    if (!is_name(s, k) && !statement_is(s, k, "*")) continue;
    struct symbol *const y = is_name(s, k) ? declare_name(all, u, &s->token[k], place) : NULL;
    u->dummy = declare_grow(all, u->dummy, u->dummies, sizeof(struct symbol *));
    u->dummy[u->dummies++] = y;
    if (y) y->attributes |= SYMBOL_DUMMY, y->dummy = u->dummies;
  }
  return after;
}

/* The type before FUNCTION. */
static struct expression prefix_type(struct statement *s)
{
  for (size_t k = 0; k < s->name; k++) {
    const size_t after = statement_type(s, k);
    if (after > k) return declare_range(s, k, after);
  }
  return declare_range(s, 0, 0);
}

void declare_procedure(struct units *all, struct unit *u, size_t k)
{
  struct statement *const s = &all->l->statement[k];
  size_t at = dummies_read(all, u, k, s->body + (s->kind == STATEMENT_ENTRY));
  if (s->kind != STATEMENT_FUNCTION) return;
  const struct token *result = &s->token[s->name];
  for (; at + 2 < s->count; at++)
    if (token_is_word(&s->token[at], "result") && statement_is(s, at + 1, "(") && is_name(s, at + 2))
      result = &s->token[at + 2];
  u->result = declare_name(all, u, result, k);
  u->result->attributes |= SYMBOL_RESULT;
  u->result->type = prefix_type(s);
}
