/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The environment as facts: the table for programs, what is set for a report, and names that nobody knows. */
#include <stdio.h>
#include <string.h>

#include "support/env.h"
#include "support/error.h"
#include "tools/gasnet_info.h"
#include "tools/gasnet_info_out.h"

enum { LONGEST_NAME = 128 };
static const char prefix[] = "GASNET_";

extern char **environ;

int info_env_good(const struct pst_variable *v)
{
  const char *text = pst_env_text(v);
  return !text || pst_env_valid(v, text) == PST_OK;
}

/* ---- names ---- */

/* "NAME=value": the value; NULL: it is no such thing, or has another prefix. */
static const char *split(const char *variable, const char *begins, char name[LONGEST_NAME])
{
  const size_t n = strcspn(variable, "=");
  if (!variable[n] || strncmp(variable, begins, strlen(begins)) != 0) return NULL;
  snprintf(name, LONGEST_NAME, "%.*s", (int)n, variable);
  return variable + n + 1;
}

void info_env_unknown(void (*tell)(const char *name, const char *near))
{
  char name[LONGEST_NAME];
  for (char **e = environ; e && *e; e++)
    if (split(*e, prefix, name) && !pst_env_find(name)) tell(name, pst_env_nearest(name));
}

/* ---- the table ---- */

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
  info_env_unknown(tell_unknown);
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
  info_env_unknown(tell_stranger);
  tell_others();
}
