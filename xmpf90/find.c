/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Which name is meant: that of the scope, of a module, of the host. */
#include <string.h>
#include <strings.h>

#include "xmpf90/unit.h"

/* Modules that use each other, each several times, would be searched for ever. */
enum { FIND_STEPS_MOST = 1000, NAME_MOST = 256 };

static int is_same(const struct token *a, const struct token *b)
{
  return a->length == b->length && strncasecmp(a->text, b->text, a->length) == 0;
}

struct symbol *unit_own(const struct unit *u, const struct token *name)
{
  char small[NAME_MOST]; /* Fortran allows 63 letters */
  if (name->length > sizeof small) return NULL;
  for (unsigned k = 0; k < name->length; k++)
    small[k] = (char)(name->text[k] >= 'A' && name->text[k] <= 'Z' ? name->text[k] | 0x20 : name->text[k]);
  return table_find(&u->names, small, name->length);
}

struct unit *units_module(const struct units *all, const struct token *name)
{
  for (struct unit *u = all->file->child; u; u = u->next)
    if (u->kind == UNIT_MODULE && u->name && is_same(u->name, name)) return u;
  return NULL;
}

/* ---- use association ---- */

struct find {
  const struct units *all;
  int is_open; /* a module is not here that may have the name */
  int steps;
};

static struct symbol *find_used(struct find *f, const struct unit *u, const struct token *name);

/* The name in the module of a name here; NULL: this statement does not bring it. */
static const struct token *use_remote(const struct use *use, const struct token *name)
{
  for (int k = 0; k < use->count; k++)
    if (is_same(use->name[k].local, name)) return use->name[k].remote;
  if (use->only) return NULL;
  for (int k = 0; k < use->count; k++)
    if (is_same(use->name[k].remote, name)) return NULL; /* it has another name here */
  return name;
}

static struct symbol *find_in_module(struct find *f, const struct unit *module, const struct token *name)
{
  struct symbol *const y = unit_own(module, name);
  if (y) return y->attributes & SYMBOL_PRIVATE ? NULL : y;
  if (f->steps++ < FIND_STEPS_MOST) return find_used(f, module, name);
  f->is_open = 1;
  return NULL;
}

static struct symbol *find_used(struct find *f, const struct unit *u, const struct token *name)
{
  for (int k = 0; k < u->uses; k++) {
    const struct token *const remote = use_remote(&u->use[k], name);
    if (!remote) continue;
    const struct unit *const module = units_module(f->all, u->use[k].module);
    if (!module) f->is_open = 1;
    struct symbol *const y = module ? find_in_module(f, module, remote) : NULL;
    if (y) return y;
  }
  return NULL;
}

/* ---- host association ---- */

/* The scope around it whose names it has: an interface's procedure has those that it imports. */
static const struct unit *find_host(const struct unit *u, const struct token *name)
{
  const struct unit *const host = u->parent;
  if (!host || host->kind != UNIT_INTERFACE) return host;
  int imported = u->imports_all;
  for (int k = 0; k < u->imports && !imported; k++) imported = is_same(u->import[k], name);
  return imported ? host->parent : NULL;
}

struct symbol *unit_find(
    const struct units *all, const struct unit *u, const struct token *name, int *is_open)
{
  struct find f = {.all = all};
  struct symbol *y = NULL;
  for (; u && !y; u = y ? u : find_host(u, name)) {
    y = unit_own(u, name);
    if (!y) y = find_used(&f, u, name);
    if (u->kind == UNIT_SUBMODULE) f.is_open = 1; /* its parent is a module, perhaps elsewhere */
  }
  *is_open = f.is_open;
  return y;
}

int unit_implicit(const struct unit *u, const struct token *name, struct expression *type)
{
  const int letter = (*name->text | 0x20) - 'a';
  *type = (struct expression){name, name};
  for (; u; u = u->parent) {
    if (u->is_implicit_none) return 0;
    if (letter >= 0 && letter < 26 && u->implicit[letter].first) return *type = u->implicit[letter], 1;
    if (u->parent && u->parent->kind == UNIT_INTERFACE) break;
  }
  return 1;
}
