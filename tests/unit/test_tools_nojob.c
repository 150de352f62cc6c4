/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A program that has the tools header and nothing else of the library: no job, no gasnet.h. */
#include <gasnet_tools.h>

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/resource.h>

#include "tests/unit/in_child.h"
#include "tests/unit/suite.h"

#ifdef _INCLUDED_GASNET_H
#error "gasnet_tools.h is to be usable without gasnet.h"
#endif
#if !GASNETT_PAGESIZE || GASNETT_MAX_THREADS < 1 || GASNETT_CACHE_LINE_BYTES < 1 || \
    (1 << GASNETT_PAGESHIFT) != GASNETT_PAGESIZE
#error "these must be numbers in #if"
#endif
#if defined(GASNET_DEBUG) == defined(GASNET_NDEBUG)
#error "exactly one of the two"
#endif

GASNETT_IDENT(test_ident, "$test of the tools $");

static int printed_by_client;

static int client_backtrace(int fd)
{
  printed_by_client++;
  return write(fd, "from the client\n", 16) == 16 ? 0 : -1;
}

/* A strong definition takes the place of the library's. */
gasnett_backtrace_type_t gasnett_backtrace_user = {"client", client_backtrace, 1};

static void print_backtrace(void *arg)
{
  (void)arg;
  gasnett_backtrace_init("no such program");
  CHILD_CHECK(gasnett_print_backtrace(STDERR_FILENO) == 0);
  CHILD_CHECK(printed_by_client == 1);
  unsetenv("GASNET_BACKTRACE");
  CHILD_CHECK(gasnett_print_backtrace_ifenabled(STDERR_FILENO) != 0);
  CHILD_CHECK(printed_by_client == 1);
  setenv("GASNET_BACKTRACE", "1", 1);
  CHILD_CHECK(gasnett_print_backtrace_ifenabled(STDERR_FILENO) == 0);
  CHILD_CHECK(printed_by_client == 2);
}

static void print_own_backtrace(void *arg)
{
  (void)arg;
  gasnett_backtrace_user.fnp = NULL;
  gasnett_backtrace_init(NULL);
  CHILD_CHECK(gasnett_print_backtrace(STDERR_FILENO) == 0);
}

static void test_backtrace(void)
{
  CU_ASSERT(ended_with(in_child(print_backtrace, NULL), 0));
  CU_ASSERT_STRING_EQUAL(child_said, "from the client\nfrom the client\n");
  CU_ASSERT(ended_with(in_child(print_own_backtrace, NULL), 0));
  CU_ASSERT_PTR_NOT_NULL(strstr(child_said, "test_tools_nojob"));
}

static void test_texts(void)
{
  char release[40];
  snprintf(release, sizeof release, "RELEASE=%d.%d.%d,", GASNETT_RELEASE_VERSION_MAJOR,
      GASNETT_RELEASE_VERSION_MINOR, GASNETT_RELEASE_VERSION_PATCH);
  CU_ASSERT(strncmp(GASNETT_CONFIG_STRING, release, strlen(release)) == 0);
  CU_ASSERT(GASNETT_RELEASE_VERSION_MAJOR > 1 || GASNETT_RELEASE_VERSION_MINOR >= 18);
  CU_ASSERT(strlen(GASNETT_SYSTEM_TUPLE) > 0);
  CU_ASSERT_PTR_NOT_NULL(GASNETT_CONFIGURE_ARGS);
  CU_ASSERT_STRING_EQUAL(_STRINGIFY(GASNETT_THREAD_MODEL), "PAR");
  CU_ASSERT(
      strlen(_STRINGIFY(PLATFORM_COMPILER_FAMILYNAME)) > 0 && strlen(PLATFORM_COMPILER_VERSION_STR) > 0);
  CU_ASSERT_PTR_NOT_NULL(gasnett_performance_warning_str());
  CU_ASSERT_PTR_NOT_NULL(strstr(test_ident, "tools"));
}

static void test_location(void)
{
  const char *a = gasnett_current_loc, *b = gasnett_current_loc;
  CU_ASSERT_PTR_NOT_NULL(strstr(a, "test_location "));
  CU_ASSERT_PTR_NOT_NULL(strstr(a, "test_tools_nojob.c:"));
  CU_ASSERT_PTR_NOT_EQUAL(a, b);
  const char *file = NULL;
  unsigned line = 0;
  GASNETT_TRACE_SETSOURCELINE("a.c", 7);
  GASNETT_TRACE_FREEZESOURCELINE();
  GASNETT_TRACE_SETSOURCELINE("b.c", 8);
  GASNETT_TRACE_GETSOURCELINE(&file, &line);
  CU_ASSERT(line == 7 && strcmp(file, "a.c") == 0);
  GASNETT_TRACE_UNFREEZESOURCELINE();
  GASNETT_TRACE_SETSOURCELINE("b.c", 8);
  GASNETT_TRACE_GETSOURCELINE(&file, &line);
  CU_ASSERT(line == 8 && strcmp(file, "b.c") == 0);
  GASNETT_TRACE_PRINTF("%d", 1); /* no job, no trace */
  CU_ASSERT_FALSE(GASNETT_TRACE_ENABLED);
}

static void test_host(void)
{
  char name[256];
  CU_ASSERT_EQUAL(gasnett_cpu_count(), sysconf(_SC_NPROCESSORS_ONLN));
  uint64_t installed = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
  CU_ASSERT(gasnett_getPhysMemSz(1) > 0 && gasnett_getPhysMemSz(0) <= installed);
  CU_ASSERT_EQUAL(gethostname(name, sizeof name), 0);
  CU_ASSERT_STRING_EQUAL(gasnett_gethostname(), name);
  CU_ASSERT_EQUAL(gasnett_isLittleEndian(), __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
  gasnett_sched_yield();
}

static void bind_and_look(void *arg)
{
  cpu_set_t may, now;
  CHILD_CHECK(sched_getaffinity(0, sizeof may, &may) == 0);
  gasnett_set_affinity((int)(intptr_t)arg);
  CHILD_CHECK(sched_getaffinity(0, sizeof now, &now) == 0);
  CHILD_CHECK(CPU_COUNT(&now) == 1);
  CPU_AND(&now, &now, &may);
  CHILD_CHECK(CPU_COUNT(&now) == 1);
}

static void test_affinity(void)
{
  for (intptr_t rank = 0; rank < 5; rank++) CU_ASSERT(ended_with(in_child(bind_and_look, (void *)rank), 0));
}

static void raise_limits(void *arg)
{
  struct rlimit limit;
  (void)arg;
  CHILD_CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0);
  limit.rlim_cur = 64;
  CHILD_CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
  gasnett_maximize_rlimits();
  CHILD_CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0);
  CHILD_CHECK(limit.rlim_cur == limit.rlim_max);
  limit.rlim_cur = 0;
  CHILD_CHECK(setrlimit(RLIMIT_CORE, &(struct rlimit){0, limit.rlim_max < 10 ? limit.rlim_max : 10}) == 0);
  gasnett_maximize_rlimit(RLIMIT_CORE, "RLIMIT_CORE");
  CHILD_CHECK(getrlimit(RLIMIT_CORE, &limit) == 0);
  CHILD_CHECK(limit.rlim_cur == limit.rlim_max);
}

static void test_rlimits(void) { CU_ASSERT(ended_with(in_child(raise_limits, NULL), 0)); }

static volatile sig_atomic_t caught;
static void on_signal(int sig) { caught = sig; }

static void test_signals(void)
{
  CU_ASSERT_EQUAL(gasnett_reghandler(SIGUSR1, on_signal), (gasnett_sighandlerfn_t)SIG_DFL);
  raise(SIGUSR1);
  CU_ASSERT_EQUAL(caught, SIGUSR1);
  CU_ASSERT_EQUAL(gasnett_reghandler(SIGUSR1, SIG_DFL), on_signal);
}

static void leave_at_once(void *arg)
{
  (void)arg;
  gasnett_killmyprocess(9);
}

static void die(void *arg)
{
  (void)arg;
  gasnett_fatalerror("the %s is %d", "answer", 42);
}

static void flush_and_close(void *arg)
{
  char byte;
  int fd[2];
  (void)arg;
  CHILD_CHECK(pipe(fd) == 0);
  CHILD_CHECK(dup2(fd[1], STDOUT_FILENO) == STDOUT_FILENO);
  putchar('x');
  gasnett_flush_streams();
  CHILD_CHECK(read(fd[0], &byte, 1) == 1 && byte == 'x');
  putchar('y');
  gasnett_close_streams();
  if (read(fd[0], &byte, 1) != 1 || byte != 'y') _exit(98); /* messages go nowhere now */
  _exit(fcntl(STDOUT_FILENO, F_GETFD) == -1 && errno == EBADF ? 0 : 97);
}

static void test_ends(void)
{
  CU_ASSERT(ended_with(in_child(leave_at_once, NULL), 9));
  int status = in_child(die, NULL);
  CU_ASSERT(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
  CU_ASSERT_STRING_EQUAL(child_said, "penstock: the answer is 42\n");
  CU_ASSERT(ended_with(in_child(flush_and_close, NULL), 0));
}

static void test_diagnostics(void)
{
  void *table = &table;
  int count = 7;
  gasnett_diagnostic_gethandlers(&table, &count);
  CU_ASSERT(table == NULL && count == 0);
  CU_ASSERT_EQUAL(gasnett_run_diagnostics(2000, 3, NULL, NULL), 0);
  CU_ASSERT_EQUAL(gasnett_run_diagnostics(1000, 0, "T", NULL), 0);
}

GASNETT_NEVER_INLINE(never, static int never(int x)) { return x + 1; }
GASNETT_INLINE(please) int please(int x) { return x + 2; }
GASNETT_ALWAYS_INLINE(always) int always(int x) { return x + 3; }
GASNETT_FORMAT_PRINTF(formatted, 3, 4, static int formatted(char *buf, size_t n, const char *fmt, ...));
static int formatted(char *buf, size_t n, const char *fmt, ...)
{
  va_list args;
  va_start(args, fmt);
  int length = vsnprintf(buf, n, fmt, args);
  va_end(args);
  return length;
}

static void test_attributes(void)
{
  char buf[8];
  int unused GASNETT_UNUSED = 1, taken = 0;
  CU_ASSERT_EQUAL(never(1) + please(1) + always(1), 9);
  CU_ASSERT_EQUAL(formatted(buf, sizeof buf, "%d", 12), 2);
  CU_ASSERT_TRUE(gasnett_constant_p(3));
  if (GASNETT_PREDICT_TRUE(buf[0] == '1')) taken++;
  if (GASNETT_PREDICT_FALSE(buf[0] == '2')) taken += 10;
  if_pt(buf[1] == '2') taken++;
  if_pf(buf[1] == '3') taken += 10;
  CU_ASSERT_EQUAL(taken, 2);
}

int main(void)
{
  static const struct unit_test tests[] = {
      {"backtrace", test_backtrace},
      {"texts", test_texts},
      {"location", test_location},
      {"host", test_host},
      {"affinity", test_affinity},
      {"limits", test_rlimits},
      {"signals", test_signals},
      {"ends", test_ends},
      {"diagnostics", test_diagnostics},
      {"attributes", test_attributes},
  };
  unsetenv("GASNET_BACKTRACE");
  unsetenv("GASNET_FREEZE_ON_ERROR");
  return RUN_SUITE("tools without a job", tests);
}
