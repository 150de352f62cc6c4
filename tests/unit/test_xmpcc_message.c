/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Messages: place, line and caret, also where the preprocessor moved what they are about, where the file
 * cannot be read, and the end after too many. */
#include "xmpcc/message.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/suite.h"
#include "xmpcc/source.h"

static char name[] = "/tmp/test_xmpcc_message.XXXXXX";

static void file_is(const char *text)
{
  FILE *f = fopen(name, "w");
  CU_ASSERT_FATAL(f != NULL);
  fputs(text, f);
  fclose(f);
}

/* What is said of the token: the file's name is written as FILE. */
static void check(const struct token *t, void (*say)(const struct token *), const char *wanted)
{
  char *said = NULL, got[2000] = "";
  size_t size;
  FILE *f = open_memstream(&said, &size);
  message_set_output(f);
  say(t);
  fclose(f);
  message_set_output(NULL);
  const char *at = strstr(said, name);
  if (at == said) strcat(got, "FILE"), at += strlen(name);
  else at = said;
  strncat(got, at, sizeof got - 10);
  if (strcmp(got, wanted) != 0) printf("\nsays:\n%s\nwanted:\n%s\n", got, wanted);
  CU_ASSERT_STRING_EQUAL(got, wanted);
  free(said);
}

static void say_error(const struct token *t) { message_error(t, "no %s; write %d", "good", 2); }
static void say_warning(const struct token *t) { message_warning(t, "odd"); }
static void say_note(const struct token *t) { message_note(t, "see"); }

static struct token token_at(const char *text, unsigned line, unsigned column)
{
  return (struct token){.kind = TOKEN_NAME,
      .text = text,
      .length = (unsigned)strlen(text),
      .line = line,
      .column = column,
      .file = name};
}

static void test_kinds(void)
{
  file_is("one\n  two three\r\n");
  const struct token t = token_at("three", 2, 7), last = token_at("two", 2, 3);
  check(&t, say_error, "FILE:2:7: error: no good; write 2\n    2 |   two three\n      |       ^~~~~\n");
  check(&t, say_warning, "FILE:2:7: warning: odd\n    2 |   two three\n      |       ^~~~~\n");
  check(&last, say_note, "FILE:2:3: note: see\n    2 |   two three\n      |   ^~~\n");
}

/* The nearest place of the same word wins; part of a word is none. */
static void test_moved(void)
{
  file_is("#pragma   xmp\tloop  (i, in, i) /* \xc3\xa9 */ on\n");
  const struct token i = token_at("i", 1, 19), second = token_at("i", 1, 26), on = token_at("on", 1, 30);
  const struct token none = token_at("other", 1, 3);
  check(&i, say_warning,
      "FILE:1:22: warning: odd\n    1 | #pragma   xmp\tloop  (i, in, i) /* \xc3\xa9 */ on\n"
      "      |              \t       ^\n");
  check(&second, say_warning,
      "FILE:1:29: warning: odd\n    1 | #pragma   xmp\tloop  (i, in, i) /* \xc3\xa9 */ "
      "on\n      |              \t              ^\n");
  check(&on, say_warning,
      "FILE:1:41: warning: odd\n    1 | #pragma   xmp\tloop  (i, in, i) /* \xc3\xa9 */ on\n"
      "      |              \t                         ^~\n");
  check(&none, say_warning,
      "FILE:1:3: warning: odd\n    1 | #pragma   xmp\tloop  (i, in, i) /* \xc3\xa9 */ "
      "on\n      |   ^\n");
}

static void test_unreadable(void)
{
  struct token t = token_at("x", 9, 4);
  file_is("x\n");
  check(&t, say_warning, "FILE:9:4: warning: odd\n");
  t.file = "/absent/file.c";
  check(&t, say_warning, "/absent/file.c:9:4: warning: odd\n");
  t.file = "/dev/zero"; /* is no file with lines, and has no end */
  check(&t, say_warning, "/dev/zero:9:4: warning: odd\n");
  t = token_at("", 1, 400);
  check(&t, say_warning, "FILE:1:400: warning: odd\n");
}

static void test_counts(void)
{
  struct token t = token_at("x", 1, 1);
  FILE *f = fopen("/dev/null", "w");
  message_set_output(f);
  message_warning(&t, "w");
  message_note(&t, "n");
  CU_ASSERT_EQUAL(message_errors(), 0);
  for (unsigned i = 1; i < 20; i++) {
    message_error(&t, "e");
    CU_ASSERT_EQUAL(message_errors(), i);
  }
  fflush(NULL);
  const pid_t child = fork();
  CU_ASSERT_FATAL(child >= 0);
  if (child == 0) message_error(&t, "the last"), _exit(0);
  int status = 0;
  CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
  CU_ASSERT(WIFEXITED(status) && WEXITSTATUS(status) == 1);
  message_set_output(NULL);
  fclose(f);
}

int main(void)
{
  static const struct unit_test tests[] = {{"kinds", test_kinds}, {"moved tokens", test_moved},
      {"no line", test_unreadable}, {"how many", test_counts}};
  const int fd = mkstemp(name);
  if (fd < 0) return 1;
  close(fd);
  const int bad = RUN_SUITE("xmpcc/message", tests);
  unlink(name);
  return bad;
}
