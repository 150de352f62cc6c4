/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Directives as text, for tests: what is there, in the order of the structure's members. Expressions stand in
 * braces, so that it can be seen where they end: "nodes p[{4}][*] = q({0}:{4})". */
#ifndef TESTS_UNIT_DIRECTIVE_PRINT_H
#define TESTS_UNIT_DIRECTIVE_PRINT_H
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "xmpcc/directive.h"

struct printed {
  char text[8192];
  size_t n;
};

__attribute__((format(printf, 2, 3))) static void print(struct printed *p, const char *fmt, ...)
{
  va_list arguments;
  va_start(arguments, fmt);
  const int n = vsnprintf(p->text + p->n, sizeof p->text - p->n, fmt, arguments);
  va_end(arguments);
  p->n += (size_t)n;
  if (p->n >= sizeof p->text) p->n = sizeof p->text - 1; /* it is cut off */
}

static void print_token(struct printed *p, const struct token *t)
{
  print(p, "%.*s", (int)t->length, t->text);
}

static void print_expression(struct printed *p, const struct expression *e)
{
  char *text = token_text(e->first, e->last);
  print(p, "{%s}", text);
  free(text);
}

static void print_item(struct printed *p, const struct item *i)
{
  static const char *const format[] = {
      [ITEM_BLOCK] = "block", [ITEM_CYCLIC] = "cyclic", [ITEM_GBLOCK] = "gblock"};
  if (i->flag) print(p, "/");
  switch (i->kind) {
  case ITEM_STAR: print(p, "*"); return;
  case ITEM_COLON: print(p, ":"); return;
  case ITEM_EXPRESSION:
    print_expression(p, &i->a);
    if (i->b.first == i->b.last) return;
    print(p, "=");
    print_expression(p, &i->b);
    print_expression(p, &i->c);
    return;
  case ITEM_TRIPLET:
    print_expression(p, &i->a);
    print(p, ":");
    print_expression(p, &i->b);
    if (i->parts == 3) print(p, ":"), print_expression(p, &i->c);
    return;
  default:
    print(p, "%s", format[i->kind]);
    if (i->a.first != i->a.last) print_expression(p, &i->a);
  }
}

static void print_list(struct printed *p, const struct list *l)
{
  for (int k = 0; k < l->count; k++) {
    print(p, "%s", l->square ? "[" : k == 0 ? "(" : ",");
    print_item(p, &l->item[k]);
    if (l->square) print(p, "]");
  }
  if (l->count && !l->square) print(p, ")");
}

static void print_reference(struct printed *p, const char *before, const struct reference *f)
{
  if (!f->name) return;
  print(p, "%s", before);
  print_token(p, f->name);
  if (f->member) print(p, "."), print_token(p, f->member);
  print_list(p, &f->list);
}

static void print_variable(struct printed *p, const struct reduction_variable *v)
{
  print_token(p, v->name);
  if (v->member) print(p, "."), print_token(p, v->member);
  print_list(p, &v->section);
  for (int k = 0; k < v->locations; k++) {
    print(p, "%s", k ? "," : "/");
    print_token(p, v->location[k]);
  }
  if (v->locations) print(p, "/");
}

static void print_reductions(struct printed *p, const struct directive *d)
{
  for (int k = 0; k < d->reductions; k++) {
    print(p, " reduction(");
    print_token(p, d->reduction[k].operation);
    for (int v = 0; v < d->reduction[k].count; v++) {
      print(p, "%s", v ? "," : ":");
      print_variable(p, &d->reduction[k].variable[v]);
    }
    print(p, ")");
  }
}

static void print_clauses(struct printed *p, const struct directive *d)
{
  static const char *const form[] = {"", " expand", " margin", " peel"};
  static const char *const flag[] = {" nocomm", " orthogonal", " async", " in", " out"};
  for (int v = 0; v < d->variable_count; v++) {
    print(p, "%s", v ? "," : " ");
    print_variable(p, &d->variable[v]);
  }
  print(p, "%s", form[d->form]);
  if (d->width.count) print(p, " width"), print_list(p, &d->width);
  for (unsigned k = 0; k < sizeof flag / sizeof *flag; k++)
    if (d->flags & 1u << k) print(p, "%s", flag[k]);
  if (d->async.first != d->async.last) print(p, " "), print_expression(p, &d->async);
  for (int k = 0; k < d->id_count; k++) print(p, " "), print_expression(p, &d->ids[k]);
  print_reference(p, " acquired=", &d->acquired);
  print_reference(p, " stat=", &d->stat);
  if (d->coindex.count) print(p, " image="), print_list(p, &d->coindex);
  if (d->image.first != d->image.last) print(p, "="), print_expression(p, &d->image);
}

static void print_directive(struct printed *p, const struct directive *d)
{
  static const char *const kind[] = {"nodes", "template", "distribute", "align", "shadow", "coarray",
      "template_fix", "task", "tasks", "end", "loop", "array", "reflect", "reduce_shadow", "gmove", "barrier",
      "reduction", "bcast", "wait_async", "post", "wait", "lock", "unlock", "image", "hint"};
  static const char *const parent[] = {"", " =*", " =**", " ="};
  print(p, "%s", kind[d->kind]);
  for (int k = 0; k < d->objects; k++) print_reference(p, k ? "," : " ", &d->object[k]);
  print(p, "%s", parent[d->parent]);
  print_reference(p, " @", &d->right);
  print_reference(p, " from ", &d->from);
  if (d->formats.count) print(p, " as "), print_list(p, &d->formats);
  if (d->variables.count) print(p, " over "), print_list(p, &d->variables);
  print_reductions(p, d);
  print_clauses(p, d);
}

static void print_directives(struct printed *p, const struct directive *list, int count)
{
  for (int k = 0; k < count; k++) {
    if (k) print(p, "; ");
    print_directive(p, &list[k]);
  }
}

#endif
