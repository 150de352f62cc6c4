/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmpcc/command.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xmpcc/memory.h"
#include "xmpcc/process.h"

#define PREFIX_HEADER "xmp_translated.h"

/* ---- names ---- */

static char *made(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static char *made(const char *fmt, ...)
{
  char *text;
  va_list arguments;
  va_start(arguments, fmt);
  const int n = vasprintf(&text, fmt, arguments);
  va_end(arguments);
  if (n < 0) exit(1);
  return text;
}

/* Where the file name's last suffix begins. */
static size_t suffix_at(const char *file)
{
  const char *slash = strrchr(file, '/'), *dot = strrchr(file, '.');
  return dot && dot > (slash ? slash + 1 : file) ? (size_t)(dot - file) : strlen(file);
}

char *command_stem(const char *file)
{
  const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
  return made("%.*s", (int)suffix_at(base), base);
}

const char *command_object(const struct options *o, const struct word *source)
{
  if (o->out) return o->out;
  return made("%s.%s", command_stem(source->text), o->stage == STAGE_ASSEMBLY ? "s" : "o");
}

char *command_beside(const struct options *o)
{
  const char *slash = o->out && !o->keeps_here ? strrchr(o->out, '/') : NULL;
  const int directory = slash ? (int)(slash + 1 - o->out) : 0;
  if (o->stage != STAGE_LINK) return made("%.*s", directory, o->out ? o->out : "");
  return made("%.*s%s-", directory, o->out ? o->out : "", o->out ? command_stem(o->out) : "a");
}

char *command_base(const struct options *o, const struct word *source)
{
  return command_stem(o->out && o->stage != STAGE_LINK ? o->out : source->text);
}

const char *command_dependencies(const struct options *o, const struct word *source)
{
  static const char *shown;
  if (o->depend && o->depend_file && strcmp(o->depend_file, "-") == 0)
    return shown ? shown : (shown = temporary_path("dependencies"));
  if (!o->depend || o->depend_file) return o->depend ? o->depend_file : NULL;
  if (!o->out) return made("%s.d", command_stem(source->text));
  if (o->stage != STAGE_LINK || o->sources == 1) return made("%.*s.d", (int)suffix_at(o->out), o->out);
  return made("%.*s-%s.d", (int)suffix_at(o->out), o->out, command_stem(source->text));
}

/* ---- words ---- */

static void add_steps(struct words *w, const struct options *o, unsigned steps)
{
  for (size_t i = 0; i < o->count; i++)
    if ((o->word[i].steps & steps) != 0) words_add(w, o->word[i].text);
}

static struct words command_begin(const struct options *o)
{
  struct words w = {0};
  words_split(&w, o->cc);
  if (!w.count) xmpcc_fatal("the name of the compiler is empty; --cc=COMMAND or XMPCC_CC names one");
  return w;
}

/* MPI's directories are the system's, too. */
static void add_mpi(const struct options *o, struct words *w)
{
  struct words flags = {0};
  words_add(w, "-DPENSTOCK_XMP_MPI");
  words_split(&flags, o->mpi_flags);
  for (size_t i = 0; i < flags.count; i++) {
    const char *flag = flags.word[i];
    const int is_directory = strncmp(flag, "-I", 2) == 0 && flag[2];
    if (is_directory) words_add(w, "-isystem");
    words_add(w, is_directory ? flag + 2 : flag);
  }
  free(flags.word);
}

/* The directory is one of the system's, so no option makes the compiler complain of what is in it. */
void command_add_compile(const struct options *o, struct words *w)
{
  if (o->mpi) add_mpi(o, w);
  words_add(w, "-D_XCALABLEMP=201811");
  words_add(w, "-isystem");
  words_add(w, made("%s/penstock-xmp", o->headers));
}

static void add_tool(const struct options *o, struct words *w)
{
  const char *t = o->tool;
  if (!t) return;
  const char *suffix = t + suffix_at(t);
  const int is_file = strchr(t, '/') || !strcmp(suffix, ".o") || !strcmp(suffix, ".a") ||
      !strcmp(suffix, ".so");
  words_add(w, "-Wl,-u,gasp_init,-u,gasp_event_notify,--push-state,--no-as-needed");
  words_add(w, is_file ? t : made("-lpenstock-gasp-%s", t));
  words_add(w, "-Wl,--pop-state");
}

void command_add_link(const struct options *o, struct words *w)
{
  if (o->inst) words_add(w, "-Wl,--wrap=malloc,--wrap=realloc,--wrap=free");
  if (o->inst_functions) words_add(w, "-rdynamic");
  if (!o->is_shared) words_add(w, made("%s/penstock-xmp-begin.o", o->library_directory));
  words_add(w, made("-L%s", o->library_directory));
  words_split(w, o->rpath);
  add_tool(o, w);
  if (o->mpi) words_add(w, "-lpenstock-xmp-mpi");
  words_split(w, "-lpenstock-xmp -lpenstock-gasp -lgasnet");
  if (o->mpi) words_split(w, o->mpi_libraries);
  words_split(w, o->libraries);
}

static void add_dependencies(const struct options *o, const struct word *source, struct words *w)
{
  const char *file = command_dependencies(o, source);
  int named = 0;
  if (!file) return;
  words_add(w, o->depend);
  words_add(w, "-MF");
  words_add(w, file);
  for (size_t i = 0; i < o->depend_more.count; i++) {
    words_add(w, o->depend_more.word[i]);
    named |= strcmp(o->depend_more.word[i], "-MT") == 0 || strcmp(o->depend_more.word[i], "-MQ") == 0;
  }
  if (named) return;
  words_add(w, "-MQ");
  words_add(w, o->out && o->stage != STAGE_PREPROCESS ? o->out : made("%s.o", command_stem(source->text)));
}

struct words command_preprocess(const struct options *o, const struct word *source)
{
  struct words w = command_begin(o);
  words_add(&w, "-E");
  words_add(&w, "-dD");
  words_add(&w, "-include");
  words_add(&w, PREFIX_HEADER);
  if (o->keeps_comments && o->stage < STAGE_PREPROCESS) words_add(&w, "-C");
  add_steps(&w, o, FOR_PREPROCESSOR);
  add_dependencies(o, source, &w);
  command_add_compile(o, &w);
  words_add(&w, "-x");
  words_add(&w, "c");
  words_add(&w, source->text);
  return w;
}

/* Else the files of -save-temps, --coverage and the like would have the name of the temporary file. */
static void add_dumps(const struct options *o, const struct word *source, struct words *w)
{
  const char *suffix = source->text + suffix_at(source->text);
  if (o->names_dumps) return;
  words_add(w, "-dumpdir");
  words_add(w, *command_beside(o) ? command_beside(o) : "./");
  words_add(w, "-dumpbase");
  words_add(w, made("%s%s", command_base(o, source), suffix));
  words_add(w, "-dumpbase-ext");
  words_add(w, suffix);
}

/* Subscripts of distributed arrays are global ones, which are beyond the bounds of this node's part. */
static void add_no_bounds(const struct options *o, struct words *w)
{
  for (size_t i = 0; i < o->count; i++)
    if ((o->word[i].steps & FOR_COMPILER) && strncmp(o->word[i].text, "-fsanitize=", 11) == 0) {
      words_add(w, "-fno-sanitize=bounds");
      return;
    }
}

/* Clang complains of options that only linking needs, which is more than it does of C. */
struct words command_compile(const struct options *o, const struct word *source, const char *preprocessed,
    const char *object, unsigned features)
{
  struct words w = command_begin(o);
  if (features & COMPILER_IS_CLANG) words_add(&w, "-Qunused-arguments");
  add_steps(&w, o, FOR_COMPILER);
  add_no_bounds(o, &w);
  if (o->inst_functions) words_add(&w, "-finstrument-functions");
  if (features & COMPILER_NAMES_DUMPS) add_dumps(o, source, &w);
  words_add(&w, o->stage == STAGE_ASSEMBLY ? "-S" : o->stage == STAGE_SYNTAX ? "-fsyntax-only" : "-c");
  if (o->stage != STAGE_SYNTAX) words_add(&w, "-o"), words_add(&w, object);
  words_add(&w, "-x");
  words_add(&w, "cpp-output");
  words_add(&w, preprocessed);
  return w;
}

/* ---- what the compiler does alone ---- */

static int is_linked(const struct word *f)
{
  const char *s = f->text + suffix_at(f->text);
  return !f->language &&
      (!strcmp(s, ".o") || !strcmp(s, ".a") || !strcmp(s, ".so") || strstr(f->text, ".so."));
}

static int has_compiled(const struct options *o, int sources)
{
  for (size_t i = 0; i < o->count; i++)
    if (!o->word[i].steps && (sources || !o->word[i].is_source) && !is_linked(&o->word[i])) return 1;
  return 0;
}

static void add_file(struct words *w, const char *file, const char *language, const char **before)
{
  const char *now = *before ? *before : "none", *then = language ? language : "none";
  if (strcmp(now, then) != 0) words_add(w, "-x"), words_add(w, then);
  *before = language;
  words_add(w, file);
}

/* Each source's object, or nothing where a source has no part in this step; files of others. */
static void add_files(struct words *w, const struct options *o, const char *const *objects, unsigned steps)
{
  const char *language = NULL;
  size_t source = 0;
  for (size_t i = 0; i < o->count; i++) {
    const struct word *f = &o->word[i];
    if (f->steps & steps) words_add(w, f->text);
    if (f->steps) continue;
    if (!objects || !f->is_source) add_file(w, f->text, f->language, &language);
    else if (objects[source++]) add_file(w, objects[source - 1], NULL, &language);
  }
  if (language) words_add(w, "-x"), words_add(w, "none");
}

struct words command_rest(const struct options *o, const char *const *objects)
{
  const int compiles = has_compiled(o, !objects);
  struct words w = command_begin(o);
  unsigned steps = FOR_LINKER | FOR_STAGE;
  if (compiles || !(o->inputs + o->libraries_named))
    steps |= FOR_PREPROCESSOR | FOR_COMPILER | FOR_DEPENDENCIES;
  add_files(&w, o, objects, steps);
  if (o->out) words_add(&w, "-o"), words_add(&w, o->out);
  if (compiles) command_add_compile(o, &w);
  if (compiles && o->inst_functions) words_add(&w, "-finstrument-functions");
  const int links = o->stage == STAGE_LINK && (o->headers_given < o->inputs || o->libraries_named);
  if (links && !o->is_relocatable) command_add_link(o, &w);
  return w;
}
