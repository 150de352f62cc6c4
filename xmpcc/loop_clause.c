/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Reductions of a loop directive. */
#include <string.h>

#include "xmpcc/loop.h"

/* ---- reductions ---- */

/* Sums, products and ^ begin with a neutral value. Where it does not matter how often a value takes part, the
 * variable begins as it is: so a loop that compares with it, as a search does, sees what the serial one sees.
 */
static int keeps_old(const char *op)
{
  return strcmp(op, "PST_XMP_SUM") != 0 && strcmp(op, "PST_XMP_PRODUCT") != 0 &&
      strcmp(op, "PST_XMP_BITXOR") != 0;
}

static const char *neutral_text(const char *op, const char *old)
{
  if (keeps_old(op)) return text_of("*%s", old);
  return strcmp(op, "PST_XMP_PRODUCT") == 0 ? "1" : "0";
}

static int reduction_add(struct loop *l, const struct token *name)
{
  l->reduced = kept_grow(l->reduced, (size_t)l->reductions, sizeof *l->reduced);
  l->reduced[l->reductions] = name;
  return l->reductions++;
}

static void note_add(const struct unit *u, struct loop *l, const struct reduction_variable *v,
    struct note note, const char *op)
{
  const int last = strcmp(op, "PST_XMP_LASTMAX") == 0 || strcmp(op, "PST_XMP_LASTMIN") == 0;
  if (!last) note.set = NULL;
  note.variables = 1 + v->locations;
  note.variable = kept_take((size_t)note.variables * sizeof(struct symbol *));
  note.variable[0] = scope_find(u->scope, v->name);
  for (int i = 0; i < v->locations; i++) note.variable[i + 1] = scope_find(u->scope, v->location[i]);
  l->note = kept_grow(l->note, (size_t)l->notes, sizeof *l->note);
  l->note[l->notes++] = note;
}

int loop_note_assignment(struct unit *u, const struct token *t, const struct symbol *s)
{
  if (!token_is(t + 1, "=")) return 0;
  for (const struct loop *l = u->loop; l; l = l->outer)
    for (int i = 0; i < l->notes; i++)
      for (int k = 0; l->note[i].set && k < l->note[i].variables; k++) {
        if (l->note[i].variable[k] != s) continue;
        edit_replace(u->edits, t, t, "*(pst_xmp_set(&%s), &%s)", l->note[i].set, name_text(t));
        return 1;
      }
  return 0;
}

/* A variable of its own within the nest, which nothing else points to, so that it stays in a register; but
 * where the nest reaches the variable otherwise than by its name, that one has the partial value. */
static void scalar_begin(
    const char *name, const char *suffix, const char *op, int reached, struct text *before)
{
  const char *const old = text_of("_xmp_r%s", suffix), *const neutral = neutral_text(op, old);
  if (reached)
    text_add(before, " __typeof__(%s) _xmp_c%s = %s, *const %s = &_xmp_c%s; { %s = %s;", name, suffix, name,
        old, suffix, name, neutral);
  else
    text_add(before, " __typeof__(%s) *const %s = &%s; { __typeof__(*%s) %s = %s;", name, old, name, old,
        name, neutral);
}

static void scalar_reduce(const struct unit *u, struct loop *l, const struct directive *d, const char *op,
    const struct reduction_variable *v, const struct declarator *declarator, struct text *before,
    struct text *after)
{
  const int reached = loop_reaches(u, l, v->name);
  const char *const name = name_text(v->name);
  const char *const suffix = text_of("%d_%d", l->number, reduction_add(l, reached ? NULL : v->name));
  const char *const old = text_of("_xmp_r%s", suffix);
  scalar_begin(name, suffix, op, reached, before);
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
      " pst_xmp_loop_reduce(&_xmp_l%d, %s, %s, __extension__ &(const struct pst_xmp_variable){&_xmp_u%s, 1, "
      "sizeof "
      "_xmp_u%s, "
      "%s, \"%s\"}, %s, %d, ",
      l->number, where_of(d->at), op, suffix, suffix, type_text(u, declarator, text_of("_xmp_u%s", suffix)),
      name, old, v->locations);
  const char *const end = reached ? text_of(" } %s = _xmp_c%s; }", name, suffix) : " } }";
  if (v->locations) {
    text_add(before,
        " __typeof__(%s) _xmp_x%s = %s; struct pst_xmp_when _xmp_w%s; __builtin_memset(&_xmp_w%s, -1, sizeof "
        "_xmp_w%s); int _xmp_set%s = 0;",
        name, suffix, name, suffix, suffix, suffix, suffix);
    text_add(after, "__extension__ (const struct pst_xmp_location[]){%s}, &_xmp_w%s);%s",
        text_get(&locations), suffix, end);
    note_add(u, l, v,
        (struct note){
            .changed = text_of("_xmp_set%s || %s != _xmp_x%s%s", suffix, name, suffix, text_get(&changed)),
            .keep = text_of("_xmp_set%s = 0, _xmp_x%s = %s%s", suffix, suffix, name, text_get(&keep)),
            .when = text_of("_xmp_w%s", suffix),
            .set = text_of("_xmp_set%s", suffix)},
        op);
  } else text_add(after, "0, 0);%s", end);
}

static void array_reduce(const struct unit *u, struct loop *l, const struct directive *d, const char *op,
    const struct reduction_variable *v, const struct declarator *declarator, const char *element,
    struct text *before, struct text *after)
{
  const char *const name = variable_text(v), *const size = variable_size(u, v),
                    *const suffix = text_of("%d_%d", l->number, reduction_add(l, NULL));
  if (v->locations)
    message_error(v->location[0], "'%s' is no scalar variable, which alone has locations", name);
  const char *const variable = text_of(
      "__extension__ &(const struct pst_xmp_variable){&%s, %s / sizeof %s, sizeof %s, %s, \"%s\"}", element,
      size, element, element, type_text(u, declarator, element), name);
  text_add(before,
      " void *_xmp_r%s __attribute__((cleanup(pst_xmp_buffer_free))) = pst_xmp_buffer(%s, %s); "
      "__builtin_memcpy(_xmp_r%s, &%s, %s);%s",
      suffix, where_of(d->at), size, suffix, element, size,
      keeps_old(op) ? "" : text_of(" pst_xmp_neutral(%s, %s, %s);", where_of(d->at), op, variable));
  text_add(after,
      " pst_xmp_loop_reduce(&_xmp_l%d, %s, %s, %s, _xmp_r%s, 0, 0, 0); __builtin_memcpy(&%s, _xmp_r%s, %s);",
      l->number, where_of(d->at), op, variable, suffix, element, suffix, size);
}

/* Without locations it does not matter which iteration had the value. */
static const char *value_operation(const char *op)
{
  if (strcmp(op, "PST_XMP_FIRSTMAX") == 0 || strcmp(op, "PST_XMP_LASTMAX") == 0) return "PST_XMP_MAX";
  if (strcmp(op, "PST_XMP_FIRSTMIN") == 0 || strcmp(op, "PST_XMP_LASTMIN") == 0) return "PST_XMP_MIN";
  return op;
}

/* The variables' own blocks nest, so the last one ends first. */
void reductions_translate(
    struct unit *u, struct loop *l, const struct directive *d, struct text *before, const char **after)
{
  for (int i = 0; i < d->reductions; i++) {
    const char *const written = operation_name(d->reduction[i].operation, 1);
    for (int k = 0; written && k < d->reduction[i].count; k++) {
      const struct reduction_variable *const v = &d->reduction[i].variable[k];
      const char *const op = v->locations ? written : value_operation(written);
      struct text end = {0};
      const char *const element = variable_element(u, v);
      if (!element || !operation_fits(u, d->reduction[i].operation, op, v)) continue;
      const struct declarator *const declarator = variable_declarator(u, v);
      if (v->member || (declarator && declarator->dims > 0))
        array_reduce(u, l, d, op, v, declarator, element, before, &end);
      else scalar_reduce(u, l, d, op, v, declarator, before, &end);
      *after = text_of("%s%s", text_get(&end), *after);
    }
  }
}
