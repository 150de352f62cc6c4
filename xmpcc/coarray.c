/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Coarrays: objects of static storage, and references to those of other images. */
#include <string.h>

#include "xmpcc/side.h"

/* ---- declarations ---- */

struct codimensions {
  const char *list; /* all but the last one */
  int count;
};

static void codimension_add(
    struct codimensions *c, const struct token *at, const char *text, int star, int last)
{
  if (star != last) message_error(at, last ? "the last codimension is *" : "only the last codimension is *");
  else if (!last) c->list = text_of("%s%s%s", c->list, c->count ? ", " : "", text);
  c->count++;
}

static struct codimensions codimensions_read(
    const struct declarator *d, const struct directive *by, const struct reference *object)
{
  struct codimensions c = {"", 0};
  const struct list *const l = by ? object && object->list.count ? &object->list : &by->formats : NULL;
  if (d->codims)
    for (const struct token *t = d->codims + 1; t < d->codims_last; t = token_skip(t)) {
      const struct expression e = {t + 1, token_skip(t) - 1};
      codimension_add(&c, t, expression_text(&e), token_is(t + 1, "*"), token_skip(t) == d->codims_last);
    }
  else
    for (int k = 0; l && k < l->count; k++)
      codimension_add(
          &c, l->item[k].at, expression_text(&l->item[k].a), l->item[k].kind == ITEM_STAR, k + 1 == l->count);
  return c;
}

/* Attributes have two brackets. */
static int is_coindex(const struct token *t)
{
  return token_is(t, ":") && token_is(t + 1, "[") && !token_is(t + 2, "[");
}

void coarray_members_refuse(const struct token *open)
{
  const struct token *const end = token_skip(open);
  for (const struct token *t = open + 1; t < end && t->kind != TOKEN_END; t++)
    if (is_coindex(t)) message_error(t, "a member cannot be a coarray; make one of the whole structure");
}

static const char *element_text(const struct declarator *d)
{
  struct text text = {0};
  text_add(&text, "%s", name_text(d->name));
  for (int k = 0; k < d->dims; k++) text_add(&text, "[0]");
  return text_get(&text);
}

/* Within a block: an object as if static, which the constructor finds in a section of the program. */
static void block_begin(struct unit *u, const struct declarator *d, const struct token *at,
    const struct codimensions *c, const char *nodes)
{
  const char *const name = name_text(d->name), *const element = element_text(d);
  if (strcmp(nodes, "0") != 0)
    message_error(d->name, "'%s' is a coarray of a block; only one of the file can name its nodes", name);
  if (!(d->specifiers.storage & (STORAGE_STATIC | STORAGE_EXTERN)))
    edit_before(u->edits, d->specifiers.first, "static ");
  edit_after(u->edits, d->end,
      " static void *_xmp_d_%s; static const struct pst_xmp_coarray_record _xmp_j_%s "
      "__attribute__((section(\"pst_xmp_coarrays\"), "
      "used, aligned(sizeof(void *)))) = {%s, \"%s\", (void *)&%s, sizeof %s, sizeof %s, %d, {%s}, "
      "&_xmp_d_%s};",
      name, name, where_of(at), name, name, name, element, c->count ? c->count - 1 : 0,
      c->count > 1 ? c->list : "0", name);
  if (!u->coarrays_of_blocks)
    unit_begin_add(u, at, "pst_xmp_coarrays_begin(__start_pst_xmp_coarrays, __stop_pst_xmp_coarrays);");
  u->coarrays_of_blocks = 1;
}

/* One of the file may be declared again, as where a header says extern. */
struct symbol *coarray_of_file(const struct unit *u, const struct token *name)
{
  struct symbol *const s = scope_level(u->scope) == 0 ? scope_find(u->scope, name) : NULL;
  return s && s->kind == SYMBOL_COARRAY ? s : NULL;
}

void coarray_begin(
    struct unit *u, struct symbol *s, const struct directive *by, const struct reference *object)
{
  const struct declarator *const d = s->declarator;
  const struct codimensions c = codimensions_read(d, by, object);
  const struct token *const at = by ? by->at : d->name;
  const char *const name = name_text(d->name);
  const char *nodes = "0";
  members_check_coarray(u, d);
  if (by && by->right.name) {
    if (scope_find_mapping(u->scope, by->right.name)) nodes = descriptor_name(by->right.name);
    else if (!wrong_is(u, by->right.name))
      message_error(by->right.name, "'%s' is not declared as nodes", name_text(by->right.name));
  }
  const int before = s->of.dims;
  s->of.dims = c.count ? c.count : 1;
  if (before && before != s->of.dims)
    message_error(at, "'%s' has been declared with %s", name, text_count(before, "codimension"));
  if (d->codims) edit_replace(u->edits, d->codims, d->codims_last - 1, " ");
  if (d->pointer && (d->dims == 0 || d->inner))
    message_error(
        d->name, "'%s' is a pointer, and cannot be a coarray; declare an array, or a structure", name);
  if (!token_is(d->end, ";") && !token_is(d->end, ",")) {
    message_error(d->name, "'%s' cannot be a coarray here; declare it in the file, or in a block", name);
    return;
  }
  if (scope_level(u->scope) > 0) {
    if (!token_is(d->end, ";")) message_error(d->name, "a coarray of a block stands last in its declaration");
    else block_begin(u, d, at, &c, nodes);
    return;
  }
  if (before) return;
  unit_begin_add(u, at,
      text_of("_xmp_d_%s = pst_xmp_coarray(%s, \"%s\", (void *)&%s, sizeof %s, sizeof %s, %d, %s, %s);", name,
          where_of(at), name, name, name, element_text(d), c.count ? c.count - 1 : 0,
          c.count > 1 ? text_of("(const pst_xmp_index_t[]){%s}", c.list) : "0", nodes));
  /* Before the declaration, which may have more names. */
  edit_before(u->edits, d->specifiers.first, "static void *_xmp_d_%s; ", name);
}

/* ---- references ---- */

static const char *element_of(const struct unit *u, const struct side *s) { return side_element(u, s); }

static int coindex_is_wrong(const struct side *s)
{
  int n = 0;
  if (!s->symbol || s->symbol->kind != SYMBOL_COARRAY) {
    message_error(s->first, "'%s' is no coarray", name_text(s->first));
    return 1;
  }
  for (const struct token *t = s->codims + 1; t < s->codims_last; t = token_skip(t), n++) {
    const struct token *const close = token_skip(t) - 1;
    if (close > t + 1 && !token_is(t + 1, "*") && !section_colon(t + 1, close)) continue;
    message_error(t, "this names no image; write its number, as in %s:[0]", name_text(s->first));
    return 1;
  }
  if (n == s->symbol->of.dims) return 0;
  message_error(s->codims, "'%s' has %s, and %d coindices", name_text(s->first),
      text_count(s->symbol->of.dims, "codimension"), n);
  return 1;
}

/* sizeof(v:[image]) is that of the own object. */
static const struct token *coindex_drop(struct unit *u, const struct side *s)
{
  walk_expression(u, s->first + 1, s->codims);
  if (!coindex_is_wrong(s)) edit_replace(u->edits, s->codims, s->codims_last - 1, " ");
  return s->last;
}

/* Behind v:[image].m[i].n. */
static const struct token *members_end(const struct side *s)
{
  const struct token *t = s->last;
  while (token_is(t, ".") && t[1].kind == TOKEN_NAME)
    for (t += 2; token_is(t, "[");) t = token_skip(t);
  return t;
}

/* What is assigned: an element, or a member of one, which may have brackets around it. */
struct put {
  const struct token *first, *last; /* of the assignment; last is not included */
  const struct token *members;      /* behind the coindex; they end at members_end */
  const struct token *members_end;
  const struct token *operation; /* = += ++ ... */
  int behind;                    /* a ++ or -- behind its operand */
  int used;                      /* its value may be */
  struct expression value;       /* empty: there is none */
};

static int is_step(const struct token *t) { return token_is(t, "++") || token_is(t, "--"); }

/* Is the reference assigned? Of *v:[image] = 3 it is the pointer that is read. */
static int put_find(const struct side *s, struct put *p)
{
  const struct token *const end = members_end(s);
  const int around = side_brackets(s->first, end);
  const struct token *const before = s->first - 1 - around, *const after = end + around;
  *p = (struct put){s->first - around, after, s->last, end, after, 0, 1, {after, after}};
  if (assignment_operator(after, after + 1) && !token_is(before, "*")) {
    p->last = expression_end(after + 1, EXPRESSION_ENDS_COMMA | EXPRESSION_ENDS_COLON);
    p->value = (struct expression){after + 1, p->last};
  } else if (is_step(after)) {
    p->behind = 1;
    p->last++;
  } else if (is_step(before)) p->operation = p->first = before;
  else return 0;
  return 1;
}

/* The statements of a put. Its value as an expression is that of _xmp_h then, or of _xmp_o. */
static const char *put_text(struct unit *u, const struct side *s, const struct put *p, int n)
{
  const struct expression members = {p->members, p->members_end};
  const char *const descriptor = descriptor_name(s->first), *const where = where_of(s->first);
  side_walk(u, s);
  walk_expression(u, members.first, members.last);
  walk_expression(u, p->value.first, p->value.last);
  const char *const element = text_of("%s%s", element_of(u, s), translated_text(u, &members));
  const char *get = "", *at = text_of("&%s", element);
  if (!token_is(p->operation, "=")) {
    at = text_of("_xmp_p%d", n);
    get = text_of(" __typeof__(%s) *const %s = &%s; pst_xmp_get(%s, %s, _xmp_w%d, %s, &_xmp_h%d, sizeof "
                  "_xmp_h%d);%s",
        element, at, element, where, descriptor, n, at, n, n,
        p->behind ? text_of(" _xmp_o%d = _xmp_h%d;", n, n) : "");
  }
  return text_of("__typeof__(%s) _xmp_h%d%s; const int _xmp_w%d = %s;%s _xmp_h%d %.*s%s%s; pst_xmp_put(%s, "
                 "%s, _xmp_w%d, %s, &_xmp_h%d, sizeof _xmp_h%d);",
      element, n, p->used ? text_of(", _xmp_o%d __attribute__((unused))", n) : "", n,
      side_image(u, s, s->first), get, n, (int)p->operation->length, p->operation->text,
      expression_is_empty(&p->value) ? "" : " ", translated_text(u, &p->value), where, descriptor, n, at, n,
      n);
}

static const struct token *put_expression(struct unit *u, const struct side *s, const struct put *p)
{
  const int n = ++u->numbers;
  const char *const text = put_text(u, s, p, n);
  /* An assignment is its value, so that no compiler says that nobody takes it. */
  edit_replace(u->edits, p->first, p->last - 1, "__extension__ ({ %s _xmp_%c%d = _xmp_%c%d; })", text,
      p->behind ? 'h' : 'o', n, p->behind ? 'o' : 'h', n);
  return p->last;
}

static int address_is_taken(const struct unit *u, const struct side *s)
{
  return token_is(s->first - 1, "&") && begins_operand(u, s->first - 1);
}

/* Of a structure a part is used. What it is may be an array, which is not to be written. */
static const char *part_text(const char *get, const char *element)
{
  return text_of("(*(const __typeof__(%s) *)pst_xmp_got(%s, &%s, __extension__(struct { __typeof__(%s) "
                 "value[1]; }){0}.value, sizeof(%s)))",
      element, get, element, element, element);
}

static void get_translate(struct unit *u, const struct side *s)
{
  const int n = ++u->numbers;
  const char *element;
  if (s->sections) element = section_element(u, s);
  else side_walk(u, s), element = element_of(u, s);
  const char *const get = text_of(
      "%s, %s, %s", where_of(s->first), descriptor_name(s->first), side_image(u, s, s->first));
  if (token_is(s->last, ".")) edit_replace(u->edits, s->first, s->last - 1, "%s", part_text(get, element));
  else
    edit_replace(u->edits, s->first, s->last - 1,
        "__extension__ ({ __typeof__(%s) _xmp_g%d; pst_xmp_get(%s, &%s, &_xmp_g%d, sizeof _xmp_g%d); "
        "_xmp_g%d; })",
        element, n, get, element, n, n, n);
}

/* Is it the first argument of a function of C that stores there? A cast may stand before it. */
static const struct token *stores_into(const struct unit *u, const struct token *t)
{
  static const char *const names[] = {"memset", "memcpy", "memmove", "mempcpy", "bzero", "explicit_bzero",
      "strcpy", "strncpy", "stpcpy", "strcat", "strncat", "sprintf", "snprintf", "vsprintf", "vsnprintf",
      "fgets", "fread", "qsort", NULL};
  const struct token *before = t - 1;
  if (token_is(before, ")") && bracket_opening(u, before)) before = bracket_opening(u, before) - 1;
  return token_is(before, "(") && token_is_one(before - 1, names) ? before - 1 : NULL;
}

/* Members of another image that would not be stored. */
static int members_are_wrong(const struct unit *u, const struct side *s, int puts)
{
  const struct token *const call = puts || s->last == members_end(s) ? NULL : stores_into(u, s->first);
  const struct token *const bits = puts
      ? member_bits(u, &s->symbol->declarator->specifiers, s->last, members_end(s))
      : NULL;
  if (call)
    message_error(s->first,
        "%s would store into a copy of another image's member; assign it, or its elements", name_text(call));
  if (bits)
    message_error(bits,
        "'%s' is a bit-field, which no image stores on another one; get the structure into a variable, "
        "change "
        "that and assign it as a whole",
        name_text(bits));
  return call || bits;
}

/* Says what is wrong with a reference that stands in an expression. */
static int reference_is_wrong(const struct unit *u, const struct side *s, int puts)
{
  const struct declarator *const d = s->symbol->declarator;
  const int whole = s->count < d->dims;
  for (const struct token *t = s->last; t < members_end(s); t = token_is(t, "[") ? token_skip(t) : t + 1)
    if (token_is(t, "[") && section_colon(t + 1, token_skip(t) - 1)) {
      message_error(t, "a section of a member of another image may not stand here; write a loop");
      return 1;
    }
  if (address_is_taken(u, s)) {
    message_error(s->first - 1, "what is of another image has no address here; get it into a variable");
    return 1;
  }
  if (members_are_wrong(u, s, puts)) return 1;
  if (!whole && (s->sections == 0 || (u->sections && !puts))) return 0;
  message_error(s->first, "an array%s of another image may stand alone on a side of an assignment%s",
      whole ? "" : " section", whole ? "; write its subscripts" : ", or in an array assignment");
  return 1;
}

/* Of v.m[i]:[image], v->m:[image]: the colon; NULL: there is none. An attribute has two brackets. */
static const struct token *coindex_behind(const struct side *s)
{
  const struct token *t = s->last;
  while ((token_is(t, ".") || token_is(t, "->")) && t[1].kind == TOKEN_NAME)
    for (t += 2; token_is(t, "[");) t = token_skip(t);
  return t > s->last && token_is(t, ":") && token_is(t + 1, "[") && !token_is(t + 2, "[") ? t : NULL;
}

static const struct token *coindex_misplaced(const struct side *s, const struct token *colon)
{
  const struct expression image = {colon, token_skip(colon + 1)}, coarray = {s->first, s->last},
                          members = {s->last, colon};
  int arrows = 0;
  for (const struct token *t = s->last; t < colon; t++) arrows += token_is(t, "->");
  if (arrows)
    message_error(colon,
        "what a pointer in '%s' points to is no coarray; declare that as one, and name it with its image",
        name_text(s->first));
  else
    message_error(colon, "the image stands directly behind the coarray; write %s%s%s",
        expression_text(&coarray), expression_text(&image), expression_text(&members));
  return image.last;
}

/* (v):[image]; returns whether it says so. An operand of asm is behind a string. */
static int coindex_behind_brackets(const struct side *s)
{
  const struct token *const end = members_end(s);
  const struct expression own = {s->first, s->last}, members = {s->last, end};
  const int around = side_brackets(s->first, end);
  if (!around || !is_coindex(end + around) || s->first[-1 - around].kind == TOKEN_STRING) return 0;
  message_error(end + around, "the image stands directly behind the coarray: write %s:[image]%s, without ()",
      expression_text(&own), expression_text(&members));
  return 1;
}

/* v[i]:[image] in an expression, or the own object. */
const struct token *coarray_reference(struct unit *u, const struct token *t, const struct symbol *symbol)
{
  struct side s;
  const struct token *end = t;
  while (end->kind != TOKEN_END && !token_is(end, ";")) end++;
  if (side_read_at(u, t, end, &s)) return t + 1;
  const struct token *const behind = s.codims ? NULL : coindex_behind(&s);
  if (behind) return coindex_misplaced(&s, behind);
  if (!s.codims) return coindex_behind_brackets(&s) ? members_end(&s) : t + 1;
  (void)symbol;
  if (u->unevaluated) return coindex_drop(u, &s);
  if (coindex_is_wrong(&s)) return s.last;
  struct put p;
  const int puts = put_find(&s, &p);
  if (reference_is_wrong(u, &s, puts)) return puts ? p.last : members_end(&s);
  if (puts) return put_expression(u, &s, &p);
  get_translate(u, &s);
  return s.last;
}

/* ---- assignments ---- */

static const char *place_text(struct unit *u, const struct side *s)
{
  return s->codims ? text_of("%s, %s", descriptor_name(s->first), side_image(u, s, s->first)) : "0, -1";
}

/* Sections on one or both sides. */
static void copy_translate(
    struct unit *u, const struct side *left, const struct side *right, const struct token *end)
{
  side_walk(u, left);
  side_walk(u, right);
  const char *const to = place_text(u, left), *const from = place_text(u, right);
  edit_replace(u->edits, left->first, end - 1, "pst_xmp_copy_section(%s, %s, %s, %s, %s)",
      where_of(left->first), to, side_text(u, left), from, side_text(u, right));
}

/* A section of another image, of which every element becomes the value. */
static void fill_translate(
    struct unit *u, const struct side *left, const struct token *equal, const struct token *end)
{
  if (left->sections && section_put(u, left, equal, end)) return;
  const int n = ++u->numbers;
  const struct expression value = {equal + 1, end};
  side_walk(u, left);
  walk_expression(u, value.first, value.last);
  const char *const element = side_element(u, left);
  edit_replace(u->edits, left->first, token_is(end, ";") ? end : end - 1,
      "{ __typeof__(%s) _xmp_h%d = %s; pst_xmp_copy_section(%s, %s, %s, 0, -1, __extension__ &(const struct "
      "pst_xmp_side){0, &_xmp_h%d, sizeof "
      "_xmp_h%d, %s, 0, 0, 0}); }",
      element, n, translated_text(u, &value), where_of(left->first), place_text(u, left), side_text(u, left),
      n, n, type_text(u, left->symbol->declarator, text_of("_xmp_h%d", n)));
}

/* A put as a statement of its own. */
static int put_statement(struct unit *u, const struct token *t, const struct token *end)
{
  const struct token *name = t;
  struct side s;
  struct put p;
  while (token_is(name, "(") || is_step(name)) name++;
  if (side_read_at(u, name, end, &s) || !s.codims || !put_find(&s, &p) || p.first != t || p.last != end)
    return 0;
  if (coindex_is_wrong(&s) || reference_is_wrong(u, &s, 1)) return 1;
  p.behind = p.used = 0;
  const char *const text = put_text(u, &s, &p, ++u->numbers);
  edit_replace(u->edits, t, token_is(end, ";") ? end : end - 1, "{ %s }", text);
  return 1;
}

int coarray_assignment(struct unit *u, const struct token *t, const struct token *end)
{
  const struct token *const equal = assignment_operator(t, end);
  struct side left, right;
  if (!equal || side_read(u, t, equal, &left)) return put_statement(u, t, end);
  const int is_side = side_read(u, equal + 1, end, &right) == 0;
  if (is_side && right.codims && left.sections && coindex_is_wrong(&right)) return 1;
  if (is_side && right.codims && !left.codims && left.sections && token_is(equal, "=")) {
    if (left.array) return 0;
    copy_translate(u, &left, &right, end);
    return 1;
  }
  if (!left.codims) return 0;
  if (coindex_is_wrong(&left)) return 1;
  const int whole = left.sections == 0 && left.count < side_dims(u, &left);
  if (left.sections == 0 && !whole) return put_statement(u, t, end);
  if (!token_is(equal, "=")) message_error(equal, "a section is assigned by = alone");
  else if (is_side && (right.sections || (right.symbol && right.count < side_dims(u, &right))))
    copy_translate(u, &left, &right, end);
  else fill_translate(u, &left, equal, end);
  return 1;
}

/* ---- xmp_atomic_define(v[i]:[image], value), xmp_atomic_ref(&value, v[i]:[image]) ---- */

const struct token *coarray_atomic(struct unit *u, const struct token *t)
{
  const struct token *const end = token_skip(t + 1), *const first = t + 2;
  const struct token *const comma = expression_end(first, EXPRESSION_ENDS_COMMA | EXPRESSION_ENDS_COLON);
  const int defines = token_is(t, "xmp_atomic_define");
  struct side s;
  /* A coindex has a colon, which ends the first argument of a definition. */
  const struct token *middle = comma;
  while (middle < end - 1 && !token_is(middle, ","))
    middle = token_is(middle, "[") ? token_skip(middle) : middle + 1;
  const struct expression value = defines ? (struct expression){middle + 1, end - 1}
                                          : (struct expression){first, middle};
  const int wrong = middle >= end - 1 ||
      (defines ? side_read(u, first, middle, &s) : side_read(u, middle + 1, end - 1, &s)) || !s.symbol ||
      s.symbol->kind != SYMBOL_COARRAY || s.sections;
  if (wrong) {
    message_error(t, "%.*s takes a coarray's int and %s", (int)t->length, t->text,
        defines ? "a value" : "an address before it");
    return end;
  }
  side_walk(u, &s);
  walk_expression(u, value.first, value.last);
  const char *const at = text_of(
      "%s, %s, &%s", descriptor_name(s.first), s.codims ? side_image(u, &s, t) : "-1", side_element(u, &s));
  if (defines)
    edit_replace(u->edits, t, end - 1, "pst_xmp_atomic_define(%s, %s, %s)", where_of(t), at,
        translated_text(u, &value));
  else
    edit_replace(
        u->edits, t, end - 1, "pst_xmp_atomic_ref(%s, %s, %s)", where_of(t), translated_text(u, &value), at);
  return end;
}
