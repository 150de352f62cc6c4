/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Lists in brackets, and names with them. */
#include "xmpcc/directive_reader.h"

const struct list_rule list_of_subscripts = {.what = "a subscript",
    .right = "an integer expression, first:length:step in square or first:last:step in round brackets, : or "
             "*",
    .items = ITEMS_EXPRESSION | ITEMS_TRIPLET | ITEMS_COLON | ITEMS_STAR};

/* ---- one item ---- */

static int item_ends(const struct token *t)
{
  return t->kind == TOKEN_END || token_is(t, ",") || token_is(t, "]") || token_is(t, ")");
}

/* The word in slashes, if it is here. */
static void item_read_flag(struct reader *r, const struct list_rule *rule, struct item *i)
{
  if (!reader_accept(r, "/")) return;
  const struct token *word = r->at;
  if (!reader_accept_word(r, rule->flag))
    reader_error(r, word, "%s is in slashes before %s; only /%s/ may be", reader_quote(r, word), rule->what,
        rule->flag);
  i->flag = 1;
  reader_expect(r, "/", rule->right);
}

/* (width) of block and cyclic, (map) of gblock. */
static void format_read_argument(struct reader *r, struct item *i, const char *word)
{
  const struct token *const open = r->at;
  if (token_is(open, "["))
    reader_error(r, open, "what %s takes stands in round brackets: write %s(%s)", word, word,
        i->kind == ITEM_GBLOCK ? "map" : "width");
  if (!reader_accept(r, "(")) return;
  if (i->kind == ITEM_GBLOCK && token_is(r->at, "*") && token_is(r->at + 1, ")")) {
    r->at += 2;
    return;
  }
  i->a = reader_expression(r);
  long long width;
  if (expression_is_empty(&i->a))
    reader_error(r, open, "%s has empty brackets; write %s or %s(%s)", word, word, word,
        i->kind == ITEM_GBLOCK ? "map" : "width");
  if (i->kind != ITEM_GBLOCK && reader_constant(r, &i->a, &width) && width <= 0)
    reader_error(r, i->a.first, "the width of %s is %lld; it must be positive", word, width);
  reader_expect(r, ")", "one expression in the brackets");
}

static void format_read(struct reader *r, struct item *i)
{
  static const struct {
    const char *word;
    enum item_kind kind;
  } format[] = {{"block", ITEM_BLOCK}, {"cyclic", ITEM_CYCLIC}, {"gblock", ITEM_GBLOCK}};
  if (reader_accept(r, "*")) {
    i->kind = ITEM_STAR;
    return;
  }
  for (unsigned k = 0; k < sizeof format / sizeof *format; k++) {
    if (!reader_accept_word(r, format[k].word)) continue;
    i->kind = format[k].kind;
    format_read_argument(r, i, format[k].word);
    return;
  }
  reader_error(r, r->at,
      "%s is no distribution; write block, block(width), cyclic, cyclic(width), gblock(map), gblock(*) or *",
      reader_quote(r, r->at));
}

/* An expression, or a:b:c, of which each may be empty. */
static void item_read_range(struct reader *r, struct item *i)
{
  i->kind = ITEM_EXPRESSION;
  i->a = reader_expression(r);
  if (!reader_accept(r, ":")) return;
  i->kind = ITEM_TRIPLET;
  i->parts = 2;
  i->b = reader_expression(r);
  if (!reader_accept(r, ":")) return;
  i->parts = 3;
  i->c = reader_expression(r);
}

static int item_is_allowed(const struct list_rule *rule, const struct item *i)
{
  switch (i->kind) {
  case ITEM_EXPRESSION:
    return rule->items & ITEMS_EXPRESSION ||
        (rule->items & ITEMS_NAME && i->a.last - i->a.first == 1 && i->a.first->kind == TOKEN_NAME);
  case ITEM_TRIPLET:
    if (rule->items & ITEMS_TRIPLET) return 1;
    return rule->items & ITEMS_PAIR && i->parts == 2 && !expression_is_empty(&i->a) &&
        !expression_is_empty(&i->b);
  case ITEM_STAR: return rule->items & (ITEMS_STAR | ITEMS_FORMAT);
  case ITEM_COLON: return rule->items & ITEMS_COLON;
  default: return 1;
  }
}

static void item_check_value(struct reader *r, const struct list_rule *rule, const struct expression *e)
{
  long long value;
  if (!rule->bounded || !reader_constant(r, e, &value) || value >= rule->least) return;
  reader_error(r, e->first, "%s is %lld; it must be %s", rule->what, value,
      rule->least == 1 ? "positive" : "0 or more");
}

static void item_check(struct reader *r, const struct list_rule *rule, const struct item *i)
{
  long long step;
  if (i->kind == ITEM_EXPRESSION && expression_is_empty(&i->a))
    reader_error(
        r, r->at, "%s is missing before %s; write %s", rule->what, reader_quote(r, r->at), rule->right);
  if (!item_is_allowed(rule, i))
    reader_error(
        r, i->at, "%s is not %s; write %s", reader_quote_range(r, i->at, r->at), rule->what, rule->right);
  if (i->kind == ITEM_EXPRESSION) item_check_value(r, rule, &i->a);
  if (i->kind == ITEM_TRIPLET && rule->least == 0) {
    item_check_value(r, rule, &i->a);
    item_check_value(r, rule, &i->b);
  }
  if (i->kind == ITEM_TRIPLET && reader_constant(r, &i->c, &step) && step == 0)
    reader_error(r, i->c.first, "the step of a subscript is 0");
}

static struct item item_read(struct reader *r, const struct list_rule *rule)
{
  struct item i = {.at = r->at};
  if (rule->flag) item_read_flag(r, rule, &i);
  if (rule->items & ITEMS_FORMAT) format_read(r, &i);
  else if (token_is(r->at, "*") && item_ends(r->at + 1)) i.kind = ITEM_STAR, r->at++;
  else if (token_is(r->at, ":") && item_ends(r->at + 1)) i.kind = ITEM_COLON, r->at++;
  else item_read_range(r, &i);
  item_check(r, rule, &i);
  return i;
}

/* ---- lists ---- */

static void list_add(struct reader *r, struct list *l, const struct list_rule *rule)
{
  const struct item i = item_read(r, rule);
  l->item = reader_grow(r, l->item, l->count, sizeof i);
  l->item[l->count++] = i;
}

static void list_read_round(struct reader *r, struct list *l, const struct list_rule *rule)
{
  do list_add(r, l, rule);
  while (reader_accept(r, ","));
  if (token_is(r->at, ":"))
    reader_error(
        r, r->at, "%s has too many colons; write %s", reader_quote_range(r, l->at, r->at + 1), rule->right);
  reader_expect(r, ")", "a comma between two items and ) after the last one");
}

static void list_read_square(struct reader *r, struct list *l, const struct list_rule *rule)
{
  while (reader_accept(r, "[")) {
    list_add(r, l, rule);
    if (token_is(r->at, ","))
      reader_error(r, r->at, "there is a comma in square brackets; each subscript has its own: write [i][j]");
    if (token_is(r->at, ":"))
      reader_error(r, r->at, "%s has too many colons; write %s", rule->what, rule->right);
    reader_expect(r, "]", "one item in each pair of square brackets");
  }
}

struct list list_read(struct reader *r, const struct list_rule *rule)
{
  struct list l = {.at = r->at, .square = token_is(r->at, "[")};
  if (l.square) {
    list_read_square(r, &l, rule);
  } else {
    reader_expect(r, "(", rule->right);
    list_read_round(r, &l, rule);
  }
  return l;
}

struct list list_read_rest(struct reader *r, const struct list_rule *rule)
{
  struct list l = {.at = r->at};
  list_read_round(r, &l, rule);
  return l;
}

/* ---- references ---- */

struct reference reference_read(struct reader *r, const char *what, int member, const struct list_rule *rule)
{
  struct reference f = {.name = reader_name(r, what)};
  const struct token *const point = r->at;
  const int arrow = member == MEMBER_OF_ANY && !r->fortran && reader_accept(r, "->");
  if (arrow || reader_accept(r, r->fortran ? "%" : ".")) {
    f.member = reader_name(r, "a member");
    if (!member) reader_error(r, point, "%s cannot be a member of a structure; write a plain name", what);
  }
  if (f.member && token_is(r->at, r->fortran ? "%" : "."))
    reader_error(r, r->at, "%s is a member of a member; write one name, a dot and another name", what);
  if (rule && reader_is_opening(r)) f.list = list_read(r, rule);
  return f;
}

struct reference reference_read_on(struct reader *r, const char *what)
{
  if (!token_is(r->at, "*")) return reference_read(r, what, 0, &list_of_subscripts);
  return (struct reference){.name = r->at++};
}

void reference_check_array(struct reader *r, const struct reference *a)
{
  if (r->fortran || a->list.square || a->list.count < 2) return;
  reader_error(r, a->list.at,
      "an array has several subscripts in round brackets; in C each has square ones: write %.*s[i][j]",
      a->name ? (int)a->name->length : 1, a->name ? a->name->text : "a");
}

void reader_add_object(struct reader *r, struct directive *d, const struct reference *object)
{
  d->object = reader_grow(r, d->object, d->objects, sizeof *object);
  d->object[d->objects++] = *object;
}
