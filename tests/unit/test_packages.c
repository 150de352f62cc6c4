/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Package names by the system's os-release file: each distribution, derived ones, files that say nothing. */
#include "support/packages.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/suite.h"

static int says(const char *text, const char *expected)
{
  char path[] = "/tmp/os-release-XXXXXX";
  const int fd = mkstemp(path);
  const size_t n = strlen(text);
  int same;
  CU_ASSERT_FATAL(fd >= 0 && write(fd, text, n) == (ssize_t)n);
  close(fd);
  same = strstr(pst_packages_of_network(path), expected) != NULL;
  unlink(path);
  return same;
}

static void test_distributions(void)
{
  CU_ASSERT(says(
      "PRETTY_NAME=\"Debian GNU/Linux 12\"\nVERSION_ID=\"12\"\nID=debian\n", "libfabric-dev or libucx-dev"));
  CU_ASSERT(says("ID=ubuntu\nID_LIKE=debian\n", "libfabric-dev or libucx-dev"));
  CU_ASSERT(says("ID=fedora\n", "libfabric-devel or ucx-devel"));
  CU_ASSERT(says("ID=arch\n", "libfabric or openucx"));
  CU_ASSERT(says("ID=\"opensuse-leap\"\nID_LIKE=\"suse opensuse\"\n", "libfabric-devel or libucp-devel"));
}

static void test_made_from_another(void)
{
  CU_ASSERT(says("ID_LIKE=\"rhel centos fedora\"\nID=\"rocky\"\n", "libfabric-devel or ucx-devel"));
  CU_ASSERT(says("ID=linuxmint\nID_LIKE=\"ubuntu debian\"", "libfabric-dev or libucx-dev"));
  CU_ASSERT(says("ID=strange\nID_LIKE='unknown arch'\n", "libfabric or openucx"));
  CU_ASSERT(says("ID_LIKE=debian\nID=arch\n", "libfabric or openucx")); /* ID comes before ID_LIKE */
}

static void test_unknown(void)
{
  static const char *const nothing[] = {
      "", "\n\n", "=\n", "ID\n", "ID=\n", "ID=gentoo\n", "NAME=debian\n", "ID_LIKE=\"\"\n", "IDdebian\n"};
  for (size_t i = 0; i < sizeof nothing / sizeof nothing[0]; i++)
    CU_ASSERT(says(nothing[i], "development files of libfabric or UCX"));
  CU_ASSERT_STRING_EQUAL(
      pst_packages_of_network("/nonexistent/os-release"), "the development files of libfabric or UCX");
}

int main(void)
{
  static const struct unit_test tests[] = {
      {"distributions", test_distributions},
      {"made from another", test_made_from_another},
      {"unknown", test_unknown},
  };
  return RUN_SUITE("packages", tests);
}
