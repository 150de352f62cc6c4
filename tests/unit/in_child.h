/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Unit tests of code that ends its process, reads the environment once or changes limits: each case runs in
 * a process of its own, whose standard error is kept. */
#ifndef TESTS_UNIT_IN_CHILD_H
#define TESTS_UNIT_IN_CHILD_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static char child_said[65536]; /* what the last child wrote to standard error */

/* A failure within the child: its exit code says so, its text says where. */
#define CHILD_CHECK(cond) \
  do { \
    if (!(cond)) { \
      dprintf(STDERR_FILENO, "FAIL %s:%d: %s\n", __FILE__, __LINE__, #cond); \
      _exit(99); \
    } \
  } while (0)

/* Returns the wait status; shows what the child said when it failed a CHILD_CHECK. */
static int in_child(void (*body)(void *), void *arg)
{
  int status = -1, err = memfd_create("stderr", MFD_CLOEXEC);
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) {
    dup2(err, STDERR_FILENO);
    body(arg);
    _exit(0);
  }
  if (pid > 0) waitpid(pid, &status, 0);
  ssize_t n = pread(err, child_said, sizeof child_said - 1, 0);
  child_said[n > 0 ? n : 0] = '\0';
  close(err);
  if (strstr(child_said, "FAIL ")) fputs(child_said, stderr);
  return status;
}

static inline int ended_with(int status, int code)
{
  return WIFEXITED(status) && WEXITSTATUS(status) == code;
}

#endif
