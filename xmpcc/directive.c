/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmpcc/directive.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "xmpcc/directive_reader.h"

/* ---- all directives ---- */

struct form {
  const char *word;
  enum directive_kind kind;
  void (*read)(struct reader *r, struct directive *d); /* what stands before the clauses */
  unsigned clauses;
  const char *on; /* of a directive that must have an on clause: how to write it */
};

#define REFLECT_CLAUSES (CLAUSE_WIDTH | CLAUSE_ORTHOGONAL | CLAUSE_ASYNC)
#define LOOP_CLAUSES    (CLAUSE_ON | CLAUSE_REDUCTION | CLAUSE_EXPAND | CLAUSE_MARGIN | CLAUSE_PEEL_AND_WAIT)
/* reflect_do carries out what reflect_init may prepare; a reflect keeps its plan anyway. */
static const struct form forms[] = {{"nodes", DIRECTIVE_NODES, nodes_read, 0, NULL},
    {"template", DIRECTIVE_TEMPLATE, template_read, 0, NULL},
    {"distribute", DIRECTIVE_DISTRIBUTE, distribute_read, 0, NULL},
    {"align", DIRECTIVE_ALIGN, align_read, 0, NULL}, {"shadow", DIRECTIVE_SHADOW, shadow_read, 0, NULL},
    {"coarray", DIRECTIVE_COARRAY, coarray_read, 0, NULL},
    {"template_fix", DIRECTIVE_TEMPLATE_FIX, template_fix_read, 0, NULL},
    {"task", DIRECTIVE_TASK, NULL, CLAUSE_ON | CLAUSE_NOCOMM, "on p[0:4] or on t[i]"},
    {"tasks", DIRECTIVE_TASKS, NULL, 0, NULL}, {"end", DIRECTIVE_END, end_read, 0, NULL},
    {"loop", DIRECTIVE_LOOP, loop_read, LOOP_CLAUSES, "on t[i] or on p[i]"},
    {"array", DIRECTIVE_ARRAY, NULL, CLAUSE_ON, "on t[:]"},
    {"reflect", DIRECTIVE_REFLECT, reflect_read, REFLECT_CLAUSES, NULL},
    {"reflect_do", DIRECTIVE_REFLECT, reflect_read, REFLECT_CLAUSES, NULL},
    {"reflect_init", DIRECTIVE_HINT, reflect_read, REFLECT_CLAUSES, NULL},
    {"reduce_shadow", DIRECTIVE_REDUCE_SHADOW, reflect_read, REFLECT_CLAUSES, NULL},
    {"gmove", DIRECTIVE_GMOVE, NULL, CLAUSE_IN | CLAUSE_OUT | CLAUSE_ASYNC, NULL},
    {"barrier", DIRECTIVE_BARRIER, NULL, CLAUSE_ON, NULL},
    {"reduction", DIRECTIVE_REDUCTION, reduction_read, CLAUSE_ON | CLAUSE_ASYNC, NULL},
    {"bcast", DIRECTIVE_BCAST, bcast_read, CLAUSE_FROM | CLAUSE_ON | CLAUSE_ASYNC, NULL},
    {"wait_async", DIRECTIVE_WAIT_ASYNC, wait_async_read, CLAUSE_ON, NULL},
    {"post", DIRECTIVE_POST, post_read, 0, NULL}, {"wait", DIRECTIVE_WAIT, wait_read, 0, NULL},
    {"lock", DIRECTIVE_LOCK, lock_read, CLAUSE_ACQUIRED_LOCK | CLAUSE_STAT, NULL},
    {"unlock", DIRECTIVE_UNLOCK, lock_read, CLAUSE_STAT, NULL},
    {"image", DIRECTIVE_IMAGE, image_read, 0, NULL}, {"static_desc", DIRECTIVE_HINT, names_read, 0, NULL},
    {"save_desc", DIRECTIVE_HINT, names_read, 0, NULL}};
enum { FORMS = sizeof forms / sizeof *forms };

/* ---- directives that do not exist ---- */

/* The words that need the fewest changes, two at most, as "a or b"; else all of them. */
static void directive_unknown(struct reader *r)
{
  char near[400] = "";
  size_t fewest = r->at->length < 5 ? 1 : 2, n = 0;
  int found = 0;
  for (int k = 0; k < FORMS; k++) {
    const size_t distance = word_distance(r->at, forms[k].word);
    if (distance < fewest) fewest = distance;
  }
  for (int k = 0; k < FORMS; k++) found += word_distance(r->at, forms[k].word) == fewest;
  for (int k = 0; k < FORMS; k++)
    if (!found || word_distance(r->at, forms[k].word) == fewest)
      n += (size_t)snprintf(near + n, sizeof near - n, "%s%s",
          !n          ? ""
              : found ? " or "
                      : ", ",
          forms[k].word);
  reader_error(r, r->at, found ? "unknown directive %s; is %s meant?" : "unknown directive %s; there are %s",
      reader_quote(r, r->at), near);
}

static int is_of_fortran(const struct token *t)
{
  return token_is_word(t, "local_alias") || token_is_word(t, "master_io") || token_is_word(t, "global_io");
}

static int is_of_draft(const struct token *t)
{
  return token_is_word(t, "tasklet") || token_is_word(t, "tasklets") || token_is_word(t, "taskletwait");
}

static const struct form *form_find(struct reader *r)
{
  for (int k = 0; k < FORMS; k++)
    if (reader_accept_word(r, forms[k].word)) return &forms[k];
  if (r->at->kind == TOKEN_END)
    reader_error(r, r->whole, "nothing follows xmp; write a directive, as in #pragma xmp barrier");
  else if (r->at->kind != TOKEN_NAME)
    reader_error(r, r->at, "%s is in the place of a directive; write its name", reader_quote(r, r->at));
  else if (is_of_draft(r->at))
    reader_error(r, r->at, "%s is of a draft of XcalableMP 2.0, and not translated; write task or plain C",
        reader_quote(r, r->at));
  else if (!r->fortran && is_of_fortran(r->at))
    reader_error(r, r->at, "the directive %s exists in Fortran alone", reader_quote(r, r->at));
  else directive_unknown(r);
  return NULL;
}

/* ---- one directive ---- */

static void directive_check(struct reader *r, const struct form *f, const struct directive *d)
{
  if (f->on && !d->right.name) reader_error(r, r->at, "%s has no on clause; write %s", r->name, f->on);
  if (d->kind == DIRECTIVE_LOOP && !r->failed) loop_check(r, d);
}

static void directive_read_one(struct reader *r)
{
  const struct form *const f = form_find(r);
  if (!f) return;
  r->name = f->word;
  do {
    struct directive d = {.kind = f->kind, .at = r->whole};
    if (f->read) f->read(r, &d);
    /* Each nodes have a directive, because each may be part of others. */
    if (f->kind != DIRECTIVE_NODES || !token_is(r->at, ",")) clauses_read(r, &d, f->clauses);
    directive_check(r, f, &d);
    reader_add(r, &d);
  } while (reader_accept(r, ","));
}

/* What is given to the caller, with what it consists of. */
struct result {
  struct arena arena;
  struct directive directive[];
};

static struct result *result_of(struct directive *list)
{
  return (struct result *)((char *)list - offsetof(struct result, directive));
}

struct directive *directive_read(const struct token *t, int fortran, int *count)
{
  struct reader r = {.whole = t, .at = t->list, .fortran = fortran, .name = "the directive"};
  *count = 0;
  if (combined_is(t->list)) combined_read(&r);
  else directive_read_one(&r);
  if (r.failed || !r.count) {
    arena_free(&r.arena);
    return NULL;
  }
  struct result *const all = memory_get(sizeof *all + (size_t)r.count * sizeof *r.directive);
  all->arena = r.arena;
  memcpy(all->directive, r.directive, (size_t)r.count * sizeof *r.directive);
  *count = r.count;
  return all->directive;
}

void directive_free(struct directive *list, int count)
{
  (void)count;
  if (!list) return;
  struct result *const all = result_of(list);
  arena_free(&all->arena);
  free(all);
}
