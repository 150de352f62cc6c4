/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Edits of a source: what is not edited stays byte for byte, lines keep their numbers, texts come in their
 * order, and the form for readers. */
#include "xmpcc/edit.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/suite.h"

static struct source *s;
static struct edits *e;

static void begin(const char *text)
{
  s = source_read(strdup(text), strlen(text), "a.c");
  e = edits_open(s);
}

static char *written(int readable)
{
  char *text = NULL;
  size_t size;
  FILE *f = open_memstream(&text, &size);
  CU_ASSERT_FATAL(f != NULL);
  CU_ASSERT_EQUAL(edits_write(e, f, readable ? EDITS_READABLE : EDITS_PLAIN), 0);
  fclose(f);
  return text;
}

static void end_as(int readable, const char *wanted)
{
  char *got = written(readable);
  if (strcmp(got, wanted) != 0) printf("\ngives:\n%s\nwanted:\n%s\n", got, wanted);
  CU_ASSERT_STRING_EQUAL(got, wanted);
  free(got);
  edits_free(e);
  source_free(s);
}

/* The n-th token that is this one, from 0. */
static const struct token *nth(const char *text, int n)
{
  for (const struct token *t = s->token; t->kind != TOKEN_END; t++)
    if (strlen(text) == t->length && memcmp(text, t->text, t->length) == 0 && n-- == 0) return t;
  CU_FAIL_FATAL("the token is not there");
  return NULL;
}
static const struct token *at(const char *text) { return nth(text, 0); }

static void test_unedited(void)
{
  static const char
      text[] = "# 1 \"a.c\"\n \tint  a\\\n; /* b\n*/ R\"(\n)\" 'x' \"un\n\n#pragma omp x\n# 5\n@\r\n";
  begin(text);
  end_as(0, text);
  begin("");
  end_as(0, "");
  begin("x");
  end_as(0, "x");
}

static void test_defines(void)
{
  begin("#define A 1\na\n#undef A\n  # define B \\\n 2\nb\n#pragma xmp nodes p[A] \\\n\nc #define d\n");
  end_as(0, "\na\n\n  \n\nb\n\n\nc #define d\n");
}

static void test_replace(void)
{
  begin("a b c\nd  e\nf");
  edit_replace(e, at("b"), at("b"), "%d", 12);
  edit_replace(e, at("d"), at("e"), "D");
  end_as(0, "a 12 c\nD\nf");
  begin("a b c\nd  e\nf");
  edit_replace(e, at("b"), at("e"), "X");
  end_as(0, "a X\n\nf"); /* e keeps its line */
  begin("a b c d");
  edit_replace(e, at("b"), at("b"), "%s", "");
  end_as(0, "a  c d");
}

static void test_nested(void)
{
  begin("f ( a , b ) ;");
  edit_replace(e, at("a"), at("a"), "A");
  edit_before(e, at("b"), "x");
  char *text = edits_text(e, at("f"), at(")"));
  CU_ASSERT_STRING_EQUAL(text, "f ( A , x b )");
  edit_replace(e, at("f"), at(")"), "g<%s>", text);
  free(text);
  edit_replace(e, at("f"), at("f"), "lost");
  edit_replace(e, at("a"), at("b"), "lost, too");
  end_as(0, "g<f ( A , x b )> ;");
}

static void test_order(void)
{
  begin("a b c");
  edit_before(e, at("b"), "1");
  edit_after(e, at("b"), "3");
  edit_before(e, at("b"), " 2");
  edit_after(e, at("b"), " 4");
  edit_replace(e, at("b"), at("b"), "B");
  end_as(0, "a 1 2 B 3 4 c");
  begin("a b c");
  edit_before(e, at("a"), "0");
  edit_after(e, at("c"), "9");
  edit_after(e, at("b"), "lost");
  edit_replace(e, at("a"), at("c"), "(%s)", "x");
  end_as(0, "0(x)9");
}

/* Where two texts would become one token, a space parts them. */
static void test_joints(void)
{
  begin("a+b;x");
  edit_replace(e, at("a"), at("a"), "+");
  edit_before(e, at("b"), "i");
  edit_after(e, at("b"), "(c)");
  edit_after(e, at("x"), "\"s\"");
  end_as(0, "+ +i b(c);x \"s\"");
}

static void test_pragmas(void)
{
  begin("# 1 \"u.c\"\na\n#pragma omp x\nb\n");
  edit_before(e, at("#pragma omp x"), "before");
  edit_after(e, at("#pragma omp x"), "after");
  end_as(0, "# 1 \"u.c\"\na\nbefore\n# 2 \"u.c\"\n#pragma omp x\n# 2 \"u.c\"\nafter\nb\n");
  begin("a\n#pragma xmp barrier\nb\n");
  edit_before(e, at("#pragma xmp barrier"), "1;");
  edit_replace(e, at("#pragma xmp barrier"), at("#pragma xmp barrier"), "2;");
  edit_after(e, at("#pragma xmp barrier"), "3;");
  end_as(0, "a\n1;2;3;\nb\n");
}

/* Lines of a range that has marks, or is long, cannot be counted. */
static void test_marks(void)
{
  begin("# 1 \"u.c\"\na (\n# 7 \"u.c\" 3 4\nb\n# 7 \"u.c\"\n) c\n");
  edit_replace(e, at("("), at(")"), "X");
  end_as(0, "# 1 \"u.c\"\na X\n# 7 \"u.c\"\n c\n");
  begin("a (\n\n\n\n\n\n\n\n\n\n) c\n");
  edit_replace(e, at("("), at(")"), "X");
  end_as(0, "a X\n# 11 \"a.c\"\n c\n");
  begin("# 3 \"q\\\"\\\\\\001.h\" 1 3 4\na\n#pragma x\n");
  edit_before(e, at("#pragma x"), "b");
  end_as(0, "# 3 \"q\\\"\\\\\\001.h\" 1 3 4\na\nb\n# 4 \"q\\\"\\\\\\001.h\" 3 4\n#pragma x\n");
}

static void test_end(void)
{
  begin("a\nb");
  edit_at_end(e, at("b"), "x();");
  edit_at_end(e, at("a"), "y();");
  end_as(0, "a\nb\n# 2 \"a.c\" 3 4\nx();\n# 1 \"a.c\" 3 4\ny();\n");
}

/* A range with a pragma cannot be on one line. */
static void test_text(void)
{
  begin("x { a;\n  b;\n#pragma xmp wait\n}\ny [\n#pragma omp for\nc ] z");
  char *text = edits_text(e, at("{"), at("}"));
  CU_ASSERT_STRING_EQUAL(text, "{ a; b; }");
  free(text);
  text = edits_text(e, at("["), at("]"));
  CU_ASSERT_STRING_EQUAL(text, "[ \n# 6 \"a.c\"\n#pragma omp for\nc ]");
  edit_replace(e, at("y"), at("]"), "{%s}", text);
  free(text);
  end_as(0, "x { a;\n  b;\n\n}\n{[ \n# 6 \"a.c\"\n#pragma omp for\nc ]}\n# 7 \"a.c\"\n z");
  begin("#define N 2 + 3\n#pragma xmp wait (N, f)\n");
  text = edits_text(e, s->token->list + 2, s->token->list + 4); /* not the source's */
  CU_ASSERT_STRING_EQUAL(text, "2 + 3");
  free(text);
  end_as(0, "\n\n");
}

static void test_failure(void)
{
  FILE *f = fopen("/dev/full", "w");
  if (!f) return;
  begin("a");
  CU_ASSERT_EQUAL(edits_write(e, f, 0), -1);
  fclose(f);
  end_as(0, "a");
}

/* ---- for readers ---- */

static void test_readable(void)
{
  char name[] = "/tmp/test_xmpcc_edit.XXXXXX", text[2000];
  const int fd = mkstemp(name);
  CU_ASSERT_FATAL(fd >= 0);
  FILE *f = fdopen(fd, "w");
  fprintf(f, "#include <first.h>\n#  include \"sub/own.h\"\n#include MACRO\n");
  fclose(f);
  snprintf(text, sizeof text,
      "# 0 \"<command-line>\"\n# 1 \"/usr/include/stdc-predef.h\" 1 3 4\n# 0 \"<command-line>\" 2\n"
      "# 1 \"%s\"\n# 1 \"/usr/include/x/first.h\" 1 3 4\nhidden\n# 1 \"/usr/include/deep.h\" 1 3 4\nh\n"
      "# 3 \"/usr/include/x/first.h\" 2 3 4\nhidden\n# 2 \"%s\" 2\n# 1 \"sub/own.h\" 1\nshown;\n# 3 \"%s\" "
      "2\n"
      "# 1 \"/usr/include/sub/m.h\" 1 3 4\n# 4 \"%s\" 2\n\n\n\nint f(void)\n{\n#define X\n  return \n"
      "# 10 \"%s\" 3 4\n         NULL\n# 10 \"%s\"\n ;\n#pragma xmp loop\n}\n",
      name, name, name, name, name, name);
  begin(text);
  edit_replace(
      e, at("#pragma xmp loop"), at("#pragma xmp loop"), "{ int a[] = {1, {2}}; for (;;) { g(\";{\"); }");
  edit_before(e, nth("}", 0), "}");
  end_as(1,
      "#include <first.h>\nshown;\n#include <sub/m.h>\nint f(void)\n{\n\n  return NULL ;\n"
      "  {\n    int a[] = {1, {2}};\n    for (;;) {\n      g(\";{\");\n    }\n  }\n}\n");
  unlink(name);
}

static void test_readable_pragmas(void)
{
  begin("# 1 \"a.c\"\n  a;\n#pragma omp for\n  b (c) ;\n");
  edit_replace(e, at("b"), at(")"), "x(1)");
  edit_after(e, nth(";", 1), " y; z");
  edit_at_end(e, at("a"), "static void f(void) { g(); }");
  end_as(1, "  a;\n#pragma omp for\n  x(1) ; y;\n  z\nstatic void f(void) {\n  g();\n}\n");
}

int main(void)
{
  static const struct unit_test tests[] = {{"nothing", test_unedited}, {"#define", test_defines},
      {"replacing", test_replace}, {"ranges in ranges", test_nested}, {"order", test_order},
      {"joints", test_joints}, {"pragmas", test_pragmas}, {"line marks", test_marks},
      {"the end of the file", test_end}, {"on one line", test_text}, {"a full disk", test_failure},
      {"for readers", test_readable}, {"for readers: pragmas", test_readable_pragmas}};
  return RUN_SUITE("xmpcc/edit", tests);
}
