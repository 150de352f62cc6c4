/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What shared memory needs of the kernel, tried out. */
#include <errno.h>
#include <fcntl.h>
#include <linux/membarrier.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conduits/smp/smp.h"
#include "core/inspect.h"
#include "support/env.h"
#include "support/error.h"
#include "support/variables.h"

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434 /* on all machines */
#endif

enum { TRIED = 64 << 10 };

/* ---- what one process of a job may do to another. A child tries it on this process: to a node its
 * neighbours are not its children either. ---- */

struct neighbour {
  pid_t pid;
  int fd;
  const char *word;
};

static int opens_file(const struct neighbour *n)
{
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)n->pid, n->fd);
  return open(path, O_RDWR | O_CLOEXEC) >= 0 ? 0 : errno;
}

static int reads_memory(const struct neighbour *n)
{
  char got = 0;
  const struct iovec to = {&got, 1}, from = {(void *)n->word, 1};
  return process_vm_readv(n->pid, &to, 1, &from, 1, 0) == 1 && got == *n->word ? 0 : errno;
}

static int watches_process(const struct neighbour *n)
{
  return syscall(SYS_pidfd_open, n->pid, 0) >= 0 ? 0 : errno;
}

/* 0, or an errno. */
static int by_another(int (*attempt)(const struct neighbour *), const struct neighbour *n)
{
  int status;
  const pid_t child = fork();
  if (child == 0) _exit(attempt(n));
  if (child < 0 || waitpid(child, &status, 0) != child) return errno;
  return WIFEXITED(status) ? WEXITSTATUS(status) : EINTR;
}

static void tell_attempt(const struct pst_inspector *tell, const char *name, int err, const char *use)
{
  if (err == 0) tell->fact(name, "yes");
  else tell->fact(name, "no: %s (%s)", strerror(err), use);
}

static void tell_neighbours(const struct pst_inspector *tell, int fd)
{
  static const char word = 'w';
  const struct neighbour me = {getpid(), fd, &word};
  tell_attempt(
      tell, "files of neighbours", by_another(opens_file, &me), "static data of OpenSHMEM programs need it");
  tell_attempt(tell, "pidfd", by_another(watches_process, &me),
      "under other launchers than gasnetrun nodes watch each other by it");
  tell_attempt(
      tell, "process_vm_readv", by_another(reads_memory, &me), "only libfabric's shm and UCX's cma use it");
}

/* ---- this process alone ---- */

static int maps_file(int fd)
{
  char *at;
  if (ftruncate(fd, TRIED) != 0) return errno;
  at = mmap(NULL, TRIED, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (at == MAP_FAILED) return errno;
  memset(at, 1, TRIED);
  return munmap(at, TRIED) == 0 ? 0 : errno;
}

static void tell_memory(const struct pst_inspector *tell)
{
  const char *dir = pst_env_string(&pst_support_env.tmpdir);
  if (dir) tell->fact("shared memory", "files without a name in GASNET_TMPDIR=%s", dir);
  else tell->fact("shared memory", "memfd");
}

const char *pst_smp_inspect(const struct pst_inspector *tell)
{
  int control, segment, huge, err;
  tell_memory(tell);
  const char *why = tell->memory(&control, &segment, &huge);
  if (why) return why;
  if ((err = maps_file(segment)) != 0)
    return pst_why("a segment cannot be made of that memory: %s", strerror(err));
  tell->fact("huge page segments", huge >= 0 ? "where the host has reserved some" : "no");
  tell_attempt(tell, "membarrier",
      syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0) > 0 ? 0
          : errno                                             ? errno
                                                              : ENOSYS,
      "sleeping and waking take longer without it");
  tell_neighbours(tell, control);
  return NULL;
}
