/* Sending messages, and the windows that bound what a receiver must hold.
 *
 * A sender may have window[stream] units of unconsumed messages at a peer; what the peer has consumed comes back as credit, in
 * the head of its next message, or, when half a window is owed, in one of its own. Half a window is at least one message of the
 * largest size, so nobody waits for credit that nobody sends. Requests and replies have windows of their own: replies are
 * consumed wherever a node waits, so a reply's credit always comes. */
#include <rdma/fi_errno.h>
#include <string.h>

#include "conduits/ofi/call.h"
#include "support/copy.h"

static int32_t units(size_t nbytes) { return (int32_t)((nbytes + PST_OFI_UNIT - 1) / PST_OFI_UNIT); }

/* ---- windows ---- */

static int reserve(struct pst_ofi_peer *p, unsigned stream, int32_t n)
{
  if (atomic_fetch_sub_explicit(&p->window[stream], n, memory_order_relaxed) >= n) return 1;
  atomic_fetch_add_explicit(&p->window[stream], n, memory_order_relaxed);
  return 0;
}

static uint16_t take_owed(struct pst_ofi_peer *p, unsigned stream)
{
  const uint32_t all = atomic_exchange_explicit(&p->owed[stream], 0, memory_order_relaxed);
  if (all <= UINT16_MAX) return (uint16_t)all;
  atomic_fetch_add_explicit(&p->owed[stream], all - UINT16_MAX, memory_order_relaxed);
  return UINT16_MAX;
}

/* Some peer may be owed half a window and could not be told. Invariant: whoever adds to `owed` without saying so to the peer sets it
 * afterwards (release), and who clears it looks at all that is owed afterwards (acquire). Setting is a read-modify-write: a
 * plain store would hide from the reader what the one who set it before has added. */
static _Atomic int unpaid;

static void note_unpaid(void) { atomic_fetch_or_explicit(&unpaid, 1, memory_order_release); }

/* Together with what another thread added meanwhile it may be half a window. */
static void take_back(struct pst_ofi_peer *p, const struct pst_ofi_head *h)
{
  for (int i = 0; i < PST_OFI_STREAMS; i++)
    atomic_fetch_add_explicit(&p->owed[i], h->credit[i], memory_order_relaxed);
  note_unpaid();
}

/* ---- messages ---- */

/* Larger payloads of longs go to their places by themselves. */
static int is_inline(const struct pst_message *m) { return m->nbytes <= PST_OFI_LEAST_MESSAGE - PST_OFI_OVERHEAD; }

static enum pst_ofi_form form_of(const struct pst_message *m)
{
  if (m->kind == PST_AM_SHORT) return PST_OFI_SHORT;
  if (m->kind == PST_AM_MEDIUM) return PST_OFI_MEDIUM;
  return is_inline(m) ? PST_OFI_LONG_INLINE : PST_OFI_LONG_PLACED;
}

static size_t message_bytes(const struct pst_message *m, enum pst_ofi_form form)
{
  size_t n = sizeof(struct pst_ofi_head) + pst_ofi_arguments_bytes(m->nargs);
  if (form == PST_OFI_MEDIUM) n += m->nbytes;
  if (form == PST_OFI_LONG_INLINE) n += 8 + m->nbytes;
  if (form == PST_OFI_LONG_PLACED) n += 16;
  return pst_ofi_round_up(n);
}

static void write_payload(const struct pst_message *m, enum pst_ofi_form form, char *to)
{
  const uint64_t addr = (uintptr_t)m->dest_addr, size = m->nbytes;
  if (form == PST_OFI_LONG_INLINE || form == PST_OFI_LONG_PLACED) {
    memcpy(to, &addr, 8);
    to += 8;
  }
  if (form == PST_OFI_LONG_PLACED) memcpy(to, &size, 8);
  else if (m->fill) m->fill(m->context, to);
  else if (m->nbytes) pst_copy(to, m->payload, m->nbytes);
}

static void write_head(const struct pst_message *m, enum pst_ofi_form form, struct pst_ofi_head *h)
{
  struct pst_ofi_peer *p = &pst_ofi.peer[m->dest];
  *h = (struct pst_ofi_head){ .src = pst_ofi.node, .form = (uint8_t)form, .stream = m->reply, .handler = m->handler,
                              .nargs = (uint8_t)m->nargs };
  if (form == PST_OFI_MEDIUM || form == PST_OFI_LONG_INLINE || form == PST_OFI_COUNT) h->nbytes = (uint32_t)m->nbytes;
  for (unsigned i = 0; i < PST_OFI_STREAMS; i++) h->credit[i] = take_owed(p, i);
}

static void write_rest(const struct pst_message *m, enum pst_ofi_form form, struct pst_ofi_head *h)
{
  if (m->nargs) memcpy(h + 1, m->args, 4 * m->nargs);
  if (form == PST_OFI_MEDIUM || form == PST_OFI_LONG_INLINE || form == PST_OFI_LONG_PLACED)
    write_payload(m, form, (char *)(h + 1) + pst_ofi_arguments_bytes(m->nargs));
}

/* A credit that another thread has paid meanwhile is not worth a message. */
static int is_empty(const struct pst_ofi_head *h)
{
  return h->form == PST_OFI_CREDIT && h->credit[PST_OFI_REQUESTS] == 0 && h->credit[PST_OFI_REPLIES] == 0;
}

/* The provider has it, and it may be complete, and its operation another's by now; or it has not, and the head is still ours. */
static int sent(gasnet_node_t dest, enum pst_ofi_form form, const struct pst_ofi_head *h, ssize_t rc)
{
  struct pst_ofi_peer *p = &pst_ofi.peer[dest];
  if (rc == 0) {
    if (form != PST_OFI_COUNT) pst_ofi_count(&p->sent);
    return PST_OK;
  }
  take_back(p, h);
  if (rc != -FI_EAGAIN) pst_ofi_lost(dest, (int)-rc);
  return PST_ERR_AGAIN;
}

/* A payload that was filled in cannot be had again: the operation, and its part of the window, stay with the message until the provider
 * takes it, which needs nothing but progress. */
static struct pst_ofi_op *begin(struct pst_message *m, enum pst_ofi_form form, size_t nbytes)
{
  struct pst_ofi_op *op = m->started ? m->started : pst_ofi_op_message(m->reply, nbytes, m->dest);
  if (!op) return NULL;
  if (!m->started) write_rest(m, form, (struct pst_ofi_head *)op->room);
  if (m->fill) m->started = op;
  return op;
}

static int send_by_operation(struct pst_message *m, enum pst_ofi_form form, size_t nbytes)
{
  struct pst_ofi_op *op = begin(m, form, nbytes);
  struct pst_ofi_head *h;
  int rc = PST_OK;
  if (!op) return PST_ERR_AGAIN;
  h = (struct pst_ofi_head *)op->room;
  write_head(m, form, h);
  if (!is_empty(h) && (rc = sent(m->dest, form, h, pst_ofi_call_send(h, nbytes, op->desc, m->dest, op))) == PST_OK)
    return PST_OK;
  if (!m->fill) pst_ofi_op_free(op);
  return rc;
}

/* A small one the provider copies at once, and says nothing more of it. */
static int send_injected(const struct pst_message *m, enum pst_ofi_form form, size_t nbytes)
{
  alignas(8) char room[PST_OFI_INJECT_MOST];
  struct pst_ofi_head *h = (struct pst_ofi_head *)room;
  write_head(m, form, h);
  write_rest(m, form, h);
  if (is_empty(h)) return PST_OK;
  atomic_store_explicit(&pst_ofi.peer[m->dest].injected, 1, memory_order_relaxed);
  return sent(m->dest, form, h, pst_ofi_call_inject(h, nbytes, m->dest));
}

static int send(struct pst_message *m, enum pst_ofi_form form, size_t nbytes)
{
  if (!pst_ofi_met(m->dest)) return PST_ERR_AGAIN;
  return nbytes <= pst_ofi.inject && !m->fill ? send_injected(m, form, nbytes) : send_by_operation(m, form, nbytes);
}

/* PST_OK when the payload is in its place. */
static int place(struct pst_message *m)
{
  if (m->kind != PST_AM_LONG || is_inline(m)) return PST_OK;
  if (atomic_load_explicit(&m->placed, memory_order_acquire) == PST_OFI_IS_PLACED) return PST_OK;
  if (atomic_load_explicit(&m->placed, memory_order_relaxed) == PST_OFI_NOT_PLACED)
    pst_ofi_place(m);
  return PST_ERR_AGAIN;
}

int pst_ofi_am(struct pst_message *m)
{
  const enum pst_ofi_form form = form_of(m);
  const size_t nbytes = message_bytes(m, form);
  struct pst_ofi_peer *p = &pst_ofi.peer[m->dest];
  int rc;
  if (m->kind == PST_AM_MEDIUM && m->nbytes > pst_ofi.message - PST_OFI_OVERHEAD)
    pst_fatal("a medium message of %zu bytes; the most are %u", m->nbytes, pst_ofi.message - (unsigned)PST_OFI_OVERHEAD);
  if ((rc = place(m)) != PST_OK) return rc;
  if (!m->started && !reserve(p, m->reply, units(nbytes))) return PST_ERR_AGAIN;
  rc = send(m, form, nbytes);
  if (rc != PST_OK && !m->started) atomic_fetch_add_explicit(&p->window[m->reply], units(nbytes), memory_order_relaxed);
  return rc;
}

int pst_ofi_am_short(gasnet_node_t dest, unsigned reply, gasnet_handler_t handler, unsigned nargs,
                     const gasnet_handlerarg_t *args)
{
  struct pst_message m = { .dest = dest, .kind = PST_AM_SHORT, .reply = (uint8_t)reply, .handler = handler,
                           .nargs = nargs, .args = args };
  return pst_ofi_am(&m);
}

/* ---- credit ---- */

/* Credits go with the replies: their operations always come back. */
static int pay(gasnet_node_t peer)
{
  struct pst_message m = { .dest = peer, .reply = PST_OFI_REPLIES };
  return send(&m, PST_OFI_CREDIT, sizeof(struct pst_ofi_head));
}

int pst_ofi_tell(gasnet_node_t peer, uint32_t count)
{
  struct pst_message m = { .dest = peer, .reply = PST_OFI_REPLIES, .nbytes = count };
  return send(&m, PST_OFI_COUNT, sizeof(struct pst_ofi_head));
}

/* A message behind what was injected, which the provider does report: it takes them in order. */
void pst_ofi_chase(void)
{
  for (gasnet_node_t i = 0; i < pst_ofi.nodes; i++) {
    struct pst_ofi_peer *p = &pst_ofi.peer[i];
    struct pst_message m = { .dest = i, .reply = PST_OFI_REPLIES,
                             .nbytes = atomic_load_explicit(&p->sent, memory_order_relaxed) };
    if (!atomic_load_explicit(&p->injected, memory_order_relaxed)) continue;
    if (send_by_operation(&m, PST_OFI_COUNT, sizeof(struct pst_ofi_head)) == PST_OK)
      atomic_store_explicit(&p->injected, 0, memory_order_relaxed);
  }
}

static int owes_much(const struct pst_ofi_peer *p)
{
  for (int i = 0; i < PST_OFI_STREAMS; i++)
    if (atomic_load_explicit(&p->owed[i], memory_order_relaxed) >= (uint32_t)pst_ofi.window / 2) return 1;
  return 0;
}

void pst_ofi_credit(gasnet_node_t peer, unsigned stream, size_t nbytes)
{
  struct pst_ofi_peer *p = &pst_ofi.peer[peer];
  atomic_fetch_add_explicit(&p->owed[stream], (uint32_t)units(nbytes), memory_order_relaxed);
  if (owes_much(p) && pay(peer) != PST_OK) note_unpaid();
}

void pst_ofi_pay(void)
{
  if (!atomic_load_explicit(&unpaid, memory_order_relaxed) || !atomic_exchange_explicit(&unpaid, 0, memory_order_acquire)) return;
  for (gasnet_node_t i = 0; i < pst_ofi.nodes; i++)
    if (owes_much(&pst_ofi.peer[i]) && pay(i) != PST_OK) note_unpaid();
}
