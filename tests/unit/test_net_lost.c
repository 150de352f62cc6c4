/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Peers that cannot be reached end the job after some time, each by its own clock, unless they are known to
 * be lost by then. */
#include "conduits/net/credit.h"
#include "conduits/net/lost.c"

#include "conduits/net/credit.c"
#include "tests/unit/in_child.h"
#include "tests/unit/suite.h"

enum { NODES = 4, LONG_AFTER = 100 };

struct pst_net pst_net = {.library = "a network", .nodes = NODES};
void pst_net_descriptors_look(double now) { (void)now; }

static double much_later(void) { return pst_net_now() + LONG_AFTER; }

/* What the process says that ends in the body. */
static int ends_with(void (*body)(void *), const char *text)
{
  return ended_with(in_child(body, NULL), 1) && strstr(child_said, text) != NULL;
}
static int goes_on(void (*body)(void *)) { return ended_with(in_child(body, NULL), 0); }

static void peer_fails(void *unused)
{
  (void)unused;
  pst_net_lost(2, "no way");
  pst_net_lost(1, "too late");
  pst_net_watch(pst_net_now());
  dprintf(STDERR_FILENO, "in time, ");
  pst_net_watch(much_later());
}

static void some_peer_fails(void *unused)
{
  (void)unused;
  pst_net_lost(PST_NET_SOME_PEER, "no way");
  pst_net_watch(much_later());
}

/* The peer that is known is named, although another may have failed before. */
static void some_peer_and_one(void *unused)
{
  (void)unused;
  pst_net_lost(PST_NET_SOME_PEER, "somewhere");
  pst_net_lost(3, "no way");
  pst_net_watch(much_later());
}

static void test_failures(void)
{
  CU_ASSERT(ends_with(peer_fails, "in time, "));
  CU_ASSERT(ends_with(peer_fails, "a network cannot reach node 2 on an unknown host: no way"));
  CU_ASSERT(ends_with(some_peer_fails, "a network cannot reach some node: no way"));
  CU_ASSERT(ends_with(some_peer_and_one, "a network cannot reach node 3 on an unknown host: no way"));
}

static void while_closing(void *unused)
{
  (void)unused;
  pst_net_lost(1, "no way");
  atomic_store(&pst_net.closing, 1);
  pst_net_watch(much_later());
}

static void test_closing(void) { CU_ASSERT(goes_on(while_closing)); }

/* ---- lost nodes ---- */

static void lost_in_time(void *unused)
{
  (void)unused;
  pst_net_report_losses();
  CHILD_CHECK(!pst_net_is_lost(1) && pst_net_count_lost() == 0);
  pst_net_lost(1, "no way");
  pst_net_forget(1);
  CHILD_CHECK(pst_net_is_lost(1) && !pst_net_is_lost(2) && pst_net_count_lost() == 1);
  pst_net_lost(1, "still no way");
  pst_net_watch(much_later());
}

static void another_is_lost(void *unused)
{
  (void)unused;
  pst_net_report_losses();
  pst_net_lost(1, "its own fault");
  pst_net_lost(2, "no way");
  pst_net_forget(1);
  pst_net_watch(much_later());
}

static void test_lost(void)
{
  CU_ASSERT(goes_on(lost_in_time));
  CU_ASSERT(ends_with(another_is_lost, "a network cannot reach node 2 on an unknown host: no way"));
}

static void not_reported(void *unused)
{
  (void)unused;
  CHILD_CHECK(!pst_net_reports() && !pst_net_is_lost(1) && pst_net_count_lost() == 0);
}

static void test_not_reported(void) { CU_ASSERT(goes_on(not_reported)); }

/* ---- what is owed to lost nodes ---- */

static unsigned paid;
static int credit_send(struct pst_message *m, enum pst_net_form form, size_t nbytes)
{
  (void)nbytes;
  CHILD_CHECK(form == PST_NET_CREDIT && m->dest == 2);
  paid++;
  return PST_OK;
}

static void credit_for_lost(void *unused)
{
  (void)unused;
  pst_net_report_losses();
  pst_credit.unit = 64;
  pst_credit.window = 8;
  CHILD_CHECK(pst_credit_open(credit_send) == PST_OK);
  pst_net_forget(1);
  for (gasnet_node_t i = 1; i <= 2; i++) pst_credit_consumed(i, PST_NET_REQUESTS, 4 * 64);
  pst_credit_pay();
  CHILD_CHECK(paid == 1 && !atomic_load(&pst_credit_unpaid));
}

static void test_credit(void) { CU_ASSERT(goes_on(credit_for_lost)); }

int main(void)
{
  static const struct unit_test tests[] = {
      {"peers that fail end the job after some time", test_failures},
      {"nothing ends the job while it is closed", test_closing},
      {"lost peers do not end the job, and hide no other", test_lost},
      {"no node is lost where losses are not reported", test_not_reported},
      {"lost peers are paid nothing", test_credit},
  };
  return RUN_SUITE("peers that cannot be reached", tests);
}
