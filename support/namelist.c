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

static int parse_number(const char *text, size_t n, int64_t least, uint32_t *number)
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
static int parse_name(const struct pst_name *known, const char *text, size_t n, uint32_t *bits, void *numbers)
{
  const char *colon = memchr(text, ':', n);
  const size_t length = colon ? (size_t)(colon - text) : n;
  const struct pst_name *k = name_find(known, text, length);
  if (!k || !k->bit != (colon != NULL)) return PST_ERR_INVALID;
  *bits |= k->bit;
  return k->bit
      ? PST_OK
      : parse_number(colon + 1, n - length - 1, k->least, (uint32_t *)(void *)((char *)numbers + k->at));
}

int pst_namelist_parse(const struct pst_name *known, const char *text, uint32_t *bits, void *numbers)
{
  for (;; text++) {
    const size_t n = strcspn(text, ",");
    const int err = parse_name(known, text, n, bits, numbers);
    if (err != PST_OK) return err;
    text += n;
    if (!*text) return PST_OK;
  }
}
