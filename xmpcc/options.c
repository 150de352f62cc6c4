/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmpcc/options.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xmpcc/memory.h"
#include "xmpcc/response.h"

void xmpcc_fatal(const char *fmt, ...)
{
  va_list arguments;
  va_start(arguments, fmt);
  fputs("xmpcc: ", stderr);
  vfprintf(stderr, fmt, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(2);
}

void words_add(struct words *w, const char *text)
{
  w->word = memory_grow(w->word, w->count + 1, &w->capacity, sizeof *w->word);
  w->word[w->count++] = text;
  w->word[w->count] = NULL;
}

static void warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static void warn(const char *fmt, ...)
{
  va_list arguments;
  va_start(arguments, fmt);
  fputs("xmpcc: warning: ", stderr);
  vfprintf(stderr, fmt, arguments);
  fputc('\n', stderr);
  va_end(arguments);
}

void words_split(struct words *w, const char *text)
{
  char *copy = text ? strdup(text) : NULL, *rest = copy, *word;
  while (copy && (word = strsep(&rest, " \t\n")))
    if (*word) words_add(w, word);
}

static void usage(const struct options *o)
{
  printf("usage: xmpcc [OPTION...] [option or file of the C compiler...]\n"
         "  --translate        writes the C program that a source is translated to\n"
         "  --inst             malloc, realloc and free cause events (also: --profile)\n"
         "  --inst-functions   --inst, and functions of the program cause them\n"
         "  --tool=NAME        links the tool libpenstock-gasp-NAME; or a file: an object or a library\n"
         "  --mpi              for programs that call MPI, too: compiles and links with it\n"
         "  --cc=COMMAND       the C compiler, instead of '%s' (also: XMPCC_CC in the environment)\n"
         "  -show, --show      prints the commands instead of running them\n"
         "  --show=compile     prints what is added for compiling; --show=link: for linking\n"
         "  -V, --version      prints the version and the compiler's\n"
         "  --help             prints this\n"
         "All else goes to the compiler.\n",
      o->cc);
}

/* ---- words of the compiler ---- */

enum { AS_WORD = 1, AS_PREFIX = 2, AS_PAIR = 4 }; /* itself; it begins one; it takes the next */
enum { FOR_ALL = FOR_PREPROCESSOR | FOR_COMPILER | FOR_LINKER };

static const struct option {
  const char *text;
  unsigned form, steps;
} known[] = {
    {"-D", AS_PREFIX | AS_PAIR, FOR_PREPROCESSOR},
    {"-U", AS_PREFIX | AS_PAIR, FOR_PREPROCESSOR},
    {"-I", AS_PREFIX | AS_PAIR, FOR_PREPROCESSOR},
    {"-A", AS_PREFIX | AS_PAIR, FOR_PREPROCESSOR},
    {"-include", AS_PAIR, FOR_PREPROCESSOR},
    {"-imacros", AS_PAIR, FOR_PREPROCESSOR},
    {"-isystem", AS_PREFIX | AS_PAIR, FOR_PREPROCESSOR},
    {"-iquote", AS_PREFIX | AS_PAIR, FOR_PREPROCESSOR},
    {"-idirafter", AS_PREFIX | AS_PAIR, FOR_PREPROCESSOR},
    {"-iprefix", AS_PAIR, FOR_PREPROCESSOR},
    {"-iwithprefixbefore", AS_PAIR, FOR_PREPROCESSOR},
    {"-iwithprefix", AS_PAIR, FOR_PREPROCESSOR},
    {"-imultilib", AS_PAIR, FOR_PREPROCESSOR},
    {"-isysroot", AS_PAIR, FOR_ALL},
    {"-Wp,", AS_PREFIX, FOR_PREPROCESSOR},
    {"-Xpreprocessor", AS_PAIR, FOR_PREPROCESSOR},
    {"-nostdinc", AS_WORD, FOR_PREPROCESSOR},
    {"-undef", AS_WORD, FOR_PREPROCESSOR},
    {"-trigraphs", AS_WORD, FOR_PREPROCESSOR},
    {"-H", AS_WORD, FOR_PREPROCESSOR},
    {"-Xassembler", AS_PAIR, FOR_COMPILER},
    {"-Wa,", AS_PREFIX, FOR_COMPILER},
    {"-l", AS_PREFIX | AS_PAIR, FOR_LINKER},
    {"-L", AS_PREFIX | AS_PAIR, FOR_LINKER},
    {"-Wl,", AS_PREFIX, FOR_LINKER},
    {"-Xlinker", AS_PAIR, FOR_LINKER},
    {"-T", AS_PREFIX | AS_PAIR, FOR_LINKER},
    {"-u", AS_PREFIX | AS_PAIR, FOR_LINKER},
    {"-z", AS_PREFIX | AS_PAIR, FOR_LINKER},
    {"-e", AS_PAIR, FOR_LINKER},
    {"-shared", AS_WORD, FOR_LINKER},
    {"-static", AS_PREFIX | AS_WORD, FOR_LINKER},
    {"-rdynamic", AS_WORD, FOR_LINKER},
    {"-pie", AS_WORD, FOR_LINKER},
    {"-no-pie", AS_WORD, FOR_LINKER},
    {"-s", AS_WORD, FOR_LINKER},
    {"-r", AS_WORD, FOR_LINKER},
    {"-nostdlib", AS_WORD, FOR_LINKER},
    {"-nostartfiles", AS_WORD, FOR_LINKER},
    {"-nodefaultlibs", AS_WORD, FOR_LINKER},
    {"-fuse-ld=", AS_PREFIX, FOR_LINKER},
    {"-Xclang", AS_PAIR, FOR_PREPROCESSOR | FOR_COMPILER},
    {"-mllvm", AS_PAIR, FOR_PREPROCESSOR | FOR_COMPILER},
    {"-target", AS_PAIR, FOR_ALL},
    {"-arch", AS_PAIR, FOR_ALL},
    {"-aux-info", AS_PAIR, FOR_COMPILER},
    {"--param", AS_PAIR, FOR_ALL},
    {"-wrapper", AS_PAIR, FOR_ALL},
    {"-specs", AS_PAIR, FOR_ALL},
    {"-B", AS_PREFIX | AS_PAIR, FOR_ALL},
    {"-dumpbase", AS_PAIR, FOR_COMPILER},
    {"-dumpbase-ext", AS_PAIR, FOR_COMPILER},
    {"-dumpdir", AS_PAIR, FOR_COMPILER},
};

static const struct option *option_find(const char *word)
{
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    const struct option *k = &known[i];
    const size_t n = strlen(k->text);
    if (strncmp(word, k->text, n) != 0) continue;
    if (word[n] ? (k->form & AS_PREFIX) != 0 : (k->form & (AS_WORD | AS_PAIR)) != 0) return k;
  }
  return NULL;
}

static void option_add(struct options *o, const char *text, unsigned steps)
{
  o->word = memory_grow(o->word, o->count, &o->capacity, sizeof *o->word);
  o->word[o->count++] = (struct word){.text = text, .steps = steps};
}

/* ---- reading ---- */

struct options_reader {
  struct options *o;
  struct words words, last; /* last: words that come behind all others */
  size_t at;                /* the next word */
  const char *language;     /* of -x */
  int dumps_macros, only_depends;
};

static const char *reader_value(struct options_reader *r, const char *option)
{
  if (r->at == r->words.count) xmpcc_fatal("%s lacks its argument", option);
  return r->words.word[r->at++];
}

/* The rest of the word behind the option, or the next word; NULL: it is another word. */
static const char *reader_joined(struct options_reader *r, const char *word, const char *option)
{
  const size_t n = strlen(option);
  if (strncmp(word, option, n) != 0) return NULL;
  return word[n] ? word + n : reader_value(r, option);
}

static int has_suffix(const char *word, const char *suffix)
{
  const size_t n = strlen(word), k = strlen(suffix);
  return n > k && strcmp(word + n - k, suffix) == 0;
}

static int is_header(const char *word, const char *language)
{
  static const char *const suffixes[] = {".h", ".hh", ".hpp", ".hxx", ".H"};
  if (language) return has_suffix(language, "-header");
  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
    if (has_suffix(word, suffixes[i])) return 1;
  return 0;
}

static void reader_file(struct options_reader *r, const char *word)
{
  struct options *o = r->o;
  option_add(o, word, 0);
  struct word *w = &o->word[o->count - 1];
  w->language = r->language;
  w->is_source = r->language ? strcmp(r->language, "c") == 0 : has_suffix(word, ".c") || !strcmp(word, "-");
  o->inputs++;
  o->headers_given += is_header(word, r->language) != 0;
  o->sources += w->is_source != 0;
}

/* Options of xmpcc's own. */
static int reader_own(struct options_reader *r, const char *word)
{
  struct options *o = r->o;
  if (!strcmp(word, "--translate")) o->stage = STAGE_TRANSLATE;
  else if (!strcmp(word, "--inst") || !strcmp(word, "--profile")) o->inst = 1;
  else if (!strcmp(word, "--inst-functions")) o->inst = o->inst_functions = 1;
  else if (!strcmp(word, "--mpi")) o->mpi = 1;
  else if (!strncmp(word, "--tool=", 7)) {
    if (!*(o->tool = word + 7)) xmpcc_fatal("%s names no tool", word);
  } else if (!strncmp(word, "--cc=", 5)) {
    if (!*(o->cc = word + 5)) xmpcc_fatal("%s names no compiler", word);
  } else if (!strcmp(word, "-show") || !strcmp(word, "--show") || !strcmp(word, "--showme"))
    o->show = SHOW_COMMANDS;
  else if (!strcmp(word, "--show=compile") || !strcmp(word, "--showme:compile")) o->show = SHOW_COMPILE;
  else if (!strcmp(word, "--show=link") || !strcmp(word, "--showme:link")) o->show = SHOW_LINK;
  else if (!strcmp(word, "-V") || !strcmp(word, "--version")) o->version = 1;
  else if (!strcmp(word, "-omp") || !strcmp(word, "--openmp")) option_add(o, "-fopenmp", FOR_ALL);
  else if (!strcmp(word, "--help")) usage(o), exit(0);
  else return 0;
  return 1;
}

/* ---- options of Omni's xmpcc, which makefiles have ---- */

enum answer { FOR_THE_COMPILER, BEHIND_FILES, LEFT_OUT, REFUSED };
static const struct {
  const char *word;
  int is_prefix;
  enum answer answer;
  const char *text;
} of_omni[] = {
    {"--Wn", 1, FOR_THE_COMPILER, NULL},
    {"--Wp", 1, FOR_THE_COMPILER, NULL},
    {"--Wl", 1, BEHIND_FILES, NULL},
    {"--Wf", 1, LEFT_OUT, "there is no such front end"},
    {"--Wx", 1, LEFT_OUT, "there is no such translator"},
    {"--Wb", 1, LEFT_OUT, "there is no such back end"},
    {"-xacc", 0, LEFT_OUT, "directives of OpenACC and XcalableACC are not translated"},
    {"--xcalableacc", 0, LEFT_OUT, "directives of OpenACC and XcalableACC are not translated"},
    {"--openacc", 0, LEFT_OUT, "directives of OpenACC and XcalableACC are not translated"},
    {"--stop-pp", 0, REFUSED, "-E stops behind the preprocessor, and shows what is translated"},
    {"--stop-frontend", 0, REFUSED, "--translate shows the translated program"},
    {"--stop-translator", 0, REFUSED, "--translate shows the translated program"},
    {"--stop-backend", 0, REFUSED, "--translate shows the translated program"},
    {"--stop-compile", 0, REFUSED, "-c stops behind the compiler"},
    {"--show-env", 0, REFUSED, "--show=compile and --show=link print what is added for the compiler"},
    {"--scalasca", 1, REFUSED, "--inst and --tool=NAME measure programs"},
    {"--tlog", 1, REFUSED, "--inst and --tool=NAME measure programs"},
};

static void reader_word(struct options_reader *r, const char *word);

static void reader_words(struct options_reader *r, const char *text)
{
  const struct words outer = r->words;
  const size_t at = r->at;
  r->words = (struct words){0};
  words_split(&r->words, text);
  for (r->at = 0; r->at < r->words.count;) reader_word(r, r->words.word[r->at++]);
  r->words = outer;
  r->at = at;
}

static int reader_omni(struct options_reader *r, const char *word)
{
  for (size_t i = 0; i < sizeof of_omni / sizeof *of_omni; i++) {
    const size_t n = strlen(of_omni[i].word);
    if (strncmp(word, of_omni[i].word, n) != 0 || (word[n] && !of_omni[i].is_prefix)) continue;
    switch (of_omni[i].answer) {
    case FOR_THE_COMPILER: reader_words(r, word + n); break;
    case BEHIND_FILES: words_add(&r->last, word + n); break;
    case LEFT_OUT: warn("%s is left out: %s", word, of_omni[i].text); break;
    case REFUSED: xmpcc_fatal("%s is not known here; %s", word, of_omni[i].text);
    }
    return 1;
  }
  if (!strcmp(word, "--tmp")) return r->o->shows_too = 1;
  if (!strcmp(word, "--dry") || !strcmp(word, "--dryrun")) return r->o->show = SHOW_COMMANDS, 1;
  if (strcmp(word, "--debug") != 0) return 0;
  option_add(r->o, "-save-temps", FOR_COMPILER | FOR_LINKER);
  return r->o->keeps_temporaries = 1;
}

static void reader_stage(struct options_reader *r, enum stage stage, const char *word)
{
  if (r->o->stage != STAGE_PREPROCESS && r->o->stage != STAGE_TRANSLATE) r->o->stage = stage;
  option_add(r->o, word, FOR_STAGE);
}

/* What says when and where to write which file. */
static int reader_output(struct options_reader *r, const char *word)
{
  struct options *o = r->o;
  const char *value;
  if ((value = reader_joined(r, word, "-o"))) return o->out = value, 1;
  if (!strcmp(word, "-c")) return reader_stage(r, STAGE_OBJECT, word), 1;
  if (!strcmp(word, "-S")) return reader_stage(r, STAGE_ASSEMBLY, word), 1;
  if (!strcmp(word, "-fsyntax-only")) return reader_stage(r, STAGE_SYNTAX, word), 1;
  if (!strcmp(word, "-E")) return reader_stage(r, STAGE_PREPROCESS, word), 1;
  if (!strncmp(word, "-d", 2) && strlen(word) == 3 && strchr("DIMNU", word[2]))
    return option_add(o, word, FOR_STAGE), r->dumps_macros = 1;
  if (!strcmp(word, "-P")) return option_add(o, word, FOR_STAGE), o->is_unmarked = 1;
  if (!strcmp(word, "-C") || !strcmp(word, "-CC") || !strcmp(word, "-fdirectives-only"))
    return option_add(o, word, FOR_STAGE), 1;
  if (!strncmp(word, "-save-temps", 11) || !strncmp(word, "--save-temps", 12)) {
    o->keeps_here = has_suffix(word, "=cwd");
    return option_add(o, word, FOR_COMPILER | FOR_LINKER), o->keeps_temporaries = 1;
  }
  return 0;
}

static void reader_depend(struct options_reader *r, const char *word, const char *value)
{
  option_add(r->o, word, FOR_DEPENDENCIES);
  if (value) option_add(r->o, value, FOR_DEPENDENCIES);
}

/* -M and its kin. */
static int reader_dependencies(struct options_reader *r, const char *word)
{
  struct options *o = r->o;
  const char *value;
  if (!strncmp(word, "-Wp,-MD,", 8) || !strncmp(word, "-Wp,-MMD,", 9)) {
    reader_depend(r, word, NULL);
    o->depend = word[6] == 'D' ? "-MD" : "-MMD";
    if (!strchr(o->depend_file = strchr(word + 5, ',') + 1, ',')) return 1;
    xmpcc_fatal("%s: xmpcc wants each option of the preprocessor in a word of its own", word);
  }
  if (!strcmp(word, "-M") || !strcmp(word, "-MM")) return reader_depend(r, word, NULL), r->only_depends = 1;
  if (!strcmp(word, "-MD") || !strcmp(word, "-MMD")) return reader_depend(r, o->depend = word, NULL), 1;
  if (!strcmp(word, "-MP") || !strcmp(word, "-MG")) {
    reader_depend(r, word, NULL);
    return words_add(&o->depend_more, word), 1;
  }
  if ((value = reader_joined(r, word, "-MF")))
    return o->depend_file = value, reader_depend(r, "-MF", value), 1;
  const char *target = !strncmp(word, "-MT", 3) ? "-MT" : "-MQ";
  if (!(value = reader_joined(r, word, target))) return 0;
  words_add(&o->depend_more, target);
  words_add(&o->depend_more, value);
  return reader_depend(r, target, value), 1;
}

/* What of the source the compiler needs although it sees only the preprocessed text. */
static void reader_keeps(struct options *o, const char *word)
{
  if (!strcmp(word, "-W") || !strcmp(word, "-Wextra") || !strncmp(word, "-Wimplicit-fallthrough", 22))
    o->keeps_comments = 1;
  if (!strcmp(word, "-g3") || !strcmp(word, "-ggdb3")) o->keeps_macros = 1;
  if (!strncmp(word, "-dump", 5)) o->names_dumps = 1;
}

static void reader_other(struct options_reader *r, const char *word)
{
  reader_keeps(r->o, word);
  const struct option *k = option_find(word);
  const unsigned steps = k ? k->steps : FOR_ALL;
  if (!strcmp(word, "-shared") || !strcmp(word, "-r")) r->o->is_shared = 1;
  if (!strcmp(word, "-r")) r->o->is_relocatable = 1;
  if (k && (k->form & AS_PREFIX) != 0 && (k->steps & FOR_LINKER) != 0 && word[1] == 'l')
    r->o->libraries_named++;
  option_add(r->o, word, steps);
  if (k && (k->form & AS_PAIR) != 0 && !word[strlen(k->text)]) option_add(r->o, reader_value(r, word), steps);
}

static void reader_word(struct options_reader *r, const char *word)
{
  const char *value;
  if (*word != '-' || !word[1]) return reader_file(r, word);
  if (reader_own(r, word) || reader_omni(r, word)) return;
  if ((value = reader_joined(r, word, "-x"))) {
    r->language = strcmp(value, "none") == 0 ? NULL : value;
    return;
  }
  if (!reader_output(r, word) && !reader_dependencies(r, word)) reader_other(r, word);
}

/* The places, which pkg/xmpcc.in gives before all words of the user. */
static int options_place(struct options *o, const char *word)
{
  const struct {
    const char *name, **value;
  } places[] = {{"cc", &o->cc}, {"headers", &o->headers}, {"libdir", &o->library_directory},
      {"rpath", &o->rpath}, {"libs", &o->libraries}, {"release", &o->release}, {"mpi-flags", &o->mpi_flags},
      {"mpi-libs", &o->mpi_libraries}};
  if (strncmp(word, "--xmpcc-", 8) != 0) return 0;
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    const size_t n = strlen(places[i].name);
    if (strncmp(word + 8, places[i].name, n) == 0 && word[8 + n] == '=')
      return *places[i].value = word + 9 + n, 1;
  }
  return 0;
}

void options_read(struct options *o, int argc, char **argv)
{
  struct options_reader r = {.o = o};
  const char *cc;
  *o = (struct options){.cc = "cc",
      .headers = "",
      .library_directory = "",
      .rpath = "",
      .libraries = "",
      .release = "",
      .mpi_flags = "",
      .mpi_libraries = ""};
  while (argc > 1 && options_place(o, argv[1])) argc--, argv++;
  if ((cc = getenv("XMPCC_CC")) && *cc) o->cc = cc;
  response_words(&r.words, argc, argv);
  while (r.at < r.words.count) reader_word(&r, r.words.word[r.at++]);
  for (size_t i = 0; i < r.last.count; i++) reader_words(&r, r.last.word[i]);
  free(r.last.word);
  free(r.words.word);
  if (o->mpi && !*o->mpi_libraries)
    xmpcc_fatal("--mpi: this Penstock was built without MPI; configure it where mpicc is found (MPICC=)");
  if (r.only_depends || (r.dumps_macros && o->stage == STAGE_PREPROCESS) ||
      (o->inputs + o->libraries_named == 0 && o->stage != STAGE_TRANSLATE))
    o->stage = STAGE_COMPILER;
}
