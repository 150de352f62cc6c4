/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What a statement declares. */
#ifndef XMPF90_DECLARE_H
#define XMPF90_DECLARE_H
#include "xmpf90/unit.h"

/* The symbol of a name in the unit, which is made where it has none. */
struct symbol *declare_name(struct units *all, struct unit *u, const struct token *name, size_t statement);
/* Adds what statement k says of names to its unit. Statements of other kinds say nothing. */
void declare(struct units *all, struct unit *u, size_t k);
/* The name, the result and the dummy arguments of a procedure that begins with statement k; those of ENTRY.
 */
void declare_procedure(struct units *all, struct unit *u, size_t k);
/* Zeroed memory. */
void *declare_take(struct units *all, size_t size);
/* A list with room for one more. */
void *declare_grow(struct units *all, void *list, int count, size_t size);

/* The end of a list's entry: a comma or a bracket that it has not opened, or the end. */
size_t declare_entry_end(const struct statement *s, size_t k);
struct expression declare_range(const struct statement *s, size_t first, size_t last);

#endif
