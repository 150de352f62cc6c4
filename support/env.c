/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "support/env.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "gasnet_tools.h"
#include "support/error.h"
#include "support/parse.h"
#include "support/variables.h"

#define PREFIX        "GASNET_"
#define PREFIX_LENGTH (sizeof PREFIX - 1)
#define LONGEST_NAME  64

extern char **environ;

/* ---- one variable ---- */

static const char *set_text(const struct pst_variable *v)
{
  const char *text = getenv(v->name);
  return text && *text ? text : NULL;
}

const char *pst_env_text(const struct pst_variable *v)
{
  const char *text = set_text(v);
  return text ? text : v->deflt;
}

int pst_env_is_set(const struct pst_variable *v) { return set_text(v) != NULL; }

/* Choices come back as the table writes them, so that callers may use strcmp. */
static const char *word_find(const char *const *words, const char *text)
{
  for (; *words; words++)
    if (strcasecmp(*words, text) == 0) return *words;
  return NULL;
}

static int check_range(const struct pst_variable *v, double number)
{
  return number >= (double)v->min && number <= (double)v->max ? PST_OK : PST_ERR_RANGE;
}

int pst_env_valid(const struct pst_variable *v, const char *text)
{
  int truth, err;
  int64_t number;
  double real;
  switch (v->type) {
  case PST_ENV_TYPE_STRING: return PST_OK;
  case PST_ENV_TYPE_BOOL: return pst_parse_bool(text, &truth);
  case PST_ENV_TYPE_INT: return (err = pst_parse_int(text, &number)) ? err : check_range(v, (double)number);
  case PST_ENV_TYPE_SECONDS: return (err = pst_parse_seconds(text, &real)) ? err : check_range(v, real);
  case PST_ENV_TYPE_CHOICE: return word_find(v->words, text) ? PST_OK : PST_ERR_INVALID;
  case PST_ENV_TYPE_SPECIAL: return v->check(text);
  }
  return PST_ERR_INVALID;
}

/* The text in force, known to be valid; NULL when unset and without a default. */
static const char *valid_text(const struct pst_variable *v)
{
  const char *text = pst_env_text(v);
  char legal[256];
  if (text && pst_env_valid(v, text) != PST_OK)
    pst_fatal("%s=\"%s\" is not valid: it must be %s", v->name, text, pst_env_legal(v, legal, sizeof legal));
  return text;
}

int pst_env_is_true(const struct pst_variable *v)
{
  const char *text = pst_env_text(v);
  int truth = 0;
  return text && pst_parse_bool(text, &truth) == PST_OK && truth;
}

const char *pst_env_string(const struct pst_variable *v)
{
  const char *text = valid_text(v);
  return text && v->type == PST_ENV_TYPE_CHOICE ? word_find(v->words, text) : text;
}

int pst_env_bool(const struct pst_variable *v)
{
  const char *text = valid_text(v);
  int truth = 0;
  if (text) pst_parse_bool(text, &truth);
  return truth;
}

int64_t pst_env_int(const struct pst_variable *v)
{
  const char *text = valid_text(v);
  int64_t number = 0;
  if (text) pst_parse_int(text, &number);
  return number;
}

double pst_env_double(const struct pst_variable *v)
{
  const char *text = valid_text(v);
  double seconds = 0;
  if (text) pst_parse_seconds(text, &seconds);
  return seconds;
}

/* ---- what is said of one ---- */

const char *pst_env_type_name(enum pst_env_type type)
{
  static const char *const names[] = {"string", "boolean", "integer", "seconds", "choice", "special"};
  return names[type];
}

static void join_words(const char *const *words, char *buf, int size)
{
  int used = snprintf(buf, (size_t)size, "%s", *words);
  while (*++words && used < size)
    used += snprintf(buf + used, (size_t)(size - used), "%s%s", words[1] ? ", " : " or ", *words);
}

const char *pst_env_legal(const struct pst_variable *v, char *buf, int size)
{
  long long lo = v->min, hi = v->max;
  size_t n = (size_t)size;
  switch (v->type) {
  case PST_ENV_TYPE_STRING: snprintf(buf, n, "any text"); break;
  case PST_ENV_TYPE_BOOL: snprintf(buf, n, "yes or no"); break;
  case PST_ENV_TYPE_INT: snprintf(buf, n, "a whole number from %lld to %lld", lo, hi); break;
  case PST_ENV_TYPE_SECONDS: snprintf(buf, n, "a number of seconds from %lld to %lld", lo, hi); break;
  case PST_ENV_TYPE_CHOICE: join_words(v->words, buf, size); break;
  case PST_ENV_TYPE_SPECIAL: snprintf(buf, n, "%s", v->legal); break;
  }
  return buf;
}

/* ---- all variables ---- */

const struct pst_variable *pst_env_at(unsigned i)
{
  for (const struct pst_env_table *const *t = pst_env_tables; *t; i -= (*t++)->count)
    if (i < (*t)->count) return &(*t)->variables[i];
  return NULL;
}

const struct pst_variable *pst_env_find(const char *name)
{
  const struct pst_variable *v;
  for (unsigned i = 0; (v = pst_env_at(i)) != NULL && strcmp(v->name, name) != 0; i++) {}
  return v;
}

static int least(int a, int b) { return a < b ? a : b; }

/* Edit distance with transpositions of neighbours as one step: GASNET_BARIER, GASNET_BACKTARCE. Three rows
 * suffice. */
static int name_distance(const char *a, const char *b)
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

/* It allows two slips, fewer in a short name: GASNet's own variables, and those of programs, are farther from
 * ours than that. */
const char *pst_env_nearest(const char *name)
{
  char stem[LONGEST_NAME + 1];
  const char *best = NULL;
  upper_case(name + PREFIX_LENGTH, stem);
  int allowed = least((int)strlen(stem) / 3, 2);
  const struct pst_variable *v;
  for (unsigned i = 0; (v = pst_env_at(i)) != NULL; i++) {
    const int d = name_distance(stem, v->name + PREFIX_LENGTH);
    if (d > allowed) continue;
    best = v->name;
    allowed = d - 1;
  }
  return best;
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
  if (pst_env_find(name)) return;
  const char *near = pst_env_nearest(name);
  if (near) pst_warn("unknown variable %s is ignored; did you mean %s?", name, near);
  else if (verbose)
    pst_warn("%s is no variable of this library's; gasnet_info --env lists those that are", name);
}

void pst_env_check(int speak)
{
  const struct pst_variable *v;
  for (unsigned i = 0; (v = pst_env_at(i)) != NULL; i++) pst_env_string(v);
  if (!speak) return;
  const int verbose = pst_env_bool(&pst_support_env.verboseenv);
  for (char **e = environ; e && *e; e++)
    if (strncmp(*e, PREFIX, PREFIX_LENGTH) == 0) check_name(*e, verbose);
  for (unsigned i = 0; verbose && (v = pst_env_at(i)) != NULL; i++) {
    const char *text = pst_env_string(v);
    fprintf(stderr, "ENV parameter: %s = %s%s\n", v->name, text ? text : "(unset)",
        pst_env_is_set(v) ? "" : "  (default)");
  }
}

/* As the texts are written: nodes get them from one launcher. */
uint64_t pst_env_common(char *names, size_t size)
{
  const struct pst_variable *v;
  uint64_t sum = 0;
  size_t at = 0;
  names[0] = '\0';
  for (unsigned i = 0; (v = pst_env_at(i)) != NULL; i++) {
    if (!v->common) continue;
    const char *text = pst_env_text(v);
    sum = sum * 31 + (text ? gasnett_checksum(text, strlen(text)) : 0);
    if (at < size) at += (size_t)snprintf(names + at, size - at, "%s%s", at ? ", " : "", v->name);
  }
  return sum;
}
