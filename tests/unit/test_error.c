/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Messages, and how a process ends. */
#include "support/error.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#include "gasnet.h"
#include "support/backtrace.h"
#include "tests/unit/in_child.h"
#include "tests/unit/suite.h"

static void test_names(void)
{
  for (int err = 0; err >= PST_ERR_UNSUPPORTED; err--) {
    CU_ASSERT_PTR_NULL(strstr(pst_err_name(err), "unknown"));
    CU_ASSERT_PTR_NULL(strstr(pst_err_text(err), "unknown"));
  }
  CU_ASSERT_STRING_EQUAL(pst_err_name(PST_ERR_NOMEM), "PST_ERR_NOMEM");
  CU_ASSERT_STRING_EQUAL(pst_err_name(PST_OK), "PST_OK");
  CU_ASSERT_STRING_EQUAL(pst_err_name(PST_ERR_UNSUPPORTED), "PST_ERR_UNSUPPORTED");
  CU_ASSERT_STRING_EQUAL(pst_err_name(12345), "PST_ERR_(unknown)");
  CU_ASSERT_STRING_EQUAL(pst_err_text(-12345), "unknown error");
  CU_ASSERT_STRING_EQUAL(gasnet_ErrorName(GASNET_OK), "GASNET_OK");
  CU_ASSERT_STRING_EQUAL(gasnet_ErrorName(GASNET_ERR_BARRIER_MISMATCH), "GASNET_ERR_BARRIER_MISMATCH");
  CU_ASSERT_STRING_EQUAL(gasnet_ErrorDesc(GASNET_ERR_NOT_READY), "the operation is not complete yet");
  CU_ASSERT_STRING_EQUAL(gasnet_ErrorName(12345), "*unknown*");
  CU_ASSERT_STRING_EQUAL(gasnet_ErrorDesc(-1), "no error code of GASNet's");
}

static void test_why(void)
{
  char path[1000];
  memset(path, 'x', sizeof path - 1);
  path[sizeof path - 1] = '\0';
  errno = ENOENT;
  CU_ASSERT_STRING_EQUAL(
      pst_why("cannot open %s: %m", "that"), "cannot open that: No such file or directory");
  CU_ASSERT_EQUAL(errno, ENOENT);
  CU_ASSERT(strlen(pst_why("%s", path)) < sizeof path - 1);
}

static void plain(void *arg)
{
  (void)arg;
  errno = ENOENT;
  pst_fatal("cannot open %s: %m", "that");
}

static void with_identity(void *arg)
{
  pst_error_identity(3, 8);
  CHILD_CHECK(pst_error_node() == 3);
  errno = EACCES;
  pst_warn("first: %m");
  CHILD_CHECK(errno == EACCES);
  plain(arg);
}

static void test_text(void)
{
  CU_ASSERT(ended_with(in_child(plain, NULL), 1));
  CU_ASSERT_STRING_EQUAL(child_said, "penstock: cannot open that: No such file or directory\n");
  CU_ASSERT(ended_with(in_child(with_identity, NULL), 1));
  CU_ASSERT(strncmp(child_said, "penstock: node 3 of 8 (", 23) == 0);
  CU_ASSERT_PTR_NOT_NULL(strstr(child_said, "): warning: first: Permission denied\n"));
  CU_ASSERT_PTR_NOT_NULL(strstr(child_said, "): cannot open that: No such file or directory\n"));
}

static void very_long(void *arg)
{
  static char text[20000];
  (void)arg;
  memset(text, 'x', sizeof text - 1);
  pst_fatal("%s", text);
}

static void test_long(void)
{
  CU_ASSERT(ended_with(in_child(very_long, NULL), 1));
  CU_ASSERT_EQUAL(strlen(child_said), 4095); /* cut to what a pipe takes in one piece */
  CU_ASSERT_EQUAL(child_said[4094], '\n');
}

static void announce(int code) { dprintf(STDERR_FILENO, "hook %d\n", code); }

static void fails_again(int code)
{
  announce(code);
  pst_fatal("in the hook");
}

static void hooked(void *arg)
{
  pst_error_hook = (void (*)(int))arg;
  pst_fatal("main");
}

static void test_hook(void)
{
  CU_ASSERT(ended_with(in_child(hooked, (void *)announce), 1));
  CU_ASSERT_STRING_EQUAL(child_said, "penstock: main\nhook 1\n");
  CU_ASSERT(ended_with(in_child(hooked, (void *)fails_again), 1));
  CU_ASSERT_STRING_EQUAL(child_said, "penstock: main\nhook 1\npenstock: in the hook\n");
}

static atomic_int go;

static void *failing_thread(void *arg)
{
  while (!atomic_load(&go)) {}
  pst_fatal("thread %d", (int)(intptr_t)arg);
}

static void threads_fail(void *arg)
{
  pthread_t t[4];
  (void)arg;
  for (intptr_t i = 0; i < 4; i++) CHILD_CHECK(pthread_create(&t[i], NULL, failing_thread, (void *)i) == 0);
  atomic_store(&go, 1);
  for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
}

/* When several threads fail, one prints. */
static void test_threads(void)
{
  for (int round = 0; round < 20; round++) {
    CU_ASSERT(ended_with(in_child(threads_fail, NULL), 1));
    CU_ASSERT(strncmp(child_said, "penstock: thread ", 17) == 0);
    CU_ASSERT_EQUAL(strlen(child_said), 19);
  }
}

void gasnett_fatalerror(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));

static void aborting(void *arg)
{
  (void)arg;
  gasnett_fatalerror("value %d", 7);
}

static void test_abort(void)
{
  int status = in_child(aborting, NULL);
  CU_ASSERT(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
  CU_ASSERT_STRING_EQUAL(child_said, "penstock: value 7\n");
}

static void with_backtrace(void *arg)
{
  setenv("GASNET_BACKTRACE", "1", 1);
  plain(arg);
}

static void malformed_backtrace(void *arg)
{
  setenv("GASNET_BACKTRACE", "sometimes", 1);
  plain(arg);
}

static void test_backtrace(void)
{
  CU_ASSERT(ended_with(in_child(with_backtrace, NULL), 1));
  CU_ASSERT(strncmp(child_said, "penstock: cannot open that", 26) == 0);
  CU_ASSERT_PTR_NOT_NULL(strstr(child_said, "test_error")); /* the program's name, from backtrace() or gdb */
  CU_ASSERT(ended_with(in_child(malformed_backtrace, NULL), 1));
  CU_ASSERT_STRING_EQUAL(child_said, "penstock: cannot open that: No such file or directory\n");
}

int main(void)
{
  static const struct unit_test tests[] = {
      {"names", test_names},
      {"why", test_why},
      {"text", test_text},
      {"long text", test_long},
      {"hook", test_hook},
      {"threads", test_threads},
      {"abort", test_abort},
      {"backtrace", test_backtrace},
  };
  unsetenv("GASNET_BACKTRACE");
  unsetenv("GASNET_FREEZE_ON_ERROR");
  return RUN_SUITE("error", tests);
}
