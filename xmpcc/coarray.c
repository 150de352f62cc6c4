/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Coarrays: objects of static storage, and references to those of other images. */
#include <string.h>

#include "xmpcc/side.h"

/* ---- declarations ---- */

struct codimensions {
  const char *list; /* all but the last one */
  int count;
};

static void codimension_add(
    struct codimensions *c, const struct token *at, const char *text, int star, int last)
{
  if (star != last) message_error(at, last ? "the last codimension is *" : "only the last codimension is *");
  else if (!last) c->list = text_of("%s%s%s", c->list, c->count ? ", " : "", text);
  c->count++;
}

static struct codimensions codimensions_read(
    const struct declarator *d, const struct directive *by, const struct reference *object)
{
  struct codimensions c = {"", 0};
  const struct list *const l = by ? object && object->list.count ? &object->list : &by->formats : NULL;
  if (d->codims)
    for (const struct token *t = d->codims + 1; t < d->codims_last; t = token_skip(t)) {
      const struct expression e = {t + 1, token_skip(t) - 1};
      codimension_add(&c, t, expression_text(&e), token_is(t + 1, "*"), token_skip(t) == d->codims_last);
    }
  else
    for (int k = 0; l && k < l->count; k++)
      codimension_add(
          &c, l->item[k].at, expression_text(&l->item[k].a), l->item[k].kind == ITEM_STAR, k + 1 == l->count);
  return c;
}

static const char *element_text(const struct declarator *d)
{
  struct text text = {0};
  text_add(&text, "%s", name_text(d->name));
  for (int k = 0; k < d->dims; k++) text_add(&text, "[0]");
  return text_get(&text);
}

/* Within a block: an object as if static, which the constructor finds in a section of the program. */
static void block_begin(struct unit *u, const struct declarator *d, const struct token *at,
    const struct codimensions *c, const char *nodes)
{
  const char *const name = name_text(d->name), *const element = element_text(d);
  if (strcmp(nodes, "0") != 0)
    message_error(d->name, "'%s' is a coarray of a block; only one of the file can name its nodes", name);
  if (!(d->specifiers.storage & (STORAGE_STATIC | STORAGE_EXTERN)))
    edit_before(u->edits, d->specifiers.first, "static ");
  edit_after(u->edits, d->end,
      " static void *_xmp_d_%s; static const struct pst_xmp_coarray_record _xmp_j_%s "
      "__attribute__((section(\"pst_xmp_coarrays\"), "
      "used, aligned(sizeof(void *)))) = {%s, \"%s\", (void *)&%s, sizeof %s, sizeof %s, %d, {%s}, "
      "&_xmp_d_%s};",
      name, name, where_of(at), name, name, name, element, c->count ? c->count - 1 : 0,
      c->count > 1 ? c->list : "0", name);
  if (!u->coarrays_of_blocks)
    unit_begin_add(u, at, "pst_xmp_coarrays_begin(__start_pst_xmp_coarrays, __stop_pst_xmp_coarrays);");
  u->coarrays_of_blocks = 1;
}

/* One of the file may be declared again, as where a header says extern. */
struct symbol *coarray_of_file(const struct unit *u, const struct token *name)
{
  struct symbol *const s = scope_level(u->scope) == 0 ? scope_find(u->scope, name) : NULL;
  return s && s->kind == SYMBOL_COARRAY ? s : NULL;
}

void coarray_begin(
    struct unit *u, struct symbol *s, const struct directive *by, const struct reference *object)
{
  const struct declarator *const d = s->declarator;
  const struct codimensions c = codimensions_read(d, by, object);
  const struct token *const at = by ? by->at : d->name;
  const char *const name = name_text(d->name);
  const char *nodes = "0";
  if (by && by->right.name) {
    if (scope_find_mapping(u->scope, by->right.name)) nodes = descriptor_name(by->right.name);
    else message_error(by->right.name, "'%s' is not declared as nodes", name_text(by->right.name));
  }
  const int before = s->of.dims;
  s->of.dims = c.count ? c.count : 1;
  if (before && before != s->of.dims)
    message_error(at, "'%s' has been declared with %s", name, text_count(before, "codimension"));
  if (d->codims) edit_replace(u->edits, d->codims, d->codims_last - 1, " ");
  if (!token_is(d->end, ";") && !token_is(d->end, ",")) {
    message_error(d->name, "'%s' cannot be a coarray here; declare it in the file, or in a block", name);
    return;
  }
  if (scope_level(u->scope) > 0) {
    if (!token_is(d->end, ";")) message_error(d->name, "a coarray of a block stands last in its declaration");
    else block_begin(u, d, at, &c, nodes);
    return;
  }
  if (before) return;
  unit_begin_add(u, at,
      text_of("_xmp_d_%s = pst_xmp_coarray(%s, \"%s\", (void *)&%s, sizeof %s, sizeof %s, %d, %s, %s);", name,
          where_of(at), name, name, name, element_text(d), c.count ? c.count - 1 : 0,
          c.count > 1 ? text_of("(const pst_xmp_index_t[]){%s}", c.list) : "0", nodes));
  /* Before the declaration, which may have more names. */
  edit_before(u->edits, d->specifiers.first, "static void *_xmp_d_%s; ", name);
}

/* ---- references ---- */

static const char *element_of(const struct unit *u, const struct side *s) { return side_element(u, s); }

static int coindex_is_wrong(const struct side *s)
{
  int n = 0;
  if (!s->symbol || s->symbol->kind != SYMBOL_COARRAY) {
    message_error(s->first, "'%s' is no coarray", name_text(s->first));
    return 1;
  }
  for (const struct token *t = s->codims + 1; t < s->codims_last; t = token_skip(t), n++) {
    const struct token *const close = token_skip(t) - 1;
    if (close > t + 1 && !token_is(t + 1, "*") && !section_colon(t + 1, close)) continue;
    message_error(t, "this names no image; write its number, as in %s:[0]", name_text(s->first));
    return 1;
  }
  if (n == s->symbol->of.dims) return 0;
  message_error(s->codims, "'%s' has %s, and %d coindices", name_text(s->first),
      text_count(s->symbol->of.dims, "codimension"), n);
  return 1;
}

/* v[i]:[image] in an expression, or the own object. */
const struct token *coarray_reference(struct unit *u, const struct token *t, const struct symbol *symbol)
{
  struct side s;
  const struct token *end = t;
  while (end->kind != TOKEN_END && !token_is(end, ";")) end++;
  if (side_read_at(u, t, end, &s) || !s.codims || u->unevaluated) return t + 1;
  (void)symbol;
  if (coindex_is_wrong(&s)) return s.last;
  if (s.sections && !u->sections) {
    message_error(t,
        "an array section of another image may stand alone on a side of an assignment, or in an array "
        "assignment");
    return s.last;
  }
  const int n = ++u->numbers;
  const char *element;
  if (s.sections) element = section_element(u, &s);
  else side_walk(u, &s), element = element_of(u, &s);
  edit_replace(u->edits, s.first, s.last - 1,
      "({ __typeof__(%s) _xmp_g%d; pst_xmp_get(%s, %s, %s, &%s, &_xmp_g%d, sizeof _xmp_g%d); _xmp_g%d; })",
      element, n, where_of(t), descriptor_name(t), side_image(u, &s, t), element, n, n, n);
  return s.last;
}

/* ---- assignments ---- */

static const char *place_text(struct unit *u, const struct side *s)
{
  return s->codims ? text_of("%s, %s", descriptor_name(s->first), side_image(u, s, s->first)) : "0, -1";
}

/* Sections on one or both sides. */
static void copy_translate(
    struct unit *u, const struct side *left, const struct side *right, const struct token *end)
{
  side_walk(u, left);
  side_walk(u, right);
  const char *const to = place_text(u, left), *const from = place_text(u, right);
  edit_replace(u->edits, left->first, end - 1, "pst_xmp_copy_section(%s, %s, %s, %s, %s)",
      where_of(left->first), to, side_text(u, left), from, side_text(u, right));
}

/* A section of another image, of which every element becomes the value. */
static void fill_translate(
    struct unit *u, const struct side *left, const struct token *equal, const struct token *end)
{
  const int n = ++u->numbers;
  const struct expression value = {equal + 1, end};
  side_walk(u, left);
  walk_expression(u, value.first, value.last);
  const char *const element = side_element(u, left);
  edit_replace(u->edits, left->first, token_is(end, ";") ? end : end - 1,
      "{ __typeof__(%s) _xmp_h%d = %s; pst_xmp_copy_section(%s, %s, %s, 0, -1, &(const struct "
      "pst_xmp_side){0, &_xmp_h%d, sizeof "
      "_xmp_h%d, %s, 0, 0, 0}); }",
      element, n, translated_text(u, &value), where_of(left->first), place_text(u, left), side_text(u, left),
      n, n, type_text(u, left->symbol->declarator, text_of("_xmp_h%d", n)));
}

static void put_translate(
    struct unit *u, const struct side *left, const struct token *equal, const struct token *end)
{
  const int n = ++u->numbers;
  const struct expression value = {equal + 1, end};
  side_walk(u, left);
  walk_expression(u, value.first, value.last);
  const char *const element = element_of(u, left), *const descriptor = descriptor_name(left->first),
                    *const where = where_of(left->first);
  const char *get = "";
  const char *operation = "=";
  if (equal->length > 1) {
    get = text_of(" pst_xmp_get(%s, %s, _xmp_w%d, &%s, &_xmp_h%d, sizeof _xmp_h%d);", where, descriptor, n,
        element, n, n);
    operation = text_of("%.*s", (int)equal->length, equal->text);
  }
  edit_replace(u->edits, left->first, token_is(end, ";") ? end : end - 1,
      "{ __typeof__(%s) _xmp_h%d; const int _xmp_w%d = %s;%s _xmp_h%d %s %s; pst_xmp_put(%s, %s, _xmp_w%d, "
      "&%s, &_xmp_h%d, "
      "sizeof _xmp_h%d); }",
      element, n, n, side_image(u, left, left->first), get, n, operation, translated_text(u, &value), where,
      descriptor, n, element, n, n);
}

int coarray_assignment(struct unit *u, const struct token *t, const struct token *end)
{
  const struct token *const equal = assignment_operator(t, end);
  struct side left, right;
  if (!equal || side_read(u, t, equal, &left)) return 0;
  const int is_side = side_read(u, equal + 1, end, &right) == 0;
  if (is_side && right.codims && !left.codims && left.sections && token_is(equal, "=")) {
    if (left.array) return 0;
    if (!coindex_is_wrong(&right)) copy_translate(u, &left, &right, end);
    return 1;
  }
  if (!left.codims) return 0;
  if (coindex_is_wrong(&left)) return 1;
  const int whole = left.sections == 0 && left.count < side_dims(&left);
  if (left.sections == 0 && !whole) put_translate(u, &left, equal, end);
  else if (!token_is(equal, "=")) message_error(equal, "a section is assigned by = alone");
  else if (is_side && (right.sections || (right.symbol && right.count < side_dims(&right))))
    copy_translate(u, &left, &right, end);
  else fill_translate(u, &left, equal, end);
  return 1;
}

/* ---- xmp_atomic_define(v[i]:[image], value), xmp_atomic_ref(&value, v[i]:[image]) ---- */

const struct token *coarray_atomic(struct unit *u, const struct token *t)
{
  const struct token *const end = token_skip(t + 1), *const first = t + 2;
  const struct token *const comma = expression_end(first, EXPRESSION_ENDS_COMMA | EXPRESSION_ENDS_COLON);
  const int defines = token_is(t, "xmp_atomic_define");
  struct side s;
  /* A coindex has a colon, which ends the first argument of a definition. */
  const struct token *middle = comma;
  while (middle < end - 1 && !token_is(middle, ","))
    middle = token_is(middle, "[") ? token_skip(middle) : middle + 1;
  const struct expression value = defines ? (struct expression){middle + 1, end - 1}
                                          : (struct expression){first, middle};
  const int wrong = middle >= end - 1 ||
      (defines ? side_read(u, first, middle, &s) : side_read(u, middle + 1, end - 1, &s)) || !s.symbol ||
      s.symbol->kind != SYMBOL_COARRAY || s.sections;
  if (wrong) {
    message_error(t, "%.*s takes a coarray's int and %s", (int)t->length, t->text,
        defines ? "a value" : "an address before it");
    return end;
  }
  side_walk(u, &s);
  walk_expression(u, value.first, value.last);
  const char *const at = text_of(
      "%s, %s, &%s", descriptor_name(s.first), s.codims ? side_image(u, &s, t) : "-1", side_element(u, &s));
  if (defines)
    edit_replace(u->edits, t, end - 1, "pst_xmp_atomic_define(%s, %s, %s)", where_of(t), at,
        translated_text(u, &value));
  else
    edit_replace(
        u->edits, t, end - 1, "pst_xmp_atomic_ref(%s, %s, %s)", where_of(t), translated_text(u, &value), at);
  return end;
}
