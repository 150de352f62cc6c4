/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The environment: the table for people, for the manual and for programs; what is set, for a report; names
 * that nobody knows. */
#include <stdio.h>
#include <string.h>

#include "support/env.h"
#include "support/error.h"
#include "tools/gasnet_info.h"
#include "tools/gasnet_info_out.h"

enum { WIDTH = 100 /* columns of the output */, INDENT = 4, LONGEST_NAME = 128 };
static const char prefix[] = "GASNET_";

extern char **environ;

int info_env_good(const struct pst_variable *v)
{
  const char *text = pst_env_text(v);
  return !text || pst_env_valid(v, text) == PST_OK;
}

/* "NAME=value": the value; NULL: it is no such thing, or has another prefix. */
static const char *split(const char *variable, const char *begins, char name[LONGEST_NAME])
{
  const size_t n = strcspn(variable, "=");
  if (!variable[n] || strncmp(variable, begins, strlen(begins)) != 0) return NULL;
  snprintf(name, LONGEST_NAME, "%.*s", (int)n, variable);
  return variable + n + 1;
}

/* Each variable that is set, begins with GASNET_ and has no meaning; near may be NULL. */
static void unknown_tell(void (*tell)(const char *name, const char *near))
{
  char name[LONGEST_NAME];
  for (char **e = environ; e && *e; e++)
    if (split(*e, prefix, name) && !pst_env_find(name)) tell(name, pst_env_nearest(name));
}

/* ---- the table, for people ---- */

/* Breaks text between words. */
static void print_wrapped(const char *text)
{
  int column = 0;
  while (*text) {
    int n = (int)strcspn(text, " ");
    if (column && column + 1 + n > WIDTH - INDENT) column = 0, putchar('\n');
    printf("%*s%.*s", column ? 1 : INDENT, "", n, text);
    column += n + (column != 0);
    text += n;
    while (*text == ' ') text++;
  }
  putchar('\n');
}

static int print_value(const struct pst_variable *v)
{
  const char *text = pst_env_text(v);
  char legal[256];
  printf("%*snow: %s%s\n", INDENT, "", text ? text : "unset", pst_env_is_set(v) ? "  (set)" : "");
  if (info_env_good(v)) return 0;
  printf("%*sNOT VALID: it must be %s\n", INDENT, "", pst_env_legal(v, legal, sizeof legal));
  return 1;
}

static void print_unknown(const char *name, const char *near)
{
  printf("\n%s\n%*sset, unknown and ignored%s%s%s\n", name, INDENT, "", near ? "; did you mean " : "",
      near ? near : "", near ? "?" : "");
}

int info_env_table(void)
{
  int bad = 0;
  char legal[256];
  const struct pst_variable *v;
  for (unsigned i = 0; (v = pst_env_at(i)) != NULL; i++) {
    printf("%s%s  (%s; default: %s)\n", i ? "\n" : "", v->name, pst_env_type_name(v->type),
        v->deflt ? v->deflt : "unset");
    print_wrapped(v->help);
    printf("%*slegal: %s\n", INDENT, "", pst_env_legal(v, legal, sizeof legal));
    bad += print_value(v);
  }
  unknown_tell(print_unknown);
  puts("\nPrograms of OpenSHMEM heed SMA_... and SHMEM_..., too: see openshmem(7); those of UPC "
       "UPC_SHARED_HEAP_SIZE: see upc_memory(3);\nthose of XcalableMP XMP_...: see xmp(7); those with "
       "Fortran's coarrays CAF_...: see penstock_caf(7).");
  return bad;
}

/* In troff a hyphen that is to be a minus needs a backslash, and a line may not begin with a dot or an
 * apostrophe. */
static void print_troff(const char *text)
{
  if (*text == '.' || *text == '\'') fputs("\\&", stdout);
  for (; *text; text++) {
    if (*text == '-' || *text == '\\') putchar('\\');
    putchar(*text);
  }
}

void info_env_manual(void)
{
  char legal[256];
  puts(".SH ENVIRONMENT\nAn empty value counts as unset.");
  const struct pst_variable *v;
  for (unsigned i = 0; (v = pst_env_at(i)) != NULL; i++) {
    printf(".TP\n.B %s\n", v->name);
    print_troff(v->help);
    fputs("\n.br\nLegal: ", stdout);
    print_troff(pst_env_legal(v, legal, sizeof legal));
    fputs(". Default: ", stdout);
    print_troff(v->deflt ? v->deflt : "unset");
    puts(".");
  }
}

/* ---- the table, as facts ---- */

static void tell_variable(const struct pst_variable *v)
{
  const char *now = pst_env_text(v);
  char legal[256];
  info_item("variable", v->name);
  info_fact("type", "%s", pst_env_type_name(v->type));
  if (v->deflt) info_fact("default", "%s", v->deflt);
  info_fact("legal", "%s", pst_env_legal(v, legal, sizeof legal));
  if (now) info_fact("now", "%s", now);
  info_flag("is set", pst_env_is_set(v), NULL);
  info_flag("is valid", info_env_good(v), NULL);
  info_fact("help", "%s", v->help);
}

static void tell_unknown(const char *name, const char *near)
{
  info_item("unknown", name);
  if (near) info_fact("nearest", "%s", near);
}

int info_env_facts(void)
{
  int bad = 0;
  info_section("environment");
  const struct pst_variable *v;
  for (unsigned i = 0; (v = pst_env_at(i)) != NULL; i++) {
    tell_variable(v);
    bad += !info_env_good(v);
  }
  unknown_tell(tell_unknown);
  return bad;
}

/* ---- what is set ---- */

/* Their values name hosts, users or addresses; those of other libraries may be keys. */
static int is_private(const char *name)
{
  static const char *const parts[] = {
      "GASNET_HOSTS", "GASNET_RSH", "INTERFACE", "KEY", "TOKEN", "SECRET", "PASS", "AUTH", "UUID"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (strstr(name, parts[i])) return 1;
  return 0;
}

static void tell_value(const char *name, const char *value, const char *remark)
{
  if (is_private(name) && !info_shows_names()) info_fact(name, "(set; --names shows it)%s", remark);
  else info_fact(name, "%s%s", value, remark);
}

static void tell_set(const struct pst_variable *v)
{
  char legal[256], remark[320] = "";
  if (!pst_env_is_set(v)) return;
  if (!info_env_good(v))
    snprintf(remark, sizeof remark, "  NOT VALID: it must be %s", pst_env_legal(v, legal, sizeof legal));
  tell_value(v->name, pst_env_text(v), remark);
}

static void tell_stranger(const char *name, const char *near)
{
  info_fact(name, "set, unknown and ignored%s%s%s", near ? "; did you mean " : "", near ? near : "",
      near ? "?" : "");
}

/* Of the libraries above and below. */
static void tell_others(void)
{
  static const char *const begins[] = {
      "UPC_", "SMA_", "SHMEM_", "FI_", "UCX_", "RDMAV_", "PSM3_", "LD_LIBRARY_PATH", "LD_PRELOAD"};
  char name[LONGEST_NAME];
  for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
    for (char **e = environ; e && *e; e++) {
      const char *value = split(*e, begins[i], name);
      if (value && *value) tell_value(name, value, "");
    }
}

void info_env_set(void)
{
  info_section("environment");
  const struct pst_variable *v;
  for (unsigned i = 0; (v = pst_env_at(i)) != NULL; i++) tell_set(v);
  unknown_tell(tell_stranger);
  tell_others();
}
