/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Array assignments, of local arrays or under an array directive: they become loops over the elements. The
 * right side is computed as a whole before anything is stored, so where it may see what is stored it goes
 * through a buffer. */
#include <string.h>

#include "xmpcc/once.h"

struct sections {
  int number, rank;
  const char *index[DIMENSIONS]; /* of the loops */
  struct text checks;            /* of lengths */
  int left;                      /* the left side is walked: its lengths are the assignment's */
  const char *length[DIMENSIONS];
  int next;                        /* dimension of the reference that is walked */
  const struct directive *divided; /* the array directive that divides it among the nodes; NULL */
  const struct symbol *template_;  /* of that */
  struct text alike;               /* checks of its arrays */
  const struct token *at;
  struct once once;
  int seen; /* the right side may see what is stored */
};

/* ---- subscripts ---- */

/* Of a distributed dimension no node has all, unless its shadow is full, nor what it does not own. */
static void distributed_check(const struct sections *c, const struct side *s, int k)
{
  const struct side_subscript *const one = &s->subscript[k];
  const struct array *const a = s->array;
  const int whole = expression_is_empty(&one->base) && expression_is_empty(&one->length);
  if (!a || c->divided || k >= a->dims || a->axis[k] < 0) return;
  if (a->template_ && a->template_->of.template_info->format[a->axis[k]] == ITEM_STAR) return;
  if (a->shadow[k][0] && strcmp(a->shadow[k][0], "PST_XMP_FULL_SHADOW") == 0) return;
  message_error(one->all.first,
      "'%s' is distributed here, and no node %s; a gmove or array directive is missing", side_name(s),
      whole ? "has all of it" : "is sure to have this section");
}

const char *section_subscript(struct unit *u, const struct side *s, int k)
{
  struct sections *const c = u->sections;
  const struct side_subscript *const one = &s->subscript[k];
  if (!one->section) return translated_text(u, &one->all);
  long long value;
  if (expression_is_constant(&one->step, &value) && value == 0)
    message_error(one->step.first, "the step of a section is 0");
  distributed_check(c, s, k);
  const char *base = translated_text(u, &one->base), *step = translated_text(u, &one->step);
  const char *length = translated_text(u, &one->length);
  if (!*base) base = "0";
  if (!*step) step = "1";
  if (!*length) {
    const char *const extent = side_extent(u, s, k);
    if (!*extent)
      message_error(s->first, "nobody knows how long '%s' is here; write the section's length", side_name(s));
    length = text_of("pst_xmp_rest(%s, %s, %s)", *extent ? extent : "0", base, step);
  }
  const int d = c->next++;
  if (d >= DIMENSIONS) return "0";
  if (c->left) {
    c->length[d] = length;
    c->index[d] = text_of("_xmp_i%d_%d", c->number, d);
  } else if (d < c->rank)
    text_add(&c->checks, " pst_xmp_length_check(%s, \"%s\", %d, _xmp_n%d_%d, %s);", where_of(c->at),
        side_name(s), d, c->number, d, length);
  return strcmp(step, "1") == 0 ? text_of("(%s) + _xmp_i%d_%d", base, c->number, d)
                                : text_of("(%s) + (%s) * _xmp_i%d_%d", base, step, c->number, d);
}

void section_begin(struct unit *u, const struct side *s)
{
  struct sections *const c = u->sections;
  if (!c->left && s->sections != c->rank)
    message_error(s->first, "'%s' has sections of %s, and the left side of %d", side_name(s),
        text_count(s->sections, "dimension"), c->rank);
  c->next = 0;
}

/* ---- is it like the template's section? ---- */

/* The entry of the on clause for the template's dimension k; NULL: all of it. */
static const struct item *on_item(const struct sections *c, int k)
{
  const struct list *const l = &c->divided->right.list;
  return l->count ? &l->item[directive_order(l, k)] : NULL;
}

static int is_section(const struct item *i) { return !i || i->kind == ITEM_TRIPLET || i->kind == ITEM_COLON; }

/* The template's dimension that has its section of that number; -1: none. */
static int on_dimension(const struct sections *c, int section)
{
  for (int k = 0; k < c->template_->of.template_info->dims; k++)
    if (is_section(on_item(c, k)) && section-- == 0) return k;
  return -1;
}

/* What is seen in the text: arrays that are aligned otherwise, and lengths. */
static void alike_check(const struct sections *c, const struct side *s, int k, int section)
{
  const struct array *const a = s->array;
  const struct side_subscript *const one = &s->subscript[k];
  const int dim = on_dimension(c, section);
  const struct item *const i = dim < 0 ? NULL : on_item(c, dim);
  const char *const template_ = name_text(c->template_->name);
  long long its, ours;
  if (dim < 0) return;
  if (a->axis[k] >= 0 && a->template_ == c->template_ && a->axis[k] != dim)
    message_error(one->all.first,
        "this dimension of '%s' is aligned with another one of '%s' than the section", name_text(s->first),
        template_);
  else if (a->axis[k] >= 0 && a->template_ != c->template_ && !a->shadow[k][0] &&
      templates_differ(a->template_, a->axis[k], c->template_, dim))
    message_error(s->first, "'%s' is aligned with '%s', which has another distribution than '%s'",
        name_text(s->first), name_text(a->template_->name), template_);
  else if (i && i->kind == ITEM_TRIPLET && c->divided->right.list.square &&
      expression_is_constant(&i->b, &its) && expression_is_constant(&one->length, &ours) && its != ours)
    message_error(
        one->all.first, "the section has %lld elements, and that of '%s' %lld indices", ours, template_, its);
}

static const char *place_text(struct unit *u, const struct side *s, int k, int section)
{
  const struct side_subscript *const one = k < s->count ? &s->subscript[k] : NULL;
  if (!one) return "{-1, 0, 1}";
  if (!one->section) return text_of("{-1, %s, 1}", translated_text(u, &one->all));
  const char *const base = translated_text(u, &one->base), *const step = translated_text(u, &one->step);
  return text_of("{%d, %s, %s}", section, *base ? base : "0", *step ? step : "1");
}

static const char *on_sections_text(const struct sections *c)
{
  struct text text = {0};
  for (int d = 0; d < c->rank; d++) {
    const int k = on_dimension(c, d);
    const struct item *const i = k < 0 ? NULL : on_item(c, k);
    text_add(&text, "%s%s", d ? ", " : "",
        i ? subscript_text(i, &c->divided->right.list, c->template_) : "{PST_XMP_ALL, 0, 0, 0, 1}");
  }
  return text_get(&text);
}

static const char *lengths_list(const struct sections *c)
{
  struct text text = {0};
  for (int d = 0; d < c->rank; d++) text_add(&text, "%s_xmp_n%d_%d", d ? ", " : "", c->number, d);
  return text_get(&text);
}

void section_alike(struct unit *u, const struct side *s)
{
  struct sections *const c = u->sections;
  struct text places = {0};
  int section = 0;
  if (!c->divided || s->sections != c->rank) return;
  for (int k = 0; k < s->array->dims; k++) {
    const int has = k < s->count && s->subscript[k].section;
    if (has) alike_check(c, s, k, section);
    text_add(&places, "%s%s", k ? ", " : "", place_text(u, s, k, section));
    section += has;
  }
  text_add(&c->alike,
      " pst_xmp_array_alike(&_xmp_l%d, %s, %s, __extension__ &(const struct pst_xmp_alike){%d, (const struct "
      "pst_xmp_indices[]){%s}, (const struct pst_xmp_subscript[]){%s}, (const pst_xmp_index_t[]){%s}});",
      c->number, where_of(c->divided->at), s->array->descriptor, c->left, text_get(&places),
      on_sections_text(c), lengths_list(c));
}

/* The element of a side as a whole, which is not changed where it stands. */
const char *section_element(struct unit *u, const struct side *s)
{
  struct text text = {0};
  const struct expression name = {s->first, s->subscripts};
  section_begin(u, s);
  side_walk(u, s);
  text_add(&text, "%s", expression_text(&name));
  for (int k = 0; k < s->count; k++) text_add(&text, "[%s]", section_subscript(u, s, k));
  return text_get(&text);
}

const struct token *section_reference(struct unit *u, const struct token *t, const struct symbol *symbol)
{
  struct side s;
  const struct token *end = t;
  while (end->kind != TOKEN_END && !token_is(end, ";")) end++;
  if (side_read_at(u, t, end, &s) || s.sections == 0 || s.codims || (!symbol && s.symbol)) return NULL;
  section_begin(u, &s);
  side_walk(u, &s);
  for (int k = 0; k < s.count; k++)
    if (s.subscript[k].section)
      edit_replace(
          u->edits, s.subscript[k].all.first, s.subscript[k].all.last - 1, "%s", section_subscript(u, &s, k));
  return s.last;
}

/* ---- the loops ---- */

struct nest {
  const char *open; /* the loops' headers */
  const char *close;
};

static struct nest local_nest(const struct sections *c)
{
  struct text open = {0};
  for (int d = 0; d < c->rank; d++)
    text_add(
        &open, " for (%s = 0; %s < _xmp_n%d_%d; %s++)", c->index[d], c->index[d], c->number, d, c->index[d]);
  return (struct nest){text_get(&open), ""};
}

static const char *lengths_text(const struct sections *c)
{
  struct text text = {0};
  for (int d = 0; d < c->rank; d++)
    text_add(&text, " const pst_xmp_index_t _xmp_n%d_%d = %s; pst_xmp_index_t %s = 0;", c->number, d,
        c->length[d], c->index[d]);
  return text_get(&text);
}

static void assignment_write(struct unit *u, const struct sections *c, const struct side *left,
    const struct nest *nest, const char *before, const char *after, const struct expression *right,
    const struct token *end)
{
  const struct expression l = {left->first, left->last};
  const char *const element = translated_text(u, &l), *const value = translated_text(u, right);
  struct text text = {0};
  text_add(&text, "{%s%s%s%s", text_get(&c->once.text), lengths_text(c), before, text_get(&c->checks));
  if (!c->seen) text_add(&text, "%s %s = %s;%s", nest->open, element, value, nest->close);
  else
    text_add(&text,
        " { pst_xmp_index_t _xmp_q%d = 0;%s _xmp_q%d++;%s { void *_xmp_m%d "
        "__attribute__((cleanup(pst_xmp_buffer_free))) = "
        "pst_xmp_buffer(%s, (unsigned long)_xmp_q%d * sizeof(%s)); __typeof__(%s) *const _xmp_t%d = "
        "_xmp_m%d; _xmp_q%d = 0;"
        "%s _xmp_t%d[_xmp_q%d++] = %s;%s _xmp_q%d = 0;%s %s = _xmp_t%d[_xmp_q%d++];%s } }",
        c->number, nest->open, c->number, nest->close, c->number, where_of(c->at), c->number, element,
        element, c->number, c->number, c->number, nest->open, c->number, c->number, value, nest->close,
        c->number, nest->open, element, c->number, c->number, nest->close);
  text_add(&text, "%s }", after);
  edit_replace(u->edits, left->first, token_is(end, ";") ? end : end - 1, "%s", text_get(&text));
}

static void comma_check(const struct token *first, const struct token *end)
{
  const struct token *const comma = expression_end(first, EXPRESSION_ENDS_COMMA);
  if (comma < end)
    message_error(comma, "an array assignment is a statement of its own; end it with ; instead of a comma");
}

/* Walks both sides. 0: it is no array assignment. */
static const struct token *sides_walk(
    struct unit *u, struct sections *c, const struct token *t, const struct token *end, struct side *left)
{
  const struct token *const equal = assignment_operator(t, end);
  if (!equal || side_read_member(u, t, equal, left) || left->sections == 0 || left->codims) return NULL;
  if (!token_is(equal, "="))
    message_error(equal, "an array assignment has =; write the operation on the right");
  comma_check(equal + 1, end);
  c->number = ++u->numbers;
  c->rank = left->sections;
  c->at = t;
  once_begin(u, &c->once, left, equal + 1, end);
  c->seen = once_is_seen(u, left, equal + 1, end);
  u->sections = c;
  c->left = 1;
  walk_expression(u, t, equal);
  c->left = 0;
  walk_expression(u, equal + 1, end);
  u->sections = NULL;
  u->once = NULL;
  return equal;
}

/* The rest of a struct pst_xmp_side of the buffer. */
static const char *shape_text(const struct sections *c)
{
  struct text extent = {0}, all = {0};
  for (int d = 0; d < c->rank; d++) {
    const char *const n = text_of("_xmp_n%d_%d", c->number, d);
    text_add(&extent, "%s%s", d ? ", " : "", n);
    text_add(&all, "%s{PST_XMP_COUNT, 0, 0, %s, 1}", d ? ", " : "", n);
  }
  return text_of("%d, (const pst_xmp_index_t[]){%s}, (const struct pst_xmp_subscript[]){%s}", c->rank,
      text_get(&extent), text_get(&all));
}

/* The elements go into a buffer, which is put as a whole. */
static void put_write(struct unit *u, const struct sections *c, const struct side *left,
    const struct expression *right, const struct token *end)
{
  const int n = c->number;
  const char *const element = side_element(u, left), *const where = where_of(c->at);
  const struct nest nest = local_nest(c);
  struct text text = {0}, size = {0};
  for (int d = 0; d < c->rank; d++) text_add(&size, " * (unsigned long)_xmp_n%d_%d", n, d);
  text_add(&text, "{%s%s%s", text_get(&c->once.text), lengths_text(c), text_get(&c->checks));
  text_add(&text,
      " { void *_xmp_m%d __attribute__((cleanup(pst_xmp_buffer_free))) = pst_xmp_buffer(%s, sizeof(%s)%s); "
      "__typeof__(%s) *const _xmp_t%d = _xmp_m%d; pst_xmp_index_t _xmp_q%d = 0;%s _xmp_t%d[_xmp_q%d++] = "
      "%s;%s",
      n, where, element, text_get(&size), element, n, n, n, nest.open, n, n, translated_text(u, right),
      nest.close);
  text_add(&text,
      " pst_xmp_copy_section(%s, %s, %s, %s, 0, -1, __extension__ &(const struct pst_xmp_side){0, _xmp_m%d, "
      "sizeof(%s), %s, %s}); } }",
      where, descriptor_name(left->first), side_image(u, left, left->first), side_text(u, left), n, element,
      type_text(u, left->symbol->declarator, element), shape_text(c));
  edit_replace(u->edits, left->first, token_is(end, ";") ? end : end - 1, "%s", text_get(&text));
}

int section_put(struct unit *u, const struct side *left, const struct token *equal, const struct token *end)
{
  struct sections c = {.rank = left->sections, .at = left->first, .left = 1};
  const struct expression right = {equal + 1, end};
  if (!has_section(equal + 1, end)) return 0;
  comma_check(equal + 1, end);
  c.number = ++u->numbers;
  once_begin(u, &c.once, left, equal + 1, end);
  side_walk(u, left);
  u->sections = &c;
  for (int k = 0; k < left->count; k++) section_subscript(u, left, k);
  c.left = 0;
  walk_expression(u, equal + 1, end);
  u->sections = NULL;
  put_write(u, &c, left, &right, end);
  u->once = NULL;
  return 1;
}

int section_assignment(struct unit *u, const struct token *t, const struct token *end)
{
  struct sections c = {.rank = 0};
  struct side left;
  const struct token *const equal = sides_walk(u, &c, t, end, &left);
  if (!equal) return 0;
  const struct expression right = {equal + 1, end};
  const struct nest nest = local_nest(&c);
  assignment_write(u, &c, &left, &nest, "", "", &right, end);
  return 1;
}

/* ---- the array directive ---- */

struct place { /* of a section of the template */
  const char *base, *step;
  int cyclic;
};

static struct nest template_nest(const struct sections *c, const struct place *p)
{
  struct text open = {0}, close = {0};
  const int n = c->number;
  for (int d = 0; d < c->rank; d++) {
    const char *const range = text_of("&_xmp_l%d.range[%d]", n, d), *const i = c->index[d];
    const char *const base = text_of("(pst_xmp_index_t)(%s)", p[d].base),
                      *const step = text_of("(pst_xmp_index_t)(%s)", p[d].step);
    const char *const end = text_of("%s + %s * _xmp_n%d_%d", base, step, n, d);
    text_add(&open, " { ");
    text_add(&close, " }");
    if (p[d].cyclic)
      text_add(&open,
          "pst_xmp_index_t _xmp_v%d_%d; for (_xmp_v%d_%d = pst_xmp_loop_next(%s, %s, %s, %s); _xmp_v%d_%d != "
          "%s && (%s = (_xmp_v%d_%d - %s) "
          "/ %s, 1); _xmp_v%d_%d = pst_xmp_loop_next(%s, _xmp_v%d_%d + %s, %s, %s))",
          n, d, n, d, range, base, step, end, n, d, end, i, n, d, base, step, n, d, range, n, d, step, step,
          end);
    else
      text_add(&open,
          "const pst_xmp_index_t _xmp_e%d_%d = (pst_xmp_loop_end(%s, %s, %s) - %s + %s - (%s > 0 ? 1 : -1)) "
          "/ %s; for (%s = (pst_xmp_loop_first(%s, %s, %s) - %s) / %s; %s < _xmp_e%d_%d; %s++)",
          n, d, range, end, step, base, step, step, step, i, range, base, step, base, step, i, n, d, i);
  }
  return (struct nest){text_get(&open), text_get(&close)};
}

/* The sections that the on clause names, for tools: struct pst_xmp_bounds[]. */
static const char *bounds_text(const struct sections *c, const struct place *p)
{
  struct text list = {0};
  for (int d = 0; d < c->rank; d++)
    text_add(&list, "%s{%d, %s, (pst_xmp_index_t)(%s) + (pst_xmp_index_t)(%s) * _xmp_n%d_%d, %s}",
        d ? ", " : "", d, p[d].base, p[d].base, p[d].step, c->number, d, p[d].step);
  return text_of("__extension__ (const struct pst_xmp_bounds[]){%s}", text_get(&list));
}

/* The on clause as subscripts with loops in them; fills p. */
static const char *places_read(const struct directive *d, const struct symbol *s, int rank, struct place *p)
{
  const struct template_info *const t = s->of.template_info;
  struct text list = {0};
  int sections = 0;
  for (int k = 0; k < t->dims; k++) {
    const struct list *const l = &d->right.list;
    const struct item *const i = l->count ? &l->item[directive_order(l, k)] : NULL;
    if (i && i->kind != ITEM_TRIPLET && i->kind != ITEM_COLON) {
      text_add(&list, "%s%s", k ? ", " : "", subscript_text(i, l, s));
      continue;
    }
    const int open = !i || i->kind == ITEM_COLON;
    if (sections < DIMENSIONS)
      p[sections] = (struct place){
          open || i->a.first == i->a.last ? template_lower(s, k, d->at) : expression_text(&i->a),
          open || i->c.first == i->c.last ? "1" : expression_text(&i->c), t->format[k] == ITEM_CYCLIC};
    text_add(&list, "%s{PST_XMP_LOOP, %d, 0, 0, 1}", k ? ", " : "", sections++);
  }
  if (sections != rank)
    message_error(d->right.name, "the template has sections in %s, and the assignment in %d",
        text_count(sections, "dimension"), rank);
  return text_of("__extension__ &(const struct pst_xmp_on){%s, %d, (const struct pst_xmp_subscript[]){%s}}",
      descriptor_name(d->right.name), t->dims, text_get(&list));
}

const struct token *array_translate(struct unit *u, const struct directive *d, const struct token *t)
{
  const struct token *const first = t + 1, *const end = statement_end(first);
  const struct symbol *const s = d->right.name ? scope_find_mapping(u->scope, d->right.name) : NULL;
  struct sections c = {.divided = d, .template_ = s};
  struct side left;
  if (!s || s->kind != SYMBOL_TEMPLATE || !s->of.template_info->distributed ||
      (d->right.list.count && d->right.list.count != s->of.template_info->dims)) {
    if (!d->right.name || !wrong_is(u, d->right.name))
      message_error(d->right.name ? d->right.name : d->at,
          "an array directive names a distributed template, with all of its dimensions or none");
    return token_is(end, ";") ? end + 1 : end;
  }
  const struct token *const equal = sides_walk(u, &c, first, end, &left);
  if (!equal || !left.array) {
    message_error(first, "an array directive is followed by an assignment to a section of a global array");
    return token_is(end, ";") ? end + 1 : end;
  }
  struct place place[DIMENSIONS] = {{0}};
  const char *const on = places_read(d, s, c.rank, place);
  const struct expression right = {equal + 1, end};
  const struct nest nest = template_nest(&c, place);
  assignment_write(u, &c, &left, &nest,
      text_of(" pst_xmp_loop_t _xmp_l%d __attribute__((cleanup(pst_xmp_loop_leave))); "
              "pst_xmp_array_enter(&_xmp_l%d, %s, %s, %d, %s, %s);%s",
          c.number, c.number, where_of(d->at), on, c.rank, bounds_text(&c, place),
          left.array->member ? "0" : left.array->descriptor, text_get(&c.alike)),
      "", &right, end);
  return token_is(end, ";") ? end + 1 : end;
}
