/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmpf90/unit.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "xmpf90/declare.h"
#include "xmpf90/nest.h"

struct unit_reader {
  struct units *all;
  struct unit *unit; /* the innermost one that is open */
  struct nest nest;
};

/* ---- beginning and end ---- */

static struct unit *unit_open(struct unit_reader *r, enum unit_kind kind, size_t k, const struct token *name)
{
  struct unit *const u = declare_take(r->all, sizeof *u), *const parent = r->unit;
  u->kind = kind;
  u->name = name;
  u->parent = parent;
  u->first = u->last = k;
  u->executable = u->contains = SIZE_MAX;
  if (parent && parent->last_child) parent->last_child->next = u;
  else if (parent) parent->child = u;
  if (parent) parent->last_child = u;
  r->unit = u;
  if (kind != UNIT_BLOCK) nest_enter(&r->nest);
  return u;
}

static void unit_close(struct unit_reader *r, size_t k)
{
  struct unit *const u = r->unit;
  u->last = k;
  if (u->kind != UNIT_BLOCK) nest_leave(&r->nest);
  r->unit = u->parent;
}

/* A bare END ends a program unit or procedure. */
static int unit_is_procedure(const struct unit *u)
{
  return u->kind >= UNIT_PROGRAM && u->kind <= UNIT_PROCEDURE;
}

static enum unit_kind unit_kind(enum statement_kind kind)
{
  switch (kind) {
  case STATEMENT_PROGRAM: return UNIT_PROGRAM;
  case STATEMENT_MODULE: return UNIT_MODULE;
  case STATEMENT_SUBMODULE: return UNIT_SUBMODULE;
  case STATEMENT_BLOCK_DATA: return UNIT_BLOCK_DATA;
  case STATEMENT_SUBROUTINE: return UNIT_SUBROUTINE;
  case STATEMENT_FUNCTION: return UNIT_FUNCTION;
  case STATEMENT_MODULE_PROCEDURE: return UNIT_PROCEDURE;
  case STATEMENT_INTERFACE: return UNIT_INTERFACE;
  case STATEMENT_TYPE: return UNIT_TYPE;
  case STATEMENT_ENUM: return UNIT_ENUM;
  case STATEMENT_BLOCK: return UNIT_BLOCK;
  default: return UNIT_FILE;
  }
}

/* The unit that the END statement k ends; NULL: it ends a construct, or nothing. */
static struct unit *unit_ended(const struct unit_reader *r, size_t k)
{
  const enum statement_kind ends = r->all->l->statement[k].ends;
  const enum unit_kind kind = unit_kind(ends);
  if (ends && kind == UNIT_FILE) return NULL;
  for (struct unit *u = r->unit; u->kind != UNIT_FILE; u = u->parent) {
    if (ends ? u->kind == kind : unit_is_procedure(u)) return u;
    if (ends && kind >= UNIT_INTERFACE && unit_is_procedure(u))
      return NULL; /* what is in it cannot end around it */
  }
  return NULL;
}

static void unit_end(struct unit_reader *r, size_t k)
{
  const struct unit *const ended = unit_ended(r, k);
  if (!ended) {
    nest_end(&r->nest, k);
    return;
  }
  if (ended->kind == UNIT_BLOCK) nest_end(&r->nest, k);
  while (r->unit != ended) unit_close(r, k);
  unit_close(r, k);
}

/* ---- use, import, implicit ---- */

/* ", only: a, b => c, operator(+)" from k on. */
static void use_names(struct units *all, struct use *use, const struct statement *s, size_t k)
{
  while (k < s->count) {
    const struct token *const t = &s->token[k];
    if (t->kind != TOKEN_NAME || statement_is(s, k + 1, "(")) {
      k = statement_is(s, k + 1, "(") ? statement_skip(s, k + 1) : k + 1;
      continue;
    }
    const int renamed = statement_is(s, k + 1, "=>") && k + 2 < s->count && t[2].kind == TOKEN_NAME;
    use->name = declare_grow(all, use->name, use->count, sizeof *use->name);
    use->name[use->count++] = (struct use_name){t, renamed ? t + 2 : t};
    k += renamed ? 3 : 1;
  }
}

static void use_read(struct unit_reader *r, size_t k)
{
  const struct statement *const s = &r->all->l->statement[k];
  size_t at = s->body;
  while (at < s->count && !statement_is_double(s, at, ":") && !(s->token[at].kind == TOKEN_NAME)) at++;
  for (size_t i = s->body; i < s->count; i++)
    if (statement_is_double(s, i, ":")) at = i + 2; /* use, intrinsic :: m */
  if (at >= s->count) return;
  struct use use = {.module = &s->token[at++], .statement = k};
  if (statement_is(s, at, ",")) at++;
  use.only = at + 1 < s->count && token_is_word(&s->token[at], "only") && statement_is(s, at + 1, ":");
  use_names(r->all, &use, s, use.only ? at + 2 : at);
  r->unit->use = declare_grow(r->all, r->unit->use, r->unit->uses, sizeof use);
  r->unit->use[r->unit->uses++] = use;
}

static void import_read(struct unit_reader *r, size_t k)
{
  const struct statement *const s = &r->all->l->statement[k];
  struct unit *const u = r->unit;
  if (s->body == s->count) u->imports_all = 1;
  for (size_t at = s->body; at < s->count; at++) {
    if (s->token[at].kind != TOKEN_NAME) continue;
    if (token_is_word(&s->token[at], "all")) u->imports_all = 1;
    u->import = declare_grow(r->all, u->import, u->imports, sizeof(struct token *));
    u->import[u->imports++] = &s->token[at];
  }
}

static int letter(const struct token *t)
{
  return t->kind == TOKEN_NAME && lexical_is_letter(*t->text) ? (*t->text | 0x20) - 'a' : -1;
}

/* (a-h, o) */
static void implicit_letters(struct unit *u, const struct statement *s, size_t k, struct expression type)
{
  const size_t after = statement_skip(s, k);
  for (k++; k < after; k++) {
    const int first = letter(&s->token[k]),
              last = statement_is(s, k + 1, "-") ? letter(&s->token[k + 2]) : first;
    for (int i = first; first >= 0 && i <= last; i++) u->implicit[i] = type;
    if (last != first) k += 2;
  }
}

static void implicit_read(struct unit_reader *r, size_t k)
{
  struct statement *const s = &r->all->l->statement[k];
  size_t at = s->body;
  if (statement_word(s, &at, "none")) {
    r->unit->is_implicit_none = 1;
    return;
  }
  while (at < s->count) {
    const size_t begin = at, type = statement_type(s, at);
    size_t open = type; /* REAL (A-H) has no kind: the brackets are the letters */
    if (type == begin) return;
    if (!statement_is(s, open, "(")) open = begin + 1;
    while (open < s->count && !statement_is(s, open, "(")) open++;
    if (open == s->count) return;
    implicit_letters(r->unit, s, open, declare_range(s, begin, open));
    at = statement_skip(s, open);
    if (statement_is(s, at, ",")) at++;
  }
}

/* ---- statement functions ---- */

/* Whether f(a, b) = is here, with names alone. */
static int has_names(const struct statement *s)
{
  if (s->body < 3 || !statement_is(s, 1, "(") || statement_skip(s, 1) != s->body || s->label.length) return 0;
  for (size_t k = 2; k + 1 < s->body; k++)
    if (k % 2 ? !statement_is(s, k, ",") : s->token[k].kind != TOKEN_NAME) return 0;
  return 1;
}

/* Before the first executable statement f(x) = .. is one where f is a scalar, or no name of the scope at all.
 */
static int is_statement_function(const struct unit_reader *r, const struct statement *s)
{
  const struct unit *const u = r->unit;
  int is_open;
  struct expression type;
  if (s->kind != STATEMENT_ASSIGNMENT || u->executable != SIZE_MAX || u->kind == UNIT_BLOCK || !has_names(s))
    return 0;
  const struct symbol *const own = unit_own(u, s->token);
  if (own) return own->rank == 0 && !(own->attributes & (SYMBOL_DUMMY | SYMBOL_POINTER | SYMBOL_PROCEDURE));
  if (unit_find(r->all, u, s->token, &is_open) || is_open) return 0;
  return unit_implicit(u, s->token, &type);
}

static void statement_function(struct unit_reader *r, size_t k)
{
  struct statement *const s = &r->all->l->statement[k];
  s->kind = STATEMENT_FUNCTION_STATEMENT;
  declare_name(r->all, r->unit, s->token, k)->attributes |= SYMBOL_STATEMENT_FUNCTION;
}

/* ---- statements ---- */

static int is_executable(enum statement_kind kind)
{
  return kind >= STATEMENT_IF_THEN && kind < STATEMENT_KINDS;
}

/* Whether the statement k begins a unit here. */
static int unit_begins(const struct unit_reader *r, size_t k)
{
  const struct statement *const s = &r->all->l->statement[k];
  if (s->kind == STATEMENT_MODULE_PROCEDURE) return r->unit->kind != UNIT_INTERFACE;
  return unit_kind(s->kind) != UNIT_FILE;
}

static void unit_begin(struct unit_reader *r, size_t k)
{
  struct statement *const s = &r->all->l->statement[k];
  const struct token *const name = s->name ? &s->token[s->name] : NULL;
  const enum unit_kind kind = unit_kind(s->kind);
  const unsigned bits = kind == UNIT_TYPE ? SYMBOL_TYPE : SYMBOL_PROCEDURE;
  if (kind == UNIT_BLOCK && r->unit->executable == SIZE_MAX) r->unit->executable = k;
  if (kind == UNIT_BLOCK) nest_begin(&r->nest, k);
  if (name && r->unit->kind != UNIT_FILE && (kind >= UNIT_SUBROUTINE && kind <= UNIT_TYPE))
    declare_name(r->all, r->unit, name, k)->attributes |= bits;
  struct unit *const u = unit_open(r, kind, k, name);
  if (kind == UNIT_SUBROUTINE || kind == UNIT_FUNCTION) declare_procedure(r->all, u, k);
}

static void unit_statement(struct unit_reader *r, size_t k)
{
  const struct statement *const s = &r->all->l->statement[k];
  switch (s->kind) {
  case STATEMENT_USE: use_read(r, k); break;
  case STATEMENT_IMPORT: import_read(r, k); break;
  case STATEMENT_IMPLICIT: implicit_read(r, k); break;
  case STATEMENT_ENTRY: declare_procedure(r->all, r->unit, k); break;
  case STATEMENT_CONTAINS: r->unit->contains = k; break;
  default: declare(r->all, r->unit, k);
  }
}

/* A main program may begin without PROGRAM; directives and what is not known, as an include line whose file
 * is elsewhere, begin nothing. */
static void unit_begin_main(struct unit_reader *r, size_t k)
{
  const enum statement_kind kind = r->all->l->statement[k].kind;
  if (r->unit->kind != UNIT_FILE || kind <= STATEMENT_OPENMP || kind == STATEMENT_END) return;
  unit_open(r, UNIT_PROGRAM, k, NULL);
}

static void unit_step(struct unit_reader *r, size_t k)
{
  struct statement *const s = &r->all->l->statement[k];
  if (unit_begins(r, k)) {
    unit_begin(r, k);
    r->all->of[k] = r->unit;
    nest_label(&r->nest, k);
    return;
  }
  unit_begin_main(r, k);
  r->all->of[k] = r->unit;
  if (is_statement_function(r, s)) statement_function(r, k);
  if (is_executable(s->kind) && r->unit->executable == SIZE_MAX) r->unit->executable = k;
  if (is_executable(s->kind)) nest_begin(&r->nest, k);
  const int ended = nest_label(&r->nest, k);
  if (s->kind != STATEMENT_END) unit_statement(r, k);
  else if (!ended || !s->ends) unit_end(r, k);
}

struct units *units_read(struct lines *l)
{
  struct units *const all = memory_get(sizeof *all);
  struct unit_reader r = {.all = all};
  *all = (struct units){
      .l = l, .of = memory_get(l->count * sizeof *all->of), .loop = memory_get(l->count * sizeof *all->loop)};
  nest_open(&r.nest, all);
  all->file = unit_open(&r, UNIT_FILE, 0, NULL);
  for (size_t k = 0; k < l->count; k++) unit_step(&r, k);
  const size_t last = l->count ? l->count - 1 : 0;
  while (r.unit) unit_close(&r, last);
  nest_close(&r.nest);
  return all;
}

/* Tables are the only memory outside of the arena. */
void units_free(struct units *u)
{
  if (!u) return;
  for (struct unit *at = u->file; at;) {
    table_free(&at->names);
    if (at->child) {
      at = at->child;
      continue;
    }
    while (at && !at->next) at = at->parent;
    if (at) at = at->next;
  }
  arena_free(&u->arena);
  free(u->of);
  free(u->loop);
  free(u);
}
