/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A job that began before main: what the constructor made is there, static data have kept what constructors
 * wrote, and the last node ends as the arguments say: return, exit, _exit, abort, raise, each with a number;
 * fork; helper, a program of the language that is started by a node. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/front/language.h"

static int failures;
#define CHECK(condition) \
  do { \
    if (!(condition)) { \
      fprintf( \
          stderr, "FAIL %s:%d: node %u of %u: %s\n", __FILE__, __LINE__, early.me, early.nodes, #condition); \
      failures++; \
    } \
  } while (0)

static uint64_t first = 17, second, word;

__attribute__((constructor(101))) static void run_first(void) { first++; }
__attribute__((constructor)) static void run_second(void) { second = 23; }

static void check_arguments(int argc, char **argv)
{
  CHECK(early.argc == argc);
  for (int i = 0; i < argc; i++) CHECK(strcmp(early.argv[i], argv[i]) == 0);
  CHECK(!early.argv[argc]);
}

static void check_memory(void)
{
  const unsigned next = (early.me + 1) % early.nodes, last = (early.me + early.nodes - 1) % early.nodes;
  CHECK(early_get(next, &early.block[0]) == 1000 + next);
  for (unsigned i = 1; i < EARLY_WORDS; i++) early_put(next, &early.block[i], early.me * 10000 + i);
  if (early.statics) early_put(next, &word, 500 + early.me);
  early_barrier();
  for (unsigned i = 1; i < EARLY_WORDS; i++) CHECK(early.block[i] == last * 10000 + i);
  CHECK(word == (early.statics ? 500 + last : 0));
  CHECK(first == 18);
  CHECK(second == 23);
}

/* A forked process that exits does not leave the job, and its end is not the job's. */
static void check_fork(void)
{
  int status = 0;
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) exit(early.forked && first == 18 ? 6 : 1);
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 6);
  CHECK(!early.forked);
}

/* Is a job of its own, whose output is its own. */
static void check_helper(const char *program)
{
  char command[4200];
  snprintf(command, sizeof command, "'%s' return 6 >/dev/null", program);
  const int status = system(command);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 6);
}

static int end(const char *how, int code)
{
  if (early.me != early.nodes - 1) return 0;
  printf("the last node ends\n");
  if (strcmp(how, "exit") == 0) exit(code);
  if (strcmp(how, "_exit") == 0) _exit(code);
  if (strcmp(how, "abort") == 0) abort();
  if (strcmp(how, "raise") == 0) raise(code);
  return code;
}

int main(int argc, char **argv)
{
  const char *how = argc > 1 ? argv[1] : "return";
  check_arguments(argc, argv);
  check_memory();
  if (strcmp(how, "fork") == 0) check_fork();
  if (strcmp(how, "helper") == 0) check_helper(argv[0]);
  early_barrier();
  if (failures) return 1;
  return end(how, argc > 2 ? atoi(argv[2]) : 0);
}
