/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Declarative directives, and references to what they declare. An object of the file is made by the
 * constructor; one of a block where its directive stands. */
#include <string.h>

#include "xmpcc/unit.h"

const char *descriptor_name(const struct token *name) { return text_of("_xmp_d_%s", name_text(name)); }

static int is_of_file(const struct unit *u) { return scope_level(u->scope) == 0; }

/* The k-th entry in C's order. */
static const struct item *item_at(const struct list *l, int k) { return &l->item[directive_order(l, k)]; }

/* A statement that makes something: at once within a block, or in the constructor. */
static void make(struct unit *u, const struct directive *d, struct text *out, const char *text)
{
  if (is_of_file(u)) unit_begin_add(u, d->at, text);
  else text_add(out, "%s ", text);
}

/* The descriptor of nodes or of a template, and its first value. */
static void descriptor_declare(struct unit *u, const struct directive *d, const struct token *name,
    const char *kind, struct text *out, const char *value)
{
  const char *const variable = descriptor_name(name);
  if (is_of_file(u)) {
    text_add(out, "static void *%s; ", variable);
    unit_begin_add(u, d->at, text_of("%s = %s;", variable, value));
  } else text_add(out, "void *%s __attribute__((cleanup(pst_xmp_%s_free))) = %s; ", variable, kind, value);
}

static int is_too_long(const struct list *l, const char *what)
{
  if (l->count <= DIMENSIONS) return 0;
  message_error(l->at, "%s has %d dimensions; at most %d are possible", what, l->count, DIMENSIONS);
  return 1;
}

/* ---- references ---- */

static struct symbol *mapping_find(struct unit *u, const struct token *name)
{
  struct symbol *const s = scope_find_mapping(u->scope, name);
  if (!s && !wrong_is(u, name))
    message_error(name, "'%s' is not declared as nodes or as a template", name_text(name));
  return s;
}

static int symbol_dims(const struct symbol *s)
{
  return s->kind == SYMBOL_TEMPLATE ? s->of.template_info->dims : s->of.dims;
}

/* The value is asked of the runtime unless the program shows it. */
const char *template_lower(const struct symbol *s, int k, const struct token *at)
{
  const char *const text = s->of.template_info->fixed ? s->of.template_info->lower[k] : NULL;
  if (text && *text && strspn(text + (*text == '-'), "0123456789") == strlen(text + (*text == '-')))
    return text;
  return text_of("pst_xmp_template_lower(%s, %s, %d)", where_of(at), descriptor_name(s->name), k);
}

const char *subscript_text(const struct item *i, const struct list *list, const struct symbol *of)
{
  /* In round brackets nodes count from 1. */
  const char *const less = of && of->kind == SYMBOL_NODES && !list->square ? " - 1" : "";
  const char *const step = expression_is_empty(&i->c) ? "1" : expression_text(&i->c);
  const char *first = expression_is_empty(&i->a) ? NULL : text_of("(%s)%s", expression_text(&i->a), less);
  switch (i->kind) {
  case ITEM_STAR: return "{PST_XMP_OWN, 0, 0, 0, 1}";
  case ITEM_COLON: return "{PST_XMP_ALL, 0, 0, 0, 1}";
  case ITEM_TRIPLET: break;
  default: return text_of("{PST_XMP_ONE, 0, %s, 0, 1}", first);
  }
  if (!first) {
    const int k = directive_order(list, (int)(i - list->item));
    first = of && of->kind == SYMBOL_TEMPLATE && !list->square ? template_lower(of, k, i->at) : "0";
  }
  if (expression_is_empty(&i->b)) return text_of("{PST_XMP_REST, 0, %s, 0, %s}", first, step);
  return list->square
      ? text_of("{PST_XMP_COUNT, 0, %s, %s, %s}", first, expression_text(&i->b), step)
      : text_of("{PST_XMP_BOUNDS, 0, %s, (%s)%s, %s}", first, expression_text(&i->b), less, step);
}

const char *on_text(struct unit *u, const struct reference *r)
{
  if (!r->name || r->name->kind != TOKEN_NAME) return "0";
  const struct symbol *const s = mapping_find(u, r->name);
  if (!s) return "0";
  if (r->list.count && r->list.count != symbol_dims(s))
    message_error(r->name, "'%s' has %s, and the reference %d", name_text(r->name),
        text_count(symbol_dims(s), "dimension"), r->list.count);
  struct text list = {0};
  for (int k = 0; k < r->list.count; k++)
    text_add(&list, "%s%s", k ? ", " : "", subscript_text(item_at(&r->list, k), &r->list, s));
  if (!r->list.count) return text_of("&(const struct pst_xmp_on){%s, 0, 0}", descriptor_name(r->name));
  return text_of("&(const struct pst_xmp_on){%s, %d, (const struct pst_xmp_subscript[]){%s}}",
      descriptor_name(r->name), r->list.count, text_get(&list));
}

/* Are there several nodes in a subscript of nodes, as the program shows? */
static int names_several(const struct item *i, int square, const struct item *size)
{
  long long first, last, nodes;
  if (i->kind == ITEM_COLON) return !(expression_is_constant(&size->a, &nodes) && nodes == 1);
  if (i->kind != ITEM_TRIPLET || !expression_is_constant(&i->b, &last)) return 0;
  if (square) return last > 1;
  return expression_is_constant(&i->a, &first) && first != last;
}

const char *on_one_text(struct unit *u, const struct reference *r)
{
  const struct symbol *const s = r->name && r->name->kind == TOKEN_NAME
      ? scope_find_mapping(u->scope, r->name)
      : NULL;
  for (int k = 0; s && s->kind == SYMBOL_NODES && r->list.count == s->of.dims && k < s->of.dims; k++) {
    const struct item *const i = item_at(&r->list, k);
    if (names_several(i, r->list.square, item_at(s->sizes, k)))
      message_error(i->at, "several nodes are named here, where one is wanted; write its index");
  }
  return on_text(u, r);
}

/* ---- nodes ---- */

static void nodes_declare(
    struct unit *u, const struct directive *d, const struct reference *object, struct text *out)
{
  static const char *const parents[] = {
      "PST_XMP_NO_PARENT", "PST_XMP_EXECUTING", "PST_XMP_PRIMARY", "PST_XMP_OF_NODES"};
  if (is_too_long(&object->list, "nodes")) return;
  struct text sizes = {0};
  for (int k = 0; k < object->list.count; k++) {
    const struct item *const i = item_at(&object->list, k);
    text_add(&sizes, "%s%s", k ? ", " : "", i->kind == ITEM_STAR ? "0" : expression_text(&i->a));
  }
  const char *const of = d->parent == 3 ? on_text(u, &d->right) : "0";
  const struct symbol *const hidden = scope_find_mapping(u->scope, object->name);
  if (hidden && hidden->level == scope_level(u->scope)) {
    message_error(object->name, "'%s' is declared twice", name_text(object->name));
    return;
  }
  struct symbol *const s = scope_add(u->scope, SYMBOL_NODES, object->name);
  s->of.dims = object->list.count;
  s->sizes = &object->list;
  descriptor_declare(u, d, object->name, "nodes", out,
      text_of("pst_xmp_nodes(%s, \"%s\", %d, (const pst_xmp_index_t[]){%s}, %s, %s)", where_of(d->at),
          name_text(object->name), object->list.count, text_get(&sizes), parents[d->parent], of));
}

/* ---- templates ---- */

static const char *upper_text(const struct item *i, int square)
{
  if (i->kind != ITEM_TRIPLET)
    return square ? text_of("(pst_xmp_index_t)(%s) - 1", expression_text(&i->a)) : expression_text(&i->a);
  if (!square) return expression_text(&i->b);
  return text_of("(pst_xmp_index_t)(%s) + (%s) - 1", expression_text(&i->a), expression_text(&i->b));
}

/* The bounds of a template in lists of C: 0 where it has none yet. */
static int bounds_text(const struct list *l, struct template_info *t, const char **lower, const char **upper)
{
  struct text low = {0}, high = {0};
  for (int k = 0; k < l->count; k++) {
    const struct item *const i = item_at(l, k);
    if (i->kind == ITEM_COLON) return 0;
    const char *const first = i->kind == ITEM_TRIPLET ? expression_text(&i->a) : l->square ? "0" : "1";
    if (t) t->lower[k] = first, t->item[k] = i;
    text_add(&low, "%s%s", k ? ", " : "", first);
    text_add(&high, "%s%s", k ? ", " : "", upper_text(i, l->square));
  }
  *lower = text_of("(const pst_xmp_index_t[]){%s}", text_get(&low));
  *upper = text_of("(const pst_xmp_index_t[]){%s}", text_get(&high));
  return 1;
}

static void template_declare(
    struct unit *u, const struct directive *d, const struct reference *object, struct text *out)
{
  if (is_too_long(&object->list, "a template")) return;
  const struct symbol *const hidden = scope_find_mapping(u->scope, object->name);
  if (hidden && hidden->level == scope_level(u->scope)) {
    message_error(object->name, "'%s' is declared twice", name_text(object->name));
    return;
  }
  struct template_info *const t = kept_take(sizeof *t);
  const char *lower = "0", *upper = "0";
  t->dims = object->list.count;
  t->square = object->list.square;
  t->fixed = bounds_text(&object->list, t, &lower, &upper);
  scope_add(u->scope, SYMBOL_TEMPLATE, object->name)->of.template_info = t;
  descriptor_declare(u, d, object->name, "template", out,
      text_of("pst_xmp_template(%s, \"%s\", %d, %s, %s, %d)", where_of(d->at), name_text(object->name),
          t->dims, lower, upper, !t->square));
}

static struct symbol *template_find(struct unit *u, const struct token *name)
{
  struct symbol *const s = mapping_find(u, name);
  if (!s || s->kind == SYMBOL_TEMPLATE) return s;
  message_error(name, "'%s' is no template", name_text(name));
  return NULL;
}

/* A number is no map: where its type is one of C's own words, that can be seen. */
static void map_check(const struct unit *u, const struct expression *map)
{
  const struct symbol *const s = map->last - map->first == 1 ? scope_find(u->scope, map->first) : NULL;
  const struct declarator *const d = s && s->kind == SYMBOL_ORDINARY ? s->declarator : NULL;
  if (expression_is_literal(map) || (d && type_is_known(u, d) && !d->dims && !d->pointer))
    message_error(map->first, "'%s' is a number; gblock takes an array, which has a size for each node",
        expression_text(map));
  const char *const type = d && type_is_known(u, d) && (d->dims || d->pointer) ? type_text(u, d, "") : "";
  if (*type && strcmp(type, "PST_XMP_INT") != 0 && strcmp(type, "PST_XMP_UINT") != 0)
    message_error(map->first, "'%s' is no array of int, which gblock takes", expression_text(map));
}

/* How many entries a map is declared with; "0": that is not seen here. */
static const char *map_length(const struct unit *u, const struct expression *map)
{
  const struct symbol *const s = map->last - map->first == 1 ? scope_find(u->scope, map->first) : NULL;
  const struct declarator *const d = s && s->kind == SYMBOL_ORDINARY && !s->parameter ? s->declarator : NULL;
  if (!d || !d->dims || d->inner || (expression_is_empty(&d->dim[0]) && !d->initializer)) return "0";
  return text_of("sizeof %s / sizeof %s[0]", name_text(map->first), name_text(map->first));
}

static const char *format_text(const struct unit *u, const struct item *i)
{
  const char *const a = expression_is_empty(&i->a) ? NULL : expression_text(&i->a);
  switch (i->kind) {
  case ITEM_BLOCK: return text_of("{PST_XMP_BLOCK, %s, 0, 0}", a ? a : "0");
  case ITEM_CYCLIC: return text_of("{PST_XMP_CYCLIC, %s, 0, 0}", a ? a : "1");
  case ITEM_GBLOCK:
    if (a) map_check(u, &i->a);
    return text_of("{PST_XMP_GBLOCK, 0, %s, %s}", a ? a : "0", a ? map_length(u, &i->a) : "0");
  default: return "{PST_XMP_NOT_DISTRIBUTED, 0, 0, 0}";
  }
}

static const char *formats_text(const struct unit *u, const struct list *l)
{
  struct text text = {0};
  for (int k = 0; k < l->count; k++) text_add(&text, "%s%s", k ? ", " : "", format_text(u, item_at(l, k)));
  return text_of("(const struct pst_xmp_format[]){%s}", text_get(&text));
}

static int is_one(const struct item *i)
{
  return expression_is_empty(&i->a) || strcmp(expression_text(&i->a), "1") == 0;
}

static void distribute(
    struct unit *u, const struct directive *d, const struct reference *object, struct text *out)
{
  struct symbol *const s = template_find(u, object->name), *const p = mapping_find(u, d->right.name);
  if (!s || !p) return;
  struct template_info *const t = s->of.template_info;
  if (p->kind != SYMBOL_NODES) {
    message_error(d->right.name, "'%s' is no node array; a template is distributed onto nodes",
        name_text(d->right.name));
    return;
  }
  if (t->distributed || object->list.count != t->dims) {
    if (t->distributed) message_error(object->name, "'%s' is distributed twice", name_text(object->name));
    else
      message_error(object->name, "'%s' has %s, and its distribution %d", name_text(object->name),
          text_count(t->dims, "dimension"), object->list.count);
    return;
  }
  int distributed = 0;
  for (int k = 0; k < t->dims; k++) {
    const struct item *const i = item_at(&object->list, k);
    t->format[k] = i->kind;
    t->single[k] = i->kind == ITEM_CYCLIC && is_one(i);
    distributed += i->kind != ITEM_STAR;
    if (i->kind == ITEM_GBLOCK && expression_is_empty(&i->a)) t->fixed = 0;
  }
  if (distributed != p->of.dims) {
    message_error(d->right.name, "'%s' has %s, and %d of the template are distributed",
        name_text(d->right.name), text_count(p->of.dims, "dimension"), distributed);
    return;
  }
  t->distributed = 1;
  for (int k = 0, n = 0; k < t->dims; k++)
    if (t->format[k] != ITEM_STAR) t->nodes[k] = item_at(p->sizes, n++);
  make(u, d, out,
      text_of("pst_xmp_distribute(%s, %s, %s, %d, %s);", where_of(d->at), descriptor_name(object->name),
          descriptor_name(d->right.name), t->dims, formats_text(u, &object->list)));
}

const char *template_fix_text(struct unit *u, const struct directive *d)
{
  const struct symbol *const s = template_find(u, d->object[0].name);
  const char *lower = "0", *upper = "0";
  if (!s) return "";
  const struct template_info *const t = s->of.template_info;
  const struct list *const bounds = &d->object[0].list;
  if (t->fixed) message_error(d->object[0].name, "'%s' is fixed already", name_text(d->object[0].name));
  if ((d->formats.count && d->formats.count != t->dims) || (bounds->count && bounds->count != t->dims))
    message_error(d->object[0].name, "'%s' has %s, and template_fix %d", name_text(d->object[0].name),
        text_count(t->dims, "dimension"), d->formats.count ? d->formats.count : bounds->count);
  if (bounds->count) bounds_text(bounds, NULL, &lower, &upper);
  return text_of("__extension__ pst_xmp_template_fix(%s, %s, %d, %s, %d, %s, %s);", where_of(d->at),
      descriptor_name(d->object[0].name), d->formats.count,
      d->formats.count ? formats_text(u, &d->formats) : "0", bounds->count, lower, upper);
}

/* ---- align and shadow ---- */

/* The offset in a subscript of the template; NULL where the name is not in it. */
static const char *offset_text(const struct item *sub, const struct token *dummy)
{
  if (sub->kind != ITEM_EXPRESSION || !expression_mentions(&sub->a, dummy, 0)) return NULL;
  if (expression_is_empty(&sub->b))
    message_error(sub->at, "this is no '%s' with an offset; write %s + e or %s - e", name_text(dummy),
        name_text(dummy), name_text(dummy));
  return expression_is_empty(&sub->c) ? "0" : text_of("(long long)0 %s", expression_text(&sub->c));
}

/* The template's dimension, in C's order, that the r-th colon from the right means. */
static int colon_axis(const struct list *with, int r)
{
  for (int k = with->count - 1; k >= 0; k--)
    if (item_at(with, k)->kind == ITEM_COLON && r-- == 0) return k;
  return -1;
}

static void dimension_align(struct array *a, const struct list *source, const struct list *with, int k)
{
  const struct item *const i = item_at(source, k);
  a->axis[k] = -1;
  a->offset[k] = "0";
  if (i->kind == ITEM_STAR) return;
  if (i->kind == ITEM_COLON) {
    int r = 0;
    for (int j = k + 1; j < source->count; j++) r += item_at(source, j)->kind == ITEM_COLON;
    a->axis[k] = colon_axis(with, r);
    return;
  }
  for (int j = 0; j < with->count; j++) {
    const char *const offset = offset_text(item_at(with, j), i->a.first);
    if (!offset) continue;
    a->axis[k] = j;
    a->offset[k] = offset;
  }
}

static int align_fits(const struct unit *u, const struct directive *d, const struct reference *object,
    const struct array *a, const struct template_info *t)
{
  if (a->dims != object->list.count)
    message_error(object->name, "'%s' has %s, and its align directive %d", name_text(object->name),
        text_count(a->dims, "dimension"), object->list.count);
  else if (d->right.list.count != t->dims)
    message_error(d->right.name, "'%s' has %s, and the align directive %d", name_text(d->right.name),
        text_count(t->dims, "dimension"), d->right.list.count);
  else if (t->distributed) return 1;
  else if (!wrong_is(u, d->right.name))
    message_error(d->right.name, "'%s' is not distributed; a distribute directive must come before",
        name_text(d->right.name));
  return 0;
}

/* The first and the last index of a template's dimension, if the program shows them. */
static int bounds_are_constant(const struct template_info *t, int k, long long *first, long long *last)
{
  const struct item *const i = t->item[k];
  *first = t->square ? 0 : 1;
  if (!i || !expression_is_constant(i->kind == ITEM_TRIPLET ? &i->b : &i->a, last)) return 0;
  if (i->kind == ITEM_TRIPLET && !expression_is_constant(&i->a, first)) return 0;
  return !t->square || !__builtin_add_overflow(*last, *first - 1, last);
}

/* What the program does not show, the runtime looks at. */
static void extent_check(
    const struct array *a, int k, const struct item *place, const struct template_info *t)
{
  const struct declarator *const d = &a->declarator;
  long long extent, first, last, offset = 0;
  if (a->pointer || k >= d->dims || !expression_is_constant(&d->dim[k], &extent) ||
      !bounds_are_constant(t, a->axis[k], &first, &last) ||
      (!expression_is_empty(&place->c) && !expression_is_constant(&place->c, &offset)))
    return;
  if (offset >= first && last - offset >= extent - 1) return;
  message_error(place->at, "'%s' has the indices %lld to %lld of the template, which has %lld to %lld there",
      name_text(a->name), offset, offset + extent - 1, first, last);
}

static void array_align(
    struct unit *u, const struct directive *d, const struct reference *object, struct text *out)
{
  struct symbol *const s = scope_find(u->scope, object->name), *const t = template_find(u, d->right.name);
  if (!t) return;
  struct array *const member = object->member ? member_find(u, object->name, object->member) : NULL;
  if (object->member ? !member : !s || s->kind != SYMBOL_ARRAY || s->level != scope_level(u->scope)) {
    message_error(object->name,
        object->member
            ? "no structure with the tag '%s' and such a member is declared in the file before its align "
              "directive"
            : s && s->kind != SYMBOL_TYPE && s->level < scope_level(u->scope)
            ? "'%s' is declared outside of this block; its align directive stands there, behind it"
            : "no array '%s' is declared in this block before its align directive",
        name_text(object->name));
    return;
  }
  struct array *const a = member ? member : s->of.array;
  if (!align_fits(u, d, object, a, t->of.template_info)) return;
  a->template_ = t;
  for (int k = 0; k < a->dims; k++) {
    dimension_align(a, &object->list, &d->right.list, k);
    a->cyclic[k] = a->axis[k] >= 0 && t->of.template_info->format[a->axis[k]] == ITEM_CYCLIC;
    if (a->axis[k] >= 0) extent_check(a, k, item_at(&d->right.list, a->axis[k]), t->of.template_info);
  }
  a->late = a->pointer || !t->of.template_info->fixed;
  array_begin(u, a, s ? s->level : 0, d, out);
}

static const char *width_text(const struct item *i, int upper)
{
  return expression_text(i->kind == ITEM_TRIPLET && upper ? &i->b : &i->a);
}

void array_set_shadow(struct array *a, const struct reference *object)
{
  if (object->list.count != a->dims) {
    message_error(object->name, "'%s' has %s, and its shadow %d", name_text(object->name),
        text_count(a->dims, "dimension"), object->list.count);
    return;
  }
  for (int k = 0; k < a->dims; k++) {
    const struct item *const i = item_at(&object->list, k);
    const int none = i->kind == ITEM_EXPRESSION && strcmp(expression_text(&i->a), "0") == 0;
    a->shadow[k][0] = i->kind == ITEM_STAR ? "PST_XMP_FULL_SHADOW" : width_text(i, 0);
    a->shadow[k][1] = i->kind == ITEM_STAR ? "0" : width_text(i, 1);
    if (a->cyclic[k] && !none)
      message_error(i->at, "'%s' is distributed cyclically here, where no shadow is possible; write 0",
          name_text(object->name));
  }
}

/* ---- all of them ---- */

static void shadow_check(struct unit *u, const struct reference *object)
{
  const struct symbol *const s = scope_find(u->scope, object->name);
  if (object->member && member_find(u, object->name, object->member)) return;
  if (!s || s->kind != SYMBOL_ARRAY || s->level != scope_level(u->scope))
    message_error(
        object->name, "'%s' has a shadow, and is no global array of this block", name_text(object->name));
}

/* Coarrays were found with their declarations. Of an aligned one it has been said that it cannot be one. */
static void coarray_check(const struct unit *u, const struct reference *object)
{
  const struct symbol *const s = scope_find(u->scope, object->name);
  if (!s || (s->kind != SYMBOL_COARRAY && s->kind != SYMBOL_ARRAY))
    message_error(object->name, "no variable '%s' is declared in this block before its coarray directive",
        name_text(object->name));
}

void mapping_directive(struct unit *u, const struct directive *d, struct text *out)
{
  for (int i = 0; i < d->objects; i++) {
    const struct reference *const object = &d->object[i];
    const unsigned errors = message_errors();
    switch (d->kind) {
    case DIRECTIVE_NODES: nodes_declare(u, d, object, out); break;
    case DIRECTIVE_TEMPLATE: template_declare(u, d, object, out); break;
    case DIRECTIVE_DISTRIBUTE: distribute(u, d, object, out); break;
    case DIRECTIVE_ALIGN: array_align(u, d, object, out); break;
    case DIRECTIVE_SHADOW: shadow_check(u, object); break;
    case DIRECTIVE_COARRAY: coarray_check(u, object); break;
    default: break;
    }
    if (message_errors() > errors || (d->right.name && wrong_is(u, d->right.name)))
      wrong_add(u, object->member ? object->member : object->name);
  }
}
