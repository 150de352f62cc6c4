/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Limits of this process. The limit of file descriptors is raised for connections, and the user is told when
 * no descriptor is left: libraries do not say that they cannot accept a connection, and the peer waits for
 * it. Where a call fails because of a limit they report an input/output error, or nothing. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "conduits/net/net.h"

static int own = -1; /* is duplicated to learn what is left: open() might take the number of a standard stream
                        that the client is about to open again */

/* There may be a connection to each peer, and two where both ends begin at once. OWN is for the files of the
 * client and of libraries. */
static void make_room(unsigned peers)
{
  enum { OWN = 256 };
  struct rlimit limit;
  const rlim_t wanted = 2 * (rlim_t)peers + OWN;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted) return;
  limit.rlim_cur = wanted < limit.rlim_max ? wanted : limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit); /* else as many as there may be */
}

void pst_net_descriptors_open(unsigned peers)
{
  make_room(peers);
  if (own < 0) own = open("/", O_PATH | O_CLOEXEC);
}

static unsigned long long limit_of(int resource)
{
  struct rlimit limit = {0};
  getrlimit(resource, &limit);
  return (unsigned long long)limit.rlim_cur;
}

static void tell_none_left(void)
{
  pst_warn("no file descriptor is left (ulimit -n is %llu): nodes that are yet to connect to this one wait "
           "until there is",
      limit_of(RLIMIT_NOFILE));
}

static int is_none_left(void)
{
  const int saved = errno, fd = fcntl(own, F_DUPFD_CLOEXEC, STDERR_FILENO + 1),
            none = fd < 0 && errno == EMFILE;
  if (fd >= 0) close(fd);
  errno = saved;
  return none;
}

/* Relaxed: two looks in a second do no harm. */
void pst_net_descriptors_look(double now)
{
  static _Atomic unsigned looked;
  static _Atomic int told;
  const unsigned second = (unsigned)now;
  if (atomic_load_explicit(&looked, memory_order_relaxed) == second ||
      atomic_load_explicit(&told, memory_order_relaxed))
    return;
  atomic_store_explicit(&looked, second, memory_order_relaxed);
  if (is_none_left() && !atomic_exchange_explicit(&told, 1, memory_order_relaxed)) tell_none_left();
}

static void *do_nothing(void *unused) { return unused; }

static int may_start_thread(void)
{
  pthread_t t;
  return pthread_create(&t, NULL, do_nothing, NULL) == 0 && pthread_join(t, NULL) == 0;
}

/* A library that failed has closed what it had opened: so few descriptors that are left tell as much as
 * none. */
const char *pst_net_limit_reached(void)
{
  enum { FEW = 32 };
  const int highest = fcntl(own, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (highest >= 0) close(highest);
  if (highest < 0 || limit_of(RLIMIT_NOFILE) - (unsigned)highest < FEW)
    return pst_why(
        "too few file descriptors are left; raise ulimit -n, which is %llu", limit_of(RLIMIT_NOFILE));
  if (!may_start_thread())
    return pst_why("no more threads may be started; raise ulimit -u, which is %llu", limit_of(RLIMIT_NPROC));
  return NULL;
}
