/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What a report leaves out: names, the home directory, addresses; nothing else. And 200,000 random texts, of
 * which none may be read or written beyond its end. The first argument repeats a run. */
#include "gasnet_tools.h"

static const char *host_of_test(void) { return "node17.cluster.example"; }
#define gasnett_gethostname host_of_test
#include "tools/gasnet_info_out.c"

#include "tests/unit/random.h"
#include "tests/unit/suite.h"

static int becomes(const char *text, const char *expected)
{
  char to[256];
  info_redact(text, to, sizeof to);
  if (strcmp(to, expected) == 0) return 1;
  printf("\n\"%s\" became \"%s\", not \"%s\"\n", text, to, expected);
  return 0;
}

static void test_names(void)
{
  CU_ASSERT(becomes("node17.cluster.example", "(host)"));
  CU_ASSERT(becomes("on node17: no", "on (host): no"));
  CU_ASSERT(becomes("node170 mynode17 node17_2", "node170 mynode17 node17_2"));
  CU_ASSERT(becomes("--prefix=/home/eve/x:/home/eve", "--prefix=~/x:~"));
  CU_ASSERT(becomes("/home/evelyn /x/home/eve", "/home/evelyn /x/home/eve"));
  CU_ASSERT(becomes("", ""));
}

static void test_addresses(void)
{
  CU_ASSERT(becomes("10.1.2.3", "(address)"));
  CU_ASSERT(becomes("tcp://192.168.0.1:4000.", "tcp://(address):4000."));
  CU_ASSERT(becomes("at fe80::1, ::1 and 2001:db8:0:0:0:0:0:1.", "at (address), (address) and (address)."));
  CU_ASSERT(becomes("de:ad:be:ef:00:01", "(address)"));
  CU_ASSERT(
      becomes("UCX 1.13.1, libfabric 1.17, 6.1.0-18-amd64", "UCX 1.13.1, libfabric 1.17, 6.1.0-18-amd64"));
  CU_ASSERT(
      becomes("tcp;ofi_rxm self/memory mlx5_0:1 a::b c", "tcp;ofi_rxm self/memory mlx5_0:1 (address) c"));
  CU_ASSERT(becomes("12:30:45 eth0 1.2.3.4.5 256.1.1.1", "12:30:45 eth0 1.2.3.4.5 256.1.1.1"));
}

static void test_room(void)
{
  char to[16];
  memset(to, 'x', sizeof to);
  info_redact("node17 node17 node17", to, 8);
  CU_ASSERT_STRING_EQUAL(to, "(host) ");
  CU_ASSERT(to[8] == 'x');
  info_redact("ab node17", to, 6);
  CU_ASSERT_STRING_EQUAL(to, "ab (h");
  CU_ASSERT(to[8] == 'x');
}

static void test_random(void)
{
  static const char *const pieces[] = {"node17", "node17.cluster.example", "/home/eve", "10.0.0.1",
      "fe80::", ":", ".", "a", "0", " ", "\xff", "/"};
  unsigned hidden = 0;
  for (int round = 0; round < 200000; round++) {
    char text[256] = "";
    const size_t size = 1 + below(64);
    char *to = malloc(size);
    for (size_t n = below(8); n > 0; n--) strcat(text, pieces[below(sizeof pieces / sizeof *pieces)]);
    info_redact(text, to, size);
    CU_ASSERT_FATAL(memchr(to, 0, size) != NULL);
    hidden += strchr(to, '(') != NULL;
    free(to);
  }
  CU_ASSERT(hidden > 1000);
}

int main(void)
{
  const struct unit_test tests[] = {{"names", test_names}, {"addresses", test_addresses},
      {"little room", test_room}, {"random texts", test_random}};
  setenv("HOME", "/home/eve", 1);
  random_begin();
  return RUN_SUITE("what a report leaves out", tests);
}
