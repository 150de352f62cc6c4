/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "bootstrap/pmi.h"

#include <stdio.h>
#include <stdlib.h>

#include "bootstrap/pmi_text.h"

enum { KEY_MOST = 48, VALUE_MOST = 4096 };

const char pst_pmi_late[] = "not all processes came in time";

/* A wire that is open is of the launcher that started this very process; PMIx's variables may be inherited
 * from further up. */
const struct pst_pmi *pst_pmi_open(void)
{
  const struct pst_pmi *p = pst_pmi_wire_open();
  return p ? p : pst_pmix_open();
}

static size_t piece_size(const struct pst_pmi *p)
{
  const size_t room = p->value_max < VALUE_MOST ? p->value_max : VALUE_MOST;
  return (room - 1) / 2;
}

static void name_piece(const char *key, unsigned i, char name[KEY_MOST])
{
  snprintf(name, KEY_MOST, "%s.%u", key, i);
}

const char *pst_pmi_put_bytes(const struct pst_pmi *p, const char *key, const void *bytes, size_t size)
{
  const size_t piece = piece_size(p);
  const char *why = NULL;
  char name[KEY_MOST], value[VALUE_MOST];
  unsigned i = 0;
  for (size_t at = 0; at < size && !why; at += piece) {
    const size_t n = size - at < piece ? size - at : piece;
    pst_pmi_hex((const char *)bytes + at, n, value);
    name_piece(key, i++, name);
    why = p->put(name, value);
  }
  return why;
}

const char *pst_pmi_get_bytes(
    const struct pst_pmi *p, unsigned rank, const char *key, void *bytes, size_t size)
{
  const size_t piece = piece_size(p);
  char name[KEY_MOST], value[VALUE_MOST];
  unsigned i = 0;
  for (size_t at = 0; at < size; at += piece) {
    const size_t n = size - at < piece ? size - at : piece;
    name_piece(key, i++, name);
    const char *why = p->get(rank, name, value, sizeof value);
    if (why) return why;
    if (pst_pmi_unhex(value, (char *)bytes + at, n))
      return "another process has put down something else than this one expects";
  }
  return NULL;
}
