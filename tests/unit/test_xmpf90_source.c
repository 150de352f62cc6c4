/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Sources of Fortran: lines that go on, literals, places by line marks, directives, include lines, edits;
 * 2,000 damaged sources do no harm. */
#include <time.h>
#include <unistd.h>

#include "tests/fuzz/fuzz_xmpf90_source.c"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"
#include "xmpcc/directive.h"

enum { CORPUS = 2000 };

static const struct line_options in_free = {.form = FORM_FREE}, in_fixed = {.form = FORM_FIXED, .width = 72};

static struct lines *lines_of(const char *text, struct line_options o)
{
  return fuzz_read(text, strlen(text), &o);
}

static void show_list(char *to, const struct token *t)
{
  for (; t->kind != TOKEN_END; t++)
    to += sprintf(to, "%s%.*s", t->spaced ? " " : "|", (int)t->length, t->text);
}

/* All statements as "|a =|3;", of directives what is in them. */
static void check_tokens(const char *text, struct line_options o, const char *wanted)
{
  struct lines *const l = lines_of(text, o);
  char got[1000] = "";
  for (size_t k = 0; k < l->count; k++) {
    const struct statement *const s = &l->statement[k];
    if (s->label.length) sprintf(got + strlen(got), "%.*s:", (int)s->label.length, s->label.text);
    show_list(got + strlen(got), s->token->list ? s->token->list : s->token);
    strcat(got, ";");
  }
  if (strcmp(got, wanted) != 0) printf("\n%s\nnot\n%s\n", got, wanted);
  CU_ASSERT_STRING_EQUAL(got, wanted);
  lines_free(l);
}

static void test_free(void)
{
  check_tokens("a=b ! c\n10 x = y; ; 20 z", in_free, "|a|=|b;10: x = y;20: z;");
  check_tokens("ab&\n&cd&\n ! c\n\n  & e & ! x\n f", in_free, "|abcd e f;");
  check_tokens("'it''s ! & ;' // \"&\" ; 'a&\n  b&\n  & c'", in_free, "|'it''s ! & ;' // \"&\"; 'ab c';");
  check_tokens(
      "x=1.eq.2.and..5.ge.1.e5.or..true._4", in_free, "|x|=|1|.eq.|2|.and.|.5|.ge.|1.e5|.or.|.true._4;");
  check_tokens("a**b//c/=d==e=>f::g(/1/)", in_free, "|a|*|*|b|//|c|/=|d|==|e|=>|f|:|:|g|(|/|1|/|);");
  check_tokens(
      "z'ff'k_'a'4_\"b\" 1.0_dp 5habc'! x2habc", in_free, "|z'ff'|k_'a'|4_\"b\" 1.0_dp 5habc'! x2habc;");
  check_tokens("integer*4h; x = 4*2hab", in_free, "|integer|*|4|h; x = 4|*|2hab;");
  check_tokens("'open\nx", in_free, "|'open;|x;");
}

static void test_fixed(void)
{
  check_tokens("c x\n* y\n! z\n  1 0 G O TO 1 0 !x\n     +0;A=B", in_fixed, "10:|GOTO 100;|A|=|B;");
  check_tokens("\tX=\n\t1Y\n     0Z=1", in_fixed, "|X|= Y; Z|=|1;");
  check_tokens("      C='ab\n     &cd'", in_fixed,
      " C|=|'ab                                                             cd';");
  check_tokens("      X=1                                                               2comment\n     1+3",
      in_fixed, " X|=|1 +|3;");
  check_tokens("10    FORMAT(1X5Hab'cd,I 5)\n      INTEGER*4H", in_fixed,
      "10: FORMAT|(|1|X|5Hab'cd|,|I5|); INTEGER|*|4|H;");
}

static void test_sentinels(void)
{
  struct line_options openmp = in_free;
  openmp.is_openmp = 1;
  check_tokens("!$ x = 1\n!$omp do\n !$XMP loop on t(i) & ! c\n!$xmp& reduction(+:s)\n!$xmpx\n", in_free,
      " loop on t|(|i|) reduction|(|+|:|s|);");
  check_tokens("!$xmp loop\n!$xmp+ on t(i)\n!$xmp barrier", in_free, " loop on t|(|i|); barrier;");
  check_tokens("!$ x = 1 + &\n!$& 2\n!$omp do\n", openmp, " x = 1 + 2; do;");
  openmp = in_fixed;
  check_tokens(
      "c$xmp loop on\n*$xmp+ t(i)\nC$XMP BARRIER\nc$    X=1\n", openmp, "|loop on t|(|i|);|BARRIER;");
  openmp.is_openmp = 1;
  check_tokens("c$    X=1\n!$   &+2\n*$10  Y=1\n!$x   Z=1\n", openmp, " X|=|1 +|2;10: Y|=|1;");
}

/* The grammar of directives takes these lists. */
static void test_directive(void)
{
  struct lines *const l = lines_of("!$xmp template t(1:n, m)\n!$xmp loop (i) on t(i, :) &\n"
                                   "!$xmp reduction(.and.: s)\n",
      in_free);
  static const enum directive_kind kinds[] = {DIRECTIVE_TEMPLATE, DIRECTIVE_LOOP};
  CU_ASSERT_EQUAL_FATAL(l->count, 2);
  for (int k = 0, count; k < 2; k++) {
    struct directive *const d = directive_read(l->statement[k].token, 1, &count);
    CU_ASSERT(count == 1 && d->kind == kinds[k] && d->at->line == (unsigned)k + 1);
    directive_free(d, count);
  }
  lines_free(l);
}

static void check_place(const struct token *t, const char *file, unsigned line, unsigned column)
{
  if (strcmp(t->file, file) != 0 || t->line != line || t->column != column)
    printf("\n%.*s is at %s:%u:%u\n", (int)t->length, t->text, t->file, t->line, t->column);
  CU_ASSERT(strcmp(t->file, file) == 0 && t->line == line && t->column == column);
}

static void test_places(void)
{
  struct lines *l = lines_of("  a = &\n\n   b\n# 7 \"x \\\"y\" 2\nc; d\n# 100\n#define e\n e", in_free);
  CU_ASSERT_EQUAL_FATAL(l->count, 4);
  check_place(&l->statement[0].token[0], "fuzz.f90", 1, 3);
  check_place(&l->statement[0].token[2], "fuzz.f90", 3, 4);
  check_place(&l->statement[1].token[0], "x \"y", 7, 1);
  check_place(&l->statement[2].token[0], "x \"y", 7, 4);
  check_place(&l->statement[3].token[0], "x \"y", 101, 2);
  lines_free(l);
  l = lines_of("      DO 1 0 I\n     &=1,2", in_fixed);
  check_place(&l->statement[0].token[0], "fuzz.f90", 1, 7);
  check_place(&l->statement[0].token[1], "fuzz.f90", 1, 10);
  check_place(&l->statement[0].token[2], "fuzz.f90", 1, 14);
  check_place(&l->statement[0].token[4], "fuzz.f90", 2, 8);
  lines_free(l);
}

static void test_suffix(void)
{
  int preprocess;
  CU_ASSERT(line_form("a/b.f90", &preprocess) == FORM_FREE && !preprocess);
  CU_ASSERT(line_form("a.F03", &preprocess) == FORM_FREE && preprocess);
  CU_ASSERT(line_form("a.for", &preprocess) == FORM_FIXED && !preprocess);
  CU_ASSERT(line_form("a.F", &preprocess) == FORM_FIXED && preprocess);
  CU_ASSERT(line_form("a", &preprocess) == FORM_FREE && !preprocess);
}

/* What is said of a source. */
static void check_wrong(const char *text, struct line_options o, const char *wanted)
{
  char *said = NULL;
  size_t size;
  FILE *const f = open_memstream(&said, &size);
  CU_ASSERT_PTR_NOT_NULL_FATAL(f);
  message_set_output(f);
  lines_free(lines_of(text, o));
  fclose(f);
  message_set_output(NULL);
  if (strcmp(said, wanted) != 0) printf("\n%s", said);
  CU_ASSERT_STRING_EQUAL(said, wanted);
  free(said);
}

static void test_wrong(void)
{
  check_wrong("x = 1 &\n! c\n !$xmp barrier\n + 1\n", in_free,
      "fuzz.f90:3:2: error: the directive stands within a statement that goes on; write it before that "
      "begins\n");
  check_wrong("!$xmp loop &\n! c\n + 1\n", in_free,
      "fuzz.f90:1:12: error: the directive goes on, but no line of it follows; begin that with !$xmp&\n");
  check_wrong("      X = 1\n\nc$xmp barrier\n     & + 1\n", in_fixed,
      "fuzz.f90:3:1: error: the directive stands within a statement that goes on; write it before that "
      "begins\n");
  check_wrong("x = 1 &\n!$omp x\n + 1\n!$xmp barrier &\n!$xmp on p\n", in_free, "");
}

/* ---- include lines, with files in a directory of their own ---- */

static void file_write(const char *name, const char *text)
{
  FILE *const f = fopen(name, "w");
  CU_ASSERT_FATAL(f != NULL);
  fputs(text, f);
  fclose(f);
}

static void test_include(void)
{
  char directory[] = "/tmp/xmpf90.XXXXXX", name[100];
  CU_ASSERT_FATAL(mkdtemp(directory) != NULL);
  const char *const list[] = {directory};
  struct line_options o = in_free;
  o.directory = list;
  o.directories = 1;
  snprintf(name, sizeof name, "%s/a.inc", directory);
  file_write(name, "a = 1\ninclude 'a.inc'\n  Include \"none\" ! c\nb = 2");
  struct lines *const l = lines_of("x\n include 'a.inc'\ny\n", o);
  CU_ASSERT_EQUAL_FATAL(l->count, 6); /* a file does not include itself, and none is not there */
  check_place(l->statement[4].token, name, 4, 1);
  check_place(l->statement[5].token, "fuzz.f90", 3, 1);
  CU_ASSERT(l->input->line[1].included != NULL && l->input->line[1].count == 4);
  output_replace(&l->statement[4], 2, 3, "3");
  size_t size;
  char wanted[400];
  char *const got = fuzz_write(l, &size);
  snprintf(wanted, sizeof wanted,
      "x\n# 1 \"%s\"\na = 1\ninclude 'a.inc'\n  Include \"none\" ! c\nb = 3\n# 3 \"fuzz.f90\"\ny\n", name);
  if (strcmp(got, wanted) != 0) printf("\n%s\nnot\n%s\n", got, wanted);
  CU_ASSERT_STRING_EQUAL(got, wanted);
  free(got);
  lines_free(l);
  unlink(name);
  rmdir(directory);
}

/* ---- edits ---- */

static void check_written(struct lines *l, const char *wanted)
{
  size_t size;
  char *const got = fuzz_write(l, &size);
  if (strcmp(got, wanted) != 0) printf("\n%s\nnot\n%s\n", got, wanted);
  CU_ASSERT_STRING_EQUAL(got, wanted);
  free(got);
  lines_free(l);
}

static void test_edits(void)
{
  struct lines *l = lines_of("  a = b + c ! d\n\n10 x; y\n", in_free);
  output_replace(&l->statement[0], 2, 3, "f(%d)", 3);
  output_replace(&l->statement[0], 4, 4, "2*");
  output_before(&l->statement[2], "call z");
  check_written(l, "  a = f(3) + 2*c\n\n10 x\n# 3 \"fuzz.f90\"\n      call z\n# 3 \"fuzz.f90\"\n      y\n");
  l = lines_of("a ! stays\n!$xmp barrier ! too\n10 b\nc\n", in_free);
  output_before(&l->statement[0], "!$omp barrier");
  output_after(&l->statement[1], "call x");
  output_remove(&l->statement[2]);
  output_remove(&l->statement[3]);
  check_written(l,
      "!$omp barrier\n# 1 \"fuzz.f90\"\na ! stays\n!$xmp barrier ! too\n# 2 \"fuzz.f90\"\n"
      "call x\n10 continue\n");
  l = lines_of("10    A = B\n     &+ C\n      D = 'x", in_fixed);
  output_replace(&l->statement[0], 0, 1, "(A)");
  check_written(l, "10    (A) = B\n     & + C\n      D = 'x");
}

/* A statement of 500 characters has lines as long as they may be, which read again are the same. */
static void test_breaks(void)
{
  static const struct line_options forms[] = {{.form = FORM_FREE}, {.form = FORM_FIXED, .width = 72}};
  char long_text[501];
  for (size_t k = 0; k < 500; k++) long_text[k] = "abc d&!'"[k % 7];
  long_text[500] = 0;
  for (int f = 0; f < 2; f++) {
    struct lines *const l = lines_of("      x = y\n      z = 1\n", forms[f]);
    size_t size, column = 0;
    output_replace(l->statement, 2, 3, "'%s'", long_text);
    char *const got = fuzz_write(l, &size);
    for (size_t k = 0; k < size; column = got[k++] == '\n' ? 0 : column + 1)
      CU_ASSERT_FATAL(column <= (forms[f].form == FORM_FREE ? 132 : 72) || got[k] == '#');
    struct lines *const again = fuzz_read(got, size, &forms[f]);
    CU_ASSERT(again->count == 2 && again->statement[0].token[2].length == 502 &&
        memcmp(again->statement[0].token[2].text + 1, long_text, 500) == 0);
    check_place(again->statement[1].token, "fuzz.f90", 2, 7);
    lines_free(again);
    free(got);
    lines_free(l);
  }
}

/* ---- sizes ---- */

/* One statement on one line of the source, which is broken into many. */
static double time_of(size_t repeats)
{
  static const char piece[] = "f(1),'x'+(";
  const size_t n = sizeof piece - 1;
  char *const text = malloc(n * repeats + 1);
  struct timespec begin, end;
  size_t size;
  if (!text) exit(1);
  for (size_t k = 0; k < repeats; k++) memcpy(text + k * n, piece, n);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
  struct lines *const l = lines_read(text, n * repeats, "fuzz.f90", &in_free);
  units_free(units_read(l));
  output_touch(l->statement);
  free(fuzz_write(l, &size));
  lines_free(l);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
  return (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
}

/* Eight times the text takes about eight times the time; a square would take 64 times. */
static void test_linear(void)
{
  double small = time_of(4000), large = time_of(32000);
  for (int k = 0; k < 3 && large >= 24 * small; k++) small = time_of(4000), large = time_of(32000);
  printf("%.0f and %.0f us ... ", 1e6 * small, 1e6 * large);
  CU_ASSERT(large < 24 * small);
}

/* ---- the corpus ---- */

static const char *const example[] = {
    "\0program p\n  use m, only: a => b\n!$xmp loop on t(i) &\n!$xmp& reduction(+:s)\n  do 10 i = 1, n, 2\n"
    "    if (x) then; y = 'a&\n    &b' // 4habcd; else if (z) then\n10 continue\n"
    "  type(t), allocatable :: q(:, 1:), w*8 = 3\n  contains\n  real function f(x) result(r)\n  end\nend "
    "program\n",
    "\3      SUBROUTINE S(A,*)\n      REAL*8D1,A(3:*)\nc$xmp loop on t(i)\n      DO10I=1,5\n     &,2\n"
    "10    WRITE(*,*)'x\n     & y'\n# 12 \"a\"\n\tCOMMON/B/C(3)//D\n      DATA D/3/\n      F(X)=X\n      "
    "END\n",
    "\5interface\n      end"};

static size_t damage(char *input, size_t size, size_t room)
{
  static const char some[] = "&\n;'\"!()=,:/%*$#1x ";
  const size_t at = below(size), n = 1 + below(8);
  switch (below(4)) {
  case 0: input[at] = some[below(sizeof some)]; return size;
  case 1: input[at] = (char)next(); return size;
  case 2:
    if (at + n >= size) return size;
    memmove(input + at, input + at + n, size - at - n);
    return size - n;
  default:
    if (size + n > room) return size;
    memmove(input + at + n, input + at, size - at);
    return size + n;
  }
}

static void test_corpus(void)
{
  char input[2000];
  for (int k = 0; k < CORPUS; k++) {
    size_t size = 1 + strlen(example[k % 3] + 1);
    memcpy(input, example[k % 3], size);
    for (size_t times = below(12); times--;) size = damage(input, size, sizeof input);
    LLVMFuzzerTestOneInput((const uint8_t *)input, size);
  }
  printf("%lu statements, %lu of them known ... ", fuzz_statements, fuzz_known);
  CU_ASSERT(fuzz_known > fuzz_statements / 3);
}

int main(void)
{
  static const struct unit_test tests[] = {{"free form", test_free}, {"fixed form", test_fixed},
      {"sentinels", test_sentinels}, {"directives", test_directive}, {"places", test_places},
      {"suffixes", test_suffix}, {"messages", test_wrong}, {"include lines", test_include},
      {"edits", test_edits}, {"long statements", test_breaks}, {"time", test_linear},
      {"damaged sources", test_corpus}};
  random_begin();
  return RUN_SUITE("xmpf90/source", tests);
}
