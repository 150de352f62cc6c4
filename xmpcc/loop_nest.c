/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The loops of a nest over a loop directive's control variables. They keep their bodies and get other bounds.
 * An inner loop's bounds are computed on the directive's line, unless they change in the nest: then before
 * the inner loop. A cyclic dimension of width 1 has a stride, and counts the local index beside; one of
 * another width is a loop over blocks, within which the local index is the global one minus a constant. */
#include <string.h>

#include "xmpcc/loop.h"

/* ---- what changes in a nest ---- */

static int is_changed(const struct loop *l, const struct token *name)
{
  for (const struct token *t = l->first; t <= l->last; t++)
    if (name_is(t, name) && (token_is_changed(t) || token_is(t - 1, "&"))) return 1;
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
  const char *const bound = bound_text(u, h, text_of("_xmp_a%s", suffix), &r->decide);
  text_add(&r->decide, " const pst_xmp_index_t _xmp_a%s = %s, _xmp_z%s = %s%s;", suffix,
      translated_text(u, &h->lower), suffix, bound, h->equal ? (h->down ? " - 1" : " + 1") : "");
  if (h->step_varies)
    text_add(
        &r->decide, " pst_xmp_loop_step(%s, %s, %s);", where_of(h->begin), h->step, h->down ? "-1" : "1");
}

/* Beyond the serial loop's bounds, where the expand clause says so; the margins are the runtime's. */
static void bounds_widen(
    const struct loop_variable *v, const struct header *h, const char *suffix, struct rewriting *r)
{
  const struct item *const w = v->unbound;
  if (!w) return;
  const char *const below = expression_text(&w->a),
                    *const above = expression_text(w->kind == ITEM_TRIPLET ? &w->b : &w->a);
  text_add(&r->decide,
      " const pst_xmp_index_t _xmp_i%s = pst_xmp_loop_before(_xmp_a%s, %s, %s), _xmp_d%s = "
      "pst_xmp_loop_behind(_xmp_a%s, _xmp_z%s, %s, %s);",
      suffix, suffix, h->down ? above : below, h->step, suffix, suffix, suffix, h->down ? below : above,
      h->step);
}

/* Where this node runs nothing both are the serial loop's first value: others may not fit into the variable.
 */
static void plain_rewrite(const struct header *h, const struct loop_variable *v, const char *suffix,
    const char *range, struct rewriting *r)
{
  const char *const first = text_of("_xmp_%c%s", v->unbound ? 'i' : 'a', suffix),
                    *const end = text_of("_xmp_%c%s", v->unbound ? 'd' : 'z', suffix);
  const char *const runs = text_of("_xmp_h%s %s _xmp_j%s", suffix, h->down ? ">" : "<", suffix);
  text_add(&r->decide,
      " const pst_xmp_index_t _xmp_h%s = pst_xmp_loop_first(&%s, %s, %s), _xmp_j%s = "
      "pst_xmp_loop_end(&%s, %s, %s);",
      suffix, range, first, h->step, suffix, range, end, h->step);
  text_add(&r->decide,
      " const %s _xmp_f%s = (%s)(%s ? _xmp_h%s : _xmp_a%s), _xmp_e%s = (%s)(%s ? _xmp_j%s : _xmp_a%s);",
      h->type, suffix, h->type, runs, suffix, suffix, suffix, h->type, runs, suffix, suffix);
  r->first = text_of("_xmp_f%s", suffix);
  r->end = text_of("_xmp_e%s", suffix);
}

/* The words of the variable's type. */
static struct expression type_words(const struct unit *u, const struct header *h)
{
  const struct symbol *const symbol = h->declared ? NULL : scope_find(u->scope, h->name);
  const struct declarator *const d = symbol ? symbol->declarator : NULL;
  return h->declared ? (struct expression){h->open + 1, h->name}
      : d            ? (struct expression){d->specifiers.first, d->specifiers.last}
                     : (struct expression){h->name, h->name};
}

/* May the variable pass beyond the loop's bounds by what the nodes own in between? Not if it cannot be below
 * 0, or is small. */
static int is_wide(const struct unit *u, const struct header *h)
{
  static const char *const words[] = {"int", "long", "signed", "register", "auto", "static", "extern", NULL};
  const struct expression type = type_words(u, h);
  const struct token *t = type.first;
  if (t == type.last) return 0;
  while (t < type.last && token_is_one(t, words)) t++;
  return t == type.last;
}

static void single_rewrite(const struct loop *l, struct loop_variable *v, const struct header *h,
    const char *suffix, const char *range, struct rewriting *r)
{
  plain_rewrite(h, v, suffix, range, r);
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
      " const pst_xmp_index_t _xmp_y%s = pst_xmp_loop_block(&%s, pst_xmp_loop_first(&%s, _xmp_a%s, %s), %s);",
      suffix, range, range, suffix, h->step, h->step);
  /* OpenMP's control variable is private to a thread by itself; those of loops within are by their place. */
  text_add(h->begin == l->first ? &r->decide : &r->before, " pst_xmp_index_t _xmp_b%s; ", suffix);
  text_add(&r->before, "for (_xmp_b%s = _xmp_y%s; _xmp_b%s ", suffix, suffix, suffix);
  if (h->down)
    text_add(
        &r->before, "> _xmp_z%s - (%s.width - 1); _xmp_b%s -= %s.round) { ", suffix, range, suffix, range);
  else text_add(&r->before, "< _xmp_z%s; _xmp_b%s += %s.round) { ", suffix, suffix, range);
  text_add(&r->before,
      "const struct pst_xmp_range _xmp_q%s = pst_xmp_loop_within(&%s, _xmp_b%s); const pst_xmp_index_t "
      "_xmp_o%s __attribute__((unused)) = "
      "_xmp_b%s - pst_xmp_loop_local(&%s, _xmp_b%s); ",
      suffix, range, suffix, suffix, suffix, range, suffix);
  struct rewriting inner = {.first = NULL};
  plain_rewrite(h, v, suffix, text_of("_xmp_q%s", suffix), &inner);
  text_add(&r->before, "%s ", text_get(&inner.decide));
  /* OpenMP's loop is the one over blocks: each thread has a control variable of its own. */
  if (l->parallel && !h->declared) text_add(&r->before, "%s %s; ", h->type, name_text(h->name));
  if (l->parallel && (!l->blocks || l->entered < l->blocks)) l->blocks = l->entered + 1;
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

static void variable_check(const struct unit *u, const struct header *h)
{
  const struct expression words = type_words(u, h);
  for (const struct token *t = words.first; t < words.last; t++)
    if (token_is(t, "float") || token_is(t, "double") || token_is(t, "*"))
      message_error(
          h->name, "'%s' is no integer, as the variable of a distributed loop is", name_text(h->name));
}

static const struct token *nested_walk(
    struct unit *u, struct loop *l, struct loop_variable *v, const struct header *h)
{
  const char *const suffix = text_of("%d_%d", l->number, (int)(v - l->variable) + 16 * v->found++);
  const char *const range = text_of("_xmp_l%d.range[%d]", l->number, (int)(v - l->variable));
  const int outermost = h->begin == l->first;
  const int hoisted = outermost ||
      (is_constant(l, &h->lower) && is_constant(l, &h->bound) && is_constant(l, &h->stride));
  const struct token *const last = statement_last(h->begin);
  struct rewriting r = {.first = NULL};
  walk_expression(u, h->lower.first, h->lower.last);
  walk_expression(u, h->bound.first, h->bound.last);
  bounds_decide(h, suffix, &r, u);
  bounds_widen(v, h, suffix, &r);
  v->counter = v->shift = NULL;
  loop_share_all(l, !v->cyclic ? "fe" : v->single ? "ges" : "yaz", suffix);
  if (v->cyclic && !v->single) loop_share(l, text_of("_xmp_l%d", l->number));
  if (!v->cyclic) plain_rewrite(h, v, suffix, range, &r);
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
  v->symbol = scope_find(u->scope, h->name);
  body_check(h->close + 1, last, h->name);
  if (!l->parallel && loop_is_independent(u, h->name, h->close + 1)) loop_tell_independent(u, h->begin);
  const struct token *const next = walk_substatement(u, h->close + 1);
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
    if (header_read(u, t, &h) == 0) {
      variable_check(u, &h);
      return nested_walk(u, l, v, &h);
    }
    v->found++; /* it is there, and wrong */
    return NULL;
  }
  return NULL;
}
