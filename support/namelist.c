/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "support/namelist.h"

#include <string.h>

#include "support/error.h"
#include "support/parse.h"

static const struct pst_name *name_find(const struct pst_name *known, const char *text, size_t n)
{
  for (; known->text; known++)
    if (strlen(known->text) == n && memcmp(known->text, text, n) == 0) return known;
  return NULL;
}

static int parse_number(const char *text, size_t n, uint32_t least, uint32_t *number)
{
  char digits[16];
  int64_t value;
  if (n == 0 || n >= sizeof digits) return PST_ERR_INVALID;
  memcpy(digits, text, n);
  digits[n] = '\0';
  if (pst_parse_int(digits, &value) != PST_OK) return PST_ERR_INVALID;
  if (value < least || value > PST_NAMELIST_MOST) return PST_ERR_RANGE;
  *number = (uint32_t)value;
  return PST_OK;
}

/* One name, or name:number, of n characters. */
static int parse_name(const struct pst_name *known, const char *text, size_t n, void *result)
{
  const char *colon = memchr(text, ':', n);
  const size_t length = colon ? (size_t)(colon - text) : n;
  const struct pst_name *k = name_find(known, text, length);
  uint32_t value = 1;
  if (!k || (k->least != 0) != (colon != NULL)) return PST_ERR_INVALID;
  const int err = colon ? parse_number(colon + 1, n - length - 1, k->least, &value) : PST_OK;
  if (err == PST_OK && result) memcpy((char *)result + k->at, &value, sizeof value);
  return err;
}

static int parse_list(const struct pst_name *known, const char *text, void *result)
{
  for (;; text++) {
    const size_t n = strcspn(text, ",");
    const int err = parse_name(known, text, n, result);
    if (err != PST_OK) return err;
    text += n;
    if (!*text) return PST_OK;
  }
}

int pst_namelist_parse(const struct pst_name *known, const char *text, void *result, size_t size)
{
  const int err = text ? parse_list(known, text, NULL) : PST_OK;
  if (err != PST_OK || !result) return err;
  memset(result, 0, size);
  return text ? parse_list(known, text, result) : PST_OK;
}
