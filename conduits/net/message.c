/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "conduits/net/message.h"

#include <string.h>

#include "support/copy.h"

/* ---- writing ---- */

static void write_payload(const struct pst_message *m, enum pst_net_form form, char *to)
{
  const uint64_t addr = (uintptr_t)m->dest_addr, size = m->nbytes;
  if (form == PST_NET_LONG_INLINE || form == PST_NET_LONG_PLACED) {
    memcpy(to, &addr, 8);
    to += 8;
  }
  if (form == PST_NET_LONG_PLACED) memcpy(to, &size, 8);
  else if (m->fill) m->fill(m->context, to);
  else if (m->nbytes) pst_copy(to, m->payload, m->nbytes);
}

void pst_net_write_rest(const struct pst_message *m, enum pst_net_form form, struct pst_net_head *h)
{
  if (m->nargs) memcpy(h + 1, m->args, 4 * m->nargs);
  if (form == PST_NET_MEDIUM || form == PST_NET_LONG_INLINE || form == PST_NET_LONG_PLACED)
    write_payload(m, form, (char *)(h + 1) + pst_net_arguments_bytes(m->nargs));
}

/* ---- reading: every length, count and address is checked before it is used ---- */

/* Bytes of the whole message by its head, which may be more than have come; 0: the head is malformed. */
static size_t message_length(const struct pst_net_receiver *r, const struct pst_net_head *h)
{
  const size_t fixed = sizeof *h + pst_net_arguments_bytes(h->nargs);
  if (h->src >= r->nodes || h->src == r->node || h->unused || h->nargs > PST_NET_MAX_ARGS) return 0;
  switch (h->form) {
  case PST_NET_SHORT:
  case PST_NET_CREDIT:
  case PST_NET_HELLO:
  case PST_NET_WELCOME: return fixed;
  case PST_NET_COUNT:
  case PST_NET_COUNTED: return h->handler < PST_NET_PERIODS ? fixed : 0;
  case PST_NET_MEDIUM: return pst_net_round_up(fixed + h->nbytes);
  case PST_NET_LONG_INLINE: return pst_net_round_up(fixed + 8 + h->nbytes);
  case PST_NET_LONG_PLACED: return fixed + 16;
  default: return 0;
  }
}

static int read_long(const struct pst_net_receiver *r, const char *rest, struct pst_net_parts *parts)
{
  uint64_t addr, size = parts->head.nbytes;
  memcpy(&addr, rest, 8);
  if (parts->head.form == PST_NET_LONG_PLACED) memcpy(&size, rest + 8, 8);
  else parts->data = rest + 8;
  if (size && !pst_net_reachable(r, addr, size)) return PST_ERR_INVALID;
  parts->arrival.payload = (void *)(uintptr_t)addr;
  parts->arrival.nbytes = size;
  return PST_OK;
}

int pst_net_decode(
    const struct pst_net_receiver *r, const void *bytes, size_t nbytes, struct pst_net_parts *parts)
{
  struct pst_net_head *h = &parts->head;
  struct pst_arrival *a = &parts->arrival;
  char *rest;
  if (nbytes < sizeof *h) return PST_ERR_INVALID;
  memcpy(h, bytes, sizeof *h);
  if (message_length(r, h) != nbytes) return PST_ERR_INVALID;
  rest = (char *)(uintptr_t)bytes + sizeof *h;
  *a = (struct pst_arrival){.src = h->src,
      .reply = h->stream,
      .handler = h->handler,
      .nargs = h->nargs,
      .args = (const gasnet_handlerarg_t *)rest};
  rest += pst_net_arguments_bytes(h->nargs);
  parts->data = NULL;
  if (h->form == PST_NET_SHORT || h->form >= PST_NET_CREDIT) return PST_OK;
  a->kind = h->form == PST_NET_MEDIUM ? PST_AM_MEDIUM : PST_AM_LONG;
  if (a->kind == PST_AM_LONG) return read_long(r, rest, parts);
  a->payload = rest;
  a->nbytes = h->nbytes;
  return PST_OK;
}
