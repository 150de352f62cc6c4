/* Replies of handlers that run inside UCP's callback (receive.c), where there was no room for them.
 *
 * UCP must not be asked for progress there: such replies are kept, with their payload, and leave after a look at the network. While any are kept no
 * other handler runs there, so they are of one handler. All of this is one thread's. */
#include <stdlib.h>
#include <string.h>

#include "conduits/ucx/ucx.h"

struct pst_ucx_late {
  struct pst_ucx_late *next;
  struct pst_message m;
  gasnet_handlerarg_t args[PST_NET_MAX_ARGS];
  char payload[];
};

struct pst_ucx_late *pst_ucx_late_replies;
static struct pst_ucx_late **end = &pst_ucx_late_replies;

/* What has an operation already has its payload there. */
static void keep_payload(struct pst_ucx_late *l)
{
  if (l->m.started) return;
  if (l->m.fill) l->m.fill(l->m.context, l->payload);
  else if (l->m.nbytes) memcpy(l->payload, l->m.payload, l->m.nbytes);
  l->m.fill = NULL;
  l->m.payload = l->payload;
}

void pst_ucx_keep_reply(const struct pst_message *m)
{
  const size_t room = m->started || m->kind == PST_AM_SHORT ? 0 : m->nbytes;
  struct pst_ucx_late *l = malloc(sizeof *l + room);
  if (!l) pst_fatal("out of memory for a reply of %zu bytes", room);
  l->m = *m;
  l->next = NULL;
  if (m->nargs) memcpy(l->args, m->args, m->nargs * sizeof *m->args);
  l->m.args = l->args;
  if (m->kind != PST_AM_SHORT) keep_payload(l);
  *end = l;
  end = &l->next;
}

void pst_ucx_send_late(void)
{
  struct pst_ucx_late *l;
  while ((l = pst_ucx_late_replies) != NULL && pst_ucx_am(&l->m) == PST_OK) {
    pst_ucx_late_replies = l->next;
    if (!pst_ucx_late_replies) end = &pst_ucx_late_replies;
    free(l);
  }
}
