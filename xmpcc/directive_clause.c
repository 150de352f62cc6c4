/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Clauses of executable directives. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "xmpcc/directive_reader.h"

/* ---- reductions ---- */

enum { C = 1, FORTRAN = 2 };
enum place { ANYWHERE, EXTREME /* it may have locations outside of loops */, LOOP_ONLY };
static const struct operation {
  const char *word;
  unsigned language;
  enum place place;
} operations[] = {{"+", C | FORTRAN, ANYWHERE}, {"*", C | FORTRAN, ANYWHERE}, {"-", C | FORTRAN, ANYWHERE},
    {"&", C, ANYWHERE}, {"|", C, ANYWHERE}, {"^", C, ANYWHERE}, {"&&", C, ANYWHERE}, {"||", C, ANYWHERE},
    {".and.", FORTRAN, ANYWHERE}, {".or.", FORTRAN, ANYWHERE}, {".eqv.", FORTRAN, ANYWHERE},
    {".neqv.", FORTRAN, ANYWHERE}, {"iand", FORTRAN, ANYWHERE}, {"ior", FORTRAN, ANYWHERE},
    {"ieor", FORTRAN, ANYWHERE}, {"max", C | FORTRAN, EXTREME}, {"min", C | FORTRAN, EXTREME},
    {"firstmax", C | FORTRAN, LOOP_ONLY}, {"firstmin", C | FORTRAN, LOOP_ONLY},
    {"lastmax", C | FORTRAN, LOOP_ONLY}, {"lastmin", C | FORTRAN, LOOP_ONLY}};
enum { OPERATIONS = sizeof operations / sizeof *operations };

/* Of Fortran's with points, which are of no kind of C's tokens, the case does not matter either. */
static int operation_is(const struct token *t, const char *word)
{
  return t->length == strlen(word) && strncasecmp(t->text, word, t->length) == 0;
}

static void operation_unknown(struct reader *r, int in_loop)
{
  char all[160] = "";
  int n = 0;
  for (int k = 0; k < OPERATIONS; k++)
    if (operations[k].language & (r->fortran ? FORTRAN : C) && (in_loop || operations[k].place != LOOP_ONLY))
      n += snprintf(all + n, sizeof all - (size_t)n, " %s", operations[k].word);
  reader_error(r, r->at, "%s is no operation of a reduction; it has%s", reader_quote(r, r->at), all);
}

static const struct operation *operation_read(struct reader *r, int in_loop)
{
  for (int k = 0; k < OPERATIONS; k++) {
    const struct operation *const o = &operations[k];
    if (!(o->language & (r->fortran ? FORTRAN : C)) || !operation_is(r->at, o->word)) continue;
    if (o->place == LOOP_ONLY && !in_loop)
      reader_error(r, r->at, "%s is an operation of a loop's reduction clause; write max or min", o->word);
    else r->at++;
    return o;
  }
  operation_unknown(r, in_loop);
  return &operations[0];
}

/* /name,../ after a variable. */
static void locations_read(
    struct reader *r, struct reduction_variable *v, const struct operation *o, int in_loop)
{
  const struct token *const slash = r->at;
  if (!reader_accept(r, "/")) return;
  do {
    v->location = reader_grow(r, v->location, v->locations, sizeof *v->location);
    v->location[v->locations++] = reader_name(r, "a location");
  } while (reader_accept(r, ","));
  reader_expect(r, "/", "/ after the last location");
  if (o->place == LOOP_ONLY || (o->place == EXTREME && !in_loop)) return;
  reader_error(r, slash, "%s has no locations; %s have them", o->word,
      in_loop ? "firstmax, firstmin, lastmax and lastmin" : "max and min");
}

static struct reduction_variable reduced_read(struct reader *r, const struct operation *o, int in_loop)
{
  const struct reference f = reference_read(r, "a variable of a reduction", MEMBER_OF_ANY, NULL);
  struct reduction_variable v = {.name = f.name, .member = f.member};
  if (reader_is_opening(r))
    reader_error(
        r, r->at, "a variable of a reduction has subscripts; it is reduced as a whole: write its name alone");
  locations_read(r, &v, o, in_loop);
  return v;
}

static void variable_check(struct reader *r, const struct directive *d, const struct reduction_variable *v)
{
  for (int k = 0; k < d->reductions; k++)
    for (int j = 0; j < d->reduction[k].count; j++) {
      const struct reduction_variable *const other = &d->reduction[k].variable[j];
      if (!v->name || v->member || other->member || !reader_same(r, v->name, other->name)) continue;
      reader_error(r, v->name, "%s is reduced twice; name it once", reader_quote(r, v->name));
    }
}

void reduction_read(struct reader *r, struct directive *d)
{
  const int in_loop = d->kind == DIRECTIVE_LOOP;
  reader_expect(r, "(", "reduction(operation : variable,..)");
  if (r->at->kind == TOKEN_NAME && (token_is(r->at + 1, ")") || token_is(r->at + 1, ",")))
    reader_error(r, r->at, "an operation and a colon are missing before %s; write reduction(+ : %.*s)",
        reader_quote(r, r->at), (int)r->at->length, r->at->text);
  const struct token *const at = r->at;
  const struct operation *const o = operation_read(r, in_loop);
  d->reduction = reader_grow(r, d->reduction, d->reductions, sizeof *d->reduction);
  struct reduction *const u = &d->reduction[d->reductions++];
  u->operation = at;
  reader_expect(r, ":", "reduction(operation : variable,..)");
  do {
    const struct reduction_variable v = reduced_read(r, o, in_loop);
    variable_check(r, d, &v);
    u->variable = reader_grow(r, u->variable, u->count, sizeof v);
    u->variable[u->count++] = v;
  } while (reader_accept(r, ","));
  reader_expect(r, ")", "a comma between two variables and ) after the last one");
}

/* ---- widths ---- */

static const struct list_rule list_of_reflected = {.what = "a width",
    .right = "a width or lower:upper, with /periodic/ before it where the shadow wraps",
    .items = ITEMS_EXPRESSION | ITEMS_PAIR,
    .flag = "periodic",
    .bounded = 1,
    .least = 0};
static const struct list_rule list_of_expanded = {.what = "a width",
    .right = "a width or lower:upper, with /unbound/ before it where the loop may leave its range",
    .items = ITEMS_EXPRESSION | ITEMS_PAIR,
    .flag = "unbound"};

static void width_read(struct reader *r, struct directive *d)
{
  reader_expect(r, "(", "width(w,..)");
  d->width = list_read_rest(r, &list_of_reflected);
}

static void form_read(struct reader *r, struct directive *d, enum loop_form form, const char *right)
{
  d->form = form;
  reader_expect(r, "(", right);
  if (form == LOOP_PEEL_AND_WAIT) {
    const struct token *const id = r->at;
    d->async = reader_expression(r);
    if (expression_is_empty(&d->async)) reader_error(r, id, "peel_and_wait has no id; write %s", right);
    reader_expect(r, ",", right);
  }
  d->width = list_read_rest(r, &list_of_expanded);
}

static void expand_read(struct reader *r, struct directive *d)
{
  form_read(r, d, LOOP_EXPAND, "expand(w,..)");
}
static void margin_read(struct reader *r, struct directive *d)
{
  form_read(r, d, LOOP_MARGIN, "margin(w,..)");
}
static void peel_and_wait_read(struct reader *r, struct directive *d)
{
  form_read(r, d, LOOP_PEEL_AND_WAIT, "peel_and_wait(id, w,..)");
}

/* ---- other clauses ---- */

static void on_read(struct reader *r, struct directive *d)
{
  const struct token *const at = r->at;
  d->right = reference_read_on(r, "the name of nodes or of a template after on");
  if (token_is(at, "*") && (d->kind == DIRECTIVE_LOOP || d->kind == DIRECTIVE_ARRAY))
    reader_error(
        r, at, "%s is on *; write %s", r->name, d->kind == DIRECTIVE_LOOP ? "on t[i] or on p[i]" : "on t[:]");
}

static void from_read(struct reader *r, struct directive *d)
{
  if (token_is(r->at, "*")) reader_error(r, r->at, "from * is many nodes; write one, as in from p[0]");
  d->from = reference_read(r, "the name of nodes after from", 0, &list_of_subscripts);
}

static void async_read(struct reader *r, struct directive *d)
{
  reader_expect(r, "(", "async(id)");
  d->async = reader_expression(r);
  if (expression_is_empty(&d->async)) reader_error(r, r->at, "async has no id; write async(id)");
  reader_expect(r, ")", "async(id)");
}

static struct reference status_read(struct reader *r, const char *right)
{
  static const struct list_rule subscripts = {
      .what = "a subscript", .right = "an integer expression", .items = ITEMS_EXPRESSION};
  reader_expect(r, "(", right);
  const struct reference f = reference_read(r, "a variable", MEMBER_OF_ANY, &subscripts);
  reader_expect(r, ")", right);
  return f;
}

static void acquired_read(struct reader *r, struct directive *d)
{
  d->acquired = status_read(r, "acquired_lock(variable)");
}
static void stat_read(struct reader *r, struct directive *d) { d->stat = status_read(r, "stat(variable)"); }

/* ---- all of them ---- */

struct clause {
  const char *word;
  unsigned bit;  /* CLAUSE_* */
  unsigned flag; /* DIRECTIVE_* */
  void (*read)(struct reader *r, struct directive *d);
};
static const struct clause clauses[] = {{"on", CLAUSE_ON, 0, on_read}, {"from", CLAUSE_FROM, 0, from_read},
    {"width", CLAUSE_WIDTH, 0, width_read}, {"orthogonal", CLAUSE_ORTHOGONAL, DIRECTIVE_ORTHOGONAL, NULL},
    {"reduction", CLAUSE_REDUCTION, 0, reduction_read}, {"expand", CLAUSE_EXPAND, 0, expand_read},
    {"margin", CLAUSE_MARGIN, 0, margin_read}, {"peel_and_wait", CLAUSE_PEEL_AND_WAIT, 0, peel_and_wait_read},
    {"nocomm", CLAUSE_NOCOMM, DIRECTIVE_NOCOMM, NULL}, {"in", CLAUSE_IN, DIRECTIVE_IN, NULL},
    {"out", CLAUSE_OUT, DIRECTIVE_OUT, NULL}, {"acquired_lock", CLAUSE_ACQUIRED_LOCK, 0, acquired_read},
    {"stat", CLAUSE_STAT, 0, stat_read}, {"async", CLAUSE_ASYNC, DIRECTIVE_ASYNC, async_read}};
enum { CLAUSES = sizeof clauses / sizeof *clauses };

/* Of these a directive has one. */
static const unsigned exclusive[] = {
    CLAUSE_EXPAND | CLAUSE_MARGIN | CLAUSE_PEEL_AND_WAIT, CLAUSE_IN | CLAUSE_OUT};

/* t[i] without the word before it, where only that may be meant. */
static int on_is_missing(const struct reader *r, const struct directive *d, unsigned allowed)
{
  const int names = r->at->kind == TOKEN_NAME && (token_is(r->at + 1, "[") || token_is(r->at + 1, "("));
  return names && allowed & CLAUSE_ON && !(allowed & CLAUSE_FROM) && !d->right.name;
}

/* The clause that is meant, if less than half of its letters are to be changed. */
static const char *clause_near(const struct reader *r, unsigned allowed)
{
  const char *near = NULL;
  size_t fewest = 3;
  for (int k = 0; k < CLAUSES; k++) {
    const char *const word = clauses[k].word;
    const size_t distance = clauses[k].bit & allowed ? word_distance(r->at, word) : fewest;
    if (distance < fewest && 2 * distance < strlen(word)) fewest = distance, near = word;
  }
  return near;
}

static void clause_unknown(struct reader *r, const struct directive *d, unsigned allowed)
{
  const char *const near = allowed && r->at->kind == TOKEN_NAME ? clause_near(r, allowed) : NULL;
  char all[160] = "";
  int n = 0;
  for (int k = 0; k < CLAUSES; k++)
    if (clauses[k].bit & allowed)
      n += snprintf(all + n, sizeof all - (size_t)n, "%s%s", n ? ", " : "", clauses[k].word);
  if (near)
    reader_error(r, r->at, "unknown clause %s of %s; is %s meant?", reader_quote(r, r->at), r->name, near);
  else if (on_is_missing(r, d, allowed))
    reader_error(r, r->at, "'on' is missing before %s; write %s on %.*s..", reader_quote(r, r->at), r->name,
        (int)r->at->length, r->at->text);
  else if (!allowed)
    reader_error(r, r->at, "%s is not expected; %s ends here", reader_quote(r, r->at), r->name);
  else if (r->at->kind != TOKEN_NAME)
    reader_error(
        r, r->at, "%s is not expected; a clause of %s may follow: %s", reader_quote(r, r->at), r->name, all);
  else reader_error(r, r->at, "unknown clause %s of %s; it has %s", reader_quote(r, r->at), r->name, all);
}

static const struct clause *clause_find(const struct reader *r, unsigned allowed)
{
  for (int k = 0; k < CLAUSES; k++)
    if (clauses[k].bit & allowed && token_is_word(r->at, clauses[k].word)) return &clauses[k];
  return NULL;
}

static void clause_check(struct reader *r, const struct clause *c, unsigned seen)
{
  if (seen & c->bit && c->bit != CLAUSE_REDUCTION)
    reader_error(r, r->at, "%s has two clauses %s; write one", r->name, c->word);
  for (unsigned x = 0; x < sizeof exclusive / sizeof *exclusive; x++)
    for (int k = 0; k < CLAUSES; k++)
      if (c->bit & exclusive[x] && clauses[k].bit & exclusive[x] & seen)
        reader_error(r, r->at, "%s has %s and %s; write one of them", r->name, clauses[k].word, c->word);
}

/* Words of other compilers: for accelerators, and to measure. They change nothing here. */
static int word_is_ignored(struct reader *r)
{
  return reader_accept_word(r, "profile") || reader_accept_word(r, "acc") || reader_accept_word(r, "host");
}

void clauses_read(struct reader *r, struct directive *d, unsigned allowed)
{
  unsigned seen = 0;
  while (r->at->kind != TOKEN_END) {
    const struct clause *const c = clause_find(r, allowed);
    if (!c) {
      if (!word_is_ignored(r)) clause_unknown(r, d, allowed);
      continue;
    }
    clause_check(r, c, seen);
    if (r->failed) return;
    r->at++;
    seen |= c->bit;
    d->flags |= c->flag;
    if (c->read) c->read(r, d);
  }
}
