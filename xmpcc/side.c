/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmpcc/side.h"

#include <string.h>

/* ---- reading ---- */

static void subscript_add(struct side *s, const struct token *open)
{
  struct side_subscript one = {.all = {open + 1, token_skip(open) - 1}};
  const struct token *const colon = section_colon(one.all.first, one.all.last);
  if (colon) {
    const struct token *const second = section_colon(colon + 1, one.all.last);
    one.section = 1;
    one.base = (struct expression){one.all.first, colon};
    one.length = (struct expression){colon + 1, second ? second : one.all.last};
    one.step = (struct expression){second ? second + 1 : one.all.last, one.all.last};
  }
  s->subscript = kept_grow(s->subscript, (size_t)s->count, sizeof *s->subscript);
  s->subscript[s->count++] = one;
  s->sections += one.section;
}

/* The tokens from t on that are .m, ->m, and brackets without sections that have such a thing behind them:
 * v[2].m; no further than a member that is a global array. */
static const struct token *base_skip(
    const struct unit *u, const struct token *name, const struct token *t, const struct token *end)
{
  for (;;) {
    if (t > name + 1 && member_is_array(u, name, t - 1)) return t;
    const struct token *next = t;
    while (next < end && token_is(next, "[") && !section_colon(next + 1, token_skip(next) - 1))
      next = token_skip(next);
    if (next + 1 >= end || !(token_is(next, ".") || token_is(next, "->")) || next[1].kind != TOKEN_NAME)
      return t;
    t = next + 2;
  }
}

int side_brackets(const struct token *first, const struct token *t)
{
  int n = 0;
  while (token_is(first - 1 - n, "(") && token_is(t + n, ")")) n++;
  const struct token *const before = first - 1 - n;
  const int calls = n > 0 &&
      ((before->kind == TOKEN_NAME && !token_is(before, "return") && !token_is(before, "sizeof")) ||
          token_is(before, ")") || token_is(before, "]"));
  return n - calls;
}

/* (name)[..], as macros write it: how many brackets are around the name, whose last token is before t. A call
 * is none: f(name)[..]. */
static int brackets_around(const struct token *first, const struct token *t)
{
  const int n = side_brackets(first, t);
  return token_is(t + n, "[") ? n : 0;
}

/* (q + 1)[..], (*p).m[..], (w)[..]: the tokens before the subscripts. NULL: it is something else. */
static const struct token *brackets_read(
    const struct unit *u, const struct token *t, const struct token *end, struct side *s)
{
  const struct token *name = t;
  const struct token *const next = base_skip(u, t, token_skip(t), end);
  while (token_is(name, "(")) name++;
  if (!begins_operand(u, t) || next >= end || !token_is(next, "[")) return NULL;
  const int alone = name + 1 + (name - t) == token_skip(t) && token_is(name + 1, ")");
  s->symbol = alone && next == token_skip(t) && name->kind == TOKEN_NAME ? scope_find(u->scope, name) : NULL;
  return s->symbol && s->symbol->kind != SYMBOL_ORDINARY ? NULL : next;
}

static const struct token *subscripts_read(const struct token *t, const struct token *end, struct side *s)
{
  while (t < end && token_is(t, "[") && token_skip(t) <= end && token_skip(t) > t + 2) {
    if (s->count == DIMENSIONS) break;
    subscript_add(s, t);
    t = token_skip(t);
  }
  return t;
}

int side_read_at(const struct unit *u, const struct token *t, const struct token *end, struct side *s)
{
  *s = (struct side){.first = t};
  if (t < end && token_is(t, "(") && (s->subscripts = brackets_read(u, t, end, s))) {
    s->last = subscripts_read(s->subscripts, end, s);
    return 0;
  }
  if (t >= end || t->kind != TOKEN_NAME) return -1;
  s->symbol = scope_find(u->scope, t);
  if (s->symbol && s->symbol->kind == SYMBOL_ARRAY) s->array = s->symbol->of.array;
  const struct token *const name = t;
  t = s->array || (s->symbol && s->symbol->kind == SYMBOL_COARRAY) ? t + 1 : base_skip(u, t, t + 1, end);
  if (t > name + 1) {
    s->symbol = NULL;
    s->array = member_array(u, name, t - 1);
  }
  s->subscripts = t;
  t += brackets_around(name, t);
  t = subscripts_read(t, end, s);
  if (t < end && token_is(t, ":") && token_is(t + 1, "[")) {
    s->codims = t++;
    while (t < end && token_is(t, "[")) t = token_skip(t);
    s->codims_last = t;
  }
  s->last = t;
  return 0;
}

int side_read(const struct unit *u, const struct token *first, const struct token *last, struct side *s)
{
  return side_read_at(u, first, last, s) || s->last != last ? -1 : 0;
}

int side_read_member(
    const struct unit *u, const struct token *first, const struct token *last, struct side *s)
{
  if (side_read_at(u, first, last, s)) return -1;
  if (s->sections && !s->codims)
    while (s->last + 1 < last && token_is(s->last, ".") && s->last[1].kind == TOKEN_NAME)
      for (s->last += 2; s->last < last && token_is(s->last, "[");) s->last = token_skip(s->last);
  return s->last == last ? 0 : -1;
}

/* ---- what it is ---- */

const char *side_name(const struct side *s)
{
  const struct expression name = {s->first, s->subscripts};
  return expression_text(
      s->first->kind == TOKEN_NAME && s->symbol ? &(struct expression){s->first, s->first + 1} : &name);
}

const struct declarator *side_declarator(const struct unit *u, const struct side *s)
{
  return s->symbol ? s->symbol->declarator : member_declarator(u, s->first, s->subscripts);
}

int side_dims(const struct unit *u, const struct side *s)
{
  if (s->array) return s->array->dims;
  const struct declarator *const d = side_declarator(u, s);
  return d ? d->dims ? d->dims : d->pointer ? 1 + d->rows : 0 : s->count;
}

int side_rank(const struct unit *u, const struct side *s)
{
  const int dims = side_dims(u, s);
  return s->sections + (s->count < dims ? dims - s->count : 0);
}

/* As the compiler knows it: variables of a length may have changed since, and names may be hidden, or be
 * global arrays whose size it asks for. */
static const char *length_text(const struct unit *u, const struct side *s, int k)
{
  struct text row = {0};
  const struct expression name = {s->first, s->subscripts};
  text_add(&row, "%s", translated_text(u, &name));
  for (int i = 0; i < k; i++) text_add(&row, "[0]");
  return text_of("(long long)(sizeof(%s) / sizeof(%s[0]))", text_get(&row), text_get(&row));
}

/* The extent of the k-th dimension as it is declared; NULL: by a pointer, or nowhere. */
static const struct expression *extent_declared(const struct declarator *d, int k)
{
  const struct expression *const e = d->dims ? k < d->dims ? &d->dim[k] : NULL
      : k > 0 && k <= d->rows                ? &d->row[k - 1]
                                             : NULL;
  return e && !expression_is_empty(e) ? e : NULL;
}

/* The type of a member is not always known here: C tells the length, where it is asked for. */
static const char *member_extent(const struct side *s, int k)
{
  struct text row = {0};
  const struct expression name = {s->first, s->subscripts};
  const int asked = k >= s->count ||
      (s->subscript[k].section && expression_is_empty(&s->subscript[k].length));
  if (k == 0 && !asked) return "";
  if (!token_is(s->subscripts - 2, ".") && !token_is(s->subscripts - 2, "->")) return "";
  text_add(&row, "%s", expression_text(&name));
  for (int i = 0; i < k; i++) text_add(&row, "[0]");
  const char *const r = text_get(&row);
  return text_of("(__extension__(pst_xmp_index_t)(sizeof(%s) / sizeof(%s[0]) + 0 * sizeof(struct { int none; "
                 "_Static_assert(!__builtin_types_compatible_p(__typeof__(%s), __typeof__(&%s[0])), \"nobody "
                 "knows how long this is, for it is a pointer; write how long the section is\"); })))",
      r, r, r, r);
}

const char *side_extent(const struct unit *u, const struct side *s, int k)
{
  if (s->array && k < s->array->dims) return array_extent(u, s->array, k);
  const struct declarator *const d = side_declarator(u, s);
  if (!d) return s->symbol ? "" : member_extent(s, k);
  const struct expression *const e = extent_declared(d, k);
  if (!e) return "";
  const int shown = expression_is_literal(e) || (k == 0 && s->symbol && s->symbol->parameter);
  return shown ? translated_text(u, e) : length_text(u, s, k);
}

void side_walk(struct unit *u, const struct side *s)
{
  if (!s->array) walk_expression(u, s->first + 1, s->subscripts);
  for (int i = 0; i < s->count; i++) {
    const struct side_subscript *const one = &s->subscript[i];
    if (!one->section) walk_expression(u, one->all.first, one->all.last);
    else {
      walk_expression(u, one->base.first, one->base.last);
      walk_expression(u, one->length.first, one->length.last);
      walk_expression(u, one->step.first, one->step.last);
    }
  }
}

const char *side_element(const struct unit *u, const struct side *s)
{
  struct text text = {0};
  const struct expression name = {s->first, s->subscripts};
  text_add(&text, "%s", translated_text(u, &name));
  for (int i = 0; i < s->count; i++) {
    const struct side_subscript *const one = &s->subscript[i];
    const char *const at = translated_text(u, one->section ? &one->base : &one->all);
    text_add(&text, "[%s]", *at ? at : "0");
  }
  for (int k = s->count; k < side_dims(u, s); k++) text_add(&text, "[0]");
  return text_get(&text);
}

/* ---- for the runtime ---- */

static const char *subscript_of(const struct unit *u, const struct side_subscript *s)
{
  if (!s->section) return text_of("{PST_XMP_ONE, 0, %s, 0, 1}", translated_text(u, &s->all));
  const char *base = translated_text(u, &s->base), *length = translated_text(u, &s->length);
  const char *step = translated_text(u, &s->step);
  if (!*base && !*length && !*step) return "{PST_XMP_ALL, 0, 0, 0, 1}";
  if (!*base) base = "0";
  if (!*step) step = "1";
  return *length ? text_of("{PST_XMP_COUNT, 0, %s, %s, %s}", base, length, step)
                 : text_of("{PST_XMP_REST, 0, %s, 0, %s}", base, step);
}

static const char *subscripts_of(const struct unit *u, const struct side *s, int dims)
{
  struct text text = {0};
  for (int k = 0; k < dims; k++)
    text_add(&text, "%s%s", k ? ", " : "",
        k < s->count ? subscript_of(u, &s->subscript[k]) : "{PST_XMP_ALL, 0, 0, 0, 1}");
  return text_of("(const struct pst_xmp_subscript[]){%s}", text_get(&text));
}

static const char *global_text(const struct unit *u, const struct side *s)
{
  const struct array *const a = s->array;
  if (s->count > a->dims)
    message_error(s->first, "'%s' has %s, and %d subscripts", name_text(a->name),
        text_count(a->dims, "dimension"), s->count);
  return text_of("__extension__ &(const struct pst_xmp_side){%s, 0, sizeof(%s), %s, %d, 0, %s}",
      a->descriptor, a->type, type_text(u, &a->declarator, text_of("*(%s *)0", a->type)), a->dims,
      subscripts_of(u, s, a->dims));
}

/* Of a pointer to pointers, or an array of them, the elements do not lie side by side; a type that is not
 * understood may hide dimensions. */
static int memory_is_wrong(const struct unit *u, const struct side *s, int dims)
{
  if (s->count > dims) {
    message_error(s->first, "'%s' is declared with %s, and has %d subscripts", side_name(s),
        text_count(dims, "dimension"), s->count);
    return 1;
  }
  for (int k = 0; k < dims; k++) {
    const struct side_subscript *const one = k < s->count ? &s->subscript[k] : NULL;
    const int open = !one || (one->section && expression_is_empty(&one->length));
    if (*side_extent(u, s, k) || (k == 0 && !open)) continue;
    message_error(s->first,
        k ? "nobody knows how long a row of '%s' is here; copy it row by row"
          : "nobody knows how long '%s' is here; write the section's length",
        side_name(s));
    return 1;
  }
  return 0;
}

/* Where the extent is not known it is 0: the section gives its length. */
static const char *memory_text(const struct unit *u, const struct side *s)
{
  const int dims = side_dims(u, s);
  const struct declarator *const d = side_declarator(u, s);
  const char *const element = side_element(u, s);
  struct text extent = {0}, zero = {0};
  const struct expression name = {s->first, s->subscripts};
  text_add(&zero, "%s", translated_text(u, &name));
  if (s->sections == 0 && s->count >= dims)
    return text_of("__extension__ &(const struct pst_xmp_side){0, (void *)&%s, sizeof %s, %s, 0, 0, 0}",
        element, element, type_text(u, s->count > dims ? NULL : d, element));
  if (memory_is_wrong(u, s, dims)) return "0";
  for (int k = 0; k < dims; k++) {
    const char *const e = side_extent(u, s, k);
    text_add(&extent, "%s%s", k ? ", " : "", *e ? e : "0");
    text_add(&zero, "[0]");
  }
  return text_of("__extension__ &(const struct pst_xmp_side){0, (void *)&%s, sizeof %s, %s, %d, (const "
                 "pst_xmp_index_t[]){%s}, %s}",
      text_get(&zero), element, type_text(u, d, element), dims, text_get(&extent), subscripts_of(u, s, dims));
}

static long long constant_of(const struct expression *e, long long otherwise, int *known)
{
  long long value = otherwise;
  if (!expression_is_empty(e) && !expression_is_constant(e, &value)) *known = 0;
  return value;
}

/* What the program shows of a subscript; the runtime looks at the rest. */
static void subscript_check(const struct side_subscript *s, long long extent)
{
  static const struct expression none = {NULL, NULL};
  int known = 1;
  const long long first = constant_of(s->section ? &s->base : &s->all, 0, &known),
                  step = constant_of(s->section ? &s->step : &none, 1, &known);
  const int open = s->section && expression_is_empty(&s->length);
  const long long length = constant_of(s->section ? &s->length : &none, 1, &known);
  if (!known) return;
  const __int128 end = open ? first : first + ((__int128)length - 1) * step;
  if (step == 0) message_error(s->all.first, "the step of a section is 0");
  else if (length < 0) message_error(s->all.first, "the length of a section is %lld", length);
  else if (first < 0 || first >= extent || end < 0 || end >= extent) {
    if (length == 0 || (open && (expression_is_empty(&s->base) || first == extent))) return;
    message_error(s->all.first, "this is beyond the dimension, which has 0 to %lld", extent - 1);
  }
}

static void subscripts_check(const struct unit *u, const struct side *s)
{
  const struct declarator *const d = s->array ? &s->array->declarator : side_declarator(u, s);
  long long extent;
  for (int k = 0; d && k < s->count; k++) {
    const struct expression *const e = extent_declared(d, k);
    const int bound = !(k == 0 && s->symbol && s->symbol->parameter && !s->array);
    if (e && bound && expression_is_constant(e, &extent) && extent > 0)
      subscript_check(&s->subscript[k], extent);
  }
}

const char *side_text(struct unit *u, const struct side *s)
{
  subscripts_check(u, s);
  return s->array ? global_text(u, s) : memory_text(u, s);
}

const char *side_image(struct unit *u, const struct side *s, const struct token *at)
{
  struct text list = {0};
  int n = 0;
  for (const struct token *t = s->codims + 1; t < s->codims_last; t = token_skip(t), n++) {
    const struct expression e = {t + 1, token_skip(t) - 1};
    walk_expression(u, e.first, e.last);
    text_add(&list, "%s%s", n ? ", " : "", translated_text(u, &e));
  }
  if (n == 1) return text_get(&list);
  return text_of("pst_xmp_image(%s, %s, %d, __extension__ (const pst_xmp_index_t[]){%s})", where_of(at),
      descriptor_name(s->first), n, text_get(&list));
}
