/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Reads a source with the Fortran front and writes it again: through [WORD..] FILE. As it came; with "touch"
 * every statement is written anew, with "marked" under a line mark. "kinds" shows what each statement is,
 * "units" the units with their names. "fixed", "free", "openmp", "width=N" and "-IDIR" are as gfortran has
 * them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xmpcc/message.h"
#include "xmpf90/output.h"
#include "xmpf90/unit.h"

enum { DIRECTORIES_MOST = 20 };

static char *file_read(const char *name, size_t *size)
{
  FILE *const f = fopen(name, "r");
  char *text = NULL;
  *size = 0;
  if (!f) return NULL;
  for (size_t got = 1; got; *size += got) {
    if (!(text = realloc(text, *size + 65537))) exit(1);
    got = fread(text + *size, 1, 65536, f);
  }
  fclose(f);
  return text;
}

static void kinds_show(const struct lines *l)
{
  for (size_t k = 0; k < l->count; k++) {
    const struct statement *const s = &l->statement[k];
    const struct token *const t = s->token;
    printf("%s:%u:%u: %s", t->file, t->line, t->column, statement_name(s->kind));
    if (s->inner) printf(", %s", statement_name(s->inner_kind));
    if (s->kind == STATEMENT_END) printf(" of %s", statement_name(s->ends));
    if (s->name) printf(" %.*s", (int)t[s->name].length, t[s->name].text);
    putchar('\n');
  }
}

static void names_show(const struct unit *u, int indent)
{
  const struct symbol *y;
  for (size_t at = 0; (y = table_next(&u->names, &at));)
    printf("%*s%s: rank %d, attributes %#x%s\n", indent, "", y->name, y->rank, y->attributes,
        expression_is_empty(&y->type) ? "" : ", typed");
}

static void units_show(struct lines *l)
{
  struct units *const all = units_read(l);
  int indent = 0;
  for (const struct unit *u = all->file; u;) {
    const struct token *const n = u->name;
    printf("%*sunit %d %.*s: %zu to %zu\n", indent, "", u->kind, n ? (int)n->length : 0, n ? n->text : "",
        u->first, u->last);
    names_show(u, indent + 2);
    if (u->child) {
      u = u->child, indent += 2;
      continue;
    }
    while (u && !u->next) u = u->parent, indent -= 2;
    if (u) u = u->next;
  }
  for (size_t k = 0; k < l->count; k++)
    if (all->loop[k])
      printf("loop of %d at %u to %u\n", all->loop[k]->count, l->statement[k].token->line,
          all->loop[k]->last < l->count ? l->statement[all->loop[k]->last].token->line : 0);
  units_free(all);
}

int main(int argc, char **argv)
{
  const char *directory[DIRECTORIES_MOST];
  const char *const name = argv[argc - 1];
  int preprocess, touch = 0, kinds = 0, units = 0, marked = 0;
  size_t size;
  struct line_options o = {.form = line_form(name, &preprocess), .width = 72, .directory = directory};
  for (int k = 1; k + 1 < argc; k++) {
    if (strcmp(argv[k], "touch") == 0) touch = 1;
    else if (strcmp(argv[k], "kinds") == 0) kinds = 1;
    else if (strcmp(argv[k], "units") == 0) units = 1;
    else if (strcmp(argv[k], "marked") == 0) marked = 1;
    else if (strcmp(argv[k], "fixed") == 0) o.form = FORM_FIXED;
    else if (strcmp(argv[k], "free") == 0) o.form = FORM_FREE;
    else if (strcmp(argv[k], "openmp") == 0) o.is_openmp = 1;
    else if (strncmp(argv[k], "width=", 6) == 0) o.width = (unsigned)atoi(argv[k] + 6);
    else if (strncmp(argv[k], "-I", 2) == 0 && o.directories < DIRECTORIES_MOST)
      directory[o.directories++] = argv[k] + 2;
  }
  char *const text = file_read(name, &size);
  if (!text) return fprintf(stderr, "through: there is no %s\n", name), 1;
  struct lines *const l = lines_read(text, size, name, &o);
  for (size_t k = 0; touch && k < l->count; k++) output_touch(&l->statement[k]);
  if (units) units_show(l);
  else if (kinds) kinds_show(l);
  else if (output_write(l, stdout, marked)) return 1;
  lines_free(l);
  return message_errors() != 0;
}
