/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The compiler's command lines, one for each step. */
#ifndef XMPCC_COMMAND_H
#define XMPCC_COMMAND_H
#include "xmpcc/options.h"

/* The file name without directories and its last suffix. */
char *command_stem(const char *file);
/* What step gives of the source: -o's file, or the one that the compiler would choose. */
const char *command_object(const struct options *o, const struct word *source);
/* The list of dependencies of a source, if it is wanted; else NULL. */
const char *command_dependencies(const struct options *o, const struct word *source);

/* The caller frees words.word. */
struct words command_preprocess(const struct options *o, const struct word *source);
struct words command_compile(
    const struct options *o, const char *preprocessed, const char *object, int clang);
/* What no source of ours is: as the user gave it. objects: in the place of sources; NULL: all words stay. */
struct words command_rest(const struct options *o, const char *const *objects);
/* Added for compiling, and for linking. */
void command_add_compile(const struct options *o, struct words *w);
void command_add_link(const struct options *o, struct words *w);

#endif
