/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Global arrays that are members of structures: align s.m[i] with t[i], where s is the tag. The member
 * becomes a pointer to a descriptor, and every variable of the type gets an array of its own, which is made
 * where the variable is: by the constructor, or in its block. */
#include <string.h>

#include "xmpcc/side.h"

/* The tag of a declarator's structure, also by a typedef. */
static const struct token *tag_of(const struct unit *u, const struct specifiers *s)
{
  if (s->tag) return s->tag;
  for (const struct token *t = s->first; t < s->last; t++) {
    const struct symbol *const type = t->kind == TOKEN_NAME ? scope_find(u->scope, t) : NULL;
    if (type && type->kind == SYMBOL_TYPE && type->declarator && !type->declarator->pointer)
      return type->declarator->specifiers.tag;
  }
  return NULL;
}

struct array *member_find(const struct unit *u, const struct token *tag, const struct token *name)
{
  for (const struct member *m = u->members; m; m = m->next)
    if (name_is(m->tag, tag) && name_is(m->array->name, name)) return m->array;
  return NULL;
}

/* ---- the structure ---- */

static struct array *member_add(
    struct unit *u, const struct token *tag, const struct declarator *d, const struct block *b)
{
  struct member *const m = kept_take(sizeof *m);
  struct array *const a = array_new(u, d, 0);
  if (a->pointer)
    message_error(a->name, "'%s' is a pointer; an aligned member is an array", name_text(a->name));
  a->type = text_of("_xmp_t_%s_%s", name_text(tag), name_text(a->name));
  a->member = 1;
  a->tag = tag;
  for (int i = 0; i < b->count; i++)
    if (b->named[i].directive->kind == DIRECTIVE_SHADOW && b->named[i].object->member &&
        name_is(b->named[i].object->name, tag) && name_is(b->named[i].object->member, a->name))
      a->shadowed = &b->named[i];
  *m = (struct member){tag, a, u->members};
  u->members = m;
  return a;
}

static int is_aligned(const struct block *b, const struct token *tag, const struct token *name)
{
  for (int i = 0; i < b->count; i++)
    if (b->named[i].directive->kind == DIRECTIVE_ALIGN && b->named[i].object->member &&
        name_is(b->named[i].object->name, tag) && name_is(b->named[i].object->member, name))
      return 1;
  return 0;
}

/* A declaration may have several members. */
static void members_add(
    struct unit *u, const struct specifiers *s, struct declaration *d, const struct block *b)
{
  char *const goes = kept_take((size_t)d->count + 1);
  struct text behind = {0};
  for (int i = 0; i < d->count; i++) {
    if (!d->declarator[i].name || !is_aligned(b, s->tag, d->declarator[i].name)) continue;
    const struct array *const a = member_add(u, s->tag, &d->declarator[i], b);
    goes[i] = 1;
    edit_before(u->edits, s->first, "%s ", array_typedef(a));
    text_add(&behind, " pst_xmp_array_t *%s;", name_text(a->name));
  }
  if (behind.length) declaration_rewrite(u, d, goes, text_get(&behind));
}

void members_declare(struct unit *u, const struct specifiers *s, const struct block *b)
{
  if (!s->tag || !s->body || b->count == 0) return;
  for (const struct token *t = s->body + 1; t->kind != TOKEN_END && !token_is(t, "}");) {
    struct declaration d;
    declaration_read(u->scope, t, &d);
    members_add(u, s, &d, b);
    t = d.end > t ? d.end + token_is(d.end, ";") : t + 1;
  }
}

/* ---- its variables ---- */

static void member_begin(struct unit *u, const struct declarator *d, struct array *a, struct text *behind)
{
  const char *const variable = name_text(d->name), *const name = name_text(a->name);
  const char *const made = array_made(u, a, a->align);
  if (scope_level(u->scope) == 0) {
    unit_begin_add(u, d->name,
        d->dims ? text_of("{ unsigned long _xmp_i; for (_xmp_i = 0; _xmp_i < sizeof %s / sizeof(struct %s); "
                          "_xmp_i++) "
                          "((struct %s *)(void *)&%s)[_xmp_i].%s = %s; }",
                      variable, name_text(a->tag), name_text(a->tag), variable, name, made)
                : text_of("%s.%s = %s;", variable, name, made));
  } else if (d->dims)
    message_error(
        d->name, "'%s' is an array of structures with a global array; declare it in the file", variable);
  else if (d->specifiers.storage & STORAGE_STATIC)
    text_add(behind, " if (!%s.%s) %s.%s = %s;", variable, name, variable, name, made);
  else
    text_add(behind,
        " %s.%s = %s; pst_xmp_array_t **_xmp_s_%s_%s __attribute__((cleanup(pst_xmp_array_member_free))) = "
        "&%s.%s;",
        variable, name, made, variable, name, variable, name);
}

void members_begin(struct unit *u, const struct declarator *d, struct text *behind)
{
  if (!u->members || d->pointer || d->function || (d->specifiers.storage & STORAGE_EXTERN)) return;
  const struct token *const tag = tag_of(u, &d->specifiers);
  for (const struct member *m = u->members; m; m = m->next) {
    if (!name_is(m->tag, tag)) continue;
    if (m->array->aligned) member_begin(u, d, m->array, behind);
    else
      message_error(d->name, "'%s' is declared before the align directive of %s.%s", name_text(d->name),
          name_text(tag), name_text(m->array->name));
  }
}

/* ---- a structure as a whole ---- */

/* A member of such a structure that is a global array; NULL: it has none. */
static const struct array *members_first(const struct unit *u, const struct specifiers *s)
{
  const struct token *const tag = u->members ? tag_of(u, s) : NULL;
  for (const struct member *m = tag ? u->members : NULL; m; m = m->next)
    if (name_is(m->tag, tag)) return m->array;
  return NULL;
}

static int stars(const struct token *t, const struct token *last)
{
  int n = 0;
  for (; t < last; t++) n += token_is(t, "*");
  return n;
}

/* How many * and brackets lead from the variable to its structures. */
static int declarator_depth(const struct declarator *d)
{
  return stars(d->first, d->name) + d->dims + d->rows + (d->type && d->type->pointer);
}

/* What stands around the variable takes a structure out of it, and neither its address nor a member. */
static int is_whole(const struct token *t, int depth)
{
  const struct token *before = t - 1, *after = t + 1;
  for (;;) {
    if (token_is(after, "[")) after = token_skip(after), depth--;
    else if (token_is(after, ".") || token_is(after, "->")) return 0;
    else if (token_is(before, "(") && token_is(after, ")")) {
      if (before[-1].kind == TOKEN_NAME && !token_is(before - 1, "return")) break;
      before--, after++;
    } else if (depth > 0 && token_is(before, "*")) before--, depth--;
    else break;
  }
  return depth == 0 && !token_is(before, "&") && !(token_is(before, ")") && token_is(before - 1, "void"));
}

static void whole_refuse(const struct token *at, const struct array *a)
{
  message_error(at, "a structure with the global array '%s' is not copied; write its address, or its members",
      name_text(a->name));
}

void members_check(const struct unit *u, const struct token *t, const struct symbol *s)
{
  const struct declarator *const d = s->kind == SYMBOL_ORDINARY ? s->declarator : NULL;
  const struct array *const a = d && !d->function ? members_first(u, &d->specifiers) : NULL;
  if (a && !u->unevaluated && is_whole(t, declarator_depth(d))) whole_refuse(t, a);
}

void members_check_declared(const struct unit *u, const struct declarator *d, int parameter)
{
  const struct array *const a = members_first(u, &d->specifiers);
  if (a && d->name && (parameter || d->function) && declarator_depth(d) == 0) whole_refuse(d->name, a);
}

void members_check_inner(const struct unit *u, const struct declarator *d)
{
  const struct array *const a = d->name && !d->function ? members_first(u, &d->specifiers) : NULL;
  if (a && !d->pointer)
    message_error(d->name,
        "'%s' is a structure with the global array '%s', and cannot be a member; write a pointer to it",
        name_text(d->name), name_text(a->name));
}

/* Each image would have an array of its own, and none on the others. */
void members_check_coarray(const struct unit *u, const struct declarator *d)
{
  const struct array *const a = members_first(u, &d->specifiers);
  if (a && !d->pointer)
    message_error(d->name,
        "'%s' is a structure with the global array '%s', and cannot be a coarray; write one for the other "
        "members",
        name_text(d->name), name_text(a->name));
}

/* ---- bit-fields ---- */

/* The { of a structure's members; NULL: it is not seen before the token at. */
static const struct token *body_of(const struct unit *u, const struct specifiers *s, const struct token *at)
{
  const struct token *const tag = tag_of(u, s);
  if (s->body && !s->is_enum) return s->body;
  if (!tag)
    for (const struct token *t = s->first; t < s->last; t++) {
      const struct symbol *const type = t->kind == TOKEN_NAME ? scope_find(u->scope, t) : NULL;
      if (type && type->kind == SYMBOL_TYPE && type->declarator) return type->declarator->specifiers.body;
    }
  for (const struct token *t = at; tag && t > u->source->token; t--)
    if (name_is(t, tag) && token_is(t + 1, "{") && !token_is(t - 1, "enum")) return t + 1;
  return NULL;
}

/* The declaration of a member, which may stand in a structure without a name; 0: there is none. */
static int member_read(
    const struct unit *u, const struct token *body, const struct token *name, struct declarator *member)
{
  for (const struct token *t = body + 1; t->kind != TOKEN_END && !token_is(t, "}");) {
    struct declaration d;
    declaration_read(u->scope, t, &d);
    for (int i = 0; i < d.count; i++)
      if (d.declarator[i].name && name_is(d.declarator[i].name, name)) {
        *member = d.declarator[i];
        return 1;
      }
    if (d.specifiers.body && !d.specifiers.is_enum && token_is(token_skip(d.specifiers.body), ";") &&
        member_read(u, d.specifiers.body, name, member))
      return 1;
    t = d.end > t ? d.end + token_is(d.end, ";") : t + 1;
  }
  return 0;
}

const struct token *member_bits(
    const struct unit *u, const struct specifiers *s, const struct token *first, const struct token *last)
{
  struct specifiers of = *s;
  const struct token *bits = NULL;
  for (const struct token *t = first; t < last; t = token_is(t, "[") ? token_skip(t) : t + 1) {
    const struct token *const body = t->kind == TOKEN_NAME ? body_of(u, &of, first) : NULL;
    struct declarator member;
    if (t->kind != TOKEN_NAME) continue;
    if (!body || !member_read(u, body, t, &member)) return NULL;
    bits = token_is(member.name + 1, ":") ? t : NULL;
    of = member.specifiers;
  }
  return bits;
}

/* ---- references ---- */

static const struct array *member_of(
    const struct unit *u, const struct token *first, const struct token *name)
{
  const struct symbol *const s = u->members ? scope_find(u->scope, first) : NULL;
  if (!s || s->kind != SYMBOL_ORDINARY || !s->declarator) return NULL;
  return member_find(u, tag_of(u, &s->declarator->specifiers), name);
}

int member_is_array(const struct unit *u, const struct token *first, const struct token *name)
{
  return member_of(u, first, name) != NULL;
}

/* base: v, v[2], p->q: the tokens before the . or -> before the member's name. */
const struct array *member_array(const struct unit *u, const struct token *first, const struct token *name)
{
  const struct array *const a = member_of(u, first, name);
  if (!a) return NULL;
  for (const struct token *t = first + 1; t < name; t++)
    if (t->kind == TOKEN_NAME && token_is(t + 1, "["))
      message_error(
          t, "an index of structures with a global array has no array in it; write it into a variable");
  struct array *const one = kept_take(sizeof *one);
  const struct expression whole = {first, name + 1};
  *one = *a;
  one->descriptor = text_of("(%s)", translated_text(u, &whole));
  return one;
}

/* The variable in brackets whose member the array is: nothing else in them has members, is called, or has an
 * index. NULL: there is none. */
static const struct token *bracketed_variable(
    const struct unit *u, const struct token *open, const struct token *name)
{
  const struct token *found = NULL;
  for (const struct token *t = open + 1; t < name - 1; t++) {
    if (token_is(t, ".") || token_is(t, "->")) return NULL;
    if (t->kind != TOKEN_NAME) continue;
    if (!found && member_of(u, t, name)) found = t;
    else if (token_is(t + 1, "[") || token_is(t + 1, "(")) return NULL;
  }
  return found;
}

const struct array *member_bracketed(const struct unit *u, const struct token *open, const struct token *name)
{
  const struct token *const variable = u->members ? bracketed_variable(u, open, name) : NULL;
  if (!variable) return NULL;
  struct array *const one = kept_take(sizeof *one);
  const struct expression whole = {open, name + 1};
  *one = *member_of(u, variable, name);
  one->descriptor = text_of("(%s)", expression_text(&whole));
  return one;
}
