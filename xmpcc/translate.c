/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmpcc/translate.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "xmpcc/unit.h"

/* ---- directives ---- */

/* #pragma XMP and #pragma xpm: compilers ignore what they do not know. */
static void pragma_check(const struct token *t)
{
  static const char *const near[] = {"xmp", "xpm", "mxp", "mpx", "pxm", "pmx"};
  const char *s = t->text, *const end = t->text + t->length;
  while (s < end && strchr("# \t", *s)) s++;
  if (end - s < 6 || memcmp(s, "pragma", 6) != 0) return;
  for (s += 6; s < end && strchr(" \t", *s);) s++;
  if (t->system || end - s < 4 || !strchr(" \t", s[3])) return;
  for (size_t i = 0; i < sizeof near / sizeof *near; i++)
    if (strncasecmp(s, near[i], 3) == 0)
      message_warning(t, "this pragma is ignored; #pragma %.3s is not #pragma xmp", s);
}

static void directives_read(struct unit *u)
{
  for (size_t i = 0; i < u->source->count; i++) {
    const struct token *const t = &u->source->token[i];
    if (t->kind == TOKEN_PRAGMA) pragma_check(t);
    if (t->kind != TOKEN_DIRECTIVE) continue;
    u->parsed = kept_grow(u->parsed, u->directives, sizeof *u->parsed);
    struct parsed *const p = &u->parsed[u->directives++];
    p->at = t;
    p->directive = directive_read(t, 0, &p->count);
    if (p->count == 0 && message_errors()) wrong_read(u, t);
  }
}

struct parsed *unit_directives(const struct unit *u, const struct token *at)
{
  size_t low = 0, high = u->directives;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (u->parsed[middle].at < at) low = middle + 1;
    else high = middle;
  }
  return &u->parsed[low];
}

/* Where the walk does not come, a directive would do nothing. */
static void directives_check(const struct unit *u)
{
  for (size_t i = 0; i < u->directives; i++)
    if (u->parsed[i].count && !u->parsed[i].walked && !message_errors())
      message_error(u->parsed[i].at, "a directive may not stand here; write it before a statement");
}

static void directives_free(struct unit *u)
{
  for (size_t i = 0; i < u->directives; i++) directive_free(u->parsed[i].directive, u->parsed[i].count);
}

/* ---- the constructor ---- */

const char *where_of(const struct token *at) { return text_quoted(text_of("%s:%u", at->file, at->line)); }

void unit_begin_add(struct unit *u, const struct token *at, const char *text)
{
  u->begin = kept_grow(u->begin, (size_t)u->begins, sizeof *u->begin);
  u->begin[u->begins].at = at;
  u->begin[u->begins++].text = text;
}

static void begin_write(struct unit *u)
{
  if (!u->begins) return;
  edit_at_end(u->edits, u->begin[0].at,
      "__attribute__((constructor)) static void _xmp_begin(int _xmp_count, char **_xmp_word) { "
      "pst_xmp_begin(_xmp_count, _xmp_word);");
  for (int i = 0; i < u->begins; i++) edit_at_end(u->edits, u->begin[i].at, "%s", u->begin[i].text);
  edit_at_end(u->edits, u->begin[u->begins - 1].at, "}");
}

int translate(const struct source *s, struct edits *e)
{
  struct unit u = {.source = s, .edits = e, .scope = scope_new()};
  u.clang = strstr(s->text, "\n#define __clang__ ") != NULL;
  directives_read(&u);
  walk_file(&u);
  directives_check(&u);
  begin_write(&u);
  directives_free(&u);
  kept_free();
  return message_errors() ? -1 : 0;
}
