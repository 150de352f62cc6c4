/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "bootstrap/kvs.h"

#include <stdio.h>
#include <string.h>

#include "support/error.h"

enum { KEY_MOST = 48, VALUE_MOST = 4096 };

const char pst_kvs_late[] = "not all processes came in time";

/* A socket for PMI that is open was opened by the launcher of this very process; PMIx's variables may be
 * inherited from further up. */
const struct pst_kvs *pst_kvs_open(void)
{
  const struct pst_kvs *k = pst_kvs_open_pmi();
  return k ? k : pst_kvs_open_pmix();
}

/* ---- bytes as texts ---- */

/* 2n + 1 bytes of text. */
static void hex_write(const void *bytes, size_t n, char *text)
{
  static const char digit[] = "0123456789abcdef";
  const unsigned char *from = bytes;
  for (size_t i = 0; i < n; i++) {
    text[2 * i] = digit[from[i] >> 4];
    text[2 * i + 1] = digit[from[i] & 15];
  }
  text[2 * n] = '\0';
}

static int hex_digit(char c)
{
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Exactly n bytes; 0 or PST_ERR_INVALID. */
static int hex_read(const char *text, void *bytes, size_t n)
{
  unsigned char *to = bytes;
  if (strlen(text) != 2 * n) return PST_ERR_INVALID;
  for (size_t i = 0; i < n; i++) {
    const int high = hex_digit(text[2 * i]), low = hex_digit(text[2 * i + 1]);
    if (high < 0 || low < 0) return PST_ERR_INVALID;
    to[i] = (unsigned char)(high << 4 | low);
  }
  return PST_OK;
}

static size_t piece_size(const struct pst_kvs *k)
{
  const size_t room = k->value_max < VALUE_MOST ? k->value_max : VALUE_MOST;
  return (room - 1) / 2;
}

static void piece_name(const char *key, unsigned i, char name[KEY_MOST])
{
  snprintf(name, KEY_MOST, "%s.%u", key, i);
}

const char *pst_kvs_put_bytes(const struct pst_kvs *k, const char *key, const void *bytes, size_t size)
{
  const size_t piece = piece_size(k);
  const char *why = NULL;
  char name[KEY_MOST], value[VALUE_MOST];
  unsigned i = 0;
  for (size_t at = 0; at < size && !why; at += piece) {
    const size_t n = size - at < piece ? size - at : piece;
    hex_write((const char *)bytes + at, n, value);
    piece_name(key, i++, name);
    why = k->put(name, value);
  }
  return why;
}

const char *pst_kvs_get_bytes(
    const struct pst_kvs *k, unsigned rank, const char *key, void *bytes, size_t size)
{
  const size_t piece = piece_size(k);
  char name[KEY_MOST], value[VALUE_MOST];
  unsigned i = 0;
  for (size_t at = 0; at < size; at += piece) {
    const size_t n = size - at < piece ? size - at : piece;
    piece_name(key, i++, name);
    const char *why = k->get(rank, name, value, sizeof value);
    if (why) return why;
    if (hex_read(value, (char *)bytes + at, n))
      return "another process has put down something else than this one expects";
  }
  return NULL;
}
