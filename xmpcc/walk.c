/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Walks a file: declarations, functions, statements, expressions. What is not XcalableMP's is left as it is.
 */
#include <string.h>

#include "xmpcc/unit.h"

enum { DEPTH_MOST = 2000 };

/* ---- expressions ---- */

static int is_member(const struct token *t) { return token_is(t - 1, ".") || token_is(t - 1, "->"); }

static int is_tag(const struct token *t)
{
  return token_is(t - 1, "struct") || token_is(t - 1, "union") || token_is(t - 1, "enum");
}

/* {name: value} of gcc, for {.name = value}. Between ? and : a comma may stand before a name, too. */
static int is_designator(const struct unit *u, const struct token *t)
{
  int conditionals = 0, depth = 0;
  if (!token_is(t + 1, ":") || token_is(t + 2, "[")) return 0;
  for (const struct token *b = t - 1; b > u->source->token && depth >= 0; b--) {
    depth += token_is(b, ")") || token_is(b, "]") || token_is(b, "}");
    depth -= token_is(b, "(") || token_is(b, "[") || token_is(b, "{");
    if (depth < 0) return token_is(b, "{");
    if (depth == 0 && token_is(b, ":")) conditionals--;
    if ((depth == 0 && token_is(b, "?") && ++conditionals > 0) || token_is(b, ";")) return 0;
    if (b == t - 1 && !token_is(b, ",")) return 0;
  }
  return 0;
}

static int is_unevaluating(const struct token *t)
{
  return token_is(t, "sizeof") || token_is(t, "typeof") || token_is(t, "__typeof__") ||
      token_is(t, "__typeof") || token_is(t, "_Alignof") || token_is(t, "__alignof__") ||
      token_is(t, "__alignof");
}

static const struct token *next_token(const struct token *t) { return t + (t->kind != TOKEN_END); }

/* Behind the operand of sizeof. */
static const struct token *operand_end(const struct token *t)
{
  while (token_is(t, "*") || token_is(t, "&") || token_is(t, "-") || token_is(t, "+") || token_is(t, "!") ||
      token_is(t, "~") || token_is(t, "++") || token_is(t, "--") || is_unevaluating(t))
    t++;
  t = token_is(t, "(") ? token_skip(t) : next_token(t);
  for (;;) {
    if (token_is(t, "[") || token_is(t, "(")) t = token_skip(t);
    else if (token_is(t, ".") || token_is(t, "->")) t = next_token(t + 1);
    else if (token_is(t, ":") && token_is(t + 1, "[")) t++;
    else return t;
  }
}

static const struct token *walk_unevaluated(struct unit *u, const struct token *t, const struct token *last)
{
  const struct token *end = operand_end(t + 1);
  if (end > last) end = last;
  u->unevaluated++;
  walk_expression(u, t + 1, end);
  u->unevaluated--;
  return end;
}

/* offsetof(type, member): names in it are members, but for those in subscripts. */
static const struct token *walk_offset(struct unit *u, const struct token *t)
{
  const struct token *const end = token_skip(t + 1);
  const struct token *m = expression_end(t + 2, EXPRESSION_ENDS_COMMA);
  walk_expression(u, t + 2, m < end ? m : end);
  for (; m < end - 1; m++) {
    if (!token_is(m, "[")) continue;
    walk_expression(u, m + 1, token_skip(m) - 1);
    m = token_skip(m) - 1;
  }
  return end;
}

/* xmp_desc_of(name) */
static const struct token *walk_descriptor(struct unit *u, const struct token *t)
{
  const struct token *const name = t + 2, *const end = token_skip(t + 1);
  const struct symbol *s = scope_find_mapping(u->scope, name);
  if (!s) s = name->kind == TOKEN_NAME ? scope_find(u->scope, name) : NULL;
  if (name->kind != TOKEN_NAME || !token_is(name + 1, ")"))
    message_error(t, "xmp_desc_of has no name; it takes the name of nodes, a template or a global array");
  else if (wrong_is(u, name)) return end;
  else if (!s || s->kind == SYMBOL_ORDINARY || s->kind == SYMBOL_TYPE || s->kind == SYMBOL_COARRAY)
    message_error(name, "'%.*s' is no nodes, template or global array", (int)name->length, name->text);
  else if (s->kind == SYMBOL_ARRAY && !s->of.array->aligned)
    message_error(name, "'%.*s' is used before its align directive", (int)name->length, name->text);
  else edit_replace(u->edits, t, end - 1, "((void *)%s)", descriptor_name(name));
  return end;
}

/* xmp_malloc(desc, n0, n1): the extents may be of any type. */
static const struct token *walk_malloc(struct unit *u, const struct token *t)
{
  const struct token *const end = token_skip(t + 1);
  const struct token *comma[DIMENSIONS + 1];
  int n = 0;
  for (const struct token *i = t + 2; i < end - 1;
       i = token_is(i, "(") || token_is(i, "[") ? token_skip(i) : i + 1)
    if (token_is(i, ",") && n <= DIMENSIONS) comma[n++] = i;
  walk_expression(u, t + 2, end - 1);
  if (n == 0 || n > DIMENSIONS) {
    message_error(t, "xmp_malloc has %d extents; it takes a descriptor and an extent for each dimension", n);
    return end;
  }
  edit_replace(u->edits, t, t + 1, "pst_xmp_malloc(%s, ", where_of(t));
  edit_replace(
      u->edits, comma[0], comma[0], ", %d, __extension__ (const pst_xmp_index_t[]){(pst_xmp_index_t)(", n);
  for (int i = 1; i < n; i++) edit_replace(u->edits, comma[i], comma[i], "), (pst_xmp_index_t)(");
  edit_before(u->edits, end - 1, ")}");
  return end;
}

/* Calls whose places tools are to know. */
static int call_has_place(const struct token *t)
{
  return token_is(t, "xmp_sync_all") || token_is(t, "xmp_sync_memory") || token_is(t, "xmp_sync_image") ||
      token_is(t, "xmp_sync_images") || token_is(t, "xmp_sync_images_all");
}

static const struct token *walk_place(struct unit *u, const struct token *t)
{
  if (token_is(t + 2, ")")) {
    message_error(t, "%.*s has no arguments; the last one is NULL, or the address of an int for the status",
        (int)t->length, t->text);
    return t + 3;
  }
  edit_replace(u->edits, t, t + 1, "pst_%.*s(%s, ", (int)t->length, t->text, where_of(t));
  return t + 2;
}

/* xmp_barrier() */
static const struct token *walk_barrier(struct unit *u, const struct token *t)
{
  edit_replace(u->edits, t, t + 2, "pst_xmp_barrier_on(%s, 0)", where_of(t));
  return t + 3;
}

/* xmp_pack(v, a): the mask may be left out. */
static const struct token *walk_mask(struct unit *u, const struct token *t)
{
  const struct token *const close = token_skip(t + 1) - 1;
  int commas = 0;
  for (const struct token *i = t + 2; i < close;
       i = token_is(i, "(") || token_is(i, "[") || token_is(i, "{") ? token_skip(i) : i + 1)
    commas += token_is(i, ",");
  if (commas == 1) edit_before(u->edits, close, ", (void *)0");
  return t + 2;
}

static const struct token *walk_name(struct unit *u, const struct token *t, const struct token *last)
{
  if (is_member(t) || is_tag(t) || is_designator(u, t)) return t + 1;
  if (token_is(t, "__builtin_offsetof") && token_is(t + 1, "(")) return walk_offset(u, t);
  if (is_unevaluating(t)) return walk_unevaluated(u, t, last);
  if (token_is(t + 1, "(")) {
    if (token_is(t, "xmp_desc_of")) return walk_descriptor(u, t);
    if (token_is(t, "xmp_malloc")) return walk_malloc(u, t);
    if (call_has_place(t)) return walk_place(u, t);
    if (token_is(t, "xmp_pack") || token_is(t, "xmp_unpack")) return walk_mask(u, t);
    if (token_is(t, "xmp_barrier") && token_is(t + 2, ")")) return walk_barrier(u, t);
    if (token_is(t, "xmp_atomic_define") || token_is(t, "xmp_atomic_ref")) return coarray_atomic(u, t);
  }
  const struct symbol *const s = scope_find(u->scope, t);
  if (s && u->members) members_check(u, t, s);
  if (s && (s->kind == SYMBOL_ARRAY || u->members)) {
    const struct token *const next = array_reference(u, t);
    if (next) return next;
  }
  if (s && u->loop) loop_check_variable(u, t, s);
  if (s && u->loop && loop_note_assignment(u, t, s)) return t + 1;
  const struct token *const section = u->sections && s ? section_reference(u, t, s) : NULL;
  if (section) return section;
  if (s && s->kind == SYMBOL_COARRAY) return coarray_reference(u, t, s);
  return t + 1;
}

/* At a [: array sections have been translated where they may stand. Attributes have two brackets. */
static const struct token *walk_bracket(const struct token *t, const struct token *last)
{
  const struct token *const end = token_skip(t);
  if (token_is(t + 1, "[") || end > last) return t + (token_is(t + 1, "[") ? 2 : 1);
  if (!section_colon(t + 1, end - 1)) return t + 1;
  message_error(t, "an array section may not stand here; it is for assignments whose left side has one");
  return end;
}

/* At a * or a (: which may begin a section, as (q + 1)[0:3]. */
static const struct token *walk_indirect(struct unit *u, const struct token *t)
{
  const struct token *next = token_is(t, "(") ? type_walk(u, t) : NULL;
  if (!next && token_is(t, "(") && u->sections) next = section_reference(u, t, NULL);
  if (!next) next = indirect_reference(u, t);
  return next ? next : t + 1;
}

void walk_expression(struct unit *u, const struct token *first, const struct token *last)
{
  for (const struct token *t = first; t < last && t->kind != TOKEN_END;) {
    const struct token *const once = u->once ? once_skip(u, t) : NULL;
    if (once) t = once;
    else if (t->kind == TOKEN_DIRECTIVE) {
      message_error(t, "a directive stands within an expression");
      t++;
    } else if (token_is(t, "[")) t = walk_bracket(t, last);
    else if (token_is(t, "(") && token_is(t + 1, "{")) t = walk_statement(u, t + 1);
    else if (token_is(t, "*") || token_is(t, "(")) t = walk_indirect(u, t);
    else t = t->kind == TOKEN_NAME ? walk_name(u, t, last) : t + 1;
  }
}

const struct token *statement_end(const struct token *t)
{
  while (t->kind != TOKEN_END && t->kind != TOKEN_DIRECTIVE && !token_is(t, ";") && !token_is(t, "}"))
    t = token_is(t, "(") || token_is(t, "[") || token_is(t, "{") ? token_skip(t) : t + 1;
  return t;
}

/* ---- declarations ---- */

static const struct token *walk_declaration(struct unit *u, const struct token *t, const struct block *b);

static const struct token *parameters_open(const struct declarator *d)
{
  const struct token *t = d->name + 1;
  while (t < d->last && !token_is(t, "(")) t++;
  return t;
}

/* b: the function's body, whose directives may align parameters. */
static void parameters_declare(struct unit *u, const struct declaration *d, const struct block *b)
{
  struct declaration list;
  declaration_read_parameters(u->scope, parameters_open(&d->declarator[d->count - 1]), &list);
  for (int i = 0; i < list.count; i++)
    if (list.declarator[i].name) parameter_declare(u, &list.declarator[i], b);
  for (const struct token *t = d->old; t && t < d->end && t->kind != TOKEN_END; t++) {
    if (t->kind == TOKEN_DIRECTIVE) continue;
    declaration_read(u->scope, t, &list);
    specifiers_walk(u, &list.specifiers);
    for (int i = 0; i < list.count; i++) {
      declarator_walk(u, &list.declarator[i]);
      if (list.declarator[i].name) parameter_declare(u, &list.declarator[i], b);
    }
    t = list.end;
  }
}

static void views_declare(struct unit *u, const struct function *f)
{
  for (int i = 0; i < f->views; i++) {
    const struct array *const a = f->view[i].array;
    edit_after(u->edits, f->brace, " %s", array_view(a, name_text(a->name), f->view[i].counts));
  }
}

static const struct token *walk_statements(struct unit *u, const struct token *brace, const struct block *b);

static int is_declarative(enum directive_kind kind)
{
  return kind == DIRECTIVE_NODES || kind == DIRECTIVE_TEMPLATE || kind == DIRECTIVE_DISTRIBUTE ||
      kind == DIRECTIVE_ALIGN || kind == DIRECTIVE_SHADOW || kind == DIRECTIVE_COARRAY ||
      kind == DIRECTIVE_HINT;
}

/* Directives between a function's parameters and its body: they say what they would say at its beginning. */
static void walk_head(struct unit *u, const struct token *t, const struct token *brace)
{
  struct text out = {0};
  for (; t < brace; t++) {
    struct parsed *const p = t->kind == TOKEN_DIRECTIVE ? unit_directives(u, t) : NULL;
    for (int i = 0; p && i < p->count; i++) {
      if (!is_declarative(p->directive[i].kind)) continue;
      p->walked = 1;
      mapping_directive(u, &p->directive[i], &out);
    }
  }
  if (out.length) edit_after(u->edits, brace, " %s", text_get(&out));
}

static const struct token *walk_function(struct unit *u, const struct declaration *d)
{
  struct function function = {.brace = d->end}, *const outer = u->function;
  const struct token *const head = d->count ? d->declarator[d->count - 1].name : d->end;
  struct block b;
  block_read(u, d->end + 1, token_skip(d->end), &b);
  jumps_check(u, d->end);
  if (u->directives && head) block_read_more(u, head, d->end, &b);
  scope_open(u->scope);
  if (d->count && d->declarator[d->count - 1].function) parameters_declare(u, d, &b);
  u->function = &function;
  if (u->directives && head) walk_head(u, head, d->end);
  const struct token *const end = walk_statements(u, d->end, &b);
  views_declare(u, &function);
  u->function = outer;
  scope_close(u->scope);
  return end;
}

static const struct token *walk_declaration(struct unit *u, const struct token *t, const struct block *b)
{
  struct declaration d;
  declaration_read(u->scope, t, &d);
  if (!d.specifiers.first) walk_expression(u, t, d.end); /* _Static_assert */
  declaration_declare(u, &d, b);
  if (token_is(d.end, "{")) return walk_function(u, &d);
  return d.end->kind == TOKEN_END || token_is(d.end, "}") ? d.end : d.end + 1;
}

/* ---- statements ---- */

/* end task, end tasks: Fortran needs them. */
static void task_end(struct unit *u, const struct token *t)
{
  if (u->ended != t)
    message_error(t,
        "no task ends here, for its statement is the one behind its directive; write { } around what it "
        "executes");
  u->ended = t + 1;
}

int directive_is_alone(const struct unit *u, const struct token *t)
{
  const struct parsed *const p = t->kind == TOKEN_DIRECTIVE ? unit_directives(u, t) : NULL;
  if (!p || !p->count) return 0;
  const enum directive_kind kind = p->directive[0].kind;
  return kind != DIRECTIVE_LOOP && kind != DIRECTIVE_ARRAY && kind != DIRECTIVE_GMOVE &&
      kind != DIRECTIVE_TASK && kind != DIRECTIVE_TASKS && kind != DIRECTIVE_IMAGE;
}

static const struct token *walk_directive(struct unit *u, const struct token *t)
{
  struct parsed *const p = unit_directives(u, t);
  const struct token *next = t + 1;
  p->walked = 1;
  struct text out = {0};
  for (int i = 0; i < p->count; i++) {
    const struct directive *const d = &p->directive[i];
    threads_check(u, d, t);
    switch (d->kind) {
    case DIRECTIVE_NODES:
    case DIRECTIVE_TEMPLATE:
    case DIRECTIVE_DISTRIBUTE:
    case DIRECTIVE_ALIGN:
    case DIRECTIVE_SHADOW:
    case DIRECTIVE_COARRAY: mapping_directive(u, d, &out); break;
    case DIRECTIVE_END: task_end(u, t); break;
    case DIRECTIVE_HINT: break;
    case DIRECTIVE_LOOP: next = loop_translate(u, d, t); break;
    case DIRECTIVE_ARRAY: next = array_translate(u, d, t); break;
    case DIRECTIVE_GMOVE: next = gmove_translate(u, d, t); break;
    default: next = construct_translate(u, d, t);
    }
  }
  if (out.length) {
    edit_replace(u->edits, t, t, "%s", text_get(&out));
    edit_quiet(u->edits, t);
  }
  return next;
}

static const struct token *walk_statements(struct unit *u, const struct token *brace, const struct block *b)
{
  const unsigned errors = message_errors();
  const struct token *t = brace + 1;
  while (t->kind != TOKEN_END && !token_is(t, "}")) {
    const struct token *const begin = t;
    if (declaration_begins(u->scope, t)) t = walk_declaration(u, t, b);
    else t = walk_statement(u, t);
    if (t == begin) t++;
  }
  if (t->kind != TOKEN_END) return t + 1;
  if (message_errors() == errors) message_error(brace, "this { is not closed before the end of the file");
  return t;
}

static const struct token *walk_block(struct unit *u, const struct token *brace)
{
  struct block b;
  block_read(u, brace + 1, token_skip(brace), &b);
  scope_open(u->scope);
  const struct token *const end = walk_statements(u, brace, &b);
  scope_close(u->scope);
  return end;
}

/* ( ... ) behind a word like if or while. */
static const struct token *walk_condition(struct unit *u, const struct token *open)
{
  if (!token_is(open, "(")) return open;
  const struct token *const end = token_skip(open);
  walk_expression(u, open + 1, end);
  return end;
}

/* A directive is a statement, but other compilers take what follows it. A macro has a ; behind it. */
static const struct token *substatement_walk(struct unit *u, const struct token *t, const char *behind)
{
  const struct token *const next = walk_statement(u, t);
  if (!directive_is_alone(u, t)) return next;
  if (token_is(next, ";")) {
    edit_replace(u->edits, next, next, " ");
    return next + 1;
  }
  if (next->kind != TOKEN_END && !token_is(next, "}") && !token_is(next, behind))
    message_error(t,
        "the directive alone is the statement here, and without XcalableMP the next one; write { } around "
        "what belongs together");
  return next;
}

const struct token *walk_substatement(struct unit *u, const struct token *t)
{
  return substatement_walk(u, t, "else");
}

static const struct token *walk_for(struct unit *u, const struct token *t)
{
  const struct token *const open = t + 1, *const distributed = loop_for(u, t);
  if (distributed) return distributed;
  if (!token_is(open, "(")) return t + 1;
  const struct token *const end = token_skip(open), *const begin = t;
  scope_open(u->scope);
  t = open + 1;
  if (declaration_begins(u->scope, t)) t = walk_declaration(u, t, NULL);
  walk_expression(u, t, end);
  const struct token *const variable = u->loop ? for_variable(u, begin) : NULL;
  if (variable && loop_is_independent(u, variable, end)) loop_tell_independent(u, begin);
  const int counted = loop_count_plain(u, begin);
  t = walk_substatement(u, end);
  if (counted) loop_count_end(u, begin);
  scope_close(u->scope);
  return t;
}

static const struct token *walk_do(struct unit *u, const struct token *t)
{
  t = substatement_walk(u, t + 1, "while");
  if (!token_is(t, "while")) return t;
  t = walk_condition(u, t + 1);
  return token_is(t, ";") ? t + 1 : t;
}

/* Perhaps one thread of a parallel region alone comes to the statement. */
static const struct token *walk_chosen(struct unit *u, const struct token *t)
{
  const struct token *const at_once = u->at_once;
  u->at_once = NULL;
  t = walk_substatement(u, t);
  u->at_once = at_once;
  return t;
}

static const struct token *walk_if(struct unit *u, const struct token *t)
{
  t = walk_chosen(u, walk_condition(u, t + 1));
  return token_is(t, "else") ? walk_chosen(u, t + 1) : t;
}

static const struct token *walk_case(struct unit *u, const struct token *t)
{
  const struct token *const begin = t + 1;
  while (t->kind != TOKEN_END && !token_is(t, ":") && !token_is(t, ";") && !token_is(t, "}"))
    t = token_is(t, "(") || token_is(t, "[")      ? token_skip(t)
        : token_is(t, "?") && section_colon(t, t) ? t + 1
                                                  : t + 1;
  walk_expression(u, begin, t);
  return token_is(t, ":") ? t + 1 : t;
}

static const struct token *walk_plain(struct unit *u, const struct token *t)
{
  const struct token *const end = statement_end(t);
  if (end->kind == TOKEN_DIRECTIVE && end > t)
    message_error(end, "a directive stands within a statement, or the ; of what is before it is missing");
  if (!coarray_assignment(u, t, end) && !section_assignment(u, t, end)) walk_expression(u, t, end);
  return token_is(end, ";") ? end + 1 : end;
}

static int is_loop_directive(const struct unit *u, const struct token *t)
{
  const struct parsed *const p = t->kind == TOKEN_DIRECTIVE ? unit_directives(u, t) : NULL;
  return p && p->count && p->directive[0].kind == DIRECTIVE_LOOP;
}

/* Beside a loop directive the loop tells OpenMP of its variables. */
static const struct token *walk_pragma(struct unit *u, const struct token *t)
{
  const int numbers = u->numbers;
  const struct token *const at_once = u->at_once;
  pragma_names(u, t);
  u->at_once = pragma_threads(u, t);
  const struct token *const next = walk_statement(u, t + 1);
  u->at_once = at_once;
  if (!is_loop_directive(u, t + 1)) pragma_region(u, t, numbers);
  return next;
}

static const struct token *statement_walk(struct unit *u, const struct token *t)
{
  if (t->kind == TOKEN_DIRECTIVE) return walk_directive(u, t);
  if (t->kind == TOKEN_PRAGMA) return walk_pragma(u, t);
  if (token_is(t, "{")) return walk_block(u, t);
  if (token_is(t, ";")) return t + 1;
  if (t->kind == TOKEN_NAME) {
    if (token_is(t, "if")) return walk_if(u, t);
    if (token_is(t, "for")) return walk_for(u, t);
    if (token_is(t, "while") || token_is(t, "switch")) return walk_chosen(u, walk_condition(u, t + 1));
    if (token_is(t, "do")) return walk_do(u, t);
    if (token_is(t, "case")) return walk_case(u, t);
    if (token_is(t, "goto")) return token_is(statement_end(t), ";") ? statement_end(t) + 1 : statement_end(t);
    if (token_is(t + 1, ":") && !token_is(t + 2, "[")) return t + 2; /* a label, default */
    if (declaration_begins(u->scope, t)) return walk_declaration(u, t, NULL);
  }
  return walk_plain(u, t);
}

const struct token *walk_statement(struct unit *u, const struct token *t)
{
  if (++u->depth > DEPTH_MOST) {
    if (u->depth == DEPTH_MOST + 1) message_error(t, "statements are nested too deeply");
    u->depth--;
    while (t->kind != TOKEN_END) t++;
    return t;
  }
  const struct token *const next = t->kind == TOKEN_END ? t : statement_walk(u, t);
  u->depth--;
  return next;
}

/* ---- the extent of a statement ---- */

static const struct token *condition_skip(const struct token *t)
{
  return token_is(t, "(") ? token_skip(t) : t;
}

/* Behind the statement. */
static const struct token *statement_skip(const struct token *t, int depth)
{
  while (t->kind == TOKEN_PRAGMA || t->kind == TOKEN_DIRECTIVE) t++;
  if (depth > DEPTH_MOST || t->kind == TOKEN_END) return t;
  if (token_is(t, "{")) return token_skip(t);
  if (token_is(t, "if")) {
    t = statement_skip(condition_skip(t + 1), depth + 1);
    return token_is(t, "else") ? statement_skip(t + 1, depth + 1) : t;
  }
  if (token_is(t, "for") || token_is(t, "while") || token_is(t, "switch"))
    return statement_skip(condition_skip(t + 1), depth + 1);
  if (token_is(t, "do")) {
    t = statement_skip(t + 1, depth + 1);
    if (token_is(t, "while")) t = condition_skip(t + 1);
    return token_is(t, ";") ? t + 1 : t;
  }
  t = statement_end(t);
  return token_is(t, ";") ? t + 1 : t;
}

const struct token *statement_last(const struct token *t)
{
  const struct token *const next = statement_skip(t, 0);
  return next > t ? next - 1 : t;
}

/* ---- the file ---- */

/* Outside of functions there are declarations alone. */
static const struct token *walk_file_directive(struct unit *u, const struct token *t)
{
  struct parsed *const p = unit_directives(u, t);
  const enum directive_kind kind = p->count ? p->directive[0].kind : DIRECTIVE_HINT;
  if (is_declarative(kind)) return walk_directive(u, t);
  message_error(t, "this directive is a statement, which stands within a function");
  return t + 1;
}

void walk_file(struct unit *u)
{
  struct block b;
  block_read(u, u->source->token, u->source->token + u->source->count, &b);
  for (const struct token *t = u->source->token; t->kind != TOKEN_END;) {
    const struct token *const begin = t;
    if (t->kind == TOKEN_DIRECTIVE) t = walk_file_directive(u, t);
    else if (t->kind == TOKEN_PRAGMA || token_is(t, ";")) t++;
    else if (token_is(t, "asm") || token_is(t, "__asm__")) t = statement_end(t);
    else t = walk_declaration(u, t, &b);
    if (t == begin) t++;
  }
}
