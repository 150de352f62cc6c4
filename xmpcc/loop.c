/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The loop directive. The loops over its control variables keep their bodies and get other bounds:
 *
 *   { pst_xmp_loop_t _xmp_l1; pst_xmp_loop_enter(&_xmp_l1, ...);  first and last indices   on the directive's
 * line for (int i = _xmp_f1_0; i < _xmp_e1_0; i++) body
 *   }
 *
 * An inner loop's bounds are computed there, too, unless they change in the nest: then before the inner loop.
 * A cyclic dimension of width 1 has a stride, and counts the local index beside; one of another width is a
 * loop over blocks, within which the local index is the global one minus a constant. */
#include <string.h>

#include "xmpcc/unit.h"

static const char *name_text(const struct token *t) { return text_of("%.*s", (int)t->length, t->text); }
static int is_same(const struct token *a, const struct token *b)
{
  return a->kind == TOKEN_NAME && a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

/* ---- the header of a for ---- */

struct header {
  const struct token *begin, *open, *close; /* for ( ) */
  const struct token *name;
  const char *type; /* of the control variable */
  int declared;     /* in the header */
  struct expression lower, bound, condition, increment;
  int equal, down;  /* <= or >=; the index goes down */
  const char *step; /* signed */
};

/* The token at the top of a range; NULL. */
static const struct token *top_find(const struct expression *e, const char *text)
{
  for (const struct token *t = e->first; t < e->last;
       t = token_is(t, "(") || token_is(t, "[") ? token_skip(t) : t + 1)
    if (token_is(t, text)) return t;
  return NULL;
}

const struct token *for_variable(const struct unit *u, const struct token *t)
{
  if (!token_is(t, "for") || !token_is(t + 1, "(")) return NULL;
  t += 2;
  if (declaration_begins(u->scope, t))
    while (t->kind != TOKEN_END && !token_is(t, "=") && !token_is(t, ";")) t++;
  else t++;
  return token_is(t, "=") && t[-1].kind == TOKEN_NAME ? t - 1 : NULL;
}

static int init_read(struct unit *u, struct header *h, const struct expression *init)
{
  h->name = for_variable(u, h->begin);
  h->declared = declaration_begins(u->scope, init->first);
  if (!h->name || top_find(init, ",")) return -1;
  const struct specifiers s = {.first = init->first, .last = h->name};
  h->type = h->declared ? specifiers_text(&s) : text_of("__typeof__(%s)", name_text(h->name));
  h->lower = (struct expression){h->name + 2, init->last};
  return expression_is_empty(&h->lower) ? -1 : 0;
}

/* Is the operator one of a single operand? */
static int is_prefix(const struct expression *e, const struct token *t)
{
  return t == e->first || (t[-1].kind == TOKEN_PUNCTUATION && !token_is(t - 1, ")") && !token_is(t - 1, "]"));
}

/* Nothing in it binds less than an operator of comparison. */
static int is_arithmetic(const struct expression *e)
{
  static const char *const others[] = {",", "?", "&&", "||", "&", "|", "^", "==", "!=", "<", ">", "<=", ">="};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    for (struct expression rest = *e; rest.first < rest.last;) {
      const struct token *const t = top_find(&rest, others[i]);
      if (!t) break;
      if (strcmp(others[i], "&") != 0 || !is_prefix(e, t)) return 0;
      rest.first = t + 1;
    }
  return 1;
}

static int condition_read(struct header *h)
{
  static const struct {
    const char *text;
    int equal, down;
  } operators[] = {{"<", 0, 0}, {"<=", 1, 0}, {">", 0, 1}, {">=", 1, 1}};
  for (int i = 0; i < 4; i++) {
    const struct token *const t = top_find(&h->condition, operators[i].text);
    if (!t) continue;
    const struct expression left = {h->condition.first, t}, right = {t + 1, h->condition.last};
    const int swapped = !(left.last == left.first + 1 && is_same(left.first, h->name));
    if (swapped && !(right.last == right.first + 1 && is_same(right.first, h->name))) return -1;
    h->bound = swapped ? left : right;
    h->equal = operators[i].equal;
    h->down = operators[i].down ^ swapped;
    return h->bound.first == h->bound.last || !is_arithmetic(&h->bound) ? -1 : 0;
  }
  return -1;
}

static int increment_read(struct header *h)
{
  const struct token *const a = h->increment.first, *const end = h->increment.last;
  const char *c = NULL;
  int minus = 0;
  if (end - a == 2 && (is_same(a, h->name) || is_same(a + 1, h->name))) {
    const struct token *const op = is_same(a, h->name) ? a + 1 : a;
    minus = token_is(op, "--");
    c = minus || token_is(op, "++") ? "1" : NULL;
  } else if (end - a > 2 && is_same(a, h->name) && (token_is(a + 1, "+=") || token_is(a + 1, "-="))) {
    const struct expression e = {a + 2, end};
    minus = token_is(a + 1, "-=");
    c = expression_text(&e);
  } else if (end - a > 4 && is_same(a, h->name) && token_is(a + 1, "=") && is_same(a + 2, h->name)) {
    const struct expression e = {a + 4, end};
    minus = token_is(a + 3, "-");
    c = !minus && !token_is(a + 3, "+")                     ? NULL
        : minus && (top_find(&e, "-") || top_find(&e, "+")) ? NULL
                                                            : expression_text(&e);
  }
  if (!c || top_find(&h->increment, ",")) return -1;
  if (!minus && *c == '-') return h->down ? (h->step = text_of("(%s)", c), 0) : -1;
  h->step = strcmp(c, "1") == 0 ? (minus ? "-1" : "1") : text_of("%s(%s)", minus ? "-" : "", c);
  return minus == h->down ? 0 : -1;
}

static int header_read(struct unit *u, const struct token *t, struct header *h)
{
  *h = (struct header){.begin = t, .open = t + 1};
  const struct token *const behind = token_skip(h->open);
  h->close = behind - 1;
  const struct expression all = {h->open + 1, h->close};
  const struct token *const one = top_find(&all, ";");
  const struct expression rest = {one ? one + 1 : h->close, h->close};
  const struct token *const two = top_find(&rest, ";");
  if (one && two) {
    const struct expression init = {h->open + 1, one};
    h->condition = (struct expression){one + 1, two};
    h->increment = (struct expression){two + 1, h->close};
    if (!init_read(u, h, &init) && !condition_read(h) && !increment_read(h)) return 0;
  }
  message_error(t,
      "this loop cannot be distributed; write for (i = first; i < end; i += step), or with <= > >= and -=");
  return -1;
}

/* ---- control variables and the on clause ---- */

static struct loop_variable *variable_find(struct loop *l, const struct token *name)
{
  for (int i = 0; i < l->count; i++)
    if (is_same(name, l->variable[i].name)) return &l->variable[i];
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
    if (v && is_same(v, name)) return 1;
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
    if (expression_is_empty(&i->b) || !is_same(i->b.first, var->name))
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

static const char *on_read(struct unit *u, struct loop *l, const struct directive *d)
{
  const struct reference *const r = &d->right;
  struct symbol *const s = scope_find_mapping(u->scope, r->name);
  if (!s || r->list.count == 0) {
    if (!s) message_error(r->name, "'%s' is not declared as nodes or as a template", name_text(r->name));
    else message_error(r->name, "the on clause has no subscripts; write %s[i]", name_text(r->name));
    return "0";
  }
  const struct template_info *const t = s->kind == SYMBOL_TEMPLATE ? s->of.template_info : NULL;
  const int dims = t ? t->dims : s->of.dims;
  if (dims != r->list.count || (t && !t->distributed)) {
    message_error(r->name,
        dims != r->list.count ? "'%s' has another number of dimensions" : "'%s' is not distributed",
        name_text(r->name));
    return "0";
  }
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

/* ---- what changes in a nest ---- */

static int is_assignment(const struct token *t)
{
  return t->kind == TOKEN_PUNCTUATION && t->text[t->length - 1] == '=' && !token_is(t, "==") &&
      !token_is(t, "!=") && !token_is(t, "<=") && !token_is(t, ">=");
}

static int is_changed(const struct loop *l, const struct token *name)
{
  for (const struct token *t = l->first; t <= l->last; t++)
    if (is_same(t, name) &&
        (is_assignment(t + 1) || token_is(t + 1, "++") || token_is(t + 1, "--") || token_is(t - 1, "++") ||
            token_is(t - 1, "--") || token_is(t - 1, "&")))
      return 1;
  return 0;
}

/* Has the expression the same value everywhere in the nest? Only names and numbers are looked at. */
static int is_constant(const struct loop *l, const struct expression *e)
{
  for (const struct token *t = e->first; t < e->last; t++) {
    if (token_is(t, "[") || token_is(t, "->") || token_is(t, "{")) return 0;
    if (t->kind == TOKEN_NAME && !token_is(t, "sizeof") && (token_is(t + 1, "(") || is_changed(l, t)))
      return 0;
    if (token_is(t, "*") && (t == e->first || token_is(t - 1, "("))) return 0;
  }
  return 1;
}

/* ---- the loops of the nest ---- */

void loop_share(struct loop *l, const char *variable)
{
  if (!l || !l->parallel) return;
  for (int i = 0; i < l->shares; i++)
    if (strcmp(l->shared[i], variable) == 0) return;
  l->shared = kept_grow(l->shared, (size_t)l->shares, sizeof *l->shared);
  l->shared[l->shares++] = variable;
}

static void loop_share_all(struct loop *l, const char *kinds, const char *suffix)
{
  for (; *kinds; kinds++) loop_share(l, text_of("_xmp_%c%s", *kinds, suffix));
}

/* first, last: what is put before the for and behind its body. inner: within the header. */
struct rewriting {
  struct text decide; /* declarations, before the loop or on the directive's line */
  struct text before, after;
  const char *first, *end, *increment; /* of the header; increment NULL: as it is */
};

static void bounds_decide(const struct header *h, const char *suffix, struct rewriting *r, struct unit *u)
{
  const char *const bound = translated_text(u, &h->bound);
  text_add(&r->decide, " const pst_xmp_index_t _xmp_a%s = %s, _xmp_z%s = %s%s;", suffix,
      translated_text(u, &h->lower), suffix, h->equal ? text_of("(pst_xmp_index_t)(%s)", bound) : bound,
      h->equal ? (h->down ? " - 1" : " + 1") : "");
}

/* Where this node runs nothing both are the serial loop's first value: others may not fit into the variable.
 */
static void plain_rewrite(const struct header *h, const char *suffix, const char *range, struct rewriting *r)
{
  const char *const runs = text_of("_xmp_h%s %s _xmp_j%s", suffix, h->down ? ">" : "<", suffix);
  text_add(&r->decide,
      " const pst_xmp_index_t _xmp_h%s = pst_xmp_loop_first(&%s, _xmp_a%s, %s), _xmp_j%s = "
      "pst_xmp_loop_end(&%s, _xmp_z%s, %s);",
      suffix, range, suffix, h->step, suffix, range, suffix, h->step);
  text_add(&r->decide,
      " const %s _xmp_f%s = (%s)(%s ? _xmp_h%s : _xmp_a%s), _xmp_e%s = (%s)(%s ? _xmp_j%s : _xmp_a%s);",
      h->type, suffix, h->type, runs, suffix, suffix, suffix, h->type, runs, suffix, suffix);
  r->first = text_of("_xmp_f%s", suffix);
  r->end = text_of("_xmp_e%s", suffix);
}

/* May the variable pass beyond the loop's bounds by what the nodes own in between? Not if it cannot be below
 * 0, or is small. */
static int is_wide(const struct unit *u, const struct header *h)
{
  static const char *const words[] = {"int", "long", "signed", "register", "auto", "static", "extern"};
  const struct symbol *const symbol = h->declared ? NULL : scope_find(u->scope, h->name);
  const struct declarator *const d = symbol ? symbol->declarator : NULL;
  const struct token *t = h->declared ? h->open + 1 : d ? d->specifiers.first : h->name;
  const struct token *const end = h->declared ? h->name : d ? d->specifiers.last : h->name;
  if (t == end) return 0;
  for (; t < end; t++) {
    size_t i = 0;
    while (i < sizeof words / sizeof *words && !token_is(t, words[i])) i++;
    if (i == sizeof words / sizeof *words) return 0;
  }
  return 1;
}

static void single_rewrite(const struct loop *l, struct loop_variable *v, const struct header *h,
    const char *suffix, const char *range, struct rewriting *r)
{
  plain_rewrite(h, suffix, range, r);
  text_add(&r->decide,
      " const %s _xmp_g%s = (%s)pst_xmp_loop_block(&%s, _xmp_f%s, %s), _xmp_s%s = (%s)%s.round;", h->type,
      suffix, h->type, range, suffix, h->step, suffix, h->type, range);
  r->first = text_of("_xmp_g%s", suffix);
  r->increment = text_of("%s %s _xmp_s%s", name_text(h->name), h->down ? "-=" : "+=", suffix);
  if (l->parallel) return; /* OpenMP's loops have one variable */
  text_add(
      &r->before, "{ pst_xmp_index_t _xmp_c%s = pst_xmp_loop_local(&%s, _xmp_g%s); ", suffix, range, suffix);
  text_add(&r->after, " }");
  r->increment = text_of("%s, _xmp_c%s%s", r->increment, suffix, h->down ? "--" : "++");
  v->counter = text_of("_xmp_c%s", suffix);
}

static void blocks_rewrite(struct loop *l, struct loop_variable *v, const struct header *h,
    const char *suffix, const char *range, struct rewriting *r)
{
  text_add(&r->decide,
      " const pst_xmp_index_t _xmp_y%s = pst_xmp_loop_block(&%s, pst_xmp_loop_first(&%s, _xmp_a%s, %s), %s);"
      " pst_xmp_index_t _xmp_b%s;",
      suffix, range, range, suffix, h->step, h->step, suffix);
  text_add(&r->before, "for (_xmp_b%s = _xmp_y%s; _xmp_b%s ", suffix, suffix, suffix);
  if (h->down)
    text_add(&r->before, "+ %s.width - 1 > _xmp_z%s; _xmp_b%s -= %s.round) { ", range, suffix, suffix, range);
  else text_add(&r->before, "< _xmp_z%s; _xmp_b%s += %s.round) { ", suffix, suffix, range);
  text_add(&r->before,
      "const struct pst_xmp_range _xmp_q%s = pst_xmp_loop_within(&%s, _xmp_b%s); const pst_xmp_index_t "
      "_xmp_o%s __attribute__((unused)) = "
      "_xmp_b%s - pst_xmp_loop_local(&%s, _xmp_b%s); ",
      suffix, range, suffix, suffix, suffix, range, suffix);
  struct rewriting inner = {.first = NULL};
  plain_rewrite(h, suffix, text_of("_xmp_q%s", suffix), &inner);
  text_add(&r->before, "%s ", text_get(&inner.decide));
  /* OpenMP's loop is the one over blocks: each thread has a control variable of its own. */
  if (l->parallel && !h->declared) text_add(&r->before, "%s %s; ", h->type, name_text(h->name));
  l->blocks |= l->parallel;
  text_add(&r->after, " }");
  r->first = inner.first;
  r->end = inner.end;
  v->shift = text_of("_xmp_o%s", suffix);
}

static void header_write(
    struct unit *u, const struct loop *l, const struct header *h, const struct rewriting *r, int innermost)
{
  edit_replace(u->edits, h->lower.first, h->lower.last - 1, "%s", r->first);
  edit_replace(u->edits, h->condition.first, h->condition.last - 1, "%s %s %s", name_text(h->name),
      h->down ? ">" : "<", r->end);
  const char *const increment = r->increment ? r->increment : expression_text(&h->increment);
  if (r->increment || innermost)
    edit_replace(u->edits, h->increment.first, h->increment.last - 1, "%s%s",
        innermost ? text_get(&l->noted) : "", increment);
}

/* All control variables are being counted. */
static int is_innermost(const struct loop *l)
{
  for (int i = 0; i < l->count; i++)
    if (!l->variable[i].active) return 0;
  return 1;
}

/* The place of an iteration in the serial order, for firstmax and its like: into the variable. */
static const char *order_text(const struct loop *l, const char *when)
{
  struct text text = {0};
  for (int i = 0; i < l->entered; i++) text_add(&text, ", %s.number[%d] = %s", when, i, l->order[i]);
  return text_get(&text);
}

static void notes_make(struct loop *l)
{
  for (int i = 0; i < l->notes; i++)
    text_add(&l->noted, "(%s ? (void)(%s%s) : (void)0), ", l->note[i].changed, l->note[i].keep,
        order_text(l, l->note[i].when));
}

static void order_enter(struct loop *l, const struct token *at, const char *number)
{
  if (l->entered == ORDER_MOST) message_error(at, "more than %d loops within each other", ORDER_MOST);
  else l->order[l->entered++] = number;
}

int loop_count_plain(struct unit *u, const struct token *t)
{
  struct loop *const l = u->loop;
  if (!l || !l->notes || is_innermost(l)) return 0;
  const struct token *const close = token_skip(t + 1) - 1;
  const int n = ++u->numbers;
  edit_before(u->edits, t, "{ pst_xmp_index_t _xmp_n%d = 0; ", n);
  edit_before(u->edits, close, "%s_xmp_n%d++", token_is(close - 1, ";") ? "" : ", ", n);
  order_enter(l, t, text_of("_xmp_n%d", n));
  return 1;
}

/* Closes the block behind those of loops within, whose last token is the same one. */
void loop_count_end(struct unit *u, const struct token *t)
{
  edit_after(u->edits, statement_last(t), " }");
  u->loop->entered--;
}

static const struct token *nested_walk(
    struct unit *u, struct loop *l, struct loop_variable *v, const struct header *h)
{
  const char *const suffix = text_of("%d_%d", l->number, (int)(v - l->variable) + 16 * v->found++);
  const char *const range = text_of("_xmp_l%d.range[%d]", l->number, (int)(v - l->variable));
  const int outermost = h->begin == l->first;
  const int hoisted = outermost || (is_constant(l, &h->lower) && is_constant(l, &h->bound));
  const struct token *const last = statement_last(h->begin);
  struct rewriting r = {.first = NULL};
  walk_expression(u, h->lower.first, h->lower.last);
  walk_expression(u, h->bound.first, h->bound.last);
  bounds_decide(h, suffix, &r, u);
  v->counter = v->shift = NULL;
  loop_share_all(l, !v->cyclic ? "fe" : v->single ? "ges" : "yaz", suffix);
  if (v->cyclic && !v->single) loop_share(l, text_of("_xmp_l%d", l->number));
  if (!v->cyclic) plain_rewrite(h, suffix, range, &r);
  else if (v->single && (strcmp(h->step, "1") == 0 || strcmp(h->step, "-1") == 0) && is_wide(u, h))
    single_rewrite(l, v, h, suffix, range, &r);
  else blocks_rewrite(l, v, h, suffix, range, &r);
  if (!h->declared && !l->parallel)
    text_add(&r.after, " %s = (%s)pst_xmp_loop_final(_xmp_a%s, _xmp_z%s, %s);", name_text(h->name), h->type,
        suffix, suffix, h->step);
  if (hoisted) text_add(&l->hoisted, "%s", text_get(&r.decide));
  if (hoisted && v->found == 1)
    text_add(&l->bounds, "%s{%d, _xmp_a%s, _xmp_z%s, %s}", l->bounded++ ? ", " : "", (int)(v - l->variable),
        suffix, suffix, h->step);
  const int braced = !outermost && (!hoisted || r.after.length);
  if (braced)
    edit_before(u->edits, h->begin, "{%s %s{ ", hoisted ? "" : text_get(&r.decide), text_get(&r.before));
  else if (r.before.length) edit_before(u->edits, h->begin, "%s", text_get(&r.before));

  v->active = 1;
  order_enter(l, h->begin,
      h->down ? text_of("_xmp_a%s - %s", suffix, name_text(h->name))
              : text_of("%s - _xmp_a%s", name_text(h->name), suffix));
  const int innermost = is_innermost(l);
  if (innermost) notes_make(l);
  header_write(u, l, h, &r, innermost);
  scope_open(u->scope);
  if (h->declared) scope_add(u->scope, SYMBOL_ORDINARY, h->name);
  if (!l->parallel && loop_is_independent(u, h->name, h->close + 1)) loop_tell_independent(u, h->begin);
  const struct token *const next = walk_statement(u, h->close + 1);
  scope_close(u->scope);
  l->noted.length = 0;
  l->entered--;
  v->active = 0;
  v->counter = v->shift = NULL;
  if (outermost) text_add(&l->closing, "%s", text_get(&r.after));
  else if (braced) edit_after(u->edits, last, " }%s }", text_get(&r.after));
  else if (r.after.length) edit_after(u->edits, last, "%s", text_get(&r.after));
  return next;
}

const struct token *loop_for(struct unit *u, const struct token *t)
{
  const struct token *const name = u->loop ? for_variable(u, t) : NULL;
  if (!name) return NULL;
  for (struct loop *l = u->loop; l; l = l->outer) {
    struct loop_variable *const v = variable_find(l, name);
    struct header h;
    if (!v) continue;
    if (v->active || v->subscript < 0) return NULL;
    if (header_read(u, t, &h) == 0) return nested_walk(u, l, v, &h);
    v->found++; /* it is there, and wrong */
    return NULL;
  }
  return NULL;
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
    text_add(&l->hoisted, " %s", array_view(s->of.array, text_of("_xmp_v_%s", name_text(t))));
    l->late = kept_grow(l->late, (size_t)l->lates, sizeof *l->late);
    l->late[l->lates++] = s->of.array;
  }
}

/* ---- reductions ---- */

static const char *neutral_text(const char *op, const char *old)
{
  if (strcmp(op, "PST_XMP_PRODUCT") == 0 || strcmp(op, "PST_XMP_LOGAND") == 0) return "1";
  if (strcmp(op, "PST_XMP_BITAND") == 0) return "~0";
  return strstr(op, "MAX") || strstr(op, "MIN") ? text_of("*%s", old) : "0";
}

static int reduction_add(struct loop *l, const struct token *name)
{
  l->reduced = kept_grow(l->reduced, (size_t)l->reductions, sizeof *l->reduced);
  l->reduced[l->reductions] = name;
  return l->reductions++;
}

/* A variable of its own within the nest, which nothing else points to, so that it stays in a register. */
static void scalar_reduce(const struct unit *u, struct loop *l, const struct directive *d, const char *op,
    const struct reduction_variable *v, const struct declarator *declarator, struct text *before,
    struct text *after)
{
  const char *const name = name_text(v->name),
                    *const suffix = text_of("%d_%d", l->number, reduction_add(l, v->name));
  const char *const old = text_of("_xmp_r%s", suffix);
  text_add(before, " __typeof__(%s) *const %s = &%s; { __typeof__(%s) %s = %s;", name, old, name,
      text_of("*%s", old), name, neutral_text(op, old));
  struct text locations = {0}, changed = {0}, keep = {0};
  for (int i = 0; i < v->locations; i++) {
    const char *const where = name_text(v->location[i]);
    text_add(before, " __typeof__(%s) *const _xmp_p%s_%d = &%s;", where, suffix, i, where);
    text_add(&locations, "%s{&_xmp_m%s_%d, _xmp_p%s_%d, sizeof _xmp_m%s_%d}", i ? ", " : "", suffix, i,
        suffix, i, suffix, i);
    text_add(&changed, " || %s != _xmp_k%s_%d", where, suffix, i);
    text_add(&keep, ", _xmp_k%s_%d = %s", suffix, i, where);
    text_add(before, " __typeof__(*_xmp_p%s_%d) _xmp_k%s_%d = %s, _xmp_m%s_%d;", suffix, i, suffix, i, where,
        suffix, i);
  }
  text_add(after, " { __typeof__(%s) _xmp_u%s = %s;", name, suffix, name);
  for (int i = 0; i < v->locations; i++)
    text_add(after, " _xmp_m%s_%d = %s;", suffix, i, name_text(v->location[i]));
  text_add(after,
      " pst_xmp_loop_reduce(&_xmp_l%d, %s, %s, &(const struct pst_xmp_variable){&_xmp_u%s, 1, sizeof "
      "_xmp_u%s, "
      "%s, \"%s\"}, %s, %d, ",
      l->number, where_of(d->at), op, suffix, suffix, type_text(u, declarator, text_of("_xmp_u%s", suffix)),
      name, old, v->locations);
  if (v->locations) {
    text_add(before,
        " __typeof__(%s) _xmp_x%s = %s; struct pst_xmp_when _xmp_w%s; __builtin_memset(&_xmp_w%s, -1, sizeof "
        "_xmp_w%s);",
        name, suffix, name, suffix, suffix, suffix);
    text_add(after, "(const struct pst_xmp_location[]){%s}, &_xmp_w%s); } }", text_get(&locations), suffix);
    l->note = kept_grow(l->note, (size_t)l->notes, sizeof *l->note);
    l->note[l->notes++] = (struct note){text_of("%s != _xmp_x%s%s", name, suffix, text_get(&changed)),
        text_of("_xmp_x%s = %s%s", suffix, name, text_get(&keep)), text_of("_xmp_w%s", suffix)};
  } else text_add(after, "0, 0); } }");
}

static void array_reduce(const struct unit *u, struct loop *l, const struct directive *d, const char *op,
    const struct reduction_variable *v, const struct declarator *declarator, const char *element,
    struct text *before, struct text *after)
{
  const char *const name = name_text(v->name),
                    *const suffix = text_of("%d_%d", l->number, reduction_add(l, NULL));
  const char *const variable = text_of(
      "&(const struct pst_xmp_variable){%s, sizeof %s / sizeof %s, sizeof %s, %s, \"%s\"}", name, name,
      element, element, type_text(u, declarator, element), name);
  text_add(before,
      " void *_xmp_r%s __attribute__((cleanup(pst_xmp_buffer_free))) = pst_xmp_buffer(%s, sizeof %s); "
      "__builtin_memcpy(_xmp_r%s, %s, sizeof %s); pst_xmp_neutral(%s, %s, %s);",
      suffix, where_of(d->at), name, suffix, name, name, where_of(d->at), op, variable);
  text_add(after,
      " pst_xmp_loop_reduce(&_xmp_l%d, %s, %s, %s, _xmp_r%s, 0, 0, 0); __builtin_memcpy(%s, _xmp_r%s, "
      "sizeof %s);",
      l->number, where_of(d->at), op, variable, suffix, name, suffix, name);
}

/* Without locations it does not matter which iteration had the value. */
static const char *value_operation(const char *op)
{
  if (strcmp(op, "PST_XMP_FIRSTMAX") == 0 || strcmp(op, "PST_XMP_LASTMAX") == 0) return "PST_XMP_MAX";
  if (strcmp(op, "PST_XMP_FIRSTMIN") == 0 || strcmp(op, "PST_XMP_LASTMIN") == 0) return "PST_XMP_MIN";
  return op;
}

/* The variables' own blocks nest, so the last one ends first. */
static void reductions_translate(
    struct unit *u, struct loop *l, const struct directive *d, struct text *before, const char **after)
{
  for (int i = 0; i < d->reductions; i++) {
    const char *const written = operation_name(d->reduction[i].operation, 1);
    for (int k = 0; written && k < d->reduction[i].count; k++) {
      const struct reduction_variable *const v = &d->reduction[i].variable[k];
      const char *const op = v->locations ? written : value_operation(written);
      struct text end = {0};
      const char *const element = variable_element(u, v);
      if (!element) continue;
      const struct declarator *const declarator = v->member ? NULL
                                                            : scope_find(u->scope, v->name)->declarator;
      if (declarator && declarator->dims > 0) array_reduce(u, l, d, op, v, declarator, element, before, &end);
      else scalar_reduce(u, l, d, op, v, declarator, before, &end);
      *after = text_of("%s%s", text_get(&end), *after);
    }
  }
}

/* ---- OpenMP beside it ---- */

static int pragma_collapses(const struct token *t)
{
  for (const char *s = t->text; s + 8 <= t->text + t->length; s++)
    if (memcmp(s, "collapse", 8) == 0) return 1;
  return 0;
}

static int pragma_has_none(const struct token *t)
{
  for (const char *s = t->text; s + 7 <= t->text + t->length; s++) {
    if (memcmp(s, "default", 7) != 0) continue;
    for (s += 7; s < t->text + t->length && (*s == ' ' || *s == '('); s++) continue;
    return s + 4 <= t->text + t->length && memcmp(s, "none", 4) == 0;
  }
  return 0;
}

static void pragma_share(struct unit *u, const struct loop *l, const struct token *pragma)
{
  if (l->blocks && pragma_is_openmp(pragma) && pragma_collapses(pragma))
    message_error(pragma,
        "loops over blocks of a cyclic dimension cannot be collapsed; distribute it by cyclic or block");
  struct text names = {0};
  if (!pragma_is_openmp(pragma) || !pragma_has_none(pragma) || !l->shares) return;
  for (int i = 0; i < l->shares; i++) text_add(&names, "%s%s", i ? ", " : "", l->shared[i]);
  edit_replace(
      u->edits, pragma, pragma, "%.*s shared(%s)", (int)pragma->length, pragma->text, text_get(&names));
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

/* expand, margin, peel_and_wait: the nest is run once for each part. */
static const char *parts_text(const struct loop *l, const struct directive *d)
{
  static const char *const forms[] = {"", "PST_XMP_EXPAND", "PST_XMP_MARGIN", "PST_XMP_PEEL_AND_WAIT"};
  struct text text = {0}, width = {0};
  if (d->form == LOOP_PLAIN) return "";
  for (int k = 0; k < d->width.count; k++) {
    const struct item *const i = &d->width.item[d->right.list.square ? k : d->width.count - 1 - k];
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

const struct token *loop_translate(struct unit *u, const struct directive *d, const struct token *t)
{
  struct loop l = {.outer = u->loop, .number = ++u->numbers, .at = d->at};
  const struct token *f = t + 1;
  for (; f->kind == TOKEN_PRAGMA; f++) l.parallel |= pragma_is_openmp(f);
  if (t > u->source->token && t[-1].kind == TOKEN_PRAGMA) l.parallel |= pragma_is_openmp(t - 1);
  if (!token_is(f, "for")) {
    message_error(f, "a loop directive is followed by a for loop");
    return f;
  }
  l.first = f;
  l.last = statement_last(f);
  variables_read(u, &l, d);
  const char *const on = on_read(u, &l, d);
  struct text before = {0};
  const char *after = "";
  reductions_translate(u, &l, d, &before, &after);
  lates_declare(u, &l);
  u->loop = &l;
  const struct token *const next = walk_statement(u, f);
  u->loop = l.outer;
  variables_check(&l, d);
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
  if (t > u->source->token && t[-1].kind == TOKEN_PRAGMA && pragma_is_openmp(t - 1))
    edit_before(u->edits, t - 1, "%s", text);
  else edit_replace(u->edits, d->at, d->at, "%s", text);
  edit_after(u->edits, l.last, " }%s%s%s }", text_get(&l.closing), parts_end(&l, d), after);
  return next;
}
