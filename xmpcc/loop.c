/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The loop directive: its control variables, and what is declared on its line. A loop over i becomes
 *
 *   { pst_xmp_loop_t _xmp_l1; pst_xmp_loop_enter(&_xmp_l1, ...); const int _xmp_f1_0 = ..., _xmp_e1_0 = ...;
 * { for (int i = _xmp_f1_0; i < _xmp_e1_0; i++) body } }
 *
 * whose first line stands on the line of the directive. */
#include <string.h>

#include "xmpcc/loop.h"

/* ---- control variables and the on clause ---- */

struct loop_variable *variable_find(struct loop *l, const struct token *name)
{
  for (int i = 0; i < l->count; i++)
    if (name_is(name, l->variable[i].name)) return &l->variable[i];
  return NULL;
}

static void variable_add(struct loop *l, const struct token *name)
{
  if (l->count == DIMENSIONS) {
    message_error(name, "a loop has at most %d control variables", DIMENSIONS);
    return;
  }
  l->variable = kept_grow(l->variable, (size_t)l->count, sizeof *l->variable);
  l->variable[l->count++] = (struct loop_variable){.name = name, .subscript = -1, .offset = "0"};
}

/* Is there a for over this name in the nest? */
static int nest_has(const struct unit *u, const struct loop *l, const struct token *name)
{
  for (const struct token *t = l->first; t <= l->last; t++) {
    const struct token *const v = for_variable(u, t);
    if (v && name_is(v, name)) return 1;
  }
  return 0;
}

/* Without a list all names in the on clause that the nest's loops are over. */
static void variables_read(const struct unit *u, struct loop *l, const struct directive *d)
{
  for (int i = 0; i < d->variables.count; i++) variable_add(l, d->variables.item[i].a.first);
  if (d->variables.count) return;
  for (int i = 0; i < d->right.list.count; i++)
    for (const struct token *t = d->right.list.item[i].a.first; t < d->right.list.item[i].a.last; t++)
      if (t->kind == TOKEN_NAME && !variable_find(l, t) && nest_has(u, l, t)) variable_add(l, t);
}

/* The entry of the on clause with a control variable in it: as a subscript; NULL: it has none. */
static const char *loop_subscript(struct loop *l, const struct item *i, int k, const char *less)
{
  for (int v = 0; v < l->count; v++) {
    struct loop_variable *const var = &l->variable[v];
    if (i->kind != ITEM_EXPRESSION || !expression_mentions(&i->a, var->name, 0)) continue;
    if (expression_is_empty(&i->b) || !name_is(i->b.first, var->name))
      message_error(i->at,
          "a control variable stands here alone or with an offset; write %s, %s + e or %s - e",
          name_text(var->name), name_text(var->name), name_text(var->name));
    if (var->subscript >= 0) message_error(i->at, "'%s' stands in two subscripts", name_text(var->name));
    var->subscript = k;
    var->offset = expression_is_empty(&i->c) ? "0" : text_of("(long long)0 %s", expression_text(&i->c));
    return text_of("{PST_XMP_LOOP, %d, %s%s, 0, 1}", v, var->offset, less);
  }
  return NULL;
}

static const char *reference_text(const struct reference *r)
{
  const struct token *last = r->name + 1;
  while (token_is(last, "[") || token_is(last, "(")) last = token_skip(last);
  return expression_text(&(const struct expression){r->name, last});
}

/* Nodes that follow from the iteration, as p[lb[i]:2]. */
static int sections_refused(const struct loop *l, const struct reference *r)
{
  for (int k = 0; k < r->list.count; k++)
    for (int v = 0; v < l->count; v++) {
      const struct item *const i = &r->list.item[k];
      const struct token *const name = l->variable[v].name;
      if (i->kind != ITEM_TRIPLET ||
          (!expression_mentions(&i->a, name, 0) && !expression_mentions(&i->b, name, 0) &&
              !expression_mentions(&i->c, name, 0)))
        continue;
      message_error(i->at,
          "a section that depends on '%s' is not for loop; write the for without it, and in it task on %s",
          name_text(name), reference_text(r));
      return 1;
    }
  return 0;
}

static const char *on_read(struct unit *u, struct loop *l, const struct directive *d)
{
  const struct reference *const r = &d->right;
  struct symbol *const s = scope_find_mapping(u->scope, r->name);
  if (!s || r->list.count == 0) {
    if (!s && wrong_is(u, r->name)) return "0";
    if (!s) message_error(r->name, "'%s' is not declared as nodes or as a template", name_text(r->name));
    else message_error(r->name, "the on clause has no subscripts; write %s[i]", name_text(r->name));
    return "0";
  }
  const struct template_info *const t = s->kind == SYMBOL_TEMPLATE ? s->of.template_info : NULL;
  const int dims = t ? t->dims : s->of.dims;
  if (dims != r->list.count || (t && !t->distributed)) {
    if (wrong_is(u, r->name)) return "0";
    if (dims == r->list.count)
      message_error(r->name, "'%s' is not distributed; a distribute directive is missing before it",
          name_text(r->name));
    else
      message_error(r->name, "'%s' has %s, and the on clause %d", name_text(r->name),
          text_count(dims, "dimension"), r->list.count);
    return "0";
  }
  if (sections_refused(l, r)) return "0";
  l->template_ = t ? s : NULL;
  struct text list = {0};
  for (int k = 0; k < dims; k++) {
    const struct item *const i = &r->list.item[directive_order(&r->list, k)];
    const char *const own = loop_subscript(l, i, k, !t && !r->list.square ? " - 1" : "");
    text_add(&list, "%s%s", k ? ", " : "", own ? own : subscript_text(i, &r->list, s));
  }
  for (int v = 0; v < l->count; v++) {
    struct loop_variable *const var = &l->variable[v];
    if (var->subscript < 0) message_error(var->name, "'%s' is not in the on clause", name_text(var->name));
    else if (t) {
      var->cyclic = t->format[var->subscript] == ITEM_CYCLIC;
      var->single = t->single[var->subscript];
    }
  }
  return text_of("&(const struct pst_xmp_on){%s, %d, (const struct pst_xmp_subscript[]){%s}}",
      descriptor_name(r->name), dims, text_get(&list));
}

/* ---- references within the nest ---- */

static int has_view(const struct loop *l, const struct array *a)
{
  for (int i = 0; i < l->lates; i++)
    if (l->late[i] == a) return 1;
  return 0;
}

int loop_has_view(struct unit *u, const struct array *a)
{
  for (const struct loop *l = u->loop; l; l = l->outer)
    if (has_view(l, a)) return 1;
  return 0;
}

const char *loop_local(const struct unit *u, const struct array *a, int k, const struct expression *e)
{
  if (e->last != e->first + 1) return NULL;
  for (struct loop *l = u->loop; l; l = l->outer) {
    const struct loop_variable *const v = variable_find(l, e->first);
    if (!v) continue;
    if (!v->active || l->template_ != a->template_ || v->subscript != a->axis[k] ||
        strcmp(v->offset, a->offset[k]) != 0)
      return NULL;
    return v->counter ? v->counter : v->shift ? text_of("%s - %s", name_text(e->first), v->shift) : NULL;
  }
  return NULL;
}

/* Is the dimension distributed in blocks, or one by one, over fewer nodes than it has indices? */
static int is_spread(const struct template_info *t, int k)
{
  const struct item *const n = t->nodes[k], *const i = t->item[k];
  long long nodes, indices;
  if (t->format[k] == ITEM_CYCLIC ? !t->single[k] : t->format[k] != ITEM_BLOCK) return 0;
  if (n->kind == ITEM_STAR) return 1;
  return expression_is_constant(&n->a, &nodes) && i && i->kind == ITEM_EXPRESSION &&
      expression_is_constant(&i->a, &indices) && nodes > 1 && nodes < indices;
}

int templates_differ(const struct symbol *a, int i, const struct symbol *b, int k)
{
  const struct template_info *const x = a->of.template_info, *const y = b->of.template_info;
  return x->format[i] != y->format[k] && is_spread(x, i) && is_spread(y, k);
}

void loop_check_element(const struct unit *u, const struct array *a, int k, const struct expression *e)
{
  if (u->unevaluated || e->last != e->first + 1 || a->axis[k] < 0 || a->shadow[k][0]) return;
  for (struct loop *l = u->loop; l; l = l->outer) {
    const struct loop_variable *const v = variable_find(l, e->first);
    if (!v) continue;
    if (!v->active || !l->template_ || v->subscript < 0 || l->template_ == a->template_) return;
    if (templates_differ(l->template_, v->subscript, a->template_, a->axis[k]))
      message_error(e->first,
          "'%s' is aligned with '%s', and the loop is on '%s', which has another distribution; write on "
          "%s[%s]",
          name_text(a->name), name_text(a->template_->name), name_text(l->template_->name),
          name_text(a->template_->name), name_text(e->first));
    return;
  }
}

/* Views of arrays that are allocated late, and that the nest uses. */
static void lates_declare(struct unit *u, struct loop *l)
{
  for (const struct token *t = l->first; t <= l->last; t++) {
    if (t->kind != TOKEN_NAME || !token_is(t + 1, "[") || token_is(t - 1, ".") || token_is(t - 1, "->"))
      continue;
    const struct symbol *const s = scope_find(u->scope, t);
    if (!s || s->kind != SYMBOL_ARRAY || !s->of.array->late || !s->of.array->aligned ||
        loop_has_view(u, s->of.array) || has_view(l, s->of.array))
      continue;
    text_add(&l->hoisted, " %s", array_view(s->of.array, text_of("_xmp_v_%s", name_text(t)), 1));
    l->late = kept_grow(l->late, (size_t)l->lates, sizeof *l->late);
    l->late[l->lates++] = s->of.array;
  }
}

/* ---- the directive ---- */

static const char *part_wait(const struct loop *l, const struct directive *d, const char *condition)
{
  return text_of(" if (_xmp_part%d %s) pst_xmp_wait_async(%s, 1, (const int[]){%s}, 0);", l->number,
      condition, where_of(d->at), expression_text(&d->async));
}

/* Tools learn the bounds that are known on the directive's line. */
static const char *bounds_tell(const struct loop *l)
{
  return text_of(" pst_xmp_loop_tell(&_xmp_l%d, %d, (const struct pst_xmp_bounds[]){%s});", l->number,
      l->bounded, text_get(&l->bounds));
}

static const struct item *width_at(const struct directive *d, int k)
{
  return &d->width.item[d->right.list.square ? k : d->width.count - 1 - k];
}

static void unbound_set(struct loop *l, const struct directive *d)
{
  if (d->form == LOOP_PLAIN || d->width.count != d->right.list.count) return;
  for (int i = 0; i < l->count; i++)
    if (l->variable[i].subscript >= 0 && width_at(d, l->variable[i].subscript)->flag)
      l->variable[i].unbound = width_at(d, l->variable[i].subscript);
}

/* expand, margin, peel_and_wait: the nest is run once for each part. */
static const char *parts_text(const struct loop *l, const struct directive *d)
{
  static const char *const forms[] = {"", "PST_XMP_EXPAND", "PST_XMP_MARGIN", "PST_XMP_PEEL_AND_WAIT"};
  struct text text = {0}, width = {0};
  if (d->form == LOOP_PLAIN) return "";
  for (int k = 0; k < d->width.count; k++) {
    const struct item *const i = width_at(d, k);
    text_add(&width, "%s{%s, %s, %d}", k ? ", " : "", expression_text(&i->a),
        expression_text(i->kind == ITEM_TRIPLET ? &i->b : &i->a), i->flag);
  }
  text_add(&text,
      " int _xmp_part%d; for (_xmp_part%d = 0; pst_xmp_loop_expand(&_xmp_l%d, %s, %s, %d, (const struct "
      "pst_xmp_width[]){%s}, _xmp_part%d); _xmp_part%d++) {",
      l->number, l->number, l->number, where_of(d->at), forms[d->form], d->width.count, text_get(&width),
      l->number, l->number);
  if (d->form == LOOP_PEEL_AND_WAIT) text_add(&text, "%s", part_wait(l, d, "== 1"));
  return text_get(&text);
}

/* A node that has no margin waits behind its only part. */
static const char *parts_end(const struct loop *l, const struct directive *d)
{
  if (d->form == LOOP_PLAIN) return "";
  return d->form == LOOP_PEEL_AND_WAIT ? text_of(" }%s", part_wait(l, d, "< 2")) : " }";
}

static void variables_check(const struct loop *l, const struct directive *d)
{
  for (int i = 0; i < l->count; i++)
    if (!l->variable[i].found)
      message_error(d->variables.count ? l->variable[i].name : d->at, "the nest has no loop over '%s'",
          name_text(l->variable[i].name));
  if (d->form != LOOP_PLAIN && d->width.count != d->right.list.count)
    message_error(d->at, "the clause has %d widths, and the on clause %d dimensions", d->width.count,
        d->right.list.count);
  for (int i = 0; d->form != LOOP_PLAIN && i < l->count; i++)
    if (l->variable[i].cyclic)
      message_error(
          d->at, "'%s' is over a cyclic dimension, which cannot be expanded", name_text(l->variable[i].name));
}

/* Does the pragma belong to the loop that it stands before? */
static int pragma_is_of_loop(const struct token *t)
{
  static const char *const words[] = {"GCC ivdep", "GCC unroll", "clang loop", "unroll", "nounroll"};
  const char *s = t->text, *const end = t->text + t->length;
  while (s < end && (*s == '#' || *s == ' ' || *s == '\t')) s++;
  if (end - s < 6 || memcmp(s, "pragma", 6) != 0) return 0;
  for (s += 6; s < end && (*s == ' ' || *s == '\t');) s++;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if ((size_t)(end - s) >= strlen(words[i]) && memcmp(s, words[i], strlen(words[i])) == 0) return 1;
  return 0;
}

/* What the directive becomes would part them from their loop. */
static void pragmas_check(const struct unit *u, const struct token *t)
{
  while (--t > u->source->token && t->kind == TOKEN_PRAGMA)
    if (pragma_is_of_loop(t))
      message_error(t, "this pragma is of the loop; write it between the loop directive and the for");
}

const struct token *loop_translate(struct unit *u, const struct directive *d, const struct token *t)
{
  struct loop l = {.outer = u->loop, .number = ++u->numbers, .at = d->at};
  const struct token *f = t + 1;
  for (; f->kind == TOKEN_PRAGMA; f++) {
    pragma_names(u, f);
    l.parallel |= pragma_is_openmp(f);
  }
  if (t > u->source->token && t[-1].kind == TOKEN_PRAGMA) l.parallel |= pragma_is_openmp(t - 1);
  if (!token_is(f, "for")) {
    message_error(f, "a loop directive is followed by a for loop");
    return f;
  }
  l.first = f;
  l.last = statement_last(f);
  variables_read(u, &l, d);
  const char *const on = on_read(u, &l, d);
  if (l.count == 0 && strcmp(on, "0") != 0)
    message_error(d->right.name,
        "the nest has no loop over a variable of the on clause; write the variable in it that is to be "
        "distributed");
  unbound_set(&l, d);
  pragmas_check(u, t);
  struct text before = {0};
  const char *after = "";
  reductions_translate(u, &l, d, &before, &after);
  lates_declare(u, &l);
  u->loop = &l;
  const struct token *const next = walk_statement(u, f);
  u->loop = l.outer;
  if (strcmp(on, "0") != 0) variables_check(&l, d);
  if (l.notes && l.parallel)
    message_error(d->at, "OpenMP's loops cannot find a maximum with a location; use max, or no OpenMP here");
  const int tells = d->form == LOOP_PLAIN && l.bounded;
  const char *const text = text_of("{ pst_xmp_loop_t _xmp_l%d __attribute__((cleanup(pst_xmp_loop_leave))); "
                                   "pst_xmp_loop_%s(&_xmp_l%d, %s, %s, %d);%s%s%s%s {",
      l.number, tells ? "open" : "enter", l.number, where_of(d->at), on, l.count, text_get(&before),
      parts_text(&l, d), text_get(&l.hoisted), tells ? bounds_tell(&l) : "");
  for (const struct token *p = t + 1; p < f; p++) pragma_share(u, &l, p);
  if (t > u->source->token && t[-1].kind == TOKEN_PRAGMA) pragma_share(u, &l, t - 1);
  /* An OpenMP pragma before the directive must stay next to its loop. */
  const int openmp = t > u->source->token && t[-1].kind == TOKEN_PRAGMA && pragma_is_openmp(t - 1);
  if (openmp) edit_before(u->edits, t - 1, "%s", text);
  else edit_replace(u->edits, d->at, d->at, "%s", text);
  edit_quiet(u->edits, openmp ? t - 1 : d->at);
  edit_after(u->edits, l.last, " }%s%s%s }", text_get(&l.closing), parts_end(&l, d), after);
  return next;
}
