/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmpcc/driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xmpcc/command.h"
#include "xmpcc/dependencies.h"
#include "xmpcc/edit.h"
#include "xmpcc/memory.h"
#include "xmpcc/message.h"
#include "xmpcc/preprocessed.h"
#include "xmpcc/process.h"
#include "xmpcc/source.h"
#include "xmpcc/translate.h"

static int driver_run_words(const struct options *o, struct words w)
{
  const int code = process_run(&w, o->show == SHOW_COMMANDS);
  free(w.word);
  return code;
}

/* ---- one source ---- */

/* -MF - */
static void driver_show_list(const char *list)
{
  FILE *f = fopen(list, "r");
  int c;
  while (f && (c = getc(f)) != EOF) putchar(c);
  if (f) fclose(f);
}

/* The text that the preprocessor makes of it; NULL: *code says why. */
static char *driver_preprocess(const struct options *o, const struct word *source, size_t *size, int *code)
{
  struct words w = command_preprocess(o, source);
  const char *list = command_dependencies(o, source);
  char *text = process_read(&w, size, code);
  free(w.word);
  if (*code == 0 && list && strcmp(o->depend, "-MD") == 0) dependencies_drop(list, "/xmp_translated.h");
  if (*code == 0 && list && list != o->depend_file && o->depend_file) driver_show_list(list);
  if (*code == 0) return text;
  free(text);
  return NULL;
}

static FILE *driver_open(const char *file)
{
  FILE *f = fopen(file, "w");
  if (!f) xmpcc_fatal("cannot write %s: %m", file);
  return f;
}

static void driver_close(FILE *f, const char *file, int wrong)
{
  wrong |= fflush(f) != 0 || ferror(f);
  if ((f != stdout && fclose(f) != 0) || wrong) xmpcc_fatal("cannot write %s: %m", file);
}

/* What --translate and -E show, the last of these in the form that a preprocessor has. */
static void driver_show(const struct options *o, const struct edits *e)
{
  const char *file = o->out && strcmp(o->out, "-") != 0 ? o->out : NULL;
  FILE *out = file ? driver_open(file) : stdout;
  char *text = NULL;
  size_t size = 0;
  int wrong = 0;
  if (o->stage == STAGE_TRANSLATE) {
    wrong = edits_write(e, out, EDITS_READABLE);
  } else {
    FILE *memory = open_memstream(&text, &size);
    wrong = !memory || edits_write(e, memory, EDITS_PLAIN);
    if (memory) fclose(memory);
    if (!wrong) preprocessed_write(text, size, out, !o->is_unmarked);
    free(text);
  }
  driver_close(out, file ? file : "the output", wrong);
}

/* What is preprocessed, where it stays; else the name of a temporary file. */
static char *driver_kept(const struct options *o, const struct word *source)
{
  char *name, *beside = command_beside(o), *base = command_base(o, source);
  if (asprintf(&name, "%s%s.i", o->keeps_temporaries ? beside : "", base) < 0) exit(1);
  free(beside);
  free(base);
  return name;
}

/* The features of the compiler that made this text. */
static unsigned driver_features(const char *text)
{
  const char *version = strstr(text, "\n#define __GNUC__ ");
  if (strstr(text, "\n#define __clang__ ")) return COMPILER_IS_CLANG;
  return version && atoi(version + sizeof "\n#define __GNUC__ " - 1) >= 11 ? COMPILER_NAMES_DUMPS : 0;
}

static int driver_compile(const struct options *o, const struct word *source, const struct edits *e,
    const char *object, unsigned features)
{
  char *name = driver_kept(o, source);
  const char *file = o->keeps_temporaries ? name : temporary_path(name);
  const int macros = o->keeps_macros && !(features & COMPILER_IS_CLANG);
  FILE *f = driver_open(file);
  driver_close(f, file, edits_write(e, f, macros ? EDITS_WITH_MACROS : EDITS_PLAIN));
  const int code = driver_run_words(o, command_compile(o, source, file, object, features));
  free(name);
  return code;
}

/* --tmp */
static void driver_show_too(const struct word *source, const struct edits *e)
{
  char *name;
  if (asprintf(&name, "__omni_tmp__%s.c", command_stem(source->text)) < 0) exit(1);
  FILE *f = driver_open(name);
  driver_close(f, name, edits_write(e, f, EDITS_READABLE));
  free(name);
}

/* The commands, as if the temporary file were in this directory. */
static int driver_show_commands(const struct options *o, const struct word *source, const char *object)
{
  char *name;
  driver_run_words(o, command_preprocess(o, source));
  if (o->stage == STAGE_PREPROCESS || o->stage == STAGE_TRANSLATE) return 0;
  name = driver_kept(o, source);
  return driver_run_words(o, command_compile(o, source, name, object, 0));
}

static int driver_source(const struct options *o, const struct word *source, const char *object)
{
  size_t size;
  int code;
  if (o->show) return driver_show_commands(o, source, object);
  char *text = driver_preprocess(o, source, &size, &code);
  if (!text) return code;
  const unsigned features = driver_features(text);
  const unsigned errors = message_errors();
  struct source *s = source_read(text, size, strcmp(source->text, "-") ? source->text : "<stdin>");
  struct edits *e = edits_open(s);
  if (translate(s, e) != 0 || message_errors() != errors) code = 1;
  else if (o->stage == STAGE_PREPROCESS || o->stage == STAGE_TRANSLATE) driver_show(o, e);
  else {
    if (o->shows_too) driver_show_too(source, e);
    code = driver_compile(o, source, e, object, features);
  }
  edits_free(e);
  source_free(s);
  return code;
}

/* ---- all files ---- */

static const char *driver_temporary_object(const struct options *o, const struct word *source)
{
  char *name;
  const int stays = o->keeps_temporaries;
  if (asprintf(&name, "%s%s.o", stays ? command_beside(o) : "", command_base(o, source)) < 0) exit(1);
  return o->show || stays ? name : temporary_path(name);
}

/* Objects for the linker; the exit code of the first step that fails. */
static int driver_sources(const struct options *o, const char **objects)
{
  int status = 0;
  size_t n = 0;
  for (size_t i = 0; i < o->count; i++) {
    const struct word *f = &o->word[i];
    if (!f->is_source) continue;
    const char *object = o->stage == STAGE_LINK ? driver_temporary_object(o, f) : command_object(o, f);
    const int code = driver_source(o, f, object);
    if (code && !status) status = code;
    objects[n++] = o->stage == STAGE_LINK ? object : NULL;
  }
  return status;
}

static int driver_version(const struct options *o)
{
  struct words w = {0};
  words_split(&w, o->cc);
  words_add(&w, "--version");
  const int code = process_run(&w, 0);
  printf("xmpcc (Penstock) %s\n", o->release);
  return code;
}

static int driver_show_added(const struct options *o)
{
  struct words w = {0};
  if (o->show == SHOW_COMPILE) {
    words_split(&w, "-include xmp_translated.h");
    command_add_compile(o, &w);
  } else {
    command_add_link(o, &w);
  }
  return process_run(&w, 1);
}

static int is_directive(const char *line)
{
  line += strspn(line, " \t");
  if (*line != '#') return 0;
  line += 1 + strspn(line + 1, " \t");
  if (strncmp(line, "pragma", 6) != 0) return 0;
  line += 6 + strspn(line + 6, " \t");
  return strncmp(line, "xmp", 3) == 0 && strchr(" \t\n\\", line[3]);
}

/* The compiler would ignore directives in sources that are not C. */
static int driver_refuses(const char *file)
{
  static const char *const suffixes[] = {".cc", ".cpp", ".cxx", ".c++", ".C", ".cu", ".m"};
  const char *const dot = strrchr(file, '.');
  size_t i = 0, capacity = 0;
  unsigned number = 0;
  char *line = NULL;
  while (dot && i < sizeof suffixes / sizeof *suffixes && strcmp(dot, suffixes[i]) != 0) i++;
  FILE *const f = dot && i < sizeof suffixes / sizeof *suffixes ? fopen(file, "r") : NULL;
  int found = 0;
  while (f && !found && getline(&line, &capacity, f) >= 0) number++, found = is_directive(line);
  if (f) fclose(f);
  free(line);
  if (found)
    fprintf(stderr,
        "%s:%u: error: a directive in a file that is no C source, by its name; "
        "XcalableMP is translated in C alone\n",
        file, number);
  return found;
}

static int driver_refuses_some(const struct options *o)
{
  int refused = 0;
  for (size_t i = 0; i < o->count; i++) {
    const struct word *const f = &o->word[i];
    if (f->steps || f->is_source) continue;
    if (o->stage == STAGE_TRANSLATE) xmpcc_fatal("--translate takes C sources, which %s is not", f->text);
    refused |= driver_refuses(f->text);
  }
  if (o->stage == STAGE_TRANSLATE && !o->sources)
    xmpcc_fatal("--translate takes a C source, and none is here");
  return refused;
}

int driver_run(const struct options *o)
{
  if (o->version) return driver_version(o);
  if (o->show > SHOW_COMMANDS) return driver_show_added(o);
  if (driver_refuses_some(o)) return 1;
  if (o->stage == STAGE_COMPILER || !o->sources) return driver_run_words(o, command_rest(o, NULL));
  if (o->out && o->stage != STAGE_LINK && o->inputs > 1)
    xmpcc_fatal("-o names one file, but there are several, which are not linked");
  const char **objects = memory_get(o->sources * sizeof *objects);
  int status = driver_sources(o, objects);
  if (status == 0 && (o->stage == STAGE_LINK || o->sources < o->inputs))
    status = driver_run_words(o, command_rest(o, objects));
  free(objects);
  return status;
}
