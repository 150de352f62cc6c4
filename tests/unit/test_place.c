/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Which nodes the ranks of a foreign launcher become: 2,000 random jobs by value, and contacts that no
 * process of ours has written. PST_SEED repeats a run. */
#include "bootstrap/place.c"

#include "tests/unit/random.h"
#include "tests/unit/suite.h"

enum { MOST = 40 };

static void make_contact(struct pst_contact *contact, unsigned host)
{
  memset(contact, 0, sizeof *contact);
  snprintf(contact->host, sizeof contact->host, "host %u", host);
  contact->name_size = sizeof contact->name;
  contact->pid = 1 + (int32_t)below(1000000);
}

static void forget(struct pst_places *p)
{
  free(p->rank);
  free(p->first);
}

/* Host by host, in the order in which hosts first appear, ranks rise. */
static void check_job(const unsigned *host, const struct pst_contact *contact, unsigned size)
{
  unsigned node = 0, hosts = 0;
  unsigned char done[MOST] = {0};
  for (unsigned rank = 0; rank < size; rank++) {
    if (done[host[rank]]) continue;
    done[host[rank]] = 1;
    const unsigned first = node;
    for (unsigned i = rank; i < size; i++) {
      struct pst_start s = {0};
      struct pst_places p;
      if (host[i] != host[rank]) continue;
      CU_ASSERT_FATAL(pst_place_find(contact, size, i, &s, &p) == PST_OK);
      CU_ASSERT_FATAL(s.node == node && s.first == first && s.host == hosts && s.nodes == size);
      CU_ASSERT_FATAL(p.rank[node] == i && p.first[hosts] == first && p.first[hosts + 1] == first + s.local &&
          p.first[s.hosts] == size);
      node++;
      forget(&p);
    }
    hosts++;
  }
  CU_ASSERT_FATAL(node == size);
}

static void test_random(void)
{
  static struct pst_contact contact[MOST];
  unsigned host[MOST];
  for (unsigned round = 0; round < 2000; round++) {
    const unsigned size = 1 + below(MOST), hosts = 1 + below(MOST);
    for (unsigned i = 0; i < size; i++) make_contact(&contact[i], host[i] = below(hosts));
    check_job(host, contact, size);
  }
}

static int place_of(const struct pst_contact *contact, unsigned rank)
{
  struct pst_start s = {0};
  struct pst_places p = {NULL, NULL};
  const int err = pst_place_find(contact, 2, rank, &s, &p);
  CU_ASSERT(err == PST_OK || (!p.rank && !p.first));
  forget(&p);
  return err;
}

static void test_wrong(void)
{
  struct pst_contact contact[2];
  make_contact(&contact[0], 0);
  make_contact(&contact[1], 1);
  CU_ASSERT(place_of(contact, 1) == PST_OK && place_of(contact, 2) == PST_ERR_INVALID);
  contact[1].name_size = sizeof contact[1].name + 1;
  CU_ASSERT(place_of(contact, 0) == PST_ERR_INVALID);
  make_contact(&contact[1], 1);
  contact[1].pid = -1;
  CU_ASSERT(place_of(contact, 0) == PST_ERR_INVALID);
  contact[1].pid = 0;
  CU_ASSERT(place_of(contact, 0) == PST_ERR_INVALID);
  make_contact(&contact[1], 1);
  memset(contact[1].host, 'x', sizeof contact[1].host);
  CU_ASSERT(place_of(contact, 0) == PST_ERR_INVALID);
}

static void test_this_host(void)
{
  char a[PST_PLACE_HOST], b[PST_PLACE_HOST];
  memset(b, 'x', sizeof b);
  pst_place_host(a);
  pst_place_host(b);
  CU_ASSERT(memcmp(a, b, sizeof a) == 0 && a[0] && a[PST_PLACE_HOST - 1] == '\0');
}

int main(void)
{
  const struct unit_test tests[] = {
      {"random jobs", test_random}, {"wrong contacts", test_wrong}, {"this host", test_this_host}};
  random_begin();
  return RUN_SUITE("places under a foreign launcher", tests);
}
