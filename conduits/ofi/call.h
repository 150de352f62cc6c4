/* Calls of the provider that move data: all of them go through here.
 *
 * At the end of a process its endpoint is closed, while other threads may be about to call, and while this one may have been
 * interrupted in a call by the signal that ends it. So calls are counted, and none begins once they are stopped. A call that
 * does not begin finds no room, like one that GASNET_OFI_WITHOUT=room:N lets fail. */
#ifndef CONDUITS_OFI_CALL_H
#define CONDUITS_OFI_CALL_H
#include <rdma/fi_errno.h>

#include "conduits/ofi/ofi.h"

/* 1: the provider may be called, and pst_ofi_call_end must follow. */
int pst_ofi_call_begin(void);
void pst_ofi_call_end(void);

/* The same for calls that may find no room. */
int pst_ofi_call_try(void);

/* From now on no call begins. 1: none is under way either, within `seconds`; 0: somebody is still in one, or was interrupted in it
 * by the caller. */
int pst_ofi_call_stop(double seconds);

/* 1: this thread is inside a call, which is to say that a signal handler asks. */
int pst_ofi_call_interrupted(void);

/* In a signal handler, likewise: 1, and end(sig) is called as soon as the call has ended. */
int pst_ofi_call_defer(void (*end)(int sig), int sig);
int pst_ofi_call_deferred(void); /* 1: some end was */

static inline ssize_t pst_ofi_call_send(const void *message, size_t nbytes, void *desc, gasnet_node_t peer, void *context)
{
  ssize_t rc;
  if (!pst_ofi_call_try()) return -FI_EAGAIN;
  rc = fi_send(pst_ofi.ep, message, nbytes, desc, pst_ofi.peer[peer].addr, context);
  pst_ofi_call_end();
  return rc;
}

static inline ssize_t pst_ofi_call_inject(const void *message, size_t nbytes, gasnet_node_t peer)
{
  ssize_t rc;
  if (!pst_ofi_call_try()) return -FI_EAGAIN;
  rc = fi_inject(pst_ofi.ep, message, nbytes, pst_ofi.peer[peer].addr);
  pst_ofi_call_end();
  return rc;
}

static inline ssize_t pst_ofi_call_receive(const struct fi_msg *m, uint64_t flags)
{
  ssize_t rc;
  if (!pst_ofi_call_try()) return -FI_EAGAIN;
  rc = fi_recvmsg(pst_ofi.ep, m, flags);
  pst_ofi_call_end();
  return rc;
}

static inline ssize_t pst_ofi_call_write(const struct fi_msg_rma *m, uint64_t flags)
{
  ssize_t rc;
  if (!pst_ofi_call_try()) return -FI_EAGAIN;
  rc = fi_writemsg(pst_ofi.ep, m, flags);
  pst_ofi_call_end();
  return rc;
}

static inline ssize_t pst_ofi_call_read(const struct fi_msg_rma *m, uint64_t flags)
{
  ssize_t rc;
  if (!pst_ofi_call_try()) return -FI_EAGAIN;
  rc = fi_readmsg(pst_ofi.ep, m, flags);
  pst_ofi_call_end();
  return rc;
}

static inline ssize_t pst_ofi_call_completions(struct fi_cq_data_entry *e, size_t most)
{
  ssize_t rc;
  if (!pst_ofi_call_try()) return -FI_EAGAIN;
  rc = fi_cq_read(pst_ofi.cq, e, most);
  pst_ofi_call_end();
  return rc;
}

#endif
