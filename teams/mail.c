/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "teams/head.h"

struct pst_early *pst_early_new(const struct pst_head *head, const void *data, size_t size)
{
  struct pst_early *e = malloc(sizeof *e + size);
  if (!e) pst_fatal("out of memory for %zu bytes of a collective that came early", size);
  e->next = NULL;
  e->head = *head;
  e->size = (uint32_t)size;
  if (size) memcpy(e->data, data, size);
  return e;
}

void pst_mail_append(struct pst_mail *m, struct pst_early *e)
{
  if (!m->first) m->end = &m->first;
  e->next = NULL;
  *m->end = e;
  m->end = &e->next;
}

struct pst_early *pst_mail_take(struct pst_mail *m, const struct pst_head *call, int answer)
{
  for (struct pst_early **at = &m->first, *e; (e = *at) != NULL; at = &e->next) {
    if (!pst_head_fits(&e->head, call, answer) && !pst_head_contradicts(&e->head, call)) continue;
    *at = e->next;
    if (m->end == &e->next) m->end = at;
    return e;
  }
  return NULL;
}

uint32_t pst_mail_clean(struct pst_mail *m, pst_head_test_fn drop)
{
  uint32_t n = 0;
  for (struct pst_early **at = &m->first, *e; (e = *at) != NULL;) {
    if (!drop(&e->head)) {
      at = &e->next;
      continue;
    }
    *at = e->next;
    if (m->end == &e->next) m->end = at;
    free(e);
    n++;
  }
  return n;
}

int pst_mail_has(const struct pst_mail *m, const struct pst_head *call, int answer)
{
  for (const struct pst_early *e = m->first; e; e = e->next)
    if (pst_head_fits(&e->head, call, answer)) return 1;
  return 0;
}
