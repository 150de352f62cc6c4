/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Executable directives that are one call, and task, tasks and image, which are calls around a statement. */
#include <stdlib.h>
#include <string.h>

#include "xmpcc/unit.h"

int pragma_is_openmp(const struct token *t)
{
  const char *s = t->text, *const end = t->text + t->length;
  while (s < end && (*s == '#' || *s == ' ' || *s == '\t')) s++;
  if (end - s < 6 || memcmp(s, "pragma", 6) != 0) return 0;
  for (s += 6; s < end && (*s == ' ' || *s == '\t');) s++;
  return end - s > 3 && memcmp(s, "omp", 3) == 0 && (s[3] == ' ' || s[3] == '\t');
}

/* ---- reductions and broadcasts ---- */

const char *operation_name(const struct token *operation, int clause)
{
  static const struct {
    const char *word, *name;
  } operations[] = {{"+", "SUM"}, {"-", "SUM"}, {"*", "PRODUCT"}, {"&", "BITAND"}, {"|", "BITOR"},
      {"^", "BITXOR"}, {"&&", "LOGAND"}, {"||", "LOGOR"}, {"max", "MAX"}, {"min", "MIN"},
      {"firstmax", "FIRSTMAX"}, {"firstmin", "FIRSTMIN"}, {"lastmax", "LASTMAX"}, {"lastmin", "LASTMIN"}};
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
    if (!token_is(operation, operations[i].word) && !token_is_word(operation, operations[i].word)) continue;
    if (i > 9 && !clause) {
      message_error(operation, "'%s' is for the reduction clause of loop alone", operations[i].word);
      return NULL;
    }
    return text_of("PST_XMP_%s", operations[i].name);
  }
  message_error(operation, "'%s' is no reduction of C", name_text(operation));
  return NULL;
}

const char *variable_text(const struct reduction_variable *v)
{
  if (!v->member) return name_text(v->name);
  return text_of(
      "%s%s%s", name_text(v->name), token_is(v->member - 1, "->") ? "->" : ".", name_text(v->member));
}

int operation_fits(
    const struct unit *u, const struct token *operation, const char *op, const struct reduction_variable *v)
{
  const struct declarator *const d = variable_declarator(u, v);
  if (d && !d->pointer && type_is_structure(u, &d->specifiers)) {
    message_error(
        v->name, "'%s' is a structure, and a reduction is of numbers; name its members", variable_text(v));
    return 0;
  }
  const char *const type = type_text(u, d, "");
  const int is_complex = strncmp(type, "PST_XMP_C", 9) == 0 && strcmp(type, "PST_XMP_CHAR") != 0;
  const int is_real = strcmp(type, "PST_XMP_FLOAT") == 0 || strcmp(type, "PST_XMP_DOUBLE") == 0 ||
      strcmp(type, "PST_XMP_LDOUBLE") == 0;
  const int fits = strstr(op, "_BIT") ? !is_complex && !is_real
                                      : !is_complex || !(strstr(op, "MAX") || strstr(op, "MIN"));
  if (!fits)
    message_error(v->name,
        is_complex ? "'%s' is complex, and complex numbers have no %s"
                   : "'%s' is no integer, and only integers have %s",
        variable_text(v), name_text(operation));
  return fits;
}

/* An array that is a parameter is a pointer to C. */
const char *variable_size(const struct unit *u, const struct reduction_variable *v)
{
  const struct symbol *const s = v->member ? NULL : scope_find(u->scope, v->name);
  const char *const name = variable_text(v);
  if (!s || !s->parameter || !s->declarator || s->declarator->dims == 0) return text_of("sizeof %s", name);
  return text_of("((%s) * sizeof %s[0])", expression_text(&s->declarator->dim[0]), name);
}

/* As what it is declared; NULL: that is not known. */
const struct declarator *variable_declarator(const struct unit *u, const struct reduction_variable *v)
{
  const struct symbol *const s = scope_find(u->scope, v->name);
  return v->member ? member_declarator(u, v->name, v->member + 1) : s ? s->declarator : NULL;
}

static int variable_is_local(const struct unit *u, const struct reduction_variable *v)
{
  const struct symbol *const s = scope_find(u->scope, v->name);
  if (!s || s->kind == SYMBOL_TYPE)
    message_error(v->name, "'%s' is not declared as a variable", name_text(v->name));
  else if (s->kind == SYMBOL_ARRAY)
    message_error(v->name, "'%s' is a global array; this takes local variables", name_text(v->name));
  else if (v->member && member_is_array(u, v->name, v->member))
    message_error(v->name, "'%s' is a global array; this takes local variables", variable_text(v));
  else return 1;
  return 0;
}

const char *variable_element(struct unit *u, const struct reduction_variable *v)
{
  const struct symbol *const s = scope_find(u->scope, v->name);
  const char *const name = variable_text(v);
  if (!variable_is_local(u, v)) return NULL;
  const struct declarator *const d = variable_declarator(u, v);
  const int open = d && d->dims && expression_is_empty(&d->dim[0]) && (v->member || s->parameter);
  if (d && !v->member) members_check(u, v->name, s);
  if (d && ((d->pointer && !d->dims) || open)) {
    message_error(v->name, "'%s' is a pointer, whose length nobody knows; name an array or a scalar", name);
    return NULL;
  }
  struct text text = {0};
  text_add(&text, "%s", name);
  for (int k = 0; d && k < d->dims; k++) text_add(&text, "[0]");
  return text_get(&text);
}

static const char *async_text(const struct directive *d)
{
  return d->flags & DIRECTIVE_ASYNC ? text_of("&(const int){%s}", expression_text(&d->async)) : "0";
}

static const char *reduced_text(struct unit *u, const struct reduction_variable *v, const char *element)
{
  return text_of("{&%s, %s / sizeof %s, sizeof %s, %s, \"%s\"}", element, variable_size(u, v), element,
      element, type_text(u, variable_declarator(u, v), element), variable_text(v));
}

/* max : v / place,.. /: one variable, and those beside it. */
static const char *located_text(struct unit *u, const struct directive *d, const char *op,
    const struct reduction_variable *v, const char *element)
{
  struct text list = {0};
  if (d->flags & DIRECTIVE_ASYNC)
    message_error(v->location[0], "a reduction with locations has no async clause; leave it out");
  if (strcmp(element, variable_text(v)) != 0)
    message_error(v->name, "'%s' is no scalar variable, which alone has locations", variable_text(v));
  for (int i = 0; i < v->locations; i++) {
    const struct reduction_variable place = {.name = v->location[i]};
    const char *const name = variable_text(&place);
    const struct declarator *const declared = variable_declarator(u, &place);
    if (variable_is_local(u, &place) && declared && declared->dims)
      message_error(place.name, "'%s' is an array; a location is a scalar variable", name);
    text_add(&list, "%s{&%s, &%s, sizeof %s}", i ? ", " : "", name, name, name);
  }
  return text_of(
      "__extension__ pst_xmp_reduction_located(%s, %s, &(const struct pst_xmp_variable)%s, %d, (const struct "
      "pst_xmp_location[]){%s}, %s);",
      where_of(d->at), op, reduced_text(u, v, element), v->locations, text_get(&list), on_text(u, &d->right));
}

static void reduction_one(
    struct unit *u, const struct directive *d, const struct reduction *reduction, struct text *all)
{
  const char *const op = operation_name(reduction->operation, 0);
  struct text list = {0};
  int count = 0;
  for (int k = 0; op && k < reduction->count; k++) {
    const struct reduction_variable *const v = &reduction->variable[k];
    const char *const element = variable_element(u, v);
    if (!element || !operation_fits(u, reduction->operation, op, v)) continue;
    if (v->locations) text_add(all, " %s", located_text(u, d, op, v, element));
    else text_add(&list, "%s%s", count++ ? ", " : "", reduced_text(u, v, element));
  }
  if (count)
    text_add(all,
        " __extension__ pst_xmp_reduction(%s, %s, %d, (const struct pst_xmp_variable[]){%s}, %s, %s);",
        where_of(d->at), op, count, text_get(&list), on_text(u, &d->right), async_text(d));
}

static const char *reduction_text(struct unit *u, const struct directive *d)
{
  struct text all = {0};
  for (int i = 0; i < d->reductions; i++) reduction_one(u, d, &d->reduction[i], &all);
  return text_get(&all);
}

/* The extent of the k-th dimension, as C; NULL: it is not known. */
static const char *variable_extent(const struct declarator *d, int k)
{
  const struct expression *const e = !d     ? NULL
      : d->dims                             ? k < d->dims ? &d->dim[k] : NULL
      : d->pointer && k > 0 && k <= d->rows ? &d->row[k - 1]
                                            : NULL;
  return e && !expression_is_empty(e) ? text_of("(%s)", expression_text(e)) : NULL;
}

/* All of a dimension, as the text shows. */
static int item_is_whole(const struct item *i, const char *extent)
{
  const int from_0 = expression_is_empty(&i->a) || strcmp(expression_text(&i->a), "0") == 0;
  if (i->kind == ITEM_COLON) return 1;
  return from_0 &&
      (expression_is_empty(&i->b) ||
          (extent && strcmp(text_of("(%s)", expression_text(&i->b)), extent) == 0));
}

/* a[2:3] of bcast: contiguous elements. */
static const char *bcast_section(struct unit *u, const struct reduction_variable *v)
{
  const char *const name = variable_text(v);
  const struct declarator *const d = variable_declarator(u, v);
  struct text first = {0};
  const char *count = "1";
  int sections = 0;
  text_add(&first, "%s", name);
  for (int k = 0; k < v->section.count; k++) {
    const struct item *const i = &v->section.item[k];
    const char *const extent = variable_extent(d, k);
    if (sections && (i->kind == ITEM_EXPRESSION || !item_is_whole(i, extent)))
      message_error(
          i->at, "this section is not contiguous; only the first triplet may take part of a dimension");
    if (i->kind == ITEM_EXPRESSION) {
      text_add(&first, "[%s]", expression_text(&i->a));
      continue;
    }
    const int open = i->kind == ITEM_COLON || expression_is_empty(&i->b);
    const char *const begin = i->kind == ITEM_COLON || expression_is_empty(&i->a) ? "0"
                                                                                  : expression_text(&i->a);
    if (i->kind == ITEM_TRIPLET && !expression_is_empty(&i->c) && strcmp(expression_text(&i->c), "1") != 0)
      message_error(i->at, "a broadcast takes contiguous elements; the step is 1");
    if (open && !extent)
      message_error(i->at, "nobody knows how long '%s' is here; write the section's length", name);
    sections++;
    text_add(&first, "[%s]", begin);
    count = open ? text_of("%s * (%s - (%s))", count, extent ? extent : "0", begin)
                 : text_of("%s * (%s)", count, expression_text(&i->b));
  }
  return text_of(
      "{(void *)&%s, %s, sizeof %s, PST_XMP_OTHER, \"%s\"}", text_get(&first), count, text_get(&first), name);
}

static const char *bcast_text(struct unit *u, const struct directive *d)
{
  struct text list = {0};
  for (int i = 0; i < d->variable_count; i++) {
    const struct reduction_variable *const v = &d->variable[i];
    text_add(&list, "%s", i ? ", " : "");
    if (v->section.count) {
      if (variable_is_local(u, v)) text_add(&list, "%s", bcast_section(u, v));
      continue;
    }
    const char *const element = variable_element(u, v);
    if (element)
      text_add(&list, "{(void *)&%s, 1, %s, PST_XMP_OTHER, \"%s\"}", element, variable_size(u, v),
          variable_text(v));
  }
  return text_of("__extension__ pst_xmp_bcast(%s, %d, (const struct pst_xmp_variable[]){%s}, %s, %s, %s);",
      where_of(d->at), d->variable_count, text_get(&list), on_one_text(u, &d->from), on_text(u, &d->right),
      async_text(d));
}

/* ---- shadows ---- */

static const struct array *array_find(const struct unit *u, const struct reference *r)
{
  const struct symbol *const s = scope_find(u->scope, r->name);
  const struct array *a = s && s->kind == SYMBOL_ARRAY ? s->of.array : NULL;
  if (r->member) a = member_array(u, r->name, r->member);
  if (a && a->aligned) return a;
  if (!wrong_is(u, r->member ? r->member : r->name))
    message_error(r->name, "'%s' is no global array", name_text(r->member ? r->member : r->name));
  return NULL;
}

/* What the runtime would refuse, where the text has the values. */
static void width_check(const struct array *a, int k, const struct item *w)
{
  const int full = a->shadow[k][0] && strcmp(a->shadow[k][0], "PST_XMP_FULL_SHADOW") == 0;
  if (full && w->flag)
    message_error(w->at, "'%s' has a full shadow here, which is not periodic", name_text(a->name));
  for (int upper = 0; !full && upper < 2; upper++) {
    const struct expression *const e = upper && w->kind == ITEM_TRIPLET ? &w->b : &w->a;
    const char *const shadow = a->shadow[k][0] ? a->shadow[k][upper] : "0";
    long long width;
    if (!expression_is_constant(e, &width) || strspn(shadow, "0123456789") != strlen(shadow) ||
        width <= strtoll(shadow, NULL, 10))
      continue;
    message_error(
        w->at, "the width is %lld, and the shadow of '%s' here %s", width, name_text(a->name), shadow);
    return;
  }
}

static const char *shadow_text(struct unit *u, const struct directive *d, const char *call)
{
  struct text all = {0};
  for (int i = 0; i < d->objects; i++) {
    const struct array *const a = array_find(u, &d->object[i]);
    struct text width = {0};
    int shadows = 0;
    if (!a) continue;
    if (d->width.count && d->width.count != a->dims)
      message_error(d->width.at, "'%s' has %s, and the width clause %d", name_text(a->name),
          text_count(a->dims, "dimension"), d->width.count);
    for (int k = 0; k < a->dims; k++) shadows += a->shadow[k][0] != NULL;
    if (!shadows && !message_errors())
      message_warning(d->object[i].name, "'%s' has no shadow, so this does nothing", name_text(a->name));
    for (int k = 0; k < d->width.count; k++) {
      const struct item *const w = &d->width.item[k];
      if (k < a->dims) width_check(a, k, w);
      text_add(&width, "%s{%s, %s, %d}", k ? ", " : "", expression_text(&w->a),
          expression_text(w->kind == ITEM_TRIPLET ? &w->b : &w->a), w->flag);
    }
    text_add(&all, "%s__extension__ %s(%s, %s, %s, %s, %s);", i ? " " : "", call, where_of(d->at),
        a->descriptor, d->width.count ? text_of("(const struct pst_xmp_width[]){%s}", text_get(&width)) : "0",
        d->flags & DIRECTIVE_ORTHOGONAL ? "PST_XMP_ORTHOGONAL" : "0", async_text(d));
  }
  return text_get(&all);
}

/* ---- the others ---- */

static const char *wait_async_text(struct unit *u, const struct directive *d)
{
  struct text ids = {0};
  for (int i = 0; i < d->id_count; i++) text_add(&ids, "%s%s", i ? ", " : "", expression_text(&d->ids[i]));
  return text_of("__extension__ pst_xmp_wait_async(%s, %d, (const int[]){%s}, %s);", where_of(d->at),
      d->id_count, text_get(&ids), on_text(u, &d->right));
}

static const char *post_text(struct unit *u, const struct directive *d)
{
  return text_of("__extension__ pst_xmp_post(%s, %s, %s);", where_of(d->at),
      on_one_text(u, d->objects ? &d->object[0] : &d->right), expression_text(&d->async));
}

static const char *wait_text(struct unit *u, const struct directive *d)
{
  const struct reference none = {0};
  return text_of("__extension__ pst_xmp_wait(%s, %s, %s);", where_of(d->at),
      on_text(u,
          d->objects          ? &d->object[0]
              : d->right.name ? &d->right
                              : &none),
      d->async.first == d->async.last ? "0" : text_of("&(const int){%s}", expression_text(&d->async)));
}

static const char *subscripts_text(const struct list *l)
{
  struct text text = {0};
  for (int k = 0; k < l->count; k++) text_add(&text, "[%s]", expression_text(&l->item[k].a));
  return text_get(&text);
}

static const char *status_text(const struct reference *r)
{
  const struct reduction_variable v = {.name = r->name, .member = r->member};
  return r->name ? text_of("&%s%s", variable_text(&v), subscripts_text(&r->list)) : "0";
}

static int is_of_typedef(const struct unit *u, const struct declarator *d)
{
  for (const struct token *t = d->specifiers.first; t < d->specifiers.last; t++) {
    const struct symbol *const s = t->kind == TOKEN_NAME ? scope_find(u->scope, t) : NULL;
    if (s && s->kind == SYMBOL_TYPE) return 1;
  }
  return 0;
}

static const char *lock_text(struct unit *u, const struct directive *d)
{
  const struct reference *const lock = &d->object[0];
  const struct symbol *const s = scope_find(u->scope, lock->name);
  if (!s || s->kind != SYMBOL_COARRAY) {
    message_error(lock->name, "'%s' is no coarray of xmp_lock_t", name_text(lock->name));
    return "";
  }
  if (!is_of_typedef(u, s->declarator))
    message_error(lock->name, "'%s' is a coarray of another type than xmp_lock_t", name_text(lock->name));
  const int locks = d->kind == DIRECTIVE_LOCK;
  return text_of("pst_xmp_%s(%s, %s, %s, &%s%s, %s%s);", locks ? "lock" : "unlock", where_of(d->at),
      descriptor_name(lock->name), d->image.first == d->image.last ? "-1" : expression_text(&d->image),
      name_text(lock->name), subscripts_text(&lock->list),
      locks ? text_of("%s, ", status_text(&d->acquired)) : "", status_text(&d->stat));
}

static const char *call_text(struct unit *u, const struct directive *d)
{
  switch (d->kind) {
  case DIRECTIVE_TEMPLATE_FIX: return template_fix_text(u, d);
  case DIRECTIVE_REFLECT: return shadow_text(u, d, "pst_xmp_reflect");
  case DIRECTIVE_REDUCE_SHADOW: return shadow_text(u, d, "pst_xmp_reduce_shadow");
  case DIRECTIVE_BARRIER:
    return text_of("__extension__ pst_xmp_barrier_on(%s, %s);", where_of(d->at), on_text(u, &d->right));
  case DIRECTIVE_REDUCTION: return reduction_text(u, d);
  case DIRECTIVE_BCAST: return bcast_text(u, d);
  case DIRECTIVE_WAIT_ASYNC: return wait_async_text(u, d);
  case DIRECTIVE_POST: return post_text(u, d);
  case DIRECTIVE_WAIT: return wait_text(u, d);
  case DIRECTIVE_LOCK:
  case DIRECTIVE_UNLOCK: return lock_text(u, d);
  default: return "";
  }
}

/* ---- calls around a statement ---- */

/* A jump out of the block leaves it as its end does. */
static const char *enter_text(struct unit *u, const struct directive *d)
{
  const int n = ++u->numbers;
  if (d->kind == DIRECTIVE_IMAGE)
    return text_of("{ char _xmp_i%d __attribute__((cleanup(pst_xmp_images_end), unused)) = 0; "
                   "pst_xmp_images_enter(%s, %s); {",
        n, where_of(d->at), descriptor_name(d->objects ? d->object[0].name : d->right.name));
  if (d->kind == DIRECTIVE_TASKS)
    return text_of("{ pst_xmp_task_t _xmp_k%d __attribute__((cleanup(pst_xmp_tasks_leave))) = {{0}}; "
                   "pst_xmp_tasks_enter(&_xmp_k%d, %s); {",
        n, n, where_of(d->at));
  return text_of("{ pst_xmp_task_t _xmp_k%d __attribute__((cleanup(pst_xmp_task_leave))) = {{0}}; "
                 "if (__extension__ pst_xmp_task_enter(&_xmp_k%d, %s, %s, %d)) {",
      n, n, where_of(d->at), on_text(u, &d->right), (d->flags & DIRECTIVE_NOCOMM) != 0);
}

/* The last token of what begins at t: a statement, or a directive, with its statement if it has one. */
static const struct token *construct_last(const struct unit *u, const struct token *t)
{
  for (; t->kind == TOKEN_DIRECTIVE || t->kind == TOKEN_PRAGMA; t++)
    if (directive_is_alone(u, t)) return t;
  return statement_last(t);
}

/* An image directive stands before a statement or a directive. */
static const struct token *around_translate(struct unit *u, const struct directive *d, const struct token *t)
{
  if (t[1].kind == TOKEN_END || token_is(t + 1, "}")) {
    message_error(d->at, "no statement follows the directive");
    return t + 1;
  }
  const struct token *const images = d->objects ? d->object[0].name : d->right.name;
  if (d->kind == DIRECTIVE_IMAGE && !scope_find_mapping(u->scope, images)) {
    if (!wrong_is(u, images)) message_error(images, "'%s' is not declared as nodes", name_text(images));
    return t + 1;
  }
  if (declaration_begins(u->scope, t + 1)) {
    message_error(
        t + 1, "a declaration follows the directive, which takes a statement: write { } around both");
    return t + 1;
  }
  const struct token *const last = construct_last(u, t + 1);
  edit_replace(u->edits, d->at, d->at, "%s", enter_text(u, d));
  const struct token *const next = walk_statement(u, t + 1);
  edit_after(u->edits, last, " } }");
  if (d->kind != DIRECTIVE_IMAGE) u->ended = next;
  return next;
}

const struct token *construct_translate(struct unit *u, const struct directive *d, const struct token *t)
{
  if (d->kind == DIRECTIVE_TASK || d->kind == DIRECTIVE_TASKS || d->kind == DIRECTIVE_IMAGE)
    return around_translate(u, d, t);
  edit_replace(u->edits, d->at, d->at, "{ %s }", call_text(u, d));
  return t + 1;
}
