/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Declarative directives, and template_fix. */
#include "xmpcc/directive_reader.h"

/* ---- nodes ---- */

static const struct list_rule list_of_sizes = {.what = "a size of nodes",
    .right = "an integer expression or *",
    .items = ITEMS_EXPRESSION | ITEMS_STAR,
    .bounded = 1,
    .least = 1};

/* One star, which is the dimension that varies least; Fortran programs have several, whose sizes the
 * environment gives. */
static void sizes_check(struct reader *r, const struct list *sizes)
{
  const int place = sizes->square ? 0 : sizes->count - 1;
  for (int k = 0; k < sizes->count && !r->fortran; k++)
    if (sizes->item[k].kind == ITEM_STAR && k != place)
      reader_error(r, sizes->item[k].at, "* is not the %s size; in %s brackets only that one may be *",
          sizes->square ? "first" : "last", sizes->square ? "square" : "round");
}

void nodes_read_sizes(struct reader *r, struct list *sizes)
{
  *sizes = list_read(r, &list_of_sizes);
  sizes_check(r, sizes);
}

void nodes_read_parent(struct reader *r, struct directive *d)
{
  if (!reader_accept(r, "=")) return;
  if (reader_accept(r, "*")) {
    d->parent = reader_accept(r, "*") ? 2 : 1;
  } else {
    d->parent = 3;
    d->right = reference_read(r, "the name of nodes after =", 0, &list_of_subscripts);
  }
}

static void need_brackets(struct reader *r, const char *what, const char *right)
{
  if (!reader_is_opening(r))
    reader_error(r, r->at, "%s has no %s before %s; write %s", r->name, what, reader_quote(r, r->at), right);
}

void nodes_read(struct reader *r, struct directive *d)
{
  struct reference nodes = reference_read(r, "the name of nodes", 0, NULL);
  need_brackets(r, "sizes", "nodes p[4] or nodes p[*]");
  nodes_read_sizes(r, &nodes.list);
  reader_add_object(r, d, &nodes);
  nodes_read_parent(r, d);
}

/* ---- template ---- */

static const struct list_rule list_of_bounds = {.what = "an extent of a template",
    .right = "a size, :, lower:length in square or lower:upper in round brackets",
    .items = ITEMS_EXPRESSION | ITEMS_PAIR | ITEMS_COLON,
    .bounded = 1,
    .least = 1};

/* What can be seen of lower:length and lower:upper. */
static void bounds_check(struct reader *r, const struct list *bounds)
{
  for (int k = 0; k < bounds->count; k++) {
    const struct item *const i = &bounds->item[k];
    long long lower, second;
    if (i->kind != ITEM_TRIPLET || !reader_constant(r, &i->b, &second)) continue;
    if (bounds->square && second <= 0)
      reader_error(r, i->b.first, "the length of a template is %lld; it must be positive", second);
    if (!bounds->square && reader_constant(r, &i->a, &lower) && second < lower)
      reader_error(
          r, i->b.first, "the upper bound of a template is %lld; it must be %lld or more", second, lower);
  }
}

void template_read_bounds(struct reader *r, struct list *bounds)
{
  int open = 0;
  *bounds = list_read(r, &list_of_bounds);
  for (int k = 0; k < bounds->count; k++) open += bounds->item[k].kind == ITEM_COLON;
  for (int k = 0; open && k < bounds->count; k++)
    if (bounds->item[k].kind != ITEM_COLON)
      reader_error(r, bounds->item[k].at,
          "another dimension of the template is : and this one is not; write : for all or for none");
  bounds_check(r, bounds);
}

static void read_one_template(struct reader *r, struct directive *d)
{
  struct reference t = reference_read(r, "the name of a template", 0, NULL);
  need_brackets(r, "bounds", "template t[n] or template t[:]");
  template_read_bounds(r, &t.list);
  reader_add_object(r, d, &t);
}

void template_read(struct reader *r, struct directive *d)
{
  do read_one_template(r, d);
  while (reader_accept(r, ","));
}

/* ---- distribute ---- */

static const struct list_rule list_of_formats = {
    .what = "a distribution", .right = "block, cyclic(width) or the like", .items = ITEMS_FORMAT};

void distribute_read_formats(struct reader *r, struct list *formats)
{
  int distributed = 0;
  *formats = list_read(r, &list_of_formats);
  for (int k = 0; k < formats->count; k++) distributed += formats->item[k].kind != ITEM_STAR;
  if (!distributed)
    reader_error(
        r, formats->at, "no dimension is distributed; write block, cyclic or gblock for one at least");
}

void distribute_read_onto(struct reader *r, struct directive *d)
{
  if (!reader_accept_word(r, "onto"))
    reader_error(r, r->at, "distribute has no onto before %s; write onto p", reader_quote(r, r->at));
  d->right = reference_read(r, "the name of nodes after onto", 0, NULL);
  if (reader_is_opening(r))
    reader_error(r, r->at,
        "onto has nodes with subscripts; name whole nodes, which may be declared by nodes q[n]=p[..]");
}

static void read_one_distribution(struct reader *r, struct directive *d)
{
  struct reference t = reference_read(r, "the name of a template", 0, NULL);
  need_brackets(r, "distributions", "distribute t[block] onto p");
  distribute_read_formats(r, &t.list);
  reader_add_object(r, d, &t);
}

void distribute_read(struct reader *r, struct directive *d)
{
  do read_one_distribution(r, d);
  while (reader_accept(r, ","));
  distribute_read_onto(r, d);
}

/* ---- align ---- */

static const struct list_rule list_of_dummies = {.what = "a subscript of an aligned array",
    .right = "a name, * or :",
    .items = ITEMS_NAME | ITEMS_STAR | ITEMS_COLON};
static const struct list_rule list_of_places = {.what = "a subscript of align's template",
    .right = "a name, a name + or - an offset, * or :",
    .items = ITEMS_EXPRESSION | ITEMS_STAR | ITEMS_COLON};

void align_read_source(struct reader *r, struct list *source) { *source = list_read(r, &list_of_dummies); }

/* The place of the item that is this name, or -1. */
static int list_find(const struct reader *r, const struct list *l, const struct token *name)
{
  for (int k = 0; k < l->count; k++)
    if (l->item[k].kind == ITEM_EXPRESSION && reader_same(r, l->item[k].a.first, name)) return k;
  return -1;
}

void align_read_with(struct reader *r, struct directive *d)
{
  if (!reader_accept_word(r, "with"))
    reader_error(r, r->at, "align has no with before %s; write with t[i]", reader_quote(r, r->at));
  d->right = reference_read(r, "the name of a template after with", 0, NULL);
  need_brackets(r, "subscripts of the template", "with t[i]");
  d->right.list = list_read(r, &list_of_places);
  for (int k = 0; k < d->right.list.count; k++) item_split(&d->right.list.item[k]);
}

static void source_check(struct reader *r, const struct list *source)
{
  for (int k = 0; k < source->count; k++) {
    const struct item *const i = &source->item[k];
    if (i->kind == ITEM_EXPRESSION && !r->failed && list_find(r, source, i->a.first) != k)
      reader_error(r, i->at, "%s is the subscript of two dimensions; each has a name of its own",
          reader_quote(r, i->at));
  }
}

/* A subscript of the template: its name is one of the array's, and no offset has any of these. */
static void place_check(struct reader *r, const struct list *source, const struct list *places, int k)
{
  const struct item *const i = &places->item[k];
  if (i->kind != ITEM_EXPRESSION) return;
  if (expression_is_empty(&i->b)) {
    reader_error(r, i->at, "%s is not a name + or - an offset; write i, i + n, i - n, * or :",
        reader_quote_range(r, i->a.first, i->a.last));
    return;
  }
  if (list_find(r, source, i->b.first) < 0)
    reader_error(r, i->at,
        "%s is no subscript of the array; write one of its names, * or :", reader_quote(r, i->b.first));
  for (int other = 0; other < source->count; other++) {
    const struct item *const s = &source->item[other];
    if (s->kind == ITEM_EXPRESSION && expression_mentions(&i->c, s->a.first, r->fortran))
      reader_error(r, i->c.first,
          "an offset has %s, which is a subscript; it must be the same for all elements",
          reader_quote(r, s->a.first));
  }
  for (int before = 0; before < k; before++) {
    const struct item *const p = &places->item[before];
    if (p->kind == ITEM_EXPRESSION && reader_same(r, p->b.first, i->b.first))
      reader_error(r, i->at,
          "%s is in two subscripts of the template; one dimension of an array lies along one of it",
          reader_quote(r, i->b.first));
  }
}

static int list_colons(const struct list *l)
{
  int n = 0;
  for (int k = 0; k < l->count; k++) n += l->item[k].kind == ITEM_COLON;
  return n;
}

/* Each name of the array is in a subscript of the template. */
static void dummy_check(struct reader *r, const struct item *i, const struct list *places)
{
  if (i->kind != ITEM_EXPRESSION) return;
  for (int k = 0; k < places->count; k++)
    if (places->item[k].kind == ITEM_EXPRESSION && reader_same(r, places->item[k].b.first, i->a.first))
      return;
  reader_error(
      r, i->at, "%s is in no subscript of the template; write it there, or * here", reader_quote(r, i->at));
}

static void alignment_check(struct reader *r, const struct reference *a, const struct list *places)
{
  const struct list *const source = &a->list;
  reference_check_array(r, a);
  source_check(r, source);
  for (int k = 0; k < places->count && !r->failed; k++) place_check(r, source, places, k);
  for (int k = 0; k < source->count && !r->failed; k++) dummy_check(r, &source->item[k], places);
  if (list_colons(source) != list_colons(places))
    reader_error(r, source->at,
        "the number of subscripts : is %d in the array and %d in the template; they must be equal",
        list_colons(source), list_colons(places));
}

void align_check(struct reader *r, const struct directive *d)
{
  for (int k = 0; k < d->objects && !r->failed; k++) alignment_check(r, &d->object[k], &d->right.list);
}

static void read_one_alignment(struct reader *r, struct directive *d)
{
  struct reference a = reference_read(r, "the name of an array", MEMBER_OF_TAG, NULL);
  need_brackets(r, "subscripts", "align a[i] with t[i]");
  align_read_source(r, &a.list);
  reader_add_object(r, d, &a);
}

void align_read(struct reader *r, struct directive *d)
{
  do read_one_alignment(r, d);
  while (reader_accept(r, ","));
  align_read_with(r, d);
  align_check(r, d);
}

/* ---- shadow ---- */

static const struct list_rule list_of_shadows = {.what = "the width of a shadow",
    .right = "a width, lower:upper or *",
    .items = ITEMS_EXPRESSION | ITEMS_PAIR | ITEMS_STAR,
    .bounded = 1,
    .least = 0};

void shadow_read_widths(struct reader *r, struct list *widths) { *widths = list_read(r, &list_of_shadows); }

static void read_one_shadow(struct reader *r, struct directive *d)
{
  struct reference a = reference_read(r, "the name of an array", MEMBER_OF_TAG, NULL);
  need_brackets(r, "widths", "shadow a[1]");
  shadow_read_widths(r, &a.list);
  reference_check_array(r, &a);
  reader_add_object(r, d, &a);
}

void shadow_read(struct reader *r, struct directive *d)
{
  do read_one_shadow(r, d);
  while (reader_accept(r, ","));
}

/* ---- coarray ---- */

static const struct list_rule list_of_codimensions = {.what = "a codimension",
    .right = "an integer expression, and * for the last one",
    .items = ITEMS_EXPRESSION | ITEMS_STAR,
    .bounded = 1,
    .least = 1};

static struct list codimensions_read(struct reader *r)
{
  if (!token_is(r->at, "["))
    reader_error(r, r->at, "codimensions are missing before %s; write [*]", reader_quote(r, r->at));
  struct list l = list_read(r, &list_of_codimensions);
  for (int k = 0; k < l.count; k++)
    if ((l.item[k].kind == ITEM_STAR) != (k == l.count - 1))
      reader_error(r, l.item[k].at, "%s is in the place of %s codimension; the last one is *, and no other",
          reader_quote_range(r, l.item[k].at, l.item[k].at + 1), k == l.count - 1 ? "the last" : "another");
  return l;
}

/* name,.. : [*]: codimensions are of all names that stand before them and have none yet. */
static void coarray_read_plain(struct reader *r, struct directive *d)
{
  int given = 0;
  do {
    const struct reference v = reference_read(r, "the name of a coarray", 0, NULL);
    reader_add_object(r, d, &v);
    if (!reader_accept(r, ":")) continue;
    d->formats = codimensions_read(r);
    while (given < d->objects) d->object[given++].list = d->formats;
  } while (reader_accept(r, ","));
  if (given < d->objects)
    reader_error(
        r, r->at, "coarray has neither codimensions nor on; write coarray v : [*] or coarray on p :: v");
}

void names_read(struct reader *r, struct directive *d)
{
  if (!reader_is_double_colon(r))
    reader_error(r, r->at, "'::' is missing before %s; write :: and names", reader_quote(r, r->at));
  else r->at += 2;
  do {
    const struct reference v = reference_read(r, "a name", 0, NULL);
    reader_add_object(r, d, &v);
  } while (reader_accept(r, ","));
}

void coarray_read(struct reader *r, struct directive *d)
{
  if (!token_is_word(r->at, "on") || token_is(r->at + 1, ":") || token_is(r->at + 1, ",")) {
    coarray_read_plain(r, d);
    return;
  }
  r->at++;
  d->right = reference_read_on(r, "the name of nodes after on");
  names_read(r, d);
}

/* ---- template_fix ---- */

static const struct list_rule list_of_fixed_bounds = {.what = "an extent of a template",
    .right = "a size, lower:length in square or lower:upper in round brackets",
    .items = ITEMS_EXPRESSION | ITEMS_PAIR,
    .bounded = 1,
    .least = 1};

void template_fix_read(struct reader *r, struct directive *d)
{
  if (reader_is_opening(r)) distribute_read_formats(r, &d->formats);
  for (int k = 0; k < d->formats.count; k++) {
    const struct item *const i = &d->formats.item[k];
    if (i->kind == ITEM_GBLOCK && expression_is_empty(&i->a))
      reader_error(r, i->at, "gblock has no map; template_fix fixes it: write gblock(map)");
  }
  struct reference t = reference_read(r, "the name of a template", 0, &list_of_fixed_bounds);
  reader_add_object(r, d, &t);
  bounds_check(r, &t.list);
  if (!d->formats.count && !t.list.count)
    reader_error(r, r->at, "template_fix has neither distributions nor bounds; write template_fix t[n]");
  if (d->formats.count && t.list.count && d->formats.count != t.list.count)
    reader_error(r, t.list.at, "the number of distributions is %d and that of bounds %d; they must be equal",
        d->formats.count, t.list.count);
}
