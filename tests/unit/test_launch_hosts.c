/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Lists of hosts, and how processes are shared among them. tests/check_hosts.sh has the lists that are
 * refused: they end gasnetrun. */
#include "launch/environment.c"
#include "launch/hosts.c"

#include "tests/fail.h"
#include "tests/unit/in_child.h"
#include "tests/unit/suite.h"

/* "name:first+local ..." of the list once `nodes` are shared on `most` hosts. */
static const char *shared(const char *list, unsigned nodes, unsigned most)
{
  static char text[1024];
  struct hosts h = {0};
  size_t n = 0;
  text[0] = '\0';
  hosts_take_list(&h, "-H", list);
  unsigned total = hosts_share(&h, nodes, most), sum = 0;
  for (unsigned i = 0; i < h.count; i++) {
    n += (size_t)snprintf(text + n, sizeof text - n, "%s%s:%u+%u", i ? " " : "", h.host[i].name,
        h.host[i].first, h.host[i].local);
    sum += h.host[i].local;
  }
  CU_ASSERT(sum == total && (!nodes || total == nodes));
  hosts_free(&h);
  return text;
}

static void test_shares(void)
{
  static const struct {
    const char *list;
    unsigned nodes, most;
    const char *shared;
  } cases[] = {
      {"a:4,b:4", 8, 0, "a:0+4 b:4+4"},
      {"a:4,b:4", 5, 0, "a:0+4 b:4+1"},
      {"a:4,b:4", 3, 0, "a:0+3"},
      {"a:4,b:4", 0, 0, "a:0+4 b:4+4"},
      {"a:3,b", 4, 0, "a:0+3 b:3+1"},
      /* without counts */
      {"a", 5, 0, "a:0+5"},
      {"a,b", 0, 0, "a:0+1 b:1+1"},
      {"a,b,c", 7, 0, "a:0+3 b:3+2 c:5+2"},
      {"a,b,c", 4, 0, "a:0+2 b:2+1 c:3+1"},
      {"a,b,c", 2, 0, "a:0+1 b:1+1"},
      /* a host named again */
      {"a,b,a", 3, 0, "a:0+2 b:2+1"},
      {"a:2,b:1,a:3", 6, 0, "a:0+5 b:5+1"},
      /* on the first hosts (-N) */
      {"a:4,b:4,c:4", 4, 2, "a:0+2 b:2+2"},
      {"a:1,b:4", 4, 2, "a:0+1 b:1+3"},
      {"a,b,c", 5, 2, "a:0+3 b:3+2"},
      /* addresses */
      {"[fe80::1]:2,[::1],10.0.0.1:3", 6, 0, "fe80::1:0+2 ::1:2+1 10.0.0.1:3+3"},
      {"fe80::2", 1, 0, "fe80::2:0+1"},
      {"me@host:2", 2, 0, "me@host:0+2"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *is = shared(cases[i].list, cases[i].nodes, cases[i].most);
    if (strcmp(is, cases[i].shared)) printf("\n%s: %s, not %s\n", cases[i].list, is, cases[i].shared);
    CU_ASSERT_STRING_EQUAL(is, cases[i].shared);
  }
}

static void share_too_many(void *list)
{
  struct hosts h = {0};
  hosts_take_list(&h, "-H", list);
  hosts_share(&h, 5, 0);
}

static void test_too_few(void)
{
  CU_ASSERT(ended_with(in_child(share_too_many, (void *)"a:2,b:2"), EXIT_MISUSE));
  CU_ASSERT_STRING_EQUAL(child_said, "too few slots: 5 processes, and 2 hosts with room for 4; say host:N");
  CU_ASSERT(ended_with(in_child(share_too_many, (void *)"a:2,b"), EXIT_MISUSE));
  CU_ASSERT(ended_with(in_child(share_too_many, (void *)"a:1000,a:1000"), 0));
}

static void test_environment(void)
{
  char set_name[] = "HOME", *set[] = {set_name, NULL};
  CU_ASSERT(environment_travels("A=1", "all", NULL) && environment_travels("GASNET_X=", "all", NULL));
  CU_ASSERT(!environment_travels("HOME=/x", "all", NULL) && environment_travels("HOME=/x", "all", set));
  CU_ASSERT(environment_travels("HOME=/x", "HOME,A", NULL) && !environment_travels("B=1", "HOME,A", NULL));
  CU_ASSERT(
      environment_travels("FI_PROVIDER=tcp", "A", NULL) && environment_travels("UCX_TLS=all", "A", NULL));
  CU_ASSERT(!environment_travels("SSH_CLIENT=x", "all", NULL) &&
      !environment_travels("PENSTOCK_LAUNCH=x", "all", NULL));
  CU_ASSERT(environment_travels("HOMER=1", "all", NULL) && !environment_travels("HOMER=1", "HOME", NULL));
  CU_ASSERT(!environment_travels("=x", "all", NULL) && !environment_travels("noequals", "all", NULL));
}

int main(void)
{
  const struct unit_test tests[] = {
      {"shares", test_shares}, {"too few slots", test_too_few}, {"environment", test_environment}};
  return RUN_SUITE("hosts", tests);
}
