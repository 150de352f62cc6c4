/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The macros of a source, and what they make of a list of tokens, by the rules of the C standard: # and ##,
 * variadic ones with GNU's forms and __VA_OPT__, no macro within itself. A definition is read when it is
 * first used: most are never. */
#ifndef XMPCC_MACRO_H
#define XMPCC_MACRO_H
#include "xmpcc/memory.h"
#include "xmpcc/token.h"

struct macros;
/* Texts that macros make (#, ##, __LINE__) and the definitions are in the arena. is_saved, called with the
 * context, says whether the source may save and restore a name's definition by push_macro and pop_macro, of
 * which the preprocessor tells nothing; it is asked only of names whose definitions change. */
struct macros *macros_open(struct arena *a, int (*is_saved)(void *, const char *, size_t), void *context);
void macros_free(struct macros *m);

/* What stands behind #define and #undef up to the end of the line, in a text that lives as long. */
void macro_define(struct macros *m, const char *at, const char *end);
void macro_undefine(struct macros *m, const char *at, const char *end);

/* Expands a list, which ends with a TOKEN_END as the result does; the caller frees that. The first `kept`
 * tokens stay as they are. Tokens from a macro have the place of its name. What is wrong is told as of `at`,
 * whose line and file are __LINE__ and __FILE__. */
struct token *macros_expand(struct macros *m, const struct token *list, size_t kept, const struct token *at);

#endif
