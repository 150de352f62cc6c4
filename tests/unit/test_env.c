/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The table of environment variables: values, messages, unknown names. Fatal cases run in children. */
#include "support/env.h"

#include "gasnet_tools.h"
#include "bootstrap/variables.h"
#include "core/variables.h"
#include "extended/variables.h"
#include "support/error.h"
#include "support/variables.h"
#include "tests/unit/in_child.h"
#include "tests/unit/suite.h"

extern char **environ;

/* The caller's environment must not reach the tests. */
static void clear(void)
{
  const struct pst_variable *v;
  for (unsigned i = 0; (v = pst_env_at(i)) != NULL; i++) unsetenv(v->name);
}

static void test_defaults(void)
{
  clear();
  CU_ASSERT_STRING_EQUAL(pst_env_string(&pst_core_env.conduit), "auto");
  CU_ASSERT_STRING_EQUAL(pst_env_string(&pst_extended_env.barrier), "AUTO");
  CU_ASSERT_EQUAL(pst_env_bool(&pst_bootstrap_env.catch_exit), 1);
  CU_ASSERT_EQUAL(pst_env_bool(&pst_core_env.am_only), 0);
  CU_ASSERT_EQUAL(pst_env_int(&pst_core_env.max_threads), 256);
  CU_ASSERT(pst_env_double(&pst_support_env.exittimeout) == 2.0);
  CU_ASSERT_PTR_NULL(pst_env_string(&pst_core_env.tracefile));
  CU_ASSERT_EQUAL(pst_segsize_most(1000000, 2), 425000);
  const struct pst_variable *e;
  for (unsigned i = 0; (e = pst_env_at(i)) != NULL; i++) {
    CU_ASSERT_FALSE(pst_env_is_set(e));
    CU_ASSERT_FATAL(e->name != NULL && e->help != NULL);
    CU_ASSERT(strncmp(e->name, "GASNET_", 7) == 0);
    CU_ASSERT_PTR_EQUAL(pst_env_find(e->name), e); /* no name is in two layers */
    CU_ASSERT(!e->deflt || pst_env_valid(e, e->deflt) == PST_OK);
  }
}

static void test_set(void)
{
  clear();
  setenv("GASNET_BARRIER", "amDissem", 1);
  setenv("GASNET_EXITTIMEOUT", "0.5", 1);
  setenv("GASNET_MAX_THREADS", "0x10", 1);
  setenv("GASNET_AM_ONLY", "Yes", 1);
  setenv("GASNET_CATCH_EXIT", "", 1);
  CU_ASSERT_STRING_EQUAL(pst_env_string(&pst_extended_env.barrier), "AMDISSEM");
  CU_ASSERT(pst_env_double(&pst_support_env.exittimeout) == 0.5);
  CU_ASSERT_EQUAL(pst_env_int(&pst_core_env.max_threads), 16);
  CU_ASSERT_EQUAL(pst_env_bool(&pst_core_env.am_only), 1);
  CU_ASSERT_TRUE(pst_env_is_set(&pst_core_env.am_only));
  CU_ASSERT_EQUAL(pst_env_bool(&pst_bootstrap_env.catch_exit), 1); /* empty is unset */
  CU_ASSERT_FALSE(pst_env_is_set(&pst_bootstrap_env.catch_exit));
  clear();
}

static int seg_is(const char *text, uint64_t memory, unsigned processes, uint64_t expected)
{
  uint64_t bytes;
  return pst_segsize_parse(text, memory, processes, &bytes) == PST_OK && bytes == expected;
}

static void test_segsize(void)
{
  const uint64_t G = UINT64_C(1) << 30;
  CU_ASSERT(seg_is("64M", G, 4, G / 16));
  CU_ASSERT(seg_is("64M/P", G, 4, G / 16));
  CU_ASSERT(seg_is("64M/h", G, 4, G / 64));
  CU_ASSERT(seg_is("0.5/H", G, 4, G / 8));
  CU_ASSERT(seg_is("0.5", G, 4, G / 8));
  CU_ASSERT(seg_is("0.5/P", G, 4, G / 2));
  CU_ASSERT(seg_is("1.0", G, 1, G));
  CU_ASSERT(seg_is("1.0", UINT64_MAX, 1, UINT64_MAX));
  CU_ASSERT(seg_is("0", G, 4, 0));
  CU_ASSERT(seg_is("1", G, 4, 1));
  CU_ASSERT(seg_is("1.5G", G, 4, 3 * G / 2));
  static const char *const bad[] = {"", "/H", "64M/", "64M/X", "64M/HP", "0.5/H/P", "-0.5", "1.5", "2.0",
      "64Q", "lots", "64M/H ", "99999999999999999999999999999999999999999999999999999999999999999999"};
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
    uint64_t bytes = 42;
    CU_ASSERT_NOT_EQUAL(pst_segsize_parse(bad[i], G, 4, &bytes), PST_OK);
    CU_ASSERT_EQUAL(bytes, 42);
  }
}

struct setting {
  const char *name, *value, *legal;
};

static void check_setting(void *arg)
{
  const struct setting *s = arg;
  setenv(s->name, s->value, 1);
  pst_env_check(0);
}

static void test_bad_values(void)
{
  static struct setting bad[] = {
      {"GASNET_CONDUIT", "ibv", "smp"},
      {"GASNET_AM_ONLY", "perhaps", "yes or no"},
      {"GASNET_PSHM_NODES", "0", "from 1 to 1024"},
      {"GASNET_PSHM_NODES", "1025", "from 1 to 1024"},
      {"GASNET_PSHM_NODES", "four", "from 1 to 1024"},
      {"GASNET_MAX_SEGSIZE", "12Q", "a size such as 64M"},
      {"GASNET_MAX_THREADS", "1e3", "a whole number"},
      {"GASNET_BARRIER", "FAST", "AMCENTRAL or SHARED"},
      {"GASNET_EXITTIMEOUT", "-1", "seconds from 0"},
      {"GASNET_FREEZE_SIGNAL", "SIGNOTHING", "SIGUSR1"},
      {"GASNET_FREEZE_SIGNAL", "9", "that can be caught"},
      {"GASNET_BACKTRACE_SIGNAL", "SIGSTOP", "that can be caught"},
      {"GASNET_NO_CATCH_SIGNAL", "INT,FOO", "separated by commas"},
      {"GASNET_TRACEMASK", "GPq", "letters from"},
  };
  clear();
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
    int status = in_child(check_setting, &bad[i]);
    CU_ASSERT(ended_with(status, 1));
    CU_ASSERT_PTR_NOT_NULL(strstr(child_said, bad[i].name));
    CU_ASSERT_PTR_NOT_NULL(strstr(child_said, bad[i].value));
    CU_ASSERT_PTR_NOT_NULL(strstr(child_said, bad[i].legal));
  }
}

static void check_aloud(void *arg)
{
  const struct setting *s = arg;
  char *nothing = NULL;
  environ = &nothing;
  setenv(s->name, s->value, 1);
  pst_env_check(1);
}

static unsigned count_variables(void)
{
  unsigned n = 0;
  while (pst_env_at(n)) n++;
  return n;
}

static unsigned lines_said(void)
{
  unsigned n = 0;
  for (const char *p = child_said; (p = strchr(p, '\n')) != NULL; p++) n++;
  return n;
}

static void test_unknown(void)
{
  static struct setting near[] = {
      {"GASNET_BARIER", "1", "did you mean GASNET_BARRIER?"},
      {"GASNET_BACKTARCE", "1", "did you mean GASNET_BACKTRACE?"},
      {"GASNET_PSHM_NODE", "4", "did you mean GASNET_PSHM_NODES?"},
      {"GASNET_max_segsize", "4", "did you mean GASNET_MAX_SEGSIZE?"},
      {"GASNET_OFI_PROVIDR", "tcp", "did you mean GASNET_OFI_PROVIDER?"},
      {"GASNET_UCX_TSL", "tcp", "did you mean GASNET_UCX_TLS?"},
      {"GASNET_USE_HUGE_PAGE", "1", "did you mean GASNET_USE_HUGEPAGES?"},
  };
  for (unsigned i = 0; i < sizeof near / sizeof *near; i++) {
    CU_ASSERT(ended_with(in_child(check_aloud, &near[i]), 0));
    CU_ASSERT_PTR_NOT_NULL(strstr(child_said, near[i].legal));
    CU_ASSERT_EQUAL(lines_said(), 1);
  }
}

/* Variables of other GASNets, their launchers and programs are no misspellings. */
static void test_foreign(void)
{
  static const char *const names[] = {
      "GASNET_SPAWNER",
      "GASNET_IB_SPAWNER",
      "GASNET_OFI_SPAWNER",
      "GASNET_UCX_SPAWNER",
      "GASNET_SPAWNFN",
      "GASNET_SPAWN_CONTROL",
      "GASNET_SPAWN_CONDUIT",
      "GASNET_SPAWN_HOSTNAME",
      "GASNET_CSPAWN_CMD",
      "GASNET_MPI_CMD",
      "GASNET_MPI_THREAD",
      "GASNET_ENV_CMD",
      "GASNET_SSH_SERVERS",
      "GASNET_SSH_NODEFILE",
      "GASNET_SSH_CMD",
      "GASNET_SSH_OPTIONS",
      "GASNET_SSH_OUT_DEGREE",
      "GASNET_MASTERIP",
      "GASNET_ROOTDIR",
      "GASNET_PREFIX",
      "GASNET_QUIET",
      "GASNET_PHYSMEM_MAX",
      "GASNET_PHYSMEM_NOPROBE",
      "GASNET_PHYSMEM_PINNABLE_RATIO",
      "GASNET_TEST_ITERS",
      "GASNET_TEST_SEGSIZE",
      "GASNET_TEST_POLITE_SYNC",
      "GASNET_TEST_DEVICE_ID",
      "GASNET_COLL_OPT",
      "GASNET_COLL_SCRATCH_SIZE",
      "GASNET_VIS_REMOTECONTIG",
      "GASNET_VIS_AMPIPE",
      "GASNET_VIS_MAXCHUNK",
      "GASNET_BACKTRACE_TYPE",
      "GASNET_BACKTRACE_NODES",
      "GASNET_BACKTRACE_MT",
      "GASNET_TRACENODES",
      "GASNET_TRACELOCAL",
      "GASNET_STATSNODES",
      "GASNET_MALLOCFILE",
      "GASNET_MALLOC_INIT",
      "GASNET_EXITTIMEOUT_MAX",
      "GASNET_EXITTIMEOUT_MIN",
      "GASNET_EXITTIMEOUT_FACTOR",
      "GASNET_PSHM_NETWORK_DEPTH",
      "GASNET_PSHM_BARRIER_HIER",
      "GASNET_PSHM_BARRIER_RADIX",
      "GASNET_NETWORKDEPTH",
      "GASNET_NETWORKDEPTH_PP",
      "GASNET_AM_CREDITS_PP",
      "GASNET_BBUF_COUNT",
      "GASNET_IBV_PORTS",
      "GASNET_HCA_ID",
      "GASNET_NUM_QPS",
      "GASNET_RCV_THREAD",
      "GASNET_USE_SRQ",
      "GASNET_USE_XRC",
      "GASNET_USE_ODP",
      "GASNET_USE_FIREHOSE",
      "GASNET_FIREHOSE_M",
      "GASNET_HOST_DETECT",
      "GASNET_NODEMAP_EXACT",
      "GASNET_DISABLE_MUNMAP",
      "GASNET_DISABLE_ENVDECODE",
      "GASNET_THREAD_STACK_MIN",
      "GASNET_ERRCHECK",
      "GASNET_OFI_NUM_BBUFS",
      "GASNET_OFI_LIST_DEVICES",
      "GASNET_OFI_DEVICE_TYPE",
      "GASNET_UCX_MAX_MEDIUM",
      "GASNET_CONFIG_CACHE",
      "GASNET_",
      "GASNET_ZEBRA",
      "GASNET_A_NAME_THAT_IS_MUCH_LONGER_THAN_ANY_NAME_IN_THE_TABLE_AND_THAN_THE_BUFFER",
  };
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
    struct setting s = {names[i], "1", NULL};
    CU_ASSERT(ended_with(in_child(check_aloud, &s), 0));
    CU_ASSERT_STRING_EQUAL(child_said, "");
    CU_ASSERT_PTR_NULL(pst_env_nearest(names[i]));
  }
}

static void test_silence(void)
{
  static struct setting known = {"GASNET_BARRIER", "SHARED", NULL}, other = {"GASNETT_BARRIER", "1", NULL};
  CU_ASSERT(ended_with(in_child(check_aloud, &known), 0));
  CU_ASSERT_STRING_EQUAL(child_said, "");
  CU_ASSERT(ended_with(in_child(check_aloud, &other), 0));
  CU_ASSERT_STRING_EQUAL(child_said, "");
}

static void test_verbose(void)
{
  static struct setting verbose = {"GASNET_VERBOSEENV", "1", NULL};
  CU_ASSERT(ended_with(in_child(check_aloud, &verbose), 0));
  CU_ASSERT_EQUAL(lines_said(), count_variables());
  CU_ASSERT_PTR_NOT_NULL(strstr(child_said, "GASNET_EXITTIMEOUT = 2  (default)\n"));
  CU_ASSERT_PTR_NOT_NULL(strstr(child_said, "GASNET_VERBOSEENV = 1\n"));
}

static void check_verbosely(void *arg)
{
  setenv("GASNET_VERBOSEENV", "1", 1);
  setenv(arg, "1", 1);
  pst_env_check(1);
}

static void test_verbose_unknown(void)
{
  clear();
  CU_ASSERT(ended_with(in_child(check_verbosely, (void *)"GASNET_SPAWNER"), 0));
  CU_ASSERT_EQUAL(lines_said(), count_variables() + 1);
  CU_ASSERT_PTR_NOT_NULL(strstr(child_said, "GASNET_SPAWNER is no variable of this library's"));
}

/* The client's look-ups. */
static void test_withdefault(void)
{
  clear();
  unsetenv("PST_TEST_X");
  CU_ASSERT_STRING_EQUAL(gasnett_getenv_withdefault("PST_TEST_X", "d"), "d");
  CU_ASSERT_EQUAL(gasnett_getenv_yesno_withdefault("PST_TEST_X", 1), 1);
  CU_ASSERT_EQUAL(gasnett_getenv_int_withdefault("PST_TEST_X", -3, 0), -3);
  CU_ASSERT(gasnett_getenv_dbl_withdefault("PST_TEST_X", 0.5) == 0.5);
  gasnett_setenv("PST_TEST_X", "64M");
  CU_ASSERT_EQUAL(gasnett_getenv_int_withdefault("PST_TEST_X", 0, 1), 64 << 20);
  gasnett_setenv("PST_TEST_X", "64");
  CU_ASSERT_EQUAL(gasnett_getenv_int_withdefault("PST_TEST_X", 0, 1024), 65536);
  CU_ASSERT_EQUAL(gasnett_getenv_int_withdefault("PST_TEST_X", 0, 0), 64);
  gasnett_setenv("PST_TEST_X", "off");
  CU_ASSERT_EQUAL(gasnett_getenv_yesno_withdefault("PST_TEST_X", 1), 0);
  gasnett_setenv("PST_TEST_X", "1.25");
  CU_ASSERT(gasnett_getenv_dbl_withdefault("PST_TEST_X", 0) == 1.25);
  CU_ASSERT_STRING_EQUAL(gasnett_getenv("PST_TEST_X"), "1.25");
  gasnett_unsetenv("PST_TEST_X");
  CU_ASSERT_PTR_NULL(gasnett_getenv("PST_TEST_X"));
}

static void bad_int(void *arg)
{
  setenv("PST_TEST_X", arg, 1);
  gasnett_getenv_int_withdefault("PST_TEST_X", 0, 0);
}

static void told(void *arg)
{
  (void)arg;
  setenv("GASNET_VERBOSEENV", "1", 1);
  setenv("PST_TEST_X", "2048", 1);
  gasnett_getenv_int_withdefault("PST_TEST_X", 0, 1);
  gasnett_getenv_yesno_withdefault("PST_TEST_Y", 0);
  pst_error_identity(1, 2); /* only node 0 speaks */
  gasnett_getenv_yesno_withdefault("PST_TEST_Z", 0);
}

static void test_client_messages(void)
{
  CU_ASSERT(ended_with(in_child(bad_int, (void *)"seven"), 1));
  CU_ASSERT_PTR_NOT_NULL(strstr(child_said, "PST_TEST_X=\"seven\""));
  CU_ASSERT(ended_with(in_child(told, NULL), 0));
  CU_ASSERT_PTR_NOT_NULL(strstr(child_said, "PST_TEST_X = 2 KB\n"));
  CU_ASSERT_PTR_NOT_NULL(strstr(child_said, "PST_TEST_Y = NO  (default)\n"));
  CU_ASSERT_PTR_NULL(strstr(child_said, "PST_TEST_Z"));
}

int main(void)
{
  static const struct unit_test tests[] = {
      {"defaults", test_defaults},
      {"set", test_set},
      {"segment size", test_segsize},
      {"bad values", test_bad_values},
      {"unknown", test_unknown},
      {"foreign", test_foreign},
      {"silence", test_silence},
      {"verbose unknown", test_verbose_unknown},
      {"verbose", test_verbose},
      {"look-ups", test_withdefault},
      {"messages", test_client_messages},
  };
  return RUN_SUITE("env", tests);
}
