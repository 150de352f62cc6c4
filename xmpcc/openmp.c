/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* OpenMP's pragmas: names of global arrays in their clauses, and default(none), which wants to know the
 * variables that the translation adds to a region. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "xmpcc/loop.h"

/* ---- clauses ---- */

/* How many loops; 0: it does not collapse; where the number is no literal, as many as there may be. */
static long pragma_collapses(const struct token *t)
{
  const char *const end = t->text + t->length;
  for (const char *s = t->text; s + 8 <= end; s++) {
    if (memcmp(s, "collapse", 8) != 0) continue;
    for (s += 8; s < end && (*s == ' ' || *s == '('); s++) continue;
    return s < end && *s >= '1' && *s <= '9' ? strtol(s, NULL, 10) : LONG_MAX;
  }
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

/* ---- names in clauses ---- */

static int is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

static int is_name_part(char c) { return is_letter(c) || (c >= '0' && c <= '9'); }

/* The next name in the text, as a token at its place; 0: there is none. */
static int name_next(struct token *name, const struct token *pragma, const char *from)
{
  const char *const end = pragma->text + pragma->length, *s = from;
  while (s < end && !is_letter(*s))
    if (!is_name_part(*s)) s++;
    else
      while (s < end && is_name_part(*s)) s++;
  *name = *pragma;
  name->kind = TOKEN_NAME;
  name->text = s;
  name->column = pragma->column + (unsigned)(s - pragma->text);
  for (name->length = 0; s < end && is_name_part(*s); s++) name->length++;
  return name->length > 0;
}

/* The characters around a name that are not white space; 0 at the ends. */
static const char *blank_skip(const char *s, const char *end)
{
  while (s < end && (*s == ' ' || *s == '\t')) s++;
  return s;
}

static char char_before(const struct token *pragma, const char *s)
{
  while (s > pragma->text && (s[-1] == ' ' || s[-1] == '\t')) s--;
  return s > pragma->text ? s[-1] : 0;
}

/* Has the name a coindex, as in v[2]:[1]? */
static int has_coindex(const char *s, const char *end)
{
  int depth = 0;
  for (s = blank_skip(s, end); s < end && (depth || *s == '['); s = blank_skip(s + 1, end))
    depth += (*s == '[') - (*s == ']');
  return s < end && *s == ':' && *blank_skip(s + 1, end) == '[';
}

/* sized: behind sizeof, where a view has another size. */
static void array_check(
    struct unit *u, const struct token *pragma, const struct token *name, const struct symbol *s, int sized)
{
  const struct array *const a = s->of.array;
  const char *const end = pragma->text + pragma->length,
                    *const after = blank_skip(name->text + name->length, end);
  const char before = char_before(pragma, name->text);
  int moved = a->late;
  for (int k = 0; k < a->dims; k++) moved |= a->cyclic[k];
  const int listed = before && strchr("(,:", before) && after < end && strchr("),:", *after);
  if (sized || (!listed && (moved || after == end || *after != '[')))
    message_error(name,
        "'%s' is a global array, whose indices OpenMP does not know; write the value into a variable",
        name_text(name));
  else array_use(u, s, 0);
}

/* The pragma; an array whose memory comes later has a descriptor alone. */
static const char *pragma_text(const struct unit *u, const struct token *pragma)
{
  struct text text = {0};
  struct token name;
  const char *from = pragma->text;
  for (; name_next(&name, pragma, from); from = name.text + name.length) {
    const struct symbol *const s = scope_find(u->scope, &name);
    const struct array *const a = s && s->kind == SYMBOL_ARRAY ? s->of.array : NULL;
    text_add(&text, "%.*s%s", (int)(name.text - from), from,
        a && a->late && !a->pointer ? a->descriptor : name_text(&name));
  }
  text_add(&text, "%.*s", (int)(pragma->text + pragma->length - from), from);
  return text_get(&text);
}

void pragma_names(struct unit *u, const struct token *pragma)
{
  struct token name;
  int sized = 0;
  if (!u->directives || !pragma_is_openmp(pragma)) return;
  for (const char *from = pragma->text; name_next(&name, pragma, from); from = name.text + name.length) {
    const char before = char_before(pragma, name.text);
    const struct symbol *const s = before == '.' || before == '>' ? NULL : scope_find(u->scope, &name);
    if (s && s->kind == SYMBOL_ARRAY && s->of.array->aligned) array_check(u, pragma, &name, s, sized);
    if (s && s->kind == SYMBOL_COARRAY && has_coindex(name.text + name.length, pragma->text + pragma->length))
      message_error(&name, "OpenMP does not know images; write the value of '%s' there into a variable",
          name_text(&name));
    sized = token_is(&name, "sizeof");
  }
  const char *const text = pragma_text(u, pragma);
  if (memcmp(text, pragma->text, pragma->length) != 0) edit_replace(u->edits, pragma, pragma, "%s", text);
}

/* ---- threads ---- */

/* Does one of the words stand in the pragma, before or among its clauses? */
static int pragma_has_word(const struct token *pragma, const char *const words[])
{
  const struct token text = {.kind = TOKEN_OTHER, .text = pragma->text, .length = pragma->length};
  struct token name;
  for (const char *from = text.text; name_next(&name, &text, from); from = name.text + name.length)
    for (int i = 0; words[i]; i++)
      if (token_is(&name, words[i])) return 1;
  return 0;
}

/* Threads may be told apart there. */
static int region_asks(const struct token *first)
{
  const struct token *const last = statement_last(first);
  for (const struct token *t = first; t <= last; t++)
    if (token_is(t, "omp_get_thread_num")) return 1;
  return 0;
}

const struct token *pragma_threads(const struct unit *u, const struct token *pragma)
{
  static const char *const parallel[] = {"parallel", NULL}, *const perhaps[] = {"num_threads", "if", NULL},
                           *const one[] = {"single", "master", "masked", "critical", "task", "taskloop",
                               "sections", "section", "ordered", NULL};
  if (!pragma_is_openmp(pragma)) return u->at_once;
  if (pragma_has_word(pragma, one)) return NULL;
  if (!pragma_has_word(pragma, parallel)) return u->at_once;
  return pragma_has_word(pragma, perhaps) || region_asks(pragma + 1) ? NULL : pragma;
}

/* The clauses of a loop are done outside of the region whose pragma stands directly before the directive. */
void threads_check(const struct unit *u, const struct directive *d, const struct token *t)
{
  const struct token *const region = u->at_once;
  if (!region) return;
  switch (d->kind) {
  case DIRECTIVE_LOOP:
    if (region == t - 1 || (!d->reductions && d->form != LOOP_PEEL_AND_WAIT)) return;
    message_error(d->at,
        "all threads of the parallel region in line %u would do what the loop's clause says; write it beside "
        "omp parallel for, or the clause as a directive in omp single",
        region->line);
    return;
  case DIRECTIVE_BARRIER:
  case DIRECTIVE_REDUCTION:
  case DIRECTIVE_BCAST:
  case DIRECTIVE_GMOVE:
  case DIRECTIVE_REFLECT:
  case DIRECTIVE_REDUCE_SHADOW:
  case DIRECTIVE_WAIT_ASYNC:
  case DIRECTIVE_TEMPLATE_FIX:
  case DIRECTIVE_IMAGE:
  case DIRECTIVE_POST:
  case DIRECTIVE_WAIT:
  case DIRECTIVE_LOCK:
  case DIRECTIVE_UNLOCK:
    message_error(d->at,
        "all threads of the parallel region in line %u would do this; write it in omp single or omp master, "
        "or "
        "outside of the region",
        region->line);
    return;
  default: return;
  }
}

/* ---- default(none) ---- */

struct names {
  const char **name; /* [count] */
  int count;
};

static void names_add(struct names *n, const char *name)
{
  for (int i = 0; i < n->count; i++)
    if (strcmp(n->name[i], name) == 0) return;
  n->name = kept_grow(n->name, (size_t)n->count, sizeof *n->name);
  n->name[n->count++] = name;
}

/* _xmp_l3: a loop or the like outside of the region has a number that was given before it. _xmp_d_a,
 * _xmp_v_a: the program's object, or the nest's view, is declared outside. */
static int is_outside(struct unit *u, const struct token *name, int numbers)
{
  const char *s = name->text + strlen("_xmp_");
  const char *const end = name->text + name->length;
  if (end - s > 2 && s[1] == '_') {
    struct token object = *name;
    object.text = s + 2;
    object.length = (unsigned)(end - object.text);
    const struct symbol *const c = scope_find(u->scope, &object);
    if (*s == 'v') return c && c->kind == SYMBOL_ARRAY && loop_has_view(u, c->of.array);
    return *s == 'd' &&
        (scope_find_mapping(u->scope, &object) ||
            (c && (c->kind == SYMBOL_ARRAY || c->kind == SYMBOL_COARRAY)));
  }
  while (s < end && *s >= 'a' && *s <= 'z') s++;
  return s < end && *s >= '0' && *s <= '9' && strtol(s, NULL, 10) <= numbers;
}

static void names_collect(struct unit *u, const struct token *first, int numbers, struct names *n)
{
  const struct expression region = {first, statement_last(first) + 1};
  const char *const text = translated_text(u, &region);
  const struct token all = {.kind = TOKEN_OTHER, .text = text, .length = (unsigned)strlen(text)};
  struct token name;
  for (const char *from = text; name_next(&name, &all, from); from = name.text + name.length)
    if (name.length > 6 && memcmp(name.text, "_xmp_", 5) == 0 && is_outside(u, &name, numbers))
      names_add(n, name_text(&name));
}

static int has_name(const char *text, const char *name)
{
  const struct token all = {.kind = TOKEN_OTHER, .text = text, .length = (unsigned)strlen(text)};
  struct token t;
  for (const char *from = text; name_next(&t, &all, from); from = t.text + t.length)
    if (token_is(&t, name)) return 1;
  return 0;
}

static void names_share(struct unit *u, const struct token *pragma, const struct names *n)
{
  const char *const text = pragma_text(u, pragma);
  struct text list = {0};
  for (int i = 0; i < n->count; i++)
    if (!has_name(text, n->name[i])) text_add(&list, "%s%s", list.length ? ", " : "", n->name[i]);
  if (list.length) edit_replace(u->edits, pragma, pragma, "%s shared(%s)", text, text_get(&list));
}

void pragma_region(struct unit *u, const struct token *pragma, int numbers)
{
  struct names n = {0};
  if (!u->directives || !pragma_is_openmp(pragma) || !pragma_has_none(pragma)) return;
  names_collect(u, pragma + 1, numbers, &n);
  names_share(u, pragma, &n);
}

void pragma_share(struct unit *u, const struct loop *l, const struct token *pragma)
{
  struct names n = {0};
  if (l->blocks && pragma_is_openmp(pragma) && pragma_collapses(pragma) >= l->blocks)
    message_error(pragma,
        "loops over blocks of a cyclic dimension cannot be collapsed; distribute it by cyclic or block");
  if (!pragma_is_openmp(pragma) || !pragma_has_none(pragma)) return;
  for (int i = 0; i < l->shares; i++) names_add(&n, l->shared[i]);
  for (int i = 0; i < l->lates; i++) names_add(&n, text_of("_xmp_v_%s", name_text(l->late[i]->name)));
  names_collect(u, l->first, l->number - 1, &n);
  names_share(u, pragma, &n);
}
