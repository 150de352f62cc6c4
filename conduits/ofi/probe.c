/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What libfabric finds here, and how fast it is between two nodes, before the conduit is open. */
#include "conduits/net/probe.h"

#include <rdma/fi_errno.h>
#include <stdlib.h>
#include <string.h>

#include "conduits/net/library.h"
#include "conduits/ofi/ofi.h"

/* Providers whose names begin so go through the kernel's sockets. */
int pst_ofi_is_native(const char *provider)
{
  static const char *const by_sockets[] = {"tcp", "net", "udp", "sockets"};
  for (size_t i = 0; i < sizeof by_sockets / sizeof by_sockets[0]; i++)
    if (strncmp(provider, by_sockets[i], strlen(by_sockets[i])) == 0) return 0;
  return provider[0] != '\0';
}

enum pst_conduit_grade pst_ofi_grade(void)
{
  char names[PST_OFI_NAMES][PST_OFI_NAME] = {{0}};
  enum pst_conduit_grade grade = PST_GRADE_NONE;
  pst_net_signals_keep();
  if (pst_net_library_judge(pst_ofi_library_open()) == PST_OK && pst_ofi_offer(0, names) == PST_OK &&
      names[0][0])
    grade = pst_ofi_is_native(names[0]) ? PST_GRADE_NATIVE : PST_GRADE_SOCKETS;
  pst_ofi_forget();
  pst_net_signals_restore();
  return grade;
}

/* ---- round trips ---- */

enum { RECEIVES = 4, COMPLETIONS = 64 };

static struct {
  struct fid_mr *mr;
  fi_addr_t peer;
  char bytes[RECEIVES + 1][PST_PROBE_MOST]; /* the last is what is sent, one at a time */
  struct fi_context2 receive[RECEIVES], send;
  int came, under_way;
} pair;

static int post_receive(int i)
{
  void *desc = pair.mr ? fi_mr_desc(pair.mr) : NULL;
  return (int)fi_recv(pst_ofi.ep, pair.bytes[i], PST_PROBE_MOST, desc, FI_ADDR_UNSPEC, &pair.receive[i]);
}

static int send_one(size_t nbytes)
{
  void *desc = pair.mr ? fi_mr_desc(pair.mr) : NULL;
  ssize_t rc;
  if (pair.under_way) return 0;
  rc = fi_send(pst_ofi.ep, pair.bytes[RECEIVES], nbytes, desc, pair.peer, &pair.send);
  pair.under_way = rc == 0;
  return rc == 0 ? 1 : rc == -FI_EAGAIN ? 0 : -1;
}

static int probe_progress(void)
{
  struct fi_cq_data_entry e;
  const ssize_t n = fi_cq_read(pst_ofi.cq, &e, 1);
  if (n < 0) return n == -FI_EAGAIN ? pair.came : -1;
  if (n == 1 && e.op_context == &pair.send) {
    pair.under_way = 0;
  } else if (n == 1) {
    pair.came++;
    if (post_receive((int)((struct fi_context2 *)e.op_context - pair.receive)) != 0) return -1;
  }
  return pair.came;
}

static int is_sent(void) { return !pair.under_way; }

static int receives_open(void)
{
  if (pst_ofi_register_local(
          pair.bytes, sizeof pair.bytes, FI_SEND | FI_RECV, pst_ofi_register_key(), &pair.mr) != PST_OK)
    return 0;
  for (int i = 0; i < RECEIVES; i++)
    if (post_receive(i) != 0) return 0;
  return 1;
}

static void bytes_unregister(void) { pst_ofi_unregister(&pair.mr); }
static void probe_close(void) { pst_ofi_objects_close(bytes_unregister); }

static size_t probe_open(char address[PST_PROBE_ADDRESS])
{
  size_t size = PST_PROBE_ADDRESS;
  int rc;
  pst_ofi.queue = COMPLETIONS;
  if (!pst_ofi_objects_open(&rc) && receives_open() && fi_getname(&pst_ofi.ep->fid, address, &size) == 0)
    return size;
  probe_close();
  return 0;
}

static int probe_connect(const char *address)
{
  return fi_av_insert(pst_ofi.av, address, 1, &pair.peer, 0, NULL) == 1;
}

double pst_ofi_probe(const struct pst_conduit_job *job, gasnet_node_t peer)
{
  static const struct pst_probe probe = {
      probe_open, probe_connect, send_one, probe_progress, is_sent, probe_close};
  pst_net_open(job);
  pst_net_signals_keep();
  const double microseconds = pst_ofi_agree(0, 1) == PST_OK ? pst_probe(job, peer, &probe) : -1;
  pst_net_signals_restore();
  return microseconds;
}
