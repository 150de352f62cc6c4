/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "bootstrap/pmi_text.h"

#include <string.h>

#include "support/error.h"

/* Returns the value's length, which may be more than was stored. */
static size_t copy_value(const char **at, char separator, char *value, size_t size)
{
  const char *p = *at;
  size_t n = 0;
  for (; *p; p++) {
    if (*p == separator) {
      if (separator != ';' || p[1] != ';') break;
      p++;
    }
    if (n + 1 < size) value[n] = *p;
    n++;
  }
  if (size) value[n < size ? n : size - 1] = '\0';
  *at = p;
  return n;
}

int pst_pmi_field(const char *text, char separator, const char *key, char *value, size_t size)
{
  const char ends[] = {'=', separator, '\0'};
  const size_t length = strlen(key);
  while (*text) {
    const size_t n = strcspn(text, ends);
    const char *at = text + n + 1;
    if (text[n] == '=' && n == length && memcmp(text, key, n) == 0)
      return copy_value(&at, separator, value, size) < size ? PST_OK : PST_ERR_RANGE;
    if (text[n] == '=') copy_value(&at, separator, NULL, 0);
    else at = text + n;
    text = *at ? at + 1 : at;
  }
  return PST_ERR_INVALID;
}

int pst_pmi_decimal(const char *text, unsigned least, unsigned most, unsigned *number)
{
  unsigned long long v = 0;
  const char *p = text;
  for (; *p >= '0' && *p <= '9'; p++)
    if ((v = v * 10 + (unsigned)(*p - '0')) > most) return PST_ERR_RANGE;
  if (p == text || *p) return PST_ERR_INVALID;
  if (v < least) return PST_ERR_RANGE;
  *number = (unsigned)v;
  return PST_OK;
}

int pst_pmi_number(
    const char *text, char separator, const char *key, unsigned least, unsigned most, unsigned *number)
{
  char value[16];
  const int err = pst_pmi_field(text, separator, key, value, sizeof value);
  return err ? err : pst_pmi_decimal(value, least, most, number);
}

int pst_pmi_count(const char digits[PST_PMI_COUNT], size_t most, size_t *count)
{
  char text[PST_PMI_COUNT + 1] = {0};
  unsigned n;
  memcpy(text, digits, PST_PMI_COUNT);
  for (size_t end = PST_PMI_COUNT; end && text[end - 1] == ' ';) text[--end] = '\0';
  const int err = pst_pmi_decimal(text + strspn(text, " "), 0, (unsigned)most, &n);
  if (!err) *count = n;
  return err;
}

void pst_pmi_hex(const void *bytes, size_t n, char *text)
{
  static const char digit[] = "0123456789abcdef";
  const unsigned char *from = bytes;
  for (size_t i = 0; i < n; i++) {
    text[2 * i] = digit[from[i] >> 4];
    text[2 * i + 1] = digit[from[i] & 15];
  }
  text[2 * n] = '\0';
}

static int digit_value(char c)
{
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

int pst_pmi_unhex(const char *text, void *bytes, size_t n)
{
  unsigned char *to = bytes;
  if (strlen(text) != 2 * n) return PST_ERR_INVALID;
  for (size_t i = 0; i < n; i++) {
    const int high = digit_value(text[2 * i]), low = digit_value(text[2 * i + 1]);
    if (high < 0 || low < 0) return PST_ERR_INVALID;
    to[i] = (unsigned char)(high << 4 | low);
  }
  return PST_OK;
}
