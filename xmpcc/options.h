/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The command line: which words concern which step, and which files are translated. */
#ifndef XMPCC_OPTIONS_H
#define XMPCC_OPTIONS_H
#include <stddef.h>

/* What the compiler was asked for. */
enum stage {
  STAGE_LINK,
  STAGE_OBJECT,     /* -c */
  STAGE_ASSEMBLY,   /* -S */
  STAGE_SYNTAX,     /* -fsyntax-only */
  STAGE_PREPROCESS, /* -E */
  STAGE_TRANSLATE,  /* --translate */
  STAGE_COMPILER    /* what only the compiler can answer: -M, -E -dM, no file at all */
};

/* The steps that a word is for. */
enum { FOR_PREPROCESSOR = 1, FOR_COMPILER = 2, FOR_LINKER = 4, FOR_DEPENDENCIES = 8, FOR_STAGE = 16 };

struct word {
  const char *text;
  unsigned steps;       /* 0: a file */
  int is_source;        /* a C source, to be translated */
  const char *language; /* of a file: -x's word; NULL: what its suffix says */
};

struct words {
  const char **word; /* [count], and a NULL */
  size_t count, capacity;
};
void words_add(struct words *w, const char *text);
/* Parts at white space. */
void words_split(struct words *w, const char *text);

enum show { SHOW_NOTHING, SHOW_COMMANDS, SHOW_COMPILE, SHOW_LINK };
struct options {
  struct word *word; /* [count]: the command line but for -o, and for what is xmpcc's own */
  size_t count, capacity;
  enum stage stage;
  enum show show;
  const char *out;                         /* of -o */
  size_t inputs, sources, libraries_named; /* files; those of C; words -l */
  size_t headers_given;                    /* files that are to be precompiled */
  int is_shared;                           /* -shared, -r: no program */
  int is_relocatable;                      /* -r */
  int keeps_temporaries;                   /* -save-temps */
  int keeps_here;                          /* in the current directory: -save-temps=cwd */
  int keeps_comments;                      /* for the compiler, which reads "fall through" in them */
  int keeps_macros;                        /* for debuggers: -g3 */
  int names_dumps;                         /* the user does: -dumpbase and the like */
  int shows_too;                           /* --tmp: a translated source for each, beside what is made */
  int is_unmarked;                         /* -P: no line marks */
  int version;                             /* is asked for */
  int inst, inst_functions;
  int mpi; /* beside XcalableMP */
  const char *tool;
  const char *depend;       /* -MD or -MMD */
  const char *depend_file;  /* of -MF */
  struct words depend_more; /* -MT, -MQ, -MP, -MG and their words */

  /* Where things are. pkg/xmpcc.in says it. */
  const char *cc, *headers, *library_directory, *rpath, *libraries, *release;
  const char *mpi_flags, *mpi_libraries; /* empty: there is no MPI */
};

/* Errors end the program with 2, --help with 0. */
void options_read(struct options *o, int argc, char **argv);
void xmpcc_fatal(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

#endif
