/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The cases of a program that breaks rules on purpose, one a run: --case NAME. The job must end with one
 * message, which a script tests/check_*misuse.sh knows. --list prints the cases that every build finds,
 * --list-debug those that only a debug build finds (or a build that is told to check). */
#ifndef TESTS_MISUSE_H
#define TESTS_MISUSE_H

struct misuse {
  const char *name;
  int kind;
  void (*run)(void);
};
/* EARLY: runs before the start. BOTH: both processes run it, not the first alone. JOINED: the other one comes
 * to a barrier. TOLD: the call reports it and returns. OFI: that conduit finds it in every build. */
enum { ALWAYS = 0, DEBUG = 1, EARLY = 2, BOTH = 4, JOINED = 8, TOLD = 16, OFI = 32 };
/* A case that is called as its function is. */
#define CASE(function, when) \
  { \
    .name = #function, .kind = when, .run = function \
  }

/* Takes --list and --list-debug; returns the case that --case names, or NULL without one. */
#define MISUSE_CASE(argc, argv, cases) misuse_case(argc, argv, cases, sizeof(cases) / sizeof *(cases))

static const struct misuse *misuse_case(int *argc, char **argv, const struct misuse *cases, size_t count)
{
  const int debug = *argc == 2 && !strcmp(argv[1], "--list-debug");
  if (debug || (*argc == 2 && !strcmp(argv[1], "--list"))) {
    for (size_t i = 0; i < count; i++)
      if ((cases[i].kind & DEBUG) == debug * DEBUG) puts(cases[i].name);
    exit(0);
  }
  const char *name = test_option(argc, argv, "--case");
  if (!name) return NULL;
  for (size_t i = 0; i < count; i++)
    if (!strcmp(cases[i].name, name)) return &cases[i];
  fprintf(stderr, "%s: there is no case %s\n", argv[0], name);
  exit(2);
}

#endif
