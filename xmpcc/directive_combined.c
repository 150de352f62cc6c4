/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Declarations in one directive: attribute, attribute,.. :: name,.. It becomes a directive for each
 * attribute, in an order in which they may stand by themselves. */
#include "xmpcc/directive_reader.h"

enum { ATTRIBUTES = DIRECTIVE_SHADOW + 1 };
struct combined {
  struct directive attribute[ATTRIBUTES];
  unsigned seen;                 /* 1 << kind */
  struct list shape[ATTRIBUTES]; /* what an attribute says in brackets */
  const struct token *dimension; /* the brackets of dimension(..), or NULL */
};

static const char *const words[ATTRIBUTES] = {"nodes", "template", "distribute", "align", "shadow"};

static int attribute_find(const struct token *t)
{
  for (int k = 0; k < ATTRIBUTES; k++)
    if (token_is_word(t, words[k])) return k;
  return -1;
}

int combined_is(const struct token *t)
{
  size_t depth = 0;
  if (attribute_find(t) < 0 && !token_is_word(t, "dimension")) return 0;
  for (; t->kind != TOKEN_END; t++) {
    if (token_is(t, "[") || token_is(t, "(")) depth++;
    if (depth && (token_is(t, "]") || token_is(t, ")"))) depth--;
    if (!depth && token_is(t, ":") && token_is(t + 1, ":")) return 1;
  }
  return 0;
}

/* ---- attributes ---- */

static void nodes_attribute(struct reader *r, struct combined *c)
{
  if (reader_is_opening(r)) nodes_read_sizes(r, &c->shape[DIRECTIVE_NODES]);
  nodes_read_parent(r, &c->attribute[DIRECTIVE_NODES]);
}

static void template_attribute(struct reader *r, struct combined *c)
{
  if (reader_is_opening(r)) template_read_bounds(r, &c->shape[DIRECTIVE_TEMPLATE]);
}

static void distribute_attribute(struct reader *r, struct combined *c)
{
  distribute_read_formats(r, &c->shape[DIRECTIVE_DISTRIBUTE]);
  distribute_read_onto(r, &c->attribute[DIRECTIVE_DISTRIBUTE]);
}

static void align_attribute(struct reader *r, struct combined *c)
{
  align_read_source(r, &c->shape[DIRECTIVE_ALIGN]);
  align_read_with(r, &c->attribute[DIRECTIVE_ALIGN]);
}

static void shadow_attribute(struct reader *r, struct combined *c)
{
  shadow_read_widths(r, &c->shape[DIRECTIVE_SHADOW]);
}

static void attribute_read(struct reader *r, struct combined *c)
{
  static void (*const read[])(struct reader *, struct combined *) = {
      nodes_attribute, template_attribute, distribute_attribute, align_attribute, shadow_attribute};
  const struct token *const word = r->at;
  const int kind = attribute_find(word);
  if (kind < 0) {
    reader_error(r, word, "%s is no attribute; write nodes, template, distribute, align, shadow or dimension",
        reader_quote(r, word));
    return;
  }
  r->name = words[kind];
  if (c->seen & 1u << kind)
    reader_error(r, word, "the attribute %s stands twice; write it once", words[kind]);
  c->seen |= 1u << kind;
  reader_accept_word(r, words[kind]);
  read[kind](r, c);
}

/* dimension(..) is the shape of nodes or of a template. Which of both is known after the last attribute, so
 * its brackets are only stepped over here. */
static void dimension_read(struct reader *r, struct combined *c)
{
  static const struct list_rule any = {.what = "an extent",
      .right = "sizes as nodes or a template have them",
      .items = ITEMS_EXPRESSION | ITEMS_PAIR | ITEMS_COLON | ITEMS_STAR};
  if (c->dimension) reader_error(r, r->at, "the attribute dimension stands twice; write it once");
  c->dimension = r->at;
  list_read(r, &any);
}

static void shape_from_dimension(struct reader *r, struct combined *c)
{
  const struct token *const here = r->at;
  if (!c->dimension || r->failed) return;
  const int kind = c->seen & 1u << DIRECTIVE_NODES ? DIRECTIVE_NODES : DIRECTIVE_TEMPLATE;
  if (!(c->seen & 1u << kind))
    reader_error(r, c->dimension,
        "dimension belongs to nodes or template; the declaration of an array has its extents");
  if (r->failed) return;
  if (c->shape[kind].count)
    reader_error(r, c->dimension, "%s and dimension both have brackets; write them at one", words[kind]);
  if (r->failed) return;
  r->at = c->dimension;
  if (kind == DIRECTIVE_NODES) nodes_read_sizes(r, &c->shape[kind]);
  else template_read_bounds(r, &c->shape[kind]);
  if (!r->failed) r->at = here;
}

/* What cannot be one object. */
static void attributes_check(struct reader *r, const struct combined *c, const struct token *at)
{
  static const struct {
    enum directive_kind one, other;
  } contrary[] = {{DIRECTIVE_NODES, DIRECTIVE_TEMPLATE}, {DIRECTIVE_NODES, DIRECTIVE_DISTRIBUTE},
      {DIRECTIVE_NODES, DIRECTIVE_ALIGN}, {DIRECTIVE_NODES, DIRECTIVE_SHADOW},
      {DIRECTIVE_TEMPLATE, DIRECTIVE_ALIGN}, {DIRECTIVE_TEMPLATE, DIRECTIVE_SHADOW},
      {DIRECTIVE_DISTRIBUTE, DIRECTIVE_ALIGN}, {DIRECTIVE_DISTRIBUTE, DIRECTIVE_SHADOW}};
  for (unsigned k = 0; k < sizeof contrary / sizeof *contrary; k++)
    if (c->seen & 1u << contrary[k].one && c->seen & 1u << contrary[k].other)
      reader_error(r, at, "%s and %s are attributes of different objects; write two directives",
          words[contrary[k].one], words[contrary[k].other]);
}

/* ---- objects ---- */

/* One directive for each attribute but nodes, with all objects. */
static void object_add(struct reader *r, struct combined *c, const struct reference *object)
{
  for (int kind = DIRECTIVE_TEMPLATE; kind < ATTRIBUTES; kind++) {
    if (!(c->seen & 1u << kind)) continue;
    struct reference o = *object;
    if (kind != DIRECTIVE_TEMPLATE || !o.list.count) o.list = c->shape[kind];
    if (kind == DIRECTIVE_TEMPLATE && !o.list.count)
      reader_error(
          r, o.name, "template %s has no bounds; write template[n] before ::", reader_quote(r, o.name));
    if (kind == DIRECTIVE_ALIGN || kind == DIRECTIVE_SHADOW) reference_check_array(r, &o);
    reader_add_object(r, &c->attribute[kind], &o);
  }
}

/* Each nodes have a directive, because each may be part of others. */
static void nodes_add(struct reader *r, const struct combined *c, const struct reference *object)
{
  struct directive d = c->attribute[DIRECTIVE_NODES];
  struct reference o = *object;
  if (!o.list.count) o.list = c->shape[DIRECTIVE_NODES];
  if (!o.list.count)
    reader_error(r, o.name, "nodes %s have no sizes; write nodes[4] before ::", reader_quote(r, o.name));
  if (token_is(r->at, "=")) nodes_read_parent(r, &d);
  reader_add_object(r, &d, &o);
  reader_add(r, &d);
}

static void object_read(struct reader *r, struct combined *c)
{
  const int array = (c->seen & (1u << DIRECTIVE_ALIGN | 1u << DIRECTIVE_SHADOW)) != 0;
  struct reference o = reference_read(r, "a name", array, NULL);
  if (r->failed) return;
  if (reader_is_opening(r)) {
    if (c->seen & 1u << DIRECTIVE_NODES) nodes_read_sizes(r, &o.list);
    else if (c->seen & 1u << DIRECTIVE_TEMPLATE) template_read_bounds(r, &o.list);
    else reader_error(r, r->at, "%s has brackets behind ::; write its name alone", reader_quote(r, o.name));
  }
  if (r->failed) return;
  if (c->seen & 1u << DIRECTIVE_NODES) nodes_add(r, c, &o);
  else object_add(r, c, &o);
}

void combined_read(struct reader *r)
{
  const struct token *const at = r->whole;
  struct combined c = {.seen = 0};
  for (int k = 0; k < ATTRIBUTES; k++)
    c.attribute[k] = (struct directive){.kind = (enum directive_kind)k, .at = at};
  do {
    if (reader_accept_word(r, "dimension")) dimension_read(r, &c);
    else attribute_read(r, &c);
  } while (reader_accept(r, ","));
  if (!reader_is_double_colon(r))
    reader_error(r, r->at, "%s is not expected; write a comma and an attribute, or :: and names",
        reader_quote(r, r->at));
  else r->at += 2;
  attributes_check(r, &c, at->list);
  shape_from_dimension(r, &c);
  do object_read(r, &c);
  while (reader_accept(r, ","));
  if (r->at->kind != TOKEN_END)
    reader_error(
        r, r->at, "%s is not expected; write a comma and another name, or end here", reader_quote(r, r->at));
  if (c.seen & 1u << DIRECTIVE_ALIGN) align_check(r, &c.attribute[DIRECTIVE_ALIGN]);
  for (int k = DIRECTIVE_TEMPLATE; k < ATTRIBUTES; k++)
    if (c.seen & 1u << k) reader_add(r, &c.attribute[k]);
}
