/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What stands between the word of an executable directive and its clauses. */
#include "xmpcc/directive_reader.h"

/* ---- loop ---- */

static const struct list_rule list_of_variables = {
    .what = "a control variable", .right = "the name of a loop's variable", .items = ITEMS_NAME};

void loop_read(struct reader *r, struct directive *d)
{
  if (!reader_is_opening(r)) return;
  d->variables = list_read(r, &list_of_variables);
  for (int k = 1; k < d->variables.count; k++)
    for (int before = 0; before < k; before++) {
      const struct token *const name = d->variables.item[k].at;
      if (!r->failed && reader_same(r, d->variables.item[before].at, name))
        reader_error(
            r, name, "%s is named twice; each loop has a variable of its own", reader_quote(r, name));
    }
}

static int item_mentions(const struct reader *r, const struct item *i, const struct token *name)
{
  return expression_mentions(&i->a, name, r->fortran) ||
      (i->kind == ITEM_TRIPLET && expression_mentions(&i->b, name, r->fortran)) ||
      expression_mentions(&i->c, name, r->fortran);
}

/* A variable is in one subscript: alone, or with an offset; or it is within a triplet of nodes. */
static void variable_check(struct reader *r, const struct directive *d, const struct token *name)
{
  const struct list *const on = &d->right.list;
  int found = 0;
  for (int k = 0; k < on->count; k++) {
    const struct item *const i = &on->item[k];
    if (!item_mentions(r, i, name)) continue;
    if (found++)
      reader_error(
          r, i->at, "%s is in two subscripts of the on clause; it may be in one", reader_quote(r, name));
    if (i->kind != ITEM_EXPRESSION) continue;
    const int alone = i->b.first < i->b.last && reader_same(r, i->b.first, name);
    if (!alone || expression_mentions(&i->c, name, r->fortran))
      reader_error(r, i->at,
          "%s is a subscript with the control variable %s; write %.*s, %.*s + n or %.*s - n",
          reader_quote_range(r, i->a.first, i->a.last), reader_quote(r, name), (int)name->length, name->text,
          (int)name->length, name->text, (int)name->length, name->text);
  }
  if (!found)
    reader_error(r, name, "%s is in no subscript of the on clause; write it there, or leave it out here",
        reader_quote(r, name));
}

void loop_check(struct reader *r, const struct directive *d)
{
  const struct list *const on = &d->right.list;
  if (!on->count)
    reader_error(r, d->right.name, "loop's on clause has no subscripts; write on t[i] or on p[i]");
  for (int k = 0; k < on->count; k++) item_split(&on->item[k]);
  for (int k = 0; k < d->variables.count && !r->failed; k++) variable_check(r, d, d->variables.item[k].at);
  if (d->form != LOOP_PLAIN && d->width.count != on->count)
    reader_error(r, d->width.at,
        "the number of widths is %d and that of the on clause's subscripts %d; they must be equal",
        d->width.count, on->count);
}

/* ---- lists of names and expressions in round brackets ---- */

static void need_no_subscripts(struct reader *r, const char *what, const char *why)
{
  if (reader_is_opening(r)) reader_error(r, r->at, "%s has subscripts; %s: write its name alone", what, why);
}

void reflect_read(struct reader *r, struct directive *d)
{
  reader_expect(r, "(", "(array,..)");
  do {
    const struct reference a = reference_read(r, "the name of an array", MEMBER_OF_ANY, NULL);
    need_no_subscripts(r, "an array", "the shadow of the whole array is meant");
    reader_add_object(r, d, &a);
  } while (reader_accept(r, ","));
  reader_expect(r, ")", "a comma between two arrays and ) after the last one");
}

void bcast_read(struct reader *r, struct directive *d)
{
  reader_expect(r, "(", "bcast(variable,..)");
  do {
    const struct reference f = reference_read(r, "a variable", MEMBER_OF_ANY, &list_of_subscripts);
    if (f.list.count) reference_check_array(r, &f);
    for (int k = 0; k < f.list.count; k++)
      if (f.list.item[k].kind == ITEM_STAR)
        reader_error(r, f.list.item[k].at, "* is a subscript of a variable; write : for all of a dimension");
    d->variable = reader_grow(r, d->variable, d->variable_count, sizeof *d->variable);
    d->variable[d->variable_count++] = (struct reduction_variable){
        .name = f.name, .member = f.member, .section = f.list};
  } while (reader_accept(r, ","));
  reader_expect(r, ")", "a comma between two variables and ) after the last one");
}

void wait_async_read(struct reader *r, struct directive *d)
{
  reader_expect(r, "(", "wait_async(id,..)");
  do {
    const struct expression id = reader_expression(r);
    if (expression_is_empty(&id))
      reader_error(r, r->at, "an id is missing before %s; write wait_async(id,..)", reader_quote(r, r->at));
    d->ids = reader_grow(r, d->ids, d->id_count, sizeof id);
    d->ids[d->id_count++] = id;
  } while (reader_accept(r, ","));
  reader_expect(r, ")", "a comma between two ids and ) after the last one");
}

/* ---- post and wait ---- */

static void partner_read(struct reader *r, struct directive *d)
{
  if (token_is(r->at, "*")) reader_error(r, r->at, "* is many nodes; write one, as in p[0]");
  d->right = reference_read(r, "a node", 0, &list_of_subscripts);
  reader_add_object(r, d, &d->right);
}

static void tag_read(struct reader *r, struct directive *d)
{
  d->async = reader_expression(r);
  if (expression_is_empty(&d->async)) reader_error(r, r->at, "%s has no tag after the comma", r->name);
}

void post_read(struct reader *r, struct directive *d)
{
  reader_expect(r, "(", "post(node, tag)");
  partner_read(r, d);
  reader_expect(r, ",", "post(node, tag)");
  tag_read(r, d);
  reader_expect(r, ")", "post(node, tag)");
}

void wait_read(struct reader *r, struct directive *d)
{
  if (!reader_accept(r, "(")) return;
  partner_read(r, d);
  if (reader_accept(r, ",")) tag_read(r, d);
  reader_expect(r, ")", "wait, wait(node) or wait(node, tag)");
}

/* ---- lock, unlock, image, end ---- */

static const struct list_rule list_of_places = {
    .what = "a subscript of a lock", .right = "an integer expression", .items = ITEMS_EXPRESSION};
static const struct list_rule list_of_images = {
    .what = "an image", .right = "an integer expression", .items = ITEMS_EXPRESSION};

void lock_read(struct reader *r, struct directive *d)
{
  reader_expect(r, "(", "(lock) or (lock:[image])");
  const struct reference lock = reference_read(r, "the name of a lock", MEMBER_OF_TAG, &list_of_places);
  if (lock.list.count) reference_check_array(r, &lock);
  reader_add_object(r, d, &lock);
  if (reader_accept(r, ":")) {
    if (!token_is(r->at, "["))
      reader_error(r, r->at, "an image is missing before %s; write [image]", reader_quote(r, r->at));
    else d->coindex = list_read(r, &list_of_images);
    if (d->coindex.count == 1) d->image = d->coindex.item[0].a;
  }
  reader_expect(r, ")", "(lock) or (lock:[image])");
}

void image_read(struct reader *r, struct directive *d)
{
  reader_expect(r, "(", "image(p)");
  d->right = reference_read(r, "the name of nodes", 0, NULL);
  need_no_subscripts(r, "image's argument", "its images are those of all its nodes");
  reader_add_object(r, d, &d->right);
  reader_expect(r, ")", "image(p)");
}

void end_read(struct reader *r, struct directive *d)
{
  (void)d;
  if (reader_accept_word(r, "task") || reader_accept_word(r, "tasks")) return;
  if (r->at->kind == TOKEN_END) reader_error(r, r->at, "nothing follows end; write end task or end tasks");
  else
    reader_error(
        r, r->at, "end %.*s is no directive; write end task or end tasks", (int)r->at->length, r->at->text);
}
