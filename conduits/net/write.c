/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Writing messages. */
#include <string.h>

#include "conduits/net/credit.h"
#include "support/copy.h"

void pst_net_write_head(const struct pst_message *m, enum pst_net_form form, struct pst_net_head *h)
{
  *h = (struct pst_net_head){.src = pst_net.node,
      .form = (uint8_t)form,
      .stream = m->reply,
      .handler = m->handler,
      .nargs = (uint8_t)m->nargs};
  if (form == PST_NET_MEDIUM || form == PST_NET_LONG_INLINE || form == PST_NET_COUNT)
    h->nbytes = (uint32_t)m->nbytes;
  pst_credit_write(m->dest, h);
}

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
