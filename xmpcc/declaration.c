/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmpcc/declaration.h"

#include <string.h>

#include "xmpcc/text.h"

/* ---- words ---- */

static const char *const qualifiers[] = {"const", "volatile", "restrict", "__const", "__const__",
    "__volatile", "__volatile__", "__restrict", "__restrict__", "inline", "__inline", "__inline__",
    "register", "auto", "__auto_type", "_Noreturn", "__extension__", "_Thread_local", "__thread",
    "thread_local", "constexpr", "_Nonnull", "_Nullable", "_Null_unspecified", NULL};
static const char *const types[] = {"void", "char", "short", "int", "long", "float", "double", "signed",
    "unsigned", "_Bool", "bool", "_Complex", "__complex__", "__complex", "_Imaginary", "__signed",
    "__signed__", "__int128", "__int128_t", "__uint128_t", "__builtin_va_list", "_Float16", "_Float32",
    "_Float64", "_Float128", "_Float32x", "_Float64x", "__float128", "__float80", "__ibm128", "__fp16",
    "__bf16", "_Decimal32", "_Decimal64", "_Decimal128", "__auto_type", NULL};
static const char *const storage[] = {"typedef", "extern", "static", NULL};
static const char *const bodies[] = {"struct", "union", "enum", NULL};
/* Each is followed by brackets. Some are types. */
static const char *const with_brackets[] = {
    "__attribute__", "__attribute", "_Alignas", "alignas", "__declspec", NULL};
static const char *const typeofs[] = {"typeof", "__typeof__", "__typeof", "typeof_unqual", "_BitInt", NULL};
static const char *const asms[] = {"asm", "__asm__", "__asm", NULL};

static int is_type_name(const struct scope *scope, const struct token *t)
{
  if (t->kind != TOKEN_NAME) return 0;
  const struct symbol *const s = scope_find(scope, t);
  return s && s->kind == SYMBOL_TYPE;
}

int declaration_begins(const struct scope *scope, const struct token *t)
{
  while (token_is(t, "__extension__")) t++;
  if (token_is_one(t, qualifiers) || token_is_one(t, types) || token_is_one(t, storage) ||
      token_is_one(t, bodies) || token_is_one(t, typeofs) || token_is_one(t, with_brackets) ||
      token_is(t, "_Atomic") || token_is(t, "_Static_assert") || token_is(t, "static_assert"))
    return 1;
  return is_type_name(scope, t) && !token_is(t + 1, ":");
}

/* ---- specifiers ---- */

static void enumerators_add(struct scope *scope, const struct token *open)
{
  const struct token *const end = token_skip(open);
  for (const struct token *t = open + 1; t < end && t->kind != TOKEN_END;) {
    if (t->kind == TOKEN_NAME) scope_add(scope, SYMBOL_ORDINARY, t);
    while (t < end && t->kind != TOKEN_END && !token_is(t, ","))
      t = token_is(t, "(") || token_is(t, "[") ? token_skip(t) : t + 1;
    if (token_is(t, ",")) t++;
  }
}

/* struct s: returns what follows. */
static const struct token *tag_skip(const struct token *t, struct specifiers *s)
{
  t++;
  while (token_is_one(t, with_brackets) || token_is(t, "[")) t = token_skip(token_is(t, "[") ? t : t + 1);
  if (t->kind == TOKEN_NAME) s->tag = t++;
  return t;
}

static void tag_add(struct scope *scope, const struct specifiers *s, const struct token *body)
{
  if (s->tag) scope_add(scope, SYMBOL_TAG, s->tag)->of.body = body;
}

/* Tags that are declared within a structure are known behind it. */
static void inner_tags_add(struct scope *scope, const struct token *open)
{
  const struct token *const end = token_skip(open);
  for (const struct token *t = open + 1; t < end && t->kind != TOKEN_END; t++) {
    struct specifiers s = {0};
    if (!token_is(t, "struct") && !token_is(t, "union")) continue;
    const struct token *const body = tag_skip(t, &s);
    if (token_is(body, "{")) tag_add(scope, &s, body);
  }
}

/* struct s {...}: returns what follows. */
static const struct token *body_skip(struct scope *scope, const struct token *t, struct specifiers *s)
{
  const int is_enum = token_is(t, "enum");
  t = tag_skip(t, s);
  if (is_enum && token_is(t, ":"))
    while (t->kind != TOKEN_END && !token_is(t, "{") && !token_is(t, ";")) t++;
  if (!token_is(t, "{")) return t;
  s->body = t;
  s->is_enum = is_enum;
  if (is_enum) enumerators_add(scope, t);
  else {
    tag_add(scope, s, t);
    inner_tags_add(scope, t);
  }
  return token_skip(t);
}

static const struct token *specifiers_read(struct scope *scope, const struct token *t, struct specifiers *s)
{
  int typed = 0;
  *s = (struct specifiers){.first = t};
  for (;;) {
    if (token_is_one(t, storage)) {
      s->storage |= token_is(t, "typedef") ? STORAGE_TYPEDEF
          : token_is(t, "extern")          ? STORAGE_EXTERN
                                           : STORAGE_STATIC;
      t++;
    } else if (token_is_one(t, qualifiers)) typed |= token_is(t, "__auto_type"), t++;
    else if (token_is_one(t, types)) typed = 1, t++;
    else if (token_is_one(t, with_brackets)) t = token_is(t + 1, "(") ? token_skip(t + 1) : t + 1;
    else if (token_is_one(t, typeofs)) typed = 1, t = token_is(t + 1, "(") ? token_skip(t + 1) : t + 1;
    else if (token_is(t, "_Atomic"))
      if (token_is(t + 1, "(")) typed = 1, t = token_skip(t + 1);
      else t++;
    else if (token_is_one(t, bodies)) typed = 1, t = body_skip(scope, t, s);
    else if (token_is(t, "[") && token_is(t + 1, "[") && !typed) t = token_skip(t);
    else if (!typed && is_type_name(scope, t)) typed = 1, t++;
    else break;
  }
  s->last = t;
  return t;
}

/* ---- declarators ---- */

static const struct token *attributes_skip(const struct token *t)
{
  for (;;) {
    if (token_is_one(t, with_brackets) || token_is_one(t, asms)) {
      t++;
      while (t->kind == TOKEN_NAME) t++; /* volatile */
      t = token_is(t, "(") ? token_skip(t) : t;
    } else if (token_is(t, "[") && token_is(t + 1, "[")) t = token_skip(t);
    else return t;
  }
}

/* [static N], [const N]: words of a parameter, which are no part of its length. */
static const struct token *length_begin(const struct token *t)
{
  while (token_is(t, "static") || token_is_one(t, qualifiers)) t++;
  return t;
}

static const struct token *brackets_read(const struct token *t, struct expression **dim, int *dims)
{
  while (token_is(t, "[") && !token_is(t + 1, "[")) {
    const struct token *const end = token_skip(t);
    if (end->kind == TOKEN_END) return end;
    *dim = kept_grow(*dim, (size_t)*dims, sizeof **dim);
    (*dim)[(*dims)++] = (struct expression){length_begin(t + 1), end - 1};
    t = end;
  }
  return t;
}

static const struct token *pointers_skip(const struct token *t, const struct token **star)
{
  for (;; t++) {
    if (token_is(t, "*") || token_is(t, "^")) *star = t;
    else if (token_is_one(t, with_brackets)) t = token_is(t + 1, "(") ? token_skip(t + 1) - 1 : t;
    else if (!token_is_one(t, qualifiers) && !token_is(t, "_Atomic")) return t;
  }
}

/* Suffixes of a declarator that is not the name's own: (...) and [...]. */
static const struct token *suffixes_skip(const struct token *t)
{
  while (token_is(t, "(") || (token_is(t, "[") && !token_is(t + 1, "["))) t = token_skip(t);
  return t;
}

/* Goes in to the name, through brackets; `outer` are those around it, from the outermost. */
static const struct token *name_find(const struct scope *scope, const struct token *t, struct declarator *d)
{
  const struct token *star = NULL;
  t = pointers_skip(t, &star);
  if (star) d->star = star;
  d->pointer = star != NULL;
  if (t->kind == TOKEN_NAME) {
    d->name = t;
    return t;
  }
  /* (name), (*name), and not the parameters of a function without a name. */
  while (token_is(t, "(") && !token_is(t + 1, ")") && !declaration_begins(scope, t + 1)) {
    const struct token *const open = t;
    star = NULL;
    t = pointers_skip(t + 1, &star);
    if (star) d->star = star, d->inner = open;
    d->pointer = star != NULL;
    if (t->kind == TOKEN_NAME) {
      d->name = t;
      return t;
    }
  }
  return NULL;
}

static const struct token *codims_read(const struct token *t, struct declarator *d)
{
  if (!token_is(t, ":") || !token_is(t + 1, "[")) return t;
  d->codims = t;
  t++;
  while (token_is(t, "[")) t = token_skip(t);
  d->codims_last = t;
  return t;
}

/* To the , ; or { at this level. */
static const struct token *declarator_skip(const struct token *t)
{
  while (t->kind != TOKEN_END && !token_is(t, ",") && !token_is(t, ";") && !token_is(t, "{") &&
      !token_is(t, "}") && !token_is(t, ")"))
    t = token_is(t, "(") || token_is(t, "[") ? token_skip(t) : t + 1;
  return t;
}

static const struct token *initializer_skip(const struct token *t)
{
  while (t->kind != TOKEN_END && !token_is(t, ",") && !token_is(t, ";") && !token_is(t, "}") &&
      !token_is(t, ")"))
    t = token_is(t, "(") || token_is(t, "[") || token_is(t, "{") ? token_skip(t) : t + 1;
  return t;
}

static const struct token *declarator_read(struct scope *scope, const struct token *t, struct declarator *d)
{
  d->first = t;
  const struct token *const name = name_find(scope, t, d);
  if (name) {
    const struct token *after = attributes_skip(name + 1);
    d->function = token_is(after, "(");
    if (d->pointer || !d->function) {
      const struct token *const behind = brackets_read(after, &d->dim, &d->dims);
      if (d->inner && token_is(behind, ")") && d->dims == 0) brackets_read(behind + 1, &d->row, &d->rows);
    }
  }
  /* The whole declarator: pointers, the name or brackets, suffixes. */
  const struct token *star = NULL;
  t = pointers_skip(t, &star);
  if (token_is(t, "(") && (!name || name > t)) t = token_skip(t);
  else if (t == name) t++;
  t = attributes_skip(t);
  t = suffixes_skip(t);
  d->last = t;
  t = codims_read(t, d);
  if (token_is(t, ":")) t = declarator_skip(t); /* a bit-field */
  t = attributes_skip(t);
  if (token_is(t, "=")) {
    d->initializer = t;
    t = initializer_skip(t + 1);
  }
  return d->end = t;
}

/* ---- declarations ---- */

static struct declarator *declarator_add(struct declaration *d)
{
  d->declarator = kept_grow(d->declarator, (size_t)d->count, sizeof *d->declarator);
  struct declarator *const new = &d->declarator[d->count++];
  *new = (struct declarator){.specifiers = d->specifiers};
  return new;
}

/* Declarations of parameters between ) and { of old C. */
static int is_old_definition(const struct scope *scope, const struct declaration *d, const struct token *t)
{
  while (t->kind == TOKEN_DIRECTIVE) t++;
  return d->count == 1 && d->declarator[0].function && declaration_begins(scope, t);
}

void declaration_read(struct scope *scope, const struct token *t, struct declaration *d)
{
  *d = (struct declaration){.count = 0};
  while (token_is(t, "__extension__")) t++;
  if (token_is(t, "_Static_assert") || token_is(t, "static_assert")) {
    while (t->kind != TOKEN_END && !token_is(t, ";")) t++;
    d->end = t;
    return;
  }
  t = specifiers_read(scope, t, &d->specifiers);
  while (t->kind != TOKEN_END && !token_is(t, ";") && !token_is(t, "{") && !token_is(t, "}")) {
    const struct token *const begin = t;
    struct declarator *const new = declarator_add(d);
    t = declarator_read(scope, t, new);
    if (is_old_definition(scope, d, t)) {
      d->old = t;
      while (t->kind != TOKEN_END && !token_is(t, "{") && !token_is(t, "}"))
        t = token_is(t, "(") || token_is(t, "[") ? token_skip(t) : t + 1;
      break;
    }
    if (!token_is(t, ",") && !token_is(t, ";") && !token_is(t, "{")) t = declarator_skip(t);
    if (token_is(t, ",")) t++;
    else if (token_is(t, ")") || t == begin) t++;
  }
  d->end = t;
}

void declaration_read_parameters(struct scope *scope, const struct token *open, struct declaration *d)
{
  const struct token *const end = token_skip(open);
  const struct token *t = open + 1;
  *d = (struct declaration){.end = end};
  while (t < end && t->kind != TOKEN_END && !token_is(t, ")")) {
    const struct token *const begin = t;
    t = specifiers_read(scope, t, &d->specifiers);
    if (t == begin && t->kind == TOKEN_NAME && (token_is(t + 1, ",") || token_is(t + 1, ")"))) {
      struct declarator *const old = declarator_add(d); /* old C: a name alone */
      *old = (struct declarator){.first = t, .last = t + 1, .name = t, .end = t + 1};
      t++;
    } else t = declarator_read(scope, t, declarator_add(d));
    t = declarator_skip(t);
    if (token_is(t, ",") || t == begin) t++;
  }
}

/* ---- types ---- */

const char *specifiers_text(const struct specifiers *s)
{
  struct text text = {0};
  const char *space = "";
  for (const struct token *t = s->first; t < s->last; t++) {
    static const char *const away[] = {"typedef", "extern", "static", "register", "auto", "inline",
        "__inline", "__inline__", "_Thread_local", "__thread", "thread_local", "_Noreturn", "constexpr",
        "__extension__", NULL};
    if (token_is_one(t, away)) continue;
    if (token_is_one(t, with_brackets)) {
      if (token_is(t + 1, "(")) t = token_skip(t + 1) - 1;
      continue;
    }
    if (s->body && t == s->body && s->tag) {
      t = token_skip(t) - 1;
      continue;
    }
    text_add(&text, "%s%.*s", space, (int)t->length, t->text);
    space = " ";
  }
  return *text_get(&text) ? text_get(&text) : "int";
}

static int is_taken_away(const struct declarator *d, const struct token *t, const struct token *last)
{
  if (d->pointer && d->dims == 0) return t >= (d->inner ? d->inner : d->star) && t < last;
  return t >= d->name && t < last;
}

static const struct declarator *type_of(const struct scope *scope, const struct declarator *d)
{
  static const char *const of_tags[] = {"struct", "union", "enum", NULL};
  for (const struct token *t = d->specifiers.first; t < d->specifiers.last; t++) {
    if (t->kind != TOKEN_NAME || token_is_one(t, of_tags)) {
      t += t->kind == TOKEN_NAME && t + 1 < d->specifiers.last;
      continue;
    }
    const struct symbol *const s = scope_find(scope, t);
    if (s && s->kind == SYMBOL_TYPE && s->declarator) return s->declarator;
  }
  return NULL;
}

static void brackets_append(
    struct expression **list, int *count, const struct expression *more, int more_count)
{
  const size_t n = (size_t)*count, m = (size_t)more_count;
  struct expression *const all = kept_take((n + m) * sizeof *all);
  if (n) memcpy(all, *list, n * sizeof *all);
  if (m) memcpy(all + n, more, m * sizeof *all);
  *list = all;
  *count += more_count;
}

void declarator_complete(const struct scope *scope, struct declarator *d)
{
  const struct declarator *const type = d->function ? NULL : type_of(scope, d);
  if (!type || type->function || (type->dims == 0 && !type->pointer)) return;
  if (d->pointer ? d->dims || type->pointer : d->dims && type->pointer) return;
  d->type = type;
  if (type->pointer && !type->dims) d->pointer = 1;
  if (d->pointer)
    brackets_append(
        &d->row, &d->rows, type->dims ? type->dim : type->row, type->dims ? type->dims : type->rows);
  else brackets_append(&d->dim, &d->dims, type->dim, type->dims);
}

const char *declarator_element(const struct declarator *d)
{
  if (d->type) return declarator_element(d->type);
  const struct token *last = d->name + 1;
  if (d->pointer && d->dims == 0) {
    if (d->inner) last++; /* the ) */
    for (int i = 0; i < d->rows; i++) last = d->row[i].last + 1;
  } else
    for (int i = 0; i < d->dims; i++) last = d->dim[i].last + 1;
  struct text text = {0};
  text_add(&text, "%s", specifiers_text(&d->specifiers));
  for (const struct token *t = d->first; t < d->last; t++)
    if (!is_taken_away(d, t, last)) text_add(&text, " %.*s", (int)t->length, t->text);
  return text_get(&text);
}
