/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Global arrays: their declarations, which become a type and a descriptor, and references to them. */
#include <string.h>

#include "xmpcc/side.h"

/* ---- which names a block's directives concern ---- */

static void named_add(struct block *b, const struct directive *d)
{
  for (int i = 0; i < d->objects; i++) {
    b->named = kept_grow(b->named, (size_t)b->count, sizeof *b->named);
    b->named[b->count++] = (struct named){&d->object[i], d};
  }
}

void block_read(struct unit *u, const struct token *from, const struct token *to, struct block *b)
{
  *b = (struct block){.named = NULL};
  if (u->directives) block_read_more(u, from, to, b);
}

void block_read_more(struct unit *u, const struct token *from, const struct token *to, struct block *b)
{
  for (const struct token *t = from; t < to && t->kind != TOKEN_END;
       t = token_is(t, "{") ? token_skip(t) : t + 1) {
    if (t->kind != TOKEN_DIRECTIVE) continue;
    const struct parsed *const p = unit_directives(u, t);
    for (int i = 0; i < p->count; i++) {
      const enum directive_kind kind = p->directive[i].kind;
      if (kind == DIRECTIVE_ALIGN || kind == DIRECTIVE_SHADOW || kind == DIRECTIVE_COARRAY)
        named_add(b, &p->directive[i]);
    }
  }
}

static const struct named *named_find(
    const struct block *b, enum directive_kind kind, const struct token *name)
{
  for (int i = 0; b && i < b->count; i++)
    if (b->named[i].directive->kind == kind && !b->named[i].object->member &&
        name_is(b->named[i].object->name, name))
      return &b->named[i];
  return NULL;
}

/* ---- declarations ---- */

static void extent_set(const struct unit *u, struct array *a, int k, const struct expression *e)
{
  if (k >= DIMENSIONS) return;
  a->extent[k] = e->first == e->last ? "0" : translated_text(u, e);
  a->varies[k] = expression_varies(u, e);
}

static void extents_set(const struct unit *u, struct array *a)
{
  const struct declarator *const d = &a->declarator;
  a->dims = a->pointer ? 1 + d->rows : d->dims;
  if (a->pointer) {
    a->extent[0] = "0";
    for (int k = 0; k < d->rows; k++) extent_set(u, a, k + 1, &d->row[k]);
  } else
    for (int k = 0; k < d->dims; k++) extent_set(u, a, k, &d->dim[k]);
}

/* Names in it may be hidden where the array is used, or their values may have changed. */
const char *array_extent(const struct unit *u, const struct array *a, int k)
{
  const struct declarator *const d = &a->declarator;
  const struct expression none = {NULL, NULL},
                          *const e = !a->pointer ? &d->dim[k]
      : k                                        ? &d->row[k - 1]
                                                 : &none;
  int seen = !a->varies[k] && strcmp(a->extent[k], "0") != 0;
  for (const struct token *t = e->first; t < e->last; t++) {
    const struct symbol *const s = t->kind == TOKEN_NAME ? scope_find(u->scope, t) : NULL;
    seen &= !s || s->level <= a->level;
  }
  return seen ? a->extent[k] : text_of("%s->extent[%d]", a->descriptor, k);
}

struct array *array_new(struct unit *u, const struct declarator *d, int parameter)
{
  struct array *const a = kept_take(sizeof *a);
  a->type = text_of("_xmp_t_%s", name_text(d->name));
  a->descriptor = descriptor_name(d->name);
  a->name = d->name;
  a->level = scope_level(u->scope);
  a->declarator = *d;
  a->parameter = parameter;
  a->pointer = a->declarator.pointer && a->declarator.dims == 0;
  a->is_static = (d->specifiers.storage & STORAGE_STATIC) != 0;
  a->is_extern = (d->specifiers.storage & STORAGE_EXTERN) != 0;
  extents_set(u, a);
  if (a->dims == 0 || a->dims > DIMENSIONS)
    message_error(
        d->name, "'%s' is aligned, and is no array of 1 to %d dimensions", name_text(d->name), DIMENSIONS);
  if (a->pointer && strcmp(declarator_element(d), "void") == 0)
    message_error(d->name, "'%s' points to void, and a global array has elements of a type; write that type",
        name_text(d->name));
  if (d->initializer)
    message_error(
        d->initializer, "'%s' is aligned; a global array can have no initializer", name_text(d->name));
  return a;
}

/* An array of the file may be declared again, as by a header. */
static struct array *array_of_file(const struct unit *u, const struct declarator *d)
{
  const struct symbol *const s = scope_find(u->scope, d->name);
  return scope_level(u->scope) == 0 && s && s->kind == SYMBOL_ARRAY ? s->of.array : NULL;
}

const char *array_typedef(const struct array *a)
{
  return text_of("typedef __typeof__(%s) %s;", declarator_element(&a->declarator), a->type);
}

/* The descriptor, and where the view lies; that of an array whose memory comes later is not used. */
static const char *file_variables(const struct array *a)
{
  const char *const storage = a->is_static ? "static " : a->is_extern ? "extern " : "";
  if (!a->base) return text_of("%spst_xmp_array_t *%s;", storage, a->descriptor);
  return text_of("%spst_xmp_array_t *%s; %schar *__restrict__ %s __attribute__((unused));", storage,
      a->descriptor, storage, a->base);
}

/* An array of the file is made by the constructor where it is defined, once it is aligned. */
static void file_begin(struct unit *u, struct array *a)
{
  if (!a->is_defined || !a->align || a->begun) return;
  a->begun = 1;
  unit_begin_add(u, a->align->at, text_of("%s = %s;", a->descriptor, array_made(u, a, a->align)));
  if (a->base && !a->late)
    unit_begin_add(u, a->align->at, text_of("%s = %s->biased;", a->base, a->descriptor));
}

/* What stands behind the declaration instead of the array. */
static void array_add(
    struct unit *u, struct declaration *d, const struct declarator *one, struct text *behind)
{
  struct array *a = array_of_file(u, one);
  const int again = a != NULL;
  if (!again) {
    a = array_new(u, one, 0);
    scope_add(u->scope, SYMBOL_ARRAY, one->name)->of.array = a;
    text_add(behind, " %s", array_typedef(a));
  }
  a->is_static |= (one->specifiers.storage & STORAGE_STATIC) != 0;
  a->is_extern = (one->specifiers.storage & STORAGE_EXTERN) != 0;
  a->is_defined |= !a->is_extern;
  a->declared_again = again;
  if (scope_level(u->scope) == 0 && !a->pointer) a->base = text_of("_xmp_b_%s", name_text(a->name));
  file_begin(u, a);
  if (scope_level(u->scope) == 0) text_add(behind, " %s", file_variables(a));
  (void)d;
}

static void coarray_add(struct unit *u, const struct declarator *d, const struct named *by)
{
  struct symbol *s = coarray_of_file(u, d->name);
  if (!s) s = scope_add(u->scope, SYMBOL_COARRAY, d->name);
  s->declarator = d;
  coarray_begin(u, s, by ? by->directive : NULL, by ? by->object : NULL);
}

/* A declarator goes if its array has become a descriptor; a pointer stays. Returns whether it goes. */
static int name_declare(
    struct unit *u, struct declaration *d, struct declarator *one, const struct block *b, struct text *behind)
{
  declarator_complete(u->scope, one);
  const struct named *const align = named_find(b, DIRECTIVE_ALIGN, one->name);
  const struct named *const coarray = named_find(b, DIRECTIVE_COARRAY, one->name);
  if (one->specifiers.storage & STORAGE_TYPEDEF) {
    if (one->codims)
      message_error(one->name, "'%s' is a type, and cannot be a coarray; write the codimensions of variables",
          name_text(one->name));
    scope_add(u->scope, SYMBOL_TYPE, one->name)->declarator = one;
  } else if (align && !one->function) {
    const struct symbol *const s = scope_find(u->scope, one->name);
    /* The chapter declares a parameter again in the body. */
    if (s && s->kind == SYMBOL_ARRAY && s->of.array->parameter && s->level == scope_level(u->scope)) return 1;
    array_add(u, d, one, behind);
    struct array *const a = scope_find(u->scope, one->name)->of.array;
    if (named_find(b, DIRECTIVE_SHADOW, one->name)) a->shadowed = named_find(b, DIRECTIVE_SHADOW, one->name);
    if (coarray || one->codims)
      message_error(one->name, "'%s' is aligned, and cannot be a coarray", name_text(one->name));
    /* References are to what the descriptor says; the pointer is set alone. */
    if (a->pointer && scope_level(u->scope) > 0)
      edit_after(u->edits, one->last - 1, " __attribute__((unused))");
    return !a->pointer;
  } else if (one->codims || coarray) coarray_add(u, one, coarray);
  else if (!coarray_of_file(u, one->name)) {
    scope_add(u->scope, SYMBOL_ORDINARY, one->name)->declarator = one;
    members_check_declared(u, one, 0);
    members_begin(u, one, behind);
  }
  return 0;
}

/* Writes the declaration without the declarators that go. */
void declaration_rewrite(struct unit *u, struct declaration *d, const char *goes, const char *behind)
{
  struct text rest = {0};
  int left = 0;
  for (int i = 0; i < d->count; i++) {
    const struct declarator *const one = &d->declarator[i];
    if (goes[i]) continue;
    const struct expression text = {one->first, one->end};
    text_add(&rest, "%s%s", left++ ? ", " : " ", translated_text(u, &text));
  }
  const struct expression specifiers = {d->specifiers.first, d->specifiers.last};
  const int whole = left || d->specifiers.body;
  const struct token *const end = token_is(d->end, ";") ? d->end : d->end - 1;
  if (whole && left == d->count) edit_after(u->edits, end, "%s", behind);
  else
    edit_replace(u->edits, d->specifiers.first, end, "%s%s%s%s", whole ? translated_text(u, &specifiers) : "",
        text_get(&rest), whole ? ";" : "", behind);
}

void declaration_declare(struct unit *u, struct declaration *d, const struct block *b)
{
  struct text behind = {0};
  specifiers_walk(u, &d->specifiers);
  if (d->specifiers.body && !d->specifiers.is_enum) coarray_members_refuse(d->specifiers.body);
  if (d->specifiers.body && b) members_declare(u, &d->specifiers, b);
  char *const goes = kept_take((size_t)d->count + 1);
  for (int i = 0; i < d->count; i++) {
    struct declarator *const one = &d->declarator[i];
    if (!one->name) continue;
    declarator_walk(u, one);
    goes[i] = (char)name_declare(u, d, one, b, &behind);
    if (one->initializer) walk_expression(u, one->initializer + 1, one->end);
  }
  if (memchr(goes, 1, (size_t)d->count) || behind.length) declaration_rewrite(u, d, goes, text_get(&behind));
}

void parameter_declare(struct unit *u, struct declarator *d, const struct block *b)
{
  declarator_complete(u->scope, d);
  const struct named *const align = named_find(b, DIRECTIVE_ALIGN, d->name);
  const struct symbol *const s = scope_find(u->scope, d->name);
  if (d->codims)
    message_error(d->name, "'%s' is a parameter, and cannot be a coarray; declare that in the file",
        name_text(d->name));
  const int again = s && s->level == scope_level(u->scope); /* old C: its type */
  members_check_declared(u, d, 1);
  if (!align) {
    struct symbol *const new = again ? scope_find(u->scope, d->name)
                                     : scope_add(u->scope, SYMBOL_ORDINARY, d->name);
    new->declarator = d;
    new->parameter = 1;
    return;
  }
  edit_replace(u->edits, d->name, d->name, "_xmp_p_%s", name_text(d->name));
  if (d->first == d->name && d->last == d->name + 1 && d->specifiers.first == NULL)
    return; /* old C: the name alone */
  struct array *const a = array_new(u, d, 1);
  a->shadowed = named_find(b, DIRECTIVE_SHADOW, d->name);
  scope_add(u->scope, SYMBOL_ARRAY, d->name)->of.array = a;
}

/* ---- descriptors ---- */

static const char *list_text(const char *type, const struct array *a, const char *const value[])
{
  struct text text = {0};
  for (int k = 0; k < a->dims; k++) text_add(&text, "%s%s", k ? ", " : "", value[k]);
  return text_of("(const %s[]){%s}", type, text_get(&text));
}

/* An array of the file has memory that was not used before, unless it is allocated late. */
static int is_cleared(const struct unit *u, const struct array *a)
{
  if (a->pointer || a->parameter || a->member) return 0;
  return scope_level(u->scope) > 0 ? a->is_static : a->late;
}

static const char *shape_text(const struct unit *u, const struct array *a)
{
  const char *align[DIMENSIONS] = {NULL}, *shadow[DIMENSIONS] = {NULL}, *extent[DIMENSIONS] = {NULL};
  int shadows = 0;
  for (int k = 0; k < a->dims; k++) {
    align[k] = text_of("{%d, %s}", a->axis[k], a->offset[k]);
    shadow[k] = a->shadow[k][0] ? text_of("{%s, %s}", a->shadow[k][0], a->shadow[k][1]) : "{0, 0}";
    shadows |= a->shadow[k][0] != NULL;
    extent[k] = a->extent[k];
  }
  return text_of("&(const struct pst_xmp_shape){\"%s\", sizeof(%s), %s, %d, %s, %s, %s, %d}",
      name_text(a->name), a->type, type_text(u, &a->declarator, text_of("*(%s *)0", a->type)), a->dims,
      list_text("pst_xmp_index_t", a, extent), list_text("struct pst_xmp_align", a, align),
      shadows ? list_text("struct pst_xmp_shadow", a, shadow) : "0", is_cleared(u, a));
}

const char *array_made(const struct unit *u, const struct array *a, const struct directive *d)
{
  const char *const t = descriptor_name(a->template_->name), *const where = where_of(d->at);
  if (a->parameter)
    return text_of(
        "pst_xmp_array_parameter(%s, _xmp_p_%s, %s, %s)", where, name_text(a->name), t, shape_text(u, a));
  return text_of("pst_xmp_array%s(%s, %s, %s)", a->pointer ? "_pointer" : "", where, t, shape_text(u, a));
}

static const char *view_text(const struct array *a, const char *name, const char *attribute);

/* The descriptor of an array of a block. The program may look at its sizes alone. */
static void block_descriptor(
    const struct unit *u, const struct array *a, const struct directive *d, struct text *out)
{
  const char *const name = a->descriptor;
  if (a->is_extern) text_add(out, "extern pst_xmp_array_t *%s; ", name);
  else if (a->is_static)
    text_add(out, "static pst_xmp_array_t *%s; if (!%s) %s = %s; ", name, name, name, array_made(u, a, d));
  else
    text_add(out, "pst_xmp_array_t *%s __attribute__((cleanup(pst_xmp_array_free), unused)) = %s; ", name,
        array_made(u, a, d));
  if (!a->late) text_add(out, "%s ", view_text(a, name_text(a->name), " __attribute__((unused))"));
}

void array_begin(struct unit *u, struct array *a, int level, const struct directive *d, struct text *out)
{
  if (a->aligned && !a->declared_again) {
    message_error(d->at, "'%s' is aligned twice", name_text(a->name));
    return;
  }
  if (a->shadowed) array_set_shadow(a, a->shadowed->object);
  if (a->member || level == 0) {
    a->align = d;
    file_begin(u, a);
  } else {
    if (a->parameter) text_add(out, "%s ", array_typedef(a));
    block_descriptor(u, a, d, out);
  }
  a->aligned = 1;
  a->declared_again = 0;
}

/* ---- references ---- */

static int has_shadow(const struct array *a, int k)
{
  return a->shadow[k][0] && (strcmp(a->shadow[k][0], "0") != 0 || strcmp(a->shadow[k][1], "0") != 0);
}

/* The rows' lengths behind the first dimension: a constant where nothing of the dimension is elsewhere. */
static const char *row_text(const struct array *a, int from)
{
  struct text text = {0};
  for (int k = from; k < a->dims; k++)
    if (a->axis[k] < 0 && !has_shadow(a, k) && strspn(a->extent[k], "0123456789") == strlen(a->extent[k]) &&
        strcmp(a->extent[k], "0") != 0)
      text_add(&text, "[%s]", a->extent[k]);
    else text_add(&text, "[%s->ld[%d]]", a->descriptor, k);
  return text_get(&text);
}

static const char *pointer_type(const struct array *a, const char *name)
{
  return a->dims == 1 ? text_of("%s *%s", a->type, name)
                      : text_of("%s (*%s)%s", a->type, name, row_text(a, 1));
}

static const char *view_text(const struct array *a, const char *name, const char *attribute)
{
  const char *const from = a->base && !a->late ? a->base : text_of("%s->biased", a->descriptor);
  return text_of("__extension__ %s%s = (void *)%s;", pointer_type(a, name), attribute, from);
}

const char *array_view(const struct array *a, const char *name, int counts)
{
  return view_text(a, name, counts ? "" : " __attribute__((unused))");
}

/* An array of C: the local part. It becomes a pointer to its beginning where arrays do. */
const char *array_bare(const struct array *a)
{
  return text_of("(*(%s (*)%s)%s->base)", a->type, row_text(a, 0), a->descriptor);
}

/* As declared, for sizeof and typeof. */
static const char *array_declared(const struct unit *u, const struct array *a)
{
  const int points = a->pointer || a->parameter;
  struct text text = {0};
  for (int k = points; k < a->dims; k++) text_add(&text, "[%s]", array_extent(u, a, k));
  return text_of("(*(%s (%s)%s)0)", a->type, points ? "**" : "*", text_get(&text));
}

void array_use(struct unit *u, const struct symbol *s, int counts)
{
  struct function *const f = u->function;
  if (!f || s->level > 0 || s->of.array->late) return;
  int i = 0;
  while (i < f->views && f->view[i].array != s->of.array) i++;
  if (i == f->views) {
    f->view = kept_grow(f->view, (size_t)f->views, sizeof *f->view);
    f->view[f->views].array = s->of.array;
    f->view[f->views++].counts = 0;
  }
  f->view[i].counts |= counts;
}

/* What the name before subscripts becomes; NULL: it stays. */
static const char *name_view(struct unit *u, const struct side *s)
{
  const struct array *const a = s->array;
  if (!a->member && !a->late) {
    array_use(u, s->symbol, 1);
    return NULL;
  }
  if (!a->member && loop_has_view(u, a)) return text_of("_xmp_v_%s", name_text(a->name));
  return text_of("((%s)%s->biased)", pointer_type(a, ""), a->descriptor);
}

/* The local index of a cyclic dimension. */
const char *array_index(
    struct unit *u, const struct array *a, int k, const struct expression *e, const char *text)
{
  const char *const counted = e && a->cyclic[k] ? loop_local(u, a, k, e) : NULL;
  if (counted || !a->cyclic[k]) return counted ? counted : text;
  loop_share(u->loop, a->descriptor);
  return text_of("pst_xmp_cyclic(%s, %d, %s)", a->descriptor, k, text);
}

static void subscript_translate(struct unit *u, const struct side *s, int k)
{
  const struct side_subscript *const one = &s->subscript[k];
  if (one->section && !u->sections) message_error(one->all.first, "an array section may not stand here");
  else if (one->section)
    edit_replace(u->edits, one->all.first, one->all.last - 1, "%s", section_subscript(u, s, k));
  loop_check_element(u, s->array, k, &one->all);
  if (s->array->cyclic[k])
    edit_replace(u->edits, one->all.first, one->all.last - 1, "%s",
        array_index(u, s->array, k, &one->all, translated_text(u, &one->all)));
}

static const struct token *subscripts_translate(struct unit *u, const struct side *s)
{
  if (u->sections && s->sections) section_begin(u, s);
  side_walk(u, s);
  if (u->sections && s->sections) section_alike(u, s);
  for (int k = 0; k < s->count && k < s->array->dims; k++) subscript_translate(u, s, k);
  return s->count ? token_skip(s->subscript[s->count - 1].all.first - 1) : s->subscripts;
}

/* A reference with fewer subscripts than dimensions is the local part of what they name, as the bare name is:
 * with its lowest local indices, of dimensions that are not here as a whole. */
int array_is_moved(const struct array *a, int count)
{
  int moved = 0;
  for (int k = count; k < a->dims; k++) moved |= a->axis[k] >= 0 || has_shadow(a, k);
  return moved;
}

static const char *part_begin(const struct array *a, int count)
{
  return text_of("(*(%s (*)%s)&", a->type, row_text(a, count));
}

static const char *part_end(const struct array *a, int count)
{
  struct text lowest = {0};
  for (int k = count; k < a->dims; k++) text_add(&lowest, "[%s->low[%d]]", a->descriptor, k);
  return text_of("%s)", text_get(&lowest));
}

const char *array_element(struct unit *u, const struct side *s, const char *const index[], int count)
{
  const struct array *const a = s->array;
  const int part = count < a->dims && array_is_moved(a, count);
  const char *const view = name_view(u, s);
  struct text text = {0};
  text_add(&text, "%s%s", part ? part_begin(a, count) : "", view ? view : name_text(a->name));
  for (int k = 0; k < count; k++) text_add(&text, "[%s]", index[k]);
  return text_of("%s%s", text_get(&text), part ? part_end(a, count) : "");
}

static const struct token *element_translate(struct unit *u, const struct side *s)
{
  const struct array *const a = s->array;
  const char *const view = name_view(u, s);
  if (view) edit_replace(u->edits, s->first, s->subscripts - 1, "%s", view);
  const struct token *const next = subscripts_translate(u, s);
  if (s->count < a->dims && array_is_moved(a, s->count)) {
    edit_before(u->edits, s->first, "%s", part_begin(a, s->count));
    edit_after(u->edits, next - 1, "%s", part_end(a, s->count));
  }
  return next;
}

const struct token *array_reference(struct unit *u, const struct token *t)
{
  struct side s;
  const struct token *end = t;
  while (end->kind != TOKEN_END && !token_is(end, ";")) end++;
  if (side_read_at(u, t, end, &s) || !s.array) return NULL;
  const struct array *const a = s.array;
  if (u->unevaluated) {
    if (!a->pointer || a->parameter) edit_replace(u->edits, t, s.subscripts - 1, "%s", array_declared(u, a));
    return s.subscripts;
  }
  if (!a->aligned) {
    if (!wrong_is(u, a->name))
      message_error(t, "'%s' is used before its align directive", name_text(a->name));
    return s.subscripts;
  }
  if (!u->function) {
    message_error(t,
        "'%s' is distributed when the program starts, and has no constant address or value; assign it in a "
        "function",
        name_text(a->name));
    return s.subscripts;
  }
  if (s.count < a->dims && indirect_index(u, &s)) return s.last;
  if (s.count) return element_translate(u, &s);
  if (!a->pointer || a->parameter) edit_replace(u->edits, t, s.subscripts - 1, "%s", array_bare(a));
  return s.subscripts;
}
