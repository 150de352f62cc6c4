/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Checking the whole environment: bad values, unknown names, and telling about it. */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "support/env.h"
#include "support/env_table.h"
#include "support/error.h"

#define PREFIX        "GASNET_"
#define PREFIX_LENGTH (sizeof PREFIX - 1)
#define LONGEST_NAME  64

extern char **environ;

const char *pst_env_type_name(enum pst_env_type type)
{
  static const char *const names[] = {"string", "boolean", "integer", "size", "seconds", "choice", "special"};
  return names[type];
}

static void join_words(const char *const *words, char *buf, int size)
{
  int used = snprintf(buf, (size_t)size, "%s", *words);
  while (*++words && used < size)
    used += snprintf(buf + used, (size_t)(size - used), "%s%s", words[1] ? ", " : " or ", *words);
}

const char *pst_env_legal(enum pst_env v, char *buf, int size)
{
  const struct pst_env_entry *e = pst_env_entry(v);
  long long lo = e->min, hi = e->max;
  size_t n = (size_t)size;
  switch (e->type) {
  case PST_ENV_TYPE_STRING: snprintf(buf, n, "any text"); break;
  case PST_ENV_TYPE_BOOL: snprintf(buf, n, "yes or no"); break;
  case PST_ENV_TYPE_INT: snprintf(buf, n, "a whole number from %lld to %lld", lo, hi); break;
  case PST_ENV_TYPE_SIZE:
    snprintf(buf, n, "a size such as 64K or 1.5M, from %lld to %lld bytes", lo, hi);
    break;
  case PST_ENV_TYPE_SECONDS: snprintf(buf, n, "a number of seconds from %lld to %lld", lo, hi); break;
  case PST_ENV_TYPE_CHOICE: join_words(e->words, buf, size); break;
  case PST_ENV_TYPE_SPECIAL: snprintf(buf, n, "%s", e->legal); break;
  }
  return buf;
}

static int least(int a, int b) { return a < b ? a : b; }

/* Edit distance with transpositions of neighbours as one step: GASNET_BARIER, GASNET_BACKTARCE. Three rows
 * suffice. */
static int distance(const char *a, const char *b)
{
  int rows[3][LONGEST_NAME + 1];
  int na = (int)strlen(a), nb = (int)strlen(b);
  if (na > LONGEST_NAME || nb > LONGEST_NAME) return INT_MAX;
  for (int j = 0; j <= nb; j++) rows[0][j] = j;
  for (int i = 1; i <= na; i++) {
    int *now = rows[i % 3];
    const int *before = rows[(i + 2) % 3], *before2 = rows[(i + 1) % 3];
    now[0] = i;
    for (int j = 1; j <= nb; j++) {
      now[j] = least(least(before[j], now[j - 1]) + 1, before[j - 1] + (a[i - 1] != b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        now[j] = least(now[j], before2[j - 2] + 1);
    }
  }
  return rows[na % 3][nb];
}

static void upper_case(const char *text, char out[LONGEST_NAME + 1])
{
  size_t n = 0;
  for (; text[n] && n < LONGEST_NAME; n++) out[n] = (char)toupper((unsigned char)text[n]);
  out[n] = '\0';
}

const char *pst_env_nearest(const char *name)
{
  char stem[LONGEST_NAME + 1];
  const char *best = NULL;
  upper_case(name + PREFIX_LENGTH, stem);
  /* Two slips, fewer in a short name: GASNet's own variables, and those of programs, are farther from ours
   * than that. */
  int allowed = least((int)strlen(stem) / 3, 2);
  for (int v = 0; v < PST_ENV_COUNT; v++) {
    int d = distance(stem, pst_env_entry((enum pst_env)v)->name + PREFIX_LENGTH);
    if (d > allowed) continue;
    best = pst_env_entry((enum pst_env)v)->name;
    allowed = d - 1;
  }
  return best;
}

static int is_known(const char *name)
{
  for (int v = 0; v < PST_ENV_COUNT; v++)
    if (strcmp(name, pst_env_entry((enum pst_env)v)->name) == 0) return 1;
  return 0;
}

/* The program, its launcher or a script for another GASNet may have a use for the variable: only what looks
 * like a misspelling of one of ours is worth a line. */
static void check_name(const char *variable, int verbose)
{
  char name[LONGEST_NAME + sizeof PREFIX];
  size_t n = strcspn(variable, "=");
  if (n >= sizeof name) n = sizeof name - 1;
  memcpy(name, variable, n);
  name[n] = '\0';
  if (is_known(name)) return;
  const char *near = pst_env_nearest(name);
  if (near) pst_warn("unknown variable %s is ignored; did you mean %s?", name, near);
  else if (verbose)
    pst_warn("%s is no variable of this library's; gasnet_info --env lists those that are", name);
}

void pst_env_check(int speak)
{
  for (int v = 0; v < PST_ENV_COUNT; v++) pst_env_string((enum pst_env)v);
  if (!speak) return;
  const int verbose = pst_env_bool(PST_ENV_VERBOSEENV);
  for (char **e = environ; e && *e; e++)
    if (strncmp(*e, PREFIX, PREFIX_LENGTH) == 0) check_name(*e, verbose);
  if (!verbose) return;
  for (int v = 0; v < PST_ENV_COUNT; v++) {
    const char *text = pst_env_string((enum pst_env)v);
    fprintf(stderr, "ENV parameter: %s = %s%s\n", pst_env_entry((enum pst_env)v)->name,
        text ? text : "(unset)", pst_env_is_set((enum pst_env)v) ? "" : "  (default)");
  }
}
