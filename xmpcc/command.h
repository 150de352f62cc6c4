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
/* What the names of all other files begin with that the compiler makes of a source: "dir/", "dir/prog-". */
char *command_beside(const struct options *o);
/* The file name in the place of the source's in these: without its suffix. */
char *command_base(const struct options *o, const struct word *source);
/* The list of dependencies of a source, if it is wanted; else NULL. Of -MF - it is a temporary file. */
const char *command_dependencies(const struct options *o, const struct word *source);

/* The caller frees words.word. */
struct words command_preprocess(const struct options *o, const struct word *source);
/* features: of the compiler. */
enum { COMPILER_IS_CLANG = 1, COMPILER_NAMES_DUMPS = 2 /* -dumpdir and -dumpbase */ };
struct words command_compile(const struct options *o, const struct word *source, const char *preprocessed,
    const char *object, unsigned features);
/* What no source of ours is: as the user gave it. objects: in the place of sources; NULL: all words stay. */
struct words command_rest(const struct options *o, const char *const *objects);
/* Added for compiling, and for linking. */
void command_add_compile(const struct options *o, struct words *w);
void command_add_link(const struct options *o, struct words *w);

#endif
