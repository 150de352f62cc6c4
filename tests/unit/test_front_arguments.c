/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* front/arguments.c: the program starts itself again with arguments that are empty, long, or have blanks and
 * ends of lines in them, and compares what it reads with what main gets. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "front/arguments.c"
#include "tests/unit/suite.h"

static int arguments_differ(int argc, char **argv)
{
  int n = -1;
  char **read = pst_front_arguments_read(&n);
  if (!read || n != argc || read[n]) return 1;
  for (int i = 0; i < n; i++)
    if (strcmp(read[i], argv[i]) != 0) return 1;
  return 0;
}

/* The child's answer. */
static int run_with(char *const *argv)
{
  int status = -1;
  const pid_t child = fork();
  if (child == 0) {
    execv("/proc/self/exe", argv);
    _exit(99);
  }
  CU_ASSERT_EQUAL_FATAL(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void all_kinds(void)
{
  static char many[100000];
  memset(many, 'x', sizeof many - 1);
  CU_ASSERT_EQUAL(run_with((char *[]){"again", "compare", NULL}), 0);
  CU_ASSERT_EQUAL(run_with((char *[]){"again", "compare", "", "", NULL}), 0);
  CU_ASSERT_EQUAL(run_with((char *[]){"again", "compare", "two words", "\n", "", many, "-1", NULL}), 0);
}

/* The comparison itself notices a difference. */
static void differences(void)
{
  char *none[] = {"nothing", NULL};
  CU_ASSERT_EQUAL(arguments_differ(1, none), 1);
  CU_ASSERT_EQUAL(arguments_differ(0, none + 1), 1);
}

static void no_file(void)
{
  size_t size = 3;
  CU_ASSERT_PTR_NULL(file_read("/proc/self/no such file", &size));
  CU_ASSERT_EQUAL(size, 3);
}

int main(int argc, char **argv)
{
  static const struct unit_test tests[] = {{"arguments of all kinds", all_kinds},
      {"differences are noticed", differences}, {"a file that is not there", no_file}};
  if (argc > 1 && strcmp(argv[1], "compare") == 0) return arguments_differ(argc, argv);
  return RUN_SUITE("arguments for constructors", tests);
}
