/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Elements of global arrays that are written without a[i]: *(a + i), i[a], (*(m + i))[3], (a + i)->x. Their
 * indices are global, as the subscripts of a[i] are, so they become such elements. Other arithmetic on an
 * array's name is that of a pointer to the node's part. */
#include <string.h>

#include "xmpcc/side.h"

enum { PIECES = 4, DEPTH_MOST = 8 };

/* A sum: what is added or subtracted. */
struct piece {
  struct expression e;
  enum { PLUS, PLUS_WHOLE, MINUS } sign; /* whole: it is computed before it is added */
};
struct index {
  struct piece piece[PIECES];
  int pieces;
};
struct element {
  struct side name;
  struct index index[DIMENSIONS];
  int count;
};

/* Reads a range of the text. Has read fewer indices than the array has dimensions, or all. */
struct reading {
  const struct unit *u;
  struct element *e;
  int depth;
};

static int piece_add(struct reading *r, const struct expression *e, int sign)
{
  struct index *const i = &r->e->index[r->e->count - 1];
  if (expression_is_empty(e)) return 1;
  if (i->pieces == PIECES || section_colon(e->first, e->last)) return 0;
  i->piece[i->pieces++] = (struct piece){*e, sign};
  return 1;
}

static int index_begin(struct reading *r)
{
  if (r->e->count == DIMENSIONS || r->e->count == r->e->name.array->dims) return 0;
  r->e->index[r->e->count++].pieces = 0;
  return 1;
}

/* ---- sums ---- */

/* The next + or - of two operands, or the range's end. */
static const struct token *term_end(
    const struct unit *u, const struct token *t, const struct token *first, const struct token *last)
{
  while (t < last) {
    if ((token_is(t, "+") || token_is(t, "-")) && t > first && !begins_operand(u, t)) return t;
    t = token_is(t, "(") || token_is(t, "[") || token_is(t, "{") ? token_skip(t) : t + 1;
  }
  return last;
}

static int element_read(struct reading *r, const struct token *first, const struct token *last);
static int sum_read(struct reading *r, const struct token *first, const struct token *last);

static int is_bracketed(const struct token *first, const struct token *last)
{
  return first < last && token_is(first, "(") && token_skip(first) == last;
}

/* An array, or a sum with one: an index of it is read now. */
static int term_read(struct reading *r, const struct token *first, const struct token *last)
{
  if (element_read(r, first, last)) return index_begin(r);
  return is_bracketed(first, last) && sum_read(r, first + 1, last - 1);
}

/* array + index, in any order, with more of them. */
static int sum_read(struct reading *r, const struct token *first, const struct token *last)
{
  while (is_bracketed(first, last)) first++, last--;
  for (const struct token *t = first; t < last;) {
    const struct token *const end = term_end(r->u, t, first, last);
    const int alone = t == first && end == last;
    if (!alone && !(t > first && token_is(t - 1, "-")) && term_read(r, t, end)) {
      const struct expression before = {first, t > first ? t - 1 : first},
                              after = {end < last ? end + 1 : last, last};
      return piece_add(r, &before, PLUS_WHOLE) &&
          piece_add(r, &after, end < last && token_is(end, "-") ? MINUS : PLUS);
    }
    t = end < last ? end + 1 : last;
  }
  return 0;
}

/* ---- elements ---- */

static int name_read(struct reading *r, const struct token *first, const struct token *last)
{
  r->e->count = 0;
  return side_read_at(r->u, first, last, &r->e->name) == 0 && r->e->name.array && r->e->name.array->aligned &&
      r->e->name.subscripts <= last;
}

/* [i] behind an array, or behind a sum, to which it is added. */
static int subscripts_read(struct reading *r, const struct token *t, const struct token *last, int sum)
{
  for (; t < last && token_is(t, "["); sum = 0, t = token_skip(t)) {
    const struct expression e = {t + 1, token_skip(t) - 1};
    if (expression_is_empty(&e) || (!sum && !index_begin(r)) || !piece_add(r, &e, PLUS_WHOLE)) return 0;
  }
  return t == last && !sum;
}

/* (v).m, where end is behind the bracket. */
static int member_read(struct reading *r, const struct token *first, const struct token *end)
{
  const int is_member = (token_is(end, ".") || token_is(end, "->")) && end[1].kind == TOKEN_NAME;
  const struct array *const a = is_member ? member_bracketed(r->u, first, end + 1) : NULL;
  if (!a || !a->aligned) return 0;
  r->e->name = (struct side){.first = first, .subscripts = end + 2, .array = a};
  r->e->count = 0;
  return 1;
}

static int primary_read(struct reading *r, const struct token *first, const struct token *last)
{
  if (!token_is(first, "("))
    return name_read(r, first, last) && subscripts_read(r, r->e->name.subscripts, last, 0);
  const struct token *const end = token_skip(first);
  if (end > last) return 0;
  if (end + 2 <= last && member_read(r, first, end)) return subscripts_read(r, end + 2, last, 0);
  if (element_read(r, first + 1, end - 1)) return subscripts_read(r, end, last, 0);
  return end < last && sum_read(r, first + 1, end - 1) && subscripts_read(r, end, last, 1);
}

/* Is the range as a whole an element, or a part, of a global array? */
static int element_read(struct reading *r, const struct token *first, const struct token *last)
{
  if (first >= last || r->depth == DEPTH_MOST) return 0;
  r->depth++;
  const int is = token_is(first, "*") ? sum_read(r, first + 1, last) : primary_read(r, first, last);
  r->depth--;
  return is;
}

/* ---- what it becomes ---- */

static const char *index_text(struct unit *u, const struct array *a, int k, const struct index *i)
{
  struct text sum = {0};
  for (int n = 0; n < i->pieces; n++) walk_expression(u, i->piece[n].e.first, i->piece[n].e.last);
  static const char *const signs[] = {" + ", " + (", " - "};
  const int single = i->pieces == 1 && i->piece[0].sign != MINUS;
  if (single) return array_index(u, a, k, &i->piece[0].e, translated_text(u, &i->piece[0].e));
  text_add(&sum, "(long long)0");
  for (int n = 0; n < i->pieces; n++)
    text_add(&sum, "%s%s%s", signs[i->piece[n].sign], translated_text(u, &i->piece[n].e),
        i->piece[n].sign == PLUS_WHOLE ? ")" : "");
  return array_index(u, a, k, NULL, text_get(&sum));
}

static const char *element_text(struct unit *u, const struct element *e)
{
  const char *index[DIMENSIONS];
  for (int k = 0; k < e->count; k++) index[k] = index_text(u, e->name.array, k, &e->index[k]);
  return array_element(u, &e->name, index, e->count);
}

static int is_postfix(const struct token *t)
{
  return token_is(t, ".") || token_is(t, "->") || token_is(t, "(") || token_is(t, "++") || token_is(t, "--");
}

/* *(a + i) */
static const struct token *star_reference(struct unit *u, struct reading *r, const struct token *t)
{
  const struct token *end = t;
  while (token_is(end, "*")) end++;
  if (!token_is(end, "(")) return NULL;
  do end = token_skip(end);
  while (token_is(end, "["));
  if (is_postfix(end) || !element_read(r, t, end)) return NULL;
  edit_replace(u->edits, t, end - 1, "(%s)", element_text(u, r->e));
  return end;
}

/* (a)[i], ((a))[i]: the name's own reference. */
static int is_name_alone(const struct token *t)
{
  while (token_is(t, "(")) t++;
  return t->kind == TOKEN_NAME && token_is(t + 1, ")");
}

/* Behind the brackets: as many of the subscripts as belong to the array. */
static const struct token *subscripts_reference(
    struct unit *u, struct reading *r, const struct token *t, const struct token *behind)
{
  const struct token *end[DIMENSIONS];
  int n = 0;
  for (const struct token *b = behind; n < DIMENSIONS && token_is(b, "["); n++) end[n] = b = token_skip(b);
  while (n-- > 0) {
    if (!element_read(r, t, end[n])) continue;
    edit_replace(u->edits, t, end[n] - 1, "(%s)", element_text(u, r->e));
    return end[n];
  }
  return NULL;
}

/* (v).m[i], (a + i)->x, (*(m + i))[3] */
static const struct token *group_reference(struct unit *u, struct reading *r, const struct token *t)
{
  const struct token *const behind = token_skip(t);
  const int subscripted = token_is(behind, "[");
  if ((!subscripted && !token_is(behind, ".") && !token_is(behind, "->")) || !begins_operand(u, t))
    return NULL;
  if (!subscripted && member_read(r, t, behind)) {
    if (token_is(behind + 2, "[")) return subscripts_reference(u, r, t, behind + 2);
    edit_replace(u->edits, t, behind + 1, "%s", array_bare(r->e->name.array));
    return behind + 2;
  }
  if (subscripted) return is_name_alone(t) ? NULL : subscripts_reference(u, r, t, behind);
  if (!token_is(behind, "->") || !sum_read(r, t + 1, behind - 1)) return NULL;
  edit_replace(u->edits, t, behind, "(%s).", element_text(u, r->e));
  return behind + 1;
}

/* Most brackets have nothing to do with arrays. */
static int has_array(const struct unit *u, const struct token *t)
{
  while (token_is(t, "*")) t++;
  const struct token *const end = token_is(t, "(") ? token_skip(t) : t;
  for (; t < end; t++) {
    const struct symbol *const s = t->kind == TOKEN_NAME ? scope_find(u->scope, t) : NULL;
    if (s && (s->kind == SYMBOL_ARRAY || u->members)) return 1;
  }
  return 0;
}

const struct token *indirect_reference(struct unit *u, const struct token *t)
{
  struct element e = {.count = 0};
  struct reading r = {u, &e, 0};
  if (!u->directives || u->unevaluated || !has_array(u, t)) return NULL;
  return token_is(t, "*") ? star_reference(u, &r, t) : group_reference(u, &r, t);
}

/* ---- i[a] ---- */

/* What stands before the [, if it is a single thing. */
static const struct token *index_first(const struct unit *u, const struct token *open)
{
  const struct token *const last = open - 1;
  if (token_is(last, ")")) {
    const struct token *const first = bracket_opening(u, last);
    return first && begins_operand(u, first) ? first : NULL;
  }
  if (last->kind == TOKEN_NUMBER || last->kind == TOKEN_CHARACTER) return last;
  return last->kind == TOKEN_NAME && !token_is(last - 1, ".") && !token_is(last - 1, "->") ? last : NULL;
}

int indirect_index(struct unit *u, const struct side *s)
{
  const struct token *open = s->first - 1, *close = s->last;
  while (token_is(open, "(") && token_is(close, ")")) open--, close++;
  if (!token_is(open, "[") || !token_is(close, "]") || !array_is_moved(s->array, s->count)) return 0;
  const struct token *const first = index_first(u, open);
  if (s->count || s->array->dims > 1 || !first) {
    message_error(s->first,
        "a global array stands in the place of an index; write its name first, as in %s[i]",
        name_text(s->array->name));
    return 1;
  }
  const struct expression e = {first, open};
  const char *const index = array_index(u, s->array, 0, &e, translated_text(u, &e));
  const char *const element = array_element(u, s, &index, 1);
  edit_replace(u->edits, first, close, "(%s)", element);
  return 1;
}
