/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The client's own look-ups in the environment. */
#include <stdio.h>
#include <stdlib.h>

#include "gasnet_tools.h"
#include "support/env.h"
#include "support/error.h"
#include "support/parse.h"
#include "support/variables.h"

char *gasnett_getenv(const char *name) { return getenv(name); }

void gasnett_setenv(const char *name, const char *value)
{
  if (setenv(name, value, 1) != 0) pst_fatal("cannot set the variable %s: %m", name);
}

void gasnett_unsetenv(const char *name)
{
  if (unsetenv(name) != 0) pst_fatal("cannot unset the variable %s: %m", name);
}

int gasnett_verboseenv(void) { return pst_error_node() <= 0 && pst_env_is_true(&pst_support_env.verboseenv); }

void gasnett_envstr_display(const char *name, const char *value, int is_default)
{
  if (!gasnett_verboseenv()) return;
  fprintf(
      stderr, "ENV parameter: %s = %s%s\n", name, value ? value : "(unset)", is_default ? "  (default)" : "");
}

void gasnett_envint_display(const char *name, int64_t value, int is_default, int is_mem_size)
{
  char text[32];
  gasnett_envstr_display(name, gasnett_format_number(value, text, sizeof text, is_mem_size), is_default);
}

void gasnett_envdbl_display(const char *name, double value, int is_default)
{
  char text[32];
  snprintf(text, sizeof text, "%g", value);
  gasnett_envstr_display(name, text, is_default);
}

static const char *value_of(const char *name)
{
  const char *text = getenv(name);
  return text && *text ? text : NULL;
}

char *gasnett_getenv_withdefault(const char *name, const char *deflt)
{
  const char *text = value_of(name);
  const char *value = text ? text : deflt;
  gasnett_envstr_display(name, value, !text);
  return (char *)(uintptr_t)value; /* GASNet's signature has no const */
}

int gasnett_getenv_yesno_withdefault(const char *name, int deflt)
{
  const char *text = value_of(name);
  int value = deflt != 0;
  if (text && pst_parse_bool(text, &value) != PST_OK)
    pst_fatal("%s=\"%s\" is not valid: it must be yes or no", name, text);
  gasnett_envstr_display(name, value ? "YES" : "NO", !text);
  return value;
}

/* A sign is legal before sizes here: clients use -1 for "no limit". */
static int parse_number(const char *text, uint64_t unit, int64_t *value)
{
  if (unit == 0) return pst_parse_int(text, value);
  int negative = *text == '-';
  uint64_t size;
  int err = pst_parse_size(text + negative, unit, &size);
  if (err) return err;
  if (size > INT64_MAX) return PST_ERR_RANGE;
  *value = negative ? -(int64_t)size : (int64_t)size;
  return PST_OK;
}

static const char *legal_number(uint64_t unit)
{
  return unit ? "a size such as 64K, 1.5M or 2GB, below 8 EB"
              : "a whole number of 64 bits, decimal or 0x hexadecimal";
}

int64_t gasnett_getenv_int_withdefault(const char *name, int64_t deflt, uint64_t mem_multiplier)
{
  const char *text = value_of(name);
  int64_t value = deflt;
  if (text && parse_number(text, mem_multiplier, &value) != PST_OK)
    pst_fatal("%s=\"%s\" is not valid: it must be %s", name, text, legal_number(mem_multiplier));
  gasnett_envint_display(name, value, !text, mem_multiplier != 0);
  return value;
}

double gasnett_getenv_dbl_withdefault(const char *name, double deflt)
{
  const char *text = value_of(name);
  double value = deflt;
  if (text && pst_parse_double(text, &value) != PST_OK)
    pst_fatal("%s=\"%s\" is not valid: it must be a decimal number", name, text);
  gasnett_envdbl_display(name, value, !text);
  return value;
}

int64_t gasnett_parse_int(const char *text, uint64_t mem_multiplier)
{
  int64_t value;
  if (parse_number(text, mem_multiplier, &value) != PST_OK)
    pst_fatal("\"%s\" is not valid: it must be %s", text, legal_number(mem_multiplier));
  return value;
}

char *gasnett_format_number(int64_t val, char *buf, size_t bufsz, int ismem)
{
  static const char *const units[] = {"B", "KB", "MB", "GB", "TB", "PB", "EB"};
  unsigned unit = 0;
  if (!ismem) {
    snprintf(buf, bufsz, "%lld", (long long)val);
    return buf;
  }
  while (val != 0 && val % 1024 == 0 && unit < 6) val /= 1024, unit++;
  snprintf(buf, bufsz, "%lld %s", (long long)val, units[unit]);
  return buf;
}
