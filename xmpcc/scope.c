/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmpcc/scope.h"

#include <string.h>

#include "xmpcc/text.h"

enum { CHAINS = 4096 };
struct scope {
  int level;
  struct symbol *last;          /* declared */
  struct symbol *chain[CHAINS]; /* by name, the innermost first */
};

struct scope *scope_new(void) { return kept_take(sizeof(struct scope)); }
void scope_open(struct scope *s) { s->level++; }
int scope_level(const struct scope *s) { return s->level; }

void scope_close(struct scope *s)
{
  for (; s->last && s->last->level == s->level; s->last = s->last->before)
    s->chain[s->last->hash % CHAINS] = s->last->hidden;
  s->level--;
}

static unsigned name_hash(const struct token *t)
{
  unsigned h = 2166136261u;
  for (unsigned i = 0; i < t->length; i++) h = (h ^ (unsigned char)t->text[i]) * 16777619u;
  return h;
}

enum space { OF_C, OF_MAPPINGS, OF_TAGS };
static enum space space_of(enum symbol_kind k)
{
  return k == SYMBOL_TAG ? OF_TAGS : k == SYMBOL_NODES || k == SYMBOL_TEMPLATE ? OF_MAPPINGS : OF_C;
}

static struct symbol *chain_find(const struct scope *s, const struct token *name, enum space space)
{
  const unsigned hash = name_hash(name);
  for (struct symbol *i = s->chain[hash % CHAINS]; i; i = i->hidden)
    if (i->hash == hash && space_of(i->kind) == space && i->name->length == name->length &&
        memcmp(i->name->text, name->text, name->length) == 0)
      return i;
  return NULL;
}

struct symbol *scope_find(const struct scope *s, const struct token *name)
{
  return chain_find(s, name, OF_C);
}
struct symbol *scope_find_mapping(const struct scope *s, const struct token *name)
{
  return chain_find(s, name, OF_MAPPINGS);
}
struct symbol *scope_find_tag(const struct scope *s, const struct token *name)
{
  return chain_find(s, name, OF_TAGS);
}

struct symbol *scope_add(struct scope *s, enum symbol_kind kind, const struct token *name)
{
  struct symbol *const new = kept_take(sizeof *new);
  const unsigned hash = name_hash(name);
  *new = (struct symbol){.kind = kind,
      .name = name,
      .level = s->level,
      .hash = hash,
      .hidden = s->chain[hash % CHAINS],
      .before = s->last};
  return s->last = s->chain[hash % CHAINS] = new;
}
