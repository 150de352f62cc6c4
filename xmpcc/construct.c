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

/* An array that is a parameter is a pointer to C. */
const char *variable_size(const struct unit *u, const struct reduction_variable *v)
{
  const struct symbol *const s = v->member ? NULL : scope_find(u->scope, v->name);
  const char *const name = variable_text(v);
  if (!s || !s->parameter || !s->declarator || s->declarator->dims == 0) return text_of("sizeof %s", name);
  return text_of("((%s) * sizeof %s[0])", expression_text(&s->declarator->dim[0]), name);
}

const char *variable_element(struct unit *u, const struct reduction_variable *v)
{
  const struct symbol *const s = scope_find(u->scope, v->name);
  const char *const name = variable_text(v);
  if (!s || s->kind == SYMBOL_TYPE) {
    message_error(v->name, "'%s' is not declared as a variable", name_text(v->name));
    return NULL;
  }
  if (s->kind == SYMBOL_ARRAY) {
    message_error(v->name, "'%s' is a global array; this takes local variables", name_text(v->name));
    return NULL;
  }
  const struct declarator *const d = v->member ? NULL : s->declarator;
  if (d) members_check(u, v->name, s);
  if (d && ((d->pointer && !d->dims) || (s->parameter && d->dims && expression_is_empty(&d->dim[0])))) {
    message_error(v->name, "'%s' is a pointer, whose length nobody knows; name an array or a scalar",
        name_text(v->name));
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

static const char *reduction_text(struct unit *u, const struct directive *d)
{
  struct text all = {0};
  for (int i = 0; i < d->reductions; i++) {
    const char *const op = operation_name(d->reduction[i].operation, 0);
    struct text list = {0};
    for (int k = 0; k < d->reduction[i].count; k++) {
      const struct reduction_variable *const v = &d->reduction[i].variable[k];
      const char *const element = variable_element(u, v);
      if (!element) continue;
      if (v->locations) message_error(v->location[0], "locations are for the reduction clause of loop alone");
      const char *const name = variable_text(v);
      text_add(&list, "%s{&%s, %s / sizeof %s, sizeof %s, %s, \"%s\"}", k ? ", " : "", element,
          variable_size(u, v), element, element,
          type_text(u, v->member ? NULL : scope_find(u->scope, v->name)->declarator, element), name);
    }
    text_add(&all, "%spst_xmp_reduction(%s, %s, %d, (const struct pst_xmp_variable[]){%s}, %s, %s);",
        i ? " " : "", where_of(d->at), op ? op : "0", d->reduction[i].count, text_get(&list),
        on_text(u, &d->right), async_text(d));
  }
  return text_get(&all);
}

/* a[2:3] of bcast: contiguous elements. */
static const char *bcast_section(struct unit *u, const struct reduction_variable *v)
{
  const char *const name = name_text(v->name);
  const struct symbol *const s = scope_find(u->scope, v->name);
  const int dims = s && s->declarator
      ? s->declarator->dims + s->declarator->rows + (s->declarator->pointer ? 1 : 0)
      : 0;
  struct text first = {0};
  const char *count = "1";
  int sections = 0;
  text_add(&first, "%s", name);
  for (int k = 0; k < v->section.count; k++) {
    const struct item *const i = &v->section.item[k];
    if (i->kind == ITEM_EXPRESSION) {
      text_add(&first, "[%s]", expression_text(&i->a));
      if (sections)
        message_error(
            i->at, "this section is not contiguous; only the first triplet may take part of a dimension");
      continue;
    }
    const char *const begin = i->kind == ITEM_COLON || i->a.first == i->a.last ? "0" : expression_text(&i->a);
    const char *const rest = s && s->declarator && k < s->declarator->dims
        ? text_of("((%s) - (%s))", expression_text(&s->declarator->dim[k]), begin)
        : "0";
    if (i->kind == ITEM_TRIPLET && i->c.first != i->c.last && strcmp(expression_text(&i->c), "1") != 0)
      message_error(i->at, "a broadcast takes contiguous elements; the step is 1");
    if (sections++ && i->kind == ITEM_TRIPLET && i->a.first != i->a.last)
      message_error(
          i->at, "this section is not contiguous; only the first triplet may take part of a dimension");
    text_add(&first, "[%s]", begin);
    count = text_of("%s * (%s)", count,
        i->kind == ITEM_TRIPLET && i->b.first != i->b.last ? expression_text(&i->b) : rest);
  }
  if (v->section.count < dims) {
    struct text element = {0};
    text_add(&element, "%s", text_get(&first));
    for (int k = v->section.count; k < dims; k++) text_add(&element, "[0]");
  }
  return text_of(
      "{(void *)&%s, %s, sizeof %s, PST_XMP_OTHER, \"%s\"}", text_get(&first), count, text_get(&first), name);
}

static const char *bcast_text(struct unit *u, const struct directive *d)
{
  struct text list = {0};
  for (int i = 0; i < d->variable_count; i++) {
    const struct reduction_variable *const v = &d->variable[i];
    if (!variable_element(u, v) && !v->section.count) continue;
    const char *const name = variable_text(v);
    text_add(&list, "%s%s", i ? ", " : "",
        v->section.count ? bcast_section(u, v)
                         : text_of("{(void *)&%s, 1, %s, PST_XMP_OTHER, \"%s\"}", variable_element(u, v),
                               variable_size(u, v), name));
  }
  return text_of("pst_xmp_bcast(%s, %d, (const struct pst_xmp_variable[]){%s}, %s, %s, %s);", where_of(d->at),
      d->variable_count, text_get(&list), on_text(u, &d->from), on_text(u, &d->right), async_text(d));
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
    text_add(&all, "%s%s(%s, %s, %s, %s, %s);", i ? " " : "", call, where_of(d->at), a->descriptor,
        d->width.count ? text_of("(const struct pst_xmp_width[]){%s}", text_get(&width)) : "0",
        d->flags & DIRECTIVE_ORTHOGONAL ? "PST_XMP_ORTHOGONAL" : "0", async_text(d));
  }
  return text_get(&all);
}

/* ---- the others ---- */

static const char *wait_async_text(struct unit *u, const struct directive *d)
{
  struct text ids = {0};
  for (int i = 0; i < d->id_count; i++) text_add(&ids, "%s%s", i ? ", " : "", expression_text(&d->ids[i]));
  return text_of("pst_xmp_wait_async(%s, %d, (const int[]){%s}, %s);", where_of(d->at), d->id_count,
      text_get(&ids), on_text(u, &d->right));
}

static const char *post_text(struct unit *u, const struct directive *d)
{
  return text_of("pst_xmp_post(%s, %s, %s);", where_of(d->at),
      on_text(u, d->objects ? &d->object[0] : &d->right), expression_text(&d->async));
}

static const char *wait_text(struct unit *u, const struct directive *d)
{
  const struct reference none = {0};
  return text_of("pst_xmp_wait(%s, %s, %s);", where_of(d->at),
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
    return text_of("pst_xmp_barrier_on(%s, %s);", where_of(d->at), on_text(u, &d->right));
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
    return text_of(
        "{ char _xmp_i%d __attribute__((cleanup(pst_xmp_images_end))) = 0; pst_xmp_images_enter(%s, %s); {",
        n, where_of(d->at), descriptor_name(d->objects ? d->object[0].name : d->right.name));
  if (d->kind == DIRECTIVE_TASKS)
    return text_of("{ pst_xmp_task_t _xmp_k%d __attribute__((cleanup(pst_xmp_tasks_leave))) = {{0}}; "
                   "pst_xmp_tasks_enter(&_xmp_k%d, %s); {",
        n, n, where_of(d->at));
  return text_of("{ pst_xmp_task_t _xmp_k%d __attribute__((cleanup(pst_xmp_task_leave))) = {{0}}; "
                 "if (pst_xmp_task_enter(&_xmp_k%d, %s, %s, %d)) {",
      n, n, where_of(d->at), on_text(u, &d->right), (d->flags & DIRECTIVE_NOCOMM) != 0);
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
  const struct token *const last = t[1].kind == TOKEN_DIRECTIVE ? t + 1 : statement_last(t + 1);
  edit_replace(u->edits, d->at, d->at, "%s", enter_text(u, d));
  const struct token *const next = walk_statement(u, t + 1);
  edit_after(u->edits, last, " } }");
  return next;
}

const struct token *construct_translate(struct unit *u, const struct directive *d, const struct token *t)
{
  if (d->kind == DIRECTIVE_TASK || d->kind == DIRECTIVE_TASKS || d->kind == DIRECTIVE_IMAGE)
    return around_translate(u, d, t);
  edit_replace(u->edits, d->at, d->at, "{ %s }", call_text(u, d));
  return t + 1;
}
