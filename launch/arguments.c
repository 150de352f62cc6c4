/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "launch/arguments.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/parse.h"

const char *program_name = "gasnetrun";
void (*fail_report)(int code, const char *text);

void fail(int code, const char *fmt, ...)
{
  char text[1024];
  va_list args;
  va_start(args, fmt);
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  fflush(stdout);
  if (fail_report) fail_report(code, text);
  dprintf(STDERR_FILENO, "%s: %s\n", program_name, text);
  exit(code);
}

void *memory_needed(void *memory)
{
  if (!memory) fail(1, "out of memory");
  return memory;
}

void argument_finish(void)
{
  if (fflush(stdout) != 0 || ferror(stdout)) fail(1, "cannot write: %s", strerror(errno));
  exit(0);
}

const char *program_path(void)
{
  static char path[PATH_MAX];
  const ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
  path[n > 0 ? n : 0] = '\0';
  return path;
}

const char *program_directory(void)
{
  static char path[PATH_MAX];
  strcpy(path, program_path());
  char *slash = strrchr(path, '/');
  if (slash) *slash = '\0';
  return path;
}

/* ---- values ---- */

static void *place_of(void *settings, const struct argument *a) { return (char *)settings + a->at; }

void argument_text(void *settings, const struct argument *a, const char *spelled, const char *value)
{
  (void)spelled;
  *(const char **)place_of(settings, a) = value;
}

void argument_flag(void *settings, const struct argument *a, const char *spelled, const char *value)
{
  (void)spelled, (void)value;
  *(int *)place_of(settings, a) = 1;
}

unsigned argument_parse_count(const char *spelled, const char *text, unsigned least, unsigned most)
{
  char *end;
  errno = 0;
  const unsigned long v = strtoul(text, &end, 10);
  const char *reason = *text < '0' || *text > '9' || *end ? "not a number; " : "";
  if (*reason || errno || v < least || v > most)
    fail(EXIT_MISUSE, "%s %s: %s%u to %u are possible", spelled, text, reason, least, most);
  return (unsigned)v;
}

void argument_count(void *settings, const struct argument *a, const char *spelled, const char *value)
{
  const unsigned v = argument_parse_count(spelled, value, (unsigned)a->least, (unsigned)a->most);
  *(unsigned *)place_of(settings, a) = v;
}

void argument_number(void *settings, const struct argument *a, const char *spelled, const char *value)
{
  double v;
  if (pst_parse_double(value, &v) != 0 || !(v >= a->least && v <= a->most))
    fail(EXIT_MISUSE, "%s %s: %g to %g are possible", spelled, value, a->least, a->most);
  *(double *)place_of(settings, a) = v;
}

/* ---- the table ---- */

/* "-n4" and "--nodes=4" beside "-n 4": the attached value, "" for an exact match, NULL for neither. */
static const char *match(const char *arg, const char *name)
{
  const size_t n = strlen(name);
  if (strncmp(arg, name, n) != 0) return NULL;
  if (arg[n] == '\0') return "";
  if (name[1] == '-') return arg[n] == '=' ? arg + n + 1 : NULL;
  return n == 2 ? arg + n : NULL;
}

/* Exact names first: "-np" is not "-n" with the value "p". */
static const struct argument *argument_find(
    const struct argument *table, const char *arg, const char **attached)
{
  for (int exact = 1; exact >= 0; exact--)
    for (const struct argument *a = table; a->name[0]; a++)
      for (unsigned k = 0; k < 3 && a->name[k]; k++) {
        const char *value = match(arg, a->name[k]);
        if (!value || (exact && arg[strlen(a->name[k])])) continue;
        *attached = exact ? NULL : value;
        return a;
      }
  return NULL;
}

int argument_take(const struct argument *table, char **argv, void *settings)
{
  const char *value;
  const struct argument *a = argument_find(table, argv[0], &value);
  if (!a) fail(EXIT_MISUSE, "unknown option '%s'; see %s --help", argv[0], program_name);
  const char *spelled = value ? a->name[0] : argv[0];
  if (value && !a->value) fail(EXIT_MISUSE, "option '%s' takes no value", argv[0]);
  const int further = a->value && !value;
  if (further && !(value = argv[1])) fail(EXIT_MISUSE, "option '%s' needs a value: %s", spelled, a->value);
  a->take(settings, a, spelled, value);
  return further;
}

void argument_print_help(const struct argument *table, int width)
{
  for (const struct argument *a = table; a->name[0]; a++) {
    char left[64];
    int n = 0;
    for (unsigned k = 0; k < 3 && a->name[k]; k++)
      n += snprintf(left + n, sizeof left - (size_t)n, "%s%s", k ? ", " : "", a->name[k]);
    if (a->value) snprintf(left + n, sizeof left - (size_t)n, " %s", a->value);
    if (a->help) printf("  %-*s %s\n", width, left, a->help);
    else printf("  %s\n", left);
  }
}
